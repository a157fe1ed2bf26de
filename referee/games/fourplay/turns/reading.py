"""The notation of a turn (part 4): the sender's lines to a `Turn`, tolerant in form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from referee.core.answers import Reading
from referee.core.complaint import Complaint, Line
from referee.core.orders.sheet import SheetEntry, bare
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
from referee.games.fourplay.board.catalogue import Catalogue
from referee.games.fourplay.board.squares import NUMBERS, OFF
from referee.games.fourplay.forms.notation import (
    RESIGNATIONS,
    amount,
    empty,
    folded,
    parse_lot,
    tidied,
    whole,
)
from referee.games.fourplay.state import NEUTRON, Lot
from referee.games.fourplay.turns.lines import (
    LONGEST,
    RESIGNING,
    ROUTE,
    STATED,
    STOP,
    LineSplit,
    notation,
    orders_something,
    stops,
)
from referee.games.fourplay.turns.statements import parse_claims

_MONEY: Final = r"(?:F\s?\$|\$\s?F|\$|F\b)"
_SUM: Final = re.compile(
    rf"(?:(?:for|total|sum|cost|costs|together|in all|=|:)\s*)*(?:(?P<a>\d+)\s*{_MONEY}|{_MONEY}\s*(?P<b>\d+))"
    r"\s*(?:(?:in\s+)?total|together|in all|altogether)?\.?",
    re.I,
)
_SHOOTS: Final = re.compile(r"\s*(?:shoots?|fires)\b", re.I)
_EACH: Final = re.compile(
    rf"(?:@|at|for)?\s*(?:(?P<a>\d+)\s*{_MONEY}|{_MONEY}\s*(?P<b>\d+))\s*(?:each|apiece)", re.I
)


def parse_turn(lines: Sequence[Line], catalogue: Catalogue, lenient: bool = False) -> Reading[Turn]:
    """What the lines say, with a complaint for each that says nothing we know. `lenient`: a line
    may leave out what its first square tells, the piece's name."""
    sheet = notation(catalogue).sheet(lines)
    entries = {
        number: tuple(said) for number, said in groupby(sheet.entries, lambda entry: entry.line.number)
    }
    reader = _Reader(catalogue, lenient)
    for line in sheet.orders:
        if reader.listed(line):
            continue
        for entry in entries.get(line.number, ()):
            reader.take(entry)
    reader.finish()
    turn, where = reader.turn() if reader.entries else (None, {})
    return Reading(turn, tuple(reader.complaints), sheet.courtesy, sheet.orders, where)


Order = SheetEntry[LineSplit]


@dataclass(frozen=True, slots=True)
class _EntryLine:
    """An entry and its line; for each of its claims the line below that states it, or None where its own does."""

    entry: Entry
    line: Line
    below: tuple[Line | None, ...] = ()


class _Reader:
    """Takes the split lines one by one and remembers what they say."""

    def __init__(self, catalogue: Catalogue, lenient: bool) -> None:
        self.catalogue = catalogue
        self.lenient = lenient
        self.entries: list[_EntryLine] = []
        self.headers: dict[str, tuple[int, Line]] = {}
        self.comments: list[str] = []
        self.complaints: list[Complaint] = []
        self.listing = False  # below a line `Purchase:` with nothing behind it, where lots stand one a line
        self.above: tuple[int, Line] | None = None  # a total cost that stands above what is bought

    def complain(self, code: str, rule: str, line: Line, **facts: object) -> None:
        self.complaints.append(Complaint(code, rule, line, facts))

    def turn(self) -> tuple[Turn, dict[str, Line]]:
        """What the lines say, with the line of each part of the turn."""
        stated = {key: number for key, (number, _) in self.headers.items()}
        found = {key: line for key, (_, line) in self.headers.items()}
        for place, said in enumerate(self.entries):
            found[part_of(place)] = said.line
            below = ((f"{part_of(place)}.claims.{i}", line) for i, line in enumerate(said.below))
            found |= {part: line for part, line in below if line is not None}
        entries = tuple(said.entry for said in self.entries)
        return Turn(entries, comment="\n".join(self.comments), **stated), found

    def _unread(self, line: Line, piece: str = "") -> str:
        """Remembers a line that says nothing we know; its text."""
        text = tidied(line.text[:LONGEST])
        self.entries.append(_EntryLine(Unread(text, piece), line))
        return text

    def listed(self, line: Line) -> bool:
        """Whether the line is a lot of a purchase that is written as 604 writes one, a list below its heading: with the
        price and the value of one or of all of them, or without. Then it is read."""
        if not self.listing or len(line.text) > LONGEST or not parse_lot(line, self.catalogue).certain:
            return False
        before, lots = len(self.complaints), dict[str, int]()
        self._buy(line, lots, self._lot(line, line.text, lots), before)
        return True

    def _buy(self, line: Line, lots: Mapping[str, int], stated: int | None, before: int) -> None:
        """`before` is how many complaints there were before the line was read."""
        bought = tuple(Lot(name, number) for name, number in lots.items())
        self.entries.append(_EntryLine(Bought(bought, stated, len(self.complaints) == before), line))

    def finish(self) -> None:
        """A total above the purchases is that of all of them."""
        bought = [place for place, said in enumerate(self.entries) if isinstance(said.entry, Bought)]
        if self.above is not None and not bought:
            line = self.above[1]
            self.complain("turn_line_unread", "608", line, text=self._unread(line))
        elif self.above is not None:
            self._total_of(bought[-1], self.above[0])
        if not self.entries:
            self.complaints.append(Complaint("turn_empty", "610.c"))

    def _total_of(self, place: int, stated: int, again: bool = False) -> None:
        """What all purchases down to this one cost; `again`: whatever has been said before."""
        said = self.entries[place]
        if isinstance(said.entry, Bought) and (again or said.entry.total is None):
            self.entries[place] = replace(said, entry=replace(said.entry, total=stated))

    def take(self, said: Order) -> None:
        self.listing = said.order == "purchase" and not said.value.rest.strip(" ._-?")
        match said.order:
            case "header":
                self._header(said)
            case "comment":
                self.comments += [said.value.rest] if said.value.rest else []
            case "pass":
                self.entries.append(_EntryLine(Passed(), said.line))
            case "purchase":
                self._purchase(said)
            case "piece":
                self._step(said)
            case "claims":
                self._claims(said)
            case "total":
                self._total(said)
            case "move":
                return
            case _:
                self._unknown(said)

    def _header(self, said: Order) -> None:
        if not said.value.head:
            for key, number in STATED.findall(said.value.rest):
                self._states(key.lower(), int(number), said.line)
            return
        if said.value.head in ("name", "email") or not said.value.rest.strip(" ._-?"):
            return
        number = whole(re.sub(r"(?i)^(?:player|round|cycle)?\s*#?\s*", "", said.value.rest.rstrip(" .")))
        if number is None:
            stated = {"key": said.value.head.title(), "stated": said.value.rest}
            self.complain("number_unread", "610.a", said.line, **stated)
        else:
            self._states(said.value.head, number, said.line)

    def _states(self, key: str, number: int, line: Line) -> None:
        before = self.headers.setdefault(key, (number, line))
        if before[0] != number:
            self.complain("said_twice", "610.a", line, key=key.title(), first=before[0])

    def _step(self, said: Order) -> None:
        """A piece with two squares at least, and the words after them."""
        piece, rest, line = self.catalogue.find(said.value.head), said.value.rest, said.line
        assert piece is not None
        if piece.name == NEUTRON and _unfilled(rest):
            return  # a form's line as it was: whether the Neutron must be moved is the judge's to say
        match = ROUTE.match(rest)
        squares = stops(match[1]) if match else ()
        if match and len(squares) == 1 and _SHOOTS.match(rest, match.end()):
            squares *= 2  # an Archer stays where it is
        beyond = [square for square in squares if square != OFF and square not in NUMBERS]
        if match is None or len(squares) < 2:
            known = tuple(square for square in squares if square not in beyond)
            rule = "610.b" if piece.name == NEUTRON else "610.c"
            self._unread(line, piece.name)
            self.complain("squares_missing", rule, line, piece=piece.name, squares=known)
            return
        for square in dict.fromkeys(beyond):
            self.complain("no_square", "800", line, square=square)
        if OFF in squares[1:]:
            self.complain("off_last", "607.B.ii", line, piece=piece.name)
        if beyond or OFF in squares[1:]:
            self._unread(line, piece.name)
        else:
            self._entry(said, piece.name, squares, rest[match.end() :])

    def _claims(self, said: Order) -> None:
        """Statements on a line of their own belong to the line above them (610.b, 610.d)."""
        above = self.entries[-1] if self.entries else None
        if above is None or not isinstance(above.entry, Step):
            self._unread(said.line)
            self.complain("statement_alone", "610.d", said.line)
            return
        claims = [*above.entry.claims, *self._stated(said.value.rest, said.line)]
        own = [*above.below, *(said.line for _ in claims[len(above.below) :])]
        stated = _of_placing(claims) if above.entry.placing else claims
        order = canonical_order(stated)
        entry = replace(above.entry, claims=tuple(stated[place] for place in order))
        said_above = replace(above, entry=entry, below=tuple(own[place] for place in order))
        self.entries[self.entries.index(above)] = said_above

    def _stated(self, words: str, line: Line) -> tuple[Claim, ...]:
        """The statements of a text, with a complaint for each that says nothing."""
        claims, unknown = parse_claims(words, self.catalogue)
        for fragment in unknown:
            self.complain("claim_unread", "610.d", line, words=fragment)
            if orders_something(fragment, self.catalogue):
                self.entries.append(
                    _EntryLine(Unread(fragment), line)
                )  # no statement: it stays in a mended turn
        for claim in claims:
            if claim.player > 4 or (claim.kind == "aggressive" and not claim.player):
                self.complain("no_player", "600", line, player=claim.player)
        return claims

    def _total(self, said: Order) -> None:
        """What all purchases of the turn cost, on a line below them."""
        stated = amount(said.value.rest)
        if stated is not None and self.entries and isinstance(self.entries[-1].entry, Bought):
            self._total_of(-1, stated, again=True)
        elif stated is not None and self.above is None:
            self.above = (stated, said.line)
        elif not empty(said.value.rest):
            self.complain("turn_line_unread", "608", said.line, text=self._unread(said.line))

    def _unknown(self, said: Order) -> None:
        if bare(said.line.text) in RESIGNATIONS:
            self.entries.append(_EntryLine(Unread(RESIGNING), said.line))
            self.complain("resign_alone", "104", said.line)
            return
        match = ROUTE.match(said.value.rest)
        way = stops(match[1]) if match else ()
        if self.lenient and match and not said.value.head and len(way) > 1 and set(way) <= set(NUMBERS):
            self._entry(said, "", way, said.value.rest[match.end() :])
            return
        if not said.value.head or match is None:
            self.complain("turn_line_unread", "610.c", said.line, text=self._unread(said.line))
            return
        near = self.catalogue.near(said.value.head)
        self.complain("turn_piece_unknown", "610.c", said.line, piece=said.value.head, near=near)
        self._entry(said, said.value.head, stops(match[1]), said.value.rest[match.end() :], silent=True)

    def _entry(
        self, said: Order, piece: str, squares: tuple[str, ...], words: str, silent: bool = False
    ) -> None:
        place = len(self.entries)  # what is found to be no statement stands behind it
        claims = parse_claims(words, self.catalogue)[0] if silent else self._stated(words, said.line)
        claims = in_order(_of_placing(claims)) if squares[0] == OFF else claims
        self.entries.insert(place, _EntryLine(Step(piece, squares, claims), said.line, (None,) * len(claims)))

    def _purchase(self, said: Order) -> None:
        if not said.value.rest.strip(" ._-?") or folded(said.value.rest) in ("none", "nothing", "no"):
            return
        lots: dict[str, int] = {}
        total: int | None = None
        before = len(self.complaints)
        for part in re.split(r"[,;|+&]|\band\b|(?=\b(?:for|total|in all)\b)", said.value.rest, flags=re.I):
            words = part.strip(" .!")
            if match := _EACH.fullmatch(words):
                price = int(match["a"] or match["b"])  # of the lot before it, as the catalogue has it
                right = self.catalogue.by_name[[*lots][-1]].price if lots else price
                if price != right:
                    facts = {"piece": [*lots][-1], "stated": price, "price": right}
                    self.complain("price_false", "608", said.line, **facts)
            elif match := _SUM.fullmatch(words):
                total = int(match["a"] or match["b"])
            elif words:
                self._lot(said.line, words, lots)
        self._buy(said.line, lots, total, before)

    def _lot(self, line: Line, words: str, lots: dict[str, int]) -> int | None:
        """A lot in any usual writing: what it states of price, sum and value must be so. Its cost,
        where one is stated."""
        lot = parse_lot(Line(line.number, re.sub(r"^(\d+)(?=[^\s\d.])", r"\1 ", words)), self.catalogue)
        count, piece = whole(lot.bad_count) if lot.bad_count else lot.count, lot.piece
        if count is None or not lot.name or lot.left:
            self.complain("lot_unread", "608", line, words=words)
        elif piece is None:
            near = self.catalogue.near(lot.name)
            self.complain("turn_piece_unknown", "608", line, piece=lot.name, near=near)
        elif count < 1:
            self.complain("lot_count", "608", line, piece=piece.name, count=count)
        else:
            lots[piece.name] = lots.get(piece.name, 0) + count
            cost, name = piece.price * count, piece.name
            prices = (piece.price,) if _EACH.search(words) else (piece.price, cost)
            if lot.price is not None and whole(lot.price) not in prices:
                self.complain("price_false", "608", line, piece=name, stated=lot.price, price=piece.price)
            if lot.together is not None and whole(lot.together) != cost:
                self.complain("sum_false", "608", line, stated=lot.together, cost=cost)
            if lot.value is not None and whole(lot.value) not in (piece.value, piece.value * count):
                self.complain("value_wrong", "608", line, piece=name, stated=lot.value, value=piece.value)
            return None if lot.price is None and lot.together is None else cost
        return None


def _of_placing(claims: Iterable[Claim]) -> list[Claim]:
    """610.d's words on the line that puts the Mascot back: there they say that it returned."""
    return [
        replace(claim, kind="mascot_returned") if claim.kind == "mascot_captured" else claim
        for claim in claims
    ]


def _unfilled(rest: str) -> bool:
    """Whether no square was filled in behind the first one (`h8-...`), or none at all (`...`)."""
    return re.fullmatch(rf"\s*(?:{STOP})?\s*-?\s*(?:\.{{2,}}|_{{2,}})\s*", rest, re.I) is not None
