"""The servers of the tests stand up, and say so when they can't."""

from __future__ import annotations

import psycopg
import pytest

from tests.servers.dovecot import Dovecot
from tests.servers.ground import listens, program
from tests.servers.postfix import Postfix

pytestmark = pytest.mark.server


def test_dovecot_and_postfix_listen(dovecot: Dovecot, postfix: Postfix) -> None:
    for port in (dovecot.imap, dovecot.imaps, dovecot.lmtp, postfix.smtp, postfix.submission, postfix.smtps):
        assert listens(port)


@pytest.mark.parametrize("turn", [1, 2])
def test_each_test_gets_an_empty_database(postgres_url: str, turn: int) -> None:
    with psycopg.connect(postgres_url.replace("+psycopg", "")) as line:
        line.execute("CREATE TABLE only_mine (turn int)")


def test_a_missing_program_is_a_skip_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REFEREE_SERVERS", raising=False)
    with pytest.raises(pytest.skip.Exception, match="no-such-server is not installed"):
        program("no-such-server")


def test_a_missing_program_is_a_failure_where_servers_are_required(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_SERVERS", "required")
    with pytest.raises(pytest.fail.Exception, match="no-such-server is not installed"):
        program("no-such-server")
