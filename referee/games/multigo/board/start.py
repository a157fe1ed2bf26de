"""Positions and prisoners given as text when a match is opened."""

from __future__ import annotations

import re
from dataclasses import dataclass

from referee.games.multigo.board.chains import lifeless
from referee.games.multigo.board.points import COLOURS, EMPTY, LARGEST, SYMBOLS, points_of

_HAND = re.compile(r"([1-8]):((?:\d{1,4}[A-Z])+)")


@dataclass(frozen=True, slots=True)
class Start:
    """A board and the prisoners held, by holder and colour."""

    width: int
    height: int
    board: str
    prisoners: tuple[tuple[int, ...], ...]


def start_of(size: tuple[int, int], position: str, hands: str, players: int) -> tuple[Start, tuple[str, ...]]:
    """The start that the options name, and every fault of it in words."""
    rows = [row for part in position.split("/") if (row := "".join(part.split()).upper())]
    faults = _row_faults(rows, players) if position.strip() else []
    if rows and not faults:
        width, height, board = len(rows[0]), len(rows), "".join(rows)
        faults += _breathless(width, height, board)
    else:
        (width, height), board = size, EMPTY * (size[0] * size[1])
    held, worse = _hands(hands, players)
    return Start(width, height, board, held), (*faults, *worse)


def _row_faults(rows: list[str], players: int) -> list[str]:
    faults: list[str] = []
    if not rows:
        return ["position names no row of points."]
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            faults.append(
                f"position: row {number} from the top has {len(row)} points, the first has {len(rows[0])}."
            )
        if strange := sorted(set(row) - set(EMPTY + SYMBOLS[:players])):
            known = f"{EMPTY} {' '.join(SYMBOLS[:players])}"
            faults.append(
                f"position: row {number} has {' '.join(strange)}; with {players} players there are {known}."
            )
    if len(rows) > LARGEST or len(rows[0]) > LARGEST:
        faults.append(f"position: a board has at most {LARGEST} rows and {LARGEST} columns.")
    return faults


def _breathless(width: int, height: int, board: str) -> list[str]:
    points = points_of(width, height)
    return [
        f"position: the {COLOURS[SYMBOLS.index(board[min(chain)])]} chain at {points.names[min(chain)]} has no liberty."
        for chain in lifeless(board, points.neighbours)
    ]


def _hands(hands: str, players: int) -> tuple[tuple[tuple[int, ...], ...], list[str]]:
    held = [[0] * players for _ in range(players)]
    faults: list[str] = []
    for word in hands.upper().split():
        match = _HAND.fullmatch(word)
        if match is None or int(match[1]) > players:
            faults.append(
                f"hands: {word!r} should be a seat from 1 to {players} and its prisoners, such as 1:5W5R."
            )
            continue
        for count, symbol in re.findall(r"(\d+)([A-Z])", match[2]):
            if symbol not in SYMBOLS[:players]:
                faults.append(
                    f"hands: {symbol!r} in {word!r} is no colour of this match ({' '.join(SYMBOLS[:players])})."
                )
            else:
                held[int(match[1]) - 1][SYMBOLS.index(symbol)] += int(count)
    return tuple(tuple(row) for row in held), faults
