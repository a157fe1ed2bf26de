"""The outbox: a letter once, sent in order, tried again, given up with a note."""

from __future__ import annotations

from referee.store.sql import Clock, Store
from tests.store.rows import NOON, later, letter


def test_a_letter_is_queued_once_under_its_message_id(store: Store) -> None:
    with store.transaction() as unit:
        unit.send(letter("a"))
        unit.send(letter("a", body="another body"), letter("b"))
        unit.send()
    with store.transaction() as unit:
        assert unit.unsent(NOON, 20) == [letter("a"), letter("b")]
        assert unit.letter("<a@r>") == letter("a")
        assert unit.letter("<c@r>") is None


def test_letters_leave_in_the_order_in_which_they_were_queued(store: Store) -> None:
    with store.transaction() as unit:
        for name in ("c", "a", "b"):
            unit.send(letter(name))
        unit.sent(["<a@r>"], NOON)
        assert [each.message_id for each in unit.unsent(NOON, 20)] == ["<c@r>", "<b@r>"]


def test_a_postponed_letter_waits_for_its_next_try(store: Store) -> None:
    with store.transaction() as unit:
        unit.send(letter("a"))
        unit.postponed("<a@r>", later(minutes=5), "451 not now")
        assert unit.unsent(later(minutes=4), 20) == []
        (again,) = unit.unsent(later(minutes=5), 20)
        assert (again.attempts, again.note) == (1, "451 not now")
        unit.postponed("<a@r>", later(minutes=9), "still not")
        assert unit.unsent(later(minutes=9), 20)[0].attempts == 2


def test_a_failed_letter_is_tried_no_more_and_shown(store: Store) -> None:
    with store.transaction() as unit:
        unit.send(letter("a"))
        unit.failed("<a@r>", "550 unknown \x00 user")
        assert unit.unsent(later(days=9), 20) == []
        (failure,) = unit.failures()
        assert failure.message_id == "<a@r>"
        assert failure.note is not None
        assert failure.note.startswith("550 unknown")


def test_answers_are_counted_by_recipient_thread_and_time(store: Store) -> None:
    with store.transaction() as unit:
        unit.send(letter("a", answers="<q1@x>", thread="<t@x>"))
        unit.send(letter("b", answers="<q2@x>", thread="<u@x>", at=later(hours=2)))
        unit.send(letter("c", recipient="ben@example.org", answers="<q3@x>", thread="<t@x>"))
        unit.send(letter("d"))
        before = later(seconds=-1)
        assert unit.answers_since("ann@example.org", None, before) == 2
        assert unit.answers_since("ann@example.org", "<t@x>", before) == 1
        assert unit.answers_since("ann@example.org", None, NOON) == 1
        assert unit.answers_since("ann@example.org", "<t@x>", NOON) == 0


def test_the_clock_is_one_row(store: Store) -> None:
    with store.transaction() as unit:
        assert unit.clock() == Clock(None, None, None)
        unit.set_clock(Clock(NOON, None, None))
        unit.set_clock(Clock(later(hours=1), NOON, later(hours=2)))
    with store.transaction() as unit:
        assert unit.clock() == Clock(later(hours=1), NOON, later(hours=2))
