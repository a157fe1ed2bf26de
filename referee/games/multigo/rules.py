"""The options of a match as typed values: what judging reads, for ever; and how a match is opened from them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from fractions import Fraction
from typing import Literal

from referee.core.codec import Value
from referee.core.game import Setup
from referee.core.options import Options, typed
from referee.games.multigo import events as ev
from referee.games.multigo.board import COLOURS, EMPTY, LARGEST, SYMBOLS, lifeless, points_of

EXTRA_STONE = {5: (5,), 6: (5, 6), 7: (5, 6, 7), 8: (5, 6, 7, 8)}  # 2.2: two stones in round 1
FORCED_PASS = {3: (1,), 4: (1, 2)}  # 2.2: a pass in round 3


class Rules(Value):
    """One match's options, by the names of the default configuration, and below them what follows from several."""

    players: int
    coop: bool
    superko: Literal["positional", "situational", "off"]
    suicide: Literal["forbidden", "allowed"]
    scoring: Literal["territory", "area"]
    dead: Literal["agreement", "none"]
    prisoners: Literal["shared", "crossman"]
    alliance_threshold: Fraction
    max_alliance: int
    ally_rounds: int
    choice_order: Literal["recency", "seat"]
    choice_blocks: bool
    own_prisoners: Literal["eliminate", "count"]
    noncoop_unit: Literal["chain", "stone"]
    event_scope: Literal["linked", "round"]
    rest_rule: Literal["at_least_one", "more_than_one"]
    captor_includes_dead: bool
    removal: Literal["simultaneous", "old_first"]
    superko_parallel: Literal["void", "allow", "end"]
    max_void: int
    fallbacks: int
    move_deadline: timedelta
    choice_deadline: timedelta
    dead_deadline: timedelta
    ally_deadline: timedelta
    timeout_default: Literal["pass", "resign", "wait"]
    resigned: Literal["stay", "remove"]
    press: bool
    parallel: bool
    minds_mover: bool  # a repetition needs the same seat to move (situational superko)
    shares: bool  # captors of one event divide the prisoners (tactical cooperation)
    alliances: bool  # they are declared after scoring
    splits_territory: bool  # a region that several colours border is divided among them (2.6, G16)
    doubled: tuple[int, ...]  # the seats that may place two stones in round 1 (2.2)
    passing: tuple[int, ...]  # those whose turn of round 3 is a forced pass

    def allowed(self, seat: int, round_: int) -> int:
        """How many points a move of the seat may name."""
        return 1 + self.fallbacks if self.parallel else 1 + (round_ == 1 and seat in self.doubled)


def rules_of(options: Mapping[str, str], players: int) -> Rules:
    """The rules that canonical option values stand for, and what follows from them."""
    given, most = Options(options), options["max_alliance"]
    largest = players - 1 if most == "p-1" else int(most)
    parallel, coop = options["order"] == "parallel", given.flag("coop")
    tactical, strategic = given.flag("tactical"), given.flag("strategic")
    compensated = options["compensation"] == "standard" and not parallel
    return typed(
        Rules,
        given,
        players=players,
        alliance_threshold=Fraction(options["alliance_threshold"]),
        max_alliance=largest,
        parallel=parallel,
        minds_mover=options["superko"] == "situational" and not parallel,
        shares=coop and tactical and options["prisoners"] == "shared",
        alliances=coop and strategic and largest >= 2,
        splits_territory=options["shared_territory"] == "split" or (coop and tactical and not strategic),
        doubled=EXTRA_STONE.get(players, ()) if compensated else (),
        passing=FORCED_PASS.get(players, ()) if compensated else (),
    )


# --- how a match is opened, and every fault of its options ---------------------------------------------------------


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
    faults = list(_row_faults(rows, players)) if position.strip() else []
    if rows and not faults:
        width, height, board = len(rows[0]), len(rows), "".join(rows)
        points = points_of(width, height)
        for first in map(min, lifeless(board, points.neighbours)):
            colour = COLOURS[SYMBOLS.index(board[first])]
            faults.append(f"position: the {colour} chain at {points.names[first]} has no liberty.")
    held, worse = _hands(options.text("hands"), players)
    start = ev.GameOpened(recorded(options), players, width, height, board, held)
    return start, (*_rule_faults(options.values, players), *faults, *worse)


def _rule_faults(options: Mapping[str, str], players: int) -> Iterator[str]:
    """What is wrong with option values that only this game can judge, in words."""
    try:
        bound = Fraction(options["alliance_threshold"])
    except (ValueError, ZeroDivisionError):
        bound = Fraction(-1)
    if not 0 <= bound <= 1:
        given = options["alliance_threshold"]
        yield f"alliance_threshold = {given!r} is no fraction from 0 to 1, such as 5/12."
    most, wanted = options["max_alliance"], options["players"]
    if most != "p-1" and not 1 <= int(most) < players:
        yield f"max_alliance = {most}: with {players} players an alliance has at most {players - 1} members."
    if wanted != "seats" and int(wanted) != players:
        yield f"players = {wanted}, but the match has {players} seats."


def _row_faults(rows: list[str], players: int) -> Iterator[str]:
    if not rows:
        yield "position names no row of points."
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            yield f"position: row {number} from the top has {len(row)} points, the first has {len(rows[0])}."
        if strange := " ".join(sorted(set(row) - set(EMPTY + SYMBOLS[:players]))):
            known = f"{EMPTY} {' '.join(SYMBOLS[:players])}"
            yield f"position: row {number} has {strange}; with {players} players there are {known}."
    if rows and (len(rows) > LARGEST or len(rows[0]) > LARGEST):
        yield f"position: a board has at most {LARGEST} rows and {LARGEST} columns."


def _hands(hands: str, players: int) -> tuple[tuple[tuple[int, ...], ...], list[str]]:
    held, faults, symbols = [[0] * players for _ in range(players)], list[str](), SYMBOLS[:players]
    for word in hands.upper().split():
        match = _HAND.fullmatch(word)
        if match is None or int(match[1]) > players:
            what = f"should be a seat from 1 to {players} and its prisoners, such as 1:5W5R"
            faults.append(f"hands: {word!r} {what}.")
            continue
        for count, symbol in re.findall(r"(\d+)([A-Z])", match[2]):
            if symbol not in symbols:
                faults.append(
                    f"hands: {symbol!r} in {word!r} is no colour of this match ({' '.join(symbols)})."
                )
            else:
                held[int(match[1]) - 1][SYMBOLS.index(symbol)] += int(count)
    return tuple(tuple(row) for row in held), faults
