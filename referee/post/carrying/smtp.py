"""Letters out by SMTP: one connection, used again for every letter, made anew when the server wants it so."""

from __future__ import annotations

import contextlib
import re
import smtplib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from email.utils import parseaddr
from pathlib import Path

from referee.offices.ports.transport import Delivery, Parcel
from referee.post.reading.address import ascii_domain
from referee.post.servers import BackOff, Security, is_loopback, trusting, untrusted

PORTS: dict[Security, int] = {"tls": 465, "starttls": 587, "plain": 25}
LINE_END = re.compile(rb"\r\n|\r|\n")
OURS_TO_MEND = frozenset({500, 502, 503, 504, 530, 534, 535, 538})
"""Refusals of the way we talk or log in, not of the letter: it waits until the moderator has mended that."""
WORN_OUT = frozenset({421, 452})
"""What servers say when a connection has carried enough letters."""


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


class SmtpCourier:
    """An SMTP server as a Courier. A letter is `sent` once the server has taken charge of it, `never` when the
    server refuses it for good or its address can't be said to that server, and `later` in every other case."""

    def __init__(self, account: SmtpAccount, back_off: BackOff | None = None) -> None:
        self.account = account
        self._back_off = back_off or BackOff()
        self._line: smtplib.SMTP | None = None
        self._carried = 0  # letters over the present connection
        self._trouble = ""

    def send(self, parcels: Iterable[Parcel]) -> Sequence[Delivery]:
        return [self._sent(parcel) for parcel in parcels]

    def _sent(self, parcel: Parcel) -> Delivery:
        """Tried a second time where a connection that had served before was let go by the server."""
        used = self._line is not None
        delivery, worn_out = self._attempt(parcel)
        if used and worn_out:
            self.close()
            delivery, _ = self._attempt(parcel)
        return delivery

    def examine(self) -> tuple[str, ...]:
        account = self.account
        faults = []
        if account.user and account.security == "plain" and not is_loopback(account.host):
            faults.append(
                f"The password for {account.host} travels in the clear. Use smtps:// or smtp+starttls://."
            )
        if account.user and not account.password:
            faults.append(
                f"There is no password for {account.user} at {account.host}. Name the environment variable that holds "
                "it under the key `password_env` beside [courier] url, or a command under `password_command`."
            )
        try:
            self._connected().noop()
        except (OSError, smtplib.SMTPException, ValueError) as error:
            self._drop(error)
            faults.append(
                f"{self._trouble} Check [courier] url, the password, and that the server can be reached."
            )
        return tuple(faults)

    def close(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            with contextlib.suppress(OSError, smtplib.SMTPException):
                line.quit()
            line.close()

    def _attempt(self, parcel: Parcel) -> tuple[Delivery, bool]:
        """What became of it, and whether a fresh connection might do better."""
        if self._line is None and self._back_off.left() > 0:
            return Delivery("later", self._trouble), False
        try:
            delivery = self._hand_over(self._connected(), parcel)
        except Refusal as refusal:
            worn_out = refusal.code in WORN_OUT and (refusal.code == 421 or self._carried > 0)
            self._end_transaction(refusal)
            return verdict(refusal), worn_out
        except (OSError, smtplib.SMTPException, ValueError) as error:
            self._drop(error)
            return Delivery("later", self._trouble), not timed_out(error)
        return delivery, False

    def _hand_over(self, line: smtplib.SMTP, parcel: Parcel) -> Delivery:
        fault, sender, recipient, options = envelope(line, parcel)
        if fault:
            return Delivery("never", fault)
        raw = LINE_END.sub(b"\r\n", parcel.raw)
        if line.has_extn("8bitmime") and not raw.isascii():
            options.append("BODY=8BITMIME")
        if line.has_extn("size"):
            options.append(f"SIZE={len(raw)}")
        expect("MAIL FROM", *line.mail(sender, options))
        expect("RCPT TO", *line.rcpt(recipient))
        try:
            code, reply = line.data(raw)
        except smtplib.SMTPDataError as error:
            raise Refusal("DATA", error.smtp_code, error.smtp_error) from error
        expect("end of the letter", code, reply)
        self._carried += 1
        self._back_off.served()
        return Delivery("sent", one_line(reply))

    def _connected(self) -> smtplib.SMTP:
        if self._line is None:
            self._line = connect(self.account)
            self._carried = 0
            self._back_off.reached()
        return self._line

    def _end_transaction(self, refusal: Refusal) -> None:
        """Ready the connection for the next letter, or give it up where the server has."""
        if self._line is None or refusal.code == 421:
            self._drop(refusal)
            return
        try:
            self._line.rset()
        except (OSError, smtplib.SMTPException) as error:
            self._drop(error)

    def _drop(self, error: BaseException) -> None:
        """Give the connection up; a failure only if it carried nothing."""
        self._trouble = (
            f"The mail server {self.account.host}:{self.account.door} can't be used: {told(error)}."
        )
        line, self._line = self._line, None
        if line is None or self._carried == 0:
            self._back_off.failed()
        if line is not None:
            line.close()


class _Line(smtplib.SMTP):
    """A line not connected by its constructor, which would look for the host's name before anything can be closed."""

    def __init__(self, account: SmtpAccount) -> None:
        super().__init__(local_hostname=account.greeting, timeout=account.timeout)
        self._host = account.host  # what the certificate is checked against


class _TlsLine(smtplib.SMTP_SSL):
    """The same, encrypted from the first byte."""

    def __init__(self, account: SmtpAccount) -> None:
        super().__init__(
            local_hostname=account.greeting, timeout=account.timeout, context=trusting(account.ca)
        )
        self._host = account.host


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


def envelope(line: smtplib.SMTP, parcel: Parcel) -> tuple[str, str, str, list[str]]:
    """A fault, or the addresses as this server can be told them, and the options that go with them."""
    sender, recipient = ascii_domain(parcel.sender), ascii_domain(parcel.recipient)
    for address in (sender, recipient):
        if not speakable(address):
            return (
                f"The address {address!r} can't be written to: it is not of the form name@place.",
                "",
                "",
                [],
            )
    options: list[str] = []
    if not (sender + recipient).isascii():
        if not line.has_extn("smtputf8"):
            odd = recipient if not recipient.isascii() else sender
            note = f"The address {odd} has letters beyond ASCII, which this mail server does not take (no SMTPUTF8)."
            return note, "", "", []
        options.append("SMTPUTF8")
    return "", sender, recipient, options


def speakable(address: str) -> bool:
    """Whether the address can stand in a command as it is: nothing that ends, splits or escapes it."""
    local, at, domain = address.rpartition("@")
    plain = all(char.isprintable() and char not in "<> " for char in address)
    return bool(at and local and domain and plain) and parseaddr(address)[1] == address


def expect(stage: str, code: int, reply: bytes) -> None:
    if not 200 <= code < 300:
        raise Refusal(stage, code, reply)


def verdict(refusal: Refusal) -> Delivery:
    for_good = 500 <= refusal.code < 600 and refusal.code not in OURS_TO_MEND
    return Delivery("never" if for_good else "later", str(refusal))


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
