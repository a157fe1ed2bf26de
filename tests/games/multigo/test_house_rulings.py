"""What the page leaves open, as ruled: standing orders, conditional moves, deadlines, messages, positions."""

from datetime import timedelta

import pytest

from referee.core import seam
from referee.core.answers import Body
from referee.core.game import Setup
from referee.core.value import Demand
from referee.games.multigo import notation as act
from referee.games.multigo.game import GAME
from referee.games.multigo.state import Commented, PreferKept, PressRelayed, Resigned, SeatFilled, StonePlaced
from referee.match import commands as do
from referee.match.commands import Refused
from referee.match.events import Answered, AnsweredAhead
from tests.games.multigo.table import Table, options
from tests.laws.walks import Walk, begin

# --- conditional moves ---------------------------------------------------------------------------------------


def sequential(seats: int = 3, **more: str) -> Walk:
    return begin("go sequential", players=str(seats), board="9x9", position="", coop="off", **more)


def sent(walk: Walk, seat: int, text: str) -> list[str]:
    """A mail of the seat; what is wrong with it."""
    verdict = walk.do(do.Submit(seat, "Move", Body.of(text), walk.now)).verdict
    return [c.code for c in verdict.complaints] if isinstance(verdict, Refused) else []


def stones(walk: Walk) -> list[tuple[int, str, bool]]:
    """Every stone placed: by whom, where, whether it was said in advance."""
    found, ahead = [], False
    for entry in walk.entries:
        ahead = isinstance(entry.event, AnsweredAhead) or (ahead and not isinstance(entry.event, Answered))
        event = entry.told(walk.game)
        if isinstance(event, StonePlaced):
            found.append((event.seat, event.point, ahead))
    return found


def mover(walk: Walk) -> int:
    return next(d.seat for r in walk.match.rounds for d in r.demands)


BUILT = ["1 Move: A1", "2 Move: B1", "3 Move: C1", "1 Move: A3", "2 Move: B3"]
PLAYED = {
    "the first condition that fits and is legal": (
        ["3 If Black C3 then C4\nIf Black D4 then D5\nIf Black D4 then E4\nThen: A1", "1 Move: D4", "2 Move: D5"],
        [(1, "D4", False), (2, "D5", False), (3, "E4", True)],
    ),
    "a queued move waits for nothing": (
        ["2 Then: A1", "3 Then: B1", "1 Move: D4"], [(1, "D4", False), (2, "A1", True), (3, "B1", True)],
    ),
    "a condition may have come before it was sent": (
        ["1 Move: D4", "3 If Black: D4, then E4", "2 Move: A1"], [(2, "A1", False), (3, "E4", True)],
    ),
    # round 3 opens with Black's forced pass
    "conditions outlast a forced pass": (
        [*BUILT, "1 Then: A5", "3 Move: C3", "2 Move: B5", "3 Move: C5"], [(3, "C5", False), (1, "A5", True)],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("mails", "last"), PLAYED.values(), ids=PLAYED)
def test_what_is_played_of_what_was_said_in_advance(
    mails: list[str], last: list[tuple[int, str, bool]]
) -> None:
    """What becomes of conditional turns in all games: `tests/laws`."""
    walk = sequential()
    for mail in mails:
        assert sent(walk, int(mail[0]), mail[2:]) == []
    assert stones(walk)[-len(last) :] == last
    assert mover(walk) == last[-1][0] % 3 + 1


def test_a_condition_may_wait_for_a_pass_and_be_one() -> None:
    walk = sequential(compensation="none")
    sent(walk, 2, "If Black pass then pass")
    sent(walk, 1, "Pass")
    assert mover(walk) == 3
    answers = [e.event for e in walk.entries if isinstance(e.event, Answered)]
    assert [(a.demand.seat, a.text, isinstance(a, AnsweredAhead)) for a in answers] == [
        (1, "Pass", False),
        (2, "Pass", True),
    ]


def test_conditions_wait_for_a_choice_that_blocks() -> None:
    drawing = "......../..RR.B../.RWW.UB./..RR.B../........"
    walk = begin("go sequential coop", players="4", board="9x9", position=drawing, compensation="none")
    sent(walk, 4, "Then: H1")
    sent(walk, 1, "Pass")
    sent(walk, 2, "Pass")
    sent(walk, 3, "Move: E3")
    assert [(d.kind, d.seat) for r in walk.match.rounds for d in r.demands] == [("Take", 3)]
    walk.now += timedelta(days=30)
    walk.do(do.Expire(walk.now))
    assert stones(walk)[-1] == (4, "H1", True)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("If White D4 then E4", ["ahead_own"]),
        ("If Mauve D4 then E4", ["ahead_whose"]),
        ("If Black D44 then E4", ["ahead_unread"]),
        ("If Black does well then E4", ["nothing_said"]),
        ("Then: E4 E5", ["ahead_unread"]),
        ("If Black D4 then D4", ["occupied"]),
        ("If Red D4 then D4", []),
        ("\n".join(["Then: E4"] * 21), ["ahead_too_many"]),
        ("\n".join(["Then: E4"] * 20), []),
    ],
)
def test_conditions_are_checked(text: str, codes: list[str]) -> None:
    assert sent(sequential(), 2, text) == codes


def test_the_seat_to_move_sends_its_move_with_it_and_parallel_play_knows_no_conditions() -> None:
    assert sent(sequential(), 1, "Then: E4") == ["ahead_your_turn"]
    assert sent(begin("go parallel"), 1, "Then: E4") == ["ahead_sealed"]


# --- privacy -------------------------------------------------------------------------------------------------


def test_standing_orders_are_secret_and_change_nothing_public() -> None:
    table = Table(4, board="9x9", coop="on")
    before = GAME.view(table.state, None)
    others = GAME.view(table.state, 3)
    table.play("W Prefer: red, black")
    assert GAME.view(table.state, None) == before
    assert GAME.view(table.state, 3) == others
    own = GAME.view(table.state, 2).facts
    assert own["prefer"] == "red, black"
    secret = [e for e in table.events if isinstance(e, PreferKept)]
    assert [GAME.secret_to(e) for e in secret] == [2]


def test_what_is_sealed_and_recorded_of_a_move_leaves_the_standing_order_out() -> None:
    move = act.Move(("D4",), (2, 3), "hello")
    assert seam.public(GAME, Demand("Move", 1), move) == act.Move(("D4",), (), "hello")
    assert seam.public(GAME, Demand("Prefer", 1), act.Prefer((2,))) is None


# --- deadlines -----------------------------------------------------------------------------------------------


def test_a_missed_move_is_a_pass_and_the_next_one_resigns_a_seat_that_is_open() -> None:
    table = Table(3, board="9x9", compensation="none")
    for number in range(1, 5):
        table.lapse()
        assert not table.of(Resigned) or number == 4
        if number == 3:
            assert GAME.vacant(table.silent(1).state) == (1,)
        if number < 4:
            table.play(f"W B{number}", f"R C{number}")
    assert [(e.seat, e.how) for e in table.of(Resigned)] == [(1, "deadline")]
    assert table.owed == [(2, "Move")]


def test_an_answer_ends_a_run_of_missed_moves_and_keeps_the_seat() -> None:
    table = Table(3, board="9x9", compensation="none")
    for number in (1, 2):
        table.lapse().play(f"W B{number}", f"R C{number}")
    table.silent(1, 2).play("B A1", "W B4", "R C4").lapse()
    assert GAME.vacant(table.state) == ()
    assert table.state.seat(1).defaults == 1


def test_who_takes_an_open_seat_over_starts_afresh() -> None:
    table = Table(3, board="9x9", compensation="none").lapse().silent(1)
    assert GAME.filled(table.state, 1) == (SeatFilled(1),)
    assert GAME.filled(table.state, 2) == ()
    state = GAME.evolve(table.state, SeatFilled(1))
    assert (state.seat(1).vacant, state.seat(1).defaults) == (False, 0)


def test_in_parallel_play_a_round_missed_while_it_is_open_resigns_a_seat() -> None:
    table = Table(3, board="9x9", order="parallel")
    for number in range(1, 5):
        table.play(f"B A{number}", f"W B{number}").lapse()
        if number == 3:
            table.silent(3)
    assert [e.seat for e in table.of(Resigned)] == [3]
    assert table.owed == [(1, "Move"), (2, "Move")]


@pytest.mark.parametrize("order", ["sequential", "parallel"])
def test_the_default_may_be_a_resignation_or_waiting(order: str) -> None:
    table = Table(3, board="9x9", order=order, timeout_default="resign")
    if order == "parallel":
        table.play("B A1", "W B1")
        table.lapse()
        assert [e.seat for e in table.of(Resigned)] == [3]
    else:
        table.lapse()
        assert [e.seat for e in table.of(Resigned)] == [1]
    (due,) = Table(3, board="9x9", order=order, timeout_default="wait").due
    assert due.holds


def test_windows_are_options() -> None:
    table = Table(3, board="9x9", move_deadline="36h", dead_deadline="2d")
    assert table.due[0].window.total_seconds() == 36 * 3600
    table.play("B Pass", "W Pass", "R Pass")
    assert table.due[0].window.days == 2


# --- messages ------------------------------------------------------------------------------------------------


def test_g25_messages_pass_only_where_press_is_on() -> None:
    table = Table(3, board="9x9", press="on")
    table.mail(2, "Press: who helps me?\nPress: anyone?")
    assert table.of(PressRelayed) == [PressRelayed(2, "who helps me?\nanyone?")]


def test_comments_stand_alone_or_beside_an_order() -> None:
    table = Table(3, board="9x9")
    table.mail(2, "Comment: good luck")
    table.mail(1, "Move: D4\nComment: thanks")
    assert table.of(Commented) == [Commented(2, "good luck")]
    assert [e.comment for e in table.of(StonePlaced)] == ["thanks"]


# --- positions -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"position": "B./."}, ["row 2"]),
        ({"position": "BX/.."}, ["X"]),
        ({"position": "R./.."}, ["R"]),
        ({"position": "BW/.B"}, ["liberty"]),
        ({"position": "/".join(["." * 26] * 2)}, ["25"]),
        ({"hands": "9:1W"}, ["9:1W"]),
        ({"hands": "1:2R"}, ["R"]),
        ({"alliance_threshold": "7/5"}, ["alliance_threshold"]),
        ({"alliance_threshold": "much"}, ["alliance_threshold"]),
        ({"max_alliance": "5"}, ["max_alliance"]),
        ({"players": "4"}, ["players"]),
    ],
)
def test_what_no_match_can_open_from_is_said(given: dict[str, str], words: list[str]) -> None:
    faults = GAME.faults(Setup(options(**given), {}, 2))
    assert len(faults) == 1, faults
    assert all(word in faults[0] for word in words)


def test_a_position_gives_the_board_its_size() -> None:
    table = Table(2, position="B.W./....")
    assert table.board == ["B.W.", "...."]
    assert GAME.view(table.state, None).diagram is not None
    assert Table(2, position=".").board == ["."]


def test_hands_are_prisoners_held() -> None:
    assert Table(4, hands="1:5W5R 3:3B1W").prisoners == {
        "black": {"white": 5, "red": 5},
        "red": {"black": 3, "white": 1},
    }


@pytest.mark.parametrize("seats", [1, 9])
def test_a_match_has_two_to_eight_seats(seats: int) -> None:
    assert GAME.faults(Setup(options(), {}, seats))


def test_the_number_of_players_may_be_an_option() -> None:
    assert GAME.seats(options())[0] == 3
    assert GAME.seats(options(players="5")) == (5,)
