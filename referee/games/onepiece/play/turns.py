"""A turn and all that follows from it (3.3, 3.4, 4.2)."""

from __future__ import annotations

from typing import Any

from referee.games.onepiece import actions as do
from referee.games.onepiece import events as ev
from referee.games.onepiece.board.grid import (
    Colour,
    Grid,
    Piece,
    Ply,
    cell_of,
    name_of,
    other,
    piece_of,
    runs_of,
)
from referee.games.onepiece.state import Claim
from referee.games.onepiece.tale import Tale
from referee.games.onepiece.tournament.claims import conclude
from referee.games.onepiece.tournament.games import BOTH, set_up, walk_over
from referee.games.onepiece.tournament.showing import first_safe


def said(action: Any) -> Ply:
    """The move that an action orders."""
    lifted = piece_of(action.lifted) if action.lifted else None
    return Ply(Piece(cell_of(action.red), cell_of(action.blue)), lifted)


def relay(tale: Tale, seat: int, words: str) -> None:
    if words:
        tale.tell(ev.Commented(seat, words))


def play(tale: Tale, seat: int, action: do.MovePiece) -> None:
    """A move that `check` passed."""
    make(tale, seat, said(action), "mail")
    relay(tale, seat, action.comment)
    if action.claim is not None and tale.state.win is None:
        claim = Claim(seat, len(tale.state.plies), action.claim)
        tale.tell(ev.ClaimMade(claim, tale.state.colour_of(seat)))
    over = finish(tale)
    if action.offer and not over:
        tale.tell(ev.DrawOffered(seat))


def make(tale: Tale, seat: int, ply: Ply, how: ev.How) -> None:
    """Put the piece down and say what it made; four of one colour only win for that colour, whoever moved (3.4)."""
    state = tale.state
    grid = state.grid.after(ply)
    runs = runs_of(grid, ply.placed)
    number = state.ply
    red, blue = names(runs.red), names(runs.blue)
    tale.tell(ev.PieceMoved(seat, number, str(ply), red, blue, how))
    if runs.winner:
        reason: Any = "four" if runs.winner == state.colour_of(seat) else "handed over"
        won(tale, runs.winner, seat, number, reason)


def won(tale: Tale, colour: Colour, seat: int, ply: int, reason: Any) -> None:
    state = tale.state
    tale.tell(ev.GameWon(state.game, colour, state.team(colour), seat, ply, reason, state.pieces))


def names(cells: Any) -> tuple[str, ...]:
    return tuple(name_of(cell) for cell in cells)


def finish(tale: Tale) -> bool:
    """Whether the last ply ended the game; if so all that follows is told."""
    state = tale.state
    if state.win:
        conclude(tale)
        return True
    if state.limit == len(state.plies):
        tale.tell(ev.GameStopped(state.game, len(state.plies), state.pieces))
        conclude(tale)
        return True
    if (drawn := _drawn(tale)) is not None:
        tale.tell(drawn)
        conclude(tale, drawn=True)
        return True
    return False


def _drawn(tale: Tale) -> ev.GameDrawn | None:
    """B8, B10; while a claim is pending repetition and the limit of relocations wait (C10)."""
    state, law = tale.state, tale.state.law
    if not state.grid.plies():
        return ev.GameDrawn(state.game, "stuck")
    if state.claims:
        return None
    times = state.seen.count(state.seen[-1]) if state.seen else 0
    if law.repetition and times >= law.repetition:
        return ev.GameDrawn(state.game, "repetition", times)
    if law.max_relocations and state.relocations >= law.max_relocations:
        return ev.GameDrawn(state.game, "relocations", state.relocations)
    return None


def go_on(tale: Tale) -> None:
    """The referee plays at once for those who have left (house)."""
    while tale.state.phase == "play" and tale.state.mover in tale.state.gone:
        seat = tale.state.mover
        make(tale, seat, default(tale.state.grid, tale.state.colour_of(seat)), "left")
        finish(tale)


def default(grid: Grid, colour: Colour) -> Ply:
    return first_safe(grid, colour)


# --- what else ends or changes a game ------------------------------------------------------------------------------


def lapse(tale: Tale, seat: int) -> None:
    """No move came: the game is lost, or the referee plays, by `timeout_default`."""
    state = tale.state
    tale.tell(ev.AnswerLapsed(seat, "Move"))
    if state.law.timeout == "loss":
        won(tale, other(state.colour_of(seat)), seat, state.ply, "out of time")
        conclude(tale)
        return
    if seat in state.vacant:
        resign(tale, seat, "deadline")
        return
    make(tale, seat, default(state.grid, state.colour_of(seat)), "deadline")
    missed = tale.state.timeouts[seat - 1]
    if missed >= state.law.max_timeouts:
        tale.tell(ev.SeatOpened(seat, missed))
    finish(tale)


def resign(tale: Tale, seat: int, how: ev.How, words: str = "") -> None:
    """With two players the game is lost. In a tournament the seat is left, and the referee plays for it."""
    state = tale.state
    tale.tell(ev.PlayerResigned(seat, how))
    relay(tale, seat, words)
    if state.law.tournament:
        walk_over(tale)
        if tale.state.phase == "setup":
            set_up(tale)
        return
    if not state.red:
        set_up(tale, BOTH)
    won(tale, other(tale.state.colour_of(seat)), seat, state.ply, "resigned")
    conclude(tale)


def offer(tale: Tale, seat: int) -> None:
    """An offer; where another's stands, to offer is to accept it."""
    if tale.state.offer:
        accept(tale, seat)
    else:
        tale.tell(ev.DrawOffered(seat))


def accept(tale: Tale, seat: int) -> None:
    """The game is drawn once every other player has accepted."""
    tale.tell(ev.DrawAccepted(seat))
    state = tale.state
    if all(s in (state.offer, *state.agreed) for s in state.active):
        tale.tell(ev.GameDrawn(state.game, "agreed"))
        conclude(tale, drawn=True)
