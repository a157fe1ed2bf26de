"""A mail as a value. `read_letter` is total: for any bytes there is a Letter, and what could not be read is named."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.errors import MessageError
from email.message import Message
from email.parser import BytesHeaderParser, BytesParser
from email.policy import compat32
from email.utils import parsedate_to_datetime
from typing import TypeVar

from referee.core.complaint import Line
from referee.post.address import Address, loose_addresses, read_sender
from referee.post.automatic import automatic_reason
from referee.post.body import LARGEST_FORM, TROUBLE, Body, gather, quietly
from referee.post.charset import tidy
from referee.post.headers import Headers, headers_of
from referee.post.quoting import LeftOut, Words, own_words
from referee.post.sender import Evidence, weigh

LONGEST_HEAD = 262_144  # bytes of the mail's own header block that are read
MOST_CONTAINERS = 60  # parts that hold parts; a mail with more is read as if it had none
MOST_BOUNDARIES = 20_000  # lines that may be boundaries; with more, likewise
LONGEST_PARAMETERS = 4096  # characters of a part's Content-Type or Content-Disposition
LARGEST_MAIL = 100_000_000  # bytes; the rest is not looked at

_CONTAINER = re.compile(rb"^content-type:[ \t\r\n]*(?:multipart|message)/", re.IGNORECASE | re.MULTILINE)
_HEAD_END = re.compile(rb"\r?\n[ \t]*\r?\n|\r\r")
T = TypeVar("T")
_ID = re.compile(r"<[^<>\s]{1,900}>")


@dataclass(frozen=True, slots=True)
class Letter:
    """One mail as read.

    `message_id`, `in_reply_to`, `references` keep their angle brackets. `sender` is None where From does not tell
    with certainty. `recipients` are all addresses of To, Cc, Delivered-To and X-Original-To. `own` are the sender's
    own words, `quoted` what he quotes without its marks; numbers count lines of the body as he wrote it.
    `automatic` says by what a program is known to have sent it. `date` is what the sender's clock said, no proof.
    """

    message_id: str | None
    in_reply_to: str | None
    references: tuple[str, ...]
    sender: Address | None
    reply_to: str | None
    recipients: tuple[str, ...]
    subject: str
    date: datetime | None
    date_text: str
    own: tuple[Line, ...]
    quoted: tuple[Line, ...]
    left_out: tuple[LeftOut, ...]
    automatic: str | None
    evidence: Evidence
    headers: Headers
    content_type: str
    faults: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The own words as one text."""
        return "\n".join(line.text for line in self.own)


def read_letter(raw: bytes, *, trusted_authserv: tuple[str, ...] = ()) -> Letter:
    """The letter in these bytes. `trusted_authserv` names the servers whose Authentication-Results are believed."""
    message, faults = parse(raw)
    body = _or_trouble(lambda: gather(message), Body, faults)
    faults.extend(body.faults)
    words = _or_trouble(lambda: _words(body), lambda: Words((), (), ()), faults)
    headers = headers_of(message.raw_items())
    sender, doubt = read_sender(headers.every("from"))
    if doubt:
        faults.append(doubt)
    date_text = headers.text("date")
    return Letter(
        message_id=_one_id(headers.first("message-id")),
        in_reply_to=_one_id(headers.first("in-reply-to")),
        references=tuple(dict.fromkeys(_ID.findall(headers.first("references") or "")))[-100:],
        sender=sender,
        reply_to=next(iter(loose_addresses(headers.every("reply-to")[:1])), None),
        recipients=loose_addresses(
            value for name in ("to", "cc", "delivered-to", "x-original-to") for value in headers.every(name)
        ),
        subject=headers.text("subject")[:1000],
        date=read_date(date_text),
        date_text=date_text[:200],
        own=words.own,
        quoted=words.quoted,
        left_out=(*words.left_out, *_gathered(body.left_out)),
        automatic=automatic_reason(headers),
        evidence=weigh(headers, sender.address if sender else None, trusted_authserv),
        headers=headers,
        content_type=tidy(quietly(message.get_content_type, "text/plain")).lower()[:80],
        faults=tuple(dict.fromkeys(faults)),
    )


def parse(raw: bytes) -> tuple[Message, list[str]]:
    """The parsed mail and what is wrong with it as a whole. Never raises; bombs are read as mails without parts."""
    faults: list[str] = []
    if len(raw) > LARGEST_MAIL:
        raw = raw[:LARGEST_MAIL]
        faults.append("the mail is too large; its end was not read")
    raw = _with_short_head(raw, faults)
    if len(_CONTAINER.findall(raw)) <= MOST_CONTAINERS and raw.count(b"\n--") <= MOST_BOUNDARIES:
        try:
            return _with_short_fields(BytesParser(policy=compat32).parsebytes(raw)), faults
        except (*TROUBLE, MessageError):
            faults.append("the mail's parts could not be told apart")
    else:
        faults.append("the mail has too many parts within parts; it was read as one")
    try:
        return _with_short_fields(BytesHeaderParser(policy=compat32).parsebytes(raw)), faults
    except (*TROUBLE, MessageError):
        faults.append("this is no mail")
        return Message(), faults


def read_headers(raw: bytes) -> Headers:
    """The mail's own fields alone."""
    short = _with_short_head(raw, [])
    end = _HEAD_END.search(short)
    try:
        return headers_of(
            BytesHeaderParser(policy=compat32).parsebytes(short[: end.end()] if end else short).raw_items()
        )
    except (*TROUBLE, MessageError):
        return Headers(())


def _with_short_head(raw: bytes, faults: list[str]) -> bytes:
    """The mail with its header block cut at LONGEST_HEAD, at a line's end."""
    if len(raw) <= LONGEST_HEAD:
        return raw
    end = _HEAD_END.search(raw)
    if end and end.start() <= LONGEST_HEAD:
        return raw
    faults.append("the mail has too many header fields; not all were read")
    kept = raw[: raw.rfind(b"\n", 0, LONGEST_HEAD) + 1] or raw[:LONGEST_HEAD]
    return kept + (raw[end.start() :] if end else b"\n")


def _with_short_fields(message: Message) -> Message:
    """The parser takes a field's parameters apart in more than linear time: longer ones than any program writes
    are cut before it is asked."""
    for part in message.walk():
        for name in ("Content-Type", "Content-Disposition", "Content-Transfer-Encoding"):
            value = next(
                (str(value) for field, value in part.raw_items() if field.lower() == name.lower()), ""
            )
            if len(value) > LONGEST_PARAMETERS:
                part.replace_header(name, value[:LONGEST_PARAMETERS])
    return message


def _or_trouble(read: Callable[[], T], otherwise: Callable[[], T], faults: list[str]) -> T:
    try:
        return read()
    except (*TROUBLE, MessageError):
        faults.append("the body could not be read")
        return otherwise()


def _words(body: Body) -> Words:
    """The body's own words; where it has none, those of the first text attachment that has any."""
    words = own_words(body.rows)
    if words.own:
        return words
    for leaf in body.forms:
        if len(leaf.payload) > LARGEST_FORM:
            continue
        rows, fault = leaf.read
        attached = own_words(rows)
        if attached.own:
            taken = f"attachment {leaf.name}" if leaf.name else f"attachment ({leaf.kind})"
            body.left_out[:] = [one for one in body.left_out if one.what != taken]
            body.faults.extend([fault] if fault else [])
            return replace(
                attached, quoted=words.quoted + attached.quoted, left_out=words.left_out + attached.left_out
            )
    return words


def _gathered(left_out: list[LeftOut]) -> tuple[LeftOut, ...]:
    return tuple(dict.fromkeys(left_out))


def _one_id(value: str | None) -> str | None:
    """A message id with its brackets, also where the sender's program forgot them."""
    if not value or not value.strip():
        return None
    if found := _ID.search(value):
        return found[0]
    token = tidy(value).split()
    return f"<{token[0].strip('<>')[:900]}>" if token and token[0].strip("<>") else None


def read_date(text: str) -> datetime | None:
    """The Date field as a moment, or None. A zone of -0000 or none is taken as UTC."""
    try:
        date = parsedate_to_datetime(text)
        return date.replace(tzinfo=UTC) if date.tzinfo is None else date.astimezone(UTC)
    except (*TROUBLE, OverflowError):
        return None
