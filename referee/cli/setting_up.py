"""`init`, `doctor`, `games`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated

import typer

from referee import shipped
from referee.cli import trust
from referee.cli.app import located, out, out_json, referee_of
from referee.cli.arguments import Json
from referee.cli.command_line import app
from referee.doctor import colliding, engine_health, exposed_files, replies_lost, vouched_for
from referee.errors import CannotDo, WrongUsage
from referee.games import found
from referee.offices.facts import Facts
from referee.private import private_folder, write_private
from referee.store.engine import NewerTables, OlderAtWork, OlderTables, OtherSecret, Unreleased, WrongEncoding
from referee.wiring import STORE_TROUBLE, EngineMissing, Referee


@app.command()
def init(
    folder: Annotated[
        Path, typer.Argument(metavar="[DIR]", help="The folder; this one without it.")
    ] = Path(),
    provider: Annotated[
        str | None,
        typer.Option(
            "--provider",
            metavar="NAME",
            help="Whose mailbox it will be: gmail, icloud, fastmail, own, other; none for trying things out.",
        ),
    ] = None,
    user: Annotated[str, typer.Option("--user", metavar="NAME", help="The mailbox's user name there.")] = "",
    host: Annotated[
        str, typer.Option("--host", metavar="HOST", help="The mail server's name, for `own` and `other`.")
    ] = "",
    workers: Annotated[
        bool,
        typer.Option(
            "--workers", help="For several workers on one PostgreSQL, instead of one desk on SQLite."
        ),
    ] = False,
) -> None:
    """Write a commented referee.toml that works at once, and the folders it names. On a terminal it asks whose mailbox
    it will be, since a provider's servers can say who sent a mail."""
    target = folder / "referee.toml"
    if target.exists():
        raise CannotDo(f"{target} is there already; it was left as it is.")
    text = _chosen(shipped.read("config", "referee.toml"), provider, user, host)
    if workers:
        text = _for_workers(text)
    for box in ("in", "out"):
        for part in ("tmp", "new", "cur"):
            private_folder(folder / "mail" / box / part)
    write_private(target, text)
    out(f"{target} is written. Mails come in at {folder / 'mail/in'} and go out at {folder / 'mail/out'}.")
    if workers:
        out(
            "Now name the database in [store] url; `referee doctor` tells whether it answers, `referee worker` starts."
        )


_WORKERS = """\
# For several workers. Each machine has this file, and the same secret: copy the file that ends in .secret (it is made
# beside this one with the first command), or set REFEREE_SECRET to the same on each. A Maildir and [site] folder are
# read and written by the machine that has them; with IMAP and SMTP the machines need nothing in common but PostgreSQL:
#     createuser --pwprompt referee && createdb --owner referee --encoding UTF8 --template template0 referee
"""


def _for_workers(text: str) -> str:
    """The configuration for several workers on one PostgreSQL."""
    lines = text.splitlines()

    def put(start: str, *instead: str) -> None:
        at = next(number for number, line in enumerate(lines) if line.startswith(start))
        lines[at : at + 1] = instead

    put(
        'url = "sqlite:',
        'url = "postgresql+psycopg://referee@localhost/referee"    # or sqlite:///FILE for one desk',
    )
    at = next(number for number, line in enumerate(lines) if line.startswith('kind = "inline"'))
    lines[at] = lines[at].replace('"inline"       ', '"procrastinate"')
    return "\n".join([lines[0], *_WORKERS.splitlines(), *lines[1:]]) + "\n"


def _chosen(text: str, name: str | None, user: str, host: str) -> str:
    """The configuration for the provider that is named, or that somebody at a terminal names; else as it is."""
    known = trust.providers()
    if name is None and sys.stdin.isatty() and sys.stdout.isatty():
        rows = [f"  {one.name}: {one.title}" for one in known.values()]
        out(
            "\n".join(
                [
                    "Whose mailbox will the referee read?",
                    *rows,
                    f"  {trust.NONE}: none yet, mails come by Maildir",
                ]
            )
        )
        name = typer.prompt("Provider", default=trust.NONE).strip().lower()
        if name in known and not user:
            user = typer.prompt("The mailbox's user name there", default="", show_default=False).strip()
        if name in known and known[name].needs_host and not host:
            host = typer.prompt("The mail server's name", default="", show_default=False).strip()
    if name in (None, trust.NONE):
        return text
    if name not in known:
        raise WrongUsage(f"there is no provider {name!r}. There are: {', '.join((*known, trust.NONE))}")
    if host and not trust.is_host(host):
        raise WrongUsage(f"{host!r} is no name of a mail server such as mx.example.org")
    return trust.written_for(text, known[name], user, host)


@app.command()
def doctor(context: typer.Context, json: Json = False) -> None:
    """Check the configuration, the mailbox, the courier and the store, and with real servers whether replies arrive and
    senders are vouched for; say how to mend what is wrong, and what a forger of From could do."""
    faults: list[dict[str, str]] = []
    notes: list[str] = []
    broken = False  # nothing can be asked of the store
    health: dict[str, object] = {}
    at_work: list[str] = []

    def vouched() -> tuple[str, ...]:
        if any(fault["part"] == "store" for fault in faults):
            return ()  # the mails are there
        wrong, worth_knowing = vouched_for(referee)
        notes.extend(worth_knowing)
        return wrong

    def engine(referee: Referee) -> Iterable[str]:
        found = engine_health(referee)
        if found is None:
            return ()
        health.update(found.facts())
        at_work.extend(found.notes())
        return found.faults()

    with referee_of(context) as referee:
        checks: tuple[tuple[str, Callable[[], Iterable[str]]], ...] = (
            ("store", lambda: referee.store.examine()),
            ("matches", lambda: () if faults else referee.moderator.unfoldable()),
            ("mailbox", lambda: referee.mailbox.examine()),
            ("courier", lambda: referee.courier.examine()),
            ("engine", lambda: () if faults else engine(referee)),
            ("files", lambda: exposed_files(referee)),
            ("addresses", lambda: () if faults else colliding(referee)),
            ("senders", vouched),
            ("replies", lambda: () if faults else replies_lost(referee)),
        )
        for part, check in checks:
            try:
                faults += [{"part": part, "fault": fault} for fault in check()]
            except STORE_TROUBLE as error:
                words = " ".join(str(getattr(error, "orig", None) or error).split())
                faults.append({"part": part, "fault": f"{words} Check [store] url and the password."})
            except WrongEncoding as error:
                faults.append({"part": "store", "fault": str(error)})
            except (EngineMissing, OtherSecret, NewerTables, Unreleased, OlderAtWork, OlderTables) as error:
                faults.append({"part": "engine", "fault": str(error)})
                broken = True
            except (ValueError, OSError) as error:
                faults.append({"part": part, "fault": str(error)})
        well = not broken and not any(f["part"] == "store" for f in faults)
        aside = referee.moderator.put_aside() if well else []
        undelivered = referee.moderator.undelivered() if well else []
        stuck = referee.moderator.stuck() if well else []
        notes = [*trust.forger(referee.located.settings), *notes]
    if json:
        out_json(
            {
                "well": not faults,
                "faults": faults,
                "put_aside": [m.id for m in aside],
                "stuck": stuck,
                "senders": notes,
                **({"engine": health} if health else {}),
                "undelivered": [{"kind": x.kind, "match": x.match, "note": x.note} for x in undelivered],
            }
        )
    else:
        for fault in faults:
            out(f"{fault['part']}: {fault['fault']}")
        for mail in aside:
            reason = (mail.reason or "").strip().splitlines()
            out(
                f"{mail.verdict} mail no. {mail.id} from {mail.sender or 'nobody'}: {reason[-1] if reason else ''}"
            )
        for name in stuck:
            out(
                f"{name}: the referee found no answer of its own; `referee unshunt {name}` lets it try again."
            )
        for letter in undelivered:
            out(
                f"undelivered letter ({letter.kind}, {letter.match or 'no match'}) to {letter.recipient}: {letter.note}"
            )
        for note in at_work:
            out(f"engine: {note}")
        for note in notes:
            out(f"senders: {note}")
        waiting = len(aside) + len(stuck) + len(undelivered)
        if waiting and not faults:
            out(
                f"Configuration, store, mailbox and courier work; {waiting} "
                f"{'thing waits' if waiting == 1 else 'things wait'} for you, as said above."
            )
        elif not faults:
            out("All is well: configuration, store, mailbox and courier.")
    if faults:
        raise typer.Exit(1)


@app.command()
def games(
    context: typer.Context,
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Only this game.")] = None,
    piece: Annotated[
        str | None,
        typer.Option("--piece", metavar="NAME", help="Draw a piece's moves and captures (Fourplay)."),
    ] = None,
    json: Json = False,
) -> None:
    """The games known, their options and defaults."""
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
                {
                    "name": o.name,
                    "default": o.default,
                    "allowed": o.allowed(),
                    "help": o.help,
                    "rule": o.rule,
                    "amend": o.amend,
                }
                for o in shipped.game_options(slug, beside, zone)
            ],
        }
        for slug, g in chosen.items()
    ]
    if json:
        out_json(facts)
        return
    for row in facts:
        out(f"{row['game']}: {' / '.join(row['titles'])}")
        for option in row["options"]:
            out(f"  {option['name']} = {option['default'] or '(none)'}")
            out(f"      {option['help']}")
            amendable = " `amend` may change it while a match runs." if option["amend"] else ""
            out(f"      May be: {option['allowed']}.{amendable}")


def _draw_piece(game: str | None, piece: str, beside: Path | None) -> None:
    from referee.core.capabilities import DrawsPieces
    from referee.drawing import draw_text

    if game is None:
        raise WrongUsage("say which game's piece: referee games fourplay --piece NAME")
    pieces = found()[game]
    if not isinstance(pieces, DrawsPieces):
        raise CannotDo(f"{game} has no pieces to draw.")
    data = shipped.game_data(game, beside)
    if faults := pieces.piece_faults(data):
        raise CannotDo(*faults)
    diagrams = pieces.piece_diagrams(data, piece)
    if not diagrams:
        raise CannotDo(f"There is no piece {piece!r} in {game}.")
    out("\n".join(draw_text(diagram) for diagram in diagrams))
