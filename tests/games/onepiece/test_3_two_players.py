"""Two players (3.1 to 3.7): setup, legal moves, results, draws, series."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from referee.core.owing import Demand
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


def shown(table: Table) -> list[str]:
    return list(GAME.view(table.state, None).position["board"])


# --- golden cases (3.6) --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [7, 8])
def test_36_e3_makes_both_fours_and_nobody_wins(size: int) -> None:
    table = two(colours="blue", grid=f"{size}x{size}").play(E3)
    last = table.of(ev.PieceMoved)[-1]
    assert last.red_run == ("b2", "c2", "d2", "e2")
    assert last.blue_run == ("b1", "c1", "d1", "e1")
    assert GAME.outcome(table.state) is None
    assert shown(table) == board(AFTER_E3, size, size)


@pytest.mark.parametrize(
    ("ply", "red", "blue", "drawing"), [("Rd4Bc4", 4, 2, AFTER_E4A), ("Ra2Ba3", 5, 2, AFTER_E4B)]
)
@pytest.mark.parametrize("size", [7, 8])
def test_36_e4_red_wins_by_a_diagonal_or_by_a_new_half_that_extends_an_old_line(
    size: int, ply: str, red: int, blue: int, drawing: str
) -> None:
    table = two(colours="blue", grid=f"{size}x{size}", position=E3).play(ply)
    moved, won = table.of(ev.PieceMoved)[-1], table.of(ev.GameWon)[-1]
    assert (len(moved.red_run), len(moved.blue_run)) == (red, blue)
    assert (won.colour, won.winners, won.reason) == ("red", (2,), "four")
    assert shown(table) == board(drawing, size, size)
    outcome = GAME.outcome(table.state)
    assert outcome.winners == (2,)
    assert outcome.points == {1: Fraction(0), 2: Fraction(1)}


def test_36_e5_no_ply_of_the_placing_wins_and_52_relocations_follow() -> None:
    table = two().play(E5)
    assert shown(table) == board(AFTER_E5, 8, 8)
    assert table.state.box == 0
    plies = table.state.grid.plies()
    assert len(plies) == 52
    assert {str(ply.lifted) for ply in plies} == {"Rf1Bf2", "Rc4Bc5", "Rd6Bd7", "Ra4Ba3", "Rh7Bg7", "Re8Be7"}


def test_36_e5_a_relocation_wins_by_the_diagonal() -> None:
    table = two(position=E5).play("Rf1Bf2>Rb1Bb2")
    moved = table.of(ev.PieceMoved)[-1]
    assert moved.red_run == ("b1", "c2", "d3", "e4")
    assert len(moved.blue_run) == 2
    assert table.of(ev.GameWon)[-1].winners == (1,)


@pytest.mark.parametrize(
    ("ply", "codes"),
    [
        ("Rc1Bd1>Rb1Bb2", ["covered"]),
        ("Rf1Bf2>Rf2Bf1", ["overlaps_itself", "overlaps_itself"]),
        ("Rc4Bc5>Rc4Bb1", ["not_adjacent"]),
        ("Rf1Bf2>Rf3Bf4", ["floats", "floats"]),
        ("Rf2Bf1>Rb1Bb2", ["no_such_piece"]),
        ("b1>Rb1Bb2", ["no_such_piece"]),
        ("Rb1Bb2", ["box_empty"]),
        ("f1>Rh8Bi8", ["off_the_grid"]),
        ("f1>Ra1Bb1", ["occupied"]),
        ("c4>Rd8Be8", ["occupied"]),
    ],
)
def test_36_e5_illegal_relocations(ply: str, codes: list[str]) -> None:
    assert two(position=E5).codes(1, f"Move: {ply}") == codes


def test_36_e5_a_relocation_can_hand_the_win_to_the_other() -> None:
    table = two(position=E5).play("Rc4Bc5>Rf3Bf4")
    won = table.of(ev.GameWon)[-1]
    assert (won.colour, won.winners, won.seat, won.reason) == ("blue", (2,), 1, "handed over")


@pytest.mark.parametrize("size", [7, 8])
def test_36_e6_six_times_nothing_then_blue_who_began(size: int) -> None:
    table = two(colours="blue", grid=f"{size}x{size}").play(E6)
    assert [len(m.blue_run) >= 4 for m in table.of(ev.PieceMoved)] == [False] * 6 + [True]
    assert table.of(ev.PieceMoved)[-1].blue_run == ("c2", "d2", "e2", "f2")
    assert table.of(ev.GameWon)[-1].winners == (1,)
    assert shown(table) == board(AFTER_E6, size, size)


@pytest.mark.parametrize(("size", "count"), [("8x8", 30), ("7x7", 26)])
def test_36_the_first_player_has_30_moves_on_8x8_and_26_on_7x7(size: str, count: int) -> None:
    assert len(two(grid=size).state.grid.plies()) == count


def test_36_a_piece_does_not_stand_on_the_top_row_nor_lie_on_uneven_columns() -> None:
    table = two(grid="7x7").play("Ra1Ba2 Ra4Ba3 Ra5Ba6 Rc1Bc2 Rd1Be1")
    assert table.codes(1, "Move: Rf1Bf2") == ["not_your_turn"]
    assert table.codes(2, "Move: a^R") == ["off_the_grid"]
    assert table.codes(2, "Move: Rd2Bc2") == ["occupied"]
    (floats,) = table.mail(2, "Move: Rc3Bd3")
    assert (floats.code, floats.rule) == ("floats", "3.3")
    assert table.mail(2, "Move: d^R") == ()  # the columns beside do not matter to a standing piece


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


def test_33_legal_moves_results_and_complaints_agree_with_the_plain_rules() -> None:
    rng = random.Random(33)
    assert sum(_agrees(rng, *rng.choice(SHAPES)) for _ in range(60)) == 60


@pytest.mark.soak
def test_33_legal_moves_results_and_complaints_agree_with_the_plain_rules_thousands_of_times() -> None:
    rng = random.Random(34)
    assert sum(_agrees(rng, *rng.choice(SHAPES)) for _ in range(4000)) == 4000


# --- setup (3.2) -----------------------------------------------------------------------------------------------------


def test_32_the_one_who_begins_chooses_colours_and_the_other_the_edge_in_any_order() -> None:
    for order in ((1, 2), (2, 1)):
        table = Table(2, starter="1")
        assert table.owing() == (Demand("Colours", 1), Demand("Edge", 2))
        assert table.codes(1, "Move: Rd1Be1") == ["choices_first"]
        for seat in order:
            assert not table.mail(seat, {1: "Colours: blue", 2: "Edge: WEST"}[seat])
        assert table.owing() == (Demand("Move", 1),)
        assert (table.state.colour_of(1), table.state.edge) == ("blue", "west")


def test_32_choices_may_come_as_bare_words_under_their_heading() -> None:
    table = Table(2, starter="1")
    assert not table.mail(1, "Hello Bob,\n\nBlue\n\nCheers", "Colours")
    assert not table.mail(2, "north.", "Edge")
    assert table.state.red == (False, True)


def test_32_a_lapse_takes_red_and_south() -> None:
    table = Table(2, starter="2")
    table.lapse()
    assert table.state.red == (False, True)
    assert table.state.edge == "south"
    assert [e.how for e in table.of(ev.ColoursChosen) + table.of(ev.EdgeChosen)] == ["default", "default"]
    assert table.owing() == (Demand("Move", 2),)


def test_32_what_options_choose_is_not_asked() -> None:
    assert Table(2, starter="1", colours="red").owing() == (Demand("Edge", 2),)
    assert Table(2, starter="1", edge="north").owing() == (Demand("Colours", 1),)
    assert two().owing() == (Demand("Move", 1),)


def test_32_a_choice_that_is_none_is_refused() -> None:
    table = Table(2, starter="1")
    assert table.codes(1, "Colours: green") == ["no_colour"]
    assert table.codes(2, "Edge: up") == ["no_edge"]
    assert table.codes(2, "Colours: red") == ["not_yours_to_choose"]


@pytest.mark.parametrize(
    ("edge", "size"), [("south", (9, 6)), ("north", (9, 6)), ("east", (6, 9)), ("west", (6, 9))]
)
def test_32_an_edge_at_the_side_turns_an_oblong_grid(edge: str, size: tuple[int, int]) -> None:
    table = two(grid="9x6", edge=edge)
    assert table.state.size == size
    assert len(shown(table)) == size[1]
    assert {len(row) for row in shown(table)} == {size[0]}


def test_32_the_starter_is_drawn_and_the_draw_recorded() -> None:
    starters = {Table(2, draw=draw).of(ev.StarterDrawn)[0] for draw in range(12)}
    assert {drawn.seat for drawn in starters} == {1, 2}
    assert all(drawn.seed and drawn.draws for drawn in starters)


# --- draws and the end (3.4) ------------------------------------------------------------------------------------------


def relocating(**given: str) -> Table:
    """A small full game: three pieces, each of which can go to and fro without a win."""
    return two(grid="5x4", pieces="3", position="Ra1Ba2 Rb1Bb2 Bc1Rc2", **given)


TO_AND_FRO = "a1>Rd1Bd2 b1>Re1Be2 d1>Ra1Ba2 e1>Rb1Bb2"


def test_34_the_third_time_with_the_same_side_to_move_is_a_draw() -> None:
    table = relocating()
    table.play(TO_AND_FRO)
    assert GAME.outcome(table.state) is None
    table.play(TO_AND_FRO)
    drawn = table.of(ev.GameDrawn)[-1]
    assert (drawn.reason, drawn.count) == ("repetition", 3)
    outcome = GAME.outcome(table.state)
    assert outcome.winners == ()
    assert outcome.points == {1: Fraction(1, 2), 2: Fraction(1, 2)}


def test_34_the_same_place_with_the_other_side_to_move_is_another_position() -> None:
    table = relocating(repetition="2")
    table.play("a1>Rd1Bd2 b1>Re1Be2 d1>Rb1Bb2")
    assert GAME.outcome(table.state) is None
    table.play("e1>Ra1Ba2")
    assert table.of(ev.GameDrawn)[-1].count == 2


def test_34_so_many_relocations_are_a_draw_and_a_position_counts_none() -> None:
    table = relocating(max_relocations="3", repetition="off")
    table.play("a1>Rd1Bd2 b1>Re1Be2")
    assert GAME.outcome(table.state) is None
    table.play("d1>Ra1Ba2")
    assert table.of(ev.GameDrawn)[-1].reason == "relocations"


def test_34_both_limits_can_be_off() -> None:
    table = relocating(max_relocations="off", repetition="off")
    for _ in range(30):
        table.play(TO_AND_FRO)
    assert GAME.outcome(table.state) is None


def test_b10_who_cannot_move_draws() -> None:
    table = two(grid="3x2", pieces="2", position="Ra1Bb1").play("Bc1Rc2")
    assert table.state.grid.box == 0
    stuck = two(grid="2x3", pieces="2", position="Ra1Ba2").play("Rb1Bb2")
    assert stuck.of(ev.GameDrawn)[-1].reason == "stuck"


def test_34_an_offer_is_declined_by_a_move_and_agreed_by_acceptance() -> None:
    table = two()
    assert not table.mail(1, "Move: Rd1Be1\nOffer: draw")
    assert table.state.offer == 1
    table.play("Ra1Ba2")
    assert table.state.offer == 0
    assert table.codes(1, "Accept: draw") == ["no_offer_stands"]
    assert not table.mail(2, "Offer: draw")
    assert table.codes(1, "Move: Rb1Bb2\nAccept: draw") == ["accept_alone"]
    assert table.codes(2, "Offer: draw") == ["no_offer_now"]
    assert not table.mail(1, "Accept: draw\nComment: well played")
    assert table.of(ev.GameDrawn)[-1].reason == "agreed"
    assert table.codes(1, "Move: Rb1Bb2") == ["over"]


def test_34_to_offer_what_is_offered_is_to_accept() -> None:
    table = two()
    assert not table.mail(2, "Offer: draw")
    assert not table.mail(1, "Offer: draw")
    assert table.of(ev.GameDrawn)[-1].reason == "agreed"


def test_resignation_and_a_missed_deadline_lose_the_game() -> None:
    resigned = two()
    assert not resigned.mail(1, "Resign\nComment: too strong")
    assert resigned.of(ev.GameWon)[-1].reason == "resigned"
    late = two()
    late.lapse()
    assert late.of(ev.GameWon)[-1].reason == "out of time"
    for table in (resigned, late):
        outcome = GAME.outcome(table.state)
        assert outcome.winners == (2,)


def test_a_player_may_resign_before_colours_are_known() -> None:
    table = Table(2, starter="1")
    assert not table.mail(2, "Resign")
    outcome = GAME.outcome(table.state)
    assert outcome.winners == (1,)


def test_the_referee_can_play_for_two_as_well() -> None:
    table = two(timeout_default="play")
    table.lapse()
    assert table.state.plies == ("Ra1Ba2",)
    assert table.of(ev.PieceMoved)[-1].how == "deadline"


# --- series ----------------------------------------------------------------------------------------------------------


def test_32_in_a_series_the_loser_begins_the_next_game_and_choices_are_asked_anew() -> None:
    table = Table(2, games="3", starter="1", edge="south")
    assert not table.mail(1, "Colours: blue")
    table.play(E6)
    assert table.state.first == 2
    assert table.owing() == (Demand("Colours", 2),)
    assert not table.mail(2, "Colours: red")
    assert table.state.points == (2, 0)
    assert not table.mail(2, "Offer: draw")
    assert not table.mail(1, "Accept: draw")
    assert table.state.first == 1  # after a draw the other player
    assert not table.mail(1, "Colours: blue")
    assert GAME.view(table.state, None).position["points"] == [1.5, 0.5]
    table.play(E6)
    outcome = GAME.outcome(table.state)
    assert outcome.winners == (1,)
    assert outcome.points == {1: Fraction(5, 2), 2: Fraction(1, 2)}


def test_a_level_series_is_a_draw() -> None:
    table = two(games="2")
    assert not table.mail(1, "Resign")
    assert not table.mail(2, "Resign")
    outcome = GAME.outcome(table.state)
    assert outcome.winners == ()
    assert set(outcome.points.values()) == {Fraction(1)}


# --- positions and options --------------------------------------------------------------------------------------------


def test_a_position_takes_short_notation_and_the_next_seat_is_to_move() -> None:
    table = two(position="d=RB a^R")
    assert table.state.plies == ("Rd1Be1", "Ra2Ba1")
    assert table.owing() == (Demand("Move", 1),)
    assert two(position="d=RB", starter="2").owing() == (Demand("Move", 1),)


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
