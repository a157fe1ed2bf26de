"""A puzzle for many: private until its one deadline, then revealed; the table from the outcomes."""

from fractions import Fraction
from typing import Any

from referee.core import seam
from referee.core.game import Outcome
from referee.core.value import LAPSED, Demand
from referee.games.buttons.game import GAME
from tests.games.buttons.sitting import Sitting

NEARLY = "B2 B1 B3 B4/W1 W2 W3 W4/B4 B2 B3 B1/W4 W3 W2 W1"


def entrant(**options: str) -> Sitting:
    return Sitting(mode="solo", goal="two", table="week 12", position=NEARLY, **options)


def public(sitting: Sitting) -> Any:
    """What anyone who reads the public record alone would see."""
    state = GAME.initial()
    for event in sitting.events:
        if GAME.secret_to(event) is None:
            state = GAME.evolve(state, event)
    return GAME.view(state, None)


def close(sitting: Sitting) -> None:
    sitting.lapse("Round 1 / Player 1")
    if sitting.owed:
        sitting.compute()


def test_until_the_deadline_the_public_sees_the_start_only() -> None:
    sitting = entrant()
    start = GAME.view(sitting.state, None)
    for text in ("Move: a4-c4\nComment: hm", "Undo", "Move: a4-c4, c4-a4", "Undo\nUndo\nMove: b4-a4"):
        sitting.played((1, text))
        assert GAME.view(sitting.state, None) == GAME.view(sitting.state, 2) == start == public(sitting)
    assert GAME.view(sitting.state, 1).position["moves"] == 1
    assert GAME.view(sitting.state, 1).position["board"] != start.position["board"]


def test_every_event_of_a_private_puzzle_is_its_players_alone() -> None:
    sitting = entrant()
    opening = len(sitting.events)
    sitting.played((1, "Move: a4-c4\nComment: hm"), (1, "Undo"), (1, "Move: b4-a4"))
    assert {GAME.secret_to(event) for event in sitting.events[opening:]} == {1}


def test_who_has_finished_waits_for_the_deadline_and_the_outcome_with_him() -> None:
    sitting = entrant().played((1, "Move: b4-a4"))
    sitting.compute()
    assert sitting.owed == [("Round 1 / Player 1", "Close", 0)]
    assert GAME.outcome(sitting.state) is None
    assert sitting.codes(1, "Move: a1-b1") == ["puzzle_done"]
    close(sitting)
    outcome = GAME.outcome(sitting.state)
    assert (outcome.winners, outcome.points) == ((1,), {1: Fraction(1)})


def test_at_the_deadline_everything_is_revealed_to_readers_of_the_record_too() -> None:
    for mails in (
        ["Move: b4-a4"],
        ["Move: a4-c4", "Undo", "Move: a4-c4, c4-a4"],
        ["Move: a4-c4\nGive up"],
        [],
    ):
        sitting = entrant()
        for text in mails:
            sitting.played((1, text))
        close(sitting)
        assert GAME.due(sitting.state) == ()
        assert public(sitting) == GAME.view(sitting.state, None) == GAME.view(sitting.state, 1)
        assert sitting.last("TrailRevealed").moves == sitting.state.moves


def test_the_deadline_of_all_moves_is_one_round_from_first_to_last() -> None:
    sitting = entrant(par="off")
    (first,) = GAME.due(sitting.state)
    assert first.demands == (Demand("Move", 1), Demand("Close", 0))
    sitting.played((1, "Move: a4-c4"))
    assert GAME.due(sitting.state) == (first,)


def test_a_player_with_more_time_is_not_cut_short_by_the_table() -> None:
    """The moderator extended the one seat: the table's clock runs out first, the player's later."""
    sitting = entrant(par="off")
    sitting.happen(seam.resolve(GAME, sitting.state, {Demand("Close", 0): LAPSED}))
    assert sitting.owed == [("Round 1 / Player 1", "Move", 1)]
    sitting.played((1, "Move: b4-a4"))
    assert GAME.outcome(sitting.state) is not None


def test_private_alone_reveals_at_the_players_own_end() -> None:
    sitting = Sitting(mode="solo", goal="two", private="on", par="off", position=NEARLY)
    sitting.played((1, "Move: a4-c4"))
    assert public(sitting).position["moves"] is None
    sitting.played((1, "Undo\nMove: b4-a4"))
    assert public(sitting) == GAME.view(sitting.state, None)
    assert public(sitting).position["moves"] == 1


def test_what_is_recorded_of_a_private_answer_is_secret_with_its_events() -> None:
    par = GAME.compute(entrant().state, Demand("Par", 0), 1000)
    assert seam.public(GAME, Demand("Par", 0), par) is None


# --- the table -------------------------------------------------------------------------------------------------


HEAD = ("Match", "Rank", "Moves", "Result")


def solved(moves: int) -> Outcome:
    return Outcome((1,), {1: Fraction(moves)}, f"Solved in {moves} moves.")


def test_the_table_ranks_by_moves_and_equals_share_a_rank() -> None:
    outcomes = {
        "d": Outcome((), {1: Fraction(2)}, "Given up."),
        "c": solved(5),
        "b": solved(3),
        "e": Outcome((), {1: Fraction(9)}, "Not solved in time."),
        "a": solved(3),
        "f": solved(6),
    }
    assert GAME.table(outcomes) == (
        HEAD,
        ("a", "1", "3", "solved"),
        ("b", "1", "3", "solved"),
        ("c", "3", "5", "solved"),
        ("f", "4", "6", "solved"),
        ("d", "-", "2", "given up"),
        ("e", "-", "9", "not solved in time"),
    )


def test_there_is_no_table_before_the_last_match_has_ended() -> None:
    assert GAME.table({"a": solved(3), "b": None}) == ()


def test_the_table_of_real_matches() -> None:
    quick = entrant(par="off").played((1, "Move: b4-a4"))
    slow = entrant(par="off").played((1, "Move: a4-c4, c4-a4"))
    outcomes = {}
    for name, sitting in (("quick", quick), ("slow", slow)):
        assert GAME.table({name: GAME.outcome(sitting.state)}) == ()
        close(sitting)
        outcomes[name] = GAME.outcome(sitting.state)
    rows = ("quick", "1", "1", "solved"), ("slow", "-", "2", "not solved in time")
    assert GAME.table(outcomes) == (HEAD, *rows)
