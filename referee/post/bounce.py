"""What a bounce says: which of our letters did not reach whom, and whether for good (RFC 3464, 3463)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message

from referee.post.address import loose_addresses
from referee.post.body import children_of
from referee.post.charset import decode, tidy
from referee.post.headers import headers_of
from referee.post.leaf import quietly
from referee.post.parsing import parse

_STATUS = re.compile(r"\b([245])\.(\d{1,3})\.(\d{1,3})\b")
_REPLY = re.compile(r"\b([45])\d\d[ -]")
_ID = re.compile(r"^message-id:\s*(<[^<>\s]{1,900}>)", re.IGNORECASE | re.MULTILINE)
MOST_TEXT = 65_536


@dataclass(frozen=True, slots=True)
class Failure:
    """One address. `status` is RFC 3463's, like 5.1.1, or ''; `permanent` when it will not work later either."""

    address: str
    status: str
    permanent: bool
    note: str


@dataclass(frozen=True, slots=True)
class Bounce:
    """The failures a report tells, and the Message-ID of the letter that came back, where it says so."""

    failures: tuple[Failure, ...]
    letter_id: str | None


def read_bounce(raw: bytes) -> Bounce:
    """The bounce in these bytes; without failures where it names none. Total."""
    message, _ = parse(raw)
    parts = list(_parts(message))
    told = [failure for part in parts for failure in _reported(part)]
    if not told:
        told = list(_worded(message, parts))
    once = {failure.address.lower(): failure for failure in told}
    return Bounce(tuple(once.values())[:50], _letter_id(message, parts))


def _parts(message: Message) -> Iterator[Message]:
    """All parts, outermost first, at most 100, without Python's recursion."""
    waiting, seen = [message], 0
    while waiting and seen < 100:
        part = waiting.pop(0)
        seen += 1
        yield part
        waiting.extend(children_of(part))


def _reported(part: Message) -> Iterator[Failure]:
    """The recipient block of a delivery status; delays and successes are no failures."""
    fields = headers_of(part.raw_items())
    address = next(
        iter(loose_addresses([fields.first("final-recipient") or fields.first("original-recipient") or ""])),
        None,
    )
    action = (fields.first("action") or "").lower()
    if address is None or action in ("delivered", "relayed", "expanded", "delayed"):
        return
    note = fields.text("diagnostic-code")
    status = _STATUS.search(fields.first("status") or "") or _STATUS.search(note)
    kind = status[1] if status else "5" if action == "failed" else "4"
    yield Failure(address, status[0] if status else "", kind == "5", note[:300])


def _worded(message: Message, parts: list[Message]) -> Iterator[Failure]:
    """What older mailers say in prose: an address near a status or a reply code."""
    text = "\n".join(_text(part) for part in parts if not quietly(part.is_multipart, False))[:MOST_TEXT]
    status = _STATUS.search(text)
    reply = _REPLY.search(text)
    kind = status[1] if status else reply[1] if reply else "5"
    fields = headers_of(message.raw_items())
    own = set(loose_addresses([*fields.every("from"), *fields.every("to"), *fields.every("sender")]))
    named = loose_addresses(fields.every("x-failed-recipients")) or tuple(
        address for address in loose_addresses([_above_the_copy(text)]) if address not in own
    )
    for address in named[:20]:
        yield Failure(address, status[0] if status else "", kind == "5", "")


def _above_the_copy(text: str) -> str:
    """The mailer's own words: what stands above the returned letter's head."""
    lowered = text.lower()
    ends = [
        lowered.find(mark)
        for mark in ("\nreceived:", "\nreturn-path:", "copy of the message", "original message")
    ]
    return text[: min((end for end in ends if end > 0), default=len(text))]


def _text(part: Message) -> str:
    payload: object = quietly(lambda: part.get_payload(decode=True), None)
    return tidy(decode(payload[:MOST_TEXT])[0]) if isinstance(payload, bytes) else ""


def _letter_id(message: Message, parts: list[Message]) -> str | None:
    """The returned letter's Message-ID, from its head as a part or as text, or from the report's references."""
    for part in parts[1:]:
        fields = headers_of(part.raw_items())
        if found := _ID.search(f"message-id: {fields.first('message-id') or ''}"):
            return found[1]
    for part in parts[1:] or parts:
        if found := _ID.search(_text(part)):
            return found[1]
    fields = headers_of(message.raw_items())
    found = re.search(r"<[^<>\s]{1,900}>", fields.first("in-reply-to") or fields.first("references") or "")
    return found[0] if found else None
