"""What a mail costs at the desk: with one match and with many, early in a game and late. Ratios in one run."""

from __future__ import annotations

import os
import statistics
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from referee.base import shipped
from referee.match.events import Entrant
from referee.offices.register.opening import NewMatch
from referee.service.config import Configuration, Located
from referee.service.wiring import Referee, running
from referee.transport.maildir import MaildirMailbox
from tests.memory import MemoryCourier

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
POINTS = [f"{c}{r}" for r in range(1, 20) for c in "ABCDEFGHJKLMNOPQRST"]


def _open(referee: Referee, number: int, at: datetime = START) -> str:
    people = tuple(Entrant(f"P{i}", (f"p{i}.{number}@example.org",)) for i in (1, 2, 3))
    specs, data = shipped.game_options("multigo"), shipped.game_data("multigo")
    return referee.moderator.open(NewMatch("multigo", people, {"compensation": "none"}, specs, data), at).name


def _play(
    referee: Referee, folder: Path, number: int, first: int, count: int, clock: datetime
) -> list[float]:
    """The next moves of a match, one mail and one pass each; the seconds of every pass."""
    spent = []
    for move in range(first, first + count):
        seat = move % 3 + 1
        at = clock + timedelta(minutes=move)
        raw = (
            f"From: p{seat}.{number}@example.org\nSubject: Go: Move / Player {seat}\nMessage-ID: <{number}.{move}@x>\n"
            f"Date: {at:%a, %d %b %Y %H:%M:%S +0000}\n\nMove: {POINTS[move]}\n"
        )
        path = folder / "mail/in/new" / f"{number}.{move:04d}"
        path.write_text(raw)
        os.utime(path, (at.timestamp(), at.timestamp()))
        start = time.process_time()
        counts = referee.desk.step(at)
        spent.append(time.process_time() - start)
        assert counts.accepted == 1, counts
    return spent


@pytest.fixture
def desk(tmp_path: Path):  # type: ignore[no-untyped-def]
    for part in ("new", "cur", "tmp"):
        (tmp_path / "mail/in" / part).mkdir(parents=True)
    mailbox, courier = MaildirMailbox(tmp_path / "mail/in"), MemoryCourier()
    with running(Located(Configuration(), tmp_path), given_mailbox=mailbox, given_courier=courier) as referee:
        yield referee, tmp_path


def test_a_mail_costs_the_same_with_one_match_and_with_two_hundred(desk) -> None:  # type: ignore[no-untyped-def]
    referee, folder = desk
    _open(referee, 0)
    referee.desk.step(START)
    alone = _play(referee, folder, 0, 0, 30, START)
    for number in range(1, 200):
        _open(referee, number, START + timedelta(days=1))
    referee.desk.step(START + timedelta(days=1))
    crowded = _play(referee, folder, 0, 30, 30, START + timedelta(days=2))
    ratio = statistics.median(crowded) / statistics.median(alone[10:])
    print(f"\na mail among 200 matches against one alone: {ratio:.2f} times")
    assert ratio < 1.5


def test_a_mail_costs_the_same_at_move_300_as_at_move_10(desk) -> None:  # type: ignore[no-untyped-def]
    """By turns, since the machine is not as fast at one time as at another."""
    referee, folder = desk
    _open(referee, 0)
    _open(referee, 1)
    referee.desk.step(START)
    _play(referee, folder, 0, 0, 290, START)
    after = START + timedelta(days=1)
    _play(referee, folder, 1, 0, 10, after)
    late, early = [], []
    for k in range(30):
        late += _play(referee, folder, 0, 290 + k, 1, after)
        early += _play(referee, folder, 1, 10 + k, 1, after + timedelta(minutes=280))
    ratio = statistics.median(late) / statistics.median(early)
    print(f"\na mail at move 300 against move 10: {ratio:.2f} times")
    assert ratio < 1.5
