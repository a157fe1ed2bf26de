"""What Fourplay's kernel costs, beside python-chess.

The comparison with python-chess counts the same thing on both boards, in one run: the legal moves generated (each
tested for the own King's safety) in a walk of seeded positions with the same number of pieces, as nodes per second.
"""

import random
from time import process_time
from typing import Any

import chess

from referee.games.fourplay.board.moves import Position, safe_moves
from tests.games.fourplay.boards import kernel
from tests.games.fourplay.test_two_accounts import whole_position

PIECES = 32
POSITIONS = 60
LEAST = 0.7  # of python-chess's nodes


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
        if sum(1 for _ in safe_moves(position, 1)) > 10:
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


def test_nodes_per_second_beside_python_chess(capsys: Any) -> None:
    """Both in one run, alternately, in the process's own time; the median of nine rounds."""
    positions, boards = fourplay_positions(), chess_positions()
    for position in positions:  # the tables fill on first use
        sum(1 for _ in safe_moves(position, 1))
    rounds = []
    for _ in range(9):
        begun = process_time()
        nodes = sum(1 for position in positions for _ in safe_moves(position, 1))
        ours = nodes / (process_time() - begun)
        begun = process_time()
        nodes = sum(1 for board in boards for _ in board.legal_moves)
        rounds.append((ours * (process_time() - begun) / nodes, ours))
    ratio, ours = sorted(rounds)[len(rounds) // 2]
    with capsys.disabled():
        print(
            f"\nlegal moves with {PIECES} pieces: Fourplay {ours:,.0f} nodes/s, {ratio:.2f} times python-chess"
        )
    assert ratio >= LEAST
