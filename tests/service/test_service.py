"""`referee run` on Maildirs: a process of its own, stopped, killed and started again."""

import random
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from referee.store.sql import clock
from tests.servers.daemon import Daemon, counted, drop, letters_in
from tests.servers.ground import eventually
from tests.servers.stream import SECRET, Stream, played
from tests.world import World

MOVES = 24
KILLS, KILLS_SOAK = 4, 15
QUICK = '[poll]\nevery = "1s"\n'
LONG = '[poll]\nevery = "1h"\n'  # so that only the mailbox can have rung


@pytest.fixture(scope="module")
def stream(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stream]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REFEREE_SECRET", SECRET)
        yield played(tmp_path_factory.mktemp("undisturbed"), MOVES)


def opened(folder: Path, stream: Stream, config: str, *more: str) -> World:
    world = World(folder, config)
    world.do(*stream.opening(), *more)
    return world


def all_is_done(world: World, stream: Stream, parked: int = 0) -> bool:
    """Every mail is read, every letter has left, the match stands where it should; of each parked letter one alarm
    tells besides."""
    letters = counted(world.folder / "mail/out")
    alarms = letters - stream.letters
    return (
        not list((world.folder / "mail/in/new").iterdir())
        and letters - alarms == stream.letters
        and [kind for kind, _ in alarms.elements()] == ["alarm"] * parked
        and world.show(stream.match)["position"] == stream.position
    )


def released(world: World) -> set[str]:
    """Letters of which nobody knows, for the second time, whether they left: the moderator lets them go."""
    waiting = world.run("desk", "--json").json["trouble"]
    names = {each["command"].split()[-1] for each in waiting if "may have left" in each["what"]}
    assert all(world.run("release", name).status == 0 for name in names)
    return names


def test_a_mail_in_a_maildir_is_answered_at_once_and_sigterm_ends_in_order(
    tmp_path: Path, stream: Stream
) -> None:
    world = opened(tmp_path, stream, LONG)
    with Daemon(tmp_path / "referee.toml") as service:
        eventually(lambda: len(letters_in(tmp_path / "mail/out")) >= 4, "the opening letters")
        drop(tmp_path / "mail/in", 1, stream.mails[0])
        eventually(
            lambda: any(kind == "receipt" for kind, _ in letters_in(tmp_path / "mail/out").values()),
            "the receipt",
        )
        assert service.terminate() == 0, service.log
    assert not list((tmp_path / "mail/in/new").iterdir())
    assert world.step(datetime.now(UTC).isoformat())["sent"] == 0


def test_sigterm_in_the_midst_of_a_heap_of_mails_ends_after_the_stimulus_in_hand(
    tmp_path: Path, stream: Stream
) -> None:
    world = opened(tmp_path, stream, QUICK)
    for number, raw in enumerate(stream.mails):
        drop(tmp_path / "mail/in", number, raw)
    service = Daemon(tmp_path / "referee.toml").start()
    eventually(lambda: bool(letters_in(tmp_path / "mail/out")), "the first letter")
    assert service.terminate() == 0, service.log
    assert "Traceback" not in service.log
    world.step(datetime.now(UTC).isoformat())
    assert all_is_done(world, stream)


def test_a_stop_of_two_hours_is_added_to_the_deadline_and_told(tmp_path: Path, stream: Stream) -> None:
    long_ago = (datetime.now(UTC) - timedelta(hours=5)).isoformat(timespec="seconds")
    world = opened(tmp_path, stream, QUICK, "--now", long_ago)
    with Daemon(tmp_path / "referee.toml") as service:
        eventually(lambda: len(letters_in(tmp_path / "mail/out")) >= 4, "the opening letters")
        assert service.terminate() == 0
    before = datetime.fromisoformat(world.show(stream.match)["due"][0]["due_at"])
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'referee.db'}")
    with engine.begin() as connection:  # as if it had been stopped two hours ago
        then = connection.execute(sa.select(clock.c.heartbeat)).scalar_one() - timedelta(hours=2)
        connection.execute(sa.update(clock).values(heartbeat=then, last_pass=then))
    engine.dispose()
    with Daemon(tmp_path / "referee.toml") as service:
        eventually(
            lambda: sum(kind == "extended" for kind, _ in letters_in(tmp_path / "mail/out").values()) == 3,
            "the letters of the outage",
        )
        assert service.terminate() == 0
    after = datetime.fromisoformat(world.show(stream.match)["due"][0]["due_at"])
    assert timedelta(hours=2) <= after - before < timedelta(hours=3)


def killed_again_and_again(world: World, stream: Stream, kills: int, seed: int) -> None:
    """Mails come in while the service is killed at moments drawn from the seed."""
    chance = random.Random(seed)
    pause = kills * 1.3 / len(stream.mails)

    def post() -> None:
        for number, raw in enumerate(stream.mails):
            drop(world.folder / "mail/in", number, raw)
            time.sleep(pause)

    posting = threading.Thread(target=post)
    posting.start()
    service = Daemon(world.folder / "referee.toml")
    for kill in range(kills):
        begun = service.log.count("event=started")
        with service:
            if kill % 4:  # one in four dies in its start, the others behind it
                eventually(lambda: service.log.count("event=started") > begun, "it has started")  # noqa: B023
            time.sleep(chance.uniform(0, 1.6))
    posting.join()
    begun = service.log.count("event=started")
    parked = set[str]()

    def done() -> bool:
        if "letter parked" in service.log:
            parked.update(released(world))
        return all_is_done(world, stream, len(parked))

    with service:
        eventually(lambda: service.log.count("event=started") > begun, "it has started, and hears")
        eventually(done, f"everything is done after {kills} kills")
        assert service.terminate() == 0
    assert all_is_done(world, stream, len(parked))
    assert world.run("doctor").status == 0


def test_kill_9_at_random_moments_under_load_loses_and_doubles_nothing(
    tmp_path: Path, stream: Stream
) -> None:
    killed_again_and_again(opened(tmp_path, stream, QUICK), stream, KILLS, seed=1)


@pytest.mark.soak
@pytest.mark.parametrize("seed", [2, 3])
def test_kill_9_fifteen_times_under_load_loses_and_doubles_nothing(
    tmp_path: Path, stream: Stream, seed: int
) -> None:
    killed_again_and_again(opened(tmp_path, stream, QUICK), stream, KILLS_SOAK, seed)
