"""Matches: the ledger only grows, one writer wins, the row beside it is what was saved last."""

from __future__ import annotations

import pytest

from referee.store.engine import Again
from referee.store.sql import Store
from tests.store.rows import NOON, later, opened, row, said


def test_a_ledger_gives_back_its_entries_in_order(store: Store) -> None:
    with store.transaction() as unit:
        opened(unit)
        unit.save(row(version=3), [said(2, "two"), said(3, "drei ü ♞")])
    with store.transaction() as unit:
        assert unit.history("m-1") == [said(1), said(2, "two"), said(3, "drei ü ♞")]
        assert unit.history("another") == []


def test_the_second_writer_of_a_version_fails_and_leaves_nothing(store: Store) -> None:
    with store.transaction() as unit:
        opened(unit)
        unit.save(row(version=2, state="first"), [said(2, "first")])
    with pytest.raises(Again), store.transaction() as unit:
        unit.save(row(version=2, state="second"), [said(2, "second")])
    with store.transaction() as unit:
        assert unit.history("m-1")[1] == said(2, "first")
        found = unit.match("m-1")
        assert found is not None
        assert found.state == "first"


def test_a_match_is_opened_once(store: Store) -> None:
    with store.transaction() as unit:
        opened(unit)
    with pytest.raises(Again), store.transaction() as unit:
        opened(unit)


def test_the_row_is_what_was_saved_last(store: Store) -> None:
    with store.transaction() as unit:
        assert unit.match("m-1") is None
        opened(unit)
        changed = row(
            status="ended", phase="p" * 300, version=2, state='{"é": 1}', lapses_at=NOON, computes=True
        )
        unit.save(changed, [said(2)])
    with store.transaction() as unit:
        assert unit.match("m-1") == changed
        assert unit.matches() == [changed]


def test_matches_are_listed_by_their_opening(store: Store) -> None:
    with store.transaction() as unit:
        opened(unit, "b", opened_at=later(hours=1))
        opened(unit, "c", opened_at=NOON)
        opened(unit, "a", opened_at=later(hours=1))
        assert [m.name for m in unit.matches()] == ["c", "a", "b"]


def test_seats_are_found_by_address_in_any_case(store: Store) -> None:
    with store.transaction() as unit:
        opened(unit, "m-1")
        opened(unit, "m-2")
        unit.seat_addresses("m-1", [(1, "Ann@Example.org"), (1, "ann@example.org"), (2, "ann@example.org")])
        unit.seat_addresses("m-2", [(1, "ben@example.org")])
        assert unit.seats_of("ANN@example.org") == [("m-1", 1), ("m-1", 2)]
        unit.seat_addresses("m-1", [(1, "cleo@example.org")])
        assert unit.seats_of("ann@example.org") == []
        assert unit.seats_of("cleo@example.org") == [("m-1", 1)]
        assert unit.seats_of("ben@example.org") == [("m-2", 1)]


def test_lapses_come_earliest_first_and_never_at_the_watermark_itself(store: Store) -> None:
    with store.transaction() as unit:
        opened(unit, "none")
        opened(unit, "second", lapses_at=later(hours=2))
        opened(unit, "first", lapses_at=later(hours=1))
        assert unit.next_lapse(later(hours=1), ()) is None
        assert unit.next_lapse(later(hours=1, microseconds=1), ()) == ("first", later(hours=1))
        assert unit.next_lapse(later(hours=9), ["first"]) == ("second", later(hours=2))
        assert unit.next_lapse(later(hours=9), ["first", "second"]) is None


def test_reminders_are_due_at_their_moment_and_searches_while_they_are_owed(store: Store) -> None:
    with store.transaction() as unit:
        opened(unit, "b", reminds_at=later(hours=1))
        opened(unit, "a", reminds_at=later(hours=1), computes=True)
        opened(unit, "c")
        assert unit.reminding(later(hours=1, microseconds=-1)) == []
        assert unit.reminding(later(hours=1)) == ["a", "b"]
        assert unit.computing() == ["a"]


def test_a_savepoint_that_fails_is_undone_alone(store: Store) -> None:
    with store.transaction() as unit:
        opened(unit)
        with pytest.raises(Again), unit.savepoint():  # noqa: PT012
            unit.save(row(version=2), [said(2, "undone")])
            unit.save(row(version=2), [said(2, "twice")])
        with unit.savepoint():
            unit.save(row(version=2), [said(2, "kept")])
    with store.transaction() as unit:
        assert unit.history("m-1") == [said(1), said(2, "kept")]


def test_a_transaction_that_fails_is_undone_whole(store: Store) -> None:
    with pytest.raises(RuntimeError, match="crash"), store.transaction() as unit:  # noqa: PT012
        opened(unit)
        raise RuntimeError("crash")
    with store.transaction() as unit:
        assert unit.matches() == []
