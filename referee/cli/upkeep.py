"""`backup`, `restore`, `export`, `forget`, `check`, `clock`, `upgrade`: what keeps a referee well."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from referee.base.errors import CannotDo
from referee.cli.app import out, out_json, referee_of
from referee.cli.arguments import Json, Now, Why, at_desk, moment
from referee.cli.command_line import command, flag, place
from referee.match.chain import stamp
from referee.offices.clock import doubt

File = Annotated[Path, place("FILE", "The backup.")]


@command
def backup(context: typer.Context, file: File) -> None:
    """Also while the desk is at work. It holds the secret and all that players wrote: keep it
    where only you can read it."""
    from referee.upkeep.backup import backed_up, is_inside, named_files

    with referee_of(context) as referee:
        made = backed_up(referee, context.obj, file)
        folder, named = referee.located.folder, named_files(referee.settings)
    left = [name for name in named if (folder / name).is_file() and not is_inside(folder / name, folder)]
    out(f"{file} holds the referee as it was at {made.at}. `referee restore {file} DIR` makes it again.")
    for name in left:
        out(f"{name} is not in it: it lies outside of {folder}.")


@command
def restore(
    context: typer.Context,
    file: File,
    folder: Annotated[Path | None, place("[DIR]", "An empty folder; that of --config without it.")] = None,
    json: Json = False,
) -> None:
    """A referee.toml that stands there is taken in place of the backup's: PostgreSQL is restored
    into an empty database, and that one names it.

    Mails that were put away since the backup are read again by the next pass. The letters that had
    not left are named; none leaves before that pass."""
    from referee.upkeep.backup import restored

    into = folder or context.obj.parent
    done = restored(file, into)
    if json:
        letters = [asdict(letter) for letter in done.letters]
        out_json({"made": done.manifest.at, "folder": str(into), "mails": done.again, "letters": letters})
        return
    for letter in done.letters:
        told = f"{letter.kind} of {letter.match or 'no match'} to {letter.to}: {letter.subject} {letter.message_id}"
        out(f"had not left when the backup was made: {told}")
    sent = "no letter is sent again"
    if done.again or done.letters:
        sent = "of what these call for, and of the letters named, what has left since leaves once more, by the same id"
    out(f"{into} holds the referee as it was at {done.manifest.at}.")
    out(f"The next step reads {done.again} mails again that came or were put away since; {sent}.")
    out("Commands given since are to be given again.")


Address = Annotated[str, place("ADDRESS", "One of his addresses.")]


@command
def export(
    context: typer.Context,
    address: Address,
    file: Annotated[Path, place("FILE", "A ZIP archive is written there.")],
) -> None:
    """What a sealed round hides is left out until its reveal."""
    from referee.upkeep.forgetting import exported

    with referee_of(context) as referee:
        facts = exported(referee, address, file)
    counts = ", ".join(f"{len(facts[part])} {part}" for part in ("matches", "mails", "letters"))
    out(f"{file} holds what is kept of {', '.join(facts['addresses'])}: {counts}.")


@command
def forget(
    context: typer.Context,
    address: Address,
    yes: Annotated[bool, flag("--yes", "Do it without asking.")] = False,
    check: Annotated[bool, flag("--check", "Only tell what would be done.")] = False,
    now: Now = None,
) -> None:
    """Their names and addresses go wherever they are kept. Where they play, their seat becomes
    vacant. It asks first; no command undoes it."""
    from referee.upkeep.forgetting import forget as forgotten

    with at_desk(context, now) as (referee, at):
        found = forgotten(referee, address, at, carry_out=False)
        told = f"{len(found.who.matches)} matches, {found.mails} mails and {found.letters} letters"
        whose = ", ".join(sorted(found.who.addresses))
        asked = f"{told} tell of {whose}. No command undoes it. Forget all that?"
        if not (check or yes or (sys.stdin.isatty() and typer.confirm(asked))):
            raise CannotDo(
                f"{told} tell of {whose}; nothing is changed. No command undoes it: it is done with --yes."
            )
        if not check:
            forgotten(referee, address, at)
    if check:
        out(f"{told} tell of {whose}; nothing is changed.")
        return
    out(f"{told} hold nothing of {whose} any more. No command undoes it.")
    out("Not the store's: mails on the mail server, letters that have left, backups, archives elsewhere.")


@command
def check(
    context: typer.Context,
    mend: Annotated[bool, flag("--mend", "Write anew what the ledgers tell otherwise.")] = False,
    json: Json = False,
) -> None:
    """It may be done while the desk is at work. With --mend, what the ledgers tell otherwise is written anew."""
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


@command
def upgrade(
    context: typer.Context,
    check: Annotated[bool, flag("--check", "Only judge and tell; nothing is changed.")] = False,
    why: Annotated[str, flag("--why", "Why it is right all the same; without it differences end it.")] = "",
    json: Json = False,
) -> None:
    """Each match is named that would stand, or would have been judged, otherwise than it was.
    Nothing of a sealed answer is told."""
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


@command
def clock_(
    context: typer.Context,
    back: Annotated[bool, flag("--back", "Passes ran ahead: void what time did.")] = False,
    right: Annotated[bool, flag("--right", "The machine's clock is right.")] = False,
    why: Why = "The referee's clock had run ahead.",
    now: Now = None,
    json: Json = False,
) -> None:
    at, done = moment(now), list[str]()
    with referee_of(context) as referee:
        acts, act = referee.parts.acts, referee.moderator.act
        if back:
            done = act(lambda unit: acts.turn_back(unit, at, why))
        if right:
            act(lambda unit: unit.set_clock(unit.clock()._replace(witness=None)))
        known = act(lambda unit: unit.clock())
    witness = doubt.witness_of(known)
    moments = {"machine": doubt.reading().at, "last_pass": known.last_pass, "read_to": known.watermark}
    facts = {name: each and stamp(each) for name, each in moments.items()}
    facts["doubt"] = witness.doubt if witness else ""
    if json:
        out_json({**facts, "set_back": done})
        return
    for name, told in (*facts.items(), *((name, "what time alone had done is void") for name in done)):
        out(f"{name.replace('_', ' ')}: {told or 'none'}")
