"""The orders of a mail, line by line: keys, words, values; what is an order and what is courtesy (3.5)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.core.block import Block, Vocabulary, action_block, bare, keyed
from referee.core.complaint import Complaint, Line
from referee.core.orderlike import Terms, words
from referee.games.onepiece.mail.notation import move_like, tidied

# The ways to write a key.
KEYS = {
    "move": "move", "moves": "move", "my move": "move", "place": "move", "relocate": "move", "ply": "move",
    "answer": "move",
    "reply": "move", "claim": "claim", "claims": "claim", "i claim": "claim",
    "colours": "colours", "colour": "colours", "colors": "colours", "color": "colours", "my colour": "colours",
    "edge": "edge", "game edge": "edge", "offer": "offer", "accept": "accept", "demonstrate": "demonstrate",
    "demonstration": "demonstrate", "comment": "comment", "comments": "comment", "press": "comment",
}  # fmt: skip
WORDS = {
    "resign": "resign", "i resign": "resign", "give up": "give up", "giveup": "give up", "pass": "pass",
    "offer draw": "offer", "draw": "offer", "i offer a draw": "offer", "offer a draw": "offer",
    "accept draw": "accept", "accept": "accept", "i accept": "accept", "accept the draw": "accept",
}  # fmt: skip
COLOURS = {"red": "red", "r": "red", "blue": "blue", "b": "blue"}
EDGES = {name: name for name in ("south", "north", "east", "west")}
EDGES |= {name[0]: name for name in EDGES} | {
    "bottom": "south",
    "top": "north",
    "right": "east",
    "left": "west",
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


@dataclass(frozen=True, slots=True)
class Entry:
    """An order: what it is, its value, its line."""

    order: str
    value: str
    line: Line


@dataclass(frozen=True, slots=True)
class Sheet:
    """The orders of a mail, the complaints about lines that are none, the courtesy around them. `unmoved`: a form whose
    line for the move was left as it was; `orders`: the lines that are no courtesy."""

    entries: tuple[Entry, ...]
    complaints: tuple[Complaint, ...]
    courtesy: tuple[Line, ...]
    unmoved: bool = False
    orders: tuple[Line, ...] = ()

    def of(self, *orders: str) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.entries if entry.order in orders)

    @property
    def comment(self) -> str:
        return "\n".join(entry.value for entry in self.of("comment") if entry.value)


def sheet_of(lines: Sequence[Line]) -> Sheet:
    """Every line of the action block as an order, or a complaint (atomic mail)."""
    block: Block = action_block([Line(line.number, tidied(line.text)) for line in lines], _VOCABULARY)
    entries: list[Entry] = []
    complaints = [Complaint("unclear", "3.5", line) for line in block.doubtful]
    raw = {line.number: line.text for line in lines}
    for line in block.orders:
        found = tuple(_entries(line, raw[line.number]))
        entries += found
        if not found:
            complaints.append(Complaint("not_understood", "3.5", line))
    filled = tuple(
        e for e in entries if e.order == "comment" or not _slot(e.value) or e.order in WORDS.values()
    )
    unmoved = any(entry.order == "move" for entry in entries) and not any(e.order == "move" for e in filled)
    numbers = {line.number for line in (*block.orders, *block.doubtful)}
    orders = tuple(line for line in lines if line.number in numbers)
    return Sheet(filled, tuple(complaints), block.courtesy, unmoved, orders)


def _entries(line: Line, raw: str) -> Iterator[Entry]:
    """The orders of a line; words to others are passed on as they were written."""
    key, value = keyed(line.text)
    if value is not None and (order := KEYS.get(key)):
        if order == "move" and (also := _CLAIM.fullmatch(value)):
            yield Entry("move", also[1], line)
            yield Entry("claim", also[2], line)
        elif order == "comment":
            yield Entry(order, keyed(raw)[1] or value, line)
        elif order in ("offer", "accept"):
            yield Entry(
                order if bare(value) in ("draw", "a draw", "the draw", "yes", "") else "draw?", value, line
            )
        else:
            yield Entry(order, value, line)
    elif word := WORDS.get(bare(line.text)):
        yield Entry(word, "", line)
    elif move_like(line.text):
        yield Entry("move", line.text, line)
    elif order := _BARE.get(bare(line.text)):
        yield Entry(order, bare(line.text), line)


def _slot(value: str) -> bool:
    """Whether a line of a form was left as it was: nothing, or only dots, dashes and the like."""
    return not re.sub(r"[\s._\-?()\[\]]", "", value)
