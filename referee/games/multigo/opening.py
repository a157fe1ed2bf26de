"""How a match is opened: options that only this game can judge, a position and prisoners given as text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from referee.core.game import Setup
from referee.core.options import Options
from referee.games.multigo import events as ev
from referee.games.multigo.board import COLOURS, EMPTY, LARGEST, SYMBOLS, lifeless, points_of

_HAND = re.compile(r"([1-8]):((?:\d{1,4}[A-Z])+)")
_NOT_RULES = ("position", "hands", "board", "players")


def recorded(options: Options) -> dict[str, str]:
    """Those that a match is judged by."""
    return {name: value for name, value in options.values.items() if name not in _NOT_RULES}


def opened(setup: Setup) -> tuple[ev.GameOpened, tuple[str, ...]]:
    """The start that the options name, and every fault of it in words."""
    options, players = setup.options, setup.seats
    if not 2 <= players <= len(SYMBOLS):
        return ev.GameOpened({}, 0, 0, 0, "", ()), (f"Multiplayer Go takes 2 to 8 players, not {players}.",)
    width, height = options.size("board")
    board, position = EMPTY * (width * height), options.text("position")
    rows = [row for part in position.split("/") if (row := "".join(part.split()).upper())]
    faults = _row_faults(rows, players) if position.strip() else []
    if rows and not faults:
        width, height, board = len(rows[0]), len(rows), "".join(rows)
        faults += _breathless(width, height, board)
    held, worse = _hands(options.text("hands"), players)
    start = ev.GameOpened(recorded(options), players, width, height, board, held)
    return start, (*_rule_faults(options.values, players), *faults, *worse)


def _rule_faults(options: Mapping[str, str], players: int) -> list[str]:
    """What is wrong with option values that only this game can judge, in words."""
    faults: list[str] = []
    try:
        bound = Fraction(options["alliance_threshold"])
    except (ValueError, ZeroDivisionError):
        bound = Fraction(-1)
    if not 0 <= bound <= 1:
        faults.append(
            f"alliance_threshold = {options['alliance_threshold']!r} is no fraction from 0 to 1, such as 5/12."
        )
    most = options["max_alliance"]
    if most != "p-1" and not 1 <= int(most) < players:
        faults.append(
            f"max_alliance = {most}: with {players} players an alliance has at most {players - 1} members."
        )
    wanted = options["players"]
    if wanted != "seats" and int(wanted) != players:
        faults.append(f"players = {wanted}, but the match has {players} seats.")
    return faults


def _row_faults(rows: list[str], players: int) -> list[str]:
    faults: list[str] = []
    if not rows:
        return ["position names no row of points."]
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            faults.append(
                f"position: row {number} from the top has {len(row)} points, the first has {len(rows[0])}."
            )
        if strange := sorted(set(row) - set(EMPTY + SYMBOLS[:players])):
            known = f"{EMPTY} {' '.join(SYMBOLS[:players])}"
            faults.append(
                f"position: row {number} has {' '.join(strange)}; with {players} players there are {known}."
            )
    if len(rows) > LARGEST or len(rows[0]) > LARGEST:
        faults.append(f"position: a board has at most {LARGEST} rows and {LARGEST} columns.")
    return faults


def _breathless(width: int, height: int, board: str) -> list[str]:
    points = points_of(width, height)
    return [
        f"position: the {COLOURS[SYMBOLS.index(board[min(chain)])]} chain at {points.names[min(chain)]} has no liberty."
        for chain in lifeless(board, points.neighbours)
    ]


def _hands(hands: str, players: int) -> tuple[tuple[tuple[int, ...], ...], list[str]]:
    held = [[0] * players for _ in range(players)]
    faults: list[str] = []
    for word in hands.upper().split():
        match = _HAND.fullmatch(word)
        if match is None or int(match[1]) > players:
            faults.append(
                f"hands: {word!r} should be a seat from 1 to {players} and its prisoners, such as 1:5W5R."
            )
            continue
        for count, symbol in re.findall(r"(\d+)([A-Z])", match[2]):
            if symbol not in SYMBOLS[:players]:
                faults.append(
                    f"hands: {symbol!r} in {word!r} is no colour of this match ({' '.join(SYMBOLS[:players])})."
                )
            else:
                held[int(match[1]) - 1][SYMBOLS.index(symbol)] += int(count)
    return tuple(tuple(row) for row in held), faults
