"""Claims: which may be made (4.2), what is paid at the end of a game (4.3), how they are judged and shown (4.4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Literal

from referee.core.complaint import Complaint
from referee.core.duel import commented
from referee.games.onepiece import actions as do
from referee.games.onepiece import events as ev
from referee.games.onepiece.board import Grid, Ply, Words, move_faults, names, runs_of, winner_of
from referee.games.onepiece.events import Record
from referee.games.onepiece.games import next_game, next_of
from referee.games.onepiece.state import Claim, State, Win


def claim_faults(state: State, n: int, wins: bool) -> Iterator[Complaint]:
    """4.2: even, from 2, not above the maximum, one at a time, and not beside a winning move."""
    law, facts = state.law, {"n": n, "most": state.law.max_claim}
    if not law.tournament:
        yield Complaint("no_claims_for_two", "4.2", part="claim", facts=facts)
        return
    if n < 2 or n % 2:
        yield Complaint("odd_claim", "4.2", part="claim", facts=facts)
    elif law.claim_n == "partner_only" and n % 4 == 0:
        yield Complaint("partner_must_move_last", "4.3", part="claim", facts=facts)
    if n > law.max_claim:
        yield Complaint("claim_too_large", "4.2", part="claim", facts=facts)
    if state.claims and law.claims == "single":
        first = state.claims[0]
        pending = {**facts, "seat": first.seat, "end": first.end}
        yield Complaint("claim_pending", "4.2", part="claim", facts=pending)
    elif state.limit is not None and state.ply + n > state.limit:
        yield Complaint("claim_past_end", "4.2", part="claim", facts={**facts, "end": state.limit})
    if wins:
        yield Complaint("claim_beside_win", "4.2", part="claim", facts=facts)


# --- the end of a game -----------------------------------------------------------------------------------------------


def conclude(record: Record, drawn: bool = False) -> None:
    """A game has ended: silent points, claims that came true, then those to be judged."""
    state = record.state
    if not state.law.tournament:
        next_game(record)
        return
    if state.win:
        _pay_silent(record, state.win)
    for claim in state.claims:
        if drawn:
            record.tell(ev.ClaimSettled(claim, "drawn", 0, ()))
        elif state.win and state.colour_of(claim.seat) == state.win.colour:
            record.tell(_came_true(state, claim, state.win))
    if record.state.claims:
        record.tell(ev.JudgingBegun(record.state.claims))
    go_on(record)


def go_on(record: Record) -> None:
    """Judge what can be judged without asking anybody; once nothing is left to judge, the next game."""
    while record.state.phase == "evidence":
        claim = record.state.judged[0]
        if claim.seat in record.state.gone:
            record.tell(ev.DemonstrationEnded(claim, False, "left"))
        elif not record.state.own_plies(claim):
            record.tell(ev.DemonstrationEnded(claim, False, "lost"))
        else:
            return
        settle(record, claim, upheld=False)
    if record.state.phase not in ("verdict", "demonstration") and not record.state.judged:
        next_game(record)


def judge(record: Record, given: do.GiveVerdict) -> None:
    """The solver's verdict; what it leaves unknown is left to a demonstration."""
    claim = record.state.judged[0]
    start = tuple(str(piece) for piece in record.state.grid_before(given.after + 1).pieces)
    said = {field.name: getattr(given, field.name) for field in fields(given)}
    record.tell(ev.VerdictGiven(claim=claim, start=start, **said))
    if given.verdict == "unknown":
        record.tell(ev.EvidenceAsked(claim))
    else:
        settle(record, claim, given.verdict == "proved", given.slip)
    go_on(record)


def settle(record: Record, claim: Claim, upheld: bool, slip: int = 0) -> None:
    """A claim that did not come true: -n for a bluff; upheld +(n+1), but nothing where the ply that let the win go was
    the claimer's own: nobody earns more by spoiling his claim than by winning it."""
    result: Literal["upheld", "own slip", "bluff"] = "upheld" if upheld else "bluff"
    if upheld and slip and record.state.mover_of(slip) == claim.seat:
        record.tell(ev.ClaimSettled(claim, "own slip", claim.n, ()))
        return
    points = claim.n + 1 if upheld else -claim.n
    record.tell(ev.ClaimSettled(claim, result, claim.n, (ev.Payment(claim.seat, points),)))


def distance(state: State, claim: Claim, ply: int) -> int:
    """C4: the claim as it is paid when its colour wins at that ply: the smallest even number not below the distance."""
    if state.law.early_win == "claimed":
        return claim.n
    return min(claim.n, (ply - claim.ply + 1) // 2 * 2)


def _came_true(state: State, claim: Claim, win: Win) -> ev.ClaimSettled:
    """The claimer gets n, his partner n/2; nobody is paid for a ply that the referee played for him."""
    n, partner = distance(state, claim, win.ply), state.partner(claim.seat)
    shares = (ev.Payment(claim.seat, n), ev.Payment(partner, n // 2))
    unpaid = (win.seat,) if win.ply in state.absent else ()
    payments = tuple(share for share in shares if share.seat not in unpaid)
    withheld = tuple(share.seat for share in shares if share.seat in unpaid)
    return ev.ClaimSettled(claim, "won", n, payments, withheld)


def _pay_silent(record: Record, win: Win) -> None:
    """One point to the winning player where his colour had claimed nothing; for a win handed over, to the player of the
    colour who is next to move."""
    state = record.state
    if any(state.colour_of(claim.seat) == win.colour for claim in state.claims):
        return
    if state.claims and not state.law.pay_winner:
        return
    if state.colour_of(win.seat) == win.colour:
        record.tell(ev.SilentWinPaid(win.seat, 1, withheld=win.ply in state.absent))
    else:
        record.tell(ev.SilentWinPaid(next_of(state, win.colour, win.ply + 1), 1, handed=True))


def no_offer(state: State, seat: int, claiming: bool = False, part: str = "") -> Complaint:
    """Why no draw can be offered: a claim is made or pending, or the seat's own offer stands."""
    claim = claiming or bool(state.claims)
    facts = {"claim": claim, "mine": not claim and state.offer == seat, "phase": state.phase}
    return Complaint("no_offer_now", "3.4", part=part, facts=facts)


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
            yield Complaint("nothing_changed", "4.4", part="move", facts={"ply": action.ply})
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
        yield Complaint("wins_too_early", "4.4", part="move", facts={"ply": ply, "end": claim.end})


# --- what follows ----------------------------------------------------------------------------------------------------


def begin(record: Record, seat: int, action: do.BeginDemonstration) -> None:
    """The claimer takes the game back to a ply of his colour and plays otherwise."""
    record.tell(ev.DemonstrationBegun(record.state.judged[0], action.ply))
    show(record, seat, action.words.ply, "mail", action.comment)


def show(record: Record, seat: int, ply: Ply, how: ev.How, comment: str = "") -> None:
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


def end(record: Record, upheld: bool, reason: ev.EndedBy) -> None:
    """A demonstration shows who let the win go too: who made the first ply that it changes (4.3)."""
    claim, demo = record.state.judged[0], record.state.demo
    record.tell(ev.DemonstrationEnded(claim, upheld, reason))
    settle(record, claim, upheld, demo.before + 1 if demo is not None else 0)
    go_on(record)


def leave(record: Record) -> None:
    """Somebody has left while a claim is judged: without its claimer it is not upheld."""
    state = record.state
    if state.phase == "evidence":
        go_on(record)
    elif state.phase == "demonstration" and state.judged[0].seat in state.gone:
        end(record, False, "left")
