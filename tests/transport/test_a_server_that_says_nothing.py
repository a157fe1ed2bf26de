"""A server that accepts a connection and then says nothing, or never answers whether it is there: whoever asks has an
answer of their own in bounded time."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from typing import cast

import pytest

from referee.base.ports import MailboxTrouble
from referee.transport.account import Account, Security
from referee.transport.imap import PATIENCE, ImapMailbox
from referee.transport.smtp import SmtpCourier

WAITS = 0.5  # seconds
SECURITIES = ("plain", "starttls", "tls")


@pytest.fixture(params=["accepts", "is full"])
def port(request: pytest.FixtureRequest) -> Iterator[int]:
    """One takes what it is told and says nothing; the other's queue of connections is full, so that nothing comes."""
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        line.listen(0 if request.param == "is full" else 50)
        where = line.getsockname()
        others = [socket.socket() for _ in range(3 if request.param == "is full" else 0)]
        for each in others:
            each.setblocking(False)
            each.connect_ex(where)
        yield where[1]
        for each in others:
            each.close()


@pytest.mark.parametrize("security", SECURITIES)
@pytest.mark.parametrize("office", ["mailbox", "courier"])
def test_it_is_given_up_in_time(port: int, office: str, security: str) -> None:
    kind = cast("Security", security)
    account = Account("127.0.0.1", port, kind, "user", "word", connect_timeout=WAITS, timeout=WAITS)
    began = time.monotonic()
    if office == "courier":
        (fault, *_) = SmtpCourier(account).examine()[-1:]
        assert "can't be used" in fault
    else:
        with pytest.raises(MailboxTrouble):
            list(ImapMailbox(account).fetch(lambda uids: set(), 1000))
    assert time.monotonic() - began < WAITS * (PATIENCE + 2) + 3
