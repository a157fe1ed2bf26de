"""Matches: the ledger only grows, one writer wins, the row beside it is what was saved last."""

from pathlib import Path

import pytest
import sqlalchemy as sa

from referee.store.club import Person, people
from referee.store.engine import Again
from referee.store.post import sheets, withheld
from referee.store.sql import Store, Unit
from tests.empty_store import put_tables
from tests.store.rows import NOON, later, opened, row, said


def test_the_second_writer_of_a_version_fails_and_leaves_nothing(store: Store) -> None:
    with store.transaction() as unit:
        opened(unit)
        unit.save(row(version=2, state="first"), [said(2, "first")])
    with pytest.raises(Again), store.transaction() as unit:
        unit.save(row(version=2, state="second"), [said(2, "second")])
    with store.transaction() as unit:
        assert unit.history("m-1")[1] == said(2, "first")
        found = unit.match("m-1")
        assert found.state == "first"


def test_a_match_is_opened_once(store: Store) -> None:
    with store.transaction() as unit:
        opened(unit)
    with pytest.raises(Again), store.transaction() as unit:
        opened(unit)


def test_lapses_come_earliest_first_and_never_at_the_watermark_itself(store: Store) -> None:
    with store.transaction() as unit:
        opened(unit, "none")
        opened(unit, "second", lapses_at=later(hours=2))
        opened(unit, "first", lapses_at=later(hours=1))
        assert unit.next_lapse(later(hours=1), ()) is None
        assert unit.next_lapse(later(hours=1, microseconds=1), ()) == ("first", later(hours=1))
        assert unit.next_lapse(later(hours=9), ["first"]) == ("second", later(hours=2))
        assert unit.next_lapse(later(hours=9), ["first", "second"]) is None


# --- what statements tell when they fail, and what a savepoint takes back ----------------------------------------


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
