"""A record whose chain was made again after a change still tells on itself: every answer in it is judged once more."""

from collections.abc import Callable
from typing import Any

import pytest

from referee.core.game import Game
from referee.match.record.public import lines_of, public_record
from referee.match.record.verifying import verified
from tests.laws.walks import KINDS, Walk, begin, steps
from tests.match.forging import as_read, rechained

Lines = list[dict[str, Any]]
OPEN_BOOKS = [kind for kind in KINDS if type(begin(kind).game).secret_to is Game.secret_to]


def walked(kind: str) -> Walk:
    walk = begin(kind)
    for step in steps(kind, most=30):
        walk = step.walk
    return walk


def forged(walk: Walk, change: Callable[[Lines], None]) -> dict[str, Any]:
    """The walk's record with a change in it, positions and chain made to fit again."""
    lines: Lines = lines_of(as_read(public_record(walk.game, walk.entries)))
    change(lines)
    return {**as_read(rechained(lines)), "title": walk.game.title}


def last(lines: Lines, kind: str) -> int:
    return max(i for i, line in enumerate(lines) if line["is"] == kind)


def _sealed(kind: str) -> bool:
    """Whether the turns of a match are sealed, so that no answer stands by itself in its record."""
    return any(r.sealed for r in begin(kind).match.rounds)


def nothing(lines: Lines) -> None:
    """The forger's work without a forgery."""


def the_last_answer_twice(lines: Lines) -> None:
    answer = last(lines, "Answered")
    lines.append({**lines[answer], "at": lines[-1]["at"]})


def a_consequence_left_out(lines: Lines) -> None:
    answer = last(lines, "Answered")
    del lines[next(i for i in range(answer, len(lines)) if lines[i]["is"] == "Happened")]


def an_early_end(lines: Lines) -> None:
    end = {
        "is": "MatchEnded",
        "winners": [1],
        "points": {},
        "reason": "Player 1 says so.",
        "at": lines[-1]["at"],
    }
    lines.append(end)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", KINDS)
def test_what_nobody_changed_verifies(kind: str) -> None:
    walk = walked(kind)
    assert verified(forged(walk, nothing), walk.game) == ()


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", KINDS)
def test_an_end_that_the_rules_do_not_give_is_told(kind: str) -> None:
    walk = walked(kind)
    if walk.match.status != "ended":
        assert any("goes on" in fault for fault in verified(forged(walk, an_early_end), walk.game))
        return

    def others_win(lines: Lines) -> None:
        lines[last(lines, "MatchEnded")]["winners"] = [9]

    assert any("winners" in fault for fault in verified(forged(walk, others_win), walk.game))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", [kind for kind in KINDS if "solo" not in kind and not _sealed(kind)])
def test_an_answer_that_the_rules_refuse_is_told(kind: str) -> None:
    walk = walked(kind)
    faults = verified(forged(walk, the_last_answer_twice), walk.game)
    words = ("the rules refuse", "does not follow", "no answer is taken", "takes no such answer")
    assert any(said in fault for fault in faults for said in words), faults


@pytest.mark.parametrize("kind", OPEN_BOOKS)
def test_a_consequence_left_out_is_told(kind: str) -> None:
    walk = walked(kind)
    assert any("does not follow" in f for f in verified(forged(walk, a_consequence_left_out), walk.game))
