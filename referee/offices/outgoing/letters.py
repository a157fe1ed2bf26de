"""A letter, as the offices write it: everything but the picture and the MIME, which are made at delivery; who writes
which kind, and under which subject."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Literal

from pydantic import TypeAdapter

from referee.core.addresses import address_key
from referee.core.diagram import Diagram
from referee.core.replacing import replace
from referee.core.words import FreeText
from referee.match import events as ev
from referee.match.match import Match, RoundName
from referee.match.notices import Notice
from referee.offices.ports.store import OutgoingLetter

_ASKING = ("opened", "due", "reminder")  # kinds that the speaker writes and the collector takes answers to
_TELLING = (
    "announcement",
    "lapsed",
    "rewound",
    "extended",
    "ended",
    "press",
    "digest",
)  # the speaker does both
_ANSWERING = (
    "refusal",
    "preview",
    "receipt",
    "ignored",
    "help",
    "status",
    "challenge",
)  # the collector does both
# What the header calls letters whose template has a name of its own (contract, "Mail out").
NOTICES = {
    **dict.fromkeys(("joined", "observing", "zone"), "receipt"),
    **dict.fromkeys(("too_large", "too_much"), "refusal"),
    **dict.fromkeys(("games", "rules", "enough"), "help"),
    **dict.fromkeys(("board", "no_order"), "status"),
    "which_order": "preview",
}
_LABELLED = (ev.Answered, ev.RoundRevealed, ev.Lapsed, ev.DeadlineMoved, ev.TurnRuled)


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
    orders: str = ""  # its reader's own orders, as it repeats them
    token: str = ""  # stands behind a plus in the address for replies
    medium: Literal["both", "text", "html"] = "both"
    rounds: tuple[RoundName, ...] = ()  # what it is about: a reply to it answers these and no others
    appointments: tuple[Appointment, ...] = ()  # what changes in its reader's calendar
    stop: tuple[str, str] | None = None  # an observer's: the match, and the token by which its letters end
    purse: str = ""  # whose measure it counts in: a sender's, by what is known of him, or alarm
    topic: str = ""  # of an alarm its kind, of an answer the question: what is counted together
    about: str = ""  # the identity of the mail that it answers, or that its reader is asked about
    offered: Offered | None = None
    asks: Literal["mail", "address"] = "mail"  # whether that mail is his, or this address the player's
    lane: str | None = None  # of a challenge or an alarm: with which others it is counted


STRANGERS = "strangers"  # the measure of all alarms about people who play nowhere here


def counted_about(alarm: Letter, seats: Sequence[tuple[str, int]], proof: str) -> Letter:
    """The alarm, counted as one about somebody who has those seats: the first of its kind in a day about each player,
    and about what proves as much, always comes. Without seats it is one about strangers, who have one measure."""
    if not seats:
        return replace(alarm, topic=STRANGERS)
    match, seat = seats[0]
    return replace(alarm, lane=f"{alarm.topic} about {match}/{seat}, {proof}")


@dataclass(frozen=True, slots=True)
class AnsweredMail:
    """The mail a letter answers: its sender, ids, and a key that tells it from all others; `kept` is its identity in
    the inbox. What it says of itself, its subject among it, is nothing for a letter."""

    address: str
    name: FreeText
    message_id: str | None
    references: tuple[str, ...]
    identity: str
    kept: str = ""
    zone: str | None = None

    @property
    def thread(self) -> str | None:
        return self.references[0] if self.references else self.message_id


@dataclass(frozen=True, slots=True)
class Recipient:
    """Who reads a letter: a seat's person, an observer (seat None), or a stranger."""

    address: str
    name: FreeText
    seat: int | None
    zone: str | None = None


@dataclass(frozen=True, slots=True)
class SharedSheet:
    """The words of a letter: what may be the same for several readers, and is stored once for all of these."""

    text: str
    html: str
    diagram: Diagram | None
    attachments: tuple[tuple[str, str, str], ...]


BOARD = 'src="cid:board"'  # where the picture stands in the HTML of a letter
_LETTER, _SHEET = TypeAdapter(Letter), TypeAdapter(SharedSheet)
_AT_HAND = 64  # letters and sheets: those of a few stimuli


def encoded(letter: Letter) -> str:
    """A letter without its words."""
    return _LETTER.dump_json(replace(letter, text="", html="", diagram=None, attachments=())).decode()


@lru_cache(_AT_HAND)
def _written(sheet: SharedSheet) -> str:
    return _SHEET.dump_json(sheet).decode()


_read = lru_cache(_AT_HAND)(_SHEET.validate_json)


def decoded(row: OutgoingLetter) -> Letter:
    """The letter of a row, with its words."""
    if (known := _FRESH.get((row.body, row.sheet))) is not None:
        return known
    letter, sheet = _LETTER.validate_json(row.body), _read(row.sheet)
    return replace(
        letter, text=sheet.text, html=sheet.html, diagram=sheet.diagram, attachments=sheet.attachments
    )


_FRESH: dict[tuple[str, str], Letter] = {}  # the last letters that were written here, by what is stored


def outgoing(letter: Letter) -> OutgoingLetter:
    """The letter as a row of the outbox, and its sheet. The process that wrote it need not read it again."""
    if letter.diagram is not None and BOARD not in letter.html:
        letter = replace(letter, diagram=None)  # of a board that nobody sees nothing is kept
    body = encoded(letter)
    sheet = _written(SharedSheet(letter.text, letter.html, letter.diagram, letter.attachments))
    if len(_FRESH) >= _AT_HAND:
        _FRESH.clear()
    _FRESH[body, sheet] = letter
    answers = letter.in_reply_to if letter.automatic == "auto-replied" else None
    thread = letter.references[0] if letter.references else answers
    return OutgoingLetter(
        message_id=letter.message_id,
        at=letter.at,
        kind=letter.kind,
        match=letter.match,
        seat=letter.seat,
        recipient=address_key(letter.recipient),
        answers=answers,
        thread=thread,
        body=body,
        purse=letter.purse or None,
        topic=letter.topic or None,
        lane=letter.lane,
        sheet=sheet,
    )


# --- who writes it, and its subject ---------------------------------------------------------------------------


Office = Literal["speaker", "collector"]


def office_of(kind: str) -> Office:
    """Who writes it."""
    return "speaker" if kind in (*_ASKING, *_TELLING) else "collector"


def reply_office_of(kind: str) -> Office:
    """Whom to answer."""
    return "collector" if kind in (*_ASKING, *_ANSWERING) else "speaker"


def subject_of_notice(match: Match, title: str, notice: Notice) -> str:
    """The subject of a letter that tells what happened."""
    labels = [e.event.label for e in notice.entries if isinstance(e.event, _LABELLED) and e.event.label]
    about = labels[0] if labels else ""
    waits = f"{notice.round.label}: the ruling waits" if notice.round else ""
    words = {
        "opened": "the match is open",
        "announcement": about or _news(notice) or waits or "announcement",
        "lapsed": f"the time is over: {about}",
        "extended": f"new deadline: {about}" if about else "new deadlines",
        "ended": "the match has ended",
        "press": _from_whom(notice),
    }
    if notice.kind == "rewound":
        back = [e.event.label for e in notice.entries if isinstance(e.event, ev.MatchRewound)]
        words["rewound"] = f"rewound to {back[0]}"
    return f"[{match.name}] {title}: {words.get(notice.kind, notice.kind)}"


def _news(notice: Notice) -> str:
    """What a letter tells that is about no round. No player's name is in it: whoever chose his well would have all
    others answer under words of his."""
    for entry in notice.entries:
        match entry.event:
            case ev.MatchPaused():
                return "the match is paused"
            case ev.MatchResumed():
                return "the match goes on"
            case ev.EntrantReplaced(seat=seat):
                return f"Player {seat} is somebody new"
            case ev.EntrantJoined():
                return "one more has joined"
            case ev.Amended():
                return "the rules are amended"
            case ev.Said():
                return "words of the moderator"
            case ev.AbsenceTaken(seat=seat):
                return f"Player {seat} is away"
    return ""


def _from_whom(notice: Notice) -> str:
    """Whose words they are, and whether all got them."""
    said = next((e.event for e in notice.entries if isinstance(e.event, ev.PressSent)), None)
    if said is None:
        return "words of a player"
    return f"Player {said.seat} writes to {'you' if said.to else 'all'}"


# What a letter that answers a mail is about, by its template; of `done` by its topic. None begins with a command's
# name: whoever replies has the letter's subject, and says nothing by it.
_ANSWERS: Mapping[str, str] = {
    "receipt": "received",
    "refusal": "refused",
    "preview": "dry run",
    "ignored": "nothing changed",
    "too_large": "refused",
    "too_much": "refused",
    "no_order": "no order",
    "which_order": "which of the two",
    "help": "how to write to me",
    "games": "the games I moderate",
    "rules": "the rules in brief",
    "status": "what you owe",
    "board": "how it stands",
    "record": "the public record",
    "joined": "you have a seat",
    "observing": "your letters of the match",
    "zone": "your time zone",
    "enough": "no more of it today",
    "wish": "do you wish it? Yes or No",
    "asked_again": "Yes or No, please",
    "absence": "your absence",
    "press": "your words to the others",
    "renewed": "new addresses for replies",
    "address": "your further address",
    "format": "how you get my letters",
    "phrase": "your pass phrase",
    "key": "your OpenPGP key",
    "stepped": "you have left",
    "challenge": "the mail I asked you about",
    "challenge_denied": "a mail that is not yours",
    "challenge_disowned": "a mail that is not yours",
    "untried": "no dry run",
}


def about_in_answer(template: str, topic: str) -> str:
    """What the subject of a letter says that answers a mail, in our own words alone: the mail may be anybody's, and
    whoever reads the letter answers it under what stands there."""
    keys = (template, topic, topic.partition("_")[0])
    return next((_ANSWERS[key] for key in keys if key in _ANSWERS), "your mail")


_SEAT = re.compile(r"player \d+", re.IGNORECASE)
_NUMBERED = re.compile(r"(.*?)\s*(\d+)")


def staged(words: str, label: str) -> str:
    """The words for an answer with the stage of the match that the label names, if it names one."""
    stages: list[str] = []
    for part in re.split(r" / |, ", label):
        found = _NUMBERED.fullmatch(part)
        if found is None or _SEAT.fullmatch(part):
            continue
        of, number = found[1].lower(), found[2]
        if not words.lower().endswith(of):
            stages.append(f"{of} {number}")
        elif number != "1":
            stages.append(f"no. {number}")
    return f"{words} ({', '.join(stages)})" if stages else words
