"""Conditional turns as players put them: which lines of a mail are such, and how a tree of them is written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from referee.core.answers import Body, Party
from referee.core.complaint import Line
from referee.core.orders.sheet import plain
from referee.core.owing import Demand
from referee.core.seam import Standing, answer_of
from referee.core.texts.words import FreeText
from referee.match.events import AheadBranch
from referee.match.match import Match

ANYTHING: Final = 0  # in the place of a seat: whatever comes
THE_OTHER: Final = -1  # "he", "my opponent"

_VERBS: Final = "plays?|moves?|goes|places?|puts?|answers?|replies|says?|chooses"
_BEFORE_A_MOVE: Final = rf"(?:(?:{_VERBS})\b[\s:]*(?:(?:at|to|on|with)\s+)?)?"
_CLAUSES: Final = re.compile(r"[\s,;.]*\b(?:(?:and|then|but)\s+)*if\b[\s:,]*", re.IGNORECASE)
_THEN: Final = re.compile(r"[\s,;:.]*\bthen\b[\s:,]*", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"\s*[,;:]\s*|\s+[-=]+>\s+|\s+→\s+")
_ANYTHING: Final = re.compile(
    r"(?:(?:anything|something) else|any ?thing|any other (?:move|answer|reply|turn)|otherwise|not)\b"
    r"[\s:,;]*(?:then\b)?[\s:,]*(?P<reply>.*)",
    re.IGNORECASE | re.DOTALL,
)
_KEYED: Final = re.compile(r"(?:then|else|otherwise)\s*[:：]\s*(?P<reply>.+)", re.IGNORECASE)
_HE: Final = r"he|she|they|(?:(?:my|the) )?(?:opponent|other(?: player| side)?)"
_I: Final = re.compile(rf"(?:i(?:'ll| will| shall)?\s+)?{_BEFORE_A_MOVE}", re.IGNORECASE)
_PASSES: Final = re.compile(r"pass(?:es|ed)?", re.IGNORECASE)
_EDGES: Final = " \t.,;:!*_\"'"
_MOST_WORDS: Final = 5  # of a move; what is longer is a sentence


@dataclass(frozen=True, slots=True)
class WrittenStep:
    """One step as it was written. `seat` None: the words `whose` name nobody."""

    seat: int | None
    trigger: FreeText
    reply: FreeText
    whose: FreeText = ""


@dataclass(frozen=True)
class Tongue:
    """How the seats of a match may be called."""

    standing: Standing
    match: Match

    @cached_property
    def _names(self) -> Mapping[str, int]:
        """Numbers, names, first names that only one has, colours; in small letters."""
        found: dict[str, int] = {}
        twice: set[str] = set()
        for seat in self.match.numbers:
            whole = " ".join(self.match.entrant(seat).name.casefold().split())
            theirs = [*self.standing.game.called(self.standing.state, seat), whole, *whole.split()[:1]]
            for name in dict.fromkeys(one.casefold() for one in theirs if one):
                twice |= {name} if found.setdefault(name, seat) != seat else set()
        return {name: seat for name, seat in found.items() if name not in twice}

    @cached_property
    def _subject(self) -> re.Pattern[str]:
        names = "|".join(re.escape(name) for name in sorted(self._names, key=len, reverse=True))
        return re.compile(
            rf"(?:(?:(?:player|seat|no\.?)\s*)?(?P<number>\d+)(?![\w-])|(?P<name>{names or '(?!)'})(?:'?s)?(?!\w)"
            rf"|(?P<he>{_HE})(?!\w))[\s:,]*{_BEFORE_A_MOVE}",
            re.IGNORECASE,
        )

    def clauses(self, text: str) -> tuple[WrittenStep, ...]:
        """The steps of a line, none where it is no conditional turn."""
        told = plain(text)
        if alone := _KEYED.fullmatch(told):
            found: tuple[WrittenStep, ...] = (WrittenStep(ANYTHING, "", _move(alone["reply"])),)
        elif re.match(r"if\b", told, re.IGNORECASE):
            found = tuple(self._clause(part) for part in _CLAUSES.split(told)[1:])
        else:
            return ()
        return found if found and self._tells(found[0]) else ()

    def _clause(self, text: str) -> WrittenStep:
        if anything := _ANYTHING.fullmatch(text):
            return WrittenStep(ANYTHING, "", _move(anything["reply"]))
        parted = _THEN.split(text, maxsplit=1)
        subject = self._subject.match(parted[0])
        rest = parted[0][subject.end() :] if subject else parted[0]
        if len(parted) == 1:
            said = _BETWEEN.split(rest.strip(_EDGES), maxsplit=1)
            rest, parted = said[0], said
        reply = _move(parted[1]) if len(parted) > 1 else ""
        if subject is None:
            return self._nobodys(rest.strip(_EDGES), reply)
        return WrittenStep(self._seat(subject), _trigger(rest), reply, subject[0].strip(_EDGES))

    def _seat(self, subject: re.Match[str]) -> int | None:
        if subject["number"]:
            seat = int(subject["number"][:4])
            return seat if seat in self.match.numbers else None
        return self._names[subject["name"].casefold()] if subject["name"] else THE_OTHER

    def _nobodys(self, text: str, reply: str) -> WrittenStep:
        """A step that names nobody: a move alone is the same player's as before; else its last word is the move."""
        if self._is_move(text):
            return WrittenStep(THE_OTHER, _trigger(text), reply)
        whose, _, last = text.rpartition(" ")
        return WrittenStep(None, _trigger(last), reply, whose.strip(_EDGES))

    def _tells(self, first: WrittenStep) -> bool:
        """Whether a line is one at all, and no sentence that begins with "if"."""
        if first.seat is None:
            return bool(first.whose) and self._is_move(first.trigger) and self._is_move(first.reply)
        said = [first.reply, *([first.trigger] if first.seat else [])]
        return all(len(one.split()) <= _MOST_WORDS and _tangible(one) for one in said)

    def _is_move(self, text: str) -> bool:
        kind = next((a.kind for a in self.standing.game.answers if a.foreseeable), None)
        if kind is None:
            return False
        answer, demand = answer_of(self.standing.game, kind), Demand(kind, 1)
        line = f"{answer.headings[0]}: {text.strip(_EDGES)}"
        said = answer.read(self.standing.state, demand, Body.of(line), Party("", 1))
        return said.action is not None and not any(complaint.line for complaint in said.complaints)


def _tangible(text: str) -> bool:
    return any(map(str.isdigit, text)) or _PASSES.fullmatch(text) is not None


def _trigger(text: str) -> str:
    stripped = text.strip(_EDGES)
    return "pass" if _PASSES.fullmatch(stripped) else stripped


def _move(text: str) -> str:
    said = text.strip(_EDGES)
    said = re.sub(r"[\s,;]+(?:and|then|but)$", "", said, flags=re.IGNORECASE)
    return _trigger(_I.sub("", said, count=1) if _I.match(said) else said)


def parted(match: Match, lines: Iterable[Line]) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """The lines that say what to do if something happens, and all others."""
    own, others = list[Line](), list[Line]()
    tongue = None
    for line in lines:
        if _MAY_BE.match(line.text) and match.standing is not None:
            tongue = tongue or Tongue(match.standing, match)
            (own if tongue.clauses(line.text) else others).append(line)
        else:
            others.append(line)
    return tuple(own), tuple(others)


_MAY_BE: Final = re.compile(r"[\W\d]*(?:if|then|else|otherwise)\b", re.IGNORECASE)

# --- written ----------------------------------------------------------------------------------------------------------


def written(branches: Iterable[AheadBranch]) -> tuple[str, ...]:
    """The lines that say a tree, a path each."""
    return tuple(f"If {path}" for branch in branches for path in _paths(branch))


def _paths(branch: AheadBranch) -> Iterator[str]:
    step = _step(branch)
    if not branch.then:
        yield step
    for following in branch.then:
        yield from (f"{step}, if {path}" for path in _paths(following))


def _step(branch: AheadBranch) -> str:
    if branch.seat == ANYTHING:
        return f"anything else: {branch.text}"
    return f"Player {branch.seat}: {branch.said}, then {branch.text}"


def drawn(branches: Iterable[AheadBranch], depth: int = 0) -> tuple[str, ...]:
    """The tree as one looks at it: a step a line, those behind it further in."""
    found: list[str] = []
    for branch in branches:
        found += [f"{'    ' * depth}If {_step(branch)}", *drawn(branch.then, depth + 1)]
    return tuple(found)
