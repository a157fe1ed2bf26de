"""What anyone may know of a match; nothing in it is secret."""

from __future__ import annotations

from referee.core.game import View
from referee.games.onepiece.board.grid import Ply
from referee.games.onepiece.letters.picture import ending, pictured, proving
from referee.games.onepiece.mail.notation import short
from referee.games.onepiece.state import State


def viewed(state: State) -> View:
    """The public view. `position` is the contract's: board, points (tournament and series), claim."""
    grid = state.shown_grid
    claim = (*state.judged, *state.claims)[:1]
    position: dict[str, object] = {
        "board": list(grid.rows_text()),
        "points": _points(state),
        "claim": {"seat": claim[0].seat, "ply": claim[0].ply, "n": claim[0].n} if claim else None,
    }
    return View(_phase(state), position, pictured(state), _facts(state))


def _points(state: State) -> list[int | float] | None:
    """By seat; None where a single game has no score. A drawn game of a series is worth a half."""
    if state.law.tournament:
        return list(state.points)
    if state.law.games == 1:
        return None
    return [points // 2 if points % 2 == 0 else points / 2 for points in state.points]


def _phase(state: State) -> str:
    return {
        "setup": "choosing colours and edge",
        "play": "placing" if state.box else "relocating",
        "verdict": "judging a claim",
        "evidence": "judging a claim",
        "demonstration": "demonstration of a claim",
        "over": "over",
    }[state.phase]


def _facts(state: State) -> dict[str, object]:
    """For the game's own templates."""
    playing = state.phase in ("play", "demonstration")
    grid = state.shown_grid
    plies = grid.plies() if playing else ()
    facts: dict[str, object] = {
        "law": state.law,
        "state": state,
        "colours": {seat: state.colour_of(seat) for seat in state.seats} if state.red else {},
        "teams": {colour: state.team(colour) for colour in ("red", "blue")} if state.red else {},
        "partner": {seat: state.partner(seat) for seat in state.order} if state.law.tournament else {},
        "mover": state.mover if state.phase == "play" else 0,
        "ply": state.ply,
        "box": grid.box,
        "examples": _examples(plies),
        "count": len(plies),
        "plies": tuple(str(ply) for ply in plies) if not grid.box else (),
        "points": _points(state),
        "proving": lambda event: proving(state, event),
        "ending": lambda event: ending(state, event),
    }
    if state.judged:
        claim = state.judged[0]
        facts["claim"] = claim
        facts["changeable"] = [(ply, state.plies[ply - 1]) for ply in state.own_plies(claim)]
    if state.demo is not None:
        facts["shown_ply"] = state.shown_ply
    return facts


def _examples(plies: tuple[Ply, ...]) -> tuple[str, str]:
    """A legal move in full, and the same in short notation."""
    if not plies:
        return "", ""
    ply = plies[len(plies) // 2]
    return str(ply), short(ply)
