"""A plain Yes or No to a question of ours, in the languages of `phrases.toml`; whatever is less plain is neither."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Literal

from referee.core.value import Line
from referee.language.hearing import courteous
from referee.mail.mail import Agreement, Consent
from referee.mail.read.decoding import tidy
from referee.mail.read.phrases import AGREES, AGREES_BESIDE, DISOWNS, NO, OWNS, POLITE, YES

_Said = Literal["yes", "no", "owns", "disowns", "polite", "agrees"]
_Known = Mapping[tuple[str, ...], _Said]

_LONGEST = 600  # characters: whoever writes more says more than Yes or No
_CLAUSES = re.compile(
    r"[.,;:!\n\u3001\u3002\u060c\u061b\u0964\u00b7\u2026]+|(?:(?<=\s)|^)-+(?=\s|$)", re.MULTILINE
)
_DOUBT = re.compile(r"[?\u037e\u061f]")  # also the Greek and the Arabic question mark
_EDGES = " \t\"'*_~>()[]{}<|/\\-\u00ab\u00bb"


def consent(own: Sequence[Line], name: str = "", address: str = "") -> Consent:
    """What the sender's own words say: Yes, with nothing beside it but that he did it, courtesy and his own name; or
    No in the same way. Only a word for Yes itself makes it one; of a No it is enough that he did not do it."""
    said = _said(_above(own), _KNOWN, _named(name, address))
    if "yes" in said and not said & {"no", "disowns"}:
        return "yes"
    if said & {"no", "disowns"} and not said & {"yes", "owns"}:
        return "no"
    return "neither"


_REACHED = re.compile(r"\S@\S|\bwww\.|https?://|\+?\d[\d ()/-]{6,}\d")


def _above(own: Sequence[Line], named: frozenset[str] = frozenset()) -> str:
    """The words above a signature, which says nothing, even with nothing above: its mark, or, where he may be `named`,
    the sender's name with an address or number to reach him below it. None of a long mail."""
    texts = [line.text for line in takewhile(lambda line: line.text.strip() != "--", own)]
    for place, text in enumerate(texts):
        if place and (words := _words(text)) and named.issuperset(words):
            texts = texts[:place] if _REACHED.search("\n".join(texts[place:])) else texts
            break
    text = "\n".join(texts)
    return tidy(text) if len(text) <= _LONGEST else ""


def _named(name: str, address: str) -> frozenset[str]:
    """What the sender is called."""
    return frozenset(_words(f"{name} {re.sub(r'[._+-]', ' ', address.partition('@')[0])}"))


def _words(clause: str) -> tuple[str, ...]:
    """The words of a clause, without case, accents and the marks around them."""
    apart = (unicodedata.normalize("NFKD", part.casefold()) for part in clause.split())
    plain = ("".join(c for c in part if unicodedata.category(c) != "Mn").strip(_EDGES) for part in apart)
    return tuple(filter(None, plain))


def _table(groups: Iterable[tuple[_Said, tuple[str, ...]]]) -> dict[tuple[str, ...], _Said]:
    return {_words(phrase): said for said, phrases in groups for phrase in phrases}


_KNOWN = _table((("polite", POLITE), ("owns", OWNS), ("disowns", DISOWNS), ("no", NO), ("yes", YES)))
_AGREEING = _table((("polite", AGREES_BESIDE), ("agrees", AGREES))) | _KNOWN
_MOST_WORDS = max(map(len, _AGREEING))


def _said(text: str, known: _Known, named: frozenset[str], *, loosely: bool = False) -> set[_Said]:
    """What the clauses say, as known phrases one behind the other, the longest first; the sender's name may stand
    behind one that says Yes or No, or, `loosely`, any of them, and other courtesy too. Nothing where anything is
    doubted, or a word is left."""
    said: set[_Said] = set()
    if _DOUBT.search(text):
        return said
    for clause in filter(None, map(_words, _CLAUSES.split(text))):
        left, found = clause, set[_Said]()
        while left:
            lengths = range(min(_MOST_WORDS, len(left)), 0, -1)
            length = next((length for length in lengths if left[:length] in known), 0)
            if not (length or (loosely and courteous(left[:1], frozenset()))):
                break
            found.add(known[left[:length]] if length else "polite")
            left = left[length or 1 :]
        signed = said if loosely else said & {"yes", "no", "disowns"}
        beside = (signed and named.issuperset(clause)) or (loosely and courteous(clause, named))
        if left and not beside:
            return set()
        said |= set() if left else found
    return said


# --- agreement to a form that was shown ---------------------------------------------------------------------------


_REACTED = re.compile(
    r"[^\W\d_][\w .'-]{0,60}\breacted (?:via gmail|to your message)\b:?|^<https?://\S{1,300}>$",
    re.IGNORECASE | re.MULTILINE,
)
_SIGN = re.compile("[\N{THUMBS UP SIGN}\N{OK HAND SIGN}\N{WHITE HEAVY CHECK MARK}\N{HEAVY CHECK MARK}]")
_LIKED = re.compile(
    r"(?:liked|gefällt mir|a aimé|le ha gustado|ha messo mi piace a) [“\"«„].{1,400}"
    rf"|{_SIGN.pattern}\s*[“\"«„]hello .{{1,400}}",
    re.IGNORECASE | re.DOTALL,
)
_ORNAMENT = re.compile("[\u2190-\u27bf\ufe0f\u200d\U0001f000-\U0001faff]|[:;]-?[)D]")


def agreement(own: Sequence[Line], name: str = "", address: str = "") -> Agreement:
    """Whether the words say OK to what a letter shows, and no more than that: with courtesy, name and signature, in
    words or by a sign; a `reaction` is such a sign alone. It confirms no challenge."""
    named = _named(name, address)
    bare = _REACTED.sub("", _above(own, named)).strip()
    if _DOUBT.search(bare):
        return ""
    if _LIKED.fullmatch(bare) or (_SIGN.search(bare) and not any(map(str.isalnum, bare))):
        return "reaction" if not re.sub(r"\W", "", _ORNAMENT.sub("", bare)) or _LIKED.fullmatch(bare) else ""
    said = _said(_ORNAMENT.sub(" ", bare), _AGREEING, named, loosely=True)
    return "words" if said & {"yes", "agrees"} and not said & {"no", "disowns"} else ""
