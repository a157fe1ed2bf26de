"""What commands say in words: zones, players, formats. Each reader gives None where it cannot tell."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal
from zoneinfo import available_timezones

_ADDRESS = re.compile(r"<?([^\s@<>,;:\"()\[\]\\]+@[^\s@<>,;:\"()\[\]\\]+\.[^\s@<>,;:\"()\[\]\\.]+)>?")
_ALL = frozenset({"all", "everyone", "everybody", "public"})
_NUMBER_WORDS = frozenset({"player", "players", "seat", "seats", "and", "to", "&", "+", "only"})


def time_zone(text: str) -> str | None:
    """A zone of the tz database, however it is spelt: `europe/berlin`, `America/New York`."""
    return _zones().get(text.strip().replace(" ", "_").casefold())


@cache
def _zones() -> dict[str, str]:
    """The zones by their names in small letters; to list them takes longer than to answer a mail."""
    return {zone.casefold(): zone for zone in available_timezones()}


def addressees(text: str, match: str) -> tuple[int, ...] | None:
    """The players that `Player 2, Player 3` names; empty for all. None where any word is not understood."""
    words = re.split(r"[\s,;/:]+", text.replace("[", " ").replace("]", " ").casefold())
    words = [w for w in words if w and w != match.casefold()]
    numbers: list[int] = []
    everybody = not words
    for word in words:
        if word.isascii() and word.isdigit() and len(word) < 4:
            numbers.append(int(word))
        elif word in _ALL:
            everybody = True
        elif word not in _NUMBER_WORDS:
            return None
    if everybody == bool(numbers):
        return None
    return tuple(sorted(set(numbers)))


def mail_address(text: str) -> str | None:
    """The one mail address in the text."""
    found = _ADDRESS.findall(text)
    return found[0] if len(found) == 1 and len(found[0]) <= 254 else None


def medium(text: str) -> Literal["both", "text", "html"] | None:
    """What letters should hold."""
    words = text.casefold().replace("-", " ").split()
    kinds: dict[str, Literal["both", "text", "html"]] = {
        "text": "text",
        "plain": "text",
        "plaintext": "text",
        "html": "html",
        "both": "both",
        "all": "both",
    }
    said = {kinds[word] for word in words if word in kinds}
    return said.pop() if len(said) == 1 else "both" if said == {"text", "html"} else None


def on_or_off(text: str, name: str) -> bool | None:
    """`on`, `off`, or the bare name of what is switched, which means on."""
    words = [w for w in text.casefold().split() if w != name]
    if not words:
        return True
    return {"on": True, "yes": True, "off": False, "no": False, "none": False}.get(words[0])
