"""What a mail's paper-work costs beside a naive bot's, with the same mails, rules and letters, in one run.

Both are given the same mails by turns, in passes of one mail and of ten, and answer with letters to the same people,
with boards but for receipts. Whoever is asked behind the next reads then what has happened, others are told at once.
Taken is each side's own CPU: from bytes to queued letters, and from the queue to bytes handed over. The bot
(`naive_bot.py`) puts its letters together when it queues them, the referee when it hands them over, so that only the
sums compare.
"""

import os
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import Any

import pytest

from referee.base import shipped
from referee.base.settings import Settings
from referee.core import seam
from referee.core.chance import Chance
from referee.core.game import AnyGame, Demand
from referee.games import found
from referee.letters.outbox import CourierRound
from referee.match.events import Entrant
from referee.match.match import Match
from referee.offices.passes import Counts
from referee.offices.register import NewMatch
from referee.service.config import Located
from referee.service.wiring import Referee, running
from referee.way.loop import Desk
from tests.bench.naive_bot import NaiveBot

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
PASSES = {1: 30, 10: 5}  # mails a pass, and passes that count
WARM = 10  # mails before them
IN_PLAY = Path(__file__).parents[1] / "games/fourplay/in_play.json"


@dataclass(frozen=True)
class Course:
    """A match to be played: how it is opened, and the words of the mail that answers a demand."""

    slug: str
    seats: int
    options: dict[str, str]
    limit: float  # loose: what is told is the ratio


GO = Course("multigo", 3, {"compensation": "none"}, 3.0)
FOURPLAY = Course("fourplay", 4, {"position": IN_PLAY.read_text(encoding="utf-8")}, 3.0)


class Queueing(CourierRound):
    """Leaves the letters in the queue: they are handed over, and that is timed, afterwards."""

    def deliver(self, *given: Any, **named: Any) -> None:
        pass


class Program:
    """The referee, its Maildirs in the folder."""

    def __init__(self, referee: Referee, folder: Path, course: Course) -> None:
        self.referee, self.folder = referee, folder
        self.stimuli = referee.desk.stimuli
        courier, parts = referee.parts.courier_round, copy(referee.parts)
        parts.courier_round = Queueing(*(getattr(courier, field.name) for field in fields(courier)))
        self.desk: Desk = replace(referee.desk, stimuli=replace(self.stimuli, parts=lambda: parts))
        people = tuple(Entrant(f"P{i}", (f"p{i}@example.org",)) for i in range(1, course.seats + 1))
        specs, data = shipped.game_options(course.slug), shipped.game_data(course.slug)
        asked = NewMatch(course.slug, people, course.options, specs, data, seed=1)
        self.name = referee.moderator.open(asked, START).name
        self.counts = Counts()
        referee.desk.step(START)
        for letter in self.out.iterdir():
            letter.unlink()

    @property
    def match(self) -> Match:
        return self.referee.moderator.match(self.name)

    @property
    def out(self) -> Path:
        return self.folder / "mail/out/new"

    def queue(self, at: datetime) -> int:
        self.counts = self.desk.step(at)
        return self.counts.accepted

    def hand_over(self, at: datetime) -> None:
        """What the pass itself would do next: it knows whether it has judged anything."""
        self.stimuli.deliver(at, self.counts, lambda: False)


def mails(game: AnyGame, match: Match, seed: int) -> Iterator[bytes]:
    """What the players of a match send, each a seeded answer to what is owed first, a minute after the other. Matches
    of one process need seeds of their own: a board that was drawn before is not drawn again."""
    state, at = match.inner, START
    number = 0
    while rounds := game.due(state):
        number += 1
        at += timedelta(minutes=1)
        demand: Demand = rounds[0].demands[0]
        action = seam.suggest(game, state, demand, Chance(f"{1000 * seed + number:064x}"))
        heading = seam.answer_of(game, demand.kind).headings[0]
        yield (
            f"From: {match.entrant(demand.seat).addresses[0]}\nMessage-ID: <{number}@example.org>\n"
            f"Subject: {game.titles[0]}: {heading} / Player {demand.seat} [{match.name}]\n"
            f"Date: {at:%a, %d %b %Y %H:%M:%S +0000}\n\n{seam.write(game, state, demand, action)}\n"
        ).encode()
        for event in seam.resolve(game, state, {demand: action}):
            state = game.evolve(state, event)


@pytest.mark.parametrize("size", PASSES)
@pytest.mark.parametrize("course", [GO, FOURPLAY], ids=lambda course: course.slug)
def test_a_mail_costs_a_part_of_what_a_naive_bot_takes(
    course: Course, size: int, tmp_path: Path, capsys: Any
) -> None:
    game = found()[course.slug]
    ours, theirs = tmp_path / "program", tmp_path / "bot"
    for part in ("new", "cur", "tmp"):
        (ours / "mail/in" / part).mkdir(parents=True)
    theirs.mkdir()
    bot = NaiveBot(game, theirs)
    with running(Located(Settings(), ours)) as referee:
        program = Program(referee, ours, course)
        match = program.match
        seats = {seat: match.entrant(seat) for seat in match.numbers}
        bot.open(match.name, match.inner, {seat: (who.name, who.addresses[0]) for seat, who in seats.items()})
        post = mails(game, match, size)
        spent: list[tuple[float, float, float, float]] = []
        number = 0
        for turn in range(WARM // size + PASSES[size]):
            for _ in range(size):
                number += 1
                raw, at = next(post), START + timedelta(minutes=number)
                for folder in (ours / "mail/in/new", theirs / "in/new"):
                    path = folder / f"{number:05d}"
                    path.write_bytes(raw)
                    os.utime(path, (at.timestamp(), at.timestamp()))
            taken = _timed(program.queue, program.hand_over, at, size)
            naive = _timed(bot.receive, lambda _: bot.send(), at, size)
            if turn >= WARM // size:
                spent.append((*taken, *naive))
        assert program.match.inner == bot.position(match.name)
    mine = _letters(program.out)
    naive_letters = _letters(theirs / "out/new")
    assert mine[0] == naive_letters[0], "letters of the same kinds, to the same people, with the same files"
    queued, handed, bot_queued, bot_handed = (
        1000 * statistics.median(each) / size for each in zip(*spent, strict=True)
    )
    ratio = statistics.median((a + b) / (c + d) for a, b, c, d in spent)
    with capsys.disabled():
        print(
            f"\n{course.slug}, {size} a pass: {ratio:.2f} of a naive bot's CPU a mail"
            f" (to the queue {queued:.1f} ms, from it {handed:.1f} ms; the bot {bot_queued:.1f} and {bot_handed:.1f};"
            f" {mine[1] / number / 1000:.0f} kB of letters, the bot's {naive_letters[1] / number / 1000:.0f})"
        )
    assert ratio < course.limit


def _timed(queue: Any, hand_over: Any, at: datetime, size: int) -> tuple[float, float]:
    begun = time.process_time()
    counted = queue(at)
    middle = time.process_time()
    hand_over(at)
    assert counted == size
    return middle - begun, time.process_time() - middle


def _letters(folder: Path) -> tuple[Counter[tuple[str, str, bool]], int]:
    """How many letters of which kind to whom, with a calendar's entry or without, and their bytes."""
    told: Counter[tuple[str, str, bool]] = Counter()
    size = 0
    for path in folder.iterdir():
        raw = path.read_bytes()
        letter = message_from_bytes(raw, policy=default)
        parts = [part.get_content_type() for part in letter.walk()]
        told[letter["X-Referee-Notice"], letter["To"].addresses[0].addr_spec, "text/calendar" in parts] += 1
        size += len(raw)
        assert ("image/png" in parts) == (letter["X-Referee-Notice"] != "receipt")
    return told, size
