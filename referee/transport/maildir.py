"""Maildirs by plain system calls: mails come in from one, letters leave into another."""

import hashlib
import os
import re
import secrets
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import BinaryIO, NamedTuple
from urllib.parse import quote_from_bytes

from referee.base import ports
from referee.base.ports import Arrival, Delivery, Filing, HandedOver, Known, MailboxTrouble, Parcel
from referee.base.private import FILE, private_folder
from referee.core.texts.addresses import posted
from referee.core.value import Value

GLANCE = 0.2  # seconds between two looks at new/ while waiting
LONGEST_NAME = 120  # characters of a file name kept in a uid; of a longer one its digest
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
DATE = re.compile(rb"(?im)^date:[ \t]*([^\r\n]+)|^\r?\n")  # or the end of the head
LAST_MOMENT = datetime.max.replace(tzinfo=UTC)
PIECE = 1 << 16  # bytes of a mail handed in that are held at a time


class Unsettled(NamedTuple):
    """A message not yet settled: where it lies, its time (nanoseconds of the epoch), its length (bytes)."""

    folder: str
    name: str
    mtime_ns: int
    size: int

    @property
    def unique(self) -> str:
        return self.name.partition(":2,")[0]

    @property
    def uid(self) -> str:
        """The unique part of the name, with time and size: a name used again for another mail is
        another uid. Only characters every database takes, whatever bytes the name is made of."""
        unique = quote_from_bytes(os.fsencode(self.unique), safe="+,=:@!()")
        if len(unique) > LONGEST_NAME:
            unique = hashlib.sha256(os.fsencode(self.unique)).hexdigest()
        return f"maildir:{unique}:{self.mtime_ns}:{self.size}"


def moment(mtime_ns: int) -> datetime:
    """The file's time (aware, UTC, to the microsecond); beyond the calendar, the calendar's nearest end."""
    try:
        return EPOCH + timedelta(microseconds=mtime_ns // 1000)
    except OverflowError:
        return LAST_MOMENT if mtime_ns > 0 else EPOCH


def flags_of(name: str) -> str:
    return name.partition(":2,")[2]


class MaildirMailbox:
    """The Maildir as a Mailbox. Holds no open files and no state that a restart would miss."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen_in_new: set[str] = set()
        self._places: dict[str, list[Unsettled]] = {}

    def fetch(self, known: Known, largest: int) -> Iterator[Sequence[Arrival]]:
        self._look()
        found = (each for places in self._places.values() for each in places)
        self._seen_in_new = {each.name for each in found if each.folder == "new"}
        looked = (self._arrival(uid, largest) for uid in ports.unknown(list(self._places), known))
        yield from ports.batches(filter(None, looked), lambda each: len(each.raw))

    def file(self, filings: Sequence[tuple[str, Filing]]) -> None:
        if any(uid not in self._places for uid, _ in filings):
            self._look()
        for uid, filing in filings:
            for each in self._places.pop(uid, ()):
                self._put_away(each, "FS" if filing == "held" else "S")

    def recall(self, known: Known, since: datetime) -> int:
        """All settled mails are looked at: their names tell which are known."""
        settled = {each.uid: each for each in self._files("cur", settled=True)}
        again = ports.unknown(list(settled), known)
        for each in (settled[uid] for uid in again):
            os.rename(self._folder / "cur" / each.name, self._folder / "new" / each.unique)
        return len(again)

    def wait(self, seconds: float) -> bool:
        """Looks at `new/` alone: what another program moves to `cur/` meanwhile is found by the next pass."""
        end = time.monotonic() + seconds
        while not self._anything_new():
            left = end - time.monotonic()
            if left <= 0:
                return False
            time.sleep(min(GLANCE, left))
        return True

    def examine(self) -> tuple[str, ...]:
        return tuple(find_faults(self._folder))

    def close(self) -> None:
        """Nothing is held open."""

    def _look(self) -> None:
        """Learn where everything unsettled lies, oldest first, on a tie by file name."""
        try:
            # `new` first: a mail moved to `cur` meanwhile is then met twice, not missed
            found = [each for part in ("new", "cur") for each in self._files(part)]
        except OSError as error:
            message = f"The mailbox folder {self._folder} can't be read: {error.strerror}."
            raise MailboxTrouble(message) from error
        found.sort(key=lambda each: (each.mtime_ns, each.name))
        self._places = {}
        for each in found:
            self._places.setdefault(each.uid, []).append(each)

    def _files(self, part: str, *, settled: bool = False) -> Iterator[Unsettled]:
        with os.scandir(self._folder / part) as entries:
            for entry in entries:
                name = entry.name
                if name[0] == "." or (part == "cur" and ("S" in flags_of(name)) != settled):
                    continue
                try:
                    if entry.is_file():
                        status = entry.stat()
                        yield Unsettled(part, name, status.st_mtime_ns, status.st_size)
                except OSError:
                    continue  # it vanished under our feet, or can't be looked at: `examine` tells

    def _arrival(self, uid: str, largest: int) -> Arrival | None:
        """None when the mail has vanished or can't be read; the latter stays visible through `examine`."""
        raw = self._read(uid, largest)
        if raw is None:
            self._look()  # moved or flagged by another program: still in time
            raw = self._read(uid, largest)
        if raw is None:
            return None
        place = self._places[uid][0]
        size, cut = max(place.size, len(raw)), len(raw) > largest
        return Arrival(uid, moment(place.mtime_ns), raw[:largest], size, cut)

    def _read(self, uid: str, largest: int) -> bytes | None:
        for place in self._places.get(uid, ()):
            try:
                with open(f"{self._folder}/{place.folder}/{place.name}", "rb", buffering=0) as file:
                    return file.read(largest + 1)
            except OSError:
                continue
        return None

    def _put_away(self, place: Unsettled, flags: str) -> None:
        merged = "".join(sorted({*flags_of(place.name), *flags}))
        target = f"{self._folder}/cur/{place.unique}:2,{merged}"
        again = 0
        while os.path.lexists(target):  # a name used twice: the earlier mail keeps its place
            again += 1
            target = f"{self._folder}/cur/{place.unique}.{again}:2,{merged}"
        try:
            os.rename(f"{self._folder}/{place.folder}/{place.name}", target)
            with suppress(OSError):  # where the mail is another account's it stays as it is; `doctor` tells
                os.chmod(target, FILE)
        except FileNotFoundError:
            return
        except OSError as error:
            message = f"A mail can't be moved to {self._folder / 'cur'}: {error.strerror}."
            raise MailboxTrouble(message) from error
        self._seen_in_new.discard(place.name)

    def _anything_new(self) -> bool:
        try:
            names = os.listdir(self._folder / "new")
        except OSError:
            return False
        return any(name[0] != "." and name not in self._seen_in_new for name in names)


def deliver(folder: Path, mail: BinaryIO, most: int) -> None:
    """A mail of at most so many bytes into the Maildir, for whoever owns that. On return it is on the disk, content and
    name; where anything fails (MailboxTrouble, OSError) nothing of it is in `new`, or the whole mail."""
    owner = (folder / "new").stat()
    private_folder(folder / "tmp")
    draft = folder / "tmp" / f"{time.time_ns()}.{os.getpid()}-{secrets.token_hex(8)}.handed-in"
    try:
        with open(draft, "xb", opener=lambda path, flags: os.open(path, flags, FILE)) as file:
            if not _copied(mail, file, most):
                raise MailboxTrouble("There is no mail: nothing came on standard input.")
            if owner.st_uid != os.geteuid():
                os.fchown(file.fileno(), owner.st_uid, owner.st_gid)
            file.flush()
            os.fsync(file.fileno())
        os.rename(draft, folder / "new" / draft.name)
    except BaseException:
        _discard(draft)
        raise
    sync(folder / "new")


def _copied(mail: BinaryIO, file: BinaryIO, most: int) -> int:
    """How many bytes: all but the line `From ...` that a mail server writes before a mail it gives to a program."""
    length = 0
    for piece in iter(lambda: mail.read(PIECE), b""):
        kept = piece.partition(b"\n")[2] if not length and piece.startswith(b"From ") else piece
        length += len(kept)
        if length > most:
            raise MailboxTrouble(f"The mail is longer than {most} bytes.")
        file.write(kept)
    return length


def find_faults(folder: Path) -> Iterator[str]:
    """What keeps the Maildir from being read and filed, and what lies in it unread."""
    if not folder.is_dir():
        yield f"The mailbox folder {folder} does not exist. Make it, or run `referee init`."
        return
    for path in (folder / "new", folder / "cur"):
        if not path.is_dir():
            yield f"The mailbox folder {folder} has no {path.name}/ in it. Make that folder."
            continue
        if not os.access(path, os.R_OK | os.W_OK | os.X_OK):
            yield f"The referee may not read and write in {path}. Give it that right."
            continue
        for name in sorted(os.listdir(path)):
            if name[0] == "." or (path.name == "cur" and "S" in flags_of(name)):
                continue
            shown = os.fsencode(path / name).decode("utf-8", "backslashreplace")
            try:
                if not (path / name).is_file():
                    yield f"{shown} is not a file, so it is not read as a mail. Move it elsewhere."
                    continue
                with open(path / name, "rb") as file:
                    file.read(1)
            except OSError as error:
                yield f"The mail {shown} can't be read: {error.strerror}. Give the referee the right to read it."


def file_name(parcel: Parcel) -> str:
    """The letter's own date, then a digest of Message-ID and recipient: a repeated send overwrites
    its first copy, and names sort by date."""
    proof = f"{parcel.message_id}\0{parcel.recipient}".encode("utf-8", "surrogateescape")
    return f"{seconds_of(parcel.raw)}.{hashlib.sha256(proof).hexdigest()[:32]}.referee"


def seconds_of(raw: bytes) -> int:
    """The Date header in seconds of the epoch; 0 where there is none that can be read."""
    found = DATE.search(raw)
    try:
        said = parsedate_to_datetime(found[1].decode("ascii")) if found and found[1] else EPOCH
        return max(0, int(said.timestamp()))
    except (ValueError, OverflowError, TypeError, IndexError):
        return 0


class MaildirCourier(Value):
    """The Maildir as a Courier. `sent` means: on the disk, name and all."""

    folder: Path

    def send(self, parcels: Iterable[Parcel]) -> Iterator[HandedOver]:
        """All are written, then each made to last, at last the names of all: the disk, which takes
        longest, is waited for once they are there."""
        given = list(parcels)
        drafts = [self._draft(parcel, number) for number, parcel in enumerate(given)]
        found = [draft if isinstance(draft, Delivery) else self._publish(draft) for draft in drafts]
        try:
            if any(delivery.fate == "sent" for delivery in found):
                sync(self.folder / "new")
        except OSError as error:
            lost = self._later(error)._replace(known=False)
            found = [lost if delivery.fate == "sent" else delivery for delivery in found]
        yield from zip(given, found, strict=True)

    def _draft(self, parcel: Parcel, number: int) -> Path | Delivery:
        """The letter as a file in the folder `tmp`, called as it will be behind the first dot; or
        why there is none. `number` tells it from others of the batch."""
        if any(ord(char) < 32 or ord(char) == 127 for char in parcel.recipient):
            return Delivery("never", f"The address {parcel.recipient!r} has control characters in it.")
        path = self.folder / "tmp" / f"{os.getpid()}-{number}.{file_name(parcel)}"
        try:
            if not path.parent.is_dir():
                make_maildir(self.folder)
            with open(path, "wb", opener=lambda path, flags: os.open(path, flags, FILE)) as file:
                file.write(f"Delivered-To: {posted(parcel.recipient)}\n".encode("utf-8", "surrogateescape"))
                file.write(parcel.raw.replace(b"\r\n", b"\n"))  # with plain line ends
        except OSError as error:
            _discard(path)
            return self._later(error)
        return path

    def _publish(self, draft: Path) -> Delivery:
        """Its content on the disk, and its name in the folder."""
        try:
            sync(draft)
            os.rename(draft, self.folder / "new" / draft.name.partition(".")[2])
        except OSError as error:
            _discard(draft)
            return self._later(error)
        return Delivery("sent")

    def _later(self, error: OSError) -> Delivery:
        return Delivery("later", f"The letter can't be written in {self.folder}: {error.strerror}.")

    def examine(self) -> tuple[str, ...]:
        probe = self.folder / "tmp" / f"probe.{os.getpid()}"
        try:
            make_maildir(self.folder)
            probe.write_bytes(b"")
            probe.unlink()
        except OSError as error:
            fault = f"Letters can't be written in {self.folder}: {error.strerror}."
            return (f"{fault} Make the folder, or let the referee write there.",)
        return ()

    def close(self) -> None:
        """Nothing is held open."""


def make_maildir(folder: Path) -> None:
    """A whole one: whoever delivers there needs each part."""
    for part in ("tmp", "new", "cur"):
        private_folder(folder / part)


def _discard(draft: Path) -> None:
    with suppress(OSError):
        draft.unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Through a power cut: the content of a file, or the names in a folder."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
