"""The moderator's desk: what he asks for, what waits for him, and what takes an act of his back."""
