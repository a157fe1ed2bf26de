"""The board and its bridges (5.1, 5.2)."""
