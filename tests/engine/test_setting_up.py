"""A configuration for several workers, what `doctor` says of the engine, and what can't be."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from referee.service import wiring
from referee.store.post import outbox
from tests.servers.daemon import Daemon
from tests.servers.ground import eventually
from tests.servers.postgres import Postgres
from tests.world import World

URL = re.compile(r'^url = "postgresql[^"]*"', re.MULTILINE)
PEOPLE = ["Ann <ann@example.org>", "Ben <ben@example.org>"]


def workers_world(folder: Path, url: str) -> World:
    """As `init --workers` leaves it, with the database's address put in."""
    World(folder / "aside").do("init", "--workers", str(folder), config=False)
    path = folder / "referee.toml"
    text = path.read_text(encoding="utf-8")
    assert 'kind = "procrastinate"' in text
    assert len(URL.findall(text)) == 1
    path.write_text(URL.sub(f'url = "{url}"', text), encoding="utf-8")
    return World(folder)


@pytest.fixture
def world(tmp_path: Path, postgres_url: str) -> World:
    return workers_world(tmp_path, postgres_url)


@pytest.mark.server
def test_init_for_workers_then_doctor_then_a_match(world: World) -> None:
    ran = world.do("doctor")
    assert "no worker is at work" in ran.out
    match = world.open("buttons", PEOPLE)
    assert world.step()["sent"] == 3
    assert world.show(match)["status"] == "open"
    health = world.run("doctor", "--json").json["engine"]
    assert (health["workers"], health["waiting"]) == (0, {})


@pytest.mark.server
def test_doctor_sees_workers_that_are_there_and_what_waits_for_them(world: World, postgres_url: str) -> None:
    world.run("doctor")
    with Daemon(world.folder / "referee.toml", "worker") as one:
        eventually(lambda: world.run("doctor", "--json").json["engine"]["workers"] == 1, "the worker is seen")
        assert one.terminate() == 0
    assert world.run("doctor", "--json").json["engine"]["workers"] == 0
    world.open("buttons", PEOPLE, datetime.now(UTC).isoformat())
    engine = sa.create_engine(postgres_url)
    with engine.begin() as connection:
        connection.execute(sa.update(outbox).values(at=datetime.now(UTC) - timedelta(minutes=20)))
    engine.dispose()
    ran = world.run("doctor")
    assert ran.status == 1
    assert "letters wait, the oldest for 20 minutes: start `referee worker`" in ran.out
    assert world.step(datetime.now(UTC).isoformat())["sent"] > 0
    assert world.run("doctor").status == 0


@pytest.mark.server
def test_another_secret_is_refused_in_a_line(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.open("buttons", PEOPLE)
    monkeypatch.setenv("REFEREE_SECRET", "quite another")
    for command in (["step"], ["worker"], ["open", "buttons", "--seat", PEOPLE[0], "--seat", PEOPLE[1]]):
        ran = world.run(*command)
        assert (ran.status, ran.err.count("\n")) == (1, 1), command
        assert "copy the file that ends in .secret" in ran.err
    ran = world.run("doctor")
    assert ran.status == 1
    assert "engine: The referee's secret on this machine" in ran.out


def test_the_engine_on_sqlite_is_a_fault_of_the_configuration(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.configure('kind = "inline"', 'kind = "procrastinate"')
    for command in ("doctor", "step", "worker", "list"):
        ran = world.run(command)
        assert (ran.status, ran.err.count("\n")) == (1, 1)
        assert "engine.kind: several workers need PostgreSQL" in ran.err


def test_an_engine_nobody_knows_and_a_worker_without_one(tmp_path: Path) -> None:
    world = World(tmp_path)
    ran = world.run("worker")
    assert (ran.status, ran.err.count("\n")) == (1, 1)
    assert "`referee init --workers`" in ran.err
    assert world.run("worker", "--jobs", "0").status == 2
    world.configure('kind = "inline"', 'kind = "celery"')
    assert "engine.kind" in world.run("step").err


def test_without_the_package_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = workers_world(tmp_path, "postgresql+psycopg://nobody@127.0.0.1:1/nowhere")
    monkeypatch.setattr(wiring, "find_spec", lambda name: None)
    ran = world.run("step")
    assert (ran.status, ran.err.count("\n")) == (1, 1)
    assert 'pip install "pbm-referee[workers]"' in ran.err
    ran = world.run("doctor")
    assert ran.status == 1
    assert 'engine: [engine] kind = "procrastinate" needs a package' in ran.out


@pytest.mark.server
def test_no_desk_takes_a_pass_beside_workers(world: World) -> None:
    match = world.open("buttons", PEOPLE)
    with Daemon(world.folder / "referee.toml", "worker"):
        eventually(lambda: world.run("doctor", "--json").json["engine"]["workers"] > 0, "the worker is seen")
        world.configure('kind = "procrastinate"', 'kind = "inline"       ')
        for command in (["step"], ["pause", match, "--why", "no"]):
            ran = world.run(*command)
            assert (ran.status, ran.err.count("\n")) == (1, 1)
            assert "Workers of the engine are at work on this store" in ran.err
        assert world.run("list").status == 0
    eventually(lambda: world.run("step").status == 0, "the worker's lock is gone")


@pytest.mark.server
@pytest.mark.one_in(2)
@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_a_database_that_holds_not_every_name_is_refused(
    encoding: str, postgres: Postgres, tmp_path: Path
) -> None:
    """As a PostgreSQL has them that was set up on a machine without a locale."""
    with postgres.database(encoding) as url:
        world = workers_world(tmp_path, url)
        for command in (
            ["list"],
            ["step"],
            ["worker"],
            ["open", "buttons", "--seat", PEOPLE[0], "--seat", PEOPLE[1]],
        ):
            ran = world.run(*command)
            assert (ran.status, ran.err.count("\n")) == (1, 1), command
            assert f"keeps texts as {encoding}" in ran.err
        ran = world.run("doctor")
        assert ran.status == 1
        assert f"store: The database keeps texts as {encoding}" in ran.out


def test_a_worker_that_finds_no_database_says_so_in_a_line(tmp_path: Path) -> None:
    store = '[store]\nurl = "postgresql+psycopg://nobody@127.0.0.1:1/nowhere"\n'
    world = World(tmp_path, f'{store}[engine]\nkind = "procrastinate"\n')
    ran = world.run("worker")
    assert (ran.status, ran.err.count("\n")) == (1, 1)
    assert ran.err.startswith("referee: the store: ")
