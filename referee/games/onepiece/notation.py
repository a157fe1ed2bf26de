"""How a mail says what it orders (3.5): moves in full, by one cell of the lifted piece, and short, where gravity fixes
the row; keys, words, values."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from referee.core.complaint import Complaint, Line
from referee.core.orders.keyed import Wording
from referee.core.orders.sheet import BLANK, Sheet, SheetEntry, bare
from referee.games.onepiece.board import Cell, Colour, Grid, Ply, Words, cell_of, name_of
from referee.games.onepiece.state import Edge

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
    heights = [sum(cell[0] == col for cell in grid.cells) for col in range(grid.cols)]
    if owner := next((p for p in grid.pieces if str(p) == lifted), None):
        for col, _ in owner.cells:
            heights[col] -= 1
    red, blue = _halves(heights, after)
    return Words(red, blue, lifted)


def _split(text: str) -> tuple[str, str] | None:
    """The texts before and after the arrow, small letters without spaces; before is "" for a placement."""
    plain = tidied(text).lower().rstrip(" .,;!").removesuffix(" please").rstrip(" ,")
    plain = _TO.sub(">", plain).replace(" ", "")
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


Orders = Sheet[str]  # the value of an entry is its text

COLOURS: Mapping[str, Colour] = {"red": "red", "r": "red", "blue": "blue", "b": "blue"}
EDGES: Mapping[str, Edge] = {
    **dict.fromkeys(("south", "s", "bottom"), "south"),
    **dict.fromkeys(("north", "n", "top"), "north"),
    **dict.fromkeys(("east", "e", "right"), "east"),
    **dict.fromkeys(("west", "w", "left"), "west"),
}
_EDGE = re.compile(r"(?:the )?([a-z]+?)(?:ern)?(?: (?:edge|side))?")
_N = r"(?:n\s*[=:]\s*\+?-?\d|no claim\b)"  # how a claim begins, without the key
_CLAIM = re.compile(rf"(.*?)(?<![\s,;])[\s,;]+(?:(?:i\s+)?claim[:\s]+|(?={_N}))(.+)", re.I)
UNCLAIMED = ("no claim", "none", "no")
CLAIMED = re.compile(
    r"(?:(?:an? |the )?win (?:in|at|for) |in )?(?:(?:ply )?x ?\+ ?|n ?[=:] ?)?\+?(-?\d{1,4})"
    r"(?: (?:pl(?:y|ies)|moves?))?[ .!;]*",
    re.I,
)
_SLOT = r"[\s._\-?()\[\]]*"  # a line of a form was left as it was: nothing, or only dots, dashes and the like
_BARE = dict.fromkeys(("red", "blue"), "colours") | dict.fromkeys(("south", "north", "east", "west"), "edge")


def edge_of(text: str) -> Edge | None:
    """The edge that a text names: south, the eastern side."""
    found = _EDGE.fullmatch(bare(text))
    return EDGES.get(found[1]) if found else None


def _claims(text: str) -> bool:
    return bare(text) in UNCLAIMED or CLAIMED.fullmatch(text) is not None


def _keyless(text: str) -> tuple[str, str] | None:
    word = bare(text)
    if word in ("draw", "offer draw", "offer a draw", "i offer a draw"):
        return "offer", ""
    if word in ("without claim", "without a claim", "i don't claim"):
        return "claim", "none"
    if re.match(_N, word) and _claims(text):
        return "claim", text
    also = re.split(rf"[\s,;]+(?={_N})", text, maxsplit=1, flags=re.I)
    if move_like(also[0]) and (len(also) == 1 or _claims(also[1])):
        return "move", text
    return (_BARE[word], word) if word in _BARE else None


def _valued(order: str, value: str, line: Line) -> Iterable[SheetEntry[str]]:
    if order in ("offer", "accept") and bare(value) not in ("draw", "a draw", "the draw", "yes"):
        order = "draw?"
    return (SheetEntry(order, value, line),)


def _understood(text: str, line: Line) -> Iterator[SheetEntry[str] | Complaint]:
    """A claim may stand behind its move."""
    for entry in WORDING.understood(text, line):
        if isinstance(entry, Complaint) or entry.order != "move" or entry.value is BLANK:
            yield entry
        elif also := _CLAIM.fullmatch(entry.value):
            for order, said in (("move", also[1]), ("claim", also[2])):
                yield SheetEntry(order, BLANK if re.fullmatch(_SLOT, said) else said, line)
        else:
            yield entry


WORDING = Wording(
    keys="move, moves, my move, place, relocate, ply, answer, reply | claim, claims, i claim"
    "| demonstrate, demonstration | colours, colour, colors, color, my colour | edge, game edge | offer | accept"
    "| comment, comments, press",
    words="resign | give up, giveup | pass | accept, accept draw, accept the draw",
    keyless=_keyless,
    valued=_valued,
    blank=_SLOT,
    rule="3.5",
    plain=tidied,
)
NOTATION = replace(WORDING.notation, understood=_understood)
