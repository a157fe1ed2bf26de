"""Fixtures of the tests of upkeep."""

import pytest

from tests.offices.conftest import one_secret
from tests.upkeep.club import Club

__all__ = ["one_secret"]

SECRET = "a secret for tests only, the same in all of them"


@pytest.fixture(scope="session")
def season(tmp_path_factory: pytest.TempPathFactory) -> Club:
    """Played once; take a copy of its world."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REFEREE_SECRET", SECRET)
        return Club(tmp_path_factory.mktemp("season")).season()
