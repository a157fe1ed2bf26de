"""The games, found by folder: a package here with a `GAME` is a game the referee moderates."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import Any

from referee.core.game import Game


@cache
def found() -> dict[str, Game[Any, Any, Any]]:
    """Every game by its slug, in alphabetical order."""
    names = sorted(info.name for info in pkgutil.iter_modules(__path__) if info.ispkg)
    games = [importlib.import_module(f"{__name__}.{name}").GAME for name in names]
    return {game.slug: game for game in games}
