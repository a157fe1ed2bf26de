"""Our own faults: what stumbled is put aside or left for the next pass, the moderator is told, the queue goes on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from referee.base.errors import traced
from referee.base.logs import Log
from referee.core.value import Value
from referee.letters.letter import Letter
from referee.letters.replies import counted_about, to_moderator, unreadable
from referee.match.match import Match
from referee.offices.decisions import Decisions
from referee.offices.passes import Counts
from referee.offices.register.matches import Unfoldable
from referee.store.engine import Again
from referee.store.inbox import KeptMail
from referee.store.matches import MatchStore
from referee.store.sql import Unit

log = Log("referee.desk")


class Faults(Value):
    """Tells the moderator. The caller's savepoint has undone what the fault left half done."""

    decisions: Decisions

    def _alarm(self, topic: str, subject: str, *key: str, now: datetime, **facts: Any) -> Letter:
        return to_moderator(self.decisions.speaker, topic, subject, (topic, *key), now, **facts)

    def of_mail(
        self,
        unit: MatchStore,
        mail: KeptMail,
        error: BaseException,
        now: datetime,
        proved: Sequence[tuple[str, int]],
    ) -> tuple[Letter, str | None, int | None]:
        """The alarm of a mail that is put aside, and the match and seat it is for. `proved`: the
        seats that it proves to be of by more than its From: no other's deadline waits for it."""
        self.decisions.matches.forget()
        found = proved or (unit.seats_of(mail.sender) if mail.sender else [])
        match, seat = found[0] if len(found) == 1 else (None, None)
        key, reason = (str(mail.id), mail.arrived.isoformat(), now.isoformat()), type(error).__name__
        about, subject = mail.sender or "", "A mail could not be judged"
        alarm = self._alarm("shunted", subject, *key, now=now, reason=reason, mail=mail, about=about)
        alarm = counted_about(alarm, found, "proved" if proved else "address")
        return alarm, match, seat if proved else 0

    def of_search(self, unit: Unit, match: Match, error: Exception, now: datetime, counts: Counts) -> None:
        """The referee's own answer was not found: held, until the moderator lets it be looked for again."""
        log.error("unsolved", match=match.name, trace=traced(error))
        unit.stick(match.name, match.version)
        subject = self.decisions.speaker.subject(match, "the referee's own answer was not found")
        counts.trouble.append(f"{subject}; see the log, and `referee unshunt {match.name}`")
        name, key, reason = match.name, (str(match.position), now.isoformat()), type(error).__name__
        alarm = self._alarm("unsolved", subject, name, *key, now=now, reason=reason, about=name)
        self.decisions.outbox.post(unit, [alarm])

    def of_clock(self, unit: Unit, why: str, now: datetime) -> None:
        """Of the machine on which the referee works."""
        subject, about = "The machine's clock can't be believed", self.decisions.speaker.offices.name
        alarm = self._alarm("clock", subject, now.isoformat(), now=now, reason=why, about=about)
        self.decisions.outbox.post(unit, [alarm])

    @contextmanager
    def apart(self, unit: Unit, name: str, what: str, now: datetime, counts: Counts) -> Iterator[None]:
        """What is done to one match, or gathering, apart from all others: where it stumbles nothing of it is left."""
        try:
            with unit.savepoint():
                yield
        except Again:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, all others must go on
            self.of_match(unit, name, what, error, now, counts)

    def of_match(
        self, unit: Unit, name: str, what: str, error: Exception, now: datetime, counts: Counts
    ) -> None:
        """Something in a match: told once, tried at every pass. One that can't be folded is told
        of once, wherever it stumbled."""
        speaker, row = self.decisions.speaker, unit.match(name)
        self.decisions.matches.forget()
        log.error("fault", match=name, what=what, trace=traced(error))
        version, game = (row.version, row.game) if row else (0, None)
        if isinstance(error, Unfoldable):
            alarm = unreadable(speaker, name, game, version, str(error), now)
        else:
            subject, reason = speaker.titled(name, game, f"{what} could not be judged"), type(error).__name__
            key = (name, what, str(version))
            alarm = self._alarm("fault", subject, *key, now=now, reason=reason, about=name, what=what)
        if (trouble := f"{alarm.head.subject}; see the log") not in counts.trouble:
            counts.trouble.append(trouble)
        self.decisions.outbox.post(unit, [alarm])
