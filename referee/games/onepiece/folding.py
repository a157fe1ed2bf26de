"""The fold: what each event does to the state. Total, and for ever."""

from __future__ import annotations

from dataclasses import replace
from functools import singledispatch
from typing import Any

from referee.games.onepiece import events as ev
from referee.games.onepiece.board.grid import ply_of
from referee.games.onepiece.state import Demonstration, Ended, State, Win, moved


@singledispatch
def _evolved(event: Any, state: State) -> State:
    """Events that only tell change nothing."""
    return state


def evolved(state: State, event: Any) -> State:
    return _evolved(event, state)


# --- opening -----------------------------------------------------------------------------------------------------


@_evolved.register
def _(event: ev.RulesSet, state: State) -> State:
    nothing = (0,) * event.law.seats
    return replace(state, law=event.law, points=nothing, timeouts=nothing)


@_evolved.register
def _(event: ev.RulesAmended, state: State) -> State:
    return replace(state, law=event.law)


@_evolved.register
def _(event: ev.StarterDrawn, state: State) -> State:
    return replace(state, first_starter=event.seat)


@_evolved.register
def _(event: ev.GameBegun, state: State) -> State:
    """An empty grid. With two players colours and edge are chosen anew, in a tournament they stand (3.2)."""
    keep = state.law.tournament
    return replace(
        state,
        phase="setup",
        game=event.number,
        order=event.order,
        first=event.first,
        red=state.red if keep else (),
        colours=state.colours if keep else "",
        edge=state.edge if keep else "",
        base=0,
        plies=(),
        pieces=(),
        seen=(),
        relocations=0,
        absent=(),
        offer=0,
        agreed=(),
        claims=(),
        win=None,
        judged=(),
        demo=None,
    )


@_evolved.register
def _(event: ev.ColoursChosen, state: State) -> State:
    return replace(state, colours=event.colour)


@_evolved.register
def _(event: ev.EdgeChosen, state: State) -> State:
    return replace(state, edge=event.edge)


@_evolved.register
def _(event: ev.PlayBegun, state: State) -> State:
    return replace(state, phase="play", red=event.red)


@_evolved.register
def _(event: ev.PositionSet, state: State) -> State:
    """What the position holds counts as the first of its kind; relocations are counted from it."""
    for text in event.plies:
        state = _laid(state, text)
    return replace(state, base=len(event.plies), relocations=0, seen=state.seen[-1:])


# --- play --------------------------------------------------------------------------------------------------------


@_evolved.register
def _(event: ev.PieceMoved, state: State) -> State:
    """A move that a player makes ends his series of missed ones; an offer falls when one who did not accept moves."""
    seat, by_player = event.seat, event.how == "mail"
    state = _laid(state, event.move)
    if not by_player:
        state = replace(state, absent=(*state.absent, event.ply))
    if event.how != "left":
        count = 0 if by_player else state.timeouts[seat - 1] + 1
        state = replace(state, timeouts=_put(state.timeouts, seat, count))
    if by_player:
        state = replace(state, vacant=tuple(s for s in state.vacant if s != seat))
    if state.offer and seat != state.offer and seat not in state.agreed:
        state = replace(state, offer=0, agreed=())
    return state


def _laid(state: State, text: str) -> State:
    """The grid, the count of relocations and the positions seen after a move."""
    ply = ply_of(text)
    state = replace(
        state,
        plies=(*state.plies, text),
        pieces=tuple(moved(state.pieces, ply)),
        relocations=state.relocations + (ply.lifted is not None),
    )
    if state.box:
        return state
    side = state.colour_of(state.mover)
    return replace(state, seen=(*state.seen, state.grid.key(side)))


@_evolved.register
def _(event: ev.ClaimMade, state: State) -> State:
    return replace(state, claims=(*state.claims, event.claim))


@_evolved.register
def _(event: ev.DrawOffered, state: State) -> State:
    return replace(state, offer=event.seat, agreed=())


@_evolved.register
def _(event: ev.DrawAccepted, state: State) -> State:
    return replace(state, agreed=(*state.agreed, event.seat))


@_evolved.register
def _(event: ev.PlayerResigned, state: State) -> State:
    """In a tournament the seat is left for good, unless another person takes it; an offer of a draw falls."""
    state = replace(state, offer=0, agreed=())
    if not state.law.tournament:
        return state
    vacant = tuple(seat for seat in state.vacant if seat != event.seat)
    return replace(state, gone=tuple(sorted((*state.gone, event.seat))), vacant=vacant)


@_evolved.register
def _(event: ev.SeatOpened, state: State) -> State:
    return replace(state, vacant=tuple(sorted((*state.vacant, event.seat))))


@_evolved.register
def _(event: ev.SeatFilled, state: State) -> State:
    return replace(
        state,
        gone=tuple(seat for seat in state.gone if seat != event.seat),
        vacant=tuple(seat for seat in state.vacant if seat != event.seat),
        timeouts=_put(state.timeouts, event.seat, 0),
    )


# --- the end of a game ---------------------------------------------------------------------------------------------


@_evolved.register
def _(event: ev.GameWon, state: State) -> State:
    state = replace(state, win=Win(event.colour, event.seat, event.ply, event.reason), offer=0, agreed=())
    if state.law.tournament:
        return state
    return replace(state, points=_add(state.points, event.winners[0], 2))


@_evolved.register
def _(event: ev.GameDrawn, state: State) -> State:
    state = replace(state, offer=0, agreed=())
    return state if state.law.tournament else replace(state, points=tuple(p + 1 for p in state.points))


@_evolved.register
def _(event: ev.GameStopped, state: State) -> State:
    return replace(state, offer=0, agreed=())


@_evolved.register
def _(event: ev.JudgingBegun, state: State) -> State:
    phase: Any = "verdict" if state.law.adjudication == "solver" else "evidence"
    return replace(state, phase=phase, judged=event.claims)


@_evolved.register
def _(event: ev.EvidenceAsked, state: State) -> State:
    return replace(state, phase="evidence")


@_evolved.register
def _(event: ev.DemonstrationBegun, state: State) -> State:
    return replace(state, phase="demonstration", demo=Demonstration(event.claim, event.ply - 1))


@_evolved.register
def _(event: ev.PieceShown, state: State) -> State:
    if state.demo is None:
        return state
    return replace(state, demo=replace(state.demo, shown=(*state.demo.shown, event.move)))


@_evolved.register
def _(event: ev.ClaimSettled, state: State) -> State:
    """A claim is done with; the next one that waits is judged."""
    for payment in event.payments:
        state = replace(state, points=_add(state.points, payment.seat, payment.points))
    judged = tuple(claim for claim in state.judged if claim != event.claim)
    phase: Any = "verdict" if state.law.adjudication == "solver" else "evidence"
    return replace(
        state,
        claims=tuple(claim for claim in state.claims if claim != event.claim),
        judged=judged,
        demo=None,
        phase=phase if judged else "play",
    )


@_evolved.register
def _(event: ev.SilentWinPaid, state: State) -> State:
    return replace(state, points=_add(state.points, event.seat, 0 if event.withheld else event.points))


@_evolved.register
def _(event: ev.MatchDecided, state: State) -> State:
    return replace(state, phase="over", ended=Ended(event.winners, event.reason))


def _put(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return (*values[: seat - 1], value, *values[seat:])


def _add(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return _put(values, seat, values[seat - 1] + value)
