"""One Piece For Two: two players, and the tournament of four with claims that a solver judges."""

TITLES = ("One Piece For Two", "1P42")  # as in subjects; the first is shown
