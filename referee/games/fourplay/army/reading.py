"""Reading an Initial Purchase (604.B): tolerant in how it is written, strict in what it states.

What is stated here and is not so (a name, a price, a total) is a complaint of the reading; whether the army may be
bought at all is judged by `purchase`.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from referee.core.answers import Party, Reading
from referee.core.complaint import Complaint, Line
from referee.core.orders.block import Vocabulary
from referee.core.orders.sheet import Notation, Sheet
from referee.core.replacing import replace
from referee.games.fourplay.actions import Buy
from referee.games.fourplay.army.lots import LotLine, is_heading_row, lot_lines
from referee.games.fourplay.board.catalogue import Catalogue, catalogue_of
from referee.games.fourplay.notation.header import HEADER, header_complaints, unregistered
from referee.games.fourplay.notation.keys import AMOUNT, COMMENT, Key, Keys, Said, lines_of
from referee.games.fourplay.notation.signs import amount, empty, folded, is_slot, whole
from referee.games.fourplay.notation.terms import terms_of
from referee.games.fourplay.state import Lot, State

LIST: Final = Key(
    "Purchases",
    ("purchases", "purchase", "pieces", "mypurchases", "list", "listofpurchases", "initialpurchase"),
)
_AND_VALUE: Final = rf"[\s|,;/]+(?:and\s+)?(?:total\s+)?(?:material\s+)?(?:value)?[\s:=]*({AMOUNT})"
COST: Final = Key(
    "Total cost",
    ("totalcost", "totalprice", "costtotal", "totalcosts", "cost", "total", "sum", "totalcostinf"),
    rf"{AMOUNT}(?:{_AND_VALUE})?",
)
VALUE: Final = Key(
    "Total value",
    (
        "totalvalue",
        "valuetotal",
        "totalmaterialvalue",
        "materialvalue",
        "value",
        "totalvalues",
        "totalvalueinpoints",
    ),
    AMOUNT,
)
MASCOT: Final = Key("Mascot", ("mascot", "mymascot", "mascott"), r"[A-Za-z~$]\S*(?: [A-Za-z]+)?")
_RULE: Final = "604.B"
KEYS: Final = Keys(_RULE, (*HEADER, LIST, COST, VALUE, MASCOT, COMMENT))
_PRICED: Final = re.compile(r"\$|@|\b(?:each|apiece|price|cost|costs|value)\b", re.I)
_ALIKE: Final = 0.7
_BOTH: Final = re.compile(rf"[\s|,;/]*({AMOUNT}){_AND_VALUE}", re.I)


def vocabulary(catalogue: Catalogue, name: str) -> Vocabulary:
    """What lines of a purchase begin with: a key, or a lot. The sender's name is no piece, whatever it is."""

    def orders(text: str) -> bool:
        line = Line(0, text)
        if KEYS.begin(text):
            return not is_slot(text)
        lot, *more = lot_lines(line, catalogue)
        if more:
            return True
        priced = lot.price is not None and lot.value is not None and bool(lot.name) and not is_slot(text)
        return lot.certain or (priced and (bool(_PRICED.search(text)) or bool(catalogue.near(lot.name))))

    return Vocabulary(frozenset(), orders=orders, terms=terms_of(catalogue), names=(name,), blank=is_slot)


@dataclass(frozen=True, slots=True)
class Listed:
    """A list as it was understood: its lots, and the lines that begin with a key that was misspelt."""

    sheet: Sheet[str]
    lots: tuple[LotLine, ...]
    strange: tuple[Line, ...]


def listed(lines: Sequence[Line], catalogue: Catalogue, name: str) -> Listed:
    """What the lines of a purchase say; `name` is the sender's."""
    known = vocabulary(catalogue, name)
    sheet = Notation(known, str, lambda text, line: _parted(KEYS.of(line)), _RULE, KEYS.doubt).sheet(lines)
    lots, strange = _lots_in(sheet.of("", LIST.order), catalogue)
    return Listed(sheet, tuple(lots), tuple(strange))


def read_purchase(state: State, lines: Sequence[Line], party: Party) -> Reading[Buy]:
    """The list as far as it can be understood, with everything wrong about what it states."""
    catalogue = catalogue_of(state.rules.pieces)
    said = listed(lines, catalogue, party.name)
    sheet, lots, strange = said.sheet, said.lots, said.strange
    cost, cost_twice = KEYS.once(sheet, COST)
    value, value_twice = KEYS.once(sheet, VALUE)
    mascot, mascot_twice = KEYS.once(sheet, MASCOT)
    if mascot is not None:
        mascot = replace(mascot, value=re.sub(r"(?i)^(?:the|my|an|a|one)\s+", "", mascot.value.strip(" .")))
    complaints = [
        *header_complaints(sheet, party, KEYS),
        *(complaint for lot in lots for complaint in lot_complaints(lot, catalogue)),
        *map(KEYS.doubt, strange),
        *sheet.complaints,
        *cost_twice,
        *value_twice,
        *mascot_twice,
        *_total_complaints(lots, cost, value),
        *_mascot_complaints(mascot, catalogue),
    ]
    if not lots:
        complaints.append(Complaint("no_lots", _RULE))
    named = catalogue.find(mascot.value) if mascot else None
    known, where = _known(lots)
    buy = Buy(
        lots=known,
        mascot=named.name if named else "",
        comment=sheet.comment,
        guesses=tuple(_guesses(lots, catalogue)),
        gaps=bool(strange) or any(lot.piece is None or not lot.count or lot.left for lot in lots),
    )
    where |= lines_of({"cost": cost, "mascot": mascot})
    others = unregistered(sheet, party, KEYS)
    return Reading(buy, tuple(complaints), sheet.courtesy, sheet.orders, where, said, addresses=others)


def _parted(entry: Said) -> tuple[Said, ...]:
    """Both totals, where one line has them (`Total | 543 F$ | 74`)."""
    both = _BOTH.fullmatch(entry.value) if entry.order == COST.order else None
    if both is None:
        return (entry,)
    return replace(entry, value=both[1]), replace(entry, order=VALUE.order, value=both[2])


def _lots_in(entries: Iterable[Said], catalogue: Catalogue) -> tuple[list[LotLine], list[Line]]:
    """The lot lines: those without a key, and what stands beside `Purchases:` itself. Apart from them the lines that
    begin with a key that was misspelt."""
    found: list[LotLine] = []
    strange: list[Line] = []
    for entry in entries:
        if empty(entry.value) or is_slot(entry.value):
            continue
        for part in entry.value.split(";"):
            if part.strip() and not is_heading_row(part):
                lots = lot_lines(Line(entry.line.number, part), catalogue)
                if lots[0].piece is None and KEYS.near(part) is not None:
                    strange.append(entry.line)
                else:
                    found += [replace(lot, line=entry.line) for lot in lots]
    return found, strange


def lot_complaints(lot: LotLine, catalogue: Catalogue) -> list[Complaint]:
    """Everything wrong with one lot."""

    def complaint(code: str, rule: str = _RULE, **facts: object) -> Complaint:
        return Complaint(code, rule, lot.line, facts)

    stray = lot.piece is None and lot.count is None and lot.price is None and not catalogue.near(lot.name)
    if not lot.name or stray or lot.wordy:
        return [Complaint("not_understood", "house", lot.line, {"text": lot.line.text.strip()})]
    if lot.piece is None:
        return [complaint("piece_unknown", "604.D", name=lot.name, near=list(catalogue.near(lot.name)))]
    piece, found = lot.piece, []
    name = piece.name
    if lot.count is None:
        found.append(complaint("count_wrong", piece=name, stated=lot.bad_count))
    if not piece.for_sale:
        return found  # price and value are of no account: `purchase` says that it can't be bought
    if lot.price is None:
        found.append(complaint("price_missing", piece=name, price=piece.price))
    elif lot.price != str(piece.price):
        found.append(complaint("price_wrong", piece=name, stated=lot.price, price=piece.price))
    if lot.value is None:
        found.append(complaint("value_missing", piece=name, value=piece.value))
    elif lot.value != str(piece.value):
        found.append(complaint("value_wrong", piece=name, stated=lot.value, value=piece.value))
    if lot.count and lot.together is not None and lot.together != str(lot.count * piece.price):
        right = lot.count * piece.price
        found.append(
            complaint("lot_cost_wrong", piece=name, stated=lot.together, right=right, count=lot.count)
        )
    if lot.count and lot.worth is not None and lot.worth != str(lot.count * piece.value):
        right = lot.count * piece.value
        found.append(complaint("lot_value_wrong", piece=name, stated=lot.worth, right=right, count=lot.count))
    if lot.left:
        found.append(complaint("not_understood", "house", text=lot.line.text.strip()))
    return found


def _total_complaints(lots: Sequence[LotLine], cost: Said | None, value: Said | None) -> list[Complaint]:
    """Totals that are missing or not so. What can't be bought does not count, nor what is none (0 Pawn); lots that
    were not understood may be counted as they are stated, or not; where a count is missing, only a total below the
    rest is known to be wrong."""
    buyable = [
        lot for lot in lots if lot.piece is None or (lot.piece.for_sale and whole(lot.bad_count) is None)
    ]
    sure = [(lot.count, lot.piece) for lot in buyable if lot.count and lot.piece is not None]
    unsure = [lot for lot in buyable if not lot.count or lot.piece is None]
    uncounted = any(not lot.count for lot in unsure)
    partly = uncounted or any(lot.piece is None for lot in unsure)
    right_cost = sum(count * piece.price for count, piece in sure)
    right_value = sum(count * piece.value for count, piece in sure)
    found: list[Complaint] = []
    for entry, missing, wrong, right, more in (
        (cost, "total_cost_missing", "total_cost_wrong", right_cost, [(x.count, x.price) for x in unsure]),
        (
            value,
            "total_value_missing",
            "total_value_wrong",
            right_value,
            [(x.count, x.value) for x in unsure],
        ),
    ):
        facts = {"right": right, "partly": partly}
        if entry is None:
            found.append(Complaint(missing, _RULE, None, facts))
            continue
        stated = amount(entry.value)
        if stated is None or (
            stated < right if uncounted else stated not in (right, right + sum(_times(*lot) for lot in more))
        ):
            found.append(Complaint(wrong, _RULE, entry.line, facts | {"stated": entry.value}))
    return found


def _times(count: int | None, each: str | None) -> int:
    return count * int(each) if count and each and re.fullmatch(r"\d{1,9}", each) else 0


def _mascot_complaints(mascot: Said | None, catalogue: Catalogue) -> list[Complaint]:
    if mascot is None:
        return [Complaint("mascot_missing", "604.B.iv")]
    if catalogue.find(mascot.value) is None:
        facts = {"name": mascot.value, "near": list(catalogue.near(mascot.value))}
        return [Complaint("piece_unknown", "604.B.iv", mascot.line, facts)]
    return []


def meant(name: str, catalogue: Catalogue) -> str | None:
    """The piece that a misspelt name can hardly fail to mean: put into the mended form, for the player to see."""
    near = catalogue.near(name, 1)
    alike = near and difflib.SequenceMatcher(None, folded(name), folded(near[0])).ratio() >= _ALIKE
    return near[0] if alike else None


def _known(lots: Sequence[LotLine]) -> tuple[tuple[Lot, ...], dict[str, Line]]:
    """The lots with a piece and a number, and their lines: those of one piece are counted together, under the first of
    their lines."""
    counts: dict[str, int] = {}
    first: dict[str, Line] = {}
    for lot in lots:
        if lot.piece is not None and lot.count:
            counts[lot.piece.name] = counts.get(lot.piece.name, 0) + lot.count
            first.setdefault(lot.piece.name, lot.line)
    known = tuple(Lot(name, count) for name, count in counts.items())
    return known, {f"lots.{place}": first[lot.piece] for place, lot in enumerate(known)}


def _guesses(lots: Sequence[LotLine], catalogue: Catalogue) -> Iterator[Lot]:
    """What lots of misspelt pieces can hardly fail to mean."""
    for lot in lots:
        if lot.piece is None and lot.count and (guess := meant(lot.name, catalogue)):
            yield Lot(guess, lot.count)
