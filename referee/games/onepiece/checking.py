"""Every complaint about an answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.core.complaint import Complaint, Line
from referee.core.game import REFEREE, Demand
from referee.games.onepiece import actions as do
from referee.games.onepiece.board.grid import Cell, Grid, Piece, Ply, cell_of, name_of, piece_of, runs_of
from referee.games.onepiece.owing import due, open_to
from referee.games.onepiece.state import State
from referee.games.onepiece.tournament.showing import demonstrable, shown_grid


def checked(state: State, demand: Demand, action: Any) -> tuple[Complaint, ...]:
    """All complaints; empty means that `resolve` succeeds (law 1)."""
    if untimely := tuple(_untimely(state, demand)):
        return untimely
    match action:
        case do.ChooseColours("", line=line):
            return (Complaint("no_colour", "3.2", line),)
        case do.ChooseEdge("", line=line):
            return (Complaint("no_edge", "3.2", line),)
        case do.MovePiece():
            return tuple(_move(state, demand, action))
        case do.BeginDemonstration():
            return tuple(_beginning(state, action))
        case _:
            return ()


def _untimely(state: State, demand: Demand) -> Iterator[Complaint]:
    """Whether the answer is due or open now; if not, why not."""
    owed = [d for r in due(state) for d in r.demands]
    if demand in owed or demand in open_to(state, demand.seat):
        return
    facts = {"kind": demand.kind, "phase": state.phase, "seats": [d.seat for d in owed if d.seat != REFEREE]}
    if state.phase == "over":
        yield Complaint("over", "3.4", facts=facts)
    elif demand.kind == "Offer":
        yield Complaint(
            "no_offer_now",
            "3.4",
            facts={**facts, "claim": bool(state.claims), "mine": state.offer == demand.seat},
        )
    elif demand.kind == "Accept":
        yield Complaint("no_offer_stands", "3.4", facts=facts)
    elif demand.kind == "Comment":
        yield Complaint("press_is_off", "C12", facts=facts)
    elif demand.kind in ("Colours", "Edge"):
        yield Complaint("not_yours_to_choose", "3.2", facts=facts)
    elif demand.kind == "Evidence":
        yield Complaint("nothing_to_demonstrate", "4.4", facts=facts)
    elif demand.seat in state.gone:
        yield Complaint("has_left", "house", facts=facts)
    elif state.phase == "setup":
        yield Complaint("choices_first", "3.2", facts={**facts, "kinds": [d.kind for d in owed]})
    elif state.phase in ("evidence", "demonstration"):
        yield Complaint("being_judged", "4.4", facts=facts)
    else:
        yield Complaint("not_your_turn", "3.3", facts=facts)


def _move(state: State, demand: Demand, action: do.MovePiece) -> Iterator[Complaint]:
    if demand.kind in ("Demonstrate", "Reply"):
        yield from _shown(state, demand, action)
        return
    grid = state.grid
    faults = tuple(move_faults(grid, action.lifted, action.red, action.blue, action.line))
    yield from faults
    if action.claim is not None:
        yield from _claim(state, action, wins=not faults and _decides(grid, action) is not None)
    if action.offer:
        yield from _offer(state, demand.seat, action)


def _offer(state: State, seat: int, action: do.MovePiece) -> Iterator[Complaint]:
    if state.claims or action.claim is not None:
        yield Complaint(
            "no_offer_now", "3.4", action.line, {"claim": True, "mine": False, "phase": state.phase}
        )
    elif state.offer == seat:
        yield Complaint(
            "no_offer_now", "3.4", action.line, {"claim": False, "mine": True, "phase": state.phase}
        )


def _claim(state: State, action: do.MovePiece, wins: bool) -> Iterator[Complaint]:
    """4.2: even, from 2, not above the maximum, one at a time, and not beside a winning move."""
    law, n, line = state.law, action.claim, action.claim_line or action.line
    assert n is not None
    facts = {"n": n, "most": law.max_claim}
    if not law.tournament:
        yield Complaint("no_claims_for_two", "4.2", line, facts)
        return
    if n < 2 or n % 2:
        yield Complaint("odd_claim", "4.2", line, facts)
    elif law.claim_n == "partner_only" and n % 4 == 0:
        yield Complaint("partner_must_move_last", "4.3", line, facts)
    if n > law.max_claim:
        yield Complaint("claim_too_large", "4.2", line, facts)
    if state.claims and law.claims == "single":
        first = state.claims[0]
        yield Complaint("claim_pending", "4.2", line, {**facts, "seat": first.seat, "end": first.end})
    elif state.limit is not None and state.ply + n > state.limit:
        yield Complaint("claim_past_end", "4.2", line, {**facts, "end": state.limit})
    if wins:
        yield Complaint("claim_beside_win", "4.2", line, facts)


def _beginning(state: State, action: do.BeginDemonstration) -> Iterator[Complaint]:
    claim = state.judged[0]
    plies = demonstrable(state, claim)
    if action.ply not in plies:
        facts = {"ply": action.ply, "plies": list(plies)}
        yield Complaint("not_a_ply_to_change", "4.4", action.line, facts)
        return
    grid = state.grid_before(action.ply)
    faults = tuple(move_faults(grid, action.lifted, action.red, action.blue, action.line))
    yield from faults
    if not faults:
        if _text(action) == state.plies[action.ply - 1]:
            yield Complaint("nothing_changed", "4.4", action.line, {"ply": action.ply})
        yield from _too_early(state, grid, action, action.ply)


def _shown(state: State, demand: Demand, action: do.MovePiece) -> Iterator[Complaint]:
    """A move of a demonstration."""
    if action.claim is not None:
        yield Complaint("no_claim_in_demonstration", "4.4", action.claim_line or action.line)
    if action.offer:
        yield Complaint(
            "no_offer_now", "3.4", action.line, {"claim": True, "mine": False, "phase": state.phase}
        )
    grid = shown_grid(state)
    faults = tuple(move_faults(grid, action.lifted, action.red, action.blue, action.line))
    yield from faults
    demo = state.demo
    if not faults and demo is not None and demand.kind == "Demonstrate":
        yield from _too_early(state, grid, action, demo.before + len(demo.shown) + 1)


def _too_early(state: State, grid: Grid, action: Any, ply: int) -> Iterator[Complaint]:
    """4.4: in `exact` an own winning move before the ply claimed shows nothing."""
    claim = state.judged[0]
    early = state.law.claim_test == "exact" and ply < claim.end
    if early and _decides(grid, action) == state.colour_of(claim.seat):
        yield Complaint("wins_too_early", "4.4", action.line, {"ply": ply, "end": claim.end})


def _ply(action: Any) -> Ply:
    placed = Piece(cell_of(action.red), cell_of(action.blue))
    return Ply(placed, piece_of(action.lifted) if action.lifted else None)


def _text(action: Any) -> str:
    return str(_ply(action))


def _decides(grid: Grid, action: Any) -> str | None:
    ply = _ply(action)
    return runs_of(grid.after(ply), ply.placed).winner


# --- legal moves (3.3) ---------------------------------------------------------------------------------------------


def move_faults(grid: Grid, lifted: str, red: str, blue: str, line: Line | None) -> Iterator[Complaint]:
    """Every reason why the move is not legal on the grid."""
    if grid.box and lifted:
        yield Complaint("box_not_empty", "3.3", line, {"box": grid.box})
        return
    if not grid.box and not lifted:
        yield Complaint("box_empty", "3.3", line)
        return
    piece: Piece | None = None
    if lifted:
        piece = next((p for p in grid.pieces if str(p) == lifted), None)
        if piece is None:
            yield Complaint("no_such_piece", "3.3", line, _absence(grid, lifted))
            return
        if (above := grid.covering(piece)) is not None:
            facts = {"piece": lifted, "above": str(grid.owners[above])}
            yield Complaint("covered", "3.3", line, facts)
    yield from _target_faults(grid, piece, Piece(cell_of(red), cell_of(blue)), line)


def _absence(grid: Grid, lifted: str) -> dict[str, Any]:
    """What lies where the sender thought that a piece lay."""
    cells = [lifted] if len(lifted) < 5 else [name_of(cell) for cell in piece_of(lifted).cells]
    near = [str(grid.owners[cell_of(cell)]) for cell in cells if cell_of(cell) in grid.owners]
    return {"piece": lifted, "is_cell": len(lifted) < 5, "near": list(dict.fromkeys(near))}


def _target_faults(grid: Grid, lifted: Piece | None, placed: Piece, line: Line | None) -> Iterator[Complaint]:
    facts = {"piece": str(placed)}
    outside = [name_of(cell) for cell in placed.cells if not grid.inside(cell)]
    if outside:
        corner = name_of((grid.cols - 1, grid.rows - 1))
        yield Complaint("off_the_grid", "3.1", line, {**facts, "cells": outside, "corner": corner})
    if not placed.adjacent:
        yield Complaint("not_adjacent", "3.1", line, {**facts, "cells": [name_of(c) for c in placed.cells]})
    if outside or not placed.adjacent:
        return
    old = lifted.cells if lifted else ()
    for cell in placed.cells:
        if cell in old:
            yield Complaint("overlaps_itself", "3.3", line, {**facts, "cell": name_of(cell)})
        elif cell in grid.cells:
            yield Complaint(
                "occupied", "3.1", line, {**facts, "cell": name_of(cell), "by": str(grid.owners[cell])}
            )
        elif (gap := _gap(grid, lifted, placed, cell)) is not None:
            where = {**facts, "cell": name_of(cell), "gap": name_of(gap), "lifted": gap in old}
            yield Complaint("floats", "3.3", line, where)


def _gap(grid: Grid, lifted: Piece | None, placed: Piece, cell: Cell) -> Cell | None:
    """The lowest free cell between the game edge and the cell, once the lifted piece is gone."""
    old = lifted.cells if lifted else ()
    below = ((cell[0], row) for row in range(cell[1]))
    return next((c for c in below if (c not in grid.cells or c in old) and c not in placed.cells), None)
