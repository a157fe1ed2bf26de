"""604.B: several lots behind each other on one line are several lots, and a sentence is no piece."""

from __future__ import annotations

import pytest

from referee.core.complaint import Line
from referee.games.fourplay.army.catalogue import catalogue_of
from referee.games.fourplay.army.lots import lot_lines
from referee.match.commands import Refused
from tests.games.fourplay.table import to_purchase
from tests.laws.test_refusals import judged
from tests.laws.walks import steps

CATALOGUE = catalogue_of(to_purchase().state.rules.pieces)


@pytest.mark.parametrize(
    ("text", "lots"),
    [
        ("10 Pawn, 5 Cannon, 2 Archer", ["10 Pawn", "5 Cannon", "2 Archer"]),
        ("10 pawns and 2 archers", ["10 Pawn", "2 Archer"]),
        ("10 x Pawn; 2 Killer Tomatoes & 1 Bender", ["10 Pawn", "2 Killer Tomato", "1 Bender"]),
        ("10 Pawn, 8 F$ each, value 1 each, 2 Archer, 71 F$ each, value 10 each", ["10 Pawn", "2 Archer"]),
        ("10 Pawn, 8 F$ each, value 1 each", ["10 Pawn"]),
        ("2 Killer Tomato, 15 F$, 2", ["2 Killer Tomato"]),
        ("Pawn x 10", ["10 Pawn"]),
    ],
)
def test_604b_lots_behind_each_other(text: str, lots: list[str]) -> None:
    found = lot_lines(Line(1, text), CATALOGUE)
    assert [f"{lot.count} {lot.piece.name if lot.piece else None}" for lot in found] == lots
    if "each" in text:
        prices = {"Pawn": "8", "Archer": "71"}
        assert [lot.price for lot in found] == [prices[lot.piece.name] for lot in found if lot.piece]


def refused(text: str) -> Refused:
    step = next(s for s in steps("fourplay", 1) if s.demand.kind == "Purchase")
    verdict = judged(step.walk, step.demand.seat, "Purchase", text)
    assert isinstance(verdict, Refused)
    return verdict


def test_604b_a_list_in_one_line_is_kept_whole_in_the_form() -> None:
    verdict = refused("Purchases: 10 Pawn, 3 Cannon and 2 Archrs\nMascot: Archer")
    assert verdict.mended is not None
    for lot in ("10 Pawn, 8 F$ each", "3 Cannon, 22 F$ each", "2 Archer, 71 F$ each"):
        assert lot in verdict.mended.text
    assert "not_understood" not in {c.code for c in verdict.complaints}


def test_a_sentence_is_told_as_not_understood_and_never_taken_for_a_piece() -> None:
    words = "I would like 10 pawns, 5 cannons and 2 archers please."
    verdict = refused(f"{words}\n3 Cannon\nMascot: Archer")
    assert "piece_unknown" not in {c.code for c in verdict.complaints}
    assert words in [line.text for c in verdict.complaints if c.code == "not_understood" for line in c.lines]
    assert verdict.mended is not None
    assert "I would like" not in verdict.mended.text
    assert not verdict.ready
