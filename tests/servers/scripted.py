"""An SMTP server that answers by script: at any stage, any words, or none at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.servers.ground import free_ports

HANG_UP = "hang up"


@dataclass
class Script:
    """What to answer at a stage (`EHLO`, `MAIL`, `RCPT`, `DATA`), in order; then the usual. HANG_UP closes the line."""

    answers: dict[str, list[str]] = field(default_factory=dict)
    cap: int | None = None  # letters per connection, then 452
    taken: list[tuple[str, list[str], bytes, list[str]]] = field(default_factory=list)
    connections: int = 0
    port: int = 0

    def say(self, stage: str, *answers: str) -> None:
        self.answers.setdefault(stage, []).extend(answers)

    def _next(self, stage: str, server: SMTP) -> str | None:
        if not self.answers.get(stage):
            return None
        answer = self.answers[stage].pop(0)
        if answer == HANG_UP:
            assert server.transport is not None
            server.transport.abort()
        return answer

    async def handle_EHLO(
        self, server: SMTP, session: Session, envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        self.connections += 1
        session.host_name = hostname
        answer = self._next("EHLO", server)
        return responses if answer is None else [answer]

    async def handle_HELO(self, server: SMTP, session: Session, envelope: Envelope, hostname: str) -> str:
        return self._next("HELO", server) or "250 localhost"

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        session.carried = getattr(session, "carried", 0)  # type: ignore[attr-defined]
        if self.cap is not None and session.carried >= self.cap:  # type: ignore[attr-defined]
            return "452 4.5.3 Enough letters for one connection"
        answer = self._next("MAIL", server)
        if answer is None:
            envelope.mail_from = address
            envelope.mail_options.extend(options)
        return answer or "250 OK"

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        answer = self._next("RCPT", server)
        if answer is None:
            envelope.rcpt_tos.append(address)
        return answer or "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        answer = self._next("DATA", server)
        if answer is None:
            session.carried += 1  # type: ignore[attr-defined]
            content = envelope.original_content or b""
            self.taken.append((envelope.mail_from or "", envelope.rcpt_tos, content, envelope.mail_options))
        return answer or "250 Taken"


@contextmanager
def scripted(**settings: object) -> Iterator[Script]:
    """A server on a port of its own; `settings` are aiosmtpd's."""
    script = Script(port=free_ports(1)[0])
    server = Controller(script, hostname="127.0.0.1", port=script.port, **settings)  # type: ignore[arg-type]
    server.start()
    try:
        yield script
    finally:
        server.stop()
