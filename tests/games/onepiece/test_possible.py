"""What may be said, part by part: all that is legal, found by whatever a mail names of it, and nothing else."""

import re

import pytest

from referee.core import seam
from referee.core.answers import FEW, Part
from referee.core.value import Demand
from referee.games.onepiece.board import ply_of, winner_of
from referee.games.onepiece.game import GAME
from tests.games.onepiece.table import E3, E5, EXACT4, K2, Table, four, two

CELLS = [f"{column}{row}" for column in "abcdefgh" for row in range(1, 9)]


def parts(table: Table, demand: Demand, *named: str, said: tuple[str, ...] = ()) -> list[Part]:
    return list(seam.answer_of(GAME, demand.kind).possible(table.state, demand, said, frozenset(named)))


def lines(found: list[Part], group: str = "play") -> set[str]:
    return {part.line for part in found if part.group == group}


@pytest.mark.parametrize("position", [E3, K2, E5])
def test_one_cell_leaves_exactly_the_legal_moves_that_touch_it(position: str) -> None:
    table = two(position=position)
    (demand,) = table.owing()
    legal = {f"Move: {ply}" for ply in table.state.grid.plies()}
    assert len(legal) > FEW
    assert lines(parts(table, demand)) == set()
    for cell in CELLS:
        assert lines(parts(table, demand, cell)) == {x for x in legal if re.search(rf"[RB]{cell}(?!\d)", x)}
        red = {x for x in legal if f"R{cell}" in x}
        assert lines(parts(table, demand, f"r{cell}")) == red


def test_a_move_is_told_from_its_mirror_by_the_colours_said_first() -> None:
    """ "Red to c2 and blue to c1": of two moves on the same cells the one whose roles come in that order."""
    table = two()
    (demand,) = table.owing()
    found = {part.line: part.slots for part in parts(table, demand, "red", "c2", "blue", "c1")}
    one, other = found["Move: Rc2Bc1"], found["Move: Rc1Bc2"]
    assert list(dict.fromkeys(role for role, _ in one)) == ["red", "blue"]
    assert {("red", "red"), ("red", "c2"), ("red", "rc2"), ("blue", "blue"), ("blue", "bc1")} <= set(one)
    assert {("red", "c1"), ("blue", "c2")} <= set(other)


def test_a_colour_names_a_half_only_beside_its_cell() -> None:
    """ "Red on c2" is no move that has blue there, and "red" alone no move at all."""
    table = two()
    (demand,) = table.owing()
    for part in parts(table, demand, "red", "c2"):
        assert (("red", "red") in part.slots) is (("red", "c2") in part.slots)
    assert lines(parts(table, demand, "red")) == set()


def test_two_cells_on_which_no_piece_can_be_put_are_a_part_whose_fault_is_told() -> None:
    table = two(position=E3)
    (demand,) = table.owing()
    found = lines(parts(table, demand, "red", "h5", "bh6"))
    assert found == {"Move: Rh5Bh6", "Move: Rh6Bh5"}
    assert all(table.codes(demand.seat, line) == ["floats"] * 2 for line in found)
    assert not lines(parts(table, demand, "h5"))


def test_a_lifted_piece_is_named_by_either_cell_or_whole() -> None:
    table = two(position=E5)
    (demand,) = table.owing()
    for named in ("e8", "e7", "re8", "be7"):
        assert "Move: Re8Be7>Rb2Bb1" in lines(parts(table, demand, named))
    assert lines(parts(table, demand, "c1")) == set()  # covered


def test_42_claims_are_parts_of_their_own_as_far_as_they_may_be_made() -> None:
    table = four(position=EXACT4)
    demand = Demand("Move", table.state.mover)
    assert lines(parts(table, demand, "4"), "claim") == {f"Claim: {n}" for n in (2, 4, 6, 8)}
    quiet = next(m for m in sorted(lines(parts(table, demand, *CELLS))) if not _wins(table, m))
    assert Part("Claim: 6", (("n", "6"),), "claim") in parts(table, demand, said=(quiet,))
    assert parts(table, demand, said=(quiet, "Claim: 6")) == []
    table.mail(table.state.mover, f"{quiet}\nClaim: 4")
    pending = Demand("Move", table.state.mover)
    assert lines(parts(table, pending), "claim") == set()
    assert lines(parts(table, pending, "4", "3"), "claim") == {"Claim: 3", "Claim: 4"}  # their fault is told


def test_42_no_claim_stands_beside_a_winning_move() -> None:
    table = four(position=E3)
    demand = Demand("Move", table.state.mover)
    winning = next(m for m in lines(parts(table, demand, *CELLS)) if _wins(table, m))
    assert lines(parts(table, demand, said=(winning,)), "claim") == set()


def _wins(table: Table, move: str) -> bool:
    return winner_of(table.state.grid, ply_of(move.removeprefix("Move: "))) is not None


def test_colours_and_edge_are_asked_by_their_words() -> None:
    table = Table(2, starter="1")
    assert [part.line for part in parts(table, Demand("Colours", 1))] == ["Colours: red", "Colours: blue"]
    assert {part.slots[0] for part in parts(table, Demand("Edge", 2))} == {
        ("edge", side) for side in ("south", "north", "east", "west")
    }
