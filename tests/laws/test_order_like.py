"""Contract, 'Mail in': a line that looks like an order is a complaint wherever it stands; courtesy stays courtesy.

What looks like an order in a game stands in `tests/games/SLUG/order_like.txt`, one line each; what looks like none in
any game in `courteous.txt` here. Both are put above and below an answer that counts, for every kind of demand that a
walk meets, and variations of real orders beside them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from referee.core import seam
from referee.core.answers import Body, Party, Reading
from referee.core.chance import Chance
from referee.core.complaint import Line
from referee.core.game import AnyGame
from referee.core.owing import Demand
from referee.match.chain.sealing import given_seed
from tests.laws.walks import KINDS, folder_of, steps
from tests.sampling import one_in

_HERE = Path(__file__).parent
COURTEOUS = (_HERE / "courteous.txt").read_text(encoding="utf-8").splitlines()
_TEXT_KEYS = ("comment", "office", "reason", "name", "email", "colours", "trim")  # any words may follow these
_HEADER = ("player", "round", "cycle")  # say nothing in the middle of a sentence


@dataclass(frozen=True)
class Asked:
    """A demand as it stood when it was met, and its form with an answer that counts."""

    game: AnyGame
    state: object
    demand: Demand
    party: Party
    form: str

    def read(self, text: str) -> Reading[object]:
        return seam.read(self.game, self.state, self.demand, Body.of(text), self.party)


@cache
def met(kind: str) -> tuple[Asked, ...]:
    """The first answer of each kind of demand that a walk meets."""
    found: dict[str, Asked] = {}
    for step in steps(kind, 2):
        game, state, party = step.walk.game, step.walk.match.inner, step.walk.match.party(step.demand.seat)
        if step.demand.kind not in found:
            form = seam.filled_in(game, state, step.demand, party, step.action)
            found[step.demand.kind] = Asked(game, state, step.demand, party, form)
    return tuple(found.values())


def order_like(kind: str) -> list[str]:
    slug = KINDS[kind][0]
    path = folder_of(slug) / "order_like.txt"
    return path.read_text(encoding="utf-8").splitlines()


def told(reading: Reading[object], text: str) -> bool:
    return any(c.line is not None and c.line.text.strip() == text.strip() for c in reading.complaints)


@pytest.mark.parametrize("kind", one_in(2, KINDS))
def test_a_line_that_looks_like_an_order_is_a_complaint_above_and_below_a_valid_answer(kind: str) -> None:
    passed_over = [
        (asked.demand.kind, place, line)
        for asked in met(kind)
        for line in order_like(kind)
        for place, text in (
            ("above", f"{line}\n\nHello all,\n\n{asked.form}"),
            ("below", f"{asked.form}\n\nBest wishes\n\n{line}"),
        )
        if _as_courtesy(asked.read(text), line)
    ]
    assert not passed_over


@pytest.mark.parametrize("kind", one_in(2, KINDS))
def test_courtesy_is_none(kind: str) -> None:
    false_alarms = [
        (asked.demand.kind, line, reading.complaints)
        for asked in met(kind)
        for line in COURTEOUS
        for text in (f"{line}\n\n{asked.form}", f"{asked.form}\n\n{line}")
        if (reading := asked.read(text)).complaints
    ]
    assert not false_alarms


@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_orders_misspelt_reworded_or_without_their_colon_are_never_passed_over(kind: str, seed: int) -> None:
    chance = Chance(given_seed(seed))
    passed_over = []
    for asked in met(kind):
        for order in asked.form.splitlines():
            for line in _variations(order, chance):
                if _as_courtesy(asked.read(f"{asked.form}\n\nThanks!\n\n{line}"), line):
                    passed_over.append((asked.demand.kind, line))
    assert not passed_over


def test_the_work_is_linear_in_the_length_of_a_line_and_in_their_count() -> None:
    asked = met("fourplay in play")[0]
    for hostile in (
        "if then " * 9000,
        "a-" * 30000,
        "1 " * 30000,
        "take a " * 9000,
        "(" * 60000,
        "\x1e@" * 30000,
    ):
        assert asked.read(f"{asked.form}\n\n{hostile}") is not None
    many = "\n".join(["Good luck, Player 3, and see you on 3 May"] * 2000)
    assert asked.read(f"{asked.form}\n{many}").complaints is not None


def _as_courtesy(reading: Reading[object], line: str) -> bool:
    """Whether the line was taken as words to a person."""
    return any(courteous.text.strip() == line.strip() for courteous in reading.courtesy)


def _variations(order: str, chance: Chance) -> Iterator[str]:
    """The order as people write it in haste: a letter lost or twice, two exchanged; no colon; as a sentence."""
    key, colon, value = order.partition(":")
    if not colon or len(key) < 4 or not any(map(str.isalnum, value)) or key.casefold() in _TEXT_KEYS:
        return
    place = 1 + chance.below(len(key) - 2, "letter")
    yield f"{key[:place]}{key[place + 1 :]}:{value}"
    yield f"{key[:place]}{key[place]}{key[place:]}:{value}"
    yield f"{key[: place - 1]}{key[place]}{key[place - 1]}{key[place + 1 :]}:{value}"
    yield f"{key}{value}"
    if key.casefold() not in _HEADER:
        yield f"I {key.lower()}{value}"
        yield f"and {key.lower()} is{value}"


def test_a_complaint_names_the_line() -> None:
    asked = met("fourplay in play")[0]
    line = "Cannon j12 moves to j13"
    reading = asked.read(f"{asked.form}\n\nBest wishes\n{line}")
    assert told(reading, line)
    assert isinstance(reading.complaints[0].line, Line)
