"""Nine Men's Morris: the rules M1 to M8, on drawn boards (W, B, . for the points from the top left, row by row)."""

from dataclasses import replace

import pytest

from referee.core import seam
from referee.core.answers import Body, Party
from referee.core.game import Outcome
from referee.core.seam import Standing
from referee.core.value import LAPSED, Demand
from referee.games.morris.game import GAME
from referee.games.morris.state import BESIDE, LINES, POINTS, Rules, State
from referee.games.morris.turns import ends, takeable
from referee.language.interpret import interpret

EMPTY = "........................"


def board(drawn: str, mover: int = 1, hands: tuple[int, int] = (0, 0), **rules: object) -> State:
    cells = tuple(" WB".index(sign) if sign != "." else 0 for sign in drawn.replace(" ", ""))
    state = State(replace(Rules(), **rules), cells, hands, turn=1, mover=mover)  # type: ignore[arg-type]
    return replace(state, seen=(state.key,))


def send(state: State, seat: int, text: str, heading: str = "Move") -> tuple[State, list[str]]:
    """The state after a mail, and the codes of what is wrong with it, each with its line."""
    body, party = Body.of(text), Party(f"Player {seat}", seat)
    demand = Standing(GAME, state).aimed(seat, heading, body)
    reading = seam.read(GAME, state, demand, body, party)
    wrong = (*reading.complaints, *Standing(GAME, state).faults(demand, reading))
    if not wrong:
        for event in seam.resolve(GAME, state, {demand: reading.action}):
            state = GAME.evolve(state, event)
    return state, [f"{c.code} {c.line.number if c.line else '-'}" for c in wrong]


def end(state: State) -> Outcome:
    outcome = GAME.outcome(state)
    assert outcome is not None
    return outcome


def test_m1_the_board_has_24_points_and_16_lines() -> None:
    assert (len(POINTS), len(LINES), sum(map(len, BESIDE.values()))) == (24, 16, 64)
    assert set(BESIDE["d6"]) == {"b6", "f6", "d7", "d5"}
    assert set(BESIDE["a1"]) == {"d1", "a4"}


def test_m2_men_are_placed_before_any_moves() -> None:
    state, wrong = send(board(EMPTY, hands=(9, 9)), 1, "Hello,\n\nMove: d2\n\nBest wishes")
    assert (wrong, state.at("d2"), state.hands, state.mover) == ([], 1, (8, 9), 2)
    assert send(state, 2, "Move: d2")[1] == ["occupied 1"]
    assert send(state, 1, "Move: d3")[1] == ["not_your_turn -"]
    assert send(replace(state, mover=1), 1, "Move: d2-d3")[1] == ["place_first 1"]
    assert send(state, 2, "\nMove: d4")[1] == ["no_such_point 2"]


@pytest.mark.parametrize(
    ("turn", "wrong"),
    [
        ("d2", ["all_placed 1"]),
        ("a7-d6", ["too_far 1"]),
        ("d7-d6", ["not_your_man 1"]),
        ("g7-g4", ["not_your_man 1"]),
        ("a7-d7", ["occupied 1"]),
        ("a7 to a4", []),
        ("a7 d7 g7", ["move_unclear 1"]),
    ],
)
def test_m3_men_move_along_the_lines(turn: str, wrong: list[str]) -> None:
    state = board("WB. W.B ... ... ... W.. W.B ..B")
    assert send(state, 1, f"Move: {turn}")[1] == wrong


def test_m4_three_men_may_fly_unless_the_option_says_no() -> None:
    drawn = "W.. W.. ... ..B BB. B.. W.. ..."
    assert "g1" in ends(board(drawn), 1, "a7")
    assert send(board(drawn), 1, "Move: a7-g1")[1] == []
    assert send(board(drawn, flying=False), 1, "Move: a7-g1")[1] == ["too_far 1"]


def test_m5_a_mill_takes_a_man_that_stands_in_none() -> None:
    state = board("WWB ..B ... ..W ..B ... B.. WB.")
    assert send(state, 1, "Move: a7-a4")[1] == []
    mill = board("WW. ..B ..W ... ..B ... B.. WB.", hands=(1, 0))
    assert send(mill, 1, "Move: g7")[1] == ["take_missing 1"]
    assert send(mill, 1, "Move: g7 x a4")[1] == ["nothing_to_take 1"]
    assert send(mill, 1, "Move: f2 x b2")[1] == ["no_mill 1"]
    after, wrong = send(mill, 1, "Move: g7 takes b2")
    assert (wrong, after.at("b2"), after.quiet) == ([], 0, 0)
    assert takeable(mill, 1) == mill.men(2) == ("f6", "g4", "b2", "d1")
    kept = board("WW. ... ... .B. ... ... B.. BBB", hands=(1, 0))
    assert takeable(kept, 1) == ("b4", "b2")
    assert send(kept, 1, "Move: g7 x d1")[1] == ["in_a_mill 1"]
    all_in_mills = board("WW. ... ... ... ... ... ... BBB", hands=(1, 0))
    assert send(all_in_mills, 1, "Move: g7 x d1")[1] == []


def test_m6_two_men_or_no_move_lose() -> None:
    last, wrong = send(
        board("WW. ... ... ... ... ..W B.. BB.", hands=(1, 0), flying=False), 1, "Move: g7 x b2"
    )
    assert (wrong, end(last).winners) == ([], (1,))
    shut, wrong = send(board("B.W WW. ... W.. ... ... ... ...", hands=(0, 0), flying=False), 1, "Move: g7-d7")
    assert (wrong, end(shut).reason) == ([], "Black has only two men left.")
    stuck, wrong = send(board("BW. ... ... BW. ... ... ... B.W", flying=False), 1, "Move: g1-d1")
    assert (wrong, end(stuck).reason) == ([], "Black can't move a man.")
    resigned, wrong = send(board("WWW ... ... ... ... ... ... BBB"), 2, "Resign", "Resign")
    assert (wrong, end(resigned).winners) == ([], (1,))
    (lapsed,) = seam.resolve(GAME, board(EMPTY, hands=(9, 9)), {Demand("Move", 1): LAPSED})
    assert lapsed.winners == (2,)


def test_m7_draws() -> None:
    state = board("WW. ... ... ..W ... ... B.. B.B")
    offered, _ = send(state, 1, "Move: a7-a4\nOffer: draw")
    assert send(offered, 1, "Accept: draw")[1] == ["not_your_turn -"]
    agreed, wrong = send(offered, 2, "Accept: draw")
    assert (wrong, end(agreed).winners) == ([], ())
    assert send(send(offered, 2, "Move: g1-g4")[0], 1, "Accept: draw")[1] == ["no_offer 1"]
    quiet, _ = send(board("WW. ... ... ..W ... ... B.. B.B", quiet=1), 1, "Move: a7-a4")
    assert end(quiet).winners == ()
    for seat, turn in ((1, "a7-a4"), (2, "g1-g4"), (1, "a4-a7"), (2, "g4-g1")) * 2:
        assert state.ended is None
        state, wrong = send(state, seat, f"Move: {turn}")
        assert wrong == []
    assert end(state).reason == "The same position has stood on the board 3 times: a draw."


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Move: a4\nMove: a1", ["one_turn 2"]),
        ("Pass", ["no_pass 1"]),
        ("hello", ["nothing_ordered -"]),
        ("Move: a4\nOffer: tea", ["only_draw 2"]),
        ("Move: a4\nwhat?\nComment: hi", ["not_understood 2"]),
        ("Resign\nMove: a4", ["not_beside 2"]),
    ],
)
def test_m8_every_fault_is_named_with_its_line(text: str, wrong: list[str]) -> None:
    assert send(board(EMPTY, hands=(9, 9)), 1, text)[1] == wrong


def test_m8_words_beside_a_move_that_look_like_another_are_asked_about() -> None:
    """Neither move counts before its writer has said which."""
    body, standing = Body.of("Move: a4\n\nd2 takes a7"), Standing(GAME, board(EMPTY, hands=(9, 9)))
    _, reading = interpret(standing, 1, "Move", body, Party("Player 1", 1))
    assert reading.choices == ("Move: a4",)
    assert reading.doubts == ("d2 takes a7",)


def lines(state: State, *named: str, said: tuple[str, ...] = ()) -> list[str]:
    """The turns that share a value with what is named."""
    parts = GAME.answers[0].possible(state, Demand("Move", state.mover), said, named)
    return [part.line for part in parts if not named or {value for _, value in part.slots} & {*named}]


def test_m3_a_point_alone_leaves_the_men_that_may_go_there() -> None:
    state = board("W.W BB. .W. B..W.. B.. ... ..W")
    assert lines(state, "d7") == ["Move: a7-d7", "Move: g7-d7"]
    assert lines(state, "g4") == ["Move: g7-g4", "Move: g1-g4"]
    assert lines(state, "d1") == ["Move: g1-d1"]
    assert lines(state, "a1") == lines(state, "d6") == []
    assert lines(board("W.W BB. .W. B..... B.. ... ..."), "a1") == [
        "Move: a7-a1",
        "Move: g7-a1",
        "Move: d5-a1",
    ]


def test_m5_a_mill_gives_a_turn_for_each_man_that_it_may_take() -> None:
    state = board("WW. B.. ... B..... ... ... ..B", hands=(1, 0))
    assert lines(state, "g7") == ["Move: g7 x b6", "Move: g7 x a4", "Move: g7 x g1"]
    assert lines(state, "g7", said=("Move: d6",)) == []


def test_m7_a_draw_may_be_offered_beside_a_turn_and_accepted_instead_of_one() -> None:
    offered = replace(board("W.. ... ... B..... ... ... ..B", hands=(1, 1)), offer=2)
    assert lines(offered)[-2:] == ["Accept: draw", "Offer: draw"]
    assert lines(offered, said=("Move: g7",)) == ["Offer: draw"]
    assert lines(offered, said=("Accept: draw",)) == lines(offered, "g4", said=("Accept: draw",)) == []
    for said in ("Accept: draw", "Move: g4\nOffer: draw"):  # more than what may be said in advance
        action = seam.read(GAME, offered, Demand("Move", 1), Body.of(said), Party("", 1)).action
        assert action is not None
        assert GAME.answers[0].foreseen(offered, action) is None
