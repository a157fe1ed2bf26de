"""One Piece For Two: two players, and the tournament of four with claims that a solver judges."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.games.onepiece.game import OnePiece

TITLES = ("One Piece For Two", "1P42")


def __getattr__(name: str) -> OnePiece:
    """GAME, which is loaded when it is first asked for: a subject is read by the titles of all games."""
    if name != "GAME":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from referee.games.onepiece.game import OnePiece

    game = globals()[name] = OnePiece()
    return game
