"""Buttons and bridges (Adam Obren): four in a line for two players, and a puzzle for one."""

from referee.games.buttons.game import Buttons

GAME = Buttons()
