"""The end of a game with claims: what is paid at once, and what must be judged first (4.3)."""

from __future__ import annotations

from typing import Literal

from referee.games.onepiece import events as ev
from referee.games.onepiece.state import Claim, State, Win
from referee.games.onepiece.tale import Tale
from referee.games.onepiece.tournament.games import next_game, next_of
from referee.games.onepiece.tournament.showing import demonstrable


def conclude(tale: Tale, drawn: bool = False) -> None:
    """A game has ended: silent points, claims that came true, then those to be judged."""
    state = tale.state
    if not state.law.tournament:
        next_game(tale)
        return
    if state.win:
        _pay_silent(tale, state.win)
    for claim in state.claims:
        if drawn:
            tale.tell(ev.ClaimSettled(claim, "drawn", 0, ()))
        elif state.win and state.colour_of(claim.seat) == state.win.colour:
            tale.tell(_came_true(state, claim, state.win))
    if tale.state.claims:
        tale.tell(ev.JudgingBegun(tale.state.claims))
    go_on(tale)


def go_on(tale: Tale) -> None:
    """Judge what can be judged without asking anybody; once nothing is left to judge, the next game."""
    while tale.state.phase == "evidence":
        claim = tale.state.judged[0]
        if claim.seat in tale.state.gone:
            tale.tell(ev.DemonstrationEnded(claim, False, "left"))
        elif not demonstrable(tale.state, claim):
            tale.tell(ev.DemonstrationEnded(claim, False, "lost"))
        else:
            return
        settle(tale, claim, upheld=False)
    if tale.state.phase not in ("verdict", "demonstration") and not tale.state.judged:
        next_game(tale)


def settle(tale: Tale, claim: Claim, upheld: bool, slip: int = 0) -> None:
    """A claim that did not come true: -n for a bluff; upheld +(n+1), but nothing where the ply that let the win go was
    the claimer's own: nobody earns more by spoiling his claim than by winning it."""
    result: Literal["upheld", "own slip", "bluff"] = "upheld" if upheld else "bluff"
    if upheld and slip and not tale.state.law.own_slips_pay and tale.state.mover_of(slip) == claim.seat:
        tale.tell(ev.ClaimSettled(claim, "own slip", claim.n, ()))
        return
    points = claim.n + 1 if upheld else -claim.n
    tale.tell(ev.ClaimSettled(claim, result, claim.n, (ev.Payment(claim.seat, points),)))


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


def _pay_silent(tale: Tale, win: Win) -> None:
    """One point to the winning player where his colour had claimed nothing; for a win handed over, to the player of the
    colour who is next to move."""
    state = tale.state
    if any(state.colour_of(claim.seat) == win.colour for claim in state.claims):
        return
    if state.claims and not state.law.pay_winner:
        return
    if state.colour_of(win.seat) == win.colour:
        tale.tell(ev.SilentWinPaid(win.seat, 1, withheld=win.ply in state.absent))
    else:
        tale.tell(ev.SilentWinPaid(next_of(state, win.colour, win.ply + 1), 1, handed=True))
