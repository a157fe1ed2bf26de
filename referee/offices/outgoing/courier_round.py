"""The courier's round: unsent letters leave; what was refused for now is tried again, what failed is reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from referee.core.replacing import replace
from referee.logs import Log
from referee.offices.outgoing.letters import Letter, counted_about, decoded, outgoing
from referee.offices.outgoing.outbox import Outbox
from referee.offices.outgoing.speaker import Speaker
from referee.offices.passes import Counts
from referee.offices.people import People
from referee.offices.ports.store import Claim, OutgoingLetter, Store, Unit, again
from referee.offices.ports.transport import Courier, Delivery, Parcel
from referee.offices.settings import Offices, Settings

log = Log("referee.courier")

_RETRY = (
    timedelta(seconds=15),
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
)
_GIVE_UP = 40  # attempts
Packing = Callable[[Letter], bytes]  # a letter as the message that leaves
Gone = tuple[OutgoingLetter, Letter, Delivery]  # a letter that was handed over, and what became of it


@dataclass(frozen=True, slots=True)
class CourierRound:
    """Hands letters over in their order, a batch at a time, and marks a batch in one commit. A crash between the two
    repeats no more than that batch, each letter under the Message-ID it had."""

    store: Store
    courier: Courier
    envelope: Packing
    speaker: Speaker
    outbox: Outbox
    offices: Offices
    settings: Settings

    def deliver(
        self,
        now: datetime,
        counts: Counts,
        stopping: Callable[[], bool] = lambda: False,
        before: Counter[str] | None = None,
    ) -> None:
        """Count what leaves, and say why others wait. Alarms about failures leave in the same round. Once `stopping`
        says so, no letter is added to the batch in hand. `before`: how many letters of this pass had which fate."""
        fates = Counter(before)
        first = more = True
        while more and not stopping():
            with self.store.claiming() as claim:
                gone = self.hand_over(self._claimed(claim, now, first), stopping)
                if not gone:
                    break
                marked, more = self._marked(gone, now)
            fates += marked
            first = False
            self.tell(gone, counts)
            if not all(delivery.tried for _, _, delivery in gone):
                break  # there is no server to be had
        counts.sent += fates["sent"]
        counts.cut_off |= set(+fates) == {"later"}

    @again
    def _claimed(self, claim: Claim, now: datetime, first: bool) -> Sequence[OutgoingLetter]:
        """The next letters; before the `first` ones digests that leave now are queued."""
        with self.store.transaction() as unit:
            if first:
                self._gather(unit, now)
            return claim(unit, now, self.settings.courier.batch)

    @again
    def _marked(self, gone: Sequence[Gone], now: datetime) -> tuple[Counter[str], bool]:
        """Write down, in one commit, what became of a batch; how many letters have which fate, and whether there are
        more."""
        with self.store.transaction() as unit:
            return self.mark(unit, gone, now), bool(unit.readers_waiting(now, 1))

    def mark(self, unit: Unit, gone: Sequence[Gone], now: datetime) -> Counter[str]:
        """Write down what became of these letters; how many have which fate."""
        sent = [queued.message_id for queued, _, delivery in gone if delivery.fate == "sent"]
        if sent:
            unit.sent(sent, now)
        fates = Counter({"sent": len(sent)})
        for queued, letter, delivery in gone:
            if delivery.fate != "sent":
                fates[self._kept_back(unit, queued, letter, delivery, now)] += 1
        return fates

    @staticmethod
    def tell(gone: Sequence[Gone], counts: Counts) -> None:
        """Why letters wait, each reason once."""
        notes = dict.fromkeys(delivery.note for _, _, delivery in gone if delivery.fate == "later")
        fresh = (f"letters wait to be sent: {note}" for note in notes)
        counts.trouble += [words for words in fresh if words not in counts.trouble]

    def hand_over(self, batch: Sequence[OutgoingLetter], stopping: Callable[[], bool]) -> list[Gone]:
        """What became of each letter of the batch, put together while the courier has those before it in hand."""
        broken: list[Gone] = []
        given: list[tuple[OutgoingLetter, Letter]] = []

        def parcels() -> Iterator[Parcel]:
            for queued in batch:
                if stopping():
                    return
                letter = decoded(queued)
                parcel = self.packed(letter)
                if isinstance(parcel, Delivery):
                    broken.append((queued, letter, parcel))
                else:
                    given.append((queued, letter))
                    yield parcel

        deliveries = self.courier.send(parcels())
        return broken + [(*each, delivery) for each, delivery in zip(given, deliveries, strict=True)]

    def packed(self, letter: Letter) -> Parcel | Delivery:
        """The letter as it leaves; or that it never does, since it could not be put together."""
        try:
            raw = self.envelope(letter)
        except Exception as error:
            log.exception("envelope", kind=letter.kind, match=letter.match)
            return Delivery("never", f"it could not be put together ({type(error).__name__})")
        return Parcel(self.offices.address(letter.office), letter.recipient, letter.message_id, raw)

    def _kept_back(
        self, unit: Unit, queued: OutgoingLetter, letter: Letter, delivery: Delivery, now: datetime
    ) -> str:
        """Write down what became of a letter that was not sent: "later" or "never". One that was not tried stays as it
        is, and leaves as soon as there is a server: nothing was said against it."""
        if not delivery.tried:
            return "later"
        log.warning("letter", fate=delivery.fate, note=delivery.note, kind=letter.kind, match=letter.match)
        if delivery.fate == "later" and queued.attempts < _GIVE_UP:
            pause = _RETRY[min(queued.attempts, len(_RETRY) - 1)]
            unit.postponed(queued.message_id, now + pause, delivery.note)
            return "later"
        unit.failed(queued.message_id, delivery.note)
        again = None
        if delivery.fate == "never":
            People(unit).mark_failing(letter.recipient, now, delivery.note)
            again = self.outbox.send_again(unit, queued.message_id)
        if letter.kind != "alarm":
            alarm = self._alarm(letter, delivery.note, again, now)
            seats = unit.seats_of(letter.recipient)
            self.outbox.post(unit, [counted_about(alarm, seats, "undelivered")])
        return "never"

    def _alarm(self, letter: Letter, note: str, again: str | None, now: datetime) -> Letter:
        return self.speaker.alarm(
            "undelivered",
            f"A letter to {letter.recipient} could not be delivered",
            ("undelivered", letter.message_id, letter.recipient),
            now,
            reason=note,
            about=letter.recipient,
            letter=letter,
            again=again,
        )

    # --- digests -----------------------------------------------------------------------------------------------

    def _gather(self, unit: Unit, now: datetime) -> None:
        """Queue the digests that leave now: the public letters of a day in one, for those who want it so."""
        for recipient, oldest in unit.gathered():
            if self._leaves(oldest) <= now and (waiting := unit.take_gathered(recipient)):
                digest = self.speaker.digest(recipient, [decoded(each) for each in waiting], now)
                unit.send(outgoing(replace(digest, medium=unit.person(recipient).medium)))

    def _leaves(self, oldest: datetime) -> datetime:
        """At the first such hour (in the referee's zone) after the oldest letter was written."""
        local = oldest.astimezone(ZoneInfo(self.offices.timezone))
        at = datetime.combine(local.date(), time(self.settings.limits.digest_hour), local.tzinfo)
        return at if at > local else at + timedelta(days=1)
