"""A match at a terminal: each round's moves, then its board, in colour."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable

from referee.core.diagram import Diagram
from referee.draw import draw_text
from referee.draw.grid import symbol
from referee.match.match import Match
from referee.match.record.text import notation
from referee.service.wiring import Referee

WIDTH = 100  # columns of what is told of a move, and three lines of it at most
_HEAD = re.compile(r"(?im) nonce \w+$|\n\| *(?:(?:name|player|email|round|cycle)\s*:.*)?$")  # of a form
_INKS = {"red": 31, "green": 32, "yellow": 33, "blue": 94, "purple": 35, "grey": 90}  # ECMA-48


def painted(diagram: Diagram, *, legend: bool) -> str:
    """The board as text, each piece in its owner's colour."""
    inks = {symbol(token): _INKS[token.colour] for token in diagram.tokens if token.colour in _INKS}
    signs = "|".join(map(re.escape, sorted(inks, key=len, reverse=True))) or "(?!)"
    piece = re.compile(rf"(?<=[\s\[({{<!>])(?:{signs})(?=[\s\])}}>!<*])")

    def inked(row: re.Match[str]) -> str:
        return piece.sub(lambda sign: f"\x1b[{inks[sign[0]]}m{sign[0]}\x1b[0m", row[0])

    return re.sub(r"(?m)^ *(\S+) .* \1$", inked, draw_text(diagram, legend=legend).rstrip())


class Onlooker:
    """Is told what is public alone, whenever the match has moved."""

    def __init__(self, referee: Referee, show: Callable[[str], None]) -> None:
        self._referee, self._show, self._round, self._version, self._board = referee, show, "", 0, ""

    def look(self, match: Match) -> None:
        with self._referee.store.transaction() as unit:
            entries = unit.history(match.name, self._version)
        self._version = match.version
        for entry in entries:
            if entry.public and (block := notation([entry])):
                self._begin(block[0].split(maxsplit=3)[-1].partition(" / ")[0])
                self._show(_lines(match, "\n".join(block[1:])))
        view = match.view(None)
        if view and view.diagram and view.diagram.tokens:
            self._board = painted(view.diagram, legend=not self._board)
        if match.status == "ended":
            self._begin("")

    def _begin(self, round_of: str) -> None:  # first the board that the last one left
        if round_of != self._round:
            self._round = round_of
            self._show((f"\n{self._board}\n\n" if self._board else "\n") + round_of)


def _lines(match: Match, block: str) -> str:
    """For each answer who gave it, and what was written, without the head of the form."""
    told = re.sub(r"\n\|[ ]?", "; ", _HEAD.sub("", block)).replace(":; ", ": ")

    def who(found: re.Match[str]) -> str:
        return f"{match.entrant(int(found[1])).name} (Player {found[1]}):{'' if found[2] else ' nothing in time'}"

    said = re.sub(r"(?m)^Player (\d+), [^;\n]*(;|$)", who, told).splitlines()
    cut = (f"  {textwrap.shorten(line, 3 * WIDTH)}" for line in said)
    return "\n".join(textwrap.fill(line, WIDTH, subsequent_indent="      ") for line in cut)
