"""What the rules page says of the game of two (5.3) and of the solo game (5.4), as stories: options, mails that count,
and what is to be seen between them."""

import hashlib
from datetime import timedelta
from typing import Any

import pytest

from referee.core.chance import RECIPE
from referee.core.seam import Standing
from referee.core.value import Demand
from referee.games.buttons.game import GAME
from tests.games.buttons.sitting import Sitting

EMPTY = ".. .. .. .."
# B1 on b4 goes to a4, and the first two rows match.
NEARLY = "B2 B1 B3 B4/W1 W2 W3 W4/B4 B2 B3 B1/W4 W3 W2 W1"
BACKWARD = "B2 B1 B3 B4/W4 W3 W2 W1/B4 B2 B3 B1/W4 W3 W2 W1"
TWICE = "B2 B1 B3 B4/W1 W2 W3 W4/B1 B2 B3 B4/W1 W2 W3 W4"
COLUMNS = "B3 W3 B4 W1/B1 W2 B3 W2/B2 W1 B2 W3/B4 W4 B1 W4"
LONG = "16 16 16 16 / 16 16 16 16"
BUTTONS = [f"{colour}{value}" for colour in "BW" for value in (1, 1, 2, 2, 3, 3, 4, 4)]


def drawn(*rows: str, seat: int = 1, **options: str) -> dict[str, str]:
    """A position from the top row down, the seat to move."""
    full = [*rows, *[EMPTY] * (4 - len(rows))]
    return {"starter": str(seat), "position": "/".join(full), **options}


def solo(position: str = NEARLY, **options: str) -> dict[str, str]:
    return {"mode": "solo", "position": position, **options}


def exchanged(button: str = "W1") -> dict[str, str]:
    """Black exchanges B1 on a3 with the button on a2."""
    return drawn("B2 .. .. W2", "B1 .. .. ..", f"{button} .. .. ..")


NEW = {"starter": "1"}
TWO = solo(goal="two")
BACK, SHUTTLE = "1 Move: a3-a2", drawn("B1 .. .. W1")
ROUND = ("1 Move: a4-b4", "2 Move: d4-d3", "1 Move: b4-a4", "2 Move: d3-d4")
IN_A_LINE = "Four in a line."
BOTH = "Both have four in a line, and the winner has just played."
SOLVED = ((1,), "Solved in 1 move.")
STORIES: dict[str, tuple[Any, ...]] = {
    **{
        f"5.3 the first button may be placed on any space: {space}": (
            NEW, f"1 Place: 3 {space}", {"threes": 1, "left": (1, 1, 2, 2, 3, 4, 4)},
        )
        for space in ("a4", "b2", "d1")
    },
    # c3 is diagonal
    "5.3 every other button goes next to an opponent's button": (
        NEW, "1 Place: 3 b2", {"2 Place: 1 c3": ["not_next_to"]}, "2 Place: 1 c2",
    ),
    # a2 is next to its own button only
    "5.3 o4 the first player's second button is no exception": (
        NEW, "1 Place: 3 b2", "2 Place: 1 c2", {"1 Place: 3 a2": ["not_next_to"]}, "1 Place: 3 d2",
    ),
    "5.3 a placement needs the button, an empty space and a space at all": (
        drawn("B4 B4 W1 .."),
        {
            "1 Place: 4 c3": ["not_in_supply"], "1 Place: 3 c4": ["occupied"],
            "1 Place: 3 e9": ["no_such_space"], "1 Place: W3 c3": ["not_your_colour"],
            "1 Place: 4 a4": ["not_in_supply", "occupied"], "1 Place: B3 c3": [],
        },
    ),
    "5.3 only an own button can be moved": (
        drawn("B1 W1 .. .."),
        {
            "1 Move: b4-a4": ["not_your_button"], "1 Move: c4-b4": ["no_button"],
            "1 Move: a4": ["half_a_move"], "1 Move: a4-z9": ["no_such_space"],
        },
    ),
    **{
        f"5.2 a button at the end of the way changes places whatever its colour: {other}": (
            drawn(f"B1 {other} .. .."), "1 Move: a4-b4",
            {"board": f"{other} B1 .. ../{EMPTY}/{EMPTY}/{EMPTY}", "last ButtonMoved.other": other},
        )
        for other in ("W1", "B2")
    },
    # W2 is one bridge away, and it is a black bridge
    "5.2 o13 the number and colour of the moved button count": (
        drawn("B1 W2 .. ..", seat=2), {"2 Move: b4-a4": ["out_of_reach"]},
    ),
    "5.2 o13 not those of the other": (drawn("B1 W2 .. .."), {"1 Move: a4-b4": []}),
    "5.6 exchanging the same two buttons back is refused": (exchanged(), BACK, {"2 Move: a3-a2": ["reversal"]}),
    # W3 goes back by a3-b3-b2-a2, not over the bridge black used
    "5.6 o7 another way for the same two buttons is refused too": (
        exchanged("W3"), BACK, {"2 Move: a3-a2": ["reversal"], "2 Move: a3-b3-b2-a2": ["reversal"]},
    ),
    "5.6 exchanging one of the two with a third is fine": (
        exchanged(), BACK, "2 Move: a3-a4", {"board": f"W1 .. .. W2/B2 .. .. ../B1 .. .. ../{EMPTY}"},
    ),
    "5.6 the ban lasts one turn": (
        exchanged(), BACK, "2 Place: 4 b4", "1 Move: a2-a3",
        {"board": f"B2 W4 .. W2/B1 .. .. ../W1 .. .. ../{EMPTY}"},
    ),
    "5.3 o6 a move to an empty space is no exchange": (
        drawn("B1 .. .. ..", "W1 .. .. .."), "1 Move: a4-b4", "2 Move: a3-a4", {"swapped": None},
        "1 Move: b4-a4", {"board": f"B1 W1 .. ../{EMPTY}/{EMPTY}/{EMPTY}", "exchanged": True},
    ),
    "5.3 four own buttons in a row win": (
        drawn("B1 B2 .. B3", ".. .. W1 .."), "1 Place: 4 c4",
        {"ending": ((1,), IN_A_LINE), "last LineMade.spaces": ("a4", "b4", "c4", "d4")},
    ),
    "5.3 four own buttons in a column win": (
        drawn("W1 .. .. ..", "W2 .. .. ..", "W3 .. .. ..", ".. B1 .. ..", seat=2), "2 Place: 4 a1",
        {"ending": ((2,), IN_A_LINE)},
    ),
    "5.3 a diagonal is no line": (
        drawn("B1 .. .. ..", ".. B2 .. ..", ".. .. B3 ..", ".. .. W1 .."), "1 Place: 4 d1", {"goes_on": True},
    ),
    "5.3 o9 completing only the opponent's line loses": (
        drawn("W1 W2 B1 W3", ".. .. W4 .."), "1 Move: c4-c3",
        {"ending": ((2,), "Four in a line, completed by the opponent.")},
    ),
    "5.3 if both have a line who has just moved wins": (
        drawn("B2 B2 W1 B3", "W2 W2 B1 W3"), "1 Move: c3-c4",
        {
            "board": f"B2 B2 B1 B3/W2 W2 W1 W3/{EMPTY}/{EMPTY}", "ending": ((1,), BOTH),
            "latest": ["LineMade", "LineMade", "MatchDecided"],
        },
    ),
    "5.3 white too": (
        drawn("W1 B1 .. ..", "W2 B2 .. ..", "B3 W1 .. ..", "W3 B4 .. ..", seat=2), "2 Move: b2-a2",
        {"ending": ((2,), BOTH)},
    ),
    "5.3 the third time of a position is a draw": (
        SHUTTLE, *ROUND, {"goes_on": True}, *ROUND,
        {"ending": ((), "The same position has stood on the board 3 times: a draw.")},
    ),
    "5.3 o10 repetition can be set": (
        {**SHUTTLE, "repetition": "2"}, *ROUND,
        {"ending": ((), "The same position has stood on the board 2 times: a draw.")},
    ),
    "5.3 o10 or switched off": ({**SHUTTLE, "repetition": "off"}, *ROUND * 5, {"goes_on": True}),
    # Black's buttons number 16: no path is so long. Black's supply is used up.
    "5.3 without a legal turn the referee passes": (
        drawn("B16 .. .. W1", ".. B16 .. ..", "B16 .. B16 ..", seat=2, values="16 16 16 16 / 1 1 2 2"),
        "2 Move: d4-d3", {"passes": 1, "owed": [("Round 2 / Player 2", "Move", 2)]},
    ),
    "5.3 both stuck is a draw": (
        drawn("B16 W16 .. ..", ".. B16 W16 ..", "W16 .. B16 ..", "B16 W16 .. ..", values=LONG),
        {"ending": ((), "Neither player can place or move a button: a draw."), "passes": 2},
    ),
    "5.3 there is no passing": (SHUTTLE, {"1 Pass": ["no_pass"], "1 Move: a4-b4\nPass": ["no_pass"]}),
    "5.3 one turn a mail": (
        SHUTTLE, {"1 Move: a4-b4\nPlace: 2 c4": ["one_turn"], "1 Move: a4-b4, b4-a4": ["one_turn"]},
    ),
    **{
        f"5.3 players take turns from the starter on: {first}": (
            {"starter": str(first)}, {"owed": [(f"Round 1 / Player {first}", "Move", first)]},
            {f"{3 - first} Place: 1 a1": ["not_your_turn"]}, f"{first} Place: 1 a1",
            {"owed": [(f"Round 1 / Player {3 - first}", "Move", 3 - first)]}, f"{3 - first} Place: 1 a2",
            {"owed": [(f"Round 2 / Player {first}", "Move", first)]},
        )
        for first in (1, 2)
    },
    "an offer beside a turn stands until the opponent acts": (
        NEW, "1 Place: 1 a1\nOffer: draw", {"offer": 1}, "2 Place: 1 a2", {"offer": 0}, "1 Place: 1 a3",
        {"2 Accept: draw": ["no_offer"]},
    ),
    "it may be accepted": (
        NEW, "1 Place: 1 a1\nOffer: draw", "2 Accept: draw",
        {"ending": ((), "Both players agreed to a draw.")},
    ),
    "an offer may follow ones turn but not stand alone on it": (
        NEW, {"1 Offer: draw": ["offer_with_turn"]}, "1 Place: 1 a1", "1 Offer: draw",
        {"1 Offer: draw": ["offered_already"], "2 Accept: draw\nPlace: 1 a2": ["accept_is_a_turn"]},
        "2 Accept: draw", {"ending": ((), "Both players agreed to a draw.")},
    ),
    "only a draw can be offered": (NEW, {"1 Place: 1 a1\nOffer: ten dollars": ["only_draw"]}),
    **{
        f"resigning is open to both at any time: {seat}": (
            NEW, f"{seat} Resign\nComment: well played",
            {
                "ending": ((3 - seat,), "The opponent resigned."), "last Commented.text": "well played",
                "1 Place: 1 a1": ["ended"],
            },
        )
        for seat in (1, 2)
    },
    "a resignation with a turn beside it is refused": (NEW, {"1 Place: 1 a1\nResign": ["not_beside"]}),
    "the deadline loses the match": (NEW, "lapse", {"ending": ((2,), "The opponent ran out of time.")}),
    "unless the option says wait": ({**NEW, "timeout_default": "wait"}, {"holds": True}),
    "without a deadline there is none": ({**NEW, "move_deadline": "none"}, {"window": None}),
    "5.4 two lines with equal numbers solve the goal two": (
        TWO, "1 Move: b4-a4",
        {
            "board": "B1 B2 B3 B4/W1 W2 W3 W4/B4 B2 B3 B1/W4 W3 W2 W1",
            "last GoalReached.pairs": ((("a4", "b4", "c4", "d4"), ("a3", "b3", "c3", "d3")),),
        },
        "par", {"ending": SOLVED, "points": 1, "par": 1},
    ),
    "5.4 columns are read from the top": (
        solo(COLUMNS, goal="two", par="off"), "1 Move: a3-a2",
        {"last GoalReached.pairs": ((("a4", "a3", "a2", "a1"), ("b4", "b3", "b2", "b1")),)},
    ),
    "5.4 equal numbers in another order do not match": (
        solo(BACKWARD, goal="two", par="off"), "1 Move: b4-a4", {"goes_on": True},
    ),
    "5.4 unless the option turns them": (
        solo(BACKWARD, goal="two", par="off", perspective="half_turn"), "1 Move: b4-a4",
        {"ending": SOLVED, "points": 1},
    ),
    "5.4 four lines need a white line of its own for each black one": (
        solo(TWICE, goal="four", par="off"), "1 Move: b4-a4", {"ending": SOLVED, "points": 1, "different": 2},
    ),
    "5.4 two are not enough for four": (solo(goal="four", par="off"), "1 Move: b4-a4", {"goes_on": True}),
    "5.4 the goal is chosen before the first moves": (
        solo(), "1 Goal: four",
        {"goal": "four", "1 Goal: two": ["goal_fixed"], "1 Goal: four": ["nothing_ordered"]},
    ),
    "5.4 or beside them": (solo(), "1 Goal: four\nMove: b4-a4", {"goal": "four", "moves": 1}),
    "5.4 without a word it is two": (
        solo(), "1 Move: a4-c4", {"last GoalChosen.goal": "two", "last GoalChosen.said": False},
    ),
    "5.4 goals that are none": (
        solo(), {"1 Goal: two\nGoal: four": ["two_goals"], "1 Goal: three": ["goal_unclear"]},
    ),
    **{
        f"5.4 several moves in a mail are made in their order: {number}": (
            TWO, *mails, {"board": "B2 B1 B3 B4/W1 B4 W3 W4/W2 B2 B3 B1/W4 W3 W2 W1", "moves": 3},
        )
        for number, mails in enumerate((
            ["1 Move: a4-c4, c4-a4; b3-a2"], ["1 Move: a4-c4\nMove: c4-a4\nMove: b3-a2"],
            ["1 Move: a4-c4", "1 Move: c4-a4", "1 Move: b3-a2"],
        ))
    },
    "5.4 a mail is atomic and every fault is named": (
        TWO,
        {
            "faults 1 Move: a4-c4\nMove: b2-d3\nMove: c4-c4\nMove: x9-a1\nUndo": [
                ("out_of_reach", 2), ("same_space", 3), ("no_such_space", 4),
            ],
        },
        {"board": NEARLY, "moves": 0},
    ),
    "5.4 any button may be moved": (TWO, "1 Move: a3-a4", "1 Move: a3-b2", {"moves": 2}),
    "5.4 reversals are allowed": (TWO, "1 Move: a3-a4, a4-a3", {"board": NEARLY}),
    "5.4 moves after the goal are refused": (
        TWO,
        {"1 Move: b4-a4, a1-b1": ["after_the_end"], "1 Give up\nMove: b4-a4": ["after_the_end"]},
    ),
    "5.4 undo is free by default": (
        TWO, "1 Move: a4-c4", "1 Undo",
        {
            "board": NEARLY, "moves": 0, "1 Undo": ["nothing_to_undo"],
            "1 Move: a4-c4\nUndo\nUndo": ["nothing_to_undo"],
        },
        "1 Move: a4-c4\nUndo\nMove: b4-a4", "par", {"ending": SOLVED, "points": 1},
    ),
    "5.4 undo may count": (
        solo(goal="two", undo="counts"), "1 Move: a4-c4\nUndo", {"board": NEARLY, "moves": 2},
    ),
    "5.4 or be off": (solo(goal="two", undo="off"), {"1 Move: a4-c4\nUndo": ["no_undo"]}),
    **{
        f"5.4 giving up ends the puzzle unsolved: {words}": (
            TWO, f"1 {words}", "par", {"ending": ((), "Given up."), "points": 0},
        )
        for words in ("Give up", "Give-up.", "Resign")
    },
    "5.4 what belongs to two players is refused": (
        solo(), {"1 Place: 3 b2": ["two_only"], "1 Offer: draw": ["two_only"], "1 Pass": ["no_pass"]},
    ),
    "5.3 what belongs to one is refused": (NEW, {"1 Undo": ["solo_only"]}),
    "each mail opens a round with its own deadline": (
        solo(goal="two", par="off"), {"owed": [("Round 1 / Player 1", "Move", 1)]}, "1 Move: a4-c4, c4-a4",
        {"owed": [("Round 2 / Player 1", "Move", 1)]}, "lapse",
        {"ending": ((), "Not solved in time."), "points": 2},
    ),
    "one deadline for the whole puzzle keeps its round": (
        solo(goal="two", par="off", deadline_for="match", move_deadline="3d"),
        {"owed": [("Round 1 / Player 1", "Move", 1)], "window": timedelta(days=3)}, "1 Move: a4-c4",
        {"owed": [("Round 1 / Player 1", "Move", 1)], "window": timedelta(days=3)},
    ),
    "5.4 the player moves on while the referee works out par": (
        TWO, {"owed": [("Round 1 / Player 1", "Move", 1), ("Par", "Par", 0)]}, "1 Move: a4-c4",
        {"owed": [("Round 2 / Player 1", "Move", 1), ("Par", "Par", 0)]}, "par",
        {"owed": [("Round 2 / Player 1", "Move", 1)]},
    ),
    "5.4 the end waits for par and counts it from the start": (
        TWO, "1 Move: a4-c4, c4-a4", "1 Give up", {"owed": [("Par", "Par", 0)], "goes_on": True}, "par",
        {"ending": ((), "Given up."), "points": 2, "last ParPublished.par.moves": 1},
    ),
    "5.4 par waits for the goal and is left out where none was chosen": (
        solo(), {"owed": [("Round 1 / Player 1", "Move", 1)]}, "1 Give up",
        {"ending": ((), "Given up."), "points": 0},
    ),
}  # fmt: skip


class Told(Sitting):
    """A sitting and what only these stories ask of it."""

    @property
    def threes(self) -> int:
        return self.board.count("B3")

    @property
    def left(self) -> tuple[int, ...]:
        """What the first player has not placed."""
        supply: tuple[int, ...] = self.state.supply(1)
        return supply

    @property
    def latest(self) -> list[str]:
        return self.kinds()[-3:]

    @property
    def exchanged(self) -> bool:
        return self.state.swapped is not None

    @property
    def different(self) -> int:
        """How many pairs of lines, no two of them one, reached the goal."""
        return len(set(self.last("GoalReached").pairs))

    @property
    def par(self) -> Any:
        return self.position["par"]


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)
def test_5(story: tuple[Any, ...]) -> None:
    options, *steps = story
    Told(**options).told(*steps)


def test_53_complaints_tell_what_is_possible_and_what_would_be_reversed() -> None:
    (complaint,) = Sitting(starter="1").played((1, "Place: 3 b2")).mail(2, "Place: 1 c3")
    assert (complaint.rule, complaint.facts["possible"]) == ("5.3", ("b3", "a2", "c2", "b1"))
    (complaint,) = Sitting(**exchanged()).played((1, "Move: a3-a2")).mail(2, "Move: a3-a2")
    assert (complaint.rule, complaint.facts) == ("5.3", {"button": "W1", "other": "B1"})


def test_53_o3_next_to_needs_no_bridge_unless_the_option_says_so() -> None:
    """No layout of ours lacks a bridge between neighbours, so one is taken away."""
    red = "a1a2 a2a3 a3a4 a4b4 b4b3 b3b2 b2b1 b1c1 c1c2 c2c3 c3c4 c4d4 d4d3 d3d2 d2d1"
    layouts = {"gap": {"grid": "4x4", "red": red}}
    by_grid = Sitting(1, layouts, bridges="gap", starter="1").played((1, "Place: 1 a1"))
    assert by_grid.codes(2, "Place: 1 b1") == []
    by_bridge = Sitting(1, layouts, bridges="gap", starter="1", place_adjacency="bridge")
    by_bridge.told("1 Place: 1 a1", {"2 Place: 1 b1": ["not_next_to"], "2 Place: 1 a2": []})


def test_53_the_same_board_with_the_other_side_to_move_is_another_position() -> None:
    sitting = Sitting(**SHUTTLE, repetition="2").told("1 Move: a4-b4", "2 Move: d4-d3")
    keys = sitting.state.seen
    assert len(keys) == len(set(keys)) == 3
    assert {key[0] for key in keys} == {"1", "2"}


def test_o5_a_random_starter_is_drawn_and_either_may_begin() -> None:
    drawn_starters = {Sitting(seed).last("StarterDrawn").seat for seed in range(20)}
    assert drawn_starters == {1, 2}
    (draw,) = Sitting(3).last("StarterDrawn").draws
    assert draw.bound == 2
    assert Sitting(3).last("StarterDrawn").seat == draw.result + 1


def test_a_comment_alone_changes_nothing() -> None:
    sitting = Sitting(starter="1")
    before = sitting.state
    assert sitting.codes(2, "Comment: good luck!", "Comment") == []
    assert sitting.state == before
    assert sitting.last("Commented").text == "good luck!"


def test_54_anyone_can_work_out_the_shuffle_from_the_published_seed() -> None:
    """The published recipe is run as it stands, from what the opening letter tells; row by row from the top left."""
    sitting = Sitting(mode="solo", seed="42")
    told = sitting.last("ButtonsShuffled")
    recipe: dict[str, object] = {"hashlib": hashlib}
    exec(RECIPE, recipe)
    assert recipe["shuffle"](told.seed, told.draws[0].counter, BUTTONS) == list(told.cells)  # type: ignore[operator]
    assert sitting.board == "/".join(" ".join(told.cells[at : at + 4]) for at in (0, 4, 8, 12))
    assert sorted(told.cells) == sorted(BUTTONS)


def test_54_a_seed_gives_one_start_whether_by_option_or_by_the_match() -> None:
    boards = {Sitting(seed, mode="solo", seed="7").board for seed in range(3)}
    assert len(boards) == 1
    assert len({Sitting(seed, mode="solo").board for seed in range(3)}) == 3


def test_54_par_is_published_only_at_the_end() -> None:
    sitting = Sitting(**TWO)
    (found,) = sitting.compute()
    assert GAME.secret_to(found) == 0
    for seat in (1, None):
        view = GAME.view(sitting.state, seat)
        assert (view.position["par"], view.facts["par"]) == (None, None)
    sitting.played((1, "Move: b4-a4"))
    assert sitting.position["par"] == 1
    published_par = sitting.last("ParPublished")
    assert GAME.secret_to(published_par) is None
    assert published_par.par.proven


def test_54_only_the_node_limit_makes_par_unknown() -> None:
    sitting, par = Sitting(mode="solo", goal="four", seed="1"), Demand("Par", 0)
    assert GAME.compute(sitting.state, par, 3).par.moves is None
    assert GAME.compute(sitting.state, par, 40_000) == GAME.compute(sitting.state, par, 40_000)
    sitting.compute(3)
    sitting.played((1, "Give up"))
    assert sitting.position["par"] is None
    assert sitting.ending[1] == "Given up."
    limited = Sitting(mode="solo", goal="four", seed="1", par_nodes="3")
    assert limited.last("RulesSet").rules.par_nodes == 3, "it is in the ledger"
    assert GAME.compute(limited.state, par, 10**9).par.moves is None


def test_54_a_wrong_par_is_refused() -> None:
    par = GAME.compute(Sitting(**TWO).state, Demand("Par", 0), 1000)
    other = Sitting(mode="solo", goal="two", seed="3")
    (complaint,) = Standing(GAME, other.state).check(Demand("Par", 0), par)
    assert complaint.code == "par_wrong"
