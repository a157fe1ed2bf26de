"""The servers of the tests stand up, and say so when they can't."""

import pytest

from tests.servers.ground import IS_ROOT, program
from tests.servers.postgres import Postgres

pytestmark = pytest.mark.server


@pytest.mark.skipif(not IS_ROOT, reason="others than root need no other account's rights")
def test_what_gives_root_the_rights_of_postgresql_is_found_outside_of_path_or_said(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/usr/local/bin:/usr/bin:/bin")
    assert postgres.as_owner("id", "-un") == "postgres\n"
    postgres.restart()
    monkeypatch.setattr(program, "__defaults__", ((),))
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("REFEREE_SERVERS", raising=False)
    with pytest.raises(pytest.skip.Exception, match="runuser is not installed: what needs it was left out"):
        postgres.as_owner("id")


def test_a_missing_program_is_a_skip_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REFEREE_SERVERS", raising=False)
    with pytest.raises(pytest.skip.Exception, match="no-such-server is not installed"):
        program("no-such-server")


def test_a_missing_program_is_a_failure_where_servers_are_required(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_SERVERS", "required")
    with pytest.raises(pytest.fail.Exception, match="no-such-server is not installed"):
        program("no-such-server")
