"""The collector: one kept mail in; its verdict, its effect and its answer out. Called inside a transaction.

Mails that nobody reads: by which an observer's letters end, reports on letters that came back, what programs and lists
send, what does not say for certain who sent it. Whoever sits at a table is not met with silence: of what may be his the
moderator is told. A command in a subject may be given by a seat as far as it is proved, by a stranger as far as it is
open to all.

And the inquiry, what the referee would make of a mail: everything is judged for real, then undone."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from referee.base.ports import Overrun, TimeLimit
from referee.core import seam
from referee.core.answers import Body
from referee.core.texts.addresses import address_key
from referee.core.value import Value
from referee.language.wishes import NO_WISHES
from referee.letters.letter import ADDRESS, AnsweredMail, Letter, Meant
from referee.letters.replies import counted_about, to_moderator, unreached
from referee.mail.mail import Bounce, Mail
from referee.match import events as ev
from referee.match.commands import Refused
from referee.match.match import Match
from referee.match.meanings import judged, meaning_of, understood
from referee.offices.decisions import OBSERVING
from referee.offices.register import Facts, mark_failing
from referee.store.engine import Again, again
from referee.store.post import KeptMail, OutgoingLetter
from referee.store.sql import Store
from referee.way import answers, limits, orders, replies, requests
from referee.way.answers import too_much
from referee.way.case import TELLING, Case, Settled, Undone, known
from referee.way.club import is_event, proves_itself, terms
from referee.way.commands import TABLE, change_address, hindrance
from referee.way.limits import asked_enough, enough, held, looped, told_today
from referee.way.room import Room
from referee.way.routing import Unrouted, named_gathering, readable

_MOST_CLAIMED = 20  # addresses in the From fields of one mail that are looked up
_UNSIGNED = "its From line does not say for certain who sent it"
_UNPROVED = "it names no letter of ours to that address, so nothing follows from it"


def triaged(case: Case) -> Case | Settled:
    """What a program sent, a forger, or one who wants no more letters; any other mail goes on."""
    if case.mail.triage.disposition == "read" and not case.mail.tokens:
        return case
    return _unsubscribed(case) or _bounced(case) or _automatic(case) or case


def _unsubscribed(case: Case) -> Settled | None:
    """A mail to the address by which an observer's letters end: whoever has it may end them,
    nothing is asked, and the observer is told once."""
    for token in case.mail.tokens:
        place = case.unit.seat_of_token(token)
        if place is None or place[1] != OBSERVING:
            continue
        match = case.room.matches.load(case.unit, place[0])
        watching = [a for a in match.observers if case.room.keys.stop_token(match.name, a) == token]
        letters = []
        for address in watching[:1]:
            to = AnsweredMail(address, "", None, (), case.kept.identity, case.now)
            after = case.does(match, ev.ObserverRemoved(address), "Observe")
            letters.append(case.written("unwatched", {"stop": True}, to=to, match=after))
        return case.settled("answered", "an observer's letters end", *letters, match=match.name)
    return None


def _automatic(case: Case) -> Settled | None:
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
            case = case.with_proof()
            return held(case, triage.reason, delays=not triage.suspect or case.proof.proved)
    return None if mail.sender is not None else held(case, _UNSIGNED, delays=True)


def _dropped(case: Case, dropped: Settled) -> Settled:
    """Discarded; but of a seat's mail that does not say for itself that a program wrote it the moderator is told:
    it may be the player's. No letter goes where it came from, so that a loop has no second turn."""
    mail = case.mail
    whose = (mail.claimed or ())[:_MOST_CLAIMED] or filter(None, [mail.sender])
    if mail.automatic or dropped.letters or not any(map(case.unit.seats_of, whose)):
        return dropped
    case = case.with_proof()
    return held(case, f"a seat's mail, unread: {dropped.reason}", delays=case.proof.proved)


# --- reports on letters that did not arrive (RFC 3464) --------------------------------------------


def _bounced(case: Case) -> Settled | None:
    """Discarded, and never answered; of what it proves, an alarm once a day for each address.
    Anybody can write one: what it says of an address counts only with the Message-ID of a letter of
    ours to that very address, which nobody but its reader and the servers on its way have seen."""
    if case.mail.triage.disposition != "bounce" or case.kept.released:
        return None
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
        # of a match that can't be folded no observers could be told apart: the report counts all the same
        match = case.room.matches.outline(unit, returned.match) if returned.match else None
        if match is not None and address in map(address_key, match.observers):
            unwatched = case.does(match, ev.ObserverRemoved(address), "unwatched").name
    seats = unit.seats_of(address)
    subject, key = f"A letter to {address} did not arrive", unreached(unit, address, case.now)
    facts: Facts = {"matches": sorted({name for name, _ in seats}), "again": again, "unwatched": unwatched}
    facts |= {"reason": note, "about": address, "permanent": permanent}
    alarm = to_moderator(case.room.speaker, "bounce", subject, key, case.now, mail=case.kept, **facts)
    return counted_about(alarm, seats, "reported")


# --- commands in a subject: who may give them, and what has to be asked before --------------------

OPEN_TO_ALL = TELLING | {"join", "observe", "stop"}
_ASKED = "a wish"  # the topic of being told that one was asked about already
PROPOSING = frozenset(("propose", "rematch"))
# Those that are judged as an answer is, and weighed as one until it shows what would come of them:
# they alone have a dry run.
TRIED = frozenset(("resign", "withdraw", "discard", "preview"))
_OF_A_SEAT = frozenset(("press", "resign", "preview", "substitute"))


def given(case: Case) -> Case | Settled:
    """What comes of a command; one judged like an answer goes on as an order to its seat."""
    command = case.command
    if not command:
        return case
    if command in TELLING and replies.to_a_person(case):
        tag = replace(case.mail.tag, command=None, argument="")
        return replace(case, mail=replace(case.mail, tag=tag, wishes=NO_WISHES))
    if (loop := looped(case)) is not None:
        return loop
    if command == "event":
        hindered = _of_desk(case)
    elif command in PROPOSING or (command == "withdraw" and named_gathering(case.unit, case.mail.tag)):
        hindered = _of_member(case, command)
    else:
        hindered = _hindered(case, command)
    if hindered is not None:
        return hindered
    known = case.known or case.proof.moderates or not case.wishing
    if case.mail.tag.preview and known and command not in TELLING | TRIED:
        return _as_writer(case).done("untried", good=False)
    return _by_command(case)


def _by_command(case: Case) -> Case | Settled:
    """What its function makes of a command; help where that can do nothing, or which seat is meant is not known."""
    case, handler = _as_writer(case), TABLE.get(case.command)
    if case.command in _OF_A_SEAT:
        if isinstance(at := requests.place_of(case), Unrouted):
            return requests.send_help(case, at.why, at)
        case = replace(case, at=at)
    return (handler(case) if handler else None) or requests.send_help(case)


def _hindered(case: Case, command: str) -> Settled | None:
    """Why it is not done, or not yet."""
    if not case.known:
        return _of_stranger(case, command)
    if command not in TELLING:
        doubted = not case.wishing and case.proof.seats and case.needs_confirmation(command)
        if doubted and command not in TRIED:
            return _at_fault(case) or replies.asked(case, case.some_seat, 0)
        if (refused := too_much(case)) is not None:
            return refused
    return _wished(case, command)


def _at_fault(case: Case) -> Settled | None:
    """What is wrong with a command, told at the registered address before anybody is asked whose it
    is: nothing comes of it in any case. None where nothing is."""
    done: Settled | Case | None = None
    if case.known and not case.proof.refuted:
        with suppress(Undone), case.unit.savepoint():
            done = _by_command(case)
            raise Undone
    if not isinstance(done, Settled):
        return None
    refused = any(letter.kind == "refusal" for letter in done.letters)
    return done if refused or done.reason.startswith("help") else None


def _of_desk(case: Case) -> Settled | None:
    """Events are a moderator's, and may be looked at by everybody."""
    if case.mail.tag.argument.lower().startswith("show"):
        return None if case.known else requests.spent_on(case)
    if case.may_order:
        return None
    if not case.proof.moderates:
        return requests.helped(case, Unrouted("nothing_asked", case.proof.seats))
    return _asked_already(case) or orders.asked(case, [case.mail.tag.text], "wish, unproved")


def _of_member(case: Case, command: str) -> Settled | None:
    """Only players propose, and only by mails that prove more than an address: of any other the owner is asked."""
    if not case.room.proposals.knows(case.unit, case.mail.sender or ""):
        return None if case.kept.confirmed else requests.helped(case, Unrouted("stranger"))
    only_asks = command == "propose" and terms(case).empty
    if only_asks or proves_itself(case) or (case.known and not case.needs_confirmation("propose")):
        return too_much(case)
    if case.known:
        return _at_fault(case) or replies.asked(case, case.some_seat, 0)
    return _wish(case, command, None)


def _of_stranger(case: Case, command: str) -> Settled | None:
    if case.proof.seats and command not in OPEN_TO_ALL:
        return replies.asked(case, case.some_seat, 0)
    if command == ADDRESS and case.room.persons.known(case.unit, case.mail.whose):
        return _wish(case, command, None) if requests.wanted_address(case) else change_address(case)
    entering = command == "join" and is_event(case, named_gathering(case.unit, case.mail.tag))
    decided = entering or case.room.settings.club.strangers == "off"
    shut = decided and case.wishing and not case.passed and not requests.let_in(case)
    if command not in OPEN_TO_ALL or shut:
        return requests.helped(case, Unrouted("stranger"))
    if (asked := _wished(case, command)) is not None:
        return asked
    # whoever has letters of a match may always end them
    match = requests.named_in(case) if command == "stop" else None
    stops = match is not None and match.known and case.sender.address in match.observers
    return None if case.passed or stops else requests.spent_on(case)


# --- a seat, or letters of a match ----------------------------------------------------------------


def _wished(case: Case, command: str) -> Settled | None:
    """A wish for a seat, or for letters of a match: held until the address itself has confirmed it,
    so that nobody can wish them for somebody else. None where nothing need be asked."""
    match = requests.named_in(case) if case.wishing else None
    if match is None or case.kept.confirmed:
        return None
    match = readable(match)
    if hindrance(match, _as_writer(case)) is not None:
        return None
    if command == "observe" and case.proof.from_there:
        return None
    return _wish(case, command, match)


def _wish(case: Case, command: str, match: Match | None) -> Settled | None:
    """The question to an address that is no seat's: do you wish to join this match, or to have its
    letters? Without a match: to propose one?"""
    about = Meant(about=case.kept.identity)
    letter = case.written("wish", {"command": command}, to=case.sender, reply=about, match=match)
    if case.kept.released and case.unit.letter(letter.head.message_id) is not None:
        return None  # asked already, and the moderator has said Yes for him
    if not case.kept.released and (already := _asked_already(case)) is not None:
        return already
    reason = f"its sender is asked whether he wishes to {command} {match.name if match else ''}".rstrip()
    return case.settled("held", reason, letter.counted(bucket=_bucket(case)), seat=0)


def _asked_already(case: Case) -> Settled | None:
    """Where the address has been asked today about as many wishes that it has not confirmed as it may be, which it is
    told once: a player's is held, a stranger's is not, since anybody can send any number."""
    if not asked_enough(case, _bucket(case), case.sender.address, doubtful=not case.proof.proved):
        return None
    once = not told_today(case, _ASKED, case.sender.address)
    told = (enough(case, "wish", 1, _ASKED, case.sender),) if once else ()
    reason = "its sender was asked about a wish today already"
    if case.strange:
        return case.settled("discarded", reason, *told)
    waiting = held(case, reason, delays=False, once=f"wishes of {case.mail.whose}")
    return replace(waiting, letters=(*waiting.letters, *told))


def _bucket(case: Case) -> str:
    """Of wishes: those that prove more are counted apart."""
    return "wish, proved" if case.proof.proved else "wish, unproved"


def _as_writer(case: Case) -> Case:
    """Whoever joins or watches does so as the address that he writes from."""
    joining = case.wishing and not case.proof.registered
    return replace(case, reader=case.sender) if joining else case


# --- the table

_NOTE = "(The rest of this mail was not kept: it held a pass phrase.)"


class Station(NamedTuple):
    """A station on the way of a mail: it gives the case, with what it has found out, for the next one to go on with; or
    what the mail is settled as; or None where it must wait for the referee's own answer. `measured`: the letters of
    what it settles count in their reader's measure, and end where they would make a loop."""

    name: str
    take: Callable[[Case], Case | Settled | None]
    measured: bool = False


WAY = (
    Station("triage", triaged),
    Station("sender", known),
    Station("replies", replies.answered),
    Station("repeat", limits.repeated),
    Station("the desk", orders.given),
    Station("words to a person", replies.agreed, measured=True),
    Station("evidence", replies.denied),
    Station("measure", limits.asked),
    Station("command", given, measured=True),
    Station("route", answers.routed, measured=True),
    Station("words", answers.in_own_words, measured=True),
    Station("meaning", answers.weighed),
    Station("heading", answers.headed, measured=True),
    Station("answer", answers.answered, measured=True),
)


def judge(case: Case) -> Settled | None:
    """What comes of a mail, as it was read, on the state that the earlier ones left; None where it
    must wait for the referee's own answer."""
    unit, kept, mail = case.unit, case.kept, case.mail
    unit.hold("person", mail.whose)  # whose mails are counted, one after the other
    for station in WAY:
        found = station.take(case)
        if not isinstance(found, Case):
            break
        case = found
    else:
        raise AssertionError("the way of a mail has an end")
    settled = limits.measured(case, found) if found is not None and station.measured else found
    if settled is not None and mail.secret and settled.disposition != "held":
        unit.mark(kept.id, raw=without_phrase(mail))
    return settled


def without_phrase(mail: Mail) -> bytes:
    """What is kept of a mail that held a pass phrase once it is settled: its head and its writer's
    own words, without the lines that held a phrase, as all readers behind the post see them.
    Quotes, attachments and other copies of the text are gone."""
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


class Inquiry(Value):
    """Reads a mail as the desk would at a given time; the store is as before afterwards."""

    store: Store
    room: Room
    limit: TimeLimit

    def read(self, raw: bytes, at: datetime, name: str = "") -> dict[str, object]:
        """The contract's facts of a mail that arrives at that time, and which is called so here."""
        room = self.room
        cut, raw = len(raw) > (largest := room.settings.mailbox.largest), raw[:largest]
        try:
            with self.limit.over(name):
                mail = room.reader.read(raw, cut=cut)
                kept = KeptMail(0, "", "", at, len(raw), cut, raw, mail.message_id, mail.sender)
                return self._facts(kept, mail, at)
        except Overrun as late:
            return self.given_up(late)

    @staticmethod
    def given_up(reason: BaseException) -> dict[str, object]:
        """The facts of a mail that can't be looked at."""
        facts = {"disposition": "shunted", "reason": str(reason), "sender": None, "evidence": "not judged"}
        facts |= {"subject": "", "match": None, "seat": None, "demand": None, "text": ""}
        left_out = [{"what": "the whole mail", "lines": 0}]
        return {**facts, "left_out": left_out, "complaints": [], "readings": [], "answer": None}

    @again
    def _facts(self, kept: KeptMail, mail: Mail, at: datetime) -> dict[str, object]:
        """What the collector would do, what it weighed, and on what evidence."""
        room, proof, readings, complaints = self.room, "not judged", list[Facts](), list[Facts]()
        settled: Settled | None = None
        try:
            with suppress(Undone), self.store.transaction() as unit:
                unit.now = at
                case = Case(room, unit, kept, mail)
                known = case.with_proof().proof.evidence
                settled = judge(case)
                if settled is not None and isinstance(settled.verdict, Refused):
                    game = room.matches.load(unit, settled.match or "").game
                    complaints = list(self._complaints(settled.verdict, game))
                readings = weighed(settled.case) if settled is not None and settled.case else []
                proof = known
                raise Undone
        except Again:
            raise
        except Exception as error:  # noqa: BLE001 - the desk would put the mail aside and go on
            settled = Settled("shunted", type(error).__name__)
        finally:
            room.matches.forget()
        mail = settled.case.mail if settled and settled.case else mail
        letter = settled.letters[0] if settled and settled.letters else None
        server = ": ".join(filter(None, (mail.evidence.kind, mail.evidence.detail)))
        return {
            "disposition": settled.disposition if settled else "waiting",
            "reason": settled.reason if settled else "the referee's own answer must come first",
            "sender": mail.sender,
            "evidence": f"{proof}; {server}",
            "subject": mail.subject,
            "match": settled.match if settled else None,
            "seat": settled.seat or None if settled else None,
            "demand": settled.demand if settled else None,
            "text": "\n".join(line.text for line in mail.own),
            "left_out": [{"what": part.what, "lines": part.lines} for part in mail.left_out],
            "complaints": complaints,
            "readings": readings,
            "answer": letter.kind if letter and letter.kind != "alarm" else None,
        }

    def _complaints(self, verdict: Refused, game: str) -> Iterator[Facts]:
        for of, told in (("mail", verdict.complaints), ("form", verdict.further)):
            for c in told:
                words = self.room.renderer.wording(c, game)
                lines = [{"number": line.number, "text": line.text} for line in c.lines]
                line = {"number": c.line.number, "text": c.line.text} if c.line else None
                facts = {"code": c.code, "rule": c.rule, "line": line, "lines": lines, "of": of}
                yield {**facts, **{part: words[part] for part in ("says", "mend")}}


# --- what was weighed -----------------------------------------------------------------------------


def weighed(case: Case) -> list[Facts]:
    """Every answer that the words of a mail to a seat, or a form that came with them, may be, in
    canonical lines where it could count, else as it was written; each once, what is `sure` first:
    it would count, and the words leave no doubt of it."""
    match = case.place.match
    if match.standing is None or match.status != "open":
        return []
    order, number, offers = case.order, case.number, case.meant.offers
    kind, own = (order.kind if order else None) or case.kind, case.body(case.mail.own)
    if order is None and (case.mail.agrees or number) and not case.form:
        taken = offers[number - 1 : number] if number else offers
        said = [(offer.heading, Body.of(offer.form)) for offer in taken]
    elif order is not None and order.lines is not None:
        said = [(kind, case.body(order.lines))]
    else:
        owed = (d.kind for _, d in match.due if d.seat == case.place.seat)
        said = [(each, own) for each in dict.fromkeys((kind, *owed))]
        said += [(kind, case.body(case.form))] if case.form else []
    told = [(meaning.demand.kind, meaning.text, False) for meaning in case.doubt]
    told += [one for each in said for one in _said(case, *each)]
    found = dict[tuple[str, str], bool]()
    for demand, text, sure in sorted(told, key=lambda one: not one[2]):
        found.setdefault((demand, text), sure)
    return [{"demand": demand, "text": text, "sure": sure} for (demand, text), sure in found.items()]


def _said(case: Case, kind: str, body: Body) -> Iterator[tuple[str, str, bool]]:
    """What lines say under a heading of that kind."""
    at, standing = case.place, case.place.match.standing
    demand, reading = understood(at.match, at.seat, kind, body)
    if (whole := judged(at.match, meaning_of(at.match, at.seat, kind, body))) is not None:
        yield whole.demand.kind, whole.text, not case.doubt
    elif reading.choices:
        yield from ((demand.kind, choice, False) for choice in reading.choices)
    elif reading.action is not None and reading.orders:
        fair = standing is not None and not standing.check(demand, reading.action)
        written = seam.write(case.game, at.match.inner, demand, reading.action) if fair else ""
        yield demand.kind, written if fair else "\n".join(line.text for line in reading.orders), False
