"""One file that holds a referee: store, secret, configuration, and the mails that lie in its
folder. It is made while the desk is at work, and is what the store was at one moment. It becomes a
referee again in a folder of its own: what the mail server has put away since is read once more;
what may have been sent since is named before anything leaves.

It is a tar file, packed by gzip: `backup.json` says what it is; `store` is a file of SQLite, or
what pg_dump writes in its custom format; `secret` in hexadecimal; below `folder/` stands what the
referee's folder had.
"""

import io
import json
import os
import re
import shutil
import sqlite3
import subprocess
import tarfile
import tempfile
import time
import zlib
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import sqlalchemy as sa

from referee import __version__
from referee.base.errors import UNFORESEEN, CannotDo, RefereeError
from referee.base.ports import MailboxTrouble
from referee.base.private import FILE, private_folder, write_private
from referee.base.settings import Settings
from referee.core.value import Value
from referee.letters.letter import decoded
from referee.service.config import Located, read_configuration
from referee.service.wiring import Referee, running
from referee.store.engine import bounds, connect, revisions
from referee.transport.account import BadAddress
from referee.transport.maildir import make_maildir
from referee.transport.urls import folder_of

FORMAT = "referee backup 1"
MTIME = "REFEREE.mtime_ns"  # a mail's time of arrival: to the nanosecond its mailbox knows it by it
_ASIDE = ".referee-backup-"  # begins the name of the folder in which a backup is put together
_LONGEST = 6 * 3600.0  # seconds that a program of PostgreSQL may take
_BESIDE = ("config", "templates")  # the moderator's own files


class Manifest(Value):
    """What a backup says of itself. `read_to` is how far the mailbox had been read, `folder` where it was made."""

    program: str
    revision: str
    store: Literal["sqlite", "postgresql"]
    at: str
    read_to: str | None
    folder: str
    format: str = FORMAT


def backed_up(referee: Referee, configuration: Path, into: Path) -> Manifest:
    """Write the backup; what stood there before is replaced once it is whole. Raises CannotDo."""
    folder = referee.located.folder
    with referee.store.transaction() as unit:
        watermark = unit.clock().watermark
    read_to = watermark.isoformat() if watermark else None
    for left in into.absolute().parent.glob(f"{_ASIDE}*"):  # by one that was killed: they would fill the disk
        if time.time() - left.stat().st_mtime > 86400:  # none is at work in it any more
            shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=into.absolute().parent, prefix=_ASIDE) as aside:
        store, whole = Path(aside) / "store", Path(aside) / "whole"
        kind = _dump(sa.make_url(referee.database), store)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        manifest = Manifest(__version__, revisions()[-1], kind, now, read_to, str(folder))
        with tarfile.open(whole, "w:gz") as tar:
            _add(tar, "backup.json", json.dumps(asdict(manifest), indent=1).encode())
            _add(tar, "store", store)
            _add(tar, "secret", referee.store.secret().hex().encode())
            for name, path in _beside(referee, configuration):
                _add(tar, f"folder/{name}", path)
        os.chmod(whole, FILE)
        os.replace(whole, into)
    return manifest


def _dump(url: sa.URL, into: Path) -> Literal["sqlite", "postgresql"]:
    if url.drivername.startswith("sqlite"):
        with closing(sqlite3.connect(str(url.database))) as source, closing(sqlite3.connect(into)) as copy:
            source.backup(copy)  # in one go: a pass that writes meanwhile neither waits nor shows
        return "sqlite"
    postgres("pg_dump", url, "--format=custom", "--no-owner", "--lock-wait-timeout=300000", f"--file={into}")
    return "postgresql"


def postgres(program: str, url: sa.URL, *arguments: str) -> None:
    """One of PostgreSQL's own programs, on a database; the password is told where no other account
    reads it. Raises CannotDo."""
    ours = {name: str(value) for name, value in bounds().items() if name != "options"}
    url = url.set(drivername="postgresql").update_query_dict(ours)
    where = url.set(password=None).render_as_string()
    environment = {**os.environ, **({"PGPASSWORD": str(url.password)} if url.password else {})}
    try:
        command = [program, *arguments, f"--dbname={where}"]
        subprocess.run(command, env=environment, check=True, capture_output=True, text=True, timeout=_LONGEST)
    except FileNotFoundError:
        raise CannotDo(f"{program} is not installed here: `apt-get install postgresql-client`.") from None
    except subprocess.TimeoutExpired:
        raise CannotDo(f"{program} came to no end within {_LONGEST / 3600:.0f} hours.") from None
    except subprocess.CalledProcessError as error:
        raise CannotDo(f"{program}: {error.stderr.strip() or error.returncode}") from None


def _beside(referee: Referee, configuration: Path) -> Iterator[tuple[str, Path]]:
    """The files of the referee's folder that belong to it, by their names from there. Of a Maildir
    `new` comes first: a mail that is put away meanwhile is met twice, not missed."""
    folder, settings = referee.located.folder, referee.settings
    yield "referee.toml", configuration
    boxes = (box / part for box in referee.located.maildirs for part in ("new", "cur"))
    places = [*(folder / name for name in _BESIDE), *boxes]
    found = [path for place in places for path in sorted(place.rglob("*"))]
    for path in (*map(folder.joinpath, named_files(settings)), *found):
        name = os.path.relpath(path, folder)
        if path.is_file() and is_inside(path, folder) and not name.startswith(".."):
            yield name, path


def named_files(settings: Settings) -> list[str]:
    """What the configuration names that may be a file beside it; of a command each word, in whatever quotes."""
    sections = (settings.mailbox, settings.courier, settings.store)
    commands = [getattr(s, f"{key}_command", None) or "" for s in sections for key in ("password", "token")]
    words = [word for command in commands for word in re.split(r"[\s'\"=;|<>()]+", command)]
    named = (*(s.ca for s in sections), *words, settings.site.picture)
    return list(dict.fromkeys(filter(None, named)))


def is_inside(path: Path, folder: Path) -> bool:
    """Whether it lies there, wherever links lead."""
    return path.resolve().is_relative_to(folder.resolve())


def _add(tar: tarfile.TarFile, name: str, content: Path | bytes) -> None:
    """A member, for its owner alone; a file that has just been put elsewhere is met there."""
    entry = tarfile.TarInfo(name)
    entry.mode = FILE
    if isinstance(content, bytes):
        entry.size = len(content)
        tar.addfile(entry, io.BytesIO(content))
        return
    with suppress(FileNotFoundError), content.open("rb") as file:
        status = os.fstat(file.fileno())
        entry.size, entry.mtime = status.st_size, int(status.st_mtime)
        entry.pax_headers = {MTIME: str(status.st_mtime_ns)}
        tar.addfile(entry, file)


# What is raised by a file that is no backup, or by one that somebody made up.
_UNREADABLE = (tarfile.TarError, zlib.error, EOFError, *UNFORESEEN)
_NAMED = ("kind", "match", "to", "subject", "message_id")  # of a letter that had not left


class Restored(Value):
    """`again` are mails that were put away since the backup, and will be read once more; `letters`
    had not left when it was made, and may have left since."""

    manifest: Manifest
    again: int
    letters: list[dict[str, str | None]]


def restored(file: Path, into: Path) -> Restored:
    """The referee of a backup in an empty folder; a `referee.toml` may stand there, which is taken in place of its own.
    Raises CannotDo, and leaves the folder as it was where the backup is none."""
    there = sorted(path.name for path in into.iterdir()) if into.is_dir() else []
    if [name for name in there if name != "referee.toml"]:
        raise CannotDo(
            f"{into} is not empty: {', '.join(there[:3])}. Name a folder that is, or is not there yet."
        )
    try:
        with tarfile.open(file, "r:gz") as tar:
            return _restored(tar, into)
    except BaseException as error:
        for path in into.iterdir() if into.is_dir() else ():
            if path.name not in there:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        if isinstance(error, _UNREADABLE) and not isinstance(error, RefereeError):
            raise CannotDo(f"{file} is no backup of a referee: {error}") from None
        raise


def _restored(tar: tarfile.TarFile, into: Path) -> Restored:
    said = tar.extractfile("backup.json")
    if said is None:
        raise ValueError("its backup.json is no file")
    manifest = Manifest(**json.load(said))
    if manifest.format != FORMAT or manifest.revision != revisions()[-1]:
        raise CannotDo(
            f"The backup is of version {manifest.program}, whose tables are not this version's: restore it with that "
            "one, then `referee upgrade`."
        )
    private_folder(into)
    for member in tar.getmembers():
        _unpack(tar, member, into)
    located = read_configuration(into / "referee.toml")
    with running(located) as referee:
        path = referee.store_file
        # a mailbox elsewhere is found there, or not at all
        if path is not None and not is_inside(path, into):
            raise CannotDo(
                f"[store] url names {path}, which is outside of {into}, where nothing is written. Put a referee.toml "
                "that names another into the folder, and restore there."
            )
        _put_secret(referee, into / ".secret")
        _put_store(referee, into / ".store", manifest)
        for box in located.maildirs:
            if is_inside(box, into):
                make_maildir(box)
        fresh = _fetch_from(Path(manifest.folder), located)
        again = fresh + _recalled(referee, manifest)
        with referee.store.transaction() as unit:
            waiting = unit.unsent(datetime.max.replace(tzinfo=UTC), 1_000_000)
        rows = ((x.kind, x.match, x.recipient, decoded(x).head.subject, x.message_id) for x in waiting)
        letters = [dict(zip(_NAMED, row, strict=True)) for row in rows]
        return Restored(manifest, again, letters)


def _unpack(tar: tarfile.TarFile, member: tarfile.TarInfo, into: Path) -> None:
    """A file of the referee's folder to its place; store and secret aside. Raises ValueError where
    it would leave the folder, or is no file."""
    if member.name == "backup.json":
        return
    name = member.name.removeprefix("folder/") if member.name.startswith("folder/") else f".{member.name}"
    place = (into / name).resolve()
    if not member.isreg() or not place.is_relative_to(into.resolve()):
        raise ValueError(f"{member.name!r} is none of its files")
    if place.exists():
        return  # the configuration that was there
    private_folder(place.parent)
    content = tar.extractfile(member)
    assert content is not None
    with place.open("xb") as file:
        place.chmod(FILE)
        shutil.copyfileobj(content, file)
    if MTIME in member.pax_headers:
        at = int(member.pax_headers[MTIME])
        os.utime(place, ns=(at, at))


def _put_store(referee: Referee, dump: Path, manifest: Manifest) -> None:
    """Into the store that the configuration names, which must be empty and of the same kind."""
    url, path = sa.make_url(referee.database), referee.store_file
    kind = "postgresql" if path is None else "sqlite"
    if kind != manifest.store:
        raise CannotDo(f"The backup holds a store of {manifest.store}, and [store] url names one of {kind}.")
    if path is not None:
        if path.stat().st_size:
            raise CannotDo(f"{path} is there already, and is left as it is: name another [store] url.")
        os.replace(dump, path)
        return
    engine = connect(referee.database)
    tables = sa.inspect(engine).get_table_names()
    engine.dispose()
    if tables:
        raise CannotDo(
            f"The database {url.database} is not empty, and is left as it is. Make another, put a referee.toml that "
            "names it into the folder, and restore there."
        )
    postgres("pg_restore", url, "--no-owner", "--exit-on-error", "--single-transaction", str(dump))
    dump.unlink()


def _put_secret(referee: Referee, kept: Path) -> None:
    """Beside the store. Another one in the environment would make other seals and draws."""
    secret, own = kept.read_text().strip(), os.environ.get("REFEREE_SECRET")
    kept.unlink()
    if own is not None and own.encode().hex() != secret:
        raise CannotDo(
            "REFEREE_SECRET is not the secret that the backup was made with: unset it, or set that one."
        )
    private_folder(referee.secret_path.parent)
    write_private(referee.secret_path, f"{secret}\n")


def _fetch_from(old: Path, located: Located) -> int:
    """A Maildir inside the old folder, if it is there still, is where mails came in since: what it
    got is taken from there too. How many of these nobody had read."""
    url, folder = located.settings.mailbox.url, located.folder
    inside = url.startswith("maildir:") and is_inside(folder_of(url, folder), folder)
    if not inside or folder_of(url, old) == folder_of(url, folder):
        return 0
    source, box, fresh = folder_of(url, old), folder_of(url, folder), 0
    known = {path.name.partition(":2,")[0] for part in ("new", "cur") for path in (box / part).glob("*")}
    for part in ("new", "cur"):
        for mail in (source / part).glob("*"):
            if mail.name.partition(":2,")[0] not in known:
                shutil.copy2(mail, box / part / mail.name)  # with its time, that of its arrival
                fresh += part == "new"
    return fresh


def _recalled(referee: Referee, manifest: Manifest) -> int:
    since = datetime.fromisoformat(manifest.read_to) if manifest.read_to else datetime(1970, 1, 2, tzinfo=UTC)
    try:
        with closing(referee.another_mailbox()) as mailbox:
            return mailbox.recall(referee.store.known, since)
    except (BadAddress, MailboxTrouble) as error:
        raise CannotDo(
            f"{error} Without the mailbox nothing is restored: what it put away since must be read again. A "
            "referee.toml that stands in the folder is taken in place of the backup's."
        ) from error
