"""The notation of a turn (part 4): the sender's lines to a `Turn`, tolerant in form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from referee.core.answers import Reading
from referee.core.complaint import Complaint, Line
from referee.core.orders.block import action_block, bare
from referee.core.replacing import replace
from referee.games.fourplay.actions import (
    Bought,
    Claim,
    Entry,
    Passed,
    Step,
    Turn,
    Unread,
    canonical_order,
    in_order,
    part_of,
)
from referee.games.fourplay.army.catalogue import Catalogue
from referee.games.fourplay.army.lots import lot_line
from referee.games.fourplay.board.squares import NUMBERS, OFF
from referee.games.fourplay.notation import RESIGNATIONS, amount, empty, folded, square_of, tidied, whole
from referee.games.fourplay.state import NEUTRON, Lot
from referee.games.fourplay.turns.claims import claims_of
from referee.games.fourplay.turns.lines import (
    LONGEST,
    RESIGNING,
    ROUTE,
    STOP,
    LineSplit,
    Splits,
    vocabulary,
)

_MONEY: Final = r"(?:F\s?\$|\$\s?F|\$|F\b)"
_SUM: Final = re.compile(
    rf"(?:(?:for|total|sum|cost|costs|together|in all|=|:)\s*)*(?:(?P<a>\d+)\s*{_MONEY}|{_MONEY}\s*(?P<b>\d+))"
    r"\s*(?:(?:in\s+)?total|together|in all|altogether)?\.?",
    re.I,
)
_EACH: Final = re.compile(
    rf"(?:@|at|for)?\s*(?:(?P<a>\d+)\s*{_MONEY}|{_MONEY}\s*(?P<b>\d+))\s*(?:each|apiece)", re.I
)


def read_turn_lines(
    lines: Sequence[Line], catalogue: Catalogue, name: str = "", lenient: bool = False
) -> Reading[Turn]:
    """What the lines say, with a complaint for each that says nothing we know. `lenient`: a line may leave out what its
    first square tells, the piece's name."""
    splits = Splits(catalogue)
    block = action_block(lines, vocabulary(catalogue, splits, name))
    reader = _Reader(catalogue, lenient)
    orders = tuple(sorted((*block.orders, *block.doubtful), key=lambda line: line.number))
    for line in orders:
        if reader.lists(line):
            reader.listed(line)
        elif line in block.doubtful:
            reader.outside(line)
        else:
            reader.take(splits.of(line))
    reader.finish()
    if not reader.entries:
        reader.complaints.append(Complaint("turn_empty", "610.c"))
        return Reading(None, tuple(reader.complaints), block.courtesy, orders)
    return Reading(reader.turn(), tuple(reader.complaints), block.courtesy, orders, reader.lines())


@dataclass(frozen=True, slots=True)
class _Said:
    """An entry and its line; for each of its claims the line below that states it, or None where its own does."""

    entry: Entry
    line: Line
    below: tuple[Line | None, ...] = ()


class _Reader:
    """Takes the split lines one by one and remembers what they say."""

    def __init__(self, catalogue: Catalogue, lenient: bool) -> None:
        self.catalogue = catalogue
        self.lenient = lenient
        self.entries: list[_Said] = []
        self.headers: dict[str, tuple[int, Line]] = {}
        self.comments: list[str] = []
        self.complaints: list[Complaint] = []
        self.listing = False  # below a line `Purchase:` with nothing behind it, where lots stand one a line
        self.above: tuple[int, Line] | None = None  # a total cost that stands above what is bought

    def complain(self, code: str, rule: str, line: Line, **facts: object) -> None:
        self.complaints.append(Complaint(code, rule, line, facts))

    def turn(self) -> Turn:
        stated = {key: number for key, (number, _) in self.headers.items()}
        return Turn(tuple(said.entry for said in self.entries), comment="\n".join(self.comments), **stated)

    def lines(self) -> dict[str, Line]:
        """The line of each part of the turn."""
        found = {key: line for key, (_, line) in self.headers.items()}
        for place, said in enumerate(self.entries):
            found[part_of(place)] = said.line
            below = ((f"{part_of(place)}.claims.{i}", line) for i, line in enumerate(said.below))
            found |= {part: line for part, line in below if line is not None}
        return found

    def _unread(self, line: Line, piece: str = "") -> str:
        """Remembers a line that says nothing we know; its text."""
        text = tidied(line.text[:LONGEST])
        self.entries.append(_Said(Unread(text, piece), line))
        return text

    def outside(self, line: Line) -> None:
        """A line outside the block that holds squares: one of squares alone (`h8-h15`) is the line of a piece that it
        does not name, and stays in a mended turn."""
        text = tidied(line.text[:LONGEST])
        self.complain("turn_line_outside", "610", line, text=text)
        if ROUTE.fullmatch(text):
            self._unread(line)

    def lists(self, line: Line) -> bool:
        """Whether the line is a lot of a purchase that is written as 604 writes one: a list below its heading."""
        return self.listing and len(line.text) <= LONGEST and lot_line(line, self.catalogue).certain

    def listed(self, line: Line) -> None:
        """A lot on a line of its own, with the price and the value of one or of all of them, or without."""
        lot = lot_line(line, self.catalogue)
        piece, count = lot.piece, lot.count or 0
        assert piece is not None
        before, lots = len(self.complaints), dict[str, int]()
        self._counted(line, count, piece.name, lots)
        cost = piece.price * count
        if lot.price is not None and whole(lot.price) not in (piece.price, cost):
            facts = {"piece": piece.name, "stated": lot.price, "price": piece.price}
            self.complain("price_false", "608", line, **facts)
        if lot.together is not None and whole(lot.together) != cost:
            self.complain("sum_false", "608", line, stated=lot.together, cost=cost)
        if lot.value is not None and whole(lot.value) not in (piece.value, piece.value * count):
            facts = {"piece": piece.name, "stated": lot.value, "value": piece.value}
            self.complain("value_wrong", "608", line, **facts)
        stated = None if lot.price is None and lot.together is None else cost
        bought = tuple(Lot(name, number) for name, number in lots.items())
        self.entries.append(_Said(Bought(bought, stated, len(self.complaints) == before), line))

    def finish(self) -> None:
        """A total above the purchases is that of all of them."""
        if self.above is None:
            return
        stated, line = self.above
        last = max((i for i, said in enumerate(self.entries) if isinstance(said.entry, Bought)), default=None)
        if last is None:
            self.complain("turn_line_unread", "608", line, text=self._unread(line))
        else:
            self._total_of(last, stated)

    def _total_of(self, place: int, stated: int, again: bool = False) -> None:
        """What all purchases down to this one cost; `again`: whatever has been said before."""
        said = self.entries[place]
        if isinstance(said.entry, Bought) and (again or said.entry.total is None):
            self.entries[place] = replace(said, entry=replace(said.entry, total=stated))

    def take(self, split: LineSplit) -> None:
        self.listing = split.key == "purchase" and not split.rest.strip(" ._-?")
        match split.key:
            case "header":
                self._header(split)
            case "comment":
                self.comments += [split.rest] if split.rest else []
            case "pass":
                self.entries.append(_Said(Passed(), split.line))
            case "purchase":
                self._purchase(split)
            case "piece":
                self._step(split)
            case "claims":
                self._claims(split)
            case "total":
                self._total(split)
            case "move":
                return
            case _:
                self._unknown(split)

    def _header(self, split: LineSplit) -> None:
        if split.head in ("name", "email") or not split.rest.strip(" ._-?"):
            return
        number = whole(re.sub(r"(?i)^(?:player|round|cycle)?\s*#?\s*", "", split.rest.rstrip(" .")))
        if number is None:
            self.complain("number_unread", "610.a", split.line, key=split.head.title(), stated=split.rest)
            return
        before = self.headers.setdefault(split.head, (number, split.line))
        if before[0] != number:
            self.complain("said_twice", "610.a", split.line, key=split.head.title(), first=before[0])

    def _step(self, split: LineSplit) -> None:
        piece = self.catalogue.find(split.head)
        assert piece is not None
        if piece.name == NEUTRON and _unfilled(split.rest):
            return  # a form's line as it was: whether the Neutron must be moved is the judge's to say
        squares, claims = self._squares(split, piece.name)
        if not squares:
            return
        self._entry(split, piece.name, squares, claims)

    def _claims(self, split: LineSplit) -> None:
        """Statements on a line of their own belong to the line above them (610.b, 610.d)."""
        above = self.entries[-1] if self.entries else None
        if above is None or not isinstance(above.entry, Step):
            self._unread(split.line)
            self.complain("statement_alone", "610.d", split.line)
            return
        claims = [*above.entry.claims, *self._stated(split.rest, split.line)]
        own = [*above.below, *(split.line for _ in claims[len(above.below) :])]
        stated = _of_placing(claims) if above.entry.placing else claims
        order = canonical_order(stated)
        entry = replace(above.entry, claims=tuple(stated[place] for place in order))
        self.entries[-1] = replace(above, entry=entry, below=tuple(own[place] for place in order))

    def _stated(self, words: str, line: Line) -> tuple[Claim, ...]:
        """The statements of a text, with a complaint for each that says nothing."""
        claims, unknown = claims_of(words, self.catalogue)
        for fragment in unknown:
            self.complain("claim_unread", "610.d", line, words=fragment)
        for claim in claims:
            if claim.player > 4 or (claim.kind == "aggressive" and not claim.player):
                self.complain("no_player", "600", line, player=claim.player)
        return claims

    def _total(self, split: LineSplit) -> None:
        """What all purchases of the turn cost, on a line below them."""
        stated = amount(split.rest)
        if stated is not None and self.entries and isinstance(self.entries[-1].entry, Bought):
            self._total_of(-1, stated, again=True)
        elif stated is not None and self.above is None:
            self.above = (stated, split.line)
        elif not empty(split.rest):
            self.complain("turn_line_unread", "608", split.line, text=self._unread(split.line))

    def _unknown(self, split: LineSplit) -> None:
        if bare(split.line.text) in RESIGNATIONS:
            self.entries.append(_Said(Unread(RESIGNING), split.line))
            self.complain("resign_alone", "104", split.line)
            return
        match = ROUTE.match(split.rest)
        stops = _stops(match[1]) if match else ()
        if self.lenient and match and not split.head and len(stops) > 1 and set(stops) <= set(NUMBERS):
            self._entry(split, "", stops, split.rest[match.end() :])
            return
        if not split.head or match is None:
            self.complain("turn_line_unread", "610.c", split.line, text=self._unread(split.line))
            return
        near = self.catalogue.near(split.head)
        self.complain("turn_piece_unknown", "610.c", split.line, piece=split.head, near=near)
        self._entry(split, split.head, _stops(match[1]), split.rest[match.end() :], silent=True)

    def _squares(self, split: LineSplit, piece: str) -> tuple[tuple[str, ...], str]:
        """The squares of a line and the words after them; none (and a complaint) where there are no two squares."""
        match = ROUTE.match(split.rest)
        squares = _stops(match[1]) if match else ()
        beyond = [square for square in squares if square != "off" and square not in NUMBERS]
        if len(squares) < 2:
            self._unread(split.line, piece)
            known = tuple(square for square in squares if square not in beyond)
            self.complain("squares_missing", _rule_of(piece), split.line, piece=piece, squares=known)
            return (), ""
        for square in dict.fromkeys(beyond):
            self.complain("no_square", "800", split.line, square=square)
        if "off" in squares[1:]:
            self.complain("off_last", "607.B.ii", split.line, piece=piece)
        if beyond or "off" in squares[1:]:
            self._unread(split.line, piece)
            return (), ""
        assert match is not None
        return squares, split.rest[match.end() :]

    def _entry(
        self, split: LineSplit, piece: str, squares: tuple[str, ...], words: str, silent: bool = False
    ) -> None:
        claims = claims_of(words, self.catalogue)[0] if silent else self._stated(words, split.line)
        claims = in_order(_of_placing(claims)) if squares[0] == OFF else claims
        self.entries.append(_Said(Step(piece, squares, claims), split.line, (None,) * len(claims)))

    def _purchase(self, split: LineSplit) -> None:
        if not split.rest.strip(" ._-?") or folded(split.rest) in ("none", "nothing", "no"):
            return
        lots: dict[str, int] = {}
        total: int | None = None
        before = len(self.complaints)
        for part in re.split(r"[,;|+]|\band\b|(?=\b(?:for|total)\b)", split.rest, flags=re.I):
            words = part.strip(" .")
            if match := _EACH.fullmatch(words):
                self._each(split.line, lots, int(match["a"] or match["b"]))
            elif match := _SUM.fullmatch(words):
                total = int(match["a"] or match["b"])
            elif words:
                self._lot(split.line, words, lots)
        bought = tuple(Lot(name, count) for name, count in lots.items())
        whole_read = len(self.complaints) == before
        self.entries.append(_Said(Bought(bought, total, whole_read), split.line))

    def _lot(self, line: Line, words: str, lots: dict[str, int]) -> None:
        """A number and a piece, in either order, with the price of one after it or not."""
        each = _EACH.search(words)
        text = words[: each.start()].strip() if each else words.partition("@")[0].strip()
        text = re.sub(r"(?<=\d)\s*x\b\s*", " ", text, flags=re.I)
        before = re.fullmatch(
            r"(?P<n>[+-]?\w+?)\s*(?:x\s+)?\s(?P<p>.+)|(?P<m>\d+)x?\s*(?P<q>\D.*)", text, re.I
        )
        after = re.fullmatch(r"(?P<p>.+?)\s*(?:x\s*|\s)(?P<n>\d+)", text, re.I)
        for found in (before, after):
            groups = found.groupdict() if found is not None else {}
            count, name = groups.get("n") or groups.get("m") or "", groups.get("p") or groups.get("q") or ""
            number = 1 if count.lower() in ("a", "an") else whole(count)
            if number is not None:
                self._counted(line, number, name.strip(), lots)
                if each is not None:
                    self._each(line, lots, int(each["a"] or each["b"]))
                return
        self.complain("lot_unread", "608", line, words=words)

    def _counted(self, line: Line, count: int, name: str, lots: dict[str, int]) -> None:
        piece = self.catalogue.find(name)
        if piece is None:
            self.complain("turn_piece_unknown", "608", line, piece=name, near=self.catalogue.near(name))
        elif count < 1:
            self.complain("lot_count", "608", line, piece=piece.name, count=count)
        else:
            lots[piece.name] = lots.get(piece.name, 0) + count

    def _each(self, line: Line, lots: dict[str, int], price: int) -> None:
        """A price stated beside a lot must be the catalogue's."""
        if not lots:
            return
        piece = self.catalogue.by_name[list(lots)[-1]]
        if piece.price != price:
            self.complain("price_false", "608", line, piece=piece.name, stated=price, price=piece.price)


def _of_placing(claims: Iterable[Claim]) -> list[Claim]:
    """610.d's words on the line that puts the Mascot back: there they say that it returned."""
    return [
        replace(claim, kind="mascot_returned") if claim.kind == "mascot_captured" else claim
        for claim in claims
    ]


def _unfilled(rest: str) -> bool:
    """Whether no square was filled in behind the first one (`h8-...`), or none at all (`...`)."""
    return re.fullmatch(rf"\s*(?:{STOP})?\s*-?\s*(?:\.{{2,}}|_{{2,}})\s*", rest, re.I) is not None


def _stops(route: str) -> tuple[str, ...]:
    """The squares of a route in canonical writing; what comes onto the board begins with "off"."""
    words = re.findall(STOP, route, re.I)
    return tuple("off" if word.lower().startswith("off") else square_of(word) for word in words)


def _rule_of(piece: str) -> str:
    return "610.b" if piece == NEUTRON else "610.c"
