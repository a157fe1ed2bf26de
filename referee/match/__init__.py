"""A match of any game: the fold of its ledger, and what a command adds to it. Pure."""
