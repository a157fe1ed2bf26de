"""What the letters of Fourplay say: each phase explained from the letters alone, and long turns read as they were."""

import json

import pytest

from referee.core.game import Setup
from referee.core.value import Demand, Line
from referee.games.fourplay.board.catalogue import catalogue_of
from referee.games.fourplay.game import GAME
from referee.games.fourplay.turns.reading import Bought, form_entries, parse_turn, render_entry, render_turn
from referee.letters.rendering import TextPage
from tests.games.fourplay import test_604_purchase as purchases
from tests.games.fourplay.table import Table, setup, to_purchase, to_setup
from tests.games.fourplay.test_606_612_turns import CAPTURE, play
from tests.games.fourplay.test_611_objections import KINGS
from tests.letters.plain import PAGES, asked, spoken, told


def words_to(table: Table, seat: int, kind: str, first: bool = False) -> str:
    """What a letter says to a seat of what it owes, on one line."""
    return " ".join(asked(GAME, Demand(kind, seat), GAME.view(table.state, seat), first).split())


def test_9_a_dollarman_earns_while_its_player_has_a_king() -> None:
    view = GAME.view(to_purchase().state, None)
    words = " ".join(spoken(PAGES, "text", "fourplay/rules", "pieces", view).split())
    assert "as long as that player has a King" in words


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize(
    ("kind", "begun", "rule"),
    [("Ready", Table, "601"), ("Purchase", to_purchase, "604"), ("Setup", to_setup, "605")],
)
def test_the_letters_of_each_phase_say_what_to_do(kind: str, begun: type, rule: str, first: bool) -> None:
    table = begun()
    for seat in (1, 2, 3, 4):
        words = words_to(table, seat, kind, first)
        assert "form" in words
        assert rule in words


def test_the_first_letter_of_the_purchase_has_every_price_and_how_every_piece_moves() -> None:
    table = to_purchase()
    words = words_to(table, 2, "Purchase", first=True)
    for piece in catalogue_of(table.state.rules.pieces).types:
        assert " ".join(piece.description.split()) in words
        if piece.for_sale:
            assert f"{piece.name} {piece.symbol} {piece.price} F$ {piece.value} " in words
    assert "523 F$" in words
    assert "615 F$" in words


def test_the_first_letter_of_a_later_purchase_recalls_earlier_armies() -> None:
    words = words_to(purchases.second_cycle(), 1, "Purchase", first=True)
    assert "Archer, Cannon, Crazyhorse, Jester, Pawn, Snake" in words


def test_a_phase_begun_again_says_so() -> None:
    table = to_purchase()
    table.send(3, "Resign", "")
    table.happen(GAME.filled(table.state, 3))
    assert "begins again" in words_to(table, 1, "Purchase")


def test_what_happens_before_play_is_told_with_its_numbers() -> None:
    table = to_purchase()
    table.send(1, "Purchase", purchases.VALID)
    table.lapse()
    table.lapse()
    pieces = json.loads(table.state.rules.pieces)
    next(row for row in pieces["piece"] if row["name"] == "Pawn")["price"] = 9
    table.happen(
        GAME.amended(table.state, Setup(setup().options, {**setup().data, "pieces": pieces}, 4)).events
    )
    view = GAME.view(table.state, None)
    words = "\n".join(" ".join(told(GAME, event, view).split()) for event in table.events)
    for said in (
        "615 F$ (rule 604.F)",
        "bought pieces and keeps 72 F$.",
        "Home Corner",
        "Pawn: price 8 becomes 9",
    ):
        assert said in words


def test_the_first_letter_of_a_turn_explains_all_and_later_ones_less() -> None:
    table = play()
    first, later = words_to(table, 2, "Turn", first=True), words_to(table, 2, "Turn")
    assert "up to 3 moves" in later
    assert "with the subject" not in later  # the letter around it names the one subject there is
    assert len(later) * 3 < len(first)
    for name in ("King", "Dollarman", "Cannon", "Neutron", "Pawn", "Jester"):
        piece = catalogue_of(table.state.rules.pieces).by_name[name]
        assert " ".join(piece.description.split()) in first
    assert CAPTURE.replace(", 1 F$", " 1 F$") in first  # the statement has a line of its own


def test_the_letter_of_a_turn_names_check_and_the_waiting_mascot() -> None:
    pieces = [*KINGS, {"square": "a13", "piece": "Jester", "player": 3, "mascot": False}]
    off = [{"player": 2, "piece": "Archer", "count": 1, "mascot": True}]
    table = Table(position=json.dumps({"pieces": pieces, "turn": 2, "off_board": off}))
    words = words_to(table, 2, "Turn")
    for said in ("Your King is in check from Player 3.", "Archer: off-", "Mascot returned"):
        assert said in words


@pytest.mark.parametrize("kind", ["Objection", "Resign"])
def test_what_may_be_sent_beside_a_turn_is_explained(kind: str) -> None:
    assert f"Fourplay: {kind} / Player 3" in words_to(play(), 3, kind, first=True)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Next time I go c11-c3!\nNeutron: h8-h15\nPass", ""),
        ("Neutron: h8-h15\nCannon: c11-off", "off_last"),
        ("Neutron: h8-h15\nCannon: c11-c9, aggressive toward Player 7", "no_player"),
        ("Round: 3\nRound: 4\nNeutron: h8-h15\nPass", ""),
        ("Neutron: h8-h15, Neutron captured, Mascot returned\nPass", "mascot_returned_false"),
        ("Neutron: h8-h15, Neutron captured, Mascot returned\nPass", "neutron_caught_false"),
        ("Neutron: h8-h15\nPass\nPurchase: 0 Pawn, some more", "lot_count"),
        ("Neutron: h8-h15\nPass\nPurchase: 0 Pawn, some more", "lot_unread"),
        ("Neutron: h8-h15\nDollarman: b14-b14", ""),
    ],
)
def test_what_no_rule_case_sends_is_refused_in_words(text: str, code: str) -> None:
    assert code in ["", *play().codes(2, "Turn", text)]


def test_what_stands_beside_a_leaving_is_refused_in_words() -> None:
    assert to_purchase().codes(1, "Resign", "I am leaving\nPlace Pawn on m9") == ["beside_leaving"]


LONG_TURN = """\
Player: 1
Round: 3
Cycle: 1
Neutron: h8-a13, 1 Neutron Gem to Player 2, Neutron returned to center square, Pawn of Player 3 destroyed by Neutron
Snake: k12-j7, captures Crazyhorse of Player 4, Mascot captured, aggressive toward Player 4, 12 F$ received
Crazyhorse: i12-g11-f13, captures Withdrawer of Player 2, aggressive toward Player 2 and Player 3, 4 F$ received
Purchase: 2 Killer Tomato, 1 Crazyhorse, 1 Withdrawer, 1 PrimeMover, 1 Quadrunner, 1 Archer, 2 Jester, 240 F$"""


def test_a_long_turn_takes_several_lines_of_a_form_and_is_read_as_it_was() -> None:
    catalogue = catalogue_of(play().state.rules.pieces)
    turn = parse_turn(numbered(LONG_TURN), catalogue).action
    form = [*form_entries(turn.entries)]
    assert max(map(len, form)) <= 78 < max(map(len, LONG_TURN.splitlines()))
    again = parse_turn(numbered("\n".join(form)), catalogue)
    assert again.complaints == ()
    assert [*map(render_entry, again.action.entries[:3])] == [*map(render_entry, turn.entries[:3])]
    bought = [entry for entry in again.action.entries if isinstance(entry, Bought)]
    assert tuple(lot for entry in bought for lot in entry.lots) == turn.entries[-1].lots  # type: ignore[union-attr]
    assert [entry.sum for entry in bought] == [*[None] * (len(bought) - 1), 240]


def test_what_a_receipt_shows_of_a_long_turn_is_read_as_it_was() -> None:
    catalogue = catalogue_of(play().state.rules.pieces)
    moves = LONG_TURN.rpartition("\n")[0]
    shown = TextPage().orders(moves)
    assert max(map(len, shown.splitlines())) <= 80
    again = parse_turn(numbered(shown), catalogue)
    assert again.complaints == ()
    assert again.action is not None
    assert render_turn(again.action) == moves


def numbered(text: str) -> tuple[Line, ...]:
    return tuple(Line(n, words) for n, words in enumerate(text.strip().splitlines(), 1))
