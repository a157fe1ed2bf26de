"""SGF: two players in sequence as plain moves, everything else as positions that any viewer shows."""

import pytest
from sgfmill import sgf, sgf_moves
from sgfmill.boards import Board

from referee.core.answers import Body
from referee.games.multigo.board import EMPTY, SYMBOLS
from referee.games.multigo.game import GAME
from referee.games.multigo.state import State, fold
from referee.games.multigo.views import frames, to_sgf
from referee.match import commands as do
from referee.match.events import Entrant, EntrantReplaced
from referee.match.record.public import sgf_of
from tests.games.multigo.table import Table
from tests.games.multigo.test_laws_on_walks import walk
from tests.laws.walks import begin


def as_two_colours(board: str) -> str:
    """What a viewer can show: the odd seats black, the even ones white."""
    return "".join(EMPTY if s == EMPTY else "BW"[SYMBOLS.index(s) % 2] for s in board)


def shown(board: Board) -> str:
    side = board.side
    return "".join((board.get(side - 1 - p // side, p % side) or EMPTY).upper() for p in range(side * side))


def public(table: Table) -> list[object]:
    return [event for event in table.events if GAME.secret_to(event) is None]


@pytest.mark.parametrize("seed", range(3))
def test_two_players_become_plain_moves(seed: int) -> None:
    table = Table(2, board="9x9")
    for _ in walk(table, seed):
        pass
    game = sgf.Sgf_game.from_string(to_sgf(public(table), {1: "Ann [the] Archer", 2: "Bo\\b"}))
    assert (game.get_size(), game.get_player_name("b"), game.get_player_name("w")) == (
        9,
        "Ann [the] Archer",
        "Bo\\b",
    )
    board, plays = sgf_moves.get_setup_and_moves(game)
    for colour, move in plays:
        if move is not None:
            board.play(*move, colour)
    _, all_frames = frames(public(table))
    assert shown(board) == [frame.board for frame in all_frames if frame.seat][-1]


@pytest.mark.parametrize(
    ("order", "players"), [("sequential", 4), ("parallel", 5), ("parallel", 2), ("sequential", 8)]
)
def test_every_position_of_other_matches_is_shown_by_setup(order: str, players: int) -> None:
    table = Table(players, board="9x9", order=order, coop="on")
    for _ in walk(table, 3):
        pass
    game = sgf.Sgf_game.from_string(to_sgf(public(table)))
    _, all_frames = frames(public(table))
    board, nodes = Board(9), game.get_main_sequence()
    assert len(nodes) == len(all_frames) + 1
    for node, frame in zip(nodes[1:], all_frames, strict=True):
        black, white, empty = node.get_setup_stones()
        for row, column in (*black, *white, *empty):
            board.board[row][column] = None
        for colour, stones in (("b", black), ("w", white)):
            for row, column in stones:
                board.board[row][column] = colour
        assert shown(board) == as_two_colours(frame.board)
        assert node.get("C").startswith(frame.line)
        labels = dict(node.get("LB")) if node.has_property("LB") else {}
        coloured = {(8 - p // 9, p % 9): s for p, s in enumerate(frame.board) if s not in (EMPTY, "B", "W")}
        assert labels == coloured


def test_a_given_position_and_an_oblong_board_are_written() -> None:
    table = Table(2, "2 B . W . .\n1 . . . . .\n  A B C D E").play("B E1")
    assert (
        to_sgf(table.events)
        == "(;FF[4]GM[1]CA[UTF-8]AP[referee]SZ[5:2]PB[Player 1]PW[Player 2]AB[aa]AW[ca];B[eb])\n"
    )


def test_the_result_is_written() -> None:
    table = Table(2, "2 . B W .\n1 . B W .\n  A B C D", dead="none", hands="1:3W").play("B Pass", "W Pass")
    assert "RE[B+3]" in to_sgf(table.events)
    assert "RE[W+R]" in to_sgf(Table(2).play("B Resign").events)


def test_a_match_becomes_sgf_with_names_and_without_what_a_rewind_took_back() -> None:
    table = begin("go sequential", 1)
    table.do(EntrantReplaced(1, Entrant("Cyd", ("c@example.org",)), "ill"))
    for seat, point in enumerate(("C3", "D4"), 1):
        table.do(do.Submit(seat, "Move", Body.of(f"Move: {point}"), table.now))
    whole = sgf_of(table.game, table.match, table.entries)
    assert whole is not None
    assert "B Black: Cyd" in whole
    assert whole.count(";AB") + whole.count(";AW") == 2
    table.do(do.Rewind("Round 1 / Player 2", "a slip"))
    rewound = sgf_of(table.game, table.match, table.entries)
    assert rewound == f"{whole[: whole.rindex(';AW')]})\n"


def test_a_record_folds_to_the_same_state() -> None:
    table = Table(4, board="9x9", order="parallel", coop="on")
    for _ in walk(table, 8):
        pass
    state, _ = frames(table.events)
    again: State = GAME.initial()
    for event in table.events:
        again = fold(again, event)
    assert state == again == table.state
