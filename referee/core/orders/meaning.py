"""What a mail means to its match: one search over its readings. The game says what a value looks like that is said
without a key (`Answer.bare`), the post what is left of a sentence without courtesy (`Gist`); here the two meet.

The ways to read a mail, the nearest to what is written first:

1. as it is written, by the game's notation, where that stands and is more than a line without a key; beside keys of the
   game only behind 2, for there sentences say more of the same (a move, and an offer in words);
2. with every value that its sentences say in the place of the sentence, all of it one answer;
3. with one such value alone, a seat given up before any other;
4. with what is left of its words once those are taken away that nobody knows, as one answer, or one by one.

**The nearest way that leaves one legal answer decides: it counts where its writer surely means it, and is asked about
where anything casts doubt on it** (a question, words round it, another heading, a slip of the fingers). Where each
leaves several, up to three of the nearest are asked about (`Reading.choices`). Where none leaves any, what is wrong
is told: of the one value that is said, else of what is written.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, islice
from operator import itemgetter
from typing import Any, Final

from referee.core import seam
from referee.core.answers import Body, GivesUpSeat, Party, Reading, Saying
from referee.core.complaint import Complaint, Line
from referee.core.orders.block import keyed
from referee.core.orders.keyed import TALK
from referee.core.owing import Demand, demands
from referee.core.replacing import replace
from referee.core.seam import Standing

_MOST_CHOICES: Final = 3  # that are named; a mail with more values is a talk about the game
_MOST_TOGETHER: Final = 30  # values of one answer
_MOST_WORDS: Final = 150  # of the sentences in which a value is looked for
_MOST_BARE: Final = 12  # words of a sentence that says its value without a number
_VALUE: Final = re.compile(r"(?<![^\W_])(?:[a-z]{1,2}\d{1,2}){1,2}(?:[-x][a-z]\d{1,2})*(?![^\W_])")

_PARTED: Final = re.compile(
    r",? (?:and|und|et|y|e|en|i|och|then|dann) (?:also )?|, "
)  # several of one sentence

Understood = tuple[Demand, Reading[Any]]


def understood(standing: Standing, seat: int, kind: str, body: Body, party: Party) -> Understood:
    """Which demand a mail means under a heading of that kind, and what it says to it."""
    return _Search(standing, seat, kind, body, party).settled()


def _stands(reading: Reading[Any]) -> bool:
    return reading.action is not None and not reading.complaints


@dataclass(frozen=True, slots=True)
class _Value:
    """A line of the form, and the saying that stands for it; whether it is surely meant."""

    line: str
    saying: Saying
    sure: bool


@dataclass(frozen=True, slots=True)
class _Way:
    """A way to read the mail: what it comes to, `told` in lines of the form; whether its writer surely means it."""

    demand: Demand
    reading: Reading[Any]
    told: str
    sure: bool = False
    faulty: bool = False  # surely meant, and all that is wrong is wrong with its own line

    @property
    def meaning(self) -> tuple[Demand, object]:
        return self.demand, self.reading.action

    @property
    def answer(self) -> Understood:
        return self.demand, self.reading if self.sure else replace(self.reading, choices=(self.told,))


@dataclass(frozen=True)
class _Search:
    """A mail with what it is read by."""

    standing: Standing
    seat: int
    kind: str
    body: Body
    party: Party

    def settled(self) -> Understood:
        """What the mail means, by the rule above."""
        several: list[_Way] = []
        for ways in self._ways():
            found = self._legal(ways)
            if len(found) == 1:
                return found[0].answer
            several = several or (found if len(found) <= _MOST_CHOICES else [])
        if several:
            demand, reading = several[0].demand, several[0].reading
            return demand, replace(reading, action=None, choices=tuple(way.told for way in several))
        return self._wrong()

    def _legal(self, ways: Iterable[_Way]) -> list[_Way]:
        """Those whose answer the rules allow, one of each meaning."""
        found: dict[object, _Way] = {}
        for way in ways:
            leaves = isinstance(way.reading.action, GivesUpSeat) and not (way.sure or way.faulty)
            if _stands(way.reading) and not leaves and not self.standing.faults(way.demand, way.reading):
                found.setdefault(way.meaning, way)
        return list(found.values())

    def _ways(self) -> Iterator[Iterable[_Way]]:
        """The ways to read the mail, each with what it may come to."""
        written = [_Way(*self._written, "", sure=True)] if self._firm else []
        if not self._in_notation:
            yield written
        if not written or self._written[1].courtesy:
            yield self._at_once
        if written:
            yield written
            return
        if not self._in_notation:
            yield self._leaving()
            yield self._alone
        fair = self._among_words()
        yield self._in_one(fair)
        yield fair

    def _wrong(self) -> Understood:
        """What is told where no way leaves a legal answer: what is wrong with all that is said for sure, where that is
        less than what is wrong with the mail as it is written; with the one value that is said; else with the mail."""
        demand, reading = self._written
        for way in self._at_once:
            fewer = len(way.reading.complaints) < len(reading.complaints)
            if way.sure and fewer and way.reading.action is not None:
                return way.demand, way.reading
        alone = [] if self._firm or self._in_notation else self._alone
        if len({way.meaning for way in alone}) == 1:
            return alone[0].demand, alone[0].reading
        return demand, self._without_talk(reading)

    def _with(self, *values: _Value, others: Iterable[int] = (), aim: Demand | None = None) -> Understood:
        """The mail read with our keys in the place of others, and values in the place of their sentences; without the
        lines that only lead up to them, and without `others`. What is told of lines is told as they were written."""
        instead, left_out = self.body.keys, {*others, *(n for value in values for n in value.saying.leads)}
        if not instead and not values and not left_out:
            return self._read(self.body)
        told = {value.saying.sentence for value in values}
        texts: dict[int, Iterable[str]] = {
            line.number: [instead.get(line.number, line.text)] for line in self.body.lines
        }
        for number in {value.saying.number for value in values}:
            said = [value for value in values if value.saying.number == number]
            beside = (text for place, text in said[0].saying.beside if place not in told)
            texts[number] = [*(value.line for value in said), *beside]
        demand, reading = self._instead({**texts, **dict.fromkeys(left_out, ())}, aim)
        said_so = {value.saying.number for value in values}
        return demand, replace(
            reading, courtesy=tuple(x for x in reading.courtesy if x.number not in said_so)
        )

    def _instead(self, texts: Mapping[int, Iterable[str]], aim: Demand | None = None) -> Understood:
        """The mail read with other texts in the place of its lines; told of as they were written."""
        lines: list[Line] = []
        written: dict[int, Line] = {}
        for line in self.body.lines:
            for text in texts[line.number]:
                lines.append(Line(len(lines) + 1, text))
                written[len(lines)] = line
        demand, reading = self._read(Body(lines), aim)
        return demand, _as_written(reading, written)

    @cached_property
    def _written(self) -> Understood:
        return self._with()

    @cached_property
    def _firm(self) -> bool:
        """Whether what is written stands, and is more than one line without a key, on which what stands round it may
        cast doubt."""
        lines = self._written[1].orders
        return _stands(self._written[1]) and (len(lines) != 1 or keyed(lines[0].text)[1] is not None)

    @cached_property
    def _wholes(self) -> Mapping[int, Saying]:
        """What each sentence says as a whole."""
        return {saying.sentence: saying for saying in reversed(self.body.sayings)}

    def _read(self, body: Body, aim: Demand | None = None) -> Understood:
        demand = aim or self.standing.aimed(self.seat, self.kind, body)
        return demand, seam.read(self.standing.game, self.standing.state, demand, body, self.party)

    @cached_property
    def _in_notation(self) -> bool:
        """Whether a line orders something by one of the game's own keys: beside that no bare word is an answer."""
        return any(keyed(line.text)[0] not in TALK for line in self._in_keys)

    @cached_property
    def _in_keys(self) -> tuple[Line, ...]:
        """The lines that say something by a key of the game, words to the others among them."""
        known = {heading.casefold() for heading in seam.headings(self.standing.game)} | TALK
        told = ((line, *keyed(line.text)) for line in self.body.lines)
        return tuple(line for line, key, value in told if value and key in known)

    # --- values in the place of their sentences ------------------------------------------------------------------

    @cached_property
    def _at_once(self) -> list[_Way]:
        """All that the mail says as one answer: "Rd1Bd2" and, below it, "Claim 4"; what of it is in doubt ("d1-g1. How
        about a draw?") casts doubt on all."""
        found = self._written[1]
        faulty = {complaint.line.number for complaint in found.complaints if complaint.line}
        in_keys = {line.number: line.text for line in self._in_keys if line.number not in faulty}
        values = self._values(in_keys)
        numbers = {value.saying.number for value in values}
        kept = {line.number for line in found.orders} - faulty - numbers - set(in_keys)
        if not (1 if kept or self._in_notation else 2) <= len(values) <= _MOST_TOGETHER:
            return []
        surely = bool(in_keys) or any(value.sure for value in values)
        if not surely or len({id(value.saying) for value in values}) < len(values):
            return []
        lines = [*in_keys.items(), *((value.saying.number, value.line) for value in values)]
        return [self._way("\n".join(text for _, text in sorted(lines, key=itemgetter(0))), *values)]

    def _leaving(self) -> Iterator[_Way]:
        """A seat given up in the mail's own words, whatever excuse stands beside them."""
        game, able = self.standing.game, self.standing.may_answer(self.seat)
        leaves = [demand for demand in able if seam.gives_up_seat(game, demand.kind)]
        told = all(saying.told for saying in self.body.sayings)
        for saying in self.body.sayings if told else ():
            for line in self._lines(saying.text, leaves) if self._wholes[saying.sentence].alone else ():
                ways = (self._way(line, _Value(line, saying, True), aim=aim) for aim in leaves)
                found = (way for way in ways if isinstance(way.reading.action, GivesUpSeat))
                lone = _stands(self._written[1]) and len(self.body.sayings) == 1
                found = (
                    replace(way, sure=lone, faulty=True) for way in found
                )  # the word alone, else asked about
                yield from islice(found, 1)
                return

    @cached_property
    def _alone(self) -> list[_Way]:
        """Each value that the mail says, without the others; those first that are surely meant. A single one where it
        stands, or where all that is wrong is wrong with it for sure; of several none where one can't be said now."""
        told = [self._doubted(value) for value in self._values() if value.line]
        values = sorted(told, key=lambda value: not value.sure)
        if len({value.line for value in values}) > 2 * _MOST_CHOICES:
            return []
        ways = [self._headed(self._way(v.line, v, others=_others(v, values))) for v in values]
        if len({way.meaning for way in ways}) < 2:
            return [way for way in ways if _stands(way.reading) or way.faulty]
        able = self.standing.may_answer(self.seat)
        if not all(way.demand in able and _stands(way.reading) for way in ways):
            return []
        one = len({id(value.saying) for value in values}) == 1
        return ways if one else [replace(way, sure=False) for way in ways]

    def _way(self, told: str, *values: _Value, others: Iterable[int] = (), aim: Demand | None = None) -> _Way:
        """What the mail comes to with values in the place of their sentences. Where a rule gives the very words, others
        are never sure."""
        demand, reading = self._with(*values, others=others, aim=aim)
        answer = seam.answer_of(self.standing.game, demand.kind)
        worded = answer.in_own_words or (reading.action is not None and answer.binds(reading.action))
        sure = all(value.sure for value in values) and not worded
        numbers = {value.saying.number for value in values}
        own = all(c.line is not None and c.line.number in numbers for c in reading.complaints)
        return _Way(demand, reading, told, sure, sure and own)

    # --- values among other words --------------------------------------------------------------------------------

    def _among_words(self) -> list[_Way]:
        """What the mail's sentences come to without the words that nobody can take apart. None where a sentence with a
        value asks, denies or supposes it; where a value alone has a fault, none that leaves out any other."""
        lines = self._written[1].orders
        if len(lines) > 1 and any(keyed(line.text)[1] for line in lines):
            return []  # lines of one answer, of which none is offered without the others
        worded = list(self._worded())
        fair = self._legal(way for words in worded for way in self._of_words(words))
        told = {word for way in fair for word in _words(way.told.lower())}
        numbers = {word for words in worded for word in words if _numbered(word)}
        return fair if numbers <= told or not (self._in_notation or self._alone) else []

    def _worded(self) -> Iterator[list[str]]:
        """The words in which a value is looked for: those behind the only key of a mail, which can't be read as they
        stand; else those of each sentence, without a number only of a single one."""
        if self._in_notation:
            words = _words((keyed(self._in_keys[0].text)[1] or "").lower())
            if self._wrong_alone(self._in_keys) and len(words) <= _MOST_BARE:
                yield words
            return
        said = [saying for saying in self.body.sayings if _VALUE.search(saying.text) or saying.told]
        if not all(saying.told for saying in said) or sum(len(x.text.split()) for x in said) > _MOST_WORDS:
            return
        one = len({saying.sentence for saying in said}) == 1
        bare = one and not self._alone and not _stands(self._written[1])
        for words in (_words(saying.text) for saying in said):
            if any(map(_numbered, words)) or (bare and len(words) <= _MOST_BARE):
                yield words

    def _wrong_alone(self, in_keys: Sequence[Line]) -> bool:
        """Whether the only line with a key is what is wrong with the mail, and nothing beside it says anything else."""
        (line, *others) = in_keys
        reading = self._written[1]
        faulty = {complaint.line.number for complaint in reading.complaints if complaint.line}
        beside = (saying for saying in self.body.sayings if saying.number != line.number)
        return (
            not others
            and faulty == {line.number} >= {order.number for order in reading.orders}
            and not any(self._lines(saying.text, self._wanted) for saying in beside)
            and not _stands(self._read(Body([line]))[1])
        )

    def _of_words(self, words: list[str]) -> list[_Way]:
        """What the words that say a value come to, together, else one by one."""
        values = [
            word for word in words if _numbered(word) or any(map(_has_key, self._lines(word, self._wanted)))
        ]
        answers = (seam.answer_of(self.standing.game, demand.kind) for demand in self._wanted)
        known = {name for answer in answers for name in answer.named(self.standing.state)}
        named = [word for word in words if word in values or word in known]
        for texts in (_joined(named), _joined(values), values):
            if fair := self._legal(
                self._anew(line) for text in texts for line in self._lines(text, self._wanted)
            ):
                return fair
        return []

    def _in_one(self, ways: Iterable[_Way]) -> Iterator[_Way]:
        """Several ways as one answer, where the rules allow it."""
        told = [way.told for way in ways]
        if len(told) > 1:
            yield self._anew("\n".join(told))

    def _anew(self, told: str) -> _Way:
        return _Way(*self._read(Body.of(told)), told)

    def _without_talk(self, reading: Reading[Any]) -> Reading[Any]:
        """What is left of a mail of which nothing was understood, where its sentences that look like orders only ask,
        deny or suppose: words."""
        if self._in_notation or _stands(reading) or not reading.complaints:
            return reading
        said = {line.number: [line.text] for line in self.body.lines}
        said |= {saying.number: [] for saying in self.body.sayings}
        told = {
            saying.sentence
            for saying in self._wholes.values()
            if saying.told and "" not in self._lines(saying.text, self._wanted)
        }
        for saying in self._wholes.values():
            said[saying.number] += [saying.written] if saying.sentence in told else []
        faulty = {complaint.line.number for complaint in reading.complaints if complaint.line}
        unsaid = {saying.number for saying in self._wholes.values() if saying.sentence not in told}
        lines = tuple(line for line in self.body.lines if line.number in unsaid & faulty)
        if not lines or self._instead(said)[1].orders_in(
            line for line in self.body.lines if said[line.number]
        ):
            return reading
        words = tuple(line for line in self.body.lines if line.text.strip())
        return replace(reading, action=None, complaints=(), courtesy=words, orders=(), talk=lines)

    # --- what its sentences say ------------------------------------------------------------------------------------

    def _values(self, but: Collection[int] = ()) -> tuple[_Value, ...]:
        """Every value that the mail's sentences say in other lines; of one that is a value as a whole no part."""
        found = list[_Value]()
        for _, sayings in groupby(self.body.sayings, lambda saying: saying.sentence):
            whole, *every = sayings
            parts = [part for part in every if part.number not in but]
            split = whole.number in but or len(parts) < len(every)
            said = () if split else tuple(self._said(whole))
            said = said or tuple(self._parts(parts))
            found += said or (() if split else self._in_a_row(whole))
        return tuple(found)

    def _in_a_row(self, whole: Saying) -> Iterable[_Value]:
        """What a sentence says that is several values behind one another and nothing else: "c3 and I offer a draw"."""
        parts = [(part, tuple(self._lines(part, self._wanted))) for part in _PARTED.split(whole.text)]
        if not all(len(lines) == 1 for _, lines in parts):
            return ()
        return (_Value(lines[0], replace(whole, text=part), whole.alone) for part, lines in parts)

    def _parts(self, parts: Iterable[Saying]) -> Iterator[_Value]:
        """What the parts of a sentence say: none for sure where one of them says something else."""
        said = [tuple(self._said(part)) for part in parts]
        for value in (value for values in said for value in values):
            yield replace(value, sure=value.saying.firm and all(said))

    @cached_property
    def _wanted(self) -> tuple[Demand, ...]:
        """What the seat may send; where it owes nothing also what is usual, which it may say too soon."""
        able = self.standing.may_answer(self.seat)
        if demands(self.standing.due, self.seat):
            return able
        return (Demand(self.standing.game.answers[0].kind, self.seat), *able)

    def _said(self, saying: Saying) -> Iterator[_Value]:
        """As it stands; where that is no value, with a slip of the fingers mended."""
        lines = self._lines(saying.text, self._wanted)
        yield from (_Value(line, saying, saying.alone) for line in lines)
        if not lines:
            for text in _mended(saying.text):
                yield from (_Value(line, saying, False) for line in self._lines(text, self._wanted))

    def _lines(self, text: str, wanted: Iterable[Demand]) -> dict[str, None]:
        bare = (
            seam.answer_of(self.standing.game, demand.kind).bare(self.standing.state, demand, text)
            for demand in wanted
        )
        return dict.fromkeys(line for lines in bare for line in lines)

    def _headed(self, way: _Way) -> _Way:
        """The way, in doubt where the mail's heading says something else: it is neither that of the value, nor of what
        is owed, nor the usual one."""
        owed = {each.kind for each in demands(self.standing.due, self.seat)}
        fits = self.kind in {way.demand.kind, self.standing.game.answers[0].kind, *owed}
        return replace(way, sure=way.sure and fits, faulty=way.faulty and fits)

    def _doubted(self, value: _Value) -> _Value:
        """The value, in doubt where another sentence has it too, with words that may mean anything."""
        again = re.compile(rf"(?<!\w){re.escape(value.saying.text)}(?!\w)")
        others = (s.text for s in self.body.sayings if s.sentence != value.saying.sentence)
        doubted = any(again.search(text) and text != value.saying.text for text in others)
        return replace(value, sure=value.sure and not doubted)


def _words(text: str) -> list[str]:
    return text.replace(",", " ").split()


def _numbered(word: str) -> bool:
    return any(map(str.isdigit, word))


def _has_key(line: str) -> bool:
    """Whether it is more than a lone word, which may stand in any talk."""
    return keyed(line)[1] is not None or len(line.split()) > 2


def _joined(values: list[str]) -> Iterator[str]:
    """Several values behind one another: as they stand, from one to the next, the last of them taken."""
    yield " ".join(values)
    if len(values) > 1:
        yield "-".join(values)
        yield f"{'-'.join(values[:-1])} x {values[-1]}"


def _others(value: _Value, values: Iterable[_Value]) -> set[int]:
    """The lines that say a value, this one once more or another, and nothing else."""
    return {v.saying.number for v in values if not v.saying.beside} - {value.saying.number}


def _as_written(reading: Reading[Any], written: Mapping[int, Line]) -> Reading[Any]:
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


# --- slips of the fingers --------------------------------------------------------------------------------------------

_SLIPS: Final = (
    (re.compile(r"(\d{1,2}) ?([a-z])"), r"\2\1"),  # turned round: 4d
    (re.compile(r"([a-z])\1(\d{1,2})"), r"\1\2"),  # a letter twice: dd4
    (re.compile(r"([a-z])[.,;_]{1,2}(\d{1,2})"), r"\1\2"),  # a sign between: d.4
    (re.compile(r"([a-z])(\d?)o"), r"\g<1>\g<2>0"),  # a letter for a digit: d1o, dl
    (re.compile(r"([a-z])(?:l|i)(\d?)"), r"\g<1>1\2"),
)


def _mended(text: str) -> Iterator[str]:
    """The value that a text of one word comes near to."""
    if len(text) <= 5 and any(map(str.isdigit, text)):
        yield from (pattern.sub(put, text) for pattern, put in _SLIPS if pattern.fullmatch(text))
