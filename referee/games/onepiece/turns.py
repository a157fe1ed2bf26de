"""A turn and all that follows from it (3.3, 3.4, 4.2); draws offered, matches resigned, seats left."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.complaint import Complaint
from referee.core.duel import commented
from referee.games.onepiece import actions as do
from referee.games.onepiece import claims
from referee.games.onepiece import events as ev
from referee.games.onepiece.board import Ply, first_safe, move_faults, names, other, runs_of, winner_of
from referee.games.onepiece.claims import claim_faults, conclude, no_offer
from referee.games.onepiece.events import Record
from referee.games.onepiece.games import BOTH, set_up, walk_over
from referee.games.onepiece.state import Claim, State


def turn_faults(state: State, seat: int, action: do.MovePiece) -> Iterator[Complaint]:
    """What is wrong with a move, a claim and an offer beside it."""
    faults = tuple(move_faults(state.grid, action))
    yield from faults
    if action.claim is not None:
        wins = not faults and winner_of(state.grid, action) is not None
        yield from claim_faults(state, action.claim, wins)
    if action.offer and (state.claims or action.claim is not None or state.offer == seat):
        yield no_offer(state, seat, action.claim is not None, part="offer")


def play(record: Record, seat: int, action: do.MovePiece) -> None:
    """A move that has no faults."""
    make(record, seat, action.ply, "mail")
    record.tell(*commented(seat, action.comment))
    if action.claim is not None and record.state.win is None:
        claim = Claim(seat, len(record.state.plies), action.claim)
        record.tell(ev.ClaimMade(claim, record.state.colour_of(seat)))
    over = finish(record)
    if action.offer and not over:
        record.tell(ev.DrawOffered(seat))


def make(record: Record, seat: int, ply: Ply, how: ev.How) -> None:
    """Put the piece down and say what it made; four of one colour only win for that colour, whoever moved (3.4)."""
    state = record.state
    runs = runs_of(state.grid.after(ply), ply.placed)
    record.tell(ev.PieceMoved(seat, state.ply, str(ply), names(runs.red), names(runs.blue), how))
    if runs.winner:
        won(record, seat, state.ply, "four" if runs.winner == state.colour_of(seat) else "handed over")


def won(record: Record, seat: int, ply: int, how: ev.WonBy) -> None:
    """What the seat did decides the game: four of its own colour win it, all else wins it for the other colour."""
    state = record.state
    own = state.colour_of(seat)
    colour = own if how == "four" else other(own)
    record.tell(ev.GameWon(state.game, colour, state.team(colour), seat, ply, how, state.pieces))


def finish(record: Record) -> bool:
    """Whether the last ply ended the game; if so all that follows is told."""
    state = record.state
    if state.win:
        conclude(record)
        return True
    if state.limit == len(state.plies):
        record.tell(ev.GameStopped(state.game, len(state.plies), state.pieces))
        conclude(record)
        return True
    if (drawn := _drawn(state)) is not None:
        record.tell(drawn)
        conclude(record, drawn=True)
        return True
    return False


def _drawn(state: State) -> ev.GameDrawn | None:
    """B8, B10; while a claim is pending repetition and the limit of relocations wait (C10)."""
    law = state.law
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


def go_on(record: Record) -> None:
    """The referee plays at once for those who have left (house)."""
    while record.state.phase == "play" and record.state.mover in record.state.gone:
        _play_for(record, record.state.mover, "left")
        finish(record)


def _play_for(record: Record, seat: int, how: ev.How) -> None:
    make(record, seat, first_safe(record.state.grid, record.state.colour_of(seat)), how)


def lapse(record: Record, seat: int) -> None:
    """No move came: the game is lost, or the referee plays, by `timeout_default`."""
    state = record.state
    record.tell(ev.AnswerLapsed(seat, "Move"))
    if state.law.timeout == "loss":
        won(record, seat, state.ply, "out of time")
        conclude(record)
        return
    if seat in state.vacant:
        resign(record, seat, "deadline")
        return
    _play_for(record, seat, "deadline")
    finish(record)


# --- what else ends or changes a game ------------------------------------------------------------------------------


def resign(record: Record, seat: int, how: ev.How, comment: str = "") -> None:
    """With two players the game is lost. In pairs the seat is left, and the referee plays for it."""
    state = record.state
    record.tell(ev.PlayerResigned(seat, how), *commented(seat, comment))
    if state.law.pairs:
        walk_over(record)
        if record.state.phase == "setup":
            set_up(record)
        claims.leave(record)
        return
    if not state.red:
        set_up(record, BOTH)
    won(record, seat, state.ply, "resigned")
    conclude(record)


def offer(record: Record, seat: int) -> None:
    """An offer; where another's stands, to offer is to accept it."""
    if record.state.offer:
        accept(record, seat)
    else:
        record.tell(ev.DrawOffered(seat))


def accept(record: Record, seat: int) -> None:
    """The game is drawn once every other player has accepted."""
    record.tell(ev.DrawAccepted(seat))
    state = record.state
    if all(s in (state.offer, *state.agreed) for s in state.active):
        record.tell(ev.GameDrawn(state.game, "agreed"))
        conclude(record, drawn=True)
