"""2.5: who gets the prisoners, and who chooses which."""

from __future__ import annotations

import itertools
import re

import pytest

from referee.games.multigo.notation import Count
from referee.games.multigo.prisoners import by_order, only_choice, own_too_soon, shares_of
from referee.games.multigo.state import CaptureShared, PrisonersTaken, StonesEliminated, counts
from tests.games.multigo.table import Table

T2 = """
5 . . . . . . . .
4 . . R R . B . .
3 . R W W . U B .
2 . . R R . B . .
1 . . . . . . . .
  A B C D E F G H
"""
PC1 = """
5 . . . . . . . . .
4 . . B B . W W . .
3 . B U U U R R W .
2 . . W W B . B . .
1 . . . . . . . . .
  A B C D E F G H J
"""
BETWEEN = """
3 . B . .
2 B W . .
1 . R . .
  A B C D
"""


def t2(**given: str) -> Table:
    """Red captures two white stones and a blue one; Black is the other captor."""
    return Table(4, T2, coop="on", compensation="none", **given).play("B Pass", "W Pass", "R E3")


def takes(table: Table) -> list[tuple[int, str]]:
    return [(e.seat, e.how) for e in table.of(PrisonersTaken)]


def all_choices(pool: tuple[int, ...], seat: int, share: int) -> tuple[tuple[Count, ...], ...]:
    """Every legal choice (small numbers only)."""
    others = sum(number for colour, number in enumerate(pool, 1) if colour != seat)
    own = max(0, share - others)
    ways: list[tuple[int, ...]] = [()]
    for colour, number in enumerate(pool, 1):
        most = range(own, own + 1) if colour == seat else range(number + 1)
        ways = [(*way, n) for way in ways for n in most if sum(way) + n <= share]
    return tuple(counts(way) for way in ways if sum(way) == share)


# --- without sharing ---------------------------------------------------------------------------------------


def test_2_5_two_captors_without_cooperation_eliminate_the_chain() -> None:
    table = Table(3, BETWEEN, compensation="none").play("B C2")
    assert (table.prisoners, table.eliminated) == ({}, {"white": 1})
    assert [e.why for e in table.of(StonesEliminated)] == ["several"]


def test_2_5_the_unit_may_be_the_stone() -> None:
    drawing = """
    3 . B B .
    2 B W W .
    1 . B R .
      A B C D
    """
    chain = Table(3, drawing, compensation="none").play("B D2")
    stone = Table(3, drawing, compensation="none", noncoop_unit="stone").play("B D2")
    assert (chain.prisoners, chain.eliminated) == ({}, {"white": 2})
    assert (stone.prisoners, stone.eliminated) == ({"black": {"white": 1}}, {"white": 1})


DYING = """
3 . B . .
2 B W . .
1 B R . .
  A B C D
"""


@pytest.mark.parametrize(
    ("includes_dead", "held", "eliminated"),
    [("false", {"black": {"white": 1}}, {"red": 1}), ("true", {}, {"white": 1, "red": 1})],
)
def test_2_5_a_captor_must_survive_unless_the_option_says_otherwise(
    includes_dead: str, held: dict[str, dict[str, int]], eliminated: dict[str, int]
) -> None:
    """Red's stone beside the dying white one dies at the same instant."""
    table = Table(4, DYING, order="parallel", captor_includes_dead=includes_dead)
    table.play("B C2", "W Pass", "R Pass", "U C1")
    assert table.board == [".B..", "B.B.", "B.U."]
    assert (table.prisoners, table.eliminated) == (held, eliminated)


# --- division ----------------------------------------------------------------------------------------------


def test_2_5_tactical_off_takes_prisoners_as_without_cooperation() -> None:
    table = Table(3, BETWEEN, coop="on", tactical="off", compensation="none").play("B C2")
    assert table.eliminated == {"white": 1}


def test_2_5_with_cooperation_the_mover_takes_the_remainder() -> None:
    table = Table(3, BETWEEN, coop="on", compensation="none").play("B C2")
    assert table.prisoners == {"black": {"white": 1}}


@pytest.mark.parametrize(
    ("last", "rule", "shares", "eliminated"),
    [
        ({1, 2}, "at_least_one", [2, 2, 1], 0),
        ({1, 2}, "more_than_one", [1, 1, 1], 2),
        ({1}, "at_least_one", [3, 1, 1], 0),
        (set(), "at_least_one", [1, 1, 1], 2),
    ],
)
def test_pc4_five_stones_among_three_captors(
    last: set[int], rule: str, shares: list[int], eliminated: int
) -> None:
    law = Table(4, board="9x9", order="parallel", coop="on", rest_rule=rule).state.law
    found, spare = shares_of(law, 5, {1, 2, 3}, last)
    assert ([found[seat] for seat in (1, 2, 3)], spare) == (shares, eliminated)


FLOORS = """
(1,2) 1/0 · (2,2) 1/1 · (2,3) 2/0/0 · (3,2) 2/1 · (3,4) 3/0/0/0 · (5,2) 3/2 · (5,3) 3/1/1 · (7,4) 4/1/1/1 · (8,3) 4/2/2
"""


@pytest.mark.parametrize("row", FLOORS.strip().split(" · "))
def test_2_8_the_floor_table_for_the_mover(row: str) -> None:
    stones, captors, *shares = (int(number) for number in re.findall(r"\d+", row))
    law = Table(4, board="9x9", coop="on").state.law
    found, spare = shares_of(law, stones, set(range(1, captors + 1)), {1})
    assert ([found[seat] for seat in range(1, captors + 1)], spare) == (shares, 0)


TWO_CORNERS = """
3 . B . . . . R .
2 B W . . . R U .
1 . R . . . . B .
  A B C D E F G H
"""


def test_2_5_captures_far_apart_are_events_of_their_own() -> None:
    table = Table(4, TWO_CORNERS, order="parallel", coop="on").play("B C2", "R H2", "W Pass", "U Pass")
    assert len(table.of(CaptureShared)) == 2
    assert table.prisoners == {"black": {"white": 1}, "red": {"blue": 1}}


def test_2_5_all_captures_of_a_round_may_be_one_event() -> None:
    table = Table(4, TWO_CORNERS, order="parallel", coop="on", event_scope="round")
    table.play("B C2", "R H2", "W Pass", "U Pass")
    assert len(table.of(CaptureShared)) == 1
    assert table.owed == [(3, "Take")]
    table.play("R Take: 1 white")
    assert table.prisoners == {"red": {"white": 1}, "black": {"blue": 1}}


# --- the choice of colours ---------------------------------------------------------------------------------


def test_2_5_the_mover_chooses_first_and_the_last_share_is_automatic() -> None:
    table = t2()
    (due,) = table.due
    assert due.label == "Round 1 / Prisoners 1 / Player 3"
    assert due.window.total_seconds() == 48 * 3600
    table.play("R Take: 1 white, 1 blue")
    assert takes(table) == [(3, "mail"), (1, "only")]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Take: 1 white", ["take_total"]),
        ("Take: 3 white", ["take_not_there", "take_total"]),
        ("Take: 2 blue", ["take_not_there"]),
        ("Take: 1 white, 1 black", ["take_not_there"]),
        ("Take: white", ["no_counts"]),
        ("Take: 2 mauve", ["no_colour", "take_total"]),
    ],
)
def test_2_5_a_choice_is_checked_against_what_is_there(text: str, codes: list[str]) -> None:
    assert t2().codes(3, text) == codes


def test_2_5_nobody_chooses_out_of_turn() -> None:
    table = t2()
    assert table.codes(1, "Take: 1 white") == ["nothing_to_take"]
    assert table.codes(4, "Move: A1") == ["not_now"]


def test_2_5_the_default_is_the_most_numerous_colour_first() -> None:
    table = t2().lapse()
    assert table.prisoners == {"red": {"white": 2}, "black": {"blue": 1}}
    assert takes(table) == [(3, "deadline"), (1, "only")]


def test_2_5_a_standing_order_is_applied_at_once() -> None:
    table = Table(4, T2, coop="on", compensation="none")
    table.play("R Prefer: blue", "B Pass", "W Pass", "R E3")
    assert table.prisoners == {"red": {"blue": 1, "white": 1}, "black": {"white": 1}}
    assert takes(table)[0] == (3, "prefer")


def test_2_5_a_standing_order_sent_while_the_choice_waits_decides_it() -> None:
    table = t2().play("R Prefer: white, blue")
    assert table.prisoners["red"] == {"white": 2}


def test_2_5_prefer_may_stand_beside_a_move_also_sealed() -> None:
    table = Table(4, PC1, order="parallel", coop="on")
    assert not table.mail(2, "Prefer: red\nSeal: F2")
    table.play("B E4", "R Pass", "U Pass")
    assert takes(table) == [(2, "prefer"), (1, "only")]
    assert table.prisoners == {"white": {"red": 2}, "black": {"blue": 2}}
    assert table.eliminated == {"blue": 1}


def test_2_5_in_parallel_play_the_highest_seat_chooses_first() -> None:
    table = Table(4, PC1, order="parallel", coop="on").play("B E4", "W F2", "R Pass", "U Pass")
    assert table.owed == [(2, "Take")]


@pytest.mark.parametrize(("order", "seats"), [("recency", [3, 1, 4]), ("seat", [4, 3, 1])])
def test_2_5_after_the_mover_the_most_recent_turn_chooses_or_the_highest_seat(
    order: str, seats: list[int]
) -> None:
    drawing = """
    4 . U . . .
    3 U W U . .
    2 U W B . .
    1 . . G B .
      A B C D E
    """
    table = Table(5, drawing, coop="on", compensation="none", choice_order=order)
    table.play("B Pass", "W Pass", "R B1")
    (shared,) = table.of(CaptureShared)
    assert [(taker.seat, taker.stones) for taker in shared.takers] == [(seat, 1) for seat in seats]
    assert table.owed == [(seats[0], "Take")]


def test_2_5_the_next_turn_may_run_while_a_choice_waits() -> None:
    table = t2(choice_blocks="false")
    assert table.owed == [(3, "Take"), (4, "Move")]
    table.play("U A1")
    assert table.owed == [(3, "Take"), (1, "Move")]
    table.play("R Take: 1 white, 1 blue")
    assert table.owed == [(1, "Move")]


def test_2_5_the_count_waits_for_every_choice() -> None:
    table = t2(choice_blocks="false", dead="none").play("U Pass", "B Pass", "W Pass", "R Pass")
    assert table.owed == [(3, "Take")]
    table.lapse()
    assert table.state.phase == "ally"


OWN = "1 . B W . R W .\n  A B C D E F G"


@pytest.mark.parametrize(
    ("option", "held", "eliminated"),
    [
        ("eliminate", {"black": {"red": 1}}, {"white": 1}),
        ("count", {"black": {"red": 1}, "white": {"white": 1}}, {}),
    ],
)
def test_2_5_own_stones_left_to_a_captor_are_eliminated_or_counted(
    option: str, held: dict[str, dict[str, int]], eliminated: dict[str, int]
) -> None:
    table = Table(3, OWN, coop="on", compensation="none", own_prisoners=option).play("B D1")
    assert table.owed == [(1, "Take")]
    table.play("B Take: 1 red")
    assert (table.prisoners, table.eliminated) == (held, eliminated)


def test_2_5_who_chooses_first_never_gets_his_own_colour_while_others_are_left() -> None:
    table = Table(3, OWN, order="parallel", coop="on", removal="old_first")
    table.play("B D1", "W Pass", "R Pass")
    assert table.prisoners == {"white": {"red": 1}, "black": {"white": 1}}


def test_2_5_own_stones_may_be_taken_only_when_nothing_else_is_left() -> None:
    drawing = "2 . B U B . .\n1 B W . R W .\n  A B C D E F"
    table = Table(4, drawing, order="parallel", coop="on", removal="old_first")
    table.play("B C1", "W Pass", "R Pass", "U Pass")
    assert table.codes(2, "Take: 1 white") == ["take_own"]
    table.play("W Take: 1 blue")
    assert table.prisoners == {"white": {"blue": 1}, "black": {"white": 1, "red": 1}}


def test_2_5_a_choice_is_automatic_exactly_when_one_possibility_is_left() -> None:
    for pool in itertools.product(range(4), repeat=3):
        for share in range(1, sum(pool) + 1):
            for seat in (1, 2, 3):
                ways = all_choices(pool, seat, share)
                assert only_choice(pool, seat, share) == (len(ways) == 1)
                assert by_order(pool, seat, share, ()) in ways
                assert all(not own_too_soon(pool, seat, way, share) for way in ways)


# --- Crossman ----------------------------------------------------------------------------------------------


def test_crossman_nobody_owns_prisoners_and_nobody_is_asked() -> None:
    table = t2(prisoners="crossman")
    assert table.prisoners == {}
    assert table.eliminated == {"white": 2, "blue": 1}
    assert table.owed == [(4, "Move")]


def test_2_5_prefer_has_no_use_where_nobody_chooses() -> None:
    assert Table(3, board="9x9").codes(1, "Prefer: white") == ["no_choices"]
    assert Table(3, board="9x9", coop="on", prisoners="crossman").codes(1, "Prefer: white") == ["no_choices"]
