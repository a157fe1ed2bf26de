"""Matches: the ledger only grows, one writer wins, the row beside it is what was saved last."""

import pytest

from referee.store.engine import Again
from referee.store.sql import Store
from tests.store.rows import later, opened, row, said


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
