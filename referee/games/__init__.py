"""The games, found by folder: a package here with a `GAME` is a game the referee moderates. Where it names its `TITLES`
beside it, the game is not loaded before it is needed."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

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
            self._loaded[slug] = self._package(slug).GAME
            if len(self._loaded) == len(self._slugs):
                self.titles()
        return self._loaded[slug]

    def titles(self) -> dict[str, str]:
        """The slug of every title of every game. Raises TwoGames."""
        named = [(slug, self._titles(slug)) for slug in self._slugs]
        _tell_apart(named)
        return {title: slug for slug, titles in named for title in titles}

    def _titles(self, slug: str) -> tuple[str, ...]:
        named: tuple[str, ...] | None = vars(self._package(slug)).get("TITLES")
        return self._package(slug).GAME.titles if named is None else named

    @staticmethod
    def _package(slug: str) -> Any:
        return importlib.import_module(f"{__name__}.{slug}")

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


def _tell_apart(named: Iterable[tuple[str, Sequence[str]]]) -> None:
    """No slug and no title may stand for two games: ledgers and subjects could not tell which is meant. `named` are
    slugs, each with the game's titles."""
    owners: dict[str, str] = {}
    for slug, titles in named:
        for name in dict.fromkeys(" ".join(word.split()).casefold() for word in (slug, *titles)):
            if name in owners:
                raise TwoGames(f"two games are called {name!r}: {owners[name]} and {slug}")
            owners[name] = slug
