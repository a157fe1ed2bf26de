"""Contract, 'Mail in': nothing is left out, in every notation of this game."""

from __future__ import annotations

from collections import Counter

import pytest

from referee.core.chance import Chance
from referee.games.onepiece.board import Ply
from referee.games.onepiece.notation import short
from tests.games.left_out import check
from tests.games.onepiece.table import E5, K2
from tests.laws.walks import begin


def mails(ply: Ply, claims: bool) -> list[list[str]]:
    """One move in many ways, and what may stand beside it."""
    full, lifted = f"Move: {ply}", ply.lifted
    ways = [[full], [f"Move: {short(ply)}"], [str(ply)], [full, "Offer: draw"]]
    if lifted:
        ways.append([f"Move: {ply.lifted} -> {short(Ply(ply.red, ply.blue))}"])
    if claims:
        ways += [[full, "Claim: 4"], ["Claim: x+4", full], [f"{full}, claim: 4"], [str(ply), "n = 4"]]
    return ways


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("onepiece", {"position": E5}),
        ("onepiece", {"position": " ".join(E5.split()[:8])}),
        ("onepiece tournament", {"position": K2, "max_claim": "8"}),
        ("onepiece tournament", {"position": K2, "tournament": "off"}),
    ],
)
def test_a_garbled_line_is_never_left_out_in_silence(kind: str, options: dict[str, str]) -> None:
    walk, chance = begin(kind, 1, **options), Chance("2b" * 32)
    state = walk.match.inner
    plies, seen = state.grid.plies(), Counter[str]()
    for ply in plies[:: max(1, len(plies) // 6)]:
        for mail in mails(ply, state.law.tournament):
            seen += check(walk, state.mover, "Move", mail, chance)
    print(kind, dict(seen))
    assert seen["refused"] > 50 or seen["asked"] > 50
    assert seen["accepted"]
