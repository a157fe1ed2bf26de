"""Bytes to a parsed mail. Nothing here raises, and nothing that a mail holds makes the parser take more than linear
time or more memory than the mail: what is larger than any program writes is cut before the parser sees it."""

import re
from collections import deque
from collections.abc import Callable, Iterator
from email.errors import MessageError
from email.message import Message
from email.parser import BytesHeaderParser, BytesParser
from email.policy import compat32
from typing import TypeVar

from referee.base.errors import UNFORESEEN

T = TypeVar("T")

LONGEST_HEAD = 262_144  # bytes of the mail's own header block that are read
MOST_CONTAINERS = 60  # parts that hold parts; a mail with more is read as if it had none
MOST_BOUNDARIES = 20_000  # lines that may be boundaries; with more, likewise
MOST_BLOCKS = (
    5000  # blank lines in a mail that holds a delivery status, each block of which is a part; likewise
)
LONGEST_PARAMETERS = 4096  # characters of a part's Content-Type or Content-Disposition
LARGEST_MAIL = 100_000_000  # bytes; the rest is not looked at
LARGEST_PART = 4_000_000  # bytes of a part as sent: no text is read so far, and no attachment is decoded

_CONTAINER = re.compile(rb"^content-type:[ \t\r\n]*(?:multipart|message)/", re.IGNORECASE | re.MULTILINE)
_STATUS = re.compile(rb"^content-type:[ \t\r\n]*message/delivery-status", re.IGNORECASE | re.MULTILINE)
_LINE_END_BEFORE_ANOTHER = re.compile(rb"(?:\r\n|\r|\n)(?=[\r\n])")
_HEAD_END = re.compile(rb"\r?\n[ \t]*\r?\n|\r\r")
_NO_FIELD_BEHIND = re.compile(rb"\r?\n\r?\n|\r\r")  # an empty line by anybody's reading
_BLANK_LINE = re.compile(rb"\r?\n[ \t]*\r?\n")
_BARE_RETURN = re.compile(rb"\r(?!\n)")
_BOUNDARY_LINE = re.compile(rb"[\r\n]--[^\r\n]")


def parse(raw: bytes) -> tuple[Message, list[str]]:
    """The parsed mail and what is wrong with it as a whole. Never raises; bombs are read as mails without parts."""
    faults: list[str] = []
    if len(raw) > LARGEST_MAIL:
        raw = raw[:LARGEST_MAIL]
        faults.append("the mail is too large; its end was not read")
    raw = _with_short_head(raw, faults)
    bomb = len(_CONTAINER.findall(raw)) > MOST_CONTAINERS or raw.count(b"\n--") > MOST_BOUNDARIES
    if not bomb and not (_STATUS.search(raw) and len(_LINE_END_BEFORE_ANOTHER.findall(raw)) > MOST_BLOCKS):
        try:
            return _with_short_fields(BytesParser(policy=compat32).parsebytes(_with_short_parts(raw))), faults
        except (*UNFORESEEN, MessageError):
            faults.append("the mail's parts could not be told apart")
    else:
        faults.append("the mail has too many parts within parts; it was read as one")
    try:
        return _with_short_fields(BytesHeaderParser(policy=compat32).parsebytes(raw)), faults
    except (*UNFORESEEN, MessageError):
        faults.append("this is no mail")
        return Message(), faults


def parse_head(raw: bytes) -> Message:
    """The mail's own fields alone, the very ones that `parse` finds. Never raises."""
    short = _with_short_head(raw[:LARGEST_MAIL], [])
    end = _NO_FIELD_BEHIND.search(short)
    try:
        head = BytesHeaderParser(policy=compat32).parsebytes(short[: end.end()] if end else short)
        return _with_short_fields(head)
    except (*UNFORESEEN, MessageError):
        return Message()


def _with_short_head(raw: bytes, faults: list[str]) -> bytes:
    """The mail with its header block cut at LONGEST_HEAD, at a line's end. Where lines end in LF, a bare CR in it is a
    blank: Python's parser would begin a field behind it that no mail server has seen, nor struck out as one of its own
    name."""
    end = _BLANK_LINE.search(raw)
    head = raw[: end.start()] if end else raw
    if b"\n" in head and _BARE_RETURN.search(head):
        raw = _BARE_RETURN.sub(b" ", head) + raw[len(head) :]
    if len(raw) <= LONGEST_HEAD:
        return raw
    end = _HEAD_END.search(raw)
    if end and end.start() <= LONGEST_HEAD:
        return raw
    faults.append("the mail has too many header fields; not all were read")
    kept = raw[: raw.rfind(b"\n", 0, LONGEST_HEAD) + 1] or raw[:LONGEST_HEAD]
    return kept + (raw[end.start() :] if end else b"\n")


def _with_short_parts(raw: bytes) -> bytes:
    """The mail with everything beyond LARGEST_PART between two lines that may be boundaries cut out. Whose boundary
    a line is does not matter: what lies between any two of them is at most one part, its fields first."""
    if len(raw) <= LARGEST_PART:
        return raw
    kept, start = [], 0
    for end in (*(line.start() for line in _BOUNDARY_LINE.finditer(raw)), len(raw)):
        kept.append(raw[start : min(end, start + LARGEST_PART)])
        start = end
    return b"".join(kept)


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


# --- what has been parsed -------------------------------------------------------------------------------------------


def quietly(question: Callable[[], T], otherwise: T) -> T:
    """The answer, or `otherwise` where the standard parser stumbles over the mail."""
    try:
        return question()
    except UNFORESEEN:
        return otherwise


def children_of(part: Message) -> list[Message]:
    """The parts within a part."""
    payload = part.get_payload() if quietly(part.is_multipart, False) else None
    return [child for child in payload if isinstance(child, Message)] if isinstance(payload, list) else []


def parts_of(message: Message, most: int) -> Iterator[Message]:
    """The mail and all parts within it, outermost first, as many at most, without Python's recursion."""
    waiting = deque([message])
    while waiting and most:
        part = waiting.popleft()
        most -= 1
        yield part
        waiting.extend(children_of(part))
