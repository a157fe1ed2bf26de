"""What a clause says, word by word: its language, the classes of its words, and what of the game it names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import Final

from rapidfuzz import process
from rapidfuzz.distance import OSA

from referee.core.value import Value
from referee.language.sentences import Clause, Sentence
from referee.language.words import (
    DOUBTS,
    FRAME,
    LANGUAGES,
    Lexicon,
    known_anywhere,
    lexicons,
    numerals,
    plain,
    words_of_all,
)

_POINT: Final = re.compile(r"[a-z]{1,2}\d{1,3}")
_PIECES: Final = re.compile(r"(?!x[a-z]\d)[a-z]{1,2}\d{1,3}|\d+")  # "x" between two points takes
_VALUED: Final = re.compile(r"[a-z]{0,2}+\d{1,3}+(?:[-x>:=.]*+[a-z]{0,2}+\d{1,3}+)*+")
_ELSEWHERE: Final = re.compile(
    r"\d{1,2}[:.h]\d{2}|\d{4,}|\d{1,2}\.\d{1,2}\.?\d*|\d+(?:st|nd|rd|th|h|am|pm|%|er|e)"
)
_SIGNS: Final[Mapping[str, str]] = {"es": "ñ", "pl": "ąćęłńśźż", "pt": "ãõ", "sv": "å"}
SIGNED: Final = re.compile(r"(?:\w+>)?\w+[\^=@]\w+")  # a game's notation
_TURNED: Final = frozenset(
    ("de", "nl", "sv")
)  # languages that turn a sentence that begins with something else
_ONCE: Final = frozenset(("de", "en", "nl", "sv"))  # languages that never deny twice what they deny
_LEAST_NEAR: Final = 5  # letters of a word that may be a slip of another
_NEAR: Final = 4  # words from one of thanks to what it is for: "thank you all for"
_LETTERED: Final = 3  # letters of a word that may be the name of one, however it is written ("ay")
_LEAST_STEM: Final = 4  # and of a name that may stand at the head of a longer word
_ENDING: Final = 5  # letters that a numeral's ending has less of: "drietje", "fours"
_ENDED: Final = 3  # and those of an ending of a thing: "Steinen", "sojuszy"
_UNKNOWN: Final = 3  # words that nobody knows, beside which what is written small is hardly a name
_SLIPS: Final = (
    (re.compile(r"(\d{1,2})([a-z])"), r"\2\1"),  # turned round: 4d
    (re.compile(r"([a-z])\1(\d{1,2})"), r"\1\2"),  # a letter twice: dd4
    (re.compile(r"([a-z])[.,;_](\d{1,2})"), r"\1\2"),  # a sign between: d.4
    (re.compile(r"([a-z])(\d?)o"), r"\g<1>\g<2>0"),  # a letter for a digit: d1o, dl
    (re.compile(r"([a-z])[li](\d?)"), r"\g<1>1\2"),
)


class Mention(Value):
    """What some words of a clause name: `values`, each a way to say it; `pieces` where it is put together of several.
    `sure`: as it was written, no slip of the fingers mended."""

    start: int
    stop: int
    values: tuple[str, ...]
    pieces: tuple[str, ...] = ()
    sure: bool = True

    @property
    def number(self) -> bool:
        return any(value.isdigit() or value in lexicons()["en"].numerals for value in self.values)


class Vocabulary(Value):
    """What may be named: words in small letters, one or several behind one another, each with its values. `slug` is the
    game's, `own` the words of its writer's name, `people` those of others', `ours` their own
    colour; `about`: the values that an answer may be
    about now, None where all are."""

    slug: str
    names: Mapping[tuple[str, ...], tuple[str, ...]]
    own: frozenset[str] = frozenset()
    people: frozenset[str] = frozenset()
    ours: frozenset[str] = frozenset()
    about: frozenset[str] | None = None
    loose: bool = False

    def named(self, words: Sequence[str], spoken: Sequence[Lexicon]) -> tuple[str, ...]:
        """The values that words name."""
        found = self._named(words, spoken)
        return tuple(value for value in found if self.about is None or value in self.about)

    def _named(self, words: Sequence[str], spoken: Sequence[Lexicon]) -> tuple[str, ...]:
        if found := self.names.get(tuple(words)):
            return found
        meant = words_of_all(self.slug).values.get(words[0], {})
        if len(words) == 2 and "player" in meant.values():
            return self.names.get(("player", words[1]), ())
        if len(words) > 1 or not meant:
            return ()
        codes = {"en", *(lexicon.code for lexicon in spoken)} if spoken and not self.loose else LANGUAGES
        return tuple(dict.fromkeys(value for code, value in meant.items() if code in codes))

    def thing(self, word: str) -> bool:
        """Whether a word names something of the game that no answer is about now."""
        every = words_of_all(self.slug)
        bent = (word[:stop] for stop in range(max(_LEAST_NEAR, len(word) - _ENDED), len(word)))
        known = word in every.things or word in every.values or any(stem in every.things for stem in bent)
        return known or (word,) in self.names

    def near(self, word: str, spoken: Sequence[Lexicon]) -> str:
        """The value of a name of these languages from which an unknown word is a slip of the fingers away, two in long
        words, where it is known what answers are about; or of one that stands at its head, bent or joined; or ""."""
        if len(word) < _LEAST_NEAR or not word.isalpha() or word in words_of_all(self.slug).known:
            return ""
        slips = 1 if len(word) < 2 * _LEAST_NEAR else 2
        found = process.extractOne(word, self._single, scorer=OSA.distance, score_cutoff=slips)
        near = [found[0]] if found and found[0][0] == word[0] and self.about is not None else []
        near += (word[:stop] for stop in range(len(word) - 1, _LEAST_STEM - 1, -1))
        known, own = words_of_all(self.slug).values, {"en", *(lexicon.code for lexicon in spoken)}
        for name in (one for one in near if one in self._single_values):
            if not (spoken and name in known) or own.intersection(known[name]):
                return self._single_values[name]
        return ""

    def bent(self, word: str, value: str, spoken: Sequence[Lexicon]) -> bool:
        """Whether a word is a name for the value with another ending, in the only language that it may
        be of: "czerwonym"."""
        meant = words_of_all(self.slug).values
        codes = {lexicon.code for lexicon in spoken} - {"en"} if len(spoken) == 1 else ()
        told = (name for name in self._single for code in codes if meant.get(name, {}).get(code) == value)
        head = word[: max(_LEAST_NEAR, len(word) - _ENDED)]
        return any(name.startswith(head) and abs(len(word) - len(name)) <= _ENDED for name in told)

    @cached_property
    def _single_values(self) -> Mapping[str, str]:
        """The names of one word, each with a value that an answer may be about."""
        told = {name[0]: values for name, values in self.names.items() if len(name) == 1}
        told |= {word: tuple(meant.values()) for word, meant in words_of_all(self.slug).values.items()}
        about = self.about
        found = {w: next((v for v in vs if about is None or v in about), "") for w, vs in told.items()}
        return {word: value for word, value in found.items() if value and len(word) >= _LEAST_STEM}

    @cached_property
    def _single(self) -> tuple[str, ...]:
        return tuple(self._single_values)

    @cached_property
    def longest(self) -> Mapping[str, int]:
        """Of how many words the longest name is that begins with a word."""
        found: dict[str, int] = {}
        for name in self.names:
            found[name[0]] = max(len(name), found.get(name[0], 1))
        called = (
            word for word, meant in words_of_all(self.slug).values.items() if "player" in meant.values()
        )
        return found | dict.fromkeys(called, 2) | {"player": max(2, found.get("player", 1))}


class Heard(Value):
    """A clause as it was heard. `spoken`: the languages that it may be in; none where that is not known."""

    clause: Clause
    spoken: tuple[Lexicon, ...]
    vocabulary: Vocabulary
    asked: bool = False

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        words, found, at = self.clause.words, list[Mention](), 0
        while at < len(words):
            mention = self._mention(at)
            found += [mention] if mention else []
            at = mention.stop if mention else at + 1
            if found and mention is None and self._class(at - 1) == {"back"}:
                break  # "g6 instead of g7"
        others = any(not one.number for one in found)
        said = (one for one in found if not self._beside(one, others))
        return tuple(said) or self._nothing()

    def _beside(self, one: Mention, others: bool) -> bool:
        """Whether a one stands for a thing ("the big one") or, beside what else is named, for what
        nobody knows ("one step"); whether it is another player's, or a person's name is written
        as none ("egna ben")."""
        words, (at, stop), text = self.clause.words, (one.start, one.stop), self.clause.text
        whose, before = ("", "", *words[:at])[-2:]
        owner = whose if before == "s" else before[:-1] if before.endswith("s") else ""
        if owner in self.vocabulary.people and not self.vocabulary.thing(before):
            return True  # "Ben's 3"
        if one.number and at > 0 and "other" in self._class(at - 1):
            return True  # "next to his four"
        if at > 0 and "against" in self._class(at - 1) and one.values[0].startswith("player "):
            return True
        if not one.number:
            unknown = sum(not self._class(n) for n in range(len(words)) if not at <= n < stop)
            small = words[at].capitalize() not in text and unknown > (_UNKNOWN if text.islower() else 0)
            return small and one.values[0].startswith("player ")
        if words[at] != "one" or self.vocabulary.loose:
            return False
        if others and stop < len(words) and not self._class(stop) and self._mention(stop) is None:
            return True
        return at > 0 and words[at - 1].isalpha() and self._class(at - 1) <= _BEFORE_ONE

    def _nothing(self) -> tuple[Mention, ...]:
        """Where nothing may be an answer, and a clause denies some thing and says no more: "no dead stones"."""
        every = [(at, word, self._class(at)) for at, word in enumerate(self.clause.words)]
        numerals = lexicons()["en"].numerals
        denied = [at for at, word, of in every if of & {"not", "no"} or numerals.get(word, word) == "0"]
        told = any("thing" in of for _, _, of in every) and "none" in (self.vocabulary.about or ())
        few = sum(not of for at, _, of in every if at not in denied) < 2
        return (Mention(denied[0], denied[0] + 1, ("none",)),) if denied and told and few else ()

    def _mention(self, at: int) -> Mention | None:
        words, vocabulary = self.clause.words, self.vocabulary
        word = words[at]
        for stop in range(min(len(words), at + vocabulary.longest.get(word, 1)), at, -1):
            if values := vocabulary.named(words[at:stop], self.spoken):
                number = self._number(word) if stop == at + 1 else None
                return Mention(
                    at, stop, (*values, *((number,) if number in (vocabulary.about or ()) else ()))
                )
        if _ELSEWHERE.fullmatch(word):
            return None
        if _VALUED.fullmatch(word) and not word.isdigit():
            pieces = tuple(_PIECES.findall(word))
            if vocabulary.loose:  # "Nb4-b2"
                known = vocabulary.about or ()
                pieces = tuple(p[1:] if p not in known and p[1:] in known else p for p in pieces)
                word = pieces[0] if len(pieces) == 1 else word
            return Mention(at, at + 1, (word,), pieces if len(pieces) > 1 else ())
        number, about = self._behind(at), vocabulary.about
        if vocabulary.loose:
            return self._loosely(at, number)
        places = number and any(map(_POINT.fullmatch, vocabulary.about or ("a1",)))
        if number and places and (letter := self._letter(at)):
            point, sure = f"{letter}{number}", self._spelled(words[at : at + 2])
            article = any(lexicon.words.get(word) in FRAME for lexicon in self._languages)
            if article and about is not None and point not in about and number in about:
                return None  # "o 3", where no column is called so
            if article and (at > 0 or not words[1].isdigit()):  # "a 4 on c3", "a four"
                return Mention(at, at + 2, (number, point), sure=sure and number in (about or ()))
            return Mention(at, at + 2, (point,), sure=sure)
        counts = at + 1 < len(words) and bool(vocabulary.named(words[at + 1 : at + 2], self.spoken))
        if len(word) == 1 and word.isalpha() and (about is None or word in about) and self._led_to(at):
            return Mention(at, at + 1, (word,))
        if (number := self._number(word)) and (about is None or number in about or counts):
            return Mention(at, at + 1, (number,), sure=self._spelled((word,)))
        if value := vocabulary.near(word, self.spoken):
            return Mention(at, at + 1, (value,), sure=vocabulary.bent(word, value, self.spoken))
        if len(word) <= 5 and any(map(str.isdigit, word)):
            for pattern, put in _SLIPS:
                if pattern.fullmatch(word):
                    return Mention(at, at + 1, (pattern.sub(put, word),), sure=False)
        return None

    def _loosely(self, at: int, number: str | None) -> Mention | None:
        """What a word may name where nothing else came of the mail: a letter, or a word, by its first, with a number or
        without ("Caesar five"), a number, a one."""
        word, about = self.clause.words[at], self.vocabulary.about
        spelled = self._letter(at) if number else None
        point = f"{spelled or word[0]}{number}"
        article = number and bool(self._class(at) & FRAME) and not self.clause.words[at + 1].isdigit()
        small = (
            len(word) > _LETTERED
            and not spelled
            and self.clause.accented[at].capitalize() not in self.clause.text
        )
        behind = at + 2 < len(self.clause.words) and not self._class(at + 2)
        # "what the other three do", "a new one"
        article = article or (small and (behind or number == "1"))
        spells = word.isalpha() and not article and (spelled or len(word) == 1 or not self._class(at))
        if number and spells and (about is None or point in about):
            values = (point,) if len(word) == 1 or spelled else (number, point)
            return Mention(at, at + 2, values, sure=False)
        ones = (lexicon.wishes.get(word, ()) for lexicon in self._languages)
        said = self._number(word) or ("1" if any(("", "one") in one for one in ones) else "")
        if said and (about is None or said in about):
            return Mention(at, at + 1, (said,))
        near = self.vocabulary.near(word, self.spoken)
        called = next((one.letters[word] for one in self.spoken if word in one.letters), word)
        known = (len(called) == 1 and called.isalpha()) if about is None else called in about
        led = not self._class(at) if len(word) > 1 else self._led_to(at)
        found = called if known and led else near
        return Mention(at, at + 1, (found,), sure=False) if found else None

    def _led_to(self, at: int) -> bool:
        """Whether a letter stands for something: it is no word of the language, or the last of its clause, behind the
        thing that it names or a small word ("column a", "no e")."""
        words = self.clause.words
        known = any(words[at] in lexicon.words for lexicon in self._languages)
        if self.vocabulary.loose and not (known and at + 1 < len(words)):
            return True
        led = words[at - 1] in words_of_all(self.vocabulary.slug).things or "small" in self._class(at - 1)
        return at > 0 and ((led and at + 1 == len(words)) or not known)

    def _spelled(self, words: Sequence[str]) -> bool:
        """Whether numerals and names of letters are of a language that is known."""
        english = lexicons()["en"]
        known = (word.isdigit() or len(word) == 1 or word in english.numerals for word in words)
        said = (word.isdigit() or word in numerals() for word in words if self._number(word))
        return all(said if self.spoken else known)

    def _number(self, word: str) -> str | None:
        """A numeral, in digits; "4:a" is one too."""
        word = word.partition(":")[0]
        word = word[:-1] if word.endswith("s") and word[:-1].isdigit() else word  # "one of my 4s"
        if word.isdigit() and len(word) <= 3:
            return word
        if word not in numerals():
            heads = (word[:stop] for stop in range(len(word) - 1, _LEAST_STEM - 1, -1) if self.spoken)
            bent = (word[:-1] + vowel for vowel in "aeiouy" if len(word) > _ENDING and word[-1] in "aeiouy")
            told = (found for found in (*heads, *bent) if len(word) < len(found) + _ENDING)
            word = next(filter(numerals().__contains__, told), "")
        found = {lexicon.numerals[word] for lexicon in self._languages if word in lexicon.numerals}
        return found.pop() if len(found) == 1 else None

    def _behind(self, at: int) -> str | None:
        """The number behind a word, an article behind the name of a letter ("gé un")."""
        said, after = self.clause.accented[at], "".join(self.clause.words[at + 1 : at + 2])
        article = after == "un" and len(said) > 1 and any(said in one.letters for one in self._languages)
        return "1" if article else self._number(after)

    def _letter(self, at: int) -> str | None:
        """A letter, or its name, before a number; none where it is a word of the language before one in digits."""
        word, accented = self.clause.words[at], self.clause.accented[at]
        after = self.clause.words[at + 1]
        unsure = (one for one in self._languages if after in one.numerals or one.code == "en")
        for lexicon in self.spoken or unsure:
            if found := lexicon.letters.get(accented) or lexicon.letters.get(word):
                return found
        alone = len(word) == 1 and word.isalpha() and accented == word
        small = at == 0 and len(self.clause.words) > 2
        small = small and any(lexicon.words.get(word) in FRAME for lexicon in self._languages)
        return word if alone and not small else None

    @cached_property
    def _languages(self) -> tuple[Lexicon, ...]:
        return self.spoken or tuple(lexicons().values())

    # --- the classes of its words --------------------------------------------------------------------------------

    @cached_property
    def _classes(self) -> tuple[frozenset[str], ...]:
        """Those of each word that names nothing: of a language that is known its own, else the doubts of all, the verbs
        of English, and whatever says nothing anywhere."""
        named = {at for mention in self.mentions for at in range(mention.start, mention.stop)}
        found = [frozenset[str]() if at in named else self._class(at) for at in range(len(self.clause.words))]
        for lexicon in self._languages:
            for at, word in enumerate(self.clause.words):
                for second, name in lexicon.pairs.get(word, ()):
                    if second in self.clause.words[at + 1 :]:
                        found[at] = frozenset((name,))
                        there = self.clause.words.index(second, at + 1)
                        found[there] = frozenset() if there in named else frozenset(("small",))
        return tuple(found)

    def _class(self, at: int) -> frozenset[str]:
        word, accented = self.clause.words[at], self.clause.accented[at]
        if any(map(str.isdigit, word)):
            return frozenset(("number",))
        if word in self.vocabulary.own:
            return frozenset(("courtesy",))
        if word in self.vocabulary.people:
            return frozenset(("person",))
        if self.spoken:
            said = (accented, word) if accented == word else (accented,)  # no accent is ever added
            meant = (
                next(filter(None, map(one.words.get, said)), "") or self._bent(at, one) for one in self.spoken
            )
            found = {name for name in meant if name}
            if not found:  # a word of courtesy in another language
                found = set(known_anywhere().get(word, frozenset()) & {"courtesy", "ok"})
        else:
            every = known_anywhere().get(word, frozenset())
            english = lexicons()["en"].words.get(word, "")
            found = {name for name in every if name in FRAME or (name in DOUBTS and english not in FRAME)}
            found |= {english} - {""} or (set(every) if len(every) == 1 else set())
        if not found and self.vocabulary.thing(word):
            found = {"thing"}
        return frozenset(found | {"back"} if "drop" in found else found)

    def _bent(self, at: int, lexicon: Lexicon) -> str:
        """The class of a verb whose first person the language knows; in German it may lack its ending ("ich nehm")."""
        words, word = self.clause.words, self.clause.words[at]
        stems = [re.sub(*_BENT[lexicon.code], word)] if lexicon.code in _BENT else []
        beside = map(lexicon.words.get, words[max(0, at - 1) : at + 2])
        stems += [f"{word}e"] if lexicon.code == "de" and "first" in beside else []
        return next((name for name in map(lexicon.words.get, stems) if name and name[0] == ":"), "")

    def says(self, *names: str) -> bool:
        return any(not classes.isdisjoint(names) for classes in self._classes)

    @cached_property
    def verbs(self) -> frozenset[str]:
        return frozenset(name[1:] for classes in self._classes for name in classes if name[:1] == ":")

    def orders_by(self, word: str) -> bool:
        """Whether a word of it is a verb."""
        pairs = zip(self.clause.words, self._classes, strict=True)
        return any(said == word and any(name[:1] == ":" for name in classes) for said, classes in pairs)

    def means(self, word: str, *names: str) -> bool:
        """Whether a word of it is of one of these classes."""
        pairs = zip(self.clause.words, self._classes, strict=True)
        return any(said == word and not classes.isdisjoint(names) for said, classes in pairs)

    @property
    def led_by_first(self) -> bool:
        """Whether its writer is the first whom it names."""
        named = {one.start for one in self.mentions if not any(map(str.isdigit, one.values[0]))}
        people = (at for at, classes in enumerate(self._classes) if at in named or classes & _PERSONS)
        return "first" in self._classes[next(people, 0)] if self._classes else False

    @cached_property
    def doubts(self) -> tuple[str, ...]:
        """The words that cast doubt on what it says; in some languages what denies beside a name for
        nothing says it again ("no me alío con nadie")."""
        pairs = enumerate(zip(self.clause.words, self._classes, strict=True))
        said = ((word, classes) for at, (word, classes) in pairs if not self._as_far_as(at, word))
        told = [(word, classes & _DOUBTFUL, classes) for word, classes in said]
        found = [(word, some) for word, some, of in told if some and (some == of or not self.spoken)]
        nothing = bool(self.mentions) and all(one.values == ("none",) for one in self.mentions)
        again = nothing and sum("not" in some for _, some in found) == 1 and bool(self.spoken)
        again = again and not any(lexicon.code in _ONCE for lexicon in self.spoken)
        return tuple(word for word, some in found if not (again and "not" in some))

    @cached_property
    def sorry(self) -> bool:
        """Whether it only says sorry, of nothing that it names or refers to."""
        known = frozenset(word for lexicon in self._languages for word in lexicon.sorry)
        apart = self.verbs & {"undo", "withdraw"} or self.says("refer", "judge", "no")
        apart = apart or any(not one.values[0].startswith("player ") for one in self.mentions)
        return bool(self.doubts) and known.issuperset(self.doubts) and not apart

    @property
    def sorry_for(self) -> bool:
        """Whether it tells what for, or to whom and no more: "sorry for the delay", "sorry, Ben"."""
        pairs = pairwise(zip(self.clause.words, self._classes, strict=True))
        told = any(word in self.doubts and "for" in after for (word, _), (_, after) in pairs)
        whom = self.says("person") or bool(self.mentions)
        return self.sorry and ((told and not self.mentions) or (whom and not self.content))

    def _as_far_as(self, at: int, word: str) -> bool:
        """Whether an "until" tells how far something goes: it leads to what the clause names."""
        starts = {mention.start: mention for mention in self.mentions}
        after = (n for n in range(at + 1, len(self._classes)) if n in starts or not self._classes[n] & FRAME)
        behind = starts.get(next(after, at))
        until = any(("", "until") in lexicon.wishes.get(word, ()) for lexicon in self._languages)
        return until and behind is not None and not behind.number

    @cached_property
    def doubtful(self) -> frozenset[str]:
        """The classes of these words."""
        pairs = zip(self.clause.words, self._classes, strict=True)
        return frozenset(
            name for word, classes in pairs if word in self.doubts for name in classes & _DOUBTFUL
        )

    def parted(self) -> tuple[Heard, ...]:
        """The clause, in two where an "and" or a "but" stands between what each of both orders or names."""
        words, accented = self.clause.words, self.clause.accented
        verbs = {at for at, classes in enumerate(self._classes) if any(name[:1] == ":" for name in classes)}
        said = sorted(verbs | {mention.start for mention in self.mentions})
        for at, classes in enumerate(self._classes):
            joins = classes & {"and", "but"}
            denies = "but" in joins or any("not" in found for found in self._classes[at:])
            apart = bool(said) and said[0] < at < (len(words) - 1 if denies else said[-1])
            begun = at + 1 in verbs and any(words[0] == one.subject for one in self.spoken)
            apart = apart or begun  # "I am bold and play d4"
            if joins and (self.spoken or classes == joins) and apart:
                first = replace(self.clause, words=words[:at], accented=accented[:at], ends="")
                rest = replace(self.clause, words=words[at + 1 :], accented=accented[at + 1 :])
                return (replace(self, clause=first), *replace(self, clause=rest).parted())
        return (self,)

    @cached_property
    def content(self) -> tuple[str, ...]:
        """The words that nobody knows: neither of a closed class nor what names something."""
        named = {at for mention in self.mentions for at in range(mention.start, mention.stop)}
        pairs = enumerate(zip(self.clause.words, self._classes, strict=True))
        return tuple(word for at, (word, classes) in pairs if at not in named and not classes)

    @cached_property
    def unread(self) -> tuple[str, ...]:
        """The words of letters and digits that name nothing, and are no time or date: a slip in what was to be one."""
        named = {at for mention in self.mentions for at in range(mention.start, mention.stop)}
        words = (word for at, word in enumerate(self.clause.words) if at not in named)
        mixed = (w for w in words if any(map(str.isdigit, w)) and any(map(str.isalpha, w)))
        return tuple(word for word in mixed if not _ELSEWHERE.fullmatch(word))

    def telling(self, silent: frozenset[str]) -> tuple[str, ...]:
        """Its words but for those of these classes, and verbs."""
        pairs = zip(self.clause.words, self._classes, strict=True)
        said = (
            word
            for word, classes in pairs
            if not classes or not all(c in silent or c[:1] == ":" for c in classes)
        )
        return tuple(said)

    @cached_property
    def thanks(self) -> bool:
        """Whether what it names is what it thanks for, or wishes luck with: "thanks for d4"."""
        start = self.mentions[0].start if self.mentions else 0
        before = self._classes[:start]
        if self.mentions and not any(mention.sure for mention in self.mentions):
            return self.says("courtesy") and any("for" in classes for classes in before)
        said = (at for at, classes in enumerate(before) if "courtesy" in classes)
        return any("for" in classes for at in said for classes in before[at : at + _NEAR])

    @cached_property
    def addresses(self) -> bool:
        """Whether it is a person's name, or what a seat is called: to whom a greeting may go."""
        people = all(any(v.startswith("player ") for v in one.values) for one in self.mentions)
        alone = self.says("courtesy") or not self.says("first", "small")
        return bool(self.mentions) and people and alone and not (self.verbs or self.content)

    @cached_property
    def _own_colour(self) -> tuple[int, ...]:
        known, ours = words_of_all(self.vocabulary.slug).values, self.vocabulary.ours
        words = enumerate(self.clause.words)
        return tuple(at for at, w in words if not ours.isdisjoint((w, *known.get(w, {}).values())))

    @property
    def ours(self) -> bool:
        """Whether it says its writer's colour."""
        return bool(self._own_colour)

    @property
    def begins(self) -> bool:
        """Whether all words before what it names, or its writer's colour, are known."""
        first = min((*self._own_colour, *(mention.start for mention in self.mentions)), default=0)
        return all(self._classes[:first])

    @cached_property
    def negates(self) -> bool:
        """Whether any of its words denies, be it a name for nothing."""
        return any("not" in self._class(at) for at in range(len(self.clause.words)))

    @cached_property
    def denied(self) -> bool:
        """Whether it says of what it names that it is not so."""
        nothing = any("none" in mention.values for mention in self.mentions)
        pairs = pairwise((*self._classes, frozenset[str]()))
        # not "no sorry, d5"
        no = any("no" in classes and "back" not in behind for classes, behind in pairs)
        return bool(self.mentions) and (no or self.says("not")) and not nothing

    @cached_property
    def own(self) -> bool:
        """Whether its verb may be in its writer's own person, or an imperative: nothing that may be anybody else stands
        before it."""
        at = next((at for at, c in enumerate(self._classes) if any(name[:1] == ":" for name in c)), 0)
        named = {at for mention in self.mentions for at in range(mention.start, mention.stop)}
        before = [classes for place, classes in enumerate(self._classes[:at]) if place not in named]
        whose = frozenset(name for classes in before for name in classes)
        turned = any("first" in classes for classes in self._classes[at + 1 : at + 2])
        turned = turned and any(lexicon.code in _TURNED for lexicon in self.spoken)  # "leg ik op d6"
        return (turned or all(before)) and ("first" in whose or not whose & {"other", "person", "past"})

    @cached_property
    def refers(self) -> frozenset[str]:
        """The words by which it refers to an order."""
        pairs = zip(self.clause.words, self._classes, strict=True)
        return frozenset(word for word, classes in pairs if "refer" in classes)

    @cached_property
    def guessed(self) -> bool:
        """Whether a verb of it is none of a language that is known."""
        english = lexicons()["en"].words
        pairs = zip(self.clause.words, self._classes, strict=True)
        return not self.spoken and any(
            name[:1] == ":" and english.get(word) != name for word, classes in pairs for name in classes
        )

    @cached_property
    def differs(self) -> bool:
        """Whether a word orders or casts doubt in one of its possible languages and says something else in another."""
        if len(self.spoken) < 2:
            return False
        return any(
            len(classes) > 1 and any(name[:1] == ":" or name in DOUBTS for name in classes)
            for classes in self._classes
        )

    @cached_property
    def courteous(self) -> bool:
        """Whether it is a greeting, thanks, a wish or a name; its writer's whole name is one, whatever it names."""
        if len(self.clause.words) > 1 and self.vocabulary.own.issuperset(self.clause.words):
            return True
        if self.mentions or self.verbs or self.doubts or self.says("number", "no", "judge"):
            return False
        if SIGNED.search(self.clause.text):
            return False  # "c^R, cheers"
        said = self.says("courtesy") and not any(map(self.vocabulary.thing, self.clause.words))
        return said or not self.content

    @cached_property
    def parting(self) -> bool:
        """Whether it may be how people take leave behind an order: two words or three, hardly one of which nobody
        knows, to somebody or until later."""
        names = self.mentions or any(map(self.vocabulary.thing, self.clause.words))
        silent = not (names or self.verbs or self.refers or self.doubtful - _LEAVING)
        few = len(self.telling(FRAME | _LEAVING)) <= 1 < len(self.clause.words) <= 3
        return silent and few and self.says(*_LEAVING)

    @cached_property
    def reported(self) -> bool:
        """Whether it tells of somebody else: of them before of its writer, and before what it names ("against Ben"
        does not)."""
        stop = self.mentions[0].start if self.mentions else len(self._classes)
        said = pairwise((frozenset[str](), *self._classes[:stop]))
        told = (classes & _PERSONS for before, classes in said if not before & {"with", "against"})
        return "first" not in next(filter(None, told), frozenset(("first",)))


_BENT: Final[Mapping[str, tuple[str, str]]] = {
    "de": (r"n$", ""),
    "nl": (r"en$", ""),
    "fr": (r"r$", ""),
    "sv": (r"$", "r"),
    **dict.fromkeys(("es", "pt", "it"), (r"[aei]re?$", "o")),
}
"""How an infinitive ends, and what its first person has in that place."""
_DOUBTFUL: Final = frozenset(DOUBTS)
_PERSONS: Final = frozenset(("first", "other", "person"))
_LEAVING: Final = _PERSONS - {"first"} | {"later"}
_BEFORE_ONE: Final = _DOUBTFUL | _PERSONS | {"past"}


def languages_of(sentence: Sentence, vocabulary: Vocabulary, hint: str = "") -> tuple[Lexicon, ...]:
    """The languages in which a sentence may be: those that know all its words, of which the `hint` decides; else the
    one that knows two more of them than any other; else that of the hint, where no other knows more."""
    said = [(word, codes) for word, codes in _spoken(sentence, vocabulary) if not any(map(str.isdigit, word))]
    every = lexicons()
    if not said:
        return ()
    codes = [found for word, found in said if len(word) > 1 or found]
    whole = frozenset(every).intersection(*codes) if codes else frozenset[str]()
    if hint in whole:
        return (every[hint],)
    if whole:
        return tuple(every[code] for code in sorted(whole))
    score = _score(sentence, vocabulary)
    hinted = hint in every and score[hint] == max(score.values(), default=0)
    return spoken_in(sentence, vocabulary) or ((every[hint],) if hinted else ())


def spoken_in(sentence: Sentence, vocabulary: Vocabulary) -> tuple[Lexicon, ...]:
    """The language that knows most words of a sentence, by two more than any other."""
    score = _score(sentence, vocabulary)
    (code, best), (_, second) = [*score.most_common(2), ("", 0), ("", 0)][:2]
    return (lexicons()[code],) if best >= 2 and best - second >= 2 else ()


def _score(sentence: Sentence, vocabulary: Vocabulary) -> Counter[str]:
    """How many of a sentence's words each language knows; a sign that no other has counts as two."""
    score = Counter(code for word, codes in _spoken(sentence, vocabulary) if len(word) > 1 for code in codes)
    text = "".join(word for clause in sentence.clauses for word in clause.accented)
    score.update({code: 2 for code, signs in _SIGNS.items() if any(sign in text for sign in signs)})
    return score


def _spoken(sentence: Sentence, vocabulary: Vocabulary) -> Iterator[tuple[str, frozenset[str]]]:
    """A sentence's words that are nobody's name, each with the languages that know it: as it is written, or as it may
    be with accents that were left out; "más" is no "mas"."""
    known = words_of_all(vocabulary.slug).known
    for clause in sentence.clauses:
        for word, accented in zip(clause.words, clause.accented, strict=True):
            if word not in vocabulary.own and word not in vocabulary.people:
                yield (
                    word,
                    known.get(accented) or (known.get(word) if word == accented else None) or frozenset(),
                )


def heard(sentence: Sentence, vocabulary: Vocabulary, hint: str = "") -> tuple[Heard, ...]:
    """The clauses of a sentence, in its language."""
    spoken = languages_of(sentence, vocabulary, hint)
    whole = (Heard(clause, spoken, vocabulary) for clause in sentence.clauses)
    found = [part for one in whole for part in one.parted()]
    return (*found[:-1], replace(found[-1], asked=True)) if sentence.asked and found else tuple(found)


def condition(clauses: Sequence[Heard]) -> tuple[slice, str, str] | None:
    """The first clauses of the form "if he plays d7, I answer e7", and both points; "if" leads somebody else's move,
    not its writer's."""
    for at, one in enumerate(clauses):
        words, here = one.clause.words, _pointed(one.clause.words)
        behind = clauses[at + 1 : at + 2] if len(here) == 1 else ()
        begins = next((word for word in words if not one.means(word, "and", "but")), "")
        there = [word for more in behind for _, word in _pointed(more.clause.words)]
        led = one.doubts[:1] == (begins,) and one.doubtful == {"if"} and bool(here)
        led = led and not (one.led_by_first or any(one.means(word, "judge") for word in words[: here[0][0]]))
        led = led and not any(more.says("or", "if") or more.asked for more in behind)
        points = [*(word for _, word in here), *there]
        if led and len(points) == 2 and not one.asked:
            return slice(at, at + 3 - len(here)), points[0], points[1]
    return None


def _pointed(words: Sequence[str]) -> list[tuple[int, str]]:
    return [(at, word) for at, word in enumerate(words) if any(map(str.isdigit, word))]


def named_words(names: Iterable[tuple[str, Iterable[str]]]) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Names as they are looked up: their words, in small letters, with all that each may mean."""
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for name, values in names:
        key = tuple(plain(name).replace("-", " ").split())
        if key:
            found[key] = tuple(dict.fromkeys((*found.get(key, ()), *values)))
    return found


def courteous(words: Sequence[str], own: frozenset[str]) -> bool:
    """Whether words of any language are a greeting, thanks, a wish, their writer's name, and no "but"."""
    vocabulary = Vocabulary("", {}, own)
    clause = Clause(1, " ".join(words), tuple(words), tuple(words))
    said = Heard(clause, languages_of(Sentence([clause]), vocabulary), vocabulary)
    return said.courteous and not said.says("but")
