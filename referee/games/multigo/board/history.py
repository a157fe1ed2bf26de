"""The earlier positions of a match: 64-bit keys to find a repetition, the changes between them to prove it.

Both are strings: they cost next to nothing to copy, to store and to search, however long the match. A position
is compared exactly on a hash hit by undoing the changes from today's board backwards.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from referee.core.replacing import replace
from referee.games.multigo.board.points import EMPTY, Points


@dataclass(frozen=True, slots=True)
class History:
    """`keys`: for each position " ", the seat to move ("0" where that does not matter), 16 hexadecimal digits.

    `changes`: for each position what made it from the one before, "60+B,41-W;" (point, placed or removed, symbol).
    """

    keys: str = ""
    changes: str = ""

    @property
    def key(self) -> int:
        """The key of the latest position, today's."""
        return int(self.keys[-16:], 16)


def begun(points: Points, board: str, to_move: int) -> History:
    """The history of a match that stands at its first position."""
    return History(_word(points.key(board), to_move), ";")


def changed_key(
    points: Points, key: int, placed: Iterable[tuple[int, str]], gone: Iterable[tuple[int, str]]
) -> int:
    """The key after stones were placed and others (new ones perhaps among them) removed."""
    for point, symbol in (*placed, *gone):
        key ^= points.keys[point][symbol]
    return key


def extended(
    history: History,
    key: int,
    to_move: int,
    placed: Iterable[tuple[int, str]],
    gone: Iterable[tuple[int, str]],
) -> History:
    """The history with one more position. A stone placed and removed at once is in both lists."""
    signs = [f"{point}+{symbol}" for point, symbol in placed] + [
        f"{point}-{symbol}" for point, symbol in gone
    ]
    return replace(
        history, keys=history.keys + _word(key, to_move), changes=history.changes + ",".join(signs) + ";"
    )


def repeats(history: History, board: str, candidate: str, key: int, to_move: int) -> bool:
    """Whether the candidate stood before (with that seat to move). `board` is today's position."""
    word = _word(key, to_move)
    if word not in history.keys:
        return False
    words = history.keys.split(" ")[1:]
    cells = list(board)
    for earlier, changes in zip(reversed(words), reversed(history.changes.split(";")[:-1]), strict=True):
        if " " + earlier == word and "".join(cells) == candidate:
            return True
        _undo(cells, changes)
    return False


def _undo(cells: list[str], changes: str) -> None:
    for change in reversed(changes.split(",")) if changes else ():
        number, sign, symbol = change[:-2], change[-2], change[-1]
        cells[int(number)] = EMPTY if sign == "+" else symbol


def _word(key: int, to_move: int) -> str:
    return f" {to_move}{key:016x}"
