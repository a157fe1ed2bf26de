"""The claims of a line as players write them: captures, aggression, F$, Gems, destruction, in any usual words; what a
line brings about, what it states, and where the two differ (610.c, 610.d, part 4).

An `Effect` is what really happens; its `statement` is what a line says of it in full. What is stated must be true.
What must be stated (610.b, 610.c) is missed unless statements are lenient; what should be (610.d) where they are
full. The owner of what is captured or destroyed need never be named: its square tells it."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias, get_args

from referee.core.complaint import Complaint, fault
from referee.core.value import Value
from referee.games.fourplay.board.catalogue import Catalogue
from referee.games.fourplay.forms.fields import square_of, whole
from referee.games.fourplay.state import KING

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
_SQUARE: Final = r"(?P<square>[A-Za-z]{1,2}\d{1,3})\b"
_ON: Final = rf"(?:\s*(?:,\s*)?(?:on|at|in)\s+(?:square\s+)?{_SQUARE})?"
_MONEY: Final = r"(?:F\s?\$|\$\s?F|\$|F\b|Fourplay dollars?)"
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
    ("received", rf"{_MONEY}\s+received\s*[:=]\s*(?P<amount>\d+)(?:\s*{_MONEY})?"),
    ("received", rf"{_GET}(?P<amount>\d+)\s*{_MONEY}{_GOT}"),
    ("received", rf"{_GET}{_MONEY}\s*(?P<amount>\d+){_GOT}"),
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
    ("capture", rf"{_VERB}{_PIECE}\s+(?:on|at)\s+{_SQUARE}\s*,?\s*(?:of|from)\s+{_PLAYER}"),
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
        return [Claim(kind, player=_count(number)) for number in numbers]
    piece = catalogue.find((said.get("piece") or "").strip())
    if said.get("piece") is not None and piece is None:
        return []
    number, square = said.get("player"), said.get("square")
    player = _count(number) if number is not None else 0
    amount = _count(said.get("amount") or "one") if kind in ("gem", "received") else 0
    return [Claim(kind, piece.name if piece else "", player, square_of(square) if square else "", amount)]


def _count(word: str) -> int:
    return 1 if word.lower() in ("a", "an") else whole(word) or 0


def render_claims(claims: tuple[Claim, ...]) -> list[str]:
    """The claims in the words of part 4, in canonical order."""
    words = [_words(claim) for claim in claims if claim.kind != "aggressive"]
    if players := [f"Player {claim.player}" for claim in claims if claim.kind == "aggressive"]:
        before = next(place for place, claim in enumerate(claims) if claim.kind == "aggressive")
        words.insert(before, f"aggressive toward {' and '.join(players)}")
    return words


def _words(claim: Claim) -> str:
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


PlacedClaim: TypeAlias = tuple[int, Claim]  # a claim with its place among those of its line
Statements: TypeAlias = Literal["strict", "full", "lenient"]


class Taken(Value):
    """A piece that a line captures or destroys."""

    id: int
    piece: str
    owner: int
    square: str
    mascot: bool = False

    @property
    def facts(self) -> dict[str, object]:
        return {"piece": self.piece, "player": self.owner, "square": self.square}


class Effect(Value):
    """What a line brings about. `where` asks for the captured pieces' squares in the statement (a
    shot); `gem` is the player who gets one, and then the Neutron returned to the centre."""

    captures: tuple[Taken, ...] = ()
    where: bool = False
    becomes: str = ""  # what a piece that turns into its victim is after it, be it what it was (961)
    promoted: str = ""  # the same where it is another kind than before
    in_full: bool = False  # a promotion is stated too (610.d)
    aggressive: tuple[int, ...] = ()
    received: int = 0
    gem: int | None = None
    destroyed: Taken | None = None
    mascot_returned: bool = False
    not_mascot: bool = False  # it would have been, had the line not said that it is not
    mascot_named: bool = False  # the piece put on the board is the Mascot from now on (605.E)

    def happened(self, kind: ClaimKind) -> bool:
        """Whether a statement that is either true or not is true."""
        if kind in ("neutron_returned", "neutron_caught"):
            return self.gem is not None
        if kind in ("mascot_captured", "king_captured"):
            king = kind == "king_captured"
            return any(taken.piece == KING if king else taken.mascot for taken in self.captures)
        if kind == "promoted":
            return bool(self.becomes)
        return self.mascot_returned if kind == "mascot_returned" else self.mascot_named


def statement(effect: Effect) -> tuple[Claim, ...]:
    """The claims that say all of an effect, in canonical order. A promotion is stated only where it must be."""
    taken, gone = effect.captures, effect.destroyed
    claims = [Claim("capture", one.piece, one.owner, one.square if effect.where else "") for one in taken]
    claims += [Claim("aggressive", player=player) for player in effect.aggressive]
    claims += [Claim("gem", player=effect.gem, amount=1)] if effect.gem is not None else []
    claims += [Claim("destroyed", gone.piece, gone.owner)] if gone is not None else []
    claims += [Claim("promoted", effect.promoted)] if effect.promoted and effect.in_full else []
    claims += [Claim("received", amount=effect.received)] if effect.received else []
    claims += [Claim("not_mascot")] if effect.not_mascot else []
    plain: tuple[ClaimKind, ...] = ("mascot_returned", "mascot_named", "mascot_captured")
    claims += [Claim(kind) for kind in plain if effect.happened(kind)]
    claims += [Claim("neutron_returned")] if effect.gem is not None else []
    return in_order(claims)


# Statements that are either true or not: the clause, and under which option each must be made.
_SIMPLE: Final[Mapping[ClaimKind, tuple[str, tuple[Statements, ...]]]] = {
    "mascot_returned": ("610.d", ("strict", "full")),
    "mascot_named": ("605.E", ()),
    "mascot_captured": ("610.d", ("full",)),
    "promoted": ("961", ("full",)),
    "neutron_returned": ("610.b", ("strict", "full")),
    "neutron_caught": ("610.b", ()),
    "king_captured": ("610.d", ()),
}


def faults(
    stated: Sequence[Claim], effect: Effect, mover: int, statements: Statements
) -> Iterator[Complaint]:
    """Every false statement, a complaint of that claim, and every one that is missing though it
    must be there. What is misstated is not also missing."""
    strict = statements != "lenient"
    left, wrong = _matched(stated, effect.captures)
    for place, claim in wrong:
        said = {"piece": claim.piece, "player": claim.player, "square": claim.square}
        if left:
            yield _false("capture_false", "610.c", place, **said, really=left.pop(0).facts)
        else:
            yield _false("capture_none", "610.c", place, **said)
    for one in _beside_the_king(stated, left) if strict else ():
        yield fault("capture_missing", "610.c", **one.facts)
    toward = {claim.player: place for place, claim in _said(stated, "aggressive")}
    for player in sorted(set(toward) - set(effect.aggressive)):
        yield _false("aggressive_false", "610.c", toward[player], player=player)
    for player in effect.aggressive if strict else ():
        if player not in toward:
            captured = any(taken.owner == player for taken in effect.captures)
            yield fault("aggressive_missing", "610.c", player=player, captured=captured)
    for kind, (rule, needed) in _SIMPLE.items():
        claims, happened = _said(stated, kind), effect.happened(kind)
        if claims and not happened:
            yield _false(f"{kind}_false", rule, claims[0][0], piece=claims[0][1].piece)
        elif any(claim.piece not in ("", effect.becomes) for _, claim in claims):
            piece = claims[0][1].piece
            yield _false("promoted_false", "961", claims[0][0], piece=piece, really=effect.becomes)
        elif not claims and statements in needed and (effect.promoted if kind == "promoted" else happened):
            yield fault(f"{kind}_missing", rule, piece=effect.promoted)
    gems = _said(stated, "gem")
    # one, to the player whose quadrant it is; "received" claims it for the mover (610.b)
    for place, claim in gems:
        player = claim.player or mover
        if effect.gem is None:
            yield _false("gem_none", "905", place, player=player)
        elif player != effect.gem:
            yield _false("gem_false", "905", place, player=player, really=effect.gem)
        elif claim.amount != 1:
            yield _false("gem_count", "905", place, count=claim.amount)
    if effect.gem is not None and not gems and strict:
        yield fault("gem_missing", "610.b", player=effect.gem)
    destroyed, taken = _said(stated, "destroyed"), effect.destroyed
    for place, claim in destroyed:  # one piece at most, so its owner need not be named
        facts = {"piece": claim.piece, "player": claim.player}
        if taken is None:
            yield _false("destroyed_none", "905", place, **facts)
        elif claim.piece != taken.piece or claim.player not in (0, taken.owner):
            yield _false("destroyed_false", "905", place, **facts, really=taken.facts)
    if taken is not None and not destroyed and strict:
        yield fault("destroyed_missing", "610.b", **taken.facts)
    sums = _said(stated, "received")
    amount = sum(claim.amount for _, claim in sums)
    if sums and amount != effect.received:
        yield _false("received_false", "610.d", sums[0][0], stated=amount, amount=effect.received)
    elif not sums and effect.received and statements == "full":
        yield fault("received_missing", "610.d", amount=effect.received)
    yield from (_false("board_is_odd", "610.b", place) for place, _ in _said(stated, "board_even"))


def _said(stated: Sequence[Claim], kind: ClaimKind) -> list[PlacedClaim]:
    return [(place, claim) for place, claim in enumerate(stated) if claim.kind == kind]


def _false(code: str, rule: str, place: int, **facts: object) -> Complaint:
    return fault(code, rule, f"claims.{place}", **facts)


def fits(stated: Sequence[Claim], captures: Sequence[Taken]) -> bool:
    """Whether the captures stated are those that a move would make, as far as they say (ruling 3)."""
    left, wrong = _matched(stated, captures)
    return not wrong and not _beside_the_king(stated, left)


def _matched(stated: Sequence[Claim], captures: Iterable[Taken]) -> tuple[list[Taken], list[PlacedClaim]]:
    """The captures that no claim states and the claims that state none; the more exact claims choose first."""
    left, wrong = list(captures), []
    claims = _said(stated, "capture")
    for place, claim in sorted(claims, key=lambda said: (not said[1].square, not said[1].player)):
        for taken in left:
            where = claim.player in (0, taken.owner) and claim.square in ("", taken.square)
            if claim.piece == taken.piece and where:
                left.remove(taken)
                break
        else:
            wrong.append((place, claim))
    return left, wrong


def _beside_the_king(stated: Sequence[Claim], left: list[Taken]) -> list[Taken]:
    """What is still unstated where `King captured` states the capture of the only King among it."""
    others = [taken for taken in left if taken.piece != KING]
    return others if len(left) - len(others) == 1 and _said(stated, "king_captured") else left
