"""Lines with keys: how a key may be written, what stands behind it, what is said once."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from referee.core.complaint import Complaint, Line
from referee.core.orders.block import Vocabulary, bare
from referee.core.orders.sheet import Notation, Sheet, SheetEntry
from referee.games.fourplay.notation.signs import empty, folded, tidied

# In place of a turn, never beside one; a mail of its own.
RESIGNATIONS: Final = frozenset(("resign", "i resign"))


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a form: the ways to write it (folded), and what may follow it without a colon."""

    name: str
    written: tuple[str, ...]
    loose: str | None = None  # a pattern for the whole rest of the line

    @property
    def order(self) -> str:
        """What its lines are in a sheet."""
        return self.name.lower()


AMOUNT: Final = r"(?:F\s?\$|\$)?\s*\d+\s*(?:F\s?\$|\$|F|points?)?"

COMMENT: Final = Key("Comment", ("comment", "comments", "remark"))

Said = SheetEntry[str]  # a line with its key, "" where it has none, and what it says, in plain signs


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of a kind of answer, and the clause that its lines follow."""

    rule: str
    keys: tuple[Key, ...]

    def of(self, line: Line) -> Said:
        """The line split at its key, where it begins with one."""
        text = tidied(line.text)
        for sign in (":", "=", "|", " - "):
            before, found, after = text.partition(sign)
            if found:
                for key in self.keys:
                    if folded(before) in key.written:
                        return SheetEntry(key.order, after.strip(" |"), line)
        for key in self.keys:
            if folded(text) in key.written:
                return SheetEntry(key.order, "", line)
            for written in _spoken(text, key):
                return SheetEntry(key.order, written, line)
        return SheetEntry("", text, line)

    def begin(self, text: str) -> bool:
        """Whether the text begins with one."""
        return bool(self.of(Line(0, text)).order)

    def near(self, text: str) -> str | None:
        """The key that was probably meant where a line begins with a word and a colon, and the word is none."""
        before, colon, _ = tidied(text).partition(":")
        names = {folded(key.name): key.name for key in self.keys}
        near = difflib.get_close_matches(folded(before), names, n=1, cutoff=0.75) if colon else []
        return names[near[0]] if near else None

    def doubt(self, line: Line) -> Complaint:
        """The complaint about a line that says nothing, with the key it may be meant for."""
        if bare(line.text) in RESIGNATIONS:
            return Complaint("resign_elsewhere", "104", line)
        if (near := self.near(line.text)) is not None:
            return Complaint("key_unknown", self.rule, line, {"near": near})
        return Complaint("not_understood", "house", line, {"text": line.text.strip()})

    def sheet(
        self, lines: Iterable[Line], known: Vocabulary, doubt: Callable[[Line], Complaint] | None = None
    ) -> Sheet[str]:
        """The lines, each with its key, in whatever signs."""
        return Notation(known, str, lambda text, line: (self.of(line),), self.rule, doubt).sheet(lines)

    def once(self, sheet: Sheet[str], key: Key) -> tuple[Said | None, tuple[Complaint, ...]]:
        """The entry of a key that is to be said once; a second one that says something else is a complaint."""
        said = filled(sheet, key)
        if not said:
            return None, ()
        facts = {"key": key.name, "first": said[0].value}
        others = [entry for entry in said[1:] if folded(entry.value) != folded(said[0].value)]
        return said[0], tuple(Complaint("said_twice", self.rule, other.line, facts) for other in others)


def _spoken(text: str, key: Key) -> Sequence[str]:
    """What follows a key that has no colon, where it is just what such a key is followed by."""
    if key.loose is None:
        return ()
    words = text.split(" ")
    for size in (3, 2, 1):
        rest = " ".join(words[size:])
        if folded("".join(words[:size])) in key.written and re.fullmatch(key.loose, rest.strip(" ."), re.I):
            return (rest,)
    return ()


def filled(sheet: Sheet[str], *keys: Key) -> list[Said]:
    """The lines of those keys in which something was filled in."""
    return [entry for entry in sheet.of(*(key.order for key in keys)) if not empty(entry.value)]


def lines_of(parts: Mapping[str, Said | None]) -> dict[str, Line]:
    """The line of each part of an answer that is said on a line of its own, for `Reading.lines`."""
    return {part: entry.line for part, entry in parts.items() if entry is not None}
