"""What a transaction's statements may tell when they fail, and what a savepoint takes back."""

from pathlib import Path

import pytest
import sqlalchemy as sa

from referee.store.club import Person, people
from referee.store.outbox import sheets, withheld
from referee.store.sql import Store, Unit
from tests.empty_store import put_tables
from tests.store.rows import NOON


def test_a_failure_tells_no_values(tmp_path: Path) -> None:
    put_tables(tmp_path / "referee.db")
    store = Store(f"sqlite:///{tmp_path / 'referee.db'}", tmp_path / "referee.secret")
    with pytest.raises(sa.exc.IntegrityError) as raised, store.transaction() as unit:  # noqa: PT012
        unit.write(sa.insert(sheets), [{"digest": "d", "content": "a sealed answer"}])
        unit.write(sa.insert(sheets), [{"digest": "d", "content": "a sealed answer"}])
    assert "a sealed answer" not in str(raised.value)
    with store.transaction() as unit:
        assert unit.column(sa.select(sheets)) == []
    store.close()


def test_a_savepoint_takes_back_what_was_done_in_it_and_no_more(store: Store) -> None:
    def noted(unit: Unit, topic: str) -> None:
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
        assert unit.column(query) == ["after", "before", "kept"]


def test_statements_of_ones_own_share_the_transaction(store: Store) -> None:
    with pytest.raises(LookupError), store.transaction() as unit:  # noqa: PT012
        unit.remember(Person("ann@example.org"))
        unit.connection.execute(sa.update(people).values(note="by SQLAlchemy"))
        assert unit.person("ann@example.org").note == "by SQLAlchemy"
        raise LookupError
    with store.transaction() as unit:
        assert unit.person("ann@example.org") == Person("ann@example.org")
