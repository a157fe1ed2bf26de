"""The collector: one kept mail in; its verdict, its effect and its answer out. Called inside a transaction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import NamedTuple

from referee.core.texts.addresses import address_key
from referee.offices.incoming.case import Case, Settled
from referee.offices.incoming.commands import CommandGate
from referee.offices.incoming.intake.unread import Unread
from referee.offices.incoming.invitations import Invitations
from referee.offices.incoming.measures import Allowances, Loops
from referee.offices.incoming.moderators.gate import ModeratorsGate
from referee.offices.incoming.moderators.questions import Questions
from referee.offices.incoming.requests.request import Requests
from referee.offices.incoming.requests.seats import stopped
from referee.offices.incoming.senders import Senders
from referee.offices.incoming.to_seat import ToSeat
from referee.offices.incoming.trust.challenges import Challenges
from referee.offices.incoming.trust.doubtful import Doubtful
from referee.offices.incoming.words.lines import agreed_command
from referee.offices.incoming.words.quotes import Quotes
from referee.offices.incoming.words.weighing import Weighing
from referee.offices.ports.mail import Mail, MailReading, Proof
from referee.store.inbox import KeptMail
from referee.store.sql import Unit

_NOTE = "(The rest of this mail was not kept: it held a pass phrase.)"


class Station(NamedTuple):
    """A station on the way of a mail: it gives the case, with what it has found out, for the next one to go on with; or
    what the mail is settled as; or None where it must wait for the referee's own answer. The letters of what it settles
    are `counted` in their reader's measure, and `stopped` where they would make a loop."""

    name: str
    take: Callable[[Case], Case | Settled | None]
    counted: bool = False
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class Collector:
    """Judges mails, one at a time, each on the state the earlier ones left."""

    reader: MailReading
    senders: Senders
    unread: Unread
    doubtful: Doubtful
    quotes: Quotes
    challenges: Challenges
    loops: Loops
    allowances: Allowances
    requests: Requests
    moderators: ModeratorsGate
    questions: Questions
    commands: CommandGate
    weighing: Weighing
    to_seat: ToSeat
    invitations: Invitations
    way: tuple[Station, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """The way of a mail."""
        way = (
            Station("an observer's letters end", partial(stopped, self.requests)),
            Station("bounce", self.unread.reported),
            Station("automatic", self.unread.sorted_out),
            Station("sender", self.doubtful.known),
            Station("the letter answered", self.quotes.answering),
            Station("reply to a question", self.challenges.answered),
            Station("invitation", self.invitations.answered, counted=True, stopped=True),
            Station("OK to an offer", agreed_command),
            Station("denial", self.challenges.disowned, counted=True),
            Station("repeat", self.loops.came_before, counted=True),
            Station("the desk", self.moderators.given),
            Station("words to a person", self.questions.agreed, counted=True, stopped=True),
            Station("evidence", self.doubtful.denied, stopped=True),
            Station("measure", self.allowances.asked, stopped=True),
            Station("command", self.commands.given, counted=True, stopped=True),
            Station("route", self.to_seat.routed, counted=True, stopped=True),
            Station("limits", self.to_seat.within_limits, counted=True, stopped=True),
            Station("words", self.weighing.weighed),
            Station("heading", self.to_seat.headed, counted=True, stopped=True),
            Station("proof", self.to_seat.proved, counted=True, stopped=True),
            Station("answer", self.to_seat.answered, counted=True, stopped=True),
        )
        object.__setattr__(self, "way", way)

    def read(self, kept: KeptMail) -> Mail:
        """The mail as all stations see it."""
        return self.reader.read(kept.raw, cut=kept.cut, proof=Proof(kept.proof, kept.signature))

    def judge(
        self, unit: Unit, kept: KeptMail, mail: Mail, now: datetime, since: datetime | None = None
    ) -> Settled | None:
        """What comes of the mail, as it was read, or None where it must wait for the referee's own answer. `since` is
        when a mail that had been put aside began to count."""
        unit.hold("person", address_key(mail.sender or ""))  # whose mails are counted, one after the other
        case = Case(unit, kept, mail, now, since)
        for station in self.way:
            found = station.take(case)
            if not isinstance(found, Case):
                break
            case = found
        else:
            raise AssertionError("the way of a mail has an end")
        settled = found
        if settled is not None and station.counted:
            settled = self.allowances.answered(case, settled)
        if settled is not None and station.stopped:
            settled = self.loops.stopped(case, settled)
        if settled is not None and mail.phrases and settled.disposition != "held":
            unit.blank(kept.id, without_phrases(mail))
        return settled

    def proved(self, unit: Unit, kept: KeptMail, mail: Mail) -> list[tuple[str, int]]:
        """The seats of the sender, where more than a From says who he is."""
        proof = self.senders.proof_of(unit, kept, mail)
        return [(at.match.name, at.seat) for at in proof.seats] if proof.proved else []

    def evidence(self, unit: Unit, kept: KeptMail, mail: Mail) -> str:
        """On what evidence the sender is who he says, in words."""
        return self.senders.proof_of(unit, kept, mail).evidence


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
