"""What a moderator orders in words: the command line's, or as one says them ("extend m2 by 2 days because ..."). A line
is read once, with all that is wrong with it; nothing is done here."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo

from referee.base.errors import WrongUsage
from referee.core.options import LONGEST
from referee.core.texts.bounded import whole
from referee.core.texts.words import FreeText
from referee.match import commands as do
from referee.match import events as ev
from referee.match.commands import MatchCommand
from referee.offices.moderating.arguments import entrant, instant

Known = Callable[[str], str | None]  # the name of the match that a word names, whatever its case

OUTCOMES = {"called-off": "called-off", "off": "called-off", "drawn": "drawn", "draw": "drawn", "won": "won"}


class Verb(NamedTuple):
    """What an order of a kind is about, and what its words say of those behind them (`slots`) or by themselves
    (`flags`)."""

    of: Literal["desk", "match", "mail"]
    does: Literal["tells", "touches", ""] = ""  # touches: the players must be told a reason
    slots: Mapping[str, str] = {}
    flags: Collection[str] = ()


def _slots(**words: str) -> Mapping[str, str]:
    return {word: slot for slot, several in words.items() for word in several.split()}


VERBS: Mapping[str, Verb] = {
    "desk": Verb("desk", "tells"),
    "list": Verb("desk", "tells"),
    "show": Verb("match", "tells", _slots(seat="as"), ("moderator",)),
    "mail": Verb("mail", "tells"),
    "release": Verb("mail"),
    "unshunt": Verb("mail"),
    "reject": Verb("mail", "touches"),
    "say": Verb("match"),
    "extend": Verb(
        "match",
        "touches",
        _slots(by="by", until="until till to", seat="player seat"),
        ("all", "every", "everything"),
    ),
    "pause": Verb("match", "touches"),
    "resume": Verb("match", "touches"),
    "rewind": Verb("match", "touches", _slots(to="to")),
    "rule": Verb("match", "touches", _slots(to="turn"), ("illegal", "legal")),
    "amend": Verb("match", "touches", _slots(option="option"), ("data",)),
    "replace": Verb("match", "touches", _slots(seat="player seat", person="with by to")),
    "end": Verb(
        "match", "touches", _slots(how="as", winner="winner winners by player"), ("called", *OUTCOMES)
    ),
    "vacate": Verb("match", "touches", _slots(seat="player seat")),
}
TELLING = frozenset(name for name, verb in VERBS.items() if verb.does == "tells")
_WHY = frozenset(("why", "because", "reason"))
_FILLERS = frozenset(
    "match matches the in of for deadline deadlines please is as and it mail no".split()  # noqa: SIM905
)
_TOKEN = re.compile(r'(?:"[^"]*"|[^\s"])+')
_QUOTES = str.maketrans(dict.fromkeys("“”„«»″", '"'))
_UNITS = {"m": 60, "h": 3600, "d": 86400, "w": 604800}
_UNIT = r"(?:minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w)(?![a-z])"
_SPAN = re.compile(rf"(?:\d{{1,5}}\s*{_UNIT}\s*,?\s*(?:and )?)+", re.IGNORECASE)
_PART = re.compile(r"(\d{1,5})\s*([mhdw])", re.I)
_NUMBERS = {
    "a": "1", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
}  # fmt: skip
_MOST_WHY = 2000
PARKED = re.compile(r"letter-(\d{1,9})")  # how a letter is named that may have left


class Given(NamedTuple):
    """What is said already: by the item of the desk's letter that a number names, or by brackets in the subject."""

    match: str | None = None
    seat: int | None = None
    which: str = ""


NOTHING = Given()


class Amending(NamedTuple):
    """What `amend` asks for: options as they were typed, and whether the game's data are taken anew."""

    options: Mapping[str, str]
    data: bool


@dataclass(frozen=True, slots=True)
class Instruction:
    """One order to the desk. `faults` are all that is wrong with it; where there are none and it is about matches, it
    has a `command`."""

    verb: str
    match: str | None = None
    every: bool = False  # about all matches in which time runs
    which: str = ""  # a mail's number, a match whose search is held, or `all`
    command: MatchCommand | Amending | None = None
    check: bool = False
    moderator: bool = False
    why: FreeText = ""
    faults: tuple[str, ...] = ()

    @property
    def acts(self) -> bool:
        """Whether it would change anything."""
        return self.verb not in TELLING and not self.check


def verb_of(line: str) -> str:
    """The verb that a line begins with; empty where it is none."""
    found = re.match(r"\W{0,3}([a-z]+)(?![\w'-])", line, re.IGNORECASE)
    return found[1].lower() if found and found[1].lower() in VERBS else ""


def is_order(line: str, known: Known, given: Given = NOTHING) -> bool:
    """Whether a line is an order to the desk by its shape, and not a sentence that begins with such a word."""
    verb, words = verb_of(line), [w for w in _tokens(line)[1:] if _bare(w) not in _FILLERS]
    if not verb or (not words and not given.match):
        return verb in ("desk", "list")
    if verb in ("desk", "list"):
        return False
    if verb == "rule" and not {"legal", "illegal", "turn"} & {_bare(word) for word in words}:
        return False  # how the rules are asked for
    first = [_bare(word) for word in words[:3]]
    named = any(known(_plain(word)) for word in words[:3]) or given.match is not None
    if VERBS[verb].of == "mail":
        return bool(first) and (
            PARKED.fullmatch(first[0]) is not None
            or first[0].isdecimal()
            or first[0] == "all"
            or known(_plain(words[0])) is not None
        )
    return named or words[0].startswith("--") or (verb == "extend" and first[0] in VERBS[verb].flags)


def read_order(
    line: str, known: Known, zone: str, given: Given = NOTHING, *, body: str = "", check: bool = False
) -> Instruction:
    """The order in a line that begins with a verb. `body` are the words of the mail below it: the reason, or what is to
    be said; a moment without offset is one of the `zone`."""
    verb = verb_of(line)
    reader = _Reader(verb, known, zone, given, body)
    reader.take(_tokens(line)[1:])
    return reader.order(check=check)


def _tokens(line: str) -> list[str]:
    line = re.sub(r"^\W{0,3}", "", line.translate(_QUOTES)) if not line.startswith("-") else line
    return _TOKEN.findall(line.replace('" "', '"  "'))


def _plain(word: str) -> str:
    return word.replace('"', "").strip("[](),;:!").rstrip(".")


def _bare(word: str) -> str:
    return _plain(word).lstrip("-").lower()


class _Reader:
    """Sorts the words of one order."""

    def __init__(self, verb: str, known: Known, zone: str, given: Given, body: str) -> None:
        self.verb, self.kind, self.known, self.zone, self.given = verb, VERBS[verb], known, zone, given
        self.body = " ".join(body.split())
        self.raw_body = body.strip()
        self.slots: dict[str, list[str]] = {}
        self.flags: set[str] = set()
        self.loose: list[str] = []
        self.match, self.every = given.match, False
        self.faults: list[str] = []
        self.named = self.why = ""

    # --- words into slots ----------------------------------------------------------------------------------------

    def take(self, words: Sequence[str]) -> None:
        slots, flags, slot = self.kind.slots, self.kind.flags, ""
        for index, word in enumerate(words):
            bare, value = _bare(word), ""
            if word.startswith("--") and "=" in word:
                bare, _, value = word.lstrip("-").partition("=")
                bare = bare.lower()
            if self.verb == "say" and self._begins_text(words, index, slot):
                rest = words[index:]
                cut = rest.index("--why") if "--why" in rest else len(rest)
                self.slots["text"], self.slots["why"] = list(rest[:cut]), list(rest[cut + 1 :])
                return
            if bare in _WHY and (self.verb != "say" or word.startswith("--")):
                self.slots["why"] = [*([value] if value else []), *words[index + 1 :]]
                return
            if bare in ("check", "preview") and slot != "person":
                self.flags.add("check")
            elif self.verb == "say" and bare in ("seat", "player", "to"):
                slot = "seat"
            elif bare in slots and slot != "person" and not (slots[bare] == slot == "winner"):
                slot = slots[bare]
                self.slots.setdefault(slot, [])
                if value:
                    self.slots[slot].append(value)
            elif bare in flags:
                self.flags.add(bare)
                slot = ""
            elif self._names_match(word):
                slot = "" if slot != "to" else slot
            elif slot:
                self.slots.setdefault(slot, []).append(word)
                slot = "" if self.verb == "say" else slot
            elif bare not in _FILLERS:
                self.loose.append(word)

    def _begins_text(self, words: Sequence[str], index: int, slot: str) -> bool:
        """Whether what is to be said begins there: behind the match and the player."""
        if self.match is None or slot == "seat" or (not self.named and self._names_match(words[index])):
            return False
        behind = _bare(words[index + 1]) if index + 1 < len(words) else ""
        to_seat = behind.isdecimal() or behind in ("player", "seat")
        return words[index] != "--why" and not (_bare(words[index]) in ("seat", "player", "to") and to_seat)

    def _names_match(self, word: str) -> bool:
        if self.kind.of != "match" or self.named:
            return False
        found = self.known(_plain(word))
        if found is None:
            return False
        if self.match is not None and found != self.match:
            self.faults.append(f"This is about {self.match}, and the line names {found}.")
        self.named = self.match = found
        return True

    # --- the order -----------------------------------------------------------------------------------------------

    def order(self, *, check: bool) -> Instruction:
        why = " ".join(_plain_text(self.slots.pop("why", ())))
        self.why = why if self.verb == "say" else why or self.body
        command = self._command()
        which = self._which() if self.kind.of == "mail" else ""
        if self.kind.of == "match" and self.match is None and not self.every:
            self._no_match()
        for word in self.loose:
            self.faults.append(f"I don't understand {_plain(word)!r} there.")
        check = check or "check" in self.flags
        if self.kind.does == "touches" and not check and not _says(self.why):
            self.faults.append("It needs a reason: write it into the body, or behind the word because.")
        if len(self.why) > _MOST_WHY:
            self.faults.append(f"The reason has {len(self.why)} letters; {_MOST_WHY} are the most.")
        return Instruction(
            self.verb, self.match, self.every, which, command, check=check, moderator="moderator" in self.flags,
            why=self.why, faults=tuple(self.faults),
        )  # fmt: skip

    def _command(self) -> MatchCommand | Amending | None:
        match self.verb:
            case "extend":
                return self._extend()
            case "pause":
                return ev.MatchPaused(self.why)
            case "resume":
                return ev.MatchResumed(self.why)
            case "rewind":
                what = "where it goes back to: a round such as Round 3 / Player 2, or a public position"
                to = self._label(what)
                number = whole(to)
                return do.Rewind(to if number is None else number, self.why)
            case "rule":
                found = self.flags & {"illegal", "legal"}
                if len(found) != 1:
                    self.faults.append("It must say either legal or illegal.")
                return do.Rule(
                    self._label("the turn: such as Round 3 / Player 2"), found == {"legal"}, self.why
                )
            case "amend":
                return self._amend()
            case "replace":
                return self._replace()
            case "vacate":
                return ev.SeatVacated(self._seat() or 0, self.why)
            case "say":
                return self._say()
            case "end":
                return self._end()
            case "show" if "seat" in self.slots:
                self.faults.append("What a seat alone may see goes to that seat by mail, and to nobody else.")
        return None

    def _no_match(self) -> None:
        word = next((_plain(w) for w in self.loose if not _plain(w).isdecimal()), "")
        if word:
            self.loose = [w for w in self.loose if _plain(w) != word]
            self.faults.append(f"There is no match {word!r}; the subject list shows them.")
        else:
            self.faults.append("It names no match.")

    def _extend(self) -> MatchCommand:
        every = self.every = bool(self.flags & set(self.kind.flags))
        if every and self.match is not None and self.named:
            self.faults.append("It names a match, and all of them: which is meant?")
        span = " ".join(map(_plain, self.slots.pop("by", ()))) or self._loose_span()
        until = " ".join(map(_plain, self.slots.pop("until", ())))
        if bool(span) == bool(until):
            self.faults.append(
                "It must say either by how much (by 2d) or until when (until 2026-03-01T18:00Z)."
            )
        seat = self._seat(needed=False)
        if every and (seat is not None or until):
            self.faults.append("All matches are extended by a span, for all seats.")
        return do.Extend(self.why, seat, self._span(span), self._moment(until))

    def _loose_span(self) -> str:
        said = " ".join(map(_plain, self.loose))
        if said and _SPAN.fullmatch(said):
            self.loose = []
            return said
        return ""

    def _span(self, text: str) -> timedelta | None:
        if not text:
            return None
        text = " ".join(_NUMBERS.get(word.lower(), word) for word in text.split())
        seconds = sum(int(n) * _UNITS[unit.lower()] for n, unit in _PART.findall(text))
        if not _SPAN.fullmatch(text) or seconds > LONGEST.total_seconds():
            self.faults.append(f"{text[:40]!r} is no span of time such as 2d or 12h, up to {LONGEST.days}d.")
            return None
        return timedelta(seconds=seconds)

    def _moment(self, text: str) -> datetime | None:
        if not text:
            return None
        try:
            return instant(text.replace(" ", "T", 1), ZoneInfo(self.zone))
        except WrongUsage as bad:
            self.faults.append(f"{bad}.")
            return None

    def _label(self, what: str) -> str:
        label = " ".join(map(_plain, [*self.slots.pop("to", ()), *self.loose])).strip()
        self.loose = []
        label = re.sub(r"\s+", " ", label)
        if not label:
            self.faults.append(f"It must say {what}.")
        return label

    def _amend(self) -> Amending:
        pairs: dict[str, str] = {}
        rest = []
        for word in (*self.slots.pop("option", ()), *self.loose):
            name, equals, value = word.lstrip("-").partition("=")
            if equals and name:
                pairs[name.replace('"', "")] = value.replace('"', "").rstrip(",;")
            elif _bare(word) not in _FILLERS:
                rest.append(word)
        self.loose = rest
        if not pairs and "data" not in self.flags:
            self.faults.append("It must say what is amended: name=value, or data.")
        return Amending(pairs, "data" in self.flags)

    def _replace(self) -> MatchCommand | None:
        seat, said = self._seat(), [*self.slots.pop("person", ()), *self.loose]
        self.loose = []
        text = " ".join(said).replace('"', "").strip()
        if not text:
            self.faults.append('It must say who: "Name <address>".')
            return None
        try:
            return ev.EntrantReplaced(seat or 0, entrant(text), self.why)
        except WrongUsage as bad:
            self.faults.append(f"{bad}.")
            return None

    def _say(self) -> MatchCommand:
        seat = self._seat(needed=False) if "seat" in self.slots else self.given.seat
        said = " ".join(_plain_text(self.slots.pop("text", ())))
        text = "\n\n".join(filter(None, (said, self.raw_body)))
        if not _says(text):
            self.faults.append("There are no words: write them into the body.")
        return ev.Said(text) if seat is None else ev.SaidToOne(seat, text)

    def _end(self) -> MatchCommand:
        for word in map(_bare, self.slots.pop("how", ())):
            self.flags |= {part for part in word.split("-") if part} if word not in OUTCOMES else {word}
        found = {OUTCOMES[flag] for flag in self.flags if flag in OUTCOMES}
        if len(found) != 1:
            self.faults.append("It must say how it ends: as called-off, drawn or won.")
        said = (*self.slots.pop("winner", ()), *self.loose)
        skipped = (*_FILLERS, "player", "players")
        numbers = [_plain(word).lstrip("#") for word in said if _bare(word) not in skipped]
        self.loose = [word for word in numbers if whole(word[:4]) is None]
        winners = tuple(sorted({int(word[:4]) for word in numbers if word not in self.loose}))
        if found == {"won"} and not winners:
            self.faults.append("It must say who has won: winner 2.")
        return ev.MatchStopped(next(iter(found), ""), winners, self.why)

    def _seat(self, *, needed: bool = True) -> int | None:
        said = [_plain(word).lstrip("#") for word in self.slots.pop("seat", ())]
        if not said and needed and (number := next((w for w in self.loose if _plain(w).isdecimal()), None)):
            self.loose.remove(number)
            said = [_plain(number)]
        numbers = [word for word in said if word.isdecimal() and len(word) < 4]
        # what stands behind the number belongs to somebody else ("player 2 Eve <eve@..>")
        behind = said[said.index(numbers[0]) + 1 :] if numbers else []
        self.loose += [word for word in behind if word.lower() not in _FILLERS]
        if numbers:
            if self.given.seat not in (None, int(numbers[0])):
                self.faults.append(
                    f"This is about Player {self.given.seat}, and the line names Player {numbers[0]}."
                )
            return int(numbers[0])
        if said or (needed and self.given.seat is None):
            self.faults.append("It must say which player: player 2.")
        return self.given.seat

    def _which(self) -> str:
        said, self.loose = [_plain(word).lstrip("#") for word in self.loose], []
        if self.given.which and (not said or said[0] == self.given.which):
            said = said[1:]
            which = self.given.which
        else:
            which = self.known(said[0]) or said[0] if said else ""
            said = said[1:]
            if self.given.which:
                self.faults.append(f"This is about mail {self.given.which}, and the line names {which}.")
        single = self.verb in ("reject", "mail")
        if not which or (single and whole(which) is None) or len(which) > 80:
            self.faults.append("It must say which mail, by its number" + ("." if single else ", or all."))
        self.loose = said
        return which


def _says(text: str) -> bool:
    """Whether there are words in it, and not but the dots that stand for them."""
    return re.search(r"\w", text) is not None


def _plain_text(words: Sequence[str]) -> list[str]:
    """Words as they stand, without the quotation marks round all of them."""
    text = " ".join(words).strip()
    return [text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' and '"' not in text[1:-1] else text]
