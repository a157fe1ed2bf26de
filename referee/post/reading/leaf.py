"""One part of a mail that holds no others: what is asked of it before it is decoded, and its rows."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from email.message import Message
from functools import cached_property
from io import StringIO
from typing import TypeAlias, TypeVar

from referee.core.complaint import Line
from referee.post.reading.charset import decode, tidy
from referee.post.reading.headers import read_words
from referee.post.reading.html import rows_of_html
from referee.post.reading.rows import Row, rows_of_flowed, rows_of_text, rows_with_marks
from referee.post.reading.transfer import is_quoted_printable, undo

LARGEST_TEXT = 2_000_000  # bytes of a text part that are read
MOST_LINES = 20_000
LONGEST_CELL = 10_000  # characters of a table
_PARAMETER = re.compile(r"<param>[^<>]{0,500}</param>", re.IGNORECASE)
_HTML = re.compile(r"<!doctype html|<html", re.IGNORECASE)
_COMMAND = re.compile(r"</?[a-z][a-z0-9-]{0,59}>", re.IGNORECASE)

# What the standard parser raises for parts no standard foresees.
TROUBLE = (
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    AssertionError,
    ArithmeticError,
    RecursionError,
)

T = TypeVar("T")
AnyMessage: TypeAlias = Message  # of the compat32 policy: headers as raw strings


@dataclass
class Leaf:
    """One part that holds no others. `kind` is its content type in lower case, `name` its file name or '',
    `encoding` its Content-Transfer-Encoding, of which this `part` does not know."""

    part: AnyMessage
    kind: str
    name: str
    attached: bool
    encoding: str

    @cached_property
    def payload(self) -> bytes:
        """The part's bytes as they were sent, still encoded."""
        payload: object = quietly(lambda: self.part.get_payload(decode=True), None)
        return payload if isinstance(payload, bytes) else b""

    @cached_property
    def read(self) -> tuple[list[Row], str | None]:
        """A text part's rows and a fault; decoded when first asked for, and once."""
        text, fault = self._text()
        if self.kind == "text/html" or (self.kind == "text/plain" and _HTML.match(text.lstrip())):
            rows, trouble = rows_of_html(text)
            return rows_with_marks(rows), fault or trouble
        if self.kind == "text/enriched":  # RFC 1896, without its commands; a doubled angle bracket is one
            text = _COMMAND.sub("", _PARAMETER.sub("", text.replace("<<", "\0"))).replace("\0", "<")
        elif self.kind == "text/csv" or self.name.lower().endswith(".csv"):
            text = _tabbed(text)
        lines = [
            Line(number, line) for number, line in enumerate(tidy(text).split("\n")[: MOST_LINES + 1], 1)
        ]
        if str(self._parameter("format")).lower() == "flowed":
            delsp = str(self._parameter("delsp")).lower() == "yes"
            return list(rows_of_flowed(lines, delsp=delsp)), fault
        return rows_of_text(lines), fault

    def _text(self) -> tuple[str, str | None]:
        """Its characters, as sent but for the charset, and a fault."""
        much, fault = len(self.payload) > LARGEST_TEXT, None
        sent = undo(self.payload[:LARGEST_TEXT], self.encoding)
        if self.encoding.strip().lower() in ("", "7bit", "8bit") and is_quoted_printable(sent):
            sent = undo(sent, "quoted-printable")
            fault = "the text was encoded without saying so; read as quoted-printable"
        charset = self._parameter("charset")
        charset = charset[-1] if isinstance(charset, tuple) else charset
        text, doubt = decode(sent, charset.strip(" \"'") if isinstance(charset, str) else None)
        if much:
            fault = f"a text is longer than {LARGEST_TEXT} bytes; its end was not read"
        return text, fault or doubt

    def _parameter(self, name: str) -> object:
        """What the Content-Type states under that name."""
        return quietly(lambda: self.part.get_param(name), None)


def quietly(question: Callable[[], T], otherwise: T) -> T:
    """The answer, or `otherwise` where the standard parser stumbles over the mail."""
    try:
        return question()
    except TROUBLE:
        return otherwise


def leaf_of(part: AnyMessage, kind: str) -> Leaf:
    """What is asked of a part before anything of it is decoded."""
    name = quietly(part.get_filename, None)
    disposition = str(quietly(lambda: part.get("Content-Disposition", ""), "")).strip().lower()
    encoding = str(quietly(lambda: part.get("Content-Transfer-Encoding", ""), ""))
    bare = copy(part)
    del bare["Content-Transfer-Encoding"]  # so that the parser hands over the bytes, broken as they may be
    return Leaf(bare, kind, tidy_name(name), disposition.startswith("attachment") or bool(name), encoding)


def tidy_name(name: object) -> str:
    """A file name to be shown in a letter: the last step of a path, on one line, no longer than 80 characters."""
    if not isinstance(name, str):
        return ""
    plain = read_words(decode(name.encode("utf-8", "surrogateescape"))[0])
    return re.split(r"[/\\]", plain)[-1].strip(" .\"'")[:80]


def _tabbed(text: str) -> str:
    """A table of separated values (RFC 4180, or with the semicolons of countries whose comma is decimal) with tabs
    between its cells, one row a line. What is no such table is kept as it stands."""
    sign = max(";,\t", key=text.partition("\n")[0].count)
    try:
        rows = [
            [" ".join(cell.split()) for cell in row] for row in csv.reader(StringIO(text), delimiter=sign)
        ]
    except csv.Error:
        return text
    return "\n".join("\t".join(cell[:LONGEST_CELL] for cell in row).rstrip() for row in rows)
