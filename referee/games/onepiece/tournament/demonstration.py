"""Claims that did not come true: the solver's verdict, the demonstration, the settlement (4.4)."""

from __future__ import annotations

from typing import Any

from referee.games.onepiece import actions as do
from referee.games.onepiece import events as ev
from referee.games.onepiece.board.grid import Ply, runs_of
from referee.games.onepiece.play.turns import default, names, relay, said
from referee.games.onepiece.tale import Tale
from referee.games.onepiece.tournament.claims import go_on, settle
from referee.games.onepiece.tournament.showing import next_shown, shown_grid


def rule(tale: Tale, action: do.GiveVerdict) -> None:
    """The solver's verdict; what it leaves unknown is left to a demonstration."""
    state = tale.state
    claim = state.judged[0]
    start = tuple(str(p) for p in state.grid_before(action.after + 1).pieces)
    tale.tell(
        ev.VerdictGiven(
            claim,
            action.verdict,
            action.after,
            action.nodes,
            start,
            action.line,
            action.proofs,
            action.slip,
            action.slip_proofs,
        )
    )
    if action.verdict == "unknown":
        tale.tell(ev.EvidenceAsked(claim))
    else:
        settle(tale, claim, action.verdict == "proved", action.slip)
    go_on(tale)


def begin(tale: Tale, seat: int, action: do.BeginDemonstration) -> None:
    """The claimer takes the game back to a ply of his colour and plays otherwise."""
    tale.tell(ev.DemonstrationBegun(tale.state.judged[0], action.ply))
    show(tale, seat, said(action), "mail", action.comment)


def show(tale: Tale, seat: int, ply: Ply, how: ev.How, words: str = "") -> None:
    """A move of the demonstration, and its end where it decides."""
    number = next_shown(tale.state)
    grid = shown_grid(tale.state).after(ply)
    runs = runs_of(grid, ply.placed)
    tale.tell(ev.PieceShown(seat, number, str(ply), names(runs.red), names(runs.blue), how))
    relay(tale, seat, words)
    state, claim = tale.state, tale.state.judged[0]
    if runs.winner:
        upheld = runs.winner == state.colour_of(claim.seat)
        end(tale, upheld, "won" if upheld else "lost")
    elif number >= claim.end:
        end(tale, False, "not won")
    elif not grid.plies():
        end(tale, False, "stuck")


def end(tale: Tale, upheld: bool, reason: Any) -> None:
    """A demonstration shows who let the win go too: who made the first ply that it changes (4.3)."""
    claim, demo = tale.state.judged[0], tale.state.demo
    tale.tell(ev.DemonstrationEnded(claim, upheld, reason))
    settle(tale, claim, upheld, demo.before + 1 if demo is not None else 0)
    go_on(tale)


def left(tale: Tale) -> None:
    """Somebody has left while a claim is judged: without its claimer it is not upheld."""
    state = tale.state
    if state.phase == "evidence":
        go_on(tale)
    elif state.phase == "demonstration" and state.judged[0].seat in state.gone:
        end(tale, False, "left")


def lapse(tale: Tale, kind: str, seat: int) -> None:
    """The claimer's silence ends his claim; for silent opponents the referee replies."""
    tale.tell(ev.AnswerLapsed(seat, kind))
    if kind == "Reply":
        state = tale.state
        show(tale, seat, default(shown_grid(state), state.colour_of(seat)), "deadline")
    else:
        end(tale, False, "out of time")
