"""What may be said, part by part: all that is legal, found by whatever a mail names of it, and nothing else."""

import pytest

from referee.core import seam
from referee.core.answers import FEW, Part
from referee.core.value import Demand
from referee.games.buttons.duel import choices
from referee.games.buttons.game import GAME
from referee.games.buttons.state import State
from tests.games.buttons.sitting import Sitting
from tests.laws.walks import steps


def parts(state: State, demand: Demand, *named: str, said: tuple[str, ...] = ()) -> list[Part]:
    return list(seam.answer_of(GAME, demand.kind).possible(state, demand, said, frozenset(named)))


def lines(found: list[Part], group: str = "play") -> set[str]:
    return {part.line for part in found if part.group == group}


def test_one_space_leaves_exactly_the_legal_turns_that_touch_it() -> None:
    for step in steps("buttons", 3, 30):
        state, demand = step.walk.match.inner, step.demand
        if demand.kind == "Move":
            turns = {seam.write(GAME, state, demand, turn) for turn in choices(state, demand.seat)}
            few = len(turns) <= FEW
            assert lines(parts(state, demand)) == (turns if few else set())
            for space in state.rules.board.spaces:
                found = lines(parts(state, demand, space))
                assert found == {turn for turn in turns if few or space in turn}


#   4 B2 W1 .. ..      black to move; in its supply 1 1 2 3 4 4
#   3 .. B3 .. ..
#   2 .. .. W1 ..
#   1 .. .. .. ..
BOARD = "B2 W1 .. ../.. B3 .. ../.. .. W1 ../.. .. .. .."


def test_a_button_is_named_by_colour_number_and_space() -> None:
    """ "The black 3 from b3 to d4", "a 1 on c3"; "W1" where no space is called so."""
    sitting = Sitting(starter="1", position=BOARD)
    found = {part.line: part for part in parts(sitting.state, Demand("Move", 1), "3", "b3", "d4", "1", "c3")}
    assert found["Move: b3-d4"].slots == (("colour", "black"), ("number", "3"), ("from", "b3"), ("to", "d4"))
    assert found["Place: 1 c3"].slots == (("colour", "black"), ("number", "1"), ("to", "c3"))
    white = {part.line: part for part in parts(sitting.state, Demand("Move", 2), "w1", "c2")}
    assert ("number", "w1") in white["Move: c2-b2"].slots
    assert all("white" in dict(part.slots).values() for part in white.values() if part.group == "play")


@pytest.mark.parametrize(
    ("named", "line", "code"),
    [
        (("b3", "d1"), "Move: b3-d1", "out_of_reach"),
        (("2", "d1"), "Place: 2 d1", "not_next_to"),
        (("white", "1", "c3"), "Place: W1 c3", "not_your_colour"),
        (("c2", "b2"), "Move: c2-b2", "not_your_button"),
        (("d1", "d2"), "Move: d1-d2", "no_button"),
    ],
)
def test_what_is_named_whole_and_forbidden_is_told_and_nothing_else_guessed(
    named: tuple[str, ...], line: str, code: str
) -> None:
    sitting, demand = Sitting(starter="1", position=BOARD), Demand("Move", 1)
    whole = [
        part for part in parts(sitting.state, demand, *named) if {v for _, v in part.slots}.issuperset(named)
    ]
    assert line in {part.line for part in whole}
    assert all(sitting.codes(1, part.line) for part in whole)
    assert code in sitting.codes(1, line)


def test_a_way_is_a_part_where_all_its_spaces_are_named() -> None:
    sitting = Sitting(starter="1", position=BOARD)
    found = parts(sitting.state, Demand("Move", 1), "b3", "c3", "c4", "d4")
    ways = [part for part in found if part.line.count("-") == 3]
    assert [part.line for part in ways] == ["Move: b3-c3-c4-d4"]
    assert ways[0].slots[2:] == (("from", "b3"), ("by 1", "c3"), ("by 2", "c4"), ("to", "d4"))
    many = parts(sitting.state, Demand("Move", 1), *sitting.state.rules.board.spaces)
    assert all(part.line.count("-") < 2 for part in many)  # who names the whole board names no way


def test_53_a_draw_is_accepted_in_the_place_of_a_turn_or_offered_beside_one() -> None:
    sitting = Sitting(starter="1").played((1, "Place: 1 a1\nOffer: draw"))
    groups = {part.group: part.line for part in parts(sitting.state, Demand("Move", 2))}
    assert (groups["accept"], groups["offer"]) == ("Accept: draw", "Offer: draw")
    assert parts(sitting.state, Demand("Move", 2), said=("Accept: draw",)) == []
    assert [part.line for part in parts(sitting.state, Demand("Move", 2), said=("Place: 2 a2",))] == [
        "Offer: draw"
    ]


def test_54_each_step_of_a_puzzle_is_judged_after_those_before_it() -> None:
    nearly = "B2 B1 B3 B4/W1 W2 W3 W4/B4 B2 B3 B1/W4 W3 W2 W1"
    sitting, demand = Sitting(mode="solo", position=nearly), Demand("Move", 1)
    first = parts(sitting.state, demand, "a4", "c4", "two", "2")
    assert "Move: a4-c4" in lines(first)
    assert {"Give up", "Goal: two", "Goal: four"} <= {part.line for part in first}
    after = parts(sitting.state, demand, "a4", "b4", said=("Goal: two", "Move: a4-c4"))
    assert {"Undo", "Give up"} <= {part.line for part in after}
    assert not any(part.line.startswith("Goal") for part in after)
    assert parts(sitting.state, demand, "a4", said=("Goal: two", "Give up")) == []
