"""The archivist: keeps every mail as it came, before anyone judges it, and puts settled ones away on the server."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING

from referee.logs import Log
from referee.offices.passes import DEATHS, Counts
from referee.offices.ports.store import NewMail
from referee.offices.ports.tools import Overrun, Stopped
from referee.offices.ports.transport import MailboxTrouble, Withheld

if TYPE_CHECKING:
    from referee.offices.incoming.intake.lanes import Lanes
    from referee.offices.ports.mail import Mail, MailReading
    from referee.offices.ports.store import Disposition, Store, Unit
    from referee.offices.ports.tools import TimeLimit
    from referee.offices.ports.transport import Arrival, Filing, Mailbox
    from referee.offices.settings import Settings

log = Log("referee.desk")
_FILING: dict[str, Filing] = {"refused": "refused", "held": "held", "shunted": "held"}


@dataclass(frozen=True, slots=True)
class Archivist:
    """Reads the mailbox to its end; what was kept once is never kept again."""

    store: Store
    mailbox: Mailbox
    reader: Callable[[], MailReading]  # made for the first mail
    settings: Settings
    limit: Callable[[], TimeLimit]
    lanes: Lanes | None = None  # where several workers judge what is kept

    def receive(
        self, now: datetime, counts: Counts, stopping: Callable[[], bool], *, careful: bool = False
    ) -> datetime:
        """Keep what the mailbox has, and note how far it has been read: the watermark, which is given back."""
        whole = self.keep_all(now, counts, stopping, careful=careful)
        with self.store.transaction() as unit:
            unit.hold("clock", "")
            clock = unit.clock()
            if not whole:
                return clock.watermark or datetime.min.replace(tzinfo=now.tzinfo)
            unit.set_clock(clock._replace(watermark=now))
        return now

    def keep_all(
        self, now: datetime, counts: Counts, stopping: Callable[[], bool], *, careful: bool = False
    ) -> bool:
        """Keep what the mailbox has. Whether it could be read to its end, so that the watermark may move to the clock:
        for a mail that the server has and does not give out deadlines wait no longer than for one that is held.
        `careful`: the last pass broke off, perhaps because of a mail, so that each is marked before it is looked at."""
        try:
            for batch in self.mailbox.fetch(self._known, self.settings.mailbox.largest):
                if careful:
                    self._keep_carefully(batch, counts)
                else:
                    self._keep(batch, counts)
                if stopping():
                    return False
        except MailboxTrouble as trouble:
            counts.trouble.append(str(trouble))
            counts.mailbox_failed = True
            return isinstance(trouble, Withheld) and now - trouble.arrived > self.settings.limits.grace
        return True

    def _keep(self, batch: Sequence[Arrival], counts: Counts) -> None:
        mails = [self._new(arrival) for arrival in batch]
        read = [self._read(mail) for mail in mails]
        with self.store.transaction() as unit:
            known = unit.known_uids([mail.uid for mail in mails])  # to another receiver, since we asked
            for mail, seen in zip(mails, read, strict=True):
                if mail.uid not in known and not unit.keep(self._laned(unit, mail, seen)):
                    counts.ignored += 1

    def _read(self, mail: NewMail) -> Mail | None:
        """What tells its lane, where there are lanes."""
        return self.lanes.read(mail.uid, mail.raw, cut=mail.cut) if self.lanes else None

    def _laned(self, unit: Unit, mail: NewMail, seen: Mail | None) -> NewMail:
        return mail if self.lanes is None else mail._replace(lane=self.lanes.of(unit, seen))

    def _keep_carefully(self, batch: Sequence[Arrival], counts: Counts) -> None:
        """One by one, each marked before it is looked at. Under one that has ended the process too often the mark
        stays, and it is kept unread: whoever judges it puts it aside."""
        self.reader()  # what has to be imported for it is no mail's doing
        for arrival in batch:
            with self.store.transaction() as unit:
                if unit.known_uids([arrival.uid]):
                    continue
                times = unit.take_in_hand(arrival.uid)
            try:
                mail = _unread(arrival) if times >= DEATHS else self._new(arrival)
                seen = None if times >= DEATHS else self._read(mail)
                with self.store.transaction() as unit:
                    counts.ignored += not unit.keep(self._laned(unit, mail, seen))
                    if times < DEATHS:
                        unit.let_go(arrival.uid)
            except (Exception, Stopped):
                if times < DEATHS:  # the store failed or the process is to end: that is no mail's fault
                    with self.store.transaction() as unit:
                        unit.let_go(arrival.uid)
                raise

    def _new(self, arrival: Arrival) -> NewMail:
        reader = self.reader()
        try:
            with self.limit().over(arrival.uid):
                identity, message_id, sender = reader.identity(arrival.raw)
                proof = reader.prove(arrival.raw, cut=arrival.cut)
        except (Exception, Overrun):
            log.exception("a mail that could not be looked at", uid=arrival.uid)
            return _unread(arrival)
        return NewMail(
            arrival.uid,
            identity,
            arrival.arrived,
            arrival.size,
            arrival.cut,
            arrival.raw,
            message_id,
            sender,
            proof.words,
            proof.signature,
        )

    def _known(self, uids: Sequence[str]) -> set[str]:
        with self.store.transaction() as unit:
            return unit.known_uids(uids)

    def file(self, counts: Counts) -> None:
        """Put settled mails away on the server; whatever is not filed now is filed by a later pass."""
        with self.store.transaction() as unit:
            settled = unit.unfiled()
        if self.put_away(settled, counts):
            with self.store.transaction() as unit:
                unit.filed(settled)

    def put_away(self, settled: Sequence[tuple[str, Disposition]], counts: Counts) -> bool:
        """Put these mails (uid and verdict, as they are committed) away on the server; whether that is to be noted."""
        try:
            if settled:
                self.mailbox.file([(uid, _FILING.get(verdict, "done")) for uid, verdict in settled])
        except MailboxTrouble as trouble:
            counts.trouble.append(str(trouble))
            counts.mailbox_failed = True
            return False
        return bool(settled)


def _unread(arrival: Arrival) -> NewMail:
    """A mail that could not be looked at: its bytes, and nothing of what they say."""
    identity = sha256(b"bytes " + arrival.raw).hexdigest()
    return NewMail(
        arrival.uid, identity, arrival.arrived, arrival.size, arrival.cut, arrival.raw, None, None, "", None
    )
