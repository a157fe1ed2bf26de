"""The collector: one kept mail in; its verdict, its effect and its answer out. Called inside a transaction."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from referee.core.addresses import address_key
from referee.core.replacing import replace
from referee.core.seam import gives_up_seat, headings
from referee.match import commands as do
from referee.match.match import Former, Match
from referee.match.sealing import Keys
from referee.offices.decisions import OBSERVING
from referee.offices.incoming.answers import Answers, Judgement, Order
from referee.offices.incoming.bounces import Bounces
from referee.offices.incoming.case import Case, Settled
from referee.offices.incoming.challenges import Challenges
from referee.offices.incoming.lines import as_meant, consents, words_alone
from referee.offices.incoming.measures import WORDS, Allowances, Excess, Loops, excess, question
from referee.offices.incoming.quotes import Quotes
from referee.offices.incoming.requests.request import Request, Requests
from referee.offices.incoming.requests.seats import hindrance
from referee.offices.incoming.requests.table import OPEN_TO_ALL, TELLING, TRIED, dealt_with
from referee.offices.incoming.routing import Astray, Route, answered_letter, route
from referee.offices.incoming.senders import Senders, Standing
from referee.offices.matches import Matches
from referee.offices.outgoing.letters import AnsweredMail, Letter, decoded
from referee.offices.outgoing.speaker import Speaker
from referee.offices.people import People
from referee.offices.ports.mail import Mail, MailReading, Proof
from referee.offices.ports.store import KeptMail, Unit
from referee.offices.settings import LimitsSection

_MOST_CLAIMED = 20  # addresses in the From fields of one mail that are looked up
_NOTE = "(The rest of this mail was not kept: it held a pass phrase.)"


@dataclass(frozen=True, slots=True)
class Collector:
    """Judges mails, one at a time, each on the state the earlier ones left."""

    reader: MailReading
    senders: Senders
    challenges: Challenges
    bounces: Bounces
    loops: Loops
    allowances: Allowances
    answers: Answers
    quotes: Quotes
    requests: Requests
    matches: Matches
    speaker: Speaker
    keys: Keys
    limits: LimitsSection

    def judge(
        self, unit: Unit, kept: KeptMail, now: datetime, since: datetime | None = None
    ) -> Settled | None:
        """What comes of the mail, or None where it must wait for the referee's own answer. `since` is when a mail that
        had been put aside began to count."""
        case = Case(unit, kept, self._read(kept), now, since)
        whose = address_key(case.mail.sender or "")
        unit.hold("person", whose)  # whose mails are counted, one after the other
        settled = self._stopped(case) or self._triaged(case)
        if settled is None:
            settled = self._weighed(self._with_sender(case))
        if settled is not None and case.mail.phrases and settled.disposition != "held":
            unit.blank(kept.id, without_phrases(case.mail))
        return settled

    def proved(self, unit: Unit, kept: KeptMail) -> list[tuple[str, int]]:
        """The seats of the sender, where more than a From says who he is."""
        standing = self.senders.standing(unit, kept, self._read(kept))
        return [(at.match.name, at.seat) for at in standing.seats] if standing.proved else []

    def evidence(self, unit: Unit, kept: KeptMail, mail: Mail) -> str:
        """On what evidence the sender is who he says, in words."""
        return self.senders.standing(unit, kept, mail).evidence

    def _read(self, kept: KeptMail) -> Mail:
        return self.reader.read(kept.raw, cut=kept.cut, proof=Proof(kept.proof, kept.signature))

    # --- before anybody asks what it says ------------------------------------------------------------------------

    def _stopped(self, case: Case) -> Settled | None:
        """A mail to the address by which an observer's letters end: whoever has it may end them, nothing is asked,
        and the observer is told once. None for every other mail."""
        for token in case.mail.tokens:
            place = case.unit.seat_of_token(token)
            if place is None or place[1] != OBSERVING:
                continue
            match = self.matches.load(case.unit, place[0])
            watching = [a for a in match.observers if self.keys.stop_token(match.name, a) == token]
            letters = (self._no_more(case, match, address) for address in watching[:1])
            return case.settled("answered", "an observer's letters end", *letters, match=match.name)
        return None

    def _no_more(self, case: Case, match: Match, address: str) -> Letter:
        to = AnsweredMail(address, "", None, (), case.kept.identity)
        command = do.Observe(address, stop=True)
        after = self.requests.carry_out(Request(case, to), match, command).match
        return self.speaker.answer("observing", to, case.now, {"stop": True}, after)

    def _triaged(self, case: Case) -> Settled | None:
        kept, mail = case.kept, case.mail
        if kept.released:
            return self._unsigned(case)
        if mail.disposition == "bounce":
            return self._dropped(case, self.bounces.settled(case))
        if mail.disposition == "discard":
            return self._dropped(case, Settled("discarded", mail.reason))
        if mail.claimed is not None and not self._of_a_seat(case, mail.claimed):
            return Settled("discarded", mail.reason)
        if mail.disposition == "hold":
            standing = self.senders.standing(case.unit, kept, mail)
            delays = not mail.suspect or standing.proved
            return self.loops.held(replace(case, standing=standing), mail.reason, delays=delays)
        return self._unsigned(case)

    def _unsigned(self, case: Case) -> Settled | None:
        if case.mail.sender is not None:
            return None
        return self.loops.held(case, "its From line does not say for certain who sent it", delays=True)

    def _dropped(self, case: Case, dropped: Settled) -> Settled:
        """What nobody reads; but of a seat's mail that does not say for itself that a program wrote it the moderator is
        told: it may be the player's. No letter goes where it came from, so that a loop has no second turn."""
        mail = case.mail
        whose = (mail.claimed or ())[:_MOST_CLAIMED] or filter(None, [mail.sender])
        if mail.automatic or dropped.letters or not any(map(case.unit.seats_of, whose)):
            return dropped
        standing = self.senders.standing(case.unit, case.kept, mail)
        case = replace(case, standing=standing)
        return self.loops.held(case, f"a seat's mail, unread: {dropped.reason}", delays=standing.proved)

    @staticmethod
    def _of_a_seat(case: Case, claimed: tuple[str, ...]) -> bool:
        """Whether any of those a mail may be from has a seat."""
        by_address = any(case.unit.seats_of(address) for address in claimed[:_MOST_CLAIMED])
        return by_address or any(case.unit.seat_of_token(token) for token in case.mail.tokens)

    def _with_sender(self, case: Case) -> Case:
        """The case, and what is known of its sender: a seat's address as it is registered, however the mail spells it.
        A From alone brings no address back to life, and makes no loop of what proves itself."""
        mail = case.mail
        standing = self.senders.standing(case.unit, case.kept, mail)
        at = next((at for at in standing.seats if standing.registered and at.match.known), None)
        if at is not None:
            mail = replace(mail, sender=at.match.spelt(at.seat, mail.sender or ""))
        if standing.proved:
            People(case.unit).heard_of(mail.sender or "", case.kept.arrived)
            mail = replace(mail, words=sha256(f"proved {mail.words}".encode()).hexdigest())
        case = replace(case, mail=mail, standing=standing)
        if case.answering.address != case.sender.address:
            case.unit.hold("person", address_key(case.answering.address))
        return case

    def _weighed(self, case: Case) -> Settled | None:
        """A reply to a question of ours, a No below another letter, the same mail again, or a mail that says
        something."""
        case = self._replying(case)
        if (answered := self.challenges.answered(case)) is not None:
            return answered
        if (noted := self.challenges.disowned(case)) is not None:
            return self.allowances.answered(case, noted)
        if (again := self.loops.came_before(case)) is not None:
            return self.allowances.answered(case, again)
        settled = self._measured(case)
        return None if settled is None else self.loops.stopped(case, settled)

    def _replying(self, case: Case) -> Case:
        """The case with the letter of ours that its mail answers. A subject that is but that letter's orders nothing:
        it names the match, and what the letter was about."""
        replied = answered_letter(case.unit, case.mail)
        if replied is None:
            return case
        ours, mail = decoded(replied).subject, case.mail
        if not self.reader.repeats(mail.subject, ours):
            return replace(case, replied=replied)
        trying = mail.tag.preview and not ours.endswith("?")
        tag = replace(mail.tag, command=None, argument="", preview=trying)
        return replace(case, replied=replied, repeats=True, mail=replace(mail, tag=tag))

    def _measured(self, case: Case) -> Settled | None:
        """A command or an answer, of a seat or a stranger, within what its sender may have in a day."""
        standing = case.standing
        if standing.denied and not case.known:
            return case.settled("discarded", f"forged, it seems: {case.mail.evidence[1]}")
        case = replace(case, mail=_with_doubts(case.mail, standing))
        topic = _topic(case.mail)
        if case.purse == "denied" and not case.passed:
            return self._of_denied(case)
        if topic and not case.strange and (spent := self.allowances.spent(case, topic)) is not None:
            return spent
        settled = self._judged(case)
        return None if settled is None else self.allowances.answered(case, settled, topic)

    def _of_denied(self, case: Case) -> Settled:
        """In a player's name, and a trusted server says it is not his: whatever it says, he is asked at most."""
        found = route(case.standing.seats, case.mail, case.replied)
        at = found if isinstance(found, Route) and found.match.known else case.some_seat
        return self._challenged(case, at, at.seat)

    # --- the way to a seat ---------------------------------------------------------------------------------------

    def _judged(self, case: Case) -> Settled | None:
        """What comes of a mail that is neither forged nor one too many."""
        tag, seats = case.mail.tag, case.standing.seats
        if tag.command is not None and tag.kind is None:
            return self._requested(case, tag.command)
        found = route(seats, case.mail, case.replied) if seats else Astray("stranger")
        if isinstance(found, Route):
            return self._for_seat(self._as_meant(self._about(case, found), found), found)
        return self._astray(case, found if case.known else Astray("stranger"))

    def _for_seat(self, case: Case, at: Route) -> Settled | None:
        """What comes of a mail that is for that seat. Who sent it is weighed before anything that it says is answered,
        be it too much, wrong, or but a dry run."""
        weak = self.senders.weigh(case.standing, case.mail, "order") != "enough"
        if too_much := self._too_much(case):
            return self._challenged(case, at, at.seat) if weak else self.answers.too_much(case, too_much, at)
        case = self._in_own_words(case, at)
        tag = case.mail.tag
        if tag.kind is None and not self._understood(case, at):
            strange = tag.game is not None and not case.repeats
            found = Astray("unknown_heading" if strange else "nothing_asked", (at,))
            return self._astray(case, found if case.known else Astray("stranger"))
        return self._challenged(case, at, at.seat) if weak else self._submitted(case, at)

    def _in_own_words(self, case: Case, at: Route) -> Case:
        """The case without a heading that gives up the seat, where the subject only repeats that of an older letter."""
        tag = case.mail.tag
        if not case.repeats or tag.kind is None or not gives_up_seat(self.matches.game(at.match), tag.kind):
            return case
        return replace(case, mail=replace(case.mail, tag=replace(tag, kind=None)))

    def _about(self, case: Case, at: Route) -> Case:
        """The case, with what its sender's proofs are worth for that match."""
        standing = self.senders.about(case.standing, at.match.name, itself=not consents(case.mail))
        if standing is case.standing:
            return case
        return replace(case, standing=standing, mail=_with_doubts(case.mail, standing))

    def _as_meant(self, case: Case, at: Route) -> Case:
        """The case with the words that count: none of a letter of ours come back, and those of an attached form only
        where those beside it are no orders."""
        if case.kept.cut or excess(words_alone(case.mail).own, self.limits):
            return case
        game = self.matches.game(at.match)
        case = self.quotes.parted(game, at, case)
        return replace(case, mail=as_meant(game, at, case))

    def _too_much(self, case: Case) -> tuple[Excess, ...]:
        """Of what the mail's own words are more than is judged. One above the size limit has an answer of its own."""
        return () if case.kept.cut else excess(case.mail.own, self.limits)

    def _understood(self, case: Case, found: Route) -> bool:
        """Whether a subject without a heading still tells what it is about: a reply to a letter of that match, or to
        any where it names no game, or a bare Preview."""
        tag, replied = case.mail.tag, case.replied
        if tag.game is not None:
            return replied is not None and replied.match == found.match.name
        return replied is not None or (
            tag.preview and tag.heading.casefold() in ("", found.match.name.casefold())
        )

    def _submitted(self, case: Case, at: Route, order: Order | None = None) -> Settled | None:
        """The verdict; who would give up his seat is asked, unless his mail proves more than an address."""
        sure = self.senders.weigh(case.standing, case.mail, "resign") == "enough"
        if self._steps_back(case, at, order):
            return self._stepped_back(case, at) if sure else self._challenged(case, at, 0, leaving=True)
        judged = self.answers.judged(case, at, order)
        if isinstance(judged, Judgement):
            if judged.leaves and not sure:
                return self._challenged(case, at, 0, leaving=True)
            judged = self.answers.counted(case, at, judged)
        return None if judged is None else replace(judged, mail=case.mail)

    def _steps_back(self, case: Case, at: Route, order: Order | None) -> bool:
        """Whether somebody leaves a match that has not begun: there is no game yet that could judge it."""
        kind = (order.kind if order else None) or case.mail.tag.kind
        leaving = headings(self.matches.game(at.match)).get("Resign")
        filling = at.match.status == "filling" and not case.mail.tag.preview
        return filling and kind is not None and kind == leaving

    def _stepped_back(self, case: Case, at: Route) -> Settled:
        request = self._request(case, (at,))
        self.requests.carry_out(request, at.match, do.StepBack(at.seat))
        done = self.requests.done(request, "stepped_back", at=at)
        return case.settled("accepted", f"left {at.match.name}", *done.letters)

    # --- commands ------------------------------------------------------------------------------------------------

    def _requested(self, case: Case, command: str) -> Settled | None:
        """A command: of a seat as far as it is proved, of a stranger as far as it is open to all."""
        standing, known, touches = case.standing, case.known, command not in TELLING
        if self.loops.third_time(case):
            return self.loops.stop(case)
        if not known:
            if standing.seats and touches and command not in OPEN_TO_ALL:
                return self._challenged(case, case.some_seat, 0)
            if command not in OPEN_TO_ALL:
                return self._astray(case, Astray("stranger"))
            if (asked := self._wished(case, command)) is not None:
                return asked
            if not case.passed and not self._stops(case) and (spent := self._spent(case)) is not None:
                return spent
        elif touches and not case.wishing and self._is_weak(case, command):
            return self._challenged(case, case.some_seat, 0)
        elif touches and (too_much := self._too_much(case)):
            return self.answers.too_much(case, too_much)
        elif case.wishing and (asked := self._wished(case, command)) is not None:
            return asked
        request = self._request(case, standing.seats if known else ())
        if case.mail.tag.preview and touches and command not in TRIED:
            return self.requests.done(request, "untried", good=False)
        done = dealt_with(self.requests, request)
        if not isinstance(done, Order):
            return done
        case = self._as_meant(self._about(case, done.route), done.route)
        return self._submitted(case, done.route, done)

    def _is_weak(self, case: Case, command: str) -> bool:
        """Whether a command needs more proof. Whether a seat is given up shows only with the verdict: until then that
        is weighed as an order."""
        weighed = "order" if command in TRIED else command
        return bool(case.standing.seats) and (
            self.senders.weigh(case.standing, case.mail, weighed) != "enough"
        )

    def _wished(self, case: Case, command: str) -> Settled | None:
        """A wish for a seat, or for letters of a match: held until the address itself has confirmed it, so that nobody
        can wish them for somebody else. None where nothing need be asked."""
        unit, kept, request = case.unit, case.kept, self._request(case, ())
        match = self.requests.named(request)
        if not case.wishing or match is None or kept.confirmed:
            return None
        match = self.requests.readable(match)
        if hindrance(self.requests, match, request) is not None:
            return None
        if command == "observe" and case.standing.from_there:
            return None
        letter = self.challenges.wish(case, match, command)
        if kept.released and unit.letter(letter.message_id) is not None:
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
        held = self.loops.held(
            case, reason, delays=False, once=f"wishes of {address_key(case.sender.address)}"
        )
        return replace(held, letters=(*held.letters, *told))

    def _request(self, case: Case, seats: tuple[Route, ...]) -> Request:
        """What is asked, and whom to answer: whoever joins or watches does so as the address that he writes from."""
        joining = case.wishing and not case.standing.registered
        return Request(case, case.sender if joining else case.answering, seats)

    # --- who is not sure, or nobody's --------------------------------------------------------------------------------

    def _challenged(self, case: Case, at: Route, seat: int, *, leaving: bool = False) -> Settled:
        """Weak evidence: held, and its owner is asked. `seat` 0 where no deadline need wait for it, as none does where
        From alone names the seat; `leaving` where the mail would give up the seat."""
        self.requests.readable(at.match)
        seat = seat if case.standing.proved else 0
        letter = self.challenges.letter(case, at, leaving=leaving)
        if letter is None:
            whose = f"for seat {at.seat} of {at.match.name}"
            reason = f"too many doubtful mails {whose} today; further ones are held without a word"
            held = self.loops.held(case, reason, delays=True, once=f"{case.standing.proof} {whose}")
            return replace(held, match=at.match.name, seat=seat)
        reason = f"its owner is asked whether it is his ({case.standing.evidence})"
        match = at.match.name if seat else None
        also = self._asked_there(case) if case.mail.tag.command == "address" else ()
        return case.settled("held", reason, letter, *also, match=match, seat=seat)

    def _asked_there(self, case: Case) -> tuple[Letter, ...]:
        """A mail that asks for a further address: that one is asked at once, beside the mail's owner."""
        if not case.standing.registered or case.standing.refuted:
            return ()
        asked = self.requests.further_question(self._request(case, case.standing.seats))
        return (asked,) if asked else ()

    def _astray(self, case: Case, astray: Astray) -> Settled:
        """Help: for a seat always, for a stranger at most once a thread and day."""
        request, why = Request(case, case.answering), str(astray.why)
        former: list[tuple[Match, Former]] = []
        if astray.why == "stranger":
            former = self._former(case)
            if (spent := self._spent(case)) is not None:
                return spent
            request = replace(request, to=replace(request.to, name=""))
        why = "replaced" if former else why
        only = astray.seats[0] if len(astray.seats) == 1 and astray.seats[0].match.known else None
        letter = self.requests.help_letter(request, why, astray, former, only)
        return case.settled("answered", f"help: {why}", letter)

    def _former(self, case: Case) -> list[tuple[Match, Former]]:
        """The seats that the sender had and that are another's now; those of the match that his mail names or answers
        where it does."""
        mail, replied = case.mail, case.replied
        found = self.requests.former(case.unit, mail.sender or "")
        named = {b.casefold() for b in mail.tag.brackets} | ({replied.match} if replied else set())
        return [(match, seat) for match, seat in found if match.name.casefold() in named] or found

    def _spent(self, case: Case) -> Settled | None:
        """A stranger's mail beyond the day's measure; None where there is room for its answer."""
        return self.allowances.spent_by_stranger(case, [seat for _, seat in self._former(case)])

    def _stops(self, case: Case) -> bool:
        """Whether an observer ends the letters that come to his address: that is always done."""
        match = self.requests.named(self._request(case, ()))
        watching = match is not None and match.known and case.sender.address in match.observers
        return watching and case.mail.tag.command == "stop"


def without_phrases(mail: Mail) -> bytes:
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


def _topic(mail: Mail) -> str:
    """The question that a command asks, or that it is words for others: what is counted together in a day."""
    command = mail.tag.command if mail.tag.kind is None else None
    if command == "press":
        return WORDS
    return question((command or "", *mail.tag.brackets, mail.tag.argument)) if command in TELLING else ""


def _with_doubts(mail: Mail, standing: Standing) -> Mail:
    """The mail, with what its answer must say of a signature that proves nothing."""
    if standing.signed is not False:
        return mail
    return replace(mail, faults=(*mail.faults, f"its OpenPGP signature proves nothing ({standing.doubt})"))
