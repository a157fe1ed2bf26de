"""`letters`: what was written in a match, as private pages."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.app import MatchName, app, out, referee_of
from referee.offices.moderator import CannotDo


@app.command()
def letters(
    context: typer.Context,
    match: MatchName,
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="[DIR]", help="Where to put the pages; letters/MATCH without it."),
    ] = None,
    seat: Annotated[
        int | None, typer.Option("--seat", metavar="N", help="Only the letters to this seat.")
    ] = None,
) -> None:
    """The letters of a match or seat as pages to open: text and HTML side by side, each answer beside its mail.

    They are private: files for their owner alone, no part of the public archive."""
    with referee_of(context) as referee:
        known = referee.moderator.match(match)
        if seat is not None and seat not in known.numbers:
            raise CannotDo(f"{match} has no seat {seat}.")
        into = folder or referee.located.folder / "letters" / (f"{match}-{seat}" if seat else match)
        if _public(into):
            raise CannotDo(
                f"{into} lies in a site, which is public; letters are private: name another folder."
            )
        page, count = referee.write_letters(match, into, seat)
    out(f"{page}: {count} letter{'' if count == 1 else 's'}.")


def _public(into: Path) -> bool:
    """Whether a folder is a public archive, or lies in one: its index tells."""
    return any((folder / "index/about.json").exists() for folder in (into.resolve(), *into.resolve().parents))
