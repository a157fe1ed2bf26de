"""What would go on for ever - the same mail again, the same words again and again - and holding mails."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from referee.offices.incoming.case import Case, Settled
from referee.offices.outgoing.speaker import Speaker

_DAY = timedelta(days=1)
_COUNTED = frozenset(("accepted", "refused", "ignored", "answered"))


class Loops:
    """Breaks them. A seat's own corrections are no loop."""

    def __init__(self, speaker: Speaker) -> None:
        self._speaker = speaker

    def held(self, case: Case, reason: str, *, delays: bool) -> Settled:
        """Put aside for the moderator, who is told why. It is noted for its sender's only seat, and for seat 0 where it
        delays no deadline."""
        sender = case.mail.sender
        seats = case.unit.seats_of(sender) if sender else []
        match, seat = seats[0] if len(seats) == 1 else (None, None)
        alarm = self._speaker.alarm(
            "held", f"A mail is held: {reason}", ("held", case.kept.identity, case.kept.arrived.isoformat()),
            case.now, reason=reason, mail=case.kept, about=sender or "nobody",
        )  # fmt: skip
        return case.settled("held", reason, alarm, match=match, seat=seat if delays else 0)

    def came_before(self, case: Case) -> Settled | None:
        """The same mail under a new Message-ID: one effect; the answer says which one counted. None where it is the
        first of its kind, or was let in."""
        unit, kept, mail = case.unit, case.kept, case.mail
        first = next((m for m in unit.resends(mail.resend) if m.id != kept.id), None)
        if first is None or case.passed:
            return None
        reason = f"the same mail as no. {first.id}"
        if (mail.message_id and first.message_id == mail.message_id) or not unit.seats_of(mail.sender or ""):
            return case.settled("ignored", reason)
        context = {"mail": mail, "earlier": first, "demand": None, "label": "", "text": ""}
        return case.settled(
            "ignored", reason, self._speaker.answer("ignored", case.sender, case.now, context)
        )

    def stopped(self, case: Case, settled: Settled) -> Settled:
        """The same words a third time within a day, where they do not count: held, so that no loop goes on."""
        if settled.disposition in ("accepted", "held") or not self.third_time(case):
            return settled
        held = self.stop(case)
        return replace(held, match=settled.match) if settled.match and settled.seat else held

    def stop(self, case: Case) -> Settled:
        """Held as a loop: the moderator is told once a day, the sender nothing."""
        held = self.held(case, "the same words for the third time within a day", delays=False)
        same = case.unit.same_words(case.mail.words, case.kept.arrived - _DAY)
        return replace(held, letters=()) if any(m.verdict == "held" for m in same) else held

    @staticmethod
    def third_time(case: Case) -> bool:
        """Whether the same words of the same sender were settled twice within a day already."""
        kept, mail = case.kept, case.mail
        if case.passed or mail.tag.command == "phrase":
            return False  # the words that tell one phrase from another are kept nowhere
        before = case.unit.same_words(mail.words, kept.arrived - _DAY)
        return sum(m.id != kept.id and m.verdict in _COUNTED for m in before) >= 2
