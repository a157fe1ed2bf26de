"""Contract, 'Mail in': a line that looks like an order is counted, asked about, a complaint, or told as left out,
wherever it stands; courtesy is never any fault, and changes nothing of the answer.

What looks like an order in a game stands in `tests/games/SLUG/order_like.txt`, one line each; what looks like none in
any game in `courteous.txt` here. Both are put above and below an answer that counts, for every kind of demand that a
walk meets, and variations of real orders beside them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from referee.core import seam
from referee.core.answers import Body, Hints, Party
from referee.core.chance import Chance, given_seed
from referee.core.seam import Standing
from referee.core.value import Demand
from referee.language.interpret import beyond_courtesy, interpret
from tests.laws.walks import KINDS, folder_of, steps
from tests.sampling import one_in

_HERE = Path(__file__).parent
COURTEOUS = (_HERE / "courteous.txt").read_text(encoding="utf-8").splitlines()
PARTS = 24
_TEXT_KEYS = ("comment", "office", "reason", "name", "email", "colours", "trim")  # any words may follow these
_HEADER = ("player", "round", "cycle")  # say nothing in the middle of a sentence


@dataclass(frozen=True)
class Owed:
    """A demand as it stood when it was met, and its form with an answer that counts."""

    standing: Standing
    demand: Demand
    party: Party
    form: str
    action: object

    def becomes(self, line: str, above: bool) -> str:
        """What becomes of the line above or below the answer: "asked", "refused", "counted", "told", or "" where
        nobody hears of it."""
        text = f"{line}\n\nHello all,\n\n{self.form}" if above else f"{self.form}\n\nThanks, Ann!\n\n{line}"
        number = 1 if above else len(text.splitlines())
        hints = Hints(frozenset(("ann", "archer")))
        body = Body(Body.of(text).lines, hints)
        demand, reading = interpret(self.standing, self.demand.seat, self.demand.kind, body, self.party)
        if reading.choices:
            return "asked"
        if reading.complaints or reading.action is None or self.standing.faults(demand, reading):
            return "refused"
        if any(order.number == number for order in reading.orders):
            return "counted"
        told = beyond_courtesy(reading.courtesy, hints.own, self.standing.game.slug)
        assert reading.action == self.action, (text, reading.action)
        return "told" if any(one.number == number for one in told) else ""


@cache
def met(kind: str) -> tuple[Owed, ...]:
    """The first answer of each kind of demand that a walk meets."""
    found: dict[str, Owed] = {}
    for step in steps(kind, 2):
        game, state, party = step.walk.game, step.walk.match.inner, step.walk.match.party(step.demand.seat)
        if step.demand.kind not in found:
            form = seam.filled_in(game, state, step.demand, party, step.action)
            standing = step.walk.match.standing
            assert standing is not None
            action = seam.read(game, state, step.demand, Body.of(form), party).action
            found[step.demand.kind] = Owed(standing, step.demand, party, form, action)
    return tuple(found.values())


def order_like(kind: str) -> list[str]:
    slug = KINDS[kind][0]
    path = folder_of(slug) / "order_like.txt"
    return path.read_text(encoding="utf-8").splitlines()


@pytest.mark.one_in(2 * PARTS + 1)
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("kind", KINDS)
def test_a_line_that_looks_like_an_order_is_never_passed_over_in_silence(kind: str, part: int) -> None:
    passed_over = [
        (owed.demand.kind, "above" if above else "below", line)
        for owed in met(kind)
        for line in order_like(kind)[part::PARTS]
        for above in (True, False)
        if not owed.becomes(line, above)
    ]
    assert not passed_over


@pytest.mark.parametrize("kind", one_in(6, KINDS))
def test_courtesy_is_no_fault_and_seldom_asked_about(kind: str) -> None:
    found = [
        (owed.demand.kind, line, owed.becomes(line, above=True)) for owed in met(kind) for line in COURTEOUS
    ]
    assert not [one for one in found if one[2] in ("refused", "counted")]
    asked = [one for one in found if one[2] == "asked"]
    print(f"{kind}: {len(asked)} of {len(found)} asked about")
    assert len(asked) <= len(found) // 10, asked


@pytest.mark.one_in(6)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_orders_misspelt_reworded_or_without_their_colon_are_never_passed_over(kind: str, seed: int) -> None:
    chance = Chance(given_seed(seed))
    passed_over = []
    for owed in met(kind):
        for order in owed.form.splitlines():
            for line in _variations(order, chance):
                if not owed.becomes(line, above=False):
                    passed_over.append((owed.demand.kind, line))
    assert not passed_over


def test_the_work_is_linear_in_the_length_of_a_line_and_in_their_count() -> None:
    owed = met("fourplay in play")[0]
    for hostile in (
        "if then " * 9000,
        "a-" * 30000,
        "1 " * 30000,
        "take a " * 9000,
        "(" * 60000,
        "\x1e@" * 30000,
    ):
        assert owed.becomes(hostile, above=False)
    many = "\n".join(["Good luck, Player 3, and see you on 3 May"] * 2000)
    assert owed.becomes(many, above=False)


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
