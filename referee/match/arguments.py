"""What arguments of commands say, at the command line and by mail: moments, people, options."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING

from referee.base.errors import WrongUsage

if TYPE_CHECKING:
    from referee.match.events import Entrant

_ADDRESS = r"[^\s@<>,;:\"]+@[^\s@<>,;:\"]+"
FIRST, LAST = datetime(1970, 1, 1, tzinfo=UTC), datetime(2999, 12, 31, tzinfo=UTC)  # of what anybody names
_PERSON = re.compile(rf"([^<>]*)<\s*({_ADDRESS})\s*>|({_ADDRESS})")


def instant(text: str, zone: tzinfo | None = None) -> datetime:
    """The moment in ISO 8601, from FIRST to LAST; without an offset one of the zone, where there is
    one. Raises WrongUsage."""
    shown = repr(text[:40])
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise WrongUsage(f"{shown} is no moment such as 2026-03-01T18:00:00Z") from None
    if at.tzinfo is None and zone is None:
        raise WrongUsage(f"{shown} has no offset: add Z for UTC, or +01:00 and the like")
    at = at if at.tzinfo else at.replace(tzinfo=zone)
    if not FIRST <= at <= LAST:
        raise WrongUsage(f"{shown} lies outside the years {FIRST.year} to {LAST.year}")
    return at.astimezone(UTC)


def entrant(text: str) -> Entrant:
    """`Name <address>; Zone` as a person. Raises WrongUsage."""
    from referee.base.settings import is_zone
    from referee.match.events import Entrant

    person, _, zone = text.partition(";")
    read = _PERSON.fullmatch(person.strip())
    if not read:
        raise WrongUsage(f'{text!r} names nobody: write "Name <address>" or "Name <address>; Europe/Berlin"')
    zone = zone.strip()
    if zone and not is_zone(zone):
        raise WrongUsage(f"{zone!r} is no time zone such as Europe/Berlin")
    name, address = " ".join((read[1] or "").strip(' "').split()), read[2] or read[3]
    return Entrant(name or address.partition("@")[0], (address,), zone or None)


def given(options: Iterable[str]) -> dict[str, str]:
    """`key=value` arguments as a mapping. Raises WrongUsage."""
    pairs = {}
    for text in options:
        key, equals, value = text.partition("=")
        if not equals or not key.strip():
            raise WrongUsage(f"{text!r} is no option: write --option name=value")
        pairs[key.strip()] = value
    return pairs
