"""The referee: moderates correspondence games by electronic mail."""
