"""The goals of the puzzle: lines of black and white that match (5.4)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, permutations
from typing import Literal

from referee.games.buttons.board.bridges import Ground, ground
from referee.games.buttons.board.spaces import LINE, Board
from referee.games.buttons.state import Cells, Goal, Rules

Pair = tuple[
    tuple[int, ...], tuple[int, ...]
]  # a black line and the white line that matches it, space by space


def matching(ground: Ground, perspective: Literal["strict", "half_turn"]) -> Iterator[Pair]:
    """Every way to lay a black and a white line so that they could match: each black space beside its white one.

    They are parallel (on the original board a row and a column always cross) and share no space. Rows are read left
    to right, columns top to bottom (5.4); O11: with `half_turn` one of them also from its other end."""
    for kind in (ground.rows, ground.columns):
        for black, white in permutations(kind, 2):
            if not set(black) & set(white):
                yield black, white
                if perspective == "half_turn":
                    yield black, white[::-1]


@lru_cache(maxsize=64)
def pairs_of(board: Board, perspective: Literal["strict", "half_turn"]) -> tuple[Pair, ...]:
    return tuple(matching(ground(board), perspective))


def matched(rules: Rules, cells: Cells) -> Iterator[Pair]:
    """The pairs that stand on the board: B3 faces W3, and so on along both lines."""
    facing = {f"B{value}": f"W{value}" for value in rules.values[0]}
    for black, white in pairs_of(rules.board, rules.perspective):
        if all(facing.get(cells[b]) == cells[w] for b, w in zip(black, white, strict=True)):
            yield black, white


def reached(rules: Rules, cells: Cells, goal: Goal) -> tuple[Pair, ...]:
    """The lines that reach the goal: one pair, or two that share no space; nothing while it is not reached."""
    pairs = tuple(matched(rules, cells))
    if goal != "four":
        return pairs[:1]
    for one, two in combinations(pairs, 2):
        if len({*one[0], *one[1], *two[0], *two[1]}) == 4 * LINE:
            return one, two
    return ()
