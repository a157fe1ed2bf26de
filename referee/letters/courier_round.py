"""The courier's round: unsent letters leave; what was refused for now is tried again, what failed is reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from time import monotonic
from typing import Protocol
from zoneinfo import ZoneInfo

from referee.base.logs import Log
from referee.base.ports import Courier, Delivery, Parcel
from referee.letters.letter import Letter, Recipient, decoded, outgoing
from referee.letters.outbox import Outbox
from referee.letters.replies import counted_about, to_moderator
from referee.letters.speaker import Speaker
from referee.store.engine import again
from referee.store.outbox import OutgoingLetter
from referee.store.sql import Claim, Store, Unit

log = Log("referee.courier")

_RETRY = (
    timedelta(seconds=15),
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
)
_GIVE_UP = 40  # attempts
_MOST_UNKNOWN = 2  # times that nobody knows whether it left
_LONGEST = 300.0  # seconds of a round: mails are not to wait for a server that takes its time over letters
_SLOW = "letters wait to be sent: the mail server takes them too slowly."
Gone = tuple[OutgoingLetter, Letter, Delivery]  # a letter that was handed over, and what became of it


class Tally(Protocol):
    """What a pass counts of letters."""

    sent: int
    kept_back: int  # they wait for another try
    trouble: list[str]


@dataclass(frozen=True, slots=True)
class CourierRound:
    """Hands letters over in their order, a batch at a time: written down before it, and what became of it in one commit
    after it. A crash between the two repeats no more than that batch, each letter alone and under the Message-ID it
    had; one of which twice nobody knows whether it left is parked, until the moderator lets it go."""

    store: Store
    courier: Courier
    envelope: Callable[[Letter], bytes]  # a letter as the message that leaves
    outbox: Outbox
    mark_failing: Callable[[Unit, str, datetime, str], object]  # that letters do not arrive at an address

    def deliver(self, now: datetime, counts: Tally, stopping: Callable[[], bool] = lambda: False) -> None:
        """Count what leaves, and say why others wait. Alarms about failures leave in the same round. Once `stopping`
        says so, or the round has taken too long, the letter in hand is the last."""
        ends, first, more = monotonic() + _LONGEST, True, True

        def enough() -> bool:
            return stopping() or monotonic() > ends

        while more and not enough():
            with self.store.claiming() as claim:
                batch, more = self._claimed(claim, now, first)
                more = more and self._hand_over(batch, now, counts, enough)
            first = False
        if more and not stopping():
            counts.trouble.append(_SLOW)

    @again
    def _claimed(self, claim: Claim, now: datetime, first: bool) -> tuple[list[OutgoingLetter], bool]:
        """The next batch, written down as handed over, and whether there was anything; one that may have left already
        is a batch by itself. Before the `first` digests that leave now are queued."""
        settings = self.outbox.settings
        with self.store.transaction() as unit:
            if first:
                gather(self.outbox.speaker, unit, settings.limits.digest_hour, now)
            found = claim(unit, now, settings.courier.batch)
            for queued in found:
                if queued.handed >= _MOST_UNKNOWN:
                    self._park(unit, queued, decoded(queued), "The process or the disk failed at it.", now)
            doubtful = [each for each in found if 0 < each.handed < _MOST_UNKNOWN]
            batch = doubtful[:1] or [each for each in found if not each.handed]
            unit.handing([queued.message_id for queued in batch])
            return batch, bool(found)

    def _hand_over(
        self, batch: Sequence[OutgoingLetter], now: datetime, counts: Tally, stop: Callable[[], bool]
    ) -> bool:
        """Whether there is a server, and more for it."""
        away: dict[str, tuple[OutgoingLetter, Letter]] = {}  # given to the courier, by Message-ID
        gone: list[Gone] = []
        served = True

        def parcels() -> Iterator[Parcel]:
            for queued in batch:
                if stop():
                    return
                letter = decoded(queued)
                parcel = self._packed(letter)
                if isinstance(parcel, Delivery):
                    gone.append((queued, letter, parcel))
                else:
                    away[queued.message_id] = queued, letter
                    yield parcel

        for parcel, delivery in self.courier.send(parcels()):
            gone.append((*away[parcel.message_id], delivery))
            served &= delivery.tried
        fates, more = self._marked(batch, gone, now)
        for _, letter, delivery in gone:
            if delivery.fate == "sent":
                log.info("letter sent", **letter.facts())
        counts.sent += fates["sent"]
        counts.kept_back += fates["later"]
        notes = dict.fromkeys(delivery.note for _, _, delivery in gone if delivery.fate == "later")
        waiting = (f"letters wait to be sent: {note}" for note in notes)
        counts.trouble += [words for words in waiting if words not in counts.trouble]
        return more and served

    @again
    def _marked(
        self, batch: Sequence[OutgoingLetter], gone: Sequence[Gone], now: datetime
    ) -> tuple[Counter[str], bool]:
        """Write down, in one commit, what became of a batch, and which of it was not handed over after all. How many
        met which fate, and whether there are more to leave."""
        with self.store.transaction() as unit:
            tried = {queued.message_id for queued, _, delivery in gone if delivery.tried}
            unit.handing([each.message_id for each in batch if each.message_id not in tried], -1)
            sent = [queued.message_id for queued, _, delivery in gone if delivery.fate == "sent"]
            if sent:
                unit.sent(sent, now)
            fates = Counter({"sent": len(sent)})
            for queued, letter, delivery in gone:
                if delivery.fate != "sent":
                    fates[self._kept_back(unit, queued, letter, delivery, now)] += 1
            return fates, bool(unit.readers_waiting(now, 1))

    def _packed(self, letter: Letter) -> Parcel | Delivery:
        """The letter as it leaves; or that it never does, since it could not be put together."""
        try:
            raw = self.envelope(letter)
        except Exception as error:
            log.exception("envelope", **letter.facts())
            return Delivery("never", f"it could not be put together ({type(error).__name__})")
        sender = self.outbox.speaker.offices.address(letter.head.office)
        return Parcel(sender, letter.head.recipient, letter.head.message_id, raw)

    def _kept_back(
        self, unit: Unit, queued: OutgoingLetter, letter: Letter, delivery: Delivery, now: datetime
    ) -> str:
        """Write down what became of a letter that was not sent: "later" or "never". One that was not tried stays as it
        is, and leaves as soon as there is a server: nothing was said against it."""
        if not delivery.tried:
            return "later"
        log.warning("letter kept back", fate=delivery.fate, note=delivery.note, **letter.facts())
        if delivery.fate == "later" and queued.attempts < _GIVE_UP:
            if not delivery.known and queued.handed + 1 >= _MOST_UNKNOWN:
                self._park(unit, queued, letter, delivery.note, now)
                return "never"
            pause = _RETRY[min(queued.attempts, len(_RETRY) - 1)]
            unit.postponed(queued.message_id, now + pause, delivery.note, known=delivery.known)
            return "later"
        unit.failed(queued.message_id, delivery.note)
        again = None
        if delivery.fate == "never":
            self.mark_failing(unit, letter.head.recipient, now, delivery.note)
            again = self.outbox.send_again(unit, queued.message_id)
        if letter.kind != "alarm":
            to = letter.head.recipient
            subject, key = (
                f"A letter to {to} could not be delivered",
                ("undelivered", letter.head.message_id, to),
            )
            speaker, why = self.outbox.speaker, delivery.note
            alarm = to_moderator(
                speaker, "undelivered", subject, key, now, reason=why, about=to, letter=letter, again=again
            )
            self.outbox.post(unit, [counted_about(alarm, unit.seats_of(to), "undelivered")])
        return "never"

    def _park(self, unit: Unit, queued: OutgoingLetter, letter: Letter, note: str, now: datetime) -> None:
        """Put it on the desk: nobody knows whether it left, and who knows may let it go once more."""
        log.warning("letter parked", note=note, **letter.facts())
        unit.park(queued.message_id, note)
        if letter.kind != "alarm":
            to = letter.head.recipient
            subject, key = f"A letter to {to} may have left, or not", ("parked", letter.head.message_id)
            alarm = to_moderator(
                self.outbox.speaker, "parked", subject, key, now, reason=note, about=to, letter=letter
            )
            self.outbox.post(unit, [counted_about(alarm, unit.seats_of(to), "parked")])


# --- digests: the public letters of a day in one, for those who want it so --------------------------------------------


def gather(speaker: Speaker, unit: Unit, hour: int, now: datetime) -> None:
    """Queue the digests that leave now: at the first such hour (in the referee's zone) after the oldest letter of one
    was written."""
    for recipient, oldest in unit.gathered():
        if _leaves(speaker, oldest, hour) <= now and (waiting := unit.take_gathered(recipient)):
            digest = _digest(speaker, [decoded(each) for each in waiting], now)
            unit.send(outgoing(replace(digest, medium=unit.person(recipient).medium)))


def _leaves(speaker: Speaker, oldest: datetime, hour: int) -> datetime:
    local = oldest.astimezone(ZoneInfo(speaker.offices.timezone))
    at = datetime.combine(local.date(), time(hour), local.tzinfo)
    return at if at > local else at + timedelta(days=1)


def _digest(speaker: Speaker, letters: Sequence[Letter], now: datetime) -> Letter:
    """Public letters of a day to one reader in one."""
    address, name = letters[0].head.recipient, letters[0].head.recipient_name
    matches = list(dict.fromkeys(letter.match for letter in letters if letter.match))
    called = f"{len(letters)} public {'letter' if len(letters) == 1 else 'letters'}: {', '.join(matches)}"
    return speaker.letter(
        "digest",
        Recipient(address, name, None),
        called[:200],
        ("digest", address, *(letter.head.message_id for letter in letters)),
        now,
        told={"letters": letters},
        stop=letters[0].stop if len(matches) == 1 else None,
        appointments=tuple({a.uid: a for letter in letters for a in letter.appointments}.values()),
    )
