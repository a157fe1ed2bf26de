"""Headings in subjects and the demands they answer."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches

from referee.post.reading.charset import tidy


def _squashed(text: str) -> str:
    return "".join(sign for sign in tidy(text).casefold() if sign.isalnum())


def match_heading(heading: str, headings: Mapping[str, str]) -> str | None:
    """The demand kind of a heading, whatever its case, blanks and punctuation; None if there is no such heading."""
    wanted = _squashed(heading)
    return next((kind for name, kind in headings.items() if wanted and _squashed(name) == wanted), None)


def near_headings(heading: str, headings: Mapping[str, str], most: int = 3) -> tuple[str, ...]:
    """The headings that look most like this one, for a letter that says which there are."""
    squashed = {_squashed(name): name for name in headings}
    wanted = _squashed(heading[:80])
    within = [name for key, name in squashed.items() if wanted and (wanted in key or key in wanted)]
    close = [squashed[key] for key in get_close_matches(wanted, squashed, most, 0.6)]
    return tuple(dict.fromkeys([*within, *close]))[:most]
