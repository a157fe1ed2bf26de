"""The courier's round: unsent letters leave; what was refused for now is tried again, what failed is reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from time import monotonic
from zoneinfo import ZoneInfo

from referee.base.logs import Log
from referee.core.replacing import replace
from referee.offices.outgoing.alarms import counted_about, to_moderator
from referee.offices.outgoing.letters import Letter, Recipient, decoded, outgoing
from referee.offices.outgoing.outbox import Outbox
from referee.offices.outgoing.speaker import Speaker
from referee.offices.passes import Counts
from referee.offices.ports.transport import Courier, Delivery, Parcel
from referee.offices.register.people import People
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
_LONGEST = 300.0  # seconds of a round: mails are not to wait for a server that takes its time over letters
_AHEAD = 5  # batches that are looked for at once
_SLOW = "letters wait to be sent: the mail server takes them too slowly."
Packing = Callable[[Letter], bytes]  # a letter as the message that leaves
Gone = tuple[OutgoingLetter, Letter, Delivery]  # a letter that was handed over, and what became of it


@dataclass(frozen=True, slots=True)
class CourierRound:
    """Hands letters over in their order, a batch at a time, and marks a batch in one commit. A crash between the two
    repeats no more than that batch, each letter under the Message-ID it had."""

    store: Store
    courier: Courier
    envelope: Packing
    outbox: Outbox

    def deliver(self, now: datetime, counts: Counts, stopping: Callable[[], bool] = lambda: False) -> None:
        """Count what leaves, and say why others wait. Alarms about failures leave in the same round. Once `stopping`
        says so, or the round has taken too long, the letters in hand are the last."""
        first = more = True
        ends = monotonic() + _LONGEST

        def enough() -> bool:
            return stopping() or monotonic() > ends

        while more and not enough():
            with self.store.claiming() as claim:
                claimed = self._claimed(claim, now, first)
                more = bool(claimed) and self._hand_over(claimed, now, counts, enough)
            first = False
        if more and not stopping():
            counts.trouble.append(_SLOW)

    @again
    def _claimed(self, claim: Claim, now: datetime, first: bool) -> Sequence[OutgoingLetter]:
        """The next letters; before the `first` ones digests that leave now are queued."""
        with self.store.transaction() as unit:
            if first:
                gather(self.outbox.speaker, unit, self.outbox.settings.limits.digest_hour, now)
            return claim(unit, now, _AHEAD * self.outbox.settings.courier.batch)

    def _hand_over(
        self, claimed: Sequence[OutgoingLetter], now: datetime, counts: Counts, stopping: Callable[[], bool]
    ) -> bool:
        """Each is put together while the courier has those before it in hand. Whether there is a server, and more for
        it."""
        batch = self.outbox.settings.courier.batch
        away: dict[str, tuple[OutgoingLetter, Letter]] = {}  # given to the courier, by Message-ID
        gone: list[Gone] = []  # to be marked
        served = True

        def parcels() -> Iterator[Parcel]:
            for queued in claimed:
                if stopping():
                    return
                if len(away) + len(gone) >= batch:
                    self._mark(gone, now, counts)
                letter = decoded(queued)
                parcel = self.packed(letter)
                if isinstance(parcel, Delivery):
                    gone.append((queued, letter, parcel))
                else:
                    away[queued.message_id] = queued, letter
                    yield parcel

        for parcel, delivery in self.courier.send(parcels(), batch):
            gone.append((*away.pop(parcel.message_id), delivery))
            served &= delivery.tried
        return self._mark(gone, now, counts) and served

    def _mark(self, gone: list[Gone], now: datetime, counts: Counts) -> bool:
        """Write down, in one commit, what became of letters, and forget them; whether there are more to leave."""
        fates, more = self._marked(gone, now)
        for _, letter, delivery in gone:
            if delivery.fate == "sent":
                log.info("letter sent", **letter.facts())
        counts.sent += fates["sent"]
        counts.kept_back += fates["later"]
        notes = dict.fromkeys(delivery.note for _, _, delivery in gone if delivery.fate == "later")
        waiting = (f"letters wait to be sent: {note}" for note in notes)
        counts.trouble += [words for words in waiting if words not in counts.trouble]
        gone.clear()
        return more

    @again
    def _marked(self, gone: Sequence[Gone], now: datetime) -> tuple[Counter[str], bool]:
        with self.store.transaction() as unit:
            sent = [queued.message_id for queued, _, delivery in gone if delivery.fate == "sent"]
            if sent:
                unit.sent(sent, now)
            fates = Counter({"sent": len(sent)})
            for queued, letter, delivery in gone:
                if delivery.fate != "sent":
                    fates[self._kept_back(unit, queued, letter, delivery, now)] += 1
            return fates, bool(unit.readers_waiting(now, 1))

    def packed(self, letter: Letter) -> Parcel | Delivery:
        """The letter as it leaves; or that it never does, since it could not be put together."""
        try:
            raw = self.envelope(letter)
        except Exception as error:
            log.exception("envelope", **letter.facts())
            return Delivery("never", f"it could not be put together ({type(error).__name__})")
        return Parcel(
            self.outbox.speaker.offices.address(letter.head.office),
            letter.head.recipient,
            letter.head.message_id,
            raw,
        )

    def _kept_back(
        self, unit: Unit, queued: OutgoingLetter, letter: Letter, delivery: Delivery, now: datetime
    ) -> str:
        """Write down what became of a letter that was not sent: "later" or "never". One that was not tried stays as it
        is, and leaves as soon as there is a server: nothing was said against it."""
        if not delivery.tried:
            return "later"
        log.warning("letter kept back", fate=delivery.fate, note=delivery.note, **letter.facts())
        if delivery.fate == "later" and queued.attempts < _GIVE_UP:
            pause = _RETRY[min(queued.attempts, len(_RETRY) - 1)]
            unit.postponed(queued.message_id, now + pause, delivery.note)
            return "later"
        unit.failed(queued.message_id, delivery.note)
        again = None
        if delivery.fate == "never":
            People(unit).mark_failing(letter.head.recipient, now, delivery.note)
            again = self.outbox.send_again(unit, queued.message_id)
        if letter.kind != "alarm":
            to = letter.head.recipient
            alarm = to_moderator(
                self.outbox.speaker,
                "undelivered",
                f"A letter to {to} could not be delivered",
                ("undelivered", letter.head.message_id, to),
                now,
                reason=delivery.note,
                about=to,
                letter=letter,
                again=again,
            )
            self.outbox.post(unit, [counted_about(alarm, unit.seats_of(to), "undelivered")])
        return "never"


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
