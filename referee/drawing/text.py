"""A diagram as monospaced plain text: letters on all sides, marks as brackets, links between the squares.

Each square has a cell of one width, with one place before its symbol and one behind: the columns stand where they stand
whatever is marked. A place holds one sign; what more is to be said of a square is said below the board.
"""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from referee.core.diagram import Diagram, Link, MarkKind, Token
from referee.drawing.grid import Cell, Grid, cells, grid, symbol, visible
from referee.drawing.legend import MEANINGS, kinds
from referee.drawing.notes import notes

WIDTH = 80  # columns of a letter

# What stands before and behind a marked square. Of several marks the first in this order shows.
BRACKETS: Mapping[MarkKind, tuple[str, str]] = {
    "captured": ("{", "}"),
    "run": ("<", ">"),
    "to": ("[", "]"),
    "from": ("(", ")"),
    "last": ("[", "]"),
    "void": ("/", "\\"),
    "check": ("!", "!"),
    "quiet": ("'", "'"),
    "target": (">", "<"),
    "changed": ("[", "]"),
    "emptied": ("(", ")"),
}

RING = "*"  # behind a ringed token, in the place of a closing bracket
_EDGE = 2  # columns between the rows' numbers and the squares beside them

# Signs of empty squares, each the first of its candidates that is no symbol on this board.
_EMPTY: Mapping[str, str] = {
    "plain": ".·_,",
    "neutral": ":;|¦",
    "home": "^@#ˆ",
    "star": "+‡†",
    "centre": "*×¤",
}
_EMPTY_MEANS: Mapping[str, str] = {
    "plain": "empty",
    "neutral": "empty, neutral",
    "home": "empty, home",
    "star": "empty, star point",
    "centre": "empty, the centre",
}


@dataclass(frozen=True, slots=True)
class _Cell:
    """One square's text, as wide as all are, and what stands right before and behind it."""

    body: str
    before: str = ""
    behind: str = ""


class _Sheet:
    """The measured parts of a drawing: cells, and the gaps before each column and behind the last."""

    def __init__(self, diagram: Diagram, width: int) -> None:
        self.diagram = diagram
        self.grid = grid(diagram)
        self.shown: set[str] = set()  # the kinds of empty squares met, for the legend
        men = {(token.text, token.owner, token.ringed): token for token in diagram.tokens}.values()
        widest = max((cells(symbol(token)) for token in men), default=1)
        self.wide = max(widest, *(cells(column) for column in diagram.columns))
        self.signs = _signs(men, self.wide)
        self.label = max(cells(row) for row in diagram.rows)
        self.beside, self.below, self.apart = _sorted_links(diagram, self.grid)
        self.cells = self._cells()
        self.gaps = self._gaps(width)

    def _cells(self) -> list[list[_Cell]]:
        """The squares row by row. Most are like many others, and are looked at once for all of these; of a board whose
        squares are not tinted most have nothing about them at all."""
        width, height = self.grid.width, self.grid.height
        tokens, marks, tints, stars = self.grid.tokens, self.grid.marks, self.grid.tints, self.grid.stars
        special = {*stars, *tints, *tokens, *marks}
        blank = next((place for place in self.grid.names if place not in special), None)
        usual = _Cell("") if blank is None else self._cell(blank)
        found = [[usual] * width for _ in range(height)]
        for places in self.grid.alike.values():
            empty = [place for place in places if place not in tokens and place not in marks]
            cell = self._cell(empty[0]) if empty else usual
            for x, y in empty:
                found[y][x] = cell
        alike: dict[tuple[str, str, bool], _Cell] = {}
        for place, token in tokens.items():
            look = token.text, token.owner, token.ringed
            if place not in marks and look not in alike:
                alike[look] = self._cell(place)
            found[place[1]][place[0]] = alike.get(look, usual)
        for place in marks:
            found[place[1]][place[0]] = self._cell(place)
        return found

    def _gaps(self, width: int) -> list[int]:
        """The same room between all columns: a place behind one square, the widest link, a place before the next. At
        the edges a space parts the place from the row's number; on the left it is given up where the width needs it."""
        between = 2 + max((cells(link) for link in self.beside.values()), default=0)
        if self.below:
            corners = [(x, y) for x in range(1, self.grid.width) for y in range(self.grid.height)]
            between = max([between, *(cells(self._slants(x, y)) for x, y in corners)])
        columns = self.grid.width
        used = 2 * self.label + 2 * _EDGE + columns * self.wide + (columns - 1) * between
        return [_EDGE - (used == width + 1), *[between] * (columns - 1), _EDGE]

    def _cell(self, place: Cell) -> _Cell:
        token = self.grid.tokens.get(place)
        marks = self.grid.marks.get(place, ())
        body = symbol(token) if token else self._empty(place)
        before = behind = ""
        if marks or (token and token.ringed):
            worn = {mark.kind for mark in marks}
            before, behind = next((pair for kind, pair in BRACKETS.items() if kind in worn), ("", ""))
            if token and token.ringed:
                behind = RING
            body, before, behind = self._snug(body, before, behind, token is None)
        room = self.wide - cells(body)
        return _Cell(" " * room + body if token else _centred(body, self.wide), before, behind)

    def _snug(self, body: str, before: str, behind: str, empty: bool) -> tuple[str, str, str]:
        """The brackets drawn into the square's own width, where that has room: all of them or, as symbols are
        set to the right, those before it."""
        if empty and cells(body) + len(before) + len(behind) <= self.wide:
            return before + body + behind, "", ""
        if cells(body) + len(before) <= self.wide:
            return before + body, "", behind
        return body, before, behind

    def _empty(self, place: Cell) -> str:
        marks, tints = self.grid.marks.get(place, ()), self.grid.tints.get(place, ())
        for mark in marks:
            if mark.kind == "territory" and visible(mark.text):
                return visible(mark.text)[: self.wide]
        if "hole" in tints:
            return ""
        kind = "plain"
        if any(mark.kind == "centre" for mark in marks):
            kind = "centre"
        elif "home" in tints:
            kind = "home"
        elif "neutral" in tints:
            kind = "neutral"
        elif place in self.grid.stars:
            kind = "star"
        self.shown.add(kind)
        return self.signs[kind] * (self.wide if self.diagram.lattice == "islands" else 1)

    def _slants(self, x: int, y: int) -> str:
        """The diagonal links in the gap before column x, between rows y and y + 1."""
        return self.below.get((x - 1, y, 1), "") + self.below.get((x, y, -1), "")

    def panels(self, width: int) -> Iterable[range]:
        """As many columns side by side as fit, then the next."""
        start = 0
        while start < self.grid.width:
            used, stop = 2 * self.label + self.gaps[start] + self.wide, start + 1
            while stop < self.grid.width:
                used += self.gaps[stop] + self.wide
                if used + self.gaps[stop + 1] > width:
                    break
                stop += 1
            yield range(start, stop)
            start = stop

    def panel(self, columns: range) -> list[str]:
        heading = " " * self.label
        for x in columns:
            heading += " " * self.gaps[x] + _centred(self.diagram.columns[x], self.wide)
        lines = [heading]
        for y in range(self.grid.height):
            lines.append(self._row(columns, y))
            if self.below and y + 1 < self.grid.height:
                lines.append(self._between(columns, y))
        return [line.rstrip() for line in [*lines, heading]]

    def _row(self, columns: range, y: int) -> str:
        """A row's squares with what stands between them, which of most is blanks alone."""
        name, first, last = self.diagram.rows[y], columns.start, columns.stop
        shown = self.cells[y][first:last]
        edge = " " * (self.label - cells(name)) + name
        said = [x for x, cell in enumerate(shown) if cell.before or cell.behind]
        if not said and not self.beside:
            gap, end, between = (" " * self.gaps[x] for x in (first, last, min(first + 1, last)))
            return "".join((edge, gap, between.join([cell.body for cell in shown]), end, name))
        squares = [""] * (2 * len(shown) + 1)
        squares[1::2] = [cell.body for cell in shown]
        squares[::2] = [" " * blanks for blanks in self.gaps[first : last + 1]]
        linked = range(1, len(shown) + 1) if self.beside else ()
        for at in {*linked, *said, *(x + 1 for x in said)}:
            behind = shown[at - 1].behind if at else ""
            before = shown[at].before if at < len(shown) else ""
            link = self.beside.get((first + at - 1, y), "") if at else ""
            squares[2 * at] = _joint(behind, link, before, self.gaps[first + at])
        return "".join((edge, *squares, name))

    def _between(self, columns: range, y: int) -> str:
        line = " " * self.label
        for x in columns:
            line += _stretched(self._slants(x, y), self.gaps[x])
            line += _centred(self.below.get((x, y, 0), ""), self.wide)
        return line


def draw_text(diagram: Diagram, width: int = WIDTH, legend: bool = True) -> str:
    """The board as plain text, no line longer than `width`; a board too wide is drawn in parts, one below the
    other. With `legend`: the title before it, and what its signs mean after it."""
    sheet = _Sheet(diagram, width)
    blocks = ["\n".join(sheet.panel(columns)) for columns in sheet.panels(width)]
    if legend:
        title = visible(diagram.title)
        blocks = [*([textwrap.fill(title, width)] if title else []), *blocks]
        empty = [(sheet.signs[kind], _EMPTY_MEANS[kind]) for kind in _EMPTY if kind in sheet.shown]
        if lines := notes(diagram, [*empty, *_bracketed(diagram)], _covered(sheet.grid), sheet.apart, width):
            blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def _bracketed(diagram: Diagram) -> list[tuple[str, str]]:
    return [(" ".join(BRACKETS[kind]), MEANINGS[kind]) for kind in kinds(diagram) if kind in BRACKETS]


def _covered(index: Grid) -> Iterable[tuple[MarkKind, str]]:
    """The marks that another one of their square keeps from being seen, with the square. Those with a text of their
    own are told by that."""
    order = list(BRACKETS)
    for place, marks in index.marks.items():
        worn = sorted(
            (mark for mark in marks if mark.kind in BRACKETS), key=lambda mark: order.index(mark.kind)
        )
        for mark in worn[1:]:
            if BRACKETS[mark.kind] != BRACKETS[worn[0].kind] and not visible(mark.text):
                yield mark.kind, index.names[place]


def _signs(men: Collection[Token], wide: int) -> dict[str, str]:
    """The sign of each kind of empty square: no token may look like it, alone or repeated (islands), nor the star of
    a ringed one."""
    used = {symbol(token) for token in men} | {RING for token in men if token.ringed}
    return {
        kind: next((c for c in candidates if not {c, c * wide} & used), candidates[0])
        for kind, candidates in _EMPTY.items()
    }


def _sorted_links(
    diagram: Diagram, index: Grid
) -> tuple[dict[Cell, str], dict[tuple[int, int, int], str], list[Link]]:
    """Links to the right by their left square; links down by their upper square and side step; all others."""
    beside: dict[Cell, str] = {}
    below: dict[tuple[int, int, int], str] = {}
    apart: list[Link] = []
    for link in diagram.links:
        (x, y), right, down = index.step(link)
        sign = visible(link.text)
        if (right, down) == (1, 0):
            beside[x, y] = "-" if link.bond == "domino" or not sign else f"-{sign}-"
        elif down == 1 and abs(right) <= 1:
            stroke = {0: "|", 1: "\\", -1: "/"}[right]
            bare = link.bond == "domino" or not sign
            below[x, y, right] = stroke if bare else sign if right == 0 else stroke + sign
        else:
            apart.append(link)
    return beside, below, apart


def _centred(text: str, width: int) -> str:
    spare = width - cells(text)
    return " " * ((spare + 1) // 2) + text + " " * (spare // 2)


def _joint(behind: str, link: str, before: str, room: int) -> str:
    """What stands between two squares."""
    if not (behind or link or before):
        return " " * room
    return behind + _stretched(link, room - len(behind) - len(before)) + before


def _stretched(link: str, room: int) -> str:
    """A link drawn to fill the room between two squares."""
    spare = room - cells(link)
    if not link or link[0] != "-":
        return " " * ((spare + 1) // 2) + link + " " * (spare // 2)
    return "-" * ((spare + 1) // 2) + link + "-" * (spare // 2)
