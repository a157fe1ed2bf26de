"""What several workers do is what one desk does: `step` with the engine drives the same mails to the same letters."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.offices.desk.test_exactly_once import SCRIPT
from tests.offices.stage import Stage, plain

pytestmark = pytest.mark.server
_MASKED = ("outbox", "inbox", "clock", "match_clocks", "outages")


@pytest.mark.parametrize("script", [SCRIPT], ids=["fourplay"])
def test_a_script_played_with_the_engine_gives_the_letters_of_the_desk(
    script, queue_url: str, tmp_path: Path
) -> None:
    for part in ("a", "b"):
        (tmp_path / part).mkdir()
    inline, engine = Stage(tmp_path / "a"), Stage(tmp_path / "b", queue_url, kind="procrastinate")
    names = {stage.open("fourplay") for stage in (inline, engine)}
    (name,) = names
    for act in script:
        counts = [stage.step(act(stage, name)).facts() for stage in (inline, engine)]
        assert counts[0] == counts[1], act.__name__
        letters = [{p.message_id: plain(p.raw) for p in stage.sent} for stage in (inline, engine)]
        assert letters[0] == letters[1], act.__name__
        assert inline.mails == engine.mails
    ours, theirs = inline.rows(), engine.rows()
    for table in ours:
        if table not in _MASKED:
            assert ours[table] == theirs[table], table
