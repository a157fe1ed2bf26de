"""Speed of multiplayer Go (issue 4): run by `make bench`, or `pytest tests/bench`; every ratio is of one run.

The baseline is sgfmill's `Board`, which knows two colours; for more a subclass lets it capture all others. It is
given its moves ready-made; no superko for either: what that costs is part of judging a mail, below.
"""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Callable

import pytest
from pydantic import TypeAdapter
from sgfmill.boards import Board

from referee.core import seam
from referee.core.answers import Body, Party
from referee.core.chance import Chance
from referee.core.owing import Demand, Lapse
from referee.core.seam import Standing
from referee.games.multigo.board import EMPTY, SYMBOLS, drop, drop_together, points_of
from referee.games.multigo.game import GAME
from referee.games.multigo.notation import Action, Move
from referee.games.multigo.state import State
from tests.games.multigo.table import Table

SIDE, MOVES, GAMES = 19, 600, 5
POINTS = points_of(SIDE, SIDE)
Plays = list[tuple[int, str]]
STATES = TypeAdapter(State)


class ManyColours(Board):
    """Sgfmill's board, letting a stone capture chains of every other colour."""

    def play(self, row: int, col: int, colour: str) -> None:
        if self.board[row][col] is not None:
            raise ValueError
        self.board[row][col] = colour
        surrounded = self._find_surrounded_groups(row, col)
        others = [group for group in surrounded if group.colour != colour]
        for group in others or surrounded:
            for r, c in group.points:
                self.board[r][c] = None


def random_game(colours: int, seed: int) -> Plays:
    """A random game without suicide or repetition, up to `MOVES` moves."""
    rng, cells, plays = random.Random(seed), [EMPTY] * SIDE**2, list[tuple[int, str]]()
    for _ in range(20 * MOVES):
        point, symbol = rng.randrange(SIDE**2), SYMBOLS[len(plays) % colours]
        if cells[point] == EMPTY and len(plays) < MOVES:
            trial = cells.copy()
            drop(trial, POINTS.neighbours, point, symbol)
            if trial[point] == symbol:
                cells = trial
                plays.append((point, symbol))
    return plays


def ours(games: list[Plays]) -> None:
    for plays in games:
        cells = [EMPTY] * SIDE**2
        for point, symbol in plays:
            drop(cells, POINTS.neighbours, point, symbol)


def theirs(games: list[Plays], kind: type[Board]) -> None:
    for plays in games:
        board = kind(SIDE)
        for point, symbol in plays:
            board.play(point // SIDE, point % SIDE, symbol.lower())


def seconds(*works: Callable[[], object], times: int = 5) -> list[float]:
    """The CPU of the cheapest run of each, taken in turn, so that what else runs on the machine does not count."""
    found = [float("inf")] * len(works)
    for _ in range(times):
        for index, work in enumerate(works):
            gc.collect()
            began = time.process_time()
            work()
            found[index] = min(found[index], time.process_time() - began)
    return found


@pytest.mark.parametrize("colours", [2, 4, 8])
def test_the_kernel_plays_at_least_three_times_as_fast_as_sgfmill(
    colours: int, record_property: Callable[[str, object], None]
) -> None:
    games = [random_game(colours, seed) for seed in range(GAMES)]
    moves = sum(len(plays) for plays in games)
    kind = Board if colours == 2 else ManyColours
    mine, other = seconds(lambda: ours(games), lambda: theirs(games, kind))
    record_property("ratio", other / mine)
    print(
        f"\n{colours} colours, {moves} moves: {moves / mine:,.0f} moves/s against sgfmill's "
        f"{moves / other:,.0f}: {other / mine:.1f} times"
    )
    assert other / mine >= 3


def at_move(number: int, order: str) -> Table:
    """A match on 19x19 that has seen so many moves, of stones spread evenly over the board."""
    table, chance = Table(4, order=order, compensation="none"), Chance("05" * 32)
    spread = list(chance.shuffle(tuple(range(SIDE**2)), "spread"))
    made = 0
    while made < number:
        for demand in table.due[0].demands:
            while True:
                move = f"Move: {POINTS.names[spread.pop()]}"
                if not table.mail(demand.seat, move):
                    break
            made += 1
    return table


def judging(table: Table) -> Callable[[], None]:
    """One mail from its lines to the next state, as the desk does it from cron: the state is decoded and stored. In a
    parallel match it is the last of its round, in which all place a stone."""
    stored = STATES.dump_json(table.state)
    turns = quiet(table.state)

    def judge() -> None:
        for points in turns:
            state = STATES.validate_json(stored)
            (owed,) = GAME.due(state)
            answers: dict[Demand, Action | Lapse] = {
                demand: Move((name,)) for demand, name in zip(owed.demands, points, strict=True)
            }
            seat, body = owed.demands[0].seat, Body.of(f"Move: {points[0]}")
            demand = Standing(GAME, state).aimed(seat, "Move", body)
            reading = seam.read(GAME, state, demand, body, Party("Ann", seat))
            assert reading.action is not None
            assert not Standing(GAME, state).faults(demand, reading)
            answers[demand] = reading.action
            for event in seam.resolve(GAME, state, answers):
                GAME.events_codec.encode(event)
                state = GAME.evolve(state, event)
            STATES.dump_json(state)

    return judge


def quiet(state: State) -> list[tuple[str, ...]]:
    """Points for the stones of twenty turns, each of which captures nothing: the same kind of turn early and late."""
    (owed,) = GAME.due(state)
    symbols = [SYMBOLS[demand.seat - 1] for demand in owed.demands]
    free = [point for point, symbol in enumerate(state.board) if symbol == EMPTY]
    rng, found = random.Random(1), list[tuple[str, ...]]()
    while len(found) < 20:
        points = rng.sample(free, len(symbols))
        if not drop_together(list(state.board), POINTS.neighbours, zip(points, symbols, strict=True), False):
            found.append(tuple(POINTS.names[point] for point in points))
    return found


@pytest.mark.parametrize("order", ["sequential", "parallel"])
def test_judging_a_mail_at_move_300_costs_what_it_costs_at_move_10(
    order: str, record_property: Callable[[str, object], None]
) -> None:
    early, late = judging(at_move(10, order)), judging(at_move(300, order))
    first, last = seconds(early, late, times=40)
    record_property("ratio", last / first)
    print(
        f"\n{order}: 20 mails in {first * 1000:.2f} ms at move 10, {last * 1000:.2f} ms at move 300: "
        f"{last / first:.2f} times"
    )
    assert last / first <= 1.2
