"""Answers written as lines with keys: what the lines order, which kind of answer they mean, the forms made of them."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Final

from referee.core.answers import A, Answer, Body, Form, Part, Party, Reading
from referee.core.complaint import Complaint, Line
from referee.core.folding import E, S
from referee.core.orders.sheet import (
    BLANK,
    TALK,
    Sheet,
    SheetEntry,
    bare,
    comment_lines,
    keyed,
    left_out,
    meanings,
    sheet_of,
)
from referee.core.owing import Demand

# In the place of an order (`KeyedAnswer.means`): a line that nobody could read; whatever a mail holds.
UNREAD: Final = "?"
NOTHING: Final = ""


class FormedAnswer(Answer[S, E, A]):
    """An answer whose form is made of lines: to fill in, filled in, or a mail's own as far as it can be mended."""

    closing: ClassVar[tuple[str, ...]] = ()  # the line for words with which a form ends, where it has one
    parts: ClassVar[tuple[Part, ...]] = ()  # what may be said of it however the match stands, one of a key

    def possible(
        self, state: S, demand: Demand, said: Sequence[str], named: Collection[str]
    ) -> Iterator[Part]:
        return iter(() if any(part.line in said for part in self.parts) else self.parts)

    def check(self, state: S, demand: Demand, action: A) -> Iterable[Complaint]:
        return ()

    def form(self, state: S, demand: Demand, party: Party, draft: Reading[A] | None = None) -> Form:
        if draft is None:
            form = Form("\n".join([*self.blank(state, demand.seat), *self.closing]))
        elif draft.action is not None and not draft.orders and not draft.complaints:
            form = Form(self.filled_in(state, demand, draft.action))
        else:
            form = self.mended(state, demand, draft)
        head = list(self.head(state, party, draft.action if draft else None))
        return replace(form, text="\n".join([*head, *([form.text] if form.text else [])])) if head else form

    def head(self, state: S, party: Party, action: A | None) -> Iterable[str]:
        """The lines that say who sends the form."""
        return ()

    @abstractmethod
    def blank(self, state: S, seat: int) -> Iterable[str]:
        """The lines to fill in."""

    def filled_in(self, state: S, demand: Demand, action: A) -> str:
        """The form with an answer filled in."""
        return self.write(state, demand, action)

    @abstractmethod
    def mended(self, state: S, demand: Demand, draft: Reading[A]) -> Form:
        """A faulty answer as a form to send back."""


class KeyedAnswer(FormedAnswer[S, E, A]):
    """An answer in lines with keys. Of a mail one sheet is read, whatever it means, and the keys in
    it say which kind of answer it is."""

    notation: ClassVar[Wording]  # how lines are read: one for all kinds of answers of a game
    begins: ClassVar[str] = ""  # the line that its form begins with
    closing: ClassVar[tuple[str, ...]] = ("Comment:",)
    # Orders, and the kind of answer each means; the first in a mail decides.
    means: ClassVar[Mapping[str, str]] = {}
    by_heading: ClassVar[frozenset[str]] = frozenset()  # orders of a heading where the mail gives none
    fits: ClassVar[frozenset[str]] = frozenset()  # orders that may stand in its mail; a comment always may
    clause: ClassVar[str] = ""  # the rule that says so

    def meant(self, state: S, seat: int, heading: str, sheet: Sheet[Any]) -> str:
        """The kind of answer that a sheet is, by `means`; the heading's where it holds nothing of that."""
        said = {*sheet.said, NOTHING, *([UNREAD] if sheet.complaints else [])}
        if sheet.said <= {"comment"}:
            said |= self.by_heading & {heading.lower()}
        return next((kind for order, kind in self.means.items() if order in said), heading)

    @abstractmethod
    def understood(self, state: S, demand: Demand, sheet: Sheet[Any]) -> Reading[A]:
        """What the sheet says in answer to a demand of this kind."""

    def aim(self, state: S, seat: int, heading: str, body: Body) -> Demand | None:
        if self.meant(state, seat, heading, body.once(self.notation.sheet)) != self.kind:
            return None
        return Demand(self.kind, seat)

    def read(self, state: S, demand: Demand, body: Body, party: Party) -> Reading[A]:
        return self.understood(state, demand, body.once(self.notation.sheet))

    def blank(self, state: S, seat: int) -> Iterable[str]:
        """The keys of what may be said now, with nothing behind them."""
        return [self.begins] if self.begins else []

    def filled_in(self, state: S, demand: Demand, action: A) -> str:
        text = self.write(state, demand, action)
        talked = any(line.partition(":")[0] + ":" in text for line in self.closing)
        return text if talked else "\n".join([*([text] if text else []), *self.closing])

    def mended(self, state: S, demand: Demand, draft: Reading[A]) -> Form:
        """Every order as it was read; the line that the form begins with where none is left; what
        nobody could read is left out, and said to be."""
        sheet: Sheet[Any] = draft.understood
        lines = list(self.kept(state, demand, sheet)) or list(self.blank(state, demand.seat))
        talk = [
            f"{entry.order.capitalize()}: {entry.value}" for entry in sheet.entries if entry.order in TALK
        ]
        chosen = left_out(complaint.line for complaint in sheet.complaints)
        return Form("\n".join([*lines, *(talk or self.closing)]), chosen)

    def kept(self, state: S, demand: Demand, sheet: Sheet[Any]) -> Iterable[str]:
        """The lines of the form of a mail's orders, in the order of the mail; words to others are not among them."""
        return dict.fromkeys(self.again(entry) for entry in sheet.entries if entry.order not in TALK)

    def again(self, entry: SheetEntry[Any]) -> str:
        """The line of the form that says an entry anew."""
        return f"{entry.order.capitalize()}{': draw' if entry.order in ('offer', 'accept') else ''}"

    def written(self, orders: Iterable[str], comment: str) -> str:
        """Orders in canonical text, a line each ("" is none), then the sender's words to the others."""
        return "\n".join([*filter(None, orders), *comment_lines(comment)])

    def reading(
        self,
        sheet: Sheet[Any],
        action: A | None,
        faults: Iterable[Complaint] = (),
        lines: Mapping[str, Line] | None = None,
    ) -> Reading[A]:
        """An action with every fault of form."""
        complaints = (*sheet.complaints, *faults)
        if action is None and not complaints:
            complaints = (Complaint("nothing_ordered", self.notation.rule),)
        return Reading(action, complaints, sheet.courtesy, sheet.orders, lines or {}, sheet)

    def misplaced(self, sheet: Sheet[Any]) -> Iterator[Complaint]:
        """Orders that can't stand in this kind of answer."""
        for entry in sheet.entries:
            if entry.order not in self.fits and entry.order != "comment":
                facts = {"one": self.kind.lower(), "two": entry.order}
                yield Complaint("not_beside", self.clause, entry.line, facts)


Valued = Callable[[str, str, Line], Iterable[SheetEntry[Any] | Complaint]]


def small(value: str) -> str:
    """What stands behind a key in small letters, without the signs that end a sentence."""
    return value.strip(" .!;").lower()


@dataclass(frozen=True)
class Wording:
    """How the lines of a game are understood. `keys` stand before a colon and `words` alone on a
    line: groups parted by `|`, of whose words, parted by commas, the first is the order that all of
    them mean; `keyless` gives the order and the value of a line that needs no key. `valued` reads
    what stands behind a key, where it is neither words to the others nor a `blank`, which is left
    as a form has it; without it values are their text, for games in which it hangs on how the match
    stands what they say. `rule` is the clause of the notation; `plain` makes a line's signs plain.
    """

    keys: str
    rule: str
    valued: Valued | None = None
    words: str = ""
    keyless: Callable[[str], tuple[str, Any] | None] = lambda text: None
    blank: str = r"[ .!;]*"
    plain: Callable[[str], str] = str

    @cached_property
    def by_key(self) -> Mapping[str, str]:
        """Keys, and the orders they mean."""
        return meanings(self.keys, ",")

    @cached_property
    def alone(self) -> Mapping[str, str]:
        """Words alone on a line, and the orders they mean."""
        return meanings(self.words, ",")

    def understood(self, text: str, line: Line) -> Iterable[SheetEntry[Any] | Complaint]:
        """What a line orders, from its plain text; words to the others as they were written."""
        key, value = keyed(text)
        order = self.by_key.get(key) if value is not None else None
        if order is None or value is None:
            word = self.alone.get(bare(text))
            if said := (word, None) if word else self.keyless(text):
                return (SheetEntry(said[0], said[1], line),)
            return (Complaint("not_understood", self.rule, line),)
        if order in TALK:
            return (SheetEntry(order, keyed(line.text)[1] or value or BLANK, line),)
        if re.fullmatch(self.blank, value):
            return (SheetEntry(order, BLANK, line),)
        return self.valued(order, value, line) if self.valued else (SheetEntry(order, value, line),)

    def begins(self, text: str) -> bool:
        """Whether the line begins with something the game knows."""
        key, value = keyed(text)
        known = (value is not None and key in self.by_key) or bare(text) in self.alone
        return known or self.keyless(text) is not None

    def sheet(self, lines: Iterable[Line]) -> Sheet[Any]:
        """Every line that orders something understood, or complained of."""
        return sheet_of(lines, self.begins, self.understood, self.plain)
