"""The lines of a turn told apart: pieces with their squares, passes, purchases, headers, comments,
courtesy; and a turn in canonical text (part 4), with the gaps of its forms."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from functools import cache, partial
from typing import Final, NamedTuple

from referee.core.complaint import Line
from referee.core.orders.sheet import Notation, SheetEntry, bare, comment_lines, meanings, parted
from referee.games.fourplay.actions import Bought, Entry, Passed, Step, Turn, Unread
from referee.games.fourplay.board.catalogue import Catalogue
from referee.games.fourplay.board.squares import OFF
from referee.games.fourplay.forms.notation import (
    RESIGNATIONS,
    SLOT,
    folded,
    label,
    parse_lots,
    square_of,
    tidied,
)
from referee.games.fourplay.state import NEUTRON
from referee.games.fourplay.turns.statements import render_claims, states_something

_SQUARE: Final = r"[A-Za-z]{1,2}\d{1,3}"
STOP: Final = rf"(?:off(?:-?board)?|{_SQUARE})"
_JOINT: Final = r"(?:\s*(?:-+>?|=+>|>|~>|→|⇒|\bto\b|\bvia\b|\bover\b|\bx\b)\s*|\s+|(?<=\d)x(?=[A-Za-z]\d))"
ROUTE: Final = re.compile(
    rf"\s*({STOP}(?:{_JOINT}{STOP})*)(?![A-Za-z\d])\s*(-\s*(?=$|[,.;])|-?\s*\.\.+)?", re.I
)
_NUMBER_BEHIND: Final = re.compile(r"\d+$")
_TAKES: Final = re.compile(r"(?<=\d)\s*x\s*(?=[a-o]\d)", re.I)  # c11xc3
_QUOTES: Final = re.compile(r"\"|(?<!\w)'|'(?!\w)")  # 610's own words stand in quotation marks
_KEYS = meanings(
    "player playernumber number | round roundnumber | cycle cyclenumber | name | email emailaddress"
    " | comment comments remark | purchase purchases buy | move moves turn"
)
_KEYS |= dict.fromkeys(("totalcost", "totalcosts"), "total")
_KEYS |= dict.fromkeys(("neutronmove", "moveneutron", "n"), "neutron")
STATED: Final = re.compile(r"(player|round|cycle)\s*(?:number\s*)?[#:=]?\s*(\d{1,6})", re.I)
_ALL_STATED: Final = re.compile(
    rf"{STATED.pattern}(?:\s*(?:[,;/]|and\b)?\s*{STATED.pattern}){{1,2}}\.?", re.I
)
_PASSES: Final = frozenset(
    ("pass", "i pass", "passes", "no move", "no moves", "none", "move pass", "moves pass")
)
_ORDERS: Final = frozenset(("piece", "pass", "header", "purchase", "comment", "total", "claims"))
LONGEST: Final = 400  # letters of a line: no line of a turn needs so many, and reading stays linear
RESIGNING: Final = "Resign"


class LineSplit(NamedTuple):
    """What stands in a line before the colon (or before the squares) and after it, in plain signs. `key` says what it
    is: "piece", "pass", "purchase", "comment", "header", "total", "claims", "move" (a bare heading) or "unknown";
    a header without a head states several things ("Round 3, Cycle 1")."""

    key: str
    head: str
    rest: str


def notation(catalogue: Catalogue) -> Notation[LineSplit]:
    """How the lines of a turn are read, each split once."""
    split = cache(partial(split_line, catalogue=catalogue))

    def order(text: str) -> bool:
        key, head, rest = split(text)
        if bare(text) in RESIGNATIONS or key in _ORDERS:
            return True
        likely = len(head.split()) <= 2  # a piece's name, misspelt or left out
        route = ROUTE.match(rest) if key == "unknown" and likely else None
        return route is not None and (bool(head) or len(stops(route[1])) > 1)

    def begins(text: str) -> bool:  # an order of its own beside another one
        key, _, rest = split(text)
        route = ROUTE.match(rest) if key == "piece" else None
        return key in ("pass", "purchase") or (route is not None and len(stops(route[1])) > 1)

    def parse(text: str, line: Line) -> Iterator[SheetEntry[LineSplit]]:
        whole = len(text) > LONGEST or split(text).key in ("comment", "header", "total", "unknown")
        for part in (text,) if whole else parted(text, begins):  # statements stay with their move
            said = split(part)
            yield SheetEntry(said.key, said, line)

    return Notation(order, str, parse, "610")


def stops(route: str) -> tuple[str, ...]:
    """The squares of a route in canonical writing; what comes onto the board begins with "off"."""
    words = re.findall(STOP, route, re.I)
    return tuple(OFF if word.lower().startswith("off") else square_of(word) for word in words)


def orders_something(text: str, catalogue: Catalogue) -> bool:
    """Whether words that state nothing are an order of their own, well said or not, rather than a
    faulty statement: a way from square to square, a key, a lot."""
    said = split_line(text, catalogue)
    way = re.search(rf"{STOP}(?:{_JOINT}{STOP})+", text, re.I)
    lot = parse_lots(Line(0, text), catalogue)[0].certain
    return way is not None or ":" in text or said.key in ("piece", "purchase") or lot


def split_line(line: str, catalogue: Catalogue) -> LineSplit:
    text = _TAKES.sub("-", tidied(line[:LONGEST]))
    if len(line) > LONGEST:
        return LineSplit("unknown", "", text)
    if _KEYS.get(folded(text.partition(":")[0])) != "comment":
        text = _QUOTES.sub(" ", text).strip()
    if bare(text) in _PASSES:
        return LineSplit("pass", "", "")
    if _ALL_STATED.fullmatch(text):
        return LineSplit("header", "", text)
    for sign in (":", "|", "="):
        head, found, rest = text.partition(sign)
        known = _KEYS.get(_NUMBER_BEHIND.sub("", folded(label(head)))) if found else None
        if known in ("player", "round", "cycle", "name", "email"):
            return LineSplit("header", known or "", rest.strip())
        if known in ("purchase", "comment", "total"):
            return LineSplit(known or "", head.strip(), rest.strip())
        if known == "neutron":
            return LineSplit("piece", NEUTRON, rest.strip(" |"))
        if known == "move":
            if not rest.strip(" |"):
                return LineSplit("move", head, "")
            return split_line(rest, catalogue)
        if found and catalogue.find(_piece_words(head)) is not None:
            return LineSplit("piece", _piece_words(head), rest.strip(" |"))
    return _loose(text, catalogue)


def squares_alone(text: str) -> tuple[str, ...]:
    """The squares of a line that holds two or more and nothing else (`h8-h15`); else none."""
    route = _TAKES.sub("-", tidied(text))
    if not ROUTE.fullmatch(route):
        return ()
    words = tuple(re.findall(_SQUARE, route))
    return tuple(map(square_of, words)) if len(words) > 1 else ()


def _loose(text: str, catalogue: Catalogue) -> LineSplit:
    """A line without a known key before a colon: a piece followed by squares, a round without colon."""
    if match := re.fullmatch(r"(player|round|cycle)\s*(?:number\s*)?#?\s*(\d{1,6})\.?", text, re.I):
        return LineSplit("header", match[1].lower(), match[2])
    if match := _BUYING.match(text):
        return LineSplit("purchase", match[0], text[match.end() :])
    if (match := _PLACING.match(text)) and (piece := catalogue.find(match[1] or match[2])) is not None:
        return LineSplit("piece", piece.name, f"{OFF}-{match[3]}{text[match.end() :]}")
    if match := re.search(
        rf"(?:^|[\s:]){STOP}(?=\s*(?:-|→|=>|>|(?:to|via|over)\b|x|\s[A-Za-z]\d))", text, re.I
    ):
        head = _piece_words(text[: match.start()].strip(" :"))
        head = NEUTRON if _KEYS.get(folded(head)) == "neutron" else head
        known = catalogue.find(head) is not None
        return LineSplit("piece" if known else "unknown", head, text[match.start() :].strip(" :"))
    if (match := _GOING.match(text)) and catalogue.find(_piece_words(match[1])) is not None:
        return LineSplit("piece", _piece_words(match[1]), text[match.start(2) :])
    head, found, rest = text.partition(":")
    purchases = ("purchase", "purchases")
    misspelt = found and difflib.get_close_matches(folded(head), purchases, cutoff=0.75)
    if misspelt or parse_lots(Line(0, text), catalogue)[0].certain:
        return LineSplit("unknown", "", text)  # a purchase without its key, or behind a key that was misspelt
    if states_something(text, catalogue):
        return LineSplit("claims", "", text)
    return LineSplit("unknown", head.strip() if found else "", rest.strip() if found else text)


_I: Final = r"(?:I(?:'ll|'d|\s+will|\s+would)?\s+(?:also\s+)?(?:(?:like|want|wish)\s+to\s+)?)?(?:also\s+)?"
_BUYING: Final = re.compile(rf"{_I}(?:purchase|buy)s?\s+(?=\d|(?:an?|one|two|three|four|five)\s)", re.I)
_PLACING: Final = re.compile(
    rf"(?:{_I}(?:place|drop|enter)s?\s+(?:an?|one|another)\s+(\S+(?:\s\S+)?)|(\S+(?:\s\S+)?)\s+placed)"
    rf"\s+(?:on|onto|at|to)\s+({_SQUARE})\b",
    re.I,
)
_GOING: Final = re.compile(
    rf"(\D{{1,40}}?)\s+(?:(?:goes|moves?|runs?|slides?)\s+)?(?:to\s+)?({_SQUARE})(?=[.!]*$|[,;])", re.I
)
_SMALL_WORDS: Final = re.compile(
    r"^(?:(?:first|second|third|move|then|next|and|my|the|i|now|finally|also|\d+)\b[\s.):-]*)+", re.IGNORECASE
)
_MOVING: Final = re.compile(r"^(?:moves?|place|put|play)\s+(?:(?:my|the|an?)\s+)?", re.IGNORECASE)
_LEAVING: Final = re.compile(r"\s+(?:from|moves?|goes|runs)\s*(?:from)?$", re.IGNORECASE)


def _piece_words(words: str) -> str:
    """A piece's name without the small words around it: 'my Cannon', 'Move 2 - Cannon', 'the Cannon from'."""
    return _LEAVING.sub("", _MOVING.sub("", _SMALL_WORDS.sub("", words.strip()))).strip(" -")


WIDTH: Final = 78  # columns of a form's line, so that a letter of 80 holds it once quoted


def render_turn(turn: Turn) -> str:
    """The turn in canonical text: what it says of itself first, then its lines, its comment last."""
    stated = (("Player", turn.player), ("Round", turn.round), ("Cycle", turn.cycle))
    head = [f"{key}: {number}" for key, number in stated if number is not None]
    return "\n".join([*head, *render_entries(turn.entries), *comment_lines(turn.comment)])


def render_entries(entries: Iterable[Entry]) -> list[str]:
    """The lines of a turn, one for each entry."""
    return [render_entry(entry) for entry in entries]


def render_entry(entry: Entry) -> str:
    match entry:
        case Step(piece, squares, claims):
            named = f"{piece}: " if piece else ""
            return ", ".join([named + "-".join(squares), *render_claims(claims)])
        case Passed():
            return "Pass"
        case Bought(lots, total):
            parts = [f"{lot.count} {lot.piece}" for lot in lots]
            return "Purchase: " + ", ".join([*parts, f"{total} F$"] if total is not None else parts)
        case Unread(text):
            return text


def form_entries(entries: Iterable[Entry]) -> Iterator[str]:
    """The lines of a turn for a form: of a line too long for a letter the statements go on below it (610.d), and a
    long purchase takes several lines, the last with the sum of all."""
    for entry in entries:
        line, *parts = (text := render_entry(entry)).split(", ")
        if len(text) <= WIDTH or isinstance(entry, Unread):
            line, parts = text, []
        for part in parts:
            if len(line) + 2 + len(part) <= WIDTH:
                line = f"{line}, {part}"
            else:
                yield line
                line = f"Purchase: {part}" if isinstance(entry, Bought) else part
        yield line


def slot(piece: str, start: str) -> str:
    """A line of a form that is still to be filled in, from its start square where that is known."""
    return f"{piece}: {start}-{SLOT}" if start else f"{piece}: {SLOT}"
