"""What the arguments of commands say: the ones that several commands have, and how they are read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.cli.app import referee_of
from referee.offices.clock import doubt
from referee.offices.moderating.arguments import instant

if TYPE_CHECKING:
    from referee.service.wiring import Referee


MOST = 999_999_999  # of a number that is given: whatever keeps it has room for it
MOST_SEED = 10**18 - 1
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
MailNumber = Annotated[int, typer.Argument(min=1, max=MOST, metavar="ID", help="The mail's number.")]
Why = Annotated[
    str, typer.Option("--why", help="Why; it goes into the record and to the players.", metavar="TEXT")
]


def numeric(name: str, help: str, least: int = 1, most: int = 99) -> Any:
    """An option that is a number."""
    return typer.Option(name, min=least, max=most, metavar="N", help=help)


def moment(text: str | None) -> datetime:
    """The moment that an argument names; the machine's clock where there is none."""
    if text is None:
        return doubt.reading().at
    return instant(text)


def clock(referee: Referee, text: str | None) -> datetime:
    """The moment of a command at the desk; without one, now, but never before the last pass."""
    at = moment(text)
    if text is not None:
        return at
    with referee.store.transaction() as unit:
        return max(at, unit.clock().last_pass or at)


@contextmanager
def at_desk(context: typer.Context, now: str | None) -> Iterator[tuple[Referee, datetime]]:
    """The referee and the clock of a command at its desk, for the length of a block."""
    moment(now)  # what is written wrong is said before anything is read
    with referee_of(context) as referee:
        yield referee, clock(referee, now)
