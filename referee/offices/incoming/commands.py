"""A command in a subject, on its way: whether its sender may give it, and what then comes of it."""

from __future__ import annotations

from dataclasses import dataclass

from referee.core.replacing import replace
from referee.core.texts.addresses import address_key
from referee.offices.incoming.case import Case, Order, Settled
from referee.offices.incoming.measures import Allowances, Loops
from referee.offices.incoming.requests.doors import proves_itself, terms
from referee.offices.incoming.requests.request import Request, Requests
from referee.offices.incoming.requests.seats import hindrance
from referee.offices.incoming.requests.table import OPEN_TO_ALL, PROPOSING, TELLING, TRIED, dealt_with
from referee.offices.incoming.routing import Unrouted, named_gathering
from referee.offices.incoming.trust.challenges import Challenges
from referee.offices.incoming.trust.doubtful import Doubtful
from referee.offices.incoming.trust.strangers import Strangers
from referee.offices.incoming.words.own_words import OwnWords
from referee.offices.outgoing.questions import desk_question


@dataclass(frozen=True, slots=True)
class CommandGate:
    """Of a seat as far as it is proved, of a stranger as far as it is open to all."""

    requests: Requests
    doubtful: Doubtful
    challenges: Challenges
    loops: Loops
    allowances: Allowances
    strangers: Strangers
    words: OwnWords

    def given(self, case: Case) -> Case | Settled:
        """What comes of a command; one that is judged like an answer goes on as an order to its seat. A mail without a
        command goes on as it is."""
        command = case.mail.tag.command
        if command is None or case.mail.tag.kind is not None:
            return case
        if self.loops.third_time(case):
            return self.loops.stop(case)
        if command == "event":
            hindered = self._of_desk(case)
        elif command in PROPOSING or (command == "withdraw" and named_gathering(case.unit, case.mail.tag)):
            hindered = self._of_member(case, command)
        else:
            hindered = self._hindered(case, command)
        if hindered is not None:
            return hindered
        request = self._request(case)
        if case.mail.tag.preview and command not in TELLING | TRIED:
            return self.requests.done(request, "untried", good=False)
        done = dealt_with(self.requests, request)
        return replace(case, order=done, at=done.route) if isinstance(done, Order) else done

    def _hindered(self, case: Case, command: str) -> Settled | None:
        """Why it is not done, or not yet."""
        touches = command not in TELLING
        if not case.known:
            return self._of_stranger(case, command, touches=touches)
        if touches and not case.wishing and self._is_weak(case, command):
            return self.doubtful.asked(case, case.some_seat, 0)
        if touches and (too_much := self.words.too_much(case)) is not None:
            return too_much
        return self._wished(case, command)

    def _of_desk(self, case: Case) -> Settled | None:
        """Events are a moderator's, and may be looked at by everybody."""
        if case.mail.tag.argument.lower().startswith("show"):
            return None if case.known else self.strangers.spent(case)
        if self.doubtful.senders.may_order(case.proof, case.mail):
            return None
        if not case.proof.moderates:
            return self.strangers.helped(case, Unrouted("nothing_asked", case.proof.seats))
        if self.challenges.asked_of_wishes(case):
            return self._asked_already(case)
        lines, arrived = [case.mail.tag.text], case.kept.arrived
        letter = desk_question(
            self.requests.speaker, case.sender, lines, case.mail, arrived, "wish, unproved"
        )
        return case.settled("held", "the moderator is asked whether it is his", letter, seat=0)

    def _of_member(self, case: Case, command: str) -> Settled | None:
        """Only players propose, and only by mails that prove more than an address: of any other the owner is asked."""
        if not self.requests.proposals.members.known(case.unit, case.mail.sender or ""):
            return self.strangers.helped(case, Unrouted("stranger"))
        only_asks = command == "propose" and terms(case).empty
        if only_asks or proves_itself(case) or (case.known and not self.doubtful.weak(case, "propose")):
            return self.words.too_much(case)
        if case.known:
            return self.doubtful.asked(case, case.some_seat, 0)
        if self.challenges.asked_of_wishes(case):
            return self._asked_already(case)
        letter = self.challenges.wish(case, None, command)
        return case.settled("held", f"its sender is asked whether he wishes to {command}", letter, seat=0)

    def _of_stranger(self, case: Case, command: str, *, touches: bool) -> Settled | None:
        if case.proof.seats and touches and command not in OPEN_TO_ALL:
            return self.doubtful.asked(case, case.some_seat, 0)
        if command not in OPEN_TO_ALL:
            return self.strangers.helped(case, Unrouted("stranger"))
        if (asked := self._wished(case, command)) is not None:
            return asked
        return None if case.passed or self._stops(case) else self.strangers.spent(case)

    def _is_weak(self, case: Case, command: str) -> bool:
        """Whether a command needs more proof. Whether a seat is given up shows only with the verdict: until then that
        is weighed as an order."""
        weighed = "order" if command in TRIED else command
        return bool(case.proof.seats) and self.doubtful.weak(case, weighed)

    # --- a seat, or letters of a match ---------------------------------------------------------------------------

    def _wished(self, case: Case, command: str) -> Settled | None:
        """A wish for a seat, or for letters of a match: held until the address itself has confirmed it, so that nobody
        can wish them for somebody else. None where nothing need be asked."""
        unit, kept, request = case.unit, case.kept, self._request(case, strange=True)
        match = self.requests.named(request)
        if not case.wishing or match is None or kept.confirmed:
            return None
        match = self.requests.readable(match)
        if hindrance(self.requests, match, request) is not None:
            return None
        if command == "observe" and case.proof.from_there:
            return None
        letter = self.challenges.wish(case, match, command)
        if kept.released and unit.letter(letter.head.message_id) is not None:
            return None  # asked already, and the moderator has said Yes for him
        if not kept.released and self.challenges.asked_of_wishes(case):
            return self._asked_already(case)
        reason = f"its sender is asked whether he wishes to {command} {match.name}"
        return case.settled("held", reason, letter, seat=0)

    def _asked_already(self, case: Case) -> Settled:
        """A wish beyond the day's question. A player's is held, a stranger's is not: anybody can send any number."""
        told, reason = self.allowances.asked_already(case), "its sender was asked about a wish today already"
        if case.strange:
            return case.settled("discarded", reason, *told)
        once = f"wishes of {address_key(case.sender.address)}"
        held = self.loops.held(case, reason, delays=False, once=once)
        return replace(held, letters=(*held.letters, *told))

    def _stops(self, case: Case) -> bool:
        """Whether an observer ends the letters that come to his address: that is always done."""
        match = self.requests.named(self._request(case, strange=True))
        watching = match is not None and match.known and case.sender.address in match.observers
        return watching and case.mail.tag.command == "stop"

    def _request(self, case: Case, *, strange: bool = False) -> Request:
        """What is asked, and whom to answer: whoever joins or watches does so as the address that he writes from."""
        joining = case.wishing and not case.proof.registered
        seats = () if strange or not case.known else case.proof.seats
        return Request(case, case.sender if joining else case.answering, seats)
