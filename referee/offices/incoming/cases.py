"""A mail under judgement, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from referee.match.commands import Verdict
from referee.offices.incoming.senders import Standing
from referee.offices.outgoing.letters import Letter
from referee.offices.outgoing.readers import Answering
from referee.offices.ports.mail import Mail
from referee.offices.ports.store import KeptMail, OutgoingLetter, Settling, Unit


@dataclass(frozen=True, slots=True)
class Judged:
    """A mail's verdict and the letters that answer it; letters to others are queued by the registry."""

    settling: Settling
    letters: tuple[Letter, ...] = ()
    verdict: Verdict | None = None  # of an answer of a seat
    demand: str | None = None
    mail: Mail | None = None  # as an answer was judged: without an attached form that did not count


@dataclass(frozen=True, slots=True)
class Unproved:
    """An answer that would count, were it surer who sent it: its alleged sender is to be asked. Nothing is recorded."""


@dataclass(frozen=True, slots=True)
class Case:
    """A mail, who sent it, and the letter of ours it answers."""

    unit: Unit
    kept: KeptMail
    mail: Mail
    standing: Standing
    replied: OutgoingLetter | None
    now: datetime
    since: datetime | None = None  # when it began to count, where that was later than its arrival

    @property
    def purse(self) -> str:
        """Whose measure the answers count in: what proves itself never pays for what anybody could have written."""
        s = self.standing
        if not s.seats or not (s.registered or s.owned):
            return "stranger"
        return "proved" if s.proved else "player"

    @property
    def answering(self) -> Answering:
        """To the sender; of a mail from elsewhere that a seat's owner has confirmed, to him."""
        to, standing = answering(self.kept, self.mail), self.standing
        at = next((r for r in standing.seats if r.match.known), None)
        if at is None or not (standing.registered or standing.owned):
            return to
        owner = at.match.entrant(at.seat)
        address = to.address if standing.registered else owner.addresses[0]
        return replace(to, address=address, name=owner.name, zone=owner.zone)


def answering(kept: KeptMail, mail: Mail) -> Answering:
    """To the mail's sender, whoever he is."""
    return Answering(
        mail.sender or "", mail.sender_name, mail.subject, mail.message_id, mail.references,
        f"{kept.identity} {kept.arrived.isoformat()}",
    )  # fmt: skip
