"""`record`, `verify`; `read`: what the referee understands of a mail, and what it would answer; `letters`: what was
written in a match, as private pages; `site` and `serve`: the public archive, written and shown."""

import secrets
import signal
import tempfile
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path

import typer

from referee.base import shipped
from referee.base.errors import UNFORESEEN, CannotDo
from referee.cli import app
from referee.core.texts.bounded import BadData, read_json
from referee.draw import draw_text
from referee.games import found
from referee.match.record.public import public_record, record_json, sgf_of
from referee.match.record.text import HEAD as TEXT_HEAD
from referee.match.record.text import text_record
from referee.match.record.verifying import verified
from referee.offices.passes import Deadly
from referee.offices.register import Facts
from referee.service import supervisor
from referee.service.wiring import Referee
from referee.site.letterbox import write_front
from referee.site.publish import FromRecords
from referee.site.serving import Serving

IS_TEXT = (
    "this is a record as text, which has no chain: verify the one that `record MATCH --format json` writes"
)


def record_of(file: Path) -> tuple[Facts, tuple[str, ...]]:
    """A record (empty where it is none), and what is wrong with it; without faults it verifies.
    Raises CannotDo where the file can't be read, OSError where there is none."""
    try:
        text = shipped.text_of(file, shipped.LARGEST_RECORD)
        if text.startswith(TEXT_HEAD):
            return {}, (IS_TEXT,)
        told = read_json(text)
        game = found().get(told.get("game"))
        return told, verified(told, game, shipped.game_options(game.slug) if game else None)
    except shipped.BadFile as error:
        raise CannotDo(str(error)) from None
    except BadData as error:
        return {}, (f"this is no record: {error}",)
    except UNFORESEEN as error:
        words = " ".join(str(error).split())
        return {}, (f"this is no record: {type(error).__name__} {words}"[:300],)


@app.command
def record(
    context: typer.Context,
    match: str = app.MATCH_NAME,
    form: str = app.option("--format", "FORMAT", "json, text or sgf.", "json"),
) -> None:
    with app.referee_of(context) as referee:
        history, now = referee.moderator.history(match), referee.moderator.match(match)
        game = found()[now.game]
        if form == "json":
            app.out(record_json(public_record(game, history)))
        elif form == "text":
            app.out(text_record(game, history, draw_text))
        elif form == "sgf" and (sgf := sgf_of(game, now, history)) is not None:
            app.out(sgf)
        else:
            raise CannotDo(f"{game.title} has no record in the format {form!r}.")


@app.command
def verify(file: Path = app.place("FILE", "A record in JSON, gzip or not."), json: bool = app.JSON) -> None:
    _, faults = record_of(file)
    well = "The chain, seals, draw, answers and all that followed are as they should be."
    app.shown({"well": not faults, "faults": list(faults)}, faults or [well], json=json)
    if faults:
        raise typer.Exit(1)


@app.command
def read(
    context: typer.Context,
    files: list[Path] = app.place("FILE.eml...", "Mails, one a file."),
    as_of: str | None = app.option("--as-of", "TIME", "When it arrives: ISO 8601 with offset or Z."),
    json: bool = app.JSON,
) -> None:
    at = app.moment(as_of)
    supervisor.supervised(forgive=lambda mails: None)
    with app.referee_of(context) as referee:
        readings = [{"file": str(file), **_reading(referee, file, at)} for file in files]
    facts = [{name: value for name, value in each.items() if name != "reason"} for each in readings]
    told = "\n\n".join(map(_told, readings))
    app.shown(facts if len(facts) > 1 else facts[0], [told], json=json)


def _told(reading: Facts) -> str:
    """A reading for a person: the envelope as a table, then the words, what was left out, and the faults."""
    seat = f"seat {reading['seat']}" if reading["seat"] else None
    envelope = {
        "From": reading["sender"] or "nobody who can be told",
        "Evidence": reading["evidence"],
        "Subject": reading["subject"] or "none",
        "About": ", ".join(filter(None, (reading["match"], seat, reading["demand"]))) or "no match",
        "Verdict": reading["disposition"] + (f" ({reading['reason']})" if reading["reason"] else ""),
        "Answer": reading["answer"] or "none",
    }
    lines = [reading["file"], *(f"  {name:<9}{value}" for name, value in envelope.items())]
    if reading["text"]:
        lines += ["", "  The sender's own words:", *(f"    {line}" for line in reading["text"].splitlines())]
    if reading["left_out"]:
        counted = ((part["what"], part["lines"]) for part in reading["left_out"])
        parts = (f"{what} ({n} line{'' if n == 1 else 's'})" if n else str(what) for what, n in counted)
        lines += ["", f"  Left out: {', '.join(parts)}."]
    if reading["complaints"]:
        complaints = list[str]()
        for told in reading["complaints"]:
            where = f"line {told['line']['number']}, " if told["line"] else ""
            complaints.append(f"{where}rule {told['rule']}: {told['says']}")
            complaints += [f"  {told['mend']}"] * bool(told["mend"])
        lines += ["", "  What is wrong with it:", *(f"    {line}" for line in complaints)]
    return "\n".join(line.rstrip() for line in lines)


def _reading(referee: Referee, file: Path, at: datetime) -> Facts:
    try:
        raw = file.read_bytes()
    except OSError as error:
        raise CannotDo(f"{file}: it can't be read: {error.strerror}") from None
    slate, name = supervisor.slate, str(file)
    if slate is not None and name in slate.crashed:
        return referee.inquiry.given_up(Deadly("the process ended while this mail was looked at"))
    return referee.inquiry.read(raw, at, name)


@app.command
def letters(
    context: typer.Context,
    match: str = app.MATCH_NAME,
    folder: Path | None = app.place("[DIR]", "Where to put the pages; letters/MATCH without it.", None),
    seat: int | None = app.numeric("--seat", "Only the letters to this seat."),
) -> None:
    """They are private: files for their owner alone, no part of the public archive."""
    with app.referee_of(context) as referee:
        known = referee.moderator.match(match)
        if seat is not None and seat not in known.numbers:
            raise CannotDo(f"{match} has no seat {seat}.")
        into = folder or referee.located.folder / "letters" / (f"{match}-{seat}" if seat else match)
        if any((parent / "index/made").exists() for parent in (into.resolve(), *into.resolve().parents)):
            raise CannotDo(
                f"{into} lies in a site, which is public; letters are private: name another folder."
            )
        page, count = referee.write_letters(match, into, seat)
    app.out(f"{page}: {count} letter{'' if count == 1 else 's'}.")


# --- the archive


@app.command
def site(
    context: typer.Context,
    folder: Path = app.place("DIR", "Where to put it."),
    record: list[Path] | None = app.option(
        "--record", "FILE", "Instead of the matches here, those of records in JSON."
    ),
) -> None:
    with app.referee_of(context) as referee:
        ledgers = FromRecords(_verified(record), referee.games) if record else None
        count = referee.publish(folder, ledgers)
    app.out(f"{folder / 'index.html'}: {count} match{'' if count == 1 else 'es'}.")


@app.command
def serve(
    context: typer.Context, port: int = app.numeric("--port", "0 takes any that is free.", 8000, 0, 65535)
) -> None:
    """The world is served by any static host. The letters stand at an address that nobody guesses: other accounts
    of the machine can ask as well."""
    with ExitStack() as stack:
        gone = (tempfile.TemporaryDirectory(prefix=f"referee-{what}-") for what in ("site", "letters"))
        site, letters = (Path(stack.enter_context(folder)) for folder in gone)
        parts = []
        with app.referee_of(context) as referee:
            site = referee.site or site
            referee.publish(site)
            for match in referee.moderator.matches():
                _, count = referee.write_letters(match.name, letters / match.name)
                told = f"{count} letter{'' if count == 1 else 's'}"
                parts.append((f"{match.name}/index.html", match.name, told))
            write_front(letters, "Letters", parts, shipped.folders("templates", referee.located.folder))
        hidden = f"letters-{secrets.token_urlsafe(16)}"
        server = stack.enter_context(Serving({"": site, hidden: letters}, port))
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        app.out(f"{server.address} shows the archive until you press Ctrl-C.")
        app.out(f"{server.address}{hidden}/ shows the letters, which are private.")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            app.out("")


def _verified(files: list[Path]) -> list[Facts]:
    """The records in files, each of which must verify."""
    found = []
    for file in files:
        record, faults = record_of(file)
        if faults:
            raise CannotDo(f"{file} does not verify: {faults[0]}")
        found.append(record)
    names = [record["match"] for record in found]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise CannotDo(f"there are several records of {', '.join(twice)}: give one of each match")
    return found
