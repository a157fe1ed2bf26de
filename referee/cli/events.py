"""`propose`, `rematch`; `event`: tournaments; `ratings`: what all results come to."""

from __future__ import annotations

from typing import Annotated

import typer

from referee.base.errors import CannotDo, WrongUsage
from referee.cli.app import out, out_json, referee_of
from referee.cli.arguments import GameName, Json, MatchName, Now, Option, at_desk, clock, moment, numeric
from referee.cli.command_line import command, option, place
from referee.club.events import Guest
from referee.club.proposal import Proposal
from referee.club.tournament import Tournament
from referee.match.arguments import entrant, given
from referee.offices.club.proposals import WishedMatch
from referee.offices.club.tournaments import MOST_ROUNDS, Announcement, event_facts
from referee.offices.register.facts import Facts
from referee.store.sql import Unit


@command
def propose(
    context: typer.Context,
    game: GameName,
    by: Annotated[str, option("--by", '"NAME <ADDRESS>; ZONE"', "Who proposes, and plays.")],
    named: Annotated[
        list[str] | None, option("--with", "ADDRESS", "Who is asked; as often as needed.")
    ] = None,
    seats: Annotated[int, numeric("--open", "So many seats for whoever wants one.", 0, 99)] = 0,
    option: Option = None,
    now: Now = None,
) -> None:
    moment(now)
    person = entrant(by)
    guest = Guest(person.name, person.addresses[0], person.zone)
    with referee_of(context) as referee:
        if game not in referee.games:
            raise CannotDo(f"There is no game {game!r}. There are: {', '.join(referee.games)}.")
        wish = WishedMatch(referee.games[game], tuple(named or ()), seats, given(option or []))
        _told(referee.moderator.propose(guest, wish, clock(referee, now)))


@command
def rematch(
    context: typer.Context,
    match: MatchName,
    seat: Annotated[int, numeric("--seat", "Whose wish it is.")] = 1,
    now: Now = None,
) -> None:
    with at_desk(context, now) as (referee, at):
        _told(referee.moderator.rematch(match, seat, at))


def _told(proposal: Proposal) -> None:
    out(proposal.match or proposal.name)


_ACTIONS = ("new", "enter", "start", "show", "leave", "replace")


@command
def event(
    context: typer.Context,
    action: Annotated[str, typer.Argument(metavar="|".join(_ACTIONS))],
    name: Annotated[str, place("NAME", "The event's name.")],
    people: Annotated[
        list[str] | None,
        place(
            '"NAME <ADDRESS>"',
            'enter: whom, several at once; leave: an address; replace: an address and "NAME <ADDRESS>".',
        ),
    ] = None,
    game: Annotated[str, option("--game", "GAME", "new: which game.")] = "",
    kind: Annotated[str, option("--kind", "KIND", "new: round-robin or swiss.")] = "",
    rounds: Annotated[
        int, numeric("--rounds", "new: of a Swiss; of a round robin how often all meet.", 0, MOST_ROUNDS)
    ] = 0,
    option: Option = None,
    now: Now = None,
    json: Json = False,
) -> None:
    if action not in _ACTIONS:
        raise WrongUsage(f"there is no `event {action}`; there are: {', '.join(_ACTIONS)}")
    who = people or []
    with at_desk(context, now) as (referee, at):
        office = referee.parts.tournaments

        def done(unit: Unit) -> Tournament:
            match action:
                case "new":
                    asked = Announcement(name, game, kind, rounds, given(option or []))
                    return office.announce(unit, asked, at)
                case "enter":
                    for person in who:
                        office.enter(unit, name, _guest(person), at)
                case "start":
                    return office.start(unit, name, at)
                case "leave":
                    for address in who:
                        office.leave(unit, office.load(unit, name), address, at)
                case "replace":
                    if len(who) != 2:
                        told = 'replace takes the address of who plays and "Name <address>" of who goes on'
                        raise WrongUsage(told)
                    return office.replace(unit, name, who[0], _guest(who[1]), at)
            return office.load(unit, name)

        found = referee.moderator.act(done, None if action == "show" else at)
    facts = event_facts(found)
    if json:
        out_json(facts)
    elif action == "show":
        _shown(facts)
    else:
        out(f"{found.name}: {found.status}. The letters leave at the next step.")


def _guest(text: str) -> Guest:
    person = entrant(text)
    return Guest(person.name, person.addresses[0], person.zone)


def _shown(facts: Facts) -> None:
    out(f"{facts['event']}: {facts['kind']} in {facts['game']}, {facts['status']}")
    for row in facts["standings"]:
        breaks = ", ".join(f"{name} {value}" for name, value in row["tie_breaks"].items())
        out(f"  {row['player']}: {row['points']} ({breaks})")
    for pairing in facts["pairings"]:
        out(f"  round {pairing['round']}: {' - '.join(pairing['players'])} {pairing['match'] or ''}".rstrip())
    if not facts["standings"]:
        out(f"  players: {', '.join(facts['players']) or 'none yet'}")


@command
def ratings(
    context: typer.Context,
    game: Annotated[str, option("--game", "GAME", "Of this game alone.")] = "",
    json: Json = False,
) -> None:
    with referee_of(context) as referee:
        found = referee.moderator.ratings()
    found = {slug: rows for slug, rows in found.items() if game in ("", slug)}
    if json:
        out_json(found)
        return
    for slug, rows in found.items():
        out(slug)
        for row in rows:
            out(f"  {row['player']}: {_line(row)}")
    if not found:
        out("No match has been rated yet.")


def _line(row: Facts) -> str:
    count = len(row["course"])
    return f"{row['points']} ({'1 match' if count == 1 else f'{count} matches'})"
