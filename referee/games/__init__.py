"""The games, found by folder: a package here with a `GAME` is a game the referee moderates."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence
from functools import cache
from typing import Any

from referee.core.game import Game


class TwoGames(Exception):
    """Two games have one slug or one title."""


@cache
def found() -> dict[str, Game[Any, Any, Any]]:
    """Every game by its slug, in alphabetical order."""
    names = sorted(info.name for info in pkgutil.iter_modules(__path__) if info.ispkg)
    games = [importlib.import_module(f"{__name__}.{name}").GAME for name in names]
    _tell_apart(games)
    return {game.slug: game for game in games}


def _tell_apart(games: Sequence[Game[Any, Any, Any]]) -> None:
    """No slug and no title may stand for two games: ledgers and subjects could not tell which is meant."""
    owners: dict[str, Game[Any, Any, Any]] = {}
    for game in games:
        for name in dict.fromkeys(" ".join(word.split()).casefold() for word in (game.slug, *game.titles)):
            if name in owners:
                other = type(owners[name]).__module__
                raise TwoGames(f"two games are called {name!r}: {other} and {type(game).__module__}")
            owners[name] = game
