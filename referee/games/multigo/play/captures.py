"""Who gets the prisoners (2.5): captors, linked events, shares and remainders."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from referee.games.multigo import events as ev
from referee.games.multigo.board.points import EMPTY, SEAT, Points
from referee.games.multigo.folding import Told
from referee.games.multigo.rules import Rules
from referee.games.multigo.state import counts, stones_in


def chains_of(points: Points, dead: Iterable[tuple[str, Collection[int]]]) -> tuple[ev.Chain, ...]:
    """Removed chains (a symbol and its points) as facts, all in board order."""
    named = sorted((min(chain), SEAT[symbol], sorted(chain)) for symbol, chain in dead)
    return tuple(
        ev.Chain(colour, tuple(points.names[stone] for stone in chain)) for _, colour, chain in named
    )


@dataclass(frozen=True, slots=True)
class Capture:
    """What died at one instant. `board` has the stones that make captors (the survivors, unless the dead count
    too); `dropped` are the stones placed, by point, `mover` the seat that moved alone, 0 if none did."""

    points: Points
    board: str
    chains: tuple[ev.Chain, ...]
    dropped: tuple[tuple[int, int], ...]  # point, seat
    mover: int

    def captors(self, stones: Iterable[str], colour: int) -> set[int]:
        """Whose stones of another colour stand beside these."""
        found = {self.board[near] for stone in stones for near in self._beside(stone)}
        return {SEAT[symbol] for symbol in found if symbol != EMPTY} - {colour}

    def droppers(self, event: tuple[ev.Chain, ...]) -> set[int]:
        """Who placed a stone that stands beside one of the event's chains."""
        beside = {near for chain in event for stone in chain.points for near in self._beside(stone)}
        return {seat for point, seat in self.dropped if point in beside and self.board[point] != EMPTY}

    def linked(self) -> tuple[tuple[ev.Chain, ...], ...]:
        """The chains in events: two that touch, or that one stone of this round touches, are together."""
        groups: list[tuple[set[int], list[ev.Chain]]] = []
        for chain in self.chains:
            stones = {self.points.at(name) for name in chain.points}
            around = stones.union(*(self.points.neighbours[stone] for stone in stones))
            reach = stones | (around & {point for point, _ in self.dropped})
            joined = [group for group in groups if group[0] & reach or _touch(group[0], stones, self.points)]
            for group in joined:
                groups.remove(group)
            members = [member for group in joined for member in group[1]]
            groups.append((reach.union(*(group[0] for group in joined)), [*members, chain]))
        ordered = [
            tuple(sorted(group[1], key=lambda chain: self.points.at(chain.points[0]))) for group in groups
        ]
        return tuple(sorted(ordered, key=lambda event: self.points.at(event[0].points[0])))

    def _beside(self, name: str) -> tuple[int, ...]:
        return self.points.neighbours[self.points.at(name)]


def _touch(reach: set[int], stones: set[int], points: Points) -> bool:
    return any(near in reach for stone in stones for near in points.neighbours[stone])


def credit(record: Told, capture: Capture) -> None:
    """The prisoners of a capture, by the rules of the match."""
    if not capture.chains:
        return
    law = record.state.law
    if law.prisoners == "crossman":
        record.tell(ev.StonesEliminated(0, counts(stones_in(capture.chains, law.players)), "crossman"))
    elif not law.shares:
        _to_single_captors(record, capture)
    elif law.parallel or not capture.mover:
        whole = law.event_scope == "round"
        for event in (capture.chains,) if whole else capture.linked():
            _divide(record, capture, event)
    else:
        _divide(record, capture, capture.chains)  # sequential: over the whole move (G9)


def _to_single_captors(record: Told, capture: Capture) -> None:
    """Without sharing: a chain (or stone) with one captor is his, any other is nobody's."""
    players = record.state.law.players
    taken: dict[int, list[int]] = {}
    lost: dict[bool, list[int]] = {}
    for chain in capture.chains:
        units = [chain.points] if record.state.law.noncoop_unit == "chain" else [(p,) for p in chain.points]
        for unit in units:
            captors = capture.captors(unit, chain.colour)
            if len(captors) == 1:
                row = taken.setdefault(captors.pop(), [0] * players)
            else:
                row = lost.setdefault(bool(captors), [0] * players)
            row[chain.colour - 1] += len(unit)
    for seat in sorted(taken):
        record.tell(ev.PrisonersTaken(0, seat, counts(tuple(taken[seat]))))
    for several in sorted(lost, reverse=True):
        record.tell(ev.StonesEliminated(0, counts(tuple(lost[several])), "several" if several else "nobody"))


def _divide(record: Told, capture: Capture, event: tuple[ev.Chain, ...]) -> None:
    """One event shared among its captors."""
    law = record.state.law
    stones = stones_in(event, law.players)
    captors = set().union(*(capture.captors(chain.points, chain.colour) for chain in event))
    if not captors:
        record.tell(ev.StonesEliminated(0, counts(stones), "nobody"))
        return
    last = {capture.mover} if capture.mover else capture.droppers(event)
    shares, spare = shares_of(law, sum(stones), captors, last & captors)
    order = choosing_order(law, capture.mover, record.state.mover)
    takers = tuple(ev.Share(seat, shares[seat]) for seat in order if shares.get(seat))
    number = record.state.captures + 1
    if not takers:
        record.tell(ev.StonesEliminated(0, counts(stones), "rest"))
    else:
        record.tell(
            ev.CaptureShared(
                number, record.state.round, counts(stones), tuple(sorted(captors)), takers, spare
            )
        )


def shares_of(rules: Rules, stones: int, captors: set[int], last: set[int]) -> tuple[dict[int, int], int]:
    """Each captor's number of prisoners, and how many are left to nobody.

    All get floor(M/N). The rest goes to those who dropped last: all of it to a single mover, else floor(rest/L)
    to each of them where that is enough (G14).
    """
    share, rest = divmod(stones, len(captors))
    shares = dict.fromkeys(captors, share)
    enough = len(last) if rules.rest_rule == "at_least_one" or not rules.parallel else len(last) + 1
    if last and rest >= enough:
        more = rest // len(last)
        for seat in last:
            shares[seat] += more
        rest -= more * len(last)
    return shares, rest


def choosing_order(rules: Rules, mover: int, latest: int) -> tuple[int, ...]:
    """The seats in the order in which they choose: the mover first, then by most recent turn (G11).

    Where nobody moved alone it is the highest seat first in parallel play, and the latest mover in sequential.
    """
    first = mover or latest
    if rules.choice_order == "seat" or rules.parallel or not first:
        return tuple(range(rules.players, 0, -1))
    return tuple((first - 1 - step) % rules.players + 1 for step in range(rules.players))
