"""Doubtful mails, which prove too little for what they ask: held, and their owner is asked by a letter; a plain Yes or
No from there decides. That is weighed before anything that a mail says is answered, be it too much, wrong, or but a
dry run. A No below any other letter is heard as well. What says for itself that a program wrote it never comes here."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from referee.core.texts.addresses import address_key
from referee.letters.letter import Letter, Meant
from referee.letters.replies import challenge, challenge_key
from referee.match.match import Match
from referee.way.case import Case, Settled
from referee.way.limits import held, stopped
from referee.way.request import readable
from referee.way.routing import Route, seat_meant
from referee.way.seats import further_question

_SHOWN_LINES = 40
_DAY = timedelta(days=1)
_DENIED = "what is denied"  # what the mail server denies is counted in all matches together


# --- asking -------------------------------------------------------------------------------------------------------


def denied(case: Case) -> Case | Settled:
    """A mail of which a trusted server says that it is not from there. In a player's name: whatever it says, he is
    asked at most."""
    if not case.proof.denied:
        return case
    if not case.known:
        return stopped(case, case.settled("discarded", f"forged, it seems: {case.mail.evidence.detail}"))
    if case.quota != "denied" or case.passed:
        return case
    found = seat_meant(case.proof.seats, case.mail, case.replied)
    at = found if isinstance(found, Route) and found.match.known else case.some_seat
    return asked(case, at, at.seat)


def asked(case: Case, at: Route, seat: int, *, leaving: bool = False) -> Settled:
    """Held, and its owner is asked. `seat` 0 where no deadline need wait for it, as none does where From alone
    names the seat; `leaving` where the mail would give up the seat. A mail that asks for a further address: that one is
    asked at once, beside the mail's owner."""
    readable(at.match)
    proof = case.proof
    seat = seat if proof.proved else 0
    letter = _question(case, at, leaving=leaving)
    if letter is None:
        whose = f"for seat {at.seat} of {at.match.name}"
        reason = f"too many doubtful mails {whose} today; further ones are held without a word"
        return replace(
            held(case, reason, delays=True, once=f"{proof.best} {whose}"), match=at.match.name, seat=seat
        )
    there = None
    if case.mail.tag.command == "address" and proof.registered and not proof.refuted:
        there = further_question(case)
    reason = f"its owner is asked whether it is his ({proof.evidence})"
    match = at.match.name if seat else None
    return case.settled("held", reason, letter, *([there] if there else []), match=match, seat=seat)


def _question(case: Case, at: Route, *, leaving: bool) -> Letter | None:
    """The question to the registered address; None where it has had enough of them today. Mails are counted apart
    by what they prove and what they are about; of what is denied there is one a day in all, until it is
    confirmed."""
    unit, mail, proof, speaker = case.unit, case.mail, case.proof, case.room.speaker
    first = at.match.entrant(at.seat).addresses[0]
    address = mail.sender if proof.registered and mail.sender else first
    about = "leaving" if leaving else mail.tag.command or "an order"
    bucket = _DENIED if proof.refuted else f"{proof.best} of {at.match.name}/{at.seat}: {about}"
    unit.hold("bucket", f"{bucket} {address_key(address)}" if proof.refuted else bucket)
    most = case.room.settings.senders.challenges_a_day
    if proof.refuted:
        count, most = unit.bucket_since(bucket, case.now - _DAY, address), min(most, 1)
    else:
        count = unit.bucket_since(bucket, case.now - _DAY)
    known = unit.letter(speaker.message_id(*challenge_key(case.kept.identity, address))) is not None
    if not known and count >= most:
        return None
    lines = [line.text for line in mail.own]
    context = {
        "mail": mail,
        "proof": proof,
        "arrived": case.kept.arrived,
        "leaving": leaving,
        "shown": "\n".join(lines[:_SHOWN_LINES])[:4000],
        "more": len(lines) > _SHOWN_LINES,
    }
    return challenge(speaker, at.match, at.seat, address, case.kept.identity, case.now, context, bucket)


def wish(case: Case, match: Match | None, command: str) -> Letter:
    """The question to an address that is no seat's: do you wish to join this match, or to have its letters? Without
    a match: to propose one?"""
    about = Meant(about=case.kept.identity)
    letter = case.written("wish", {"command": command}, to=case.sender, reply=about, match=match)
    return letter.counted(bucket=_wishes(case))


def asked_of_wishes(case: Case) -> bool:
    """Whether the address has been asked today about as many wishes that it has not confirmed as it may be: one, of
    those that prove nothing."""
    case.unit.hold("person", address_key(case.sender.address))
    most = case.room.settings.senders.challenges_a_day
    told = case.unit.bucket_since(_wishes(case), case.now - _DAY, case.sender.address)
    return told >= (most if case.proof.proved else min(most, 1))


def _wishes(case: Case) -> str:
    """The bucket of wishes: those that prove more are counted apart."""
    return "wish, proved" if case.proof.proved else "wish, unproved"


# --- what is answered ---------------------------------------------------------------------------------------------


# --- a No below any other letter ----------------------------------------------------------------------------------
