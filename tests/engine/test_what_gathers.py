"""What many mails make due is done once: mails of a key share a commit, and one job files or sends for all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from referee.engine.jobs import DELIVER, FILE, SOON, Job
from referee.engine.store import KeyedStore
from referee.store.outbox import OutgoingLetter
from tests.engine.test_two_lanes import prepared
from tests.offices.stage import NOON, Stage, later
from tests.servers.interleaved import Side

pytestmark = pytest.mark.server


@pytest.fixture
def store(queue_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[KeyedStore]:
    """In which letters gather until they are told that their time has come."""
    monkeypatch.setitem(SOON, DELIVER, replace(DELIVER, after=timedelta(days=1)))
    made = KeyedStore(queue_url, tmp_path / "secret", lambda where: None, site=True)
    made.gathers = True
    yield made
    made.close()


def jobs(url: str) -> dict[str, list[bool]]:
    """By task: of each job that waits, whether it may be taken at once."""
    engine = sa.create_engine(url)
    ripe = "scheduled_at IS NULL OR scheduled_at <= now()"
    query = sa.text(f"SELECT task_name, {ripe} FROM procrastinate_jobs WHERE status = 'todo'")
    found: dict[str, list[bool]] = {}
    with engine.connect() as connection:
        for task, ripe in connection.execute(query):
            found.setdefault(task, []).append(ripe)
    engine.dispose()
    return found


def time_passes(url: str) -> None:
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE procrastinate_jobs SET scheduled_at = now()"))
    engine.dispose()


def letter(number: int) -> OutgoingLetter:
    return OutgoingLetter(f"<{number}@here>", NOON, "due", None, None, "ann@example.org", None, None, "")


def test_mails_of_two_senders_under_a_key_share_a_commit(queue_url: str, tmp_path: Path) -> None:
    (tmp_path / "stage").mkdir()
    stage = Stage(tmp_path / "stage", queue_url, kind="procrastinate")
    name = prepared(stage)[0]
    with stage.referee() as referee:
        tasks = referee.tasks()
        tasks.time = later(hours=1)
        commits: list[str] = []
        tasks.store._trip = commits.append
        side = Side(lambda: tasks.judge(name)).start()
        side.finish()
    settled = [statement for statement in side.statements if "UPDATE inbox" in statement]
    assert len(settled) == 6
    assert commits.count("commit") == 1
    waiting = jobs(queue_url)
    assert (len(waiting["deliver"]), len(waiting["file"])) == (1, 1)


def test_letters_of_many_commits_are_one_job_that_waits_a_moment(store: KeyedStore, queue_url: str) -> None:
    for number in range(5):
        with store.transaction() as unit:
            unit.send(letter(number))
    assert jobs(queue_url) == {"deliver": [False]}


def test_who_wants_it_done_at_once_takes_the_job_that_waits(store: KeyedStore, queue_url: str) -> None:
    with store.transaction() as unit:
        unit.send(letter(1))
    with store.transaction() as unit:
        unit.note(DELIVER, FILE)
    assert jobs(queue_url) == {"deliver": [True], "file": [True]}


def test_a_job_whose_time_has_come_is_held_up_by_nobody(store: KeyedStore, queue_url: str) -> None:
    """However many commits go on wanting it: one that has begun holds only what may not be taken yet."""
    with store.transaction() as unit:
        unit.send(letter(1))
    time_passes(queue_url)
    assert jobs(queue_url) == {"deliver": [True]}
    with store.transaction() as unit:
        unit.send(letter(2))
        unit.finish()
        assert fetched(queue_url) == "deliver"
    assert jobs(queue_url) == {"deliver": [False]}


def fetched(url: str) -> str | None:
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        worker = connection.execute(
            sa.text("SELECT worker_id FROM procrastinate_register_worker_v1()")
        ).scalar_one()
        fetch = sa.text("SELECT task_name FROM procrastinate_fetch_job_v2(CAST(:q AS varchar[]), :w)")
        found: str | None = connection.execute(fetch, {"q": ["letters"], "w": worker}).scalar()
    engine.dispose()
    return found


def test_without_workers_nothing_waits(store: KeyedStore, queue_url: str) -> None:
    store.gathers = False
    with store.transaction() as unit:
        unit.send(letter(1))
    assert jobs(queue_url) == {"deliver": [True]}


def test_a_search_that_is_to_wait_is_not_hurried(store: KeyedStore, queue_url: str) -> None:
    """A store in trouble would be asked again at every mail."""
    waits = Job("search", "search here", (("match", "here"),), after=later(hours=1) - NOON)
    with store.transaction() as unit:
        unit.note(waits)
    with store.transaction() as unit:
        unit.note(Job("search", "search here", (("match", "here"),)))
    assert jobs(queue_url) == {"search": [False]}


def test_a_key_whose_sender_is_in_other_hands_is_left_to_the_next_and_waited_for_then(
    queue_url: str, tmp_path: Path
) -> None:
    (tmp_path / "stage").mkdir()
    stage = Stage(tmp_path / "stage", queue_url, kind="procrastinate")
    name = prepared(stage)[0]
    first = stage.match(name).roster[0].addresses[0]
    with stage.referee() as one, stage.referee() as two:
        tasks, other = one.tasks(), two.tasks()
        tasks.time = later(hours=1)
        with other.store.transaction() as unit:
            unit.hold("person", first)
            with tasks.store.transaction() as cleared:
                cleared.connection.execute(sa.text("DELETE FROM procrastinate_jobs"))
            tasks.judge(name)  # it returns, though his mails are in other hands
            with tasks.store.transaction() as asked:
                assert asked.upcoming(name, later(hours=1), (), 1, patient=False) != []
                noted = asked.connection.execute(
                    sa.text("SELECT task_name, lock, args FROM procrastinate_jobs")
                ).all()
        assert [tuple(job) for job in noted] == [("judge", name, {"key": name, "patient": True})]
        tasks.judge(name, patient=True)
        with tasks.store.transaction() as asked:
            assert asked.upcoming(name, later(hours=1), (), 1, patient=False) == []
