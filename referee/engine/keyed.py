"""What a worker takes at a time: all that waits under one ordering key, a match's name or a person. Of one and the same
match and person everything is taken in time order, be it under the match's key or under his."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from referee.engine.jobs import judge
from referee.engine.unit import KeyedUnit, PersonsMail, Upcoming
from referee.offices.incoming.routing import key_of, key_of_gathering
from referee.offices.passes import Misrouted, Next, Overdue, TimeOwed, Woken

if TYPE_CHECKING:
    from referee.offices.passes import Batch
    from referee.offices.ports.mail import Mail
    from referee.store.inbox import KeptMail

_CLUB = key_of_gathering("")
_AT_ONCE = 10  # stimuli that share a commit
_NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(slots=True)
class KeyQueue:
    """The mails of a key; of a match also its deadline. `time` is its clock, the database's where it is None.
    `patient`: it waits for people whom another worker has in hand; else they are left to the next.

    Of one transaction: `owed` tells that the match is owed time, `read` how far the mailbox has been read, `upcoming`
    are the mails that may be taken, `person` the first mail of anybody who sits in the match that names no match,
    `taken` how many were taken, `full` that somebody else has mails of the next sender in hand, `first` the key under
    which something goes before, `reached` and `waiting` how far the match was when it began."""

    key: str
    time: datetime | None
    isolates: bool
    patient: bool
    size: int = _AT_ONCE
    owed: bool = False
    read: datetime = _NEVER
    upcoming: list[Upcoming] | None = None
    person: PersonsMail | None = None
    taken: int = 0
    full: bool = False
    first: str | None = None
    reached: datetime | None = None
    waiting: set[int] = field(default_factory=set)

    @property
    def match(self) -> str | None:
        """The match whose key it is; None where it is a person's."""
        return None if self.key.startswith(("from ", _CLUB)) else self.key

    @property
    def gathering(self) -> str | None:
        """The gathering of the club whose key it is."""
        return self.key.removeprefix(_CLUB) if self.key.startswith(_CLUB) else None

    def begin(self, unit: KeyedUnit, batch: Batch) -> None:
        unit.key, found = self.key, unit.state_of(self.match)
        now = self.time or found.moment
        batch.now = max(now, found.last_pass or now)
        batch.reached = self.reached = found.reached
        self.owed, self.read = found.owed, found.watermark or _NEVER
        self.upcoming, self.taken, self.full, self.first = None, 0, False, None
        self.waiting = set(batch.waiting)

    def next(self, unit: KeyedUnit, batch: Batch) -> Next | None:
        match = self.match
        if match is not None and self.owed:
            self.owed = False
            return TimeOwed(match)
        mails = self._upcoming(unit, batch)
        if self.gathering is not None:
            return self._gathered(unit, batch, self.gathering, mails)
        due = None if match is None or match in batch.held_up else unit.lapse_of(match, self.read)
        if mails and (due is None or mails[0].arrived <= due):
            self.first = self._before(unit, mails[0])
            return self._mail(unit, mails) if self.first is None else None
        if match is None or due is None:
            return None
        if self.person is not None and self.person.arrived <= due:
            self.first = self.person.key
            return None
        self.taken += 1
        return Overdue(match, due)

    def _gathered(self, unit: KeyedUnit, batch: Batch, name: str, mails: list[Upcoming]) -> Next | None:
        due = None if name in batch.held_up else unit.wakes_at(name)
        if mails and (due is None or mails[0].arrived <= due):
            return self._mail(unit, mails)
        if due is None or due >= self.read:
            return self._mail(unit, mails) if mails else None
        self.taken += 1
        return Woken(name, due)

    def _upcoming(self, unit: KeyedUnit, batch: Batch) -> list[Upcoming]:
        """The mails that this transaction may take. What is kept meanwhile arrived later, and is noted by itself."""
        if self.upcoming is None or unit.reopened:
            self.upcoming = unit.upcoming(
                self.key, batch.now, batch.waiting, 1 if self.isolates else self.size, patient=self.patient
            )
            self.person = None if self.match is None else unit.persons_first(self.match)
            unit.reopened = False
        return self.upcoming

    def _before(self, unit: KeyedUnit, mail: Upcoming) -> str | None:
        """The key under which something must be judged before this mail."""
        if self.match is None:
            return unit.before_persons(self.key, mail, self.read)
        if self.person is not None and self.person[1:] < (mail.arrived, mail.id):
            return self.person.key
        return None

    def _mail(self, unit: KeyedUnit, mails: list[Upcoming]) -> KeptMail | None:
        """The first of them. Its sender is held until the commit: of two matches in which the same two people write to
        each other, neither may wait with the one in hand for the other. What is not free is for the next commit."""
        self.full = not unit.holds(mails[0].sender)
        if self.full:
            return None
        self.taken += 1
        kept = unit.mail(mails.pop(0).id)
        assert kept is not None, "no mail is ever thrown away"
        return kept

    def check(self, unit: KeyedUnit, mail: Mail, about: str | None, *, waits: bool) -> None:
        if about == self.key or (about is None and not waits):
            return
        key = key_of(unit, mail)
        if key != self.key and (key == about or waits):
            raise Misrouted(key)

    def move(self, unit: KeyedUnit, mail: KeptMail, key: str) -> None:
        unit.move(mail.id, key)

    def end(self, unit: KeyedUnit, batch: Batch) -> None:
        batch.more |= self.full and self.taken > 0
        if self.full and not self.taken:  # another key's turn meanwhile
            unit.note(judge(self.key, patient=True))
        if self.first is not None:
            unit.note(judge(self.first, then=self.key))
        if self.match is not None and batch.reached is not None and batch.reached != self.reached:
            unit.reach(self.match, batch.reached)
        for number in batch.waiting - self.waiting:
            unit.wait(number)
