"""Mails that nobody reads: reports on letters, what programs and lists send, what does not say for certain who sent it.
Whoever sits at a table is not met with silence: of what may be his the moderator is told."""

from __future__ import annotations

from dataclasses import dataclass

from referee.core.replacing import replace
from referee.offices.incoming.case import Case, Settled
from referee.offices.incoming.intake.bounces import Bounces
from referee.offices.incoming.measures import Loops
from referee.offices.incoming.senders import Senders

_MOST_CLAIMED = 20  # addresses in the From fields of one mail that are looked up
_UNSIGNED = "its From line does not say for certain who sent it"


@dataclass(frozen=True, slots=True)
class Unread:
    """Puts aside what triage has found to be no person's mail, or doubtful."""

    senders: Senders
    bounces: Bounces
    loops: Loops

    def reported(self, case: Case) -> Case | Settled:
        """A report on a letter of ours that did not arrive."""
        if case.mail.triage.disposition != "bounce" or case.kept.released:
            return case
        return self._dropped(case, self.bounces.settled(case))

    def sorted_out(self, case: Case) -> Case | Settled:
        """What is automatic, forged or in doubt; what the moderator has released goes on."""
        mail = case.mail
        if mail.triage.disposition == "discard" and not case.kept.released:
            return self._dropped(case, Settled("discarded", mail.triage.reason))
        if mail.claimed is not None and not case.kept.released:
            by_address = any(map(case.unit.seats_of, mail.claimed[:_MOST_CLAIMED]))
            if not by_address and not any(map(case.unit.seat_of_token, mail.tokens)):
                return Settled("discarded", mail.triage.reason)
        if mail.triage.disposition == "hold" and not case.kept.released:
            proof = self.senders.proof_of(case.unit, case.kept, mail)
            delays = not mail.triage.suspect or proof.proved
            return self.loops.held(replace(case, proof=proof), mail.triage.reason, delays=delays)
        return case if case.mail.sender is not None else self.loops.held(case, _UNSIGNED, delays=True)

    def _dropped(self, case: Case, dropped: Settled) -> Settled:
        """Discarded; but of a seat's mail that does not say for itself that a program wrote it the moderator is told:
        it may be the player's. No letter goes where it came from, so that a loop has no second turn."""
        mail = case.mail
        whose = (mail.claimed or ())[:_MOST_CLAIMED] or filter(None, [mail.sender])
        if mail.automatic or dropped.letters or not any(map(case.unit.seats_of, whose)):
            return dropped
        proof = self.senders.proof_of(case.unit, case.kept, mail)
        case = replace(case, proof=proof)
        return self.loops.held(case, f"a seat's mail, unread: {dropped.reason}", delays=proof.proved)
