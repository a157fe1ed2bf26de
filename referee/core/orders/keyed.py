"""The sheet of keyed lines: a mail's orders line by line, in the words of a game (contract, 'Mail in'); answers written
so: what the lines order, which kind of answer they mean, the forms made of them."""

import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Final, Generic, TypeVar

from referee.core.answers import A, Answer, Body, Form, Party, Reading, Said
from referee.core.value import Complaint, Demand, E, Line, S, Value

_BULLET = re.compile(r"^\s*(?:[-*•‣◦·]\s+|>\s*|\d+[.)]\s+(?=\D))*")
_KEY = re.compile(r"([A-Za-z][\w .$'()/-]{0,40}?)\s*[:：]\s*(.*)", re.DOTALL)


@lru_cache(2048)
def plain(text: str) -> str:
    """The line without bullets and outer space, runs of space and tabs folded to one space."""
    return " ".join(_BULLET.sub("", text).split())


def bare(text: str) -> str:
    """The line's words alone, in lower case, without the punctuation around them: ' - Pass. ' is 'pass'."""
    return plain(text).strip(" .!,;:*_\"'").lower()


def keyed(text: str) -> tuple[str, str | None]:
    """The key before the first colon, in lower case, and what follows it; (text, None) where there is no key."""
    if match := _KEY.fullmatch(plain(text)):
        return " ".join(match[1].lower().strip(" ._").split()), match[2].strip()
    return plain(text).lower(), None


def states(text: str) -> bool:
    """Whether a line is a key with one word behind it that holds a digit: nobody says anything by it but that."""
    return re.fullmatch(r"\S*\d\S*", keyed(text)[1] or "") is not None


_BETWEEN = re.compile(r"(?:[;,]|[.!](?=\s)|\s(?=(?:and|then)\s))\s*(?:(?:and|then)\s+)*", re.I)


def parted(text: str, begins: Callable[[str], bool]) -> Iterator[str]:
    """What a line says, where several things stand behind one another: each from where a part `begins` one."""
    begun, said, led = 0, 0, False  # `led`: there is more than a number before it
    for between in [*_BETWEEN.finditer(text), None]:
        if led and begins(text[said : between.start() if between else len(text)]):
            yield text[begun:said].rstrip(" ,;.!")
            begun, led = said, False
        before, said = said, between.end() if between else said
        led = led or any(map(str.isalpha, text[before:said]))
    yield text[begun:]


V = TypeVar("V")  # what an entry says, as the game understood it
TALK: Final = frozenset(("comment", "comments", "press"))  # keys and orders of what are words to the others
_LOT: Final = re.compile(r"\s*\d+ +[^\W\d]{2,}")  # so many of something
_SQUARE: Final = re.compile(r"(?<![^\W_])[a-z]{1,2}\d{1,3}(?![^\W_])")
BLANK: Final[Any] = object()  # the value behind a key of a form that was left as it was


class SheetEntry(Value, Generic[V]):
    """One thing that a line orders: what it is ("move"), what it says, and the line as its sender
    wrote it. A line of several moves gives several entries."""

    order: str
    value: V
    line: Line


class Sheet(Value, Generic[V]):
    """A mail as understood: entries in their order, faults of form, the lines taken as courtesy and as orders. `blank`
    are keys of a form that were left as they were: they order nothing, but show what their sender had in hand."""

    entries: tuple[SheetEntry[V], ...]
    complaints: tuple[Complaint, ...]
    courtesy: tuple[Line, ...] = ()
    orders: tuple[Line, ...] = ()
    blank: tuple[SheetEntry[V], ...] = ()

    def of(self, *orders: str) -> tuple[SheetEntry[V], ...]:
        return tuple(entry for entry in self.entries if entry.order in orders)

    @property
    def said(self) -> frozenset[str]:
        """What is ordered, each order once."""
        return frozenset(entry.order for entry in self.entries)

    @property
    def comment(self) -> str:
        """The sender's words to the others."""
        return "\n".join(str(entry.value) for entry in self.of("comment") if entry.value)

    def line(self, *orders: str, part: str) -> dict[str, Line]:
        """The first line of any of these orders as that of a part of the action, for `Reading.lines`."""
        found = self.of(*orders)
        return {part: found[0].line} if found else {}


def sheet_of(
    lines: Iterable[Line],
    begins: Callable[[str], bool],
    understood: Callable[[str, Line], Iterable[SheetEntry[V] | Complaint]],
    plain: Callable[[str], str] = str,
) -> Sheet[V]:
    """Every line from the first to the last that `begins` understood, or complained of, those
    outside taken as courtesy, blank ones dropped; total, whatever the lines.

    `begins` tells a line that begins with something the game knows; `plain` makes its signs plain (full width, dashes,
    emphasis) before it is looked at; `understood` gives what a line says, from its plain text and as it was written."""
    own = {line.number: line for line in lines}
    body = [Line(n, text) for n, line in own.items() if (text := plain(line.text)).strip()]
    known = [index for index, line in enumerate(body) if begins(line.text)]
    first, last = (known[0], known[-1] + 1) if known else (0, 0)
    told = [one for order in body[first:last] for one in understood(order.text, own[order.number])]
    entries = [one for one in told if isinstance(one, SheetEntry)]
    return Sheet(
        tuple(entry for entry in entries if entry.value is not BLANK),
        tuple(one for one in told if isinstance(one, Complaint)),
        tuple(own[line.number] for line in (*body[:first], *body[last:])),
        tuple(own[line.number] for line in body[first:last]),
        tuple(entry for entry in entries if entry.value is BLANK),
    )


def meanings(text: str, between: str = " ") -> dict[str, str]:
    """Words and what they mean: groups parted by `|`, of whose words the first is what all of them mean."""
    groups = ([word.strip() for word in group.split(between) if word.strip()] for group in text.split("|"))
    return {word: group[0] for group in groups for word in group}


def comment_lines(comment: str, key: str = "Comment") -> list[str]:
    """A comment as lines of a form or of canonical text, none for an empty one."""
    return [f"{key}: {line}" for line in comment.splitlines()]


def left_out(lines: Iterable[Line | None], why: str = " what I could not read:") -> tuple[str, ...]:
    """What mending says of lines that it left out (`Form.chosen`): nobody could read them, unless it says otherwise."""
    texts = dict.fromkeys(line.text.strip() for line in lines if line is not None)
    return tuple(f'I left out{why} "{text}".' for text in texts)


def unsaid(form: str, lines: Iterable[Line]) -> Iterator[Line]:
    """The lines of a mail behind a key, with a square in them, or of so many of something, of which
    a form says nothing: no row of it is such a line, has its value, stands behind its key in its
    place; nor does it hold all its squares. Words to the others are none."""
    rows, squares = [_faces(row) for row in form.splitlines()], {*_SQUARE.findall(form.lower())}
    keys = {key for _, _, key in rows}
    left = {_faces(line.text): line for line in lines}
    for face in range(3):
        for said in [*left]:
            row = next((row for row in rows if said[face] == row[face] != ""), None)
            if row is not None:
                rows.remove(row)
                del left[said]
    for (_, value, key), line in left.items():
        named = {*_SQUARE.findall(line.text.lower())}
        elsewhere = bool(named) and named <= squares and key in {"", *keys}
        lot = _LOT.match(line.text)
        some = re.sub(r"^(\d+)x", r"\1", _signs(lot[0])).rstrip("s") if lot is not None else ""
        counted = bool(some) and not any(row.startswith(some) for row, _, _ in rows)
        turned = f"{value}{_signs(key)}".rstrip("s")  # "Pawn: 10" is "10 Pawn"
        elsewhere = elsewhere or (value.isdigit() and any(row.startswith(turned) for row, _, _ in rows))
        if (value or named or counted) and key not in TALK and not elsewhere:
            yield line


def _faces(text: str) -> tuple[str, str, str]:
    """A line, what stands behind its key, in letters and digits alone, and the key; "" for what it lacks."""
    key, value = keyed(text)
    said = _signs(value or "")
    return _signs(text), said, key if said else ""


def _signs(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


# --- answers in such lines -------------------------------------------------------------------------------------------


# In the place of an order (`KeyedAnswer.means`): a line that nobody could read; whatever a mail holds.
UNREAD: Final = "?"
NOTHING: Final = ""


class KeyedAnswer(Answer[S, E, A]):
    """An answer in lines with keys. Of a mail one sheet is read, whatever it means, and the keys in
    it say which kind of answer it is."""

    notation: "ClassVar[Wording]"  # how lines are read: one for all kinds of answers of a game
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
        talk = [f"{one.order.capitalize()}: {one.value}" for one in sheet.entries if one.order in TALK]
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


def with_draws(valued: Valued, rule: str) -> Valued:
    """What stands behind keys, in small letters, read by `valued`; and what stands behind "offer"
    and "accept": nothing but a draw is offered, by that clause."""

    def read(order: str, value: str, line: Line) -> Iterable[SheetEntry[Any] | Complaint]:
        low = small(value)
        if order not in ("offer", "accept"):
            return valued(order, low, line)
        if low in ("draw", "a draw", "the draw", "your draw", "yes"):
            return (SheetEntry(order, None, line),)
        return (Complaint("only_draw", rule, line, {"given": low, "key": order}),)

    return read


class Wording(Value):
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

    def of(self, said: Said) -> Sheet[Any]:
        """What lines of a form order."""
        return self.sheet(Body.of("\n".join(said)).lines)
