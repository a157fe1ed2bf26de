"""Whatever an answer is made of, each game reads, judges and mends it in time that grows with its length alone.

The shapes are made of each game's own form: its keys and values repeated, on one line and on many, with every sign
between them, behind a legal answer and alone."""

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from referee.core import seam
from referee.core.answers import Body
from tests.computing import is_at_most
from tests.laws.walks import KINDS, Step, heading_kind, lines_of, steps

_JOINTS = (" ", ", ", "; ", ",", " and ", "-", " - ", " to ", " x ", "\n")
_RUNS = (
    *"()[]{}\"',;:.-=_*/\\|<>+#$&%@!?~^`‹…–×",
    "\t", "\u00a0", "\u0301", "\ufdfa", "ﬁ", "1", "x", "a1", "1 ", "a ", "and ", "->", "=>", "x a1", "F$ ", "1 x and ",
    "a-", "(a", "1,", "Player 1 ", "if ", "then ",
)  # fmt: skip
_WORDS = (
    "zqxvkw", "Pass", "Resign", "Withdraw", "Undo", "Pawn", "Panw", "King e1", "black", "Mascot", "10 Pawn, 8 F$ each",
    "Neutron", "a1", "c3-d4", "if White D4 then E4", "3W", "Move: a1", "capture", "not",
)  # fmt: skip
_ENDS = ("", "x", "!", " a1", ".")
_SMALL, _LARGE = 500, 4000  # words; the larger is near what a mail may hold


@cache
def demands(kind: str) -> tuple[Step, ...]:
    """One demand of each kind that a walk comes by."""
    found: dict[str, Step] = {}
    for step in steps(kind, 1, 40):
        found.setdefault(step.demand.kind, step)
    return tuple(found.values())


def shapes(form: str) -> Iterator[tuple[str, str, str]]:
    """How a heavy answer begins, what is repeated in it, and how it ends."""
    lines = [line for line in form.splitlines() if line.strip()]
    for line in lines:
        key, colon, value = line.partition(":")
        yield "", f"{line}\n", ""
        yield f"{form}\n", f"{line}\n", ""
        if colon:
            for joint in _JOINTS:
                yield f"{key}: ", f"{value.strip() or 'a1'}{joint}", ""
            yield "", f"{key}:\n", ""
            yield "", f"{key}: ", ""
            for run in _RUNS:
                for end in _ENDS:
                    yield f"{key}: a1", run, end
    for run in _RUNS:
        for end in _ENDS:
            yield "a1", run, end
            yield f"{form}\n", run, f"{end}\n"
    for word in _WORDS:
        for joint in (" ", "\n", ": ", ", "):
            yield "", f"{word}{joint}", ""
            yield f"{form}\n", f"{word}{joint}", ""
    yield "", f"{form}\n", ""


def judge(step: Step, body: str) -> None:
    """From the lines to the complaints and the mended form."""
    walk = step.walk
    game, match, lines = walk.game, walk.match, lines_of(body)
    said = Body(lines)
    demand = match.standing.aimed(step.demand.seat, heading_kind(game, step.demand), said)
    reading = seam.read(game, match.inner, demand, said, match.party(demand.seat))
    match.standing.faults(demand, reading)
    seam.form(game, match.inner, demand, match.party(demand.seat), reading)


def assert_linear(step: Step, start: str, piece: str, end: str) -> None:
    """Eight times the size takes some eight times as long; what grows with the square takes sixty-four."""
    small, large = (start + piece * max(1, size * 5 // (len(piece) + 1)) + end for size in (_SMALL, _LARGE))
    grows_so = is_at_most(30, lambda: judge(step, small), lambda: judge(step, large))
    assert grows_so, (step.demand.kind, start[-40:], piece, end)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("count", [8, pytest.param(200, marks=pytest.mark.soak)])
@pytest.mark.parametrize("kind", KINDS)
def test_a_heavy_answer_takes_no_more_than_its_length(kind: str, count: int) -> None:
    for step in demands(kind):
        match = step.walk.match
        form = seam.filled_in(
            step.walk.game, match.inner, step.demand, match.party(step.demand.seat), step.action
        )
        chance = Random(f"{kind} {step.demand.kind} {count}")
        for start, piece, end in chance.sample(sorted(set(shapes(form))), count):
            assert_linear(step, start, piece, end)
