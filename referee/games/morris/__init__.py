"""Nine Men's Morris, the old game of mills for two: the worked example of `docs/a-game.md`."""

from referee.games.morris.game import Morris

GAME = Morris()
