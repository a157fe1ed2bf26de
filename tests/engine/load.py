"""A load of mails over many matches, what a desk alone makes of it, and what workers have made of it so far. The
database says at what time it is, so that letters can be compared byte for byte."""

from __future__ import annotations

import email
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import sqlalchemy as sa

from tests.memory import plain
from tests.servers.daemon import Daemon
from tests.world import START, World

OPENED = datetime.fromisoformat(START)
CLOCK = OPENED + timedelta(days=1)
SEATS = 3
POINTS = [f"{c}{r}" for r in range(1, 20) for c in "ABCDEFGHJKLMNOPQRST"]
SETTLED = "SELECT uid, verdict, seat, match FROM inbox WHERE verdict IS NOT NULL"
LEDGER = "SELECT match, version, position, cause, at, since, CAST(public AS INTEGER), kind, body FROM ledger"
STANDING = (
    "SELECT (SELECT count(*) FROM inbox WHERE verdict IS NOT NULL),"
    " (SELECT count(*) FROM inbox WHERE verdict IS NULL OR NOT filed)"
    # news that waits for the letter that asks next is no work left
    " + (SELECT count(*) FROM outbox WHERE state = 'unsent' AND (next_try IS NULL OR attempts > 0))"
)


@dataclass
class Load:
    """So many matches of three, with so many mails each, in the order in which they arrive."""

    matches: int
    mails: int
    poison: str = ""
    names: list[str] = field(default_factory=list)

    def open(self, world: World) -> None:
        self.names = [world.open("multigo", self.people(n), compensation="none") for n in range(self.matches)]

    @staticmethod
    def people(match: int) -> list[str]:
        """The last seat of each pair of matches is one and the same person's."""
        last = f"P3 <p3.{match // 2}@example.org>"
        return [*(f"P{seat} <p{seat}.{match}@example.org>" for seat in range(1, SEATS)), last]

    def __iter__(self) -> Iterator[tuple[str, datetime, bytes]]:
        """File name, arrival, bytes."""
        for number in range(self.mails):
            for match in range(self.matches):
                at = OPENED + timedelta(minutes=number, milliseconds=match)
                for turn, (sender, subject, body) in enumerate(self._said(match, number)):
                    moment = at + timedelta(microseconds=10 * turn)
                    name = f"{number:04d}.{match:04d}.{turn}"
                    raw = (
                        f"From: {sender}\nTo: collector@referee.localhost\nSubject: {subject}\nMessage-ID: <{name}@x>\n"
                        f"Date: {moment:%a, %d %b %Y %H:%M:%S +0000}\n\n{body}\n"
                    )
                    yield name, moment, raw.encode()
                    if number % 7 == 3 and turn == 0:
                        yield f"{name}-again", moment + timedelta(microseconds=5), raw.encode()

    def _said(self, match: int, number: int) -> Iterator[tuple[str, str, str]]:
        """A move; now and then an impossible one before it, a question after it, a stranger's word."""
        seat, name = number % SEATS + 1, self.names[match]
        sender = self.people(match)[seat - 1].partition("<")[2].rstrip(">")
        subject = f"Go: Move / Player {seat} [{name}]"
        if number % 5 == 4:
            yield sender, subject, f"Move: {POINTS[0]}"
        yield sender, subject, f"Move: {POINTS[number]}"
        if number % 6 == 2:
            yield sender, f"status [{name}]", f"How do I stand? {number}"
        if number == 1 and match % 10 == 0:
            yield f"stranger{match}@elsewhere.example", "Hello?", "Who are you?"
        if self.poison and number == 2 and match == 1:
            yield "somebody@elsewhere.example", "Drink me", self.poison


def drop(folder: Path, name: str, at: datetime, raw: bytes) -> None:
    """A mail into a Maildir, arrived at that moment."""
    draft = folder / "tmp" / name
    draft.write_bytes(raw)
    moment = round(at.timestamp() * 1_000_000) * 1000
    os.utime(draft, ns=(moment, moment))
    draft.rename(folder / "new" / name)


def letters(folder: Path, seen: Mapping[str, int]) -> dict[str, dict[str, list[tuple[int, bytes]]]]:
    """By match and Message-ID: at which look each file was first seen, and its bytes. A letter that leaves twice is
    written over the first one, under the same name, so its file's own time tells nothing."""
    found: dict[str, dict[str, list[tuple[int, bytes]]]] = defaultdict(lambda: defaultdict(list))
    for path in (folder / "mail/out/new").iterdir():
        raw = path.read_bytes()
        head = email.message_from_bytes(raw.partition(b"\n\n")[0] + b"\n\n")
        copy = (seen.get(path.name, len(seen)), plain(raw))
        found[str(head["X-Referee-Match"] or "")][str(head["Message-ID"])].append(copy)
    return found


@dataclass(frozen=True)
class Outcome:
    """What came of it all: verdicts by the mails' names, ledgers, letters."""

    verdicts: dict[str, tuple[Any, ...]]
    ledger: list[tuple[Any, ...]]
    letters: dict[str, dict[str, list[tuple[int, bytes]]]]


def outcome(folder: Path, url: str, seen: Mapping[str, int] | None = None) -> Outcome:
    engine = sa.create_engine(url)
    with engine.connect() as connection:
        settled = connection.execute(sa.text(SETTLED)).all()
        ledger = sorted(tuple(map(str, row)) for row in connection.execute(sa.text(LEDGER)))
    engine.dispose()
    verdicts = {row.uid.split(":")[1]: (row.verdict, row.seat, row.match) for row in settled}
    return Outcome(verdicts, ledger, letters(folder, seen or {}))


def by_one_desk(folder: Path, load: Load) -> Outcome:
    """What `referee step` makes of it on SQLite, in one pass."""
    world = World(folder)
    load.open(world)
    for name, at, raw in load:
        if not load.poison or load.poison.encode() not in raw:
            drop(folder / "mail/in", name, at, raw)
    world.step(CLOCK.isoformat())
    world.step(CLOCK.isoformat())
    return outcome(folder, f"sqlite:///{folder / 'referee.db'}")


def stop_the_clock(url: str) -> None:
    """The database's clock stands: `clock_timestamp()` of every connection to come says the same."""
    engine = sa.create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(
            sa.text(
                "CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz STABLE LANGUAGE sql"
                f" AS $$ SELECT timestamptz '{CLOCK.isoformat()}' $$"
            )
        )
        name = sa.make_url(url).database
        connection.execute(sa.text(f"ALTER DATABASE {name} SET search_path = public, pg_catalog"))
    engine.dispose()


def differences(wanted: Outcome, found: Outcome, load: Load) -> list[str]:
    """What workers did otherwise than the desk, in words."""
    wrong = [f"the ledger has {row}" for row in set(found.ledger) - set(wanted.ledger)]
    wrong += [f"the ledger has not {row}" for row in set(wanted.ledger) - set(found.ledger)]
    poisoned = [name for name, verdict in found.verdicts.items() if verdict[0] == "shunted"]
    if len(poisoned) != bool(load.poison):
        wrong.append(f"put aside: {poisoned}")
    for name in wanted.verdicts.keys() | found.verdicts.keys():
        ours, theirs = wanted.verdicts.get(name), found.verdicts.get(name)
        if ours != theirs and name not in poisoned:
            wrong.append(f"mail {name}: {theirs}, and not {ours}")
    for match in wanted.letters.keys() | found.letters.keys():
        ours, theirs = wanted.letters.get(match, {}), found.letters.get(match, {})
        for message_id in ours.keys() | theirs.keys():
            here, there = ours.get(message_id, []), theirs.get(message_id, [])
            if not there:
                wrong.append(f"{match}: {message_id} was lost")
            elif not here and load.poison and b"could not be judged" in there[0][1]:
                continue  # the moderator's alarm about the poison
            elif not here and b"may have left, or not" in there[0][1]:
                continue  # that about a letter over which two workers were killed
            elif not here:
                wrong.append(f"{match}: {message_id} is too many: {there[0][1][:300]!r}")
            elif {raw for _, raw in there} != {here[0][1]}:
                wrong.append(f"{match}: {message_id} has other words")
    return sorted(wrong)


def out_of_order(found: Outcome, last: int) -> list[str]:
    """Public letters that a reader got before an earlier one of the same match (when each was first seen counts, up to
    the `last` look: one that may have left waits for a moderator, and all others go on without it)."""
    wrong = []
    for match, by_id in found.letters.items():
        readers: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for copies in by_id.values():
            when, raw = min(copies)
            head = email.message_from_bytes(raw.partition(b"\n\n")[0] + b"\n\n")
            if head["X-Referee-Position"] and when <= last:
                readers[str(head["Delivered-To"])].append((when, int(head["X-Referee-Position"])))
        for reader, got in readers.items():
            positions = [position for _, position in sorted(got)]
            if positions != sorted(positions):
                wrong.append(f"{match}: {reader} got {positions}")
    return wrong


def repeated(found: Outcome) -> int:
    """How many letters left more than once."""
    return sum(len(copies) - 1 for by_id in found.letters.values() for copies in by_id.values())


class Workers:
    """Workers over one configuration, by number; each has a log of its own."""

    def __init__(self, world: World, number: int, skews: tuple[float, ...] = (), poison: str = "") -> None:
        self._world = world
        self._skews = skews or (0.0,) * number
        self._poison = poison
        self.workers = [self._new(n) for n in range(number)]

    def _new(self, number: int) -> Daemon:
        environment = {"REFEREE_TEST_SKEW": str(self._skews[number]), "REFEREE_TEST_POISON": self._poison}
        return Daemon(
            self._world.folder / "referee.toml", "worker", log=f"worker-{number}.log",
            program="tests.engine.odd_worker", environment=environment,
        )  # fmt: skip

    @contextmanager
    def at_work(self) -> Iterator[Workers]:
        for worker in self.workers:
            worker.start()
        try:
            yield self
        finally:
            for worker in self.workers:
                if worker.running:
                    worker.kill()

    def kill(self, number: int) -> None:
        """kill -9, and another in its place."""
        self.workers[number].kill()
        self.workers[number].start()

    def revive(self) -> int:
        """Those that have died by themselves are started again; how many."""
        dead = [worker for worker in self.workers if not worker.running]
        for worker in dead:
            worker.start()
        return len(dead)

    @property
    def logs(self) -> str:
        return "\n".join(worker.log for worker in self.workers)


def standing(url: str) -> tuple[int, int] | None:
    """How many mails are judged, and how much is still to be done (mails to be judged or put away, letters to be sent);
    None where the database does not answer."""
    try:
        with psycopg.connect(url.replace("+psycopg", "")) as line:
            found: tuple[int, int] | None = line.execute(STANDING).fetchone()
            return found
    except psycopg.OperationalError:
        return None


def waiting_in(folder: Path) -> int:
    """Mails that nobody has put away yet."""
    return sum(1 for _ in (folder / "mail/in/new").iterdir())
