"""What shares a commit, and what is left to the next."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.test_two_lanes import prepared
from tests.offices.stage import Stage, later
from tests.servers.interleaved import Side

pytestmark = pytest.mark.server


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
    assert commits.count("commit") == 2  # the key is claimed before, and let go with what was judged


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
            tasks.judge(name)  # it returns, though his mails are in other hands
            with tasks.store.transaction() as asked:
                assert asked.upcoming(name, later(hours=1), (), 1, patient=False) != []
        tasks.judge(name, patient=True)
        with tasks.store.transaction() as asked:
            assert asked.upcoming(name, later(hours=1), (), 1, patient=False) == []
