"""How moves are written, and how tolerant the referee is of it (3.5)."""

import pytest

from referee.core import seam
from referee.core.value import Complaint, Demand, Line
from referee.games.onepiece.game import GAME
from tests.games.at_the_seam import party
from tests.games.onepiece.table import E5, Table, four, two

PLACED = [
    "Move: Rd1Be1",
    "move: be1rd1",
    "MOVE : Be1 Rd1",
    "- Move: R d1, B e1",
    "Move: red d1 blue e1",
    "Move: d=RB",
    "Move: D = red blue",
    "Move: d=rb.",
    "Rd1Be1",
    "d=RB",
    "Move: **Rd1Be1**",
    "Move:\u00a0Rd1\u200bBe1",
    "Move: Ｒｄ１Ｂｅ１",
    "Hello Bob,\n\nhere is my move.\n\nMove: Rd1-Be1\n\nHave a nice day, see you on Monday",
    "My move: Rd1Be1",
    "> Move: Rd1Be1",
    "Move: Rd01Be01",
]


@pytest.mark.parametrize("text", PLACED)
def test_35_many_ways_to_write_one_placement(text: str) -> None:
    table = two()
    assert table.mail(1, text) == ()
    assert table.state.plies == ("Rd1Be1",)


@pytest.mark.parametrize(
    ("text", "ply"),
    [("d=BR", "Re1Bd1"), ("d^R", "Rd2Bd1"), ("d^B", "Rd1Bd2"), ("D^b", "Rd1Bd2"), ("d ^ red", "Rd2Bd1")],
)
def test_35_short_notation(text: str, ply: str) -> None:
    assert two().play(text.replace(" ", "")).state.plies == (ply,)


@pytest.mark.parametrize(
    "text",
    [
        "Rf1Bf2>Rb1Bb2",
        "f1>Rb1Bb2",
        "f2 > Bb2Rb1",
        "f2 -> b^B",
        "Bf2Rf1 → b^B",
        "Rf1>b^B",
        "f1 to Rb1Bb2",
        "f2=>b^B",
        "f2 –> b^B",
    ],
)
def test_35_many_ways_to_write_one_relocation(text: str) -> None:
    table = two(position=E5)
    assert table.mail(1, f"Move: {text}") == ()
    assert table.state.plies[-1] == "Rf1Bf2>Rb1Bb2"


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Move: Rd1Re1", ["no_such_notation"]),
        ("Move: d1e1", ["no_such_notation"]),
        ("Move: d=RR", ["no_such_notation"]),
        ("Move: a1>b1>Rc1Bc2", ["no_such_notation"]),
        ("Pass", ["no_pass"]),
        ("hello there", ["nothing_ordered"]),
        ("Move: ...", ["no_move"]),
        ("Claim: 4", ["no_move"]),
        ("Move: ...\nComment: hello", ["no_move"]),
        ("", ["nothing_ordered"]),
        ("I move to d1", ["nothing_ordered"]),
        ("Move: Rd1Be1\nMove: Ra1Ba2", ["said_twice"]),
        ("Move: Rd1Be1\nwhat fun\nComment: x", ["not_understood"]),
        ("Move: Rd1Be1\nOffer: peace", ["only_draws"]),
        ("Move: Rd1Be1\nColours: red", ["not_beside"]),
        ("Resign\nMove: Rd1Be1", ["not_beside"]),
        ("Move: Ri1Bi2", ["off_the_grid"]),
        ("Move: Rd2Be2", ["floats", "floats"]),
        ("Move: Rd1Bf1", ["not_adjacent"]),
        ("Move: Rh1Bi1", ["off_the_grid"]),
        ("Move: a1>Rd1Be1", ["box_not_empty"]),
        ("Move: Rd1Be1\nClaim: 4", ["no_claims_for_two"]),
        ("Give up", ["nothing_to_give_up"]),
    ],
)
def test_35_every_fault_is_named(text: str, codes: list[str]) -> None:
    found = two().codes(1, text)
    assert sorted(set(found)) == sorted(set(codes)), found


def test_35_the_same_move_twice_is_one_move() -> None:
    assert two().mail(1, "Move: Rd1Be1\nMove: Rd1Be1") == ()


def test_35_a_comment_is_passed_on_as_it_was_written() -> None:
    table = two()
    assert table.mail(1, "Move: Rd1Be1\nComment: *nice* _grid_ “really”: <b>") == ()
    assert table.events[-1].text == "*nice* _grid_ “really”: <b>"


def test_35_a_claim_may_stand_behind_the_move() -> None:
    table = four()
    assert table.mail(1, "Move: Rd1Be1, claim 4") == ()
    assert table.state.claims[0].n == 4


def test_35_an_empty_form_orders_nothing() -> None:
    blank = seam.form(GAME, two().state, Demand("Move", 1), party(1)).text
    assert (blank, two().codes(1, blank)) == ("Move: ...", ["no_move"])
    assert seam.form(GAME, four().state, Demand("Move", 1), party(1)).text == "Move: ...\nClaim: ..."


# --- complaints name the lines that stand beside an action -------------------------------------------------------


def faulty(table: Table, text: str, seat: int = 1) -> list[tuple[str, Line | None]]:
    complaints: tuple[Complaint, ...] = table.mail(seat, text)
    assert complaints, f"{text!r} was accepted"
    return [(complaint.code, complaint.line) for complaint in complaints]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Dear all\nMove: Rd1Be1\nClaim: 3", [("odd_claim", 3)]),
        ("Move: Rd2Be2\nClaim: 9", [("floats", 1), ("floats", 1), ("odd_claim", 2), ("claim_too_large", 2)]),
        ("Move: Rd1Be1, claim 3", [("odd_claim", 1)]),
        ("Claim: 4\nMove: Rd1Be1\nOffer: draw", [("no_offer_now", 3)]),
        ("Claim: 4", [("no_move", 0)]),
        ("Move: Rd1Be1\nClaim: many", [("no_number", 2)]),
        ("Comment: hi\nMove: **Rz1Bz2**", [("off_the_grid", 2)]),
    ],
)
def test_law_6_a_complaint_names_the_line_of_the_part_that_is_at_fault(
    text: str, found: list[tuple[str, int]]
) -> None:
    lines = text.splitlines()
    told = faulty(four(), text)
    assert [(code, line.number if line else 0) for code, line in told] == found
    assert all(line.text == lines[line.number - 1] for _, line in told if line)


def test_an_answer_that_comes_at_the_wrong_time_is_no_lines_fault() -> None:
    assert faulty(two(), "Move: Rd1Be1", seat=2) == [("not_your_turn", None)]
