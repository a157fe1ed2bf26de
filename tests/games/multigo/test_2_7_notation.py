"""2.7: how orders are read, written and asked for."""

import pytest

from referee.core.answers import Body
from referee.core.seam import Standing
from referee.core.value import Demand
from referee.games.multigo import notation as act
from referee.games.multigo.game import GAME
from referee.games.multigo.views import frames
from referee.match import commands as do
from referee.match.commands import Accepted, Asked
from tests.games.multigo.table import T2, Table
from tests.laws.walks import begin


@pytest.mark.parametrize(
    "text",
    [
        "Move: Q16",
        "move: q16",
        "MOVE :  q 16",
        "Move： Ｑ１６",
        "Move:\tQ16.",
        "Move:\u00a0Q16",
        "- Move: Q16",
        "* moves: Q\u201116",
        "Move Q16",
        "Seal: q16",
        "Dear referee,\n\nMove: Q16\n\nBest wishes, see you in May\nAnn",
    ],
)
def test_2_7_a_move_is_read_however_it_is_typed(text: str) -> None:
    demand, reading, _ = Table(3).judged(1, text, "Move")
    assert demand == Demand("Move", 1)
    assert (reading.action, reading.complaints) == (act.Move(("Q16",)), ())


@pytest.mark.parametrize("text", ["Pass", "pass.", "- PASS", "Move: pass", "Seal: Pass", "Move: Pass!"])
def test_2_7_a_pass_is_read_however_it_is_typed(text: str) -> None:
    _, reading, _ = Table(3).judged(1, text, "Move")
    assert (reading.action, reading.complaints) == (act.Move(), ())


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Move: I5", ["column_i"]),
        ("Move: U3", ["no_such_point"]),
        ("Move: A20", ["no_such_point"]),
        ("Move: somewhere", ["no_points"]),
        ("Move: Q16\nMove: D4", ["said_twice"]),
        ("Move: Q16\nPass", ["said_twice"]),
        ("Move: Q16 D4", ["too_many_points"]),
        ("Move:", ["nothing_said"]),
        ("Hello", ["nothing_said"]),
        ("Q16", ["nothing_said"]),
        ("Mvoe: Q16", ["nothing_said"]),
        ("Move: Q16\nI hope this is fine\nComment: hi", ["not_understood"]),
        ("Move: Q16\nDead: none", ["foreign_line"]),
        ("Move: Q16\nResign", ["foreign_line"]),
        ("Prefer: mauve", ["no_colour"]),
        ("Move: I5 Z99", ["column_i", "no_such_point"]),
        ("Press: hello", ["no_press"]),
        ("Move: I5\nDead: none\nblah\nComment: x", ["not_understood", "foreign_line", "column_i"]),
    ],
)
def test_2_7_every_fault_is_named(text: str, codes: list[str]) -> None:
    table = Table(3)
    if "Resign" in text:
        assert "foreign_line" in table.codes(1, text)
    else:
        assert table.codes(1, text) == codes


def test_2_7_a_point_alone_is_a_move_and_behind_a_word_that_is_no_key_it_is_asked_about() -> None:
    walk = begin("go sequential")
    misspelt = walk.do(do.Submit(1, "Move", Body.of("Mvoe: D4"), walk.now)).verdict
    assert isinstance(misspelt, Asked)
    assert (misspelt.form, misspelt.doubts) == ("Move: D4", ("Mvoe",))
    alone = walk.do(do.Submit(1, "Move", Body.of("D4"), walk.now)).verdict
    assert isinstance(alone, Accepted)
    assert alone.text == "Move: D4"


def test_2_7_a_complaint_quotes_the_line_as_it_was_written() -> None:
    complaints = Table(3).mail(1, "Hello\n* Move:  ｉ5")
    assert [(c.code, c.line.number if c.line else 0, c.line.text if c.line else "") for c in complaints] == [
        ("column_i", 2, "* Move:  ｉ5")
    ]


@pytest.mark.parametrize(
    ("text", "stones"),
    [
        ("Take: 2 white, 1 blue", {2: 2, 4: 1}),
        ("Take: 2 Whites and 1 Blue", {2: 2, 4: 1}),
        ("take: 2W1U", {2: 2, 4: 1}),
        ("Take: 2x white; 1 x blue.", {2: 2, 4: 1}),
        ("Take: 1 white 1 white 1 blue", {2: 2, 4: 1}),
    ],
)
def test_2_7_a_choice_is_read_however_it_is_typed(text: str, stones: dict[int, int]) -> None:
    table = Table(4, T2, coop="on", compensation="none").play("B Pass", "W Pass", "R E3")
    _, reading, _ = table.judged(3, text, "Move")
    assert isinstance(reading.action, act.Take)
    assert {count.colour: count.stones for count in reading.action.stones} == stones


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("If White D4 then E4", "If Player 2: D4, then E4"),
        ("if white plays d4, then e4", "If Player 2: D4, then E4"),
        ("If W d-4 then pass.", "If Player 2: D4, then Pass"),
        ("Then: d-4", "If anything else: D4"),
        ("IF Player 2 passes THEN E4", "If Player 2: Pass, then E4"),
        ("- If Red: D4 then: E4", "If Player 3: D4, then E4"),
        ("If: white D4 then E4", "If Player 2: D4, then E4"),
        ("Then: E4", "If anything else: E4"),
        ("Then: pass", "If anything else: Pass"),
    ],
)
def test_2_7_a_conditional_move_is_read_however_it_is_typed(text: str, canonical: str) -> None:
    walk = begin("go sequential")
    verdict = walk.do(do.Submit(1, "Move", Body.of(f"Move: A1\n{text}"), walk.now)).verdict
    assert isinstance(verdict, Accepted)
    assert verdict.ahead == canonical


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Resign", "Resign"),
        ("Take: 1 white", "Take"),
        ("Dead: none", "Dead"),
        ("Ally: White", "Ally"),
        ("Prefer: white", "Prefer"),
        ("Comment: hello", "Comment"),
        ("Press: hello", "Press"),
        ("Hello", "Move"),
    ],
)
def test_2_7_under_the_heading_move_the_keys_say_what_it_is(text: str, kind: str) -> None:
    assert Standing(GAME, Table(3).state).aimed(1, "Move", Body.of(text)).kind == kind


def test_2_7_without_keys_the_heading_says_what_it_is() -> None:
    assert Standing(GAME, Table(3).state).aimed(1, "Resign", Body.of("Goodbye")).kind == "Resign"


def test_2_7_the_record_has_one_line_per_action() -> None:
    table = Table(4, T2, coop="on", compensation="none").play(
        "B Pass", "W Pass", "R E3", "R Take: 1 white, 1 blue"
    )
    assert tuple(frame.line for frame in frames(table.events)[1]) == (
        "1. B -",
        "1. W -",
        "1. R E3 x2W1U [R2 B1]",
    )
    table = Table(4, board="9x9", order="parallel").play("B D4", "W D4", "R C3", "U Pass")
    assert tuple(frame.line for frame in frames(table.events)[1]) == (
        "1. B D4 | W D4 | R C3 | U - ; coll D4",
    )
