"""What workers do on one PostgreSQL, a step at a time: nothing is done twice, all in time order; and whom they call."""

from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest

from referee.offices.passes import Counts
from referee.service.keyed import CALLS, KeyedStore
from referee.service.tasks import Tasks
from tests.memory import NOON, Stage, answer_text, later, owing, subject_of

pytestmark = pytest.mark.server


@pytest.fixture
def stage(tmp_path: Path, queue_url: str) -> Stage:
    return Stage(tmp_path, queue_url, kind="procrastinate")


def taking(stage: Stage, *names: str, at=NOON, **given) -> Counts:
    """These tasks by a process of its own that takes nothing else."""
    with stage.referee() as referee:
        tasks: Tasks = referee.tasks()
        tasks.time = at
        for name in names:
            getattr(tasks, name)(**given)
        return tasks.counts


def test_a_worker_is_called_with_the_commit_and_only_with_it(stage: Stage) -> None:
    with stage.referee() as referee:
        store = referee.store
        assert isinstance(store, KeyedStore)
        with psycopg.connect(store.conninfo, autocommit=True) as ear:
            ear.execute(f"LISTEN {CALLS}")

            def called() -> int:
                return len(list(ear.notifies(timeout=0.5)))

            with suppress(RuntimeError), store.transaction() as unit:
                unit.calls = True
                raise RuntimeError
            assert called() == 0
            with store.transaction() as unit:
                unit.calls = True
                assert called() == 0
            assert called() == 1
            with store.transaction() as unit:
                unit.open_mails()
            assert called() == 0


def test_nobody_takes_what_another_has_in_hand(stage: Stage) -> None:
    name = stage.open("multigo", 3, board="9x9")
    stage.step(later())
    match = stage.match(name)
    stage.answer(match, owing(match)[0], later(minutes=1))
    at = later(minutes=2)
    taking(stage, "receive", at=at)
    with stage.referee() as other:
        assert isinstance(other.store, KeyedStore)
        with other.store.taking("key", name) as free:
            assert free
            assert taking(stage, "judge_next", at=at).accepted == 0
    assert taking(stage, "judge_next", at=at).accepted == 1


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
    counts = taking(stage, "judge_next", at=at)  # in both matches something else goes first
    assert (counts.answered, counts.lapsed) == (1, 0)
    stage.step(at)
    for name in names:
        seat = next(n for n in stage.match(name).numbers if stage.match(name).entrant(n) == person)
        own = {r.due_for(seat) for r in stage.match(name).rounds}
        assert stage.match(name).absences
        assert all(moved is not None and moved > at for moved in own), name
