"""The grid and its pieces, and which moves are legal (3.1, 3.3, 3.4)."""
