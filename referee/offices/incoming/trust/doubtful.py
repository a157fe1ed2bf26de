"""Whose a mail is, and what becomes of one that proves too little for what it asks: held, and the owner of the seat is
asked. That is weighed before anything that it says is answered, be it too much, wrong, or but a dry run."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from referee.core.replacing import replace
from referee.core.texts.addresses import address_key
from referee.offices.incoming.case import Case, Settled
from referee.offices.incoming.measures import Loops
from referee.offices.incoming.requests.request import Request, Requests
from referee.offices.incoming.routing import Route, seat_meant
from referee.offices.incoming.senders import SenderProof, Senders
from referee.offices.incoming.trust.challenges import Challenges
from referee.offices.outgoing.letters import Letter
from referee.offices.ports.mail import Mail
from referee.offices.register.people import People


@dataclass(frozen=True, slots=True)
class Doubtful:
    """Asks whose a mail is."""

    senders: Senders
    challenges: Challenges
    loops: Loops
    requests: Requests

    def known(self, case: Case) -> Case:
        """The case, and what is known of its sender: a seat's address as it is registered, however the mail spells it.
        A From alone brings no address back to life, and makes no loop of what proves itself."""
        mail = case.mail
        proof = self.senders.proof_of(case.unit, case.kept, mail)
        at = next((at for at in proof.seats if proof.registered and at.match.known), None)
        if at is not None:
            mail = replace(mail, sender=at.match.spelt(at.seat, mail.sender or ""))
        if proof.proved:
            People(case.unit).heard_of(mail.sender or "", case.kept.arrived)
            mail = replace(mail, words=sha256(f"proved {mail.words}".encode()).hexdigest())
        case = replace(case, mail=mail, proof=proof)
        if case.answering.address != case.sender.address:
            case.unit.hold("person", address_key(case.answering.address))
        return case

    def denied(self, case: Case) -> Case | Settled:
        """A mail of which a trusted server says that it is not from there. In a player's name: whatever it says, he is
        asked at most."""
        if case.proof.denied and not case.known:
            return case.settled("discarded", f"forged, it seems: {case.mail.evidence.detail}")
        case = replace(case, mail=doubted(case.mail, case.proof))
        if case.quota != "denied" or case.passed:
            return case
        found = seat_meant(case.proof.seats, case.mail, case.replied)
        at = found if isinstance(found, Route) and found.match.known else case.some_seat
        return self.asked(case, at, at.seat)

    def weak(self, case: Case, command: str = "order") -> bool:
        """Whether the mail proves less than that needs."""
        return self.senders.weigh(case.proof, case.mail, command) != "enough"

    def asked(self, case: Case, at: Route, seat: int, *, leaving: bool = False) -> Settled:
        """Held, and its owner is asked. `seat` 0 where no deadline need wait for it, as none does where From alone
        names the seat; `leaving` where the mail would give up the seat."""
        self.requests.readable(at.match)
        seat = seat if case.proof.proved else 0
        letter = self.challenges.letter(case, at, leaving=leaving)
        if letter is None:
            whose = f"for seat {at.seat} of {at.match.name}"
            reason = f"too many doubtful mails {whose} today; further ones are held without a word"
            held = self.loops.held(case, reason, delays=True, once=f"{case.proof.best} {whose}")
            return replace(held, match=at.match.name, seat=seat)
        reason = f"its owner is asked whether it is his ({case.proof.evidence})"
        match = at.match.name if seat else None
        return case.settled("held", reason, letter, *self._asked_there(case), match=match, seat=seat)

    def _asked_there(self, case: Case) -> tuple[Letter, ...]:
        """A mail that asks for a further address: that one is asked at once, beside the mail's owner."""
        proof = case.proof
        if case.mail.tag.command != "address" or not proof.registered or proof.refuted:
            return ()
        asked = self.requests.further_question(Request(case, case.answering, proof.seats))
        return (asked,) if asked else ()


def doubted(mail: Mail, proof: SenderProof) -> Mail:
    """The mail, with what its answer must say of a signature that proves nothing."""
    if proof.signed is not False:
        return mail
    return replace(mail, faults=(*mail.faults, f"its OpenPGP signature proves nothing ({proof.doubt})"))
