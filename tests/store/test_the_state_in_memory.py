"""The state in memory is the store's or none: a savepoint that is undone drops it, and so does another process's word.
And the cached state is the fold, always."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest

from referee.base import shipped
from referee.base.settings import Settings
from referee.games import found
from referee.match import events as ev
from referee.match.chain import Keys
from referee.match.decide import Decision, decide
from referee.match.events import Entrant
from referee.match.match import Match, fold
from referee.offices.register import NewMatch
from referee.service.config import Located
from referee.service.wiring import Referee, running
from tests.memory import MemoryCourier
from tests.store.rows import NOON, later

KEYS = Keys(b"a secret for tests only")


class Undone(Exception):
    """The savepoint is given up."""


def referee(folder: Path) -> Iterator[Referee]:
    (folder / "mail/in/new").mkdir(parents=True, exist_ok=True)
    with running(Located(Settings(), folder), given_courier=MemoryCourier()) as made:
        yield made


@pytest.fixture
def first(tmp_path: Path) -> Iterator[Referee]:
    yield from referee(tmp_path)


@pytest.fixture
def second(first: Referee, tmp_path: Path) -> Iterator[Referee]:
    yield from referee(tmp_path)


def opened(of: Referee, number: int = 1) -> str:
    people = tuple(Entrant(f"P{i}", (f"p{i}.{number}@example.org",)) for i in (1, 2))
    asked = NewMatch("buttons", people, {}, shipped.game_options("buttons"), shipped.game_data("buttons"))
    return of.moderator.open(asked, NOON).name


def said(match: Match, text: str) -> Decision:

    return decide(found()[match.game], match, ev.Said(text), later(hours=1), KEYS, tuple)


def test_what_a_savepoint_undid_is_forgotten_even_where_the_version_comes_again(
    first: Referee, second: Referee
) -> None:
    name = opened(first)
    with first.store.transaction() as unit:
        match = first.parts.matches.load(unit, name)
        with suppress(Undone), unit.savepoint():
            lost = said(match, "nobody ever hears this")
            first.parts.matches.save(unit, lost.match, lost.entries, later(hours=1))
            assert first.parts.matches.load(unit, name) == lost.match
            raise Undone
        assert first.parts.matches.load(unit, name) == match
    with second.store.transaction() as unit:
        kept = said(second.parts.matches.load(unit, name), "this is what was said")
        second.parts.matches.save(unit, kept.match, kept.entries, later(hours=1))
    assert kept.match.version == lost.match.version
    with first.store.transaction() as unit:
        assert first.parts.matches.load(unit, name) == kept.match
        assert first.parts.matches.load(unit, name).head != lost.match.head


def test_what_a_transaction_undid_is_forgotten(first: Referee, second: Referee) -> None:
    name = opened(first)
    with suppress(Undone), first.store.transaction() as unit:
        lost = said(first.parts.matches.load(unit, name), "nobody ever hears this")
        first.parts.matches.save(unit, lost.match, lost.entries, later(hours=1))
        raise Undone
    with second.store.transaction() as unit:
        kept = said(second.parts.matches.load(unit, name), "this is what was said")
        second.parts.matches.save(unit, kept.match, kept.entries, later(hours=1))
    with first.store.transaction() as unit:
        assert first.parts.matches.load(unit, name) == kept.match


def test_the_cache_is_the_fold_and_more_matches_than_stay_in_memory_are_all_read_right(
    first: Referee,
) -> None:
    names = [opened(first, number) for number in range(1, 8)]
    for hour in range(30):
        with first.store.transaction() as unit:
            name = names[hour % len(names)]
            decision = said(first.parts.matches.load(unit, name), f"word {hour}")
            first.parts.matches.save(unit, decision.match, decision.entries, NOON + timedelta(hours=hour))
    for name in names:
        with first.store.transaction() as unit:
            game = first.games["buttons"]
            at_hand = first.parts.matches.load(unit, name)
            assert at_hand == fold(lambda _, game=game: game, unit.history(name))  # type: ignore[misc]
            first.parts.matches.forget()
            assert first.parts.matches.load(unit, name) == at_hand
