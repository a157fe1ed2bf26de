"""What the page that writes a mail by clicks must know: pieces as they lie, claims and offers that may be made."""

from __future__ import annotations

from referee.core.capabilities import BoardForm
from referee.core.diagram import Diagram
from referee.games.onepiece.board.grid import Grid, name_of
from referee.games.onepiece.letters.picture import drawn
from referee.games.onepiece.state import State
from referee.games.onepiece.tournament.claims import claim_faults


def clickable(state: State) -> BoardForm:
    """`grids` by the name of the board: the pieces, red half before blue, and how many are in the box; "" is the public
    one. In the evidence of a claim there is a board before each ply that may be changed: "ply-7"."""
    grids = {"": state.shown_grid}
    boards: dict[str, Diagram] = {}
    for ply in state.own_plies(state.judged[0]) if state.phase == "evidence" else ():
        name, grid = f"ply-{ply}", state.grid_before(ply)
        grids[name], boards[name] = grid, drawn(f"Before ply {ply}", grid, (), ())
    facts = {
        "grids": {name: _laid(grid) for name, grid in grids.items()},
        "plies": [int(name[4:]) for name in boards],
        "claims": [
            n for n in range(2, state.law.max_claim + 1) if not any(claim_faults(state, n, wins=False))
        ],
        "offers": [seat for seat in state.active if not state.claims and state.offer != seat],
    }
    return BoardForm(facts, boards)


def _laid(grid: Grid) -> dict[str, object]:
    pieces = [[name_of(piece.red), name_of(piece.blue)] for piece in sorted(grid.pieces)]
    return {"cols": grid.cols, "rows": grid.rows, "box": grid.box, "pieces": pieces}
