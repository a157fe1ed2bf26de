"""Letters out by SMTP: smtplib over one connection, one letter after the other."""

import contextlib
import re
import smtplib
from collections.abc import Iterable, Iterator
from email.utils import parseaddr
from functools import cache
from typing import Any

from referee.base.logs import Log
from referee.base.ports import Delivery, HandedOver, Parcel
from referee.core.texts.addresses import posted
from referee.transport.account import NO_TOKENS, REACHED, Account, without_secrets
from referee.transport.server import Allowance, BackOff, Wrapping, certificate_hint, tls_context

LINE_END = re.compile(rb"\r\n|\r|\n")
OURS_TO_MEND = frozenset({500, 502, 503, 504, 530, 534, 535, 538})
"""Refusals of the way we talk or log in, not of the letter: it waits until the moderator has mended that."""
GOING = 421  # a server that says so closes the connection
ENOUGH = 452  # some say so when a connection has carried enough letters, others of a full mailbox
UNREACHABLE = (OSError, smtplib.SMTPException, ValueError)
PARTING = 5.0  # seconds for a farewell
LONGEST_ANSWER = 64 * 1024  # bytes
log = Log("referee.courier")


class SmtpCourier:
    """An SMTP server as a Courier. A letter is `sent` once the server has taken charge of it, `never` when the server
    refuses it for good or its address can't be said to that server, and `later` in every other case.

    The connection stays, and is made anew when the server wants it so. A letter whose connection was let go before its
    content was whole is offered once more, at once, over another, if the first had been of use. One whose content was
    whole, and not answered for, may have been taken: it is left for later.
    """

    def __init__(self, account: Account, back_off: BackOff | None = None) -> None:
        self.account = account
        self._back_off = back_off or BackOff()
        self._line: smtplib.SMTP | None = None
        self._carried = 0  # letters over the connection that is open
        self._why = "it could not be reached a moment ago"

    def send(self, parcels: Iterable[Parcel]) -> Iterator[HandedOver]:
        for parcel in parcels:
            try:
                delivery = self._carry(parcel)
            except Exception as error:  # whatever it was, the others go on
                log.exception("courier")
                self._hang_up()
                words = f"It could not be handed over: {type(error).__name__}."
                delivery = Delivery("later", words, known=False)
            yield parcel, delivery
            if not delivery.tried:
                return

    def _carry(self, parcel: Parcel) -> Delivery:
        """Hand the letter over, twice at most."""
        sender, recipient = posted(parcel.sender), posted(parcel.recipient)
        for address, said in ((parcel.sender, sender), (parcel.recipient, recipient)):
            if not is_speakable(said):
                return Delivery(
                    "never", f"The address {address!r} can't be written to: it is not of the form name@place."
                )
        raw, seasoned = parcel.raw, self._line is not None
        whole = raw.count(b"\r") == raw.count(b"\n") == raw.count(b"\r\n")
        content = raw if whole else LINE_END.sub(b"\r\n", raw)
        delivery = self._offer(sender, recipient, content)
        if delivery is None and seasoned:
            delivery = self._offer(sender, recipient, content)
        return delivery or Delivery("later", self._trouble)

    def _offer(self, sender: str, recipient: str, content: bytes) -> Delivery | None:
        """What became of it; None where the connection was let go before the letter was whole."""
        if self._line is None and self._back_off.left():
            return Delivery("later", self._trouble, tried=False)
        try:
            line = self._connect()
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
            stage = "MAIL FROM"
            _accept(line.mail(sender, options(line, sender + recipient, content)))
            stage = "RCPT TO"
            _accept(line.rcpt(recipient))
            whole, stage = True, "DATA"
            said = line.data(content)
            stage = "end of the letter"
            _accept(said)
        except smtplib.SMTPResponseException as refusal:
            refusal.smtp_error = f"{one_line(refusal.smtp_error)} ({stage})"
            return self._settle_refusal(line, refusal)
        except UNREACHABLE as error:
            self._drop(error)
            return Delivery("later", self._trouble, known=not whole) if whole or is_timeout(error) else None
        self._carried += 1
        self._back_off.served()
        return Delivery("sent", one_line(said[1]))

    def _settle_refusal(self, line: smtplib.SMTP, refusal: smtplib.SMTPResponseException) -> Delivery | None:
        """The refusal's verdict, unless it is the end of the connection and of nothing else."""
        code = refusal.smtp_code
        if code == GOING:
            self._drop(refusal)
            return None
        if code == ENOUGH and self._carried:
            self.close()
            return None
        for_good = 500 <= code < 600 and code not in OURS_TO_MEND
        with contextlib.suppress(*UNREACHABLE):
            if 400 <= code < 600:
                line.rset()
                return Delivery("never" if for_good else "later", describe(refusal))
        self._hang_up()  # out of step: what it says next may be the answer to something else
        return Delivery("never" if for_good else "later", describe(refusal))

    def examine(self) -> tuple[str, ...]:
        faults = [*self.account.faults("courier", "smtp")] if self.account.user else []
        try:
            self._connect().noop()
        except UNREACHABLE as error:
            self._drop(error)
            faults.append(f"{self._trouble} Check [courier] url, {REACHED}")
        return tuple(faults)

    # --- the connection itself -------------------------------------------------------------------------------------

    def _connect(self) -> smtplib.SMTP:
        if self._line is None:
            self._carried = 0
            self._line = connect(self.account)
            self._back_off.reached()
        return self._line

    @property
    def _trouble(self) -> str:
        return f"The mail server {self.account.host}:{self.account.port} can't be used: {self._why}."

    def _drop(self, error: BaseException) -> None:
        """Give the connection up; a failure only if it carried nothing."""
        self._why = describe(error)
        if self._carried == 0:
            self._back_off.failed()
        self._hang_up()

    def _hang_up(self, *, politely: bool = False) -> None:
        line, self._line = self._line, None
        if line is not None:
            with contextlib.suppress(OSError, smtplib.SMTPException):  # it may have left before us
                if politely and line.sock is not None:
                    line.sock.settimeout(PARTING)
                    line.quit()
            line.close()

    def close(self) -> None:
        self._hang_up(politely=True)


def connect(account: Account) -> smtplib.SMTP:
    """A connection that has greeted, is encrypted as asked, and has logged in. Raises OSError,
    SMTPException or ValueError."""
    patience = account.timeout
    allowance = Allowance(LONGEST_ANSWER, patience)
    encrypted = tls_context(account.ca) if account.security != "plain" else None
    first: Any = Wrapping(allowance, encrypted if account.security == "tls" else None)
    line = smtplib.SMTP_SSL(account.host, account.port, own_name(), timeout=patience, context=first)
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


def log_in(line: smtplib.SMTP, account: Account) -> None:
    """By a token or by a password; no word of the server's repeats either."""

    def by_token(token: str) -> None:
        """By what the server knows: RFC 7628, or what was in use before it. A challenge is the
        server's word on why it refuses, and is answered so that it says so."""
        known, user = line.esmtp_features.get("auth", "").upper().split(), account.user
        if "OAUTHBEARER" in known:
            who = user.replace("=", "=3D").replace(",", "=2C")
            method, first, then = "OAUTHBEARER", f"n,a={who},\1auth=Bearer {token}\1\1", "\1"
        elif "XOAUTH2" in known:
            method, first, then = "XOAUTH2", f"user={user}\1auth=Bearer {token}\1\1", ""
        else:
            raise ValueError(NO_TOKENS)
        line.auth(method, lambda said=None: then if said else first)

    try:
        if account.tokens is None:
            line.login(account.user, account.password)
        else:
            account.tokens.log_in(by_token, smtplib.SMTPAuthenticationError)
    except smtplib.SMTPAuthenticationError as error:
        told = without_secrets(one_line(error.smtp_error), account.password, account.tokens)
        raise smtplib.SMTPAuthenticationError(error.smtp_code, told) from None


@cache
def own_name() -> str:
    """This machine's, as smtplib finds it. Looked up once: where names are slow to be found, every
    connection would wait for it."""
    return smtplib.SMTP().local_hostname


def _accept(answer: tuple[int, bytes]) -> None:
    """Raises SMTPResponseException where the server does not agree."""
    if not 200 <= answer[0] < 300:
        raise smtplib.SMTPResponseException(*answer)


def options(line: smtplib.SMTP, addresses: str, content: bytes) -> list[str]:
    """What goes with MAIL FROM, as far as the server knows it."""
    known = {
        "SMTPUTF8": not addresses.isascii(),
        "BODY=8BITMIME": line.has_extn("8bitmime") and not content.isascii(),
        f"SIZE={len(content)}": line.has_extn("size"),
    }
    return [option for option, wanted in known.items() if wanted]


def is_speakable(address: str) -> bool:
    """Whether the address can stand in a command as it is: nothing ends, splits or escapes it."""
    local, at, domain = address.rpartition("@")
    plain = all(char.isprintable() and char not in "<> " for char in address)
    return bool(at and local and domain and plain) and parseaddr(address)[1] == address


def is_timeout(error: BaseException) -> bool:
    """Trying at once again would double the wait, and perhaps the letter."""
    return isinstance(error, TimeoutError) or isinstance(error.__context__, TimeoutError)


def describe(error: BaseException) -> str:
    """What happened, in one line, whoever says it."""
    if isinstance(error, smtplib.SMTPResponseException):
        return f"{error.smtp_code} {one_line(error.smtp_error)}"
    if is_timeout(error):
        return "it does not answer in time"
    return (one_line(str(error)).rstrip(".") or type(error).__name__) + certificate_hint(error)


def one_line(reply: bytes | str) -> str:
    text = reply.decode("utf-8", "replace") if isinstance(reply, bytes) else reply
    return " ".join(text.split())
