"""Games in a row, claims, and what they pay (4.1 to 4.4)."""
