"""604.B: several lots behind each other on one line are several lots, and a sentence is no piece."""

import pytest

from referee.core.value import Line
from referee.games.fourplay.board.catalogue import catalogue_of
from referee.games.fourplay.forms.fields import parse_lots
from referee.games.fourplay.turns.reading import Bought, parse_turn
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
    found = parse_lots(Line(1, text), CATALOGUE)
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


def test_a_sentence_is_never_taken_for_a_piece() -> None:
    words = "I would like 10 pawns, 5 cannons and 2 archers please."
    verdict = refused(f"{words}\n3 Cannon\nMascot: Archer")
    assert "piece_unknown" not in {c.code for c in verdict.complaints}
    assert "I would like" not in verdict.mended.text
    assert not verdict.ready


def in_play(words: str) -> tuple[dict[str, int], int | None, set[str]]:
    """What a line of a turn buys, the sum it states, and what is wrong with it."""
    reading = parse_turn([Line(1, f"Purchase: {words}")], CATALOGUE)
    (bought,) = reading.action.entries
    assert isinstance(bought, Bought)
    return {lot.piece: lot.count for lot in bought.lots}, bought.sum, {c.code for c in reading.complaints}


@pytest.mark.parametrize(
    ("words", "lots", "total"),
    [
        ("3 Pawn, 8 F$ each", {"Pawn": 3}, None),
        ("3 Pawn, 2 Archer, 166 F$", {"Pawn": 3, "Archer": 2}, 166),
        ("3 Pawns @ 8 F$ and two Archers for 166 F$", {"Pawn": 3, "Archer": 2}, 166),
        ("3 Pawns @ 8 F$ & 2x Archer", {"Pawn": 3, "Archer": 2}, None),
        ("Pawn x 3 in all 24 F$!", {"Pawn": 3}, 24),
        ("3 of Pawn (8 F$ each); 1Archer", {"Pawn": 3, "Archer": 1}, None),
    ],
)
def test_608_lots_are_read_in_play_as_in_a_purchase(
    words: str, lots: dict[str, int], total: int | None
) -> None:
    assert in_play(words) == (lots, total, set())


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("3 Pawn @ 7 F$", "price_false"),
        ("3 Pawn, 7 F$ each", "price_false"),
        ("3 Pawn 24 F$ each", "price_false"),
        ("3 Pawn @ 8 F$ = 25 F$", "sum_false"),
        ("3 Pawn, 8 F$ each & some Archers", "lot_unread"),
        ("-1x Pawn", "lot_count"),
        ("2.5 Pawn", "lot_unread"),
    ],
)
def test_608_what_stands_beside_a_lot_must_be_so_and_nothing_is_passed_over(words: str, code: str) -> None:
    assert in_play(words)[2] == {code}
