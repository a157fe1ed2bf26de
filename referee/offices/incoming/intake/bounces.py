"""Letters that came back: the address is marked, the letter goes to the player's next one, the moderator is told."""

from __future__ import annotations

from dataclasses import dataclass

from referee.core.texts.addresses import address_key
from referee.match import commands as do
from referee.offices.decisions import Decisions
from referee.offices.incoming.case import Case, Settled
from referee.offices.outgoing.alarms import counted_about, to_moderator
from referee.offices.outgoing.letters import Letter
from referee.offices.outgoing.outbox import Outbox
from referee.offices.outgoing.speaker import Speaker
from referee.offices.ports.mail import Bounce
from referee.offices.register.matches import Matches
from referee.offices.register.people import People
from referee.store.outbox import OutgoingLetter

_UNPROVED = "it names no letter of ours to that address, so nothing follows from it"


@dataclass(frozen=True, slots=True)
class Bounces:
    """Reads reports on letters that did not arrive (RFC 3464); they are never answered. Anybody can write one: what it
    says of an address counts only with the Message-ID of a letter of ours to that very address, which nobody but its
    reader and the servers on its way have seen."""

    matches: Matches
    decisions: Decisions
    speaker: Speaker
    outbox: Outbox

    def settled(self, case: Case) -> Settled:
        """Discarded; of what it proves, an alarm once a day for each address."""
        reason, bounce = case.mail.triage.reason, case.mail.bounce or Bounce((), ())
        sent = [letter for named in bounce.letter_ids if (letter := case.unit.letter(named)) is not None]
        proved = {
            letter.recipient: (letter, failure.note or failure.status or reason, failure.permanent)
            for failure in bounce.failures
            for letter in sent
            if address_key(letter.recipient) in set(map(address_key, failure.addresses))
        }
        alarms = tuple(self._told(case, *one) for one in proved.values())
        about = ", ".join(failure.addresses[0] for failure in bounce.failures) or "no address is named"
        doubt = "" if proved else f" ({_UNPROVED})"
        return Settled("discarded", f"{reason}: {about}{doubt}", alarms)

    def _told(self, case: Case, returned: OutgoingLetter, note: str, permanent: bool) -> Letter:
        """Mark the address where it fails for good; the alarm."""
        again = unwatched = None
        unit, address = case.unit, returned.recipient
        if permanent:
            People(unit).mark_failing(address, case.kept.arrived, note)
            again = self.outbox.send_again(unit, returned.message_id)
            unwatched = self._unwatched(case, returned)
        seats = unit.seats_of(address)
        alarm = to_moderator(
            self.speaker,
            "bounce",
            f"A letter to {address} did not arrive",
            ("bounce", address, f"{case.now:%Y-%m-%d}"),
            case.now,
            reason=note,
            mail=case.kept,
            about=address,
            permanent=permanent,
            matches=sorted({name for name, _ in seats}),
            again=again,
            unwatched=unwatched,
        )
        return counted_about(alarm, seats, "reported")

    def _unwatched(self, case: Case, returned: OutgoingLetter) -> str | None:
        """An observer whom letters do not reach observes no longer; the match. One that can't be folded has no
        observers that could be told apart: the report counts for the address all the same."""
        match = self.matches.outline(case.unit, returned.match) if returned.match else None
        if match is None or returned.recipient not in map(address_key, match.observers):
            return None
        command, cause = do.Observe(returned.recipient, stop=True), f"mail {case.kept.identity} unwatched"
        self.decisions.carry_out(case.unit, match, command, case.now, cause)
        return match.name
