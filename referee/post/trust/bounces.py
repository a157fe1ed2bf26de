"""What a bounce says: which of our letters did not reach whom, and whether for good (RFC 3464, 3463)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import Message

from referee.core.texts.addresses import address_key
from referee.offices.ports.mail import Bounce, Failure
from referee.post.reading.decoding import decode, tidy
from referee.post.reading.head import headers_of, loose_addresses
from referee.post.reading.parsing import parts_of, quietly

_STATUS = re.compile(r"\b([245])\.(\d{1,3})\.(\d{1,3})\b")
_REPLY = re.compile(r"\b([45])\d\d[ -]")
_ID = re.compile(r"^message-id:\s*(<[^<>\s]{1,900}>)", re.IGNORECASE | re.MULTILINE)
_ANY_ID = re.compile(r"<[^<>\s]{1,900}>")
MOST_TEXT = 65_536
MOST_PARTS = 100  # that are looked at
MOST_IDS = 20  # Message-IDs that a report may name


def read_bounce(message: Message) -> Bounce:
    """The bounce in this mail; without failures where it names none. Total."""
    parts = list(parts_of(message, MOST_PARTS))
    told = [failure for part in parts for failure in _reported(part)]
    if not told:
        told = list(_worded(message, parts))
    once = {address_key(failure.addresses[0]): failure for failure in told}
    return Bounce(tuple(once.values())[:50], tuple(dict.fromkeys(_letter_ids(message, parts)))[:MOST_IDS])


def _reported(part: Message) -> Iterator[Failure]:
    """The recipient block of a delivery status; delays and successes are no failures."""
    fields = headers_of(part)
    stated = (fields.first("original-recipient") or "", fields.first("final-recipient") or "")
    addresses = tuple(address for value in stated for address in loose_addresses([value])[:1])
    action = fields.said("action")
    if not addresses or action in ("delivered", "relayed", "expanded", "delayed"):
        return
    note = fields.text("diagnostic-code")
    status = _STATUS.search(fields.first("status") or "") or _STATUS.search(note)
    kind = status[1] if status else "5" if action == "failed" else "4"
    yield Failure(tuple(dict.fromkeys(addresses)), status[0] if status else "", kind == "5", note[:300])


def _worded(message: Message, parts: list[Message]) -> Iterator[Failure]:
    """What older mailers say in prose: an address near a status or a reply code."""
    text = "\n".join(_text(part) for part in parts if not quietly(part.is_multipart, False))[:MOST_TEXT]
    status = _STATUS.search(text)
    reply = _REPLY.search(text)
    kind = status[1] if status else reply[1] if reply else "5"
    fields = headers_of(message)
    own = set(loose_addresses([*fields.every("from"), *fields.every("to"), *fields.every("sender")]))
    named = loose_addresses(fields.every("x-failed-recipients")) or tuple(
        address for address in loose_addresses([_above_the_copy(text)]) if address not in own
    )
    for address in named[:20]:
        yield Failure((address,), status[0] if status else "", kind == "5", "")


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


def _letter_ids(message: Message, parts: list[Message]) -> Iterator[str]:
    """The returned letter's Message-ID: from its head as a part or as text, or from the report's references."""
    for part in parts[1:]:
        yield from _ANY_ID.findall(headers_of(part).first("message-id") or "")[:1]
    for part in parts[1:] or parts:
        yield from _ID.findall(_text(part))[:MOST_IDS]
    fields = headers_of(message)
    for name in ("in-reply-to", "references"):
        yield from _ANY_ID.findall(fields.first(name) or "")[-MOST_IDS:]
