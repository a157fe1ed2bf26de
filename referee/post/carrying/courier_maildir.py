"""Letters out into a Maildir: one file per letter and recipient in `new/`, `Delivered-To` first."""

from __future__ import annotations

import hashlib
import os
import re
from email.utils import parsedate_to_datetime
from pathlib import Path

from referee.offices.ports.transport import Delivery, Parcel
from referee.private import FILE, private_folder

DATE = re.compile(rb"^Date:[ \t]*([^\r\n]+)", re.IGNORECASE | re.MULTILINE)
HEADER_END = re.compile(rb"\r?\n\r?\n")


def file_name(parcel: Parcel) -> str:
    """The letter's own date, then a digest of Message-ID and recipient: a repeated send overwrites its first
    copy, and names sort by date."""
    proof = f"{parcel.message_id}\0{parcel.recipient}".encode("utf-8", "surrogateescape")
    return f"{seconds_of(parcel.raw)}.{hashlib.sha256(proof).hexdigest()[:32]}.referee"


def seconds_of(raw: bytes) -> int:
    """The Date header in seconds of the epoch; 0 where there is none that can be read."""
    end = HEADER_END.search(raw)
    found = DATE.search(raw, 0, end.start() if end else len(raw))
    if found is None:
        return 0
    try:
        return max(0, int(parsedate_to_datetime(found[1].decode("ascii")).timestamp()))
    except (ValueError, OverflowError, TypeError, IndexError):
        return 0


class MaildirCourier:
    """The Maildir as a Courier. `sent` means: on the disk, name and all."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def send(self, parcel: Parcel) -> Delivery:
        if any(ord(char) < 32 or ord(char) == 127 for char in parcel.recipient):
            return Delivery("never", f"The address {parcel.recipient!r} has control characters in it.")
        try:
            self._write(file_name(parcel), delivered(parcel))
        except OSError as error:
            return Delivery("later", f"The letter can't be written in {self._folder}: {error.strerror}.")
        return Delivery("sent")

    def examine(self) -> tuple[str, ...]:
        probe = self._folder / "tmp" / f"probe.{os.getpid()}"
        try:
            self._make_folders()
            probe.write_bytes(b"")
            probe.unlink()
        except OSError as error:
            fault = f"Letters can't be written in {self._folder}: {error.strerror}."
            return (f"{fault} Make the folder, or let the referee write there.",)
        return ()

    def close(self) -> None:
        """Nothing is held open."""

    def _make_folders(self) -> None:
        for part in ("tmp", "new", "cur"):
            private_folder(self._folder / part)

    def _write(self, name: str, content: bytes) -> None:
        draft = self._folder / "tmp" / f"{name}.{os.getpid()}"
        try:
            descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE)
        except FileNotFoundError:
            self._make_folders()
            descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            draft.rename(self._folder / "new" / name)
        except OSError:
            draft.unlink(missing_ok=True)
            raise
        sync_folder(self._folder / "new")


def delivered(parcel: Parcel) -> bytes:
    """The letter as the file holds it, with plain line ends."""
    header = f"Delivered-To: {parcel.recipient}\n".encode("utf-8", "surrogateescape")
    return header + parcel.raw.replace(b"\r\n", b"\n")


def sync_folder(folder: Path) -> None:
    """Make a rename in `folder` last through a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
