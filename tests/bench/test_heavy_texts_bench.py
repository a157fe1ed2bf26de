"""How the time for a mail grows with its length, for each kind of text in each place: doubled from 10 kB to 1 MB, and
the exponent fitted. A text that costs less than ordinary short lines of the same length passes, whatever its exponent.

Beside the reading, the judging: a seat's mail made of such text, in every game."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from referee.games import found
from referee.mail.reader import MailReader
from referee.service.config import read_configuration
from referee.service.wiring import Referee, running
from tests.attacks.heavy_texts import PLACES, TEXTS, Mail, cost, reader
from tests.offices.stage import PEOPLE, owing, subject_of
from tests.world import START, World

SIZES = [10_000 * 2**n for n in range(7)] + [1_000_000]
STEEPEST = 1.5
EVERY = 6  # of the kinds of text, in each place one in so many; all of them in the long checks
NOON = datetime(2026, 3, 1, 13, tzinfo=UTC)


@pytest.fixture(scope="module")
def every_day() -> MailReader:
    return reader()


@pytest.fixture(scope="module")
def ordinary(every_day: MailReader) -> float:
    return cost(every_day, Mail("short lines", "body").of(SIZES[-1]))


def texts(place: int, step: int) -> list[str]:
    return sorted(TEXTS)[place % step :: step]


def exponent(costs: list[tuple[int, float]]) -> float:
    """The slope of the line through the logarithms, by least squares."""
    points = [(math.log(size), math.log(max(seconds, 1e-4))) for size, seconds in costs]
    x0, y0 = (sum(values) / len(points) for values in zip(*points, strict=True))
    return sum((x - x0) * (y - y0) for x, y in points) / sum((x - x0) ** 2 for x, _ in points)


@pytest.mark.parametrize("step", [EVERY, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("place", PLACES)
def test_the_time_to_read_a_mail_grows_with_its_length(
    place: str, step: int, every_day: MailReader, ordinary: float
) -> None:
    steep = {}
    chosen = texts(list(PLACES).index(place), step)
    for text in chosen:
        mail = Mail(text, place)
        if cost(every_day, mail.of(SIZES[-2]), 1) < ordinary / 2:
            continue
        costs = [(size, cost(every_day, mail.of(size), 1)) for size in SIZES]
        if (costs[-1][1] > ordinary and exponent(costs[2:]) > STEEPEST) or costs[-1][1] > 8 * ordinary:
            steep[text] = costs
    print(f"{place}: {len(chosen)} kinds of text")
    assert steep == {}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Referee, dict[str, tuple[str, str]]]]:
    """A referee with a match of each game; of each, who is to answer, and under which subject."""
    world = World(tmp_path_factory.mktemp("played"))
    people = [f"{one.name} <{one.addresses[0]}>" for one in PEOPLE]
    for game, seats in {"fourplay": 4, "multigo": 3, "onepiece": 2, "buttons": 2, "morris": 2}.items():
        world.open(game, people[:seats])
    world.step(START)
    with running(read_configuration(world.folder / "referee.toml")) as referee:
        asked = {}
        for row in world.run("list", "--json").json:
            match = referee.moderator.match(row["match"])
            demand = owing(match)[0]
            person = match.entrant(demand.seat).addresses[0]
            asked[row["game"]] = person, f"[{row['match']}] {subject_of(match, demand)}"
        yield referee, asked


@pytest.mark.parametrize("game", found())
@pytest.mark.parametrize("before", [b"", b"Move: ", b"Comment: "])
def test_the_time_to_judge_a_seats_mail_grows_with_its_length(
    game: str, before: bytes, played: tuple[Referee, dict[str, tuple[str, str]]]
) -> None:
    referee, asked = played
    steep = {}
    for text in TEXTS:
        costs = []
        for size in (2000, 8000, 32_000, 128_000):
            raw = written(*asked[game], before + TEXTS[text](size))
            began = time.process_time()
            referee.parts.inquiry.read(raw, NOON)
            costs.append((size, time.process_time() - began))
        if costs[-1][1] > 0.5 and exponent(costs[1:]) > STEEPEST:
            steep[text] = costs
    assert steep == {}


def written(sender: str, subject: str, body: bytes) -> bytes:
    head = {
        "From": sender,
        "To": "collector@referee.localhost",
        "Subject": subject,
        "Date": "Sun, 01 Mar 2026 12:00:00 +0000",
        "Message-ID": "<heavy@players.example>",
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Transfer-Encoding": "8bit",
    }
    return "".join(f"{name}: {value}\r\n" for name, value in head.items()).encode() + b"\r\n" + body + b"\r\n"
