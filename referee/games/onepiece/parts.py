"""What may be said now, part by part: moves by the cells of their halves, claims, offers (3.3, 4.2, 4.4); and what
seeded players say, for rehearsals and laws: quick, legal, and never at it for ever."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import permutations

from referee.core.answers import Named, Part, Said, pointed_at
from referee.core.chance import Chance
from referee.core.orders.talk import OFFER
from referee.games.onepiece import board
from referee.games.onepiece import notation as do
from referee.games.onepiece.board import Colour, Grid, Ply, ply_of
from referee.games.onepiece.events import State
from referee.games.onepiece.notation import NOTATION, parsed
from referee.games.onepiece.solver import Search
from referee.games.onepiece.turns import beginning_faults, claim_faults, shown_faults

COLOURS = tuple(Part(f"Colours: {colour}", (("colour", colour),)) for colour in board.COLOURS)
EDGES = tuple(Part(f"Edge: {edge}", (("edge", edge),)) for edge in ("south", "north", "east", "west"))
_CELL = re.compile(r"([a-p])([1-9]\d?)")
_OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east"}
GIVE_UP = Part("Give up", (), "resign")
_KEY = "Move: "


def turn(state: State, seat: int, said: Said, named: Named) -> Iterator[Part]:
    """A move; beside it a claim that is no fault, or that is named, so that its fault is told; or an offer."""
    sheet = NOTATION.of(said)
    move = next((parsed(state.grid, entry.value) for entry in sheet.of("move")), None)
    if not sheet.of("move"):
        yield from _moves(state.grid, named)
    if sheet.of("claim", "offer"):
        return
    wins = (
        move is not None
        and not any(board.move_faults(state.grid, move))
        and board.winner_of(state.grid, move)
    )
    named_so = (int(name) for name in named if re.fullmatch(r"[1-9]\d?", name))
    for n in sorted({*range(2, state.law.max_claim + 1, 2), *named_so}) if state.law.tournament else ():
        if str(n) in named or not any(claim_faults(state, n, bool(wins))):
            yield Part(f"Claim: {n}", (("n", str(n)),), "claim")
    if not state.claims and state.offer != seat:
        yield OFFER


def beginning(state: State, said: Said, named: Named) -> Iterator[Part]:
    """The ply to change and a move in its place, of any that may be changed until one is said; or to give up."""
    sheet, plies = NOTATION.of(said), state.own_plies(state.judged[0]) if state.phase == "evidence" else ()
    chosen = {entry.value for entry in sheet.of("demonstrate")}
    if not chosen:
        yield from (Part(f"Demonstrate: {ply}", (("ply", str(ply)),)) for ply in plies)
    if not sheet.of("move"):
        found: dict[str, Part] = {}
        for ply in (ply for ply in plies if not chosen or str(ply) in chosen):
            for part in _moves(state.grid_before(ply), named):
                begun = do.BeginDemonstration(ply, **vars(ply_of(part.line.removeprefix(_KEY))))
                if not any(beginning_faults(state, begun)):
                    found.setdefault(part.line, part)
        yield from pointed_at(found.values(), named)
    if not sheet.entries:
        yield GIVE_UP


def shown(state: State, seat: int, said: Said, named: Named) -> Iterator[Part]:
    """The next move of a demonstration."""
    going_on = state.phase == "demonstration" and not said
    for part in _moves(state.shown_grid, named) if going_on else ():
        if not any(shown_faults(state, seat, do.MovePiece(**vars(ply_of(part.line.removeprefix(_KEY)))))):
            yield part


@lru_cache(maxsize=64)
def _plain_moves(grid: Grid) -> tuple[Part, ...]:
    """Every legal move: a lifted piece by either of its cells, each half by its own, with its letter or without."""
    return tuple(Part(f"{_KEY}{ply}", tuple(_slots(ply))) for ply in grid.plies())


def _slots(ply: Ply) -> Iterator[tuple[str, str]]:
    lifted = board.names(piece.cells) if (piece := ply.lifts) else ()
    for roles, cells in ((("from", "from"), lifted), (board.COLOURS, (ply.red, ply.blue))):
        for role, colour, name in zip(roles, board.COLOURS, cells, strict=bool(cells)):
            yield from ((role, f"{colour[0]}{name}"), (role, name))


def _moves(grid: Grid, named: Named) -> Iterator[Part]:
    """Those that share a cell with what a mail names; a half is named by its colour too where its cell is: "red on c2"
    is none that has blue there, and "red" alone is no half. From the box also by columns and which half lies where:
    "upright on d, red on top"."""
    columns = {name for name in named if len(name) == 1 and name.isalpha()}
    sides = [name for name in named if name in (*board.COLOURS, *_OPPOSITE)]
    for part in (*pointed_at(_plain_moves(grid), named), *_unlawful(grid, named)):
        halves = {role for role, value in part.slots if value in named and role in board.COLOURS}
        told = [slot for slot in _lying(part) if slot[1] in columns or slot[1] in sides]
        halves |= {role for role, _ in told if role in board.COLOURS}
        yield replace(part, slots=(*part.slots, *((colour, colour) for colour in sorted(halves)), *told))
    if not columns or len(sides) not in (2, 3, 4) or any(map(_CELL.fullmatch, named)):
        return
    # "red on top", "on top red", "red above blue"
    pairs = [{*sides[at : at + 2]} for at in range(0, len(sides) - 1, 2)]
    for part in _plain_moves(grid):
        lies = _lying(part)
        if {value for _, value in lies if len(value) == 1} == columns and all(
            any({role, value} == pair for role, value in lies) for pair in pairs
        ):
            yield replace(part, slots=(*part.slots, *lies, *((colour, colour) for colour in board.COLOURS)))


def _lying(part: Part) -> tuple[tuple[str, str], ...]:
    """The columns of a piece that is put down, and on which side of the other each of its halves lies."""
    cells = {role: found for role, value in part.slots if (found := _CELL.fullmatch(value))}
    red, blue = (cells[colour] for colour in board.COLOURS)
    if red[1] == blue[1]:
        side = "north" if int(red[2]) > int(blue[2]) else "south"
    else:
        side = "east" if red[1] > blue[1] else "west"
    columns = tuple((f"column {column}", column) for column in sorted({red[1], blue[1]}))
    return (*columns, ("red", side), ("blue", _OPPOSITE[side]))


def _unlawful(grid: Grid, named: Named) -> Iterator[Part]:
    """A piece from the box on the two cells that a mail names, where none can be put: its fault is told."""
    cells = {found[1] for name in named if (found := re.fullmatch(r"[rb]?([a-p][1-9]\d?)", name))}
    if (
        len(cells) == 2
        and grid.box
        and not any(cells <= set(board.names(p.placed.cells)) for p in grid.plies())
    ):
        for red, blue in permutations(sorted(cells)):
            ply = Ply(red, blue)
            yield Part(f"{_KEY}{ply}", tuple(_slots(ply)))


# --- seeded players --------------------------------------------------------------------------------------------------


def chosen(grid: Grid, colour: Colour, chance: Chance, careless: bool = False) -> Ply:
    """A win where there is one and it is seen; else the best of a few moves drawn: one that forces a win, or at least
    none that hands over a win or allows one at once."""
    search = Search(grid.cols, grid.rows, exact=True, limit=10_000)
    g, at = grid.ground, grid.seen_by(colour)
    won = g.winning(*at)
    if won is not None and not careless:
        return g.ply(won, colour)
    steps = g.steps(*at)
    safe = [step for step in steps if g.result(*at[:2], step) == 0] or steps
    tried = [safe[chance.below(len(safe), "which move")] for _ in range(4)]
    sound = [step for step in tried if g.winning(*search.moved(at, step)) is None] or tried
    forcing = (step for step in sound if search.succeeds(search.moved(at, step), 2))
    return g.ply(next(forcing, sound[0]), colour)
