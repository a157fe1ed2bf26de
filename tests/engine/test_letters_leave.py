"""Letters leave by several workers at once: each by one of them, those to one reader in their order, and those of a
worker that is gone by another one."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from referee.service.keyed import KeyedStore
from referee.store.post import OutgoingLetter
from referee.store.sql import Claim
from tests.memory import NOON

pytestmark = pytest.mark.server
ANN, BEN, CLEO = "ann@example.org", "ben@example.org", "cleo@example.org"


def letter(number: int, to: str) -> OutgoingLetter:
    return OutgoingLetter(f"<{number}@here>", NOON, "due", None, None, to, None, None, "")


@pytest.fixture
def store(queue_url: str, tmp_path: Path) -> Iterator[KeyedStore]:
    made = KeyedStore(queue_url, tmp_path / "secret", lambda where: None)
    with made.transaction() as unit:
        for number, to in enumerate((ANN, BEN, ANN, CLEO, BEN, ANN), 1):
            unit.send(letter(number, to))
    yield made
    made.close()


def claimed(store: KeyedStore, claim: Claim, most: int = 2) -> list[str]:
    with store.transaction() as unit:
        return [found.message_id.strip("<>").partition("@")[0] for found in claim(unit, NOON, most)]


def test_two_workers_never_have_letters_to_one_reader_in_hand(store: KeyedStore) -> None:
    with store.claiming() as first, store.claiming() as second, store.claiming() as third:
        assert claimed(store, first) == ["1", "2"]
        assert claimed(store, second) == ["4"]
        assert claimed(store, third) == []
        with store.transaction() as unit:
            unit.sent(["<1@here>", "<2@here>"], NOON)
        assert claimed(store, first) == ["3", "6"]


def test_what_somebody_else_has_sent_meanwhile_is_seen(store: KeyedStore) -> None:
    with store.claiming() as second:
        with store.claiming() as first:
            assert claimed(store, first, 6) == ["1", "2", "3", "4", "5", "6"]
            with store.transaction() as unit:
                unit.sent(["<1@here>", "<2@here>", "<3@here>"], NOON)
        assert claimed(store, second, 6) == ["4", "5", "6"]


def test_a_letter_put_off_delays_none_behind_it(store: KeyedStore) -> None:
    with store.transaction() as unit:
        unit.postponed("<1@here>", NOON + timedelta(hours=1), "later")
    with store.claiming() as claim:
        assert claimed(store, claim, 3) == ["2", "3", "4"]
