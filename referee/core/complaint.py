"""What is wrong with an answer: values, never exceptions; their words stand in templates."""

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import Any

from referee.core.texts.words import FreeText
from referee.core.value import Value


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
