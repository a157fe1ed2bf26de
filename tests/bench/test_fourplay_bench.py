"""What Fourplay's kernel and judge cost: legal moves, whole turns, check tests, a mail early and late in a cycle.

The comparison with python-chess counts the same thing on both boards, in one run: the legal moves generated (each
tested for the own King's safety) in a walk of seeded positions with the same number of pieces, as nodes per second.
"""

from __future__ import annotations

import random
from time import process_time
from typing import Any

import chess
import pytest

from referee.core import seam
from referee.core.answers import Body
from referee.core.chance import Chance
from referee.core.owing import Demand
from referee.core.seam import Standing
from referee.games.fourplay.board.moves import Position, in_check
from referee.games.fourplay.game import GAME
from tests.games.fourplay.boards import kernel
from tests.games.fourplay.perft import count_turns, legal_moves
from tests.games.fourplay.table import PEOPLE, Table, lines
from tests.games.fourplay.test_play_laws import opened
from tests.games.fourplay.test_two_accounts import whole_position

PIECES = 32
POSITIONS = 60


def fourplay_positions() -> list[Position]:
    """Positions of one cycle with 32 pieces: four armies of eight, moved about by seeded legal moves."""
    chance = random.Random(1)
    found: list[Position] = []
    seed = 0
    while len(found) < POSITIONS:
        seed += 1
        board = whole_position(seed)
        spare = [square for square, man in board.items() if man[0] not in ("King", "Neutron")]
        chance.shuffle(spare)
        for square in spare[: len(board) - PIECES]:
            del board[square]
        position = kernel(board)
        if sum(1 for _ in legal_moves(position, 1)) > 10:
            position.fix_grants(1)
            found.append(position)
    return found


def chess_positions() -> list[chess.Board]:
    """Positions with all 32 pieces, a few seeded quiet moves into the game."""
    chance = random.Random(1)
    found: list[chess.Board] = []
    while len(found) < POSITIONS:
        board = chess.Board()
        for _ in range(12):
            quiet = [move for move in board.legal_moves if not board.is_capture(move)]
            if quiet:
                board.push(chance.choice(quiet))
        if len(board.piece_map()) == PIECES and any(board.legal_moves):
            found.append(board)
    return found


def test_legal_moves_on_32_pieces(benchmark: Any) -> None:
    positions = fourplay_positions()
    benchmark(lambda: sum(1 for position in positions for _ in legal_moves(position, 1)))


def test_legal_moves_on_32_pieces_of_python_chess(benchmark: Any) -> None:
    boards = chess_positions()
    benchmark(lambda: sum(1 for board in boards for _ in board.legal_moves))


def test_nodes_per_second_beside_python_chess(capsys: Any) -> None:
    """Both in one run, alternately, in the process's own time; the median of nine rounds."""
    positions, boards = fourplay_positions(), chess_positions()
    for position in positions:  # the tables fill on first use
        sum(1 for _ in legal_moves(position, 1))
    rounds = []
    for _ in range(9):
        begun = process_time()
        nodes = sum(1 for position in positions for _ in legal_moves(position, 1))
        ours = nodes / (process_time() - begun)
        begun = process_time()
        nodes = sum(1 for board in boards for _ in board.legal_moves)
        rounds.append((ours * (process_time() - begun) / nodes, ours))
    ratio, ours = sorted(rounds)[len(rounds) // 2]
    with capsys.disabled():
        print(
            f"\nlegal moves with {PIECES} pieces: Fourplay {ours:,.0f} nodes/s, {ratio:.2f} times python-chess"
        )
    assert ours > 2_000


def test_a_check_test(benchmark: Any) -> None:
    positions = fourplay_positions()
    benchmark(lambda: [in_check(position, seat) for position in positions for seat in (1, 2, 3, 4)])


def test_whole_legal_turns_of_a_small_position(benchmark: Any) -> None:
    """Every run of the Neutron with every order of up to one move, two Kings on the board."""
    board = {square: man for square, man in whole_position(1).items() if man[1] in (1, 3, None)}
    position = kernel(board)
    assert benchmark(lambda: count_turns(position, 1)) > 100


def played(turns: int) -> tuple[Table, str]:
    """A match so many turns into its cycle, and the text of a legal turn."""
    table, chance = opened(3), Chance(f"{9:064x}")
    for _ in range(turns):
        demand = table.round.demands[0]
        table.answer(demand, seam.suggest(GAME, table.state, demand, chance))
    demand = table.round.demands[0]
    return table, seam.write(GAME, table.state, demand, seam.suggest(GAME, table.state, demand, chance))


@pytest.mark.parametrize("turns", [4, 120])
def test_a_mail_costs_no_more_late_in_a_cycle(benchmark: Any, turns: int) -> None:
    """Read, checked, resolved and folded."""
    table, text = played(turns)
    state, demand = table.state, Demand("Turn", table.state.to_move)

    def mail() -> None:
        after = state
        reading = seam.read(GAME, state, demand, Body(lines(text)), PEOPLE[demand.seat])
        assert not Standing(GAME, state).check(demand, reading.action)
        for event in seam.resolve(GAME, state, {demand: reading.action}):
            after = GAME.evolve(after, event)

    benchmark(mail)


def test_judging_a_faulty_turn_and_mending_it(benchmark: Any) -> None:
    table, text = played(4)
    demand = Demand("Turn", table.state.to_move)
    bad = text.replace("aggressive", "agressive").replace("F$", "F").replace("-", "–", 1) + "\nPass"

    def mail() -> None:
        reading = seam.read(GAME, table.state, demand, Body(lines(bad)), PEOPLE[demand.seat])
        assert reading.action is not None
        assert Standing(GAME, table.state).check(demand, reading.action)
        seam.form(GAME, table.state, demand, PEOPLE[demand.seat], reading)

    benchmark(mail)
