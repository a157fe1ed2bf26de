"""Clubs on PostgreSQL: workers take turns step by step, die, stand still and are cut off."""

from functools import partial

import pytest

from tests.sampling import one_in
from tests.servers.postgres import Postgres
from tests.simulator.club import script
from tests.simulator.rehearsed import played
from tests.simulator.workers import Workers

_ALONE = ("restores",)  # their store is another machine's
pytestmark = pytest.mark.server


@pytest.mark.parametrize("seed", one_in(16, range(1, 17)))
def test_a_club_of_several_workers_holds_every_law(
    postgres: Postgres, postgres_tables: str, seed: int
) -> None:
    deeds = [deed for deed in script(seed, 5, 9, "habits", "faults") if deed.what not in _ALONE]
    with postgres.database(like=postgres_tables) as url:
        run = played(seed, 5, deeds, kind=partial(Workers, url))
    assert run.wrong == [], "\n".join(run.log)
