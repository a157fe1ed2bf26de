"""2.6: the end of play, dead stones, the count, alliances, winners."""

from __future__ import annotations

from fractions import Fraction

import pytest

from referee.games.multigo.game import GAME
from referee.games.multigo.state import DeadListed, Declaration, Scored
from referee.games.multigo.turns import mutual
from tests.games.multigo.table import Table

WALLS = """
5 . B . W . . R . .
4 . B . W . . R . B
3 . B . W . . R . .
2 . B . W . . R . .
1 . B . W . . R . .
  A B C D E F G H J
"""


def over(table: Table) -> Table:
    """Everybody passes."""
    for seat in table.state.active:
        table.play(f"{seat} Pass")
    return table


def walls(**given: str) -> Table:
    """Black 5, White 0, Red 0; 5 points between Black and White, 10 between White and Red, 9 at the right."""
    return over(Table(3, WALLS, compensation="none", **given))


def scores(table: Table) -> list[int]:
    (scored,) = table.of(Scored)
    return [tally.score for tally in scored.tallies]


# --- the end of play -----------------------------------------------------------------------------------------


def test_2_6_play_ends_after_all_active_seats_pass_in_succession() -> None:
    table = Table(3, board="9x9", compensation="none").play("B Pass", "W Pass", "R C3", "B Pass", "W Pass")
    assert table.state.phase == "play"
    table.play("R Pass")
    assert table.state.phase == "dead"


def test_2_6_a_deadline_pass_counts() -> None:
    table = Table(3, board="9x9", compensation="none").lapse().lapse().play("R Pass")
    assert table.state.phase == "dead"


def test_2_6_a_resignation_leaves_passes_standing() -> None:
    table = Table(3, board="9x9", compensation="none").play("B Pass", "W Pass", "R Resign")
    assert table.state.phase == "dead"


# --- dead stones ---------------------------------------------------------------------------------------------


def test_2_6_lists_are_open_and_replaceable_until_the_last() -> None:
    table = walls()
    (due,) = table.due
    assert (due.sealed, due.answers) == (False, "last")
    table.play("B Dead: D1")
    assert table.owed == [(2, "Dead"), (3, "Dead")]
    assert [e.points for e in table.of(DeadListed)] == [("D1",)]
    table.play("B Dead: J4", "W Dead: J4", "R Dead: J4")
    assert table.board[1] == ".B.W..R.."


def test_2_6_any_stone_of_a_chain_names_the_chain() -> None:
    table = walls().play("B Dead: D1, J4", "W Dead: J4 D5", "R Dead: J4 and D3")
    assert table.board[0] == ".B....R.."


def test_2_6_agreed_chains_are_prisoners_without_a_mover() -> None:
    """The lone stone at J4 touches nobody: nobody's. White's wall touches nobody either."""
    table = walls().play("B Dead: J4", "W Dead: J4", "R Dead: J4")
    assert table.eliminated == {"black": 1}
    assert scores(table) == [5, 0, 10]


def test_2_6_with_sharing_the_remainder_of_dead_stones_is_eliminated() -> None:
    drawing = """
    3 . B . .
    2 . W R .
    1 . W . .
      A B C D
    """
    table = over(Table(3, drawing, compensation="none", coop="on"))
    table.play("B Dead: B1", "W Dead: B1", "R Dead: B1")
    assert table.prisoners == {"black": {"white": 1}, "red": {"white": 1}}
    table = over(Table(3, drawing.replace("1 . W . .", "1 W W . ."), compensation="none", coop="on"))
    table.play("B Dead: B1", "W Dead: B1", "R Dead: B1")
    assert table.eliminated == {"white": 1}


def test_2_6_a_first_disagreement_resumes_play_after_the_last_passer() -> None:
    table = Table(3, WALLS, compensation="none").play("B H3", "W Pass", "R Pass", "B Pass")
    table.play("B Dead: none", "W Dead: B1", "R Dead: none")
    assert table.owed == [(2, "Move")]
    assert table.state.phase == "play"


def test_2_6_after_the_second_disagreement_everything_is_alive() -> None:
    table = walls().play("B Dead: none", "W Dead: B1", "R Dead: none")
    over(table).play("B Dead: none", "W Dead: B1", "R Dead: none")
    assert table.state.phase == "over"
    assert scores(table) == [5, 0, 0]


def test_2_6_a_missing_list_names_none() -> None:
    table = walls().play("B Dead: none").lapse()
    assert table.state.phase == "over"


def test_2_6_dead_none_counts_at_once() -> None:
    assert walls(dead="none").state.phase == "over"


def test_2_6_a_list_must_name_stones() -> None:
    table = walls()
    assert table.codes(1, "Dead: A1, D1, Z9") == ["no_such_point"]
    assert table.codes(1, "Dead: A1, D1") == ["no_stone"]
    assert table.codes(1, "Move: A1") == ["not_now"]


# --- counting ------------------------------------------------------------------------------------------------


def test_2_6_area_counts_stones_and_territory() -> None:
    assert scores(walls(dead="none", scoring="area")) == [11, 5, 5]


def test_2_6_shared_territory_is_split_where_the_option_says_so() -> None:
    """5 between Black and White give 2 each, 10 between White and Red 5 each, 9 between Black and Red 4 each."""
    assert scores(walls(dead="none", shared_territory="split")) == [11, 7, 9]


def test_2_6_without_alliances_cooperation_splits_territory() -> None:
    assert scores(walls(dead="none", coop="on", strategic="off")) == [11, 7, 9]
    table = walls(dead="none", coop="on")
    assert table.state.phase == "ally"
    assert scores(table) == [5, 0, 0]


def test_2_6_an_alliance_has_a_divided_region_whole() -> None:
    table = walls(dead="none", coop="on", shared_territory="split")
    table.play("B Ally: White", "W Ally: Black", "R Ally: none")
    assert [bloc.score for bloc in table.state.allied.alliances] == [5 + 5 + 5 + 4]


# --- alliances -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("named", "alliances"),
    [
        ({1: (2,), 2: (1,)}, ((1, 2),)),
        ({1: (2,), 2: (3,), 3: (2,)}, ((2, 3),)),
        ({1: (2, 3), 2: (1,), 3: (1, 2)}, ()),
        ({1: (2, 3), 2: (1, 3), 3: (1, 2)}, ((1, 2, 3),)),
        ({1: (2,), 2: (1,), 3: (4,), 4: (3,)}, ((1, 2), (3, 4))),
        ({1: (2,)}, ()),
    ],
)
def test_2_6_an_alliance_exists_when_all_named_exactly_the_same_set(
    named: dict[int, tuple[int, ...]], alliances: tuple[tuple[int, ...], ...]
) -> None:
    assert mutual(tuple(Declaration(seat, partners) for seat, partners in named.items())) == alliances


def test_2_6_declarations_are_sealed_and_a_missing_one_is_none() -> None:
    table = walls(dead="none", coop="on")
    (due,) = table.due
    assert (due.label, due.sealed, due.answers) == ("Alliances 1", True, "last")
    table.play("B Ally: Red").lapse()
    assert table.state.phase == "over"
    assert table.state.won.blocs == ((1,),)


def test_2_6_each_round_of_declarations_replaces_the_earlier_ones() -> None:
    table = walls(dead="none", coop="on", ally_rounds="2")
    table.play("B Ally: White", "W Ally: Black", "R Ally: none")
    assert table.due[0].label == "Alliances 2"
    table.play("B Ally: none", "W Ally: Red", "R Ally: White")
    assert table.state.won is not None
    assert [bloc.seats for bloc in table.state.allied.alliances] == [(2, 3)]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Ally: Black", ["ally_self"]),
        ("Ally: White, Red", ["ally_too_many"]),
        ("Ally: Mauve", ["no_colour"]),
        ("Ally:", ["nothing_said"]),
        ("Ally: Player 2", []),
    ],
)
def test_2_6_declarations_are_checked(text: str, codes: list[str]) -> None:
    assert walls(dead="none", coop="on").codes(1, text) == codes


def test_2_6_prisoners_of_each_other_do_not_count_in_an_alliance() -> None:
    wall = "W" * 12
    row = "." * 12
    drawing = "\n".join(["4 " + " ".join(wall)] + [f"{n} " + " ".join(row) for n in (3, 2, 1)])
    table = Table(3, drawing, coop="on", compensation="none", dead="none", hands="1:15R 3:21B")
    over(table)
    (scored,) = table.of(Scored)
    assert scored.total == 72
    table.play("B Ally: Red", "W Ally: none", "R Ally: Black")
    assert table.state.won.blocs == ((2,),)


@pytest.mark.parametrize(("score", "qualifies"), [(30, False), (31, True)])
def test_s1_boundary_5_12_of_72(score: int, qualifies: bool) -> None:
    law = Table(3, board="9x9", coop="on").state.law
    assert (score > law.alliance_threshold * 72) is qualifies
    assert (12 * score > 5 * 72) is qualifies


def test_2_6_the_point_of_a_tie_is_split_between_blocs_and_then_inside_each() -> None:
    drawing = """
    3 . B W . . R U .
    2 . B W . . R U .
    1 . B W . . R U .
      A B C D E F G H
    """
    table = over(Table(4, drawing, coop="on", compensation="none", dead="none", alliance_threshold="1/12"))
    table.play("B Ally: Blue", "W Ally: Red", "R Ally: White", "U Ally: Black")
    outcome = GAME.outcome(table.state)
    assert outcome.winners == (1, 2, 3, 4)  # 3 + 3 points of territory against 6 neutral ones between them
    assert set(outcome.points.values()) == {Fraction(1, 4)}
    even = over(Table(4, drawing, coop="on", compensation="none", dead="none", hands="1:3W 4:3R"))
    even.play("B Ally: none", "W Ally: none", "R Ally: none", "U Ally: none")
    outcome = GAME.outcome(even.state)
    assert outcome.points == {1: Fraction(1, 2), 2: Fraction(0), 3: Fraction(0), 4: Fraction(1, 2)}


def test_2_6_where_an_alliance_qualifies_a_single_player_needs_the_bound_too() -> None:
    """Red's 20 prisoners exceed it, and beat the alliance of Black and White, which qualifies too."""
    table = walls(dead="none", coop="on", alliance_threshold="1/12", hands="3:20B")
    table.play("B Ally: White", "W Ally: Black", "R Ally: none")
    assert table.state.won.blocs == ((3,),)


# --- resignation ---------------------------------------------------------------------------------------------


def test_g24_a_resigned_players_stones_stay_and_he_cannot_win() -> None:
    table = Table(3, WALLS, compensation="none", dead="none").play("B Resign", "W Pass", "R Pass")
    assert table.board[0].startswith(".B.W")
    outcome = GAME.outcome(table.state)
    assert outcome.winners == (2, 3)


def test_g24_a_resigned_players_stones_may_be_removed() -> None:
    table = Table(3, WALLS, compensation="none", resigned="remove").play("B Resign")
    assert table.board[0] == "...W..R.."
    assert table.eliminated == {"black": 6}


def test_g24_the_last_one_left_wins() -> None:
    table = Table(3, board="9x9").play("W Resign", "B Resign")
    outcome = GAME.outcome(table.state)
    assert (outcome.winners, outcome.points[3]) == ((3,), 1)
    assert table.due == ()


def test_g24_a_resigned_seat_cannot_be_an_ally() -> None:
    table = Table(4, board="9x9", coop="on", dead="none", compensation="none").play("U Resign")
    over(table)
    assert table.codes(1, "Ally: Blue") == ["ally_resigned"]
    assert table.codes(4, "Ally: Black") == ["has_resigned"]
