"""What holds of a club after every pass, whatever befell it: kept apart from what makes its load, and looked at from
outside: letters as their readers get them, the store's rows, the command line."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import sqlalchemy as sa

from referee.match.match import Match, outstanding
from referee.match.record.public import public_record
from referee.match.record.verifying import verified
from referee.store.post import inbox, outbox, withheld
from referee.store.sql import clock, match_clocks
from tests.simulator.club import Incoming
from tests.simulator.simulation import EVERY, Passed, Simulation

_ADDRESS = re.compile(r"[\w.]+@(?:players|elsewhere)\.example")
_HELD = timedelta(hours=48)  # so long a deadline waits for a mail
_TWO_PASSES = timedelta(minutes=2 * EVERY)
_A_DAY = timedelta(days=1) + _TWO_PASSES  # so long letters wait for a digest, and alarms are withheld
_PAST = (*(clock.c[name] for name in ("last_pass", "watermark", "reached")), match_clocks.c.reached)
_PAST = (*_PAST, outbox.c.at, inbox.c.settled_at, withheld.c.since)


@dataclass
class ClubLaws:
    """Of one simulation."""

    of: Simulation
    mails: dict[str, Incoming] = field(default_factory=dict)  # spoken, by Message-ID
    written: dict[str, set[str]] = field(default_factory=dict)  # by address, those that its owner has named
    got: set[tuple[str, str]] = field(default_factory=set)  # letters by Message-ID and reader
    before: dict[str, Match] = field(default_factory=dict)

    def of_mail(self, mail: Incoming) -> Iterator[str]:
        found = re.search(rb"(?m)^Message-ID: (\S+)", mail.raw)
        seated = any(match.seat_of(mail.sender) for match in self.of.club.matches)
        if mail.spoken and seated and found is not None:
            self.mails[found[1].decode()] = mail
        self.written.setdefault(mail.sender, set()).update(
            _ADDRESS.findall(mail.raw.decode(errors="replace"))
        )
        yield from ()

    def of_command(self, words: Sequence[str], status: int, told: str) -> Iterator[str]:
        if words[0] == "restore":
            self.before.clear()
        sound = words[0] in ("check", "backup", "restore")
        if status not in (0, 1) or "Traceback" in told or (sound and status):
            yield f"{' '.join(words)} ended with {status}: {told}"

    def of_pass(self, passed: Passed) -> Iterator[str]:
        yield from (
            f"a pass has left {table} otherwise than a new process without a crash" for table in passed.odd
        )
        yield from self._letters(passed)
        matches = self.of.club.matches
        yield from self._seals(matches)
        self.before = {match.name: match for match in matches}
        trouble = [words for words in passed.counts.trouble if "clock is doubted" not in words]
        if passed.counts.shunted or (trouble and not passed.faulty):
            with passed.referee.store.transaction() as unit:
                why = [(mail.reason or "")[-3000:] for mail in unit.mails(["shunted"])]
            yield f"{passed.counts.shunted} mails were put aside, {trouble} {why[-1:]}"
        yield from self._mails(passed) if self.mails else ()

    def _letters(self, passed: Passed) -> Iterator[str]:
        """Each once, to one reader, who has a reason to get it, with nobody's address but their own."""
        desk = passed.referee.offices.at_desk
        for letter in passed.letters:
            to, key = letter.recipient, (letter.message_id, letter.recipient)
            if key in self.got and letter.message_id not in self.of.outside.doubted:
                yield f"{letter.notice} to {to} left twice"
            self.got.add(key)
            same = {to, to.removeprefix("new."), f"new.{to}"}  # a second address of theirs
            own = {*same, *desk, *(named for one in same for named in self.written.get(one, ()))}
            named = set(_ADDRESS.findall(letter.head + letter.text + letter.page)) - own
            if letter.to != (to,) or (named and to.removeprefix("new.") not in desk):
                yield f"{letter.notice} to {to} names {sorted(named)} {letter.to}\n{letter.text}"
            if not letter.text.strip() or "Traceback (most" in letter.text:
                yield f"{letter.notice} to {to} says nothing a reader could use"

    def _seals(self, matches: Sequence[Match]) -> Iterator[str]:
        """What moved no public position changed nothing that all see, nor the public head."""
        for match in matches:
            old = self.before.get(match.name)
            if old is None or old.position != match.position or old.version == match.version:
                continue
            if old.head != match.head or _public(old) != _public(match):
                yield f"{match.name}: what was not public has changed what the public sees"

    def _mails(self, passed: Passed) -> Iterator[str]:
        """Whoever was judged has been answered: by a letter to that mail, or by what it led to, at whichever address
        of theirs it was asked for."""
        to, sender = outbox.c.recipient, inbox.c.sender
        theirs = sa.or_(to == sender, to == sa.literal("new.") + sender, sa.literal("new.") + to == sender)
        led_to = sa.and_(theirs, outbox.c.at == inbox.c.settled_at)
        told = sa.or_(outbox.c.answers == inbox.c.message_id, led_to)
        found = sa.select(
            inbox.c.message_id, inbox.c.verdict, inbox.c.reason, sa.exists().where(told).label("told")
        )
        judged = found.where(inbox.c.message_id.in_(list(self.mails)), inbox.c.verdict.is_not(None))
        with passed.referee.store.transaction() as unit:
            rows = unit.connection.execute(judged.order_by(inbox.c.id)).all()
        for row in rows:
            mail = self.mails.pop(row.message_id, None)
            if mail is None:  # the same once more
                continue
            if row.verdict in ("accepted", "refused", "answered") and not row.told:
                yield f"{mail.sender} got no answer ({row.verdict}, {row.reason}):\n{mail.raw.decode()}"
            if row.verdict == "discarded":
                yield f"{mail.sender}: a mail was thrown away ({row.reason}):\n{mail.raw.decode()}"

    def at_the_end(self, passed: Passed) -> Iterator[str]:
        """Two passes after the last fault: all mails are read, all deadlines ruled, all records sound; what waits is on
        the desk's list, each with its command."""
        referee, now = passed.referee, passed.now
        status, told = self.of.shell(["check"])
        if status:
            yield f"check: {told}"
        status, told = self.of.shell(["desk", "--json", "--now", now.isoformat()])
        desk = json.loads(told)
        listed = [
            one for kind, rows in desk.items() if isinstance(rows, list) and kind != "next" for one in rows
        ]
        yield from (f"the desk names no command for {one}" for one in listed if not one.get("command"))
        with referee.store.transaction() as unit:
            waiting, open_mails = unit.unsent(now, 1000), unit.open_mails()
            held = {
                place
                for kept in unit.mails(["held", "shunted"])
                for place in unit.seats_of(kept.sender or "")
            }
            yield from (f"{to} has no digest since {at}" for to, at in unit.gathered() if now - at > _A_DAY)
            run = unit.connection.execute
            yield from (f"alarms are withheld without a word: {x}" for x in run(_untold(now)).scalars())
            ends = {f"{c.table.name}.{c.name}": run(sa.select(sa.func.max(c))).scalar() for c in _PAST}
            yield from (f"{what} is {at}, and it is {now}" for what, at in ends.items() if at and at > now)
        awaited = any(demand.seat == 0 for match in self.of.club.matches for _, demand in match.due)
        if open_mails and not awaited:
            yield f"{open_mails} mails wait unjudged"
        if lost := list((self.of.folder / "mail/in/new").iterdir()):
            yield from [f"{len(lost)} mails are still in the mailbox"] if len(lost) > open_mails else []
        yield from (f"a {letter.kind} to {letter.recipient} waits" for letter in waiting)
        for match in referee.moderator.matches():
            owing = (
                (r, d.seat) for r in match.rounds if not r.holds for d in outstanding(match, r) or r.demands
            )
            late = [at for r, seat in owing if (at := r.due_for(seat)) is not None]  # who is away has longer
            allowed = _TWO_PASSES + (_HELD if match.name in {name for name, _ in held} else timedelta())
            if match.status == "open" and any(now - due > allowed + match.timing.grace for due in late):
                yield f"{match.name}: a deadline of {min(late)} is not ruled at {now}"
            history = referee.moderator.history(match.name)
            record = public_record(referee.games[match.game], history)
            yield from (f"{match.name}: {fault}" for fault in verified(record, referee.games[match.game]))
            yield from (
                f"{match.name}: the record names {a}" for a in set(_ADDRESS.findall(json.dumps(record)))
            )


def _untold(now: datetime) -> sa.CompoundSelect[tuple[str]]:
    """Kinds of alarms that should have been summed up, and readers of letters that went into a digest that is not."""
    one = outbox.alias()
    later = sa.exists().where(
        one.c.kind == "digest", one.c.recipient == outbox.c.recipient, one.c.at >= outbox.c.at
    )
    lost = sa.select(outbox.c.recipient).where(outbox.c.state == "told", ~later)
    return sa.select(withheld.c.topic).where(withheld.c.since < now - _A_DAY).union(lost)


def _public(match: Match) -> object:
    seen = match.view(None)
    return seen and (seen.phase, seen.position, seen.diagram)
