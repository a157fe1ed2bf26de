"""A letter to the bytes that leave: headers, plain text, HTML with the board as an inline picture."""

from __future__ import annotations

from collections.abc import Callable
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from functools import lru_cache

from referee.core.diagram import Diagram
from referee.offices.letters import Letter
from referee.offices.settings import Offices

Draw = Callable[[Diagram], bytes]


_AT_HAND = 16  # bodies kept: a public letter goes to every seat


class Envelope:
    """Makes MIME of letters; the picture is drawn here, at delivery."""

    def __init__(self, offices: Offices, draw: Draw) -> None:
        self._offices = offices
        self._draw = draw
        self._body = lru_cache(_AT_HAND)(self._made)

    def __call__(self, letter: Letter) -> bytes:
        head = EmailMessage(policy=SMTP)
        self._head(head, letter)
        body = self._body(letter.text, letter.html, letter.diagram, letter.medium, letter.attachments)
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
        if letter.position is not None:
            message["X-Referee-Position"] = str(letter.position)

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
