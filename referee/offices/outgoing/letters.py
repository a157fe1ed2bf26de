"""A letter, as the offices write it: everything but the picture and the MIME, which are made at delivery."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pydantic import TypeAdapter

from referee.core.diagram import Diagram
from referee.match.match import RoundName
from referee.offices.ports.store import OutgoingLetter


@dataclass(frozen=True, slots=True)
class Appointment:
    """A deadline as its owner's calendar keeps it. The same `uid` is the same deadline; the higher `sequence` counts;
    `done` takes it out again."""

    uid: str
    sequence: int
    at: datetime
    what: str
    how: str
    done: bool = False


@dataclass(frozen=True, slots=True)
class Offered:
    """That a reply of OK alone sends the letter's form: under which kind of answer, and, for one that no round waits
    for, while which rounds are open."""

    heading: str
    rounds: tuple[RoundName, ...] = ()


@dataclass(frozen=True, slots=True)
class Letter:
    """`office` is who writes ("speaker", "collector", "moderator"), `reply_to` whom to answer; `attachments` are
    (file name, MIME type, text)."""

    kind: str
    office: str
    reply_to: str
    recipient: str
    recipient_name: str
    subject: str
    text: str
    html: str
    message_id: str
    at: datetime
    automatic: str = "auto-generated"
    in_reply_to: str | None = None
    references: tuple[str, ...] = ()
    match: str | None = None
    position: int | None = None
    diagram: Diagram | None = None
    attachments: tuple[tuple[str, str, str], ...] = ()
    seat: int | None = None
    form: str = ""  # the form it ends with, to recognise an unchanged quote
    token: str = ""  # stands behind a plus in the address for replies
    medium: Literal["both", "text", "html"] = "both"
    rounds: tuple[RoundName, ...] = ()  # what it is about: a reply to it answers these and no others
    appointments: tuple[Appointment, ...] = ()  # what changes in its reader's calendar
    stop: tuple[str, str] | None = None  # an observer's: the match, and the token by which its letters end
    purse: str = ""  # whose measure it counts in: stranger, player, proved (a sender's), alarm
    topic: str = ""  # of an alarm its kind, of an answer the question: what is counted together
    about: str = ""  # of a challenge: the identity of the mail that its reader is asked about
    offered: Offered | None = None
    asks: Literal["mail", "address"] = "mail"  # whether that mail is his, or this address the player's
    lane: str | None = None  # of a challenge: with which others it is counted


@dataclass(frozen=True, slots=True)
class AnsweredMail:
    """The mail a letter answers: its sender, subject, ids, and a key that tells it from all others."""

    address: str
    name: str
    subject: str
    message_id: str | None
    references: tuple[str, ...]
    identity: str
    zone: str | None = None

    @property
    def thread(self) -> str | None:
        return self.references[0] if self.references else self.message_id


@dataclass(frozen=True, slots=True)
class Recipient:
    """Who reads a letter: a seat's person, an observer (seat None), or a stranger."""

    address: str
    name: str
    seat: int | None
    zone: str | None = None


_ADAPTER = TypeAdapter(Letter)


def encoded(letter: Letter) -> str:
    return _ADAPTER.dump_json(letter).decode()


def decoded(text: str) -> Letter:
    return _ADAPTER.validate_json(text)


def outgoing(letter: Letter) -> OutgoingLetter:
    """The letter as a row of the outbox."""
    answers = letter.in_reply_to if letter.automatic == "auto-replied" else None
    thread = letter.references[0] if letter.references else answers
    return OutgoingLetter(
        letter.message_id, letter.at, letter.kind, letter.match, letter.seat, letter.recipient, answers, thread,
        encoded(letter), purse=letter.purse or None, topic=letter.topic or None,
        lane=letter.lane,
    )  # fmt: skip
