"""Our own faults: what stumbled is put aside or left for the next pass, the moderator is told, the queue goes on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

from referee.base.errors import traced
from referee.base.logs import Log
from referee.core.value import Value
from referee.letters.letter import Letter
from referee.letters.outbox import Outbox
from referee.letters.replies import counted_about, to_moderator, unreadable
from referee.letters.speaker import Speaker
from referee.match.match import Match
from referee.offices.passes import Counts
from referee.offices.register.matches import Matches, Unfoldable
from referee.store.engine import Again
from referee.store.inbox import KeptMail
from referee.store.matches import MatchStore
from referee.store.sql import Unit

log = Log("referee.desk")


class Faults(Value):
    """Tells the moderator. The caller's savepoint has undone what the fault left half done."""

    matches: Matches
    speaker: Speaker
    outbox: Outbox

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
        self.matches.forget()
        found = proved or (unit.seats_of(mail.sender) if mail.sender else [])
        match, seat = found[0] if len(found) == 1 else (None, None)
        key = ("shunted", str(mail.id), mail.arrived.isoformat(), now.isoformat())
        subject, reason = "A mail could not be judged", type(error).__name__
        alarm = to_moderator(
            self.speaker, "shunted", subject, key, now, reason=reason, mail=mail, about=mail.sender or ""
        )
        alarm = counted_about(alarm, found, "proved" if proved else "address")
        return alarm, match, seat if proved else 0

    def of_search(self, unit: Unit, match: Match, error: Exception, now: datetime, counts: Counts) -> None:
        """The referee's own answer was not found: held, until the moderator lets it be looked for again."""
        log.error("unsolved", match=match.name, trace=traced(error))
        unit.stick(match.name, match.version)
        subject = self.speaker.subject(match, "the referee's own answer was not found")
        counts.trouble.append(f"{subject}; see the log, and `referee unshunt {match.name}`")
        key = ("unsolved", match.name, str(match.position), now.isoformat())
        alarm = to_moderator(
            self.speaker, "unsolved", subject, key, now, reason=type(error).__name__, about=match.name
        )
        self.outbox.post(unit, [alarm])

    def of_clock(self, unit: Unit, why: str, now: datetime) -> None:
        """Of the machine on which the referee works."""
        subject, about = "The machine's clock can't be believed", self.speaker.offices.name
        key = ("clock", now.isoformat())
        alarm = to_moderator(self.speaker, "clock", subject, key, now, reason=why, about=about)
        self.outbox.post(unit, [alarm])

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
        self.matches.forget()
        log.error("fault", match=name, what=what, trace=traced(error))
        row = unit.match(name)
        version, game = (row.version, row.game) if row else (0, None)
        if isinstance(error, Unfoldable):
            alarm = unreadable(self.speaker, name, game, version, str(error), now)
        else:
            subject = self.speaker.titled(name, game, f"{what} could not be judged")
            key, reason = ("fault", name, what, str(version)), type(error).__name__
            alarm = to_moderator(
                self.speaker, "fault", subject, key, now, reason=reason, about=name, what=what
            )
        if (trouble := f"{alarm.head.subject}; see the log") not in counts.trouble:
            counts.trouble.append(trouble)
        self.outbox.post(unit, [alarm])
