"""One Piece For Two: two players, and the tournament of four with claims that a solver judges."""

from referee.games.onepiece.game import OnePiece

GAME = OnePiece()
