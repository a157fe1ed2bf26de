"""2.3: captures, suicide, superko, the order of turns."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.multigo.table import story

KO = """
3 . B W .
2 B . B W
1 . B W .
  A B C D
"""
TAKEN = KO.replace("2 B . B W", "2 B W . W")
EYE = """
3 . W . .
2 W B W .
1 . B W .
  A B C D
"""
NO, SITUATION = {"compensation": "none"}, {"superko": "situational", "compensation": "none"}
STORIES: dict[str, tuple[Any, ...]] = {
    # B1 is the last liberty of White and of Red: neither is saved by the other's removal
    "dead chains of two colours that touch are removed at once": (
        3, "3 B B B\n2 W R B\n1 W . B\n  A B C", NO, "B B1",
        {"board": ["BBB", "..B", ".BB"], "prisoners": {"black": {"white": 2, "red": 1}}},
    ),
    "suicide is forbidden": (2, EYE, {}, {"1 Move: A1": ["suicide"]}),
    "and allowed by option": (
        2, EYE, {"suicide": "allowed"}, "B A1",
        {"board": [".W..", "W.W.", "..W."], "prisoners": {"white": {"black": 3}}},
    ),
    "a capture comes before suicide": (
        2, "2 B W .\n1 . W B\n  A B C", {}, "B Pass", "W A1", {"board": [".W.", "WWB"]},
    ),
    "a position may not come again": (
        2, KO, {}, "B Pass", "W B2", {"row 2": "B W . W", "1 Move: C2": ["superko"]},
        "B A1", "W D1", {"1 Move: C2": []},
    ),
    "without superko the ko is taken back at once": (
        2, KO, {"superko": "off"}, "B Pass", "W B2", "B C2", {"row 2": "B . B W"},
    ),
    # the first position had Black to move; White brings it back at once, with Red to move
    "a position is one whoever is to move": (3, TAKEN, NO, "B C2", {"2 Move: B2": ["superko"]}),
    "a situation is the position with the seat to move": (3, TAKEN, SITUATION, "B C2", {"2 Move: B2": []}),
    "a situation may not come again": (
        3, TAKEN, SITUATION, "B C2", "W B2", "R Pass", {"1 Move: C2": ["superko"]},
    ),
    "passing is always legal": (2, KO, {}, "B Pass", "W B2", "B Pass", "W Pass", {"phase": "dead"}),
    "passing is always legal by situations": (
        2, KO, {"superko": "situational"}, "B Pass", "W B2", "B Pass", "W Pass", {"phase": "dead"},
    ),
    "turns go round and skip those who resigned": (
        4, "", NO, "B A1", "R Resign", {"owed": [(2, "Move")]}, "W B1", {"owed": [(4, "Move")]},
        "U D1", {"round": 2, "owed": [(1, "Move")]}, "B Resign", {"owed": [(2, "Move")]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("told", STORIES.values(), ids=STORIES)
def test_2_3(told: tuple[Any, ...]) -> None:
    story(*told)
