"""Contract, 'Mail in': where one demand takes one value, the bare value answers it; whatever is said of a value besides
is no order. The sentences stand in `bare_for.txt` and `bare_against.txt`, `|` for the end of a line; `{v}` is an answer
that counts, of every kind of demand that one value answers, of every game; `{w}` another one. In
`bare_asked.txt` a value stands in words that nobody knows: it is asked about, whatever it is."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from referee.core import seam
from referee.core.answers import Body, Hints, Party, Reading
from referee.core.orders.keyed import keyed
from referee.core.seam import Standing
from referee.core.value import Demand, Line
from referee.language.interpret import interpret
from tests.laws.walks import KINDS, steps
from tests.sampling import one_in

PEOPLE = {1: "Ben Baker", 2: "Ben Baker"}
_HERE = Path(__file__).parent
FOR = (_HERE / "bare_for.txt").read_text(encoding="utf-8").splitlines()
AGAINST = (_HERE / "bare_against.txt").read_text(encoding="utf-8").splitlines()
ASKED = (_HERE / "bare_asked.txt").read_text(encoding="utf-8").splitlines()
ANSWERED = {  # by a value alone, of what the walks meet
    "buttons": {"Move"},
    "morris": {"Move"},
    "multigo": {"Move", "Take", "Dead", "Ally"},
    "onepiece": {"Colours", "Edge", "Move"},
}


@dataclass(frozen=True)
class Owed:
    """A demand as it stood, the value of an answer that counts, and of another one."""

    standing: Standing
    demand: Demand
    party: Party
    value: str
    other: str
    action: object

    def read(self, text: str, heading: str = "") -> tuple[Demand, Reading[object]]:
        lines = tuple(Line(n, words) for n, words in enumerate(text.split("|"), 1))
        body = Body(lines, Hints(frozenset(("ann", "archer"))))
        return interpret(
            self.standing, self.demand.seat, heading or self.demand.kind, body, self.party, PEOPLE
        )

    def counts(self, text: str) -> object:
        """The action that the mail orders; None where it orders nothing."""
        demand, reading = self.read(text)
        faults = self.standing.faults(demand, reading)
        return None if reading.choices or reading.complaints or faults else reading.action


def kind_of(kind: str) -> str:
    return KINDS[kind][0]


@cache
def owed(kind: str) -> tuple[Owed, ...]:
    """Two demands of each kind that a walk meets and that one value answers."""
    found: dict[str, list[Owed]] = {}
    values: dict[str, list[str]] = {}
    for step in steps(kind, 2):
        standing, demand, party = (
            step.walk.match.standing,
            step.demand,
            step.walk.match.party(step.demand.seat),
        )
        value = _value(seam.write(standing.game, standing.state, demand, step.action))
        if (
            demand in standing.may_answer(demand.seat)
            and value
            and demand.kind in ANSWERED.get(kind_of(kind), ())
        ):
            values.setdefault(demand.kind, []).append(value)
            alone = (Owed(standing, demand, party, v, "", None) for v in reversed(values[demand.kind]))
            others = (
                one.value for one in alone if one.value.lower() != value.lower() and one.counts(one.value)
            )
            other = next(others, "")
            found.setdefault(demand.kind, []).append(Owed(standing, demand, party, value, other, step.action))
    return tuple(one for each in found.values() for one in (each[0], each[-1]))


def _value(text: str) -> str:
    """What stands behind the key of an answer of one line."""
    lines = text.splitlines()
    return (keyed(lines[0])[1] or "") if len(lines) == 1 else ""


def _cases(kind: str, sentences: list[str]) -> Iterator[tuple[Owed, str]]:
    for one in owed(kind):
        for sentence in sentences:
            if one.demand.kind == "Ally" and "Ben" in sentence:
                continue  # he is an answer there
            if one.other or "{w}" not in sentence:
                yield one, sentence.format(v=one.value, w=one.other)


GAMES = list(KINDS)


def _is_answered_by_values(kind: str) -> bool:
    """Whether it is known of its game; any other game may do without."""
    return KINDS[kind][0] in ANSWERED


def test_every_game_says_what_a_value_alone_looks_like() -> None:
    met: dict[str, set[str]] = {}
    for kind in GAMES:
        seen = met.setdefault(kind_of(kind), set())
        if not ANSWERED.get(kind_of(kind), set()) <= seen:  # until all of its game have been met
            seen.update(one.demand.kind for one in owed(kind))
    assert {slug: met[slug] & kinds for slug, kinds in ANSWERED.items()} == ANSWERED


@pytest.mark.parametrize("kind", one_in(5, GAMES))
def test_a_bare_value_is_the_answer_with_courtesy_round_it(kind: str) -> None:
    """Or, in every fourth mail at most, what is asked about."""
    missed = []
    made = asked = 0
    for one, text in _cases(kind, FOR):
        made += 1
        if one.counts(text) != one.action:
            _, reading = one.read(text)
            meant = reading.action if len(reading.choices) == 1 else None
            asked += meant == one.action
            if meant != one.action:
                missed.append((one.demand.kind, text, reading.complaints, reading.choices))
    print(f"{kind}: {made} mails, {asked} asked about, {len(missed)} missed")
    assert made or not _is_answered_by_values(kind)
    assert not missed
    assert 4 * asked <= made


@pytest.mark.parametrize("kind", one_in(5, GAMES))
def test_whatever_else_is_said_of_a_value_orders_nothing(kind: str) -> None:
    counted = []
    made = 0
    for one, text in _cases(kind, AGAINST):
        made += 1
        if (action := one.counts(text)) is not None:
            counted.append((one.demand.kind, text, action))
    print(f"{kind}: {made} mails, {len(counted)} counted")
    assert made or not _is_answered_by_values(kind)
    assert not counted


@pytest.mark.parametrize("kind", one_in(5, GAMES))
def test_a_value_in_words_that_nobody_knows_is_asked_about_and_never_bounced(kind: str) -> None:
    """It has a place or a number in it; a word alone may stand in any talk."""
    missed = []
    made = 0
    for one, text in _cases(kind, ASKED):
        if not re.search(r"[a-z]\d", one.value.lower()):
            continue
        made += 1
        _, reading = one.read(text)
        if reading.action != one.action or len(reading.choices) != 1 or one.counts(text) is not None:
            missed.append((one.demand.kind, text, reading.complaints, reading.choices))
    print(f"{kind}: {made} mails, {len(missed)} missed")
    assert not missed


@pytest.mark.parametrize("kind", one_in(5, GAMES))
def test_of_two_values_those_that_the_rules_allow_are_asked_about(kind: str) -> None:
    """A single one of them too: the other was said as well."""
    asked = 0
    for one in owed(kind):
        if not one.other or not re.search(r"[a-z]\d", one.value.lower()):
            continue
        _, reading = one.read(f"{one.value} or {one.other}")
        assert one.counts(f"{one.value} or {one.other}") is None
        answers = [one.counts(choice) for choice in reading.choices]
        assert None not in answers
        assert not answers or one.action in answers
        asked += bool(answers)
    print(f"{kind}: {asked} asked about")
