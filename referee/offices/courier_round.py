"""The courier's round: unsent letters leave; what was refused for now is tried again, what failed is reported."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

import structlog

from referee.offices.allowances import Allowances
from referee.offices.digests import Digests
from referee.offices.forwarding import Forwarding
from referee.offices.keeping import OutgoingLetter, Store
from referee.offices.letters import Letter, decoded, outgoing
from referee.offices.passes import Counts
from referee.offices.people import People
from referee.offices.ports import Courier, Delivery, Parcel
from referee.offices.settings import Offices, Policy
from referee.offices.speaker import Speaker

log = structlog.get_logger("referee.courier")

Envelope = Callable[[Letter], bytes]


class CourierRound:
    """Sends in order, marks each letter when it is gone. A crash between the two repeats that one letter under the
    same Message-ID."""

    def __init__(
        self,
        store: Store,
        courier: Courier,
        envelope: Envelope,
        speaker: Speaker,
        forwarding: Forwarding,
        allowances: Allowances,
        offices: Offices,
        policy: Policy,
    ) -> None:
        self._store = store
        self._courier = courier
        self._envelope = envelope
        self._speaker = speaker
        self._forwarding = forwarding
        self._allowances = allowances
        self._offices = offices
        self._policy = policy
        self._digests = Digests(speaker, policy.digest_hour, offices.timezone)

    def deliver(self, now: datetime, counts: Counts, stopping: Callable[[], bool] = lambda: False) -> None:
        """Count what leaves, and say why others wait. Alarms about failures leave in the same round. Once `stopping`
        says so, the letter in hand is the last."""
        with self._store.transaction() as unit:
            for digest in self._digests.due(unit, now):
                unit.send(outgoing(replace(digest, medium=unit.person(digest.recipient).medium)))
        while True:
            with self._store.transaction() as unit:
                letters = unit.unsent(now)
            gone = [self._send(letter, now) for letter in letters if not stopping()]
            counts.sent += sum(delivery.fate == "sent" for delivery in gone)
            notes = dict.fromkeys(delivery.note for delivery in gone if delivery.fate == "later")
            counts.trouble += [f"letters wait to be sent: {note}" for note in notes]
            if gone and all(delivery.fate == "later" for delivery in gone):
                counts.cut_off = True
            if not any(delivery.fate == "never" for delivery in gone):
                return

    def _send(self, queued: OutgoingLetter, now: datetime) -> Delivery:
        letter = decoded(queued.body)
        delivery = self._handed_over(letter)
        fate = delivery.fate
        if fate == "later" and queued.attempts >= self._policy.give_up:
            fate = "never"
        with self._store.transaction() as unit:
            if fate == "sent":
                unit.sent(queued.message_id, now)
            elif fate == "later":
                pause = self._policy.retry[min(queued.attempts, len(self._policy.retry) - 1)]
                unit.postponed(queued.message_id, now + pause, delivery.note)
            else:
                unit.failed(queued.message_id, delivery.note)
                again = None
                if delivery.fate == "never":
                    People(unit).mark_failing(letter.recipient, now, delivery.note)
                    again = self._forwarding.sent_again(unit, queued.message_id)
                if letter.kind != "alarm":
                    self._allowances.alarm(unit, self._alarm(letter, delivery.note, again, now))
        if fate != "sent":
            log.warning("letter", fate=fate, note=delivery.note, kind=letter.kind, match=letter.match)
        return replace(delivery, fate=fate)

    def _handed_over(self, letter: Letter) -> Delivery:
        try:
            raw = self._envelope(letter)
        except Exception as error:
            log.exception("envelope", kind=letter.kind, match=letter.match)
            return Delivery("never", f"it could not be put together ({type(error).__name__})")
        return self._courier.send(
            Parcel(self._address(letter.office), letter.recipient, letter.message_id, raw)
        )

    def _alarm(self, letter: Letter, note: str, again: str | None, now: datetime) -> Letter:
        context = {
            "topic": "undelivered",
            "reason": note,
            "mail": None,
            "about": letter.recipient,
            "letter": letter,
            "again": again,
        }
        return self._speaker.alarm(
            f"A letter to {letter.recipient} could not be delivered",
            ("undelivered", letter.message_id, letter.recipient),
            now,
            context,
        )

    def _address(self, office: str) -> str:
        return {
            "speaker": self._offices.speaker,
            "collector": self._offices.collector,
            "moderator": self._offices.moderator,
        }[office]
