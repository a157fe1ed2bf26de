"""The collector: one kept mail in; its verdict, its effect and its answer out. Called inside a transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256

from referee.core.seam import headings
from referee.match import commands as do
from referee.match.match import AnyGame, Former, Match
from referee.match.sealing import Keys
from referee.offices.incoming.addresses import Addresses
from referee.offices.incoming.allowances import WORDS, question
from referee.offices.incoming.answers import Answers
from referee.offices.incoming.blanking import without_phrases
from referee.offices.incoming.bounces import Bounces
from referee.offices.incoming.cases import Case, Judged, Unproved, answering
from referee.offices.incoming.challenges import Challenges
from referee.offices.incoming.commands.clerk import Asked, Clerk, Order
from referee.offices.incoming.commands.seats import no_way_in
from referee.offices.incoming.commands.table import OPEN_TO_ALL, TELLING, obeyed
from referee.offices.incoming.consent import consents
from referee.offices.incoming.loops import Loops
from referee.offices.incoming.measures import Excess, excess
from referee.offices.incoming.routing import Astray, Route, answered_letter, route
from referee.offices.incoming.senders import Senders, Standing
from referee.offices.incoming.verdict_letters import VerdictLetters
from referee.offices.outgoing.letters import Letter
from referee.offices.outgoing.readers import Answering
from referee.offices.outgoing.speaker import Speaker
from referee.offices.people import People
from referee.offices.ports.mail import Mail, Reader, Signatures
from referee.offices.ports.store import KeptMail, Settling, Unit
from referee.offices.registry import OBSERVING, Registry
from referee.offices.settings import Offices, Settings

_DAY = timedelta(days=1)


class Collector:
    """Judges mails, one at a time, each on the state the earlier ones left."""

    def __init__(
        self,
        reader: Reader,
        registry: Registry,
        speaker: Speaker,
        games: Mapping[str, AnyGame],
        keys: Keys,
        offices: Offices,
        settings: Settings,
        signatures: Signatures | None = None,
    ) -> None:
        self._reader = reader
        self._registry = registry
        self._keys = keys
        self._speaker = speaker
        self._settings = settings
        self._senders = Senders(registry.book, keys, settings.senders, signatures)
        self._challenges = Challenges(registry, speaker, settings.senders)
        self._bounces = Bounces(registry, speaker)
        self._loops = Loops(speaker)
        self._allowances = registry.allowances
        further = Addresses(speaker, offices, settings.senders)
        self._clerk = Clerk(registry, speaker, games, offices, settings, self._senders, further, signatures)
        letters = VerdictLetters(registry, speaker, offices, settings.limits.complaints)
        self._answers = Answers(registry, speaker, letters, keys, settings)

    def judge(
        self, unit: Unit, kept: KeptMail, now: datetime, since: datetime | None = None
    ) -> Judged | None:
        """The verdict, or None where the mail must wait for the referee's own answer. `since` is when a mail that had
        been put aside began to count."""
        mail = self._reader.read(kept.raw, cut=kept.cut, proof=kept.proof)
        judged = self._judged(unit, kept, mail, now, since)
        if judged is not None and mail.phrases and judged.settling.verdict != "held":
            unit.blank(kept.id, without_phrases(mail))
        return judged

    def _judged(
        self, unit: Unit, kept: KeptMail, mail: Mail, now: datetime, since: datetime | None
    ) -> Judged | None:
        if (stopped := self._stopped(unit, kept, mail, now)) is not None:
            return stopped
        if (early := self._triaged(unit, kept, mail, now)) is not None:
            return early
        standing = self._senders.standing(unit, kept, mail)
        if (
            standing.proved
        ):  # a From alone brings no address back to life, and makes no loop of what proves itself
            People(unit).heard_of(mail.sender or "", kept.arrived)
            mail = replace(mail, words=sha256(f"proved {mail.words}".encode()).hexdigest())
        if (answered := self._challenges.answered(unit, kept, mail, now)) is not None:
            return Judged(*answered)
        passed = kept.released or kept.confirmed
        if any(m.id != kept.id for m in unit.resends(mail.resend)) and not passed:
            case = Case(unit, kept, mail, standing, None, now)
            return self._allowances.answered(case, self._loops.resent(unit, kept, mail, now))
        judged = self._routed(unit, kept, mail, standing, now, since)
        if judged is None:
            return None
        return self._loops.calmed(unit, kept, mail, judged, now)

    def proved(self, unit: Unit, kept: KeptMail) -> list[tuple[str, int]]:
        """The seats of the sender, where more than a From says who he is."""
        mail = self._reader.read(kept.raw, cut=kept.cut, proof=kept.proof)
        standing = self._senders.standing(unit, kept, mail)
        return [(at.match.name, at.seat) for at in standing.seats] if standing.proved else []

    def evidence(self, unit: Unit, kept: KeptMail, mail: Mail) -> str:
        """On what evidence the sender is who he says, in words."""
        return self._senders.standing(unit, kept, mail).evidence

    def _stopped(self, unit: Unit, kept: KeptMail, mail: Mail, now: datetime) -> Judged | None:
        """A mail to the address by which an observer's letters end: whoever has it may end them, nothing is asked,
        and the observer is told once. None for every other mail."""
        for token in mail.tokens:
            place = unit.seat_of_token(token)
            if place is None or place[1] != OBSERVING:
                continue
            match = self._registry.book.load(unit, place[0])
            settling = Settling("answered", "an observer's letters end", mail.words, mail.resend, match.name)
            for address in match.observers:
                if self._keys.stop_token(match.name, address) == token:
                    to = Answering(address, "", f"stop {match.name}", None, (), kept.identity)
                    asked = Asked(unit, mail, to, (), None, now)
                    after = self._clerk.decided(asked, match, do.Observe(address, stop=True)).match
                    letter = self._speaker.answer("observing", to, now, {"stop": True}, after)
                    return Judged(settling, (letter,))
            return Judged(settling, ())
        return None

    def _triaged(self, unit: Unit, kept: KeptMail, mail: Mail, now: datetime) -> Judged | None:
        if mail.disposition == "bounce":
            return Judged(*self._bounces.judged(unit, kept, mail, now))
        if mail.disposition == "discard":
            return Judged(Settling("discarded", mail.reason))
        if mail.disposition == "hold" and not kept.released:
            delays = not mail.suspect or self._senders.standing(unit, kept, mail).proved
            return self._loops.held(unit, kept, mail, mail.reason, now, delays=delays)
        if mail.sender is None:
            return self._loops.held(
                unit, kept, mail, "its From line does not say for certain who sent it", now
            )
        return None

    # --- the way to a seat -------------------------------------------------------------------------------------

    def _routed(
        self,
        unit: Unit,
        kept: KeptMail,
        mail: Mail,
        standing: Standing,
        now: datetime,
        since: datetime | None,
    ) -> Judged | None:
        """A command or an answer, of a seat or a stranger."""
        known = standing.registered or standing.owned
        if standing.denied and not known:
            return Judged(
                Settling("discarded", f"forged, it seems: {mail.evidence[1]}", mail.words, mail.resend)
            )
        mail = _with_doubts(mail, standing)
        case = Case(unit, kept, mail, standing, answered_letter(unit, mail), now, since)
        topic = _topic(mail)
        if topic and case.purse != "stranger" and (spent := self._allowances.spent(case, topic)) is not None:
            return spent
        judged = self._ruled(case)
        return None if judged is None else self._allowances.answered(case, judged, topic)

    def _ruled(self, case: Case) -> Judged | None:
        """The verdict on a mail that is neither forged nor one too many."""
        mail, standing = case.mail, case.standing
        known = standing.registered or standing.owned
        if mail.tag.command is not None and mail.tag.kind is None:
            return self._commanded(case, mail.tag.command)
        found = route(standing.seats, mail, case.replied) if standing.seats else Astray("stranger")
        if isinstance(found, Route):
            case = self._as_meant(case, found)
            if too_much := self._too_much(case):
                return self._answers.too_much(case, too_much, found)
        if isinstance(found, Route) and mail.tag.kind is None and not self._understood(case, found):
            found = Astray("unknown_heading" if mail.tag.game else "nothing_asked", (found,))
        if isinstance(found, Astray):
            return self._astray(case, found if known else Astray("stranger"))
        if not (mail.tag.preview and standing.registered):
            weight = self._senders.weigh(standing, mail, "order")
            if weight != "enough":
                return self._challenged(case, found, found.seat)
        return self._submitted(case, found)

    def _as_meant(self, case: Case, at: Route) -> Case:
        """The case with the words that count: those of an attached form only where those beside it are no orders."""
        alone = self._registry.words_alone(case.mail)
        if case.kept.cut or excess(alone.own, self._settings.limits):
            return case
        return replace(case, mail=self._registry.as_meant(at, case.mail, case.replied))

    def _too_much(self, case: Case) -> tuple[Excess, ...]:
        """Of what the mail's own words are more than is judged. One above the size limit has an answer of its own."""
        return () if case.kept.cut else excess(case.mail.own, self._settings.limits)

    def _understood(self, case: Case, found: Route) -> bool:
        """Whether a subject without a heading still tells what it is about: a reply to a letter, or a bare Preview.
        Where it names the game, and no heading that I know, an order or an OK in reply to a letter with a form does."""
        tag = case.mail.tag
        if tag.game is not None:
            replying = case.replied is not None and case.replied.match == found.match.name
            holds = replying and self._registry.holds_orders(found, case.mail, case.replied)
            return holds or (replying and consents(case.mail))
        bare = tag.preview and tag.heading.casefold() in ("", found.match.name.casefold())
        return case.replied is not None or bare

    def _submitted(self, case: Case, at: Route, order: Order | None = None) -> Judged | None:
        """The verdict; who would give up his seat is asked, unless his mail proves more than an address."""
        sure = self._senders.weigh(case.standing, case.mail, "resign") == "enough"
        if self._steps_back(case, at, order):
            return self._stepped_back(case, at) if sure else self._challenged(case, at, 0, leaving=True)
        judged = self._answers.submitted(case, at, order, may_leave=sure)
        if isinstance(judged, Unproved):
            return self._challenged(case, at, 0, leaving=True)
        return None if judged is None else replace(judged, mail=case.mail)

    def _steps_back(self, case: Case, at: Route, order: Order | None) -> bool:
        """Whether somebody leaves a match that has not begun: there is no game yet that could judge it."""
        kind = (order.kind if order else None) or case.mail.tag.kind
        leaving = headings(self._clerk.games[at.match.game]).get("Resign")
        return (
            at.match.status == "filling"
            and kind is not None
            and kind == leaving
            and not case.mail.tag.preview
        )

    def _stepped_back(self, case: Case, at: Route) -> Judged:
        asked = self._asked(case, (at,))
        self._clerk.decided(asked, at.match, do.StepBack(at.seat))
        _, _, letters = self._clerk.done(asked, "stepped_back", at=at)
        return Judged(
            Settling("accepted", f"left {at.match.name}", case.mail.words, case.mail.resend), letters
        )

    def _commanded(self, case: Case, command: str) -> Judged | None:
        """A command: of a seat as far as it is proved, of a stranger as far as it is open to all."""
        standing, mail = case.standing, case.mail
        known = standing.registered or standing.owned
        touches = command not in TELLING
        if self._loops.thrice(case.unit, case.kept, mail):
            return self._loops.stilled(case.unit, case.kept, mail, case.now)
        if not known:
            if standing.seats and touches and command not in OPEN_TO_ALL:
                return self._challenged(case, standing.seats[0], 0)
            if not case.kept.released and not self._may_answer(case):
                return self._quiet(mail)
            if command not in OPEN_TO_ALL:
                return self._astray(case, Astray("stranger"))
            if (asked := self._wished(case, command)) is not None:
                return asked
        elif touches and (too_much := self._too_much(case)):
            return self._answers.too_much(case, too_much)
        elif command == "join":
            if (asked := self._wished(case, command)) is not None:
                return asked
        elif (
            touches and standing.seats and self._senders.weigh(standing, mail, _weighed(command)) != "enough"
        ):
            return self._challenged(case, standing.seats[0], 0)
        seats = standing.seats if known else ()
        done = obeyed(self._clerk, self._asked(case, seats))
        if isinstance(done, Order):
            return self._submitted(case, done.route, done)
        verdict, reason, letters = done
        nobodys = 0 if verdict == "held" else None  # no deadline waits for it
        return Judged(Settling(verdict, reason, mail.words, mail.resend, None, nobodys), letters)

    def _wished(self, case: Case, command: str) -> Judged | None:
        """A wish for a seat, or a stranger's for letters of a match: held until the address itself has confirmed it,
        so that nobody can wish them for somebody else. None where nothing need be asked."""
        unit, kept, asked = case.unit, case.kept, self._asked(case, ())
        match = self._clerk.named(asked)
        if command not in ("observe", "join") or match is None or kept.confirmed:
            return None
        if command == "join" and no_way_in(self._clerk.games[match.game], match, asked) is not None:
            return None
        if command == "observe" and not self._senders.asks_stranger(case.standing, kept, command):
            return None
        letter = self._challenges.wish(match, answering(kept, case.mail), kept, case.now, command)
        if kept.released and unit.letter(letter.message_id) is not None:
            return None  # asked already, and the moderator has said Yes for him
        if self._challenges.asked_enough(unit, letter.recipient, case.now):
            reason = "too many wishes from there today"
            return self._loops.held(unit, kept, case.mail, reason, case.now, delays=False)
        reason = f"its sender is asked whether he wishes to {command} {match.name}"
        settling = Settling(
            "held", reason, case.mail.words, case.mail.resend, None, 0
        )  # no deadline waits for it
        return Judged(settling, (letter,))

    def _asked(self, case: Case, seats: tuple[Route, ...]) -> Asked:
        """What is asked, and whom to answer: whoever joins or watches does so as the address that he writes from."""
        joining = case.mail.tag.command in ("join", "observe") and not case.standing.registered
        return Asked(
            case.unit,
            case.mail,
            answering(case.kept, case.mail) if joining else case.answering,
            seats,
            case.replied,
            case.now,
            case.since or case.kept.arrived,
            case.kept,
            case.standing,
        )

    def _challenged(self, case: Case, at: Route, seat: int, *, leaving: bool = False) -> Judged:
        """Weak evidence: held, and its owner is asked. `seat` 0 where no deadline need wait for it, as none does where
        From alone names the seat; `leaving` where the mail would give up the seat."""
        seat = seat if case.standing.proved else 0
        letter = self._challenges.letter(case, at, leaving=leaving)
        if letter is None:
            reason = f"too many doubtful mails for seat {at.seat} of {at.match.name} today"
            return self._loops.held(case.unit, case.kept, case.mail, reason, case.now, Route(at.match, seat))
        reason = f"its owner is asked whether it is his ({case.standing.evidence})"
        match = at.match.name if seat else None
        also = self._asked_there(case) if case.mail.tag.command == "address" else ()
        settling = Settling("held", reason, case.mail.words, case.mail.resend, match, seat)
        return Judged(settling, (letter, *also))

    def _asked_there(self, case: Case) -> tuple[Letter, ...]:
        """A mail that asks for a further address: that one is asked at once, beside the mail's owner."""
        if not case.standing.registered:
            return ()
        question = self._clerk.further_question(self._asked(case, case.standing.seats))
        return (question,) if question else ()

    def _astray(self, case: Case, astray: Astray) -> Judged:
        """Help: for a seat always, for a stranger at most once a thread and day."""
        mail, to = case.mail, case.answering
        settling = Settling("answered", f"help: {astray.why}", mail.words, mail.resend)
        former = self._former(case) if astray.why == "stranger" else []
        if astray.why == "stranger":
            if not self._may_answer(case):
                return self._quiet(mail)
            to = replace(to, name="")
        if former:
            settling = replace(settling, reason="help: replaced")
        why = "replaced" if former else astray.why
        seats = self._clerk.open_seats(case.unit)
        context = {"mail": mail, "astray": astray, "why": why, "former": former, "open_seats": seats}
        only = astray.seats[0] if len(astray.seats) == 1 else None
        letter = self._speaker.answer(
            "help", to, case.now, context, only.match if only else None, only.seat if only else None
        )
        return Judged(settling, (letter,))

    @staticmethod
    def _quiet(mail: Mail) -> Judged:
        return Judged(
            Settling("discarded", "strangers have had their answers for today", mail.words, mail.resend)
        )

    def _former(self, case: Case) -> list[tuple[Match, Former]]:
        """The seats that the sender had and that are another's now; those of the match that his mail names or answers
        where it does."""
        unit, mail = case.unit, case.mail
        found = self._clerk.former(unit, mail.sender or "")
        named = {b.casefold() for b in mail.tag.brackets} | ({case.replied.match} if case.replied else set())
        return [(match, seat) for match, seat in found if match.name.casefold() in named] or found

    def _may_answer(self, case: Case) -> bool:
        """Whether a stranger is within the day's measure, and strangers together are. What somebody was sent while he
        had a seat is none of it."""
        unit, to, since = case.unit, case.answering, case.now - _DAY
        if former := self._former(case):
            since = max(since, *(seat.until for _, seat in former))
            return unit.answers_since(to.address, None, since) < self._settings.limits.strangers_a_day
        if unit.answers_since(to.address, to.thread, since):
            return False
        if unit.answers_since(to.address, None, since) >= self._settings.limits.strangers_a_day:
            return False
        return unit.answers_to_strangers(since) < self._settings.limits.strangers_in_all


def _weighed(command: str) -> str:
    """As what a command is weighed before it is looked at: whether a seat is given up shows only with the verdict."""
    return "order" if command == "resign" else command


def _topic(mail: Mail) -> str:
    """The question that a command asks, or that it is words for others: what is counted together in a day."""
    command = mail.tag.command if mail.tag.kind is None else None
    if command == "press":
        return WORDS
    return (
        question((command, *mail.tag.brackets, mail.tag.argument)) if command in TELLING - {"preview"} else ""
    )


def _with_doubts(mail: Mail, standing: Standing) -> Mail:
    """The mail, with what its answer must say of a signature that proves nothing."""
    if standing.signed is not False:
        return mail
    why = "it is not of your key, or not over all of these words, or has been sent before"
    return replace(mail, faults=(*mail.faults, f"its OpenPGP signature proves nothing ({why})"))
