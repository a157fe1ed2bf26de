"""Workers side by side on one PostgreSQL: many matches, one killed in the midst; a job done twice; hints that are lost;
the clocks of machines apart."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from referee.engine.jobs import judge, remind
from referee.engine.store import KeyedStore
from referee.engine.tasks import Tasks
from referee.offices.passes import Counts
from tests.offices.stage import NOON, Stage, answer_text, later, owing, subject_of, told

pytestmark = pytest.mark.server


@pytest.fixture
def stage(tmp_path: Path, queue_url: str) -> Stage:
    return Stage(tmp_path, queue_url, kind="procrastinate")


def jobs(stage: Stage) -> Counter[tuple[str, str]]:
    """What is in the queue, by task and lock."""
    engine = sa.create_engine(stage.url)
    with engine.connect() as connection:
        rows = connection.execute(
            sa.text("SELECT task_name, coalesce(lock, '') FROM procrastinate_jobs")
        ).all()
    engine.dispose()
    return Counter((row[0], row[1]) for row in rows)


def taking(stage: Stage, *names: str, at=NOON, **given) -> Counts:
    """These tasks by a process of its own that takes nothing else."""
    with stage.referee() as referee:
        tasks: Tasks = referee.tasks()
        tasks.time = at
        for name in names:
            getattr(tasks, name)(**given)
        return tasks.counts


def test_a_job_done_twice_does_nothing_twice(stage: Stage) -> None:
    name = stage.open("multigo", 3, board="9x9")
    stage.step(later())
    match = stage.match(name)
    stage.answer(match, owing(match)[0], later(minutes=1))
    at = later(minutes=2)
    taking(stage, "receive", "receive", at=at)
    assert jobs(stage) == {("judge", name): 1}
    assert taking(stage, "judge", at=at, key=name).accepted == 1
    rows = stage.rows()
    for task, given in (
        ("judge", {"key": name}),
        ("remind", {"match": name}),
        ("search", {"match": name}),
        ("receive", {}),
    ):
        taking(stage, task, at=at, **given)
        for table, now in stage.rows().items():
            if table not in ("clock", "match_clocks"):
                assert now == rows[table], (task, table)
    taking(stage, "deliver", "deliver", at=at)
    assert max(Counter(parcel.message_id for parcel in stage.sent).values()) == 1


def test_a_hint_is_noted_with_the_commit_and_only_with_it(stage: Stage) -> None:
    name = stage.open("multigo", 3, board="9x9")
    stage.step(later())
    with stage.referee() as referee:
        store = referee.store
        assert isinstance(store, KeyedStore)
        with suppress(RuntimeError), store.transaction() as unit:
            unit.note(judge(name))
            raise RuntimeError
        assert not jobs(stage)
        with store.transaction() as unit:
            unit.note(judge(name), remind(name), judge(name))
        with store.transaction() as unit:
            unit.note(judge(name), judge(name, then="other"))
        assert jobs(stage) == {("judge", name): 2, ("remind", name): 1}


def test_a_job_that_waits_is_taken_only_after_whoever_counted_on_it_has_written(stage: Stage) -> None:
    """Otherwise it would look before there is anything to see, and nobody would look again."""
    fetch = sa.text("SELECT id FROM procrastinate_fetch_job_v2(NULL, NULL)")
    name = stage.open("multigo", 3, board="9x9")
    stage.step(later())
    with stage.referee() as referee:
        store = referee.store
        assert isinstance(store, KeyedStore)
        with store.transaction() as unit:
            unit.note(judge(name))
        with store.transaction() as writing:
            writing.note(judge(name))
            writing.finish()
            with store.transaction() as other:
                assert other.connection.execute(fetch).scalar() is None
        with store.transaction() as other:
            assert other.connection.execute(fetch).scalar() is not None
            writing.note(judge(name))


def test_a_mail_goes_before_a_deadline_and_none_fires_beyond_what_was_read(stage: Stage) -> None:
    name = stage.open("fourplay")
    stage.step(later())
    stage.answer_all(name, later(hours=1))
    stage.new_letters()
    match = stage.match(name)
    (due,) = {r.due_at for r in match.rounds}
    assert due is not None
    after = due + timedelta(hours=1)
    assert taking(stage, "judge", at=after, key=name).lapsed == 0  # nobody has read the mailbox so far
    for demand in owing(match)[:2]:
        stage.answer(match, demand, due)
    counts = stage.step(after)
    assert (counts.accepted, counts.lapsed) == (2, 1)
    assert len(told(stage.new_letters())["receipt"]) == 2


def test_what_nobody_noted_is_found_by_the_next_tick(stage: Stage) -> None:
    name = stage.open("multigo", 3, board="9x9")
    stage.step(later())
    match = stage.match(name)
    stage.answer(match, owing(match)[0], later(minutes=1))
    at = later(minutes=2)
    taking(stage, "receive", at=at)
    engine = sa.create_engine(stage.url)
    with engine.begin() as connection:
        connection.execute(sa.text("DELETE FROM procrastinate_jobs"))
    engine.dispose()
    taking(stage, "tick", at=at)
    assert jobs(stage)["judge", name] == 1


def test_a_mail_that_names_no_match_is_judged_in_its_time_order(stage: Stage) -> None:
    """An absence for all one's matches, in time before a deadline, moves it; it waits under the key of its sender."""
    names = [stage.open("fourplay"), stage.open("fourplay")]
    stage.step(later())
    for name in names:
        match = stage.match(name)
        for demand in owing(match):
            sender = match.entrant(demand.seat).addresses[0]
            subject = f"[{name}] {subject_of(match, demand)}"
            stage.write(sender, subject, answer_text(match, demand), later(hours=1))
    stage.step(later(hours=1))
    match = stage.match(names[0])
    (due,) = {r.due_at for r in match.rounds}
    assert due is not None
    person = match.entrant(owing(match)[0].seat)
    stage.write(
        f"{person.name} <{person.addresses[0]}>",
        "vacation 2026-03-14..2026-03-20",
        "",
        due - timedelta(days=1),
    )
    at = due + timedelta(hours=1)
    taking(stage, "receive", at=at)
    for name in names:  # each finds that something else goes first
        assert taking(stage, "judge", at=at, key=name).lapsed == 0
    assert stage.step(at).answered == 1
    for name in names:
        seat = next(n for n in stage.match(name).numbers if stage.match(name).entrant(n) == person)
        own = {r.due_for(seat) for r in stage.match(name).rounds}
        assert stage.match(name).absences
        assert all(moved is not None and moved > at for moved in own), name


def test_the_referees_own_answer_is_looked_for_beside_the_match(stage: Stage) -> None:
    name = stage.open("buttons", 1, mode="solo", goal="two", par_nodes="2000")
    assert ("search", f"search {name}") in jobs(stage)
    stage.step(later(), wait=False)
    with stage.referee() as referee:
        assert [question.match.name for question in referee.parts.searches.questions()] == [name]
    stage.step(later())
    with stage.referee() as referee:
        assert referee.parts.searches.questions() == []
    assert not jobs(stage)
