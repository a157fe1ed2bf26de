"""What every form of Fourplay is written in: lines in plain signs; counts, sums and squares in any
usual writing; lots (604.B.ii): how many of which piece, at which price and value. Tolerant in form
(bullets, case, typographic signs, tabs, tables), so that judging can be strict in meaning.

And the fields of a form, declared once: the ways to write a key, what may follow it without a colon, what is complained
of where it is missing or not true (604.B.i, 605.B.i). One reader serves the forms of Fourplay, in lines or as rows of
a table: a form gives its `keys` and what else may begin a line of it, and says what the lines come to."""

import difflib
import re
import unicodedata
from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, ClassVar, Final

from referee.core.answers import A, Answer, Body, Form, Named, Party, Reading, Said
from referee.core.orders.keyed import TALK, SheetEntry, comment_lines, parted, plain, sheet_of
from referee.core.texts.addresses import address_key
from referee.core.value import Complaint, Demand, Lapse, Line, Value, demands, fault
from referee.games.fourplay.board.catalogue import Catalogue, PieceType, called, catalogue_of
from referee.games.fourplay.cycles import due, open_to
from referee.games.fourplay.state import Event, Record, State

SLOT: Final = "..."  # where something is to be filled in: a line left with it says nothing
RESIGNATIONS: Final = frozenset(("resign",))  # in place of a turn, never beside one; a mail of its own

_SIGNS: Final = str.maketrans("×✕–—−‑‐‒∼│“”„‘’", 'xx------~|"""\'\'', "\u200b\u200c\u200d\ufeff")
_MONEY: Final = re.compile(r"\$\s?F(?![A-Za-z])")  # turned round
_NUMBERED: Final = re.compile(  # (i), a), 2.
    r"^(?:\((?:\d{1,2}|[ivx]{1,4}|[a-z])\)\s*|(?:[ivx]{1,4}|[a-z]|\d{1,2}(?=\S\s+\d))[.)]\s+)", re.I
)
COUNTING: Final = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
_NUMBER_WORDS: Final = {word: number for number, word in enumerate(COUNTING.split(), 1)}


@lru_cache(2048)
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


@lru_cache(2048)
def label(text: str) -> str:
    """What a line is about, without the words that a rule puts round it: of "the Player's King is
    placed on" the King, of "Number of that Player" the number (604.B, 605.B)."""
    about = text if len(text) < 200 else ""
    for words in _ROUND_LABELS:
        about = " ".join(words.sub(" ", about).split())
    return about or text


@lru_cache(2048)
def folded(word: str) -> str:
    """The letters and digits of a word, in lower case, without accents."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKD", word))).casefold()


def empty(value: str) -> bool:
    """Whether nothing was filled in: only dots, underscores, dashes, or a currency sign beside them."""
    return not re.sub(r"F\$|[\s._\-?|$]", "", value)


def is_slot(text: str) -> bool:
    """Whether the line is one of our form's that was left as it was."""
    return bool(re.match(r"\s*(?:\.{2,}|_{2,})", tidied(text)))


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


SQUARE_LIKE: Final = re.compile(r"[A-Za-z]{1,2}-?\d{1,3}")


def square_of(word: str) -> str:
    """A square as the rules write it: lower case, letter then number, no leading noughts."""
    return f"{re.sub(r'[0-9-]', '', word).lower()}{int(re.sub(r'[^0-9]', '', word))}"


# --- lots ----------------------------------------------------------------------------------------------------------

_SUM_SIGN: Final = r"(?:F\s?\$|\$\s?F|\$)"
_NUM: Final = r"(?P<n>(?<!\d)[+-]?\d++(?:\.\d++)?)"  # a run of digits is tried once: linear in the line
_EACH: Final = r"(?:\s*(?:each|apiece|ea\b\.?|per piece|a piece))"
_VALUES: Final = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"(?:\bmaterial\s+)?\b(?:value|val|worth)\b\.?{_EACH}?\s*(?:of|is|[:=])?\s*{_NUM}{_EACH}?",
        rf"{_NUM}\s*(?:points?|pts?|value|val)\b\.?{_EACH}?",
    )
)
_TOGETHER: Final = re.compile(
    rf"(?:=|\b(?:total(?:ling|s)?|together|sum|subtotal)\b)\s*[:=]?\s*(?:{_SUM_SIGN}\s*{_NUM}|(?P<m>[+-]?\d+)\s*{_SUM_SIGN})",
    re.I,
)
_PRICES: Final = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"\b(?:price|costs?)\b{_EACH}?\s*(?:in\s+|\(\s*)?{_SUM_SIGN}\)?{_EACH}?\s*(?:is|[:=])?\s*{_NUM}{_EACH}?",
        rf"(?:\b(?:price|cost|costs|costing|for|at)\b|@)?{_EACH}?\s*[:=]?\s*{_SUM_SIGN}\s*{_NUM}{_EACH}?",
        rf"(?:\b(?:price|cost|costs|costing|for|at)\b|@){_EACH}?\s*[:=]?\s*{_NUM}\s*{_SUM_SIGN}?{_EACH}?",
        rf"{_NUM}\s*(?:{_SUM_SIGN}|F\b|dollars\b){_EACH}?",
        rf"{_NUM}{_EACH}",
    )
)
_TIMES: Final = re.compile(r"\bx\s*(?P<n>[+-]?\d+)\b(?!\.\d)|(?<![\w.])(?P<m>[+-]?\d+)\s*x\b", re.I)
_NOISE: Final = frozenset(
    re.findall(r"\w+", "each apiece ea piece pieces of and per x f pcs pc number count its")
)
_A_COUNT: Final = rf"(?:\d{{1,3}}(?: ?x)?|an?|{COUNTING.replace(' ', '|')})"
_NEXT_LOT: Final = re.compile(
    rf" ?(?:[,;&+](?: (?:and|und|et|y|e|en|i|och)\b)?|\b(?:and|und|et|y|e|en|i|och)\b) ?(?={_A_COUNT} [A-Za-z~$])",
    re.I,
)
_ASKED_POLITELY: Final = re.compile(r",? (?:please|thanks|thank you|bitte|danke|merci|for me)$", re.I)
_NUMERAL: Final = r"[+-]?\d+(?:\.\d+)?"
_LONGEST_NAME: Final = 4  # words; a catalogue's own names are found however long they are
_HEADS: Final = frozenset(
    re.findall(
        r"\w+",
        "count number no nr qty quantity amount piece pieces name type symbol price cost value material each total f",
    )
)


class LotLine(Value):
    """A line as understood. `piece` is None where no piece of that `name` is known; `count` None where none is
    stated, `bad_count` what stands there if it is no whole number above nought; `left` what was not understood."""

    line: Line
    name: str
    piece: PieceType | None
    count: int | None
    bad_count: str = ""
    price: str | None = None
    value: str | None = None
    together: str | None = None  # price of the whole lot
    worth: str | None = None  # value of the whole lot
    left: str = ""

    @property
    def certain(self) -> bool:
        """Whether the line can only be a lot: a known piece and a count, and nothing else."""
        return self.piece is not None and (self.count is not None or bool(self.bad_count)) and not self.left

    @property
    def wordy(self) -> bool:
        """Whether the line says more than any piece is called: a sentence, not a name that was misspelt."""
        return self.piece is None and len(self.name.split()) > _LONGEST_NAME


def numbers_in(named: Named) -> list[int]:
    """The numbers that a mail names; one is what it means who names none."""
    return sorted({1, *(int(word) for word in named if re.fullmatch(r"[1-9]\d?", word))})


def lots_named(
    catalogue: Catalogue, owned: Mapping[str, int], money: int, named: Named
) -> Iterator[tuple[PieceType, int]]:
    """What may be bought of the pieces that a mail names, in each number that it names: paid for
    and within the limits of who owns so many of each."""
    for piece in catalogue.types:
        for count in numbers_in(named) if piece.for_sale and not set(called(piece)).isdisjoint(named) else ():
            have = {**owned, piece.name: owned.get(piece.name, 0) + count}
            limit = catalogue.limit(piece.name, have)
            if count * piece.price <= money and (limit is None or have[piece.name] <= limit):
                yield piece, count


def parse_lots(line: Line, catalogue: Catalogue) -> list[LotLine]:
    """The lots of a line: one as a rule, or several behind each other (`10 Pawn, 5 Cannon and 2
    Archer`), with or without their prices."""
    text = tidied(line.text)
    if not text.endswith("?"):
        text = _ASKED_POLITELY.sub("", text.rstrip(" .!"))
    whole_line = parse_lot(Line(line.number, text), catalogue)
    parts: list[str] = []
    for part in _NEXT_LOT.split(text) if whole_line.piece is None else ():
        lot = parse_lot(Line(line.number, part), catalogue)
        if lot.count is not None and not lot.wordy and (lot.piece or catalogue.near(lot.name)):
            parts.append(part)
        elif not parts:
            return [whole_line]
        else:
            parts[-1] += f", {part}"  # a price, a value: they belong to the lot before them
    if len(parts) < 2:
        return [whole_line]
    return [parse_lot(Line(line.number, part), catalogue) for part in parts]


_COUNTED: Final = re.compile(r"(?<![\w.])\d{1,3}(?: ?x)? (?=[^\W\d_])", re.I)


def lots_in(text: str, catalogue: Catalogue) -> list[str]:
    """The lots that stand in a sentence ("I still own 3 Zombie, 4 Snake and 1 Archer, and here they
    go:"): two at least, and no other number; none where it is anything else."""
    said = tidied(text)
    ends, lots = [*(found.start() for found in _COUNTED.finditer(said)), len(said)], list[str]()
    if len(ends) > len(catalogue.types) or len(ends) <= len(re.findall(r"\d+", said)):
        return []
    for start, stop in pairwise(ends):
        words = re.split(r"[\s,;:()]+", said[start:stop].strip())
        named = (" ".join(words[:size]) for size in range(min(len(words), _LONGEST_NAME + 1), 1, -1))
        lots += [lot for lot in named if parse_lot(Line(0, lot), catalogue).certain][:1]
    return lots if 1 < len(lots) == len(ends) - 1 else []


def parse_lot(line: Line, catalogue: Catalogue) -> LotLine:
    """What the line says; never fails."""
    text = tidied(line.text).replace("|", " , ")
    text, value = _taken(text, _VALUES)
    text, together = _taken(text, (_TOGETHER,))
    text, price = _taken(text, _PRICES)
    if together is None and price is not None:
        text, together = _taken(text, (_TOGETHER, *_PRICES, re.compile(rf"=\s*{_NUM}")))
    text, times = _taken(text, (_TIMES,))
    parts = re.split(r"[\s,;:()\[\]/=\"]+|(?<=\d)-(?=\D)|(?<=\D)-(?=\s)", text)
    parts = [part for part in parts if part and part not in ".-"]
    numbers = [part for part in parts if re.fullmatch(_NUMERAL, part)]
    words = (part for part in parts if not re.fullmatch(_NUMERAL, part))
    name = " ".join(word for word in words if word.lower() not in _NOISE or catalogue.find(word))
    rest = iter(numbers if times is None else [times, *numbers])  # in the order of a list's columns
    stated = next(rest, None)
    price = next(rest, None) if price is None else price
    value = next(rest, None) if value is None else value
    together = next(rest, None) if together is None else together
    worth = next(rest, None)
    piece, count = catalogue.find(name), whole(stated) if stated else None
    if piece is None and count is None and name:  # "a Crazyhorse", "two Archers"
        first, _, others = name.partition(" ")
        spelt = 1 if first.lower() in ("a", "an") else whole(first)
        if spelt is not None and others and (catalogue.find(others) or catalogue.near(others)):
            name, piece, count, stated = others, catalogue.find(others), spelt, first
    if piece is None and (known := _at_its_price(line, name, catalogue)) is not None:
        return known
    bad = stated if stated is not None and (count is None or count < 1) else ""
    counted = None if bad else count
    return LotLine(line, name, piece, counted, bad or "", price, value, together, worth, " ".join(rest))


def _at_its_price(line: Line, name: str, catalogue: Catalogue) -> LotLine | None:
    """A lot of the piece that is named first, with its true price and value behind words of any
    language, and no other words ("Pawn x 10, wartość 1")."""
    words, numbers = name.split(), re.findall(r"\d+", line.text)
    heads = (" ".join(words[:size]) for size in (2, 1))
    piece = next((found for one in heads if len(one) > 2 and (found := catalogue.find(one))), None)
    told = re.sub(r"(?:F\s?\$|[\W_])+", " ", line.text)
    behind = r"\w*(?: x)?(?:(?: ?[^\W\d]++){0,3}+ ?\d++)*+\s*$"
    if piece is None or not re.match(rf"\s*(?:\d+ ?x? ?)?{re.escape(piece.name)}{behind}", told, re.I):
        return None
    for known in (str(piece.price), str(piece.value)):
        if known not in numbers:
            return None
        numbers.remove(known)
    count = whole(numbers[0]) if len(numbers) == 1 else None
    return LotLine(line, piece.name, piece, count or None, "", str(piece.price), str(piece.value))


def is_heading_row(text: str) -> bool:
    """Whether the line is a table's first row ("Count | Piece | Price | Value") or only a drawn line."""
    plainly = tidied(text)
    heads, drawn = re.findall(r"[a-z]+", plainly.lower()), not any(c.isalnum() or c in "~$" for c in plainly)
    heading = len(heads) > 1 and (_HEADS.issuperset(heads) or plainly.count("|") > 1)
    return drawn or (heading and not re.search(r"\d", text))


def _taken(text: str, patterns: tuple[re.Pattern[str], ...]) -> tuple[str, str | None]:
    """The text without the first thing that one of the patterns finds, and its number."""
    for pattern in patterns:
        if found := pattern.search(text):
            number = next(n for n in found.groups() if n is not None)
            return f"{text[: found.start()]} , {text[found.end() :]}", number
    return text, None


# --- fields of a form ------------------------------------------------------------------------------------------------


# A line with its key in small letters, "" where it has none, and what it says, in plain signs.
KeyedLine = SheetEntry[str]

_LONGEST: Final = 7  # words of a key
_SMALL_WORDS: Final = re.compile(r"^(?:(?:is|will be|shall be)\s+)?(?:(?:an?|the|my)\s+)?", re.I)

# What a line says of its sender, beside his name.
_SIGNS_OF: Final = (
    ("email", re.compile(r"<?([^\s<>,;()]+@[^\s<>,;()]+)>?")),
    ("player", re.compile(r"(?:\b(?:player|seat|number|no|nr)\b\W*|\(#?(?=\d\)))(\d+)\b\)?", re.I)),
)
_NUMBERED_ONE: Final = re.compile(r"[^\W\d_]\W{0,3}(\d)(?![\w.])")
_HEADING: Final = re.compile(r"[^\d]+:\s*")
_I_AM: Final = re.compile(r"\b(?:I am|I'm|this is|my name is)\b", re.I)
_POLITELY: Final = re.compile(r",? (?:please|thanks|thank you|bitte|danke)[.!]*$", re.I)


class Field(Value):
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


class Keys(Value):
    """The fields of a kind of answer, and the clause that its lines follow."""

    rule: str
    fields: tuple[Field, ...]

    @cached_property
    def ways(self) -> Mapping[str, Field]:
        """A field by every way to write its key, folded, and with its words in the order of the alphabet."""
        written = [(word, field) for field in self.fields for word in field.written.split(",")]
        return {fold(word): field for word, field in written for fold in (_turned, folded)}

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
            if (field := self._named(" ".join(words[:size]))) and field.loose:
                value = field.value(" ".join(words[size:]).strip(" .!"))
                if re.fullmatch(field.loose, value, re.I):
                    return SheetEntry(field.order, value, line)
        return SheetEntry("", text, line)

    def _named(self, words: str) -> Field | None:
        """The field that the words are the key of, whatever a rule puts round it."""
        if len(words) >= 100:
            return None
        about = label(words)
        ways = (self.ways.get(one) for one in (folded(words), folded(about), _turned(about)))
        return next(filter(None, ways), None)

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
        found, rest = [], value if value.strip() else head
        for order, pattern in _SIGNS_OF:
            if said := pattern.search(rest) or (pattern.search(head) if order == "player" else None):
                found.append(SheetEntry(order, said[1], line))
                rest = pattern.sub(" ", rest)
        if found[:1] and found[0].order == "email" and re.search(rf"\b{re.escape(name)}\b", line.text, re.I):
            numbers = [entry.value for entry in found[1:]] or _NUMBERED_ONE.findall(rest)
            if len(numbers) == len(re.findall(r"\d+", rest)) + len(found) - 1 == 1:
                return (found[0], SheetEntry("player", numbers[0], line), SheetEntry("name", name, line))
        if (left := folded(_I_AM.sub(" ", rest))) and left == folded(name):
            found.append(SheetEntry("name", name, line))
        known = {key.order, *(["player"] if colon and not key.order else [])}
        if left not in ("", folded(name)) or {entry.order for entry in found} <= known:
            return ()
        return tuple(found)


class Filled:
    """A form as somebody has filled it in. What is wrong with it gathers in `complaints` as it is
    asked for, `lines` are those of the parts that stand on a line of their own; `signed` says who
    sends it where no key does; `found` is what the form made of the lines that have no key."""

    def __init__(
        self, form: "FieldForm[Any]", catalogue: Catalogue, lines: Sequence[Line], party: Party
    ) -> None:
        self.keys, self.party, self.all_lines = form.keys, party, lines
        self.complaints: list[Complaint] = []
        self.lines: dict[str, Line] = {}
        self.found: Any = None
        signed = {line: said for line in lines if (said := self.keys.signed(line, party.name))}
        self.signed = [entry for said in signed.values() for entry in said]

        headings = list[Line]()  # of what stands below them, in its sender's own words

        def adds(text: str) -> bool:
            return form.adds(text, catalogue)

        def parse(text: str, line: Line) -> Iterator[KeyedLine]:
            if line not in signed:
                order = self.keys.of(line).order
                if not order and _HEADING.fullmatch(text) and not form.begins(text, catalogue):
                    headings.append(line)
                    return
                for part in (text,) if order in TALK else parted(tidied(text), adds):
                    entry = self.keys.of(Line(line.number, part))
                    yield from form.entries(replace(entry, line=line), catalogue)

        sheet = sheet_of(lines, lambda text: form.begins(text, catalogue), parse)
        taken = {*sheet.orders, *signed}
        odd = tuple(line for line in lines if line not in taken and self.keys.near(line.text))
        told = (*sheet.complaints, *map(form.doubt, odd))
        courtesy = (*(line for line in sheet.courtesy if line not in odd), *headings)
        orders = tuple(line for line in (*sheet.orders, *odd) if line not in headings)
        self.sheet = replace(sheet, complaints=told, courtesy=courtesy, orders=orders)

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
        said = ((field.name, entry.value) for field in fields for entry in self.entries(field))
        return [*dict.fromkeys(f"{name}: {value}" for name, value in said)]

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

    def form(self, lines: Iterable[str], chosen: Iterable[str], held: Iterable[Line] = ()) -> Form:
        """A mended form of such lines, with its comment."""
        text = "\n".join([*lines, *comment_lines(self.sheet.comment)])
        return Form(text, tuple(chosen), tuple(held))

    @property
    def keyed(self) -> list[Line]:
        """The lines of the keys, whatever words of the rule stand round them: a mended form has each under its own."""
        return [entry.line for entry in self.sheet.entries if entry.order]


class Sent(Answer[State, Event, A]):
    """An answer that a player sends by mail. `clause` says when it may be sent."""

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
    """A form of fields. `signed`: it begins with who sends it. What stands on a line of it beside
    its `keys` is said by `begins`, `adds` and `entries`; `stated` is what it all comes to."""

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
        registered = {address_key(address) for address in party.addresses if self.signed}
        entry = next(iter(said.entries(EMAIL)), None) if registered else None
        stated = _addresses(entry.value) if entry else ()
        # A list may state another address: it counts, and that is asked about (604.B.i).
        addresses = tuple(address for address in stated if address_key(address) not in registered)
        told = tuple(said.complaints)
        return Reading(action, told, sheet.courtesy, sheet.orders, said.lines, said, addresses=addresses)

    def head(self, state: State, party: Party, action: A | None) -> Sequence[str]:
        if not self.signed:
            return ()
        address = party.addresses[0] if party.addresses else ""
        return [f"Name: {party.name}", f"Player: {party.number}", f"Email: {address}", ""]

    def so_far(self, state: State, seat: int, said: Said) -> A | None:
        """What lines of the form say that stand for sentences of a mail (`possible`)."""
        return self.parse(state, seat, Body.of("\n".join(said)).lines, Party("", seat)).action


def _turned(words: str) -> str:
    """A key whatever the order of its words: "purchased pieces" is "pieces purchased"."""
    return "".join(sorted(map(folded, words.split())))


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
