"""Lines in plain signs; counts, sums and squares in any usual writing; the keys of a form, and what stands behind them:
a notation of its own beside the kit's, for lines without a colon or as rows of a table (604.B.i, 605.B.i).

Tolerant in form (bullets, case, typographic signs, tabs, tables), so that judging can be strict in meaning. `SLOT`
stands in our forms where something is to be filled in; a line left with it says nothing."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, TypeVar

from referee.core.answers import Party, Reading
from referee.core.complaint import Complaint, Line
from referee.core.orders.keyed import TALK
from referee.core.orders.sheet import Notation, Sheet, SheetEntry, parted, plain
from referee.core.texts.addresses import address_key

SLOT: Final = "..."

_SIGNS: Final = str.maketrans("×✕–—−‑‐‒∼│“”„‘’", 'xx------~|"""\'\'', "\u200b\u200c\u200d\ufeff")
_MONEY: Final = re.compile(r"\$\s?F(?![A-Za-z])")  # turned round
_NUMBERED: Final = re.compile(  # (i), a), 2.
    r"^(?:\((?:\d{1,2}|[ivx]{1,4}|[a-z])\)\s*|(?:[ivx]{1,4}|[a-z]|\d{1,2}(?=\S\s+\d))[.)]\s+)", re.I
)
COUNTING: Final = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
_NUMBER_WORDS: Final = {word: number for number, word in enumerate(COUNTING.split(), 1)}


def tidied(text: str) -> str:
    """The line in plain signs: one space between words, no bullets, no asterisks or back quotes, tabs as `|`."""
    signs = unicodedata.normalize("NFKC", text.strip().replace("\t", " | ")).translate(_SIGNS)
    signs = _MONEY.sub("F$", signs.replace("*", " ").replace("`", " "))
    return _NUMBERED.sub("", plain(signs).strip(" |").strip())


_ROUND_LABELS: Final = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        r"\([^()]*\)|\b(?:in |of )?F\s?\$|\bin points\b",
        r"\b(?:of|for|by)(?: (?:all|the|that|this|each|his|her|my|your|these))* (?:players?|offices?|pieces|army)"
        r"(?: (?:purchased|bought|chosen|owned))?(?!\S)",
        r"\b(?:players?|offices?)'s?(?!\S)",
        r"\b(?:(?:is|are|shall|will|to|be) )*(?:placed|located|put|set|standing|stands?|goes)(?: (?:on|at|in|to))?"
        r"(?: (?:the )?squares?)?(?!\S)",
        r"^(?:the )?(?:squares?|place|position)(?: (?:of|for))?(?=\s)|'s (?:squares?|place|position)$",
        r"\b(?:the|that|this|his|her|my|your)(?=\s)|(?:\s(?:is|are|on|at|in))+$",
    )
)


def label(text: str) -> str:
    """What a line is about, without the words that a rule puts round it: of "the Player's King is
    placed on" the King, of "Number of that Player" the number (604.B, 605.B)."""
    about = text if len(text) < 200 else ""
    for words in _ROUND_LABELS:
        about = " ".join(words.sub(" ", about).split())
    return about or text


def folded(word: str) -> str:
    """The letters and digits of a word, in lower case, without accents."""
    if word.isascii():
        return "".join(filter(str.isalnum, word.lower()))
    bare = "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))
    return "".join(c for c in bare.casefold() if c.isalnum())


def empty(value: str) -> bool:
    """Whether nothing was filled in: only dots, underscores, dashes, or a currency sign beside them."""
    return not re.sub(r"F\$|[\s._\-?|$]", "", value)


def is_slot(text: str) -> bool:
    """Whether the line is one of our form's that was left as it was."""
    return bool(re.match(r"\s*(?:\.{2,}|_{2,})", tidied(text)))


def is_ruling(text: str) -> bool:
    """Whether the line is only drawn (a table's rule, a row of dashes)."""
    return not any(c.isalnum() or c in "~$" for c in tidied(text))


def whole(text: str) -> int | None:
    """The whole number that a text is, in digits or in words up to fifteen."""
    text = text.strip().lower()
    if re.fullmatch(r"[+-]?\d{1,9}", text):
        return int(text)
    return _NUMBER_WORDS.get(text)


def amount(text: str) -> int | None:
    """The whole number of F$, or the value, that a text states: `543`, `F$ 543`, `$543`, `543 F$`, `74 points`."""
    found = re.fullmatch(
        r"(?:F\s?\$|\$\s?F|\$)?\s*([+-]?\d{1,9})\s*(?:F\s?\$|\$\s?F|\$|F|points?|pts?|dollars)?",
        re.sub(r"\([^()]*\)", "", text).strip(" .,;"),
        re.I,
    )
    return int(found[1]) if found else None


# --- squares ---------------------------------------------------------------------------------------------------------

SQUARE_LIKE: Final = re.compile(r"[A-Za-z]{1,2}-?\d{1,3}")


_NO_LETTER: Final = re.compile(r"[\d-]")
_NO_DIGIT: Final = re.compile(r"\D")


def square_of(word: str) -> str:
    """A square as the rules write it: lower case, letter then number, no leading noughts."""
    letters, digits = _NO_LETTER.sub("", word), _NO_DIGIT.sub("", word)
    return f"{letters.lower()}{int(digits)}"


# --- keys ------------------------------------------------------------------------------------------------------------

A = TypeVar("A")

# In place of a turn, never beside one; a mail of its own.
RESIGNATIONS: Final = frozenset(("resign",))

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
                return SheetEntry(field.name.lower(), _value(field, after.strip(" |")), line)
        if field := self._named(text):
            return SheetEntry(field.name.lower(), "", line)
        words = text.split(" ")
        for size in range(min(len(words), _LONGEST), 0, -1):
            field, rest = self._named(" ".join(words[:size])), " ".join(words[size:])
            if field and field.loose:
                value = _value(field, rest.strip(" .!"))
                if re.fullmatch(field.loose, value, re.I):
                    return SheetEntry(field.name.lower(), value, line)
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

    def filled(
        self,
        lines: Sequence[Line],
        party: Party,
        orders: Callable[[str], bool],
        doubt: Callable[[Line], Complaint] | None = None,
        begins: Callable[[str], bool] = lambda text: False,
        entries: Callable[[KeyedLine], Iterable[KeyedLine]] = lambda entry: (entry,),
    ) -> Filled:
        """The lines, each with its key. `orders` tells a line of the form, `entries` what one says;
        a part of a line may say something else where it `begins` so."""
        signed = {line: said for line in lines if (said := self.signed(line, party.name))}

        def parse(text: str, line: Line) -> Iterator[KeyedLine]:
            if line not in signed:
                for part in (text,) if self.of(line).order in TALK else parted(tidied(text), begins):
                    yield from entries(replace(self.of(Line(line.number, part)), line=line))

        sheet = Notation(orders, str, parse, self.rule).sheet(lines)
        odd = tuple(line for line in lines if line not in {*sheet.orders, *signed} and self.near(line.text))
        told = (*sheet.complaints, *map(doubt or self.doubt, odd))
        courtesy = tuple(line for line in sheet.courtesy if line not in odd)
        sheet = replace(sheet, complaints=told, courtesy=courtesy, orders=(*sheet.orders, *odd))
        return Filled(self, party, sheet, tuple(entry for said in signed.values() for entry in said))


def _value(field: Field, text: str) -> str:
    """What is said of a field, without the small words before it: `is the Archer`; words to others as they are."""
    return _POLITELY.sub("", _SMALL_WORDS.sub("", text)) if field.loose else text


class Filled:
    """A form as somebody has filled it in. What is wrong with it gathers in `complaints` as it is asked for, `lines`
    are those of the parts that stand on a line of their own; `signed` says who sends it where no key does."""

    def __init__(self, keys: Keys, party: Party, sheet: Sheet[str], signed: tuple[KeyedLine, ...]) -> None:
        self.keys, self.party, self.sheet, self.signed = keys, party, sheet, signed
        self.complaints: list[Complaint] = []
        self.lines: dict[str, Line] = {}

    def complain(self, code: str, line: Line | None = None, rule: str = "", /, **facts: object) -> None:
        self.complaints.append(Complaint(code, rule or self.keys.rule, line, facts))

    def entries(self, field: Field) -> list[KeyedLine]:
        """The lines of a field in which something was filled in."""
        key = field.name.lower()
        said = [entry for entry in self.sheet.of(key) if not empty(entry.value)]
        return said or [entry for entry in self.signed if entry.order == key][:1]

    def once(self, field: Field, part: str = "") -> KeyedLine | None:
        """The entry of a field that is to be said once; a second one that says something else is a complaint."""
        said = self.entries(field)
        for other in said[1:]:
            if folded(other.value) != folded(said[0].value):
                self.complain("said_twice", other.line, key=field.name, first=said[0].value)
        if said and part:
            self.lines.setdefault(part, said[0].line)
        return said[0] if said else None

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

    @property
    def keyed(self) -> tuple[Line, ...]:
        """The lines of the keys, whatever words of the rule stand round them: a mended form has each under its own."""
        return tuple(entry.line for entry in self.sheet.entries if entry.order)

    def reading(self, action: A | None, understood: object = None, **more: Any) -> Reading[A]:
        """What it says, with all that is wrong with it."""
        sheet, told = self.sheet, tuple(self.complaints)
        return Reading(action, told, sheet.courtesy, sheet.orders, self.lines, understood or self, **more)

    def unregistered(self) -> tuple[str, ...]:
        """The addresses that a list states beside the registered ones: it counts, they are asked about (604.B.i)."""
        registered = set(map(address_key, self.party.addresses))
        stated = _addresses(said[0].value) if registered and (said := self.entries(EMAIL)) else ()
        return tuple(address for address in stated if address_key(address) not in registered)


def header_lines(party: Party) -> list[str]:
    """The three lines, filled in, and an empty one."""
    address = party.addresses[0] if party.addresses else ""
    return [f"Name: {party.name}", f"Player: {party.number}", f"Email: {address}", ""]


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
