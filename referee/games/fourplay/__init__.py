"""Fourplay Chess: four players, four quadrants, bought armies and a Neutron that belongs to nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.games.fourplay.game import Fourplay

TITLES = ("Fourplay", "Fourplay Chess")


def __getattr__(name: str) -> Fourplay:
    """GAME, which is loaded when it is first asked for: a subject is read by the titles of all games."""
    if name != "GAME":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from referee.games.fourplay.game import Fourplay

    game = globals()[name] = Fourplay()
    return game
