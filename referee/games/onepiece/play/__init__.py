"""A match from its opening, turn by turn (3.2 to 3.4)."""
