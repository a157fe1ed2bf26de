"""Chains and liberties: what one stone, or many at once, removes from a board.

A board under work is a list of one-letter symbols, changed in place; a board at rest is the same as one string.
"""

from __future__ import annotations

from collections.abc import Iterable

from referee.games.multigo.board.points import EMPTY

Cells = list[str]
Neighbours = tuple[tuple[int, ...], ...]
Dead = tuple[str, set[int]]  # a removed chain: its symbol, its points


def chain_at(cells: Cells | str, neighbours: Neighbours, start: int) -> frozenset[int]:
    """The maximal connected set of one colour (or of empty points) that holds the point."""
    colour, found, waiting = cells[start], {start}, [start]
    while waiting:
        for point in neighbours[waiting.pop()]:
            if cells[point] == colour and point not in found:
                found.add(point)
                waiting.append(point)
    return frozenset(found)


def dead_chain(cells: Cells, neighbours: Neighbours, start: int) -> set[int] | None:
    """The chain of the stone where it has no liberty, else None: the search ends at the first liberty."""
    colour = cells[start]
    chain, waiting = {start}, [start]
    for stone in waiting:
        for point in neighbours[stone]:
            beside = cells[point]
            if beside == EMPTY:
                return None
            if beside == colour and point not in chain:
                chain.add(point)
                waiting.append(point)
    return chain


def drop(cells: Cells, neighbours: Neighbours, point: int, symbol: str) -> list[Dead]:
    """Place a stone and remove what dies: at once all dead chains of other colours, else the mover's own.

    Returns the removed chains; the mover's own (a suicide) is then the only one and holds `point`. Two dead
    chains of different colours may touch, so none is removed before all are found (2.3, step 2).
    """
    cells[point] = symbol
    removed: list[Dead] = []
    free = False
    for near in neighbours[point]:
        beside = cells[near]
        if beside == EMPTY:
            free = True
        elif beside != symbol:
            for further in neighbours[near]:  # most stones have a liberty of their own: no search is needed
                if cells[further] == EMPTY:
                    break
            else:
                chain = dead_chain(cells, neighbours, near)
                if chain and (beside, chain) not in removed:
                    removed.append((beside, chain))
    if not removed and not free and (own := dead_chain(cells, neighbours, point)):
        removed.append((symbol, own))
    for _, chain in removed:
        for stone in chain:
            cells[stone] = EMPTY
    return removed


def drop_together(
    cells: Cells, neighbours: Neighbours, stones: Iterable[tuple[int, str]], old_first: bool
) -> list[Dead]:
    """Place all stones at once and remove every chain without liberties, of every colour (2.4, steps 3 and 4).

    With `old_first` the dead chains that hold no new stone go first, then what is still dead.
    """
    placed = dict(stones)
    for point, symbol in placed.items():
        cells[point] = symbol
    removed: list[Dead] = []
    if old_first:
        removed = [dead for dead in _dead_near(cells, neighbours, placed) if dead[1].isdisjoint(placed)]
        _clear(cells, removed)
    late = _dead_near(cells, neighbours, placed)
    _clear(cells, late)
    return removed + late


def _dead_near(cells: Cells, neighbours: Neighbours, placed: Iterable[int]) -> list[Dead]:
    """Every dead chain: a chain that loses its last liberty holds or touches a new stone."""
    found: list[Dead] = []
    for point in placed:
        for near in (point, *neighbours[point]):
            if cells[near] == EMPTY or any(near in chain for _, chain in found):
                continue
            if chain := dead_chain(cells, neighbours, near):
                found.append((cells[near], chain))
    return found


def _clear(cells: Cells, dead: Iterable[Dead]) -> None:
    for _, chain in dead:
        for stone in chain:
            cells[stone] = EMPTY


def lifeless(board: str, neighbours: Neighbours) -> tuple[frozenset[int], ...]:
    """Every chain without a liberty on a whole board, in board order."""
    found: list[frozenset[int]] = []
    seen: set[int] = set()
    for point, symbol in enumerate(board):
        if symbol != EMPTY and point not in seen:
            chain = chain_at(board, neighbours, point)
            seen |= chain
            if not any(board[near] == EMPTY for stone in chain for near in neighbours[stone]):
                found.append(chain)
    return tuple(found)
