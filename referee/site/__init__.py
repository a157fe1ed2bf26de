"""The public archive: a folder of plain pages, feeds and calendars, of public facts alone."""

from referee.site.pages import Place
from referee.site.publish import PublicArchive

__all__ = ["Place", "PublicArchive"]
