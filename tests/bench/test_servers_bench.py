"""How near the program comes to the pace of the mail servers themselves: a real Dovecot holds mails that wait, a real
Postfix takes the letters; beside it, in the same run, the same servers give the same mails and take the same letters
with nothing in between: imapclient in plain batches, smtplib over one connection; and the program itself does it
as `referee step`, a process that has to start.

All of them share the machine's processors, and Postfix goes on delivering while the next letters are made. So the time
is told by whose it was: our own, Postfix's, Dovecot's, and that of everybody else, of whom there should be nobody. What
the three together need of the processors bounds the pace as well as Postfix does; it is told which pace that would be.
"""

import json
import os
import smtplib
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from referee.base import shipped
from referee.base.ports import HandedOver, Parcel
from referee.base.settings import Settings
from referee.games import found
from referee.match.events import Entrant
from referee.offices.register import NewMatch
from referee.service.config import Located
from referee.service.wiring import Referee, running
from referee.transport.account import Account
from referee.transport.smtp import SmtpCourier
from tests.bench.test_paperwork_bench import mails
from tests.servers.dovecot import PASSWORD, Dovecot
from tests.servers.ground import eventually
from tests.servers.postfix import Postfix
from tests.transport.mailboxes import ImapPlace

pytestmark = pytest.mark.server
WAITING = int(os.environ.get("REFEREE_BENCH_MAILS", "400"))  # a whole run says 10000
MOVES = 20  # of a match
WARM = 100  # mails before them
SHORT = 200  # mails of a step in a process of its own
SAMPLE = 400  # letters that are submitted by hand, before and after
BATCH = 100  # mails fetched at once by hand
START = datetime(2026, 3, 1, 12, tzinfo=UTC)
LOOSE = 0.2  # what is told is the ratio
CORES = len(os.sched_getaffinity(0))
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Sampling:
    """A courier that remembers some of what it carried, evenly spread, and counts the rest."""

    courier: SmtpCourier
    every: int = 1
    count: int = 0
    sample: list[Parcel] = field(default_factory=list)

    def send(self, parcels: Iterable[Parcel]) -> Iterator[HandedOver]:
        for parcel, delivery in self.courier.send(parcels):
            self.noted(parcel)
            yield parcel, delivery

    def noted(self, parcel: Parcel) -> None:
        if self.count % self.every == 0:
            self.sample.append(parcel)
        self.count += 1

    def begin(self, every: int) -> None:
        self.every, self.count, self.sample = max(1, every), 0, []

    def examine(self) -> tuple[str, ...]:
        return self.courier.examine()

    def close(self) -> None:
        self.courier.close()


@dataclass
class Spent:
    """Seconds: by the clock, and of processor time, whose."""

    wall: float = 0.0
    own: float = 0.0
    postfix: float = 0.0
    dovecot: float = 0.0
    all: float = 0.0

    @property
    def processor(self) -> float:
        return self.own + self.postfix + self.dovecot

    def __str__(self) -> str:
        others = max(0.0, self.all - self.processor)
        return (
            f"{self.wall:.2f} s (own CPU {self.own:.2f}, Postfix's {self.postfix:.2f}, Dovecot's {self.dovecot:.2f},"
            f" others' {others:.2f})"
        )


@dataclass
class Servers:
    dovecot: Dovecot
    postfix: Postfix

    @contextmanager
    def timed(self) -> Iterator[Spent]:
        spent = Spent()
        before = (time.perf_counter(), *self._processors())
        yield spent
        after = (time.perf_counter(), *self._processors())
        spent.wall, spent.own, spent.postfix, spent.dovecot, spent.all = (
            b - a for a, b in zip(before, after, strict=True)
        )

    def at_rest(self) -> None:
        """Every letter is delivered."""
        queue = self.postfix.root / "q"
        eventually(
            lambda: not any(any((queue / part).iterdir()) for part in ("maildrop", "incoming", "active", "deferred")),
            "Postfix has delivered everything", 600,
        )  # fmt: skip

    def _processors(self) -> tuple[float, ...]:
        master = int((self.postfix.root / "q/pid/master.pid").read_text())
        own = os.times()
        return (
            own.user + own.system + own.children_user + own.children_system,
            processor_time(master),
            processor_time(self.dovecot.pid),
            all_processors_time(),
        )


def processor_time(root: int) -> float:
    """Seconds of a process, of those it started and of those of them that are gone."""
    parents: dict[int, int] = {}
    spent: dict[int, float] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it ended meanwhile
        number = int(path.parent.name)
        parents[number], spent[number] = int(words[1]), sum(map(int, words[11:15])) / TICKS

    def belongs(number: int) -> bool:
        while number and number != root:
            number = parents.get(number, 0)
        return number == root

    return sum(seconds for number, seconds in spent.items() if belongs(number))


def all_processors_time() -> float:
    """Seconds in which the machine's processors were not idle."""
    words = [int(word) for word in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    return (sum(words) - words[3] - words[4]) / TICKS


def opened(referee: Referee, matches: int, user: str) -> list[str]:
    specs, data = shipped.game_options("multigo"), shipped.game_data("multigo")
    names = []
    for number in range(matches):
        people = tuple(Entrant(f"P{i}", (f"p{i}-{number}-{user}@example.test",)) for i in (1, 2, 3))
        asked = NewMatch("multigo", people, {"compensation": "none"}, specs, data, seed=number)
        names.append(referee.moderator.open(asked, START).name)
    return names


def orders(referee: Referee, names: list[str]) -> Iterator[tuple[bytes, datetime]]:
    """Good moves of all matches by turns, a second after the other, each with a Message-ID of its own."""
    game = found()["multigo"]
    posts = [mails(game, referee.moderator.match(name), seed) for seed, name in enumerate(names)]
    at = START
    while True:
        for name, post in zip(names, posts, strict=True):
            at += timedelta(seconds=1)
            yield next(post).replace(b"Message-ID: <", f"Message-ID: <{name}.".encode(), 1), at


def fetched(place: ImapPlace) -> int:
    """All mails of a folder, in plain batches; how many."""
    with place.client() as client:
        client.select_folder("INBOX", readonly=True)
        uids = client.search()
        return sum(
            len(client.fetch(uids[start : start + BATCH], ["BODY.PEEK[]"]))
            for start in range(0, len(uids), BATCH)
        )


def submitted(port: int, letters: Sequence[Parcel]) -> None:
    """One after the other over one connection."""
    with smtplib.SMTP("127.0.0.1", port) as line:
        for letter in letters:
            assert line.sendmail(letter.sender, [letter.recipient], letter.raw) == {}


def stepped(folder: Path, place: ImapPlace, postfix: Postfix, offices: dict[str, str], now: datetime) -> int:
    """A step of the command line, in a process of its own; how many letters have left."""
    office = "".join(f'{name} = "{address}"\n' for name, address in offices.items())
    (folder / "referee.toml").write_text(
        f'[offices]\n{office}[mailbox]\nurl = "imap://{place.user}@127.0.0.1:{place.server.imap}/INBOX"\n'
        f'password_env = "PASSWORD"\n[courier]\nurl = "smtp://127.0.0.1:{postfix.smtp}"\n'
    )
    command = [sys.executable, "-c", "from referee.cli import program; program()"]
    where = ["--config", str(folder / "referee.toml"), "step", "--now", now.isoformat(), "--json"]
    env = {**os.environ, "PASSWORD": PASSWORD}
    said = subprocess.run([*command, *where], env=env, check=True, stdout=subprocess.PIPE).stdout
    counts = json.loads(said)
    assert (counts["accepted"], counts["read"], counts.get("trouble")) == (SHORT, SHORT, None), counts
    return int(counts["sent"])


def test_mails_are_judged_and_answered_nearly_as_fast_as_the_servers_carry_them(
    dovecot: Dovecot, postfix: Postfix, mail_user: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place, beside = ImapPlace(dovecot, mail_user), ImapPlace(dovecot, f"{mail_user}-beside")
    account = Account("127.0.0.1", postfix.smtp, "plain")
    servers, courier = Servers(dovecot, postfix), Sampling(SmtpCourier(account))
    offices = {"speaker": f"{mail_user}+speaker@example.test", "collector": f"{mail_user}@example.test"}
    settings = Settings.model_validate({"offices": offices})
    with running(Located(settings, tmp_path), given_mailbox=place.open(), given_courier=courier) as referee:
        names = opened(referee, max(1, (WAITING + WARM + SHORT) // MOVES), mail_user)
        post = orders(referee, names)
        referee.desk.step(START)

        def step(count: int) -> Spent:
            waiting = [next(post) for _ in range(count)]
            for each in (place, beside):
                each.deliver_all(waiting)
            servers.at_rest()
            with servers.timed() as spent:
                counts = referee.desk.step(waiting[-1][1])
            assert (counts.accepted, counts.sent) == (count, courier.count), counts
            assert counts.trouble == []
            return spent

        def by_hand(work: Callable[[], object]) -> Spent:
            servers.at_rest()
            with servers.timed() as spent:
                work()
            return spent

        courier.begin(1)
        step(WARM)
        samples = [courier.sample[:SAMPLE]]
        by_hand(lambda: fetched(beside))
        by_hand(lambda: submitted(servers.postfix.smtp, samples[0]))
        before = by_hand(lambda: submitted(servers.postfix.smtp, samples[0]))
        courier.begin(WAITING * 5 // SAMPLE)
        spent = step(WAITING)
        letters, sample = courier.count, courier.sample[:SAMPLE]
        after = by_hand(lambda: submitted(servers.postfix.smtp, sample))
        fetching = by_hand(lambda: fetched(beside))
    waiting = [next(post) for _ in range(SHORT)]
    place.deliver_all(waiting)
    sent: list[int] = []
    alone = by_hand(lambda: sent.append(stepped(tmp_path, place, postfix, offices, waiting[-1][1])))
    size = sum(len(letter.raw) for letter in sample) / len(sample)
    pace = (len(samples[0]) + len(sample)) / (before.wall + after.wall)  # letters a second
    submitting = letters / pace
    part = WAITING / (WAITING + WARM)  # of the mails that were fetched by hand
    reading = fetching.wall * part
    work = fetching.processor * part + after.processor * letters / len(sample)
    with capsys.disabled():
        print(
            f"\n{WAITING} mails, {letters} letters of {size / 1000:.0f} kB: {spent};"
            f" by hand {pace:.0f} letters/s {after} a {len(sample)}, {WAITING / reading:.0f} mails/s;"
            f"\n{submitting / spent.wall:.2f} of the pace at which Postfix takes the letters,"
            f" {spent.wall / (reading + submitting):.2f} times fetching and submitting alone"
            f" (in processor time of all three {spent.processor / work:.2f};"
            f" {CORES} processors with nothing else to do could reach"
            f" {submitting * CORES / spent.processor:.2f} of that pace);"
            f" a ruling takes {1000 * spent.own / WAITING:.1f} ms of own CPU,"
            f" a letter {1000 * spent.postfix / letters:.2f} ms of Postfix's"
            f" (by hand {1000 * after.postfix / len(sample):.2f});"
            f"\nas a process that has to start, {SHORT} mails: {sent[0] / pace / alone.wall:.2f} of that pace, {alone}"
        )
    assert submitting / spent.wall > LOOSE
