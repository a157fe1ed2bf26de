"""Law 7: every event, demand, complaint and heading has its words, in text and in HTML, and none is left over."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from referee.core import seam
from referee.core.complaint import Complaint
from referee.core.owing import Demand
from referee.games.buttons.game import GAME
from referee.games.buttons.notation import NOTATION
from referee.games.buttons.state import RulesAmended
from referee.letters.rendering import Renderer
from tests.games.buttons.sitting import Sitting
from tests.letters.plain import KIT
from tests.letters.plain import spoken as in_form

ROOT = Path(__file__).parents[3]
TEMPLATES = ROOT / "templates"
OWED = {"Move", "Offer", "Resign", "Comment", "Par", "Close"}


RENDERER = Renderer([TEMPLATES])
NAMES = {1: "Ann Archer (Player 1)", 2: "Bob Baker (Player 2)"}


def macros(template: str) -> set[str]:
    return set(re.findall(r"{% macro (\w+)", (TEMPLATES / "buttons" / template).read_text()))


def spoken(medium: str, template: str, macro: str, *given: Any) -> str:
    return in_form(RENDERER, medium, f"buttons/{template}", macro, *given)


def letters() -> list[tuple[Any, Any]]:
    """Events with the public view after each, from matches of every kind."""
    nearly = "B2 B1 B3 B4/W1 W2 W3 W4/B4 B2 B3 B1/W4 W3 W2 W1"
    stuck = "B16 W16 .. ../.. B16 W16 ../W16 .. B16 ../B16 W16 .. .."
    sittings = [
        Sitting(starter="1").played(
            (1, "Place: 1 a1\nOffer: draw\nComment: hi\nComment: <b>"), (2, "Accept: draw")
        ),
        Sitting(starter="1").played((1, "Place: 1 a1"), (2, "Resign")),
        Sitting(starter="1", position="W1 W2 B1 W3/.. .. W4 ../.. .. .. ../.. .. .. ..").played(
            (1, "Move: c4-c3")
        ),
        Sitting(position=stuck, values="16 16 16 16"),
        Sitting(mode="solo", seed="3"),
        Sitting(mode="solo", position=nearly).played((1, "Move: a4-c4\nUndo"), (1, "Move: b4-a4")),
        Sitting(mode="solo", position=nearly, undo="counts").played(
            (1, "Goal: four\nMove: a4-c4\nUndo\nGive up")
        ),
        Sitting(mode="solo", position=nearly, goal="two", table="week").played((1, "Move: a4-c4")),
        Sitting(mode="solo", position=nearly, goal="two", table="week").played(
            (1, "Move: a4-c4\nUndo\nMove: b4-a4")
        ),
    ]
    sittings[5].happen((RulesAmended(sittings[5].state.rules),))
    sittings[5].compute()
    sittings[6].compute(2)
    for sitting in sittings[7:]:
        sitting.lapse()
        sitting.compute()
    found = []
    for sitting in sittings:
        state = GAME.initial()
        for event in sitting.events:
            state = GAME.evolve(state, event)
            found.append((event, GAME.view(state, None)))
    return found


def silent(event: Any, view: Any) -> bool:
    """What needs no words: secrets of the referee, and what the match itself announces beside it."""
    kind = type(event).__name__
    return kind in ("RulesAmended", "MailJudged", "ParFound", "TurnLapsed") or (
        kind == "MatchDecided" and view.facts["rules"].solo
    )


def test_law_7_every_event_has_words_in_text_and_html_and_none_is_left_over() -> None:
    kinds = {kind.__name__ for kind in GAME.happenings}
    own = {name.removesuffix("Proof") for name in macros("happenings.j2") if name[0].isupper()}
    assert own <= kinds <= own | KIT
    told = letters()
    assert {type(event).__name__ for event, _ in told} == kinds
    for event, view in told:
        for medium in ("text", "part"):
            words = spoken(medium, "happenings", type(event).__name__, event, view, NAMES.__getitem__)
            assert bool(words.strip()) is not silent(event, view), event
            assert "<b>" not in words or medium == "text"
            assert not re.search(r" [.,;:]|,[a-z]|\bNone\b|\(\)", re.sub(r"\d{3,}", "0", words)), words


def test_law_7_every_demand_has_words_and_none_is_left_over() -> None:
    own = {name for name in macros("demands.j2") if name[0].isupper()}
    assert own <= OWED <= own | KIT
    seen = set()
    for sitting in (
        Sitting(starter="1"),
        Sitting(starter="1", place_adjacency="bridge").played((1, "Place: 2 b2\nOffer: draw")),
        Sitting(starter="2", position="B1 W1 .. ../.. .. .. ../.. .. .. ../.. .. .. .."),
        Sitting(mode="solo"),
        Sitting(mode="solo", goal="two", table="week", perspective="half_turn"),
        Sitting(mode="solo", goal="four", undo="counts", deadline_for="match").played((1, "Comment: well")),
    ):
        owed = [d for r in GAME.due(sitting.state) for d in r.demands]
        for demand in [*owed, *(d for seat in (1, 2) for d in GAME.open_to(sitting.state, seat))]:
            seen.add(demand.kind)
            for medium in ("text", "part"):
                for first in (True, False):
                    view = GAME.view(sitting.state, demand.seat or None)
                    words = spoken(medium, "demands", demand.kind, demand, view, first)
                    assert words.strip()
                    assert not re.search(r" [.,;](?![.\w])|,[a-z]|\bNone\b|\(\)", words), words
    assert seen == OWED


def test_law_7_a_first_letter_explains_the_game_and_later_ones_do_not() -> None:
    sitting = Sitting(starter="1")
    demand, view = Demand("Move", 1), GAME.view(sitting.state, 1)
    first = spoken("text", "demands", "Move", demand, view, True)
    later = spoken("text", "demands", "Move", demand, view, False)
    assert "You win when four buttons" in first
    assert "You win" not in later
    assert len(later) < len(first) / 2


REFUSED = [
    ("Place: 9 z9", {}),
    ("Place: W1 a4", {"position": "B1 B1 W1 ../B3 .. .. ../.. .. .. ../.. .. .. .."}),
    ("Place: 1 a4", {"position": "B1 B1 W1 ../B3 .. .. ../.. .. .. ../.. .. .. .."}),
    ("Place: 2 d1", {"position": "B1 B1 W1 ../B3 .. .. ../.. .. .. ../.. .. .. .."}),
    (
        "Place: 2 d1",
        {"position": "B1 .. .. ../B3 .. .. ../.. .. .. ../.. .. .. ..", "place_adjacency": "bridge"},
    ),
    ("Move: a3-a4-b4-c3", {"position": "B1 B1 W1 ../B3 .. .. ../.. .. .. ../.. .. .. .."}),
    ("Move: a3-a3-b2\nMove: c4-c3", {"position": "B1 B1 W1 ../B3 .. .. ../.. .. .. ../.. .. .. .."}),
    ("Move: a3-a3", {"position": "B1 B1 W1 ../B3 .. .. ../.. .. .. ../.. .. .. .."}),
    ("Move: c4-c3", {"position": "B1 B1 W1 ../B3 .. .. ../.. .. .. ../.. .. .. .."}),
    ("Move: d1-c3\nUndo\nPass", {"position": "B1 B1 W1 ../B3 .. .. ../.. .. .. ../.. .. .. .."}),
    ("Move: a3\nwhat?\nOffer: tea", {"position": "B1 B1 W1 ../B3 .. .. ../.. .. .. ../.. .. .. .."}),
    ("Accept: draw\nMove: a3-b3", {}),
    ("Accept: draw", {}),
    ("Offer: draw", {}),
    ("Resign\nPlace: 1 a1", {}),
    ("Place: x\nMove: y", {}),
    ("hello", {}),
    ("move a1 to b2", {}),
    ("Undo\nUndo", {"mode": "solo"}),
    ("Undo", {"mode": "solo", "undo": "off"}),
    ("Goal: two\nGoal: four\nGoal: 7", {"mode": "solo"}),
    ("Goal: four", {"mode": "solo", "goal": "two"}),
    ("Move: a4-a4, a1-d4\nGive up\nUndo\nPlace: 1 a1\nPass", {"mode": "solo", "seed": "1"}),
]


@pytest.mark.parametrize(("text", "options"), REFUSED)
def test_law_7_a_complaint_can_be_read_aloud(text: str, options: dict[str, str]) -> None:
    sitting = Sitting(**({} if options.get("mode") else {"starter": "1"}), **options)
    complaints = sitting.mail(1, text)
    assert complaints
    check_words(complaints)


def check_words(complaints: tuple[Complaint, ...]) -> None:
    for complaint in complaints:
        words = RENDERER.wording(complaint, "buttons")
        for part in ("says", "mend"):
            assert re.fullmatch(r"[A-Z\"].*[.]\"?", words[part]), words
            assert "  " not in words[part]


def test_law_7_every_heading_and_key_has_a_line_of_help_and_none_is_left_over() -> None:
    told = tomllib.loads((TEMPLATES / "buttons" / "help.toml").read_text())
    assert set(told["headings"]) == set(seam.headings(GAME))
    orders = {order.capitalize() for order in [*NOTATION.by_key.values(), *NOTATION.alone.values()]}
    assert set(told["keys"]) == orders
    assert told["about"].strip()


def test_law_9_the_picture_tells_bridges_apart_without_colour() -> None:
    diagram = GAME.view(Sitting(starter="1").state, None).diagram
    assert diagram is not None
    assert {(link.colour, link.text) for link in diagram.links} == {
        ("red", "r"),
        ("black", "b"),
        ("white", "w"),
    }
    assert len(diagram.links) == 24


def test_law_9_the_last_exchange_is_marked_and_told() -> None:
    sitting = Sitting(starter="1", position="B1 W1 .. ../.. .. .. ../.. .. .. ../.. .. .. ..").played(
        (1, "Move: a4-b4")
    )
    diagram = GAME.view(sitting.state, None).diagram
    assert diagram is not None
    assert [(mark.square, mark.kind) for mark in diagram.marks] == [("a4", "from"), ("b4", "to")]
    assert diagram.sentences[0] == "Row 4: a4 white 1, b4 black 1, c4 nothing, d4 nothing."
    assert diagram.sentences[-1] == "The last turn moved black 1 from a4 to b4, changing places with white 1."
