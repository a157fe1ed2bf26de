"""One line of a setup (605.B): which piece goes where, in any usual writing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from referee.core.complaint import Line
from referee.games.fourplay.army.catalogue import Catalogue
from referee.games.fourplay.notation import SQUARE_LIKE, square_of, tidied

LINKS: Final = {
    "at",
    "on",
    "and",
    "to",
    "x",
    "square",
    "squares",
    "in",
}  # words that say nothing between squares


@dataclass(frozen=True, slots=True)
class Placing:
    """A line that puts pieces on squares. `piece` is None where no piece of that `name` is known; `squares` are as
    the rules write them, whether they exist or not; `unclear` are words among them that are no squares."""

    line: Line
    name: str
    piece: str | None
    count: int | None
    squares: tuple[str, ...]
    unclear: tuple[str, ...] = ()


def placing(line: Line, catalogue: Catalogue) -> Placing | None:
    """The line as one that places pieces; None where it names no square at all."""
    text = re.sub(r"\.{2,}|_{2,}", " ", tidied(line.text))
    name, rest = _name_and_rest(text, catalogue)
    words = [w.strip(".") for w in re.split(r"[\s,;+&/()|:=]+", rest)]
    words = [w for w in words if w and w.lower() not in LINKS]
    squares = [w for w in words if SQUARE_LIKE.fullmatch(w)]
    if not squares or not name:
        return None
    counted = re.fullmatch(r"(\d+)\s*x?\s+(.*)|(.*?)\s+x?\s*(\d+)", name)
    count = next((int(n) for n in (counted[1], counted[4]) if n), None) if counted else None
    bare = next((n for n in (counted[2], counted[3]) if n), "") if counted else name
    piece = catalogue.find(name) or catalogue.find(bare)
    unclear = tuple(w for w in words if not SQUARE_LIKE.fullmatch(w))
    return Placing(line, bare, piece.name if piece else None, count, tuple(map(square_of, squares)), unclear)


def _name_and_rest(text: str, catalogue: Catalogue) -> tuple[str, str]:
    """What stands for the piece, and what for the squares."""
    head, sign, tail = (part.strip() for part in re.match(r"([^:=|]*)([:=|]?)(.*)", text).groups())  # type: ignore[union-attr]
    if sign and head and not SQUARE_LIKE.fullmatch(head):
        return head, tail
    words = re.split(r"[\s,]+", text.replace(":", " "))
    for size in range(min(4, len(words) - 1), 0, -1):
        if catalogue.find(re.sub(r"^\d+\s*x?\s+", "", " ".join(words[:size]))):
            return " ".join(words[:size]), " ".join(words[size:])
    plain = [w for w in words if not SQUARE_LIKE.fullmatch(w) and w.lower() not in LINKS]
    return " ".join(plain).strip(" -"), " ".join(w for w in words if SQUARE_LIKE.fullmatch(w))
