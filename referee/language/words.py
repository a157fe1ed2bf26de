"""Words: the closed classes of each language (`words/LANG.toml`), and what a game calls its things
(`templates/GAME/words.LANG.toml`). In small letters, compared without accents. A new language is a new file."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, Final

from referee.base import shipped
from referee.core.value import Value

LANGUAGES: Final = ("de", "en", "es", "fr", "it", "nl", "pl", "pt", "sv")
DOUBTS: Final = ("not", "if", "later", "back", "drop", "or")
"""The classes that cast doubt on what stands in their sentence: denied, supposed, put off, taken back, left open. Who
takes back by "drop" means what stands behind it."""
FRAME: Final = frozenset(
    ("first", "small", "for", "and", "but", "courtesy", "yes", "ok", "refer", "thing", "with", "against")
)
"""The classes that say nothing of what is ordered."""

NO: Final = frozenset(("not", "no"))
_UNSAID: Final = frozenset(("Mn", "Me", "So", "Sk", "Cf", "Cn", "Co"))  # accents, emoji and what joins them
_LETTERS: Final = str.maketrans("łøđß", "lods") | {"æ": "ae", "œ": "oe"}
SIGNS: Final = str.maketrans(
    dict.fromkeys("‐‑‒–—―−→⇒➔", "-") | dict.fromkeys("’‘`´ʼ", "'") | {"×": "x", "：": ":", "°": " ", "º": " "}
)


def plain(text: str) -> str:
    """Small letters without accents and pictures, plain signs. Linear."""
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKC", text).translate(SIGNS).casefold().translate(_LETTERS)
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(sign for sign in decomposed if unicodedata.category(sign) not in _UNSAID)


class Lexicon(Value):
    """The words of a language: each with its class, a verb's with a colon before it (":play"). `pairs`: of two words
    that both stand in a clause, in that order, the class that they have together."""

    code: str
    words: Mapping[str, str]  # as they are written, and without accents where that is no other word
    pairs: Mapping[str, tuple[tuple[str, str], ...]]
    numerals: Mapping[str, str]
    letters: Mapping[str, str]
    sorry: frozenset[str]  # those that take back which may be an apology
    keys: Mapping[str, str]
    wishes: Mapping[
        str, tuple[tuple[str, str], ...]
    ]  # the words of wishes, what stands behind each, and their topic

    @cached_property
    def subject(self) -> str:
        """The first person as a subject: the first word of that class."""
        return next(word for word, name in self.words.items() if name == "first")

    @classmethod
    def of(cls, code: str, table: Mapping[str, Any]) -> Lexicon:
        verbs = {f":{name}": said for name, said in table["verbs"].items()}
        apart = ("verbs", "numerals", "letters", "keys", "wishes", "sorry")
        wishes = dict[str, list[tuple[str, str]]]()
        for name, said in table["wishes"].items():
            for first, _, second in (plain(form).partition("_") for form in said):
                wishes.setdefault(first, []).append((second, name))
        classes = {**{name: said for name, said in table.items() if name not in apart}, **verbs}
        classes["back"] = [*classes["back"], *table["sorry"]]
        words, pairs = dict[str, str](), dict[str, list[tuple[str, str]]]()
        for name, said in classes.items():
            for form in said:
                first, both, second = plain(form).partition("_")
                if both:
                    pairs.setdefault(first, []).append((second, name))
                else:
                    words[form] = name
        for form in list(words):
            words.setdefault(plain(form), words[form])
        return cls(
            code,
            words,
            {first: tuple(ends) for first, ends in pairs.items()},
            _meanings({str(number): said for number, said in enumerate(table["numerals"])}),
            _meanings(table["letters"]),
            frozenset(map(plain, table["sorry"])),
            _meanings(table["keys"]),
            {first: tuple(ends) for first, ends in wishes.items()},
        )


def _meanings(table: Mapping[str, Iterable[str]]) -> dict[str, str]:
    told = {form: meant for meant, said in table.items() for form in said}
    return {
        plain(form): meant for form, meant in told.items() if len(plain(form)) > 2 or form.isascii()
    } | told


@cache
def lexicons() -> Mapping[str, Lexicon]:
    """Those of all languages, by their codes."""
    folder = files(__package__).joinpath("words")
    texts = {code: folder.joinpath(f"{code}.toml").read_text(encoding="utf-8") for code in LANGUAGES}
    return {code: Lexicon.of(code, tomllib.loads(text)) for code, text in texts.items()}


@cache
def known_anywhere() -> Mapping[str, frozenset[str]]:
    """Each word with its classes in all languages."""
    found: dict[str, set[str]] = {}
    for lexicon in lexicons().values():
        for word, name in lexicon.words.items():
            found.setdefault(word, set()).add(name)
    return {word: frozenset(names) for word, names in found.items()}


class GameWords(Value):
    """What players of a language call the things of a game: `values` that the slots of its parts hold, `things` that
    name nothing by themselves, `keys` of its forms."""

    values: Mapping[str, str] = field(default_factory=dict)
    things: frozenset[str] = frozenset()
    keys: Mapping[str, str] = field(default_factory=dict)


@cache
def _table(slug: str, code: str) -> Mapping[str, Mapping[str, Sequence[str]]]:
    try:
        return tomllib.loads(shipped.read("templates", f"{slug}/words.{code}.toml"))
    except FileNotFoundError:
        return {}


def called(slug: str, titles: Iterable[str]) -> frozenset[str]:
    """What players of all languages call a game: its short name, and the thing in which a title ends ("mill")."""
    named = {re.findall(r"\w+", plain(title))[-1].removesuffix("s") for title in titles} | {slug}
    things = (_table(slug, code).get("things", {}).items() for code in LANGUAGES)
    told = {plain(form) for every in things for key, said in every if key in named for form in said}
    return frozenset(told | {slug})


@cache
def game_words(slug: str, code: str) -> GameWords:
    """Those of a game in a language; none where it brings no such file."""
    table = _table(slug, code)
    keys = _meanings(table.get("keys", {}))
    things = frozenset(plain(form) for said in table.get("things", {}).values() for form in said)
    return GameWords(_meanings(table.get("values", {})), things | keys.keys(), keys)


class AllWords(Value):
    """What players of all languages call the things of a game: the values of a word, by language; words for things and
    for keys; and which languages know a word at all."""

    values: Mapping[str, Mapping[str, str]]
    things: frozenset[str]
    known: Mapping[str, frozenset[str]]


@cache
def words_of_all(slug: str) -> AllWords:
    """Those of a game, of no game in particular for ""."""
    values: dict[str, dict[str, str]] = {}
    known: dict[str, set[str]] = {}
    things = set[str]()
    for code, lexicon in lexicons().items():
        told = game_words(slug, code) if slug else GameWords()
        for word, value in told.values.items():
            values.setdefault(word, {})[code] = value
            values.setdefault(plain(value), {})["en"] = value
        things |= told.things
        for word in (*lexicon.words, *lexicon.numerals, *told.values, *told.things):
            known.setdefault(word, set()).add(code)
    return AllWords(values, frozenset(things), {word: frozenset(codes) for word, codes in known.items()})


@cache
def numerals() -> frozenset[str]:
    """Those of all languages."""
    return frozenset(word for lexicon in lexicons().values() for word in lexicon.numerals)


_KEY: Final = re.compile(r"\W*([^\W\d_][^:：]{0,30}?)(\s*[:：]|\s+[-–](?=\s))(.*)", re.DOTALL)


def in_our_keys(slug: str, text: str) -> str:
    """A line with our key in the place of one of another language, or before a dash, and our word for a thing of the
    game that stands alone behind it ("Zug - D5" is "Move: D5", "Bordo: ovest" is "Edge: west"); as it is where it has
    none."""
    if (found := _KEY.fullmatch(text)) is None:
        return text
    said, behind = [word for word in re.split(r"[\W_]+", plain(found[1])) if word], found[3]
    for lexicon in lexicons().values():
        of_game = game_words(slug, lexicon.code)
        keys = {**lexicon.keys, **of_game.keys}
        theirs = {**of_game.values, **keys} if found[2].strip() in (":", "：") else keys
        known = {**dict(zip(theirs.values(), theirs.values(), strict=True)), **theirs}
        if said and said[-1] in known and all(lexicon.words.get(word) in FRAME for word in said[:-1]):
            key, value = known[said[-1]], plain(behind).strip(" .!")
            ours = of_game.values.get(value) or lexicon.numerals.get(value)
            of = {*of_game.values.values(), *of_game.keys.values()}
            return f"{key.capitalize()}: {ours}" if ours and key in of else f"{key.capitalize()}:{behind}"
    return text


def denies_all(words: Sequence[str]) -> bool:
    """Whether words do nothing but deny, in whatever language."""
    return bool(words) and all(known_anywhere().get(word, frozenset("?")) <= NO for word in words)
