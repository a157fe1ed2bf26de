"""One connection to an SMTP server: made, greeted, encrypted and logged in by smtplib; then a letter is offered, given
and answered for in our own words, several commands in one breath where the server pipelines (RFC 2920).

Never are answers outstanding while a letter's content is written: the server's go-ahead has been read, and it says
nothing before the content ends. So neither side can wait for the other with full hands, however large the letter is.
"""

from __future__ import annotations

import contextlib
import re
import smtplib
import socket
import time
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from referee.post.servers import Security, trusting, untrusted

PORTS: dict[Security, int] = {"tls": 465, "starttls": 587, "plain": 25}
AT_ONCE = 65536  # bytes of a letter written at once; the time-out counts for each
LONGEST_ANSWER = 65536  # bytes; no server needs a tenth of it
PATIENT_AFTER_THE_END = 4  # times the usual time-out: a server that looks into letters does so then
ANSWERS = {"RSET": (2,), "MAIL FROM": (2, 4, 5), "RCPT TO": (2, 4, 5), "DATA": (4, 5)}
"""The first digits of what a server may say to each, besides its go-ahead."""
QUICKACK: int | None = getattr(socket, "TCP_QUICKACK", None)
"""Acknowledges at once what came, where more is to come. A server that answers for a letter, and then to the commands
behind it, may hold the second answer back until the first is acknowledged, and by itself that takes up to 40 ms. Where
the system can't, nothing is said behind a letter before it is answered for."""
PARTING = 5.0  # seconds for a farewell


@dataclass(frozen=True, slots=True)
class SmtpAccount:
    """The server letters leave by. Without `user` nobody logs in. `ca` as for the mailbox; `timeout` in seconds."""

    host: str
    port: int | None = None
    security: Security = "starttls"
    user: str = ""
    password: str = field(default="", repr=False)
    ca: Path | None = None
    timeout: float = 30.0
    greeting: str | None = None  # the name we greet with; the machine's own if None

    @property
    def door(self) -> int:
        return self.port or PORTS[self.security]


class Refusal(Exception):
    """The server refused the letter, at the stage named, in its own words."""

    def __init__(self, stage: str, code: int, reply: bytes | str) -> None:
        self.code = code
        super().__init__(f"{code} {one_line(reply)} ({stage})")


class OutOfStep(ConnectionError):
    """The server's answers don't fit what it was told."""


@dataclass(frozen=True, slots=True)
class Errand:
    """A letter as one server is told of it: addresses it can be told, with the options that go with them, and the
    content with CRLF line ends."""

    sender: str
    recipient: str
    options: tuple[str, ...]
    content: bytes


class SmtpSession:
    """Every method raises OSError (a cut, a time-out, OutOfStep) and then is of no more use; `examine` and the making
    raise SMTPException and ValueError too.

    The order is: `offer`, `welcomed`, then `give` unless nothing is awaited, which offers the next letter too, if there
    is one, and `taken`. `carried` are letters the server took charge of; `seasoned` tells that the connection had
    served for anything before the letter in hand; `answered` how many commands of the last offer were.
    """

    def __init__(self, account: SmtpAccount, *, pipelining: bool) -> None:
        self._line = connect(account)
        self._timeout = account.timeout
        self._heard = b""
        self._unsaid: list[tuple[str, bytes]] = []  # the commands that offer a letter, with the stage of each
        self._begun = False  # a letter was begun that the server may still have in mind
        self._awaited = False  # content, or at least its end
        self._awaiting_end = False  # a letter was given and is not answered for
        self._stray = False  # the server spoke without being asked
        self._asked = False  # nothing came since we spoke last
        self.pipelines = pipelining and self._line.has_extn("pipelining")
        self.carried = 0
        self.seasoned = False
        self.answered = 0
        assert self._line.sock is not None
        self._line.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def has(self, extension: str) -> bool:
        return self._line.has_extn(extension)

    def offer(self, errand: Errand) -> None:
        """Tell who the letter is from and for; in one breath, where the server pipelines."""
        if self._to_offer(errand):
            with contextlib.suppress(OSError):  # whoever waits for the answers finds the line broken
                self._say(self._offered())

    def _to_offer(self, errand: Errand) -> bool:
        """Whether all of it is to be said at once, and now."""
        options = "".join(f" {option}" for option in errand.options)
        self._unsaid = [("RSET", b"RSET\r\n")] if self._begun else []
        self._unsaid += [
            ("MAIL FROM", f"MAIL FROM:<{errand.sender}>{options}\r\n".encode()),
            ("RCPT TO", f"RCPT TO:<{errand.recipient}>\r\n".encode()),
            ("DATA", b"DATA\r\n"),
        ]
        self.answered = 0
        self._stray = bool(self._heard) and not (self._awaiting_end or self._heard.startswith(b"421"))
        return self.pipelines and (QUICKACK is not None or not self._awaiting_end)

    def _offered(self) -> bytes:
        return b"".join(words for _, words in self._unsaid)

    def welcomed(self) -> tuple[Refusal | None, bool]:
        """Why the server will not have the letter offered, if so; and whether it awaits content all the same. A
        refusal is the server's whole answer: one that breaks off in the midst of it has refused nothing."""
        refusal = None
        if self._stray:
            raise OutOfStep(f"it said without being asked: {one_line(self._heard)!r}")
        due, self._unsaid = self._unsaid, []
        for stage, words in due:
            if not self.pipelines:
                if refusal is not None:
                    break
                self._say(words)
            code, reply = self._hear(self._timeout)
            self.answered += 1
            if code == 421:
                return Refusal(stage, code, reply), False
            self._begun = self._begun or stage == "MAIL FROM"
            self._awaited = stage == "DATA" and code == 354
            if not self._awaited and code // 100 not in ANSWERS[stage]:
                raise OutOfStep(f"it said {code} {one_line(reply)!r} to {stage}")
            if code >= 400 and refusal is None:
                refusal = Refusal(stage, code, reply)
        if self._heard:
            raise OutOfStep(f"it said more than it was asked: {one_line(self._heard)!r}")
        return refusal, self._awaited

    def give(self, content: bytes, following: Errand | None) -> None:
        """The content, CRLF at line ends, and its end; of a refused letter, the end alone. What follows is offered in
        the same breath."""
        self._awaiting_end, self._awaited = True, False
        self._begun = not content  # a letter's end ends what was begun; a refused one is undone to be sure
        if content.startswith(b"."):
            content = b"." + content
        content = content.replace(b"\r\n.", b"\r\n..")
        content += b".\r\n" if not content or content.endswith(b"\r\n") else b"\r\n.\r\n"
        if following is not None and self._to_offer(following):
            self._say(content + self._offered(), needed=len(content))
        else:
            self._say(content)

    def taken(self) -> tuple[int, bytes]:
        """What the server says to the content's end: 2xx, and it is in charge of the letter."""
        code, reply = self._hear(self._timeout * PATIENT_AFTER_THE_END)
        self._awaiting_end = False
        if self._unsaid and self.pipelines and QUICKACK is None:
            with contextlib.suppress(OSError):
                self._say(self._offered())
        taken = 200 <= code < 300
        self.carried += taken
        self.seasoned = True
        return code, reply

    def refused(self) -> Refusal | None:
        """The refusal that the server left behind when it broke off, if it is there to be read."""
        try:
            code, reply = self._hear(0.0)
        except OSError:
            return None
        return Refusal("the letter's content", code, reply) if 400 <= code < 600 else None

    def examine(self) -> None:
        self._line.noop()

    def leave(self) -> None:
        """With a farewell, which a server that awaits content would take for it. Not while answers are outstanding."""
        if self._awaited:
            self.hang_up()
            return
        try:
            if self._line.sock is not None:
                self._line.sock.settimeout(PARTING)
            self._line.quit()
        except (OSError, smtplib.SMTPException):
            """It has left before us."""
        self._line.close()

    def hang_up(self) -> None:
        self._line.close()

    def _say(self, words: bytes, needed: int | None = None) -> None:
        """Where the line breaks behind the first `needed` bytes, that is left to whoever waits for the answers."""
        line = self._open()
        line.settimeout(self._timeout)
        self._asked = True
        said = 0
        with memoryview(words) as view:
            try:
                while said < len(view):
                    said += line.send(view[said : said + AT_ONCE])
            except OSError:
                if needed is None or said < needed:
                    raise

    def _hear(self, patience: float) -> tuple[int, bytes]:
        """The next answer, of one line or several, in `patience` seconds from now as a whole."""
        end = time.monotonic() + patience
        lines: list[bytes] = []
        code, size = b"", 0
        while True:
            text, found, rest = self._heard.partition(b"\n")
            if not found:
                self._heard += self._received(end)
                if len(self._heard) + size > LONGEST_ANSWER:
                    raise OutOfStep("its answer has no end")
                continue
            self._heard = rest
            size += len(text)
            if not re.match(rb"[2-5]\d\d(?:[ -]|\r?$)", text):
                raise OutOfStep(f"it said {one_line(text)!r}")
            if lines and text[:3] != code:
                raise OutOfStep(f"it said {one_line(text)!r} within a {code.decode()}")
            code = text[:3]
            lines.append(text[4:].strip())
            if text[3:4] != b"-":
                return int(code), b"\n".join(lines)

    def _received(self, end: float) -> bytes:
        line = self._open()
        line.settimeout(max(0.001, end - time.monotonic()))
        if QUICKACK is not None and not self._asked:
            line.setsockopt(socket.IPPROTO_TCP, QUICKACK, 1)
        self._asked = False
        if self._line.file is None:
            self._line.file = line.makefile("rb")
        found: bytes = self._line.file.read1(8192)
        if not found:
            raise ConnectionAbortedError("it closed the connection")
        return found

    def _open(self) -> socket.socket:
        if self._line.sock is None:
            raise ConnectionAbortedError("the connection is closed")
        return self._line.sock


class _Line(smtplib.SMTP):
    """A line not connected by its constructor, which would look for the host's name before anything can be closed."""

    def __init__(self, account: SmtpAccount) -> None:
        super().__init__(local_hostname=account.greeting or own_name(), timeout=account.timeout)
        self._host = account.host  # what the certificate is checked against


class _TlsLine(smtplib.SMTP_SSL):
    """The same, encrypted from the first byte."""

    def __init__(self, account: SmtpAccount) -> None:
        super().__init__(
            local_hostname=account.greeting or own_name(),
            timeout=account.timeout,
            context=trusting(account.ca),
        )
        self._host = account.host


@cache
def own_name() -> str:
    """This machine's, as smtplib finds it. Looked up once: where names are slow to be found, every connection would
    wait for it."""
    return smtplib.SMTP().local_hostname


def connect(account: SmtpAccount) -> smtplib.SMTP:
    """A connection that has greeted, is encrypted as asked, and has logged in. Raises OSError,
    SMTPException or ValueError."""
    line = _TlsLine(account) if account.security == "tls" else _Line(account)
    try:
        code, reply = line.connect(account.host, account.door)
        if code != 220:
            raise smtplib.SMTPConnectError(code, reply)
        line.ehlo_or_helo_if_needed()
        if account.security == "starttls":
            line.starttls(context=trusting(account.ca))
            line.ehlo_or_helo_if_needed()
        if account.user:
            line.login(account.user, account.password)
    except BaseException:
        line.close()
        raise
    return line


def timed_out(error: BaseException) -> bool:
    """Trying at once again would double the wait, and perhaps the letter."""
    return isinstance(error, TimeoutError) or isinstance(error.__context__, TimeoutError)


def told(error: BaseException) -> str:
    """What happened, in one line, whoever says it."""
    if isinstance(error, smtplib.SMTPResponseException):
        return f"{error.smtp_code} {one_line(error.smtp_error)}"
    if timed_out(error):
        return "it does not answer in time"
    return (one_line(str(error)).rstrip(".") or type(error).__name__) + untrusted(error)


def one_line(reply: bytes | str) -> str:
    text = reply.decode("utf-8", "replace") if isinstance(reply, bytes) else reply
    return " ".join(text.split())
