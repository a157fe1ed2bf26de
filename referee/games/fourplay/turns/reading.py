"""What a turn says (606, 610), and its notation (part 4), tolerant in form: the claims of a line in any usual words;
its lines told apart (pieces with their squares, passes, purchases, headers, comments, courtesy), what they say; a turn
in canonical text, with the gaps of its forms."""

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import groupby
from operator import attrgetter
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from referee.core.answers import Reading
from referee.core.orders.keyed import Sheet, SheetEntry, bare, comment_lines, meanings, parted, sheet_of
from referee.core.value import Complaint, FreeText, Line, Value
from referee.games.fourplay.board.catalogue import Catalogue
from referee.games.fourplay.board.primitives import NUMBERS, OFF
from referee.games.fourplay.forms import fields as words_of
from referee.games.fourplay.forms.fields import RESIGNATIONS, SLOT, folded, square_of, tidied, whole
from referee.games.fourplay.state import NEUTRON, Lot

ClaimKind = Literal[
    "mascot_returned",
    "mascot_named",
    "not_mascot",
    "capture",
    "king_captured",
    "mascot_captured",
    "promoted",
    "aggressive",
    "neutron_caught",
    "gem",
    "neutron_returned",
    "destroyed",
    "received",
    "board_even",
]

_ORDER: Final = {kind: place for place, kind in enumerate(get_args(ClaimKind))}


class Claim(Value):
    """One thing a line states. `player` is 0 and `square`, `piece` are empty where it does not say."""

    kind: ClaimKind
    piece: str = ""
    player: int = 0
    square: str = ""
    amount: int = 0


def canonical_order(claims: Sequence[Claim]) -> list[int]:
    """The places of claims in the order of canonical text: by kind, aggression by player and once, the rest as said."""
    keys = [(_ORDER[one.kind], one.player if one.kind == "aggressive" else 0) for one in claims]
    once = (i for i, claim in enumerate(claims) if claim.kind != "aggressive" or claim not in claims[:i])
    return sorted(once, key=keys.__getitem__)


def in_order(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Claims as canonical text has them."""
    return tuple(claims[place] for place in canonical_order(claims))


# --- as players write them -------------------------------------------------------------------------------------------

_NUMBER: Final = r"(?:\d{1,2}|one|two|three|four)"
_PLAYER: Final = rf"(?:the\s+)?(?:player|pl\.?|p)\s*#?\s*(?P<player>{_NUMBER})\b"
_PIECE: Final = r"(?:(?:an?|the|enemy|opponent's)\s+)*(?P<piece>[A-Za-z$~+][\w' $~+-]*?)"
_ON_SQUARE: Final = r"(?P<square>[A-Za-z]{1,2}\d{1,3})\b"
_ON: Final = rf"(?:\s*(?:,\s*)?(?:on|at|in)\s+(?:square\s+)?{_ON_SQUARE})?"
_DOLLARS: Final = r"(?:F\s?\$|\$\s?F|\$|F\b|Fourplay dollars?)"
_END: Final = r"(?=\s*(?:$|[,;.&+])|\s+(?:and|on|at)\b)"
_VERB: Final = r"(?:captur(?:es?|ed|ing)|takes?|took|taking|kills?|shoots?)\s*:?\s+"
_MORE: Final = (
    rf"(?:\s*(?:,\s*and|,|and|&)\s*(?:also\s+)?(?:towards?\s+|to\s+)?(?:players?\s*#?\s*|p)?{_NUMBER}\b"
    r"(?!\s*(?:F\b|F?\s?\$|Neutron|gems?|x\b|of\b)))*"
)
_CENTRE: Final = (
    r"(?:(?:the\s+)?(?:cent(?:er|re)|middle)(?:\s*-?\s*square)?"
    r"|(?:square\s+)?h8|(?:its\s+)?start(?:ing)?\s+square)"
)


_IS: Final = r"(?:is\s+|was\s+)?"
_BY: Final = r"(?:\s+by\s+(?:the\s+)?Neutron)?"
_BACK: Final = r"(?:\s+(?:to|on|onto)\s+the\s+board)?"
_THIS: Final = r"this\s+is\s+|it\s+is\s+|is\s+"
_GEM: Final = r"(?:(?P<amount>\d+|an?|one)\s+)?(?:neutron[\s-]*)?gems?"
_GET: Final = r"(?:receives?d?|gets?|gains?|earns?|for|\+)?\s*"
_GOT: Final = r"(?:\s+(?:is\s+|are\s+)?(?:received|gained|earned|income))?"


# What a claim is written like, the likelier reading before the looser one.
_WRITTEN: Final[tuple[tuple[ClaimKind, str], ...]] = (
    ("destroyed", rf"{_PIECE}\s+of\s+{_PLAYER}{_ON}\s+{_IS}destroyed{_BY}"),
    ("destroyed", rf"{_PLAYER}'s?\s+{_PIECE}{_ON}\s+{_IS}destroyed{_BY}"),
    ("destroyed", rf"destroys?\s+(?:the\s+)?{_PIECE}\s+of\s+{_PLAYER}{_ON}"),
    ("destroyed", rf"{_PIECE}\s+{_IS}destroyed{_BY}"),
    ("mascot_returned", rf"(?:the\s+|my\s+)?mascot\s+{_IS}(?:returned|returns|(?:put\s+)?back){_BACK}"),
    (
        "mascot_captured",
        rf"(?:the\s+)?mascot\s+{_IS}captured(?:\s+and\s+(?:is\s+)?(?:put|placed)\s+back{_BACK})?"
        rf"|captures\s+(?:the\s+|a\s+)?mascot{_END}",
    ),
    ("not_mascot", rf"(?:{_THIS})?not\s+(?:the\s+|my\s+|a\s+)?mascot"),
    ("mascot_named", rf"(?:{_THIS}|as\s+)?(?:the\s+|my\s+)?(?:new\s+)?mascot{_END}"),
    ("king_captured", rf"(?:the\s+)?king\s+{_IS}captured"),
    ("neutron_caught", rf"(?:the\s+)?neutron\s+{_IS}(?:captured|caught)"),
    (
        "neutron_returned",
        rf"(?:the\s+)?neutron\s+{_IS}(?:returned|returns|goes\s+back|back)\s+to\s+{_CENTRE}",
    ),
    ("gem", rf"{_GEM}\s+(?:goes\s+|is\s+)?(?:to|for)\s+{_PLAYER}"),
    ("gem", rf"{_PLAYER}\s+(?:gets|receives)\s+{_GEM}"),
    (
        "gem",
        r"(?:received?s?\s+)?(?:(?P<amount>\d+|an?|one)\s+)?neutron[\s-]*gems?(?:\s+received|\s+gained)?",
    ),
    ("board_even", r"(?:the\s+)?board\s+(?:is\s+)?no\s+longer\s+odd"),
    ("received", rf"{_DOLLARS}\s+received\s*[:=]\s*(?P<amount>\d+)(?:\s*{_DOLLARS})?"),
    ("received", rf"{_GET}(?P<amount>\d+)\s*{_DOLLARS}{_GOT}"),
    ("received", rf"{_GET}{_DOLLARS}\s*(?P<amount>\d+){_GOT}"),
    (
        "aggressive",
        r"(?:is\s+)?ag+res+(?:ive|ion|ively)\s*(?:move\s+)?(?:towards?|to|against|at|on)?\s*:?\s*"
        rf"(?P<players>players?\s*#?\s*{_NUMBER}\b{_MORE}|p{_NUMBER}\b{_MORE})",
    ),
    (
        "promoted",
        r"(?:(?:the\s+)?zombie\s+)?(?:becomes?|became|turns?\s+into|(?:is\s+)?promoted\s+to|now)\s+"
        rf"{_PIECE}{_END}",
    ),
    ("capture", rf"{_VERB}{_PIECE}\s*(?:of|from|belonging\s+to|owned\s+by)\s+{_PLAYER}{_ON}"),
    ("capture", rf"{_VERB}{_PIECE}\s+(?:on|at)\s+{_ON_SQUARE}\s*,?\s*(?:of|from)\s+{_PLAYER}"),
    ("capture", rf"{_VERB}{_PLAYER}(?:'s?)?\s+{_PIECE}{_END}{_ON}"),
    ("capture", rf"{_VERB}{_PIECE}\s*\(\s*{_PLAYER}\s*\){_ON}"),
    ("capture", rf"{_VERB}{_PIECE}{_END}{_ON}"),
)
_PATTERNS: Final = tuple((kind, re.compile(written, re.I)) for kind, written in _WRITTEN)
_NEXT: Final[tuple[tuple[ClaimKind, re.Pattern[str]], ...]] = (  # of a list of captures
    ("capture", re.compile(rf"{_PIECE}\s+of\s+{_PLAYER}{_ON}", re.I)),
    ("capture", re.compile(rf"{_PIECE}{_END}{_ON}", re.I)),
)
_JOINTS: Final = re.compile(r"^(?:[\s,;.&|()]|(?:and|then|which|that|it|thereby)\b|-(?=\s))+", re.I)


def parse_claims(text: str, catalogue: Catalogue) -> tuple[tuple[Claim, ...], tuple[str, ...]]:
    """The claims that a text states, in canonical order, and the words that were not understood."""
    found: list[Claim] = []
    unknown: list[str] = []
    rest = _JOINTS.sub("", text)
    while rest:
        for kind, pattern in (*_PATTERNS, *(_NEXT if found and found[-1].kind == "capture" else ())):
            if (match := pattern.match(rest)) and (claims := _claims(kind, match, catalogue)):
                found += claims
                end = match.end()
                break
        else:
            end = match.start() if (match := re.search(r"[,;]", rest)) else len(rest)
            unknown.append(rest[:end].strip())
        rest = _JOINTS.sub("", rest[end:])
    return in_order(found), tuple(words for words in unknown if words)


# Whether it may be a statement at all.
SAYS: Final = re.compile(
    r"captur|takes|took|kill|shoot|destroy|receive|F\s?\$|ag+res|gem|neutron|mascot|odd|become|promot", re.I
)


def _claims(kind: ClaimKind, match: re.Match[str], catalogue: Catalogue) -> list[Claim]:
    """What one match states; nothing where it names no piece of the catalogue."""
    said = match.groupdict()
    if kind == "aggressive":
        numbers = re.findall(_NUMBER, re.sub(r"(?i)players?|\bp(?=\d)", " ", said["players"]), re.I)
        return [Claim(kind, player=whole(number) or 0) for number in numbers]
    piece = catalogue.find((said.get("piece") or "").strip())
    if said.get("piece") is not None and piece is None:
        return []
    square, many = said.get("square"), said.get("amount") or "one"
    many = "one" if many.lower() in ("a", "an") else many
    amount = whole(many) or 0 if kind in ("gem", "received") else 0
    player = whole(said.get("player") or "") or 0
    return [Claim(kind, piece.name if piece else "", player, square_of(square) if square else "", amount)]


def _words(claim: Claim) -> str:
    """The claim in the words of part 4."""
    piece = f"{claim.piece} of Player {claim.player}" if claim.player else claim.piece
    match claim.kind:
        case "capture":
            return f"captures {piece}" + (f" on {claim.square}" if claim.square else "")
        case "promoted":
            return f"becomes {claim.piece}"
        case "gem":
            gems = f"{claim.amount} Neutron Gem{'s' if claim.amount != 1 else ''}"
            return f"{gems} to Player {claim.player}" if claim.player else f"{gems} received"
        case "destroyed":
            return f"{piece} destroyed by Neutron"
        case "received":
            return f"{claim.amount} F$ received"
        case "neutron_caught":
            return "Neutron captured"
        case "neutron_returned":
            return "Neutron returned to center square"
        case "board_even":
            return "Board no longer odd"
        case "mascot_named" | "not_mascot":
            return "the Mascot" if claim.kind == "mascot_named" else "not the Mascot"
    return claim.kind.replace("_", " ").capitalize()  # a Mascot returned, a King captured


# --- the lines of a turn ---------------------------------------------------------------------------------------------


class Step(Value):
    """A move, a placement or the Neutron's run. `piece` is a catalogue name, or what was written where there is no
    such piece, or "" where the first square tells it (lenient statements); `squares` begin with "off" for what comes
    onto the board, and are too few where one is missing."""

    piece: str
    squares: tuple[str, ...]
    claims: tuple[Claim, ...] = ()
    kind: Literal["step"] = "step"

    @property
    def placing(self) -> bool:
        return self.squares[:1] == ("off",)

    def claiming(self, kind: str) -> bool:
        """Whether it states something of that kind."""
        return any(claim.kind == kind for claim in self.claims)


class Passed(Value):
    """`Pass` instead of moves."""

    kind: Literal["pass"] = "pass"


class Bought(Value):
    """The purchase that ends a turn (608), or a part of it. `sum` is None where none is stated; not `whole` where more
    was stated than could be read; `total` is what all purchases cost, where a line of its own says so."""

    lots: tuple[Lot, ...]
    sum: int | None = None
    whole: bool = True
    total: int | None = None
    kind: Literal["purchase"] = "purchase"


class Unread(Value):
    """A line that was not understood; its complaint has been made where it was read. `piece` is the
    catalogue name that it begins with, where it does."""

    text: str
    piece: str = ""
    kind: Literal["unread"] = "unread"


Entry: TypeAlias = Step | Passed | Bought | Unread


class Turn(Value):
    """A whole submission, in the order of its lines. Round, cycle and player are None where not stated in it."""

    entries: tuple[Entry, ...]
    player: int | None = None
    round: int | None = None
    cycle: int | None = None
    comment: FreeText = ""


def part_of(place: int) -> str:
    """The name of an entry among the parts of a turn; those of its claims follow it (`entries.3.claims.1`)."""
    return f"entries.{place}"


# --- its lines told apart --------------------------------------------------------------------------------------------

_SQUARE: Final = r"[A-Za-z]{1,2}\d{1,3}"
STOP: Final = rf"(?:off(?:-?board)?|{_SQUARE})"
_JOINT: Final = r"(?:\s*(?:-+>?|=+>|>|~>|→|⇒|\bto\b|\bvia\b|\bover\b|\bx\b)\s*|\s+|(?<=\d)x(?=[A-Za-z]\d))"
ROUTE: Final = re.compile(
    rf"\s*({STOP}(?:{_JOINT}{STOP})*)(?![A-Za-z\d])\s*(-\s*(?=$|[,.;])|-?\s*\.\.+)?", re.I
)
_NUMBER_BEHIND: Final = re.compile(r"\d+$")
TAKES: Final = re.compile(r"(?<=\d)\s*x\s*(?=[a-o]\d)", re.I)  # c11xc3
_QUOTES: Final = re.compile(r"\"|(?<!\w)'|'(?!\w)")  # 610's own words stand in quotation marks
_KEYS = meanings(
    "player playernumber number | round roundnumber | cycle cyclenumber | name | email emailaddress"
    " | comment comments remark | purchase purchases buy | move moves turn"
)
_KEYS |= dict.fromkeys(("totalcost", "totalcosts"), "total")
_KEYS |= dict.fromkeys(("neutronmove", "moveneutron", "n"), "neutron")
STATED: Final = re.compile(r"(player|round|cycle)\s*(?:number\s*)?[#:=]?\s*(\d{1,6})", re.I)
_ALL_STATED: Final = re.compile(
    rf"{STATED.pattern}(?:\s*(?:[,;/]|and\b)?\s*{STATED.pattern}){{0,2}}\.?", re.I
)
_PASSES: Final = frozenset(
    ("pass", "i pass", "passes", "no move", "no moves", "none", "move pass", "moves pass")
)
LONGEST: Final = 400  # letters of a line: no line of a turn needs so many, and reading stays linear


class LineSplit(NamedTuple):
    """What stands in a line before the colon (or before the squares) and after it, in plain signs. `key` says what it
    is: "piece", "pass", "purchase", "comment", "header", "total", "claims", "move" (a bare heading) or "unknown";
    a header without a head states several things ("Round 3, Cycle 1")."""

    key: str
    head: str
    rest: str


def _sheet(lines: Sequence[Line], catalogue: Catalogue) -> Sheet[LineSplit]:
    """The lines of a turn told apart, each split once."""
    split = cache(partial(split_line, catalogue=catalogue))

    def order(text: str) -> bool:
        key, head, rest = split(text)
        if bare(text) in RESIGNATIONS or key not in ("move", "unknown"):
            return True
        likely = key == "unknown" and len(head.split()) <= 2  # a piece's name, misspelt or left out
        return likely and len(way(rest)) > (not head)

    def begins(text: str) -> bool:  # an order of its own beside another one
        key, _, rest = split(text)
        return key in ("pass", "purchase") or (key == "piece" and len(way(rest)) > 1)

    def parse(text: str, line: Line) -> Iterator[SheetEntry[LineSplit]]:
        whole = len(text) > LONGEST or split(text).key in ("comment", "header", "total", "unknown")
        for part in (text,) if whole else parted(text, begins):  # statements stay with their move
            said = split(part)
            yield SheetEntry(said.key, said, line)

    return sheet_of(lines, order, parse)


def stops(route: str) -> tuple[str, ...]:
    """The squares of a route in canonical writing; what comes onto the board begins with "off"."""
    words = re.findall(STOP, route, re.I)
    return tuple(OFF if word.lower().startswith("off") else square_of(word) for word in words)


def way(text: str) -> tuple[str, ...]:
    """The squares of the route with which a text begins."""
    route = ROUTE.match(text)
    return stops(route[1]) if route else ()


def split_line(line: str, catalogue: Catalogue) -> LineSplit:
    text = TAKES.sub("-", tidied(line[:LONGEST]))
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
        known = _KEYS.get(_NUMBER_BEHIND.sub("", folded(words_of.label(head))), "") if found else ""
        if known in ("player", "round", "cycle", "name", "email"):
            return LineSplit("header", known, rest.strip())
        if known in ("purchase", "comment", "total"):
            return LineSplit(known, head.strip(), rest.strip())
        if known == "neutron":
            return LineSplit("piece", NEUTRON, rest.strip(" |"))
        if known == "move":
            return split_line(rest, catalogue) if rest.strip(" |") else LineSplit("move", head, "")
        if found and catalogue.find(_piece_words(head)) is not None:
            return LineSplit("piece", _piece_words(head), rest.strip(" |"))
    return _loose(text, catalogue)


def _loose(text: str, catalogue: Catalogue) -> LineSplit:
    """A line without a known key before a colon: a piece followed by squares."""
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
    if misspelt or words_of.parse_lots(Line(0, text), catalogue)[0].certain:
        return LineSplit("unknown", "", text)  # a purchase without its key, or behind a key that was misspelt
    if SAYS.search(text) and parse_claims(text, catalogue)[0]:  # 610.b, 610.d: without a piece of its own
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


# --- what they say ---------------------------------------------------------------------------------------------------

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
_UNFILLED: Final = re.compile(rf"\s*(?:{STOP})?\s*-?\s*(?:\.{{2,}}|_{{2,}})\s*", re.I)  # `h8-...`, `...`


def parse_turn(lines: Sequence[Line], catalogue: Catalogue, lenient: bool = False) -> Reading[Turn]:
    """What the lines say, with a complaint for each that says nothing we know. `lenient`: a line
    may leave out what its first square tells, the piece's name."""
    sheet, reader = _sheet(lines, catalogue), _Reader(catalogue, lenient)
    for line, entries in groupby(sheet.entries, attrgetter("line")):
        for entry in () if reader.listed(line) else entries:
            reader.take(entry)
    turn, where = reader.turn()
    return Reading(turn, tuple(reader.complaints), sheet.courtesy, sheet.orders, where)


Order = SheetEntry[LineSplit]


@dataclass(slots=True)
class _EntryLine:
    """An entry and its line; the claims it has besides, each with the line below that states it,
    None where its own does."""

    entry: Entry
    line: Line
    claims: list[tuple[Claim, Line | None]] = field(default_factory=list)


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

    def turn(self) -> tuple[Turn | None, dict[str, Line]]:
        """What the lines say, with the line of each part of the turn. A total above the purchases is that of all."""
        bought = [said for said in self.entries if isinstance(said.entry, Bought)]
        if self.above is not None and not bought:
            self._unread(self.above[1], "608")
        elif self.above is not None and isinstance(last := bought[-1].entry, Bought) and last.total is None:
            bought[-1].entry = replace(last, total=self.above[0])
        if not self.entries:
            self.complaints.append(Complaint("turn_empty", "610.c"))
            return None, {}
        found = {key: line for key, (_, line) in self.headers.items()}
        for place, said in enumerate(self.entries):
            found[part_of(place)] = said.line
            if isinstance(said.entry, Step):
                order = canonical_order(claims := [claim for claim, _ in said.claims])
                said.entry = replace(said.entry, claims=tuple(claims[i] for i in order))
                below = ((number, said.claims[i][1]) for number, i in enumerate(order))
                found |= {f"{part_of(place)}.claims.{n}": line for n, line in below if line is not None}
        stated = {key: number for key, (number, _) in self.headers.items()}
        entries = tuple(said.entry for said in self.entries)
        return Turn(entries, comment="\n".join(self.comments), **stated), found

    def _add(self, entry: Entry, line: Line) -> None:
        self.entries.append(_EntryLine(entry, line))

    def _unread(self, line: Line, rule: str) -> None:
        """Remembers a line that says nothing we know."""
        text = tidied(line.text[:LONGEST])
        self._add(Unread(text), line)
        self.complain("turn_line_unread", rule, line, text=text)

    def listed(self, line: Line) -> bool:
        """Whether the line is a lot of a purchase that is written as 604 writes one, a list below its heading: with the
        price and the value of one or of all of them, or without. Then it is read."""
        listed = self.listing and len(line.text) <= LONGEST
        if not listed or not words_of.parse_lot(line, self.catalogue).certain:
            return False
        before, lots = len(self.complaints), dict[str, int]()
        self._buy(line, lots, self._lot(line, line.text, lots), before)
        return True

    def _buy(self, line: Line, lots: Mapping[str, int], stated: int | None, before: int) -> None:
        """`before` is how many complaints there were before the line was read."""
        bought = tuple(Lot(name, number) for name, number in lots.items())
        self._add(Bought(bought, stated, len(self.complaints) == before), line)

    def take(self, said: Order) -> None:
        rest = said.value.rest
        self.listing = said.order == "purchase" and not rest.strip(" ._-?")
        match said.order:
            case "header":
                key = said.value.head
                for each, number in STATED.findall(rest) if not key else ():
                    self._states(each.lower(), int(number), said.line)
                if key not in ("", "name", "email") and rest.strip(" ._-?"):
                    stated = whole(re.sub(r"(?i)^(?:player|round|cycle)?\s*#?\s*", "", rest.rstrip(" .")))
                    if stated is None:
                        self.complain("number_unread", "610.a", said.line, key=key.title(), stated=rest)
                    else:
                        self._states(key, stated, said.line)
            case "comment":
                self.comments += [rest] if rest else []
            case "pass":
                self._add(Passed(), said.line)
            case "purchase":
                self._purchase(said)
            case "piece":
                self._step(said)
            case "claims":
                self._claims(said)
            case "total":  # what all purchases of the turn cost, on a line below them, or above
                stated, last = words_of.amount(rest), self.entries[-1] if self.entries else None
                if stated is not None and last is not None and isinstance(last.entry, Bought):
                    last.entry = replace(last.entry, total=stated)
                elif stated is not None and self.above is None:
                    self.above = (stated, said.line)
                elif not words_of.empty(rest):
                    self._unread(said.line, "608")
            case "unknown":
                self._unknown(said)

    def _states(self, key: str, number: int, line: Line) -> None:
        before = self.headers.setdefault(key, (number, line))
        if before[0] != number:
            self.complain("said_twice", "610.a", line, key=key.title(), first=before[0])

    def _step(self, said: Order) -> None:
        """A piece with two squares at least, and the words after them."""
        piece, rest, line = self.catalogue.find(said.value.head), said.value.rest, said.line
        assert piece is not None
        if piece.name == NEUTRON and _UNFILLED.fullmatch(rest):
            return  # a form's line as it was: whether the Neutron must be moved is the judge's to say
        match, squares = ROUTE.match(rest), way(rest)
        if match and len(squares) == 1 and _SHOOTS.match(rest, match.end()):
            squares *= 2  # an Archer stays where it is
        beyond = [square for square in squares if square != OFF and square not in NUMBERS]
        unread = Unread(tidied(line.text[:LONGEST]), piece.name)
        if match is None or len(squares) < 2:
            known = tuple(square for square in squares if square not in beyond)
            rule = "610.b" if piece.name == NEUTRON else "610.c"
            self._add(unread, line)
            self.complain("squares_missing", rule, line, piece=piece.name, squares=known)
            return
        for square in dict.fromkeys(beyond):
            self.complain("no_square", "800", line, square=square)
        if OFF in squares[1:]:
            self.complain("off_last", "607.B.ii", line, piece=piece.name)
        if beyond or OFF in squares[1:]:
            self._add(unread, line)
        else:
            self._entry(said, piece.name, squares, rest[match.end() :])

    def _claims(self, said: Order) -> None:
        """Statements on a line of their own belong to the line above them (610.b, 610.d)."""
        above = self.entries[-1] if self.entries else None
        if above is None or not isinstance(above.entry, Step):
            self._add(Unread(tidied(said.line.text[:LONGEST])), said.line)
            self.complain("statement_alone", "610.d", said.line)
            return
        claims = self._stated(said.value.rest, said.line)
        above.claims += [(_of(above.entry, claim), said.line) for claim in claims]

    def _stated(self, words: str, line: Line) -> tuple[Claim, ...]:
        """The statements of a text, with a complaint for each that says nothing. What is an order of its own
        rather, well said or not (a way from square to square, a key, a lot), stays in a mended turn."""
        claims, unknown = parse_claims(words, self.catalogue)
        for fragment in unknown:
            self.complain("claim_unread", "610.d", line, words=fragment)
            ordered = split_line(fragment, self.catalogue).key in ("piece", "purchase") or ":" in fragment
            lot = words_of.parse_lots(Line(0, fragment), self.catalogue)[0].certain
            if ordered or lot or re.search(rf"{STOP}(?:{_JOINT}{STOP})+", fragment, re.I):
                self._add(Unread(fragment), line)
        for claim in claims:
            if claim.player > 4 or (claim.kind == "aggressive" and not claim.player):
                self.complain("no_player", "600", line, player=claim.player)
        return claims

    def _unknown(self, said: Order) -> None:
        head, rest = said.value.head, said.value.rest
        match, squares = ROUTE.match(rest), way(rest)
        if bare(said.line.text) in RESIGNATIONS:
            self._add(Unread("Resign"), said.line)
            self.complain("resign_alone", "104", said.line)
        elif self.lenient and match and not head and len(squares) > 1 and set(squares) <= set(NUMBERS):
            self._entry(said, "", squares, rest[match.end() :])
        elif not head or match is None:
            self._unread(said.line, "610.c")
        else:
            near = self.catalogue.near(head)
            self.complain("turn_piece_unknown", "610.c", said.line, piece=head, near=near)
            self._entry(said, head, squares, rest[match.end() :], silent=True)

    def _entry(
        self, said: Order, piece: str, squares: tuple[str, ...], words: str, silent: bool = False
    ) -> None:
        place = len(self.entries)  # what is found to be no statement stands behind it
        claims = parse_claims(words, self.catalogue)[0] if silent else self._stated(words, said.line)
        step = Step(piece, squares)
        self.entries.insert(
            place, _EntryLine(step, said.line, [(_of(step, claim), None) for claim in claims])
        )

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
        spaced = Line(line.number, re.sub(r"^(\d+)(?=[^\s\d.])", r"\1 ", words))
        lot = words_of.parse_lot(spaced, self.catalogue)
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


def _of(step: Step, claim: Claim) -> Claim:
    """610.d's words on the line that puts the Mascot back: there they say that it returned."""
    captured = claim.kind == "mascot_captured"
    return replace(claim, kind="mascot_returned") if step.placing and captured else claim


# --- canonical text --------------------------------------------------------------------------------------------------


WIDTH: Final = 78  # columns of a form's line, so that a letter of 80 holds it once quoted


def render_turn(turn: Turn) -> str:
    """The turn in canonical text: what it says of itself, its lines, its comment last."""
    stated = (("Player", turn.player), ("Round", turn.round), ("Cycle", turn.cycle))
    head = [f"{key}: {number}" for key, number in stated if number is not None]
    return "\n".join([*head, *map(render_entry, turn.entries), *comment_lines(turn.comment)])


def render_entry(entry: Entry) -> str:
    """The line of an entry."""
    match entry:
        case Step(piece, squares, claims):
            named, words = (
                f"{piece}: " if piece else "",
                [_words(c) for c in claims if c.kind != "aggressive"],
            )
            if players := [f"Player {c.player}" for c in claims if c.kind == "aggressive"]:
                before = next(place for place, claim in enumerate(claims) if claim.kind == "aggressive")
                words.insert(before, f"aggressive toward {' and '.join(players)}")
            return ", ".join([named + "-".join(squares), *words])
        case Passed():
            return "Pass"
        case Bought(lots, total):
            parts = [f"{lot.count} {lot.piece}" for lot in lots]
            return "Purchase: " + ", ".join([*parts, f"{total} F$"] if total is not None else parts)
        case Unread(text):
            return text


def form_entries(entries: Iterable[Entry]) -> Iterator[str]:
    """The lines of a turn for a form: of a line too long for a letter the statements go on below it
    (610.d), and a long purchase takes several lines, the last with the sum of all."""
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
