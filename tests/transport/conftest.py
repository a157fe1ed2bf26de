"""A line to Dovecot that can be cut, and a mailbox whose referee reads through it."""

from collections.abc import Iterator

import pytest

from tests.servers.dovecot import Dovecot
from tests.servers.severing import Line
from tests.transport.mailboxes import ImapPlace


@pytest.fixture
def line(dovecot: Dovecot) -> Iterator[Line]:
    with Line(dovecot.imap) as between:
        yield between


@pytest.fixture
def place(dovecot: Dovecot, mail_user: str, line: Line) -> Iterator[ImapPlace]:
    """The referee's end goes through `line`, the players' end straight to the server."""
    imap = ImapPlace(dovecot, mail_user, line.port)
    yield imap
    imap.close()
