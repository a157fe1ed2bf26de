"""One line of a purchase (604.B.ii): how many of which piece, at which price and value, in any usual writing."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from referee.core.complaint import Line
from referee.games.fourplay.board.catalogue import Catalogue, PieceType, called
from referee.games.fourplay.forms.notation import COUNTING, is_ruling, tidied, whole

_MONEY: Final = r"(?:F\s?\$|\$\s?F|\$)"
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
    rf"(?:=|\b(?:total(?:ling|s)?|together|sum|subtotal)\b)\s*[:=]?\s*(?:{_MONEY}\s*{_NUM}|(?P<m>[+-]?\d+)\s*{_MONEY})",
    re.I,
)
_PRICES: Final = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"\b(?:price|costs?)\b{_EACH}?\s*(?:in\s+|\(\s*)?{_MONEY}\)?{_EACH}?\s*(?:is|[:=])?\s*{_NUM}{_EACH}?",
        rf"(?:\b(?:price|cost|costs|costing|for|at)\b|@)?{_EACH}?\s*[:=]?\s*{_MONEY}\s*{_NUM}{_EACH}?",
        rf"(?:\b(?:price|cost|costs|costing|for|at)\b|@){_EACH}?\s*[:=]?\s*{_NUM}\s*{_MONEY}?{_EACH}?",
        rf"{_NUM}\s*(?:{_MONEY}|F\b|dollars\b){_EACH}?",
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


@dataclass(frozen=True, slots=True)
class LotLine:
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
