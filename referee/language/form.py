"""A mail beside what its seat may answer: what of it stands in the game's notation, and which parts may be said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Any, Final

from rapidfuzz.distance import OSA

from referee.core import seam
from referee.core.answers import PARTS, Body, Part, Party, Reading
from referee.core.orders.keyed import TALK, keyed
from referee.core.seam import Standing
from referee.core.value import Complaint, Demand, Line, demands
from referee.language.sentences import words_of
from referee.language.words import denies_all, in_our_keys

_LEAST_KEY: Final = 3
_MOST_CALLS: Final = 40  # of `possible`, of each answer, for one mail

Meaning = tuple[Demand, Reading[Any]]


@dataclass
class FilledForm:
    """The lines of a mail as answers of its seat, whatever else they say."""

    standing: Standing
    seat: int
    kind: str
    body: Body
    party: Party
    calls: int = 0
    parts: dict[tuple[tuple[str, ...], ...], list[tuple[Demand, Part]]] = field(default_factory=dict)

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        ours = ((line, self._in_our_keys(line.text)) for line in self.body.lines)
        return tuple(line if text == line.text else Line(line.number, text) for line, text in ours)

    def _in_our_keys(self, text: str) -> str:
        """A line with our key; a slip of one behind which people talk is that one."""
        text = in_our_keys(self.standing.game.slug, text)
        key, value = keyed(text)
        slip = "" if value is None or self.known(key) else self.slip_of(key)
        return f"{slip.capitalize()}: {value}" if slip in TALK else text

    @cached_property
    def written(self) -> Meaning:
        demand, reading = self.read(Body(self.lines, self.body.hints))
        return demand, as_written(reading, {line.number: line for line in self.body.lines})

    @cached_property
    def faulty(self) -> frozenset[int]:
        return faulty_in(self.written[1])

    @cached_property
    def firm(self) -> tuple[Line, ...]:
        """The lines that order something in the notation."""
        numbers = {line.number for line in self.written[1].orders} - self.faulty - self.blank
        return tuple(line for line in self.lines if line.number in numbers)

    @cached_property
    def canonical(self) -> tuple[str, ...]:
        """What stands in the notation, as its game would write it; as it is written where anything is wrong with it."""
        demand, reading = self.written
        if not self.firm or not stands(reading):
            return tuple(line.text.strip() for line in self.firm)
        return tuple(seam.write(self.standing.game, self.standing.state, demand, reading.action).splitlines())

    @property
    def whole(self) -> str:
        return "\n".join(line.text for line in self.firm)

    @property
    def sound(self) -> bool:
        """Whether the notation says an answer with which nothing is wrong."""
        return bool(self.firm) and self.holds(*self.written)

    @cached_property
    def blank(self) -> frozenset[int]:
        """The lines of a key with nothing behind it."""
        said = {number: value for number, (key, value) in self.keyed.items() if self.known(key)}
        denied = {number for number in self.faulty & said.keys() if denies_all(words_of(said[number]))}
        empty = {number for number, value in said.items() if value == ""}
        return frozenset(empty | (denied if len(denied) < len(said) else set()))  # "Move: (nothing)"

    @cached_property
    def keyed(self) -> Mapping[int, tuple[str, str]]:
        """The lines that begin with a key, and what stands behind it."""
        told = ((line.number, *keyed(line.text)) for line in self.lines)
        return {number: (key, value) for number, key, value in told if value is not None}

    @cached_property
    def kinds(self) -> Mapping[str, str]:
        """The keys of the forms, each with the kind of answer that it heads."""
        return {heading.casefold(): kind for heading, kind in seam.headings(self.standing.game).items()}

    @cached_property
    def behind_keys(self) -> Mapping[int, str]:
        """The lines that such a key begins, and that kind."""
        return {number: self.kinds[key] for number, (key, _) in self.keyed.items() if key in self.kinds}

    def slip_of(self, key: str) -> str:
        """The key of the form from which one is a slip of the fingers away."""
        near = (one for one in (*self.kinds, *TALK) if len(one) > _LEAST_KEY)
        return next((one for one in near if OSA.distance(one, key, score_cutoff=1) <= 1), "")

    def known(self, key: str) -> bool:
        return key in self.kinds or key in TALK

    @cached_property
    def wanted(self) -> tuple[Demand, ...]:
        """What the seat may send; where it owes nothing also what is usual, which it may say too soon."""
        able = self.standing.may_answer(self.seat)
        if self.owed:
            return able
        return (Demand(self.standing.game.answers[0].kind, self.seat), *able)

    @cached_property
    def owed(self) -> tuple[Demand, ...]:
        return demands(self.standing.due, self.seat)

    def fits(self, demand: Demand) -> bool:
        """Whether the mail's heading says nothing else: it is that of the value, of what is owed, or the usual one."""
        owed = {each.kind for each in demands(self.standing.due, self.seat)}
        return self.kind in {demand.kind, self.standing.game.answers[0].kind, *owed}

    def possible(
        self, said: tuple[str, ...], named: tuple[str, ...], kinds: tuple[str, ...]
    ) -> Sequence[tuple[Demand, Part]]:
        """The parts of every answer, or of some kinds; each looked for once."""
        key = (said, named, kinds)
        if key not in self.parts:
            self.calls += 1
            wanted = self.wanted if self.calls <= _MOST_CALLS else ()
            found: list[tuple[Demand, Part]] = []
            for demand in (one for one in wanted if not kinds or one.kind in kinds):
                answer = seam.answer_of(self.standing.game, demand.kind)
                parts = answer.possible(self.standing.state, demand, said, named)
                found += [(demand, part) for part in islice(parts, PARTS)]
            self.parts[key] = found
        return self.parts[key]

    def read(self, body: Body) -> Meaning:
        demand = self.standing.aimed(self.seat, self.kind, body)
        return demand, seam.read(self.standing.game, self.standing.state, demand, body, self.party)

    def holds(self, demand: Demand, reading: Reading[Any]) -> bool:
        """Whether it is an answer that the rules allow."""
        return stands(reading) and not self.standing.faults(demand, reading)

    def says(self, text: str) -> bool:
        """Whether signs say something in the game's notation ("d^R")."""
        _, reading = self.read(Body.of(text))
        return stands(reading) and bool(reading.orders)


def stands(reading: Reading[Any]) -> bool:
    return reading.action is not None and not reading.complaints


def as_written(reading: Reading[Any], written: Mapping[int, Line]) -> Reading[Any]:
    """The reading with the lines as their sender wrote them."""

    def lines(told: Iterable[Line]) -> tuple[Line, ...]:
        return tuple(dict.fromkeys(written[line.number] for line in told))

    def complaint(told: Complaint) -> Complaint:
        line = written[told.line.number] if told.line else None
        return replace(told, line=line, also=tuple(map(complaint, told.also)))

    return replace(
        reading,
        complaints=tuple(map(complaint, reading.complaints)),
        courtesy=lines(reading.courtesy),
        orders=lines(reading.orders),
        lines={part: written[line.number] for part, line in reading.lines.items()},
    )


def faulty_in(reading: Reading[Any]) -> frozenset[int]:
    return frozenset(one.line.number for c in reading.complaints for one in c.each if one.line)
