"""Which moves a piece has (part B, part D): quiet ones, captures, and those a PrimeMover lends.

These are the moves by the rules of the piece alone; check, aggression and the number of moves are the turn's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from referee.games.fourplay.board.position import Position
from referee.games.fourplay.board.primitives import Grant
from referee.games.fourplay.board.squares import DIRECTIONS, QUADRANTS, SQUARES, ray
from referee.games.fourplay.board.ways import Move


def moves_of(position: Position, owner: int, unmoved: Iterable[int] | None = None) -> Iterator[Move]:
    """Every move of the owner's pieces, or of those on the given squares."""
    for square in sorted(position.men[owner]) if unmoved is None else unmoved:
        yield from moves_from(position, square)


def moves_from(position: Position, square: int) -> list[Move]:
    """Every move of the piece on a square, its own before those lent to it."""
    found = unbound_moves(position, square)
    cell = position.cells[square]
    if position.tables.bound[cell >> 4]:  # 930: a shot goes nowhere
        owner = cell & 7
        found = [move for move in found if move.end == square or QUADRANTS[move.end] == owner]
    return found


def unbound_moves(position: Position, square: int) -> list[Move]:
    """The moves of the piece on a square as if it might end in any quadrant."""
    cell = position.cells[square]
    owner, kind = cell & 7, cell >> 4
    found = _own(position, square, owner, kind)
    lent = position.granted.get(position.identities[square])
    if lent is not None:
        found += _lent(position, square, owner, kind, lent)
    return found


def _own(position: Position, square: int, owner: int, kind: int) -> list[Move]:
    cells, takes, tables = position.cells, position.takes, position.tables
    known = tables.ways[kind][square]
    quiet, strikes, runs, overs, shots, retreats, chains = (
        tables.ways_of(kind, square) if known is None else known
    )
    found: list[Move] = []
    withdrawn: set[int] = set()
    for victim, away in retreats:
        if cells[victim] and takes(owner, kind, victim):
            for index, end in enumerate(away):
                if cells[end]:
                    break
                withdrawn.add(end)
                found.append(Move(square, end, away[:index], (victim,)))
    if quiet:
        found += [move for end, move in quiet if not cells[end] and end not in withdrawn]
    if strikes:
        found += [move for end, move in strikes if cells[end] and takes(owner, kind, end)]
    for run in runs:
        for end, walk, take in run:
            if cell := cells[end]:
                if take is not None and cell & 7 != owner and takes(owner, kind, end):
                    found.append(take)
                break
            if walk is not None and end not in withdrawn:
                found.append(walk)
    for screens, over in overs:
        passed = 0
        for end, walk, take in over:
            if cells[end]:
                if passed == screens and take is not None and takes(owner, kind, end):
                    found.append(take)
                passed += 1
                if passed > screens:
                    break
            elif walk is not None and passed == screens:
                found.append(walk)
    for shot in shots:
        for end, take in shot:
            if cells[end]:
                if takes(owner, kind, end):
                    found.append(take)
                break
    for chain in chains:
        captures = _landed(position, square, owner, kind, chain)
        if captures is not None:
            found.append(Move(square, chain[-1], chain[:-1], captures))
    return found


def _landed(
    position: Position, square: int, owner: int, kind: int, chain: tuple[int, ...]
) -> tuple[int, ...] | None:
    """What leaps along the chain take, or None where one of them can't land. The start counts as empty (920)."""
    captures: tuple[int, ...] = ()
    for end in chain:
        if position.cells[end] and end != square and end not in captures:
            if not position.takes(owner, kind, end):
                return None
            captures = (*captures, end)
    return captures


def _lent(position: Position, square: int, owner: int, kind: int, lent: tuple[Grant, ...]) -> Iterator[Move]:
    cells = position.cells
    for grant in lent:
        for line, distances in lent_lines(grant)[square]:
            for distance, blocked in distances:
                if any(cells[s] for s in blocked):
                    break
                end = line[distance - 1]
                if not cells[end]:
                    yield Move(square, end, line[: distance - 1], (), True)
                elif position.takes(owner, kind, end):
                    yield Move(square, end, line[: distance - 1], (end,), True)


Lines = tuple[tuple[tuple[int, ...], tuple[tuple[int, tuple[int, ...]], ...]], ...]


@lru_cache(maxsize=64)
def lent_lines(grant: Grant) -> tuple[Lines, ...]:
    """By square: every line of the grant with, for each distance on the board, the squares that must be empty."""
    steps = DIRECTIONS[grant.dirs]
    return tuple(tuple(_lent_along(grant, ray(square, step)) for step in steps) for square in SQUARES)


def _lent_along(
    grant: Grant, line: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[tuple[int, tuple[int, ...]], ...]]:
    distances = (distance for distance in grant.distances if distance <= len(line))
    return line, tuple((far, tuple(line[b - 1] for b in grant.blocked if b < far)) for far in distances)


def placements(position: Position, owner: int, kind: int) -> list[int]:
    """The squares where an off-board piece of the owner may be put: empty ones of his quadrant, within the limit."""
    if not position.may_gain(owner, kind):
        return []
    return [square for square in SQUARES if QUADRANTS[square] == owner and not position.cells[square]]
