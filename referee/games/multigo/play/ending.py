"""After the last pass (2.6): dead stones by agreement, the count, alliances, the winners."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

from referee.core.owing import Lapse
from referee.games.multigo import events as ev
from referee.games.multigo.actions import Ally
from referee.games.multigo.board.chains import chain_at
from referee.games.multigo.board.points import EMPTY
from referee.games.multigo.folding import Told
from referee.games.multigo.play.captures import Capture, chains_of, credit
from referee.games.multigo.play.scoring import bloc_of, counted, winners
from referee.games.multigo.state import State, next_turn


def agree(record: Told) -> None:
    """All lists are in: the chains all of them name are removed, or the seats differ."""
    state = record.state
    lists = {frozenset(named_chains(state, state.seat(seat).listed or ())) for seat in state.active}
    if len(lists) > 1:
        record.tell(ev.DeadDisputed(state.disputes + 1))
        if record.state.phase == "dead":  # play goes on with the seat after the last passer
            following = (state.round + 1, 0) if state.law.parallel else next_turn(state, state.mover)
            record.tell(ev.TurnBegan(*following))
        return
    dead = chains_of(state.points, ((state.board[min(chain)], chain) for chain in lists.pop()))
    record.tell(ev.DeadAgreed(dead))
    credit(record, Capture(state.points, record.state.board, dead, (), 0))


def named_chains(state: State, names: tuple[str, ...]) -> set[frozenset[int]]:
    """The chains that stones name."""
    stones = [state.points.at(name) for name in names]
    return {chain_at(state.board, state.points.neighbours, s) for s in stones if state.board[s] != EMPTY}


def count(record: Told) -> None:
    """The count is published; without alliances it decides."""
    record.tell(counted(record.state))
    if not can_ally(record.state):
        decide(record, ())


def can_ally(state: State) -> bool:
    """Whether alliances are asked for: it takes two who may be partners."""
    return state.law.alliances and len(state.active) >= 2


def declare(record: Told, answers: Mapping[int, Ally | Lapse]) -> None:
    """A sealed round of alliances closes; the last one decides."""
    state = record.state
    if state.scored is None:
        raise ValueError("alliances come after the count")
    declarations = tuple(_declaration(seat, answers.get(seat)) for seat in state.active)
    number = state.allied.round + 1 if state.allied else 1
    alliances = tuple(bloc_of(state, state.scored, seats) for seats in mutual(declarations))
    record.tell(ev.AlliesDeclared(number, declarations, alliances))
    if number >= state.law.ally_rounds:
        decide(record, alliances)


def _declaration(seat: int, answer: Ally | Lapse | None) -> ev.Declaration:
    if isinstance(answer, Ally):
        return ev.Declaration(seat, answer.partners, "mail", answer.comment)
    return ev.Declaration(seat, (), "deadline")


def mutual(declarations: tuple[ev.Declaration, ...]) -> tuple[tuple[int, ...], ...]:
    """The alliances whose members all named exactly the same set."""
    sets = {d.seat: tuple(sorted({d.seat, *d.partners})) for d in declarations if d.partners}
    return tuple(sorted({named for named in sets.values() if all(sets.get(seat) == named for seat in named)}))


def decide(record: Told, alliances: tuple[ev.Bloc, ...]) -> None:
    """The winners: a point, split between tied blocs and then inside each (G20)."""
    state = record.state
    scored: ev.Scored | None = state.scored
    if scored is None:
        raise ValueError("nothing has been counted")
    best = winners(state, scored, alliances)
    points = {
        str(seat): str(Fraction(1, len(best) * len(bloc.seats))) for bloc in best for seat in bloc.seats
    }
    why: Literal["alliance", "score"] = "alliance" if any(len(bloc.seats) > 1 for bloc in best) else "score"
    everyone = {seat: points.get(str(seat), "0") for seat in range(1, state.law.players + 1)}
    record.tell(
        ev.GameWon(tuple(bloc.seats for bloc in best), everyone, why, tuple(bloc.score for bloc in best))
    )
