"""What happens in a match, one small fact each, and the state after it: all that old ledgers depend on. Pieces, cells
and moves stand in notation (3.5)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, TypeAlias

from referee.core.codec import Value
from referee.core.duel import (
    Commented,
    DrawOffered,
    MatchDecided,
    OfSeat,
    SeatFilled,
    SeatOpened,
    StarterDrawn,
)
from referee.core.folding import Fold, Recorder
from referee.games.onepiece.board import Colour, ply_of
from referee.games.onepiece.state import Claim, Demonstration, Edge, Law, Phase, Proof, State, Verdict, Win

How = Literal["mail", "deadline", "left"]  # the player; the referee at a deadline, or for one who has left
Chosen = Literal["mail", "default", "option"]
WonBy = Literal["four", "handed over", "resigned", "out of time"]
EndedBy = Literal["won", "lost", "not won", "out of time", "given up", "left", "stuck"]


class LawAmended(Value):
    """The rules that the match is judged by from now on."""

    law: Law


class LawSet(Value):
    """All that this match is judged by."""

    law: Law


class GameBegun(Value):
    """A game is set up on an empty grid: its number, who begins, the seats in turn."""

    number: int
    first: int
    order: tuple[int, ...]


class ColoursChosen(OfSeat):
    """The colour of `seat`, who begins."""

    colour: Colour
    how: Chosen


class EdgeChosen(OfSeat):
    edge: Edge
    how: Chosen


class PlayBegun(Value):
    """Colours and edge are known; who plays red."""

    red: tuple[bool, ...]


class PositionSet(Value):
    """The match opens from plies already made."""

    plies: tuple[str, ...]


class _PutDown(Value):
    """A piece was put down, from the box or lifted from the grid, and the longest run of each half (3.4)."""

    seat: int
    ply: int
    move: str
    red_run: tuple[str, ...]
    blue_run: tuple[str, ...]
    how: How = "mail"


class PieceMoved(_PutDown):
    """A move of the game."""


class ClaimMade(Value):
    claim: Claim
    colour: Colour


class GameWon(Value):
    """`seat` made the deciding move, or resigned, or ran out of time, as `reason` says; `winners` play the colour;
    `pieces` lie on the grid, the last one put down last."""

    number: int
    colour: Colour
    winners: tuple[int, ...]
    seat: int
    ply: int
    reason: WonBy
    pieces: tuple[str, ...]


class GameDrawn(Value):
    number: int
    reason: Literal["repetition", "relocations", "agreed", "stuck"]
    count: int = 0


class GameStopped(Value):
    """The ply of a claim was reached and nobody has won (4.2)."""

    number: int
    ply: int
    pieces: tuple[str, ...]


class JudgingBegun(Value):
    """Claims that did not come true are to be judged (4.4), in this order."""

    claims: tuple[Claim, ...]


class VerdictGiven(Value):
    """What the solver found of a claim: `line` follows ply `after` (of `start`, the pieces then on the grid); the
    proofs are for `checker.faults`."""

    claim: Claim
    verdict: Verdict
    after: int
    nodes: int
    start: tuple[str, ...]
    line: tuple[str, ...]
    proofs: tuple[Proof, ...]
    slip: int = 0
    slip_proofs: tuple[Proof, ...] = ()


class EvidenceAsked(Value):
    """The claimer may demonstrate his claim on the board."""

    claim: Claim


class DemonstrationBegun(Value):
    """The game is taken back to before that ply, and played on from there."""

    claim: Claim
    ply: int


class PieceShown(_PutDown):
    """A move of the demonstration."""


class DemonstrationEnded(Value):
    claim: Claim
    upheld: bool
    reason: EndedBy


class Payment(OfSeat):
    points: int


class ClaimSettled(Value):
    """4.3: `distance` is the claim as it is paid; "own slip": upheld, but the claimer himself let the win go;
    `withheld` the seats that would have been paid for a ply that the referee played for them."""

    claim: Claim
    result: Literal["won", "upheld", "own slip", "bluff", "drawn"]
    distance: int
    payments: tuple[Payment, ...]
    withheld: tuple[int, ...] = ()


class SilentWinPaid(OfSeat):
    """A game won without a claim of the winners; `handed`: an opponent's move won it for them."""

    points: int
    handed: bool = False
    withheld: bool = False


class DrawAccepted(Value):
    seat: int


class PlayerResigned(OfSeat):
    """With two players the game is lost; in pairs the seat is left."""

    how: How = "mail"


class AnswerLapsed(OfSeat):
    """Nothing came before the deadline; what is played instead follows."""

    kind: str


_Start = LawSet | LawAmended | StarterDrawn | GameBegun | ColoursChosen | EdgeChosen | PlayBegun
_Play = PositionSet | PieceMoved | ClaimMade | GameWon | GameDrawn | GameStopped
_Judging = JudgingBegun | VerdictGiven | EvidenceAsked | DemonstrationBegun | PieceShown
_Settling = DemonstrationEnded | ClaimSettled | SilentWinPaid
_Seats = DrawOffered | DrawAccepted | PlayerResigned | SeatOpened | SeatFilled | AnswerLapsed
Event: TypeAlias = _Start | _Play | _Judging | _Settling | _Seats | Commented | MatchDecided


Record = Recorder[State, Event]

fold: Fold[State] = Fold()
fold.telling(StarterDrawn, VerdictGiven, DemonstrationEnded, AnswerLapsed, Commented)


# --- opening -----------------------------------------------------------------------------------------------------


@fold.on(LawSet)
def _law_set(state: State, event: LawSet) -> State:
    nothing = (0,) * event.law.seats
    return replace(state, law=event.law, points=nothing, timeouts=nothing)


fold.on(LawAmended)(lambda state, event: replace(state, law=event.law))


@fold.on(GameBegun)
def _game_begun(state: State, event: GameBegun) -> State:
    """An empty grid. With two players colours and edge are chosen anew, in a tournament they stand (3.2)."""
    keep: tuple[str, ...] = ("points", "timeouts", "gone", "vacant")
    keep = (*keep, "red", "colours", "edge") if state.law.tournament else keep
    kept: dict[str, Any] = {name: getattr(state, name) for name in keep}
    return State(state.law, game=event.number, order=event.order, first=event.first, **kept)


fold.on(ColoursChosen)(lambda state, event: replace(state, colours=event.colour))
fold.on(EdgeChosen)(lambda state, event: replace(state, edge=event.edge))
fold.on(PlayBegun)(lambda state, event: replace(state, phase="play", red=event.red))


@fold.on(PositionSet)
def _position_set(state: State, event: PositionSet) -> State:
    """What the position holds counts as the first of its kind; relocations are counted from it."""
    for text in event.plies:
        state = _laid(state, text)
    return replace(state, base=len(event.plies), relocations=0, seen=state.seen[-1:])


# --- play --------------------------------------------------------------------------------------------------------


@fold.on(PieceMoved)
def _piece_moved(state: State, event: PieceMoved) -> State:
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
        pieces=tuple(map(str, state.grid.after(ply).pieces)),
        relocations=state.relocations + (ply.lifted is not None),
    )
    if state.box:
        return state
    side = state.colour_of(state.mover)
    return replace(state, seen=(*state.seen, state.grid.key(side)))


fold.on(ClaimMade)(lambda state, event: replace(state, claims=(*state.claims, event.claim)))
fold.on(DrawOffered)(lambda state, event: replace(state, offer=event.seat, agreed=()))
fold.on(DrawAccepted)(lambda state, event: replace(state, agreed=(*state.agreed, event.seat)))


@fold.on(PlayerResigned)
def _player_resigned(state: State, event: PlayerResigned) -> State:
    """In pairs the seat is left for good, unless another person takes it; an offer of a draw falls."""
    state = replace(state, offer=0, agreed=())
    if not state.law.pairs:
        return state
    vacant = tuple(seat for seat in state.vacant if seat != event.seat)
    return replace(state, gone=tuple(sorted((*state.gone, event.seat))), vacant=vacant)


fold.on(SeatOpened)(lambda state, event: replace(state, vacant=tuple(sorted((*state.vacant, event.seat)))))


@fold.on(SeatFilled)
def _seat_filled(state: State, event: SeatFilled) -> State:
    return replace(
        state,
        gone=tuple(seat for seat in state.gone if seat != event.seat),
        vacant=tuple(seat for seat in state.vacant if seat != event.seat),
        timeouts=_put(state.timeouts, event.seat, 0),
    )


# --- the end of a game ---------------------------------------------------------------------------------------------


@fold.on(GameWon)
def _game_won(state: State, event: GameWon) -> State:
    state = replace(state, win=Win(event.colour, event.seat, event.ply, event.reason), offer=0, agreed=())
    if state.law.tournament:
        return state
    for seat in event.winners:
        state = replace(state, points=_add(state.points, seat, 2))
    return state


@fold.on(GameDrawn)
def _game_drawn(state: State, event: GameDrawn) -> State:
    state = replace(state, offer=0, agreed=())
    return state if state.law.tournament else replace(state, points=tuple(p + 1 for p in state.points))


fold.on(GameStopped)(lambda state, event: replace(state, offer=0, agreed=()))
fold.on(JudgingBegun)(lambda state, event: replace(state, phase=_judging(state), judged=event.claims))
fold.on(EvidenceAsked)(lambda state, event: replace(state, phase="evidence"))


fold.on(DemonstrationBegun)(
    lambda state, event: replace(state, phase="demonstration", demo=Demonstration(event.claim, event.ply - 1))
)


@fold.on(PieceShown)
def _piece_shown(state: State, event: PieceShown) -> State:
    if state.demo is None:
        return state
    return replace(state, demo=replace(state.demo, shown=(*state.demo.shown, event.move)))


@fold.on(ClaimSettled)
def _claim_settled(state: State, event: ClaimSettled) -> State:
    """A claim is done with; the next one that waits is judged."""
    for payment in event.payments:
        state = replace(state, points=_add(state.points, payment.seat, payment.points))
    claims, judged = (
        tuple(claim for claim in those if claim != event.claim) for those in (state.claims, state.judged)
    )
    phase = _judging(state) if judged else "play"
    return replace(state, claims=claims, judged=judged, demo=None, phase=phase)


fold.on(SilentWinPaid)(
    lambda state, event: replace(
        state, points=_add(state.points, event.seat, 0 if event.withheld else event.points)
    )
)
fold.on(MatchDecided)(lambda state, event: replace(state, phase="over", ended=event))


def _judging(state: State) -> Phase:
    return "verdict" if state.law.adjudication == "solver" else "evidence"


def _put(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return (*values[: seat - 1], value, *values[seat:])


def _add(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return _put(values, seat, values[seat - 1] + value)
