"""What a mail asks of the desk in other words than a command's: how its match stands, the moves so far, the rules; and
what it would have changed: days on which its writer is away, his zone, how letters come to him.

The forms of the table `[wishes]` point to a topic. **A topic alone asks nothing: its sentence is a question, begins as
one, or says nothing else.** Days and cities are what Babel calls them in the language of their sentence.
"""

from __future__ import annotations

import re
import tomllib
from calendar import day_name, month_name
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import cache, cached_property
from importlib.resources import files
from itertools import chain, pairwise, product
from typing import Final, Literal
from zoneinfo import available_timezones

from referee.core.game import AnyGame
from referee.core.value import Line, Value
from referee.language.hearing import Heard, Vocabulary, heard, languages_of, named_words, spoken_in
from referee.language.sentences import LONGEST, Sentence, pieces, sentences, words_of
from referee.language.words import FRAME, Lexicon, called, known_anywhere, lexicons, plain, words_of_all

WHOLE: Final = frozenset(("rules", "record", "board", "help", "receipt"))  # answered by letters of their own
_ASKED: Final = ("turn", "due", "subject", "worth", "rules", "receipt", "record", "board", "help")
_BEGIN: Final = frozenset(("turn", "due", "worth"))  # what begins with their words is a question
_BARE: Final = 4  # words of a line that is but a topic
_WORDY: Final = 3  # words that nobody knows, beside which the board is hardly what is asked for
_ON_A_DAY: Final = {"since": "from", "until": "until", "next": "next", "this": "this", "tomorrow": "tomorrow",
                    "weekend": "weekend", "one": "a"}  # fmt: skip
_DOTTED: Final = re.compile(r"(?<!\S)(\d[\d.]*)\.(?=\s+\S)")  # "10. bis 14. März" ends no sentence
_HOUR: Final = re.compile(r"\b\d{1,2}(?:[:h]\d{2}|\s?(?:[ap]m|h|uhr))\b")
_TOLD: Final = re.compile(r"\d[\d./-]*(?:st|nd|rd|th)?|[^\W\d_]+|-+")
_ADDRESS: Final = re.compile(r"[^\s@<>,;:\"()]+@[^\s@<>,;:\"()]+\.[^\s@<>,;:\"().]+")
_TO: Final = re.compile(r"\s*@(\w+)\W+(\S.*)")
_POINT: Final = re.compile(r"[a-z]\d")
_MATCH: Final = re.compile(r"[a-z]\w*(?:-\w+)+")
_PLACES: Final = frozenset(
    ("Africa", "America", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")
)


class Wish(Value):
    """A command that a mail wishes for, and what stands behind it: of an absence its days in English, in each way in
    which its words may be put together, of words to a player his name and they."""

    command: str
    said: tuple[str, ...] = ()


class Wishes(Value):
    """A mail's: the topics that it `asks` about, each once, `plainly` by a question, and the commands that it `wants`;
    `only`: each of its sentences plainly asks, and names no point; `asked`: one of them is a question."""

    asks: tuple[str, ...] = ()
    wants: tuple[Wish, ...] = ()
    plainly: frozenset[str] = frozenset()
    only: bool = False
    asked: bool = False

    def __bool__(self) -> bool:
        return bool(self.asks or self.wants)


NO_WISHES: Final = Wishes()


def wishes(own: Iterable[Line], subject: str, named: frozenset[str], language: str = "") -> Wishes:
    """Those of a mail's own words and its subject; `named`: the words of its writer's name."""
    lines = [Line(line.number, _DOTTED.sub(r"\1", line.text)) for line in own]
    vocabulary = Vocabulary("", {}, named)
    body = sentences(lines)
    cut = [*sentences((Line(0, _DOTTED.sub(r"\1", subject)),)), *body]
    whole = Sentence([clause for sentence in body for clause in sentence.clauses])
    hint = next((lexicon.code for lexicon in spoken_in(whole, vocabulary)), language)
    said = [_Said(sentence, heard(sentence, vocabulary, hint)) for sentence in cut]
    telling = [one for one in said if one.first and not all(clause.courteous for clause in one.clauses)]
    plainly = frozenset(topic for one in said if one.questions for topic in one.topics)
    asks, wants = _asked(said), tuple(dict.fromkeys(_wanted(said)))
    only = bool(asks or wants) and bool(telling) and all(one.only for one in telling)
    return Wishes(asks, wants, plainly, only, any(one.asked for one in body))


def asked_of(
    own: Iterable[Line], slug: str, names: Iterable[str], people: Iterable[str]
) -> Literal["turn", "rules", ""]:
    """What a mail's questions are about, whatever their words: another player, or a thing of the game, one of `names`
    too; a point is none."""
    vocabulary = Vocabulary(slug, named_words((name, (name,)) for name in names))
    asked = [one for one in sentences(own) if one.asked and not _POINT.search(plain(one.text))]
    said = {word for one in asked for clause in one.clauses for word in clause.words}
    if not said.isdisjoint(word for name in people for word in words_of(name)):
        return "turn"
    return "rules" if any(map(vocabulary.thing, said)) else ""


def points_to_subject(own: Iterable[Line]) -> bool:
    """Whether a mail's own words, few as they are, say where its order stands ("siehe Betreff")."""
    said = [word for line in own for word in words_of(line.text)]
    told = (one.wishes.get(word, ()) for word in said for one in lexicons().values())
    return len(said) <= _BARE and ("", "subject") in chain.from_iterable(told)


class _Said(Value):
    sentence: Sentence
    clauses: tuple[Heard, ...]

    @property
    def first(self) -> int:
        """The number of its line; 0 is the subject."""
        return self.sentence.number

    @cached_property
    def lexicons(self) -> tuple[Lexicon, ...]:
        """Of the languages that it may be in, and English, whose words for the desk are known everywhere."""
        spoken = self.clauses[0].spoken or tuple(lexicons().values())
        return tuple({lexicon.code: lexicon for lexicon in (*spoken, lexicons()["en"])}.values())

    @cached_property
    def pointing(self) -> tuple[tuple[int, int, str], ...]:
        """What points to a topic: in which clause, at which word."""
        return tuple(
            (number, at, topic)
            for number, one in enumerate(self.clauses)
            for lexicon in self.lexicons
            for at, word in enumerate(one.clause.words)
            for second, topic in lexicon.wishes.get(word, ())
            if not (topic == "record" and self._in_passing(one, at))
            if not second
            or any(second in more.clause.words for more in self.clauses[number + 1 :])
            or second in one.clause.words[at + 1 :]
        )

    @staticmethod
    def _in_passing(one: Heard, at: int) -> bool:
        """Whether a word only says that something is said: "for the record"."""
        led = any(one.means(word, "for") for word in one.clause.words[max(0, at - 2) : at])
        return led and not one.verbs

    @cached_property
    def topics(self) -> frozenset[str]:
        return frozenset(topic for _, _, topic in self.pointing)

    @cached_property
    def questions(self) -> bool:
        return self.sentence.asked or any("ask" in one.verbs for one in self.clauses)

    @cached_property
    def asks(self) -> frozenset[str]:
        """The topics that it asks about. What begins as a question may be an outcry: "What a position!"."""
        words = [word for one in self.clauses for word in one.clause.words]
        if not self.sentence.asked and any(one.says("courtesy") and one.says("for") for one in self.clauses):
            return frozenset()  # "thanks for the receipt"
        known = {self.clauses[number].clause.words[at] for number, at, _ in self.pointing}
        said = (one.telling(FRAME) for one in self.clauses)
        if self.pointed:
            return self.topics - WHOLE  # "what happens if d4?"
        if self.sentence.asked and sum(len(one.content) for one in self.clauses) > _WORDY:
            return self.topics - {"board"}  # "can it be taken off the board again, while ...?"
        if self.questions or (len(words) <= _BARE and known.issuperset(w for told in said for w in told)):
            return self.topics
        if self.wished:
            return self.topics & WHOLE
        begins = any(number == at == 0 and topic in _BEGIN for number, at, topic in self.pointing)
        return self.topics - WHOLE if begins or self.clauses[0].means(words[0], "what") else frozenset()

    @property
    def pointed(self) -> bool:
        """Whether it asks about a point."""
        return self.sentence.asked and bool(_POINT.search(plain(self.sentence.text)))

    @property
    def wished(self) -> bool:
        """Whether it would have what it names: "I want to see the board", "send me the record"."""
        said = [one for one in self.clauses if not (one.doubts or one.says("no"))]
        pairs = ((one, *pair) for one in said for pair in pairwise(one.clause.words))
        given = any(first in one.content and one.means(second, "first") for one, first, second in pairs)
        return given or any(one.own and one.verbs & {"play", "ask"} for one in said)

    @property
    def only(self) -> bool:
        """Whether it only asks, or names what is asked about, with no point and, but in a question about a topic, no
        verb that orders."""
        if any(one.says("judge") or re.search(r"\d", one.clause.text) for one in self.clauses):
            return False
        if self.sentence.asked and self.topics & set(_ASKED):
            return True
        silent = not any(one.verbs - {"ask"} for one in self.clauses)
        long = sum(len(one.clause.words) for one in self.clauses) > _BARE
        return silent and bool(self.topics & WHOLE or (self.sentence.asked and long))

    @property
    def told(self) -> tuple[str, ...]:
        """The name of somebody, and the words that are to reach them: "@Ben: hello", "please tell Ben that ..."."""
        text, first = self.sentence.text, self.clauses[0]
        if to := _TO.fullmatch(text):
            return to.groups()
        at = next((at for number, at, topic in self.pointing if topic == "tell" and number == 0), None)
        words = first.clause.words
        if at is None or any(word in first.content for word in words[:at]):
            return ()
        name = next(
            (word for word in words[at + 1 :] if not first.means(word, "small", "courtesy", "and")), ""
        )
        return (name, text.partition(":")[2].strip() or text) if name else ()

    @property
    def denied(self) -> bool:
        return any("not" in one.doubtful or one.says("no") for one in self.clauses)


def _asked(said: Sequence[_Said]) -> tuple[str, ...]:
    found = [topic for one in said for topic in _ASKED if topic in one.asks]
    if any(one.sentence.asked for one in said):
        whole = (WHOLE & one.topics - {"board"} for one in said if not one.pointed)
        found += [topic for topics in whole for topic in _ASKED if topic in topics]
    if "due" in found and "rules" in found:  # "how long have I got, and what happens if I am late?"
        found.remove("rules")
    if WHOLE.intersection(found):
        found = [topic for topic in found if topic in WHOLE or topic == "turn"]
    if not {"record", "receipt"}.isdisjoint(found):  # who asks for the moves has a board of their own
        found = [topic for topic in found if topic not in ("board", "turn")]
    if "board" in found:  # below it stands whose turn it is
        found = [topic for topic in found if topic != "turn"]
    return tuple(dict.fromkeys(found))


def _wanted(said: Sequence[_Said]) -> Iterator[Wish]:
    yield from _days(said)
    for one in said:
        text = one.sentence.text
        if "zone" in one.topics and (zone := _zone(one)):
            yield Wish("timezone", (zone,))
        if "digest" in one.topics:
            yield Wish("digest", ("off" if one.denied else "on",))
        if "stop" in one.topics:
            yield Wish("digest", ("on",))
        if "text" in one.topics or ("html" in one.topics and one.denied):
            yield Wish("format", ("text",))
        if "address" in one.topics and len(found := _ADDRESS.findall(text)) == 1:
            yield Wish("address", tuple(found))
        if "rematch" in one.topics:
            yield Wish("rematch")
        verbs = frozenset[str]().union(*(clause.verbs for clause in one.clauses))
        told = any(clause.reported and not clause.courteous for clause in one.clauses)
        begged = one.sentence.asked and any(clause.says("first") for clause in one.clauses)
        # "can you take mine back?"
        ours = not one.denied and (begged or not (told or one.sentence.asked))
        alone = not any(clause.content or clause.says("courtesy", "thing") for clause in one.clauses)
        if "withdraw" in verbs and ours and not alone:  # the lone word is no wish
            yield Wish("withdraw")
        for verb, command in (("watch", "observe"), ("join", "join")):
            if verb in verbs:
                yield from (Wish(command, (name,)) for name in _MATCH.findall(plain(text)))
        if to := one.told:
            yield Wish("press", to)


# --- of somebody who plays nowhere here ------------------------------------------------------------------------------


class Sought(Value):
    """The topics, the games, and every word by which something may be named."""

    topics: frozenset[str] = frozenset()
    games: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()

    @property
    def plays(self) -> bool:
        return bool(self.games) or not self.topics.isdisjoint({"play", "event", "enter"})

    @property
    def begins(self) -> bool:
        """Whether somebody would play."""
        return self.plays and self.topics.isdisjoint({"watch", "quit"})


@cache
def _forms() -> Sequence[tuple[str, str]]:
    text = files(__package__).joinpath("doors.toml").read_text(encoding="utf-8")
    return [(topic, form) for topic, forms in tomllib.loads(text).items() for form in forms]


def _stands(form: str, words: Sequence[str]) -> bool:
    first, both, second = form.partition("_")
    if both:
        return first in words and second in words[words.index(first) :]
    begins = any(word.startswith(form[:-1]) or (form[0] == "-" and form[1:-1] in word) for word in words)
    return form in words or (form[-1] == "-" and begins)


def sought(texts: Sequence[str], games: Mapping[str, AnyGame]) -> Sought:
    """What a mail wishes, by its subject and its own words."""
    lines = [words_of(part) for text in texts for part in re.split(r"[.,;:!?]", text)]
    told = frozenset(topic for topic, form in _forms() for words in lines if _stands(form, words))
    nobody = Vocabulary("", {})
    each = (one for text in texts for part in pieces(text) for one in sentences((Line(1, part[:LONGEST]),)))
    said = [Heard(clause, languages_of(one, nobody), nobody) for one in each for clause in one.clauses]
    verbs = {verb for one in said for verb in one.verbs}
    told |= {topic for verb, topic in (("join", "enter"), ("watch", "watch")) if verb in verbs}
    telling = (one for one in said if not one.courteous)
    known = {word for one in telling for lexicon in one.spoken for word in lexicon.words} or known_anywhere()
    things = Counter(word for slug in games for word in words_of_all(slug).things)
    words = {word for line in lines for word in line if things[word] < 2}  # "stone" names no game
    named = [
        slug
        for slug, game in games.items()
        if words & called(slug, game.titles)
        or any(_named(title, lines, texts, known) for title in (slug, *game.titles))
    ]
    no = [x for x in said if x.says("not", "no") and (x.says("first") or not x.reported)]
    denied = {topic for one in no for topic, form in _forms() if _stands(form, one.clause.words)}
    found = Sought(told, tuple(named), frozenset(map(plain, re.findall(r"[\w-]+", " ".join(texts)))))
    quits = "letters" in denied or ("writing" in denied and not found.plays)
    return replace(found, topics=told | {"quit"}) if quits else found


def classes_of(words: Iterable[str]) -> frozenset[str]:
    """All that they do in a sentence of any language."""
    return frozenset[str]().union(*(known_anywhere().get(word, ()) for word in words))


def _named(title: str, lines: Sequence[Sequence[str]], texts: Sequence[str], known: Container[str]) -> bool:
    """Whether it stands there; one that is a word of the languages written, as a title is behind another word, behind
    what somebody new wishes for, right there or at the clause's end, or with a word at most beside it."""
    words = words_of(title)
    if len(words) > 1 or words[0] not in known:
        return any(set(words).issubset(line) for line in lines)
    behind = any(re.search(rf"(?<=\w ){title}\b", text) for text in texts)
    at = ((line, i) for line in lines for i, word in enumerate(line) if word == words[0])
    near = [line[max(0, i - 2) if line[i + 1 :] else 0 : i] for line, i in at]
    played = any(_stands(form, part) for _, form in _forms() for part in near)
    return behind or played or any(line[-1:] == words and len(line) < 3 for line in lines)


# --- days and places ------------------------------------------------------------------------------------------------


def _days(said: Sequence[_Said]) -> Iterator[Wish]:
    """The days of each sentence that tells of an absence, in each way to read them: of its clause, of all of it,
    with the sentence behind it; of all sentences where the subject tells of one."""
    told = [_tells(one) for one in said]
    named = not any(place is not None and one.first > 0 for one, place in zip(said, told, strict=True))
    for at, (one, place) in enumerate(zip(said, told, strict=True)):
        if place is None and not (named and told[0] is not None and said[0].first == 0):
            continue
        texts = [clause.clause.text for clause in one.clauses]
        after = [clause.clause.text for more in said[at + 1 : at + 2] for clause in more.clauses]
        ways = (texts[place : place + 1] if place is not None else [], texts, [*texts, *after])
        found = dict.fromkeys(_in_english(" ".join(way), one.lexicons) for way in ways)
        if days := tuple(filter(None, found)):
            yield Wish("vacation", days)


def _tells(one: _Said) -> int | None:
    """The clause that tells of an absence of its writer's: nothing that may be anybody else stands before it."""
    if one.sentence.asked:
        return None
    for number, said in enumerate(one.clauses):
        words = said.clause.words
        places = [at for clause, at, topic in one.pointing if clause == number and topic == "away"]
        places += [at for at, word in enumerate(words) if said.means(word, ":away")]
        days = (
            "" if said.says("other", "person", "if", "past") else _in_english(said.clause.text, one.lexicons)
        )
        if one.first and _SPAN.search(days) and _MONTHS.intersection(days.split()):
            return number  # "9 to 15 March we have no net"
        if not places or said.reported or said.says("person"):
            continue
        before = words[: min(places)]
        own = said.says("first") or all(
            _on_a_day(word, one.lexicons) or word not in said.content for word in before
        )
        if own and not any(said.means(word, "not", "if", "past") for word in before):
            return number
    return None


def _in_english(text: str, spoken: Sequence[Lexicon]) -> str:
    """What a text says of days, in English words; "" where it names none."""
    found = list[str]()
    for word in _TOLD.findall(_HOUR.sub(" ", plain(text).replace("t/m", "tot"))):
        said, before = _on_a_day(word, spoken) if word.isalpha() else word, found[-1] if found else ""
        if word == _TILL and spoken[0].code == "en" and (before in _MONTHS or before[:1].isdigit()):
            said = word
        if before == "a" and said not in _LENGTHS:
            before = found.pop() and (found[-1] if found else "")
        if _another(found[-2:], said):
            found.append(_TILL)  # "de 10 a 14 março", "from 10 March to 14 March"
        if said == "next" and before in _LENGTHS:  # "semaine prochaine"
            found.insert(-1, "next")
        elif said and said != before and (before, said) != ("until", "from"):
            found.append(said)
    if found and found[0] in _ENDS and _SPAN.search(" ".join(found[1:])):
        found = found[1:]  # "till fjällen 22-29 mars"
    while found and (found[-1] in _ENDS or found[-1] == _TILL):
        found.pop()  # "od 12 do 19 marca ... dostępu do poczty"
    dated = {word for word in found if not word.isdigit()} - {_TILL, "next", "this", "a", "-"}
    return " ".join(found) if dated - _ENDS or (dated and len(found) > len(dated)) else ""


_TILL: Final = "to"
_ENDS: Final = frozenset(("from", "until"))
_Unit = Literal["day", "week", "month"]
_LENGTHS: Final[Mapping[_Unit, int]] = {"day": 1, "week": 7, "month": 30}
_SPAN: Final = re.compile(r"\d(?: [a-z ]+ | ?- ?)\d{1,2}(?: |$)")  # in English
_DAY: Final = re.compile(r"\d{1,2}(?:st|nd|rd|th)?")
_MONTHS: Final = frozenset(map(str.lower, filter(None, month_name)))
_WEEKDAYS: Final = frozenset(map(str.lower, day_name))


def _another(before: Sequence[str], said: str) -> bool:
    """Whether a word begins another day than the one that the two before it end."""
    first, last = ("", *before)[-2:] if before else ("", "")
    if _DAY.fullmatch(said):
        return bool(_DAY.fullmatch(last) or (last in _MONTHS and _DAY.fullmatch(first)))
    return (said in _WEEKDAYS and last in _WEEKDAYS) or (
        said in _MONTHS and first in _MONTHS and bool(_DAY.fullmatch(last))
    )


def _on_a_day(word: str, spoken: Iterable[Lexicon]) -> str:
    """What a word says of days, in English; "" where it says nothing of them."""
    return next(filter(None, (_day(word, lexicon) for lexicon in spoken)), "")


def _day(word: str, lexicon: Lexicon) -> str:
    for second, topic in lexicon.wishes.get(word, ()):
        if not second and topic in _ON_A_DAY:
            return _ON_A_DAY[topic]
    names = _names(lexicon.code)
    if word in names:
        return names[word]
    ended = (name for name in names if len(name) > 4 and name[:-2] == word[: len(name) - 2])
    near = next((name for name in ended if abs(len(name) - len(word)) < 2), "")  # "do piątku"
    return names.get(near) or lexicon.numerals.get(word, "")


@cache
def _names(code: str) -> Mapping[str, str]:
    """The names of months, weekdays, and lengths of time in a language, with the English ones."""
    from babel import Locale
    from babel.dates import format_timedelta

    english, theirs = Locale("en"), Locale(code)
    found: dict[str, str] = {}
    for unit, days in _LENGTHS.items():
        for many, ahead in product((1, 2, 5), (False, True)):
            said = format_timedelta(timedelta(many * days), unit, 9, ahead, locale=code)
            found[plain(said).split()[-1]] = unit
    for named, ours in ((theirs.months, english.months), (theirs.days, english.days)):
        for context in ("format", "stand-alone"):
            for number, name in named[context]["wide"].items():
                found[words_of(name)[0]] = plain(ours["format"]["wide"][number])
    if code == "en":
        for named in (english.months, english.days):
            for number, name in named["format"]["abbreviated"].items():
                found[plain(name)] = plain(named["format"]["wide"][number])
    return found


def _zone(one: _Said) -> str:
    """The zone of the only city that a sentence names."""
    words = [word for clause in one.clauses for word in clause.clause.words]
    spans = [tuple(words[at : at + many]) for many in (3, 2, 1) for at in range(len(words))]
    places = [_cities(lexicon.code) for lexicon in one.lexicons]
    found = dict.fromkeys(known[span] for span in spans for known in places if span in known)
    return next(iter(found)) if len(found) == 1 else ""


@cache
def _cities(code: str) -> Mapping[tuple[str, ...], str]:
    """Zones by the names of their cities, in a language and as the tz database has them."""
    from babel import Locale

    zones = sorted(zone for zone in available_timezones() if zone.partition("/")[0] in _PLACES)
    known = Locale(code).time_zones
    told = [(known.get(zone, {}).get("city", ""), zone) for zone in zones]
    told += [(zone.rpartition("/")[2], zone) for zone in zones]
    return {words_of(name): zone for name, zone in reversed(told) if name}
