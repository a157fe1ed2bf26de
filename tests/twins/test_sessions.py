"""What version 0.2.0 and its players left goes on: its stores in mid-game, and every session that it was told."""

from pathlib import Path

import pytest

from tests.sampling import one_in
from tests.twins.comparing import HERE, ROOT, played

SESSIONS = sorted(
    (HERE / "sessions").glob("*.json.xz"), key=lambda path: (not path.name.startswith("kept"), path)
)


@pytest.mark.parametrize("session", one_in(6, SESSIONS), ids=lambda path: path.name.partition(".")[0])
def test_a_session_of_an_earlier_version_goes_on(session: Path, tmp_path: Path) -> None:
    assert played(session, ROOT, tmp_path / "now") == ""
