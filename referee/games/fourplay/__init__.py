"""Fourplay Chess: four players, four quadrants, bought armies and a Neutron that belongs to nobody."""

from referee.games.fourplay.game import Fourplay

GAME = Fourplay()
