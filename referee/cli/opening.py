"""`open`."""

from __future__ import annotations

import re
from email.utils import parseaddr
from pathlib import Path
from typing import Annotated
from zoneinfo import available_timezones

import typer

from referee import shipped
from referee.cli.app import (
    GameName,
    Json,
    Now,
    Option,
    WrongUsage,
    app,
    clock,
    moment,
    out,
    out_json,
    referee_of,
)
from referee.games import found
from referee.match.events import Entrant
from referee.offices.moderator import CannotDo, Opening

_ADDRESS = re.compile(r"[^\s@<>,;:\"]+@[^\s@<>,;:\"]+")


def entrant(text: str) -> Entrant:
    """`Name <address>; Zone` as a person; UsageError says what is wrong with it."""
    person, _, zone = text.partition(";")
    name, address = parseaddr(person.strip())
    if not _ADDRESS.fullmatch(address):
        raise WrongUsage(f'{text!r} names nobody: write "Name <address>" or "Name <address>; Europe/Berlin"')
    zone = zone.strip()
    if zone and zone not in available_timezones():
        raise WrongUsage(f"{zone!r} is no time zone such as Europe/Berlin")
    shown = " ".join("".join(c if c.isprintable() else " " for c in name).split())
    return Entrant(shown or address.partition("@")[0], (address,), zone or None)


def given(options: list[str]) -> dict[str, str]:
    """`key=value` arguments as a mapping."""
    pairs = {}
    for text in options:
        key, equals, value = text.partition("=")
        if not equals or not key.strip():
            raise WrongUsage(f"{text!r} is no option: write --option name=value")
        pairs[key.strip()] = value
    return pairs


def opening(
    game: str, seats: list[str], options: list[str], beside: Path | None, vacant: int = 0, name: str | None = None,
    seed: int | None = None, beacon: str | None = None,
) -> Opening:  # fmt: skip
    """What the arguments of `open` ask for; a file option is replaced by the file's text."""
    if game not in found():
        raise CannotDo(f"There is no game {game!r}. There are: {', '.join(found())}.")
    specs = shipped.game_options(game, beside)
    values = given(options)
    for spec in specs:
        if spec.kind == "file" and values.get(spec.name):
            try:
                values[spec.name] = shipped.text_of(Path(values[spec.name]))
            except (OSError, ValueError) as error:
                raise CannotDo(f"{spec.name}: the file can't be read: {error}") from None
            if not values[spec.name].strip():
                raise CannotDo(f"{spec.name}: the file is empty")
    roster = tuple(entrant(seat) for seat in seats)
    return Opening(game, roster, values, specs, shipped.game_data(game, beside), vacant, name, seed, beacon)


@app.command("open")
def open_match(
    context: typer.Context,
    game: GameName,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            metavar='"NAME <ADDRESS>; ZONE"',
            help="Once for each player; the zone, such as Europe/Berlin, may be left away.",
        ),
    ] = None,
    vacant: Annotated[
        int, typer.Option("--vacant", min=0, metavar="N", help="So many seats more, to be joined by mail.")
    ] = 0,
    name: Annotated[
        str | None,
        typer.Option("--name", metavar="NAME", help="The match's name; GAME-1, GAME-2 ... without it."),
    ] = None,
    option: Option = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            metavar="N",
            help="Draw the match's chance from this number; the opening letter says so.",
        ),
    ] = None,
    beacon: Annotated[
        str | None,
        typer.Option(
            "--beacon", metavar="TEXT", help="A public value, named beforehand, mixed into the draw."
        ),
    ] = None,
    now: Now = None,
    json: Json = False,
) -> None:
    """Open a match; the letters go out at the next step."""
    moment(now)
    with referee_of(context) as referee:
        asked = opening(game, seat or [], option or [], referee.located.folder, vacant, name, seed, beacon)
        match = referee.moderator.open(asked, clock(referee, now))
        if json:
            out_json(referee.moderator.facts(match))
        else:
            out(match.name)
