"""After the last pass (2.6): lists of dead stones, and alliances."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from itertools import combinations

from referee.core.answers import Part, pointed_at
from referee.core.chance import Chance
from referee.core.complaint import Complaint
from referee.core.owing import Demand, Lapse
from referee.games.multigo import events as ev
from referee.games.multigo.actions import Ally, Dead
from referee.games.multigo.answers.answer import Entry, OneLine, colours_named, points_named
from referee.games.multigo.answers.notation import says, seat_names, slots, words_in
from referee.games.multigo.board import COLOURS, EMPTY, NAME, chain_at
from referee.games.multigo.folding import Told
from referee.games.multigo.play.counting import declare
from referee.games.multigo.state import State

_ALIVE = re.compile(
    r"(?:none|nothing|no stones?|no chains?)(?: (?:is|are))?(?: dead)?|no dead(?: stones?)?"
    r"|(?:all|everything|every (?:stone|chain)|all (?:the )?(?:stones|chains))(?: (?:is|are|still|of them))*"
    r" (?:alive|lives?|living)"
)
_ALONE = re.compile(
    r"none|nobody|no one|(?:no|without (?:an? )?) ?(?:ally|allies|alliance)|(?:i )?(?:stay |play |go |remain |am )*"
    r"(?:alone|solo|on my own|for myself|with (?:nobody|no one))"
)
_WITH = re.compile(
    r"^(?:i |we )?(?:ally |allied |allying |am |are |i'm |we're |go |team up |(?:an )?alliance |together )+with "
)


class DeadAnswer(OneLine[Dead]):
    """One stone of every chain that the seat holds dead; open, and replaceable until all agree."""

    kind = "Dead"
    headings = ("Dead",)
    actions = (Dead,)
    fits = frozenset({"dead", "comment"})
    begins = "Dead:"
    orders = ("dead",)
    part = "points"

    def said(self, state: State, entry: Entry, wrong: list[Complaint]) -> Dead | None:
        points = () if says(entry.value, "none", "nothing", "no") else points_named(state, entry, wrong)
        return None if points is None else Dead(tuple(dict.fromkeys(points)))

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
            chains.append(Part(f"Dead: {(meant or stones)[0]}", (*spoken, *slots("chain", stones))))
        yield from pointed_at(chains, named)
        for size in range(2, len(told) + 1):
            for several in combinations(told, size):
                colours = slots("colour", *([colour] for _, colour in several))
                line = f"Dead: {', '.join(stones[0] for stones, _ in several)}"
                yield Part(line, (*colours, *slots("chain", *(stones for stones, _ in several))))

    def check(self, state: State, demand: Demand, action: Dead) -> Iterator[Complaint]:
        for number, name in enumerate(action.points):
            if not state.colour_at(state.points.index[name]):
                yield Complaint("no_stone", "2.6", facts={"point": name}, part=f"points.{number}")

    def write(self, state: State, demand: Demand, action: Dead) -> str:
        return self.written([f"Dead: {', '.join(action.points) or 'none'}"], action.comment)

    def act(self, record: Told, seat: int, action: Dead) -> None:
        record.tell(ev.DeadListed(seat, action.points, "mail", action.comment))

    def lapse(self, record: Told, demand: Demand) -> None:
        """A missing list names none."""
        record.tell(ev.DeadListed(demand.seat, (), "deadline"))

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Dead:
        """Mostly none, so that the players agree more often than not."""
        stones = [point for point, symbol in enumerate(state.board) if symbol != EMPTY]
        if not stones or chance.below(6, "dead stones or none"):
            return Dead()
        return Dead((state.points.names[stones[chance.below(len(stones), "dead stone")]],))


class AllyAnswer(OneLine[Ally]):
    """All partners of the alliance that the seat would make; sealed."""

    kind = "Ally"
    headings = ("Ally",)
    actions = (Ally,)
    fits = frozenset({"ally", "comment"})
    begins = "Ally:"
    orders = ("ally",)
    part = "partners"

    def said(self, state: State, entry: Entry, wrong: list[Complaint]) -> Ally | None:
        alone = says(entry.value, "none", "nobody", "no one", "no")
        seats = () if alone else colours_named(state, words_in(entry.value), entry.line, wrong)
        return None if 0 in seats else Ally(tuple(sorted(set(seats))))

    def ways(self, state: State, demand: Demand, named: Collection[str]) -> Iterator[Part]:
        """Nobody, or a partner; several that are named together."""
        yield Part("Ally: none", (("partner", "none"),))
        others = [seat for seat in state.active if seat != demand.seat]
        for size in range(1, min(state.law.max_alliance, len(others) + 1)):
            told = [seat for seat in others if size == 1 or any(name in named for name in seat_names(seat))]
            for seats in combinations(told, size):
                yield Part(
                    f"Ally: {', '.join(NAME[seat] for seat in seats)}",
                    slots("partner", *map(seat_names, seats)),
                )

    def check(self, state: State, demand: Demand, action: Ally) -> Iterator[Complaint]:
        partners = set(action.partners) - {demand.seat}
        if action.partners and not partners:
            yield Complaint("ally_self", "2.6", part="partners")
        for seat in sorted(partners - set(state.active)):
            yield Complaint("ally_resigned", "G24", facts={"colour": NAME[seat]}, part="partners")
        if len(partners) + 1 > state.law.max_alliance:
            facts = {"given": len(partners) + 1, "most": state.law.max_alliance}
            yield Complaint("ally_too_many", "2.6", facts=facts, part="partners")

    def write(self, state: State, demand: Demand, action: Ally) -> str:
        partners = ", ".join(NAME[seat] for seat in action.partners)
        return self.written([f"Ally: {partners or 'none'}"], action.comment)

    def follow(self, record: Told, answers: Mapping[Demand, Ally | Lapse]) -> None:
        declare(record, {demand.seat: answer for demand, answer in answers.items()})

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Ally:
        """Nobody, or the neighbour at the table: two such neighbours often name each other."""
        seat = demand.seat
        partner = seat + 1 if seat % 2 else seat - 1
        if partner not in state.active or chance.below(3, "alliance") == 0:
            return Ally()
        return Ally((partner,))
