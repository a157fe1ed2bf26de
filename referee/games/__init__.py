"""The games, found by folder: a package here is a game the referee moderates. It says its `TITLES`, and its `game.py`
holds its `GAME`: of a game that nobody asks for, no more than its titles is read."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
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

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """The slug that each title stands for. Raises TwoGames."""
        told = {slug: importlib.import_module(f"{__name__}.{slug}").TITLES for slug in self._slugs}
        tell_apart(told)
        return {title: slug for slug, titles in told.items() for title in titles}

    def __getitem__(self, slug: str) -> AnyGame:
        if slug not in self._loaded:
            if slug not in self.titles.values():
                raise KeyError(slug)
            self._loaded[slug] = importlib.import_module(f"{__name__}.{slug}.game").GAME
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


def tell_apart(titles: Mapping[str, tuple[str, ...]]) -> None:
    """No slug and no title may stand for two games: ledgers and subjects could not tell which is meant.
    Raises TwoGames."""
    owners: dict[str, str] = {}
    for slug, own in titles.items():
        for name in {" ".join(word.split()).casefold() for word in (slug, *own)}:
            if name in owners:
                raise TwoGames(f"two games are called {name!r}: {owners[name]} and {slug}")
            owners[name] = slug
