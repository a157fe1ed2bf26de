"""What would go on for ever - the same mail again, the same words again and again - and holding mails."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from referee.offices.incoming.cases import Judged, answering
from referee.offices.incoming.routing import Route
from referee.offices.outgoing.speaker import Speaker
from referee.offices.ports.mail import Mail
from referee.offices.ports.store import KeptMail, Settling, Unit

_DAY = timedelta(days=1)


class Loops:
    """Breaks them. A seat's own corrections are no loop."""

    def __init__(self, speaker: Speaker) -> None:
        self._speaker = speaker

    def held(
        self,
        unit: Unit,
        kept: KeptMail,
        mail: Mail,
        reason: str,
        now: datetime,
        at: Route | None = None,
        *,
        delays: bool = True,
    ) -> Judged:
        """Put aside for the moderator, who is told why. Its seat is its sender's only one, where none is given; it is
        noted for seat 0 where it `delays` no deadline."""
        found = unit.seats_of(mail.sender) if mail.sender else []
        match, seat = (at.match.name, at.seat) if at else found[0] if len(found) == 1 else (None, None)
        seat = seat if delays else 0
        alarm = self._speaker.alarm(
            f"A mail is held: {reason}",
            ("held", kept.identity, kept.arrived.isoformat()),
            now,
            {"topic": "held", "reason": reason, "mail": kept, "about": mail.sender or "nobody"},
        )
        return Judged(Settling("held", reason, mail.words, mail.resend, match, seat), (alarm,))

    def resent(self, unit: Unit, kept: KeptMail, mail: Mail, now: datetime) -> Judged:
        """The same mail under a new Message-ID: one effect; the answer says which one counted."""
        first = next(m for m in unit.resends(mail.resend) if m.id != kept.id)
        settling = Settling("ignored", f"the same mail as no. {first.id}", mail.words, mail.resend)
        if (mail.message_id and first.message_id == mail.message_id) or not unit.seats_of(mail.sender or ""):
            return Judged(settling)
        context = {"mail": mail, "earlier": first, "demand": None, "label": "", "text": ""}
        return Judged(settling, (self._speaker.answer("ignored", answering(kept, mail), now, context),))

    def calmed(self, unit: Unit, kept: KeptMail, mail: Mail, judged: Judged, now: datetime) -> Judged:
        """The same words a third time within a day, where they do not count: held, so that no loop goes on."""
        if judged.settling.verdict in ("accepted", "held") or not self.thrice(unit, kept, mail):
            return judged
        s = judged.settling
        at = (s.match, s.seat) if s.match and s.seat else None
        return self.stilled(unit, kept, mail, now, at)

    def stilled(
        self, unit: Unit, kept: KeptMail, mail: Mail, now: datetime, at: tuple[str, int] | None = None
    ) -> Judged:
        """Held as a loop: the moderator is told once a day, the sender nothing."""
        reason = "the same words for the third time within a day"
        held = self.held(unit, kept, mail, reason, now, delays=False)  # it did not count before either
        if at:
            held = replace(held, settling=replace(held.settling, match=at[0]))
        told = unit.same_words(mail.words, kept.arrived - _DAY)
        return replace(held, letters=()) if any(m.verdict == "held" for m in told) else held

    @staticmethod
    def thrice(unit: Unit, kept: KeptMail, mail: Mail) -> bool:
        """Whether the same words of the same sender were settled twice within a day already."""
        if kept.released or kept.confirmed or mail.tag.command == "phrase":
            return False  # the words that tell one phrase from another are kept nowhere
        before = unit.same_words(mail.words, kept.arrived - _DAY)
        settled = ("accepted", "refused", "ignored", "answered")
        return sum(m.id != kept.id and m.verdict in settled for m in before) >= 2
