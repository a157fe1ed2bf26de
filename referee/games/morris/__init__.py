"""Nine Men's Morris, the old game of mills for two: the worked example of `docs/dev/a-game.md`."""

TITLES = ("Nine Men's Morris", "Morris", "Nine Mens Morris")  # as in subjects; the first is shown
