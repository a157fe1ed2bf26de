"""The stimuli: whatever moves the referee, each a function of its own. The mailbox is read, a mail judged, a deadline
fired, an answer of the referee's own looked for, letters handed over. The desk takes them in time order; none needs
anything that an earlier one left in the process, since what it must know stands in the store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from referee.logs import Log
from referee.offices.clock.reminders import Reminders
from referee.offices.clock.searches import Searches
from referee.offices.clock.timekeeper import Ruling, Timekeeper
from referee.offices.faults import Deadly, Faults
from referee.offices.incoming.archivist import Archivist
from referee.offices.outgoing.courier_round import CourierRound
from referee.offices.outgoing.outbox import Outbox
from referee.offices.passes import DEATHS, Counts
from referee.offices.ports.store import Again, KeptMail, Unit
from referee.offices.ports.tools import Overrun, TimeLimit

if TYPE_CHECKING:
    from referee.offices.incoming.case import Settled
    from referee.offices.incoming.collector import Collector

log = Log("referee.desk")


@dataclass(frozen=True, slots=True)
class Stimuli:
    """Takes one each. What is given a unit shares its commit, and is undone whole where it stumbles; the others have
    transactions of their own. `now` is the clock, `reached` the latest stimulus that was judged."""

    archivist: Archivist
    collector: Callable[[], Collector]  # made for the first mail
    timekeeper: Timekeeper
    reminders: Reminders
    searches: Searches
    courier: CourierRound
    outbox: Outbox
    faults: Faults
    limit: TimeLimit

    def receive(
        self, now: datetime, counts: Counts, stopping: Callable[[], bool], *, careful: bool
    ) -> datetime:
        """Keep what the mailbox has; how far it has been read."""
        return self.archivist.receive(now, counts, stopping, careful=careful)

    def make_ready(self) -> None:
        """Import and make what judging a mail needs: before one is marked as in hand, since it is none's doing if the
        process ends meanwhile."""
        self.collector()

    def judge(
        self, unit: Unit, mail: KeptMail, now: datetime, reached: datetime | None, deaths: int = 0
    ) -> Settled | None:
        """Settle a kept mail; None where it must wait for the referee's own answer. One that stumbles, takes too long
        or has ended the process too often (`deaths`) is put aside, and nothing of what it did is left."""
        since = None
        if mail.released or mail.confirmed:
            since = mail.arrived if reached is None else max(mail.arrived, reached)
        collector = self.collector()
        try:
            if deaths >= DEATHS:
                raise Deadly(f"the process ended {deaths} times while this mail was looked at")
            with unit.savepoint(), self.limit.over():
                settled = collector.judge(unit, mail, now, since)
                if settled is not None:
                    self._settle(unit, mail, settled, now)
        except Again:
            raise
        except (Exception, Overrun) as error:  # noqa: BLE001 - whatever it is, the queue must go on
            settled = self.faults.of_mail(unit, mail, error, now, self._proved(unit, mail, error))
            self._settle(unit, mail, settled, now)
        if settled is not None:
            log.info("mail", id=mail.id, verdict=settled.disposition)
        return settled

    def _settle(self, unit: Unit, mail: KeptMail, settled: Settled, now: datetime) -> None:
        self.outbox.post(unit, settled.letters)
        unit.settle(
            mail.id, settled.disposition, settled.reason, now,
            words=settled.words, resend=settled.resend, match=settled.match, seat=settled.seat,
        )  # fmt: skip

    def _proved(self, unit: Unit, mail: KeptMail, error: BaseException) -> list[tuple[str, int]]:
        """The seats that a mail which stumbled proves to be of; none where looking for them stumbles too."""
        if isinstance(error, Deadly):
            return []
        try:
            with unit.savepoint(), self.limit.over():
                return self.collector().proved(unit, mail)
        except Again:
            raise
        except (Exception, Overrun):
            log.exception("and who sent it can't be told", id=mail.id)
            return []

    def lapse(
        self, unit: Unit, match: str, now: datetime, reached: datetime | None, counts: Counts
    ) -> Ruling:
        """Fire a match's next deadline, or say why not yet."""
        return self.timekeeper.lapse(unit, match, now, reached, counts)

    def search(self, now: datetime, counts: Counts) -> bool:
        """Look for what the referee itself owes; whether anything was found."""
        return self.searches.compute(now, counts)

    def remind(
        self, unit: Unit, delayed: set[str], watermark: datetime, now: datetime, counts: Counts
    ) -> None:
        """What time itself makes due: word of rulings that wait, reminders, how many alarms were withheld."""
        self.timekeeper.tell_delays(unit, delayed, watermark, now, counts)
        self.reminders.send(unit, now, counts)
        self.outbox.sum_up_alarms(unit, now)

    def deliver(self, now: datetime, counts: Counts, stopping: Callable[[], bool]) -> None:
        """Hand over the letters that are to leave."""
        self.courier.deliver(now, counts, stopping)
