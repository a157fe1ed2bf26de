"""The grid, its pieces and how they are written (3.1, 3.3, 3.5)."""
