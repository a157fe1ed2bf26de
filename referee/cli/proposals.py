"""`propose`, `rematch`."""

from __future__ import annotations

from typing import Annotated

import typer

from referee.base.errors import CannotDo
from referee.cli.app import out, referee_of
from referee.cli.arguments import GameName, MatchName, Now, Option, at_desk, clock, moment, numeric
from referee.cli.command_line import app
from referee.club.events import Guest
from referee.club.proposal import Proposal
from referee.offices.club.proposals import WishedMatch
from referee.offices.moderating.arguments import entrant, given


@app.command()
def propose(
    context: typer.Context,
    game: GameName,
    by: Annotated[
        str, typer.Option("--by", metavar='"NAME <ADDRESS>; ZONE"', help="Who proposes, and plays.")
    ],
    named: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="ADDRESS", help="Who is asked; as often as needed."),
    ] = None,
    seats: Annotated[int, numeric("--open", "So many seats for whoever wants one.", 0, 99)] = 0,
    option: Option = None,
    now: Now = None,
) -> None:
    """Propose a match for a player; it opens when everybody has said Yes."""
    moment(now)
    person = entrant(by)
    guest = Guest(person.name, person.addresses[0], person.zone)
    with referee_of(context) as referee:
        if game not in referee.games:
            raise CannotDo(f"There is no game {game!r}. There are: {', '.join(referee.games)}.")
        wish = WishedMatch(referee.games[game], tuple(named or ()), seats, given(option or []))
        _told(referee.moderator.propose(guest, wish, clock(referee, now)))


@app.command()
def rematch(
    context: typer.Context,
    match: MatchName,
    seat: Annotated[int, numeric("--seat", "Whose wish it is.")] = 1,
    now: Now = None,
) -> None:
    """Propose a match that has ended once more, to the same people."""
    with at_desk(context, now) as (referee, at):
        _told(referee.moderator.rematch(match, seat, at))


def _told(proposal: Proposal) -> None:
    out(proposal.match or proposal.name)
