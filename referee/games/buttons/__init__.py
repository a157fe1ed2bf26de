"""Buttons and bridges (Adam Obren): four in a line for two players, and a puzzle for one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.games.buttons.game import Buttons

TITLES = ("Buttons", "Buttons and bridges")


def __getattr__(name: str) -> Buttons:
    """GAME, which is loaded when it is first asked for: a subject is read by the titles of all games."""
    if name != "GAME":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from referee.games.buttons.game import Buttons

    game = globals()[name] = Buttons()
    return game
