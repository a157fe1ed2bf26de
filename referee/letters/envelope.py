"""A letter to the bytes that leave: headers, plain text, HTML with the board as an inline picture.

Its shapes are few, and written here: Python's own writer takes five times as long. No value breaks
out of its field, each being one line of signs that can be printed; and no boundary occurs in what
it parts: "=_" is in no line of quoted-printable or base64, and a letter has one multipart of each
kind at most."""

import hashlib
import re
from base64 import b64encode, encodebytes
from binascii import b2a_qp
from collections.abc import Callable, Iterator
from email.header import Header
from email.utils import format_datetime, formataddr
from email.utils import quote as quoted
from functools import lru_cache
from urllib.parse import quote

from referee.base.settings import Offices
from referee.core.diagram import Diagram
from referee.core.texts.addresses import address_key, posted
from referee.letters.calendars import calendar_files
from referee.letters.letter import BOARD, Files, Letter, LetterPage

DrawPng = Callable[[Diagram], bytes]

_AT_HAND = 16  # bodies kept: what is the same for several readers is encoded once
_WORD = 76  # characters that a word of a field may have, encoded or not
_UNFIT = re.compile("[^ -~\udc80-\udcff]")  # neither ASCII nor a byte of an address that is not
_FOLD = "\r\n "


class BrokenField(ValueError):
    """A value that a field can't hold: a line end, a control character, or letters where only ASCII may stand."""


class Envelope:
    """Makes MIME of letters; the picture is drawn here, at delivery."""

    def __init__(self, offices: Offices, draw: DrawPng) -> None:
        self._offices = offices
        self._draw = draw
        self._body = lru_cache(_AT_HAND)(self._made)
        self._organizer = (offices.name, offices.speaker)

    def __call__(self, letter: Letter) -> bytes:
        calendars = calendar_files(letter.appointments, letter.head.at, self._organizer)
        head = [f"{name}: {_fit(value)}\r\n" for name, value in self._head(letter)]
        body = self._body(letter.page, letter.medium, calendars)
        return "".join(head).encode("ascii", "surrogateescape") + body

    def _made(self, page: LetterPage, medium: str, calendars: Files) -> bytes:
        """The letter without its own headers: the same for all who read the same. Files go with the
        HTML, so that the letter as a whole stays one text in two forms."""
        plainly = _part("text/plain", page.text)
        shown = plainly if medium == "text" else _part("text/html", page.html)
        if page.diagram is not None and medium != "text" and BOARD in page.html:
            named = ('Content-Disposition: inline; filename="board.png"', "Content-ID: <board>")
            picture = _part("image/png", self._draw(page.diagram), *named)
            shown = _multipart("related", shown, picture)
        if files := (*page.attachments, *calendars):
            attached = (
                _part(kind, text, f'Content-Disposition: attachment; filename="{_fit(quoted(name))}"')
                for name, kind, text in files
            )
            shown = _multipart("mixed", shown, *attached)
        return _multipart("alternative", plainly, shown) if medium == "both" else shown

    def _head(self, letter: Letter) -> Iterator[tuple[str, str]]:
        offices, head = self._offices, letter.head
        yield "From", _person("From", offices.address(head.office), offices.name)
        yield "To", _person("To", head.recipient, head.recipient_name)
        yield "Reply-To", posted(offices.address(head.reply_to, head.token))
        subject = _one_line(head.subject)
        plainly = subject.isascii() and "=?" not in subject and len(max(subject.split(" "), key=len)) < _WORD
        yield "Subject", subject if plainly else _encoded("Subject", subject)
        yield "Date", format_datetime(head.at)
        yield "Message-ID", head.message_id
        # ids of others' making: those that a field can hold
        for name, ids in (("In-Reply-To", (head.in_reply_to,)), ("References", head.references)):
            if fit := [each for each in ids if each and not _UNFIT.search(each)]:
                yield name, _FOLD.join(fit)
        yield "Auto-Submitted", head.automatic
        yield "X-Referee-Notice", letter.kind
        if letter.match:
            host = offices.speaker.rpartition("@")[2]
            yield "List-Id", f"<{letter.match}.{host}>"
            yield "X-Referee-Match", letter.match
            # the thread as Exchange and Outlook tell it: a topic, and 22 bytes of which the last 16 are the same for
            # all letters of the match to this reader (MS-OXOMSG 2.2.1.3); they group by these where they are there
            seed = f"{letter.match}\n{address_key(head.recipient)}"
            thread = b"\x01" + bytes(5) + hashlib.sha256(seed.encode()).digest()[:16]
            yield "Thread-Topic", letter.match
            yield "Thread-Index", b64encode(thread).decode()
        if letter.stop is not None:
            # how an observer's letters end (RFC 2369): a mail to an address made for that; one
            # click (RFC 8058) only where the operator has a page for it
            match, token = letter.stop
            mail = f"<mailto:{offices.address('collector', token)}?subject=stop%20{quote(match)}>"
            clicked = offices.tokens and offices.unsubscribe.replace("{token}", token)
            page = f"<{clicked}>, " if clicked else ""
            yield "List-Unsubscribe", f"{page}{mail}"
            if page:
                yield "List-Unsubscribe-Post", "List-Unsubscribe=One-Click"
        if letter.position is not None:
            yield "X-Referee-Position", str(letter.position)
        if letter.chain:
            yield "X-Referee-Chain", letter.chain
        yield "MIME-Version", "1.0"


def _one_line(text: str) -> str:
    """No line end, no control character: nothing a header could be broken with."""
    if not text.isprintable():
        text = "".join([c if c.isprintable() else " " for c in text])
    return " ".join(text.split())


def _fit(value: str) -> str:
    """What a field can hold. Raises BrokenField."""
    if _UNFIT.search(value.replace(_FOLD, " ")):
        raise BrokenField(repr(value))
    return value


def _encoded(name: str, text: str, beside: str = "") -> str:
    """Words in any language as encoded words (RFC 2047); what looks like one too, so that it is read as written."""
    field = Header(text, "utf-8", header_name=name, maxlinelen=_WORD)
    if beside:
        field.append(beside, "us-ascii")
    return field.encode(linesep="\r\n")


def _person(name: str, address: str, called: str) -> str:
    """An address with its owner's name, which may be empty. A domain of other letters is written as
    servers know it; a name before the @ that is not ASCII can't be (RFC 6532 would let it, where
    the mail server takes SMTPUTF8), and stands as it is, alone."""
    known, shown = posted(address), _one_line(called)
    if not known.isascii():
        return f"<{_one_line(known)}>".encode().decode("ascii", "surrogateescape")
    if shown.isascii() and "=?" not in shown:
        return formataddr((shown, known))
    return _encoded(name, shown, f"<{known}>")


def _part(kind: str, content: str | bytes, *fields: str) -> bytes:
    """A part of text ("text/plain", or with parameters behind it) in quoted-printable, of anything else in base64."""
    coding = "base64"
    if isinstance(content, str) and kind.startswith("text/"):
        kind, *parameters = kind.split("; ")
        kind, coding = "; ".join((kind, 'charset="utf-8"', *parameters)), "quoted-printable"
        one_end = content.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")
        coded = b2a_qp(one_end.encode("utf-8", "replace")) + b"\n"
    else:
        coded = encodebytes(content.encode() if isinstance(content, str) else content)
    head = (f"Content-Type: {kind}", f"Content-Transfer-Encoding: {coding}", *fields)
    return "\r\n".join((*head, "", "")).encode() + coded.replace(b"\n", b"\r\n")


def _multipart(kind: str, *parts: bytes) -> bytes:
    line = b"--=_%s" % kind.encode()
    head = f'Content-Type: multipart/{kind}; boundary="=_{kind}"\r\n\r\n'.encode()
    return head + b"".join(b"%s\r\n%s" % (line, part) for part in parts) + line + b"--\r\n"
