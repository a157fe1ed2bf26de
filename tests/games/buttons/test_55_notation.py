"""The lines of a mail (5.5): tolerant of form, strict in meaning; forms; law 8."""

from typing import Any

import pytest

from referee.core import seam
from referee.core.answers import Body
from referee.core.seam import Standing
from referee.core.value import Demand
from referee.games.buttons import notation as do
from referee.games.buttons.game import GAME
from tests.games.at_the_seam import party
from tests.games.buttons.sitting import Sitting

POSITION = "B1 W1 .. ../B3 .. .. ../.. .. .. ../.. .. .. .."


def table_of_two() -> Sitting:
    return Sitting(starter="1", position=POSITION)


def reading(text: str, sitting: Sitting | None = None) -> Any:
    state = (sitting or table_of_two()).state
    return seam.read(GAME, state, Demand("Move", 1), Body.of(text), party(1))


@pytest.mark.parametrize(
    "text",
    [
        "Move: a3-c4",
        "move: A3-C4",
        "MOVES : a3 - c4",
        "  - Move: a3–c4",
        "* Move: a3 — c4",
        "Move: a3−c4.",
        "Move:\ta3‑c4",
        "Move:\u00a0a3\u00a0to\u00a0c4",
        "Ｍｏｖｅ：ａ３－ｃ４",
        "Move: a3->c4",
        "Move: a3 → c4",
        "Move: a3 c4",
        "*Move: a3-c4*",
        "1. Move: a3-c4",
        "Dear referee,\n\nhere is my turn:\nMove: a3-c4\n\nBest wishes\nAnn",
        "Move: a3-c4\nPlace:\nComment:",
    ],
)
def test_55_a_move_is_understood_however_it_is_written(text: str) -> None:
    understood = reading(text)
    assert understood.complaints == ()
    assert understood.action == do.MoveButton(("a3", "c4"))


@pytest.mark.parametrize(
    ("text", "colour"),
    [
        ("Place: 3 b2", ""),
        ("place: 3 on B2", ""),
        ("Place: 3 at b2", ""),
        ("Place: 3@b2", ""),
        ("Place: 3, b2", ""),
        ("Place: B3 b2", "B"),
        ("Place: black 3 to b2", "B"),
        ("Move:\nPlace: 3 b2", ""),
    ],
)
def test_55_a_placement_is_understood_however_it_is_written(text: str, colour: str) -> None:
    understood = reading(text)
    assert understood.complaints == ()
    assert understood.action == do.PlaceButton(3, "b2", colour)


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("Move: sideways", "move_unclear", 1),
        ("Move: a3-c4 please", "move_unclear", 1),
        ("Place: the three on b2", "place_unclear", 1),
        ("Move: a3-c4\nhow about that?\nComment: hello", "not_understood", 2),
        ("Offer: peace\nMove: a3-c4", "only_draw", 1),
    ],
)
def test_55_what_cannot_be_understood_is_named_with_its_line(text: str, code: str, line: int) -> None:
    complaints = reading(text).complaints
    assert [(c.code, c.line.number if c.line else None) for c in complaints] == [(code, line)]


def test_55_courtesy_is_no_order_and_an_empty_form_orders_nothing() -> None:
    for words in ("Thanks for a lovely game so far!", "I move b2 to d3", "Mvoe: b2-d3", "b2-d3"):
        assert [c.code for c in reading(words).complaints] == [
            "nothing_ordered"
        ]  # what words say is not its own
    assert [c.code for c in reading("Move:\nPlace:\nComment:").complaints] == ["nothing_ordered"]


def test_55_a_comment_keeps_the_senders_own_signs() -> None:
    understood = reading("Move: a3-c4\nComment: ½ – „schön“: see b2-b3…")
    assert understood.action.comment == "½ – „schön“: see b2-b3…"


def test_55_the_body_says_what_a_mail_is_whatever_its_heading() -> None:
    state = table_of_two().state
    for heading in ("Move", "Offer", "Resign", "Comment"):
        assert Standing(GAME, state).aimed(1, heading, Body.of("Move: a3-c4")) == Demand("Move", 1)
        assert Standing(GAME, state).aimed(1, heading, Body.of("Resign.")) == Demand("Resign", 1)
        assert Standing(GAME, state).aimed(2, heading, Body.of("Offer: draw")) == Demand("Offer", 2)
        silent = {"Move": "Comment"}.get(heading, heading)
        assert Standing(GAME, state).aimed(2, heading, Body.of("Comment: hi")) == Demand(silent, 2)
    assert Standing(GAME, state).aimed(1, "Resign", Body([])) == Demand("Resign", 1)
    assert Standing(GAME, state).aimed(1, "Move", Body.of("Comment: Move: a3-c4 would be nice")) == Demand(
        "Comment", 1
    )
