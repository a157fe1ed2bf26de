"""Mails that nobody reads: by which an observer's letters end, reports on letters that came back, what programs and
lists send, what does not say for certain who sent it. Whoever sits at a table is not met with silence: of what may be
his the moderator is told."""

from __future__ import annotations

from dataclasses import replace

from referee.core.texts.addresses import address_key
from referee.match import commands as do
from referee.match.match import Match
from referee.offices.decisions import OBSERVING
from referee.offices.incoming.case import Case, Settled
from referee.offices.incoming.measures import held
from referee.offices.incoming.senders import proof_of
from referee.offices.outgoing.alarms import counted_about, to_moderator
from referee.offices.outgoing.letters import AnsweredMail, Letter
from referee.offices.outgoing.replies import answer
from referee.offices.ports.mail import Bounce
from referee.offices.register.people import People
from referee.store.outbox import OutgoingLetter

_MOST_CLAIMED = 20  # addresses in the From fields of one mail that are looked up
_UNSIGNED = "its From line does not say for certain who sent it"
_UNPROVED = "it names no letter of ours to that address, so nothing follows from it"


def unsubscribed(case: Case) -> Case | Settled:
    """A mail to the address by which an observer's letters end: whoever has it may end them, nothing is asked, and the
    observer is told once. Every other mail goes on."""
    for token in case.mail.tokens:
        place = case.unit.seat_of_token(token)
        if place is None or place[1] != OBSERVING:
            continue
        match = case.room.matches.load(case.unit, place[0])
        watching = [a for a in match.observers if case.room.keys.stop_token(match.name, a) == token]
        letters = (_no_more(case, match, address) for address in watching[:1])
        return case.settled("answered", "an observer's letters end", *letters, match=match.name)
    return case


def _no_more(case: Case, match: Match, address: str) -> Letter:
    to = AnsweredMail(address, "", None, (), case.kept.identity, case.now)
    after = _unwatch(case, match, address, "Observe")
    return answer(case.room.speaker, "observing", to, {"stop": True}, after)


def _unwatch(case: Case, match: Match, address: str, why: str) -> Match:
    cause, command = f"mail {case.kept.identity} {why}", do.Observe(address, stop=True)
    return case.room.decisions.carry_out(case.unit, match, command, case.now, cause).match


def automatic(case: Case) -> Case | Settled:
    """What is automatic, forged or in doubt; what the moderator has released goes on."""
    mail, unit, triage = case.mail, case.unit, case.mail.triage
    if not case.kept.released:
        if triage.disposition == "discard":
            return _dropped(case, Settled("discarded", triage.reason))
        if mail.claimed is not None:
            by_address = any(map(unit.seats_of, mail.claimed[:_MOST_CLAIMED]))
            if not by_address and not any(map(unit.seat_of_token, mail.tokens)):
                return Settled("discarded", triage.reason)
        if triage.disposition == "hold":
            proof = proof_of(case.room, unit, case.kept, mail)
            delays = not triage.suspect or proof.proved
            return held(replace(case, proof=proof), triage.reason, delays=delays)
    return case if mail.sender is not None else held(case, _UNSIGNED, delays=True)


def _dropped(case: Case, dropped: Settled) -> Settled:
    """Discarded; but of a seat's mail that does not say for itself that a program wrote it the moderator is told:
    it may be the player's. No letter goes where it came from, so that a loop has no second turn."""
    mail = case.mail
    whose = (mail.claimed or ())[:_MOST_CLAIMED] or filter(None, [mail.sender])
    if mail.automatic or dropped.letters or not any(map(case.unit.seats_of, whose)):
        return dropped
    proof = proof_of(case.room, case.unit, case.kept, mail)
    reason = f"a seat's mail, unread: {dropped.reason}"
    return held(replace(case, proof=proof), reason, delays=proof.proved)


# --- reports on letters that did not arrive (RFC 3464) --------------------------------------------------------------


def bounced(case: Case) -> Case | Settled:
    """Discarded, and never answered; of what it proves, an alarm once a day for each address. Anybody can write one:
    what it says of an address counts only with the Message-ID of a letter of ours to that very address, which nobody
    but its reader and the servers on its way have seen."""
    if case.mail.triage.disposition != "bounce" or case.kept.released:
        return case
    reason, bounce = case.mail.triage.reason, case.mail.bounce or Bounce((), ())
    sent = [letter for named in bounce.letter_ids if (letter := case.unit.letter(named)) is not None]
    proved = {
        letter.recipient: (letter, failure.note or failure.status or reason, failure.permanent)
        for failure in bounce.failures
        for letter in sent
        if address_key(letter.recipient) in set(map(address_key, failure.addresses))
    }
    alarms = tuple(_told(case, *one) for one in proved.values())
    about = ", ".join(failure.addresses[0] for failure in bounce.failures) or "no address is named"
    doubt = "" if proved else f" ({_UNPROVED})"
    return _dropped(case, Settled("discarded", f"{reason}: {about}{doubt}", alarms))


def _told(case: Case, returned: OutgoingLetter, note: str, permanent: bool) -> Letter:
    """The address is marked where it fails for good, and the letter goes to the player's next one; the alarm."""
    again = unwatched = None
    unit, address = case.unit, returned.recipient
    if permanent:
        People(unit).mark_failing(address, case.kept.arrived, note)
        again = case.room.outbox.send_again(unit, returned.message_id)
        unwatched = _unwatched(case, returned)
    seats = unit.seats_of(address)
    alarm = to_moderator(
        case.room.speaker,
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


def _unwatched(case: Case, returned: OutgoingLetter) -> str | None:
    """An observer whom letters do not reach observes no longer; the match. One that can't be folded has no
    observers that could be told apart: the report counts for the address all the same."""
    match = case.room.matches.outline(case.unit, returned.match) if returned.match else None
    if match is None or returned.recipient not in map(address_key, match.observers):
        return None
    return _unwatch(case, match, returned.recipient, "unwatched").name
