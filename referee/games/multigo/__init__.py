"""Multiplayer Go: four games from two switches, `order` and `coop`, for 3 to 8 players."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.games.multigo.game import Multigo

TITLES = ("Go", "Multiplayer Go", "Multigo")


def __getattr__(name: str) -> Multigo:
    """GAME, which is loaded when it is first asked for: a subject is read by the titles of all games."""
    if name != "GAME":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from referee.games.multigo.game import Multigo

    game = globals()[name] = Multigo()
    return game
