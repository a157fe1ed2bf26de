"""Moves (2.2-2.4)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import islice, permutations

from referee.core.answers import FEW, PARTS, Part
from referee.core.chance import Chance
from referee.core.complaint import Complaint
from referee.core.owing import Demand, Lapse, demands
from referee.games.multigo import events as ev
from referee.games.multigo.actions import Move
from referee.games.multigo.answers.answer import Entry, OneLine, point_fault, points_named
from referee.games.multigo.answers.notation import preference, says, slots
from referee.games.multigo.board import COLOURS, EMPTY, NAME, SYMBOL, drop
from referee.games.multigo.folding import Told
from referee.games.multigo.play.phases import due
from referee.games.multigo.play.turns import missed, placings, played, reveal
from referee.games.multigo.state import State

_TRIES = 12  # stones that a seeded player looks at


class MoveAnswer(OneLine[Move]):
    """A point, a pass; two points in a double opening move, further ones as fallbacks."""

    kind = "Move"
    headings = ("Move", "Seal")
    actions = (Move,)
    foreseeable = True
    fits = frozenset({"move", "pass", "prefer", "comment"})
    begins = "Move:"
    orders = ("move", "pass")
    part = "points"

    def said(self, state: State, entry: Entry, wrong: list[Complaint]) -> Move | None:
        passes = entry.order == "pass" or says(entry.value, "pass", "passes")
        points = () if passes else points_named(state, entry, wrong)
        return None if points is None else Move(points)

    def ways(self, state: State, demand: Demand, named: Collection[str]) -> Iterator[Part]:
        """A pass; a point, or several where the move may name them. Out of turn any point: its board is not there."""
        yield Part("Pass", (), "pass")
        owed, names = demand in demands(due(state), demand.seat), state.points.names
        free = [name for name, at in zip(names, state.board, strict=True) if at == EMPTY or not owed]
        told = [name for name in free if name.lower() in named]
        for size in range(1, state.law.allowed(demand.seat, state.round) + 1):
            some = free if size == 1 and len(free) <= FEW else told
            for points in islice(permutations(some, size), PARTS):
                if not owed or not any(_stone_faults(state, demand.seat, points)):
                    yield Part(f"Move: {' '.join(points)}", slots("to", *([point] for point in points)))

    def not_now(self, state: State, demand: Demand) -> Complaint:
        """Out of turn the move itself is not judged: the board it is meant for is not there yet, or is gone."""
        waits = next(
            (owed.seat for round_ in due(state) for owed in round_.demands if owed.kind == "Move"), 0
        )
        if not waits:
            return super().not_now(state, demand)
        return Complaint("not_your_turn", "2.3", facts={"colour": NAME[waits], "seat": waits})

    def check(self, state: State, demand: Demand, action: Move) -> Iterator[Complaint]:
        if len(action.points) > (allowed := state.law.allowed(demand.seat, state.round)):
            facts = {"allowed": allowed, "given": len(action.points)}
            yield Complaint("too_many_points", "2.7", facts=facts, part=f"points.{allowed}")
        else:
            yield from _stone_faults(state, demand.seat, action.points)

    def write(self, state: State, demand: Demand, action: Move) -> str:
        first = f"Move: {' '.join(action.points)}" if action.points else "Pass"
        return self.written([first, preference(action.prefer)], action.comment)

    def follow(self, record: Told, answers: Mapping[Demand, Move | Lapse]) -> None:
        if record.state.law.parallel:
            reveal(record, {demand.seat: move for demand, move in answers.items() if isinstance(move, Move)})
        else:
            super().follow(record, answers)

    def filled_in(self, state: State, demand: Demand, action: Move) -> str:
        """A pass stands where a point would."""
        text = super().filled_in(state, demand, action)
        return text if action.points else text.replace("Pass", "Move: pass", 1)

    def act(self, record: Told, seat: int, action: Move) -> None:
        if action.prefer:
            record.tell(ev.PreferKept(seat, action.prefer))
        played(record, seat, action, "mail")

    def lapse(self, record: Told, demand: Demand) -> None:
        missed(record, demand.seat)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Move:
        """The most biting of a few stones that fill no eye of their own; a pass where none is found, or once the board
        should be full."""
        area, seat = len(state.board), demand.seat
        owed = demand in demands(due(state), seat)
        if not owed or state.round > max(6, area // (2 * state.law.players)):
            return Move()
        free = [point for point, symbol in enumerate(state.board) if symbol == EMPTY]
        drawn = [free[chance.below(len(free), "move")] for _ in range(min(_TRIES, len(free)))]
        for point in sorted(dict.fromkeys(drawn), key=lambda point: -_bite(state, seat, point)):
            around = {state.board[near] for near in state.points.neighbours[point]}
            move = Move((state.points.names[point],))
            if around != {SYMBOL[seat]} and not any(self.check(state, demand, move)):
                return move
        return Move()

    def foreseen(self, state: State, action: Move) -> Move | None:
        if any(point_fault(state, name) for name in action.points):
            return None
        return replace(action, prefer=(), comment="")

    def public(self, action: Move) -> Move:
        return replace(action, prefer=())


def _stone_faults(state: State, seat: int, points: tuple[str, ...]) -> Iterator[Complaint]:
    """What forbids stones on points of this board, one after another."""
    twice = [number for number, name in enumerate(points) if name in points[:number]]
    for number in twice:
        yield Complaint("same_point_twice", "2.7", facts={"point": points[number]}, part=f"points.{number}")
    if state.law.parallel:
        for number, name in enumerate(points):
            if colour := state.colour_at(state.points.index[name]):
                yield _occupied("2.4", name, colour, f"points.{number}")
    elif not twice:
        for number, tried in enumerate(placings(state, seat, points)):
            if tried.fault == "occupied":
                colour = state.colour_at(state.points.index[tried.point])
                yield _occupied("2.3", tried.point, colour, f"points.{number}")
            elif tried.fault:
                yield Complaint(tried.fault, "2.3", facts={"point": tried.point}, part=f"points.{number}")


def _occupied(rule: str, point: str, colour: int, part: str) -> Complaint:
    return Complaint("occupied", rule, facts={"point": point, "colour": COLOURS[colour - 1]}, part=part)


def _bite(state: State, seat: int, point: int) -> int:
    """Stones a placement would take from others, and the contact it makes."""
    cells, own = list(state.board), SYMBOL[seat]
    dead = drop(cells, state.points.neighbours, point, own)
    taken = sum(len(chain) for symbol, chain in dead if symbol != own)
    beside = (state.board[near] for near in state.points.neighbours[point])
    return 4 * taken + sum(symbol not in (EMPTY, own) for symbol in beside)
