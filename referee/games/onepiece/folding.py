"""The only function old ledgers depend on: the state after an event."""

from __future__ import annotations

from dataclasses import replace

from referee.core.folding import Fold, Recorder
from referee.games.onepiece import events as ev
from referee.games.onepiece.board import ply_of
from referee.games.onepiece.state import Demonstration, Phase, State, Win, moved

Told = Recorder[State, ev.Event]

fold: Fold[State] = Fold()
fold.telling(ev.StarterDrawn, ev.VerdictGiven, ev.DemonstrationEnded, ev.AnswerLapsed, ev.Commented)


# --- opening -----------------------------------------------------------------------------------------------------


@fold.on(ev.LawSet)
def _rules_set(state: State, event: ev.LawSet) -> State:
    nothing = (0,) * event.law.seats
    return replace(state, law=event.law, points=nothing, timeouts=nothing)


fold.on(ev.LawAmended)(lambda state, event: replace(state, law=event.law))


@fold.on(ev.GameBegun)
def _game_begun(state: State, event: ev.GameBegun) -> State:
    """An empty grid. With two players colours and edge are chosen anew, in a tournament they stand (3.2)."""
    keep = state.law.tournament
    return State(
        state.law,
        game=event.number,
        red=state.red if keep else (),
        points=state.points,
        timeouts=state.timeouts,
        gone=state.gone,
        vacant=state.vacant,
        colours=state.colours if keep else "",
        edge=state.edge if keep else "",
        order=event.order,
        first=event.first,
    )


fold.on(ev.ColoursChosen)(lambda state, event: replace(state, colours=event.colour))
fold.on(ev.EdgeChosen)(lambda state, event: replace(state, edge=event.edge))
fold.on(ev.PlayBegun)(lambda state, event: replace(state, phase="play", red=event.red))


@fold.on(ev.PositionSet)
def _position_set(state: State, event: ev.PositionSet) -> State:
    """What the position holds counts as the first of its kind; relocations are counted from it."""
    for text in event.plies:
        state = _laid(state, text)
    return replace(state, base=len(event.plies), relocations=0, seen=state.seen[-1:])


# --- play --------------------------------------------------------------------------------------------------------


@fold.on(ev.PieceMoved)
def _piece_moved(state: State, event: ev.PieceMoved) -> State:
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


fold.on(ev.ClaimMade)(lambda state, event: replace(state, claims=(*state.claims, event.claim)))
fold.on(ev.DrawOffered)(lambda state, event: replace(state, offer=event.seat, agreed=()))
fold.on(ev.DrawAccepted)(lambda state, event: replace(state, agreed=(*state.agreed, event.seat)))


@fold.on(ev.PlayerResigned)
def _player_resigned(state: State, event: ev.PlayerResigned) -> State:
    """In pairs the seat is left for good, unless another person takes it; an offer of a draw falls."""
    state = replace(state, offer=0, agreed=())
    if not state.law.pairs:
        return state
    vacant = tuple(seat for seat in state.vacant if seat != event.seat)
    return replace(state, gone=tuple(sorted((*state.gone, event.seat))), vacant=vacant)


fold.on(ev.SeatOpened)(lambda state, event: replace(state, vacant=tuple(sorted((*state.vacant, event.seat)))))


@fold.on(ev.SeatFilled)
def _seat_filled(state: State, event: ev.SeatFilled) -> State:
    return replace(
        state,
        gone=tuple(seat for seat in state.gone if seat != event.seat),
        vacant=tuple(seat for seat in state.vacant if seat != event.seat),
        timeouts=_put(state.timeouts, event.seat, 0),
    )


# --- the end of a game ---------------------------------------------------------------------------------------------


@fold.on(ev.GameWon)
def _game_won(state: State, event: ev.GameWon) -> State:
    state = replace(state, win=Win(event.colour, event.seat, event.ply, event.reason), offer=0, agreed=())
    if state.law.tournament:
        return state
    for seat in event.winners:
        state = replace(state, points=_add(state.points, seat, 2))
    return state


@fold.on(ev.GameDrawn)
def _game_drawn(state: State, event: ev.GameDrawn) -> State:
    state = replace(state, offer=0, agreed=())
    return state if state.law.tournament else replace(state, points=tuple(p + 1 for p in state.points))


fold.on(ev.GameStopped)(lambda state, event: replace(state, offer=0, agreed=()))
fold.on(ev.JudgingBegun)(lambda state, event: replace(state, phase=_judging(state), judged=event.claims))
fold.on(ev.EvidenceAsked)(lambda state, event: replace(state, phase="evidence"))


@fold.on(ev.DemonstrationBegun)
def _demonstration_begun(state: State, event: ev.DemonstrationBegun) -> State:
    return replace(state, phase="demonstration", demo=Demonstration(event.claim, event.ply - 1))


@fold.on(ev.PieceShown)
def _piece_shown(state: State, event: ev.PieceShown) -> State:
    if state.demo is None:
        return state
    return replace(state, demo=replace(state.demo, shown=(*state.demo.shown, event.move)))


@fold.on(ev.ClaimSettled)
def _claim_settled(state: State, event: ev.ClaimSettled) -> State:
    """A claim is done with; the next one that waits is judged."""
    for payment in event.payments:
        state = replace(state, points=_add(state.points, payment.seat, payment.points))
    judged = tuple(claim for claim in state.judged if claim != event.claim)
    return replace(
        state,
        claims=tuple(claim for claim in state.claims if claim != event.claim),
        judged=judged,
        demo=None,
        phase=_judging(state) if judged else "play",
    )


@fold.on(ev.SilentWinPaid)
def _silent_win_paid(state: State, event: ev.SilentWinPaid) -> State:
    return replace(state, points=_add(state.points, event.seat, 0 if event.withheld else event.points))


fold.on(ev.MatchDecided)(lambda state, event: replace(state, phase="over", ended=event))


def _judging(state: State) -> Phase:
    return "verdict" if state.law.adjudication == "solver" else "evidence"


def _put(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return (*values[: seat - 1], value, *values[seat:])


def _add(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return _put(values, seat, values[seat - 1] + value)
