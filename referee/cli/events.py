"""`propose`, `rematch`; `event`: tournaments; `ratings`: what all results come to."""

from __future__ import annotations

from collections.abc import Iterator

import typer

from referee.base.errors import CannotDo, WrongUsage
from referee.cli.app import (
    JSON,
    MATCH_NAME,
    NOW,
    OPTIONS,
    at_desk,
    command,
    numeric,
    option,
    out,
    place,
    referee_of,
    shown,
)
from referee.match.arguments import given
from referee.offices.club.proposals import WishedMatch
from referee.offices.club.tournaments import MOST_ROUNDS, Announcement, event_facts, guest_of
from referee.offices.register.facts import Facts


@command
def propose(
    context: typer.Context,
    game: str = place("GAME", "The game: see `referee games`."),
    by: str = option("--by", '"NAME <ADDRESS>; ZONE"', "Who proposes, and plays.", ...),
    named: list[str] | None = option("--with", "ADDRESS", "Who is asked; as often as needed."),
    seats: int = numeric("--open", "So many seats for whoever wants one.", 0, 0),
    option: list[str] | None = OPTIONS,
    now: str | None = NOW,
) -> None:
    guest = guest_of(by)
    with at_desk(context, now) as (referee, at):
        if game not in referee.games:
            raise CannotDo(f"There is no game {game!r}. There are: {', '.join(referee.games)}.")
        wish = WishedMatch(referee.games[game], tuple(named or ()), seats, given(option or []))
        proposal = referee.moderator.propose(guest, wish, at)
    out(proposal.match or proposal.name)


@command
def rematch(
    context: typer.Context,
    match: str = MATCH_NAME,
    seat: int = numeric("--seat", "Whose wish it is.", 1),
    now: str | None = NOW,
) -> None:
    with at_desk(context, now) as (referee, at):
        proposal = referee.moderator.rematch(match, seat, at)
    out(proposal.match or proposal.name)


_PEOPLE = 'enter: whom, several at once; leave: an address; replace: an address and "NAME <ADDRESS>".'
_ROUNDS = "new: of a Swiss; of a round robin how often all meet."
_ACTIONS = ("new", "enter", "start", "show", "leave", "replace")


@command
def event(
    context: typer.Context,
    action: str = typer.Argument(..., metavar="|".join(_ACTIONS)),
    name: str = place("NAME", "The event's name."),
    people: list[str] | None = place('"NAME <ADDRESS>"', _PEOPLE, None),
    game: str = option("--game", "GAME", "new: which game.", ""),
    kind: str = option("--kind", "KIND", "new: round-robin or swiss.", ""),
    rounds: int = numeric("--rounds", _ROUNDS, 0, 0, MOST_ROUNDS),
    option: list[str] | None = OPTIONS,
    now: str | None = NOW,
    json: bool = JSON,
) -> None:
    if action not in _ACTIONS:
        raise WrongUsage(f"there is no `event {action}`; there are: {', '.join(_ACTIONS)}")
    who = people or []
    if action == "replace" and len(who) != 2:
        raise WrongUsage('replace takes the address of who plays and "Name <address>" of who goes on')
    asked = Announcement(game, kind, rounds, given(option or []))
    with at_desk(context, now) as (referee, at):
        office, when = referee.parts.tournaments, None if action == "show" else at
        found = referee.moderator.act(lambda u: office.carried_out(u, action, name, who, at, asked), when)
    facts = event_facts(found)
    told = [f"{found.name}: {found.status}. The letters leave at the next step."]
    shown(facts, _lines(facts) if action == "show" else told, json=json)


def _lines(facts: Facts) -> Iterator[str]:
    yield f"{facts['event']}: {facts['kind']} in {facts['game']}, {facts['status']}"
    for row in facts["standings"]:
        breaks = ", ".join(f"{name} {value}" for name, value in row["tie_breaks"].items())
        yield f"  {row['player']}: {row['points']} ({breaks})"
    for pairing in facts["pairings"]:
        who = " - ".join(pairing["players"])
        yield f"  round {pairing['round']}: {who} {pairing['match'] or ''}".rstrip()
    if not facts["standings"]:
        yield f"  players: {', '.join(facts['players']) or 'none yet'}"


@command
def ratings(
    context: typer.Context, game: str = option("--game", "GAME", "Of this game alone.", ""), json: bool = JSON
) -> None:
    with referee_of(context) as referee:
        found = referee.moderator.look(referee.moderator.ratings)
    found = {slug: rows for slug, rows in found.items() if game in ("", slug)}
    lines = list[str]()
    for slug, rows in found.items():
        counted = ((row, len(row["course"])) for row in rows)
        told = "  {}: {} ({} match{})".format
        lines += [
            slug,
            *(told(row["player"], row["points"], n, "" if n == 1 else "es") for row, n in counted),
        ]
    shown(found, lines or ["No match has been rated yet."], json=json)
