"""What every form of Fourplay is written in: lines in plain signs; counts, sums and squares in any usual writing; lots
(604.B.ii): how many of which piece, at which price and value.

Tolerant in form (bullets, case, typographic signs, tabs, tables), so that judging can be strict in meaning. `SLOT`
stands in our forms where something is to be filled in; a line left with it says nothing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from referee.core.codec import Value
from referee.core.complaint import Line
from referee.core.orders.sheet import plain
from referee.games.fourplay.board.catalogue import Catalogue, PieceType, called

SLOT: Final = "..."
RESIGNATIONS: Final = frozenset(("resign",))  # in place of a turn, never beside one; a mail of its own

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
_POLITELY: Final = re.compile(r",? (?:please|thanks|thank you|bitte|danke|merci|for me)$", re.I)
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
        """Whether the line can be nothing but a lot: a known piece and a count, and nothing else."""
        return self.piece is not None and (self.count is not None or bool(self.bad_count)) and not self.left

    @property
    def wordy(self) -> bool:
        """Whether the line says more than any piece is called: a sentence, not a name that was misspelt."""
        return self.piece is None and len(self.name.split()) > _LONGEST_NAME


def numbers_in(named: Collection[str]) -> list[int]:
    """The numbers that a mail names; one is what it means who names none."""
    return sorted({1, *(int(word) for word in named if re.fullmatch(r"[1-9]\d?", word))})


def lots_named(
    catalogue: Catalogue, owned: Mapping[str, int], money: int, named: Collection[str]
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
        text = _POLITELY.sub("", text.rstrip(" .!"))
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
    name, numbers = _parted([part for part in parts if part and part not in ".-"], catalogue)
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
    bad = stated if stated is not None and (count is None or count < 1) else ""
    return LotLine(
        line, name, piece, None if bad else count, bad or "", price, value, together, worth, " ".join(rest)
    )


def is_heading_row(text: str) -> bool:
    """Whether the line is a table's first row ("Count | Piece | Price | Value") or only a drawn line."""
    heads = re.findall(r"[a-z]+", tidied(text).lower())
    return is_ruling(text) or (len(heads) > 1 and _HEADS.issuperset(heads) and not re.search(r"\d", text))


def _taken(text: str, patterns: tuple[re.Pattern[str], ...]) -> tuple[str, str | None]:
    """The text without the first thing that one of the patterns finds, and its number."""
    for pattern in patterns:
        if found := pattern.search(text):
            number = next(n for n in found.groups() if n is not None)
            return f"{text[: found.start()]} , {text[found.end() :]}", number
    return text, None


def _parted(parts: list[str], catalogue: Catalogue) -> tuple[str, list[str]]:
    """The piece's name, and the numbers before, inside and behind it."""
    numbers = {i: word for i, word in enumerate(parts) if re.fullmatch(r"[+-]?\d+(?:\.\d+)?", word)}
    words = ((i, word) for i, word in enumerate(parts) if i not in numbers)
    named = [i for i, word in words if word.lower() not in _NOISE or catalogue.find(word)]
    return " ".join(parts[i] for i in named), [*numbers.values()]
