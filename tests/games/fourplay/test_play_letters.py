"""Law 7 in play: every complaint can be worded, every happening told, every demand explained from the letters alone."""

from __future__ import annotations

import re
import tomllib

import pytest

from referee.core.complaint import Complaint, Line
from referee.core.owing import Demand
from referee.games.fourplay.actions import Bought
from referee.games.fourplay.board.catalogue import catalogue_of
from referee.games.fourplay.game import GAME
from referee.games.fourplay.turns.reading import form_entries, parse_turn, render_entry, render_turn
from referee.letters.rendering import Renderer, TextPage
from tests.games.fourplay.cases import all_cases
from tests.games.fourplay.table import Table
from tests.games.fourplay.test_606_612_turns import CAPTURE, play
from tests.games.fourplay.test_611_objections import play as bare_play
from tests.games.fourplay.test_letters import TEMPLATES, renderer, spoken
from tests.games.fourplay.test_rule_cases import SYMBOLS

__all__ = ["renderer"]  # the fixture

MORE = (
    "",
    "Next time I go c11-c3!\nNeutron: h8-h15\nPass",
    "Neutron: h8-h15\nCannon: c11-off",
    "Neutron: h8-h15\nCannon: c11-c9, aggressive toward Player 7",
    "Round: some\nNeutron: h8-h15\nPass",
    "Round: 3\nRound: 4\nNeutron: h8-h15\nPass",
    "Neutron: h8-h15, Neutron captured, Mascot returned\nPass",
    "Neutron: h8-h15\nPass\nPurchase: 0 Pawn, some more",
    "Neutron: h8-h15\nDollarman: b14-b14",
    "Neutron: h8-h15\nhocus pocus\nPass",
)


def complained() -> list[Complaint]:
    """The complaints of all rule cases, and of what they leave out."""
    found: list[Complaint] = []
    for case in all_cases():
        if not case.accepted and case.phase == "play":
            table = Table(position=case.position(SYMBOLS), **case.options)
            found += table.complaints(case.seat, "Turn", "\n".join(case.turn))
    table = play()
    for text in MORE:
        found += table.complaints(2, "Turn", text)
    for text in ("", "Round: 9\nTurn of Player: 1\nReason: to come"):
        found += bare_play().complaints(4, "Objection", text)
    return found


def test_law_7_every_complaint_in_play_can_be_worded(renderer: Renderer) -> None:
    text = (TEMPLATES / "fourplay" / "complaints.toml").read_text(encoding="utf-8")
    in_play = tomllib.loads(text[text.index("=== play") :].partition("\n")[2])
    found = complained()
    assert set(in_play) - {complaint.code for complaint in found} == set()
    for complaint in found:
        words = renderer.wording(complaint, "fourplay")
        assert re.fullmatch(r"[^{}]+[.!?:]?.*", words["says"]), (complaint.code, words)
        assert words["mend"], (complaint.code, words)
        assert "{" not in words["says"] + words["mend"], (complaint.code, words)
        assert complaint.rule == "house" or re.fullmatch(r"\d{3}(\.[A-Za-z](\.[ivx]+)?)?", complaint.rule)


def test_the_first_letter_of_a_turn_explains_all_and_later_ones_less(renderer: Renderer) -> None:
    table = play()
    view = GAME.view(table.state, 2)
    first = spoken(renderer, "demands", "Turn", Demand("Turn", 2), view, True)
    later = spoken(renderer, "demands", "Turn", Demand("Turn", 2), view, False)
    assert "up to 3 moves" in later
    assert "with the subject" not in later  # the letter around it names the one subject there is
    assert len(later) * 3 < len(first)
    for name in ("King", "Dollarman", "Cannon", "Neutron", "Pawn", "Jester"):
        piece = catalogue_of(table.state.rules.pieces).by_name[name]
        assert " ".join(piece.description.split()) in first
    assert CAPTURE.replace(", 1 F$", " 1 F$") in first  # the statement has a line of its own


def test_the_letter_of_a_turn_names_check_and_the_waiting_mascot(renderer: Renderer) -> None:
    from tests.games.fourplay.test_611_objections import KINGS

    jester = {"square": "a13", "piece": "Jester", "player": 3, "mascot": False}
    table = Table(position=_position([*KINGS, jester], mascot="Archer"))
    words = spoken(renderer, "demands", "Turn", Demand("Turn", 2), GAME.view(table.state, 2), False)
    assert "Your King is in check from Player 3." in words
    assert "Archer: off-" in words
    assert "Mascot returned" in words


def _position(pieces: list[dict[str, object]], mascot: str) -> str:
    import json

    off = [{"player": 2, "piece": mascot, "count": 1, "mascot": True}]
    return json.dumps({"pieces": pieces, "turn": 2, "off_board": off})


@pytest.mark.parametrize("kind", ["Objection", "Resign"])
def test_what_may_be_sent_beside_a_turn_is_explained(renderer: Renderer, kind: str) -> None:
    view = GAME.view(play().state, 3)
    assert f"Fourplay: {kind} / Player 3" in spoken(renderer, "demands", kind, Demand(kind, 3), view, True)


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
    assert turn is not None
    form = [*form_entries(turn.entries)]
    assert max(map(len, form)) <= 78 < max(map(len, LONG_TURN.splitlines()))
    again = parse_turn(numbered("\n".join(form)), catalogue)
    assert again.complaints == ()
    assert again.action is not None
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
