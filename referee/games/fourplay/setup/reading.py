"""Reading an Initial Setup (605.B): lines that place pieces, lines that say what is owned, the Mascot's square."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from referee.core.answers import Party, Reading
from referee.core.complaint import Complaint, Line
from referee.core.orders.sheet import parted
from referee.games.fourplay.actions import Place, Spot
from referee.games.fourplay.army.lots import LotLine, is_heading_row, lot_line
from referee.games.fourplay.army.reading import MASCOT
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
from referee.games.fourplay.notation.signs import SQUARE_LIKE, empty, is_slot, label, square_of, tidied
from referee.games.fourplay.state import DOLLARMAN, KING, State

LINKS: Final = frozenset(("at", "on", "and", "to", "x"))  # they say nothing between squares


_ARTICLE: Final = re.compile(r"^(?:and )?(?:the|my) ", re.I)


@dataclass(frozen=True, slots=True)
class Placing:
    """A line that puts pieces on squares. `piece` is None where no piece of that `name` is known; `squares` are as
    the rules write them, whether they exist or not; `unclear` are words among them that are no squares."""

    line: Line
    name: str
    piece: str | None
    count: int | None
    squares: tuple[str, ...]
    unclear: tuple[str, ...] = ()


def placing(line: Line, catalogue: Catalogue) -> Placing | None:
    """The line as one that places pieces; None where it names no square at all."""
    text = _ARTICLE.sub("", re.sub(r"\.{2,}|_{2,}", " ", tidied(line.text)))
    name, rest = _name_and_rest(text, catalogue)
    said = [w.strip(".") for w in re.split(r"[\s,;+&/()|:=]+", rest)]
    said = [w for w in said if w and w.lower() not in LINKS]
    squares = [w for w in said if SQUARE_LIKE.fullmatch(w)]
    if not squares or not name:
        return None
    counted = re.fullmatch(r"(\d+)\s*x?\s+(.*)|(.*?)\s+x?\s*(\d+)", name)
    count = next((int(n) for n in (counted[1], counted[4]) if n), None) if counted else None
    bare = next((n for n in (counted[2], counted[3]) if n), "") if counted else name
    piece = catalogue.find(name) or catalogue.find(bare)
    unclear = tuple(w for w in said if not SQUARE_LIKE.fullmatch(w))
    return Placing(line, bare, piece.name if piece else None, count, tuple(map(square_of, squares)), unclear)


def _name_and_rest(text: str, catalogue: Catalogue) -> tuple[str, str]:
    """What stands for the piece, and what for the squares."""
    head, sign, tail = (part.strip() for part in (*re.split(r"([:=|])", text, maxsplit=1), "", "")[:3])
    if sign and head and not SQUARE_LIKE.fullmatch(head):
        return label(head), tail
    words = re.split(r"[\s,]+", text.replace(":", " "))
    for size in range(min(4, len(words) - 1), 0, -1):
        if catalogue.find(re.sub(r"^\d+\s*x?\s+", "", " ".join(words[:size]))):
            return " ".join(words[:size]), " ".join(words[size:])
    plain = [w for w in words if not SQUARE_LIKE.fullmatch(w) and w.lower() not in LINKS]
    return label(" ".join(plain)).strip(" -"), " ".join(w for w in words if SQUARE_LIKE.fullmatch(w))


_RULE: Final = "605.B"
KEYS: Final = Keys(
    _RULE,
    (
        *HEADER,
        "Pieces owned, owned, pieces I own, pieces, owned pieces, army",
        "Setup, initial setup, placement, placements, positions, pieces placed",
        MASCOT,
        COMMENT,
    ),
    LOOSE | {"Mascot": r"(?:[A-Za-z0-9~$ ,]+ ?)?[a-zA-Z]\d{1,2}"},
)


def _begins(text: str, catalogue: Catalogue) -> bool:
    """Whether it is a line of a setup: a key, a piece with its squares, a piece with its count."""
    if is_slot(text):
        return False
    parts = tuple(parted(text, partial(_adds, catalogue=catalogue)))
    if any(KEYS.begin(part) or _puts(part, catalogue) for part in parts):
        return True
    return lot_line(Line(0, text), catalogue).certain


def _puts(text: str, catalogue: Catalogue) -> bool:
    """Whether a text does nothing but put pieces of a kind on squares."""
    placed = placing(Line(0, text), catalogue)
    return placed is not None and not placed.unclear and placed.piece is not None


def _adds(text: str, catalogue: Catalogue) -> bool:
    """Whether a part of a line is of another piece than what stands before it."""
    named = re.match(r"(?:(?:my|the) )?(?:office's )?mascot", text, re.I)
    return named is not None or (not SQUARE_LIKE.match(text) and _puts(text, catalogue))


def read_setup(state: State, seat: int, lines: Sequence[Line], party: Party) -> Reading[Place]:
    """The setup as far as it can be understood, with everything wrong about what it states."""
    catalogue = catalogue_of(state.rules.pieces)
    orders, adds = partial(_begins, catalogue=catalogue), partial(_adds, catalogue=catalogue)
    said = KEYS.filled(lines, party, orders, _strange, adds)
    laid = _sorted_out(said, catalogue)
    check_header(said)
    said.complaints += _owned_complaints(state, seat, laid.owned)
    said.complaints += (wrong for put in laid.placed for wrong in _placing_complaints(put, catalogue))
    said.complaints += (*map(_strange, laid.unknown), *said.sheet.complaints)
    groups: dict[str, list[tuple[Spot, Line]]] = {lot.piece: [] for lot in state.player(seat).army}
    for put in laid.placed:
        for square in put.squares if put.piece else ():
            groups.setdefault(put.piece or "", []).append((Spot(put.piece or "", square), put.line))
    king, dollarman = (_single(said, name, groups.pop(name, [])) for name in (KING, DOLLARMAN))
    name, squares = _mascot(said, catalogue)
    named = catalogue.find(name)
    spots = [spot for group in groups.values() for spot in group]  # by piece, in the army's order
    said.lines |= {f"spots.{number}": line for number, (_, line) in enumerate(spots)}
    action = Place(
        spots=tuple(spot for spot, _ in spots),
        king=king,
        dollarman=dollarman,
        mascot=squares[0] if squares else "",
        mascot_piece=named.name if named else state.player(seat).mascot if squares and not name else "",
        comment=said.sheet.comment,
        gaps=bool(laid.unknown) or any(put.piece is None or put.unclear for put in laid.placed),
    )
    return said.reading(action, laid, addresses=unregistered(said))


def _single(said: Filled, name: str, stands: Sequence[tuple[Spot, Line]]) -> str:
    """The square of a piece that stands on one square."""
    if not stands:
        return ""
    first, line = stands[0]
    said.lines[name.lower()] = line
    for spot, again in stands[1:]:
        if spot != first:
            said.complain("said_twice", again, key=name, first=first.square)
    return first.square


def _mascot(said: Filled, catalogue: Catalogue) -> tuple[str, list[str]]:
    """What is said of the Mascot: its piece, its squares."""
    mascot = said.once("Mascot", "mascot")
    if mascot is None:
        return "", []
    name, squares = mascot_parts(mascot)
    said_so = mascot.value.lower() not in ("none", "nothing")
    if said_so and name and catalogue.find(name) is None:
        said.complain("piece_unknown", mascot.line, "605.B.vi", **catalogue.unknown(name))
    if said_so and len(squares) > 1:
        said.complain("mascot_squares", mascot.line, "605.B.vi", squares=squares)
    return name, squares


def _strange(line: Line) -> Complaint:
    """A line that is no part of a setup: a purchase, or what nobody understands."""
    if re.match(r"\W*(?:purchases?|buy)\b", line.text, re.I):
        return Complaint("no_purchase_now", "605.F", line)
    return KEYS.doubt(line)


@dataclass(frozen=True, slots=True)
class Laid:
    """A setup as it was understood: the lines that place, those that say what is owned, and those that say neither."""

    said: Filled
    placed: tuple[Placing, ...]
    owned: tuple[LotLine, ...]
    unknown: tuple[Line, ...]


def _sorted_out(said: Filled, catalogue: Catalogue) -> Laid:
    placed: list[Placing] = []
    owned: list[LotLine] = []
    unknown: list[Line] = []
    for entry in said.sheet.of("", "pieces owned", "setup"):
        if is_slot(entry.value) or is_heading_row(entry.value):
            continue
        line = Line(entry.line.number, entry.value)
        if entry.value.lower().strip(" .") in ("none", "nothing", "-"):
            continue
        if (spot := placing(line, catalogue)) is not None:
            placed += [spot]
        elif lots := _owned_lots(line, catalogue):
            owned += lots
        elif not _unfilled(entry.value, catalogue):
            unknown.append(entry.line)
    return Laid(said, tuple(placed), tuple(owned), tuple(unknown))


def _owned_lots(line: Line, catalogue: Catalogue) -> list[LotLine]:
    """`10 Pawn`, or several such, parted by commas."""
    whole = lot_line(line, catalogue)
    if whole.piece is not None or "," not in line.text:
        return [whole] if whole.name and (whole.count is not None or whole.bad_count) else []
    parts = [
        lot_line(Line(line.number, part), catalogue)
        for part in re.split(r"[,;]| and ", line.text)
        if part.strip()
    ]
    return parts if all(part.name and part.count for part in parts) else []


def _unfilled(text: str, catalogue: Catalogue) -> bool:
    """Whether it is a line of our form in which no square was filled in (`Cannon: ...`)."""
    head, _, tail = text.partition(":")
    return catalogue.find(head) is not None and empty(tail)


def _owned_complaints(state: State, seat: int, owned: Sequence[LotLine]) -> Iterable[Complaint]:
    """`Pieces owned` must be the army, no more and no less; King and Dollarman may be listed or not."""
    army = {lot.piece: lot.count for lot in state.player(seat).army}
    if not owned:
        if army:
            yield Complaint("owned_missing", _RULE, None, {"army": army})
        return
    catalogue = catalogue_of(state.rules.pieces)
    said: dict[str, int] = {}
    where: dict[str, LotLine] = {}
    for lot in owned:
        if lot.piece is None:
            yield Complaint("piece_unknown", _RULE, lot.line, catalogue.unknown(lot.name))
            continue
        said[lot.piece.name] = said.get(lot.piece.name, 0) + (lot.count or 0)
        where[lot.piece.name] = lot
    for name, count in said.items():
        right = 1 if name in (KING, DOLLARMAN) else army.get(name, 0)
        if count != right:
            facts = {"piece": name, "stated": where[name].bad_count or count, "right": right}
            yield Complaint("owned_wrong", _RULE, where[name].line, facts)
    for name, count in army.items():
        if name not in said:
            yield Complaint("owned_left_out", _RULE, None, {"piece": name, "right": count})


def _placing_complaints(placed: Placing, catalogue: Catalogue) -> Iterable[Complaint]:
    if placed.piece is None:
        yield Complaint("piece_unknown", _RULE, placed.line, catalogue.unknown(placed.name))
    for word in placed.unclear:
        yield Complaint("square_unclear", _RULE, placed.line, {"word": word})
    if placed.count is not None and placed.count != len(placed.squares) and not placed.unclear:
        counts = {"stated": placed.count, "right": len(placed.squares), "piece": placed.piece or placed.name}
        yield Complaint("count_misstated", _RULE, placed.line, counts)


def mascot_parts(mascot: Said) -> tuple[str, list[str]]:
    """The piece's name and the squares of `Mascot: Archer d12`. M1 is a square, and a piece's symbol where a square
    follows it."""
    words = [w for w in re.split(r"[\s,;()]+", mascot.value) if w and w.lower() not in LINKS]
    like_squares = [w for w in words if re.fullmatch(r"[A-Za-z]{1,2}\d{1,3}\.?", w)]
    symbol = len(like_squares) > 1 and words[0].upper() == "M1"
    squares = like_squares[1:] if symbol else like_squares
    name = words[:1] if symbol else [w for w in words if w not in squares]
    return " ".join(name).strip(" ."), [square_of(w.strip(".")) for w in squares]
