"""No pass, and no opening, reads all of anything that grows: matches, ledgers, letters, mails, seats, people."""

from collections.abc import Iterator
from typing import Any

import pytest
import sqlalchemy as sa

from tests.bench.test_growth_bench import Desk, crowd
from tests.bench.test_growth_bench import desk as desk  # the fixture

GROWING = ("matches", "ledger", "seats", "former_seats", "inbox", "outbox", "people", "reply_tokens")


@pytest.fixture
def statements(desk: Desk) -> Iterator[dict[str, Any]]:
    """Every statement that runs, with the values it ran with."""
    seen: dict[str, Any] = {}

    def ran(connection: Any, cursor: Any, statement: str, values: Any, context: Any, many: bool) -> None:
        seen.setdefault(statement, values[0] if many else values)

    engine = desk.referee.store._engine
    sa.event.listen(engine, "before_cursor_execute", ran)
    yield seen
    sa.event.remove(engine, "before_cursor_execute", ran)


def test_a_pass_and_an_opening_find_everything_by_an_index(desk: Desk, statements: dict[str, Any]) -> None:
    names = [desk.open() for _ in range(3)]
    crowd(desk, names[1], 300)
    statements.clear()
    desk.open()
    for number in range(3):
        desk.move(names[0], number, lambda work: float(bool(work())))
    desk.mail(names[0], 1, "Move: A1")  # is refused
    desk.step()
    assert len(statements) > 25
    with desk.referee.store._engine.connect() as connection:
        for statement, values in list(statements.items()):
            if not statement.startswith(("SELECT", "UPDATE", "DELETE")):
                continue
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values).all()
            scanned = [row[3] for row in plan if row[3].startswith("SCAN")]
            assert not [step for step in scanned if step.split()[1] in GROWING], (scanned, statement)


def test_names_are_given_out_in_order_and_never_twice(desk: Desk) -> None:
    assert [desk.open() for _ in range(5)] == [f"multigo-{n}" for n in range(1, 6)]


def test_reminders_come_in_the_order_of_names(desk: Desk) -> None:
    names = [desk.open() for _ in range(12)]
    with desk.referee.store.transaction() as unit:
        assert unit.reminding(desk.now.replace(year=2030)) == sorted(names)
        assert unit.has_match("multigo-3")
        assert not unit.has_match("Multigo-3")
        assert unit.has_match_like("Multigo-3")
        assert not unit.has_match_like("multigo_3")
