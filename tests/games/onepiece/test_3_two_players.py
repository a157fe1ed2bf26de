"""Two players (3.1 to 3.7): setup, legal moves, results, draws, series."""

import random
from typing import Any

import pytest

from referee.games.onepiece import events as ev
from referee.games.onepiece.board import Grid, Ply, move_faults, ply_of, winner_in
from referee.games.onepiece.game import GAME
from tests.games.onepiece import plainly
from tests.games.onepiece.table import E3, E5, E6, Table, set_up, two

AFTER_E3 = """
3 . B R B . . .
2 . R R R R . .
1 R B B B B R B
"""
AFTER_E4A = """
4 . . B R . . .
3 . B R B . . .
2 . R R R R . .
1 R B B B B R B
"""
AFTER_E4B = """
3 B B R B . . .
2 R R R R R . .
1 R B B B B R B
"""
AFTER_E5 = """
8 . . . . R . . .
7 . . . B B . B R
6 . . . R R . R B
5 . . B B B . B B
4 R . R R R . R R
3 B . B R B . B R
2 B . R B B B R B
1 R . R B R R R B
"""
AFTER_E6 = """
3 . . . R R . .
2 B R B B B B .
1 R B R R B R .
"""


def board(drawing: str, cols: int, rows: int) -> list[str]:
    """A drawn board as the public position has it."""
    drawn = {int(line.split()[0]): "".join(line.split()[1:]) for line in drawing.strip().splitlines()}
    return [drawn.get(row, "").ljust(cols, ".") for row in range(rows, 0, -1)]


BY_TWO = {"starter": "1", "colours": "red", "edge": "south"}
FREE, BLUE, FULL = {"starter": "1"}, {**BY_TWO, "colours": "blue"}, {**BY_TWO, "position": E5}
# A small full game: three pieces, each of which can go to and fro without a win.
SMALL = {**BY_TWO, "grid": "5x4", "pieces": "3", "position": "Ra1Ba2 Rb1Bb2 Bc1Rc2"}
TO_AND_FRO = "a1>Rd1Bd2 b1>Re1Be2 d1>Ra1Ba2 e1>Rb1Bb2"
ILLEGAL = {
    "Rc1Bd1>Rb1Bb2": ["covered"], "Rf1Bf2>Rf2Bf1": ["overlaps_itself", "overlaps_itself"],
    "Rc4Bc5>Rc4Bb1": ["not_adjacent"], "Rf1Bf2>Rf3Bf4": ["floats", "floats"],
    "Rf2Bf1>Rb1Bb2": ["no_such_piece"], "b1>Rb1Bb2": ["no_such_piece"], "Rb1Bb2": ["box_empty"],
    "f1>Rh8Bi8": ["off_the_grid"], "f1>Ra1Bb1": ["occupied"], "c4>Rd8Be8": ["occupied"],
}  # fmt: skip
STORIES: dict[str, tuple[Any, ...]] = {
    **{
        f"3.6 e3 makes both fours and nobody wins: {size}": (
            {**BLUE, "grid": f"{size}x{size}"}, E3,
            {
                "last PieceMoved.red_run": ("b2", "c2", "d2", "e2"),
                "last PieceMoved.blue_run": ("b1", "c1", "d1", "e1"),
                "goes_on": True, "board": board(AFTER_E3, size, size),
            },
        )
        for size in (7, 8)
    },
    **{
        f"3.6 e4 red wins by a diagonal or by a new half that extends an old line: {ply} {size}": (
            {**BLUE, "grid": f"{size}x{size}", "position": E3}, ply,
            {
                "last PieceMoved.red_run": red, "last GameWon.colour": "red", "last GameWon.winners": (2,),
                "last GameWon.reason": "four", "board": board(drawing, size, size),
                "ending": ((2,), {1: "0", 2: "1"}),
            },
        )
        for size in (7, 8)
        for ply, red, drawing in (
            ("Rd4Bc4", ("a1", "b2", "c3", "d4"), AFTER_E4A), ("Ra2Ba3", ("a2", "b2", "c2", "d2", "e2"), AFTER_E4B),
        )
    },
    "3.6 e5 no ply of the placing wins": (
        BY_TWO, E5, {"board": board(AFTER_E5, 8, 8), "box": 0, "goes_on": True},
    ),
    "3.6 e5 a relocation wins by the diagonal": (
        FULL, "Rf1Bf2>Rb1Bb2",
        {"last PieceMoved.red_run": ("b1", "c2", "d3", "e4"), "last GameWon.winners": (1,)},
    ),
    "3.6 e5 illegal relocations": (FULL, {f"1 Move: {ply}": codes for ply, codes in ILLEGAL.items()}),
    "3.6 e5 a relocation can hand the win to the other": (
        FULL, "Rc4Bc5>Rf3Bf4",
        {
            "last GameWon.colour": "blue", "last GameWon.winners": (2,), "last GameWon.seat": 1,
            "last GameWon.reason": "handed over",
        },
    ),
    **{
        f"3.6 e6 six times nothing, then blue who began: {size}": (
            {**BLUE, "grid": f"{size}x{size}"}, E6.rpartition(" ")[0], {"goes_on": True}, E6.rpartition(" ")[2],
            {
                "last PieceMoved.blue_run": ("c2", "d2", "e2", "f2"), "last GameWon.winners": (1,),
                "board": board(AFTER_E6, size, size),
            },
        )
        for size in (7, 8)
    },
    # the columns beside do not matter to a standing piece
    "3.6 a piece does not stand on the top row nor lie on uneven columns": (
        {**BY_TWO, "grid": "7x7"}, "Ra1Ba2 Ra4Ba3 Ra5Ba6 Rc1Bc2 Rd1Be1",
        {
            "1 Move: Rf1Bf2": ["not_your_turn"], "2 Move: a^R": ["off_the_grid"],
            "2 Move: Rd2Bc2": ["occupied"], "2 Move: Rc3Bd3": ["floats"],
        },
        "2 Move: d^R",
    ),
    **{
        f"3.2 who begins chooses colours and the other the edge in any order: {choices[0]}": (
            FREE, {"owed": [("Colours", 1), ("Edge", 2)], "1 Move: Rd1Be1": ["choices_first"]}, *choices,
            {"owed": [("Move", 1)], "red": (False, True), "edge": "west"},
        )
        for choices in (("1 Colours: blue", "2 Edge: WEST"), ("2 Edge: WEST", "1 Colours: blue"))
    },
    "3.2 a lapse takes red and south": (
        {"starter": "2"}, "lapse",
        {
            "red": (False, True), "edge": "south", "last ColoursChosen.how": "default",
            "last EdgeChosen.how": "default", "owed": [("Move", 2)],
        },
    ),
    "3.2 colours that options choose are not asked": ({**FREE, "colours": "red"}, {"owed": [("Edge", 2)]}),
    "3.2 nor an edge": ({**FREE, "edge": "north"}, {"owed": [("Colours", 1)]}),
    "3.2 nor both": (BY_TWO, {"owed": [("Move", 1)]}),
    "3.2 a choice that is none is refused": (
        FREE,
        {
            "1 Colours: green": ["no_colour"], "2 Edge: up": ["no_edge"],
            "2 Colours: red": ["not_yours_to_choose"],
        },
    ),
    **{
        f"3.2 an edge at the side turns an oblong grid: {edge}": (
            {**BY_TWO, "grid": "9x6", "edge": edge}, {"size": size, "board": ["." * size[0]] * size[1]},
        )
        for edge, size in {"south": (9, 6), "north": (9, 6), "east": (6, 9), "west": (6, 9)}.items()
    },
    "3.4 the third time with the same side to move is a draw": (
        SMALL, TO_AND_FRO, {"goes_on": True}, TO_AND_FRO,
        {
            "last GameDrawn.reason": "repetition", "last GameDrawn.count": 3,
            "ending": ((), {1: "1/2", 2: "1/2"}),
        },
    ),
    "3.4 the same place with the other side to move is another position": (
        {**SMALL, "repetition": "2"}, "a1>Rd1Bd2 b1>Re1Be2 d1>Rb1Bb2", {"goes_on": True}, "e1>Ra1Ba2",
        {"last GameDrawn.count": 2},
    ),
    "3.4 so many relocations are a draw and a position counts none": (
        {**SMALL, "max_relocations": "3", "repetition": "off"}, "a1>Rd1Bd2 b1>Re1Be2", {"goes_on": True},
        "d1>Ra1Ba2", {"last GameDrawn.reason": "relocations"},
    ),
    "3.4 both limits can be off": (
        {**SMALL, "max_relocations": "off", "repetition": "off"}, *[TO_AND_FRO] * 30, {"goes_on": True},
    ),
    "b10 the box may be empty": (
        {**BY_TWO, "grid": "3x2", "pieces": "2", "position": "Ra1Bb1"}, "Bc1Rc2", {"box": 0},
    ),
    "b10 who cannot move draws": (
        {**BY_TWO, "grid": "2x3", "pieces": "2", "position": "Ra1Ba2"}, "Rb1Bb2",
        {"last GameDrawn.reason": "stuck"},
    ),
    "3.4 an offer is declined by a move and agreed by acceptance": (
        BY_TWO, "1 Move: Rd1Be1\nOffer: draw", {"offer": 1}, "Ra1Ba2",
        {"offer": 0, "1 Accept: draw": ["no_offer_stands"]}, "2 Offer: draw",
        {"1 Move: Rb1Bb2\nAccept: draw": ["accept_alone"], "2 Offer: draw": ["no_offer_now"]},
        "1 Accept: draw\nComment: well played",
        {"last GameDrawn.reason": "agreed", "1 Move: Rb1Bb2": ["over"]},
    ),
    "3.4 to offer what is offered is to accept": (
        BY_TWO, "2 Offer: draw", "1 Offer: draw", {"last GameDrawn.reason": "agreed"},
    ),
    "a resignation loses the game": (
        BY_TWO, "1 Resign\nComment: too strong",
        {"last GameWon.reason": "resigned", "ending": ((2,), {1: "0", 2: "1"})},
    ),
    "so does a missed deadline": (
        BY_TWO, "lapse", {"last GameWon.reason": "out of time", "ending": ((2,), {1: "0", 2: "1"})},
    ),
    "a player may resign before colours are known": (
        FREE, "2 Resign", {"ending": ((1,), {1: "1", 2: "0"})},
    ),
    "the referee can play for two as well": (
        {**BY_TWO, "timeout_default": "play"}, "lapse",
        {"plies": ("Ra1Ba2",), "last PieceMoved.how": "deadline"},
    ),
    # after a draw the other player begins
    "3.2 in a series the loser begins the next game and choices are asked anew": (
        {**FREE, "games": "3", "edge": "south"}, "1 Colours: blue", E6, {"first": 2, "owed": [("Colours", 2)]},
        "2 Colours: red", {"points": (2, 0)}, "2 Offer: draw", "1 Accept: draw", {"first": 1}, "1 Colours: blue",
        {"points": (3, 1)}, E6, {"ending": ((1,), {1: "5/2", 2: "1/2"})},
    ),
    "a level series is a draw": (
        {**BY_TWO, "games": "2"}, "1 Resign", "2 Resign", {"ending": ((), {1: "1", 2: "1"})},
    ),
}  # fmt: skip


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)
def test_3(story: tuple[Any, ...]) -> None:
    options, *steps = story
    Table(2, **options).told(*steps)


def test_36_e5_52_relocations_follow() -> None:
    plies = two(position=E5).state.grid.plies()
    assert len(plies) == 52
    assert {str(ply.lifted) for ply in plies} == {"Rf1Bf2", "Rc4Bc5", "Rd6Bd7", "Ra4Ba3", "Rh7Bg7", "Re8Be7"}


@pytest.mark.parametrize(("size", "count"), [("8x8", 30), ("7x7", 26)])
def test_36_the_first_player_has_30_moves_on_8x8_and_26_on_7x7(size: str, count: int) -> None:
    assert len(two(grid=size).state.grid.plies()) == count


def test_32_choices_may_come_as_bare_words_under_their_heading() -> None:
    table = Table(2, starter="1")
    assert not table.mail(1, "Hello Bob,\n\nBlue\n\nCheers", "Colours")
    assert not table.mail(2, "north.", "Edge")
    assert table.state.red == (False, True)


def test_32_the_starter_is_drawn_and_the_draw_recorded() -> None:
    starters = {Table(2, draw=draw).of(ev.StarterDrawn)[0] for draw in range(12)}
    assert {drawn.seat for drawn in starters} == {1, 2}
    assert all(drawn.seed and drawn.draws for drawn in starters)


# --- legal moves against the plain implementation (3.3, 3.4) --------------------------------------------------------


def _agrees(rng: random.Random, cols: int, rows: int, pieces: int) -> int:
    grid = plainly.drawn_grid(rng, cols, rows, pieces, rng.randint(0, pieces + 5))
    legal = grid.plies()
    assert set(legal) == plainly.moves(grid)
    places = [[plainly.halves(piece) for piece in (ply.lifted or ply.placed, ply.placed)] for ply in legal]
    assert places == sorted(places)
    for ply in legal:
        after = grid.after(ply)
        assert winner_in(after, ply) == plainly.winner(after, ply.placed)
        assert not tuple(move_faults(grid, ply))
    for _ in range(20):
        ply = _any_ply(rng, grid)
        faults = tuple(move_faults(grid, ply))
        assert bool(faults) is (ply not in legal), (ply, faults)
    return 1


def _any_ply(rng: random.Random, grid: Grid) -> Ply:
    """Any two cells, seldom legal."""
    red = (rng.randrange(grid.cols), rng.randrange(grid.rows))
    step = rng.choice([(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1)])
    blue = (max(0, red[0] + step[0]), max(0, red[1] + step[1]))
    lifted = rng.choice(grid.pieces) if grid.pieces and rng.random() < 0.7 else None
    return plainly.ply(red, blue, lifted or "")


SHAPES = [(4, 4, 6), (5, 4, 8), (4, 6, 9), (6, 6, 15), (7, 7, 20), (8, 8, 20)]


@pytest.mark.parametrize("count", [60, pytest.param(4000, marks=pytest.mark.soak)])
def test_33_legal_moves_results_and_complaints_agree_with_the_plain_rules(count: int) -> None:
    rng = random.Random(count)
    assert sum(_agrees(rng, *rng.choice(SHAPES)) for _ in range(count)) == count


# --- positions and options --------------------------------------------------------------------------------------------


def test_a_position_takes_short_notation_and_the_next_seat_is_to_move() -> None:
    table = two(position="d=RB a^R")
    assert table.state.plies == ("Rd1Be1", "Ra2Ba1")
    assert table.owed == [("Move", 1)]
    assert two(position="d=RB", starter="2").owed == [("Move", 1)]


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ("Rd1Bf1", "not legal"),
        ("Rd1Be1 hello", "can't be read"),
        (E6, "already wins for blue"),
        ("a1>Rd1Be1", "not legal"),
    ],
)
def test_a_position_that_cannot_be_is_refused(position: str, words: str) -> None:
    (fault,) = GAME.faults(set_up(2, position=position))
    assert words in fault


def test_faults_of_options_are_named_together() -> None:
    faults = GAME.faults(set_up(2, players="4", grid="5x5", starter="3"))
    assert len(faults) == 3
    assert "42" in GAME.faults(set_up(4, grid="6x6"))[0]
    assert GAME.faults(set_up(3)) == (
        "One Piece For Two takes two players, or four for the tournament, not 3.",
    )


def test_a_grid_needs_two_cells_more_than_the_pieces_cover() -> None:
    assert not GAME.faults(set_up(2, grid="7x6"))
    assert GAME.faults(set_up(2, grid="8x5"))


def test_35_the_last_ply_of_the_position_and_a_relocation_are_drawn_with_marks() -> None:
    table = two(position=E5).play("f2>Rb1Bb2")
    diagram = GAME.view(table.state, None).diagram
    marks = {(mark.square, mark.kind) for mark in diagram.marks}
    assert {("f1", "from"), ("f2", "from"), ("b1", "last"), ("b2", "last")} <= marks
    assert {square for square, kind in marks if kind == "run"} == {"b1", "c2", "d3", "e4"}
    assert len(diagram.links) == 20
    assert str(ply_of("Rf1Bf2>Rb1Bb2")) == table.state.plies[-1]
