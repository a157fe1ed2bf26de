"""The whole desk in one simulator: a club plays by its script, over a mailbox, a courier, a disk and a clock that fail
by the same script, in a process that dies at commits and effects. Laws, which are kept apart, look at every pass."""

import os
import resource
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, Protocol

import pytest
import sqlalchemy as sa

from referee.base.ports import Arrival, Delivery, HandedOver, Known, MailboxTrouble, Parcel
from referee.base.private import private_folder, write_private
from referee.games import found
from referee.match.match import Match
from referee.offices.clock import doubt
from referee.offices.clock.doubt import ClockReading
from referee.offices.passes import Counts
from referee.rehearsal.laws import SentLetter, SentLetters
from referee.service.config import read_configuration
from referee.service.wiring import STORE_TROUBLE, Referee
from referee.store.post import outbox
from referee.store.tables import metadata
from referee.transport.maildir import MaildirCourier, MaildirMailbox
from tests.memory import InProcess
from tests.simulator.club import START, Club, Deed, Incoming, habits, people

Shell = Callable[[Sequence[str]], tuple[int, str]]  # a command line: its exit status, and what it said
EVERY = 360  # minutes between two passes
AT_ONCE = 200  # mails after which letters leave, where a pass goes on


class Crash(BaseException):
    """The process is gone, as by kill -9. No handler of errors may take this for an error of its own."""


@dataclass
class Outside:
    """Mailbox and courier, and what is to befall the next pass; a point is passed at every commit and effect."""

    box: MaildirMailbox
    post: MaildirCourier
    armed: dict[str, int] = field(default_factory=dict)
    passed: int = 0
    doubted: set[str] = field(default_factory=set)  # letters that may have to leave twice

    def point(self, where: str = "") -> None:
        self.passed += 1
        which = self.armed.get("crash", -1)  # half of them where any pass comes by
        if self.passed == which % (15, 60)[which // 60 % 2] + 1 and which >= 0:
            raise Crash

    @contextmanager
    def disk(self) -> Iterator[None]:
        """No file grows beyond so much: what is longer is written short, then not at all."""
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        if "disk" in self.armed:
            resource.setrlimit(resource.RLIMIT_FSIZE, (self.armed["disk"] % 400 * 1000, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    def befalls(self, what: str, number: int, of: int = 3) -> bool:
        return what in self.armed and (number + self.armed[what]) % of == 0

    def fetch(self, known: Known, largest: int) -> Iterator[Sequence[Arrival]]:
        if "mail-down" in self.armed:
            raise MailboxTrouble("the server does not answer")
        for batch in self.box.fetch(known, largest):
            given = [mail for number, mail in enumerate(batch) if not self.befalls("mail-hidden", number)]
            self.point()
            yield given[::-1] if "mail-mixed" in self.armed else given * (1 + ("mail-twice" in self.armed))
            self.point()
            if "mail-cut" in self.armed:
                raise MailboxTrouble("the connection is lost")

    def file(self, filings: Sequence[tuple[str, Any]]) -> None:
        for one in filings:
            self.point()
            self.box.file([one])
            if "mail-cut" in self.armed:
                raise MailboxTrouble("the connection is lost")

    def send(self, parcels: Iterable[Parcel]) -> Iterator[HandedOver]:
        for number, parcel in enumerate(parcels):
            if "post-down" in self.armed:
                yield parcel, Delivery("later", "no connection", tried=False)
                return
            said = [
                what for what, of in (("later", 3), ("never", 11)) if self.befalls(f"post-{what}", number, of)
            ]
            if said:
                yield parcel, Delivery("later" if said[0] == "later" else "never", "a server said no")
                continue
            self.point()
            (handed,) = self.post.send((parcel,))
            self.doubted |= {parcel.message_id} if self.armed else set()
            self.point()
            lost = parcel, Delivery("later", "the connection is lost", known=False)
            yield lost if self.befalls("post-doubtful", number) else handed

    def wait(self, seconds: float) -> bool:
        return True

    def examine(self) -> tuple[str, ...]:
        return ()

    def close(self) -> None:
        """Nothing is held open."""


class Passed(NamedTuple):
    """A pass, with what left; `now` is the true time, and something befell a `faulty` one."""

    referee: Referee
    counts: Counts
    letters: Sequence[SentLetter]
    now: datetime
    faulty: bool
    odd: Sequence[str] = ()  # tables that a crash, or what a process remembers, has left otherwise


class Looks(Protocol):
    """Whoever holds the laws: each gives in words what is wrong."""

    def of_mail(self, mail: Incoming) -> Iterable[str]: ...
    def of_command(self, words: Sequence[str], status: int, told: str) -> Iterable[str]: ...
    def of_pass(self, passed: Passed) -> Iterable[str]: ...
    def at_the_end(self, passed: Passed) -> Iterable[str]: ...


class Simulation:
    """A club's deeds and what comes of them. `shell` is the command line, with the folder's configuration."""

    def __init__(self, seed: int, count: int, folder: Path, shell: Shell, more: str = "") -> None:
        self.folder, self.shell, self.log, self.seen = folder, shell, list[str](), set[str]()
        members = people(seed, count)
        for part in ("mail/in/tmp", "mail/in/new", "mail/in/cur", "mail/out/new"):
            private_folder(folder / part)
        named = (*(person.addresses[0] for person in members[:2]), ("address", "token", "confirm")[seed % 3])
        write_private(folder / "referee.toml", habits()["configuration"].format(*named) + more)
        write_private(folder / "referee.secret", f"{seed:064x}\n")
        self.outside = self.world()
        self.clock, self.drift, self.set_at = ClockReading(START, "start 1", 0.0), 0.0, 0
        self.referee = self.begun()
        self.club = Club(seed, members, found(), self.referee.offices.collector, folder)
        self.read = dict[tuple[str, int], Match]()
        self.outgoing, self.open_for = SentLetters(folder / "mail/out/new"), timedelta()

    def world(self) -> Outside:
        return Outside(MaildirMailbox(self.folder / "mail/in"), MaildirCourier(self.folder / "mail/out"))

    def begun(self, folder: Path | None = None, outside: Outside | None = None) -> Referee:
        """A process of the referee's."""
        outside = outside or self.outside
        located = read_configuration((folder or self.folder) / "referee.toml")
        referee = Referee(located, outside, outside, outside.point)
        referee.__dict__["solver"] = InProcess()  # which no load of the machine makes late
        return referee

    def close(self) -> None:
        self.referee.close()

    def play(self, deeds: Sequence[Deed], laws: Looks) -> Iterator[str]:
        """Every law that did not hold, as it is found."""
        minute = EVERY
        for deed in deeds:
            while minute <= deed.minute:
                yield from self.passes(minute, laws)
                minute += EVERY
            yield from self.done(deed, laws)
        self.outside.armed.clear()
        yield from self.passes(minute, laws)
        yield from self.done(Deed(minute, "clock", 0), laws)
        self.shell(["clock", "--back", "--now", Deed(minute, "", 0).at.isoformat()])
        for later in (minute + EVERY, minute + 2 * EVERY):
            yield from self.passes(later, laws)
        yield from laws.at_the_end(self.step(later))

    def done(self, deed: Deed, laws: Looks) -> Iterator[str]:
        said, wrong = "", list[str]()
        if deed.what == "clock":
            # right again, or as one that has lost its battery, or was set by hand, or drifts
            off = (timedelta(), timedelta(hours=1), timedelta(days=365), -timedelta(hours=2), timedelta())
            boot = f"start {deed.minute}" if deed.which % 10 < 3 else self.clock.boot
            self.clock = self.clock._replace(at=START + off[deed.which % 5], boot=boot)
            self.drift, self.set_at = 0.4 * (deed.which % 5 == 4), deed.minute
        elif deed.what == "restores":
            wrong += self.restored(laws)
        elif deed.what in habits()["faults"]:
            self.outside.armed[deed.what] = deed.which
        elif deed.what in ("opens", "orders-there"):
            words = self.club.command(deed)
            self.read.clear()
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(doubt, "reading", partial(self.reading, deed.minute))
                status, told = self.shell(words)
            said = f"{' '.join(words)} -> {status} {told[:200]!r}"
            wrong += laws.of_command(words, status, told)
        else:
            for number, mail in enumerate(self.club.mails(deed)):
                path = self.folder / "mail/in/new" / f"{deed.minute:07d}.{deed.which}.{number}"
                path.write_bytes(mail.raw)
                os.utime(path, (deed.at.timestamp(), deed.at.timestamp()))
                wrong += laws.of_mail(mail)
                said += f"{mail.sender} "
        self.log.append(f"{deed}  # {said}")
        yield from wrong

    def restored(self, laws: Looks) -> Iterator[str]:
        """The referee goes on from its backup, if there is one, with all mails that came since; what it wrote since it
        may write again. Else it makes one."""
        backup, fresh = self.folder.parent / "club.backup", self.folder.parent / "restored"
        words = ["restore", str(backup), str(fresh)] if backup.exists() else ["backup", str(backup)]
        if backup.exists():
            self.referee.close()
        yield from laws.of_command(words, *self.shell(words))
        if fresh.exists():
            shutil.rmtree(self.folder)
            backup.unlink()
            fresh.rename(self.folder)
            self.outside.doubted |= self.seen
            self.read.clear()
            self.referee = self.begun()

    def passes(self, minute: int, laws: Looks) -> Iterator[str]:
        passed = self.step(minute)
        self.club.read(passed.letters)
        self.seen |= {letter.message_id for letter in passed.letters}
        self.club.matches = self.matches()
        self.open_for += timedelta(minutes=EVERY) * sum(match.status == "open" for match in self.club.matches)
        yield from laws.of_pass(passed)
        if minute % 7 == 0 and not passed.faulty:
            for letter in self.step(minute).letters:
                yield f"a second pass at the same moment sent {letter.notice} to {letter.recipient}"

    def matches(self) -> list[Match]:
        """As they stand; those of the same version that no command has touched as they were read."""
        with self.referee.store.transaction() as unit:
            rows = [(row.name, row.version) for row in unit.summaries()]
        self.read = {row: self.read.get(row) or self.referee.moderator.outline(row[0]) for row in rows}
        return [*self.read.values()]

    def step(self, minute: int) -> Passed:
        """One pass, begun again by a process of its own where the first one failed as planned at it."""
        now = START + timedelta(minutes=minute)
        faulty = bool(self.outside.armed) or self.clock.at != START or bool(self.drift)
        reading = self.reading(minute)
        self.outside.passed = -(10**9)  # to look is no effect
        alone, odd = self.outside.armed.keys() == {"crash"} and not self.doubtful(), list[str]()
        with TemporaryDirectory(dir=self.folder.parent) as place:
            before = shutil.copytree(self.folder, Path(place) / "twin", ignore=_done_with) if alone else None
            counts = (first := self.tried(reading)) or self.tried(reading)
            assert counts is not None
            self.outside.armed.clear()
            odd += self.differs(reading, before) if before and (first is None or counts.judged) else ()
        return Passed(self.referee, counts, self.outgoing.fresh(), now, faulty, odd)

    def reading(self, minute: int) -> ClockReading:
        """What the machine's clock says, and its count of seconds."""
        drifted = timedelta(minutes=minute, seconds=self.drift * (minute - self.set_at))
        return self.clock._replace(at=self.clock.at + drifted, ticks=minute * 60.0)

    def doubtful(self) -> bool:
        """Whether a letter may have left already: one that nobody knows of twice is parked, as it should be."""
        with self.referee.store.transaction() as unit:
            handed = sa.select(outbox.c.id).where(outbox.c.state == "unsent", outbox.c.handed > 0)
            return unit.connection.execute(handed).first() is not None

    def differs(self, reading: ClockReading, folder: Path) -> Iterator[str]:
        """The rows that the same pass, in a copy of the folder as it was before, leaves otherwise where nothing befalls
        it. None of a long one, of which letters leave meanwhile: what is judged then changes those alone that are still
        here."""
        outside = Outside(MaildirMailbox(folder / "mail/in"), MaildirCourier(folder / "mail/out"))
        referee = self.begun(folder, outside)
        try:
            if referee.desk.step(reading).judged < AT_ONCE:
                theirs = rows_of(referee)
                for table, told in rows_of(self.referee).items():
                    if told != theirs[table]:
                        yield f"{table}: {told - theirs[table]} {theirs[table] - told}"[:2000]
        finally:
            referee.close()

    def tried(self, reading: ClockReading) -> Counts | None:
        self.outside.passed = 0
        try:
            with self.outside.disk():
                return self.referee.desk.step(reading)
        except (Crash, OSError, *STORE_TROUBLE):
            if not {"crash", "disk"} & self.outside.armed.keys():
                raise
            self.outside.armed.clear()
            self.referee.close()
            self.referee = self.begun()
            return None


def _done_with(folder: str, names: list[str]) -> list[str]:
    """What has left, and mails put away, are nothing to a pass, and much to copy."""
    return names if folder.endswith(("mail/out/new", "mail/in/cur")) else []


def rows_of(referee: Referee) -> dict[str, Counter[Any]]:
    """All that a store holds, but the outbox's own numbers, which nobody ever sees."""
    found = dict[str, Counter[Any]]()
    with referee.store.transaction() as unit:
        for table in metadata.sorted_tables:
            rows = unit.connection.exec_driver_sql(f"SELECT * FROM {table}")
            found[table.name] = Counter(tuple(row)[table.name == "outbox" :] for row in rows)
    return found
