"""Texts of other kinds to plain lines: tables kept as files, and the enriched text of old mail programs."""

from __future__ import annotations

import csv
import re
from io import StringIO

LONGEST_FIELD = 10_000  # characters of a cell
_PARAMETER = re.compile(r"<param>[^<>]{0,500}</param>", re.IGNORECASE)
_COMMAND = re.compile(r"</?[a-z][a-z0-9-]{0,59}>", re.IGNORECASE)


def tabbed(text: str) -> str:
    """A table of separated values (RFC 4180, or with the semicolons of countries whose comma is decimal) with tabs
    between its cells, one row a line. What is no such table is kept as it stands."""
    sign = max(";,\t", key=text.partition("\n")[0].count)
    try:
        rows = [
            [" ".join(cell.split()) for cell in row] for row in csv.reader(StringIO(text), delimiter=sign)
        ]
    except csv.Error:
        return text
    return "\n".join("\t".join(cell[:LONGEST_FIELD] for cell in row).rstrip() for row in rows)


def unenriched(text: str) -> str:
    """Enriched text (RFC 1896) without its commands; a doubled angle bracket is one."""
    plain = _COMMAND.sub("", _PARAMETER.sub("", text.replace("<<", "\0")))
    return plain.replace("\0", "<")
