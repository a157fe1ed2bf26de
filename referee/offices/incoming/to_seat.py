"""A mail that is for a seat: its own words are judged by the match, and answered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.core.answers import Body
from referee.core.replacing import replace
from referee.core.seam import headings
from referee.match import commands as do
from referee.match.match import RoundName
from referee.match.meanings import Meaning, judged, meaning_of, meanings_of
from referee.offices.incoming.case import Case, Order, Settled
from referee.offices.incoming.moderators.questions import TOPIC, Questions
from referee.offices.incoming.requests.request import Request, Requests
from referee.offices.incoming.routing import Route, Unrouted, picked_match, seat_meant
from referee.offices.incoming.trust.doubtful import Doubtful
from referee.offices.incoming.trust.strangers import Strangers
from referee.offices.incoming.words.answers import Answers, Judgement, heard
from referee.offices.incoming.words.lines import asked_kind, order_in
from referee.offices.incoming.words.own_words import OwnWords
from referee.offices.register.matches import Matches


@dataclass(frozen=True, slots=True)
class ToSeat:
    """Takes it to its seat."""

    matches: Matches
    requests: Requests
    words: OwnWords
    doubtful: Doubtful
    answers: Answers
    strangers: Strangers
    questions: Questions

    def routed(self, case: Case) -> Case | Settled:
        """The case with the seat that it is for; help where there is none, or more than one."""
        if case.at is not None:
            return case
        if (chosen := self._chosen(case)) is not None:
            return chosen
        found = seat_meant(case.proof.seats, case.mail, case.replied)
        if isinstance(found, Route):
            return replace(case, at=found)
        return self._by_words(case, found) or self._helped(case, found)

    def _chosen(self, case: Case) -> Case | None:
        """The case with the answer that its mail picks of a letter which asked for which match it was, while the round
        lasts that it is for."""
        offered = picked_match(case.mail, case.replied)
        if offered is None:
            return None
        at = next(
            (s for s in case.proof.seats if (s.match.name, s.seat) == (offered.match, offered.seat)), None
        )
        rounds = {RoundName(r.label, r.opened) for r in at.match.rounds} if at else set()
        if at is None or not rounds.issuperset(offered.rounds):
            return None
        return replace(case, at=at, order=Order(at, offered.heading, Body.of(offered.form).lines))

    def _by_words(self, case: Case, unrouted: Unrouted[Route]) -> Case | Settled | None:
        """The case with the seat of the one match in which the sender's words fit what he owes, for sure or at all;
        where they fit in several, or the subject names another seat or match, which of them is meant is asked. Of a
        match that can't be read nobody knows what fits there; a heading of a game that he doesn't play says nothing."""
        asks = unrouted.why in ("which_match", "no_seat")
        weighed = asks and case.known and all(at.match.known for at in unrouted.seats)
        if not weighed or case.kept.cut or case.mail.tag.preview or self.words.too_much(case) is not None:
            return None
        if unrouted.why == "no_seat":
            tag = replace(case.mail.tag, game=None, kind=None, heading="", stated={})
            case = replace(case, mail=replace(case.mail, tag=tag))
        fitting, sure, meant = list[Route](), list[Route](), list[tuple[Route, Meaning]]()
        for at in _playing(unrouted.seats):
            kind, body = asked_kind(self.matches.game(at.match), at, case), case.body(case.mail.own)
            said = meanings_of(at.match, at.seat, kind, body)
            if not any(at.match.round_of(meaning.demand) for meaning in said):
                continue
            fitting.append(at)
            sure += [at] if meaning_of(at.match, at.seat, kind, body) is not None else []
            whole = judged(at.match, said[0]) if len(said) == 1 else None
            if whole is not None:
                meant.append((at, whole))
        if not meant:
            return None
        if len(sure) == 1 and (surely := [(at, whole) for at, whole in meant if at is sure[0]]):
            fitting, meant = sure, surely
        if len(fitting) == 1 and _named_no_other(case, fitting[0]):
            return replace(case, at=fitting[0])
        letter = self.answers.letters.which_match(heard(case), meant)
        return case.settled("answered", "asked for which match", letter)

    def within_limits(self, case: Case) -> Case | Settled:
        """The case in its sender's own words, if they are no more than is read."""
        case, too_much = self.words.sorted_out(case)
        if too_much is not None and self.doubtful.weak(case):
            return self.doubtful.asked(case, case.place, case.place.seat)
        return too_much or case

    def headed(self, case: Case) -> Case | Settled:
        """The case under a heading that counts."""
        found = self.words.headed(case)
        return self._helped(case, found) if isinstance(found, Unrouted) else found

    def _helped(self, case: Case, unrouted: Unrouted[Route]) -> Settled:
        """Help; and of a player's words that order nothing in any of his matches, to a person what is for one."""
        seats = [at for at in unrouted.seats if at.match.known]
        asks = unrouted.why in ("which_match", "nothing_asked") and case.known and seats
        if not asks or any(
            order_in(self.matches.game(at.match), at, case, case.mail.own) for at in _playing(seats)
        ):
            return self.strangers.helped(case, unrouted)
        passed, letters = self.questions.beside(case, seats[0], ())
        if passed == "offered" and len(seats) > 1:
            return self.strangers.helped(case, unrouted)  # an OK would not say for which match
        settled = self.strangers.helped(case, unrouted, passed)
        if passed == "offered":
            told = (replace(x, reply=replace(x.reply, asks="words")) for x in settled.letters)
            settled = replace(settled, letters=tuple(told))
        if letters:
            counted = (letter.counted(topic=TOPIC) for letter in settled.letters)
            settled = replace(settled, letters=(*counted, *letters))
        return replace(settled, match=seats[0].match.name, seat=seats[0].seat)

    def proved(self, case: Case) -> Case | Settled:
        """The case, if its sender proves enough for an order."""
        return self.doubtful.asked(case, case.place, case.place.seat) if self.doubtful.weak(case) else case

    def answered(self, case: Case) -> Settled | None:
        """The verdict; who would give up his seat is asked, unless his mail proves more than an address. None where the
        mail must wait for the referee's own answer."""
        at, sure = case.place, not self.doubtful.weak(case, "resign")
        # a match that has not begun has no game yet that could judge who leaves it
        filling = at.match.status == "filling" and not case.mail.tag.preview
        kind = (case.order.kind if case.order else None) or case.mail.tag.kind
        if filling and kind is not None and kind == headings(self.matches.game(at.match)).get("Resign"):
            return self._stepped_back(case, at) if sure else self.doubtful.asked(case, at, 0, leaving=True)
        found = self.answers.judged(case, at, case.order)
        if isinstance(found, Judgement):
            if found.leaves and not sure:
                return self.doubtful.asked(case, at, 0, leaving=True)
            found = self.answers.counted(case, at, found)
        return None if found is None else replace(found, mail=case.mail, case=case)

    def _stepped_back(self, case: Case, at: Route) -> Settled:
        request = Request(case, case.answering, (at,))
        self.requests.carry_out(request, at.match, do.StepBack(at.seat))
        return self.requests.done(request, "stepped_back", accepted=f"left {at.match.name}", at=at)


def _named_no_other(case: Case, at: Route) -> bool:
    """Whether its subject names no other match of the sender's and no other seat."""
    tag = case.mail.tag
    others = {seat.match.name.casefold() for seat in case.proof.seats} - {at.match.name.casefold()}
    named = {bracket.casefold() for bracket in tag.brackets}
    return named.isdisjoint(others) and tag.stated.get("seat") in (None, at.seat)


def _playing(seats: Sequence[Route]) -> Iterator[Route]:
    """Those in matches that go on."""
    return (at for at in seats if at.match.inner is not None and at.match.status == "open")
