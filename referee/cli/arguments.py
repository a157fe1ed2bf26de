"""What the arguments of commands say: the ones that several commands have, and how they are read."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from referee.errors import RefereeError

if TYPE_CHECKING:
    from referee.match.events import Entrant
    from referee.wiring import Referee


class WrongUsage(RefereeError):
    """The command line can't be understood; the arguments say why, one line each."""


MatchName = Annotated[str, typer.Argument(metavar="MATCH", help="The match's name: see `referee list`.")]
GameName = Annotated[str, typer.Argument(metavar="GAME", help="The game: see `referee games`.")]
Option = Annotated[
    list[str] | None,
    typer.Option("--option", help="An option of the game, as often as needed.", metavar="NAME=VALUE"),
]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on standard output, nothing else.")]
Now = Annotated[
    str | None,
    typer.Option(
        "--now", help="The clock: ISO 8601 with offset or Z. Without it, the machine's.", metavar="TIME"
    ),
]
Why = Annotated[
    str, typer.Option("--why", help="Why; it goes into the record and to the players.", metavar="TEXT")
]


def moment(text: str | None) -> datetime:
    """The moment that an argument names; the machine's clock where there is none."""
    if text is None:
        return datetime.now(UTC)
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise WrongUsage(f"{text!r} is no moment such as 2026-03-01T18:00:00Z") from None
    if at.tzinfo is None:
        raise WrongUsage(f"{text!r} has no offset: add Z for UTC, or +01:00 and the like")
    return at.astimezone(UTC)


def clock(referee: Referee, text: str | None) -> datetime:
    """The moment of a command at the desk; without one, now, but never before the last pass."""
    at = moment(text)
    last = referee.moderator.last_pass()
    return at if text is not None or last is None else max(at, last)


_ADDRESS = r"[^\s@<>,;:\"]+@[^\s@<>,;:\"]+"
_PERSON = re.compile(rf"([^<>]*)<\s*({_ADDRESS})\s*>|({_ADDRESS})")


def entrant(text: str) -> Entrant:
    """`Name <address>; Zone` as a person; WrongUsage says what is wrong with it."""
    from referee.match.events import Entrant
    from referee.offices.settings import is_zone

    person, _, zone = text.partition(";")
    read = _PERSON.fullmatch(person.strip())
    if not read:
        raise WrongUsage(f'{text!r} names nobody: write "Name <address>" or "Name <address>; Europe/Berlin"')
    zone = zone.strip()
    if zone and not is_zone(zone):
        raise WrongUsage(f"{zone!r} is no time zone such as Europe/Berlin")
    name, address = " ".join((read[1] or "").strip(' "').split()), read[2] or read[3]
    return Entrant(name or address.partition("@")[0], (address,), zone or None)


def given(options: list[str]) -> dict[str, str]:
    """`key=value` arguments as a mapping."""
    pairs = {}
    for text in options:
        key, equals, value = text.partition("=")
        if not equals or not key.strip():
            raise WrongUsage(f"{text!r} is no option: write --option name=value")
        pairs[key.strip()] = value
    return pairs
