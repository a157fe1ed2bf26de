"""The orders of a mail, line by line: keys, words, values; what is an order and what is courtesy (3.5)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from referee.core.complaint import Line
from referee.core.orders.block import bare
from referee.core.orders.keyed import Wording
from referee.core.orders.sheet import BLANK, Sheet, SheetEntry
from referee.games.onepiece.board.grid import Colour
from referee.games.onepiece.mail.notation import move_like, tidied
from referee.games.onepiece.state import Edge

Orders = Sheet[str]  # the value of an entry is its text

COLOURS: Mapping[str, Colour] = {"red": "red", "r": "red", "blue": "blue", "b": "blue"}
EDGES: Mapping[str, Edge] = {
    **dict.fromkeys(("south", "s", "bottom"), "south"),
    **dict.fromkeys(("north", "n", "top"), "north"),
    **dict.fromkeys(("east", "e", "right"), "east"),
    **dict.fromkeys(("west", "w", "left"), "west"),
}
_EDGE = re.compile(r"(?:the )?([a-z]+?)(?:ern)?(?: (?:edge|side))?")
_CLAIM = re.compile(r"(.*?)(?<![\s,;])[\s,;]+(?:i\s+)?claim[:\s]+(\S+)", re.I)
_SLOT = r"[\s._\-?()\[\]]*"  # a line of a form was left as it was: nothing, or only dots, dashes and the like
_BARE = dict.fromkeys(("red", "blue"), "colours") | dict.fromkeys(("south", "north", "east", "west"), "edge")


def edge_of(text: str) -> Edge | None:
    """The edge that a text names: south, the eastern side."""
    found = _EDGE.fullmatch(bare(text))
    return EDGES.get(found[1]) if found else None


def _keyless(text: str) -> tuple[str, str] | None:
    word = bare(text)
    if word in ("draw", "offer draw", "offer a draw", "i offer a draw"):
        return "offer", ""
    if word in ("no claim", "without claim", "without a claim", "i don't claim"):
        return "claim", "none"
    if move_like(text):
        return "move", text
    return (_BARE[word], word) if word in _BARE else None


def _valued(order: str, value: str, line: Line) -> Iterable[SheetEntry[str]]:
    """A claim may stand behind its move."""
    if order in ("offer", "accept") and bare(value) not in ("draw", "a draw", "the draw", "yes"):
        order = "draw?"
    if order != "move" or not (also := _CLAIM.fullmatch(value)):
        return (SheetEntry(order, value, line),)
    said = (("move", also[1]), ("claim", also[2]))
    return [SheetEntry(what, BLANK if re.fullmatch(_SLOT, text) else text, line) for what, text in said]


WORDING = Wording(
    keys="move, moves, my move, place, relocate, ply, answer, reply | claim, claims, i claim"
    "| demonstrate, demonstration | colours, colour, colors, color, my colour | edge, game edge | offer | accept"
    "| comment, comments, press",
    words="resign, i resign | give up, giveup | pass | accept, accept draw, i accept, accept the draw",
    keyless=_keyless,
    valued=_valued,
    blank=_SLOT,
    rule="3.5",
    plain=tidied,
    whole="resign giveup pass draw accept accepted agreed remis decline declined reject rejected",
    actions="claim claims claimed claiming move moves moved place places placed relocate relocates demonstrate "
    "horizontal horizontally vertical vertically",
    gestures="lift lifts win wins take takes took remove removes agree agrees",
    pieces="piece pieces domino dominoes half halves",
    values="red blue south north east west draw",
    square=r"(?:[rb]?[a-p]\d{1,2}){1,2}",
    written=r"(?<![a-z\d])[a-p] ?(?:= ?[rb]{2}|\^ ?[rb])(?![a-z\d])|(?<![a-z\d])n ?[=:] ?\d|\bcolumns? [a-p]\b"
    r"|\b(?:vertical|horizontal)(?:ly)? (?:in|on|at) [a-p]\b|(?<![a-z\d])[a-p] (?:vertical|horizontal)"
    r"|^(?:and |also )?i (?:hereby )?claim\W*$",
)
NOTATION = WORDING.notation
