"""What may be said, part by part (`Answer.possible`), for every game: whatever a seeded player says is among it, the
game's own notation reads every part, and nothing of it tells what another has sealed.

The values that a mail names are taken from its lines as a reader of words has them: points, numbers, words. Whatever
an answer says beyond its parts (words to the others, who its sender is) is not looked at."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import chain, count, islice

import pytest

from referee.core import seam
from referee.core.answers import PARTS, Body, Part
from referee.core.value import Demand
from referee.match.match import outstanding
from referee.rehearsal.players import seeded
from tests.laws.walks import KINDS, Walk, give, steps

_VALUES = tuple(map(re.compile, (r"[^\W\d_]+", r"\d+", r"[^\W\d_]\d+", r"[^\W\d_]+\d+")))
_TALK = re.compile(r"(?:comment|press|office|colours|trim|reason):|[^:]+:$|$", re.IGNORECASE)
FLOOD = frozenset(
    (
        *(f"{column}{row}" for column in "abcdefghijklmnopqrstuvwxyz" for row in range(1, 26)),
        *map(str, range(100)),
        *(f"player {seat}" for seat in range(1, 9)),
        *("black", "white", "red", "blue", "green", "yellow", "purple", "orange"),
        *("north", "east", "south", "west", "draw", "none", "pass"),
    )
)


@dataclass(frozen=True)
class Asked:
    """A demand that may be answered, a legal answer line by line, and what may be said beside so many of its lines."""

    walk: Walk
    demand: Demand
    lines: tuple[str, ...]

    def parts(self, said: int, named: Collection[str]) -> tuple[Part, ...]:
        standing = self.walk.match.standing
        answer = seam.answer_of(standing.game, self.demand.kind)
        return tuple(answer.possible(standing.state, self.demand, self.lines[:said], named))

    def complaints(self, said: int, line: str) -> list[str]:
        """The codes of what is wrong with the form of a line below so many of the lines."""
        standing, party = self.walk.match.standing, self.walk.match.party(self.demand.seat)
        body = Body.of("\n".join((*self.lines[:said], line)))
        reading = seam.read(standing.game, standing.state, self.demand, body, party)
        return [complaint.code for complaint in reading.complaints if complaint.line is not None]


def named_in(line: str) -> frozenset[str]:
    return frozenset(value for pattern in _VALUES for value in pattern.findall(line.lower()))


def asked(kind: str, seed: int, most: int = 60) -> Iterator[Asked]:
    """Of a walk, or of several where one is short, what is owed and what is open beside it; those of which any part may
    be said."""
    walks = (steps(kind, seed + 10_000 * walk, most) for walk in count())
    for number, step in enumerate(islice(chain.from_iterable(walks), most)):
        game, state, seat = step.walk.game, step.walk.match.inner, step.demand.seat
        for demand in dict.fromkeys((step.demand, *step.walk.match.standing.may_answer(seat))):
            action = step.action
            if demand != step.demand:
                action = seam.suggest(game, state, demand, seeded("possible", kind, seed, number))
            text = seam.write(game, state, demand, action)
            one = Asked(step.walk, demand, tuple(x for x in text.splitlines() if not _TALK.match(x)))
            if any(one.parts(0, named) for named in ((), named_in(text))):
                yield one


@pytest.mark.one_in(8)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(1, 3))
def test_every_line_of_a_legal_answer_may_be_said_below_those_before_it(kind: str, seed: int) -> None:
    """Whether a mail names all that its line holds, or no more than the part's own values."""
    looked_at = 0
    for one in asked(kind, seed):
        for said, line in enumerate(one.lines):
            parts = one.parts(said, named_in(line))
            assert line in [part.line for part in parts], (one.demand, one.lines, said)
            for part in parts:
                if part.line == line:
                    assert part in one.parts(said, {value for _, value in part.slots}), part
            looked_at += 1
    print(f"{kind}: {looked_at} lines")


@pytest.mark.one_in(9)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3, 5))
def test_the_notation_reads_every_part(kind: str, seed: int) -> None:
    """Whatever is then wrong with the whole."""
    looked_at = 0
    for one in asked(kind, seed):
        for said in range(len(one.lines)):
            for part in {*one.parts(said, ()), *one.parts(said, named_in("\n".join(one.lines)))}:
                assert one.complaints(said, part.line) == [], (part, one.lines[:said])
                assert all(value == value.lower() != "" for _, value in part.slots), part
                looked_at += 1
    print(f"{kind}: {looked_at} parts")


@pytest.mark.one_in(4)
@pytest.mark.parametrize("kind", KINDS)
def test_whatever_a_mail_names_parts_are_few_and_always_in_one_order(kind: str) -> None:
    for one in asked(kind, 5, 20):
        words = FLOOD | named_in("\n".join(one.lines))
        for named in (frozenset[str](), named_in("\n".join(one.lines)), words):
            parts = one.parts(0, sorted(named))
            assert len(parts) <= PARTS
            assert len(set(parts)) == len(parts)
            assert parts == one.parts(0, sorted(named, reverse=True)) == one.parts(0, named)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_said_too_soon_is_read_part_by_part_as_well(kind: str) -> None:
    """Where it can be foreseen what a seat is asked for next."""
    looked_at = 0
    for number, step in enumerate(steps(kind, 7, 30)):
        game, seats = step.walk.game, range(1, step.walk.match.seats + 1)
        for seat in seats:
            if (ahead := step.walk.match.standing.expected(seat)) is None:
                continue
            for demand in ahead.demands:
                state, answer = ahead.standing.state, seam.answer_of(game, demand.kind)
                action = seam.suggest(game, state, demand, seeded("too soon", kind, number))
                named = named_in(seam.write(game, state, demand, action))
                for part in answer.possible(state, demand, (), named):
                    reading = seam.read(game, state, demand, Body.of(part.line), step.walk.match.party(seat))
                    assert not any(complaint.line for complaint in reading.complaints), part
                    looked_at += 1
    print(f"{kind}: {looked_at} parts")


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", KINDS)
def test_what_others_have_sealed_changes_nothing_of_it(kind: str) -> None:
    """It is held beside the game's state: with one answer of another's or with a different one the game stands alike,
    and as it stood before."""
    compared = 0
    for number, step in enumerate(steps(kind, 6, 30)):
        match, seat = step.walk.match, step.demand.seat
        sealed = [demand for round_ in match.rounds if round_.sealed for demand in outstanding(match, round_)]
        others = [demand for demand in sealed if 0 != demand.seat != seat]
        if step.demand not in sealed or not others:
            continue
        told = []
        for draw in range(2):
            walk = replace(step.walk, entries=list(step.walk.entries))
            chance = seeded("sealed", kind, number, draw)
            action = seam.suggest(walk.game, walk.match.inner, others[0], chance)
            give(walk, others[0], action)
            if walk.match.inner != match.inner:  # it was the last one: the round has closed
                break
            one = Asked(walk, step.demand, tuple(step.text.splitlines()))
            told.append((one.parts(0, ()), one.parts(0, named_in(step.text))))
        compared += len(told)
        assert told == told[:1] * len(told)
    print(f"{kind}: {compared} compared")
