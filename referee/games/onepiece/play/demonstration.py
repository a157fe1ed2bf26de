"""Demonstrations: a claim that the solver did not settle is shown on the board, move by move (4.4)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.complaint import Complaint
from referee.core.duel import commented
from referee.core.owing import Demand
from referee.games.onepiece import actions as do
from referee.games.onepiece import events as ev
from referee.games.onepiece.board import (
    PART,
    Grid,
    Ply,
    Words,
    first_safe,
    move_faults,
    names,
    runs_of,
    winner_of,
)
from referee.games.onepiece.folding import Told
from referee.games.onepiece.play.claims import go_on, no_offer, settle
from referee.games.onepiece.state import State

# --- what may be shown ---------------------------------------------------------------------------------------------


def beginning_faults(state: State, action: do.BeginDemonstration) -> Iterator[Complaint]:
    """A ply of the claimer's colour is played otherwise, by a legal move; its part is `demonstrate`."""
    plies = state.own_plies(state.judged[0])
    if action.ply not in plies:
        facts = {"ply": action.ply, "plies": list(plies)}
        yield Complaint("not_a_ply_to_change", "4.4", part="demonstrate", facts=facts)
        return
    grid, words = state.grid_before(action.ply), action.words
    faults = tuple(move_faults(grid, words))
    yield from faults
    if not faults:
        if str(words) == state.plies[action.ply - 1]:
            yield Complaint("nothing_changed", "4.4", part=PART, facts={"ply": action.ply})
        yield from _too_early(state, grid, words, action.ply)


def shown_faults(state: State, seat: int, action: do.MovePiece) -> Iterator[Complaint]:
    """A later move, of the claimer or his opponents; nothing that belongs to a game stands beside it."""
    if action.claim is not None:
        yield Complaint("no_claim_in_demonstration", "4.4", part="claim")
    if action.offer:
        yield no_offer(state, seat, claiming=True, part="offer")
    faults = tuple(move_faults(state.shown_grid, action))
    yield from faults
    if not faults and seat == state.judged[0].seat:
        yield from _too_early(state, state.shown_grid, action, state.shown_ply)


def _too_early(state: State, grid: Grid, words: Words, ply: int) -> Iterator[Complaint]:
    """In `exact` an own winning move before the ply claimed shows nothing."""
    claim = state.judged[0]
    early = state.law.claim_test == "exact" and ply < claim.end
    if early and winner_of(grid, words) == state.colour_of(claim.seat):
        yield Complaint("wins_too_early", "4.4", part=PART, facts={"ply": ply, "end": claim.end})


# --- what follows ----------------------------------------------------------------------------------------------------


def begin(record: Told, seat: int, action: do.BeginDemonstration) -> None:
    """The claimer takes the game back to a ply of his colour and plays otherwise."""
    record.tell(ev.DemonstrationBegun(record.state.judged[0], action.ply))
    show(record, seat, action.words.ply, "mail", action.comment)


def show(record: Told, seat: int, ply: Ply, how: ev.How, comment: str = "") -> None:
    """A move of the demonstration, and its end where it decides."""
    number = record.state.shown_ply
    grid = record.state.shown_grid.after(ply)
    runs = runs_of(grid, ply.placed)
    record.tell(ev.PieceShown(seat, number, str(ply), names(runs.red), names(runs.blue), how))
    record.tell(*commented(seat, comment))
    state, claim = record.state, record.state.judged[0]
    if runs.winner:
        upheld = runs.winner == state.colour_of(claim.seat)
        end(record, upheld, "won" if upheld else "lost")
    elif number >= claim.end:
        end(record, False, "not won")
    elif not grid.plies():
        end(record, False, "stuck")


def reply_by_default(record: Told, lapsed: Demand) -> None:
    """For silent opponents the referee replies."""
    state, seat = record.state, lapsed.seat
    record.tell(ev.AnswerLapsed(seat, lapsed.kind))
    show(record, seat, first_safe(state.shown_grid, state.colour_of(seat)), "deadline")


def too_late(record: Told, lapsed: Demand) -> None:
    """The claimer's silence ends his claim."""
    record.tell(ev.AnswerLapsed(lapsed.seat, lapsed.kind))
    end(record, False, "out of time")


def give_up(record: Told, seat: int, action: do.GiveUpClaim) -> None:
    record.tell(*commented(seat, action.comment))
    end(record, False, "given up")


def end(record: Told, upheld: bool, reason: ev.EndedBy) -> None:
    """A demonstration shows who let the win go too: who made the first ply that it changes (4.3)."""
    claim, demo = record.state.judged[0], record.state.demo
    record.tell(ev.DemonstrationEnded(claim, upheld, reason))
    settle(record, claim, upheld, demo.before + 1 if demo is not None else 0)
    go_on(record)


def leave(record: Told) -> None:
    """Somebody has left while a claim is judged: without its claimer it is not upheld."""
    state = record.state
    if state.phase == "evidence":
        go_on(record)
    elif state.phase == "demonstration" and state.judged[0].seat in state.gone:
        end(record, False, "left")
