"""What somebody who plays nowhere here wishes for, by the words of their mail (`doors.toml`)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files

from referee.core.game import AnyGame
from referee.core.value import Value
from referee.language.sentences import words_of
from referee.language.words import known_anywhere, plain


class Sought(Value):
    """The topics, the games, and every word by which something may be named."""

    topics: frozenset[str] = frozenset()
    games: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()

    @property
    def begins(self) -> bool:
        """Whether somebody would play."""
        told = self.topics | ({"play"} if self.games else set())
        return not told.isdisjoint({"play", "event", "enter"}) and told.isdisjoint({"watch", "quit"})


@cache
def _forms() -> Sequence[tuple[str, str]]:
    text = files(__package__).joinpath("doors.toml").read_text(encoding="utf-8")
    return [(topic, form) for topic, forms in tomllib.loads(text).items() for form in forms]


def _stands(form: str, words: Sequence[str]) -> bool:
    first, both, second = form.partition("_")
    if both:
        return first in words and second in words[words.index(first) :]
    begins = any(word.startswith(form[:-1]) or (form[0] == "-" and form[1:-1] in word) for word in words)
    return form in words or (form[-1] == "-" and begins)


def sought(texts: Iterable[str], games: Mapping[str, AnyGame]) -> Sought:
    """What a mail wishes, by its subject and its own words."""
    texts = list(texts)
    lines = [words_of(part) for text in texts for part in re.split(r"[.,;:!?]", text)]
    said = [({t for t, form in _forms() if _stands(form, words)}, classes_of(words)) for words in lines]
    told = frozenset[str]().union(*(topics for topics, _ in said))
    told |= {t for verb, t in ((":join", "enter"), (":watch", "watch")) if any(verb in c for _, c in said)}
    if any(topics & {"letters"} and classes & {"not", "no"} for topics, classes in said):
        told |= {"quit"}
    titles = {slug: (slug, *game.titles) for slug, game in games.items()}
    named = [slug for slug, known in titles.items() if any(_named(title, lines, texts) for title in known)]
    return Sought(told, tuple(named), frozenset(map(plain, re.findall(r"[\w-]+", " ".join(texts)))))


def classes_of(words: Iterable[str]) -> frozenset[str]:
    """All that they do in a sentence of any language."""
    return frozenset[str]().union(*(known_anywhere().get(word, ()) for word in words))


def _named(title: str, lines: Sequence[Sequence[str]], texts: Sequence[str]) -> bool:
    """Whether it stands there; one that is a word of a language as a title is written behind another word, at the end
    of a clause, or right behind what somebody new wishes for."""
    words = words_of(title)
    if len(words) > 1 or words[0] not in known_anywhere():
        return any(set(words).issubset(line) for line in lines)
    behind = any(re.search(rf"(?<=\w ){title}\b", text) for text in texts)
    near = [line[max(0, i - 2) : i] for line in lines for i, word in enumerate(line) if word == words[0]]
    played = any(_stands(form, part) for _, form in _forms() for part in near)
    return behind or played or any(line[-1:] == words for line in lines)
