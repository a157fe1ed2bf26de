"""A refused purchase or setup as a form: prices, totals and headers put right, every lot and square as it was said.

What only its writer can know - a number, a piece, a square - stays as he wrote it, or is left to fill in where there is
nothing. What nobody could read is left out, and said to be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from referee.core.block import action_block
from referee.core.complaint import Line
from referee.core.game import Mended, Party, Reading
from referee.games.fourplay.actions import Buy, Place
from referee.games.fourplay.army.catalogue import Catalogue, catalogue_of
from referee.games.fourplay.army.lots import LotLine
from referee.games.fourplay.army.purchase import cost, lot_text, purchase_form, value
from referee.games.fourplay.army.reading import KEYS as PURCHASE_KEYS
from referee.games.fourplay.army.reading import MASCOT, lots_in, meant, parted
from referee.games.fourplay.army.reading import vocabulary as purchase_vocabulary
from referee.games.fourplay.cycles.readiness import left_out
from referee.games.fourplay.notation import (
    SLOT,
    Keyed,
    comment_lines,
    comment_of,
    empty,
    folded,
    header_lines,
    keyed,
)
from referee.games.fourplay.setup.reading import KEYS as SETUP_KEYS
from referee.games.fourplay.setup.reading import Placing, mascot_parts, sorted_out
from referee.games.fourplay.setup.reading import vocabulary as setup_vocabulary
from referee.games.fourplay.setup.setup import army_of, owned_lines, setup_form
from referee.games.fourplay.state import DOLLARMAN, KING, Lot, State

# --- the purchase (604) --------------------------------------------------------------------------------------------


def mended_purchase(state: State, party: Party, reading: Reading[Buy]) -> Mended:
    """604.B: the list with true prices, values and totals."""
    catalogue = catalogue_of(state.rules.pieces)
    block = action_block(reading.orders, purchase_vocabulary(catalogue, party.name))
    entries = [part for line in block.orders for part in parted(keyed(line, PURCHASE_KEYS))]
    lots, strange = lots_in(entries, catalogue)
    list_of = _Lots(lots, catalogue)
    chosen = [*list_of.chosen, *left_out((*strange, *block.doubtful))]
    mascots = _mascots(entries, catalogue)
    if not list_of.lines:
        blank = purchase_form(state, party, None).replace(f"{MASCOT.name}: {SLOT}", "\n".join(mascots))
        return Mended("\n".join([blank, *comment_lines(comment_of(entries))]), tuple(chosen))
    totals = [
        f"Total cost: {cost(list_of.known, catalogue)} F$",
        f"Total value: {value(list_of.known, catalogue)}",
    ]
    lines = [*header_lines(party), "", "Purchases:", *list_of.lines, "", *totals, *mascots]
    return Mended("\n".join([*lines, *comment_lines(comment_of(entries))]), tuple(chosen))


class _Lots:
    """The lots of a list: `known` those with a piece and a number, `lines` what the form has, `chosen` what mending
    took on itself."""

    def __init__(self, lots: Sequence[LotLine], catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.chosen: list[str] = []
        rows: dict[str, int] = {}  # the form's lines, each with the number that stands before it (0: none)
        for lot in lots:
            name = self._named(lot)
            if name is None or (name in catalogue.by_name and not catalogue.by_name[name].for_sale):
                continue
            rows[name] = rows.get(name, 0) + (lot.count or 0)
            if not lot.count:
                self.chosen.append(f"The number of {name} is left open; as the form stands, none is bought.")
            if lot.left:
                self.chosen += left_out([lot.line])
        self.known = tuple(Lot(name, n) for name, n in rows.items() if n and name in catalogue.by_name)
        self.lines = [self._line(name, count or SLOT) for name, count in rows.items()]

    def _named(self, lot: LotLine) -> str | None:
        """The piece of a lot, or what was written for it; None for a line that is no lot."""
        if lot.piece is not None:
            return lot.piece.name
        if (
            not lot.name
            or lot.wordy
            or (lot.count is None and lot.price is None and not self.catalogue.near(lot.name))
        ):
            self.chosen += left_out([lot.line])
            return None
        if (guess := meant(lot.name, self.catalogue)) is not None:
            self.chosen.append(f'I took "{lot.name}" for {guess}.')
            return guess
        return lot.name

    def _line(self, name: str, count: int | str) -> str:
        return lot_text(count, name, self.catalogue) if name in self.catalogue.by_name else f"{count} {name}"


def _mascots(entries: Iterable[Keyed], catalogue: Catalogue) -> list[str]:
    """The Mascot's line; several where several were named, for their writer to choose."""
    said = [e.value.strip(" .") for e in entries if e.key == MASCOT.name and not empty(e.value)]
    names = dict.fromkeys(found.name if (found := catalogue.find(name)) else name for name in said)
    return [f"Mascot: {name}" for name in names or (SLOT,)]


# --- the setup (605) -----------------------------------------------------------------------------------------------


def mended_setup(state: State, seat: int, party: Party, reading: Reading[Place]) -> Mended:
    """605.B: what is owned put right; every square that was named, where it was named."""
    catalogue, army, chosen = catalogue_of(state.rules.pieces), army_of(state, seat), list[str]()
    block = action_block(reading.orders, setup_vocabulary(catalogue, party.name))
    entries = [keyed(line, SETUP_KEYS) for line in block.orders]
    found, _, unknown = sorted_out(entries, catalogue)
    placed = [line for line in found if line.piece or keyed(Line(0, f"{line.name}:"), SETUP_KEYS).key is None]
    strange = [line.line for line in found if line not in placed]
    chosen += left_out((*unknown, *strange, *block.doubtful))
    for line in placed:
        if line.count is not None and line.count != len(line.squares) and not line.unclear:
            squares = f"{len(line.squares)} square{'' if len(line.squares) == 1 else 's'}"
            chosen.append(
                f"You wrote {line.count} {line.piece or line.name} with {squares}; the form has the squares."
            )
    if not reading.orders:
        return Mended(setup_form(state, seat, party, None))
    groups = _groups(placed)
    names = [*army, *(name for name in groups if name not in army and name not in (KING, DOLLARMAN))]
    lines = [
        *header_lines(party),
        "",
        *owned_lines(army),
        "",
        "Setup:",
        *([f"{name}: {', '.join(groups.get(name, ())) or SLOT}" for name in names] or ["none"]),
        "",
        *(f"{name}: {', '.join(groups.get(name, ())) or SLOT}" for name in (KING, DOLLARMAN)),
        *_mascot_lines(state, seat, entries, groups),
        *comment_lines(comment_of(entries)),
    ]
    return Mended("\n".join(lines), tuple(chosen))


def _groups(placed: Iterable[Placing]) -> dict[str, list[str]]:
    """The squares of each piece, in the order in which they were named; words that are no squares among them."""
    groups: dict[str, list[str]] = {}
    for line in placed:
        groups.setdefault(line.piece or line.name, []).extend((*line.squares, *line.unclear))
    for name in (KING, DOLLARMAN):  # of which there is one
        groups[name] = list(dict.fromkeys(groups.get(name, ())))
    return groups


def _mascot_lines(
    state: State, seat: int, entries: Iterable[Keyed], groups: dict[str, list[str]]
) -> Iterator[str]:
    """The Mascot's line as it was said; where only one square can be meant, with that."""
    mascot = state.player(seat).mascot
    if not mascot:
        return
    stand = groups.get(mascot, [])
    said = {folded(e.value): e for e in entries if e.key == MASCOT.name and not empty(e.value)}
    for entry in said.values():
        name, squares = mascot_parts(entry)
        found = catalogue_of(state.rules.pieces).find(name)
        where = ", ".join(squares) or (stand[0] if len(stand) == 1 else SLOT)
        yield f"Mascot: {mascot if where in stand else found.name if found else name or mascot} {where}"
    if not said:
        yield f"Mascot: {mascot} {stand[0] if len(stand) == 1 else SLOT}"
