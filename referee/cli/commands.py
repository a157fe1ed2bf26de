"""Every command's module, so that all of them are registered."""

from referee.cli import desk, facts, letters, opening, rehearsing, service, setting_up

__all__ = ["desk", "facts", "letters", "opening", "rehearsing", "service", "setting_up"]
