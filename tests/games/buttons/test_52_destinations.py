"""Where buttons may go (5.2): the golden cases of 5.6, and the table against a fresh enumeration of paths."""

import random
from itertools import pairwise

import pytest

from referee.games.buttons.board import Board, Bridge, board_of, ground, named, table, walks
from tests.games.buttons.sitting import Sitting, boards

GOLDEN = [
    ("B1", "a4", "b4"),
    ("W1", "a4", "a3"),
    ("B2", "a4", "c4 b3"),
    ("B3", "b3", "b4 d4 a3 c3 b2 d2 a1 c1"),
    ("B8", "a1", "b4 d4 a3 c3 b2 d2 c1"),
    ("W8", "a1", "b4 d4 a3 c3 b2 d2 c1"),
]


def rec_1() -> Board:
    board, faults = board_of("rec-1", boards()["rec-1"])
    assert board is not None
    assert faults == ()
    return board


def opened_with(button: str, space: str) -> Sitting:
    """The button alone on the board, its side to move."""
    cells = {space: button}
    rows = ["/".join(" ".join(cells.get(f"{c}{r}", "..") for c in "abcd") for r in (4, 3, 2, 1))]
    return Sitting(values="1..8", starter="1" if button[0] == "B" else "2", position=rows[0])


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("button", "space", "ends"), GOLDEN)
def test_56_the_golden_destinations_are_those_that_a_mail_may_name(
    button: str, space: str, ends: str
) -> None:
    seat = 1 if button[0] == "B" else 2
    reached = set()
    for end in rec_1().spaces:
        sitting = opened_with(button, space)
        complaints = sitting.mail(seat, f"Move: {space}-{end}")
        if not complaints:
            reached.add(end)
        else:
            assert [c.code for c in complaints] == ["same_space" if end == space else "out_of_reach"]
            assert complaints[0].rule == "5.2"
    assert reached == set(ends.split())


def enumerated(board: Board, colour: str, value: int, start: str) -> set[str]:
    """A second implementation, by names: walk every path to its end, one by one."""
    usable = {"red", {"B": "black", "W": "white"}[colour]}
    ends = set()
    open_paths = [[start]]
    while open_paths:
        path = open_paths.pop()
        if len(path) == value + 1:
            ends.add(path[-1])
            continue
        for bridge in board.bridges:
            for here, there in ((bridge.first, bridge.second), (bridge.second, bridge.first)):
                if here == path[-1] and bridge.colour in usable and there not in path:
                    open_paths.append([*path, there])
    return ends


def any_board(draw: random.Random) -> Board:
    """A random board: up to 4 x 5 spaces, some missing, some bridges diagonal."""
    columns, rows = draw.randint(2, 4), draw.randint(2, 5)
    grid = [named(c, r) for r in range(rows, 0, -1) for c in range(1, columns + 1)]
    spaces = tuple(s for s in grid if draw.random() > 0.1) or tuple(grid)
    bridges = []
    for at, first in enumerate(spaces):
        for second in spaces[at + 1 :]:
            across, up = ord(first[0]) - ord(second[0]), int(first[1:]) - int(second[1:])
            straight = abs(across) + abs(up) == 1
            if (straight and draw.random() < 0.85) or (abs(across) == abs(up) == 1 and draw.random() < 0.1):
                bridges.append(Bridge(first, second, draw.choice(("red", "red", "black", "white"))))
    return Board("any", columns, rows, spaces, tuple(bridges))


def agree(board: Board, longest: int) -> int:
    """Compare the table of a board with the enumeration; give the number of comparisons."""
    worked_out = table(board, longest)
    for colour in "BW":
        for at, start in enumerate(board.spaces):
            for value in range(1, longest + 1):
                ends = {board.spaces[t] for t in worked_out[colour][at][value]}
                assert ends == enumerated(board, colour, value, start), (board, colour, value, start)
    return 2 * len(board.spaces) * longest


def test_52_the_table_agrees_with_a_fresh_enumeration_on_the_default_board() -> None:
    assert agree(rec_1(), 8) == 256


@pytest.mark.parametrize("seed", range(12))
def test_52_the_table_agrees_with_a_fresh_enumeration_on_random_boards(seed: int) -> None:
    assert agree(any_board(random.Random(seed)), 5) > 0


@pytest.mark.soak
def test_52_the_table_agrees_with_a_fresh_enumeration_on_a_thousand_random_boards() -> None:
    for seed in range(1000):
        agree(any_board(random.Random(f"soak {seed}")), 6)


@pytest.mark.parametrize("seed", range(5))
def test_52_a_route_is_a_legal_way_and_exists_exactly_where_the_table_says(seed: int) -> None:
    board = any_board(random.Random(f"route {seed}"))
    worked_out = table(board, 5)
    for at in range(len(board.spaces)):
        for value in range(1, 6):
            for end in range(len(board.spaces)):
                way = next(walks(board, f"B{value}", at, end), ())
                assert bool(way) is (end in worked_out["B"][at][value])
                assert not way or ((way[0], way[-1]) == (at, end) and len({*way}) == len(way) == value + 1)
                assert all(there in ground(board).ways["B"][here] for here, there in pairwise(way))


def test_51_the_default_layout_favours_no_colour() -> None:
    """Unchanged under a quarter turn with the colours exchanged; 12 red, 6 black, 6 white; connected for each."""
    board = rec_1()
    turned = {s: f"{'abcd'[int(s[1]) - 1]}{4 - 'abcd'.index(s[0])}" for s in board.spaces}
    change = {"red": "red", "black": "white", "white": "black"}
    plain = {(frozenset((b.first, b.second)), b.colour) for b in board.bridges}
    moved = {(frozenset((turned[b.first], turned[b.second])), change[b.colour]) for b in board.bridges}
    assert plain == moved
    assert [sum(b.colour == c for b in board.bridges) for c in ("red", "black", "white")] == [12, 6, 6]
    for colour in "BW":
        reached = {t for value in range(1, 9) for t in table(board, 8)[colour][0][value]} | {0}
        assert len(reached) == 16


def test_55_a_named_way_must_be_legal_and_as_long_as_the_value() -> None:
    assert opened_with("B3", "b3").codes(1, "Move: b3-b2-b1-c1") == []
    faults = {
        "Move: b3-b2-c1": ["no_bridge", "path_length"],
        "Move: b3-a3-a2-b2": ["wrong_bridge"],
        "Move: b3-b2-b3-b4": ["space_twice"],
        "Move: b3-b2-c2": ["out_of_reach", "path_length"],
    }
    for text, codes in faults.items():
        assert opened_with("B3", "b3").codes(1, text) == codes, text


def test_55_the_way_that_was_named_is_the_one_in_the_record() -> None:
    sitting = opened_with("B3", "b3").played((1, "Move: b3-b2-b1-c1"))
    moved = sitting.last("ButtonMoved")
    assert moved.path == ("b3", "b2", "b1", "c1")
    assert moved.given
    other = opened_with("B3", "b3").played((1, "Move: b3-c1")).last("ButtonMoved")
    assert not other.given
    assert all(a != b for a, b in pairwise(other.path))
    assert len(other.path) == 4
