"""The public archive: a folder of plain pages, feeds and calendars, written from public facts alone."""

from referee.archive.pages import Deadline, MatchPage, Posting, Sitter
from referee.archive.site import Built, build_site

__all__ = ["Built", "Deadline", "MatchPage", "Posting", "Sitter", "build_site"]
