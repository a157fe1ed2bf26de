"""The public archive: a folder of plain pages, feeds and calendars, written from public facts alone."""

from referee.site.pages import Place
from referee.site.publish import Built, PublicArchive

__all__ = ["Built", "Place", "PublicArchive"]
