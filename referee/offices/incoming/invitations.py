"""Replies to invitations: Yes, No and "never again", which count only from the address that was asked, at the reply
address of its own letter; and forms of proposals that come back."""

from __future__ import annotations

import re
from dataclasses import dataclass

from referee.core.replacing import replace
from referee.core.texts.addresses import address_key
from referee.offices.incoming.case import Case, Settled
from referee.offices.incoming.requests.doors import agreed, form_answered, left
from referee.offices.incoming.requests.programme import answered_entry
from referee.offices.incoming.requests.request import Request, Requests
from referee.offices.outgoing.letters import decoded
from referee.offices.register.people import People
from referee.store.club import Invitation

_YES_AS = re.compile(r"\s*yes\b[\s,.!-]*(?:as|i am|my name is)\s+(\S.{0,80}?)[.!]?\s*", re.IGNORECASE)
_NEVER = re.compile(r"[\s\"'*]*(?:no\b[\s,.!-]*)?never again[\s\"'*.!]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Invitations:
    """Takes the answers."""

    requests: Requests

    def answered(self, case: Case) -> Case | Settled:
        """What a reply to an invitation does; a form of a proposal goes on as one; any other mail goes on as it is."""
        if case.replied is not None and decoded(case.replied).reply.asks == "proposal":
            tag = case.mail.tag
            proposing = replace(tag, command="propose", kind=None, argument=form_answered(case).game)
            return case if tag.command else replace(case, mail=replace(case.mail, tag=proposing))
        if case.mail.tag.command and not case.repeats:
            return case
        tokens = case.mail.tokens
        if case.replied is not None and not self.requests.offices.tokens:
            tokens = (decoded(case.replied).head.token,)  # its Message-ID is known to nobody else either
        invited = next(filter(None, map(case.unit.invitation, tokens)), None)
        return case if invited is None else self._answer(case, invited)

    def _answer(self, case: Case, invited: Invitation) -> Settled:
        requests = self.requests
        known = requests.proposals.members.of(case.unit, invited.address)
        name, zone = (known.name, known.zone) if known else ("", None)
        request = Request(case, replace(case.sender, name=name, zone=zone))
        own = People(case.unit).proved_by(invited.address)
        if case.proof.refuted or address_key(case.mail.sender or "") not in own:
            return requests.done(request, "invitation_elsewhere", good=False)
        word, called = _word(case)
        row = case.unit.gathering(invited.gathering)
        if row is not None and row.kind == "event":
            return answered_entry(requests, request, invited, word, called)
        proposal = requests.proposals.load(case.unit, invited.gathering)
        if word == "never":
            case.unit.refuse(invited.address, proposal.by.address)
        if not word:
            return requests.done(request, "invitation_unclear", good=False, proposal=proposal)
        if proposal.status != "forming":
            topic = "never_again" if word == "never" else "proposal_over"
            return requests.done(request, topic, good=word == "never", proposal=proposal)
        if word == "yes":
            return self._yes(request, invited, called)
        if word == "never" and address_key(proposal.by.address) != invited.address:
            requests.proposals.decline(case.unit, proposal, invited.address, case.now)
            reason = f"asks not to be asked by {proposal.name}'s proposer"
            return requests.done(request, "never_again", accepted=reason, proposal=proposal)
        return left(requests, request, proposal, invited.address)

    def _yes(self, request: Request, invited: Invitation, called: str) -> Settled:
        proposal = self.requests.proposals.load(request.unit, invited.gathering)
        if proposal.plays(invited.address):
            return self.requests.done(request, "proposal_seated", good=False, proposal=proposal)
        if not proposal.room_for(invited.address):
            return self.requests.done(request, "proposal_full", good=False, proposal=proposal)
        return agreed(self.requests, request, proposal, invited.address, called)


def _word(case: Case) -> tuple[str, str]:
    """Yes, No, never, or nothing plain; and the name that a Yes gives."""
    mail = case.mail
    said = [line.text for line in mail.own if line.text.strip()]
    if said and _NEVER.fullmatch(said[0]):
        return "never", ""
    if said and (stated := _YES_AS.fullmatch(said[0])):
        return "yes", " ".join(stated[1].split())
    return {"yes": "yes", "no": "no"}.get(mail.consent, ""), ""
