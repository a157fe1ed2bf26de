"""A plain Yes or No to a question of ours, in the languages of `phrases.toml`; whatever is less plain is neither."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Literal

from referee.core.complaint import Line
from referee.offices.ports.mail import Consent
from referee.post.reading.charset import tidy
from referee.post.reading.phrases import DISOWNS, NO, OWNS, POLITE, YES

_Said = Literal["yes", "no", "owns", "disowns", "polite"]

_LONGEST = 600  # characters: whoever writes more says more than Yes or No
_CLAUSES = re.compile(
    r"[.,;:!\n\u3001\u3002\u060c\u061b\u0964\u00b7\u2026]+|(?:(?<=\s)|^)-+(?=\s|$)", re.MULTILINE
)
_DOUBT = re.compile(r"[?\u037e\u061f]")  # also the Greek and the Arabic question mark
_EDGES = " \t\"'*_~>()[]{}<|/\\-\u00ab\u00bb"


def consent(own: Sequence[Line], name: str = "", address: str = "") -> Consent:
    """What the sender's own words say: Yes, with nothing beside it but that he did it, courtesy and his own name; or
    No in the same way. Only a word for Yes itself makes it one; of a No it is enough that he did not do it."""
    above = takewhile(
        lambda line: line.text.strip() != "--", own
    )  # a signature says nothing, even with nothing above
    text = "\n".join(line.text for line in above)
    if len(text) > _LONGEST or _DOUBT.search(text := tidy(text)):
        return "neither"
    named = frozenset(_words(f"{name} {re.sub(r'[._+-]', ' ', address.partition('@')[0])}"))
    said: set[_Said] = set()
    for clause in filter(None, map(_words, _CLAUSES.split(text))):
        found = _parsed(clause)
        if found is None and not (said & {"yes", "no", "disowns"} and named.issuperset(clause)):
            return "neither"
        said |= found or set()
    if "yes" in said and not said & {"no", "disowns"}:
        return "yes"
    if said & {"no", "disowns"} and not said & {"yes", "owns"}:
        return "no"
    return "neither"


def _words(clause: str) -> tuple[str, ...]:
    """The words of a clause, without case, accents and the marks around them."""
    return tuple(word for part in clause.split() if (word := _plain(part).strip(_EDGES)))


def _plain(word: str) -> str:
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(c for c in decomposed if unicodedata.category(c) != "Mn")


def _table(groups: Iterable[tuple[_Said, tuple[str, ...]]]) -> dict[tuple[str, ...], _Said]:
    return {_words(phrase): said for said, phrases in groups for phrase in phrases}


_KNOWN = _table((("polite", POLITE), ("owns", OWNS), ("disowns", DISOWNS), ("no", NO), ("yes", YES)))
_MOST_WORDS = max(map(len, _KNOWN))


def _parsed(clause: tuple[str, ...]) -> set[_Said] | None:
    """What a clause says, as known phrases one behind the other, the longest first; None where a word is left."""
    said: set[_Said] = set()
    at = 0
    while at < len(clause):
        for length in range(min(_MOST_WORDS, len(clause) - at), 0, -1):
            if (found := _KNOWN.get(clause[at : at + length])) is not None:
                said.add(found)
                at += length
                break
        else:
            return None
    return said
