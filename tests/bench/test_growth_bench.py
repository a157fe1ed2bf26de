"""What grows and what does not: a mail, an opening and memory among ten matches and among ten thousand, a mail at
ledger length 20 and at 2,000, a parallel round of Go at move 10 and at move 300. Ratios in one run.

Beside the program's own CPU, which other work on the machine blurs, stand the calls of Python functions that a pass
makes: they are the same in every run, and what grows in them grows.
"""

import gc
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from referee.base import shipped
from referee.base.settings import Settings
from referee.core.game import View
from referee.match.events import Entrant
from referee.match.match import Match
from referee.offices.register import NewMatch
from referee.service.config import Located
from referee.service.wiring import Referee, running
from referee.store.tables import metadata
from referee.transport.maildir import MaildirMailbox
from tests.memory import MemoryCourier

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
MANY = 10_000
MORE = 150  # more than any part of the program keeps at hand
POINTS = [f"{c}{r}" for r in range(1, 20) for c in "ABCDEFGHJKLMNOPQRST"]


class Desk:
    """A referee whose mailbox is a folder and whose letters go nowhere."""

    def __init__(self, referee: Referee, folder: Path, courier: MemoryCourier) -> None:
        self.referee, self.folder, self.courier = referee, folder, courier
        self.now = START
        self.mails = 0

    def open(self, people: int = 3, **options: str) -> str:
        number = self.mails = self.mails + 1
        roster = tuple(Entrant(f"P{i}", (f"p{i}.{number}@example.org",)) for i in range(1, people + 1))
        specs, data = shipped.game_options("multigo"), shipped.game_data("multigo")
        asked = NewMatch("multigo", roster, {"compensation": "none", **options}, specs, data)
        name = self.referee.moderator.open(asked, self.now).name
        self.step()
        return name

    def mail(self, name: str, seat: int, body: str) -> None:
        match = self.referee.moderator.match(name)
        self.mails += 1
        self.now += timedelta(minutes=1)
        raw = (
            f"From: {match.entrant(seat).addresses[0]}\nSubject: Go: Move / Player {seat} [{name}]\n"
            f"Message-ID: <{self.mails}@x>\nDate: {self.now:%a, %d %b %Y %H:%M:%S +0000}\n\n{body}\n"
        )
        path = self.folder / "mail/in/new" / f"{self.mails:06d}"
        path.write_text(raw)
        os.utime(path, (self.now.timestamp(), self.now.timestamp()))

    def step(self) -> Any:
        self.now += timedelta(minutes=1)
        self.courier.sent.clear()
        return self.referee.desk.step(self.now)

    def move(self, name: str, number: int, cost: Callable[[Callable[[], Any]], float]) -> float:
        """One move of a match of three by mail, one pass; what the pass cost."""
        self.mail(name, number % 3 + 1, f"Move: {POINTS[number]}")
        counts: list[Any] = []
        spent = cost(lambda: counts.append(self.step()))
        assert counts[0].accepted == 1, counts
        return spent


def seconds(work: Callable[[], Any]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def calls(work: Callable[[], Any]) -> float:
    """How many Python functions were called."""
    count = 0

    def called(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    for part in ("new", "cur", "tmp"):
        (tmp_path / "mail/in" / part).mkdir(parents=True)
    mailbox, courier = MaildirMailbox(tmp_path / "mail/in"), MemoryCourier()
    with running(Located(Settings(), tmp_path), given_mailbox=mailbox, given_courier=courier) as referee:
        yield Desk(referee, tmp_path, courier)


def crowd(desk: Desk, name: str, number: int) -> None:
    """So many more open matches like that one: its row, its seats, the first of its entries and of its letters again,
    under other names and addresses. They are never read; what may grow is all that looks among them."""
    with desk.referee.store.transaction() as unit:
        connection = unit.connection  # type: ignore[attr-defined]
        for table, most in (("matches", 1), ("ledger", 3), ("seats", 9), ("reply_tokens", 9), ("outbox", 3)):
            rows = metadata.tables[table]
            column = rows.c["name" if table == "matches" else "match"]
            own = connection.execute(sa.select(rows).where(column == name).limit(most)).mappings().all()
            connection.execute(
                sa.insert(rows), [_renamed(dict(row), name, k) for k in range(number) for row in own]
            )


def _renamed(row: dict[str, Any], name: str, number: int) -> dict[str, Any]:
    for key in ("match", "name"):
        if row.get(key) == name:
            row[key] = f"crowd-{number}"
    for key in ("address", "recipient", "message_id", "token", "thread"):
        if isinstance(row.get(key), str):
            row[key] = f"{number}.{row[key]}"[:250]
    if "kind" in row:
        row["body"] = row["body"][:200]  # of a letter, of an entry: nobody reads them
    row.pop("id", None)
    return row


def compare(what: str, few: Sequence[float], many: Sequence[float], most: float, unit: str = "") -> None:
    ratio = statistics.median(many) / statistics.median(few)
    print(f"\n{what}: {statistics.median(few):.4g} -> {statistics.median(many):.4g}{unit}, {ratio:.2f} times")
    assert ratio < most, (what, ratio)


def test_a_mail_and_an_opening_among_ten_thousand_matches(desk: Desk) -> None:
    names = [desk.open() for _ in range(10)]
    name = names[0]
    for number in range(12):
        desk.move(name, number, seconds)
    few = [desk.move(name, number, seconds) for number in range(12, 42)]
    few_calls = [desk.move(name, number, calls) for number in range(42, 51)]
    few_open = [seconds(desk.open) for _ in range(9)]
    few_open_calls = [calls(desk.open) for _ in range(3)]
    crowd(desk, names[1], MANY)
    for number in range(51, 60):
        desk.move(name, number, seconds)
    many = [desk.move(name, number, seconds) for number in range(60, 90)]
    many_calls = [desk.move(name, number, calls) for number in range(90, 99)]
    many_open = [seconds(desk.open) for _ in range(9)]
    many_open_calls = [calls(desk.open) for _ in range(3)]
    compare("calls of a mail among 10 and among 10,000 matches", few_calls, many_calls, 1.2)
    compare("calls of an opening among 10 and among 10,000 matches", few_open_calls, many_open_calls, 1.2)
    compare("CPU of a mail among 10 and among 10,000 matches", few, many, 1.5, " s")
    compare("CPU of an opening among 10 and among 10,000 matches", few_open, many_open, 1.5, " s")


def test_a_mail_at_ledger_length_2000(desk: Desk) -> None:
    """Beside one in a match that has just begun, by turns."""
    points = [f"{c}{r}" for r in range(1, 26) for c in "ABCDEFGHJKLMNOPQRSTUVWXYZ"]

    def move(name: str, number: int, cost: Callable[[Callable[[], Any]], float] = seconds) -> float:
        desk.mail(name, number % 3 + 1, f"Move: {points[number]}")
        return cost(desk.step)

    old, number = desk.open(board="25x25"), 0
    while desk.referee.moderator.match(old).version < 2000:
        move(old, number)
        number += 1
    young = desk.open(board="25x25")
    for k in range(8):
        move(young, k)
    short, long = zip(*((move(young, k), move(old, number + k)) for k in range(8, 38)), strict=True)
    short_calls, long_calls = zip(
        *((move(young, k, calls), move(old, number + k, calls)) for k in range(38, 44)), strict=True
    )
    print(f"\nledger length {desk.referee.moderator.match(old).version} after {number + 44} moves")
    compare("calls of a mail at ledger length 150 and 2,000", short_calls, long_calls, 1.2)
    compare("CPU of a mail at ledger length 150 and 2,000", short, long, 1.5, " s")


def test_a_parallel_round_at_move_300(desk: Desk) -> None:
    name = desk.open(order="parallel")

    def played(number: int, cost: Callable[[Callable[[], Any]], float] = seconds) -> float:
        for seat in (1, 2, 3):
            desk.mail(name, seat, f"Move: {POINTS[3 * number + seat - 1]}")
        return cost(desk.step)

    early = [played(number) for number in range(2, 8)]
    early_calls = [played(number, calls) for number in range(8, 12)]
    for number in range(12, 95):
        played(number)
    late_calls = [played(number, calls) for number in range(95, 99)]
    late = [played(number) for number in range(99, 105)]
    compare("calls of a parallel round at move 30 and at move 290", early_calls, late_calls, 1.5)
    compare("CPU of a parallel round at move 15 and at move 305", early, late, 1.7, " s")


def test_memory_stays_flat_over_many_matches(desk: Desk) -> None:
    """What a service keeps at hand is bounded: of states and of what may be seen of them."""
    held = []
    for _ in range(2):
        for _ in range(MORE):
            desk.move(desk.open(), 0, seconds)
        gc.collect()
        alive = [type(one) for one in gc.get_objects()]
        held.append((alive.count(Match), alive.count(View)))
    print(f"\nstates and views in memory after {MORE} and {2 * MORE} matches: {held[0]}, {held[1]}")
    assert max(held[1]) < MORE * 1.5
