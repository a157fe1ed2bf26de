"""From `tongues.toml`: keys and lone words of the games in the players' languages, and what they say round a value."""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Iterable
from importlib.resources import files
from typing import Final

from referee.post.reading.languages.phrases import POLITE

Words = tuple[str, ...]

_EDGES: Final = " \t\"'*_~`´^>()[]{}<|/\\-–.,;:!?¡¿«»#"
# What may stand between two parts of a value.
_JOINTS: Final = frozenset(("-", "--", ">", "->", "-->", "=>", "=", "/", "+", "&", "→"))
_OUTSIDE: Final = _JOINTS | {""}
_DATA = tomllib.loads(files(__package__).joinpath("tongues.toml").read_text(encoding="utf-8"))


def words_of(text: str) -> Words:
    """The words of a text in small letters, without accents and the marks and pictures round them. Linear."""
    found = [_bare(part) or (part if part in _JOINTS else "") for part in text.split()]
    said = [place for place, word in enumerate(found) if word not in _OUTSIDE]
    return tuple(filter(None, found[said[0] : said[-1] + 1])) if said else ()


def _bare(word: str) -> str:
    if not word.isascii():
        decomposed = unicodedata.normalize("NFKD", word)
        word = "".join(sign for sign in decomposed if unicodedata.category(sign) not in _UNSAID)
    return word.casefold().strip(_EDGES)


_UNSAID: Final = frozenset(("Mn", "Me", "So", "Sk", "Cf", "Cn", "Co"))  # accents, emoji and what joins them


def _phrases(said: Iterable[str]) -> frozenset[Words]:
    return frozenset(map(words_of, said))


KEYS: Final = {words_of(word): key for key, said in _DATA["keys"].items() for word in said}
"""The key of our forms that each stands for."""
ALONE: Final = {words_of(word): meant for meant, said in _DATA["alone"].items() for word in said}
"""The lone word of our letters that each stands for."""
BEFORE: Final = _phrases(_DATA["frame"]["before"])
TOWARDS: Final = _phrases(_DATA["frame"]["towards"])
AFTER: Final = _phrases(_DATA["frame"]["after"])
AMONG: Final = frozenset(_DATA["frame"]["among"])
BETWEEN: Final = {key: _phrases(said) for key, said in _DATA["frame"]["between"].items()}
DOUBT_BEFORE: Final = _phrases(_DATA["doubt"]["before"])
DOUBT_AFTER: Final = _phrases(_DATA["doubt"]["after"])
OR: Final = frozenset(_DATA["doubt"]["or"])
BUT: Final = frozenset(_DATA["doubt"]["but"])
AND: Final = frozenset(_DATA["courtesy"]["and"])
BACK: Final = _phrases(_DATA["doubt"]["back"])
MEANT: Final = _phrases(_DATA["doubt"]["meant"])
ANEW: Final = _phrases(_DATA["doubt"]["anew"])
INSTEAD: Final = _phrases(_DATA["doubt"]["instead"])
AGAINST: Final = frozenset(word for said in _DATA["doubt"]["against"] for word in words_of(said))
UNTOLD: Final = AGAINST - OR - BUT | frozenset(
    word for said in _DATA["doubt"]["untold"] for word in words_of(said)
)
HELLO: Final = frozenset(word for said in _DATA["courtesy"]["hello"] for word in words_of(said))
WISHES: Final = _phrases(_DATA["courtesy"]["wishes"])
COURTESY: Final = _phrases((*_DATA["courtesy"]["said"], *_DATA["frame"]["after"], *POLITE))
