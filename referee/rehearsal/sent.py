"""The letters that left, read from the outgoing Maildir as their readers' programs would."""

from __future__ import annotations

import email
import os
import re
from dataclasses import dataclass
from email.message import Message
from email.utils import getaddresses
from pathlib import Path

_PICTURE = re.compile(rb"(?m)^Content-ID: <([^>]+)>")


@dataclass(frozen=True, slots=True)
class SentLetter:
    """One letter as it left: `head` are its header lines as one text, `to` the addresses it names, `text` and
    `page` its plain and HTML parts, `pictures` the Content-IDs of what is inside."""

    recipient: str
    to: tuple[str, ...]
    notice: str
    match: str | None
    position: int | None
    message_id: str
    answers: str | None
    head: str
    text: str
    page: str
    pictures: tuple[str, ...]

    @property
    def form(self) -> str:
        """What a `due` letter or a refusal ends with: the last block that starts with `Name:`, else the last one."""
        blocks = [block for block in self.text.strip().split("\n\n") if block.strip()]
        starts = [i for i, block in enumerate(blocks) if block.startswith("Name:")]
        return "\n\n".join(blocks[starts[-1] if starts else -1 :])


class SentLetters:
    """A folder of letters; each is looked at once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen: set[str] = self._names()

    def fresh(self) -> list[SentLetter]:
        """The letters that have left since this was last asked."""
        new = self._names() - self._seen
        self._seen |= new
        return [_read((self._folder / name).read_bytes()) for name in sorted(new)]

    def _names(self) -> set[str]:
        return set(os.listdir(self._folder)) if self._folder.exists() else set()


def _read(raw: bytes) -> SentLetter:
    """Pictures come last in a letter and are its bulk: only their ids are looked at."""
    message = email.message_from_bytes(raw.partition(b"\nContent-Type: image/")[0])
    position = message["X-Referee-Position"]
    return SentLetter(
        recipient=str(message["Delivered-To"]),
        to=tuple(address for _, address in getaddresses(message.get_all("To", []))),
        notice=str(message["X-Referee-Notice"]),
        match=message["X-Referee-Match"],
        position=None if position is None else int(position),
        message_id=str(message["Message-ID"]),
        answers=message["In-Reply-To"],
        head="\n".join(f"{name}: {value}" for name, value in message.items()),
        text=_part(message, "text/plain"),
        page=_part(message, "text/html"),
        pictures=tuple(found.decode() for found in _PICTURE.findall(raw)),
    )


def _part(message: Message, kind: str) -> str:
    """The decoded words of the first part of a kind; empty where there is none."""
    for part in message.walk():
        if part.get_content_type() == kind:
            content = part.get_payload(decode=True)
            assert isinstance(content, bytes)
            return content.decode(part.get_content_charset("utf-8"))
    return ""
