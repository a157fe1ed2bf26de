"""The fields of a form, declared once: the ways to write a key, what may follow it without a colon, what is complained
of where it is missing or not true (604.B.i, 605.B.i). One reader serves the forms of Fourplay, in lines or as rows of
a table: a form gives its `keys` and what else may begin a line of it, and says what the lines come to."""

from __future__ import annotations

import difflib
import re
from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Final

from referee.core.answers import A, Body, Form, Party, Reading, RecordedAnswer
from referee.core.complaint import Complaint, Line, fault
from referee.core.orders.keyed import FormedAnswer
from referee.core.orders.sheet import TALK, SheetEntry, comment_lines, parted, sheet_of
from referee.core.owing import Demand, Lapse, demands
from referee.core.texts.addresses import address_key
from referee.games.fourplay import events as ev
from referee.games.fourplay.board.catalogue import Catalogue, called, catalogue_of
from referee.games.fourplay.cycles import due, open_to
from referee.games.fourplay.folding import Record, fold
from referee.games.fourplay.forms.notation import empty, folded, label, tidied, whole
from referee.games.fourplay.state import State

# A line with its key in small letters, "" where it has none, and what it says, in plain signs.
KeyedLine = SheetEntry[str]

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
class Field:
    """A line of a form. `written`: the ways to write its key, parted by commas, its name first; `loose` is a pattern of
    what may follow the key without a colon; what is complained of where it is missing, and where it is not true."""

    written: str
    loose: str = ""
    missing: str = ""
    wrong: str = ""

    @property
    def name(self) -> str:
        return self.written.partition(",")[0]

    @property
    def order(self) -> str:
        """Its key among the entries of a sheet."""
        return self.name.lower()

    def value(self, text: str) -> str:
        """What is said of it, without the small words before it: `is the Archer`; words to others as they are."""
        return _POLITELY.sub("", _SMALL_WORDS.sub("", text)) if self.loose else text


NUMBER: Final = r"#?\s*\d+"
NAME: Final = Field(
    "Name, player name", r"(?-i:[A-Z])[\w'.-]*(?: (?-i:[A-Z])[\w'.-]*){1,3}", "name_missing", "name_wrong"
)
PLAYER: Final = Field(
    "Player, player number, player no, number, seat", NUMBER, "number_missing", "number_wrong"
)
EMAIL: Final = Field(
    "Email, email address, mail, mail address, address, email adress, mailto",
    r"\S+@\S+",
    "address_missing",
    "no_address",
)
HEADER: Final = (NAME, PLAYER, EMAIL)
COMMENT: Final = Field("Comment, comments, remark")


@dataclass(frozen=True)
class Keys:
    """The fields of a kind of answer, and the clause that its lines follow."""

    rule: str
    fields: tuple[Field, ...]

    @cached_property
    def ways(self) -> Mapping[str, Field]:
        """A field by every way to write its key, folded."""
        return {folded(word): field for field in self.fields for word in field.written.split(",")}

    def of(self, line: Line) -> KeyedLine:
        """The line split at its key, where it begins with one."""
        text = tidied(line.text)
        for sign in (":", "=", "|", " - "):
            before, found, after = text.partition(sign)
            if found and (field := self._named(before)):
                return SheetEntry(field.order, field.value(after.strip(" |")), line)
        if field := self._named(text):
            return SheetEntry(field.order, "", line)
        words = text.split(" ")
        for size in range(min(len(words), _LONGEST), 0, -1):
            field = self._named(" ".join(words[:size]))
            if field and field.loose:
                value = field.value(" ".join(words[size:]).strip(" .!"))
                if re.fullmatch(field.loose, value, re.I):
                    return SheetEntry(field.order, value, line)
        return SheetEntry("", text, line)

    def _named(self, words: str) -> Field | None:
        """The field that the words are the key of, whatever a rule puts round it."""
        if len(words) >= 100:
            return None
        return self.ways.get(folded(words)) or self.ways.get(folded(label(words)))

    def begin(self, text: str) -> bool:
        """Whether the text begins with a key."""
        return bool(self.of(Line(0, text)).order)

    def near(self, text: str) -> str | None:
        """The key that was probably meant where a line begins with a word and a colon, and the word is none."""
        before, colon, _ = tidied(text).partition(":")
        names = {folded(field.name): field.name for field in self.fields}
        near = difflib.get_close_matches(folded(label(before)), names, n=1, cutoff=0.75) if colon else []
        return names[near[0]] if near else None

    def doubt(self, line: Line) -> Complaint:
        """The complaint about a line that says nothing, with the key it may be meant for."""
        if (near := self.near(line.text)) is not None:
            return Complaint("key_unknown", self.rule, line, {"near": near})
        return Complaint("not_understood", "house", line, {"text": line.text.strip()})

    def signed(self, line: Line, name: str) -> tuple[KeyedLine, ...]:
        """What a line says of who sends the form, and nothing else, under no key or not under its
        own: "Player 1: Ann Archer", "Contact: ann@example.org", a signature."""
        head, colon, value = tidied(line.text).partition(":")
        key = self.of(line)
        if len(line.text) >= 200 or NAME not in self.fields or key.order not in ("", "name", "player"):
            return ()
        found, rest = [], value if colon else head
        for order, pattern in _SIGNS_OF:
            if said := pattern.search(rest) or (pattern.search(head) if order == "player" else None):
                found.append(SheetEntry(order, said[1], line))
                rest = pattern.sub(" ", rest)
        left = folded(_I_AM.sub(" ", rest))
        if left and left == folded(name):
            found.append(SheetEntry("name", name, line))
        known = {key.order, *(["player"] if colon and not key.order else [])}
        if left not in ("", folded(name)) or {entry.order for entry in found} <= known:
            return ()
        return tuple(found)


class Filled:
    """A form as somebody has filled it in. What is wrong with it gathers in `complaints` as it is asked for, `lines`
    are those of the parts that stand on a line of their own; `signed` says who sends it where no key does; `found` is
    what the form made of the lines that have no key."""

    def __init__(
        self, form: FieldForm[Any], catalogue: Catalogue, lines: Sequence[Line], party: Party
    ) -> None:
        self.keys, self.party, self.all_lines = form.keys, party, lines
        self.complaints: list[Complaint] = []
        self.lines: dict[str, Line] = {}
        self.found: Any = None
        signed = {line: said for line in lines if (said := self.keys.signed(line, party.name))}
        self.signed = [entry for said in signed.values() for entry in said]

        def adds(text: str) -> bool:
            return form.adds(text, catalogue)

        def parse(text: str, line: Line) -> Iterator[KeyedLine]:
            if line not in signed:
                whole_line = self.keys.of(line).order in TALK
                for part in (text,) if whole_line else parted(tidied(text), adds):
                    entry = self.keys.of(Line(line.number, part))
                    yield from form.entries(replace(entry, line=line), catalogue)

        sheet = sheet_of(lines, lambda text: form.begins(text, catalogue), parse)
        taken = {*sheet.orders, *signed}
        odd = tuple(line for line in lines if line not in taken and self.keys.near(line.text))
        told = (*sheet.complaints, *map(form.doubt, odd))
        courtesy = tuple(line for line in sheet.courtesy if line not in odd)
        self.sheet = replace(sheet, complaints=told, courtesy=courtesy, orders=(*sheet.orders, *odd))

    def complain(self, code: str, line: Line | None = None, rule: str = "", /, **facts: object) -> None:
        self.complaints.append(Complaint(code, rule or self.keys.rule, line, facts))

    def entries(self, field: Field) -> list[KeyedLine]:
        """The lines of a field in which something was filled in."""
        said = [entry for entry in self.sheet.of(field.order) if not empty(entry.value)]
        return said or [entry for entry in self.signed if entry.order == field.order][:1]

    def once(self, field: Field, part: str = "") -> KeyedLine | None:
        """The entry of a field that is to be said once; a second one that says something else is a complaint."""
        said = self.entries(field)
        for other in said[1:]:
            if folded(other.value) != folded(said[0].value):
                self.complain("said_twice", other.line, key=field.name, first=said[0].value)
        if said and part:
            self.lines.setdefault(part, said[0].line)
        return said[0] if said else None

    def text(self, field: Field, part: str = "") -> str:
        """What is said of such a field, "" where nothing is."""
        entry = self.once(field, part)
        return entry.value if entry else ""

    def again(self, *fields: Field) -> list[str]:
        """The lines of a mended form for what was said of some fields, as it was said."""
        said = (
            dict.fromkeys(f"{field.name}: {entry.value}" for entry in self.entries(field)) for field in fields
        )
        return [line for lines in said for line in lines]

    def check(self, field: Field, entry: KeyedLine | None, true: bool, **facts: object) -> None:
        """A complaint where a field is not said, or says what is not true."""
        if entry is None:
            self.complain(field.missing, **facts)
        elif not true:
            self.complain(field.wrong, entry.line, stated=entry.value, **facts)

    def check_header(self) -> None:
        """Every fault of the three lines. A text without sender (a record read back) owes no header."""
        party = self.party
        if not party.name and not party.addresses:
            return
        name = self.once(NAME)
        bare = re.sub(r"\([^()]*\)|<[^<>]*>", " ", name.value) if name else ""
        self.check(NAME, name, same_name(bare, party.name), name=party.name)
        player = self.once(PLAYER)
        value = player.value if player else ""
        stated = set(re.findall(r"[+-]?\d+", value)) or {re.sub(r"(?i)^\s*player\b|[#.\s]", "", value)}
        self.check(PLAYER, player, set(map(whole, stated)) == {party.number}, number=party.number)
        email = self.once(EMAIL)
        self.check(EMAIL, email, bool(email and _addresses(email.value)))

    def unregistered(self) -> tuple[str, ...]:
        """The addresses that a list states beside the registered ones: it counts, they are asked about (604.B.i)."""
        registered = set(map(address_key, self.party.addresses))
        stated = _addresses(said[0].value) if registered and (said := self.entries(EMAIL)) else ()
        return tuple(address for address in stated if address_key(address) not in registered)

    def form(self, lines: Iterable[str], chosen: Iterable[str], held: Iterable[Line] = ()) -> Form:
        """A mended form of such lines, with its comment."""
        text = "\n".join([*lines, *comment_lines(self.sheet.comment)])
        return Form(text, tuple(chosen), tuple(held))

    @property
    def keyed(self) -> list[Line]:
        """The lines of the keys, whatever words of the rule stand round them: a mended form has each under its own."""
        return [entry.line for entry in self.sheet.entries if entry.order]


class Sent(FormedAnswer[State, ev.Event, A], RecordedAnswer[State, ev.Event, A]):
    """An answer that a player sends by mail. `clause` says when it may be sent."""

    fold = fold
    clause: ClassVar[str]

    @abstractmethod
    def parse(self, state: State, seat: int, lines: Sequence[Line], party: Party) -> Reading[A]:
        """What the lines say, none of them blank."""

    def read(self, state: State, demand: Demand, body: Body, party: Party) -> Reading[A]:
        said = tuple(line for line in body.lines if line.text.strip())
        reading = self.parse(state, demand.seat, said, party)
        owed = (*demands(due(state), demand.seat), *open_to(state, demand.seat))
        if reading.action is not None and demand not in owed:
            return replace(reading, complaints=())  # that it is not owed is said; the rest hangs on that
        return reading

    def named(self, state: State) -> Collection[str]:
        pieces = catalogue_of(state.rules.pieces).types
        return {"mascot", *(word for piece in pieces for word in called(piece))}

    def untimely(self, state: State, demand: Demand) -> Complaint:
        """Not this phase, not his turn, no King to play with, already done."""
        clause, kingless = self.clause, state.phase == "play" and demand.seat not in state.kings
        if state.phase == "play" and demand.kind in ("Turn", "Purchase"):
            clause = "607.A" if kingless else "608" if demand.kind == "Purchase" else clause
        now = {"phase": state.phase, "to_move": state.to_move, "round": state.round}
        seats = {"vacant": list(state.vacant), "ready": state.player(demand.seat).ready}
        return fault("not_now", clause, kind=demand.kind, kingless=kingless, **now, **seats)

    def follow(self, record: Record, answers: Mapping[Demand, A | Lapse]) -> None:
        """In the order of seats, in which a round that was sealed is revealed."""
        super().follow(record, dict(sorted(answers.items(), key=lambda item: item[0].seat)))


class FieldForm(Sent[A]):
    """A form of fields. `signed`: it begins with who sends it. What stands on a line of it beside its `keys` is said by
    `begins`, `adds` and `entries`; `stated` is what it all comes to."""

    keys: ClassVar[Keys]
    signed: ClassVar[bool] = False

    def begins(self, text: str, catalogue: Catalogue) -> bool:
        """Whether it is a line of the form."""
        return self.keys.begin(text)

    def adds(self, text: str, catalogue: Catalogue) -> bool:
        """Whether a part of a line says something else than what stands before it."""
        return False

    def entries(self, entry: KeyedLine, catalogue: Catalogue) -> Iterable[KeyedLine]:
        """All that a line, or a part of one, says."""
        return (entry,)

    def doubt(self, line: Line) -> Complaint:
        """What is wrong with a line that says nothing."""
        return self.keys.doubt(line)

    @abstractmethod
    def stated(self, state: State, seat: int, said: Filled) -> A | None:
        """What was filled in, as far as it can be understood; what is wrong with it is complained of."""

    def parse(self, state: State, seat: int, lines: Sequence[Line], party: Party) -> Reading[A]:
        said = Filled(self, catalogue_of(state.rules.pieces), lines, party)
        if self.signed:
            said.check_header()
        action, sheet = self.stated(state, seat, said), said.sheet
        addresses = said.unregistered() if self.signed else ()
        told = tuple(said.complaints)
        return Reading(action, told, sheet.courtesy, sheet.orders, said.lines, said, addresses=addresses)

    def head(self, state: State, party: Party, action: A | None) -> Sequence[str]:
        if not self.signed:
            return ()
        address = party.addresses[0] if party.addresses else ""
        return [f"Name: {party.name}", f"Player: {party.number}", f"Email: {address}", ""]

    def so_far(self, state: State, seat: int, said: Sequence[str]) -> A | None:
        """What lines of the form say that stand for sentences of a mail (`possible`)."""
        return self.parse(state, seat, Body.of("\n".join(said)).lines, Party("", seat)).action


def same_name(stated: str, registered: str) -> bool:
    """Whether two names may be one person's: case, spaces, order and accents do not matter, initials may stand for
    words, words may be left out; but one word at least must agree in full, and none may be another's."""
    mine, known = (
        [word for part in re.split(r"[^\w']+", name) if (word := folded(part))]
        for name in (stated, registered)
    )
    if "".join(mine) == "".join(known):
        return True
    full = [word for word in mine if len(word) > 1]
    initials = tuple(word for word in known if len(word) == 1)
    return any(word in known for word in full) and all(w in known or w.startswith(initials) for w in full)


def _addresses(value: str) -> tuple[str, ...]:
    words = re.split(r"[\s<>()\[\]\"',;:]+", value.replace("mailto:", ""))
    return tuple(word.rstrip(".") for word in words if "@" in word)
