"""How moves are written (3.5): full, by one cell of the lifted piece, and short, where gravity fixes the row."""

from __future__ import annotations

import re
import unicodedata

from referee.games.onepiece.board.grid import Cell, Grid, Ply, cell_of, name_of
from referee.games.onepiece.board.moves import Words

# Signs that mail programs put for others.
_SIGNS = str.maketrans(
    dict.fromkeys("–—−‑‐‒", "-")
    | dict.fromkeys("→»›⇒➔➜➡", ">")
    | dict.fromkeys("\u200b\u200c\u200d\ufeff\xad*`_")
    | {"ˆ": "^", "＾": "^", "“": '"', "”": '"', "„": '"', "’": "'", "‘": "'"}
)
_HALF = r"(red|blue|r|b)([a-z])0?(\d{1,2})"
_JOINT = r"[-,;/+&]?"
_FULL = re.compile(_HALF + _JOINT + _HALF)
_FLAT = re.compile(r"([a-z])=(red|blue|r|b)[-,/]?(red|blue|r|b)")
_UPRIGHT = re.compile(r"([a-z])\^(red|blue|r|b)")
_LIFTED = re.compile(r"(?:(?:red|blue|r|b))?([a-z])0?(\d{1,2})")
_LED = re.compile(r"^(?:the )?(?:piece|domino) (?:on |at |from )?(?=\S)")
_WORDED = re.compile(
    r"\b(red|blue)(?: half| end| side)?(?: goes| is)? (?:on|at|to|in) (?=[a-z]0?\d)|(?<=\d),? and (?=\S)"
)
_TO = re.compile(r"(?<=\d) to (?=\S)")
_ARROW = re.compile(r"(?<![-=])[-=]*>")  # a run of dashes is tried from its first one only


def tidied(text: str) -> str:
    """The text in plain signs, without ornaments, one space between words."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(_SIGNS).split())


def move_like(text: str) -> bool:
    """Whether the whole text is a move, whatever the grid."""
    return _split(text) is not None


def parsed(grid: Grid, text: str) -> Words | None:
    """The move that the text says on this grid; None where it is none."""
    parts = _split(text)
    if parts is None:
        return None
    before, after = parts
    lifted = _lifted(grid, before)
    heights = list(grid.heights)
    if owner := next((p for p in grid.pieces if str(p) == lifted), None):
        for col, _ in owner.cells:
            heights[col] -= 1
    red, blue = _halves(heights, after)
    return Words(red, blue, lifted)


def _split(text: str) -> tuple[str, str] | None:
    """The texts before and after the arrow, small letters without spaces; before is "" for a placement."""
    plain = _WORDED.sub(lambda found: f"{found[1] or '&'} ", _LED.sub("", tidied(text).lower()))
    plain = _TO.sub(">", plain.rstrip(" .,;!")).replace(" ", "")
    parts = _ARROW.split(plain)
    if len(parts) == 1:
        return ("", plain) if _target(plain) else None
    before, after = parts[0], parts[-1]
    lifted = _full(before) or _LIFTED.fullmatch(before)
    return (before, after) if len(parts) == 2 and lifted and _target(after) else None


def _target(text: str) -> bool:
    return bool(_full(text) or _UPRIGHT.fullmatch(text) or _flat(text))


def _full(text: str) -> re.Match[str] | None:
    """Two halves of different colours, in either order."""
    found = _FULL.fullmatch(text)
    return found if found and found[1][0] != found[4][0] else None


def _flat(text: str) -> re.Match[str] | None:
    found = _FLAT.fullmatch(text)
    return found if found and found[2][0] != found[3][0] else None


def _halves(heights: list[int], text: str) -> tuple[str, str]:
    """The cells of the red and the blue half; in short notation on top of what lies in the columns."""
    if found := _full(text):
        first, second = f"{found[2]}{found[3]}", f"{found[5]}{found[6]}"
        red, blue = (first, second) if found[1][0] == "r" else (second, first)
        return _named(red), _named(blue)
    if found := _UPRIGHT.fullmatch(text):
        col = ord(found[1]) - ord("a")
        row = _height(heights, col)
        low, high = name_of((col, row)), name_of((col, row + 1))
        return (high, low) if found[2][0] == "r" else (low, high)
    flat = _flat(text)
    assert flat is not None  # `_split` let nothing else through
    col = ord(flat[1]) - ord("a")
    row = max(_height(heights, col), _height(heights, col + 1))
    left, right = name_of((col, row)), name_of((col + 1, row))
    return (left, right) if flat[2][0] == "r" else (right, left)


def _height(heights: list[int], col: int) -> int:
    return heights[col] if col < len(heights) else 0


def _named(text: str) -> str:
    """A cell without leading noughts."""
    return f"{text[0]}{int(text[1:])}"


def _lifted(grid: Grid, text: str) -> str:
    """The piece that lies there, in full; otherwise the text as a cell, or as a piece, for `check` to complain of."""
    if not text:
        return ""
    if found := _full(text):
        return str(Words(*_halves([], text)))
    found = _LIFTED.fullmatch(text)
    assert found is not None  # `_split` let nothing else through
    cell: Cell = cell_of(_named(found[1] + found[2]))
    owner = grid.owners.get(cell)
    return str(owner) if owner else name_of(cell)


def short(ply: Ply) -> str:
    """The move in short notation."""
    red, blue = ply.placed.red, ply.placed.blue
    column = chr(ord("a") + min(red[0], blue[0]))
    if red[0] == blue[0]:
        target = f"{column}^{'R' if red[1] > blue[1] else 'B'}"
    else:
        target = f"{column}={'RB' if red[0] < blue[0] else 'BR'}"
    return f"{name_of(ply.lifted.red)}>{target}" if ply.lifted else target
