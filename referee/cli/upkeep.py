"""`check`, `upgrade`: what keeps a referee well."""

from __future__ import annotations

from typing import Annotated

import typer

from referee.cli.app import Json, app, out, out_json, referee_of


@app.command()
def check(
    context: typer.Context,
    mend: Annotated[bool, typer.Option("--mend", help="Write anew what the ledgers tell otherwise.")] = False,
    json: Json = False,
) -> None:
    """Hold the store against the ledgers of its matches, also while the desk is at work."""
    from referee.upkeep.checking import checked

    with referee_of(context) as referee:
        matches, faults = checked(referee, mend=mend)
    left = [fault for fault in faults if not (mend and fault.mendable)]
    if json:
        told = [
            {"match": f.match, "fault": f.words, "remedy": f.remedy, "mended": f not in left} for f in faults
        ]
        out_json({"well": not left, "matches": matches, "faults": told})
    else:
        for fault in faults:
            about = f"{fault.match}: " if fault.match else ""
            out(f"{about}{fault.words}; {fault.remedy if fault in left else 'it is mended'}.")
        if not left:
            out(f"All is well: {matches} match{'' if matches == 1 else 'es'} and what is kept of them agree.")
    if left:
        raise typer.Exit(1)


@app.command()
def upgrade(
    context: typer.Context,
    check: Annotated[bool, typer.Option("--check", help="Only judge and tell; nothing is changed.")] = False,
    why: Annotated[
        str, typer.Option("--why", help="Why it is right all the same; without it differences end it.")
    ] = "",
    json: Json = False,
) -> None:
    """Judge every match that goes on again by this version, then bring the store's tables up to it.

    Each match is named that would stand, or would have been judged, otherwise than it was. Nothing of a sealed answer
    is told."""
    from referee.upkeep.upgrading import upgraded

    with referee_of(context) as referee:
        done = upgraded(referee, carry_out=not check, all_the_same=bool(why.strip()))
    if json:
        out_json(done.facts())
    else:
        for one in done.differences:
            out(f"{one.match}: {one.what}: {one.words}.")
        out(done.sentence())
    if done.differences and not why.strip():
        raise typer.Exit(1)
