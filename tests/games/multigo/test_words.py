"""Laws 7 and 9: everything has its words, and none is left over; pictures and words agree."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest

from referee.core import seam
from referee.core.answers import AHEAD
from referee.core.complaint import Complaint
from referee.core.game import View
from referee.core.owing import Demand
from referee.draw import describe, draw_text
from referee.games.multigo.game import GAME
from referee.games.multigo.notation import NOTATION
from referee.games.multigo.state import Event, Region, Scored
from referee.letters.rendering import Renderer
from tests.games.multigo.table import Table
from tests.games.multigo.test_laws_on_walks import FOUR, walk
from tests.letters.plain import spoken

ROOT = Path(__file__).parents[3]
TEMPLATES = ROOT / "templates" / "multigo"


RENDERER = Renderer([TEMPLATES.parent])


def name(seat: int) -> str:
    return f"Ann <b>Archer</b> (Player {seat})"


def told(event: Event, view: View, medium: str = "text") -> str:
    return spoken(RENDERER, medium, "multigo/happenings", type(event).__name__, event, view, name)


def asked(demand: Demand, view: View, first: bool, medium: str = "text") -> str:
    return spoken(RENDERER, medium, "multigo/demands", demand.kind, demand, view, first)


def macros(file: str) -> set[str]:
    """The macros of a template that are named like a class."""
    text = (TEMPLATES / f"{file}.j2").read_text(encoding="utf-8")
    return {found for found in re.findall(r"{% macro (\w+)", text) if found[0].isupper()}


def test_law_7_every_happening_has_its_macro_and_none_is_left_over() -> None:
    assert macros("happenings") == {kind.__name__ for kind in GAME.happenings}


def test_law_7_every_demand_has_its_macro_and_none_is_left_over() -> None:
    kinds = {answer.kind for answer in GAME.answers}
    assert macros("demands") == kinds == set(seam.headings(GAME).values()) - {AHEAD}


def test_law_7_every_heading_and_key_has_a_line_of_help() -> None:
    help_ = tomllib.loads((TEMPLATES / "help.toml").read_text(encoding="utf-8"))
    assert set(help_["headings"]) == set(seam.headings(GAME))
    assert {key.lower() for key in help_["keys"]} >= {*NOTATION.alone, *AHEAD_KEYS, "move", "seal", "take"}
    assert {key.lower() for key in help_["keys"]} <= {*NOTATION.by_key, *NOTATION.alone, *AHEAD_KEYS}
    assert help_["about"].strip()


AHEAD_KEYS = ("if", "then", "withdraw")  # whose lines the match reads
FAULTY = """
1 Move: D4 and then some
1 Q16
1 Move: D4 / Dead: none
1 Move:
1 Pass / Pass
1 Move: here
1 Move: I5
1 Move: Z5
1 Prefer: mauve
1 Take: white
2 Move: D4
1 Dead: none
1 Ally: none
1 Move: A1 B2 C3
1 Move: D4 D4
1 Press: hello
1 Take: 1 white
"""


@pytest.mark.parametrize("mail", FAULTY.strip().splitlines())
def test_a_complaint_reads_as_a_sentence(mail: str) -> None:
    seat, _, text = mail.partition(" ")
    complaints = Table(3, board="9x9").mail(int(seat), text.replace(" / ", "\n"))
    assert complaints
    for complaint in complaints:
        assert_sentence(complaint)


@pytest.mark.parametrize(
    "complaint",
    [
        Complaint("suicide", "2.3", None, {"point": "D4"}),
        Complaint("superko", "2.3", None, {"point": "D4"}),
        Complaint("occupied", "2.3", None, {"point": "D4", "colour": "red"}),
        Complaint("take_total", "2.5", None, {"share": 1, "given": 2}),
        Complaint("take_not_there", "2.5", None, {"colour": "red", "there": 0, "given": 2}),
        Complaint("take_own", "2.5", None, {"colour": "red"}),
        Complaint("nothing_to_take", "2.5", None, {"waits": "Red"}),
        Complaint("no_choices", "2.5"),
        Complaint("no_stone", "2.6", None, {"point": "D4"}),
        Complaint("ally_self", "2.6"),
        Complaint("ally_resigned", "G24", None, {"colour": "Red"}),
        Complaint("ally_too_many", "2.6", None, {"given": 4, "most": 3}),
        Complaint("match_over", "2.6"),
        Complaint("has_resigned", "G24"),
    ],
)
def test_a_rarer_complaint_reads_as_a_sentence(complaint: Complaint) -> None:
    assert_sentence(complaint)


def assert_sentence(complaint: Complaint) -> None:
    words = RENDERER.wording(complaint, "multigo")
    assert words["says"].endswith(".")
    assert words["says"][0].isupper()
    assert words["mend"] == "" or words["mend"][-1] in '."'


@pytest.mark.parametrize(("order", "coop"), FOUR)
def test_every_happening_and_demand_of_a_match_is_told_in_text_and_html(order: str, coop: str) -> None:
    table = Table(5, board="9x9", order=order, coop=coop)
    silent = {"TurnBegan", "PreferKept", "PlanKept", "PlanLapsed"}
    before = 0
    for _ in walk(table, 11):
        view = GAME.view(table.state, None)
        for event in table.events[before:]:
            plain, html = told(event, view), told(event, view, "part")
            assert bool(plain.strip()) == (type(event).__name__ not in silent)
            assert "<b>" not in html
            assert_tidy([plain])
        before = len(table.events)
        for demand in [d for r in table.due for d in r.demands] + list(GAME.open_to(table.state, 1)):
            own = GAME.view(table.state, demand.seat)
            assert_tidy(asked(demand, own, first) for first in (True, False))
            assert asked(demand, own, True, "part").count("<p>") >= 1


def assert_tidy(texts: Iterable[str]) -> None:
    """No sentence runs into the next, no space before a full stop, no doubled full stop."""
    for text in texts:
        assert not re.search(r"[a-z][.;][A-Z]", text), text
        assert not re.search(r" [.,;:]( |$)", text), text
        assert ".." not in text, text


def test_law_9_the_picture_and_its_sentences_describe_the_position() -> None:
    table = Table(4, board="9x9", compensation="none").play("B D4", "W D5", "R D3", "U C4")
    diagram = GAME.view(table.state, None).diagram
    assert diagram is not None
    assert {token.square: token.text for token in diagram.tokens} == {
        "D4": "B",
        "D5": "W",
        "D3": "R",
        "C4": "U",
    }
    assert [(mark.square, mark.kind) for mark in diagram.marks] == [("C4", "last")]
    assert "Blue has stones at C4." in diagram.sentences
    assert "Just placed on C4." in describe(diagram)
    rows = draw_text(diagram).splitlines()
    assert any(row.split()[:1] == ["4"] and "[U]B" in row.replace(" ", "") for row in rows), rows


def test_law_9_captures_and_collisions_are_marked() -> None:
    drawing = "2 B . . .\n1 W . . .\n  A B C D"
    table = Table(3, drawing, order="parallel").play("B B1", "W D1", "R D1")
    diagram = GAME.view(table.state, None).diagram
    assert diagram is not None
    marks = {f"{mark.square} {mark.kind}" for mark in diagram.marks}
    assert marks == {"B1 last", "A1 captured", "D1 void"}
    assert "Removed in the last turn: white A1." in diagram.sentences


def test_colours_can_be_told_apart_without_colour() -> None:
    drawing = "1 B W R U G Y P O .\n  A B C D E F G H J"
    board = drawing.replace("B W R U G Y P O .", "B . W . R . U . G . Y . P . O .")
    diagram = GAME.view(Table(8, board).state, None).diagram
    assert diagram is not None
    assert [token.text for token in diagram.tokens] == list("BWRUGYPO")
    assert [sign for sign, _ in diagram.legend] == list("BWRUGYPO")


def test_neutral_points_are_counted_by_who_borders_them() -> None:
    scored = Scored((), (Region(2, (1, 3)), Region(1, (2, 3)), Region(3, (1, 3)), Region(4, ())), 81)
    words = told(scored, GAME.view(Table(3, board="9x9").state, None))
    assert "- 5 points between Black and Red, in 2 places\n- 1 point between White and Red\n" in words
