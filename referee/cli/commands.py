"""Every command's module, so that all of them are registered."""

from referee.cli import correspondence, desk, facts, letters, opening, rehearsing, service, setting_up

__all__ = ["correspondence", "desk", "facts", "letters", "opening", "rehearsing", "service", "setting_up"]
