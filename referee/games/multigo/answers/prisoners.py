"""The choice of prisoners (2.5), and the standing order that makes it needless."""

from __future__ import annotations

import re
from collections.abc import Iterator

from referee.core.answers import Reading
from referee.core.chance import Chance
from referee.core.complaint import Complaint
from referee.core.orders.sheet import Sheet
from referee.core.owing import Demand
from referee.core.replacing import replace
from referee.games.multigo import events as ev
from referee.games.multigo.actions import Count, Prefer, Take
from referee.games.multigo.answers.answer import Entry, GoAnswer, OneLine, colours_named, preferred
from referee.games.multigo.answers.notation import colour_of, counts_in, preference, stones
from referee.games.multigo.board import COLOURS, NAME
from referee.games.multigo.folding import Told
from referee.games.multigo.play.prisoners import by_order, chooser, own_too_soon, take, take_usual
from referee.games.multigo.state import State, counts, tallied

_NUMBERS = ("one", "two", "three", "four", "a", "both")
_COUNTED = re.compile(rf"\b(?:{'|'.join(_NUMBERS)})\b")


class TakeAnswer(OneLine[Take]):
    """A seat's whole share of one shared capture."""

    kind = "Take"
    headings = ("Take",)
    actions = (Take,)
    fits = frozenset({"take", "prefer", "comment"})
    begins = "Take:"
    orders = ("take",)
    part = "stones"

    def said(self, state: State, entry: Entry, wrong: list[Complaint]) -> Take | None:
        items = counts_in(entry.value)
        if not items:
            wrong.append(Complaint("no_counts", "2.5", entry.line, {"text": entry.value}))
            return None
        colours = colours_named(state, (word for _, word in items), entry.line, wrong)
        named = tuple(Count(colour, n) for colour, (n, _) in zip(colours, items, strict=True) if colour)
        return Take(counts(tallied(named, state.law.players)))

    def bare(self, state: State, demand: Demand, text: str) -> tuple[str, ...]:
        """Counts; the colour alone where the whole share is of it; one of each where that is the share."""
        text = re.sub(r"^the | (?:ones|stones|prisoners|of them)$", "", text)
        text = _COUNTED.sub(lambda word: str(_NUMBERS.index(word[0]) % 4 + 1), text)
        owed = chooser(state)
        if owed and text.rstrip("s") in COLOURS:
            text = f"{owed[2]} {text}"
        elif owed and len(words := text.split()) == owed[2] and all(word in COLOURS for word in words):
            text = ", ".join(f"{words.count(colour)} {colour}" for colour in COLOURS if colour in words)
        elif owed and text in ("1 of each", "1 each") and sum(map(bool, owed[0].pool)) == owed[2]:
            text = ", ".join(
                f"1 {colour}" for colour, there in zip(COLOURS, owed[0].pool, strict=False) if there
            )
        colours = [colour_of(word, state.law.players) for _, word in counts_in(text)]
        return (f"Take: {text}",) if colours and all(colours) else super().bare(state, demand, text)

    def not_now(self, state: State, demand: Demand) -> Complaint:
        owed = chooser(state)
        waits = NAME[owed[1]] if owed and owed[1] != demand.seat else ""
        return Complaint("nothing_to_take", "2.5", facts={"waits": waits})

    def check(self, state: State, demand: Demand, action: Take) -> Iterator[Complaint]:
        owed = chooser(state)
        if owed is None:
            return
        head, seat, share = owed
        wanted = tallied(action.stones, state.law.players)
        for colour, (number, there) in enumerate(zip(wanted, head.pool, strict=True), 1):
            if number > there:
                facts = {"colour": COLOURS[colour - 1], "there": there, "given": number}
                yield Complaint("take_not_there", "2.5", facts=facts, part="stones")
        if sum(wanted) != share:
            facts = {"share": share, "given": sum(wanted)}
            yield Complaint("take_total", "2.5", facts=facts, part="stones")
        elif own_too_soon(head.pool, seat, action.stones, share):
            yield Complaint("take_own", "2.5", facts={"colour": COLOURS[seat - 1]}, part="stones")

    def write(self, state: State, demand: Demand, action: Take) -> str:
        return self.written([f"Take: {stones(action.stones)}", preference(action.prefer)], action.comment)

    def act(self, record: Told, seat: int, action: Take) -> None:
        if action.prefer:
            record.tell(ev.PreferKept(seat, action.prefer))
        take(record, action.stones, "mail", action.comment)

    def lapse(self, record: Told, demand: Demand) -> None:
        take_usual(record, "deadline")

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Take:
        owed = chooser(state)
        if owed is None:
            raise ValueError("nobody has prisoners to choose")
        head, seat, share = owed
        return Take(by_order(head.pool, seat, share, _colours(state, chance)))

    def public(self, action: Take) -> Take:
        return replace(action, prefer=())


class PreferAnswer(GoAnswer[Prefer]):
    """A standing order, sent at any time; private to its seat."""

    kind = "Prefer"
    headings = ("Prefer",)
    actions = (Prefer,)
    fits = frozenset({"prefer"})
    begins = "Prefer:"

    def understood(self, state: State, demand: Demand, sheet: Sheet[str]) -> Reading[Prefer]:
        wrong: list[Complaint] = []
        colours, lines = preferred(state, sheet, wrong, "colours")
        if not colours and not wrong:
            wrong.append(Complaint("nothing_said", "2.5", facts={"key": "Prefer"}))
        return self.reading(
            sheet, Prefer(colours) if colours else None, (*self.misplaced(sheet), *wrong), lines
        )

    def not_now(self, state: State, demand: Demand) -> Complaint:
        return Complaint("no_choices", "2.5")

    def write(self, state: State, demand: Demand, action: Prefer) -> str:
        return preference(action.colours)

    def act(self, record: Told, seat: int, action: Prefer) -> None:
        record.tell(ev.PreferKept(seat, action.colours))

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Prefer:
        return Prefer(_colours(state, chance))

    def public(self, action: Prefer) -> None:
        return None


def _colours(state: State, chance: Chance) -> tuple[int, ...]:
    return chance.shuffle(tuple(range(1, state.law.players + 1)), "colours")
