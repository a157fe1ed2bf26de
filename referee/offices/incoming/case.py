"""A mail under judgement, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from referee.core.answers import Body
from referee.core.complaint import LeftOut, Line
from referee.core.replacing import replace
from referee.match.commands import Verdict
from referee.match.meanings import Meaning
from referee.offices.incoming.routing import Route
from referee.offices.incoming.senders import UNKNOWN, SenderProof
from referee.offices.outgoing.letters import AnsweredMail, Letter
from referee.offices.ports.mail import Mail
from referee.store.inbox import Disposition, KeptMail
from referee.store.outbox import OutgoingLetter
from referee.store.sql import Unit

WISHES = frozenset({"join", "observe"})


@dataclass(frozen=True, slots=True)
class Settled:
    """What comes of a mail: how it is settled, and why, in words for the moderator; the letters that answer it (those
    to others are queued by what it does); the match and seat it is for, where seat 0 means that no deadline waits for
    it. `words` and `resend` are the digests by which the same is known when it comes again, None where that does not
    matter, like that of the `signature` that proves it; `strength` is how much it proves. Of a seat's answer also the
    match's `verdict`, the kind of `demand`, and the `mail` as it was judged: without an attached form that did not
    count; with the `case` that it came from."""

    disposition: Disposition
    reason: str
    letters: tuple[Letter, ...] = ()
    match: str | None = None
    seat: int | None = None
    words: str | None = None
    resend: str | None = None
    signature: str | None = None
    strength: int | None = None
    verdict: Verdict | None = None
    demand: str | None = None
    mail: Mail | None = None
    case: Case | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Order:
    """A command that is judged like an answer of that seat: `withdraw`, `discard`, `resign`, `preview`. `kind` and
    `lines` are those of the mail where it gives none; `draft`: nothing but a draft is taken back."""

    route: Route
    kind: str | None = None
    lines: tuple[Line, ...] | None = None
    take_back: bool = False
    draft: bool = False
    preview: bool = False


@dataclass(frozen=True, slots=True)
class Case:
    """A kept mail on its way: as it was read, who sent it, the letter of ours it answers, the seat `at` which it is
    for, and the `order` that its command gives; `form`: the form that its sender changed inside that letter's quote."""

    unit: Unit
    kept: KeptMail
    mail: Mail
    now: datetime
    since: datetime | None = None  # when it began to count, where that was later than its arrival
    proof: SenderProof = UNKNOWN
    replied: OutgoingLetter | None = None
    form: tuple[Line, ...] = ()
    repeats: bool = False  # whether its subject is but that of the letter it answers
    at: Route | None = None
    order: Order | None = None
    doubt: tuple[Meaning, ...] = ()  # between which its words leave the choice
    why: Literal["part", "subject", "seat"] = "part"  # why a single one is in doubt
    passed_over: tuple[LeftOut, ...] = ()  # what was left out and has to be named in its answer
    bodies: dict[tuple[Line, ...], Body] = field(default_factory=dict, compare=False, repr=False)

    def body(self, lines: tuple[Line, ...]) -> Body:
        """Lines of the mail as they are given to its match: of the same lines the same body, read once."""
        return self.bodies.setdefault(lines, Body(lines, self.mail.gist))

    def settled(
        self,
        disposition: Disposition,
        reason: str,
        *letters: Letter,
        match: str | None = None,
        seat: int | None = None,
    ) -> Settled:
        """The mail, settled so."""
        mail, s = self.mail, self.proof
        return Settled(
            disposition, reason, letters, match, seat, mail.words, mail.resend, s.signature, s.strength
        )

    @property
    def place(self) -> Route:
        """The seat that it is for, once that is known."""
        assert self.at is not None, "the mail has come here without a seat"
        return self.at

    @property
    def key(self) -> str:
        """What tells the mail from all others; of copies of one mail, each from the others."""
        return f"{self.kept.identity} {self.kept.arrived.isoformat()}"

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
    def wishing(self) -> bool:
        """Whether it asks for a seat, or for the letters of a match."""
        return self.mail.tag.command in WISHES and self.mail.tag.kind is None

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

    @property
    def some_seat(self) -> Route:
        """The first of its sender's seats, of a match that can be read if there is one."""
        seats = self.proof.seats
        return next((at for at in seats if at.match.known), seats[0])

    @property
    def sender(self) -> AnsweredMail:
        """For an answer to the mail's sender, whoever he is."""
        mail = self.mail
        return AnsweredMail(
            mail.sender or "",
            mail.sender_name,
            mail.message_id,
            mail.references,
            self.key,
            self.now,
            self.kept.identity,
        )

    @property
    def answering(self) -> AnsweredMail:
        """For an answer to the sender; of a mail from elsewhere that a seat's owner has confirmed, to him."""
        to, at = self.sender, self.some_seat if self.known and self.proof.seats else None
        if at is None or not at.match.known:
            return to
        owner = at.match.entrant(at.seat)
        address = to.address if self.proof.registered else owner.addresses[0]
        return replace(to, address=address, name=owner.name, zone=owner.zone)
