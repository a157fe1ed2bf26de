"""Two people who play each other in two matches, and two workers that judge a match each: neither waits for the other
with what the other needs."""

from pathlib import Path

import pytest
import sqlalchemy as sa

from referee.service.keyed import Due
from referee.service.tasks import Tasks
from tests.memory import Stage, later, owing
from tests.servers.interleaved import Side, at_once, copy_of
from tests.servers.postgres import Postgres

pytestmark = pytest.mark.server
HOLDS = "unnest(CAST"


def prepared(stage: Stage) -> list[str]:
    """Two matches of the same two, in each of which both have written: in one first the one, in the other the other."""
    names = [stage.open("buttons", 2) for _ in range(2)]
    people = [entrant.addresses[0] for entrant in stage.match(names[0]).roster]
    for turn in range(6):
        for match, sender in zip(names, (people[turn % 2], people[1 - turn % 2]), strict=True):
            demand = owing(stage.match(match))[0]
            stage.write(
                sender,
                f"Buttons: Move / Player {demand.seat} [{match}]",
                f"Place: z{turn}",
                later(minutes=turn),
            )
    with stage.referee() as referee:
        tasks = referee.tasks()
        tasks.time = later(hours=1)
        tasks.receive()
    return names


def test_two_lanes_of_the_same_two_people_never_wait_for_each_other(
    postgres: Postgres, queue_url: str, tmp_path: Path
) -> None:
    (tmp_path / "stage").mkdir()
    stage = Stage(tmp_path / "stage", queue_url, kind="procrastinate")
    names = prepared(stage)

    def looking(tasks: Tasks, name: str) -> None:
        tasks.time = later(hours=1)
        tasks.judge(Due(name))

    with copy_of(postgres, queue_url) as other:
        counted = Stage(stage.folder, other, kind="procrastinate")
        with counted.referee() as referee:
            side = Side(lambda: looking(referee.tasks(), names[0])).start()
            side.finish()
    first = next(n for n, statement in enumerate(side.statements, 1) if HOLDS in statement)
    settled = [n for n, statement in enumerate(side.statements, 1) if "UPDATE inbox" in statement]
    assert len(settled) >= 6
    for stop in (first, first + 1, first + 2, *(n + 1 for n in settled[:6])):
        with copy_of(postgres, queue_url) as again:
            twin = Stage(stage.folder, again, kind="procrastinate")
            with twin.referee() as one, twin.referee() as two:
                tasks = one.tasks(), two.tasks()
                at_once(lambda: looking(tasks[0], names[0]), lambda: looking(tasks[1], names[1]), stop, again)  # noqa: B023
                for name in names:  # what one left to the next is noted
                    looking(tasks[0], name)
            engine = sa.create_engine(again)
            with engine.connect() as connection:
                open_mails = connection.execute(
                    sa.text("SELECT count(*) FROM inbox WHERE verdict IS NULL")
                ).scalar()
                connection.execute(sa.text("SELECT pg_stat_force_next_flush()"))
                deadlocks = connection.execute(
                    sa.text("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
                ).scalar()
            engine.dispose()
            assert (open_mails, deadlocks) == (0, 0)


# --- what shares a commit, and what is left to the next -----------------------------------------------------------


def test_mails_of_two_senders_under_a_key_share_a_commit(queue_url: str, tmp_path: Path) -> None:
    (tmp_path / "stage").mkdir()
    stage = Stage(tmp_path / "stage", queue_url, kind="procrastinate")
    name = prepared(stage)[0]
    with stage.referee() as referee:
        tasks = referee.tasks()
        tasks.time = later(hours=1)
        commits: list[str] = []
        tasks.store._trip = commits.append
        side = Side(lambda: tasks.judge(Due(name))).start()
        side.finish()
    settled = [statement for statement in side.statements if "UPDATE inbox" in statement]
    assert len(settled) == 6
    assert commits.count("commit") == 2  # the key is claimed before, and let go with what was judged


def test_a_key_whose_sender_is_in_other_hands_is_left_to_the_next(queue_url: str, tmp_path: Path) -> None:
    (tmp_path / "stage").mkdir()
    stage = Stage(tmp_path / "stage", queue_url, kind="procrastinate")
    name = prepared(stage)[0]
    first = stage.match(name).roster[0].addresses[0]
    with stage.referee() as one, stage.referee() as two:
        tasks, other = one.tasks(), two.tasks()
        tasks.time = later(hours=1)
        with other.store.transaction() as unit:
            unit.hold("person", first)
            tasks.judge(Due(name))  # it returns, though his mails are in other hands
            with tasks.store.transaction() as asked:
                assert asked.upcoming(name, later(hours=1), (), 1, patient=False) != []
            assert tasks.judge_next()  # a moment later it may be free
        assert tasks.judge_next()
        with tasks.store.transaction() as asked:
            assert asked.upcoming(name, later(hours=1), (), 1, patient=False) == []
