"""What the letters of Fourplay say where no kept one does (`letters/`), and long turns read as they were."""

import json
from collections.abc import Callable

import pytest

from referee.core.game import Setup
from referee.core.value import Demand, Line
from referee.games.fourplay.board.catalogue import catalogue_of
from referee.games.fourplay.game import GAME
from referee.games.fourplay.turns.reading import Bought, form_entries, parse_turn, render_entry, render_turn
from referee.letters.rendering import TextPage
from tests.games.fourplay import test_604_purchase as purchases
from tests.games.fourplay.table import Table, setup, to_purchase
from tests.games.fourplay.test_606_612_turns import play
from tests.games.fourplay.test_611_objections import KINGS
from tests.letters.plain import asked, told


def _left() -> Table:
    table = to_purchase()
    table.send(3, "Resign", "")
    table.happen(GAME.filled(table.state, 3))
    return table


def _checked() -> Table:
    pieces = [*KINGS, {"square": "a13", "piece": "Jester", "player": 3, "mascot": False}]
    off = [{"player": 2, "piece": "Archer", "count": 1, "mascot": True}]
    return Table(position=json.dumps({"pieces": pieces, "turn": 2, "off_board": off}))


@pytest.mark.parametrize(
    ("begun", "seat", "kind", "said"),
    [
        (purchases.second_cycle, 1, "Purchase", ["Archer, Cannon, Crazyhorse, Jester, Pawn, Snake"]),
        (_left, 1, "Purchase", ["begins again"]),
        (_checked, 2, "Turn", ["Your King is in check from Player 3.", "Archer: off-", "Mascot returned"]),
        (play, 3, "Objection", ["Fourplay: Objection / Player 3"]),
        (play, 3, "Resign", ["Fourplay: Resign / Player 3"]),
    ],
)
def test_what_no_kept_letter_says(begun: Callable[[], Table], seat: int, kind: str, said: list[str]) -> None:
    """Of a later purchase, of one that begins anew, of check, and of what may be sent beside a turn."""
    table = begun()
    words = asked(GAME, Demand(kind, seat), GAME.view(table.state, seat), True)
    assert [part for part in said if part not in " ".join(words.split())] == []


def test_a_price_that_is_amended_is_told_with_its_numbers() -> None:
    table = to_purchase()
    pieces = json.loads(table.state.rules.pieces)
    next(row for row in pieces["piece"] if row["name"] == "Pawn")["price"] = 9
    given = Setup(setup().options, {**setup().data, "pieces": pieces}, 4)
    (event,) = table.happen(GAME.amended(table.state, given).events)
    assert "Pawn: price 8 becomes 9" in " ".join(told(GAME, event, GAME.view(table.state, None)).split())


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
