"""The choice of prisoners (2.5), and the standing order that makes it needless."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice, permutations

from referee.core.answers import PARTS, Body, Part, Reading, pointed_at
from referee.core.chance import Chance
from referee.core.complaint import Complaint
from referee.core.orders.sheet import Sheet
from referee.core.owing import Demand
from referee.games.multigo import events as ev
from referee.games.multigo.actions import Count, Prefer, Take
from referee.games.multigo.answers.answer import Entry, GoAnswer, OneLine, colours_named, preferred
from referee.games.multigo.answers.notation import counts_in, preference, slots, stones
from referee.games.multigo.board import COLOURS, NAME
from referee.games.multigo.folding import Told
from referee.games.multigo.play.prisoners import by_order, chooser, own_too_soon, take, take_usual
from referee.games.multigo.state import State, counts, tallied

_MOST_ORDERED = 5  # colours: all their orders are looked at
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

    def ways(self, state: State, demand: Demand, named: Collection[str]) -> Iterator[Part]:
        """Whole shares: those of the colours that are named, in counts that are named if any is; where these don't
        make one up, also those with others."""
        owed = chooser(state)
        if owed is None:
            return
        head, seat, share = owed
        others = [0 if colour == seat else there for colour, there in enumerate(head.pool, 1)]
        own = max(0, share - sum(others))  # only where nothing else is left
        told = [colour in named for colour in COLOURS[: len(others)]]
        numbers = [n for n in range(1, share + 1) if str(n) in named] or range(1, share + 1)
        wanted = [numbers if one else () for one in told]
        any_number = range(share + 1)
        tries: list[Sequence[Iterable[int]]] = [
            wanted,
            [x or any_number for x in wanted],
            [any_number] * len(told),
        ]
        if "each" in named:
            tries.insert(0, [(1,) if there else () for there in others])
        found = (list(islice(_shares(others, counted, share - own), PARTS)) for counted in tries)
        yield from pointed_at((_part(others, seat, way, own) for way in next(filter(None, found), ())), named)

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


def _part(others: Sequence[int], seat: int, way: tuple[int, ...], own: int) -> Part:
    """A share; `each` where it is one of every colour."""
    taken = counts(tallied((*counts(way), Count(seat, own)), len(others)))
    pairs = zip(
        slots("count", *([str(count.stones)] for count in taken)),
        slots("colour", *([COLOURS[count.colour - 1]] for count in taken)),
        strict=True,
    )
    each = (("each", "each"),) if way == tuple(map(bool, others)) else ()
    return Part(f"Take: {stones(taken)}", (*chain.from_iterable(pairs), *each))


def _shares(pool: Sequence[int], counted: Sequence[Iterable[int]], share: int) -> Iterator[tuple[int, ...]]:
    """Every way to make up a share, of each colour a number that it may be of (none of one without), never more than
    there are."""
    able = [[n for n in may if n <= there] or [0] for there, may in zip(pool, counted, strict=True)]
    left = [{0}]  # what the colours from each one on may come to
    for may in reversed(able):
        left.insert(0, {n + rest for n in may for rest in left[0] if n + rest <= share})

    def made(at: int, rest: int) -> Iterator[tuple[int, ...]]:
        if at == len(able):
            yield ()
        for n in able[at] if at < len(able) else ():
            if rest - n in left[at + 1]:
                yield from ((n, *more) for more in made(at + 1, rest - n))

    return made(0, share) if share in left[0] else iter(())


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

    def possible(
        self, state: State, demand: Demand, said: Sequence[str], named: Collection[str]
    ) -> Iterator[Part]:
        """An order of the colours that are named, or of some of them."""
        if Body.of("\n".join(said)).once(self.notation.sheet).of("prefer"):
            return
        seats = range(1, state.law.players + 1)
        told = [seat for seat in seats if COLOURS[seat - 1] in named]
        whole = [len(told)] if 1 < len(told) <= _MOST_ORDERED else []
        sizes = chain(whole, [1], range(2, len(told) + (not whole)))
        orders = chain.from_iterable(permutations(told if size > 1 else seats, size) for size in sizes)
        for order in islice(orders, PARTS):
            named_so = ([COLOURS[seat - 1]] for seat in order)
            yield Part(preference(order), slots("colour", *named_so), "prefer")

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
