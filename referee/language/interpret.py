"""What a mail means to its match: the answers that are possible now choose, its words only point.

The game's notation is read first. What stands outside it is cut into sentences, and what a clause names is looked for
among the parts that the seat may say. **A part counts if its clause names it and says nothing else, or orders it by a
verb in its writer's own person, or names two of its roles; and if nothing in the mail casts doubt on it. Else it is
asked about; so are two or three that fit alike.** What binds or gives something up is only ever asked about. A sentence
that says neither an order nor a courtesy is told as left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import pairwise, takewhile
from operator import attrgetter
from typing import Any, Final

from referee.core import seam
from referee.core.answers import Body, Hints, Part, Party, Reading
from referee.core.orders.keyed import TALK, keyed, states, unsaid
from referee.core.seam import Standing
from referee.core.value import Demand, Line, Value
from referee.language.form import FilledForm, Meaning, as_written, faulty_in, stands
from referee.language.hearing import (
    SIGNED,
    Heard,
    Mention,
    Vocabulary,
    heard,
    languages_of,
    named_words,
    spoken_in,
)
from referee.language.parts import (
    BINDING,
    ORDERING,
    PLACE,
    POINT,
    WHOLE,
    WORDLESS,
    joined,
    named_of,
    of_points,
    roles_of,
    says,
    values_of,
)
from referee.language.sentences import LONGEST, Sentence, sentences, words_of
from referee.language.words import NO, known_anywhere, plain

_MOST_CHOICES: Final = 3  # that are named; a mail with more is a talk about the game
_TALKS: Final = 3  # words that nobody knows, with which a question without a value orders nothing
_BESIDE: Final = frozenset(("claim", "offer"))  # what is said beside a turn

_QUOTES: Final = frozenset("\"„“”«»‚‘'")
_NOTHING: Final = (Mention(0, 0, ("",)),)
_ASIDE: Final = re.compile(r"\s*\([^()]*\)")
_STRUCK: Final = re.compile(r"~~\S[^~]*~~")
_LABEL: Final = 5  # words at most that lead to what stands behind their colon
_WEAK: Final = frozenset(("it", "es", "ce"))  # which point at nothing, often

Way = tuple[Demand, Reading[Any], str]  # told in lines of the form


def interpret(
    standing: Standing,
    seat: int,
    kind: str,
    body: Body,
    party: Party,
    people: Mapping[int, str] | None = None,
    *,
    ahead: bool = False,
) -> Meaning:
    """Which demand a mail means under a heading of that kind, and what it says to it. `people` are the names of the
    others, by their seats; `ahead`: the state is one that may come, and what is put off is meant for it."""
    return _Reader(FilledForm(standing, seat, kind, body, party), people or {}, ahead).settled()


def beyond_courtesy(
    lines: Iterable[Line], own: frozenset[str] = frozenset(), slug: str = "", *, behind: bool = False
) -> tuple[Line, ...]:
    """The lines that say more than a greeting, thanks, a wish, the sender's name: what names a thing of it. `behind` an
    order people take leave in many words."""
    vocabulary = Vocabulary(slug, {}, own)

    def courteous(line: Line) -> bool:
        said = [(one, clause) for one in sentences((line,)) for clause in one.clauses]
        leaves = behind and len(said) == 1 and not said[0][0].asked
        heard = (Heard(clause, languages_of(one, vocabulary), vocabulary) for one, clause in said)
        return all(one.courteous or (leaves and one.parting) for one in heard) and len(line.text) <= LONGEST

    return tuple(line for line in lines if states(line.text) or not courteous(line))


@lru_cache(1024)
def lone_verb(text: str, hints: Hints) -> str:
    """The class of the verb that is all a line says, whatever the language, with why behind a comma; "" where it says
    anything else."""
    vocabulary = Vocabulary("", {}, hints.own)
    (sentence, *others) = (() if states(text) else sentences((Line(1, text),))) or (Sentence(),)
    if others or not sentence.clauses or sentence.asked:
        return ""
    spoken = languages_of(sentence, vocabulary, hints.language)
    first, *rest = (Heard(clause, spoken, vocabulary) for clause in sentence.clauses)
    doubted = any(one.doubts or one.mentions for one in (first, *rest))
    alone = len(first.verbs) == 1 and not first.content and not first.says("other", "courtesy")
    return next(iter(first.verbs)) if alone and not doubted else ""


class _Order(Value):
    """What a sentence orders: the line of the mail, the parts that it may mean, of several one; `sure`: nothing in its
    own words casts doubt on it, else `why`."""

    number: int
    sentence: int
    parts: tuple[Part, ...]
    sure: bool
    why: tuple[str, ...] = ()
    weak: bool = False  # nothing but other words beside it makes it unsure

    @property
    def group(self) -> str:
        return self.parts[0].group


@dataclass
class _Reader:
    """A mail with what it is read by."""

    form: FilledForm
    people: Mapping[int, str]
    ahead: bool = False
    every: bool = False  # all lines are read as words, and what comes of them leaves out no point
    orders: list[_Order] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)  # on the whole
    lost: list[Heard] = field(default_factory=list)  # clauses beside an order that name what it may not hold
    left: list[Line] = field(default_factory=list)  # sentences that are told as left out
    tried: list[Heard] = field(default_factory=list)  # what surely orders, and is no part
    partly: set[int] = field(default_factory=set)  # lines that hold more than orders and courtesy
    unheld: set[int] = field(default_factory=set)  # and those that name what no order does
    unsaid: list[tuple[str, ...]] = field(default_factory=list)  # what is named beside an order
    passed: list[tuple[str, ...]] = field(default_factory=list)  # and where nothing is ordered
    stated: set[tuple[str, ...]] = field(default_factory=set)  # behind a key, with no order
    replaced: set[int] = field(default_factory=set)  # lines of sentences that were taken back
    dropped: set[int] = field(default_factory=set)  # lines in the notation in whose place another stands

    # --- the notation first --------------------------------------------------------------------------------------

    def settled(self) -> Meaning:
        demand, written = self.form.written
        self.doubts += (line.text.strip() for line in self.form.body.lines if _STRUCK.search(line.text))
        if not self._worded and not self.doubts:
            denied = self._instead_of(dict.fromkeys(self.form.faulty & self.form.blank, ()))
            # "Claim: none"
            return denied if stands(denied[1]) else self._without_asides() or (demand, written)
        for place in range(len(self._sentences)):
            self._hear(place)
        said = self.orders or self.doubts or self.tried
        found = self._decided() if said else (demand, self._told(written))
        backed = any(one.says("back") for some in self._heard for one in some)
        if backed and found[1].choices == (self.form.whole,) and (other := self._altogether()) is not None:
            each = tuple(dict.fromkeys((self.form.whole, *other[1].choices)))  # "turn it round: blue on top"
            if 1 < len(each) <= _MOST_CHOICES:
                return found[0], replace(found[1], action=None, choices=each)
        if found[1].choices or (found[1].action is not None and not found[1].complaints):
            return found
        reader = replace(self, every=True) if self.form.firm or faulty_in(found[1]) else self
        return reader._altogether() or self._without_asides() or found

    def _without_asides(self) -> Meaning | None:
        """The notation without what stands in brackets on its faulty lines, where nothing is wrong with it then: it is
        asked about ("Claim: 6 (six)")."""
        asides = {x.number: _ASIDE.findall(x.text) for x in self.form.lines if x.number in self.form.faulty}
        if not any(asides.values()):
            return None
        lines = tuple(
            Line(x.number, _ASIDE.sub("", x.text)) if asides.get(x.number) else x for x in self.form.lines
        )
        demand, reading = self.form.read(Body(lines, self.form.body.hints))
        if not self.form.holds(demand, reading):
            return None
        whole = "\n".join(line.text for line in reading.orders)
        told = as_written(reading, {line.number: line for line in self.form.body.lines})
        why = (*self.doubts, *(text for found in asides.values() for text in found))
        return demand, replace(told, choices=(whole,), doubts=tuple(dict.fromkeys(why)))

    @cached_property
    def _worded(self) -> tuple[Line, ...]:
        """The others, of a line behind a key what stands there; not what is only wrong beside other lines."""
        numbers = set[int]() if self.every else {line.number for line in self.form.firm}
        found: list[Line] = []
        for line in self.form.lines:
            if line.number in numbers | self.form.blank or not line.text.strip():
                continue
            key, value = self.form.keyed.get(line.number, ("", ""))
            if line.number in self.form.faulty and not self.every:
                told = self.form.read(Body((line,)))[1].complaints
                alone = self.form.known(key) and any(one.line for one in told)
                if value and (self.form.slip_of(key) if not self.form.known(key) else not alone):
                    continue  # the notation tells what is wrong with it
            if key not in TALK:
                found.append(Line(line.number, value) if self.form.known(key) else line)
        return tuple(found)

    # --- sentence by sentence ------------------------------------------------------------------------------------

    @cached_property
    def _sentences(self) -> tuple[Sentence, ...]:
        """Those of these lines; none goes on beyond the notation."""
        numbers = {line.number for line in self._worded}
        firm = (Line(line.number, "") for line in self.form.firm if line.number not in numbers)
        return sentences(sorted((*self._worded, *firm), key=attrgetter("number")))

    @cached_property
    def _heard(self) -> tuple[tuple[Heard, ...], ...]:
        """Each sentence's clauses as they were heard."""
        vocabulary, hint = self._vocabulary, self.form.body.hints.language
        whole = Sentence([clause for sentence in self._sentences for clause in sentence.clauses])
        hint = next((lexicon.code for lexicon in spoken_in(whole, vocabulary)), hint)
        return tuple(heard(sentence, vocabulary, hint) for sentence in self._sentences)

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        game, state = self.form.standing.game, self.form.standing.state
        answers = (seam.answer_of(game, demand.kind) for demand in self.form.wanted)
        names: list[tuple[str, tuple[str, ...]]] = []
        names += [(name, (name,)) for answer in answers for name in answer.named(state)]
        others = list[str]()
        for seat, name in self.people.items():
            if seat != self.form.seat:
                colours = game.called(state, seat)
                called = (name, *name.split()[:1], f"player {seat}", f"p{seat}", f"seat {seat}")
                names += [(one, (f"player {seat}",)) for one in called]
                names += [(colour, (f"player {seat}", colour)) for colour in colours]
                others += [*plain(name).split(), *colours]
        titles = (
            frozenset(word for title in game.titles for word in words_of(title)) - known_anywhere().keys()
        )
        own = self.form.body.hints.own | titles
        ours = frozenset(name for name in game.called(state, self.form.seat) if len(name) > 1)
        every = Vocabulary(game.slug, named_words(names), own, frozenset(others) - own, ours)
        hint = self.form.body.hints.language
        tongues = ((sentence, languages_of(sentence, every, hint)) for sentence in self._sentences)
        said = ([Heard(clause, spoken, every) for clause in one.clauses] for one, spoken in tongues)
        each = [values_of(mention for one in clauses for mention in one.mentions) for clauses in said]
        every_one = tuple(dict.fromkeys(value for named in each for value in named))
        parts = (
            part
            for named in dict.fromkeys((every_one, *each))
            for _, part in self.form.possible((), named, ())
        )
        about = {v for part in parts if part.group in WORDLESS | ORDERING for v in part.values}
        names += [(value, (value,)) for value in sorted(about) if value.isalpha()]
        return replace(every, names=named_words(names), about=frozenset(about), ours=ours - about)

    def _hear(self, place: int) -> None:
        """What a sentence orders, doubts or only tells."""
        telling = [one for one in _telling(self._heard[place]) if not self._excuses(place, one)]
        telling = [x for x in telling if not (self._points_at_form(x) or self._greets(place, x))]
        sorry = [one for one in telling if one.addresses and one.doubtful == {"back"}]  # "sorry, Cleo"
        telling = [one for one in telling if one not in sorry or not self._only_touched(one)]
        alone = [one for one in self._heard[place] if one.addresses and not one.courteous]
        if telling or self._so_far or any(_telling(behind) for behind in self._heard[place + 1 :]):
            alone = []  # else whoever is greeted may be what is answered: "Hi, Black"
        telling = telling or alone
        if not telling:
            return
        why = (*self._why(telling), *(one.clause.text for one in alone))
        tried = len(self.tried)
        found = self._runs(place, telling, why)
        pairs = zip(telling, found, strict=True)
        idle = [one for one, order in pairs if not order and not self._closes(one) and not self._again(one)]
        lost = [one for one in idle if one.mentions]
        self.unheld |= {one.clause.number for one in lost}
        torn = (one for one in idle if one.mentions or one.unread or len(one.clause.words) == 1)
        self.partly |= {one.clause.number for one in torn if place in self._leading}
        if any(found):
            lost = [one for one in lost if not one.reported]
            self.lost += (one for one in lost if not self._only_tells(one))
        said = self.unsaid if any(found) else self.passed  # but "Ann can keep the blue one"
        ours = (x for x in lost if not (x.reported and x.says("person")) and not x.denied)
        told_of = ((x, m) for x in ours for m in x.mentions if m.sure and not m.number)
        about = self._vocabulary.about or frozenset()
        said += (m.pieces or m.values for x, m in told_of if not x.content or {*m.values, *m.pieces} & about)
        self.stated |= {
            m.values for one in lost for m in one.mentions if one.clause.number in self.form.behind_keys
        }
        if not any(found) and len(self.tried) == tried:
            behind = (x for some in self._heard[place + 1 :] for x in some)
            last = not any(x.number > telling[-1].clause.number for x in self.form.firm)
            led = telling[-1].reported and bool(telling[-1].clause.ends)
            led = led and not (last and not any(x.mentions for x in behind))
            if led or (why and not all(map(self._closes, telling)) and self._concerns(telling)):
                self.doubts += why or (telling[-1].clause.text,)
            elif self._labels(place, telling):
                self.doubts.append(telling[0].clause.text)
            self.left.append(Line(self._sentences[place].number, self._sentences[place].text))
        elif any(one.unread for one in telling):  # what of it can't be an order is told beside what can
            self.left += (Line(one.clause.number, one.clause.text) for one in idle)

    def _labels(self, place: int, telling: Sequence[Heard]) -> bool:
        """Whether it is a line of a form in words that nobody knows, right beside one that orders, and what it says
        may be answered ("Gefangene: Blau"), or its answer is in its writer's own words."""
        first, at = telling[0], telling[0].clause.number
        beside = any(abs(line.number - at) == 1 for line in self.form.firm)
        labelled = first.clause.ends == ":" and place in self._leading and len(first.clause.words) <= _LABEL
        if not (beside and labelled) or first.says("person") or first.courteous:
            return False
        said = [one for one in self._heard[place] if one.clause is not first.clause]
        words = (word for one in said for word in one.clause.words)
        demand = self.form.written[0]
        own = seam.answer_of(self.form.standing.game, demand.kind).in_own_words
        return (own and len(first.clause.text) > 2) or any(map(self._vocabulary.thing, words))

    def _altogether(self) -> Meaning | None:
        """What all sentences name together, where none orders anything by itself: up to three parts of which most roles
        are named ("red half: e3", "blue half: f3"), two or a point, are asked about. What is told of somebody else, or
        asked, supposed or denied, names nothing."""
        free = replace(self._vocabulary, loose=True, about=None)
        heard = (replace(one, vocabulary=free) for some in self._heard for one in some)
        named = joined([mention for one in heard for mention in one.mentions])
        about = {value for _, part in self.form.possible((), named, ()) for value in part.values}
        near = {piece for value in about if PLACE.fullmatch(value) for piece in (value[:1], value[1:])}
        loose = replace(self._vocabulary, loose=True, about=frozenset(about | near))
        every = [(at, replace(one, vocabulary=loose)) for at, some in enumerate(self._heard) for one in some]
        lives = {at for at, one in every if "alive" in values_of(one.mentions)}
        told = [(at, one) for at, one in every if at not in lives and self._may_order(at, one)]
        denying = (x for at, x in every if (at, x) not in told and x.says("not", "no", "drop"))
        denied = {value for one in denying for value in values_of(one.mentions)}
        mentions = [m for _, one in told for m in one.mentions if denied.isdisjoint(m.values)]
        first = {m.values: m for m in reversed(mentions)}
        mentions = [m for m in mentions if m is first[m.values] or m.values[0].isalpha()]
        sets = dict.fromkeys((joined(mentions), *(joined(one.mentions) for _, one in told)))
        parts = dict.fromkeys(part for named in sets for _, part in self.form.possible((), named, ()))
        led = [m for _, x in told if x.says("thing") and len(x.content) < 2 for m in x.mentions]
        ranked = [(named_of(part, mentions, led), part) for part in parts]
        best = max((rank for rank, _ in ranked), default=())
        points = {m.values for m in mentions if self.every and any(map(PLACE.fullmatch, m.values))}
        values = [(part.values, part) for rank, part in ranked if best and rank == best]
        whole = (part for named, part in values if not any(named.isdisjoint(point) for point in points))
        found = list({part.line: part for part in whole}.values())
        lines = [part.line for part in found[: 2 * _MOST_CHOICES]]
        if "draw" in values_of(mentions):
            lines = [self._offering(line) for line in lines]
        read = [(line, *self.form.read(Body.of(line))) for line in lines]
        fair = [way for way in read if self.form.holds(way[1], way[2])]
        if not 0 < len(fair) <= _MOST_CHOICES:
            return None
        said = {value for part in found for value in part.values}
        held = said | {piece for value in said if PLACE.fullmatch(value) for piece in (value[:1], value[1:])}
        ordering = [(at, one.clause) for at, one in told if not held.isdisjoint(values_of(one.mentions))]
        numbers = {n for at, _ in ordering for n in self._sentences[at].lines}
        if self.every and not (points and self.form.faulty <= numbers):
            return None  # what of it names nothing is told
        orders = tuple(line for line in self.form.body.lines if line.number in numbers)
        courtesy = tuple(
            line for line in self.form.body.lines if line.number not in numbers and line.text.strip()
        )
        choices, why = tuple(text for text, _, _ in fair), tuple(clause.text for _, clause in ordering)
        action = fair[0][2].action if len(fair) == 1 else None
        asked = replace(self.form.written[1], action=action, complaints=(), courtesy=courtesy, orders=orders)
        return fair[0][1], replace(asked, choices=choices, doubts=why, worded=orders)

    def _may_order(self, place: int, one: Heard) -> bool:
        """Whether it names what may be ordered, whatever else it says."""
        told_of = one.reported and (one.says("other") or not one.verbs & ORDERING)
        spoken_of = told_of or one.courteous or one.says("past", ":withdraw") or self._sentences[place].asked
        # but "the poor stone on C3 cannot be saved", no "no stone on C3 ..."
        begun = one.clause.words[: one.mentions[0].start] if one.mentions else ()
        led = one.says("thing") and any(one.means(word, *NO) for word in begun)
        lamented = len(one.content) > 1 and not (led or one.says("drop"))
        denied = bool(one.doubtful & {"not", "drop"}) or one.says("no")
        return bool(one.mentions) and not (spoken_of or "if" in one.doubtful or (denied and not lamented))

    def _offering(self, text: str) -> str:
        """An answer with the offer of a draw beside it, where one may stand there."""
        beside = self.form.possible(tuple(text.splitlines()), ("draw",), ())
        return "\n".join((text, *(part.line for _, part in beside if part.group == "offer")))

    def _excuses(self, place: int, one: Heard) -> bool:
        """Whether it is an apology, and takes nothing back: it says what for, or nothing was named before."""
        named = self._named_before(place, one) or any(x.number < one.clause.number for x in self.form.firm)
        return one.sorry_for or (one.sorry and not named and not one.mentions)

    def _greets(self, place: int, one: Heard) -> bool:
        """Whether it is how a mail begins, on a line of its own, whatever its words: "Moin,"."""
        clause = one.clause
        begins = place == 0 and one is self._heard[0][0] and len(clause.words) < 4 and clause.ends == ","
        return begins and not (one.mentions or one.verbs or one.doubts)

    def _points_at_form(self, one: Heard) -> bool:
        """Whether a side that it names is where its writer's lines stand: "my orders are below", also inside a quote:
        "I filled it in below"."""
        sides, at = set(values_of(one.mentions)), one.clause.number
        telling = bool(one.content) and one.says("first") and not one.verbs & ORDERING
        pointing = telling and one.says("refer")
        below = any(line.number > at for line in self.form.firm) or pointing
        above = any(line.number < at for line in self.form.firm) or pointing
        return (sides == {"south"} and below) or (sides == {"north"} and above)

    def _closes(self, one: Heard) -> bool:
        """Whether it says that all else is nothing ("the others live"), or that nothing is claimed."""
        weak = {value for order in self.orders if order.weak for value in order.parts[0].values}
        again = any(not weak.isdisjoint(mention.values) for mention in one.mentions)
        if again or not self._so_far or one.says("back", "or", "if", "judge"):
            return False  # "all looks alive to me. Nothing is dead"
        if one.asked:  # "H2 and nothing else?"
            return [mention.values for mention in one.mentions] == [("none",)] and bool(one.content)
        if one.verbs == {"claim"}:
            return one.says("not", "no") and not any(mention.number for mention in one.mentions)
        nothing = all({"none", "alive"}.intersection(mention.values) for mention in one.mentions)
        alone = len(one.clause.words) == len(one.mentions) or bool(one.doubts) or one.says("no", "first")
        return bool(one.mentions) and nothing and not alone

    def _again(self, one: Heard) -> bool:
        """Whether it only says once more a number that was ordered ("yes, twenty")."""
        said = {value for order in self.orders for part in order.parts for value in part.values}
        numbers = bool(one.mentions) and all(m.number and not said.isdisjoint(m.values) for m in one.mentions)
        return numbers and not (one.verbs or one.content or one.doubts)

    def _why(self, telling: Sequence[Heard]) -> tuple[str, ...]:
        """The words that cast doubt on what stands in a sentence; a question that is put."""
        ahead = ("later", "if") if self.ahead else ()
        same = self._same(telling)
        found = [
            word
            for one in telling
            for word in one.doubts
            if not (one.means(word, *ahead) or (same and one.means(word, "or")))
        ]
        found += [w for one in telling if not one.mentions for w in one.clause.words if one.means(w, "no")]
        found += [f"{one.clause.words[-1]}?" for one in telling if one.asked]
        found += [one.clause.words[0] for one in telling if one.differs or one.guessed]
        found += [word for one in telling for word in one.unread]
        found += [one.clause.text for one in telling if one.says("judge") and one.says("refer")]
        named = [at for at, one in enumerate(telling) if one.mentions]
        first = min(named, default=len(telling))
        first = first if not named or (telling[first].own and telling[first].verbs & ORDERING) else 0
        few = (one for one in telling[first:] if len(one.clause.words) <= 2)  # an aside: "just joking"
        found += [one.clause.text for one in few if one.content and not (one.mentions or one.courteous)]
        return tuple(dict.fromkeys(found))

    @staticmethod
    def _same(telling: Sequence[Heard]) -> bool:
        """Whether all that is named is one thing, in several words: "Cleo, or red"."""
        named = [{*mention.values} for one in telling for mention in one.mentions]
        return len(named) > 1 and bool(set.intersection(*named))

    def _concerns(self, telling: Sequence[Heard]) -> bool:
        """Whether a doubt in a sentence of its own is about the order."""
        if any(one.says("judge") and one.says("refer") for one in telling):
            return True
        if self.ahead and not any(one.mentions or one.says("refer", "back") for one in telling):
            return False  # "I know it is not my turn yet"
        told = (one for one in telling if not self._only_tells(one))
        named = any(not mention.number for one in told for mention in one.mentions)
        if all(one.doubtful <= {"or"} and not one.asked and not one.says("no") for one in telling):
            return named
        doubtful = frozenset(name for one in telling for name in one.doubtful)
        asked, bare = telling[-1].asked, not any(one.content or one.mentions for one in telling)
        if bare and "if" in doubtful and not any(one.says("other", "person") for one in telling):
            return True  # "Perhaps."
        mine = asked and not any(one.says("other") for one in telling)  # "what if I play so?"
        if ({"not", "later"} <= doubtful and not self.ahead) or (mine and "if" in doubtful):
            return True
        content = sum(len(one.content) for one in telling)
        judged = any((one.verbs & ORDERING and one.own) or one.says("judge") for one in telling)
        judged = judged or (content < 2 and any(one.says("no") for one in telling))
        pointing = any(one.says("refer") and (content < 2 or not one.refers <= _WEAK) for one in telling)
        ahead = all(line.number > telling[0].clause.number for line in self.form.firm) and not self.orders
        backed = bool(self._so_far) and not ahead and any(one.says("back") for one in telling)
        backed = backed or bool(telling[-1].clause.ends)
        return named or judged or pointing or backed

    # --- what is possible ----------------------------------------------------------------------------------------

    def _runs(self, place: int, telling: Sequence[Heard], why: tuple[str, ...]) -> list[bool]:
        """Whether each clause orders something: one part that several behind one another name together ("d6 to g6, and
        I take b4"), else each its own."""
        found, rest = list[bool](), list(telling)
        while rest:
            run = () if all(map(self._complete, rest[:2])) else self._longest(rest)
            if not run:
                found.append(self._clause(place, rest.pop(0), why))
                continue
            mentions = [mention for one in run for mention in one.mentions]
            (part,) = self._fitting(mentions, run)
            within = {one.clause.text for one in run}  # between two of its values nothing stands aside
            why = (*(word for word in why if word not in within), *self._led(place, run[0]))
            known = all(not one.content or (one.own and one.verbs & ORDERING) for one in run)
            roles, every = roles_of(part, mentions) or [], part.roles
            named = {*roles}
            twice = len(named) > 1 and all(roles.count(role) > 1 for role in named)  # "red on a3, blue on a4"
            known = known or ((len(named) >= WHOLE or twice) and not run[0].says("but"))
            led = run[0].own and bool(run[0].verbs & ORDERING) and all(len(one.content) < 2 for one in run)
            known = known or (led and named == every)
            alone = (one for one in run if not one.content)  # "upright on g, red on top: Rg2Bg1"
            known = known or any(self._complete(one) for one in alone)
            sure = not why and known and all(mention.sure for mention in mentions)
            number = next(one.clause.number for one in run if one.mentions)
            added = self._add(_Order(number, place, (part,), sure and part.group not in BINDING, why))
            found += [added] * len(run)
            rest = rest[len(run) :]
        return found

    def _longest(self, rest: Sequence[Heard]) -> Sequence[Heard]:
        """The clauses at the head of these that name one part together; none where one does."""
        run: Sequence[Heard] = ()
        for stop in range(2, len(rest) + 1):
            last = rest[stop - 1]
            if last.mentions and (stop > max(2, len(run)) + 2 or (run and self._complete(last))):
                break
            run = rest[:stop] if self._one_part(rest[:stop]) else run
        return run

    def _complete(self, one: Heard) -> bool:
        """Whether a clause names every role of what it names: no other goes on with it."""
        several = len(one.mentions) > 1 or any(mention.pieces for mention in one.mentions)
        parts = self._fitting(one.mentions, (one,)) if several else ()
        roles = ((part.roles, set(roles_of(part, one.mentions) or ())) for part in parts)
        return bool(parts) and all(len(every) > 1 and every == named for every, named in roles)

    def _one_part(self, run: Sequence[Heard]) -> bool:
        """Whether clauses, of which the first and last name something, name one part together."""
        denied = any(_denies(one, run) for one in run)
        if not (run[0].mentions and run[-1].mentions) or denied:
            return False
        if any(one.reported or one.says("or", "back") for one in run):
            return False
        mentions = [mention for one in run for mention in one.mentions]
        parts = self._fitting(mentions, run)
        if len(parts) != 1 or not any(mention.pieces for mention in mentions):
            return len(parts) == 1
        order = list(dict.fromkeys(role for role, _ in parts[0].slots))
        places = [order.index(role) for role in roles_of(parts[0], mentions) or ()]
        return places == sorted(places)

    def _clause(self, place: int, one: Heard, why: tuple[str, ...]) -> bool:
        """What a clause orders; whether it orders anything."""
        said, why = one.mentions, (*why, *self._led(place, one))
        if said and one.says("courtesy") and not one.verbs and not any(mention.sure for mention in said):
            return False  # "Happy Easter"
        nothing = bool(said) and all({"none", "alive"}.intersection(mention.values) for mention in said)
        if nothing and one.content and self._named_before(place, one):
            return False  # "C3 can't be saved. Nothing else"
        if said and "withdraw" in one.verbs:
            return False  # "I take my D3 back"
        if not said and one.verbs & _BESIDE and one.says("drop"):  # "forget the claim"
            self.dropped |= {line.number for line in self.form.firm if keyed(line.text)[0] in one.verbs}
            self.doubts.append(one.clause.text)
        if said and self._sentences[place].asked and self._wondering(place, one):
            return False
        drawn = bool(said) and all("draw" in mention.values for mention in said)
        heard = self._heard[place]
        behind = heard[heard.index(one) + 1 :][:1] if one.clause.ends == ":" else ()  # "draw: no"
        if drawn and ("decline" in one.verbs or any(x.says("not", "no") for x in (one, *behind))):
            return True  # a draw is declined by playing on
        if one.spoken and _denies(one, _telling(self._heard[place])):
            self.doubts += why or one.clause.words[:1]
            return False
        asked = self._sentences[place].asked
        wished = drawn and one.content and not (one.verbs & ORDERING or asked)
        if (one.reported and (wished or not drawn)) or self._supposing(place, one) or self._closes(one):
            return False
        if self.ahead and one.says("back", "past"):
            return False  # what was to be is nothing to come
        unknown = sum(len(other.content) for other in self._heard[place])
        if not said and self._sentences[place].asked and (not one.own or unknown >= _TALKS):
            return False  # "could nobody pass for me?"
        asks = bool(one.content) and self._sentences[place].asked
        counting = (asks and "claim" not in one.verbs) or self._counts(one) if said else False
        if counting and all(mention.number for mention in said):
            return False
        pointed = any(POINT.search(value) for mention in said for value in mention.values)
        wide = unknown >= _TALKS or any(other.says("judge") for other in self._heard[place])
        if said and asks and wide and not (pointed or one.verbs & ORDERING):
            return False  # "is a lone stone dead that nobody surrounds?"
        if signed := SIGNED.search(one.clause.text):
            rest = tuple(word for word in (*why, *one.content) if word not in words_of(signed[0]))
            order = _Order(one.clause.number, place, (Part(signed[0]),), not rest, rest)
            if self.form.says(signed[0]):
                return self._instead(place, one, order.parts, rest) if self._so_far else self._add(order)
        if said and not one.verbs & ORDERING and (one.thanks or self._only_touched(one)):
            return False
        groups = self._groups(one)
        alone = [self._fitting(mentions, (one,)) or self._against(one, mentions) for mentions in groups]
        firm = [self._sure(one, mentions, parts, why) for mentions, parts in zip(groups, alone, strict=True)]
        ordered = one.own and one.verbs & ORDERING and any(not mention.number for mention in said)
        if said and not all(alone):
            counted = all(m.number for m in said) and "play" not in one.verbs
            counted = counted and len(one.clause.words) > len(said)
            before = self._heard[place][: self._heard[place].index(one)]
            others = (x for x in self._heard[place] if x.content and x is not one and not x.courteous)
            beside = any(x in before or not x.mentions for x in others if not x.verbs & ORDERING)
            surely = ordered or (not beside and any(sure for sure, _, _ in firm))
            if surely and not counted:  # "3 cheers"
                self.tried.append(one)
            return False
        if one.says("or") and 1 < len(groups) <= _MOST_CHOICES and all(len(parts) == 1 for parts in alone):
            each = tuple(part for parts in alone for part in parts)
            return self._add(_Order(one.clause.number, place, each, False, firm[0][1]))
        binds = any(part.group in BINDING for parts in alone for part in parts)
        if binds and self._sentences[place].asked and any(x.says("or", "if") for x in self._heard[place]):
            return False  # "if I play on, is the offer gone, or can I still accept it?"
        if binds and one.says("later") and not one.verbs & BINDING:
            return False  # "about the draw when I am home again"
        found, already = False, len(self.orders)
        for mentions, meant, (surely, unsure, ordering) in zip(groups, alone, firm, strict=True):
            parts = self._fitting(mentions, (one,))
            unsure_still = bool(self.orders) and (already > 0 or len(self.orders[0].parts) == 1)
            unsure_still = unsure_still and not (self.form.firm or any(o.sure for o in self.orders))
            if 0 < len(parts) <= _MOST_CHOICES:
                weak = not surely and not why and all(mention.sure for mention in mentions)
                sure = surely and len(parts) == 1
                found = self._add(_Order(one.clause.number, place, tuple(parts), sure, unsure, weak)) or found
            elif meant and not parts and (ordering or unsure_still or self._taken_back(place, one)):
                found = self._instead(place, one, meant, unsure) or found
        if "claim" in one.verbs and not (said or one.doubts or one.says("no")):
            open_still = self.form.possible(self._so_far, ("2",), ())
            ordered = any(part.group == "claim" for _, part in open_still)
        if not found and ordered:
            self.tried.append(one)
        pairs = zip(groups, alone, strict=True)
        if found and (lost := [group for group, parts in pairs if len(parts) > _MOST_CHOICES]):
            self.doubts.append(one.clause.text)  # "the white four to c4" is no goal of four
            self.unheld.add(one.clause.number)
            self.unsaid += [m.values for group in lost for m in group]
        return found

    def _named_before(self, place: int, one: Heard) -> bool:
        """Whether anything was named before a clause, and that not nothing."""
        heard = self._heard[place]
        before = (*(x for some in self._heard[:place] for x in some), *heard[: heard.index(one)])
        return any(
            not {"none", "alive"}.intersection(m.values) for x in before for m in x.mentions if not m.number
        )

    def _wondering(self, place: int, one: Heard) -> bool:
        """Whether a question, or one before it where it orders nothing itself, says what is to be known: "red or blue,
        what does it change?"; not "d4 or e4, what now?", "how about d4?"."""
        heard, begun = self._heard[place], place if one.own and one.verbs & ORDERING else 0
        before = one.clause.words[: one.mentions[0].start]
        few = sum(len(x.content) for x in heard) < 2 and not any(x.says("other") for x in heard)
        few = few and any(one.means(word, "what") for word in before)
        asking = (at for at in range(begun, place + 1) if self._sentences[at].asked)
        wanted = any(
            x.says("what") and (x.content or x.says("other")) for at in asking for x in self._heard[at]
        )
        return wanted and not (few or any(x.says("judge") for x in heard))

    def _only_tells(self, one: Heard) -> bool:
        """Whether it speaks of what no answer is about now: "below my stone on H3"."""
        about = self._vocabulary.about or frozenset()
        keyed = one.clause.number in self.form.behind_keys
        apart = about.isdisjoint(values_of(one.mentions)) and not (keyed or one.verbs & ORDERING)
        return apart and bool(one.content or one.says("first", "other"))

    def _only_touched(self, one: Heard) -> bool:
        """Whether it names but one of a part's many roles ("my King is in trouble"), or says nothing of nothing ("none
        the wiser")."""
        if all("none" in mention.values for mention in one.mentions):
            behind = one.clause.words[one.mentions[-1].stop :][:1]
            led = bool(one.content) and any(one.means(word, "small") for word in behind)
            led = led or (one.negates and len(one.content) > 1)  # "non sto dichiarando niente"
            return led and not one.says("thing", "first")
        if not (one.content or one.doubts or one.addresses):
            return False
        parts = self._fitting(one.mentions, (one,)) or self._fitting(one.mentions, (one,), said=False)
        named = max((len(set(roles_of(part, one.mentions) or ())) for part in parts), default=0)
        return named == 1 and all(len(part.roles) >= WHOLE for part in parts)

    def _counts(self, one: Heard) -> bool:
        """Whether a number counts something that no answer is about ("2 days"), or may: it has other words beside it,
        and nothing of the game."""
        behind = one.clause.words[one.mentions[-1].stop :][:1]
        if "claim" in one.verbs or any(word in one.content or one.orders_by(word) for word in behind):
            return "claim" not in one.verbs
        return (
            bool(one.content)
            and not one.verbs & ORDERING
            and not one.says("thing")
            and not (self._so_far and (one.says("first") or (one.says("and") and len(one.content) < 2)))
        )

    def _supposing(self, place: int, one: Heard) -> bool:
        """Whether it is the condition of a clause behind it: "if he plays d4, I take e5"."""
        begins = one.doubts[:1] == one.clause.words[:1]  # "would d4 be legal?" supposes nothing
        if not (one.mentions and begins and one.says("if")) or one.says("judge"):
            return False
        behind = self._heard[place][self._heard[place].index(one) + 1 :]
        apart = [
            x for x in behind if x.clause.text != one.clause.text and not x.says("or")
        ]  # "maybe d4 and e5"
        return any(x.mentions or x.verbs & ORDERING for x in apart)

    def _led(self, place: int, one: Heard) -> tuple[str, ...]:
        """The clauses before it that tell that what stands behind their colon, or behind them, is somebody else's."""
        leading = self._heard[place][: self._heard[place].index(one)]
        said = one.clause.text[:1] in _QUOTES
        return tuple(
            other.clause.text
            for other in leading
            if (other.clause.ends == ":" and (other.reported or (other.mentions and other.content) or said))
            or (other.reported and not other.mentions and not other.courteous and not other.says("person"))
        )

    def _groups(self, one: Heard) -> list[tuple[Mention, ...]]:
        """What a clause names, as few parts as say it all."""
        groups, rest = list[tuple[Mention, ...]](), one.mentions
        while rest:
            lengths = range(len(rest), 1, -1)
            fit = (n for n in lengths if self._fitting(rest[:n], (one,)) or self._against(one, rest[:n]))
            length = next(fit, 1)
            groups.append(rest[:length])
            rest = rest[length:]
        return groups or [()]

    def _fitting(
        self, mentions: Sequence[Mention], telling: Sequence[Heard], *, said: bool = True
    ) -> list[Part]:
        """The parts that all of these name: what their verbs say before what they don't, what is owed before what is
        open; of those the ones that leave least open, and stand in the order in which they are named."""
        verbs = frozenset(verb for one in telling for verb in one.verbs) & ORDERING
        if verbs & {"accept", "decline"}:
            verbs -= {"offer"}  # "I accept your offer"
        if not mentions and not verbs:
            return []
        named = values_of(mention for one in telling for mention in one.mentions)
        numbers = {one.clause.number for one in telling}
        wanted = {demand.kind for demand in self.form.wanted}
        keys = (self.form.keyed[number][0] for number in numbers & self.form.keyed.keys())
        headed = (self.form.kinds.get(key) or self.form.kinds.get(self.form.slip_of(key)) for key in keys)
        kinds = tuple(sorted(kind for kind in {*headed} if kind in wanted))
        found: dict[str, tuple[tuple[bool, bool, int, int, bool], Part]] = {}
        for demand, part in self.form.possible(self._so_far if said else (), named, kinds):
            fits = bool(kinds and mentions) or says(verbs, part)
            if not fits and (not mentions or part.group not in WORDLESS):
                continue
            if not mentions and part.slots:
                continue
            if (roles := roles_of(part, mentions)) is None:
                continue
            order = list(dict.fromkeys(role for role, _ in part.slots))
            places, left = [order.index(role) for role in roles], len(order) - len(set(roles))
            mixed = sum(a != b for a, b in pairwise(places)) + 1 - len(set(places))
            rank = (not fits, demand not in self.form.owed, left, mixed, places != sorted(places))
            found.setdefault(part.line, (rank, part))
        if "offer" not in verbs and any(part.group == "accept" for _, part in found.values()):
            found = {line: (rank, part) for line, (rank, part) in found.items() if part.group != "offer"}
        counted = {
            a for a, b in pairwise(mentions) if a.number and a.stop == b.start and b.values[0].isalpha()
        }
        rest = [mention for mention in mentions if mention not in counted]  # "four Benders on a9, b9, ..."
        if not found and counted and len(rest) > 1 and not any(mention.number for mention in rest):
            return self._fitting(rest, telling, said=said)
        best = min((rank for rank, _ in found.values()), default=None)
        return [part for rank, part in found.values() if rank == best]

    @property
    def _so_far(self) -> tuple[str, ...]:
        firm = () if self.dropped else self.form.canonical
        return (*firm, *(order.parts[0].line for order in self.orders if order.parts[0].line))

    def _sure(
        self, one: Heard, mentions: Sequence[Mention], parts: Sequence[Part], why: tuple[str, ...]
    ) -> tuple[bool, tuple[str, ...], bool]:
        """Whether a clause surely orders what it names; else what casts doubt on it; and whether it does but for these
        doubts."""
        verbs = one.verbs & (ORDERING | {"undo", "withdraw"})
        ordered = bool(verbs) and one.own and all(says(verbs, part) for part in parts)
        roles = max((len(set(roles_of(part, mentions) or ())) for part in parts), default=0)
        binds = any(part.group in BINDING for part in parts)
        silent = bool(mentions) or (ordered and not one.says("courtesy", "refer", "other"))
        firm = silent and not one.content and (ordered or not verbs)
        apart = any(a.stop < b.start for a, b in pairwise(mentions)) and not one.says("courtesy", "other")
        within = [word for a, b in pairwise(mentions) for word in one.clause.words[a.stop : b.start]]
        apart = apart and all(
            word in within for word in one.content
        )  # "d4 hops to g7", no "anything but g7 x b4"
        firm = firm or (ordered and bool(mentions) and not one.says("other")) or (roles > 1 and apart)
        few = len(one.content) <= _TALKS and not one.says("courtesy", "other", "what", "judge", "for")
        # "Blue stretches along the edge to C1"
        firm = firm or (one.ours and few and bool(mentions) and one.begins)
        firm = firm and not one.says("past") and (ordered or all(part.group == "play" for part in parts))
        firm = firm or (one.clause.number in self.form.behind_keys and not one.content)
        put_off = self.ahead and one.doubtful and one.doubtful <= {"if", "later"}
        firm = firm or bool(put_off and mentions and not one.says("other", "person", "past"))
        held = all(roles_of(part, mentions) is not None for part in parts)
        unsure_of = [m for m in mentions if not m.sure or (m.number and not held)]
        slips = tuple(" ".join(one.clause.words[m.start : m.stop]) for m in unsure_of)
        doubts = (*why, *slips)
        unsure = doubts or (() if firm else one.content[:1] or (one.clause.text,))
        return firm and not doubts and not binds, unsure, firm

    def _add(self, order: _Order) -> bool:
        """The order, unless it says again what another has said."""
        again = [at for at, one in enumerate(self.orders) if one.parts == order.parts and one.weak]
        if again and order.sure:  # "with white we have 33 together. So I ally with white"
            weak = self.orders[again[0]]
            self.left.append(Line(weak.number, self._sentences[weak.sentence].text))
            self.orders[again[0]] = order
        elif not self._said_already(order.parts):
            self.orders.append(order)
        elif order.why:
            self.doubts += order.why
        return True

    def _said_already(self, parts: Iterable[Part]) -> bool:
        every = (part.line.splitlines() for other in self.orders for part in other.parts)
        said = {line for lines in every for line in lines}
        return not (said | set(self.form.canonical)).isdisjoint(part.line for part in parts)

    # --- one in the place of another -----------------------------------------------------------------------------

    def _against(self, one: Heard, mentions: Sequence[Mention]) -> list[Part]:
        """The parts that these would name if nothing else were said."""
        found = self._fitting(mentions, (one,), said=False) if self._so_far else []
        return found if len(found) <= _MOST_CHOICES else []

    def _taken_back(self, place: int, one: Heard) -> bool:
        """Whether a clause, what stands beside those of its sentence, or the sentence before, takes something back."""
        before = [x for x in (self._heard[place - 1] if place else ()) if x.says("back") or not x.content]
        heard = self._heard[place]
        first = next((at for at, x in enumerate(heard) if x.mentions and x is not one), 0)
        beside = [other for other in heard[first:] if not other.mentions]  # not "sorry for the delay, ..."
        aside = [x for x in beside if x.content and len(x.clause.words) == 2]  # "no problem"
        return any(x.says("back", "no", "not") for x in (*before, *beside, one) if x not in aside)

    def _instead(self, place: int, one: Heard, parts: Sequence[Part], why: tuple[str, ...]) -> bool:
        """What is said against what was said before: the later one where that is taken back, else both are asked
        about."""
        if self._said_already(parts):
            sure = not why and parts[0].group not in BINDING
            return self._add(_Order(one.clause.number, place, tuple(parts), sure, why))
        also = not why and any(x.says("and") for x in self._heard[place])
        surely = not why and one.own and bool(one.verbs & ORDERING)
        group, why = parts[0].group, why or (one.clause.text,)
        order = _Order(one.clause.number, place, tuple(parts), sure=False, why=why)
        same = [other for other in self.orders if other.group == group]
        passing = [each for each in same if each.weak or (surely and not each.sure)]  # were only named
        whole = not any(parts[0].values.isdisjoint(m.values) for m in one.mentions)
        whole = whole and not any("if" in x.doubtful for x in self._heard[place]) and self.form.sound
        if self._taken_back(place, one) and (one.mentions or not one.content):
            self.left += (Line(other.number, self._sentences[other.sentence].text) for other in same)
            self.replaced |= {other.number for other in same}
            self.orders = [*(other for other in self.orders if other.group != group), order]
            self.dropped |= {line.number for line in self.form.firm}
        elif passing and all(other.sentence != place for other in same):
            self.left += (Line(other.number, self._sentences[other.sentence].text) for other in passing)
            rest = (other for other in self.orders if other not in passing)
            self.orders = [*rest, replace(order, sure=True, why=())]
        elif self.orders:
            alike = [at for at, other in enumerate(self.orders) if other.group == group]
            at = (alike or [0])[0]
            *others, _ = self.orders[at].parts
            if (both := self._both(self.orders[at].parts[-1], parts)) is not None:  # "F6 is dead. C3 too"
                sure = self.orders[at].sure and also
                unsure = () if sure else (*self.orders[at].why, *why)
                self.orders[at] = replace(self.orders[at], parts=(*others, both), sure=sure, why=unsure)
                return True
            self.orders[at] = replace(
                self.orders[at], parts=(*self.orders[at].parts, *parts), sure=False, why=why
            )
        elif len(self.form.firm) == 1 == len(self.form.canonical) and whole:  # "Move: F3", below "I play G3"
            said = Part(self.form.canonical[0], (), group)
            self.orders.append(replace(order, parts=(said, *parts), sure=False, why=why))
            self.dropped |= {line.number for line in self.form.firm}
        else:
            self.doubts += why
        return True

    def _both(self, ordered: Part, parts: Sequence[Part]) -> Part | None:
        """The one part that says what one says that is ordered, and these as well."""
        if len(parts) > 1:
            return None
        said = tuple(dict.fromkeys(v for part in (ordered, *parts) for _, v in part.slots))
        every = (part for _, part in self.form.possible((), said, ()))
        found = {part.line: part for part in every if part.values.issuperset(said)}
        fewest = min((len(part.slots) for part in found.values()), default=0)
        best = [part for part in found.values() if len(part.slots) == fewest]
        return best[0] if len(best) == 1 else None

    # --- all of it together --------------------------------------------------------------------------------------

    def _decided(self) -> Meaning:
        """What the mail comes to: the one answer that its words leave, sure or asked about; up to three; or what is
        wrong with it."""
        lines = {*self.form.canonical, *(part.line for order in self.orders for part in order.parts)}
        same = (part for parts in self.form.parts.values() for _, part in parts if part.line in lines)
        named = {value for part in same for value in part.values}
        held = named | {piece for v in named if PLACE.fullmatch(v) for piece in (v[:1], v[1:])}
        lost = (x for x in self.lost if any(held.isdisjoint(m.values) for m in x.mentions))
        self.doubts += (x.clause.text for x in lost)  # not "lift the one on e": "red e3, blue f3"
        claimed = any(order.group == "claim" for order in self.orders)
        said = {*named, ""} if claimed else named
        values = [(one, {m.values[0] for m in one.mentions or _NOTHING} - said) for one in self.tried]
        self.tried = [one for one, some in values if not all(of_points(v, said) for v in some)]
        several = next((order for order in self.orders if len(order.parts) > 1), None)
        choices = several.parts if several is not None else ()
        if len(choices) > _MOST_CHOICES or (self.tried and not self.orders):
            return self._tried() or self._still()
        ways = [self._composed(several, part) for part in choices] or [self._composed(None, None)]
        firm = {order.group for order in self.orders if not order.weak}
        surely = [order for order in self.orders if not (order.weak and order.group in firm)]
        if several is None and surely != self.orders:  # without what was only named
            every, self.orders = self.orders, surely
            ways.append(self._composed(None, None))
            self.orders = every
        fair = self._fair(ways)
        apart = self._apart
        if not fair and 1 < len(self.orders) <= _MOST_CHOICES and not choices and apart:
            every, alone = self.orders, [[order] for order in self.orders]  # not all at once
            fair, self.orders = self._fair(self._composed(None, None) for self.orders in alone), every
            fair = fair if len(fair) == len(every) else []  # one of them alone would leave another out
            self.doubts += (order.parts[0].line for order in every if fair)
        if several is not None and not fair and any(order.sure for order in self.orders):
            self.doubts.append(self._sentences[several.sentence].text)  # "D5. Expect the hane at D4 or D6"
            self.orders, several = [order for order in self.orders if order is not several], None
            fair = self._fair([self._composed(None, None)])
        self.doubts += (one.clause.text for one in self.tried)
        why = tuple(dict.fromkeys((*self.doubts, *(word for order in self.orders for word in order.why))))
        points = (values for values in self.unsaid if any(map(PLACE.fullmatch, values)))
        if len(fair) > 1 and any(self._more(values, named) for values in points):
            return self._still()  # "b2, then c2, then d2" is no "b2-c2"
        if len(fair) > 1:
            told = tuple(text for _, _, text in fair)
            return fair[0][0], replace(fair[0][1], action=None, choices=told, doubts=why)
        if not fair and self.orders and all(self._sentences[o.sentence].asked for o in self.orders):
            return self._instead_of({order.number: () for order in self.orders})  # "3 Zombies or 4 Benders?"
        unsure = bool(self.orders) and not (self.dropped or any(order.sure for order in self.orders))
        if not fair and unsure and self.form.sound:
            self.doubts += (self._sentences[order.sentence].text for order in self.orders)
            return self._still()  # a whole form, and "by evening I give up"
        tries = self.form.faulty & {line.number for line in self.form.written[1].orders} - self._held
        if not fair and (not apart or tries):
            return self._still()
        demand, reading, text = fair[0] if fair else ways[0]
        if self._certain(demand, reading, several):
            return demand, reading
        sure = any(order.sure for order in self.orders)
        beside = self.unsaid if sure else [*self.unsaid, *self.passed]
        if fair and (rivals := self._rivals(fair[0], sure=sure)):
            return demand, replace(reading, action=None, choices=(text, *rivals), doubts=why)
        short = any(self._more(values, named) for values in beside)
        vague = short or bool(self.tried) or (not fair and len(self.orders) < 2 and self.form.owed)
        clauses = (one for sentence in self._heard for one in sentence)
        chosen = any(one.says("or", "back") for one in clauses)  # "pass, or rather a1-b2"
        if vague and not chosen and not self.form.written[1].orders:
            return self._tried() or self._still()
        if not stands(reading):
            guessed = bool(why) and len(self.orders) > 1 and not (sure or self.form.written[1].orders)
            return self._still() if guessed else (demand, reading)
        return demand, replace(reading, choices=(text,), doubts=why)

    def _rivals(self, way: Way, *, sure: bool) -> list[str]:
        """What else the mail may come to: that with the offer of a draw, of which it speaks; where nothing in it is
        sure another answer, of a single value, that is only named."""
        text, spoken_of = way[2], dict.fromkeys((*self.unsaid, *self.passed))
        lines = [self._offering(text)] if ("draw",) in spoken_of else []
        groups = {order.group for order in self.orders if len(order.parts[0].roles) == 1}
        for values in spoken_of if groups and not (sure or self.form.firm) else ():
            every = (part for _, part in self.form.possible((), values, ()))
            parts = [part for part in every if not part.values.isdisjoint(values)]
            fewest = min((len(part.slots) for part in parts), default=0)
            lines += [
                x.line for x in parts if x.group in groups and len(x.slots) == fewest and len(x.roles) == 1
            ]
        fair = (line for line in dict.fromkeys(lines) if line != text)
        found = [line for line in fair if self.form.holds(*self.form.read(Body.of(line)))]
        return found if len(found) < _MOST_CHOICES else []

    def _still(self) -> Meaning:
        """What stands in the notation; asked about where anything casts doubt on it."""
        demand, reading = self.form.written[0], self._told(self.form.written[1])
        why = (*self.doubts, *(one.clause.text for one in self.tried))
        if not (why and self.form.firm and stands(reading)):
            return demand, reading
        return demand, replace(reading, choices=(self.form.whole,), doubts=tuple(dict.fromkeys(why)))

    def _more(self, values: tuple[str, ...], named: Set[str]) -> bool:
        """Whether values may be ordered besides what was, or together with it."""
        if not named.isdisjoint(values) or values in self.stated:
            return named.isdisjoint(values)
        besides = self.form.possible(self._so_far, values, ())
        if any(not part.values.isdisjoint(values) for _, part in besides):
            return True
        every = (
            self.form.possible((), (*sorted(named), *values), ()) if any(map(PLACE.fullmatch, values)) else ()
        )
        return any(not (part.values.isdisjoint(values) or part.values.isdisjoint(named)) for _, part in every)

    @property
    def _held(self) -> set[int]:
        return {order.number for order in self.orders if not order.why} - self.unheld

    @property
    def _surely(self) -> set[int]:
        """The sentences that order, and name nothing besides."""
        return {order.sentence for order in self.orders if not order.why and order.number not in self.unheld}

    @property
    def _ordering_lines(self) -> set[int]:
        """The lines on which these go on."""
        said = (self._sentences[at] for at in self._surely)
        return {number for one in said for number in one.lines - {one.number}}

    @property
    def _repeating(self) -> set[int]:
        """The lines of sentences that name nothing but what is ordered."""
        said = {w for o in self.orders if len(o.parts) == 1 for slot in o.parts[0].slots for w in slot}
        ordering = {order.sentence for order in self.orders}
        pairs = ((n, one) for n, one in enumerate(self._sentences) if n not in ordering)
        told = ((one, [m for x in self._heard[n] for m in x.mentions]) for n, one in pairs)
        again = (one for one, every in told if every and all(said.intersection(m.values) for m in every))
        return {number for one in again for number in one.lines}

    @property
    def _apart(self) -> bool:
        """Whether no key has two orders of a kind in its own sentence."""
        keyed = (o for o in self.orders if o.number in self.form.behind_keys and o.sentence in self._leading)
        given = [(order.number, order.group) for order in keyed]
        return len({*given}) == len(given)

    @cached_property
    def _leading(self) -> frozenset[int]:
        """The sentences that begin a line."""
        found: dict[int, int] = {}
        for place, sentence in enumerate(self._sentences):
            found.setdefault(sentence.number, place)
        return frozenset(found.values())

    def _fair(self, ways: Iterable[Way]) -> list[Way]:
        """Those that the rules allow, and that leave out no faulty line of the notation, nor a square of one."""
        ordered = {order.number for order in self.orders} - {line.number for line in self.left} - self.partly
        ordered |= self._ordering_lines
        tried = {line.number for line in self.form.written[1].orders} - self.form.blank
        numbers = tried & self.form.faulty - self.dropped - ordered
        own = [line for line in self.form.lines if line.number in numbers]
        if not self._apart or any(
            line.number in self.form.behind_keys and line.number in self.partly for line in own
        ):
            return []  # "Prefer: blue, rde"
        return [way for way in ways if self.form.holds(way[0], way[1]) and not any(unsaid(way[2], own))]

    def _certain(self, demand: Demand, reading: Reading[Any], several: _Order | None) -> bool:
        """Whether nothing casts doubt on what the mail comes to."""
        answer = seam.answer_of(self.form.standing.game, demand.kind)
        sure = not self.doubts and all(order.sure or order is several for order in self.orders)
        if several is not None:
            sure = sure and not several.why
        if self.orders and reading.action is not None:
            sure = (
                sure
                and not answer.in_own_words
                and not answer.binds(reading.action)
                and self.form.fits(demand)
            )
        return sure

    def _tried(self) -> Meaning | None:
        """What is wrong with a value that is surely ordered, and is no part of any answer: it is written into the usual
        line, and its game says it."""
        for number in dict.fromkeys(one.clause.number for one in self.tried):
            heard = (one for sentence in self._heard for one in sentence if one.clause.number == number)
            values = [mention.values[0] for one in heard for mention in one.mentions]
            if not any(map(str.isdigit, "".join(values))):
                continue
            for demand in self.form.owed or self.form.wanted[:1]:
                heading = seam.answer_of(self.form.standing.game, demand.kind).headings[0]
                for text in dict.fromkeys((" ".join(values), "-".join(values))):
                    found, reading = self._instead_of({number: [f"{heading}: {text}"]})
                    told = reading.action is not None or any(one.line for one in reading.complaints)
                    wrong = not stands(reading) or self.form.standing.faults(found, reading)
                    if told and wrong and found.kind == demand.kind:
                        return found, reading
        return None

    def _composed(self, several: _Order | None, chosen: Part | None) -> Way:
        """The mail with the parts in the place of their sentences."""
        unsaid = self.form.blank if self.orders else ()
        numbers = (*(line.number for line in self._worded), *self.dropped, *unsaid)
        texts: dict[int, list[str]] = {number: [] for number in numbers}
        for order in self.orders:
            part = chosen if order is several and chosen is not None else order.parts[0]
            texts.setdefault(order.number, []).extend(self._unsaid_of(part, order.number))
        kept = {number: [line for line in lines if line] for number, lines in texts.items()}
        demand, reading = self._instead_of(kept)
        if len(self.orders) == 1 and not (self.form.firm or stands(reading)):  # of another kind alone
            said = chosen or self.orders[0].parts[0]
            game, state = self.form.standing.game, self.form.standing.state
            for of in (d for found in self.form.parts.values() for d, part in found if part == said):
                other = seam.read(game, state, of, Body.of(said.line), self.form.party)
                if stands(other):
                    return of, other, said.line
        firm = {line.number: [line.text] for line in self.form.firm} | {
            n: lines for n, lines in kept.items() if lines
        }
        stand = (number for number in sorted(firm) if number not in self.dropped or kept[number])
        return demand, reading, "\n".join(text for number in stand for text in firm[number])

    def _unsaid_of(self, part: Part, number: int) -> list[str]:
        """The lines of a part, but for the statements that stand in the mail behind the line that it is put for."""
        first, *stated = part.line.split(", ")
        behind = (line.text.strip().split(", ") for line in self.form.lines if line.number > number)
        said = {one for told in takewhile({*stated}.issuperset, behind) for one in told}
        return ", ".join((first, *(one for one in stated if one not in said))).splitlines()

    def _instead_of(self, texts: Mapping[int, Sequence[str]]) -> Meaning:
        """The mail read with other texts in the place of some lines; told of as it was written."""
        lines: list[Line] = []
        written = {line.number: line for line in self.form.body.lines}
        for line in self.form.lines:
            for place, text in enumerate(texts.get(line.number, [line.text])):
                number = max(written) + 1 if place else line.number
                lines.append(Line(number, text))
                written[number] = written[line.number]
        demand, reading = self.form.read(Body(lines))
        return demand, self._told(as_written(reading, written))

    def _told(self, reading: Reading[Any]) -> Reading[Any]:
        """With what is taken as words: whole lines, and the sentences that stand in a line with an order."""
        ordering, faulty = {line.number for line in reading.orders}, faulty_in(reading)
        lines = (line for line in self.form.body.lines if line.number not in ordering | faulty)
        told = {
            number for at, one in enumerate(self._sentences) for number in one.lines if at not in self._surely
        }
        whole = self._ordering_lines - told
        words = (line for line in lines if line.text.strip() and line.number not in whole)
        beside = (line for line in self.left if line.number in ordering - faulty)
        said = [(o.number, self._sentences[o.sentence].text) for o in self.orders]
        tries = [x for x in self.left if said or self.tried or any(map(str.isdigit, x.text))]
        talk = () if ordering else (*tries, *(Line(*x) for x in dict.fromkeys(said)))
        held = self._held | self.replaced | self.dropped | self._ordering_lines | self._repeating
        worded = tuple(line for line in self.form.body.lines if line.number in held)
        return replace(reading, courtesy=(*words, *beside), talk=talk, worded=worded)


def _telling(heard: Sequence[Heard]) -> list[Heard]:
    """The clauses that tell something: no courtesy, nor the name that a greeting goes to ("good luck, Player 3")."""
    pairs = ((a, b) for a, b in pairwise(heard) if a.clause.number == b.clause.number)
    called = [b for a, b in pairs if (a.sorry or (a.courteous and a.says("courtesy"))) and b.addresses]
    return [one for one in heard if not one.courteous and one not in called]


def _denies(one: Heard, telling: Sequence[Heard]) -> bool:
    """Whether a clause denies what it names, or drops it ("forget d4"); a question does not where it begins so ("isn't
    F2 dead?")."""
    if not one.mentions:  # "I am not ready yet"
        return "not" in one.doubtful and bool(one.verbs & (ORDERING - _BESIDE)) and not telling[-1].asked
    if any(one.means(word, "drop") for word in one.clause.words[: one.mentions[0].start]):
        return True
    return one.denied and (bool(one.verbs & ORDERING) or not (telling[-1].asked and one is telling[0]))
