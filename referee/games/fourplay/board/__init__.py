"""The board and its pieces: squares, movements, attack."""
