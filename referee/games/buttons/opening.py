"""How a match is opened: options and data to rules, with every fault named, and the shuffle of the puzzle."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from referee.core.chance import Chance
from referee.core.game import Setup
from referee.core.options import Options, typed
from referee.games.buttons import events as ev
from referee.games.buttons.board import LINE, Board, board_of, too_much
from referee.games.buttons.puzzle import pairs_of, reached
from referee.games.buttons.state import Cells, Rules, Values, buttons

_RANGE = re.compile(r"(\d+)\s*\.\.\s*(\d+)")
_CELL = re.compile(r"\s*(?:([BbWw])(\d{1,2})|(\.{1,2})|(##?))[\s,]*")
_LARGEST_VALUE = 99


def judged(setup: Setup) -> tuple[Rules | None, tuple[str, ...]]:
    """The rules that options and data give, and every reason why no match can be opened so."""
    options = setup.options
    board, layout, faults = _board(options.text("bridges"), setup.data.get("board", {}))
    values, bad = _values(options.text("values"), layout)
    faults += bad
    if board is None or values is None:
        return None, tuple(faults)
    rules = _rules(options, board, values)
    longest = max(max(row) for row in values)
    if len(board.spaces) > 1 and too_much(board, min(longest, len(board.spaces))):
        faults.append(f"The board {board.name} with values up to {longest} has too many ways to work out.")
    faults += _solo_faults(rules, options) if rules.solo else _two_faults(options)
    if (text := options.text("position")) and not faults:
        faults += position(rules, text)[1]
    return rules, tuple(faults)


def opening_events(setup: Setup, chance: Chance) -> tuple[ev.Event, ...]:
    """The first facts; forced passes and the like, which follow from them, are added by the caller. O5: either player
    may begin."""
    rules, faults = judged(setup)
    if rules is None or faults:
        raise ValueError("; ".join(faults))
    told: list[ev.Event] = [ev.RulesSet(rules)]
    if not rules.solo:
        told.append(ev.StarterDrawn.of(rules.starter, chance))
    if text := setup.options.text("position"):
        told.append(ev.PositionSet(position(rules, text)[0]))
    elif rules.solo:
        told.append(_shuffle(rules, setup.options.text("seed"), chance))
    return tuple(told)


def _shuffle(rules: Rules, seed: str, chance: Chance) -> ev.ButtonsShuffled:
    """Black's buttons in ascending order, then white's, shuffled; the result fills the spaces in reading order."""
    if seed != "match":
        chance = Chance(published(int(seed)))
    before = len(chance.transcript)
    cells = chance.shuffle(buttons(rules.values), "the shuffle of the buttons")
    return ev.ButtonsShuffled(cells, chance.seed, chance.transcript[before:])


def published(number: int) -> str:
    """The seed that a published number stands for: the same for the option `seed` as for a match opened with it."""
    return hashlib.sha256(f"referee seed {number}".encode()).hexdigest()


def _board(name: str, data: Any) -> tuple[Board | None, Mapping[str, Any], list[str]]:
    layout = data.get(name)
    if not isinstance(layout, Mapping):
        return None, {}, [f"There is no board {name!r}; there are: {', '.join(sorted(data)) or 'none'}."]
    board, faults = board_of(name, layout)
    return board, layout, list(faults)


def _values(text: str, layout: Mapping[str, Any]) -> tuple[Values | None, list[str]]:
    if text.strip().lower() == "board":
        given = layout.get("values", {})
        texts = [" ".join(str(value) for value in given.get(colour, ())) for colour in ("black", "white")]
    else:
        black, slash, white = text.partition("/")
        texts = [black, white if slash else black]
    rows = [_numbers(row) for row in texts]
    faults = [
        f"The values {row!r} of the {colour} buttons should be at least {LINE} numbers from 1 to {_LARGEST_VALUE}, "
        "such as 1 1 2 2 3 3 4 4 or 1..8."
        for colour, row, found in zip(("black", "white"), texts, rows, strict=True)
        if found is None
    ]
    if rows[0] is None or rows[1] is None:
        return None, list(dict.fromkeys(faults))
    return (rows[0], rows[1]), []


def _numbers(text: str) -> tuple[int, ...] | None:
    found: list[int] = []
    for word in _RANGE.sub(r"\1..\2", text.replace(",", " ")).split():
        if span := _RANGE.fullmatch(word):
            found += range(int(span[1]), min(int(span[2]), _LARGEST_VALUE + 1) + 1)
        elif word.isdecimal():
            found.append(int(word))
        else:
            return None
    possible = len(found) >= LINE and all(1 <= value <= _LARGEST_VALUE for value in found)
    return tuple(sorted(found)) if possible else None


def _rules(options: Options, board: Board, values: Values) -> Rules:
    table = options.text("table").strip()
    private = bool(table) or options.flag("private")
    return typed(
        Rules,
        options,
        board=board,
        values=values,
        goal="" if options.text("goal") == "ask" else options.text("goal"),
        window=options.window("move_deadline"),
        holds=options.text("timeout_default") == "wait",
        whole=private or options.text("deadline_for") == "match",
        private=private,
        table=table,
    )


def _two_faults(options: Options) -> Iterator[str]:
    for name in ("table", "private", "goal", "seed"):
        if options.text(name) not in ("", "off", "ask", "match"):
            yield f"{name} = {options.text(name)!r} is for the solo game: give mode=solo with it."


def _solo_faults(rules: Rules, options: Options) -> Iterator[str]:
    """5.4: the board is full, and both colours have the same numbers."""
    black, white = rules.values
    count, spaces = len(black) + len(white), len(rules.board.spaces)
    if count != spaces:
        few = "too few" if count < spaces else "too many"
        yield f"The solo game fills the board: {count} buttons are {few} for {spaces} spaces."
    if black != white:
        yield "The solo game needs the same numbers on black and on white buttons."
    if not pairs_of(rules.board, rules.perspective):
        yield f"The board {rules.board.name} has no two separate parallel lines of four."
    if rules.table and not rules.goal:
        yield "A table compares like with like: give goal=two or goal=four with it."
    if rules.table and rules.window is None:
        yield "A table is published at its deadline: give move_deadline a time."
    if rules.table and rules.holds:
        yield "A table is published at its deadline: timeout_default=wait does not go with it."
    if options.text("starter") != "random":
        yield "The solo game has one player: starter does not go with it."


def position(rules: Rules, text: str) -> tuple[Cells, list[str]]:
    """The cells of a position in words, and every fault of it."""
    board = rules.board
    rows = [row.strip() for row in text.strip().strip("/").split("/")]
    if len(rows) != board.rows:
        return (), [f"The position has {len(rows)} rows; the board {board.name} has {board.rows}."]
    cells: list[str] = []
    faults: list[str] = []
    for number, (row, squares) in enumerate(zip(rows, board.grid, strict=True), 1):
        signs = _row(row)
        if signs is None or len(signs) != board.columns:
            such = f"{board.columns} cells such as B3 W1 .."
            faults.append(f"Row {number} of the position, {row!r}, should be {such}")
            continue
        for square, sign in zip(squares, signs, strict=True):
            if (sign == "##") is (square in board.spaces):
                what = "a space" if sign == "##" else "no space"
                faults.append(f"{square} is {what} of the board {board.name}.")
            elif sign != "##":
                cells.append("" if sign == ".." else sign)
    return tuple(cells), faults or _position_faults(rules, tuple(cells))


def _row(text: str) -> list[str] | None:
    found = list(_CELL.finditer(text))
    if "".join(cell[0] for cell in found) != text:
        return None
    return [f"{c[1].upper()}{int(c[2])}" if c[1] else ".." if c[3] else "##" for c in found]


def _position_faults(rules: Rules, cells: Cells) -> list[str]:
    supply = Counter(buttons(rules.values))
    on_board = Counter(cell for cell in cells if cell)
    faults = [
        f"The position has {n} of {button}; there are {supply[button]}."
        for button, n in on_board.items()
        if n > supply[button]
    ]
    lines = [line for line in rules.ground.lines if {cells[s][:1] for s in line} in ({"B"}, {"W"})]
    if rules.solo:
        if empty := [space for space, cell in zip(rules.board.spaces, cells, strict=True) if not cell]:
            faults.append(f"The solo game fills the board; the position leaves {', '.join(empty)} empty.")
        elif not faults and rules.goal and reached(rules, cells, rules.goal):
            faults.append("The position has reached the goal already.")
    elif lines:
        names = ", ".join("-".join(rules.board.spaces[s] for s in line) for line in lines)
        faults.append(f"The position has a line of four already: {names}.")
    return faults
