"""`backup`, `restore`, `export`, `forget`, `check`, `clock`, `upgrade`: to keep a referee well."""

import sys
from pathlib import Path

import typer

from referee.base.errors import CannotDo
from referee.cli.app import JSON, NOW, at_desk, command, flag, moment, option, out, place, referee_of, shown
from referee.match.chain import stamp
from referee.moderation.verbs import WHY
from referee.offices.clock import doubt


@command
def backup(context: typer.Context, file: Path = place("FILE", "The backup.")) -> None:
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
    file: Path = place("FILE", "The backup."),
    folder: Path | None = place("[DIR]", "An empty folder; that of --config without it.", None),
    json: bool = JSON,
) -> None:
    """A referee.toml that stands there is taken in place of the backup's: PostgreSQL is restored
    into an empty database, and that one names it.

    Mails that were put away since the backup are read again by the next pass. The letters that had
    not left are named; none leaves before that pass."""
    from referee.upkeep.backup import restored

    into = folder or context.obj.parent
    done = restored(file, into)
    facts = {"made": done.manifest.at, "folder": str(into), "mails": done.again, "letters": done.letters}
    left = "had not left when the backup was made: {kind} of {match} to {to}: {subject} {message_id}"
    lines = [left.format(**letter | {"match": letter["match"] or "no match"}) for letter in done.letters]
    sent = "no letter is sent again"
    if done.again or done.letters:
        sent = "of what these call for, and of the letters named, what has left since leaves once more, by the same id"
    lines += [
        f"{into} holds the referee as it was at {done.manifest.at}.",
        f"The next step reads {done.again} mails again that came or were put away since; {sent}.",
        "Commands given since are to be given again.",
    ]
    shown(facts, lines, json=json)


ADDRESS = place("ADDRESS", "One of his addresses.")


@command
def export(
    context: typer.Context,
    address: str = ADDRESS,
    file: Path = place("FILE", "A ZIP archive is written there."),
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
    address: str = ADDRESS,
    yes: bool = flag("--yes", "Do it without asking."),
    check: bool = flag("--check", "Only tell what would be done."),
    now: str | None = NOW,
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
            undone = "nothing is changed. No command undoes it: it is done with --yes."
            raise CannotDo(f"{told} tell of {whose}; {undone}")
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
    mend: bool = flag("--mend", "Write anew what the ledgers tell otherwise."),
    json: bool = JSON,
) -> None:
    """It may be done while the desk is at work. With --mend, what the ledgers tell otherwise is written anew."""
    from referee.upkeep.checking import checked

    with referee_of(context) as referee:
        matches, faults = checked(referee, mend=mend)
    left = [fault for fault in faults if not (mend and fault.mendable)]
    told = [{"match": f.match, "fault": f.words, "remedy": f.remedy, "mended": f not in left} for f in faults]
    lines = [
        f"{f.match + ': ' if f.match else ''}{f.words}; {f.remedy if f in left else 'it is mended'}."
        for f in faults
    ]
    if not left:
        lines.append(
            f"All is well: {matches} match{'' if matches == 1 else 'es'} and what is kept of them agree."
        )
    shown({"well": not left, "matches": matches, "faults": told}, lines, json=json)
    if left:
        raise typer.Exit(1)


@command
def upgrade(
    context: typer.Context,
    check: bool = flag("--check", "Only judge and tell; nothing is changed."),
    why: str = option("--why", "TEXT", "Why it is right all the same; without it differences end it.", ""),
    json: bool = JSON,
) -> None:
    """Each match is named that would stand, or would have been judged, otherwise than it was.
    Nothing of a sealed answer is told."""
    from referee.upkeep.checking import upgraded

    with referee_of(context) as referee:
        done = upgraded(referee, carry_out=not check, all_the_same=bool(why.strip()))
    lines = [f"{one.match}: {one.what}: {one.words}." for one in done.differences]
    shown(done.facts(), [*lines, done.sentence()], json=json)
    if done.differences and not why.strip():
        raise typer.Exit(1)


@command
def clock_(
    context: typer.Context,
    back: bool = flag("--back", "Passes ran ahead: void what time did."),
    right: bool = flag("--right", "The machine's clock is right."),
    why: str = option("--why", "TEXT", WHY.help, "The referee's clock had run ahead."),
    now: str | None = NOW,
    json: bool = JSON,
) -> None:
    at, done = moment(now), list[str]()
    with referee_of(context) as referee:
        acts, act = referee.parts.acts, referee.moderator.act
        here = act(lambda unit: unit.by_its_clock(doubt.reading()).at)
        if back:
            done = act(lambda unit: acts.turn_back(unit, at if now else here, why))
        if right:
            act(lambda unit: unit.set_clock(doubt.right(unit.clock(), here)))
        known = act(lambda unit: unit.clock())
    witness = doubt.witness_of(known)
    moments = {"machine": here, "last_pass": known.last_pass, "read_to": known.watermark}
    facts = {name: each and stamp(each) for name, each in moments.items()}
    facts["doubt"] = witness.doubt if witness else ""
    told = *facts.items(), *((name, "what time alone had done is void") for name in done)
    lines = (f"{name.replace('_', ' ')}: {words or 'none'}" for name, words in told)
    shown({**facts, "set_back": done}, lines, json=json)
