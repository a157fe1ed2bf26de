"""The stimuli: whatever moves the referee, each a function of its own. The mailbox is read, a mail judged, a deadline
fired, an answer of the referee's own looked for, letters handed over. The desk takes them in time order; none needs
anything that an earlier one left in the process, since what it must know stands in the store."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from referee.logs import Log
from referee.offices.passes import DEATHS, Counts, Deadly
from referee.offices.ports.store import Again
from referee.offices.ports.tools import Overrun

if TYPE_CHECKING:
    from referee.offices.clock.reminders import Reminders
    from referee.offices.clock.searches import Searches
    from referee.offices.clock.timekeeper import Ruling, Timekeeper
    from referee.offices.faults import Faults
    from referee.offices.incoming.case import Settled
    from referee.offices.incoming.collector import Collector
    from referee.offices.incoming.intake.archivist import Archivist
    from referee.offices.outgoing.courier_round import CourierRound
    from referee.offices.outgoing.outbox import Outbox
    from referee.offices.ports.store import KeptMail, Store, Unit
    from referee.offices.ports.tools import TimeLimit

_DAY = timedelta(days=1)
log = Log("referee.desk")


@dataclass(frozen=True, slots=True)
class Stimuli:
    """Takes one each. What is given a unit shares its commit, and is undone whole where it stumbles; the others have
    transactions of their own. `now` is the clock, `reached` the latest stimulus that was judged.

    Whether there is anything to do is asked of the store. The office that does it is made, and loaded, when there is:
    most passes of a quiet evening find nothing."""

    store: Store
    archivist: Archivist
    collector: Callable[[], Collector]
    timekeeper: Callable[[], Timekeeper]
    reminders: Callable[[], Reminders]
    searches: Callable[[], Searches]
    courier: Callable[[], CourierRound]
    outbox: Callable[[], Outbox]
    faults: Callable[[], Faults]
    limit: Callable[[], TimeLimit]

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
            with unit.savepoint(), self.limit().over(mail.uid):
                settled = collector.judge(unit, mail, now, since)
                if settled is not None:
                    self._settle(unit, mail, settled, now)
        except Again:
            raise
        except (Exception, Overrun) as error:  # noqa: BLE001 - whatever it is, the queue must go on
            settled = self.faults().of_mail(unit, mail, error, now, self._proved(unit, mail, error))
            self._settle(unit, mail, settled, now)
        if settled is not None:
            log.info("mail", id=mail.id, verdict=settled.disposition)
        return settled

    def _settle(self, unit: Unit, mail: KeptMail, settled: Settled, now: datetime) -> None:
        self.outbox().post(unit, settled.letters)
        unit.settle(
            mail.id,
            settled.disposition,
            settled.reason,
            now,
            words=settled.words,
            resend=settled.resend,
            match=settled.match,
            seat=settled.seat,
            signature=settled.signature,
            strength=settled.strength,
        )

    def _proved(self, unit: Unit, mail: KeptMail, error: BaseException) -> list[tuple[str, int]]:
        """The seats that a mail which stumbled proves to be of; none where looking for them stumbles too."""
        if isinstance(error, Deadly):
            return []
        try:
            with unit.savepoint(), self.limit().over(mail.uid):
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
        return self.timekeeper().lapse(unit, match, now, reached, counts)

    def give_back_time(
        self, unit: Unit, match: str, now: datetime, outages: Iterable[timedelta], counts: Counts
    ) -> None:
        """Add what the referee's own outages took to the open windows of a match."""
        for outage in outages:
            self.timekeeper().add_downtime_to(unit, match, now, outage, counts)

    def search(self, now: datetime, counts: Counts) -> bool:
        """Look for what the referee itself owes; whether anything was found."""
        with self.store.transaction() as unit:
            names = unit.computing()
        return bool(names) and self.searches().compute(names, now, counts)

    def remind(
        self, unit: Unit, delayed: set[str], watermark: datetime, now: datetime, counts: Counts
    ) -> None:
        """What time itself makes due: word of rulings that wait, reminders, how many alarms were withheld."""
        if delayed:
            self.timekeeper().tell_delays(unit, delayed, watermark, now, counts)
        for match in unit.reminding(now):
            self.reminders().send_in(unit, match, now, counts)
        self.sum_up_alarms(unit, now)

    def sum_up_alarms(self, unit: Unit, now: datetime) -> None:
        """A day after the first alarm of a kind was withheld: how many there were."""
        if withheld := unit.take_withheld(now - _DAY):
            self.outbox().sum_up(unit, withheld, now)

    def deliver(self, now: datetime, counts: Counts, stopping: Callable[[], bool]) -> None:
        """Hand over the letters that are to leave."""
        if not counts.idle or self._letters_wait(now):
            self.courier().deliver(now, counts, stopping)

    def _letters_wait(self, now: datetime) -> bool:
        """Whether any letter may be to leave, or waits for a digest."""
        with self.store.transaction() as unit:
            return bool(unit.readers_waiting(now, 1) or unit.gathered())
