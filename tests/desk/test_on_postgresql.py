"""The same acceptance scenarios on PostgreSQL: only the configuration's `[store] url` differs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.desk import test_fourplay_buys_and_sets_up_by_mail as scenario
from tests.world import World

pytestmark = pytest.mark.server

SCENARIOS = [
    scenario.test_604_arrival_decides_and_a_late_poll_changes_nothing,
    scenario.test_604_the_same_mail_twice_has_one_effect_and_one_letter,
    scenario.test_605e_who_sends_no_setup_has_the_king_alone_on_the_home_corner,
]


@pytest.mark.parametrize("play", SCENARIOS, ids=lambda play: play.__name__.removeprefix("test_"))
def test_on_postgresql(play: Callable[[scenario.Cycle], None], postgres_url: str, tmp_path: Path) -> None:
    World(tmp_path)
    path = tmp_path / "referee.toml"
    text = path.read_text(encoding="utf-8")
    assert "sqlite:///referee.db" in text
    path.write_text(text.replace("sqlite:///referee.db", postgres_url), encoding="utf-8")
    play(scenario.Cycle(tmp_path))
    assert not list(tmp_path.glob("*.db"))
