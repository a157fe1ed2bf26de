"""What all rooms hand to one another. Values: frozen dataclasses by standing below one base; events as they come. Words
of people: what is free text, and no part of a notation. What is owed: demands, the rounds they come in, the answer of a
deadline. What is wrong with an answer: values, never exceptions; their words stand in templates."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from datetime import timedelta
from functools import cache
from typing import Annotated, Any, Final, Generic, Literal, TypeAlias, TypeVar, dataclass_transform

S = TypeVar("S")  # a game's state: a frozen dataclass that pydantic can turn to JSON and back
E = TypeVar("E")  # its events: frozen dataclasses, past participles


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Value:
    """A base of classes that are frozen dataclasses by standing below it."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        dataclass(frozen=True)(cls)


class OfSeat(Value):
    """An event that tells of one seat."""

    seat: int


class Recorder(Generic[S, E]):
    """Events in their order, and the state after the last of them: what a `resolve` is told bit by bit."""

    def __init__(self, evolve: Callable[[S, E], S], state: S) -> None:
        self._evolve = evolve
        self.state = state
        self.events: list[E] = []

    def tell(self, *events: E) -> None:
        for event in events:
            self.events.append(event)
            self.state = self._evolve(self.state, event)


# --- words of people ------------------------------------------------------------------------------


# A field of words of players and moderators. By the mark alone they are found (`free_text_in`), to be freed of
# addresses before a ledger has them, and to be kept apart from our own words in letters.
FreeText: TypeAlias = Annotated[str, "FreeText"]
MASK = "[address]"
T = TypeVar("T")

# --- addresses in words ---------------------------------------------------------------------------

_UNSEEN = "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff"
_AT = rf"[{_UNSEEN}]*(?:[@\uff20\ufe6b]|%(?:25)*40|&(?:amp;)*(?:#0*64|#x0*40|commat);?)[{_UNSEEN}]*"
_LOCAL = r"(?:\"[^\"\n]{1,64}\"|[^\s<>()\[\]\",:;@\uff20\ufe6b]{1,128})(?:\([^()\n]{0,64}\))?"
_PART = r"[^\s<>()\[\]\",:;@\uff20\ufe6b/?]{1,253}"
_HOST = rf"(?:\[[^\]\s]{{1,64}}\]|{_PART})"
_BREAK = r"[ \t]{0,4}(?:\r?\n[ \t>|]{0,8})?"
_LABEL = r"[^\s<>()\[\]\",:;@\uff20\ufe6b/?.\u3002\uff0e\uff61]"
_DOT = r"[.\u3002\uff0e\uff61]"
_DOTTED = rf"{_LABEL}{{1,63}}(?:{_DOT}{_LABEL}{{1,63}}){{0,8}}{_DOT}[^\W\d_]{_LABEL}{{0,62}}"
_ADDRESS = re.compile(
    rf"(?:mailto:)?{_LOCAL}{_AT}{_HOST}"  # as one writes it, a host without a dot among them
    rf"|{_LOCAL}{_BREAK}{_AT}{_BREAK}{_DOTTED}"  # with blanks or a line's end round the sign
    rf"|{_LOCAL}{_AT}(?=[ \t]*(?:\n|\Z))",  # the half of one that goes on in another line
    re.IGNORECASE,
)
_SIGN = re.compile(_AT, re.IGNORECASE)
_STOPS = ".!?'`*_~"


def holds_address(text: str) -> bool:
    """Whether the text holds something that a program could take for a mail address."""
    return _SIGN.search(text) is not None and _ADDRESS.search(text) is not None


def without_addresses(text: FreeText) -> FreeText:
    """The text with every address left out that a program could take for one, known or not, however it is encoded; its
    lines stay as many. What only a person reads as an address ("ann at example dot org") stays."""
    return _ADDRESS.sub(_masked, text) if _SIGN.search(text) else text


def _masked(found: re.Match[str]) -> str:
    return MASK + found[0][len(found[0].rstrip(_STOPS)) :] + "\n" * found[0].count("\n")


# --- where words stand ----------------------------------------------------------------------------


@cache
def free_text_in(kind: type) -> frozenset[str]:
    """The names of a dataclass's fields that hold words."""
    if not is_dataclass(kind):
        return frozenset()
    return frozenset(f.name for f in fields(kind) if re.search(r"\bFreeText\b", str(f.type)))


def words_in(value: Any, place: str = "", words: bool = False) -> Iterator[str]:
    """Where a value's words stand in its JSON: names and numbers parted by dots. Empty ones are none."""
    before = f"{place}." if place else ""
    if isinstance(value, tuple):
        for index, part in enumerate(value):
            yield from words_in(part, f"{before}{index}", words)
    elif words and value:
        yield place
    elif is_dataclass(value) and not isinstance(value, type):
        free = free_text_in(type(value))
        for name in (field.name for field in fields(value)):
            yield from words_in(getattr(value, name), f"{before}{name}", name in free)


def masked(value: T, words: bool = False) -> T:
    """The value, its words and those of what it holds without addresses; the very value where there are none."""
    fresh: Any = value
    if isinstance(value, tuple):
        fresh = tuple(masked(part, words) for part in value)
        return value if all(a is b for a, b in zip(fresh, value, strict=True)) else fresh
    if words and isinstance(value, str):
        fresh = without_addresses(value)
        return value if fresh == value else fresh
    if words or not is_dataclass(value) or isinstance(value, type):
        return value
    free = free_text_in(type(value))
    held = {field.name: getattr(value, field.name) for field in fields(value)}
    parts = {name: masked(part, name in free) for name, part in held.items()}
    changed = {name: part for name, part in parts.items() if part is not held[name]}
    return replace(value, **changed) if changed else value


# --- what is owed ---------------------------------------------------------------------------------


REFEREE: Final = 0  # the seat of the referee itself: it owes verdicts and waits for the clock


class Demand(Value):
    """One answer owed. `kind` is a short name ("Purchase"); `about` tells two of one kind and seat apart."""

    kind: str
    seat: int
    about: str = ""


class Round(Value):
    """A set of demands that open together and close together.

    `label` names it in letters and records ("Round 3 / Player 2"); a game never has two open rounds of one
    label, and a round keeps its label while it lasts (an open round's demands dwindle as they are answered).
    `window` is None where there is no deadline. `sealed` answers are resolved together at the close; open ones
    one by one. `answers` "first": the first valid one counts; "last": replaceable until the close.
    `holds`: at the deadline nothing lapses, the round waits on. A demand of seat 0 waits for the
    solver where its kind is among those the game computes (`Computes`); otherwise for the clock
    (its window), or, without a window, for a seat to be filled."""

    label: str
    demands: tuple[Demand, ...]
    window: timedelta | None
    sealed: bool = False
    answers: Literal["first", "last"] = "first"
    holds: bool = False


class Lapse:
    """The answer of a deadline: nothing came in time."""

    def __repr__(self) -> str:
        return "LAPSED"


LAPSED = Lapse()


def demands(rounds: Iterable[Round], seat: int) -> tuple[Demand, ...]:
    """What the seat owes."""
    return tuple(demand for round_ in rounds for demand in round_.demands if demand.seat == seat)


def demand_of_kind(rounds: Iterable[Round], seat: int, kind: str) -> Demand:
    """The seat's demand of that kind as it is due, else as it would be named."""
    return next((demand for demand in demands(rounds, seat) if demand.kind == kind), Demand(kind, seat))


def turn_label(number: int, player: int) -> str:
    """How the round is called in which one player has the turn."""
    return f"Round {number} / Player {player}"


# --- what is wrong --------------------------------------------------------------------------------


class Line(Value):
    """One line of the sender's own words; `number` counts from 1 in the body as written."""

    number: int
    text: FreeText


class LeftOut(Value):
    """What of a mail was not taken as its sender's words, and how many lines of it (0 where lines
    say nothing). `said` are the first of them, empty for what nobody looked into."""

    what: str
    lines: int = 0
    said: tuple[Line, ...] = field(default=(), compare=False, repr=False)


class PartPath(str):
    """A part of an action, as a path ("entries.3.claim"). Among the facts of a complaint it stands
    for the line of the mail that says it."""

    __slots__ = ()


class RuleText(str):
    """A fact that is a text of the rules (how a piece moves), never words of a sender: letters show it whole."""

    __slots__ = ()


class Complaint(Value):
    """One fault. `code` picks the wording in the game's `complaints.toml`, which is given `facts`.

    `rule` is the clause that was broken ("604.A"; "house" for a house rule); `part` the part of the
    action that is at fault, "" where something is missing altogether; `line` the line of the mail
    that says it, once that is known (`located`). `also` are further faults of the same code and
    rule: they are told as one complaint that names all its lines.
    """

    code: str
    rule: str
    line: Line | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    also: "tuple[Complaint, ...]" = ()
    part: str = ""

    @property
    def each(self) -> "tuple[Complaint, ...]":
        """The single faults: this one, then those told with it."""
        return (replace(self, also=()), *self.also)

    @property
    def lines(self) -> tuple[Line, ...]:
        """Every line at fault, each once, in the order of the mail."""
        found = {one.line.number: one.line for one in self.each if one.line is not None}
        return tuple(found[number] for number in sorted(found))

    def located(self, lines: Mapping[str, Line]) -> "Complaint":
        """The complaint with the lines of the parts it names; `lines` as in a `Reading`."""
        facts = {key: line_of(v, lines) if isinstance(v, PartPath) else v for key, v in self.facts.items()}
        return replace(
            self,
            line=self.line or line_of(self.part, lines),
            facts=facts,
            also=tuple(one.located(lines) for one in self.also),
        )

    @property
    def fault(self) -> tuple[str, str, str]:
        """What is wrong, wherever it stands: two of one fault say the same of the same thing.
        Lines, and lists of what would be possible instead, are no part of that."""
        facts = {key: value for key, value in self.facts.items() if isinstance(value, str | int | None)}
        return self.code, self.rule, repr(sorted(facts.items()))


def fault(code: str, rule: str, part: str = "", /, **facts: Any) -> Complaint:
    """What is wrong with a part of an action, and what its words name."""
    return Complaint(code, rule, facts=facts, part=part)


def line_of(part: str, lines: Mapping[str, Line]) -> Line | None:
    """The line that says a part of an action; where it has none of its own, that of the part it belongs to."""
    while part:
        if part in lines:
            return lines[part]
        part = part.rpartition(".")[0]
    return None


def gathered(complaints: Iterable[Complaint]) -> tuple[Complaint, ...]:
    """Like faults as one complaint, in the place of the first; the very same fault of a line is told once."""
    kinds: dict[tuple[str, str], dict[tuple[object, ...], Complaint]] = {}
    for complaint in complaints:
        told = kinds.setdefault((complaint.code, complaint.rule), {})
        for one in complaint.each:
            told.setdefault((one.line.number if one.line else 0, one.fault), one)
    alike = ([*told.values()] for told in kinds.values())
    return tuple(replace(first, also=tuple(others)) for first, *others in alike)
