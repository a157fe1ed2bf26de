"""How texts and moments are put on a page."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from referee.core.texts.naming import clause_id, file_name

_YEAR = "January February March April May June July August September October November December"
_MONTHS = tuple(_YEAR.split())
# Marks and overrides of writing direction: they would turn the words of the page around them.
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_UNFIT = frozenset(("Cc", "Cs", "Cn", "Co"))


class _Fit(dict[int, int | None]):
    """For `str.translate`: a character by its code point, None for one that is left out; asked once of each."""

    def __missing__(self, code: int) -> int | None:
        c = chr(code)
        fit = c in "\n\t" or (unicodedata.category(c) not in _UNFIT and c not in _TURNING)
        self[code] = code if fit else None
        return self[code]


_FIT = _Fit()


def seemly(text: str) -> str:
    """The text without characters that XML forbids, that cannot be seen, or that turn what stands around them."""
    return text.translate(_FIT)


def moment(at: datetime) -> str:
    """For people: "3 May 2031, 14:05 UTC"."""
    at = at.astimezone(UTC)
    return f"{at.day} {_MONTHS[at.month - 1]} {at.year}, {at:%H:%M} UTC"


def stamp(at: datetime) -> str:
    """For machines: RFC 3339 in UTC."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def day(at: datetime) -> str:
    """For people: "3 May 2031"."""
    at = at.astimezone(UTC)
    return f"{at.day} {_MONTHS[at.month - 1]} {at.year}"


def pages_from(templates: Sequence[Path], **known: object) -> Environment:
    """The templates of pages, which all know these values: everything escaped, nothing undefined, and what a page can't
    hold left out."""
    environment = Environment(
        loader=FileSystemLoader([str(folder) for folder in templates]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_seemly,
    )
    environment.filters.update(moment=moment, stamp=stamp, day=day, file_name=file_name, clause_id=clause_id)
    environment.globals.update(known)
    return environment


def _seemly(value: object) -> object:
    """Words without what XML forbids; what is HTML already stays so."""
    return type(value)(seemly(value)) if isinstance(value, str) else value
