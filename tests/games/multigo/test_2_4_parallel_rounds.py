"""2.4: sealed rounds, collisions, removal, void rounds; 2.7: fallbacks."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.multigo.game import GAME
from tests.games.multigo.table import Table, story

KO = """
4 . . . . . .
3 . B W . . .
2 B . B W . .
1 . B W . . .
  A B C D E F
"""
SMALL = "2 . .\n1 . .\n  A B"
ROUNDS = {"order": "parallel"}
ALL, TWO = [(1, "Move"), (2, "Move"), (3, "Move")], [(1, "Move"), (2, "Move")]
FULL, VOID = ("B A2", "W A1"), ("B B2", "W B1")
STORIES: dict[str, tuple[Any, ...]] = {
    "2.4 all active seats owe a sealed replaceable answer": (
        3, "", ROUNDS, {"open": ("Round 1", True, "last"), "owed": ALL},
    ),
    "2.4 an occupied point is refused on receipt": (
        2, KO, ROUNDS, {"1 Move: C2": ["occupied"], "1 Seal: B2": []},
    ),
    "2.4 three at one point and a fourth alone": (
        4, "", ROUNDS, "B D4", "W D4", "R D4", "U E5", {"collided": ["D4"], "placed": [(4, "E5")]},
    ),
    "2.4 self-capture is legal": (
        2, "2 W W .\n1 . W .\n  A B C", ROUNDS, "B A1", "W C2",
        {"row 1": ". W .", "prisoners": {"white": {"black": 1}}},
    ),
    "2.4 a void round restores the board and nobody captures": (
        2, SMALL, ROUNDS, *FULL, *VOID, {"board": ["B.", "W."], "prisoners": {}, "owed": TWO, "voids": 1},
    ),
    "2.4 three void rounds in a row end the play": (
        2, SMALL, ROUNDS, *FULL, *VOID, *VOID, {"phase": "play"}, *VOID, {"phase": "dead", "ended": ["void"]},
    ),
    "2.4 a round that counts ends a run of void ones": (
        2, SMALL, ROUNDS, *FULL, *VOID, *VOID, "B Pass", "W B1", "B Pass", "W Pass", {"voids": 0},
    ),
    "2.4 a repetition may be allowed": (
        2, SMALL, {**ROUNDS, "superko_parallel": "allow"}, *FULL, *VOID, {"phase": "play", "board": ["..", ".."]},
    ),
    "2.4 a repetition may end the play": (
        2, SMALL, {**ROUNDS, "superko_parallel": "end"}, *FULL, *VOID, {"phase": "dead", "board": ["B.", "W."]},
    ),
    "2.4 passes and collisions alone repeat nothing": (
        3, "", ROUNDS, "B D4", "W D4", "R Pass", {"voids": 0, "round": 2},
    ),
    "2.6 collided placements are not passes for the end": (
        3, "", ROUNDS, "B D4", "W D4", "R Pass", {"phase": "play"}, "over", {"phase": "dead"},
    ),
    "2.6 one pass sent among lapses ends the play": (3, "", ROUNDS, "B Pass", "lapse", {"phase": "dead"}),
    "2.7 without fallbacks one point is all": (3, "", ROUNDS, {"1 Seal: E4, B3": ["too_many_points"]}),
    # E4 collides; then White's and Red's B3 collide; Red's C3 stands, White has run out; Black has his B4
    "2.7 fallbacks are tried level by level": (
        3, "", {**ROUNDS, "fallbacks": "2"}, "B E4, B4", "W E4, B3", "R E4, B3, C3",
        {"placed": [(1, "B4"), (3, "C3")], "collided": ["E4", "B3"]},
    ),
    "2.7 a fallback on a point taken at an earlier level fails": (
        3, "", {**ROUNDS, "fallbacks": "1"}, "B E4, C3", "W E4, D5", "R C3",
        {"row 3": ". . R . . . . . .", "row 5": ". . . W . . . . ."},
    ),
}  # fmt: skip


@pytest.mark.parametrize("told", STORIES.values(), ids=STORIES)
def test_rounds(told: tuple[Any, ...]) -> None:
    story(*told)


def test_2_4_check_never_sees_another_seats_sealed_answer() -> None:
    table = Table(2, board="9x9", order="parallel")
    before = table.state
    table.play("B D4")
    assert table.state == before
    assert table.codes(2, "Seal: D4") == []
    assert table.board == ["." * 9] * 9


def test_2_6_a_round_of_lapses_alone_adjourns_the_game() -> None:
    table = Table(3, board="9x9", order="parallel").lapse()
    (due,) = table.due
    assert (table.state.phase, due.window) == ("play", None)
    table.play("B Pass", "W Pass", "R Pass")
    assert table.state.phase == "dead"


def test_2_4_a_resigned_seat_is_asked_no_more() -> None:
    table = story(3, "", ROUNDS, "R Resign", {"owed": TWO}, "B D4", "W E5", {"round": 2})
    assert GAME.open_to(table.state, 3) == ()
