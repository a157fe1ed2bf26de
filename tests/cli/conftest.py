"""Fixtures of the command line's tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.world import World


@pytest.fixture(autouse=True)
def one_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_SECRET", "a secret for tests only, the same in all of them")


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)
