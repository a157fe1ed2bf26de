"""A letter to the bytes that leave: headers, plain text, HTML with the board as an inline picture."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Callable
from email.headerregistry import Address, BaseHeader, HeaderRegistry
from email.message import EmailMessage
from email.policy import SMTP, EmailPolicy, Policy
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from referee.core.diagram import Diagram
from referee.offices.letters import Letter
from referee.offices.settings import Offices
from referee.post.calendars import calendar_files

Draw = Callable[[Diagram], bytes]


_AT_HAND = 16  # bodies kept: a public letter goes to every seat


class _Words(BaseHeader):
    """A header of ids and addresses: folded between them and nowhere else. Python's own class writes a word that is
    longer than a line as an encoded word, which no mail program takes for an id (RFC 2047, 5)."""

    max_count = 1

    @classmethod
    def parse(cls, value: str, kwds: dict[str, Any]) -> None:
        kwds["decoded"] = " ".join(word for word in value.split() if word.isascii())
        kwds["parse_tree"] = None

    def fold(self, *, policy: Policy) -> str:
        first, *others = str(self).split() or [""]
        lines = [f"{self.name}: {first}"]
        for word in others:
            if len(lines[-1]) + 1 + len(word) > (policy.max_line_length or 78):
                lines.append("")
            lines[-1] += f" {word}"
        return policy.linesep.join(lines) + policy.linesep


_PLAIN = (
    "message-id", "in-reply-to", "references", "list-id", "list-unsubscribe", "thread-topic", "x-referee-match",
)  # fmt: skip


def _policy() -> EmailPolicy[EmailMessage]:
    factory = HeaderRegistry()
    for name in _PLAIN:
        factory.map_to_type(name, _Words)
    return SMTP.clone(header_factory=factory)


_POLICY = _policy()


class Envelope:
    """Makes MIME of letters; the picture is drawn here, at delivery."""

    def __init__(self, offices: Offices, draw: Draw) -> None:
        self._offices = offices
        self._draw = draw
        self._body = lru_cache(_AT_HAND)(self._made)
        self._organizer = (offices.name, offices.speaker)

    def __call__(self, letter: Letter) -> bytes:
        head = EmailMessage(policy=_POLICY)
        self._head(head, letter)
        files = (*letter.attachments, *calendar_files(letter.appointments, letter.at, self._organizer))
        body = self._body(letter.text, letter.html, letter.diagram, letter.medium, files)
        return head.as_bytes().rstrip(b"\r\n") + b"\r\n" + body

    def _made(
        self,
        text: str,
        html: str,
        diagram: Diagram | None,
        medium: str,
        files: tuple[tuple[str, str, str], ...],
    ) -> bytes:
        """The letter without its own headers: the same for all who read the same."""
        message = EmailMessage(policy=SMTP)
        if medium != "html":
            message.set_content(text, cte="quoted-printable")
        if medium == "both":
            message.add_alternative(html, subtype="html", cte="quoted-printable")
        elif medium == "html":
            message.set_content(html, subtype="html", cte="quoted-printable")
        page = message.get_payload(1) if medium == "both" else message
        assert isinstance(page, EmailMessage)
        if diagram is not None and medium != "text" and 'src="cid:board"' in html:
            page.add_related(
                self._draw(diagram), "image", "png", cid="<board>", filename="board.png", disposition="inline"
            )
        self._attach(page, files)
        return message.as_bytes()

    @staticmethod
    def _attach(page: EmailMessage, files: tuple[tuple[str, str, str], ...]) -> None:
        """Files go with the HTML, so that the letter as a whole stays one text in two forms."""
        if files:
            page.make_mixed()
        for name, kind, text in files:
            main, _, sub = kind.partition("/")
            if main == "text":
                sub, *parameters = sub.split("; ")
                page.add_attachment(text, sub, filename=name, params=dict(p.split("=") for p in parameters))
            else:
                page.add_attachment(text.encode(), main, sub, filename=name)

    def _head(self, message: EmailMessage, letter: Letter) -> None:
        message["From"] = self._address(self._offices.address(letter.office), self._offices.name)
        message["To"] = self._address(letter.recipient, letter.recipient_name)
        message["Reply-To"] = self._offices.address(letter.reply_to, letter.token)
        message["Subject"] = _one_line(letter.subject)
        message["Date"] = letter.at
        message["Message-ID"] = letter.message_id
        if letter.in_reply_to:
            message["In-Reply-To"] = letter.in_reply_to
        if letter.references:
            message["References"] = " ".join(letter.references)
        message["Auto-Submitted"] = letter.automatic
        message["X-Referee-Notice"] = letter.kind
        if letter.match:
            host = self._offices.speaker.rpartition("@")[2]
            message["List-Id"] = f"<{letter.match}.{host}>"
            message["X-Referee-Match"] = letter.match
            self._outlook_thread(message, letter)
        if letter.stop is not None:
            self._way_out(message, *letter.stop)
        if letter.position is not None:
            message["X-Referee-Position"] = str(letter.position)

    def _way_out(self, message: EmailMessage, match: str, token: str) -> None:
        """How an observer's letters end (RFC 2369): a mail to an address made for that. One click (RFC 8058) only
        where the operator has a page for it."""
        mail = f"<mailto:{self._offices.address('collector', token)}?subject=stop%20{quote(match)}>"
        if self._offices.unsubscribe and self._offices.tokens:
            page = self._offices.unsubscribe.replace("{token}", token)
            message["List-Unsubscribe"] = f"<{page}>, {mail}"
            message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        else:
            message["List-Unsubscribe"] = mail

    @staticmethod
    def _outlook_thread(message: EmailMessage, letter: Letter) -> None:
        """The thread as Exchange and Outlook tell it: a topic, and 22 bytes of which the last 16 are the same for all
        letters of the match to this reader (MS-OXOMSG 2.2.1.3); they group by these where they are there."""
        thread = hashlib.sha256(f"{letter.match}\n{letter.recipient.casefold()}".encode()).digest()[:16]
        message["Thread-Topic"] = letter.match
        message["Thread-Index"] = b64encode(b"\x01" + bytes(5) + thread).decode()

    @staticmethod
    def _address(address: str, name: str) -> Address | str:
        """The address with its name; a name that headers can't hold is left away."""
        shown = _one_line(name)
        try:
            return Address(display_name=shown, addr_spec=address)
        except (ValueError, IndexError):
            return address


def _one_line(text: str) -> str:
    """No line end, no control character: nothing a header could be broken with."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
