"""Letters out by SMTP: one connection, used again for every letter, made anew when the server wants it so."""

from __future__ import annotations

import re
import smtplib
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from email.utils import parseaddr
from functools import lru_cache
from typing import TYPE_CHECKING

from referee.offices.ports.transport import Delivery, Parcel
from referee.post.carrying.smtp_session import (
    Errand,
    OutOfStep,
    Refusal,
    SmtpAccount,
    SmtpSession,
    one_line,
    timed_out,
    told,
)
from referee.post.reading.address import ascii_domain
from referee.post.servers import BackOff, is_loopback

if TYPE_CHECKING:
    from referee.post.carrying.smtp_porter import SmtpPorter

LINE_END = re.compile(rb"\r\n|\r|\n")
OURS_TO_MEND = frozenset({500, 502, 503, 504, 530, 534, 535, 538})
"""Refusals of the way we talk or log in, not of the letter: it waits until the moderator has mended that."""
GOING = 421  # a server that says so closes the connection
ENOUGH = 452  # some say so when a connection has carried enough letters, others of a full mailbox
PLAINLY = (
    3600.0  # seconds for which a server that stumbled over several commands at once gets them one by one
)
UNREACHABLE = (OSError, smtplib.SMTPException, ValueError)


@dataclass(slots=True)
class Handed:
    """A parcel in hand; what this server is told of it; how often it was offered; what became of it."""

    number: int
    parcel: Parcel
    errand: Errand | None = None
    tries: int = 0
    delivery: Delivery | None = None


Tell = Callable[[Parcel, Delivery], None]


class Hand:
    """What was drawn and is not settled, and what became of the rest."""

    def __init__(self, parcels: Iterable[Parcel], tell: Tell = lambda parcel, delivery: None) -> None:
        self._parcels = iter(parcels)
        self._tell = tell
        self._deliveries: list[Delivery | None] = []
        self._ready: Handed | None = None
        self._again: deque[Handed] = deque()

    def next(self) -> Handed | None:
        if self._again:
            return self._again.popleft()
        self.get_ready()
        ready, self._ready = self._ready, None
        return ready

    def get_ready(self) -> None:
        """Draw one that is new, so that it is there when it is its turn."""
        if self._ready is None and (parcel := next(self._parcels, None)) is not None:
            self._deliveries.append(None)
            self._ready = Handed(len(self._deliveries) - 1, parcel)

    def again(self, handed: Handed) -> None:
        self._again.append(handed)

    def settle(self, handed: Handed, delivery: Delivery) -> None:
        self._deliveries[handed.number] = handed.delivery = delivery
        self._tell(handed.parcel, delivery)

    def leave(self, trouble: str) -> None:
        """What is drawn and not settled was not tried."""
        left = sorted((*self._again, *filter(None, [self._ready])), key=lambda handed: handed.number)
        for handed in left:
            self.settle(handed, Delivery("later", trouble, tried=False))

    def deliveries(self) -> list[Delivery]:
        """Of those that are settled, in the order of the parcels."""
        return [each for each in self._deliveries if each is not None]


class SmtpCourier:
    """An SMTP server as a Courier. A letter is `sent` once the server has taken charge of it, `never` when the
    server refuses it for good or its address can't be said to that server, and `later` in every other case.

    A letter whose connection was let go before its content was whole is offered once more, at once, over another. One
    whose content was whole, and not answered for, may have been taken: it is left for later.
    """

    def __init__(self, account: SmtpAccount, back_off: BackOff | None = None, connections: int = 1) -> None:
        """`connections`: how many a porter of it may use at once."""
        self.account = account
        self._back_off = back_off or BackOff()
        self._connections = connections
        self._session: SmtpSession | None = None
        self._trouble = ""
        self._plain_until = float("-inf")  # by the monotonic clock
        self._porter: SmtpPorter | None = None

    def send(self, parcels: Iterable[Parcel]) -> Sequence[Delivery]:
        """A letter's content and the offer of the next one go out together; while the server is busy with them, the one
        after these is drawn. Nothing more is drawn once no connection can be had."""
        hand = Hand(parcels)
        self._send(hand)
        return hand.deliveries()

    def carry(self, parcels: Iterable[Parcel], tell: Tell) -> None:
        """The same; what became of each is told as soon as it is known."""
        self._send(Hand(parcels, tell))

    def porter(self) -> SmtpPorter:
        from referee.post.carrying.smtp_porter import SmtpPorter

        if self._porter is None:
            self._porter = SmtpPorter(self, lambda: SmtpCourier(self.account), self._connections)
        return self._porter

    def _send(self, hand: Hand) -> None:
        if self._session is not None:
            self._session.seasoned = True
        try:
            while (first := hand.next()) is not None:
                session = self._connected()
                if session is None:
                    hand.again(first)
                    break
                self._carry(session, first, hand)
        except BaseException:
            self._hang_up()
            raise
        hand.leave(self._trouble)

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
            self._made().examine()
        except UNREACHABLE as error:
            self._drop(error)
            faults.append(
                f"{self._trouble} Check [courier] url, the password, and that the server can be reached."
            )
        return tuple(faults)

    def close(self) -> None:
        if self._porter is not None:
            self._porter.close()
        self._leave()

    def _leave(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            session.leave()

    # --- letter after letter over one connection -------------------------------------------------------------------

    def _carry(self, session: SmtpSession, first: Handed, hand: Hand) -> None:
        """Until there are no more, or the connection has come to its end."""
        current = self._offer(session, first, hand)
        behind = False  # a letter's end
        while current is not None:
            hand.get_ready()
            try:
                refusal, awaited = session.welcomed()
            except OSError as error:
                self._broken_off(session, current, hand, error, behind=behind)
                return
            if refusal is not None:
                if self._let_go(session, current, hand, refusal):
                    return
                hand.settle(current, verdict(refusal))
                session.seasoned = True
            behind = awaited
            if awaited:
                current = self._give(session, current, hand)
            else:
                current = self._offer(session, hand.next(), hand)

    def _offer(self, session: SmtpSession, handed: Handed | None, hand: Hand) -> Handed | None:
        """Offer it, or the first after it whose addresses this server can be told."""
        chosen = self._chosen(session, handed, hand)
        if chosen is not None and chosen.errand is not None:
            session.offer(chosen.errand)
        return chosen

    def _chosen(self, session: SmtpSession, handed: Handed | None, hand: Hand) -> Handed | None:
        while handed is not None:
            errand = errand_of(session, handed.parcel)
            if isinstance(errand, Errand):
                handed.errand = errand
                handed.tries += 1
                return handed
            hand.settle(handed, Delivery("never", errand))
            handed = hand.next()
        return None

    def _give(self, session: SmtpSession, current: Handed, hand: Hand) -> Handed | None:
        """Hand over what the server awaits, which is nothing where it refused the letter; offer the next, and hear of
        this one. The next, if the connection holds."""
        refused = current.delivery is not None
        assert current.errand is not None
        following = self._chosen(session, hand.next(), hand)
        try:
            content = b"" if refused else current.errand.content
            session.give(content, following.errand if following is not None else None)
        except OSError as error:
            if (refusal := session.refused()) is not None and not refused:
                hand.settle(current, verdict(refusal))
            self._broken_off(session, current, hand, error)
            self._put_back(following, hand)
            return None
        hand.get_ready()
        try:
            code, reply = session.taken()
        except OSError as error:
            self._drop(error)
            if not refused:
                hand.settle(current, Delivery("later", self._trouble))
            self._put_back(following, hand)
            return None
        if code == GOING:
            self._let_go(session, current, hand, Refusal("end of the letter", code, reply))
            self._put_back(following, hand)
            return None
        if 200 <= code < 300:
            self._back_off.served()
        if not refused:
            taken = 200 <= code < 300
            refusal = Refusal("end of the letter", code, reply)
            hand.settle(current, Delivery("sent", one_line(reply)) if taken else verdict(refusal))
        return following

    # --- connections -----------------------------------------------------------------------------------------------

    def _connected(self) -> SmtpSession | None:
        """None where there is no connection to be had now; `_trouble` says why."""
        if self._session is None and self._back_off.left() > 0:
            return None
        try:
            return self._made()
        except UNREACHABLE as error:
            self._drop(error)
            return None

    def _made(self) -> SmtpSession:
        if self._session is None:
            pipelining = time.monotonic() >= self._plain_until
            self._session = SmtpSession(self.account, pipelining=pipelining)
            self._back_off.reached()
        return self._session

    def _let_go(self, session: SmtpSession, current: Handed, hand: Hand, refusal: Refusal) -> bool:
        """Whether the refusal is the end of the connection. The letter is then offered over another, if this one had
        been of use."""
        if refusal.code == GOING:
            self._drop(refusal)
        elif refusal.code == ENOUGH and session.carried > 0:
            self._leave()
        else:
            return False
        if current.delivery is None:
            if session.seasoned and current.tries < 2:
                hand.again(current)
            else:
                hand.settle(current, verdict(refusal))
        return True

    def _broken_off(
        self, session: SmtpSession, current: Handed, hand: Hand, error: OSError, *, behind: bool = False
    ) -> None:
        """The connection ended before the letter's content was whole. A server that may have stumbled over several
        commands at once is given them one by one for a while."""
        stumbled = session.pipelines and (
            isinstance(error, OutOfStep)
            or session.answered > 0
            or not session.seasoned
            or (behind and (timed_out(error) or session.carried == 1))
        )
        if stumbled:
            self._plain_until = time.monotonic() + PLAINLY
        self._drop(error)
        if current.delivery is None:
            if current.tries < 2 and not timed_out(error) and (session.seasoned or stumbled):
                hand.again(current)
            else:
                hand.settle(current, Delivery("later", self._trouble))

    @staticmethod
    def _put_back(following: Handed | None, hand: Hand) -> None:
        """It was offered, and what became of that will never be known: as if it had not been."""
        if following is not None:
            following.tries -= 1
            hand.again(following)

    def _drop(self, error: BaseException) -> None:
        """Give the connection up; a failure only if it carried nothing."""
        self._trouble = (
            f"The mail server {self.account.host}:{self.account.door} can't be used: {told(error)}."
        )
        if self._session is None or self._session.carried == 0:
            self._back_off.failed()
        self._hang_up()

    def _hang_up(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            session.hang_up()


def errand_of(session: SmtpSession, parcel: Parcel) -> Errand | str:
    """What this server is told of a parcel; or why it can't be told."""
    sender, recipient = spelt(parcel.sender), spelt(parcel.recipient)
    for address in (sender, recipient):
        if not speakable(address):
            return f"The address {address!r} can't be written to: it is not of the form name@place."
    options: list[str] = []
    if not (sender + recipient).isascii():
        if not session.has("smtputf8"):
            odd = recipient if not recipient.isascii() else sender
            return f"The address {odd} has letters beyond ASCII, which this mail server does not take (no SMTPUTF8)."
        options.append("SMTPUTF8")
    content = wired(parcel.raw)
    if session.has("8bitmime") and not content.isascii():
        options.append("BODY=8BITMIME")
    if session.has("size"):
        options.append(f"SIZE={len(content)}")
    return Errand(sender, recipient, tuple(options), content)


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
    return ascii_domain(address)


@lru_cache(ADDRESSES_AT_HAND)
def speakable(address: str) -> bool:
    """Whether the address can stand in a command as it is: nothing that ends, splits or escapes it."""
    local, at, domain = address.rpartition("@")
    plain = all(char.isprintable() and char not in "<> " for char in address)
    return bool(at and local and domain and plain) and parseaddr(address)[1] == address


def verdict(refusal: Refusal) -> Delivery:
    for_good = 500 <= refusal.code < 600 and refusal.code not in OURS_TO_MEND
    return Delivery("never" if for_good else "later", str(refusal))
