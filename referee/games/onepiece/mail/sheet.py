"""The orders of a mail, line by line: keys, words, values; what is an order and what is courtesy (3.5)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from referee.core.complaint import Complaint, Line
from referee.core.orders.block import Vocabulary, bare, keyed
from referee.core.orders.orderlike import Terms, words
from referee.core.orders.sheet import Notation, Sheet, SheetEntry, meanings
from referee.games.onepiece.board.grid import Colour
from referee.games.onepiece.mail.notation import move_like, tidied
from referee.games.onepiece.state import Edge

Orders = Sheet[str]  # the value of an entry is its text

UNMOVED = "unmoved"  # the order of a line for the move that was left as the form had it

KEYS = meanings(
    "move, moves, my move, place, relocate, ply, answer, reply | claim, claims, i claim | demonstrate, demonstration"
    "| colours, colour, colors, color, my colour | edge, game edge | offer | accept | comment, comments, press",
    ",",
)
WORDS = {
    **meanings(
        "resign, i resign | give up, giveup | pass | accept, accept draw, i accept, accept the draw", ","
    ),
    **dict.fromkeys(("draw", "offer draw", "offer a draw", "i offer a draw"), "offer"),
}
COLOURS: Mapping[str, Colour] = {"red": "red", "r": "red", "blue": "blue", "b": "blue"}
EDGES: Mapping[str, Edge] = {
    **dict.fromkeys(("south", "s", "bottom"), "south"),
    **dict.fromkeys(("north", "n", "top"), "north"),
    **dict.fromkeys(("east", "e", "right"), "east"),
    **dict.fromkeys(("west", "w", "left"), "west"),
}
_CLAIM = re.compile(r"(.*?)(?<![\s,;])[\s,;]+(?:i\s+)?claim[:\s]+(\S+)", re.I)
_BARE = dict.fromkeys(("red", "blue"), "colours") | dict.fromkeys(("south", "north", "east", "west"), "edge")
TERMS = Terms(
    keys=frozenset(key.replace(" ", "") for key in KEYS) - {"comment", "comments", "press"},
    whole=words("resign giveup pass draw accept accepted agreed remis decline declined reject rejected"),
    actions=words(
        "claim claims claimed claiming move moves moved place places placed relocate relocates demonstrate horizontal "
        "horizontally vertical vertically"
    ),
    gestures=words("lift lifts win wins take takes took remove removes agree agrees"),
    pieces=words("piece pieces domino dominoes half halves"),
    values=words("red blue south north east west draw"),
    square=re.compile(r"(?:[rb]?[a-p]\d{1,2}){1,2}"),
    notation=re.compile(
        r"(?<![a-z\d])[a-p] ?(?:= ?[rb]{2}|\^ ?[rb])(?![a-z\d])|(?<![a-z\d])n ?[=:] ?\d|\bcolumns? [a-p]\b"
        r"|\b(?:vertical|horizontal)(?:ly)? (?:in|on|at) [a-p]\b|(?<![a-z\d])[a-p] (?:vertical|horizontal)"
        r"|^(?:and |also )?i (?:hereby )?claim\W*$"
    ),
)
_VOCABULARY = Vocabulary(
    keys=frozenset(KEYS),
    words=frozenset(WORDS),
    orders=lambda text: move_like(text) or bare(text) in _BARE,
    terms=TERMS,
)


def _understood(text: str, line: Line) -> Iterator[SheetEntry[str] | Complaint]:
    """The orders of a line from its plain text. A line of a form that was left as it was orders nothing; words to
    others are passed on as they were written."""
    key, value = keyed(text)
    if value is not None and (order := KEYS.get(key)):
        yield from _keyed(order, value, line)
    elif word := WORDS.get(bare(text)):
        yield SheetEntry(word, "", line)
    elif move_like(text):
        yield SheetEntry("move", text, line)
    elif order := _BARE.get(bare(text)):
        yield SheetEntry(order, bare(text), line)
    else:
        yield Complaint("not_understood", "3.5", line)


def _keyed(order: str, value: str, line: Line) -> Iterator[SheetEntry[str]]:
    if order == "comment":
        yield SheetEntry(order, keyed(line.text)[1] or value, line)
    elif order in ("offer", "accept"):
        if bare(value) in ("draw", "a draw", "the draw", "yes", ""):
            yield SheetEntry(order, value, line)
        elif not _slot(value):
            yield SheetEntry("draw?", value, line)
    elif order == "move" and (also := _CLAIM.fullmatch(value)):
        yield from _unless_slot("move", also[1], line)
        yield from _unless_slot("claim", also[2], line)
    else:
        yield from _unless_slot(order, value, line)


def _unless_slot(order: str, value: str, line: Line) -> Iterator[SheetEntry[str]]:
    if not _slot(value):
        yield SheetEntry(order, value, line)
    elif order == "move":
        yield SheetEntry(UNMOVED, "", line)


def _slot(value: str) -> bool:
    """Whether a line of a form was left as it was: nothing, or only dots, dashes and the like."""
    return not re.sub(r"[\s._\-?()\[\]]", "", value)


NOTATION = Notation(_VOCABULARY, tidied, _understood, "3.5")
