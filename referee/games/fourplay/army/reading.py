"""Reading an Initial Purchase (604.B): tolerant in how it is written, strict in what it states.

What is stated here and is not so (a name, a price, a total) is a complaint of the reading; whether the army may be
bought at all is judged by `purchase`.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from referee.core.answers import Party, Reading
from referee.core.complaint import Complaint, Line
from referee.core.orders.sheet import parted
from referee.games.fourplay.actions import Buy
from referee.games.fourplay.army.lots import LotLine, is_heading_row, lot_line, lot_lines
from referee.games.fourplay.board.catalogue import Catalogue, catalogue_of
from referee.games.fourplay.notation.keys import (
    COMMENT,
    HEADER,
    LOOSE,
    Filled,
    Keys,
    Said,
    check_header,
    unregistered,
)
from referee.games.fourplay.notation.signs import amount, empty, folded, is_slot, whole
from referee.games.fourplay.state import Lot, State

AMOUNT: Final = r"(?:F\s?\$|\$)?\s*\d+\s*(?:F\s?\$|\$|F|points?)?"
MASCOT: Final = "Mascot, mascott"
_AND_VALUE: Final = rf"[\s|,;/]+(?:and\s+)?(?:total\s+)?(?:material\s+)?(?:value)?[\s:=]*({AMOUNT})"
_RULE: Final = "604.B"
KEYS: Final = Keys(
    _RULE,
    (
        *HEADER,
        "Purchases, purchase, pieces, list, list of purchases, initial purchase, pieces purchased, pieces bought",
        "Total cost, total price, cost total, total costs, cost, total, sum",
        "Total value, value total, total material value, material value, value, total values",
        MASCOT,
        COMMENT,
    ),
    LOOSE
    | {
        "Total cost": rf"{AMOUNT}(?:{_AND_VALUE})?",
        "Total value": AMOUNT,
        "Mascot": r"[A-Za-z~$]\S*(?: [A-Za-z]+)?",
    },
)
_PRICED: Final = re.compile(r"\$|@|\b(?:each|apiece|price|cost|costs|value)\b", re.I)
_ADDED: Final = re.compile(r"(?:my |the )?(?:office's )?(?:mascott?|total)\b", re.I)
_AS_MASCOT: Final = re.compile(
    r"(?:(?:an?|the|my) )?(.{1,40}?) (?:(?:as|is|will be|for) (?:my |the |a )?mascott?|\((?:my |the )?mascott?\))[.!]*",
    re.I,
)
_BETWEEN_LOTS: Final = re.compile(r";(?!\s*(?:its |the )?(?:material )?(?:costs?|price|value)\b)", re.I)
_ALIKE: Final = 0.7
_BOTH: Final = re.compile(rf"[\s|,;/]*({AMOUNT}){_AND_VALUE}", re.I)


@dataclass(frozen=True, slots=True)
class Listed:
    """A list as it was understood: its lots, and the lines that begin with a key that was misspelt."""

    said: Filled
    lots: tuple[LotLine, ...]
    strange: tuple[Line, ...]


def _begins(text: str, catalogue: Catalogue) -> bool:
    """Whether it is a line of a purchase: a key, or a lot."""
    first, *others = parted(text, _adds)
    if others:
        return any(_begins(part, catalogue) for part in (first, *others))
    if KEYS.begin(text) or _AS_MASCOT.fullmatch(text):
        return not is_slot(text)
    lot, *more = lot_lines(Line(0, text), catalogue)
    if more:
        return True
    priced = lot.price is not None and lot.value is not None and bool(lot.name) and not is_slot(text)
    return lot.certain or (priced and (bool(_PRICED.search(text)) or bool(catalogue.near(lot.name))))


def read_purchase(state: State, seat: int, lines: Sequence[Line], party: Party) -> Reading[Buy]:
    """The list as far as it can be understood, with everything wrong about what it states."""
    catalogue = catalogue_of(state.rules.pieces)
    begins, entries = partial(_begins, catalogue=catalogue), partial(_entries, catalogue=catalogue)
    said = KEYS.filled(lines, party, begins, begins=_adds, entries=entries)
    lots, strange = _lots_in(said.sheet.of("", "purchases"), catalogue)
    check_header(said)
    said.complaints += (complaint for lot in lots for complaint in lot_complaints(lot, catalogue))
    said.complaints += (*map(KEYS.doubt, strange), *said.sheet.complaints)
    cost, value, mascot = (
        said.once("Total cost", "cost"),
        said.once("Total value"),
        said.once("Mascot", "mascot"),
    )
    _check_totals(said, lots, cost, value)
    name = re.sub(r"(?i)^(?:the|my|an|a|one)\s+", "", mascot.value.strip(" .")) if mascot else ""
    named = catalogue.find(name)
    if mascot is None:
        said.complain("mascot_missing", None, "604.B.iv")
    elif named is None:
        said.complain("piece_unknown", mascot.line, "604.B.iv", **catalogue.unknown(name))
    if not lots:
        said.complain("no_lots")
    known, where = _known(lots)
    buy = Buy(
        lots=known,
        mascot=named.name if named else "",
        comment=said.sheet.comment,
        guesses=tuple(_guesses(lots, catalogue)),
        gaps=bool(strange) or any(lot.piece is None or not lot.count or lot.left for lot in lots),
    )
    said.lines |= where
    return said.reading(buy, Listed(said, tuple(lots), tuple(strange)), addresses=unregistered(said))


def _adds(text: str) -> bool:
    """Whether a part of a line is none of the lots before it: a total, the Mascot."""
    return (bool(_ADDED.match(text)) and KEYS.begin(text)) or bool(_AS_MASCOT.fullmatch(text))


def _entries(entry: Said, catalogue: Catalogue) -> Iterator[Said]:
    """What is said: lots, totals, the Mascot, which may be named in words beside its lot."""
    named = _AS_MASCOT.fullmatch(entry.value) if not entry.order else None
    found = lot_line(Line(entry.line.number, named[1]), catalogue) if named else None
    if named is None or found is None or found.piece is None:
        yield from _parted(entry)
        return
    if found.count is not None:
        yield replace(entry, value=named[1])
    yield replace(entry, order="mascot", value=found.piece.name)


def _parted(entry: Said) -> tuple[Said, ...]:
    """Both totals, where one line has them (`Total | 543 F$ | 74`)."""
    both = _BOTH.fullmatch(entry.value) if entry.order == "total cost" else None
    if both is None:
        return (entry,)
    return replace(entry, value=both[1]), replace(entry, order="total value", value=both[2])


def _lots_in(entries: Iterable[Said], catalogue: Catalogue) -> tuple[list[LotLine], list[Line]]:
    """The lot lines: those without a key, and what stands beside `Purchases:` itself. Apart from them the lines that
    begin with a key that was misspelt."""
    found: list[LotLine] = []
    strange: list[Line] = []
    for entry in entries:
        if empty(entry.value) or is_slot(entry.value):
            continue
        for part in _BETWEEN_LOTS.split(entry.value):
            if part.strip() and not is_heading_row(part):
                lots = lot_lines(Line(entry.line.number, part), catalogue)
                if lots[0].piece is None and KEYS.near(part) is not None:
                    strange.append(entry.line)
                else:
                    found += [replace(lot, line=entry.line) for lot in lots]
    return found, strange


def no_lot(lot: LotLine, catalogue: Catalogue) -> bool:
    """Whether the line is none of a list, but a sentence or a stray word."""
    stray = lot.piece is None and lot.count is None and lot.price is None and not catalogue.near(lot.name)
    return not lot.name or lot.wordy or stray


def lot_complaints(lot: LotLine, catalogue: Catalogue) -> list[Complaint]:
    """Everything wrong with one lot."""

    def complaint(code: str, rule: str = _RULE, /, **facts: object) -> Complaint:
        return Complaint(code, rule, lot.line, facts)

    if no_lot(lot, catalogue):
        return [Complaint("not_understood", "house", lot.line, {"text": lot.line.text.strip()})]
    if lot.piece is None:
        return [complaint("piece_unknown", "604.D", **catalogue.unknown(lot.name))]
    piece, found = lot.piece, []
    name = piece.name
    if lot.count is None:
        found.append(complaint("count_wrong", piece=name, stated=lot.bad_count))
    if not piece.for_sale:
        return found  # price and value are of no account: `purchase` says that it can't be bought
    for missing, wrong, stated, each in (
        ("price_missing", "price_wrong", lot.price, {"price": piece.price}),
        ("value_missing", "value_wrong", lot.value, {"value": piece.value}),
    ):
        if stated is None:
            found.append(complaint(missing, piece=name, **each))
        elif stated not in map(str, each.values()):
            found.append(complaint(wrong, piece=name, stated=stated, **each))
    for wrong, stated, one in (
        ("lot_cost_wrong", lot.together, piece.price),
        ("lot_value_wrong", lot.worth, piece.value),
    ):
        if lot.count and stated is not None and stated != str(lot.count * one):
            found.append(complaint(wrong, piece=name, stated=stated, right=lot.count * one, count=lot.count))
    if lot.left:
        found.append(complaint("not_understood", "house", text=lot.line.text.strip()))
    return found


def _check_totals(said: Filled, lots: Sequence[LotLine], cost: Said | None, value: Said | None) -> None:
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
    costs = sum(_times(lot.count, lot.price) for lot in unsure)
    values = sum(_times(lot.count, lot.value) for lot in unsure)
    right_cost = sum(count * piece.price for count, piece in sure)
    right_value = sum(count * piece.value for count, piece in sure)
    for entry, missing, wrong, right, more in (
        (cost, "total_cost_missing", "total_cost_wrong", right_cost, costs),
        (value, "total_value_missing", "total_value_wrong", right_value, values),
    ):
        stated = amount(entry.value) if entry else None
        if entry is None:
            said.complain(missing, right=right, partly=partly)
        elif stated is None or (stated < right if uncounted else stated not in (right, right + more)):
            said.complain(wrong, entry.line, right=right, partly=partly, stated=entry.value)


def _times(count: int | None, each: str | None) -> int:
    return count * int(each) if count and each and re.fullmatch(r"\d{1,9}", each) else 0


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
