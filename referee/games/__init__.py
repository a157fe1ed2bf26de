"""The games: the packages in this folder, and those of other distributions. A package says its `TITLES`, and its
`game.py` holds its `GAME`: of a game that nobody asks for, no more than its titles is read."""

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from types import ModuleType
from typing import TYPE_CHECKING

from referee.base import brought
from referee.base.errors import RefereeError

if TYPE_CHECKING:
    from referee.core.game import AnyGame


class TwoGames(RefereeError):
    """Two games have one slug or one title."""


class Games(Mapping[str, "AnyGame"]):
    """Every game by its slug, in alphabetical order; imported when it is asked for. A slug that
    stands here already is nobody else's."""

    def __init__(self) -> None:
        own = {info.name: f"{__name__}.{info.name}" for info in pkgutil.iter_modules(__path__) if info.ispkg}
        self._packages = dict(sorted({**brought.packages(), **own}.items()))
        self._loaded: dict[str, AnyGame] = {}

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """The slug that each title stands for. Raises TwoGames, BadGame."""
        told = {slug: self._imported(slug).TITLES for slug in self}
        tell_apart(told)
        return {title: slug for slug, titles in told.items() for title in titles}

    def __getitem__(self, slug: str) -> "AnyGame":
        if slug not in self._loaded:
            if slug not in self.titles.values():
                raise KeyError(slug)
            self._loaded[slug] = self._imported(slug, ".game").GAME
        return self._loaded[slug]

    def __iter__(self) -> Iterator[str]:
        return iter(self._packages)

    def __len__(self) -> int:
        return len(self._packages)

    def __contains__(self, slug: object) -> bool:
        return slug in self._packages

    def _imported(self, slug: str, part: str = "") -> ModuleType:
        """Raises BadGame, whatever it is that a game from elsewhere stumbles over."""
        package = self._packages[slug]
        try:
            return importlib.import_module(package + part)
        except Exception as error:
            if package.startswith(__name__):
                raise
            what = f"{type(error).__name__}: {error}"
            raise brought.BadGame(f"the game {slug!r} can't be loaded from {package} ({what})") from error


@cache
def found() -> Games:
    """The games of this program."""
    return Games()


def tell_apart(titles: Mapping[str, tuple[str, ...]]) -> None:
    """No slug and no title may stand for two games: ledgers and subjects could not tell which is
    meant. Raises TwoGames."""
    owners: dict[str, str] = {}
    for slug, own in titles.items():
        for name in {" ".join(word.split()).casefold() for word in (slug, *own)}:
            if name in owners:
                raise TwoGames(f"two games are called {name!r}: {owners[name]} and {slug}")
            owners[name] = slug
