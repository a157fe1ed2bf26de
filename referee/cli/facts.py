"""`list`, `show`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.app import out, out_json, referee_of
from referee.cli.arguments import Json, MatchName
from referee.cli.command_line import app

if TYPE_CHECKING:
    from referee.offices.facts import Facts


@app.command("list")
def list_matches(context: typer.Context, json: Json = False) -> None:
    """All matches."""
    with referee_of(context) as referee:
        rows = referee.register.all()
    if json:
        out_json(rows)
        return
    for row in rows:
        out(f"{row['match']}: {row['game']}, {row['phase']}, {row['status']}")
        if row["vacant"]:
            out(f"  vacant: {_vacant(row)}")
        for due in row["due"]:
            out(f"  due: {_owing(row, due)}")
    if not rows:
        out("There are no matches yet; `referee open` opens one.")


@app.command()
def show(
    context: typer.Context,
    match: MatchName,
    seat: Annotated[int | None, typer.Option("--as", help="What this seat may see.", metavar="SEAT")] = None,
    moderator: Annotated[
        bool, typer.Option("--moderator", help="Also who has answered (never what).")
    ] = False,
    json: Json = False,
) -> None:
    """One match: phase, who owes what until when, board."""
    with referee_of(context) as referee:
        public = seat is None and not moderator
        facts = (
            referee.register.of(match)
            if public
            else referee.moderator.shown(match, seat, moderator=moderator)
        )
    if json:
        out_json(facts)
        return
    out(f"{facts['match']} ({facts['game']}): {facts['phase']}, {facts['status']}")
    for person in facts["seats"]:
        left = " (vacant)" if person["number"] in facts["vacant"] else ""
        out(f"  Player {person['number']}: {person['name']}{left}")
    if facts["vacant"]:
        out(f'  vacant: {_vacant(facts)}; whoever wants a seat sends the subject "join {facts["match"]}"')
    for due in facts["due"]:
        out(f"  due: {_owing(facts, due)}")
    for answer in facts.get("answered", ()):
        out(f"  answered: {answer['demand']} of Player {answer['seat']}")
    for failing in facts.get("failing", ()):
        since = in_minutes(failing["since"])
        why = f": {failing['why']}" if failing["why"] else ""
        out(f"  letters to Player {failing['seat']} ({failing['address']}) fail since {since}{why}")
    if facts["outcome"]:
        out(f"  outcome: {facts['outcome']['reason']}")
    if facts["board"]:
        out("\n" + facts["board"])


def _vacant(facts: Facts) -> str:
    """The vacant seats in words; before the draw a seat has no number."""
    count = len(facts["vacant"])
    if facts["status"] == "filling":
        return f"{count} seat{'' if count == 1 else 's'}"
    return ", ".join(f"Player {number}" for number in facts["vacant"])


def _owing(facts: Facts, due: Facts) -> str:
    """What is owed, by whom, until when, in words."""
    names = {person["number"]: person["name"] for person in facts["seats"]}
    who = f"{names[due['seat']]} (Player {due['seat']})" if due["seat"] in names else f"Player {due['seat']}"
    until = f"until {in_minutes(due['due_at'])}" if due["due_at"] else "no deadline"
    return f"{due['demand']} by {who}, {until}"


def in_minutes(moment: str) -> str:
    """A moment as people read it: ISO 8601 in UTC, to the minute."""
    return f"{moment[:16]}Z"
