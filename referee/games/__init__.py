"""The games, found by folder: a package here with a `GAME` is a game the referee moderates."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence
from functools import cache

from referee.core.game import AnyGame


class TwoGames(Exception):
    """Two games have one slug or one title."""


@cache
def found() -> dict[str, AnyGame]:
    """Every game by its slug, in alphabetical order."""
    names = sorted(info.name for info in pkgutil.iter_modules(__path__) if info.ispkg)
    games = [importlib.import_module(f"{__name__}.{name}").GAME for name in names]
    _tell_apart(games)
    return {game.slug: game for game in games}


def _tell_apart(games: Sequence[AnyGame]) -> None:
    """No slug and no title may stand for two games: ledgers and subjects could not tell which is meant."""
    owners: dict[str, AnyGame] = {}
    for game in games:
        for name in dict.fromkeys(" ".join(word.split()).casefold() for word in (game.slug, *game.titles)):
            if name in owners:
                other = type(owners[name]).__module__
                raise TwoGames(f"two games are called {name!r}: {other} and {type(game).__module__}")
            owners[name] = game
