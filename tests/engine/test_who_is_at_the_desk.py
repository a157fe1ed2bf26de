"""What the shell hands over holds at once in processes that run: a service on a file, workers on PostgreSQL; and what a
savepoint undoes was never handed over."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from referee.store.sql import Store, Unit
from tests.empty_store import put_tables
from tests.servers.daemon import Daemon
from tests.servers.ground import eventually
from tests.world import Sent, World

MO, MIA = "moderator@referee.localhost", "mia@example.org"
ANN, NEW = "ann@example.org", "ann@home.example"


def at_work(world: World, command: str) -> None:
    letters: list[Sent] = []
    match = world.open("buttons", [f"Ann <{ANN}>", "Ben <ben@example.org>"], datetime.now(UTC).isoformat())

    def came(kind: str, to: str, beyond: int = 0) -> bool:
        letters.extend(world.new_letters())
        return len([x for x in letters if (x.kind, x.to) == (kind, to)]) > beyond

    def wrote(sender: str, subject: str) -> None:
        world.mail(sender, subject, "A feast.", (datetime.now(UTC) - timedelta(seconds=1)).isoformat())

    with Daemon(world.folder / "referee.toml", command, log=f"{command}.log"):
        wrote(MO, f"extend {match} by 2d")
        eventually(lambda: came("challenge", MO), "the first moderator is asked whether it is his", 60)
        assert world.run("handover", MIA).status == 0
        eventually(lambda: came("status", MIA) and came("status", MO), "both hear of it", 60)
        wrote(MO, f"extend {match} by 3d")
        eventually(lambda: came("help", MO), "he is at the desk no more", 60)
        wrote(MIA, f"extend {match} by 2d")
        eventually(lambda: came("challenge", MIA), "she is", 60)
        assert world.run("address", ANN, NEW, "--why", "lost").status == 0
        eventually(lambda: came("challenge", NEW), "the new address is asked", 60)
        question = next(x for x in letters if (x.kind, x.to) == ("challenge", NEW))
        world.reply(question, "Yes", (datetime.now(UTC) - timedelta(seconds=1)).isoformat())
        eventually(lambda: came("status", NEW), "it is hers", 60)
    seats = [seat["addresses"] for seat in world.show(match, "--moderator")["addresses"]]
    assert sorted(seats) == [[NEW], ["ben@example.org"]]


def test_a_service_knows_it_at_once(tmp_path: Path) -> None:
    at_work(World(tmp_path, '[poll]\nevery = "1s"\n'), "run")


@pytest.mark.server
def test_workers_know_it_at_once(tmp_path: Path, queue_url: str) -> None:
    config = f'[poll]\nevery = "1s"\n[store]\nurl = "{queue_url}"\n[engine]\nkind = "procrastinate"\n'
    at_work(World(tmp_path, config), "worker")


def test_what_is_undone_was_never_handed_over(tmp_path: Path) -> None:
    put_tables(tmp_path / "referee.db")
    now: list[str] = []
    store = Store(f"sqlite:///{tmp_path / 'referee.db'}", tmp_path / "secret", desk=((), now))
    with store.transaction() as unit:
        unit.seat_moderators([MO])

    def undone(unit: Unit) -> None:
        with unit.savepoint():
            seated(unit)

    def seated(unit: Unit) -> None:
        unit.seat_moderators([MIA])
        assert now == [MIA]
        raise ValueError("no")

    def whole() -> None:
        with store.transaction() as unit:
            seated(unit)

    with store.transaction() as unit:
        with pytest.raises(ValueError, match="no"):
            undone(unit)
        assert now == [MO]
    with pytest.raises(ValueError, match="no"):
        whole()
    with store.transaction():
        assert now == [MO]
    store.close()
