"""What the service does about trouble that is nobody's mail: the moderator is told once, and told
when it is over. The lanes in which all works; one of them is its ear, which hears of mail."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta

import sqlalchemy as sa

from referee.base.errors import outlined
from referee.base.logs import Log
from referee.base.ports import Parcel, Stopped, hand_over
from referee.letters.replies import to_moderator
from referee.match.chain import stamp
from referee.service.wiring import Referee
from referee.store.engine import Again

_PATIENCE = timedelta(minutes=5)  # a hiccup is not worth a letter
_SLICE = 1.0  # seconds it listens at once, so that it hears of the end
_NOTICE = 0.1  # seconds before what fails is tried once more, twice as many each time, up to half a minute
log = Log("referee.trouble")


class AlreadyTold(Exception):
    """What went wrong has been told: whoever did it waits, and tries again."""


class TroubleAlarm:
    """Sees every pass. An alarm goes through the outbox; where the store itself is in trouble,
    straight to the courier."""

    def __init__(self, referee: Referee) -> None:
        self._referee = referee
        self._patience = min(_PATIENCE, 5 * referee.located.settings.poll.every)
        self._since: datetime | None = None
        self._told = False
        self._said: set[str] = set()  # what the log was told of since it began

    def seen(self, trouble: Sequence[str], now: datetime) -> None:
        """What was wrong in the pass of that moment; nothing, if nothing."""
        if not trouble:
            if self._told and self._since is not None:
                self._alarm("The referee is well again", "well", "", now)
            if self._since is not None:
                log.warning("over", since=stamp(self._since))
            self._since, self._told, self._said = None, False, set()
            return
        for line in trouble:
            if line not in self._said:
                log.warning("trouble", what=line)
        self._said |= set(trouble)
        self._since = self._since or now
        if not self._told and now - self._since >= self._patience:
            self._told = self._alarm("The referee is in trouble", "trouble", " ".join(trouble), now)

    def _alarm(self, subject: str, topic: str, reason: str, now: datetime) -> bool:
        """Whether the letter is on its way."""
        assert self._since is not None
        key, about = (topic, stamp(self._since)), self._referee.offices.name
        speaker, since = self._referee.parts.speaker, self._since
        letter = to_moderator(speaker, topic, subject, key, now, reason=reason, about=about, since=since)
        try:
            with self._referee.store.transaction() as unit:
                self._referee.parts.outbox.post(unit, [letter])
        except Exception as error:  # noqa: BLE001 - the store is what may be in trouble
            log.error("alarm", error=outlined(error))
            sender, raw = self._referee.offices.speaker, self._referee.parts.envelope(letter)
            parcel = Parcel(sender, letter.head.recipient, letter.head.message_id, raw)
            delivery = hand_over(self._referee.courier, parcel)
            return delivery.fate == "sent" or not delivery.known
        return True


class Lane(threading.Thread):
    """Works when it is called, and looks by itself after so many seconds; `work` tells whether there may be more. What
    a database in trouble raises is its `fault`, and ends it and all others."""

    def __init__(
        self, name: str, work: Callable[[], bool], stopping: threading.Event, glance: float | None = 1.0
    ) -> None:
        super().__init__(name=name, daemon=True)
        self.called = threading.Event()
        self.fault: Exception | None = None
        self._work, self._stopping, self._glance = work, stopping, glance

    def run(self) -> None:
        failed = 0
        while not self._stopping.is_set():
            self.called.clear()
            try:
                busy, failed = self._work(), 0
            except Stopped:
                return
            except sa.exc.SQLAlchemyError as error:
                self.fault = error
                self._stopping.set()
                return
            except Exception as error:
                if not (failed or isinstance(error, Again | AlreadyTold)):  # once is enough of what goes on
                    log.exception("lane", lane=self.name)
                busy, failed = False, failed + 1
                self._stopping.wait(_NOTICE * 2 ** min(failed, 8))
            if not busy:
                self.called.wait(self._glance)


@contextmanager
def listening(referee: Referee, over: threading.Event, ring: Callable[[], None]) -> Iterator[None]:
    """Rings whenever mail has come, until the block ends or it is `over`; it listens again once `ring` comes back."""
    maildir = referee.settings.mailbox.url.startswith("maildir:")
    ears = referee.mailbox if maildir else referee.another_mailbox()

    def listen() -> bool:
        if ears.wait(_SLICE):
            ring()
        return True

    ear = Lane("ear", listen, over)
    ear.start()
    try:
        yield
    finally:
        over.set()
        if not maildir:
            ear.join(2 * _SLICE)
            ears.close()
