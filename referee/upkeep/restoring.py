"""A backup becomes a referee again, in a folder of its own. What the mail server has put away since is read once more;
what may have been sent since is named before anything leaves."""

from __future__ import annotations

import json
import os
import shutil
import tarfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import sqlalchemy as sa

from referee.base.errors import CannotDo, RefereeError
from referee.base.private import FILE, private_folder, write_private
from referee.offices.outgoing.letters import decoded
from referee.offices.ports.transport import MailboxTrouble
from referee.post.carrying.credentials import BadAddress
from referee.post.carrying.transports import folder_of, make_maildirs
from referee.service.config import Located, read_configuration
from referee.service.wiring import Referee, running
from referee.store.engine import connect, revisions
from referee.store.outbox import OutgoingLetter
from referee.upkeep.backup import FORMAT, MTIME, Manifest, postgres

_ALL = 1_000_000
_UNREADABLE = (
    *(tarfile.TarError, zlib.error, EOFError, LookupError, ValueError, TypeError),
    *(ArithmeticError, RecursionError),
)
"""What is raised by a file that is no backup, or by one that somebody made up."""
_EVER = datetime(1970, 1, 2, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class LeftPerhaps:
    """A letter that had not left when the backup was made, and may have left since."""

    kind: str
    match: str | None
    to: str
    subject: str
    message_id: str


@dataclass(frozen=True, slots=True)
class Restored:
    """`again` are mails that were put away since the backup, and will be read once more."""

    manifest: Manifest
    again: int
    letters: tuple[LeftPerhaps, ...]


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
        if isinstance(error, RefereeError):
            raise
        if isinstance(error, _UNREADABLE):
            raise CannotDo(f"{file} is no backup of a referee: {error}") from None
        raise


def _restored(tar: tarfile.TarFile, into: Path) -> Restored:
    manifest = _manifest(tar)
    private_folder(into)
    for member in tar.getmembers():
        _unpack(tar, member, into)
    located = read_configuration(into / "referee.toml")
    with running(located) as referee:
        _put_secret(referee, into / ".secret")
        _put_store(referee, into / ".store", manifest)
        make_maildirs(located.folder, located.settings.mailbox.url, located.settings.courier.url)
        fresh = _fetch_from(Path(manifest.folder), located)
        return Restored(manifest, fresh + _recalled(referee, manifest), tuple(_doubtful(referee)))


def _manifest(tar: tarfile.TarFile) -> Manifest:
    file = tar.extractfile("backup.json")
    if file is None:
        raise ValueError("its backup.json is no file")
    manifest = Manifest(**json.load(file))
    if manifest.format != FORMAT or manifest.revision != revisions()[-1]:
        raise CannotDo(
            f"The backup is of version {manifest.program}, whose tables are not this version's: restore it with that "
            "one, then `referee upgrade`."
        )
    return manifest


def _unpack(tar: tarfile.TarFile, member: tarfile.TarInfo, into: Path) -> None:
    """A file of the referee's folder to its place; store and secret aside. Raises ValueError where it would leave the
    folder, or is no file."""
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
    url = sa.make_url(referee.database)
    kind = "sqlite" if url.drivername.startswith("sqlite") else "postgresql"
    if kind != manifest.store:
        raise CannotDo(f"The backup holds a store of {manifest.store}, and [store] url names one of {kind}.")
    if kind == "sqlite":
        path = Path(str(url.database))
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
    """A Maildir inside the old folder, if it is there still, is where mails came in since: what it got is taken from
    there too. How many of these nobody had read."""
    url, folder = located.settings.mailbox.url, located.folder
    if not url.startswith("maildir:") or folder_of(url, old) == folder_of(url, folder):
        return 0
    source, box, fresh = folder_of(url, old), folder_of(url, folder), 0
    known = {_unique(path) for part in ("new", "cur") for path in (box / part).glob("*")}
    for part in ("new", "cur"):
        for mail in (source / part).glob("*"):
            if _unique(mail) not in known:
                shutil.copy2(mail, box / part / mail.name)  # with its time, which is that of its arrival
                fresh += part == "new"
    return fresh


def _unique(mail: Path) -> str:
    return mail.name.partition(":2,")[0]


def _recalled(referee: Referee, manifest: Manifest) -> int:
    def known(uids: Sequence[str]) -> set[str]:
        with referee.store.transaction() as unit:
            return unit.known_uids(uids)

    since = datetime.fromisoformat(manifest.read_to) if manifest.read_to else _EVER
    try:
        with closing(referee.another_mailbox()) as mailbox:
            return mailbox.recall(known, since)
    except (BadAddress, MailboxTrouble) as error:
        raise CannotDo(
            f"{error} Without the mailbox nothing is restored: what it put away since must be read again. A "
            "referee.toml that stands in the folder is taken in place of the backup's."
        ) from error


def _doubtful(referee: Referee) -> Iterator[LeftPerhaps]:
    with referee.store.transaction() as unit:
        waiting: list[OutgoingLetter] = unit.unsent(datetime.max.replace(tzinfo=UTC), _ALL)
    for row in waiting:
        head = decoded(row).head
        yield LeftPerhaps(row.kind, row.match, head.recipient, head.subject, row.message_id)
