"""`referee demo`, as a newcomer runs it: its match is always the same one."""

from __future__ import annotations

from pathlib import Path

from tests.world import World


def test_the_demo_plays_its_cycle_without_a_fault(tmp_path: Path) -> None:
    played = World(tmp_path / "w").run("demo", str(tmp_path / "demo"))
    assert (played.status, "FAULT" in played.out) == (0, False), played.out[-2000:]
    assert (tmp_path / "demo/index.html").exists()
