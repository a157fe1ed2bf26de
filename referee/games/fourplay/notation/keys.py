"""The keys of a form in any usual writing, and what stands behind them: a notation of its own beside the kit's, for
lines without a colon or as rows of a table; those that say who sends the form (604.B.i, 605.B.i)."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, TypeVar

from referee.core.answers import Party, Reading
from referee.core.complaint import Complaint, Line
from referee.core.orders.keyed import TALK
from referee.core.orders.sheet import Notation, Sheet, SheetEntry, meanings, parted
from referee.core.texts.addresses import address_key
from referee.games.fourplay.notation.signs import empty, folded, label, tidied, whole

A = TypeVar("A")

# In place of a turn, never beside one; a mail of its own.
RESIGNATIONS: Final = frozenset(("resign",))

COMMENT: Final = "Comment, comments, remark"

Said = SheetEntry[
    str
]  # a line with its key in small letters, "" where it has none, and what it says, in plain signs


_LONGEST: Final = 7  # words of a key

_SMALL_WORDS: Final = re.compile(r"^(?:(?:is|will be|shall be)\s+)?(?:(?:an?|the|my)\s+)?", re.I)

# What a line says of its sender, beside his name.
_SIGNS_OF: Final = (
    ("email", re.compile(r"<?([^\s<>,;()]+@[^\s<>,;()]+)>?")),
    ("player", re.compile(r"(?:\b(?:player|seat|number|no|nr)\b\W*|\(#?(?=\d\)))(\d+)\b\)?", re.I)),
)
_I_AM: Final = re.compile(r"\b(?:I am|I'm|this is|my name is)\b", re.I)

_POLITELY: Final = re.compile(r",? (?:please|thanks|thank you|bitte|danke)[.!]*$", re.I)


@dataclass(frozen=True)
class Keys:
    """The keys of a kind of answer, and the clause that its lines follow. `written`: the ways to write each, parted by
    commas, its name first; `loose` are patterns of what may follow a key without a colon."""

    rule: str
    written: tuple[str, ...]
    loose: Mapping[str, str]

    @cached_property
    def ways(self) -> Mapping[str, str]:
        """The name of a key by every way to write it, folded."""
        return {folded(word): name for word, name in meanings("|".join(self.written), ",").items()}

    def of(self, line: Line) -> Said:
        """The line split at its key, where it begins with one."""
        text = tidied(line.text)
        for sign in (":", "=", "|", " - "):
            before, found, after = text.partition(sign)
            if found and (name := self._named(before)):
                return SheetEntry(name.lower(), self._value(name, after.strip(" |")), line)
        if name := self._named(text):
            return SheetEntry(name.lower(), "", line)
        words = text.split(" ")
        for size in range(min(len(words), _LONGEST), 0, -1):
            name, rest = self._named(" ".join(words[:size])), " ".join(words[size:])
            value = self._value(name, rest.strip(" .!"))
            if name in self.loose and re.fullmatch(self.loose[name], value, re.I):
                return SheetEntry(name.lower(), value, line)
        return SheetEntry("", text, line)

    def _named(self, words: str) -> str:
        """The key that the words are, whatever a rule puts round it; empty where they are none."""
        return (
            self.ways.get(folded(words)) or self.ways.get(folded(label(words)), "")
            if len(words) < 100
            else ""
        )

    def _value(self, name: str, text: str) -> str:
        """What is said of a key, without the small words before it: `is the Archer`; words to others as they are."""
        return _POLITELY.sub("", _SMALL_WORDS.sub("", text)) if name in self.loose else text

    def begin(self, text: str) -> bool:
        """Whether the text begins with one."""
        return bool(self.of(Line(0, text)).order)

    def near(self, text: str) -> str | None:
        """The key that was probably meant where a line begins with a word and a colon, and the word is none."""
        before, colon, _ = tidied(text).partition(":")
        names = {folded(name): name for name in self.ways.values()}
        near = difflib.get_close_matches(folded(label(before)), names, n=1, cutoff=0.75) if colon else []
        return names[near[0]] if near else None

    def doubt(self, line: Line) -> Complaint:
        """The complaint about a line that says nothing, with the key it may be meant for."""
        if (near := self.near(line.text)) is not None:
            return Complaint("key_unknown", self.rule, line, {"near": near})
        return Complaint("not_understood", "house", line, {"text": line.text.strip()})

    def signed(self, line: Line, name: str) -> tuple[Said, ...]:
        """What a line says of who sends the form, and nothing else, under no key or not under its own: "Player 1: Ann
        Archer", "Contact: ann@example.org", a signature."""
        head, colon, value = tidied(line.text).partition(":")
        key = self.of(line)
        short = len(line.text) < 200
        if not short or "Name" not in self.ways.values() or key.order not in ("", "name", "player"):
            return ()
        found, rest = [], value if colon else head
        for order, pattern in _SIGNS_OF:
            if said := pattern.search(rest) or (pattern.search(head) if order == "player" else None):
                found.append(SheetEntry(order, said[1], line))
                rest = pattern.sub(" ", rest)
        left = folded(_I_AM.sub(" ", rest))
        if left and left == folded(name):
            found.append(SheetEntry("name", name, line))
        orders = {entry.order for entry in found}
        if left not in ("", folded(name)) or orders <= {
            key.order,
            *(["player"] if colon and not key.order else []),
        }:
            return ()
        return tuple(found)

    def filled(
        self,
        lines: Iterable[Line],
        party: Party,
        orders: Callable[[str], bool],
        doubt: Callable[[Line], Complaint] | None = None,
        begins: Callable[[str], bool] = lambda text: False,
        entries: Callable[[Said], Iterable[Said]] = lambda entry: (entry,),
    ) -> Filled:
        """The lines, each with its key. `orders` tells a line of the form, `entries` what one says; a part of a line
        may say something else where it `begins` so."""

        def understood(text: str, line: Line) -> Iterator[Said]:
            if self.signed(line, party.name):
                return
            for part in (text,) if self.of(line).order in TALK else parted(tidied(text), begins):
                yield from entries(replace(self.of(Line(line.number, part)), line=line))

        read = Notation(orders, str, understood, self.rule)
        own = tuple(lines)
        signed = tuple(entry for line in own for entry in self.signed(line, party.name))
        sheet = read.sheet(own)
        known_so = {*sheet.orders, *(entry.line for entry in signed)}
        odd = tuple(line for line in own if line not in known_so and self.near(line.text))
        if odd:
            told = (*sheet.complaints, *map(doubt or self.doubt, odd))
            courtesy = tuple(line for line in sheet.courtesy if line not in odd)
            sheet = replace(sheet, complaints=told, courtesy=courtesy, orders=(*sheet.orders, *odd))
        return Filled(self, party, sheet, signed)


class Filled:
    """A form as somebody has filled it in. What is wrong with it gathers in `complaints` as it is asked for, `lines`
    are those of the parts that stand on a line of their own; `signed` says who sends it where no key does."""

    def __init__(self, keys: Keys, party: Party, sheet: Sheet[str], signed: tuple[Said, ...]) -> None:
        self.keys, self.party, self.sheet, self.signed = keys, party, sheet, signed
        self.complaints: list[Complaint] = []
        self.lines: dict[str, Line] = {}

    def complain(self, code: str, line: Line | None = None, rule: str = "", /, **facts: object) -> None:
        self.complaints.append(Complaint(code, rule or self.keys.rule, line, facts))

    def entries(self, key: str) -> list[Said]:
        """The lines of a key in which something was filled in."""
        said = [entry for entry in self.sheet.of(key.lower()) if not empty(entry.value)]
        return said or [entry for entry in self.signed if entry.order == key.lower()][:1]

    @property
    def keyed(self) -> tuple[Line, ...]:
        """The lines of the keys, whatever words of the rule stand round them: a mended form has each under its own."""
        return tuple(entry.line for entry in self.sheet.entries if entry.order)

    def reading(self, action: A | None, understood: object = None, **more: Any) -> Reading[A]:
        """What it says, with all that is wrong with it."""
        sheet, told = self.sheet, tuple(self.complaints)
        return Reading(action, told, sheet.courtesy, sheet.orders, self.lines, understood or self, **more)

    def once(self, key: str, part: str = "") -> Said | None:
        """The entry of a key that is to be said once; a second one that says something else is a complaint."""
        said = self.entries(key)
        if not said:
            return None
        for other in said[1:]:
            if folded(other.value) != folded(said[0].value):
                self.complain("said_twice", other.line, key=key, first=said[0].value)
        if part:
            self.lines.setdefault(part, said[0].line)
        return said[0]


NAME: Final = "Name, player name"
EMAIL: Final = "Email, email address, mail, mail address, address, email adress, mailto"
HEADER: Final = (NAME, "Player, player number, player no, number, seat", EMAIL)
NUMBER: Final = r"#?\s*\d+"
LOOSE: Final = {
    "Name": r"(?-i:[A-Z])[\w'.-]*(?: (?-i:[A-Z])[\w'.-]*){1,3}",
    "Player": NUMBER,
    "Email": r"\S+@\S+",
}


def check_header(said: Filled) -> None:
    """Every fault of the three lines. A text without sender (a record read back) owes no header."""
    party = said.party
    if not party.name and not party.addresses:
        return
    name: dict[str, object] = {"name": party.name}
    checked: tuple[tuple[str, str, str, Mapping[str, object], Callable[[str], bool]], ...] = (
        ("Name", "name_missing", "name_wrong", name, lambda value: _is_name(value, party)),
        (
            "Player",
            "number_missing",
            "number_wrong",
            {"number": party.number},
            lambda v: _is_number(v, party),
        ),
        ("Email", "address_missing", "no_address", {}, lambda value: bool(_addresses(value))),
    )
    for key, missing, wrong, facts, right in checked:
        if (entry := said.once(key)) is None:
            said.complain(missing, **facts)
        elif not right(entry.value):
            said.complain(wrong, entry.line, **{"stated": entry.value, **facts})


def header_lines(party: Party) -> list[str]:
    """The three lines, filled in, and an empty one."""
    address = party.addresses[0] if party.addresses else ""
    return [f"Name: {party.name}", f"Player: {party.number}", f"Email: {address}", ""]


def unregistered(said: Filled) -> tuple[str, ...]:
    """The addresses that a list states beside the registered ones: it counts, and they are asked about (604.B.i)."""
    registered = set(map(address_key, said.party.addresses))
    stated = _addresses(said.entries("Email")[0].value) if registered and said.entries("Email") else ()
    return tuple(address for address in stated if address_key(address) not in registered)


def _is_name(value: str, party: Party) -> bool:
    return same_name(re.sub(r"\([^()]*\)|<[^<>]*>", " ", value), party.name)


def same_name(stated: str, registered: str) -> bool:
    """Whether two names may be one person's: case, spaces, order and accents do not matter, initials may stand for
    words, words may be left out; but one word at least must agree in full, and none may be another's."""
    mine, known = _words(stated), _words(registered)
    if "".join(mine) == "".join(known):
        return True
    full = [word for word in mine if len(word) > 1]
    return any(word in known for word in full) and all(_fits(word, known) for word in full)


def _words(name: str) -> list[str]:
    return [word for part in re.split(r"[^\w']+", name) if (word := folded(part))]


def _fits(word: str, known: Sequence[str]) -> bool:
    """The word is one of the registered name's, or one of which that has the initial only."""
    return word in known or any(len(other) == 1 and word.startswith(other) for other in known)


def _is_number(value: str, party: Party) -> bool:
    stated = set(re.findall(r"[+-]?\d+", value)) or {re.sub(r"(?i)^\s*player\b|[#.\s]", "", value)}
    return {whole(number) for number in stated} == {party.number}


def _addresses(value: str) -> tuple[str, ...]:
    words = re.split(r"[\s<>()\[\]\"',;:]+", value.replace("mailto:", ""))
    return tuple(word.rstrip(".") for word in words if "@" in word)
