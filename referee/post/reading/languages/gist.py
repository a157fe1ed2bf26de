"""What a mail says once the courtesy round it is taken off, sentence by sentence: "Hi Ann, d4 please 😊" is `d4`.

Of language alone: what the words mean is the games' to tell. Whatever is not known word for word, is asked, doubted or
taken back leaves a sentence that does not stand `alone`: of such a one nothing is ever taken for an order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import zip_longest
from typing import Final, Literal

from referee.core.answers import Gist, Saying
from referee.core.complaint import Line
from referee.post.reading.languages import tongues
from referee.post.reading.languages.absence import away
from referee.post.reading.languages.tongues import Words, words_of

_MOST_LINES: Final = 40  # of a mail that answers by a bare word
_LONGEST: Final = 240  # signs of such a line
_MOST_NAMES: Final = 3  # words behind a greeting
_LONGEST_WISH: Final = 9  # words of a wish, of thanks, of an excuse
_HEAD: Final = 40  # signs before the colon of a key

_End = Literal["stop", "asked", "open", "colon"]

_SENTENCE: Final = re.compile(r"(?<=[.!?\u061f\u037e])\s+|(?<=\s[:;][)(DP])\s+|(?<=\s[:;]-[)(DP])\s+")
_CLAUSE: Final = re.compile(
    r"[,;:]\s+|[,;:]+$|(?<!\d)\s+-{1,2}\s+|\s+-{1,2}\s+(?![^\W\d_]{1,2}\d)|[()]|\.{2,}\s*|…"
)
_SHORT: Final = re.compile(
    r"(?:^|[\s(])(?:(?:[^\W\d_]\.)+|(?:st|nr|mr|ms|dr|pl|op|ed|fr|sr|jr|pp|co|hr|br|np|tj)\.|(?:etc|bijv|resp|evtl|bzw|vgl|ca|ex|vs)\.)$",
    re.IGNORECASE,
)
_BULLET: Final = re.compile(r"^\s*(?:[-*•‣◦·]\s+|\d{1,2}[.)]\s+(?=\D))*")
_VALUE: Final = re.compile(r"(?<![^\W\d_])[^\W\d_]{1,2}-?\d{1,2}(?!\d)")  # what may be a point, in any game


def gist(
    own: Sequence[Line], name: str = "", address: str = "", subject: str = "", form: Sequence[Line] = ()
) -> Gist:
    """Of the sender's own words above the mark of a signature; those of a long mail, which answers by its form, are not
    taken apart, nor is a form, attached, that stands among them."""
    keys = {line.number: text for line in own if (text := _in_english(line.text))}
    attached = frozenset(form)
    words = tuple(line for line in own if line not in attached)
    return Gist(keys, partial(_of_short, words, name, address), partial(away, words, subject))


def beyond_courtesy(own: Sequence[Line], name: str) -> list[Line]:
    """The lines that say more than a greeting, thanks, a wish, the sender's name."""
    named = frozenset(words_of(name))
    return [
        line
        for line in own
        if len(line.text) > _LONGEST
        or not all(courteous(words, named) for text in _CLAUSE.split(line.text) if (words := words_of(text)))
    ]


def _of_short(own: Sequence[Line], name: str, address: str) -> tuple[Saying, ...]:
    said = [line for line in own if line.text.strip()]
    if len(said) > _MOST_LINES or any(len(line.text) > _LONGEST for line in said):
        return ()
    called = words_of(f"{name} {re.sub(r'[._+-]', ' ', address.partition('@')[0])}")
    named = frozenset(word for word in called if word.isalpha() and (word,) not in tongues.ALONE)
    return tuple(_sayings(tuple(_sentences(own, named))))


def _in_english(text: str) -> str:
    """A line with a key in another language, or the word that takes an answer back, with ours in its place; empty where
    it has none."""
    head, colon, _ = text[:_HEAD].partition(":")
    if colon:
        key = tongues.KEYS.get(words_of(head))
        return f"{key.capitalize()}:{text[len(head) + 1 :]}" if key else ""
    if len(text) > 2 * _HEAD:
        return ""
    first, _, rest = text.partition(",")  # and why
    words, why = words_of(first), words_of(rest)
    back = bool(words) and _core(words) == _Core(("withdraw",))
    return "Withdraw" if back and tongues.UNTOLD.isdisjoint(why) and not re.search(r"[\d?]", rest) else ""


# --- sentences ------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Clause:
    number: int  # of its line
    text: str
    words: Words
    courteous: bool


@dataclass(slots=True)
class _Sentence:
    clauses: list[_Clause] = field(default_factory=list)
    end: _End = "open"

    @property
    def said(self) -> list[_Clause]:
        return [clause for clause in self.clauses if not clause.courteous]

    @property
    def text(self) -> str:
        return ", ".join(clause.text for clause in self.clauses)


def _sentences(own: Sequence[Line], named: frozenset[str]) -> Iterator[_Sentence]:
    """A sentence may go on in the next line; below an empty one only where a colon or a comma says so."""
    sentence, blank = _Sentence(), False
    for line in own:
        if line.text.strip() == "--":
            break
        if not line.text.strip():
            blank = True
            continue
        if line.text.lstrip()[0] in ">|":  # somebody else's words
            continue
        text = _BULLET.sub("", line.text).strip()
        if sentence.clauses and _parted(sentence, text, blank=blank):
            yield sentence
            sentence = _Sentence()
        blank = False
        *before, last = _pieces(text)
        for piece in before:
            _add(sentence, line.number, piece, named)
            yield sentence
            sentence = _Sentence()
        _add(sentence, line.number, last, named)
    if sentence.clauses:
        yield sentence


def _pieces(text: str) -> list[str]:
    """The sentences of a line; the dot of a short word ends none ("e.g. d4", "St. Gallen")."""
    found: list[str] = []
    for piece in _SENTENCE.split(text):
        if found and (found[-1].endswith("..") or _SHORT.search(found[-1])):
            found[-1] += f" {piece}"
        else:
            found.append(piece)
    return found


def _add(sentence: _Sentence, number: int, piece: str, named: frozenset[str]) -> None:
    for text in _CLAUSE.split(piece):
        if words := words_of(text):
            sentence.clauses.append(_Clause(number, text.strip(), words, courteous(words, named)))
    sentence.end = _end(piece)


def _end(piece: str) -> _End:
    signs = piece.rstrip(" \t\"')]*_")
    if re.search(r"[?\u061f\u037e][\s!?.]*(?:\W*)$", signs):
        return "asked"
    last = signs[-1:]
    if last in (":", ",", ";", "-") or signs.endswith(("..", "…")):
        return "colon"
    return "stop" if last in (".", "!") else "open"


def _parted(sentence: _Sentence, below: str, *, blank: bool) -> bool:
    """Whether the line below begins a new sentence."""
    if sentence.end in ("stop", "asked") or not sentence.said:
        return True
    if sentence.end == "colon":
        return False
    if blank:
        return True
    if _VALUE.match(below.lower()) and _VALUE.search(sentence.said[-1].text.lower()):
        return True
    told = _core(sentence.said[-1].words).words
    numbered = any(map(str.isdigit, told[0])) if len(told) < 4 else len(told) < 7 and told[-1][-1:].isdigit()
    short = numbered or (len(sentence.said) == 1 and len(told) == 1)
    return short and (not below[:1].islower() or courteous(words_of(below), frozenset()))


def courteous(words: Words, named: frozenset[str]) -> bool:
    """Whether a clause is a greeting, thanks, a wish or a name."""
    if words in tongues.COURTESY or named.issuperset(words):
        return True
    if len(words) > 1 and words[0] in tongues.AND:
        return courteous(words[1:], named)
    for place, word in enumerate(words[1:-1], 1):
        if word in tongues.AND or word in "&+":
            return courteous(words[:place], named) and courteous(words[place + 1 :], named)
    if any(any(map(str.isdigit, word)) for word in words):
        return False
    greets = words[0] in tongues.HELLO and len(words) <= 1 + _MOST_NAMES and words not in tongues.ALONE
    return greets or _opens_politely(words)


def _opens_politely(words: Words) -> bool:
    """A wish or thanks for whatever it may be: "good luck to both of you", "sorry for the long silence". No lone word
    of a game is among them, and nothing that takes another one back."""
    words = words[1:] if words[0] in tongues.AND else words
    if len(words) > _LONGEST_WISH or any(
        (w,) in tongues.ALONE or w in tongues.UNTOLD | tongues.BUT for w in words
    ):
        return False
    return any(words[:length] in tongues.WISHES for length in range(1, min(len(words), _LONGEST_PHRASE) + 1))


# --- what is left of a clause -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Core:
    """The words without the frame round them; whether the frame casts doubt on them."""

    words: Words
    doubted: bool = False


def _core(words: Words, *, later: bool = False) -> _Core:
    """`later`: what stands before it in its sentence says something too, so that "takes b4" goes on with that."""
    if words in tongues.ALONE:
        return _Core((tongues.ALONE[words],))
    if any(words[:length] in tongues.INSTEAD for length in (1, 2, 3)):
        return _Core(words)
    words, doubted = (words, False) if later and _taking(words) else _opened(words, doubted=False)
    words, unsure = _closed(_without_other(words), doubted=doubted)
    if words in tongues.ALONE:
        words = (tongues.ALONE[words],)
    return _Core(_joined(words, later=later), unsure)


def _taking(words: Words) -> bool:
    """Whether a clause begins with what is done to the other's man: "and I take the one on b4"."""
    first = next((place for place, word in enumerate(words) if any(map(str.isdigit, word))), 0)
    return _joining(words[:first]) == "takes"


def _joined(words: Words, *, later: bool) -> Words:
    """With "to" and "takes" in the place of what says it between two values, or, later in a sentence, before one."""
    found: list[str] = []
    between: list[str] = []
    for word in words:
        if not any(map(str.isdigit, word)):
            between.append(word)
            continue
        said = _joining(between) if found or (later and between) else None
        found += [*([said] if said else between), word]
        between = []
    return (*found, *between)


def _joining(words: Sequence[str]) -> str | None:
    """Which of our words says what these do; what is taken may be named ("take the stone on")."""
    said = tuple(word for word in words if word not in tongues.AMONG)
    taken = _JOINS.get(tuple(word for word in said if (word,) not in tongues.TOWARDS))
    return _JOINS.get(said) or (taken if taken == "takes" else None)


_JOINS: Final = {words: key for key, said in tongues.BETWEEN.items() for words in said}


def _opened(words: Words, *, doubted: bool) -> tuple[Words, bool]:
    """Without what leads up to a value, the longest phrases first; a preposition only behind such a phrase."""
    led = False
    while len(words) > 1:
        for length in range(min(len(words) - 1, _LONGEST_PHRASE), 0, -1):
            head = words[:length]
            if head in _LEADING or head in tongues.DOUBT_BEFORE or (led and head in tongues.TOWARDS):
                doubted = doubted or (head in tongues.DOUBT_BEFORE and head not in _LEADING and not led)
                words, led = words[length:], True
                break
        else:
            break
    return words, doubted


def _closed(words: Words, *, doubted: bool) -> tuple[Words, bool]:
    while len(words) > 1:
        for length in range(min(len(words) - 1, _LONGEST_PHRASE), 0, -1):
            tail = words[-length:]
            if tail in _CLOSING or tail in tongues.DOUBT_AFTER:
                doubted = doubted or tail in tongues.DOUBT_AFTER
                words = words[:-length]
                break
        else:
            break
    return words, doubted


def _without_other(words: Words) -> Words:
    """Without what the value stands instead of: "G6 instead of G7"."""
    for place in range(1, len(words)):
        if any(words[place : place + length] in tongues.INSTEAD for length in (1, 2, 3)):
            return words[:place]
    return words


_LEADING: Final = tongues.BEFORE | tongues.ANEW
_CLOSING: Final = tongues.AFTER | tongues.ANEW
_LONGEST_PHRASE: Final = max(map(len, _LEADING | _CLOSING | tongues.DOUBT_BEFORE))


# --- sayings ----------------------------------------------------------------------------------------------------------


def _sayings(sentences: Sequence[_Sentence]) -> Iterator[Saying]:
    """Of each sentence what it says as a whole, then, of one in several parts, each of them."""
    firm = not _taken_back(sentences)
    for place, sentence in enumerate(sentences):
        said = _without_leads(sentence.said)
        if not said:
            continue
        cores = [_core(clause.words, later=index > 0) for index, clause in enumerate(said)]
        sure = firm and sentence.end != "asked" and not any(core.doubted for core in cores)
        number = said[0].number
        lines = tuple(dict.fromkeys(c.number for c in sentence.clauses if c.number != number))
        others = ((n, s) for n, s in enumerate(sentences) if n != place)
        beside = tuple((n, s.text) for n, s in others if any(c.number == number for c in s.clauses))
        whole, told = ", ".join(" ".join(core.words) for core in cores), _told(sentence)
        yield Saying(number, place, whole, sure, beside, lines, told, sure, sentence.text)
        parts = [
            (c.number, part) for c, core in zip(said, cores, strict=True) for part in _either(core.words)
        ]
        if len(parts) > 1:
            sure = sure and len(parts) == len(said)
            leads = tuple(n for n in lines if n not in {c.number for c in said})
            yield from (
                Saying(n, place, " ".join(words), False, beside, leads, told, sure) for n, words in parts
            )


def _told(sentence: _Sentence) -> bool:
    """Whether the sentence tells something: it asks nothing, denies nothing, supposes nothing."""
    words = (_without_phrases(clause.words, _UNDOUBTED) for clause in _without_leads(sentence.said))
    return sentence.end != "asked" and all(map(tongues.UNTOLD.isdisjoint, words))


def _without_phrases(words: Words, phrases: frozenset[Words]) -> Words:
    for place in range(len(words)):
        for length in range(_LONGEST_BACK, 0, -1):
            if words[place : place + length] in phrases:
                return (*words[:place], *_without_phrases(words[place + length :], phrases))
    return words


def _without_leads(said: list[_Clause]) -> list[_Clause]:
    """Without the clauses that only lead up to the one behind them ("my move:"), or say that it is another one."""
    said = [clause for clause in said if clause.words not in tongues.ANEW]
    said = [
        clause
        for clause, after in zip_longest(said, said[1:])
        if after is None or not _given_up(clause, after)
    ]
    while len(said) > 1 and said[0].words in tongues.BEFORE:
        said = said[1:]
    return said


def _given_up(clause: _Clause, after: _Clause) -> bool:
    """Whether a clause only denies what the one behind it says instead: "not G7, but H7"."""
    return clause.words[0] in tongues.AGAINST - tongues.OR - tongues.BUT and after.words[0] in tongues.BUT


def _either(words: Words) -> Iterator[Words]:
    """What stands between the words for "or"."""
    part: list[str] = []
    for word in words:
        if word in tongues.OR and part:
            yield _core(tuple(part)).words
            part = []
        elif word not in tongues.OR:
            part.append(word)
    if part:
        yield _core(tuple(part)).words


def _taken_back(sentences: Sequence[_Sentence]) -> bool:
    """Whether something in the mail takes back what else it says, or asks about a value."""
    told = [clause.words for sentence in sentences for clause in sentence.said]
    for sentence in sentences:
        words = tuple(word for clause in sentence.said for word in clause.words)
        about = bool(_VALUE.search(" ".join(words)))
        against = bool(words) and words[0] in tongues.AGAINST
        if (about or (against and len(words) > 1)) and sentence.end == "asked":
            return True
        refuses = tongues.ALONE.get(words) == "no" and any(s.said for s in sentences if s is not sentence)
        if (about and against) or refuses or _spans(words, tongues.BACK):
            return True
    return any(_spans(words, tongues.ANEW) for words in (told[1:] if len(told) > 1 else ()))


def _spans(words: Words, phrases: frozenset[Words]) -> bool:
    return any(words[i : i + n] in phrases for i in range(len(words)) for n in range(1, _LONGEST_BACK + 1))


_UNDOUBTED: Final = tongues.BACK | tongues.ANEW | tongues.MEANT
_LONGEST_BACK: Final = max(map(len, _UNDOUBTED))
