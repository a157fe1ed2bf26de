"""A letter to the bytes that leave: headers, plain text, HTML with the board as an inline picture."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Callable, Iterator
from email.utils import format_datetime
from functools import lru_cache
from urllib.parse import quote

from referee.core.diagram import Diagram
from referee.core.texts.addresses import address_key, posted
from referee.offices.outgoing.letters import BOARD, Letter
from referee.offices.settings import Offices
from referee.post.writing import mime
from referee.post.writing.calendars import calendar_files

DrawPng = Callable[[Diagram], bytes]

_AT_HAND = 16  # bodies kept: what is the same for several readers is encoded once


class Envelope:
    """Makes MIME of letters; the picture is drawn here, at delivery."""

    def __init__(self, offices: Offices, draw: DrawPng) -> None:
        self._offices = offices
        self._draw = draw
        self._body = lru_cache(_AT_HAND)(self._made)
        self._organizer = (offices.name, offices.speaker)

    def __call__(self, letter: Letter) -> bytes:
        page = letter.page
        calendars = calendar_files(letter.appointments, letter.head.at, self._organizer)
        files = (*page.attachments, *calendars)
        body = self._body(page.text, page.html, page.diagram, letter.medium, files)
        return b"".join(self._head(letter)) + body

    def _made(
        self,
        text: str,
        html: str,
        diagram: Diagram | None,
        medium: str,
        files: tuple[tuple[str, str, str], ...],
    ) -> bytes:
        """The letter without its own headers: the same for all who read the same. Files go with the HTML, so that the
        letter as a whole stays one text in two forms."""
        page = mime.text_part(text, "text/plain") if medium == "text" else mime.text_part(html, "text/html")
        if diagram is not None and medium != "text" and BOARD in html:
            named = (mime.disposition("inline", "board.png"), mime.plain("Content-ID", "<board>"))
            picture = mime.binary_part(self._draw(diagram), "image/png", *named)
            page = mime.multipart("related", (page, picture))
        if files:
            page = mime.multipart("mixed", (page, *(_file(*each) for each in files)))
        if medium == "both":
            return mime.multipart("alternative", (mime.text_part(text, "text/plain"), page))
        return page

    def _head(self, letter: Letter) -> Iterator[bytes]:
        offices, head = self._offices, letter.head
        yield mime.person("From", posted(offices.address(head.office)), _one_line(offices.name))
        yield _recipient(head.recipient, _one_line(head.recipient_name))
        yield mime.plain("Reply-To", posted(offices.address(head.reply_to, head.token)))
        yield mime.spoken("Subject", _one_line(head.subject))
        yield mime.plain("Date", format_datetime(head.at))
        yield mime.plain("Message-ID", head.message_id)
        if head.in_reply_to:
            yield from _ids("In-Reply-To", (head.in_reply_to,))
        yield from _ids("References", head.references)
        yield mime.plain("Auto-Submitted", head.automatic)
        yield mime.plain("X-Referee-Notice", letter.kind)
        if letter.match:
            host = offices.speaker.rpartition("@")[2]
            yield mime.plain("List-Id", f"<{letter.match}.{host}>")
            yield mime.plain("X-Referee-Match", letter.match)
            # the thread as Exchange and Outlook tell it: a topic, and 22 bytes of which the last 16 are the same for
            # all letters of the match to this reader (MS-OXOMSG 2.2.1.3); they group by these where they are there
            seed = f"{letter.match}\n{address_key(head.recipient)}"
            thread = b"\x01" + bytes(5) + hashlib.sha256(seed.encode()).digest()[:16]
            yield mime.plain("Thread-Topic", letter.match)
            yield mime.plain("Thread-Index", b64encode(thread).decode())
        if letter.stop is not None:
            yield from self._way_out(*letter.stop)
        if letter.position is not None:
            yield mime.plain("X-Referee-Position", str(letter.position))
        yield mime.plain("MIME-Version", "1.0")

    def _way_out(self, match: str, token: str) -> Iterator[bytes]:
        """How an observer's letters end (RFC 2369): a mail to an address made for that. One click (RFC 8058) only
        where the operator has a page for it."""
        mail = f"<mailto:{self._offices.address('collector', token)}?subject=stop%20{quote(match)}>"
        if self._offices.unsubscribe and self._offices.tokens:
            page = self._offices.unsubscribe.replace("{token}", token)
            yield mime.plain("List-Unsubscribe", f"<{page}>, {mail}")
            yield mime.plain("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
        else:
            yield mime.plain("List-Unsubscribe", mail)


def _file(name: str, kind: str, text: str) -> bytes:
    if kind.startswith("text/"):
        return mime.text_part(text, kind, mime.disposition("attachment", name))
    return mime.binary_part(text.encode(), kind, mime.disposition("attachment", name))


def _recipient(address: str, shown: str) -> bytes:
    """To whom. A domain of other letters is written as servers know it; a name before the @ that is not ASCII can't be
    (RFC 6532 would let it, where the mail server takes SMTPUTF8), and stands as it is."""
    known = posted(address)
    if known.isascii():
        return mime.person("To", known, shown)
    return f"To: <{_one_line(known)}>\r\n".encode()


def _ids(name: str, ids: tuple[str, ...]) -> Iterator[bytes]:
    """Ids of others' making: those that a field can hold."""
    fit = [each for each in ids if each.isascii() and each.isprintable()]
    if fit:
        yield mime.plain(name, " ".join(fit))


def _one_line(text: str) -> str:
    """No line end, no control character: nothing a header could be broken with."""
    if not text.isprintable():
        text = "".join([c if c.isprintable() else " " for c in text])
    return " ".join(text.split())
