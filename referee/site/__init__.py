"""The public archive: a folder of plain pages, feeds and calendars, of public facts alone."""
