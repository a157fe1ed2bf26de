"""Multiplayer Go: four games from two switches, `order` and `coop`, for 3 to 8 players."""

from referee.games.multigo.game import Multigo

GAME = Multigo()

__all__ = ["GAME"]
