"""A peer that goes silent in the midst of a transaction, and a wait that comes to no end: what it held is let go, what
waited is told of and done again, no mail is put aside for it."""

import multiprocessing
import os
import re
import signal
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sa

import referee
from referee.base.ports import Delivery, Parcel
from referee.core.value import Demand
from referee.games import found
from referee.service import solver
from referee.service.keyed import KeyedStore
from referee.store import engine as module
from referee.store.engine import Again, Busy, bounds
from referee.store.sql import Store
from referee.way import stations
from referee.way.case import Case
from tests.memory import SENT, MemoryCourier, Stage, later, owing
from tests.servers.severing import Line
from tests.world import World


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seconds, where it is minutes."""
    briefly = {"idle_in_transaction_session_timeout": "4s", "lock_timeout": "1s", "statement_timeout": "1s"}
    monkeypatch.setattr(module, "_THEIR_END", {**module._THEIR_END, **briefly})
    monkeypatch.setattr(module, "LONGEST_WAIT", 1.0)


@pytest.fixture
def line(store_url: str) -> Iterator[Line]:
    with Line(sa.make_url(store_url).port or 0) as made:
        yield made


@pytest.mark.server
def test_what_a_connection_held_that_went_silent_is_let_go_and_doctor_tells_of_it(
    short: None, store_url: str, line: Line, tmp_path: Path
) -> None:
    """Its machine still answers: no keepalive finds it."""
    through = str(sa.make_url(store_url).set(port=line.port).render_as_string(hide_password=False))
    cut, other = Store(through, tmp_path / "a.secret"), Store(store_url, tmp_path / "a.secret")
    held, over = threading.Event(), threading.Event()

    def holds() -> None:
        with pytest.raises(sa.exc.SQLAlchemyError), cut.transaction() as unit:  # noqa: PT012
            unit.hold("match", "m-1")
            held.set()
            line.arm(rb"", times=10_000, silent=True)
            over.wait(30)
            line.close()
            unit.names()

    thread = threading.Thread(target=holds)
    thread.start()
    assert held.wait(30)
    told: list[str] = []

    def waits() -> None:
        with pytest.raises(Again), other.transaction() as unit:  # noqa: PT012
            unit.connection.execute(sa.text("SET LOCAL lock_timeout = '3s'; SET LOCAL statement_timeout = 0"))
            unit.hold("match", "m-1")

    waiting = threading.Thread(target=waits)
    waiting.start()
    with other._engine.connect() as looking:
        while waiting.is_alive() and not told:
            told = module.waits(looking, 1.0)
            looking.rollback()
    waiting.join()
    assert len(told) == 1
    assert re.search(r"idle in transaction.* has kept others waiting for \d+ seconds", told[0])
    began = time.monotonic()
    while True:
        try:
            with other.transaction() as unit:
                unit.hold("match", "m-1")
            break
        except Again:
            assert time.monotonic() - began < 20
    over.set()
    thread.join()
    cut.close()
    other.close()


@pytest.mark.server
def test_every_connection_has_every_bound(store_url: str, tmp_path: Path) -> None:
    store = KeyedStore(store_url, tmp_path / "a.secret", lambda where: None)
    with store.transaction() as unit:
        for name, value in module._THEIR_END.items():
            if not name.startswith("tcp"):
                assert unit.value(sa.text(f"SHOW {name}")) == value
        assert unit.value(sa.text("SHOW tcp_keepalives_idle")) == "15"
    store.close()
    opened = re.compile(r"(?:AsyncConnection\.connect|PsycopgConnector|create_engine|psycopg\.connect)\(")
    for path in Path(referee.__file__).parent.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not opened.search(text) or "bounds(" in text, path
    assert set(bounds()) > {"connect_timeout", "tcp_user_timeout", "options"}


@pytest.mark.server
@pytest.mark.parametrize("kind", ["inline", "procrastinate"])
def test_no_transaction_is_open_while_a_mail_server_takes_its_time(
    queue_url: str, tmp_path: Path, kind: str
) -> None:
    stage = Stage(tmp_path, queue_url, kind=kind)  # type: ignore[arg-type]
    stage.open("fourplay")
    seen: list[str] = []
    looking = sa.create_engine(queue_url)

    def server(parcel: Parcel) -> Delivery:
        with looking.connect() as connection:
            seen.extend(
                connection.execute(
                    sa.text(
                        "SELECT query FROM pg_stat_activity WHERE datname = current_database()"
                        " AND pid <> pg_backend_pid() AND xact_start IS NOT NULL AND state <> 'active'"
                    )
                ).scalars()
            )
        return SENT

    with stage.referee() as referee:
        assert isinstance(referee.courier, MemoryCourier)
        referee.courier.answer = server
        assert referee.desk.step(later()).sent > 4
    looking.dispose()
    assert seen == []


@pytest.mark.server
def test_a_mail_whose_judging_ran_out_of_time_is_judged_again_and_never_put_aside(
    short: None, store_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = Stage(tmp_path, store_url)
    name = stage.open("fourplay")
    stage.step(later())
    stage.answer(stage.match(name), owing(stage.match(name))[0], later(hours=1))
    whole, slow = stations.judge, [True, True]

    def judge(case: Case) -> object:
        if slow and slow.pop():
            case.unit.connection.execute(sa.text("SELECT pg_sleep(30)"))
        return whole(case)

    monkeypatch.setattr(stations, "judge", judge)
    counts = stage.step(later(hours=1))
    assert (counts.accepted, counts.shunted, slow) == (1, 0, [])


def test_a_pass_waits_for_another_only_so_long(short: None, url: str, tmp_path: Path) -> None:
    one, two = Store(url, tmp_path / "a.secret"), Store(url, tmp_path / "a.secret")
    with one.exclusive(), pytest.raises(Busy, match="ten minutes"), two.exclusive():
        pass
    with two.exclusive():
        pass
    one.close()
    two.close()


def test_whoever_only_looks_waits_for_no_pass(url: str, tmp_path: Path) -> None:
    one = Store(url, tmp_path / "a.secret")
    with one.exclusive():
        began = time.monotonic()
        Store(url, tmp_path / "a.secret").close()
        assert time.monotonic() - began < 5
    one.close()


def test_a_full_disk_is_no_mails_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(tmp_path)
    name = world.open("buttons", ["Ann <ann@example.org>", "Ben <ben@example.org>"], starter="1")
    world.step()
    world.mail(
        "Ann <ann@example.org>",
        f"Buttons: Move / Player 1 [{name}]",
        "Place: B1 at a1",
        "2026-03-01T12:00:00Z",
    )
    whole, full = stations.judge, [True]

    def judge(case: Case) -> object:
        if full:
            case.unit.connection.execute(sa.text(f"PRAGMA max_page_count = {full.pop()}"))
            case.unit.connection.execute(sa.text("CREATE TABLE big AS SELECT randomblob(1000000) AS b"))
        return whole(case)

    monkeypatch.setattr(stations, "judge", judge)
    ran = world.run("step", "--now", "2026-03-01T12:00:00Z", "--json")
    assert ran.json["shunted"] == 0
    assert ran.json["accepted"] == 1


def hanging(*question: object) -> None:
    time.sleep(600)


def test_a_solver_that_hangs_is_followed_by_another_once_and_then_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(solver, "_LONGEST", 0.05)
    monkeypatch.setattr(solver, "_answer", hanging)
    process = solver.SolverProcess()
    process._asked("buttons", None, Demand("Solution", 0), 1)
    assert process._pool is not None
    pid = process._process
    os.kill(pid, signal.SIGSTOP)
    began = time.monotonic()
    assert process(found()["buttons"], None, Demand("Solution", 0), 1) is None
    assert time.monotonic() - began < 20
    process.close()


def test_a_solver_that_does_not_begin_is_killed_and_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "_BEGUN", 0.5)
    monkeypatch.setattr(solver, "_begin", partial(time.sleep, 600))
    before = set(multiprocessing.active_children())
    process = solver.SolverProcess()
    began = time.monotonic()
    assert process(found()["buttons"], None, Demand("Solution", 0), 1) is None
    assert time.monotonic() - began < 20
    process.close()
    assert set(multiprocessing.active_children()) <= before
