"""Statements that go to SQLite's driver themselves: the same rows, failures and savepoints as through SQLAlchemy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from referee.offices.ports.store import Clock, Person
from referee.store.sql import SqlStore, SqlUnit
from referee.store.tables import people, sheets, withheld
from tests.empty_store import put_tables
from tests.store.rows import NOON, letter, mail

Work = Callable[[SqlUnit], Any]


@contextmanager
def listening(store: SqlStore) -> Iterator[list[str]]:
    """While somebody listens to an engine's statements they run through SQLAlchemy; those that did."""
    seen: list[str] = []

    def ran(connection: Any, cursor: Any, statement: str, *rest: Any) -> None:
        seen.append(statement)

    sa.event.listen(store._engine, "before_cursor_execute", ran)
    try:
        yield seen
    finally:
        sa.event.remove(store._engine, "before_cursor_execute", ran)


def rows(work: Work, folder: Path, *, through_sqlalchemy: bool) -> tuple[Any, list[tuple[Any, ...]]]:
    """What the work gives on an empty SQLite store, and every row that it left, as the file holds it."""
    folder.mkdir()
    put_tables(folder / "referee.db")
    store = SqlStore(f"sqlite:///{folder / 'referee.db'}", folder / "referee.secret")
    if through_sqlalchemy:
        with listening(store) as seen, store.transaction() as unit:
            given = work(unit)
        assert seen
    else:
        with store.transaction() as unit:
            given = work(unit)
    with store._engine.connect() as connection:
        tables = ("inbox", "outbox", "sheets", "people", "clock", "withheld")
        left = [tuple(r) for t in tables for r in connection.exec_driver_sql(f"SELECT * FROM {t}")]
    store.close()
    return given, left


def keeping(unit: SqlUnit) -> Any:
    odd = "Zo\u00eb \ud800 \x00@example.org"
    kept = [
        unit.keep(mail("u1")),
        unit.keep(mail("u2")._replace(sender=odd, cut=True)),
        unit.keep(mail("u1")),
    ]
    first = unit.next_mail(NOON + timedelta(days=1), ())
    assert first is not None
    unit.settle(first.id, "accepted", "a move", NOON, words="w", resend="r", match="m", seat=2)
    unit.filed([("u1", "accepted"), ("u2", "held")])
    others = [unit.next_mail(NOON + timedelta(days=1), beyond) for beyond in ((), (2,), (2, 3), (1, 2, 3))]
    found = unit.known_uids(["u2", "u1", "none"]), unit.known_uids([]), unit.resends("r"), unit.unfiled()
    return kept, first, others, found, unit.same_words("w", NOON), unit.open_mails(), unit.mail(1)


def queueing(unit: SqlUnit) -> Any:
    made = [
        letter(f"<{n}@r>")._replace(recipient="\u00e9va@example.org", sheet=f"words {n % 2}")
        for n in range(3)
    ]
    unit.send(*made)
    unit.send(made[0], made[1]._replace(message_id="<new@r>", sheet=None))
    unit.send(made[0]._replace(message_id="<later@r>"), gathered=True)
    before = unit.unsent(NOON + timedelta(days=1), 9)
    unit.sent(["<0@r>", "<2@r>"], NOON)
    after = unit.unsent(NOON + timedelta(days=1), 9), unit.readers_waiting(NOON + timedelta(days=1), 9)
    return before, after, unit.gathered(), unit.take_gathered("\u00e9va@example.org"), unit.letter("<1@r>")


def remembering(unit: SqlUnit) -> Any:
    unit.remember(Person("Ann@Example.org", "text", digest=True, failing=NOON))
    unit.set_clock(Clock(NOON, None, NOON + timedelta(seconds=1.5)))
    unit.set_clock(Clock(NOON, NOON, None, under_way=True))
    told = [unit.withhold("held", NOON), unit.withhold("held", NOON)]
    several = unit.persons(["ann@example.org", "bob@example.org"]), unit.persons([])
    return unit.person("ANN@example.org"), several, unit.clock(), told, unit.take_withheld(NOON)


@pytest.mark.parametrize("work", [keeping, queueing, remembering])
def test_rows_are_the_same_either_way(work: Work, tmp_path: Path) -> None:
    straight = rows(work, tmp_path / "straight", through_sqlalchemy=False)
    assert straight == rows(work, tmp_path / "through", through_sqlalchemy=True)
    assert straight[1]


def test_hot_statements_pass_sqlalchemy_by(tmp_path: Path) -> None:
    """Else the test above would compare like with like."""
    put_tables(tmp_path / "referee.db")
    store = SqlStore(f"sqlite:///{tmp_path / 'referee.db'}", tmp_path / "referee.secret")
    with store.transaction() as unit:
        unit.connection.execute = None  # type: ignore[method-assign,assignment]
        keeping(unit)


def test_a_failure_is_one_of_sqlalchemys_and_tells_no_values(tmp_path: Path) -> None:
    put_tables(tmp_path / "referee.db")
    store = SqlStore(f"sqlite:///{tmp_path / 'referee.db'}", tmp_path / "referee.secret")
    with pytest.raises(sa.exc.IntegrityError) as raised, store.transaction() as unit:  # noqa: PT012
        unit.write(sa.insert(sheets), [{"digest": "d", "content": "a sealed answer"}])
        unit.write(sa.insert(sheets), [{"digest": "d", "content": "a sealed answer"}])
    assert "a sealed answer" not in str(raised.value)
    with store.transaction() as unit:
        assert unit.rows(sa.select(sheets), {}) == []
    store.close()


def test_a_savepoint_takes_back_what_was_done_in_it_and_no_more(store: SqlStore) -> None:
    def noted(unit: SqlUnit, topic: str) -> None:
        unit.write(sa.insert(withheld), [{"topic": topic, "since": NOON, "number": 1}])

    with store.transaction() as unit:
        noted(unit, "before")
        with pytest.raises(LookupError), unit.savepoint():  # noqa: PT012
            noted(unit, "undone")
            with unit.savepoint():
                noted(unit, "undone with it")
            raise LookupError
        with unit.savepoint():
            noted(unit, "kept")
            with pytest.raises(LookupError), unit.savepoint():  # noqa: PT012
                noted(unit, "undone alone")
                raise LookupError
        noted(unit, "after")
    with store.transaction() as unit:
        query = sa.select(withheld.c.topic).order_by(withheld.c.topic)
        assert unit.values(query, {}) == ["after", "before", "kept"]


def test_statements_of_ones_own_share_the_transaction(store: SqlStore) -> None:
    with pytest.raises(LookupError), store.transaction() as unit:  # noqa: PT012
        unit.remember(Person("ann@example.org"))
        unit.connection.execute(sa.update(people).values(note="by SQLAlchemy"))
        assert unit.person("ann@example.org").note == "by SQLAlchemy"
        raise LookupError
    with store.transaction() as unit:
        assert unit.person("ann@example.org") == Person("ann@example.org")
