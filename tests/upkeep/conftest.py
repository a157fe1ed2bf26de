"""Fixtures of the tests of upkeep."""

import pytest

from tests.upkeep.club import Club

SECRET = "a secret for tests only, the same in all of them"


@pytest.fixture(scope="session")
def season(tmp_path_factory: pytest.TempPathFactory) -> Club:
    """Played once; take a copy of its world."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REFEREE_SECRET", SECRET)
        return Club(tmp_path_factory.mktemp("season")).season()
