"""The archivist: keeps every mail as it came, before anyone judges it, and puts settled ones away on the server."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING

from referee.base.logs import Log
from referee.base.ports import MailboxTrouble, Overrun, Withheld
from referee.mail.mail import Identified
from referee.offices.passes import Counts, isolated
from referee.store.inbox import MailStore, NewMail

if TYPE_CHECKING:
    from referee.base.ports import Arrival, Filing, Mailbox, TimeLimit
    from referee.base.settings import Settings
    from referee.mail.mail import Addressed
    from referee.mail.reader import MailReader
    from referee.store.inbox import Disposition
    from referee.store.sql import Store, Unit

log = Log("referee.desk")
_FILING: dict[str, Filing] = {"refused": "refused", "held": "held", "shunted": "held"}


@dataclass(frozen=True, slots=True)
class Archivist:
    """Reads the mailbox to its end; what was kept once is never kept again."""

    store: Store
    mailbox: Mailbox
    reader: Callable[[], MailReader]  # made for the first mail
    settings: Settings
    limit: TimeLimit
    key_of: Callable[[Unit, Addressed | None], str] | None = None  # where several workers judge what is kept

    def receive(
        self, now: datetime, counts: Counts, stopping: Callable[[], bool], *, isolates: bool = False
    ) -> None:
        """Keep what the mailbox has, and note how far it has been read: the watermark."""
        if self.keep_all(now, counts, stopping, isolates=isolates):
            with self.store.transaction() as unit:
                unit.hold("clock", "")
                unit.set_clock(unit.clock()._replace(watermark=now))

    def keep_all(
        self, now: datetime, counts: Counts, stopping: Callable[[], bool], *, isolates: bool = False
    ) -> bool:
        """Keep what the mailbox has. Whether it could be read to its end, so that the watermark may move to the clock:
        for a mail that the server has and does not give out deadlines wait no longer than for one that is held.
        `isolates`: the last pass broke off, perhaps because of a mail, so that each is claimed before it is looked
        at."""
        keep = self._keep_isolated if isolates else self._keep
        try:
            for batch in self.mailbox.fetch(self._known, self.settings.mailbox.largest):
                keep(batch, counts)
                if stopping():
                    return False
        except MailboxTrouble as trouble:
            counts.trouble.append(str(trouble))
            counts.mailbox_failed = True
            return isinstance(trouble, Withheld) and now - trouble.arrived > self.settings.limits.held_wait
        return True

    def _keep(self, batch: Sequence[Arrival], counts: Counts) -> None:
        found = [(arrival, self._identified(arrival)) for arrival in batch]
        with self.store.transaction() as unit:
            known = unit.known_uids([arrival.uid for arrival in batch])  # to another receiver, since we asked
            for arrival, identified in found:
                if arrival.uid not in known:
                    kept = unit.keep(self._new(unit, arrival, identified))
                    counts.ignored += not kept
                    counts.heard += [arrival.arrived] if kept and arrival.uid.startswith("imap:") else []

    def _keep_isolated(self, batch: Sequence[Arrival], counts: Counts) -> None:
        """One by one. The claim of one that has ended the process too often stays, and it is kept unread: whoever
        judges it puts it aside."""
        self.reader()  # what has to be imported for it is no mail's doing
        for arrival in batch:
            with isolated(self.store, partial(_unless_known, arrival.uid)) as claimed:
                if claimed is None:
                    continue
                identified = _unread(arrival) if claimed.deadly else self._identified(arrival)
                with self.store.transaction() as unit:
                    counts.ignored += not unit.keep(self._new(unit, arrival, identified))
                    if not claimed.deadly:
                        unit.release_claim(arrival.uid)

    def _identified(self, arrival: Arrival) -> Identified:
        """What its fields say; the rest of it is read by whoever judges it."""
        reader = self.reader()
        try:
            with self.limit.over(arrival.uid):
                return reader.identify(arrival.raw, addressed=self.key_of is not None)
        except (Exception, Overrun):
            log.exception("a mail that could not be looked at", uid=arrival.uid)
            return _unread(arrival)

    def _new(self, unit: Unit, arrival: Arrival, mail: Identified) -> NewMail:
        key = self.key_of(unit, mail.addressed) if self.key_of is not None else None
        a = arrival
        return NewMail(a.uid, mail.digest, a.arrived, a.size, a.cut, a.raw, mail.message_id, mail.sender, key)

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


def _unless_known(uid: str, unit: MailStore) -> str | None:
    return None if unit.known_uids([uid]) else uid


def _unread(arrival: Arrival) -> Identified:
    """A mail that could not be looked at: its bytes, and nothing of what they say."""
    return Identified(sha256(b"bytes " + arrival.raw).hexdigest(), None, None)
