"""The claims of a line as players write them: captures, aggression, F$, Gems, destruction, in any usual words."""

from __future__ import annotations

import re
from typing import Final

from referee.games.fourplay.actions import Claim, ClaimKind, in_order
from referee.games.fourplay.board.catalogue import Catalogue
from referee.games.fourplay.forms.notation import square_of, whole

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


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.I)


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
_PATTERNS: Final = tuple((kind, _pattern(written)) for kind, written in _WRITTEN)
_NEXT: Final[tuple[tuple[ClaimKind, re.Pattern[str]], ...]] = (  # of a list of captures
    ("capture", _pattern(rf"{_PIECE}\s+of\s+{_PLAYER}{_ON}")),
    ("capture", _pattern(rf"{_PIECE}{_END}{_ON}")),
)
_JOINTS: Final = re.compile(r"^(?:[\s,;.&|()]|(?:and|then|which|that|it|thereby)\b|-(?=\s))+", re.I)


def claims_of(text: str, catalogue: Catalogue) -> tuple[tuple[Claim, ...], tuple[str, ...]]:
    """The claims that a text states, in canonical order, and the words that were not understood."""
    found: list[Claim] = []
    unknown: list[str] = []
    rest = _JOINTS.sub("", text)
    while rest:
        claims, end = _first(rest, catalogue, bool(found) and found[-1].kind == "capture")
        if claims:
            found += claims
        else:
            end = match.start() if (match := re.search(r"[,;]", rest)) else len(rest)
            unknown.append(rest[:end].strip())
        rest = _JOINTS.sub("", rest[end:])
    return in_order(found), tuple(words for words in unknown if words)


def states_something(text: str, catalogue: Catalogue) -> bool:
    """Whether a line without a piece of its own begins with a statement (610.b, 610.d)."""
    return bool(_SAYS.search(text)) and bool(claims_of(text, catalogue)[0])


_SAYS: Final = _pattern(
    r"captur|takes|took|kill|shoot|destroy|receive|F\s?\$|ag+res|gem|neutron|mascot|odd|become|promot"
)


def _first(text: str, catalogue: Catalogue, after_capture: bool) -> tuple[list[Claim], int]:
    """The claims that the beginning of the text states, and where they end."""
    for kind, pattern in (*_PATTERNS, *(_NEXT if after_capture else ())):
        if (match := pattern.match(text)) and (claims := _claims(kind, match, catalogue)):
            return claims, match.end()
    return [], 0


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
    return [
        Claim(
            kind,
            piece.name if piece else "",
            _count(number) if number is not None else 0,
            square_of(square) if square is not None else "",
            _count(said.get("amount") or "one") if kind in ("gem", "received") else 0,
        )
    ]


def _count(word: str) -> int:
    return 1 if word.lower() in ("a", "an") else whole(word) or 0


# --- writing -----------------------------------------------------------------------------------------------------


def written(claims: tuple[Claim, ...]) -> list[str]:
    """The claims in the words of part 4, in canonical order."""
    words = [_words(claim) for claim in claims if claim.kind != "aggressive"]
    players = [f"Player {claim.player}" for claim in claims if claim.kind == "aggressive"]
    if players:
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
        case _:
            return _FIXED[claim.kind]


_FIXED: Final = {
    "mascot_returned": "Mascot returned",
    "mascot_named": "the Mascot",
    "not_mascot": "not the Mascot",
    "king_captured": "King captured",
    "mascot_captured": "Mascot captured",
    "neutron_caught": "Neutron captured",
    "neutron_returned": "Neutron returned to center square",
    "board_even": "Board no longer odd",
}
