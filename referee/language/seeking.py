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
    return form in words or (form[-1] == "-" and any(word.startswith(form[:-1]) for word in words))


def sought(texts: Iterable[str], games: Mapping[str, AnyGame]) -> Sought:
    """What a mail wishes, by its subject and its own words."""
    texts = list(texts)
    lines = [words_of(text) for text in texts]
    told = {topic for words in lines for topic, form in _forms() if _stands(form, words)}
    verbs = {name for words in lines for word in words for name in known_anywhere().get(word, ())}
    told |= {topic for verb, topic in ((":join", "enter"), (":watch", "watch")) if verb in verbs}
    named = [slug for slug, game in games.items() if _named(game, lines, texts)]
    names = {plain(word) for text in texts for word in re.findall(r"[\w-]+", text)}
    return Sought(frozenset(told), tuple(named), frozenset(names))


def _named(game: AnyGame, lines: Sequence[Sequence[str]], texts: Sequence[str]) -> bool:
    """Whether one of its titles stands there; one that is a word of a language as a title is written behind another
    word, or at the end of a line."""
    for title in (game.slug, *game.titles):
        words = words_of(title)
        if len(words) > 1 or words[0] not in known_anywhere():
            found = any(set(words).issubset(line) for line in lines)
        else:
            found = any(line[-1:] == words for line in lines)
            found = found or any(re.search(rf"(?<=\w ){title}\b", text) for text in texts)
        if found:
            return True
    return False
