"""A diagram as monospaced plain text: letters on all sides, marks as brackets, links between the squares.

Each square has a cell of one width, with one place before its symbol and one behind: the columns stand where they stand
whatever is marked. A place holds one sign; what more is to be said of a square is said below the board.
"""

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from referee.core.diagram import Diagram, MarkKind
from referee.draw.grid import SIGNS, Cell, Grid, cells, given, grid, kinds, symbol, visible

WIDTH = 80  # columns of a letter

# What stands before and behind a marked square. Of several marks the first in this order shows.
BRACKETS: Mapping[MarkKind, tuple[str, str]] = {
    "captured": ("{", "}"),
    "run": ("<", ">"),
    "to": ("[", "]"),
    "from": ("(", ")"),
    "last": ("[", "]"),
    "void": ("/", "\\"),
    "quiet": ("'", "'"),
    "target": (">", "<"),
    "changed": ("[", "]"),
    "emptied": ("(", ")"),
}

RING = "*"  # behind a ringed token, in the place of a closing bracket
_EDGE = 2  # columns between the rows' numbers and the squares beside them

# What an empty square means, and its sign: the first of these that is no symbol on this board.
_EMPTY: Mapping[str, tuple[str, str]] = {
    "plain": ("empty", ".·_,"),
    "neutral": ("empty, neutral", ":;|¦"),
    "home": ("empty, home", "^@#ˆ"),
    "star": ("empty, star point", "+‡†"),
    "centre": ("empty, the centre", "*×¤"),
}


_Square = tuple[str, str, str]  # its text, as wide as all are, and what stands right before and behind it


class _Sheet:
    """Measured parts of a drawing: cells, and the gaps before each column and behind the last."""

    def __init__(self, diagram: Diagram, width: int) -> None:
        self.diagram = diagram
        self.grid = grid(diagram)
        self.shown: set[str] = set()  # the kinds of empty squares met, for the legend
        men = {(token.text, token.owner, token.ringed): token for token in diagram.tokens}.values()
        widest = max((cells(symbol(token)) for token in men), default=1)
        self.wide = max(widest, *(cells(column) for column in diagram.columns))
        # the sign of each kind of empty square: no token may look like it, alone or repeated (islands), nor the star of
        # a ringed one
        used = {symbol(token) for token in men} | {RING for token in men if token.ringed}
        self.signs = {
            kind: next((c for c in candidates if not {c, c * self.wide} & used), candidates[0])
            for kind, (_, candidates) in _EMPTY.items()
        }
        self.label = max(cells(row) for row in diagram.rows)
        self.beside, self.below = _sorted_links(diagram, self.grid)
        self.squares = {place: self._square(place) for place in self.grid.names}
        self.gaps = self._gaps(width)

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

    def _square(self, place: Cell) -> _Square:
        token = self.grid.tokens.get(place)
        worn = {mark.kind for mark in self.grid.marks.get(place, ())}
        body = symbol(token) if token else self._empty(place)
        before, behind = next((pair for kind, pair in BRACKETS.items() if kind in worn), ("", ""))
        if token and token.ringed:
            behind = RING
        # brackets are drawn into the square's own width where it has room: all or, as symbols are set to the right,
        # those before it
        room = self.wide - cells(body)
        if token is None and len(before) + len(behind) <= room:
            body, before, behind = before + body + behind, "", ""
        elif len(before) <= room:
            body, before = before + body, ""
        room = self.wide - cells(body)
        return " " * room + body if token else _centred(body, self.wide), before, behind

    def _empty(self, place: Cell) -> str:
        marks, tints = self.grid.marks.get(place, ()), self.grid.tints.get(place, ())
        if "hole" in tints:
            return ""
        there = {*tints, *(mark.kind for mark in marks), *(["star"] if place in self.grid.stars else [])}
        kind = next((kind for kind in ("centre", "home", "neutral", "star") if kind in there), "plain")
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
                line = " " * self.label
                for x in columns:
                    line += _joint("", self._slants(x, y), "", self.gaps[x])
                    line += _centred(self.below.get((x, y, 0), ""), self.wide)
                lines.append(line)
        return [line.rstrip() for line in [*lines, heading]]

    def _row(self, columns: range, y: int) -> str:
        """A row's squares with what stands between them."""
        name, link, behind = self.diagram.rows[y], "", ""
        line = " " * (self.label - cells(name)) + name
        for x in columns:
            body, before, after = self.squares[x, y]
            line += _joint(behind, link, before, self.gaps[x]) + body
            link, behind = self.beside.get((x, y), ""), after
        return line + _joint(behind, link, "", self.gaps[columns.stop]) + name


@lru_cache(maxsize=16)
def draw_text(diagram: Diagram, width: int = WIDTH, legend: bool = True, notes: bool = False) -> str:
    """The board as plain text, no line longer than `width`; a board too wide is drawn in parts. With
    `legend`: the title before it, and what its signs mean after it; with `notes` what it hides."""
    sheet = _Sheet(diagram, width)
    blocks = ["\n".join(sheet.panel(columns)) for columns in sheet.panels(width)]
    if legend and (title := visible(diagram.title)):
        blocks.insert(0, textwrap.fill(title, width))
    lines = _rows(diagram, sheet, width) if legend else []
    if legend or notes:
        lines += _notes(diagram, _covered(sheet.grid) if legend else (), width)
    if lines:
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def _covered(index: Grid) -> Iterable[tuple[MarkKind, str]]:
    """The marks that another one of their square keeps from being seen, with the square. Those with a text of their
    own are told by that."""
    for place, marks in index.marks.items():
        worn = [mark for kind in BRACKETS for mark in marks if mark.kind == kind]
        for mark in worn[1:]:
            if BRACKETS[mark.kind] != BRACKETS[worn[0].kind] and not visible(mark.text):
                yield mark.kind, index.names[place]


def _sorted_links(diagram: Diagram, index: Grid) -> tuple[dict[Cell, str], dict[tuple[int, int, int], str]]:
    """Links to the right by their left square; links down by their upper square and side step."""
    beside: dict[Cell, str] = {}
    below: dict[tuple[int, int, int], str] = {}
    for link in diagram.links:
        (x, y), right, down = index.step(link)
        sign = visible(link.text) if link.bond == "bridge" else ""
        if not down:
            beside[x, y] = f"-{sign}-" if sign else "-"
        else:
            stroke = {0: "|", 1: "\\", -1: "/"}[right]
            below[x, y, right] = sign if sign and not right else stroke + sign
    return beside, below


def _centred(text: str, width: int) -> str:
    spare = width - cells(text)
    return " " * ((spare + 1) // 2) + text + " " * (spare // 2)


def _joint(behind: str, link: str, before: str, room: int) -> str:
    """What stands between two squares: a link fills the room between the signs of both."""
    spare, line = room - len(behind) - len(before) - cells(link), "-" if link[:1] == "-" else " "
    return behind + line * ((spare + 1) // 2) + link + line * (spare // 2) + before


# --- below the board -----------------------------------------------------------------------------------------------


def _rows(diagram: Diagram, sheet: _Sheet, width: int) -> list[str]:
    """The game's legend, then the drawing's own signs that it has not explained."""
    own, worn = given(diagram), [kind for kind in kinds(diagram) if kind in BRACKETS]
    signs = [(sheet.signs[kind], _EMPTY[kind][0]) for kind in _EMPTY if kind in sheet.shown]
    signs += [(" ".join(BRACKETS[kind]), SIGNS[kind].meaning) for kind in worn]
    said = {sign for sign, _ in own}
    rows = [*own, *(row for row in signs if row[0] not in said)]
    deep = max((cells(sign) for sign, _ in rows), default=0)
    return _tabled([sign + " " * (deep - cells(sign)) + "  " + meaning for sign, meaning in rows], width)


def _notes(diagram: Diagram, covered: Iterable[tuple[MarkKind, str]], width: int) -> list[str]:
    """The marks that have a text, by that text; then those that others cover, with their squares."""
    found: dict[str, list[str]] = {}
    for mark in diagram.marks:
        if visible(mark.text):
            what = mark.kind if mark.kind in ("from", "to") else f"{SIGNS[mark.kind].meaning}:"
            found.setdefault(visible(mark.text), []).append(f"{what} {mark.square}")
    for kind, square in covered:
        found.setdefault(f"Also {SIGNS[kind].meaning}", []).append(square)
    sentences = (f"{text}: {', '.join(said)}." for text, said in found.items())
    return [line for sentence in sentences for line in textwrap.wrap(sentence, width)]


def _tabled(entries: Sequence[str], width: int) -> list[str]:
    """Short entries side by side, read down the columns; long ones below each other with a hanging indent."""
    widest = max((cells(entry) for entry in entries), default=0)
    abreast = max(1, min((width + 3) // (widest + 3), (len(entries) + 3) // 4)) if widest else 1
    if abreast == 1:
        return [line for entry in entries for line in textwrap.wrap(entry, width, subsequent_indent="    ")]
    deep = -(-len(entries) // abreast)
    rows = (entries[y::deep] for y in range(deep))
    return ["   ".join(entry + " " * (widest - cells(entry)) for entry in row).rstrip() for row in rows]
