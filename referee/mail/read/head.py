"""What a mail's fields say: who sent it and to whom, when, about what, whether a program did; and what is doubtful in
them."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import field
from datetime import UTC, datetime
from email.message import Message
from email.utils import parsedate_to_datetime
from itertools import islice

from referee.base.errors import UNFORESEEN
from referee.core.texts.addresses import address_key, ascii_domain, normal_address
from referee.core.value import LeftOut, Line, Value
from referee.mail.read.decoding import decode, tidy, undo
from referee.mail.read.parsing import LONGEST_HEAD, parse_head, quietly
from referee.mail.read.phrases import ABSENCES

MOST_FIELDS = 1000  # more is a flood; what follows is not read
LONGEST_FIELD = 32_768  # characters
_ID = re.compile(r"<[^<>\s]{1,900}>")


class Headers(Value):
    """The fields in the mail's order: (name in lower case, value unfolded, encoded words still encoded). They are asked
    for by names in lower case."""

    fields: tuple[tuple[str, str], ...]

    def every(self, name: str) -> tuple[str, ...]:
        """All values of that field, topmost first."""
        return tuple(value for field, value in self.fields if field == name)

    def first(self, name: str) -> str | None:
        """The topmost value of that field, or None."""
        return next((value for field, value in self.fields if field == name), None)

    def text(self, name: str) -> str:
        """The topmost value with encoded words read, on one line; empty where there is none."""
        return read_words(self.first(name) or "")

    def said(self, name: str) -> str:
        """The topmost value in small letters; empty where there is none."""
        return (self.first(name) or "").lower()

    def any_of(self, *names: str) -> str | None:
        """The first of these names that stands in the mail, or None."""
        return next((name for name in names if self.first(name) is not None), None)


class Address(Value):
    """One mailbox. `address` has its domain in lower case (and in ASCII); `name` is what the sender calls himself."""

    address: str
    name: str = ""


class ParsedMail(Value):
    """One mail as read; where its fields alone were, it has no words.

    `message_id` and `references` keep their angle brackets; these are the ids of its thread, oldest first, that of the
    mail answered directly comes last. `sender` is None where From does not tell with certainty. `recipients` are all
    addresses of To, Cc, Delivered-To and X-Original-To. `date` is what the sender's clock said, no proof. `twice` names
    fields that may stand once and stand there again, `ragged` tells that not all programs read the same fields in it;
    `program` by what a program is known to have sent it, None for a person's mail. `faults` are what could not be read.

    `own` are the sender's own words, `quoted` what he quotes without its marks; numbers count lines of the body as he
    wrote it. `attached`: the last of the own words, where they are those of an attachment beside words, and what it is
    called. `parts`: the mail as the library took it apart, for who looks for more than words in it.
    """

    message_id: str | None = None
    references: tuple[str, ...] = ()
    sender: Address | None = None
    recipients: tuple[str, ...] = ()
    subject: str = ""
    date: datetime | None = None
    date_text: str = ""
    headers: Headers = Headers(())
    content_type: str = "text/plain"
    faults: tuple[str, ...] = ()
    twice: tuple[str, ...] = ()
    ragged: bool = False
    program: str | None = None
    own: tuple[Line, ...] = ()
    quoted: tuple[Line, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    attached: tuple[tuple[Line, ...], str] | None = None
    parts: Message = field(default_factory=Message, compare=False, repr=False)

    @property
    def empty(self) -> bool:
        """Whether nothing stands there that makes it a mail."""
        return not (self.headers.fields or self.own or self.twice)


def read_head(raw: bytes) -> ParsedMail:
    """What the fields of the mail in these bytes say, and nothing of its body."""
    message = parse_head(raw)
    return head_of(message, headers_of(message), raw)


def head_of(message: Message, headers: Headers, raw: bytes) -> ParsedMail:
    """The same of a mail whose fields have been parsed."""
    sender, doubt = read_sender(headers.every("from"))
    date_text = headers.text("date")
    twice, ragged = doubts_of_head(raw)
    answered = one_id(headers.first("in-reply-to"))
    named = tuple(dict.fromkeys(_ID.findall(headers.first("references") or "")))[-100:]
    thread = (one for one in named if one != answered)
    return ParsedMail(
        message_id=one_id(headers.first("message-id")),
        references=tuple(dict.fromkeys((*thread, *filter(None, [answered])))),
        sender=sender,
        recipients=loose_addresses(
            value for name in ("to", "cc", "delivered-to", "x-original-to") for value in headers.every(name)
        ),
        subject=headers.text("subject")[:1000],
        date=read_date(date_text),
        date_text=date_text[:200],
        headers=headers,
        content_type=tidy(quietly(message.get_content_type, "text/plain")).lower()[:80],
        faults=(doubt,) if doubt else (),
        twice=twice,
        ragged=ragged,
        program=next(signs_of_a_program(headers), None),
        parts=message,
    )


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
    except UNFORESEEN:
        return None


# --- fields as values ---------------------------------------------------------------------------------------------

_WORD = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?]*)\?=")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")


def headers_of(message: Message) -> Headers:
    """Of a part as the parser gives it: 8-bit characters as surrogates, folds in place."""
    items = islice(message.raw_items(), MOST_FIELDS)
    return Headers(
        tuple((name.strip().lower(), unfolded(str(value)[:LONGEST_FIELD])) for name, value in items)
    )


def unfolded(value: str) -> str:
    """Raw bytes in a header read by the rules for undeclared text; folds and outer blanks gone; every control
    character a visible U+FFFD, so that none reaches a letter or the store, or is passed over within an address."""
    if not value.isascii():
        value, _ = decode(value.encode("utf-8", "surrogateescape"))
    return _CONTROL.sub("\ufffd", re.sub(r"\r?\n[ \t]?|\r", " ", value)).strip()


def read_words(value: str) -> str:
    """Encoded words read, the whole tidied to one line. Neighbours of one charset are joined before they are
    decoded, since senders split characters between them; blanks between neighbours do not count (RFC 2047, 6.2)."""
    out: list[str] = []
    pending, charset, end = b"", "", 0
    for word in _WORD.finditer(value):
        gap = value[end : word.start()]
        name = word[1].lower().split("*")[0]
        if pending and (gap.strip() or name != charset):
            out.append(decode(pending, charset)[0])
            pending = b""
        if gap.strip() or end == 0:
            out.append(gap)
        charset, end = name, word.end()
        coded = word[3].encode("utf-8", "surrogateescape")
        if word[2] in "bB":
            pending += undo(coded.replace(b" ", b""), "base64")
        else:
            pending += undo(coded.replace(b"_", b"=20").replace(b" ", b"=20"), "quoted-printable")
    if pending:
        out.append(decode(pending, charset)[0])
    return " ".join(tidy("".join(out) + value[end:]).split())


# --- doubts ------------------------------------------------------------------------------------------------------

ONCE = ("From", "Subject", "Date", "Message-ID")  # fields of which a mail has one (RFC 5322, 3.6)
_LINE_ENDS = re.compile(rb"[\r\n]+")
_EMPTY_LINE = re.compile(rb"\r?\n\r?\n")
_FOLD = re.compile(rb"\r?\n[ \t]")
_BARE_RETURNS = re.compile(rb"\r\r")
_LINE = re.compile(rb"[\x21-\x39\x3b-\x7e]+:|[ \t]+[^ \t]")  # a field, or the rest of one
_UNSEEN = bytes(byte for byte in range(256) if not 0x21 <= byte <= 0x7E)


def doubts_of_head(raw: bytes) -> tuple[tuple[str, ...], bool]:
    """Which fields that may stand once stand there again by the most lenient of readings (a blank before the colon, a
    byte that nobody sees, below a line that is no field, beyond what is read); and whether every program would read
    other fields than the next: whoever checks a signature may then have looked at another mail than we."""
    head = _whole_head(raw)
    names = Counter(name for name, _ in _leniently(head))
    twice = tuple(name for name in ONCE if names[name.lower().encode()] > 1)
    strict = head.replace(b"\r\n", b"\n").split(b"\n")
    strict = strict[1:] if strict[0].startswith(b"From ") else strict
    odd = b"\r" in head.replace(b"\r\n", b"") or b"\x00" in head
    return twice, odd or len(head) > LONGEST_HEAD or len(strict) > MOST_FIELDS or not all(
        map(_LINE.match, strict)
    )


def all_values(raw: bytes, name: bytes) -> tuple[str, ...]:
    """All values of a field by that most lenient reading."""
    found = (value for field, value in _leniently(_FOLD.sub(b" ", _whole_head(raw))) if field == name)
    return tuple(unfolded(value[:LONGEST_FIELD].decode("utf-8", "surrogateescape")) for value in found)


def _whole_head(raw: bytes) -> bytes:
    """All that any program may take for the header block: to the first line without a single character."""
    end = _EMPTY_LINE.search(raw) if b"\n" in raw else _BARE_RETURNS.search(raw)
    return raw[: end.start()] if end else raw.rstrip(b"\r\n")


def _leniently(head: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The name, in lower case, and the value of every line that may begin a field."""
    for line in _LINE_ENDS.split(head):
        name, colon, value = line.partition(b":")
        if colon and len(name) < 200 and line[:1] not in (b" ", b"\t"):
            yield name.translate(None, _UNSEEN).lower(), value


# --- who sent it --------------------------------------------------------------------------------------------------

_BREAKS = re.compile(r"[\s<>,;:\"()\[\]\\]+")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_COMMENT = re.compile(r"\([^()]*\)")
_ENCODED = re.compile(r"=\?[^?\s]{1,60}\?[bBqQ]\?[^?]*\?=")


def domain_of(address: str) -> str:
    """What stands after the @, as domains are compared."""
    return ascii_domain(address.rpartition("@")[2])


def read_sender(values: tuple[str, ...]) -> tuple[Address | None, str | None]:
    """Who the From fields say wrote the mail; or why that cannot be told.

    Refused, since one program would show another sender than the next: several fields, several addresses in one,
    an address in a display name that is another than the mailbox, anything that is no mailbox of RFC 5322.
    """
    if not values:
        return None, "the mail has no From"
    if len(values) > 1:
        return None, "the mail has several From fields"
    found = _mailbox(values[0])
    if found is None:
        return None, "the From field cannot be read with certainty"
    return found, None


def _mailbox(value: str) -> Address | None:
    """`address`, `address (name)` or `name <address>`; None for anything else."""
    if len(value) > 2000:
        return None
    bare = _QUOTED.sub(_blotted, _ENCODED.sub(_blotted, value))  # what may hold any sign
    name = ""
    for comment in _COMMENT.finditer(bare):
        begin, end = comment.span()
        name, gap = value[begin + 1 : end - 1], " " * (end - begin)
        bare, value = (text[:begin] + gap + text[end:] for text in (bare, value))
    opened = bare.find("<")
    if opened < 0:
        address = normal_address(value.strip())
    else:
        phrase, rest = bare[:opened], bare[opened + 1 :].rstrip()
        whole = rest.endswith(">") and "<" not in rest
        address = normal_address(value.rstrip()[opened + 1 : -1]) if whole else None
        name = value[:opened]
        if re.search(r"[>\[\]()@,;:\\\"]", phrase) and address_key(phrase.strip()) != address_key(
            address or ""
        ):
            return None
    if address is None:
        return None
    return Address(address, re.sub(r"\\(.)", r"\1", read_words(name)).strip(" \"'")[:200])


def _blotted(part: re.Match[str]) -> str:
    """As long, and of no sign that means anything."""
    return "\x01" * len(part[0])


def loose_addresses(values: Iterable[str]) -> tuple[str, ...]:
    """Every address that stands anywhere in these values, once each, in order."""
    found: dict[str, None] = {}
    for value in values:
        for token in _BREAKS.split(tidy(value)):
            if token.count("@") == 1 and (address := normal_address(token.strip("'"))):
                found[address] = None
    return tuple(found)


# --- what a program is known by that sent a mail by itself (RFC 3834) ------------------------------------------------

# set only by programs that answer for an absent person
_AUTO_REPLIES = "x-autoreply x-autorespond x-autoresponder x-auto-reply x-mail-autoreply x-autoreply-from"
_EXCHANGE_RULES = ("x-ms-exchange-inbox-rules-loop", "x-ms-exchange-generated-message-source")


def signs_of_a_program(headers: Headers) -> Iterator[str]:
    """Each sign that a program has sent the mail, the surest first; none of a person's mail."""
    submitted = headers.said("auto-submitted").split(";")[0].strip()
    if submitted and submitted != "no":  # RFC 3834, 5
        yield f"Auto-Submitted: {submitted[:40]}"
    answering = headers.any_of(*_AUTO_REPLIES.split())
    if answering and headers.said(answering) not in ("no", "false", "0"):
        yield f"the field {answering}"
    precedence = headers.said("precedence")
    if precedence.replace("-", "_") == "auto_reply":  # bulk, list and junk say less: see `triage`
        yield "Precedence: auto_reply"
    rules, suppressed = any(map(headers.first, _EXCHANGE_RULES)), headers.first("x-auto-response-suppress")
    unasked = headers.said("return-path") == "<>" or precedence in ("bulk", "junk")
    subject = headers.text("subject")[:200].lower() if rules or suppressed or unasked else ""
    absent = any(words in subject for words in ABSENCES)  # which says nothing by itself
    if absent and rules:
        yield "an Exchange rule's answer"
    elif absent and suppressed:  # by itself it stands on ordinary letters too
        yield "an out-of-office answer of Exchange"
    if absent and unasked:
        yield "a vacation notice"
    kind = headers.said("content-type")
    if kind.startswith("multipart/report"):
        receipt = "disposition-notification" in kind
        yield "a return receipt" if receipt else "a report on another mail"
