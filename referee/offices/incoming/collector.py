"""The collector: one kept mail in; its verdict, its effect and its answer out. Called inside a transaction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

from referee.core.texts.addresses import address_key
from referee.offices.incoming import challenges, commands, measures, senders, to_seat, unread
from referee.offices.incoming.case import Case, Mailroom, Settled
from referee.offices.incoming.moderators import gate, questions
from referee.offices.incoming.requests import club
from referee.offices.incoming.words import answers, consent
from referee.offices.ports.mail import Mail
from referee.store.inbox import KeptMail
from referee.store.sql import Unit

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
    Station("an observer's letters end", unread.unsubscribed, "a reply"),
    Station("bounce", unread.bounced),
    Station("automatic", unread.automatic),
    Station("sender", senders.known),
    Station("reply to a question", challenges.answered, "a reply"),
    Station("invitation", club.invited, "a reply", counted=True, stopped=True),
    Station("OK to an offer", consent.to_an_offer, "a reply"),
    Station("denial", challenges.disowned, "a reply", counted=True),
    Station("repeat", measures.came_before, counted=True),
    Station("the desk", gate.given),
    Station("words to a person", questions.agreed, "a reply", counted=True, stopped=True),
    Station("evidence", challenges.denied, "a doubtful mail", stopped=True),
    Station("measure", measures.asked, "a command", stopped=True),
    Station("command", commands.given, "a command", counted=True, stopped=True),
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
            settled = measures.counted(case, settled)
        if settled is not None and station.stopped:
            settled = measures.stopped(case, settled)
        if settled is not None and mail.secret and settled.disposition != "held":
            unit.blank(kept.id, without_phrase(mail))
        return settled

    def proved(self, unit: Unit, kept: KeptMail, mail: Mail) -> list[tuple[str, int]]:
        """The seats of the sender, where more than a From says who he is."""
        proof = senders.proof_of(self.room, unit, kept, mail)
        return [(at.match.name, at.seat) for at in proof.seats] if proof.proved else []

    def evidence(self, unit: Unit, kept: KeptMail, mail: Mail) -> str:
        """On what evidence the sender is who he says, in words."""
        return senders.proof_of(self.room, unit, kept, mail).evidence


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
