"""Multiplayer Go: four games from two switches, `order` and `coop`, for 3 to 8 players."""

TITLES = ("Go", "Multiplayer Go", "Multigo")  # as in subjects; the first is shown
