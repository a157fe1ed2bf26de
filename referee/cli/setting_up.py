"""`init`, `doctor`, `games`, `handover`."""

import sys
from dataclasses import replace
from pathlib import Path

import typer

from referee.base import shipped
from referee.base.errors import CannotDo, WrongUsage
from referee.base.private import private_folder, write_private
from referee.cli.app import JSON, clock, command, flag, located, option, out, place, referee_of, shown
from referee.games import found
from referee.offices.register import Facts
from referee.service import config
from referee.service.config import read_configuration
from referee.store.post import OutgoingLetter
from referee.transport.maildir import make_maildir
from referee.upkeep.doctor import examined

_OPTION = ("name", "default", "allowed", "help", "rule", "amend")
_WHOSE = "Whose mailbox it will be: gmail, icloud, fastmail, outlook; local, own or other; none for a trial."


@command
def init(
    folder: Path = place("[DIR]", "The folder; this one without it.", Path()),
    provider: str | None = option("--provider", "NAME", _WHOSE),
    user: str = option("--user", "NAME", "The mailbox's user name there.", ""),
    host: str = option("--host", "HOST", "The mail server's name, for `own` and `other`.", ""),
    address: str = option("--address", "ADDRESS", "Its mail address, if the user name is none.", ""),
    moderator: str = option("--moderator", "ADDRESS", "Your own address, where alarms go.", ""),
    workers: bool = flag("--workers", "For several workers on one PostgreSQL, not one desk on SQLite."),
) -> None:
    """On a terminal it asks whose mailbox it will be, since a provider's servers can say who sent
    a mail. What it was not told it names at its end."""
    target = folder / "referee.toml"
    if target.exists():
        raise CannotDo(f"{target} is there already; it was left as it is.")
    asked = config.NewMailbox(provider or "", user, host, address, moderator)
    if provider is None and sys.stdin.isatty() and sys.stdout.isatty():
        asked = _asked_at_terminal(asked)
    if faults := asked.faults():
        raise WrongUsage(*faults)
    text = asked.written(shipped.read("config", "referee.toml"))
    private_folder(folder)
    write_private(target, config.for_workers(text) if workers else text)
    written = read_configuration(target)
    for box in written.maildirs:
        make_maildir(box)
    at_work = written.at_work()
    out(
        f"{target} is written. Mails come in at {_from(folder, at_work['reads'])}, letters go out by "
        f"{_from(folder, at_work['sends_by'])}."
    )
    left = [*asked.left()]
    if workers:
        left.append("[store] url: the database. `referee worker` starts a worker.")
    for what in left:
        out(f"Still to be filled in: {what}")
    if left:
        out(f"`referee --config {target} doctor` says whether all works then.")


def _from(folder: Path, place: str) -> str:
    """A Maildir as it is found from here; a server as it is."""
    return f"{folder / place.removeprefix('maildir:')}" if place.startswith("maildir:") else place


def _asked_at_terminal(known: config.NewMailbox) -> config.NewMailbox:
    """What somebody at the terminal says, an empty line where he does not know it yet."""
    rows = [f"  {one.name}: {one.title}" for one in config.providers().values()]
    none = f"  {config.NONE}: none yet, mails come by Maildir"
    out("\n".join(["Whose mailbox will the referee read?", *rows, none]))

    def answer(question: str, so_far: str = "", *, wanted: bool = True) -> str:
        if so_far or not wanted:
            return so_far
        return str(typer.prompt(question, default="", show_default=False)).strip()

    name = typer.prompt("Provider", default=config.NONE).strip().lower()
    provider = config.providers().get(name)
    if provider is None:
        return replace(known, provider=name)
    user = answer("The mailbox's user name there", known.user, wanted=provider.needs("USER"))
    host = answer("The mail server's name", known.host, wanted=provider.needs("HOST"))
    unnamed = "@" not in user and (bool(user) or not provider.needs("USER"))
    address = answer("The mailbox's mail address", known.address, wanted=unnamed)
    moderator = answer("Your own mail address, where alarms go", known.moderator)
    return config.NewMailbox(name, user, host, address, moderator)


@command
def doctor(context: typer.Context, json: bool = JSON) -> None:
    """With real servers also whether replies arrive and senders are vouched for; it says how to
    mend what is wrong, and what a forger of From could do."""
    with referee_of(context) as referee:
        findings = examined(referee)
        facts, undelivered, stuck = Facts(), list[OutgoingLetter](), list[str]()
        if not findings.broken:  # what waits, was refused for good, or has found no answer of ours
            now = clock(referee)
            with referee.store.transaction() as unit:
                facts, stuck = referee.parts.queue.all_that_waits(unit, now), unit.stuck()
                undelivered = [*unit.letters(state="failed"), *(letter for _, letter in unit.parked())]
        noted = (note for part, note in findings.notes if part == "senders")
        senders = [*config.forger(referee.settings), *noted]
    waiting = {part: len(facts.get(part, ())) for part in _WAIT}
    aside = [(part, mail) for part in ("held", "shunted") for mail in facts.get(part, ())]
    notes = [(part, note) for part, note in findings.notes if part != "senders"]
    document = {
        "well": not findings.faults,
        "faults": [{"part": part, "fault": fault} for part, fault in findings.faults],
        "put_aside": sorted(mail["id"] for _, mail in aside),
        "stuck": stuck,
        "senders": senders,
        "notes": [{"part": part, "note": note} for part, note in notes],
        "waiting": {part: count for part, count in waiting.items() if count},
        **({"engine": findings.health} if findings.health else {}),
        "undelivered": [{"kind": x.kind, "match": x.match, "note": x.note} for x in undelivered],
    }
    lines = [f"{part}: {words}" for part, words in findings.faults]
    for part, mail in aside:  # nothing of one about a match in which the moderator sits
        whose = f" from {mail['from'] or 'nobody'}: {mail['why']}" if "why" in mail else ""
        lines.append(f"{part} mail no. {mail['id']}{whose}")
    unshunt = "{0}: the referee found no answer of its own; `referee unshunt {0}` lets it try again."
    lines += map(unshunt.format, stuck)
    for x in undelivered:
        lines.append(f"undelivered letter ({x.kind}, {x.match or 'no match'}) to {x.recipient}: {x.note}")
    lines += (f"{part}: {note}" for part, note in (*notes, *(("senders", note) for note in senders)))
    counts = {**{_WAIT[part]: count for part, count in waiting.items()}, "undelivered": len(undelivered)}
    if total := sum(counts.values()):
        waits = ", ".join(f"{what} {count}" for what, count in counts.items() if count)
        works = "" if findings.faults else "Configuration, store, mailbox and courier work; "
        things = "thing waits" if total == 1 else "things wait"
        lines.append(f"{works}{total} {things} for you ({waits}); `referee desk` has the commands.")
    elif not findings.faults:
        lines.append("All is well: configuration, store, mailbox and courier.")
    shown(document, lines, json=json)
    if findings.faults:
        raise typer.Exit(1)


_WAIT = {
    "held": "held",
    "shunted": "shunted",
    "questions": "asked by players",
    "failing": "letters that do not arrive",
    "vacant": "vacant seats",
    "stalled": "matches that stand still",
}


@command
def games(
    context: typer.Context,
    game: str | None = place("[GAME]", "Only this game.", None),
    piece: str | None = option("--piece", "NAME", "Draw a piece's moves and captures (Fourplay)."),
    json: bool = JSON,
) -> None:
    here = located(context) if context.obj.exists() else None
    beside, zone = (here.folder, here.settings.referee.timezone) if here else (None, "UTC")
    known = found()
    if game is not None and game not in known:
        raise CannotDo(f"There is no game {game!r}. There are: {', '.join(known)}.")
    if piece is not None:
        _draw_piece(game, piece, beside)
        return
    chosen = {slug: g for slug, g in known.items() if game in (None, slug)}
    from referee.core.seam import headings

    facts: list[Facts] = [
        {
            "game": slug,
            "titles": list(g.titles),
            "headings": list(headings(g)),
            "options": [
                {**{name: getattr(o, name) for name in _OPTION}, "allowed": o.allowed()}
                for o in shipped.game_options(slug, beside, zone)
            ],
        }
        for slug, g in chosen.items()
    ]
    lines = list[str]()
    for row in facts:
        lines.append(f"{row['game']}: {' / '.join(row['titles'])}")
        for spec in row["options"]:
            amendable = " `amend` may change it while a match runs." if spec["amend"] else ""
            lines += [f"  {spec['name']} = {spec['default'] or '(none)'}", f"      {spec['help']}"]
            lines.append(f"      May be: {spec['allowed']}.{amendable}")
    shown(facts, lines, json=json)


def _draw_piece(game: str | None, piece: str, beside: Path | None) -> None:
    from referee.draw import draw_text

    if game is None:
        raise WrongUsage("say which game's piece: referee games fourplay --piece NAME")
    pieces = found()[game]
    data = shipped.game_data(game, beside)
    if faults := pieces.piece_faults(data):
        raise CannotDo(*faults)
    diagrams = pieces.piece_diagrams(data, piece)
    if not diagrams:
        has_some = pieces.drawn_pieces(data)
        raise CannotDo(
            f"There is no piece {piece!r} in {game}." if has_some else f"{game} has no pieces to draw."
        )
    out("\n".join(draw_text(diagram) for diagram in diagrams))
