"""One file that holds a referee: store, secret, configuration, and the mails that lie in its folder. It is made while
the desk is at work, and is what the store was at one moment.

It is a tar file, packed by gzip: `backup.json` says what it is; `store` is a file of SQLite, or what pg_dump writes in
its custom format; `secret` in hexadecimal; below `folder/` stands what the referee's folder had.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import sqlite3
import subprocess
import tarfile
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Literal

import sqlalchemy as sa

from referee.base.errors import CannotDo
from referee.base.private import FILE
from referee.post.carrying.transports import folder_of
from referee.service.wiring import Referee
from referee.store.engine import bounds, revisions

FORMAT = "referee backup 1"
MTIME = "REFEREE.mtime_ns"  # a mail's time of arrival: to the nanosecond its mailbox knows it by it
_ASIDE = ".referee-backup-"  # begins the name of the folder in which a backup is put together
_LONGEST = 6 * 3600.0  # seconds that a program of PostgreSQL may take
_BESIDE = ("config", "templates")  # the moderator's own files


@dataclass(frozen=True, slots=True)
class Manifest:
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
        manifest = Manifest(version("referee"), revisions()[-1], kind, now, read_to, str(folder))
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
    """One of PostgreSQL's own programs, on a database; the password is told where no other account reads it. Raises
    CannotDo."""
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
    """The files of the referee's folder that belong to it, by their names from there. Of a Maildir `new` comes first:
    a mail that is put away meanwhile is met twice, not missed."""
    folder, settings = referee.located.folder, referee.settings
    yield "referee.toml", configuration
    urls = (settings.mailbox.url, settings.courier.url)
    boxes = [folder_of(url, folder) for url in urls if url.startswith("maildir:")]
    places = [*(folder / name for name in _BESIDE), *(box / part for box in boxes for part in ("new", "cur"))]
    for place in places:
        if place.is_relative_to(folder):
            yield from ((str(path.relative_to(folder)), path) for path in _files(place))


def _files(place: Path) -> Sequence[Path]:
    return sorted(path for path in place.rglob("*") if path.is_file())


def _add(tar: tarfile.TarFile, name: str, content: Path | bytes) -> None:
    """A member, for its owner alone; a file that has just been put elsewhere is met there."""
    entry = tarfile.TarInfo(name)
    entry.mode = FILE
    if isinstance(content, bytes):
        entry.size = len(content)
        tar.addfile(entry, io.BytesIO(content))
        return
    try:
        file = content.open("rb")
    except FileNotFoundError:
        return
    with file:
        status = os.fstat(file.fileno())
        entry.size, entry.mtime = status.st_size, int(status.st_mtime)
        entry.pax_headers = {MTIME: str(status.st_mtime_ns)}
        tar.addfile(entry, file)
