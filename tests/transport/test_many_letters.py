"""Letters leave by SMTP: each reader's in order, none before its commit, none lost and few
twice, whatever ends first; in a long pass before all is judged."""

from __future__ import annotations

import pickle
import re
import signal
import sqlite3
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import timedelta
from email import message_from_bytes
from email.policy import default
from itertools import islice
from pathlib import Path
from shutil import copytree

import pytest

from referee.base import shipped
from referee.base.settings import CourierSection, Settings, SiteSection
from referee.games import found
from referee.match.events import Entrant
from referee.offices.passes import Counts
from referee.offices.register import NewMatch
from referee.service.config import Located
from referee.service.wiring import Referee, running
from referee.transport.account import Account
from referee.transport.server import BackOff
from referee.transport.smtp import SmtpCourier
from tests.bench.test_paperwork_bench import mails
from tests.empty_store import put_tables
from tests.memory import NOON, MemoryMailbox, ServerMail
from tests.sampling import one_in
from tests.servers.curt import Curt, Taken, curt
from tests.servers.ground import PATIENCE, eventually

MAILS = 48
BATCH = 6
BOUT = 40
SEATS = 3
WAITED = "coalesce(bucket LIKE 'waits %', 0)"
STATE = f"CASE WHEN {WAITED} AND state = 'unsent' AND attempts = 0 AND handed = 0 THEN 'waits' ELSE state END"


class Watched(list[Taken]):
    """What a server took; somebody looks at each before it is answered for."""

    def __init__(self, look: Callable[[Taken], None]) -> None:
        self._look = look

    def append(self, message: Taken) -> None:
        self._look(message)
        super().append(message)


def id_of(message: Taken) -> str:
    headers = message.message.partition(b"\r\n\r\n")[0]
    return str(message_from_bytes(headers)["Message-ID"])


def words_of(message: Taken) -> str:
    part = message_from_bytes(message.message, policy=default).get_body(("plain",))
    return str(part.get_content())


@dataclass
class Desk:
    """A referee with a match of Go for whose players many mails wait, and an SMTP server."""

    folder: Path
    server: Curt
    port: int
    site: SiteSection = field(default_factory=SiteSection)
    mails: dict[str, ServerMail] = field(default_factory=dict)

    @contextmanager
    def referee(self) -> Iterator[Referee]:
        account = Account("127.0.0.1", self.port, "plain", timeout=PATIENCE)
        settings = Settings(courier=CourierSection(batch=BATCH), site=self.site)
        located = Located(settings, self.folder)
        given = SmtpCourier(account, BackOff(0, 0))
        with running(located, given_mailbox=MemoryMailbox(mails=self.mails), given_courier=given) as referee:
            yield referee

    def fill(self, count: int = MAILS) -> None:
        with self.referee() as referee:
            specs, data = shipped.game_options("multigo"), shipped.game_data("multigo")
            people = tuple(Entrant(f"P{i}", (f"p{i}@example.org",)) for i in range(1, SEATS + 1))
            name = referee.moderator.open(
                NewMatch("multigo", people, {"compensation": "none"}, specs, data, seed=3), NOON
            ).name
            post = mails(found()["multigo"], referee.moderator.match(name), 3)
        mailbox = MemoryMailbox(mails=self.mails)
        for number, raw in enumerate(islice(post, count), 1):
            mailbox.deliver(raw, NOON + timedelta(seconds=number))

    def again(self, into: Path, server: Curt) -> Desk:
        """The same in another folder, before another server."""
        copytree(self.folder, into, dirs_exist_ok=True)
        return Desk(into, server, server.port, mails=deepcopy(self.mails))

    def step(self, hours: int = 1, **given: object) -> Counts:
        with self.referee() as referee, pytest.MonkeyPatch.context() as patch:
            patch.setattr("referee.way.loop._MANY", BOUT)
            return referee.desk.step(NOON + timedelta(hours=hours), **given)  # type: ignore[arg-type]

    def rows(self, state: str) -> list[tuple[str, str]]:
        """Letters in that state, by Message-ID and reader, in the order in which they were queued; news that waits a
        day for a letter that carries it stands behind all, in a state of its own until it is sent."""
        with closing(sqlite3.connect(self.folder / "referee.db", timeout=PATIENCE)) as store:
            query = f"SELECT message_id, recipient FROM outbox WHERE {STATE} = ? ORDER BY {WAITED}, id"
            return store.execute(query, (state,)).fetchall()

    def check_complete(self, twice: int = 0) -> None:
        """Every letter was taken, so many more than once at most, and each time the same."""
        ids = Counter(id_of(message) for message in self.server.taken)
        assert set(ids) == {message_id for message_id, _ in self.rows("sent")}
        assert self.rows("unsent") == []
        assert len(self.rows("waits")) == 1  # what is told to the seat that is asked next
        assert len(ids) > 2 * MAILS  # a receipt and a letter that asks for each; the third seat's news waits
        assert max(ids.values()) <= 2
        assert sum(ids.values()) - len(ids) <= twice
        assert len({(id_of(message), message[:3]) for message in self.server.taken}) == len(ids)

    def check_order(self) -> None:
        """Each reader got his letters in the order in which they were written; what came again counts once."""
        came: dict[str, list[str]] = {}
        for message in self.server.taken:
            theirs = came.setdefault(message.recipient, [])
            if id_of(message) not in theirs:
                theirs.append(id_of(message))
        written: dict[str, list[str]] = {}
        for message_id, reader in self.rows("sent"):
            written.setdefault(reader, []).append(message_id)
        assert came == written


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """The match and the mails that wait, as every test finds them."""
    folder = tmp_path_factory.mktemp("filled")
    put_tables(folder / "referee.db")
    with curt() as server:
        made = Desk(folder, server, server.port)
        made.fill()
    return made


@pytest.fixture
def desk(filled: Desk, tmp_path: Path) -> Iterator[Desk]:
    with curt() as server:
        yield filled.again(tmp_path, server)


def test_in_a_long_pass_letters_leave_before_all_is_judged(desk: Desk) -> None:
    waiting: list[int] = []

    def look(message: Taken) -> None:
        with closing(sqlite3.connect(desk.folder / "referee.db", timeout=PATIENCE)) as store:
            waiting.append(store.execute("SELECT count(*) FROM inbox WHERE verdict IS NULL").fetchone()[0])

    desk.server.taken = Watched(look)
    counts = desk.step()
    assert (counts.accepted, counts.trouble, counts.cut_off) == (MAILS, [], False)
    assert counts.sent == len(desk.server.taken)
    desk.check_complete()
    desk.check_order()
    assert desk.server.connections == 1
    assert set(waiting) == {MAILS - BOUT, 0}
    assert desk.step(2).sent == 0


def test_news_that_waits_for_a_letter_that_carries_it_leaves_within_a_day_once(desk: Desk) -> None:
    desk.step()
    ((waited, reader),) = desk.rows("waits")
    assert desk.step(23).trouble == []
    assert desk.rows("waits") == [(waited, reader)]
    assert waited not in map(id_of, desk.server.taken)
    assert desk.step(26).trouble == []
    assert desk.rows("waits") == desk.rows("unsent") == []
    ids = Counter(map(id_of, desk.server.taken))
    assert (ids[waited], set(ids.values())) == (1, {1})
    assert set(ids) == {message_id for message_id, _ in desk.rows("sent")}
    desk.check_order()
    points = [mail.raw.decode().rpartition("Move: ")[2].strip() for mail in desk.mails.values()]
    for number in range(1, SEATS + 1):
        theirs = [m for m in desk.server.taken if m.recipient == f"p{number}@example.org"]
        words = " ".join(words_of(message) for message in theirs)
        assert [p for p in points if not re.search(rf"\b{p}\b", words)] == []


def test_no_letter_leaves_before_its_commit_and_no_more_than_a_batch_before_its_mark(desk: Desk) -> None:
    faults: list[str] = []

    def look(message: Taken) -> None:
        with closing(sqlite3.connect(desk.folder / "referee.db", timeout=PATIENCE)) as store:
            query = f"SELECT message_id FROM outbox WHERE {STATE} = 'unsent' ORDER BY id"
            unsent = [row[0] for row in store.execute(query)]
        if id_of(message) not in unsent:
            faults.append(f"not there, or marked already: {id_of(message)}")
        elif unsent.index(id_of(message)) >= BATCH:
            faults.append(f"{unsent.index(id_of(message))} before it were not marked")

    desk.server.taken = Watched(look)
    assert desk.step().accepted == MAILS
    assert faults == []
    desk.check_complete()


def test_a_server_that_is_not_there_is_told_of_once_and_delays_no_mail(desk: Desk) -> None:
    port, desk.port = desk.port, 1
    counts = desk.step()
    assert (counts.accepted, counts.sent, len(counts.trouble), counts.cut_off) == (MAILS, 0, 1, True)
    desk.port = port
    assert desk.step(2).trouble == []
    desk.check_complete()
    desk.check_order()


PASS = """
import pickle
import sys
from pathlib import Path
from tests.servers.curt import Curt
from tests.transport.test_many_letters import Desk
if __name__ == "__main__":
    folder, port, mails = sys.argv[1:]
    desk = Desk(Path(folder), Curt(), int(port))
    desk.mails = pickle.loads(Path(mails).read_bytes())
    desk.step()
"""


@pytest.mark.parametrize("after", one_in(4, [7, 1, 40, 90]))
def test_a_kill_in_the_midst_loses_no_letter_and_repeats_no_more_than_a_batch(
    desk: Desk, tmp_path: Path, after: int
) -> None:
    script, kept = tmp_path / "step.py", tmp_path / "mails"
    script.write_text(PASS)
    kept.write_bytes(pickle.dumps(desk.mails))
    killed = threading.Event()

    def look(message: Taken) -> None:
        assert len(desk.server.taken) < after or killed.wait(PATIENCE)

    desk.server.taken = Watched(look)
    process = subprocess.Popen([sys.executable, str(script), str(tmp_path), str(desk.port), str(kept)])
    eventually(lambda: len(desk.server.taken) >= after or process.poll() is not None, "letters leave")
    process.kill()
    assert process.wait(PATIENCE) == -signal.SIGKILL
    killed.set()
    eventually(lambda: desk.server.open == 0, "the server has taken what it has got")
    desk.step()
    desk.check_complete(twice=BATCH)
    desk.check_order()


@pytest.mark.parametrize("url", one_in(2, ["https://example.org/games", ""]))
def test_where_letters_link_to_an_archive_it_is_brought_up_to_date_before_they_leave(
    desk: Desk, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    refreshed: list[int] = []
    desk.site = SiteSection(folder="site", url=url)
    publish = Referee.publish
    monkeypatch.setattr(
        Referee, "publish", lambda *given: (refreshed.append(len(desk.server.taken)), publish(*given))
    )
    assert desk.step().accepted == MAILS
    (before,) = refreshed
    assert (before == 0) == bool(url)
    desk.check_complete()
    desk.check_order()
