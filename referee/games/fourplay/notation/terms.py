"""The words of orders: by them a line is known to look too much like an order to be courtesy."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from referee.core.orders.orderlike import Terms, words
from referee.games.fourplay.board.catalogue import Catalogue, PieceType, name_key

_SQUARE = re.compile(r"[a-o]\d{1,2}(?:x[a-o]\d{1,2})?")
_NOTATION = re.compile(
    r"\bboard\b[^.]{0,20}\bno longer odd\b|(?<![a-z\d])(?:off|[a-z]\d{1,2}) ?(?:-{1,2}>?|=?>) ?[a-z]\d{1,2}(?![a-z\d])"
    r"|(?<![a-z\d])x[a-o]\d{1,2}(?!\w)"
    r"|\bag+res+(?:ive|ion|ively) (?:move )?(?:towards?|to|against)\b|^\W*(?:not )?aggressive\W*$"
    r"|^(?:(?:and|also|not) )*(?:towards?|against) (?:players?|pl\.?|p) ?#?[1-4]\b"
    r"|\bdollars? (?:is |are |was |were )?(?:received|gained|earned)\b"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten) (?:f ?\$|\$ ?f)"
    r"|\bneutron (?:goes |runs |moves )?(?:to (?:the )?)?(?:north|south|east|west|up|down|left|right)"
    r"|\b(?:one|two|\d) (?:steps? |squares? )?(?:up|down|left|right|north|south|east|west)\b"
    r"|^(?:and )?(?:i |we )?(?:purchase|buy|bought)s? (?:nothing|none)\b"
)
_SUM = re.compile(r"f\s?\$|\$\s?f\b|\bfourplay dollars?\b|\b(?:neutron[\s-]?)?gems?\b")
_KEYS = words(
    "move moves purchase purchases buy mascot setup piecesowned totalcost totalvalue totalmaterialvalue "
    "player playernumber round cycle neutronmove placement placements"
)
_ACTIONS = words(
    "move moves moved capture captures captured take takes took taken kill kills killed shoot shoots shot destroy "
    "destroys destroyed place places placed buy buys bought purchase purchases purchased aggressive aggression "
    "aggressively attack attacks attacked promote promotes promoted x"
)
_GESTURES = words("drop drops dropped jump jumps leap leaps slide slides catches caught runs hits hit")


_HEADER = words("player playernumber")  # who sends it: in a turn a statement that must be true


@lru_cache(maxsize=8)
def terms_of(catalogue: Catalogue) -> Terms:
    """The words of orders in a match with these pieces."""
    names = [
        form for piece in catalogue.types for form in (piece.name, piece.plural, f"{piece.name}s") if form
    ]
    return Terms(
        keys=_KEYS,
        whole=words("pass passes passing skip nomove nomoves nopurchase nopurchases"),
        actions=_ACTIONS,
        gestures=_GESTURES,
        pieces=frozenset(map(name_key, names)) | words("mascot mascots"),
        marks=frozenset(name_key(piece.symbol) for piece in catalogue.types),
        square=_SQUARE,
        notation=_NOTATION,
        sum_sign=_SUM,
    )


@lru_cache(maxsize=256)
def called(piece: PieceType) -> tuple[str, ...]:
    """What a mail may call a piece, in small letters: its name, its plural, one word of either."""
    names = [name.lower() for name in (piece.name, piece.plural or f"{piece.name}s")]
    return tuple(dict.fromkeys(word for name in names for word in (name, *name.split())))


@lru_cache(maxsize=8)
def terms_beside_words(catalogue: Catalogue) -> Terms:
    """The same for a mail that orders by a word alone (a declaration, a resignation): there a header says nothing."""
    terms = terms_of(catalogue)
    return replace(terms, keys=terms.keys - _HEADER)
