"""`ratings`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.app import out, out_json, referee_of
from referee.cli.arguments import Json
from referee.cli.command_line import app

if TYPE_CHECKING:
    from referee.offices.facts import Facts


@app.command()
def ratings(
    context: typer.Context,
    game: Annotated[str, typer.Option("--game", metavar="GAME", help="Of this game alone.")] = "",
    json: Json = False,
) -> None:
    """Ratings, made anew from the ledgers of all matches that have ended."""
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
    last, count = row["course"][-1], len(row["course"])
    matches = "1 match" if count == 1 else f"{count} matches"
    return f"{row['rating']} ({last['mean']} less three times {last['deviation']}; {matches})"
