"""What is chosen beside moves: prisoners, now or by a standing order (2.5), dead stones and alliances (2.6)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations, islice, permutations
from typing import Final

from referee.core.answers import PARTS, AnyAnswer, Body, Part, Reading, pointed_at
from referee.core.chance import Chance
from referee.core.complaint import Complaint, fault
from referee.core.orders.sheet import Sheet
from referee.core.owing import Demand, Lapse
from referee.games.multigo import answers
from referee.games.multigo import events as ev
from referee.games.multigo import notation as say
from referee.games.multigo.board import COLOURS, EMPTY, NAME, chain_at
from referee.games.multigo.phases import declare
from referee.games.multigo.prisoners import by_order, chooser, own_too_soon, take, take_usual
from referee.games.multigo.state import Record, State, counts, tallied

_MOST_ORDERED = 5  # colours: all their orders are looked at


class TakeAnswer(answers.OneLine[say.Take]):
    """A seat's whole share of one shared capture."""

    kind = "Take"
    headings = ("Take",)
    actions = (say.Take,)
    fits = frozenset({"take", "prefer", "comment"})
    begins = "Take:"
    orders = ("take",)
    part = "stones"

    def parse(self, state: State, entry: answers.Entry, wrong: list[Complaint]) -> say.Take | None:
        items = say.counts_in(entry.value)
        if not items:
            wrong.append(Complaint("no_counts", "2.5", entry.line, {"text": entry.value}))
            return None
        colours = answers.colours_named(state, (word for _, word in items), entry.line, wrong)
        named = tuple(say.Count(colour, n) for colour, (n, _) in zip(colours, items, strict=True) if colour)
        return say.Take(counts(tallied(named, state.law.players)))

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
        return fault("nothing_to_take", "2.5", waits=waits)

    def check(self, state: State, demand: Demand, action: say.Take) -> Iterator[Complaint]:
        owed = chooser(state)
        if owed is None:
            return
        head, seat, share = owed
        wanted = tallied(action.stones, state.law.players)
        for colour, (number, there) in enumerate(zip(wanted, head.pool, strict=True), 1):
            if number > there:
                facts = {"colour": COLOURS[colour - 1], "there": there, "given": number}
                yield fault("take_not_there", "2.5", "stones", **facts)
        if sum(wanted) != share:
            yield fault("take_total", "2.5", "stones", share=share, given=sum(wanted))
        elif own_too_soon(head.pool, seat, action.stones, share):
            yield fault("take_own", "2.5", "stones", colour=COLOURS[seat - 1])

    def write(self, state: State, demand: Demand, action: say.Take) -> str:
        return self.written(
            [f"Take: {say.stones(action.stones)}", say.preference(action.prefer)], action.comment
        )

    def act(self, record: Record, seat: int, action: say.Take) -> None:
        if action.prefer:
            record.tell(ev.PreferKept(seat, action.prefer))
        take(record, action.stones, "mail", action.comment)

    def lapse(self, record: Record, demand: Demand) -> None:
        take_usual(record, "deadline")

    def suggest(self, state: State, demand: Demand, chance: Chance) -> say.Take:
        owed = chooser(state)
        if owed is None:
            raise ValueError("nobody has prisoners to choose")
        head, seat, share = owed
        return say.Take(by_order(head.pool, seat, share, _colours(state, chance)))

    def public(self, action: say.Take) -> say.Take:
        return replace(action, prefer=())


def _part(others: Sequence[int], seat: int, way: tuple[int, ...], own: int) -> Part:
    """A share; `each` where it is one of every colour."""
    taken = counts(tallied((*counts(way), say.Count(seat, own)), len(others)))
    pairs = zip(
        say.slots("count", *([str(count.stones)] for count in taken)),
        say.slots("colour", *([COLOURS[count.colour - 1]] for count in taken)),
        strict=True,
    )
    each = (("each", "each"),) if way == tuple(map(bool, others)) else ()
    return Part(f"Take: {say.stones(taken)}", (*chain.from_iterable(pairs), *each))


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


class PreferAnswer(answers.GoAnswer[say.Prefer]):
    """A standing order, sent at any time; private to its seat."""

    kind = "Prefer"
    headings = ("Prefer",)
    actions = (say.Prefer,)
    fits = frozenset({"prefer"})
    begins = "Prefer:"

    def understood(self, state: State, demand: Demand, sheet: Sheet[str]) -> Reading[say.Prefer]:
        wrong: list[Complaint] = []
        colours, lines = answers.preferred(state, sheet, wrong, "colours")
        if not colours and not wrong:
            wrong.append(fault("nothing_said", "2.5", key="Prefer"))
        return self.reading(
            sheet, say.Prefer(colours) if colours else None, (*self.misplaced(sheet), *wrong), lines
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
            yield Part(say.preference(order), say.slots("colour", *named_so), "prefer")

    def not_now(self, state: State, demand: Demand) -> Complaint:
        return Complaint("no_choices", "2.5")

    def write(self, state: State, demand: Demand, action: say.Prefer) -> str:
        return say.preference(action.colours)

    def act(self, record: Record, seat: int, action: say.Prefer) -> None:
        record.tell(ev.PreferKept(seat, action.colours))

    def suggest(self, state: State, demand: Demand, chance: Chance) -> say.Prefer:
        return say.Prefer(_colours(state, chance))

    def public(self, action: say.Prefer) -> None:
        return None


def _colours(state: State, chance: Chance) -> tuple[int, ...]:
    return chance.shuffle(tuple(range(1, state.law.players + 1)), "colours")


class DeadAnswer(answers.OneLine[say.Dead]):
    """One stone of every chain that the seat holds dead; open, and replaceable until all agree."""

    kind = "Dead"
    headings = ("Dead",)
    actions = (say.Dead,)
    fits = frozenset({"dead", "comment"})
    begins = "Dead:"
    orders = ("dead",)
    part = "points"

    def parse(self, state: State, entry: answers.Entry, wrong: list[Complaint]) -> say.Dead | None:
        points = (
            ()
            if say.says(entry.value, "none", "nothing", "no")
            else answers.points_named(state, entry, wrong)
        )
        return None if points is None else say.Dead(tuple(dict.fromkeys(points)))

    def ways(self, state: State, demand: Demand, named: Collection[str]) -> Iterator[Part]:
        """None, or a chain by the first of its stones that is named, then also by its colour, which alone may be a mere
        address; several chains by a stone each."""
        yield Part("Dead: none", (("what", "none"), ("what", "alive")))
        names, seen = state.points.names, set[int]()
        chains: list[Part] = []
        told: list[tuple[list[str], str]] = []
        for point, symbol in enumerate(state.board):
            if symbol == EMPTY or point in seen:
                continue
            chain = sorted(chain_at(state.board, state.points.neighbours, point))
            seen.update(chain)
            stones = [names[stone] for stone in chain]
            meant = [stone for stone in stones if stone.lower() in named]
            colour = COLOURS[state.colour_at(point) - 1]
            told += [(meant, colour)] if meant else []
            spoken = (("colour", colour),) if meant else ()
            chains.append(Part(f"Dead: {(meant or stones)[0]}", (*spoken, *say.slots("chain", stones))))
        yield from pointed_at(chains, named)
        for size in range(2, len(told) + 1):
            for several in combinations(told, size):
                colours = say.slots("colour", *([colour] for _, colour in several))
                line = f"Dead: {', '.join(stones[0] for stones, _ in several)}"
                yield Part(line, (*colours, *say.slots("chain", *(stones for stones, _ in several))))

    def check(self, state: State, demand: Demand, action: say.Dead) -> Iterator[Complaint]:
        for number, name in enumerate(action.points):
            if not state.colour_at(state.points.index[name]):
                yield fault("no_stone", "2.6", f"points.{number}", point=name)

    def write(self, state: State, demand: Demand, action: say.Dead) -> str:
        return self.written([f"Dead: {', '.join(action.points) or 'none'}"], action.comment)

    def act(self, record: Record, seat: int, action: say.Dead) -> None:
        record.tell(ev.DeadListed(seat, action.points, "mail", action.comment))

    def lapse(self, record: Record, demand: Demand) -> None:
        """A missing list names none."""
        record.tell(ev.DeadListed(demand.seat, (), "deadline"))

    def suggest(self, state: State, demand: Demand, chance: Chance) -> say.Dead:
        """Mostly none, so that the players agree more often than not."""
        stones = [point for point, symbol in enumerate(state.board) if symbol != EMPTY]
        if not stones or chance.below(6, "dead stones or none"):
            return say.Dead()
        return say.Dead((state.points.names[stones[chance.below(len(stones), "dead stone")]],))


class AllyAnswer(answers.OneLine[say.Ally]):
    """All partners of the alliance that the seat would make; sealed."""

    kind = "Ally"
    headings = ("Ally",)
    actions = (say.Ally,)
    fits = frozenset({"ally", "comment"})
    begins = "Ally:"
    orders = ("ally",)
    part = "partners"

    def parse(self, state: State, entry: answers.Entry, wrong: list[Complaint]) -> say.Ally | None:
        alone = say.says(entry.value, "none", "nobody", "no one", "no")
        seats = () if alone else answers.colours_named(state, say.words_in(entry.value), entry.line, wrong)
        return None if 0 in seats else say.Ally(tuple(sorted(set(seats))))

    def ways(self, state: State, demand: Demand, named: Collection[str]) -> Iterator[Part]:
        """Nobody, or a partner; several that are named together."""
        yield Part("Ally: none", (("partner", "none"),))
        others = [seat for seat in state.active if seat != demand.seat]
        for size in range(1, min(state.law.max_alliance, len(others) + 1)):
            told = [
                seat for seat in others if size == 1 or any(name in named for name in say.seat_names(seat))
            ]
            for seats in combinations(told, size):
                yield Part(
                    f"Ally: {', '.join(NAME[seat] for seat in seats)}",
                    say.slots("partner", *map(say.seat_names, seats)),
                )

    def check(self, state: State, demand: Demand, action: say.Ally) -> Iterator[Complaint]:
        partners = set(action.partners) - {demand.seat}
        if action.partners and not partners:
            yield fault("ally_self", "2.6", "partners")
        for seat in sorted(partners - set(state.active)):
            yield fault("ally_resigned", "G24", "partners", colour=NAME[seat])
        if len(partners) + 1 > state.law.max_alliance:
            facts = {"given": len(partners) + 1, "most": state.law.max_alliance}
            yield fault("ally_too_many", "2.6", "partners", **facts)

    def write(self, state: State, demand: Demand, action: say.Ally) -> str:
        partners = ", ".join(NAME[seat] for seat in action.partners)
        return self.written([f"Ally: {partners or 'none'}"], action.comment)

    def follow(self, record: Record, answers: Mapping[Demand, say.Ally | Lapse]) -> None:
        declare(record, {demand.seat: answer for demand, answer in answers.items()})

    def suggest(self, state: State, demand: Demand, chance: Chance) -> say.Ally:
        """Nobody, or the neighbour at the table: two such neighbours often name each other."""
        seat = demand.seat
        partner = seat + 1 if seat % 2 else seat - 1
        if partner not in state.active or chance.below(3, "alliance") == 0:
            return say.Ally()
        return say.Ally((partner,))


ANSWERS: Final[tuple[AnyAnswer, ...]] = (
    *(answers.MoveAnswer(), TakeAnswer(), PreferAnswer(), DeadAnswer(), AllyAnswer()),
    *(answers.ResignAnswer(), answers.CommentAnswer(), answers.PressAnswer()),
)
