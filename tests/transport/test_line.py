"""The metered line beside the library's own: the same conversation, but for an answer that has no end."""

import contextlib
import smtplib
import socket
import threading
from typing import Any

import pytest

from referee.transport.server import Allowance, Wrapping
from tests.servers.curt import Curt, curt
from tests.servers.ground import PATIENCE, eventually

MOST = 64 * 1024
ENDLESS = len(b"250-and more\r\n")  # bytes of a line of an answer without an end


def line_to(server: Curt, *, metered: bool) -> smtplib.SMTP:
    if not metered:
        return smtplib.SMTP("127.0.0.1", server.port, "here", timeout=PATIENCE)
    context: Any = Wrapping(Allowance(MOST, PATIENCE), None)
    return smtplib.SMTP_SSL("127.0.0.1", server.port, "here", timeout=PATIENCE, context=context)


def test_a_usual_conversation_is_the_same_both_ways() -> None:
    said = []
    for metered in (True, False):
        with curt() as server:
            server.answers = {"EHLO": "250-here\r\n250 SIZE 1000"}
            with line_to(server, metered=metered) as line:
                words = b"Subject: x\r\n\r\n" + b".words\r\n" * 20_000
                said.append([line.ehlo(), line.mail("a@x.example"), line.rcpt("rcpt550@x.example")])
                said[-1] += [line.rcpt("b@x.example"), line.data(words)]
            said[-1] += [*server.messages, *map(str.encode, server.reached)]  # type: ignore[arg-type]
    assert said[0] == said[1]


def test_an_answer_without_an_end_is_left_metered_and_read_on_by_the_library_alone() -> None:
    with curt() as server, line_to(server, metered=True) as line:
        server.endless = "EHLO"
        with pytest.raises(smtplib.SMTPServerDisconnected, match="longer than"):
            line.ehlo()
    with curt() as server:
        line, server.endless = line_to(server, metered=False), "EHLO"

        def read_on() -> None:
            with contextlib.suppress(smtplib.SMTPException):
                line.ehlo()

        reading = threading.Thread(target=read_on)
        reading.start()
        eventually(lambda: server.given * ENDLESS > 500 * MOST, "far more is read than buffers hold")
        assert reading.is_alive()
        line.sock.shutdown(socket.SHUT_RDWR)
        reading.join(PATIENCE)
        line.close()
