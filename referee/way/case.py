"""A mail under judgement: what judging it needs, who sent it as far as is known, the proofs there are of that (RFC 8601
results, reply addresses) and whether they are enough for what it asks, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Literal

from referee.core.answers import Body, Reading
from referee.core.game import AnyGame
from referee.core.texts.addresses import address_key
from referee.core.value import Demand, LeftOut, Line, Value
from referee.language.wishes import NO_WISHES
from referee.letters.letter import NO_REPLY, AnsweredMail, Letter, Meant
from referee.letters.replies import answer, to_moderator
from referee.letters.verdicts import Route
from referee.mail.mail import Mail
from referee.match.commands import MatchCommand, Verdict
from referee.match.decide import Decision, verb
from referee.match.match import Match, RoundName
from referee.match.meanings import Meaning, meaning_of, understood
from referee.offices.register import People
from referee.store.post import Disposition, KeptMail
from referee.store.sql import Unit
from referee.way.room import Room
from referee.way.routing import answered_letter, picked, seats_of, seats_of_tokens

WISHES = frozenset({"join", "observe"})
TELLING = frozenset(  # commands that only tell
    ("help", "status", "games", "list", "ratings", "record", "board", "receipt", "rules", "syntax", "pieces")
) | {"options"}


class Undone(Exception):
    """What was done was only tried, and leaves no trace."""


class SenderProof(Value):
    """What is known of a mail's sender. `seats` are those he may speak for, should it be proved that he is who he says;
    `registered` tells that his address is theirs, `vouched` that a server or a signature says the mail is from there,
    `denied` that a trusted server says it is not; `token` that it was sent to a reply address of one of the seats;
    `guarded` that he kept a pass phrase or a key with 0.2.0: less than a reply address never is enough; `owned` that
    the owner has said it is his (or the moderator let it pass). `signature` is the digest of the signature that proves
    it. `moderates` tells that the address is a moderator's, `desk` that it was sent to his reply address as one."""

    seats: tuple[Route, ...]
    registered: bool
    vouched: bool = False
    denied: bool = False
    token: bool = False
    guarded: bool = False
    owned: bool = False
    signature: str | None = None
    moderates: bool = False
    desk: bool = False

    @property
    def best(self) -> str:
        """The best of the proofs, by name. Doubtful mails are counted apart by it: forged ones, which prove an address
        at most, use up nothing of what their alleged sender proves himself."""
        if self.refuted:
            return "denied"
        if self.token:
            return "token" if self.registered else "token from elsewhere"
        return "vouched" if self.vouched and self.registered else "address"

    @property
    def refuted(self) -> bool:
        """Whether a trusted server denies it, and nothing that its sender alone knows says
        otherwise: less than a From that nobody denies."""
        return self.denied and not self.owned

    @property
    def from_there(self) -> bool:
        """Whether more than a From says that it is from that very address, a player's or not."""
        return self.vouched or (self.registered and self.proved and not self.refuted)

    @property
    def strength(self) -> int:
        """How much is proved: of two mails with the same words the one that proves more is judged.
        The numbers are stored; 5 was a pass phrase's."""
        sure = self.desk or (self.token and self.registered)
        ladder = {6: self.owned, 4: sure, 3: self.token, 2: self.vouched, 1: self.registered}
        return 0 if self.refuted else next((step for step, so in ladder.items() if so), 0)

    @property
    def proved(self) -> bool:
        """Whether anything but a From line, which anybody can write, says whose mail it is."""
        return self.owned or self.token or self.desk or self.vouched

    @property
    def evidence(self) -> str:
        """The proofs in words, for the moderator."""
        words = {
            "a registered address": self.registered,
            "vouched for": self.vouched,
            "denied by the mail server": self.denied,
            "a reply address of a letter": self.token or self.desk,
            "confirmed": self.owned,
        }
        return ", ".join(word for word, so in words.items() if so) or "an unknown address"


UNKNOWN = SenderProof((), registered=False)


class Settled(Value):
    """What comes of a mail: how it is settled, and why, in words for the moderator; the letters that answer it (those
    to others are queued by what it does); the match and seat it is for, where seat 0 means that no deadline waits for
    it; and what the inbox keeps, where that matters, by which the same is `known` when it comes again, and how much it
    proves. Of a seat's answer also the match's `verdict`, the kind of `demand`, and the `case` with the mail as it was
    judged: without an attached form that did not count."""

    disposition: Disposition
    reason: str
    letters: tuple[Letter, ...] = ()
    match: str | None = None
    seat: int | None = None
    known: Mapping[str, Any] = field(default_factory=dict)
    verdict: Verdict | None = None
    demand: str | None = None
    case: Case | None = field(default=None, compare=False, repr=False)


class SeatOrder(Value):
    """A command that is judged like an answer of the seat: `withdraw`, `discard`, `resign`, `preview`. `kind` and
    `lines` are those of the mail where it gives none; `takes`: what it takes back, of a draft nothing else."""

    kind: str | None = None
    lines: tuple[Line, ...] | None = None
    takes: Literal["", "answer", "draft"] = ""
    preview: bool = False


class Case(Value):
    """A kept mail on its way: as it was read, who sent it, the `letter` of ours that it answers,
    the seat `at` which it is for, and the `order` that its command gives; `form`: the form that its
    sender changed inside that letter's quote."""

    room: Room
    unit: Unit
    kept: KeptMail
    mail: Mail
    since: datetime | None = None  # when it began to count, where that was later than its arrival
    proof: SenderProof = UNKNOWN
    letter: Letter | None = None
    form: tuple[Line, ...] = ()
    repeats: bool = False  # whether its subject is but that of the letter it answers
    at: Route | None = None
    order: SeatOrder | None = None
    doubt: tuple[Meaning, ...] = ()  # between which its words leave the choice
    why: Literal["part", "subject", "seat"] = "part"  # why a single one is in doubt
    reader: AnsweredMail | None = None  # whom to answer, where it is not whom one would think
    passed_over: tuple[LeftOut, ...] = ()  # what was left out and has to be named in its answer
    bodies: dict[tuple[tuple[Line, ...], str], Body] = field(default_factory=dict, compare=False, repr=False)

    def settled(
        self,
        disposition: Disposition,
        reason: str,
        *letters: Letter,
        match: str | None = None,
        seat: int | None = None,
        at: Route | None = None,
    ) -> Settled:
        """The mail, settled so; for the seat `at` which it is, or for what else is given."""
        known = {"words": self.mail.words, "resend": self.mail.resend}
        proved = {"signature": self.proof.signature, "strength": self.proof.strength}
        if at is not None:
            match, seat = at.match.name, at.seat
        return Settled(disposition, reason, letters, match, seat, known | proved)

    def written(
        self,
        kind: str,
        facts: Mapping[str, object],
        at: Route | None = None,
        to: AnsweredMail | None = None,
        reply: Meant = NO_REPLY,
        match: Match | None = None,
        demand: Demand | None = None,
    ) -> Letter:
        """A letter of that kind that answers it: to whom it is to be answered, or to another; about
        a seat, a match, a demand, where it is about one."""
        match, seat = (at.match, at.seat) if at is not None else (match, None)
        return answer(self.room.speaker, kind, to or self.answering, facts, match, seat, demand, reply)

    def carry_out(self, match: Match, command: MatchCommand) -> Decision:
        """What the command that it gives does to the match, as that stands now."""
        cause = f"mail {self.answering.identity} {verb(command)}"
        match = self.room.matches.load(self.unit, match.name)
        return self.room.decisions.carry_out(self.unit, match, command, cause)

    def told(
        self,
        kind: str,
        reason: str,
        match: Match | None = None,
        seat: int | None = None,
        reply: Meant = NO_REPLY,
        disposition: Disposition = "answered",
        **facts: Any,
    ) -> Settled:
        """Answered by a letter of that kind."""
        letter = answer(self.room.speaker, kind, self.answering, facts, match, seat, reply=reply)
        return self.settled(disposition, reason, letter)

    def done(self, topic: str, *, good: bool = True, accepted: str = "", **facts: Any) -> Settled:
        """A short letter that says what was done, or why not; `accepted`: as what the mail counts."""
        reason = accepted or (topic if good else f"{topic}: not done")
        disposition: Disposition = "accepted" if accepted else "answered"
        kind = "done" if good else "not_done"
        if isinstance(at := facts.get("at"), Route):  # it is named in the subject
            facts["named"] = at.match
        return self.told(kind, reason, disposition=disposition, topic=topic, good=good, **facts)

    def alarm(
        self, topic: str, subject: str, *key: str, mail: KeptMail | None = None, about: str = "", **facts: Any
    ) -> Letter:
        """To the moderator, about a mail or what else is named; `key` tells it from all others of its topic."""
        about = about or (mail.sender if mail is not None else None) or "nobody"
        return to_moderator(
            self.room.speaker, topic, subject, (topic, *key), self.now, mail=mail, about=about, **facts
        )

    def read_again(self, kept: KeptMail) -> Mail:
        """Another mail, as it is read."""
        return self.room.reader.read(kept.raw, cut=kept.cut)

    def does(self, match: Match, command: MatchCommand, why: str) -> Match:
        """The match after a command that the mail itself is no order for."""
        cause = f"mail {self.kept.identity} {why}"
        return self.room.decisions.carry_out(self.unit, match, command, cause).match

    @property
    def now(self) -> datetime:
        return self.unit.now

    @property
    def place(self) -> Route:
        """The seat that it is for, once that is known."""
        assert self.at is not None, "the mail has come here without a seat"
        return self.at

    @property
    def passed(self) -> bool:
        """Whether somebody has let it in: the moderator, or the person it claims to be from."""
        return self.kept.released or self.kept.confirmed

    @property
    def known(self) -> bool:
        """Whether it is from an address that a seat has, or is as good as from there."""
        return self.proof.registered or self.proof.owned

    @property
    def strange(self) -> bool:
        """Whether it is of somebody who plays nowhere here, as far as is known."""
        return not self.proof.seats or not self.known

    @property
    def command(self) -> str:
        """The command in its subject; none beside a heading."""
        tag = self.mail.tag
        return (tag.command or "") if tag.kind is None else ""

    @property
    def argument(self) -> str:
        """The words behind the command."""
        return self.mail.tag.argument.strip()

    @property
    def speaking(self) -> tuple[Route, ...]:
        """The seats that its sender may speak for in a command."""
        return self.proof.seats if self.known else ()

    @property
    def wishing(self) -> bool:
        """Whether it asks for a seat, or for the letters of a match."""
        return self.command in WISHES

    @property
    def previewing(self) -> bool:
        """Whether it only asks what would come of it."""
        return self.mail.tag.preview or (self.order is not None and self.order.preview)

    @property
    def quota(self) -> str:
        """Whose measure the answers count in: what proves itself never pays for what anybody could have written, nor
        that for what the mail server denies, nor a stranger's wish for strangers' questions."""
        proof = self.proof
        if self.strange:
            words = ("guest", "guest wish") if proof.vouched else ("stranger", "wish")
            return words[self.wishing]
        if proof.refuted:
            return "denied"
        return "proved" if proof.proved else "player"

    def as_command(self, command: str, argument: str, words: str | None = None) -> Case:
        """As if the mail held that command in its subject, and where they are given those words."""
        mail = replace(self.mail, tag=replace(self.mail.tag, command=command, argument=argument, kind=None))
        if words is not None:
            mail = replace(mail, own=Body.of(words).lines, agrees="", wishes=NO_WISHES)
        return replace(self, mail=mail)

    def seat_at(self, match: str | None, seat: int | None) -> Route | None:
        """That seat, where it is one of its sender's."""
        return next((at for at in self.proof.seats if (at.match.name, at.seat) == (match, seat)), None)

    @property
    def some_seat(self) -> Route:
        """The first of its sender's seats, of a match that it names or else that can be read if there is one."""
        seats, named = self.proof.seats, {*self.mail.tag.brackets, *self.argument.split()}
        known = [at for at in seats if at.match.known] or seats
        return next((at for at in known if at.match.name in named), known[0])

    @property
    def sender(self) -> AnsweredMail:
        """For an answer to the mail's sender, whoever he is."""
        mail, kept = self.mail, self.kept
        key = f"{kept.identity} {kept.arrived.isoformat()}"  # of copies of one mail, each has its own
        return AnsweredMail(
            mail.sender or "", mail.sender_name, mail.message_id, mail.references, key, self.now, kept.identity,
            None, kept.arrived, mail.own, mail.wishes.asks, mail.faults, self.passed_over,
        )  # fmt: skip

    @property
    def answering(self) -> AnsweredMail:
        """For an answer to the sender; of a mail from elsewhere that a seat's owner has confirmed, to him."""
        if self.reader is not None:
            return self.reader
        to, at = self.sender, self.some_seat if self.known and self.proof.seats else None
        if at is None or not at.match.known:
            return to
        owner = at.match.entrant(at.seat)
        address = to.address if self.proof.registered else owner.addresses[0]
        return replace(to, address=address, name=owner.name, zone=owner.zone)

    # --- the letter answered ----------------------------------------------------------------------

    @property
    def meant(self) -> Meant:
        """What a reply to it means."""
        return NO_REPLY if self.letter is None else self.letter.reply

    @property
    def from_reader(self) -> bool:
        """Whether whoever writes is whom it went to."""
        return self.letter is not None and address_key(self.letter.head.recipient) == self.mail.whose

    @property
    def rounds_answered(self) -> tuple[RoundName, ...]:
        """The rounds that the letter was about, where that went to the mail's seat."""
        at, letter = self.place, self.letter
        to_it = letter is not None and (letter.match, letter.seat) == (at.match.name, at.seat)
        return self.meant.rounds if to_it else ()

    @property
    def number(self) -> int | None:
        """By which it picks one of what the letter offers."""
        return picked(self.mail) if self.meant.offers else None

    # --- what its words say to the match of its seat ----------------------------------------------

    @property
    def game(self) -> AnyGame:
        return self.room.matches.game(self.place.match)

    @property
    def kind(self) -> str:
        """What kind of answer it means: the heading's; without one of the game, what the seat owes, and of several
        things the one that the answered letter asked for; what others owe of one who never will."""
        at, tag = self.place, self.mail.tag
        if tag.kind is not None and tag.game in (None, at.match.game):
            return tag.kind
        mine = [(r, d) for r, d in at.match.due if d.seat == at.seat]
        about = {name.opened for name in self.rounds_answered}
        kinds = [*(d.kind for r, d in mine if r.opened in about), *(d.kind for _, d in mine)]
        if at.match.standing and self.game.expects(at.match.inner, at.seat) is None:
            kinds += [d.kind for _, d in at.match.due]
        return kinds[0] if kinds else self.game.answers[0].kind

    def body(self, lines: tuple[Line, ...]) -> Body:
        """Lines of the mail as they are given to its match, with the language in which its seat
        last wrote: of the same lines the same body, read once."""
        at, hints = self.place, self.mail.hints
        language = at.match.languages.get(at.seat) or hints.language
        key = (lines, language)
        return self.bodies.setdefault(key, Body(lines, replace(hints, language=language)))

    def read(self, lines: tuple[Line, ...]) -> tuple[Demand, Reading[Any]]:
        """Which demand the lines are about, and what they say to it, by the match's own reading of them."""
        at = self.place
        return understood(at.match, at.seat, self.kind, self.body(lines))

    def orders(self, lines: tuple[Line, ...], some: tuple[Line, ...] | None = None) -> bool:
        """Whether the lines hold an order for the match; `some`: whether any of those among them is one."""
        among = lines if some is None else some
        return self.place.match.inner is None or self.read(lines)[1].orders_in(among)

    def says(self, body: Body | None = None) -> Meaning | None:
        """The one answer that its sender's own words say, or other lines, if they leave no doubt."""
        at = self.place
        return meaning_of(at.match, at.seat, self.kind, body or self.body(self.mail.own))

    # --- who sent it, and whether it is enough ----------------------------------------------------

    def with_proof(self) -> Case:
        """The case with what is known of its mail's sender."""
        room, unit, kept, mail = self.room, self.unit, self.kept, self.mail
        own, held = seats_of(unit, room.matches, mail.sender or ""), seats_of_tokens(unit, mail.tokens)
        sent_to = (Route(room.matches.outline(unit, name), seat) for name, seat in held)
        by_token = tuple(r for r in sent_to if not r.match.known or r.match.entrant(r.seat).addresses)
        seats = own or by_token
        # Who once wished to be known more surely: the sender, where he has a seat; else those to whom the letters go
        # whose reply addresses he used. What others of a seat have set says nothing of him.
        firsts = {address_key(r.match.entrant(r.seat).addresses[0]) for r in by_token if r.match.known}
        speaking = [mail.whose] if own and mail.sender else sorted(firsts)
        vouched, moderates = mail.evidence.kind == "aligned", room.offices.moderates(mail.sender)
        # the months in which a letter to him may have been written, to whose reply address it was sent
        months = (kept.arrived, kept.arrived.replace(day=1) - timedelta(days=1)) if moderates else ()
        proof = SenderProof(
            seats,
            registered=bool(own),
            vouched=vouched,
            denied=mail.evidence.kind == "failed",
            token=any((r.match.name, r.seat) in held for r in seats),
            guarded=any(unit.person(address).guarded for address in speaking),
            owned=kept.confirmed or (kept.released and (bool(seats) or moderates)),
            signature=(mail.evidence.signature or None) if vouched else None,
            moderates=moderates,
            desk=any(room.keys.desk_token(mail.sender or "", month) in mail.tokens for month in months),
        )
        return replace(self, proof=proof)

    def needs_confirmation(self, command: str = "order") -> bool:
        """Whether the mail proves less than a command needs ("order": an answer to a game): then its
        owner must confirm it."""
        p = self.proof
        if not p.seats or (p.denied and not p.registered):
            return True
        if p.owned:
            return False
        need = self.room.settings.senders.needed(self.mail.office, command)
        if need == "confirm" or not p.registered or p.denied:
            return True
        shown = {"address": True, "vouched": p.vouched or p.token, "token": p.token}
        return not (p.token if p.guarded else shown[need])

    @property
    def may_order(self) -> bool:
        """Whether it proves enough for an order to the desk; else the moderator is asked."""
        proof = self.proof
        if not proof.moderates:
            return False
        if proof.owned:  # by whom he was asked himself, and not the owner of another's seat
            return proof.registered or not proof.seats
        need = self.room.settings.senders.needed(self.mail.office, "moderator")
        return need == "token" and proof.desk and not proof.denied


def known(case: Case) -> Case:
    """The case with what is known of its sender, a seat's address as it is registered, however the
    mail spells it; and with the letter of ours that it answers. A From alone brings no address back
    to life, and makes no loop of what proves itself; of a subject that repeats that letter's only
    what is added orders anything: the rest names the match, and what the letter was about."""
    case = case.with_proof()
    unit, mail, proof = case.unit, case.mail, case.proof
    at = next((at for at in proof.seats if proof.registered and at.match.known), None)
    if at is not None:
        mail = replace(mail, sender=at.match.spelt(at.seat, mail.sender or ""))
    if proof.proved:
        People(unit).heard_of(mail.sender or "", case.kept.arrived)
        mail = replace(mail, words=sha256(f"proved {mail.words}".encode()).hexdigest())
    letter, repeats = answered_letter(unit, mail.references), False
    if letter and (beside := case.room.reader.added(mail.subject, letter.head.subject)):
        repeats = not (beside.command or beside.kind)
        tag, trying = mail.tag, mail.tag.preview and not letter.head.subject.endswith("?")
        ours = replace(tag, command=None, argument="", text=beside.text)
        ours = ours if tag.kind else replace(ours, heading="", stated=beside.stated)
        beside = replace(ours if repeats else beside, brackets=tag.brackets, preview=trying)
        mail = replace(mail, tag=beside)
    case = replace(case, mail=mail, letter=letter, repeats=repeats)
    if case.answering.address != case.sender.address:
        unit.hold("person", address_key(case.answering.address))
    return case
