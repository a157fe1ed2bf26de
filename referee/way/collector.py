"""The collector: one kept mail in; its verdict, its effect and its answer out. Called inside a
transaction.

Mails that nobody reads: by which an observer's letters end, reports on letters that came back,
what programs and lists send, what does not say for certain who sent it. Whoever sits at a table is
not met with silence: of what may be his the moderator is told. A command in a subject may be given
by a seat as far as it is proved, by a stranger as far as it is open to all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, NamedTuple

from referee.core.texts.addresses import address_key
from referee.letters.letter import AnsweredMail, Letter
from referee.letters.questions import desk_question
from referee.letters.replies import answer, counted_about, to_moderator
from referee.mail.mail import Bounce, Mail
from referee.match import commands as do
from referee.match.match import Match
from referee.offices.decisions import OBSERVING
from referee.offices.register.matches import mark_failing
from referee.store.inbox import KeptMail
from referee.store.outbox import OutgoingLetter
from referee.store.sql import Unit
from referee.way import challenges, limits, to_seat
from referee.way.case import (
    TELLING,
    Case,
    Mailroom,
    Order,
    Settled,
    known,
    may_order,
    proof_of,
    weak,
)
from referee.way.limits import asked_already, held, stop, third_time
from referee.way.moderators import gate, questions
from referee.way.requests import club, person, seats, telling
from referee.way.requests.request import Request, helped, readable, spent_on
from referee.way.routing import Unrouted, named_gathering
from referee.way.words import answers
from referee.way.words.answers import too_much

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
        mark_failing(unit, address, case.kept.arrived, note)
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


OPEN_TO_ALL = TELLING | {"join", "observe", "stop"}
PROPOSING = frozenset(("propose", "rematch"))
# Those that are judged as an answer is, and weighed as one until it shows what would come of them: they alone have a
# dry run.
TRIED = frozenset(("resign", "withdraw", "discard", "preview"))

# None: it can't be done as it was asked; the help letter follows.
Handler = Callable[[Request], Settled | Order | None]
TABLE: dict[str, Handler] = {
    "help": Request.help,
    "status": telling.status,
    "board": telling.board,
    "games": telling.games,
    "rules": telling.rules,
    "syntax": telling.rules,
    "pieces": telling.rules,
    "list": telling.listing,
    "record": telling.record,
    "propose": club.propose,
    "rematch": club.rematch,
    "event": club.event,
    "withdraw": seats.withdraw,
    "discard": seats.discard,
    "resign": seats.resign,
    "preview": seats.preview,
    "join": seats.join,
    "observe": seats.observe,
    "stop": seats.observe,
    "timezone": seats.set_zone,
    "vacation": seats.take_absence,
    "press": seats.send_press,
    "renew": seats.renew,
    "substitute": person.name_substitute,
    "address": person.add_address,
    "format": person.set_format,
    "digest": person.set_format,
    "rating": person.wish_of_club,
    "listing": person.wish_of_club,
}


def given(case: Case) -> Case | Settled:
    """What comes of a command; one that is judged like an answer goes on as an order to its seat."""
    command = case.command
    if third_time(case):
        return stop(case)
    if command == "event":
        hindered = _of_desk(case)
    elif command in PROPOSING or (command == "withdraw" and named_gathering(case.unit, case.mail.tag)):
        hindered = _of_member(case, command)
    else:
        hindered = _hindered(case, command)
    if hindered is not None:
        return hindered
    request = _request(case)
    if case.mail.tag.preview and command not in TELLING | TRIED:
        return request.done("untried", good=False)
    handler = TABLE.get(command)
    done = (handler(request) if handler else None) or request.help()
    return replace(case, order=done, at=done.route) if isinstance(done, Order) else done


def _hindered(case: Case, command: str) -> Settled | None:
    """Why it is not done, or not yet."""
    touches = command not in TELLING
    if not case.known:
        return _of_stranger(case, command, touches=touches)
    if touches:
        # whether a seat is given up shows only with the verdict: until then that is weighed as an order
        weighed = "order" if command in TRIED else command
        if not case.wishing and case.proof.seats and weak(case, weighed):
            return challenges.asked(case, case.some_seat, 0)
        if (refused := too_much(case)) is not None:
            return refused
    return _wished(case, command)


def _of_desk(case: Case) -> Settled | None:
    """Events are a moderator's, and may be looked at by everybody."""
    if case.mail.tag.argument.lower().startswith("show"):
        return None if case.known else spent_on(case)
    if may_order(case):
        return None
    if not case.proof.moderates:
        return helped(case, Unrouted("nothing_asked", case.proof.seats))
    if challenges.asked_of_wishes(case):
        return _asked_already(case)
    lines, arrived, speaker = [case.mail.tag.text], case.kept.arrived, case.room.speaker
    letter = desk_question(speaker, case.sender, lines, case.mail, arrived, "wish, unproved")
    return case.settled("held", "the moderator is asked whether it is his", letter, seat=0)


def _of_member(case: Case, command: str) -> Settled | None:
    """Only players propose, and only by mails that prove more than an address: of any other the owner is asked."""
    if not case.room.proposals.members.known(case.unit, case.mail.sender or ""):
        return helped(case, Unrouted("stranger"))
    only_asks = command == "propose" and club.terms(case).empty
    if only_asks or club.proves_itself(case) or (case.known and not weak(case, "propose")):
        return too_much(case)
    if case.known:
        return challenges.asked(case, case.some_seat, 0)
    if challenges.asked_of_wishes(case):
        return _asked_already(case)
    letter = challenges.wish(case, None, command)
    return case.settled("held", f"its sender is asked whether he wishes to {command}", letter, seat=0)


def _of_stranger(case: Case, command: str, *, touches: bool) -> Settled | None:
    if case.proof.seats and touches and command not in OPEN_TO_ALL:
        return challenges.asked(case, case.some_seat, 0)
    if command not in OPEN_TO_ALL:
        return helped(case, Unrouted("stranger"))
    if (asked := _wished(case, command)) is not None:
        return asked
    return None if case.passed or _stops(case) else spent_on(case)


# --- a seat, or letters of a match ----------------------------------------------------------------------------------


def _wished(case: Case, command: str) -> Settled | None:
    """A wish for a seat, or for letters of a match: held until the address itself has confirmed it, so that nobody
    can wish them for somebody else. None where nothing need be asked."""
    unit, kept, request = case.unit, case.kept, _request(case, strange=True)
    match = request.named if case.wishing else None
    if match is None or kept.confirmed:
        return None
    match = readable(match)
    if seats.hindrance(match, request) is not None:
        return None
    if command == "observe" and case.proof.from_there:
        return None
    letter = challenges.wish(case, match, command)
    if kept.released and unit.letter(letter.head.message_id) is not None:
        return None  # asked already, and the moderator has said Yes for him
    if not kept.released and challenges.asked_of_wishes(case):
        return _asked_already(case)
    reason = f"its sender is asked whether he wishes to {command} {match.name}"
    return case.settled("held", reason, letter, seat=0)


def _asked_already(case: Case) -> Settled:
    """A wish beyond the day's question. A player's is held, a stranger's is not: anybody can send any number."""
    told, reason = asked_already(case), "its sender was asked about a wish today already"
    if case.strange:
        return case.settled("discarded", reason, *told)
    once = f"wishes of {address_key(case.sender.address)}"
    waiting = held(case, reason, delays=False, once=once)
    return replace(waiting, letters=(*waiting.letters, *told))


def _stops(case: Case) -> bool:
    """Whether an observer ends the letters that come to his address: that is always done."""
    match = _request(case, strange=True).named
    watching = match is not None and match.known and case.sender.address in match.observers
    return watching and case.command == "stop"


def _request(case: Case, *, strange: bool = False) -> Request:
    """What is asked, and whom to answer: whoever joins or watches does so as the address that he writes from."""
    joining = case.wishing and not case.proof.registered
    known = () if strange or not case.known else case.proof.seats
    return Request(case, case.sender if joining else case.answering, known)


_NOTE = "(The rest of this mail was not kept: it held a pass phrase.)"


class Station(NamedTuple):
    """A station on the way of a mail: it gives the case, with what it has found out, for the next one to go on with; or
    what the mail is settled as; or None where it must wait for the referee's own answer. `of` which mails it is: a
    reply answers a letter of ours, or goes to a reply address; a doubtful one is denied by a trusted server. The
    letters of what it settles are `counted` in their reader's measure, and `stopped` where they would make a loop."""

    name: str
    take: Callable[[Case], Case | Settled | None]
    of: Literal["a mail", "a reply", "a command", "a doubtful mail"] = "a mail"
    counted: bool = False
    stopped: bool = False

    def concerns(self, case: Case) -> bool:
        match self.of:
            case "a reply":
                return case.replied is not None or bool(case.mail.tokens)
            case "a command":
                return bool(case.command)
            case "a doubtful mail":
                return case.proof.denied
        return True


WAY = (
    Station("an observer's letters end", unsubscribed, "a reply"),
    Station("bounce", bounced),
    Station("automatic", automatic),
    Station("sender", known),
    Station("reply to a question", challenges.answered, "a reply"),
    Station("invitation", club.invited, "a reply", counted=True, stopped=True),
    Station("OK to an offer", answers.to_an_offer, "a reply"),
    Station("denial", challenges.disowned, "a reply", counted=True),
    Station("repeat", limits.came_before, counted=True),
    Station("the desk", gate.given),
    Station("words to a person", questions.agreed, "a reply", counted=True, stopped=True),
    Station("evidence", challenges.denied, "a doubtful mail", stopped=True),
    Station("measure", limits.asked, "a command", stopped=True),
    Station("command", given, "a command", counted=True, stopped=True),
    Station("route", to_seat.routed, counted=True, stopped=True),
    Station("limits", to_seat.within_limits, counted=True, stopped=True),
    Station("words", to_seat.understood, counted=True, stopped=True),
    Station("answer", answers.answered, counted=True, stopped=True),
)


@dataclass(frozen=True, slots=True)
class Collector:
    """Judges mails, one at a time, each on the state the earlier ones left."""

    room: Mailroom

    def read(self, kept: KeptMail) -> Mail:
        """The mail as all stations see it."""
        return self.room.reader.read(kept.raw, cut=kept.cut)

    def judge(
        self, unit: Unit, kept: KeptMail, mail: Mail, now: datetime, since: datetime | None = None
    ) -> Settled | None:
        """What comes of the mail, as it was read, or None where it must wait for the referee's own answer. `since` is
        when a mail that had been put aside began to count."""
        unit.hold("person", address_key(mail.sender or ""))  # whose mails are counted, one after the other
        case = Case(self.room, unit, kept, mail, now, since)
        for station in WAY:
            if not station.concerns(case):
                continue
            found = station.take(case)
            if not isinstance(found, Case):
                break
            case = found
        else:
            raise AssertionError("the way of a mail has an end")
        settled = found
        if settled is not None and station.counted:
            settled = limits.counted(case, settled)
        if settled is not None and station.stopped:
            settled = limits.stopped(case, settled)
        if settled is not None and mail.secret and settled.disposition != "held":
            unit.blank(kept.id, without_phrase(mail))
        return settled

    def proved(self, unit: Unit, kept: KeptMail, mail: Mail) -> list[tuple[str, int]]:
        """The seats of the sender, where more than a From says who he is."""
        proof = proof_of(self.room, unit, kept, mail)
        return [(at.match.name, at.seat) for at in proof.seats] if proof.proved else []

    def evidence(self, unit: Unit, kept: KeptMail, mail: Mail) -> str:
        """On what evidence the sender is who he says, in words."""
        return proof_of(self.room, unit, kept, mail).evidence


def without_phrase(mail: Mail) -> bytes:
    """What is kept of a mail that held a pass phrase once it is settled: its head and its writer's own words, without
    the lines that held a phrase, as all readers behind the post see them. Quotes, attachments and other copies of the
    text are gone."""
    head = {
        "From": f"{mail.sender_name} <{mail.sender}>".strip(),
        "Subject": mail.subject,
        "Message-ID": mail.message_id or "",
        "References": " ".join(mail.references),
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Transfer-Encoding": "8bit",
    }
    fields = [f"{name}: {' '.join(value.split())}" for name, value in head.items() if value]
    text = "\r\n".join([*fields, "", *(line.text for line in mail.own), "", _NOTE, ""])
    return text.encode("utf-8", "backslashreplace")
