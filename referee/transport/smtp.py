"""Letters out by SMTP: smtplib over a few connections, so that while the server's disk keeps one of them waiting
another letter is under way."""

from __future__ import annotations

import contextlib
import re
import smtplib
import socket
import threading
from collections import deque
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from email.utils import parseaddr
from functools import cache
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeAlias

from referee.base.logs import Log
from referee.base.ports import Delivery, HandedOver, Parcel
from referee.core.texts.addresses import posted
from referee.transport.credentials import NO_TOKENS, Tokens, unsaid
from referee.transport.line import Allowance, Wrapping
from referee.transport.servers import BackOff, Security, is_loopback, trusting, untrusted

PORTS: dict[Security, int] = {"tls": 465, "starttls": 587, "plain": 25}
LINE_END = re.compile(rb"\r\n|\r|\n")
OURS_TO_MEND = frozenset({500, 502, 503, 504, 530, 534, 535, 538})
"""Refusals of the way we talk or log in, not of the letter: it waits until the moderator has mended that."""
GOING = 421  # a server that says so closes the connection
ENOUGH = 452  # some say so when a connection has carried enough letters, others of a full mailbox
UNREACHABLE = (OSError, smtplib.SMTPException, ValueError)
PATIENCE = 10  # times the usual time-out: no letter takes longer, however slowly the server speaks
PARTING = 5.0  # seconds for a farewell
LONGEST_ANSWER = 64 * 1024  # bytes
log = Log("referee.courier")


@dataclass(frozen=True, slots=True)
class SmtpAccount:
    """The server letters leave by. Without `user` nobody logs in; `tokens` and `ca` as for the mailbox;
    `timeout` in seconds."""

    host: str
    port: int | None = None
    security: Security = "starttls"
    user: str = ""
    password: str = field(default="", repr=False)
    ca: Path | None = None
    timeout: float = 60.0
    greeting: str | None = None  # the name we greet with; the machine's own if None
    tokens: Tokens | None = field(default=None, repr=False)

    @property
    def door(self) -> int:
        return self.port or PORTS[self.security]


class Refusal(Exception):
    """The server refused the letter, at the stage named, in its own words."""

    def __init__(self, stage: str, code: int, reply: bytes | str) -> None:
        self.code = code
        super().__init__(f"{code} {one_line(reply)} ({stage})")

    @property
    def delivery(self) -> Delivery:
        for_good = 500 <= self.code < 600 and self.code not in OURS_TO_MEND
        return Delivery("never" if for_good else "later", str(self))


class SmtpCourier:
    """An SMTP server as a Courier. A letter is `sent` once the server has taken charge of it, `never` when the
    server refuses it for good or its address can't be said to that server, and `later` in every other case.

    Each reader's letters leave one after the other, in the order in which they are given. A further connection joins
    when those before it have carried a letter and another waits. One that finds no server leaves its letter to the
    others; where there is no other, nothing more is drawn.
    """

    def __init__(self, account: SmtpAccount, back_off: BackOff | None = None, connections: int = 1) -> None:
        """`connections`: how many it may use at once."""
        self.account = account
        self._back_off = back_off or BackOff()
        self._count = connections
        self._connections = self._made()

    def _made(self) -> list[Connection]:
        return [Connection(self.account, replace(self._back_off)) for _ in range(self._count)]

    def send(self, parcels: Iterable[Parcel], most: int) -> Iterator[HandedOver]:
        done: Done = SimpleQueue()
        free, busy = deque(self._connections), dict[Connection, Parcel]()
        given, held = iter(parcels), deque[Parcel]()  # held are those whose reader's earlier one is under way
        while True:
            while free and (not busy or free[0].joins(busy)):
                parcel = drawn(given, held, busy.values(), most)
                if parcel is None:
                    break
                connection = free.popleft()
                busy[connection] = parcel
                connection.begin(parcel, done)
            if not busy:
                return
            try:
                connection, delivery = done.get(timeout=PATIENCE * self.account.timeout)
            except Empty:  # the server speaks, but never to the end
                self._connections = self._made()
                for connection, parcel in busy.items():
                    connection.hang_up()
                    yield parcel, Delivery("later", "The mail server comes to no end.", known=False)
                return
            parcel = busy.pop(connection)
            if delivery.tried:
                free.appendleft(connection)
            elif busy:  # the others may still have a server; this one is not used again
                held.appendleft(parcel)
                continue
            yield parcel, delivery
            if not delivery.tried:
                return

    def examine(self) -> tuple[str, ...]:
        account = self.account
        faults = []
        if account.user and account.security == "plain" and not is_loopback(account.host):
            faults.append(
                f"The password for {account.host} travels in the clear. Use smtps:// or smtp+starttls://."
            )
        if account.user and not account.password and account.tokens is None:
            faults.append(
                f"There is no password for {account.user} at {account.host}. Name the environment variable that holds "
                "it under the key `password_env` beside [courier] url, or a command under `password_command` (one that "
                "prints OAuth tokens under `token_command`)."
            )
        if trouble := self._connections[0].examine():
            faults.append(f"{trouble} Check [courier] url, the password, and that the server can be reached.")
        return tuple(faults)

    def close(self) -> None:
        for connection in self._connections:
            connection.close()


def drawn(
    parcels: Iterator[Parcel], held: deque[Parcel], busy: Collection[Parcel], most: int
) -> Parcel | None:
    """The first letter whose reader has no other under way, those held before the others; `most` are held and busy."""
    readers = {parcel.recipient for parcel in busy}
    for parcel in held:
        if parcel.recipient not in readers:
            held.remove(parcel)
            return parcel
    while len(held) + len(busy) < most:
        new = next(parcels, None)
        if new is None or new.recipient not in readers:
            return new
        held.append(new)
    return None


Done: TypeAlias = "SimpleQueue[tuple[Connection, Delivery]]"


class Connection:
    """One connection; made anew when the server wants it so. Each letter is carried in a thread, while others wait for
    the server. A letter whose connection was let go before its content was whole is offered once more, at once, over
    another, if the first had been of use. One whose content was whole, and not answered for, may have been taken: it is
    left for later.
    """

    def __init__(self, account: SmtpAccount, back_off: BackOff) -> None:
        self._account = account
        self._back_off = back_off
        self._carried = 0  # letters over the connection that is open
        self._line: smtplib.SMTP | None = None
        self._why = "it could not be reached a moment ago"
        self._thread: threading.Thread | None = None

    def joins(self, busy: Iterable[Connection]) -> bool:
        """Whether it may be used beside others: it is open; or these have proved of use, and it was not turned away a
        moment ago."""
        if self._line is not None:
            return True
        return self._back_off.left() == 0 and all(other._carried for other in busy)

    def begin(self, parcel: Parcel, done: Done) -> None:
        """Carry it, and tell there what became of it; does not wait."""

        def carry() -> None:
            try:
                delivery = self.carry(parcel)
            except Exception as error:  # whatever it was, who waits for the letter must hear of it
                log.exception("courier")
                self.hang_up()
                delivery = Delivery(
                    "later", f"It could not be handed over: {type(error).__name__}.", known=False
                )
            done.put((self, delivery))

        self._thread = threading.Thread(target=carry, daemon=True, name="courier")
        self._thread.start()

    def carry(self, parcel: Parcel) -> Delivery:
        """Hand the letter over, twice at most."""
        sender, recipient = posted(parcel.sender), posted(parcel.recipient)
        for address, said in ((parcel.sender, sender), (parcel.recipient, recipient)):
            if not speakable(said):
                return Delivery(
                    "never", f"The address {address!r} can't be written to: it is not of the form name@place."
                )
        content, seasoned = wired(parcel.raw), self._line is not None
        delivery = self._offered(sender, recipient, content)
        if delivery is None and seasoned:
            delivery = self._offered(sender, recipient, content)
        return delivery or Delivery("later", self._trouble)

    def _offered(self, sender: str, recipient: str, content: bytes) -> Delivery | None:
        """What became of it; None where the connection was let go before the letter was whole."""
        if self._line is None and self._back_off.left():
            return Delivery("later", self._trouble, tried=False)
        try:
            line = self._connected()
        except UNREACHABLE as error:
            self._drop(error)
            return Delivery("later", self._trouble, tried=False)
        if not (sender + recipient).isascii() and not line.has_extn("smtputf8"):
            odd = recipient if not recipient.isascii() else sender
            return Delivery(
                "never",
                f"The address {odd} has letters beyond ASCII, which this mail server does not take (no SMTPUTF8).",
            )
        whole = False  # so that the server may have taken it
        try:
            _granted("MAIL FROM", line.mail(sender, options(line, sender + recipient, content)))
            _granted("RCPT TO", line.rcpt(recipient))
            whole = True
            reply = _granted("end of the letter", line.data(content))
        except smtplib.SMTPDataError as error:
            return self._refused(line, Refusal("DATA", error.smtp_code, error.smtp_error))
        except Refusal as refusal:
            return self._refused(line, refusal)
        except UNREACHABLE as error:
            self._drop(error)
            return Delivery("later", self._trouble, known=not whole) if whole or timed_out(error) else None
        self._carried += 1
        self._back_off.served()
        return Delivery("sent", one_line(reply))

    def _refused(self, line: smtplib.SMTP, refusal: Refusal) -> Delivery | None:
        """The refusal's verdict, unless it is the end of the connection and of nothing else."""
        if refusal.code == GOING:
            self._drop(refusal)
            return None
        if refusal.code == ENOUGH and self._carried:
            self._leave()
            return None
        with contextlib.suppress(*UNREACHABLE):
            if 400 <= refusal.code < 600:
                line.rset()
                return refusal.delivery
        self.hang_up()  # out of step: what it says next may be the answer to something else
        return refusal.delivery

    # --- the connection itself -------------------------------------------------------------------------------------

    def _connected(self) -> smtplib.SMTP:
        if self._line is None:
            self._carried = 0
            self._line = connect(self._account)
            self._back_off.reached()
        return self._line

    def examine(self) -> str:
        """What is wrong with the server; empty where all is well."""
        try:
            self._connected().noop()
        except UNREACHABLE as error:
            self._drop(error)
            return self._trouble
        return ""

    @property
    def _trouble(self) -> str:
        return f"The mail server {self._account.host}:{self._account.door} can't be used: {self._why}."

    def _drop(self, error: BaseException) -> None:
        """Give the connection up; a failure only if it carried nothing."""
        self._why = told(error)
        if self._carried == 0:
            self._back_off.failed()
        self.hang_up()

    def hang_up(self) -> None:
        """Without a farewell, also from another thread, which then hears of it."""
        line, self._line = self._line, None
        if line is not None:
            with contextlib.suppress(OSError):
                if line.sock is not None:
                    line.sock.shutdown(socket.SHUT_RDWR)
            line.close()

    def _leave(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            with contextlib.suppress(OSError, smtplib.SMTPException):  # it may have left before us
                if line.sock is not None:
                    line.sock.settimeout(PARTING)
                line.quit()
            line.close()

    def close(self) -> None:
        if self._thread is not None:
            self._thread.join(PARTING)
            if self._thread.is_alive():
                self.hang_up()
        self._leave()


def connect(account: SmtpAccount) -> smtplib.SMTP:
    """A connection that has greeted, is encrypted as asked, and has logged in. Raises OSError,
    SMTPException or ValueError."""
    patience = account.timeout
    allowance = Allowance(LONGEST_ANSWER, patience)
    encrypted = trusting(account.ca) if account.security != "plain" else None
    first: Any = Wrapping(allowance, encrypted if account.security == "tls" else None)
    name = account.greeting or own_name()
    line = smtplib.SMTP_SSL(account.host, account.door, name, timeout=patience, context=first)
    try:
        line.ehlo_or_helo_if_needed()
        if account.security == "starttls":
            then: Any = Wrapping(allowance, encrypted)
            line.starttls(context=then)
            line.ehlo_or_helo_if_needed()
        if account.user:
            log_in(line, account)
    except BaseException:
        line.close()
        raise
    return line


def log_in(line: smtplib.SMTP, account: SmtpAccount) -> None:
    """By a token or by a password; no word of the server's repeats either."""
    try:
        if account.tokens is None:
            line.login(account.user, account.password)
        else:
            refusals = smtplib.SMTPAuthenticationError
            account.tokens.log_in(lambda token: by_token(line, account.user, token), refusals)
    except smtplib.SMTPAuthenticationError as error:
        told = unsaid(one_line(error.smtp_error), account.password, account.tokens)
        raise smtplib.SMTPAuthenticationError(error.smtp_code, told) from None


def by_token(line: smtplib.SMTP, user: str, token: str) -> None:
    """By what the server knows: RFC 7628, or what was in use before it. A challenge is the server's word on why it
    refuses, and is answered so that it says so."""
    known = line.esmtp_features.get("auth", "").upper().split()
    if "OAUTHBEARER" in known:
        who = user.replace("=", "=3D").replace(",", "=2C")
        first, then = f"n,a={who},\1auth=Bearer {token}\1\1", "\1"
    elif "XOAUTH2" in known:
        first, then = f"user={user}\1auth=Bearer {token}\1\1", ""
    else:
        raise ValueError(NO_TOKENS)
    line.auth(
        "OAUTHBEARER" if "OAUTHBEARER" in known else "XOAUTH2", lambda said=None: then if said else first
    )


@cache
def own_name() -> str:
    """This machine's, as smtplib finds it. Looked up once: where names are slow to be found, every connection would
    wait for it."""
    return smtplib.SMTP().local_hostname


def _granted(stage: str, answer: tuple[int, bytes]) -> bytes:
    """The server's words, where it agrees. Raises Refusal."""
    code, reply = answer
    if not 200 <= code < 300:
        raise Refusal(stage, code, reply)
    return reply


def options(line: smtplib.SMTP, addresses: str, content: bytes) -> list[str]:
    """What goes with MAIL FROM, as far as the server knows it."""
    known = {
        "SMTPUTF8": not addresses.isascii(),
        "BODY=8BITMIME": line.has_extn("8bitmime") and not content.isascii(),
        f"SIZE={len(content)}": line.has_extn("size"),
    }
    return [option for option, wanted in known.items() if wanted]


def wired(raw: bytes) -> bytes:
    """With CRLF at the end of every line, whatever ended it."""
    returns = raw.count(b"\r")
    if returns == 0:
        return raw.replace(b"\n", b"\r\n")
    if returns == raw.count(b"\n") == raw.count(b"\r\n"):
        return raw
    return LINE_END.sub(b"\r\n", raw)


def speakable(address: str) -> bool:
    """Whether the address can stand in a command as it is: nothing that ends, splits or escapes it."""
    local, at, domain = address.rpartition("@")
    plain = all(char.isprintable() and char not in "<> " for char in address)
    return bool(at and local and domain and plain) and parseaddr(address)[1] == address


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
