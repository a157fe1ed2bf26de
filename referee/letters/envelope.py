"""A letter to the bytes that leave: headers, plain text, HTML with the board as an inline picture.

MIME (RFC 2045, 2047, 5322) is written here for letters of our own, whose shapes are few: fields
that no value can break out of, bodies whose boundaries can't occur in them. Everybody else's mails
are read by Python's own parser.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from binascii import b2a_qp
from collections.abc import Callable, Iterator, Sequence
from email.header import Header
from email.utils import format_datetime
from email.utils import quote as quoted
from functools import lru_cache
from urllib.parse import quote

from referee.base.settings import Offices
from referee.core.diagram import Diagram
from referee.core.texts.addresses import address_key, posted
from referee.letters.calendars import calendar_files
from referee.letters.letter import BOARD, Letter, LetterPage

DrawPng = Callable[[Diagram], bytes]

_AT_HAND = 16  # bodies kept: what is the same for several readers is encoded once
_CODED = 76  # of base64 on a line
_LINE = 78  # characters a line of a field should not pass
_ATOM = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-/=?^_`{|}~ ")


class Envelope:
    """Makes MIME of letters; the picture is drawn here, at delivery."""

    def __init__(self, offices: Offices, draw: DrawPng) -> None:
        self._offices = offices
        self._draw = draw
        self._body = lru_cache(_AT_HAND)(self._made)
        self._organizer = (offices.name, offices.speaker)

    def __call__(self, letter: Letter) -> bytes:
        calendars = calendar_files(letter.appointments, letter.head.at, self._organizer)
        return b"".join(self._head(letter)) + self._body(letter.page, letter.medium, calendars)

    def _made(self, page: LetterPage, medium: str, calendars: tuple[tuple[str, str, str], ...]) -> bytes:
        """The letter without its own headers: the same for all who read the same. Files go with the HTML, so that the
        letter as a whole stays one text in two forms."""
        plainly = text_part(page.text, "text/plain")
        shown = plainly if medium == "text" else text_part(page.html, "text/html")
        if page.diagram is not None and medium != "text" and BOARD in page.html:
            named = (disposition("inline", "board.png"), plain("Content-ID", "<board>"))
            picture = binary_part(self._draw(page.diagram), "image/png", *named)
            shown = multipart("related", (shown, picture))
        if files := (*page.attachments, *calendars):
            shown = multipart("mixed", (shown, *(_file(*each) for each in files)))
        return multipart("alternative", (plainly, shown)) if medium == "both" else shown

    def _head(self, letter: Letter) -> Iterator[bytes]:
        offices, head = self._offices, letter.head
        yield person("From", posted(offices.address(head.office)), _one_line(offices.name))
        yield _recipient(head.recipient, _one_line(head.recipient_name))
        yield plain("Reply-To", posted(offices.address(head.reply_to, head.token)))
        yield spoken("Subject", _one_line(head.subject))
        yield plain("Date", format_datetime(head.at))
        yield plain("Message-ID", head.message_id)
        if head.in_reply_to:
            yield _ids("In-Reply-To", head.in_reply_to)
        yield _ids("References", *head.references)
        yield plain("Auto-Submitted", head.automatic)
        yield plain("X-Referee-Notice", letter.kind)
        if letter.match:
            host = offices.speaker.rpartition("@")[2]
            yield plain("List-Id", f"<{letter.match}.{host}>")
            yield plain("X-Referee-Match", letter.match)
            # the thread as Exchange and Outlook tell it: a topic, and 22 bytes of which the last 16 are the same for
            # all letters of the match to this reader (MS-OXOMSG 2.2.1.3); they group by these where they are there
            seed = f"{letter.match}\n{address_key(head.recipient)}"
            thread = b"\x01" + bytes(5) + hashlib.sha256(seed.encode()).digest()[:16]
            yield plain("Thread-Topic", letter.match)
            yield plain("Thread-Index", b64encode(thread).decode())
        if letter.stop is not None:
            yield from self._way_out(*letter.stop)
        if letter.position is not None:
            yield plain("X-Referee-Position", str(letter.position))
        if letter.chain:
            yield plain("X-Referee-Chain", letter.chain)
        yield plain("MIME-Version", "1.0")

    def _way_out(self, match: str, token: str) -> Iterator[bytes]:
        """How an observer's letters end (RFC 2369): a mail to an address made for that. One click (RFC 8058) only
        where the operator has a page for it."""
        mail = f"<mailto:{self._offices.address('collector', token)}?subject=stop%20{quote(match)}>"
        if self._offices.unsubscribe and self._offices.tokens:
            page = self._offices.unsubscribe.replace("{token}", token)
            yield plain("List-Unsubscribe", f"<{page}>, {mail}")
            yield plain("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
        else:
            yield plain("List-Unsubscribe", mail)


def _file(name: str, kind: str, text: str) -> bytes:
    if kind.startswith("text/"):
        return text_part(text, kind, disposition("attachment", name))
    return binary_part(text.encode(), kind, disposition("attachment", name))


def _recipient(address: str, shown: str) -> bytes:
    """To whom. A domain of other letters is written as servers know it; a name before the @ that is not ASCII can't be
    (RFC 6532 would let it, where the mail server takes SMTPUTF8), and stands as it is."""
    known = posted(address)
    if known.isascii():
        return person("To", known, shown)
    return f"To: <{_one_line(known)}>\r\n".encode()


def _ids(name: str, *ids: str) -> bytes:
    """Ids of others' making: those that a field can hold."""
    fit = [each for each in ids if each.isascii() and each.isprintable()]
    return plain(name, " ".join(fit)) if fit else b""


def _one_line(text: str) -> str:
    """No line end, no control character: nothing a header could be broken with."""
    if not text.isprintable():
        text = "".join([c if c.isprintable() else " " for c in text])
    return " ".join(text.split())


# --- fields ------------------------------------------------------------------------------------------------------


class BrokenField(ValueError):
    """A value that a field can't hold: a line end, a control character, or letters where only ASCII may stand."""


def plain(name: str, value: str) -> bytes:
    """A field of ids, addresses and the like: ASCII words, folded between them and nowhere else. Raises BrokenField."""
    if not value.isascii() or not value.isprintable():
        raise BrokenField(f"{name}: {value!r}")
    if len(name) + 2 + len(value) <= _LINE:
        return f"{name}: {value}\r\n".encode()
    words = value.split(" ")
    lines = [f"{name}: {words[0]}"]
    for word in words[1:]:
        if len(lines[-1]) + 1 + len(word) > _LINE:
            lines.append("")
        lines[-1] += f" {word}"
    return ("\r\n".join(lines) + "\r\n").encode()


def spoken(name: str, text: str) -> bytes:
    """A field of words in any language: as they are, or as encoded words (RFC 2047). Raises BrokenField."""
    if not text.isprintable():
        raise BrokenField(f"{name}: {text!r}")
    # what looks like an encoded word is encoded, so that it is read as it was written
    if text.isascii() and "=?" not in text and all(len(word) < _LINE - 2 for word in text.split(" ")):
        return plain(name, text)
    return f"{name}: {_encoded(text, name)}\r\n".encode()


def person(name: str, address: str, shown: str) -> bytes:
    """A field of one address with a person's name, which may be empty. Raises BrokenField."""
    if not shown:
        return plain(name, address)
    if not shown.isprintable():
        raise BrokenField(f"{name}: {shown!r}")
    if not shown.isascii() or "=?" in shown:
        before = f"{name}: {_encoded(shown, name)}"
        gap = "\r\n " if len(before.rpartition("\n")[2]) + len(address) + 3 > _LINE else " "
        return f"{before}{gap}".encode() + plain("", f"<{address}>")[2:]
    phrase = shown if _ATOM.issuperset(shown) else f'"{quoted(shown)}"'
    return plain(name, f"{phrase} <{address}>")


def _encoded(text: str, name: str) -> str:
    return Header(text, "utf-8", header_name=name, maxlinelen=_LINE - 2).encode(linesep="\r\n")


# --- bodies ------------------------------------------------------------------------------------------------------


def text_part(text: str, kind: str, *more: bytes) -> bytes:
    """A part of text ("text/plain", or with parameters behind it), in quoted-printable."""
    one_end = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")
    content = b2a_qp(one_end.encode("utf-8", "replace")).replace(b"\n", b"\r\n")
    kind, *parameters = kind.split("; ")
    shown = "".join(f"; {parameter}" for parameter in ['charset="utf-8"', *parameters])
    head = plain("Content-Type", kind + shown) + plain("Content-Transfer-Encoding", "quoted-printable")
    return b"".join((head, *more, b"\r\n", content, b"\r\n"))


def binary_part(content: bytes, kind: str, *more: bytes) -> bytes:
    """A part of bytes ("image/png"), in base64."""
    head = plain("Content-Type", kind) + plain("Content-Transfer-Encoding", "base64")
    coded = b64encode(content)
    lines = [coded[at : at + _CODED] for at in range(0, len(coded), _CODED)]
    return b"".join((head, *more, b"\r\n", b"\r\n".join(lines), b"\r\n" if lines else b""))


def multipart(kind: str, parts: Sequence[bytes]) -> bytes:
    """Several parts as one ("alternative"). "=_" is in no line of quoted-printable or base64, and of each kind a letter
    has one at most, so that the boundary of a multipart is none of a part of it."""
    boundary = b"=_%s" % kind.encode()
    pieces = [b'Content-Type: multipart/%s; boundary="%s"\r\n\r\n' % (kind.encode(), boundary)]
    pieces += [b"--%s\r\n%s" % (boundary, part) for part in parts]
    return b"".join((*pieces, b"--%s--\r\n" % boundary))


def disposition(how: str, file_name: str) -> bytes:
    return plain("Content-Disposition", f'{how}; filename="{quoted(file_name)}"')
