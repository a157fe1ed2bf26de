"""People and reply addresses: one row an address, without case; a match's tokens are replaced together."""

from __future__ import annotations

from referee.store.club import Person
from referee.store.sql import Store
from tests.store.rows import NOON, letter, opened


def test_of_an_address_nothing_is_known_until_something_is_kept(store: Store) -> None:
    with store.transaction() as unit:
        assert unit.person("Ann@Example.org") == Person("ann@example.org")
        unit.remember(Person("ANN@example.org", medium="text", digest=True, guarded=True))
        unit.remember(unit.person("ann@example.org")._replace(failing=NOON, note="550 no such user"))
        known = Person("ann@example.org", "text", True, NOON, "550 no such user", guarded=True)
        assert unit.person("ann@EXAMPLE.org") == known
        assert unit.failing(["ANN@example.org", "ben@example.org"]) == [known]
        assert unit.failing(["ben@example.org"]) == []
        assert unit.guarded() == [known]


def test_a_matchs_tokens_are_replaced_together(store: Store) -> None:
    with store.transaction() as unit:
        opened(unit)
        unit.reply_tokens("m-1", [(1, "aa"), (2, "bb")])
        unit.reply_tokens("m-1", [(1, "cc"), (2, "bb")])
        assert unit.seat_of_token("aa") is None
        assert unit.seat_of_token("cc") == ("m-1", 1)
        assert unit.seat_of_token("bb") == ("m-1", 2)


def test_a_letter_kept_for_a_digest_does_not_leave_by_itself(store: Store) -> None:
    with store.transaction() as unit:
        unit.send(letter("a"), gathered=True)
        assert unit.unsent(NOON, 20) == []
        assert unit.gathered() == [(letter("a").recipient, letter("a").at)]
        assert unit.take_gathered("ann@example.org") == [letter("a")]
        assert unit.take_gathered("ann@example.org") == []
        assert unit.gathered() == []
        assert unit.unsent(NOON, 20) == []
