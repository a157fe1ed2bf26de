"""The referee: moderates correspondence games by electronic mail."""

__version__ = "0.2.0"
