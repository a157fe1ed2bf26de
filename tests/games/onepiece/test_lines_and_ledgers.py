"""Lines stand beside an action: complaints name them."""

import pytest

from referee.core.complaint import Complaint, Line
from tests.games.onepiece.table import Table, four, two
from tests.games.onepiece.test_44_judging import asked


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


def test_law_6_choices_and_draws_name_their_lines() -> None:
    assert faulty(Table(2, starter="1"), "Hello\nColours: green") == [
        ("no_colour", Line(2, "Colours: green"))
    ]
    assert faulty(Table(2, starter="1"), "Edge: up", seat=2) == [("no_edge", Line(1, "Edge: up"))]
    table = two()
    assert not table.mail(1, "Offer: draw", "Offer")
    offered = faulty(table, "Move: Rd1Be1\nOffer: draw")
    assert offered == [("no_offer_now", Line(2, "Offer: draw"))]


def test_law_6_a_demonstration_tells_the_ply_from_the_move() -> None:
    table = asked()
    actual = table.state.plies[6]
    for text, code, number in (
        ("Move: Rh8Bh7\nDemonstrate: 7", "floats", 1),
        ("Demonstrate: 6\nMove: Rh8Bh7", "not_a_ply_to_change", 1),
        (f"Demonstrate: 7\nMove: {actual}", "nothing_changed", 2),
    ):
        told = faulty(table, text)
        assert {(c, line.number if line else 0) for c, line in told} == {(code, number)}


def test_an_answer_that_comes_at_the_wrong_time_is_no_lines_fault() -> None:
    assert faulty(two(), "Move: Rd1Be1", seat=2) == [("not_your_turn", None)]
