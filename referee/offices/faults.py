"""Our own faults: what stumbled is put aside or left for the next pass, the moderator is told, the queue goes on."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from datetime import datetime

import structlog

from referee.match.match import Match
from referee.offices.book import Unfoldable
from referee.offices.outgoing.speaker import Speaker
from referee.offices.passes import Counts
from referee.offices.ports.store import KeptMail, Settling, Unit
from referee.offices.registry import Registry

log = structlog.get_logger("referee.desk")


class Deadly(Exception):
    """The process ended more than once while a mail was in hand: it is put aside unread."""


class Faults:
    """Tells the moderator. The caller's savepoint has undone what the fault left half done."""

    def __init__(self, registry: Registry, speaker: Speaker) -> None:
        self._registry = registry
        self._speaker = speaker

    def of_mail(
        self,
        unit: Unit,
        mail: KeptMail,
        error: BaseException,
        now: datetime,
        proved: Sequence[tuple[str, int]],
    ) -> None:
        """Shunted: the mail is put aside with its traceback. `proved` are the seats that it proves to be of by more
        than its From: no other's deadline waits for it."""
        self._registry.book.forget()
        trace = "".join(traceback.format_exception(error))
        found = proved or (unit.seats_of(mail.sender) if mail.sender else [])
        match, seat = found[0] if len(found) == 1 else (None, None)
        seat = seat if proved else 0
        unit.settle(mail.id, Settling("shunted", trace, None, None, match, seat), now)
        key = ("shunted", mail.identity, mail.arrived.isoformat(), now.isoformat())
        context = {
            "topic": "shunted",
            "reason": type(error).__name__,
            "mail": mail,
            "about": mail.sender or "",
        }
        self._registry.post(unit, [self._speaker.alarm("A mail could not be judged", key, now, context)])

    def of_search(self, unit: Unit, match: Match, error: Exception, now: datetime, counts: Counts) -> None:
        """The referee's own answer was not found: held, until the moderator lets it be looked for again."""
        log.error("unsolved", match=match.name, trace="".join(traceback.format_exception(error)))
        unit.stick(match.name, match.version)
        subject = f"{match.name}: the referee's own answer was not found"
        counts.trouble.append(f"{subject}; see the log, and `referee unshunt {match.name}`")
        context = {"topic": "unsolved", "reason": type(error).__name__, "mail": None, "about": match.name}
        key = ("unsolved", match.name, str(match.version), now.isoformat())
        self._registry.post(unit, [self._speaker.alarm(subject, key, now, context)])

    def of_match(
        self, unit: Unit, name: str, what: str, error: Exception, now: datetime, counts: Counts
    ) -> None:
        """Something in a match: told once, tried at every pass. One that can't be folded is told of once, wherever it
        stumbled."""
        self._registry.book.forget()
        log.error("fault", match=name, what=what, trace="".join(traceback.format_exception(error)))
        unfolded = isinstance(error, Unfoldable)
        subject = f"{name}: its ledger can't be read" if unfolded else f"{name}: {what} could not be judged"
        trouble = f"{subject}; see the log"
        if trouble not in counts.trouble:
            counts.trouble.append(trouble)
        row = unit.match(name)
        key = ("fault", name, "ledger" if unfolded else what, str(row.version if row else 0))
        context = {
            "topic": "unfoldable" if unfolded else "fault", "reason": str(error) if unfolded else type(error).__name__,
            "mail": None, "about": name, "what": what,
        }  # fmt: skip
        self._registry.post(unit, [self._speaker.alarm(subject, key, now, context)])
