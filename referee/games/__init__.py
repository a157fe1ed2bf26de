"""The games, found by folder: a package here with a `GAME` is a game the referee moderates."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.core.game import AnyGame


class TwoGames(Exception):
    """Two games have one slug or one title."""


class Games(Mapping[str, "AnyGame"]):
    """Every game by its slug, which is its folder's name, in alphabetical order; imported when it is asked for."""

    def __init__(self) -> None:
        self._slugs = sorted(info.name for info in pkgutil.iter_modules(__path__) if info.ispkg)
        self._loaded: dict[str, AnyGame] = {}

    def __getitem__(self, slug: str) -> AnyGame:
        if slug not in self._loaded:
            if slug not in self._slugs:
                raise KeyError(slug)
            self._loaded[slug] = importlib.import_module(f"{__name__}.{slug}").GAME
            if len(self._loaded) == len(self._slugs):
                _tell_apart(list(self._loaded.values()))
        return self._loaded[slug]

    def __iter__(self) -> Iterator[str]:
        return iter(self._slugs)

    def __len__(self) -> int:
        return len(self._slugs)

    def __contains__(self, slug: object) -> bool:
        return slug in self._slugs


@cache
def found() -> Games:
    """The games of this program."""
    return Games()


def _tell_apart(games: Sequence[AnyGame]) -> None:
    """No slug and no title may stand for two games: ledgers and subjects could not tell which is meant."""
    owners: dict[str, AnyGame] = {}
    for game in games:
        for name in dict.fromkeys(" ".join(word.split()).casefold() for word in (game.slug, *game.titles)):
            if name in owners:
                other = type(owners[name]).__module__
                raise TwoGames(f"two games are called {name!r}: {other} and {type(game).__module__}")
            owners[name] = game
