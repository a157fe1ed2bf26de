"""A mail's lines to an answer, and back (5.5)."""
