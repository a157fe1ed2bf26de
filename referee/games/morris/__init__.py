"""Nine Men's Morris, the old game of mills for two: the worked example of `docs/a-game.md`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.games.morris.game import Morris

TITLES = ("Nine Men's Morris", "Morris", "Nine Mens Morris")


def __getattr__(name: str) -> Morris:
    """GAME, which is loaded when it is first asked for: a subject is read by the titles of all games."""
    if name != "GAME":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from referee.games.morris.game import Morris

    game = globals()[name] = Morris()
    return game
