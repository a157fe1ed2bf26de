"""Letters out by SMTP: smtplib over a few connections, each with a thread of its own, so that while the server's disk
keeps one of them waiting another letter is under way."""

from __future__ import annotations

import contextlib
import re
import smtplib
import socket
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from email.utils import parseaddr
from functools import cache, lru_cache
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from referee.base.logs import Log
from referee.core.texts.addresses import posted
from referee.offices.ports.transport import Delivery, HandedOver, Parcel
from referee.post.carrying.credentials import NO_TOKENS, Tokens, unsaid
from referee.post.carrying.line import Allowance, Wrapping
from referee.post.servers import BackOff, Security, is_loopback, trusting, untrusted

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


class BrokenOff(Exception):
    """The connection ended while a letter was in hand; `whole` tells that all of its content had been given, so that
    the server may have taken it."""

    def __init__(self, error: BaseException, *, whole: bool) -> None:
        self.error = error
        self.whole = whole


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
        dispatch = Dispatch(iter(parcels), self._connections, most)
        while dispatch.hand_out():
            try:
                yield from dispatch.settled(PATIENCE * self.account.timeout)
            except Empty:  # the server speaks, but never to the end
                yield from dispatch.given_up()
                self._connections = self._made()

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


Done = SimpleQueue[tuple["Connection", Delivery]]


class Dispatch:
    """Letters on their way, `most` at most: `held` are drawn and wait until their reader's earlier one is settled."""

    def __init__(self, parcels: Iterator[Parcel], connections: list[Connection], most: int) -> None:
        self._parcels = parcels
        self._most = most
        self._free = deque(connections)
        self._busy: dict[Connection, Parcel] = {}
        self._held: deque[Parcel] = deque()
        self._done: Done = SimpleQueue()
        self._over = False  # no server can be had

    def hand_out(self) -> bool:
        """Give every free connection a letter; whether any is under way."""
        while self._free and (not self._busy or self._joins(self._free[0])):
            parcel = self._next()
            if parcel is None:
                break
            connection = self._free.popleft()
            self._busy[connection] = parcel
            connection.give(parcel, self._done)
        return bool(self._busy)

    def _joins(self, connection: Connection) -> bool:
        """Whether it may be used beside others: it is open; or these have proved of use, and it was not turned away a
        moment ago."""
        return connection.is_open or (connection.rested and all(other.carried for other in self._busy))

    def _next(self) -> Parcel | None:
        """The first letter whose reader has no other on its way."""
        if self._over:
            return None
        readers = {parcel.recipient for parcel in self._busy.values()}
        for held in self._held:
            if held.recipient not in readers:
                self._held.remove(held)
                return held
            readers.add(held.recipient)
        while len(self._held) + len(self._busy) < self._most:
            parcel = next(self._parcels, None)
            if parcel is None or parcel.recipient not in readers:
                return parcel
            self._held.append(parcel)
        return None

    def settled(self, patience: float) -> Iterator[HandedOver]:
        """The next letter of which it is known what became of it. Raises Empty where that takes too long."""
        connection, delivery = self._done.get(timeout=patience)
        parcel = self._busy.pop(connection)
        if delivery.tried:
            self._free.appendleft(connection)
        elif self._busy:  # the others may still have a server; this one is not used again
            self._held.appendleft(parcel)
            return
        else:
            self._over = True
        yield parcel, delivery

    def given_up(self) -> Iterator[HandedOver]:
        """Nobody waits any longer for the letters on their way, nor for this server."""
        self._over = True
        for connection, parcel in self._busy.items():
            connection.hang_up()
            yield parcel, Delivery("later", "The mail server comes to no end.")
        self._busy.clear()


class Connection:
    """One connection and the thread that serves it; made anew when the server wants it so. A letter whose connection
    was let go before its content was whole is offered once more, at once, over another, if the first had been of use.
    One whose content was whole, and not answered for, may have been taken: it is left for later.
    """

    def __init__(self, account: SmtpAccount, back_off: BackOff) -> None:
        self.carried = 0  # letters over the connection that is open
        self._account = account
        self._back_off = back_off
        self._line: smtplib.SMTP | None = None
        self._why = "it could not be reached a moment ago"
        self._waiting: SimpleQueue[tuple[Parcel, Done] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None

    @property
    def is_open(self) -> bool:
        return self._line is not None

    @property
    def rested(self) -> bool:
        """Whether its server may be asked for a connection."""
        return self._back_off.left() == 0

    def give(self, parcel: Parcel, done: Done) -> None:
        """Carry it, and tell there what became of it; does not wait."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._serve, daemon=True, name="courier")
            self._thread.start()
        self._waiting.put((parcel, done))

    def _serve(self) -> None:
        for parcel, done in iter(self._waiting.get, None):
            try:
                delivery = self.carry(parcel)
            except Exception as error:  # whatever it was, who waits for the letter must hear of it
                log.exception("courier")
                self.hang_up()
                delivery = Delivery("later", f"It could not be handed over: {type(error).__name__}.")
            done.put((self, delivery))

    def carry(self, parcel: Parcel) -> Delivery:
        """Hand the letter over, twice at most."""
        for address in (parcel.sender, parcel.recipient):
            if not speakable(spelt(address)):
                return Delivery(
                    "never", f"The address {address!r} can't be written to: it is not of the form name@place."
                )
        seasoned = self.is_open
        delivery = self._offered(parcel)
        if delivery is None and seasoned:
            delivery = self._offered(parcel)
        return delivery or Delivery("later", self._trouble)

    def _offered(self, parcel: Parcel) -> Delivery | None:
        """What became of it; None where the connection was let go before the letter was whole."""
        if not self.is_open and not self.rested:
            return Delivery("later", self._trouble, tried=False)
        try:
            line = self._connected()
        except UNREACHABLE as error:
            self._drop(error)
            return Delivery("later", self._trouble, tried=False)
        try:
            return self._given(line, parcel)
        except Refusal as refusal:
            return self._refused(line, refusal)
        except BrokenOff as broken:
            self._drop(broken.error)
            return Delivery("later", self._trouble) if broken.whole or timed_out(broken.error) else None

    def _given(self, line: smtplib.SMTP, parcel: Parcel) -> Delivery:
        """One letter, from MAIL to the answer to its end. Raises Refusal, BrokenOff."""
        sender, recipient, content = spelt(parcel.sender), spelt(parcel.recipient), wired(parcel.raw)
        if not (sender + recipient).isascii() and not line.has_extn("smtputf8"):
            odd = recipient if not recipient.isascii() else sender
            return Delivery(
                "never",
                f"The address {odd} has letters beyond ASCII, which this mail server does not take (no SMTPUTF8).",
            )
        try:
            _granted("MAIL FROM", line.mail(sender, options(line, sender + recipient, content)))
            _granted("RCPT TO", line.rcpt(recipient))
        except UNREACHABLE as error:
            raise BrokenOff(error, whole=False) from error
        try:
            code, reply = line.data(content)
        except smtplib.SMTPDataError as error:
            raise Refusal("DATA", error.smtp_code, error.smtp_error) from error
        except UNREACHABLE as error:
            raise BrokenOff(error, whole=True) from error
        _granted("end of the letter", (code, reply))
        self.carried += 1
        self._back_off.served()
        return Delivery("sent", one_line(reply))

    def _refused(self, line: smtplib.SMTP, refusal: Refusal) -> Delivery | None:
        """The refusal's verdict, unless it is the end of the connection and of nothing else."""
        if refusal.code == GOING:
            self._drop(refusal)
            return None
        if refusal.code == ENOUGH and self.carried:
            self._leave()
            return None
        if (
            not 400 <= refusal.code < 600
        ):  # out of step: what it says next may be the answer to something else
            self.hang_up()
            return refusal.delivery
        try:
            line.rset()
        except UNREACHABLE:
            self.hang_up()
        return refusal.delivery

    # --- the connection itself -------------------------------------------------------------------------------------

    def _connected(self) -> smtplib.SMTP:
        if self._line is None:
            self.carried = 0
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
        if self.carried == 0:
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
        thread, self._thread = self._thread, None
        if thread is not None:
            self._waiting.put(None)
            thread.join(PARTING)
            if thread.is_alive():
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


def _granted(stage: str, answer: tuple[int, bytes]) -> None:
    code, reply = answer
    if not 200 <= code < 300:
        raise Refusal(stage, code, reply)


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


ADDRESSES_AT_HAND = 1000  # the same few are written to again and again


@lru_cache(ADDRESSES_AT_HAND)
def spelt(address: str) -> str:
    """As every server takes it, as far as that goes."""
    return posted(address)


@lru_cache(ADDRESSES_AT_HAND)
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
