"""Sealed bids for two: a game in a package of its own (`docs/dev/a-game.md`)."""

TITLES = ("Bidding", "Sealed Bids")  # as in subjects; the first is shown
