"""What a mail means to its match: what its lines say by the game's notation; where they say nothing that can stand,
the bare value that answers the one thing owed ("d4 please"). The game says what such a value looks like
(`Answer.bare`), the post what is left of a sentence without courtesy (`Gist`); here the two meet.

Nothing is guessed into force: a value counts only where it stands alone and is the only one. What is doubted, asked,
misspelt or one of two is a choice (`Reading.choices`), for its writer to settle.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
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
_Fair = dict[
    object, tuple[str, Demand, Reading[Any]]
]  # by what would be done: its line, and how that is read


def understood(standing: Standing, seat: int, kind: str, body: Body, party: Party) -> Understood:
    """Which demand a mail means under a heading of that kind, and what it says to it."""
    mail = _Mail(standing, seat, kind, body, party)
    found = mail.read()
    if _stands(found[1]) and mail.in_notation:
        return (mail.together(found[1]) if found[1].courtesy else None) or found
    if _stands(found[1]) and not _by_a_bare_line(found[1]):
        return mail.more_than(found) or found
    if (together := mail.together(found[1])) is not None or mail.in_notation:
        return together or mail.keyed_anew(found[1]) or found
    said = mail.leaving() or mail.bare()
    if said is not None and (not _stands(said[1]) or standing.faults(*said)):
        said = mail.mentioned(every=True) or said
    mentioned = said or mail.mentioned(bare=not _stands(found[1]))
    return mentioned or (found[0], mail.without_talk(found[1]))


def _stands(reading: Reading[Any]) -> bool:
    return reading.action is not None and not reading.complaints


def _by_a_bare_line(reading: Reading[Any]) -> bool:
    """Whether all that is ordered is one line without a key: what stands round it may cast doubt on it."""
    return len(reading.orders) == 1 and keyed(reading.orders[0].text)[1] is None


@dataclass(frozen=True, slots=True)
class _Value:
    """A line of the form, and the saying that stands for it; whether it is surely meant."""

    line: str
    saying: Saying
    sure: bool


@dataclass(frozen=True, slots=True)
class _Mail:
    """A mail with what it is read by."""

    standing: Standing
    seat: int
    kind: str
    body: Body
    party: Party

    def read(self, *values: _Value, others: Iterable[int] = (), aim: Demand | None = None) -> Understood:
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

    @property
    def wholes(self) -> Iterator[Saying]:
        """What each sentence says as a whole."""
        return (next(said) for _, said in groupby(self.body.sayings, lambda saying: saying.sentence))

    def _read(self, body: Body, aim: Demand | None = None) -> Understood:
        demand = aim or self.standing.aimed(self.seat, self.kind, body)
        return demand, seam.read(self.standing.game, self.standing.state, demand, body, self.party)

    @property
    def in_notation(self) -> bool:
        """Whether a line orders something by one of the game's own keys: beside that no bare word is an answer."""
        return any(keyed(line.text)[0] not in TALK for line in self._in_keys())

    def _in_keys(self) -> tuple[Line, ...]:
        """The lines that say something by a key of the game, words to the others among them."""
        known = {heading.casefold() for heading in seam.headings(self.standing.game)} | TALK
        told = ((line, *keyed(line.text)) for line in self.body.lines)
        return tuple(line for line, key, value in told if value and key in known)

    # --- several of one answer -----------------------------------------------------------------------------------

    def more_than(self, found: Understood) -> Understood | None:
        """What the mail says in other words beside its lines, where without that they make no good answer."""
        if not found[1].courtesy or not self.standing.faults(*found):
            return None
        more = self.together(found[1])
        return more if more is not None and not self.standing.faults(*more) else None

    def together(self, found: Reading[Any]) -> Understood | None:
        """All that the mail says as one answer, where the rules allow it: "Rd1Bd2" and, below it, "Claim 4"; what of it
        is in doubt ("d1-g1. How about a draw?") makes it one to be asked about. None where it is one value, or anything
        else is said of it."""
        faulty = {complaint.line.number for complaint in found.complaints if complaint.line}
        in_keys = {line.number: line.text for line in self._in_keys() if line.number not in faulty}
        values = self._values(in_keys)
        kept = (
            {x.number for x in found.orders}
            - faulty
            - {value.saying.number for value in values}
            - set(in_keys)
        )
        said = {value.saying.sentence for value in values}
        beside = {place for value in values for place, _ in value.saying.beside}
        if not 0 < len(values) <= _MOST_TOGETHER or len({id(v.saying) for v in values}) < len(values):
            return None
        sure = all(value.sure for value in values)
        surely = bool(in_keys) or (len(said) > 1 and any(value.sure for value in values))
        alone = len(values) == 1 and not kept and not self.in_notation
        if alone or not beside <= said or not (sure or (surely and not kept)):
            return None
        demand, reading = self.read(*values)
        if isinstance(reading.action, GivesUpSeat) or demand not in self.standing.may_answer(self.seat):
            return None
        if not _stands(reading):  # what is wrong with it is told with fewer words
            fewer = reading.action is not None and len(reading.complaints) < len(found.complaints)
            return (demand, reading) if sure and fewer and found.complaints else None
        if self.standing.faults(demand, reading):
            return None
        lines = [*in_keys.items(), *((value.saying.number, value.line) for value in values)]
        told = "\n".join(text for _, text in sorted(lines, key=lambda line: line[0]))
        return demand, reading if sure else replace(reading, choices=(told,))

    def leaving(self) -> Understood | None:
        """A seat given up in the mail's own words, whatever excuse stands beside them."""
        able = [
            d for d in self.standing.may_answer(self.seat) if seam.gives_up_seat(self.standing.game, d.kind)
        ]
        if not able or not all(saying.told for saying in self.body.sayings):
            return None
        firm = {saying.sentence for saying in self.wholes if saying.alone}
        for saying in (saying for saying in self.body.sayings if saying.sentence in firm):
            for aim in able if self._lines(saying.text, able) else ():
                (line, *_) = self._lines(saying.text, able)
                demand, reading = self.read(_Value(line, saying, True), aim=aim)
                if isinstance(reading.action, GivesUpSeat) and _stands(reading):
                    return demand, reading
        return None

    # --- values among other words --------------------------------------------------------------------------------

    def mentioned(self, *, every: bool = False, bare: bool = False) -> Understood | None:
        """What the mail's sentences come to without the words that nobody can take apart, so far as it could count: to
        be asked about. None where a sentence with a value asks, denies or supposes it; with `every`, where it leaves a
        value out; with `bare`, also of a single sentence without a number."""
        wanted = self._wanted()
        said = [saying for saying in self.body.sayings if _VALUE.search(saying.text) or saying.told]
        if not all(saying.told for saying in said) or sum(len(x.text.split()) for x in said) > _MOST_WORDS:
            return None
        wholes = {saying.sentence for saying in said}
        fair: _Fair = {}
        for saying in said:
            words = _words(saying.text)
            if any(map(_numbered, words)) or (bare and len(wholes) == 1 and len(words) <= _MOST_BARE):
                fair |= self._fair(words, wanted)
        fair = self._in_one(fair) or fair
        told = {word for line, _, _ in fair.values() for word in _words(line.lower())}
        if every and not told.issuperset(word for x in said for word in _words(x.text) if _numbered(word)):
            return None
        return self._offered(fair)

    def keyed_anew(self, found: Reading[Any]) -> Understood | None:
        """What stands behind the only key of a mail and can't be read as it stands, so far as one thing of it could
        count: to be asked about."""
        (line, *others) = self._in_keys() or (None,)
        faulty = {complaint.line.number for complaint in found.complaints if complaint.line}
        ordered = {order.number for order in found.orders}
        if line is None or others or faulty != {line.number} or not ordered <= faulty:
            return None
        words = _words((keyed(line.text)[1] or "").lower())
        beside = (saying for saying in self.body.sayings if saying.number != line.number)
        if len(words) > _MOST_BARE or any(self._lines(x.text, self._wanted()) for x in beside):
            return None
        if _stands(self._read(Body([line]))[1]):
            return None  # what is wrong stands elsewhere
        wanted = self._wanted()
        fair = self._fair(words, wanted)
        known = {word for word in words if _numbered(word)}
        if len(fair) != 1:
            return None
        ((told, _, _),) = fair.values()
        return self._offered(fair) if known <= set(_words(told.lower())) else None

    def _fair(self, words: list[str], wanted: Iterable[Demand]) -> _Fair:
        """What the words that say a value come to, together, else one by one, by what would be done."""
        values = [word for word in words if _numbered(word) or any(map(_has_key, self._lines(word, wanted)))]
        answers = (seam.answer_of(self.standing.game, demand.kind) for demand in wanted)
        known = {name for answer in answers for name in answer.named(self.standing.state)}
        named = [word for word in words if word in values or word in known]
        for told in dict.fromkeys(map(tuple, (named, values))):
            if fair := self._legal(_joined(told), wanted):
                return fair
        fair = self._legal(values, wanted)
        return fair if any(map(_numbered, values)) or len({*values}) == 1 else {}

    def _legal(self, texts: Iterable[str], wanted: Iterable[Demand]) -> _Fair:
        fair: _Fair = {}
        for line in (line for text in dict.fromkeys(texts) for line in self._lines(text, wanted)):
            demand, reading = self._read(Body.of(line))
            leaves = isinstance(reading.action, GivesUpSeat)
            if line and _stands(reading) and not leaves and not self.standing.faults(demand, reading):
                fair.setdefault((demand, reading.action), (line, demand, reading))
        return fair

    def _in_one(self, fair: _Fair) -> _Fair:
        """Several lines as one answer, where the rules allow it."""
        if len(fair) < 2:
            return {}
        told = "\n".join(line for line, _, _ in fair.values())
        demand, reading = self._read(Body.of(told))
        if not _stands(reading) or reading.courtesy or self.standing.faults(demand, reading):
            return {}
        return {(demand, reading.action): (told, demand, reading)}

    def _offered(self, fair: _Fair) -> Understood | None:
        if not 0 < len(fair) <= _MOST_CHOICES:
            return None
        _, demand, reading = next(iter(fair.values()))
        action = reading.action if len(fair) == 1 else None
        return demand, replace(reading, action=action, choices=tuple(line for line, _, _ in fair.values()))

    def without_talk(self, reading: Reading[Any]) -> Reading[Any]:
        """What is left of a mail of which nothing was understood, where its sentences that look like orders only ask,
        deny or suppose: words."""
        if self.in_notation or _stands(reading) or not reading.complaints:
            return reading
        wanted = self._wanted()
        said = {line.number: [line.text] for line in self.body.lines}
        said |= {saying.number: [] for saying in self.body.sayings}
        told = {
            saying.sentence
            for saying in self.wholes
            if saying.told and "" not in self._lines(saying.text, wanted)
        }
        for saying in self.wholes:
            said[saying.number] += [saying.written] if saying.sentence in told else []
        faulty = {complaint.line.number for complaint in reading.complaints if complaint.line}
        unsaid = {saying.number for saying in self.wholes if saying.sentence not in told}
        lines = tuple(line for line in self.body.lines if line.number in unsaid & faulty)
        if not lines or self._instead(said)[1].orders_in(
            line for line in self.body.lines if said[line.number]
        ):
            return reading
        words = tuple(line for line in self.body.lines if line.text.strip())
        return replace(reading, action=None, complaints=(), courtesy=words, orders=(), talk=lines)

    # --- bare values -------------------------------------------------------------------------------------------

    def bare(self) -> Understood | None:
        """The bare value that the mail says, or the values that it may mean; None where it holds none, or more than a
        value."""
        values = tuple(value for value in self._values() if value.line)
        if not values or len({value.line for value in values}) > 2 * _MOST_CHOICES:
            return None
        read = {value.line: self.read(value, others=_others(value, values)) for value in reversed(values)}
        meant = {(demand, reading.action): line for line, (demand, reading) in read.items()}
        if len(meant) > 1:
            return self._several(values, {line: read[line] for line in reversed(meant.values())})
        value = next((value for value in values if value.sure), values[0])
        return self._single(value, *read[value.line])

    def _single(self, value: _Value, demand: Demand, reading: Reading[Any]) -> Understood | None:
        """One that stands alone is what the mail says, and so is what is wrong with it."""
        worded = seam.answer_of(self.standing.game, demand.kind).in_own_words
        sure = value.sure and not worded and self._headed(demand) and not self._spoken_of_again(value)
        if sure and all(
            c.line is not None and c.line.number == value.saying.number for c in reading.complaints
        ):
            return demand, reading
        if not _stands(reading) or isinstance(reading.action, GivesUpSeat):
            return None
        return demand, replace(reading, choices=(value.line,))

    def _several(self, values: tuple[_Value, ...], read: Mapping[str, Understood]) -> Understood | None:
        """Of one value that may be read in two ways the one that the rules allow; else all, to be asked about."""
        able = self.standing.may_answer(self.seat)
        leaving = any(isinstance(reading.action, GivesUpSeat) for _, reading in read.values())
        doubtful = any(demand not in able or not _stands(reading) for demand, reading in read.values())
        if leaving or doubtful or len(read) > _MOST_CHOICES:
            return None
        if all(value.saying is values[0].saying for value in values):
            fair = {line: (d, r) for line, (d, r) in read.items() if not self.standing.faults(d, r)}
            read = fair or read
            ((demand, reading), *others) = read.values()
            if not others and values[0].sure and self._headed(demand):
                return demand, reading
            if not others:
                return demand, replace(reading, choices=tuple(read))
        demand, reading = next(iter(read.values()))
        return demand, replace(reading, action=None, choices=tuple(read))

    def _values(self, but: Collection[int] = ()) -> tuple[_Value, ...]:
        """Every value that the mail's sentences say in other lines; of one that is a value as a whole no part."""
        wanted, found = self._wanted(), list[_Value]()
        for _, sayings in groupby(self.body.sayings, lambda saying: saying.sentence):
            whole, *every = sayings
            parts = [part for part in every if part.number not in but]
            split = whole.number in but or len(parts) < len(every)
            said = () if split else tuple(self._said(whole, wanted))
            said = said or tuple(self._parts(parts, wanted))
            found += said or (() if split else self._in_a_row(whole, wanted))
        return tuple(found)

    def _in_a_row(self, whole: Saying, wanted: Iterable[Demand]) -> Iterable[_Value]:
        """What a sentence says that is several values behind one another and nothing else: "c3 and I offer a draw"."""
        parts = [(part, tuple(self._lines(part, wanted))) for part in _PARTED.split(whole.text)]
        if not all(len(lines) == 1 for _, lines in parts):
            return ()
        return (_Value(lines[0], replace(whole, text=part), whole.alone) for part, lines in parts)

    def _parts(self, parts: Iterable[Saying], wanted: Iterable[Demand]) -> Iterator[_Value]:
        """What the parts of a sentence say: none for sure where one of them says something else."""
        said = [tuple(self._said(part, wanted)) for part in parts]
        for value in (value for values in said for value in values):
            yield replace(value, sure=value.saying.firm and all(said))

    def _wanted(self) -> tuple[Demand, ...]:
        """What the seat may send; where it owes nothing also what is usual, which it may say too soon."""
        able = self.standing.may_answer(self.seat)
        if demands(self.standing.due, self.seat):
            return able
        return (Demand(self.standing.game.answers[0].kind, self.seat), *able)

    def _said(self, saying: Saying, wanted: Iterable[Demand]) -> Iterator[_Value]:
        """As it stands; where that is no value, with a slip of the fingers mended."""
        lines = self._lines(saying.text, wanted)
        yield from (_Value(line, saying, saying.alone) for line in lines)
        if not lines:
            for text in _mended(saying.text):
                yield from (_Value(line, saying, False) for line in self._lines(text, wanted))

    def _lines(self, text: str, wanted: Iterable[Demand]) -> dict[str, None]:
        bare = (
            seam.answer_of(self.standing.game, demand.kind).bare(self.standing.state, demand, text)
            for demand in wanted
        )
        return dict.fromkeys(line for lines in bare for line in lines)

    def _headed(self, demand: Demand) -> bool:
        """Whether the mail's heading says nothing else: it is the value's, that of what is owed, or the usual one."""
        owed = {each.kind for each in demands(self.standing.due, self.seat)}
        return self.kind in {demand.kind, self.standing.game.answers[0].kind, *owed}

    def _spoken_of_again(self, value: _Value) -> bool:
        """Whether another sentence has the same value in it, with words that may mean anything."""
        again = re.compile(rf"(?<!\w){re.escape(value.saying.text)}(?!\w)")
        others = (s for s in self.body.sayings if s.sentence != value.saying.sentence)
        return any(again.search(s.text) and s.text != value.saying.text for s in others)


def _words(text: str) -> list[str]:
    return text.replace(",", " ").split()


def _numbered(word: str) -> bool:
    return any(map(str.isdigit, word))


def _has_key(line: str) -> bool:
    """Whether it is more than a lone word, which may stand in any talk."""
    return keyed(line)[1] is not None or len(line.split()) > 2


def _joined(values: tuple[str, ...]) -> Iterator[str]:
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

    orders = lines(reading.orders)
    return replace(
        reading,
        complaints=tuple(map(complaint, reading.complaints)),
        courtesy=tuple(line for line in lines(reading.courtesy) if line not in orders),
        orders=orders,
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
