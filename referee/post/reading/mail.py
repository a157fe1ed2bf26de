"""A mail as a value. `read_mail` is total: for any bytes there is one, and what could not be read is named."""

from __future__ import annotations

import re
import traceback
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.errors import MessageError
from email.message import Message
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

from referee.base.logs import Log
from referee.core.complaint import LeftOut, Line
from referee.post.reading.address import Address, loose_addresses, read_sender
from referee.post.reading.body import MailBody, gather, words_of
from referee.post.reading.charset import tidy
from referee.post.reading.headers import Headers, headers_of
from referee.post.reading.leaf import TROUBLE, quietly
from referee.post.reading.parsing import doubts_of_head, parse, parse_head
from referee.post.reading.programs import signs_of_a_program
from referee.post.reading.quoting import PartedBody

UNREADABLE = "the mail could not be read"
_ID = re.compile(r"<[^<>\s]{1,900}>")
log = Log("referee.post")


@dataclass(frozen=True, slots=True)
class MailHead:
    """What a mail's fields say, without a look at its body.

    `message_id`, `in_reply_to`, `references` keep their angle brackets. `sender` is None where From does not tell
    with certainty. `recipients` are all addresses of To, Cc, Delivered-To and X-Original-To. `date` is what the
    sender's clock said, no proof. `twice` names fields that may stand once and stand there again, `ragged` tells that
    not all programs read the same fields in it; `program` by what a program is known to have sent it, None for a
    person's mail. `faults` are what could not be read.
    """

    message_id: str | None = None
    in_reply_to: str | None = None
    references: tuple[str, ...] = ()
    sender: Address | None = None
    recipients: tuple[str, ...] = ()
    subject: str = ""
    date: datetime | None = None
    date_text: str = ""
    headers: Headers = field(default_factory=lambda: Headers(()))
    content_type: str = "text/plain"
    faults: tuple[str, ...] = ()
    twice: tuple[str, ...] = ()
    ragged: bool = False
    program: str | None = None

    @property
    def empty(self) -> bool:
        """Whether nothing stands there that makes it a mail."""
        return not (self.headers.fields or self.twice)


@dataclass(frozen=True, slots=True)
class ParsedMail(MailHead):
    """One mail as read.

    `own` are the sender's own words, `quoted` what he quotes without its marks; numbers count lines of the body as he
    wrote it. `attached`: the last of the own words, where they are those of an attachment beside words, and what it is
    called. `parts`: the mail as the library took it apart, for who looks for more than words in it.
    """

    own: tuple[Line, ...] = ()
    quoted: tuple[Line, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    attached: tuple[tuple[Line, ...], str] | None = None
    parts: Message = field(default_factory=Message, compare=False, repr=False)

    @property
    def text(self) -> str:
        """The own words as one text."""
        return "\n".join(line.text for line in self.own)

    @property
    def empty(self) -> bool:
        return not (self.headers.fields or self.own or self.twice)


def read_mail(raw: bytes) -> ParsedMail:
    """The mail in these bytes.

    What no rule foresaw gives one of faults alone, which triage holds for the moderator; its traceback is logged.
    """
    try:
        return _read(raw)
    except Exception as error:
        log.exception("unreadable mail")
        frame = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{type(error).__name__} in {Path(frame.filename).name}, line {frame.lineno}"
        fault = f"{UNREADABLE}: {where}; the log has its traceback"
        return ParsedMail(left_out=(LeftOut("the whole mail"),), faults=(fault,))


def _read(raw: bytes) -> ParsedMail:
    message, faults = parse(raw)
    body, words = MailBody(), PartedBody((), (), ())
    try:
        body = gather(message)
        words = words_of(body)
    except (*TROUBLE, MessageError):
        faults.append("the body could not be read")
    return ParsedMail(
        **_fields(message, headers_of(message.raw_items()), raw, (*faults, *body.faults)),
        own=words.own,
        quoted=words.quoted,
        left_out=(*words.left_out, *dict.fromkeys(body.left_out)),
        attached=words.attached,
        parts=message,
    )


def read_head(raw: bytes) -> MailHead:
    """What the fields of the mail in these bytes say, as `read_mail` reads them."""
    message = parse_head(raw)
    return head_of(message, headers_of(message.raw_items()), raw)


def head_of(message: Message, headers: Headers, raw: bytes) -> MailHead:
    """The same of a mail whose fields have been parsed."""
    return MailHead(**_fields(message, headers, raw))


def _fields(message: Message, headers: Headers, raw: bytes, faults: tuple[str, ...] = ()) -> dict[str, Any]:
    """What a head is made of."""
    sender, doubt = read_sender(headers.every("from"))
    date_text = headers.text("date")
    twice, ragged = doubts_of_head(raw)
    return {
        "message_id": one_id(headers.first("message-id")),
        "in_reply_to": one_id(headers.first("in-reply-to")),
        "references": tuple(dict.fromkeys(_ID.findall(headers.first("references") or "")))[-100:],
        "sender": sender,
        "recipients": loose_addresses(
            value for name in ("to", "cc", "delivered-to", "x-original-to") for value in headers.every(name)
        ),
        "subject": headers.text("subject")[:1000],
        "date": read_date(date_text),
        "date_text": date_text[:200],
        "headers": headers,
        "content_type": tidy(quietly(message.get_content_type, "text/plain")).lower()[:80],
        "faults": tuple(dict.fromkeys((*faults, *([doubt] if doubt else [])))),
        "twice": twice,
        "ragged": ragged,
        "program": next(signs_of_a_program(headers), None),
    }


def one_id(value: str | None) -> str | None:
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
