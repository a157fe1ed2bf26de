"""Conditional turns as players put them: which lines of a mail are such, how a tree of them is
written, and what it says, checked as far as the position is known in which each move is made.

Where somebody else moves in between it is not known any more: then a move is only read, and
checked when it is to count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

from referee.core import seam
from referee.core.answers import Body, Party, Reading
from referee.core.game import AnyGame
from referee.core.orders.keyed import plain
from referee.core.seam import Standing
from referee.core.value import Complaint, Demand, FreeText, Line, Value, demands
from referee.language.hearing import Vocabulary, condition, heard, named_words
from referee.language.interpret import interpret
from referee.language.sentences import sentences
from referee.match.events import AheadBranch
from referee.match.match import Match, OpenRound

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
_MAY_BE: Final = re.compile(r"[\W\d]*(?:if|then|else|otherwise)\b", re.IGNORECASE)
MOST_LINES: Final = 20
MOST_STEPS: Final = 10  # one behind the other
_HOUSE: Final = "house"
_NONE: Final = Line(0, "")


class WrittenStep(Value):
    """One step as it was written. `seat` None: the words `whose` name nobody."""

    seat: int | None
    trigger: FreeText
    reply: FreeText
    whose: FreeText = ""


@dataclass
class Tongue:
    """How the seats of a match may be called, and what lines of one of them say of the others."""

    match: Match
    standing: Standing
    seat: int = 0
    line: Line = _NONE  # that is read
    complaints: list[Complaint] = field(default_factory=list)

    @property
    def game(self) -> AnyGame:
        return self.standing.game

    @cached_property
    def names(self) -> Mapping[str, int]:
        """Numbers, names, first names that only one has, colours; in small letters."""
        found: dict[str, int] = {}
        twice: set[str] = set()
        for seat in self.match.numbers:
            whole = " ".join(self.match.entrant(seat).name.casefold().split())
            theirs = [*self.game.called(self.standing.state, seat), whole, *whole.split()[:1]]
            for name in dict.fromkeys(one.casefold() for one in theirs if one):
                twice |= {name} if found.setdefault(name, seat) != seat else set()
        return {name: seat for name, seat in found.items() if name not in twice}

    @cached_property
    def _subject(self) -> re.Pattern[str]:
        names = "|".join(re.escape(name) for name in sorted(self.names, key=len, reverse=True))
        return re.compile(
            rf"(?:(?:(?:player|seat|no\.?)\s*)?(?P<number>\d+)(?![\w-])|(?P<name>{names or '(?!)'})(?:'?s)?(?!\w)"
            rf"|(?P<he>{_HE})(?!\w))[\s:,]*{_BEFORE_A_MOVE}",
            re.IGNORECASE,
        )

    def clauses(self, text: str) -> tuple[WrittenStep, ...]:
        """The steps of a line, none where it is no conditional turn."""
        told = plain(text)
        if alone := _KEYED.fullmatch(told):
            found = [WrittenStep(ANYTHING, "", _move(alone["reply"]))]
        else:
            begun = re.match(r"if\b", told, re.IGNORECASE)
            found = [self._clause(part) for part in _CLAUSES.split(told)[1:]] if begun else []
        return tuple(found) if found and self._tells(found[0]) else ()

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
        if subject is not None:
            seat: int | None = self.names[subject["name"].casefold()] if subject["name"] else THE_OTHER
            if subject["number"]:
                seat = int(subject["number"][:4])
                seat = seat if seat in self.match.numbers else None
            return WrittenStep(seat, _trigger(rest), reply, subject[0].strip(_EDGES))
        # names nobody: a move alone is the same player's as before; else its last word is the move
        if self._is_move(text := rest.strip(_EDGES)):
            return WrittenStep(THE_OTHER, _trigger(text), reply)
        whose, _, last = text.rpartition(" ")
        return WrittenStep(None, _trigger(last), reply, whose.strip(_EDGES))

    def _tells(self, first: WrittenStep) -> bool:
        """Whether a line is one at all, and no sentence that begins with "if"."""
        if first.seat is None:
            return bool(first.whose) and self._is_move(first.trigger) and self._is_move(first.reply)
        said = [first.reply, *([first.trigger] if first.seat else [])]
        moves = (any(map(str.isdigit, one)) or _PASSES.fullmatch(one) for one in said)
        return all(moves) and all(len(one.split()) <= _MOST_WORDS for one in said)

    def _is_move(self, text: str) -> bool:
        kind = next((a.kind for a in self.game.answers if a.foreseeable), None)
        if kind is None:
            return False
        answer, demand = seam.answer_of(self.game, kind), Demand(kind, 1)
        line = f"{answer.headings[0]}: {text.strip(_EDGES)}"
        said = answer.read(self.standing.state, demand, Body.of(line), Party("", 1))
        return said.action is not None and not any(complaint.line for complaint in said.complaints)

    def read(self, lines: Sequence[Line], at: _At) -> Foreseen:
        """Every line; of one with a fault the form has its own words."""
        tree: tuple[AheadBranch, ...] = ()
        texts: list[str] = []
        for self.line in lines[MOST_LINES:][:1]:
            self._wrong("ahead_too_many", given=len(lines), most=MOST_LINES)
        for self.line in lines[:MOST_LINES]:
            before = len(self.complaints)
            clauses, path, stands = self.clauses(self.line.text), list[AheadBranch](), at
            previous = THE_OTHER
            if len(clauses) > MOST_STEPS:
                self._wrong("ahead_too_deep", given=len(clauses), most=MOST_STEPS)
            for clause in clauses[:MOST_STEPS]:  # as far as nothing is wrong with them
                if (step := self._step(clause, stands, previous)) is None:
                    break
                branch, stands = step
                path.append(branch)
                previous = branch.seat or previous
            tree = _with_path(tree, path)
            faulty = len(self.complaints) > before
            texts += [self.line.text.strip()] if faulty else written(_with_path((), path))
        return Foreseen(tree, tuple(self.complaints), tuple(dict.fromkeys(texts)))

    def _step(self, clause: WrittenStep, at: _At, previous: int) -> tuple[AheadBranch, _At] | None:
        """None where something is wrong with it."""
        seat = self._whose(clause, previous)
        if seat is None:
            return None
        trigger, said = None, ""
        if seat != ANYTHING:
            came = self._move(seat, clause.trigger, at, theirs=True)
            if came is None:
                return None
            trigger, said, at = came
        else:
            at = _At(at.standing, False)
        if not clause.reply:
            self._wrong("ahead_no_reply", trigger=clause.trigger or "anything else")
            return None
        reply = self._move(self.seat, clause.reply, at, theirs=False)
        return (AheadBranch(seat, trigger, said, *reply[:2]), reply[2]) if reply else None

    def _whose(self, clause: WrittenStep, previous: int) -> int | None:
        seat = clause.seat
        others = [number for number in self.match.numbers if number != self.seat]
        if seat == THE_OTHER:
            seat = previous if previous != THE_OTHER else (others[0] if len(others) == 1 else None)
            if seat is None:
                self._wrong("ahead_which")
        elif seat is None:
            called = [f"Player {number}, {self.match.entrant(number).name}" for number in others]
            self._wrong("ahead_whose", whose=clause.whose, others=called)
        elif seat == self.seat:
            self._wrong("ahead_own")
            return None
        return seat

    def _move(self, seat: int, text: str, at: _At, *, theirs: bool) -> tuple[dict[str, Any], str, _At] | None:
        """The move that a text says, in words, and what it leads to; None with complaints."""
        owed = next((d for d in demands(at.standing.due, seat) if seam.foreseeable(self.game, d)), None)
        if at.known and owed is None and not at.standing.due:
            self._wrong("ahead_over")
            return None
        known = at.known and owed is not None
        kind = owed.kind if owed else next(a.kind for a in self.game.answers if a.foreseeable)
        demand, reading = self._read(at.standing, seat, kind, text)
        answer = seam.answer_of(self.game, demand.kind)
        if reading.action is None or reading.complaints or reading.choices or not answer.foreseeable:
            self._wrong("ahead_unread", text=text)
            return None
        move = answer.foreseen(at.standing.state, reading.action)
        if move is None:
            self._wrong("ahead_no_move", text=text)
            return None
        if known and (wrong := at.standing.check(demand, move)):
            if theirs:  # of another's move, that it can't come; of one's own every fault by the game's rules
                facts = {"seat": seat, "text": text}
                wrong = (Complaint("ahead_cannot_come", wrong[0].rule, self.line, facts),)
            self.complaints += [replace(complaint, line=self.line, also=()) for complaint in wrong]
            return None
        words = self._words(at.standing, demand, move)
        after = at.after(demand, move) if known else _At(at.standing, False)
        return self.game.actions_codec.encode(move), words, after

    def _read(self, standing: Standing, seat: int, kind: str, text: str) -> tuple[Demand, Reading[Any]]:
        """A move alone, as a bare value is read; where that says none, as what stands behind its heading ("d-4")."""
        party, (heading, *_) = self.match.party(seat), seam.answer_of(self.game, kind).headings
        demand, reading = interpret(standing, seat, kind, Body((Line(self.line.number, text),)), party)
        if reading.action is None and not reading.choices:
            body = Body((Line(self.line.number, f"{heading}: {text}"),))
            again = seam.read(self.game, standing.state, Demand(kind, seat), body, party)
            if again.action is not None and not again.complaints:
                return Demand(kind, seat), again
        return demand, reading

    def _words(self, standing: Standing, demand: Demand, move: Any) -> str:
        """As short as it can be read again: "d7" of "Move: d7"."""
        whole = " ".join(seam.write(self.game, standing.state, demand, move).split("\n"))
        short = whole.partition(": ")[2]
        if short:
            _, again = self._read(standing, demand.seat, demand.kind, short)
            if again.action == move and not again.complaints and not again.choices:
                return short
        return whole

    def _wrong(self, code: str, **facts: Any) -> None:
        self.complaints.append(Complaint(code, _HOUSE, self.line, facts))


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
    tongue = Tongue(match, match.standing) if match.standing is not None else None
    for line in lines:
        conditional = tongue is not None and _MAY_BE.match(line.text) and tongue.clauses(line.text)
        (own if conditional else others).append(line)
    return tuple(own), tuple(others)


def in_prose(match: Match, body: Body) -> tuple[tuple[Line, ...], Mapping[str, str]]:
    """The lines without what sentences of them suppose ("wenn Schwarz e5 spielt, dann c5"); and that in the notation,
    with the word that leads it."""
    named = [word for line in body.lines for word in line.text.split() if any(map(str.isdigit, word))]
    if match.standing is None or len(named) < 2 or not seam.foresees(match.standing.game):
        return body.lines, {}
    called = Tongue(match, match.standing).names
    names = named_words((name, (f"player {seat}",)) for name, seat in called.items())
    vocabulary = Vocabulary(match.game, names, body.hints.own)
    rest, found = dict[int, list[str]](), dict[str, str]()
    for sentence in sentences(body.lines):
        clauses = list(heard(sentence, vocabulary, body.hints.language))
        lines = dict[str, str]()
        while (told := condition(clauses)) is not None:
            place, move, reply = told
            values = (value for one in clauses[place] for m in one.mentions for value in m.values)
            seats = (called.get(value.removeprefix("player ")) for value in values)
            whose = next((f"Player {seat}" for seat in seats if seat), "he")
            lines[f"If {whose}: {move}, then {reply}"] = clauses[place][0].doubts[0]
            del clauses[place]
        if any("if" in one.doubtful for one in clauses):
            lines = {}  # none is left out
        found |= lines
        left = " ".join(word for one in clauses for word in one.clause.accented)
        rest.setdefault(sentence.number, []).append(left if lines else sentence.text)
    others = (Line(number, ". ".join(filter(None, said))) for number, said in rest.items())
    return (tuple(line for line in others if line.text), found) if found else (body.lines, found)


# --- written --------------------------------------------------------------------------------------


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


class Foreseen(Value):
    """A tree as it was read: `lines` are those of its form, `complaints` what is wrong."""

    branches: tuple[AheadBranch, ...] = ()
    complaints: tuple[Complaint, ...] = ()
    lines: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return "\n".join(written(self.branches))

    @property
    def tree(self) -> str:
        return "\n".join(drawn(self.branches))


def turn_of(match: Match, seat: int) -> tuple[OpenRound, Demand] | None:
    """The open turn of the seat that a conditional turn may answer."""
    game = match.standing.game if match.standing is not None else None
    mine = ((r, d) for r, d in match.due if d.seat == seat and not r.sealed)
    return next(((r, d) for r, d in mine if game and seam.foreseeable(game, d)), None)


def alone(match: Match, seat: int, lines: Sequence[Line], courtesy: Iterable[Line]) -> Reading[Foreseen]:
    """What a mail says that holds no other answer. Whoever is to move says with it what he plays first."""
    found = foreseen(match, seat, lines)
    complaints = found.complaints
    if not complaints and turn_of(match, seat) is not None:
        complaints = (Complaint("ahead_your_turn", _HOUSE, lines[0]),)
    return Reading(found, complaints, tuple(courtesy), tuple(lines), understood=found)


def foreseen(
    match: Match, seat: int, lines: Sequence[Line], beside: tuple[Demand, Any] | None = None
) -> Foreseen:
    """What the lines say, sent alone or `beside` an answer of one's own, which comes first; an
    action None: what it is can't be said."""
    standing = match.standing
    assert standing is not None
    game = standing.game
    if not seam.foresees(game):
        facts = {"game": game.title}
        return Foreseen((), tuple(Complaint("ahead_not_here", _HOUSE, line, facts) for line in lines))
    if any(r.sealed and any(seam.foreseeable(game, d) for d in r.demands) for r in standing.due):
        return Foreseen((), tuple(Complaint("ahead_sealed", _HOUSE, line) for line in lines))
    at = _At(standing, beside is None)
    if beside is not None and beside[1] is not None and not standing.check(*beside):
        at = at.after(*beside)
    return Tongue(match, standing, seat).read(lines, at)


class _At(Value):
    """Where a move would be made: `known` is whether the position is this one and no other."""

    standing: Standing
    known: bool

    def after(self, demand: Demand, action: Any) -> _At:
        standing = self.standing
        for event in seam.resolve(standing.game, standing.state, {demand: action}):
            standing = standing.after(event)
        return _At(standing, True)


def _with_path(branches: tuple[AheadBranch, ...], path: Sequence[AheadBranch]) -> tuple[AheadBranch, ...]:
    """The tree with the steps of one more path."""
    if not path:
        return branches
    alike = (i for i, branch in enumerate(branches) if replace(branch, then=()) == path[0])
    at = next(alike, len(branches))
    then = _with_path(branches[at].then if branches[at:] else (), path[1:])
    return (*branches[:at], replace(path[0], then=then), *branches[at + 1 :])
