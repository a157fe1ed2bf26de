"""Fixtures of the desk's tests."""

from pathlib import Path

import pytest

from tests.offices.stage import Stage


@pytest.fixture(autouse=True)
def one_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same referee everywhere, so that its letters can be compared."""
    monkeypatch.setenv("REFEREE_SECRET", "a secret for tests only, the same in all of them")


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)
