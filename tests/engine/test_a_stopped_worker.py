"""A worker that stands still, with a connection that still answers: what it had in hand is let go, nothing is done
twice, and when it goes on it finds that out."""

import os
import signal
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.servers.daemon import Daemon, letters_in
from tests.servers.ground import eventually
from tests.servers.stream import SECRET
from tests.world import World

pytestmark = pytest.mark.server
ANN, BEN = "Ann <ann@example.org>", "Ben <ben@example.org>"


def test_a_key_in_the_hands_of_a_stopped_process_is_taken_by_another(
    tmp_path: Path, queue_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_SECRET", SECRET)
    world = World(
        tmp_path, f'[poll]\nevery = "1s"\n[store]\nurl = "{queue_url}"\n[engine]\nkind = "procrastinate"\n'
    )
    name, flag = (
        world.open("buttons", [ANN, BEN], datetime.now(UTC).isoformat(), starter="1"),
        tmp_path / "flag",
    )

    def worker(number: int) -> Daemon:
        return Daemon(
            tmp_path / "referee.toml", "worker", log=f"{number}.log", program="tests.engine.stopping",
            environment={"REFEREE_TEST_STOPPED": str(flag)},
        )  # fmt: skip

    def move(sender: str, seat: int, words: str) -> None:
        subject = f"Buttons: Move / Player {seat} [{name}]"
        world.mail(sender, subject, words, datetime.now(UTC).isoformat())

    def turn() -> object:
        return world.show(name)["due"][0]["seat"]

    with worker(1) as one:
        eventually(lambda: "event=started" in one.log, "it has started")
        move(ANN, 1, "Place: B1 at a1\nComment: Stop here")
        eventually(lambda: flag.exists() and flag.read_text() != "", "it stands still")
        with worker(2) as other:
            eventually(lambda: turn() == 2, "another one has taken what it had in hand")
            os.kill(int(flag.read_text()), signal.SIGCONT)
            move(BEN, 2, "Place: W1 at b1")
            eventually(lambda: turn() == 1, "it goes on")
            assert other.terminate() == 0, other.log
        assert one.terminate() == 0, one.log
    told = Counter(letters_in(tmp_path / "mail/out").values())
    assert (told["receipt", "ann@example.org"], told["receipt", "ben@example.org"]) == (1, 1)
    assert world.run("desk", "--json").json["shunted"] == []
    assert world.run("check").status == 0
