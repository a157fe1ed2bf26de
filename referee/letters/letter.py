"""A letter, as the offices write it: an envelope and a page, all but the picture and the MIME,
which are made at delivery; and how it is stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, Literal

from markupsafe import Markup
from pydantic import TypeAdapter

from referee.core.diagram import Diagram
from referee.core.texts.addresses import address_key
from referee.core.value import Demand, FreeText, LeftOut, Line, Value
from referee.match.chain import Keys
from referee.match.match import Match, RoundName
from referee.match.meanings import Drafted
from referee.match.notices import Notice
from referee.store.post import OutgoingLetter

Files = tuple[tuple[str, str, str], ...]  # of a letter: name, MIME type, text


class Appointment(Value):
    """A deadline as its owner's calendar keeps it. The same `uid` is the same deadline; the higher
    `sequence` counts; `done` takes it out again."""

    uid: str
    sequence: int
    at: datetime
    what: str
    how: str
    done: bool = False


PRESS: Final = "press"  # the heading of words that OK passes on to all players
ABSENCE: Final = "vacation"  # that of days on which the reader is away, which OK tells the others
ADDRESS: Final = "address"  # that of a further address of the reader's, which OK asks for
KNOWLEDGE: Final = ("board", "record", "receipt", "rules", "help")  # of what one may know, as it is offered
_TO_OFFER: Final = "timezone digest format rematch withdraw observe join"
COMMANDS: Final = frozenset((PRESS, ABSENCE, ADDRESS, *KNOWLEDGE, *_TO_OFFER.split()))
"""Commands that a letter may offer: a heading begins with one, and the form stands behind it."""


class Offered(Value):
    """A whole form that a reply of OK sends, or of several the number of one: under which kind of
    answer, and, for one that no round waits for, while which rounds are open. Or a command's
    argument, under the command; words to players, under `PRESS` and whom they are for."""

    heading: str
    form: str
    rounds: tuple[RoundName, ...] = ()
    match: str = ""  # and its seat, in a letter that asks for which match a mail was
    seat: int = 0


def offered_draft(demand: Demand | None, draft: Drafted | None) -> tuple[Offered, ...]:
    """A draft that a letter asks for and shows, where nothing is wrong with it."""
    return (Offered(demand.kind, draft.form),) if demand and draft and draft.whole else ()


class Head(Value):
    """The envelope: who writes to whom, when, under which subject and ids."""

    office: str  # "speaker" or "collector"
    reply_to: str  # whom to answer: one of these, or "moderator"
    recipient: str
    recipient_name: str
    subject: str
    message_id: str
    at: datetime
    automatic: str = "auto-generated"
    in_reply_to: str | None = None
    references: tuple[str, ...] = ()
    token: str = ""  # stands behind a plus in the address for replies


class LetterPage(Value):
    """The words of a letter: what may be the same for several readers, and is stored once for all of these."""

    text: str
    html: str
    diagram: Diagram | None = None
    attachments: Files = ()
    lines: tuple[str, ...] = ()  # keyed digests of its lines, of one whose text is deleted
    news: str = ""  # what happened, in all its forms, of one that another letter may carry


class Item(Value):
    """What a number in the desk's letter stands for. `key` tells it from whatever comes in its place later."""

    key: tuple[str, ...]
    match: str | None = None
    seat: int | None = None
    which: str = ""  # a mail's number


class Meant(Value):
    """What a reply to a letter means."""

    form: str = ""  # the form it ends with, to recognise an unchanged quote
    orders: str = ""  # its reader's own orders, as it repeats them
    rounds: tuple[RoundName, ...] = ()  # what it is about: a reply answers these and no others
    about: str = ""  # the identity of the mail that it answers, or that its reader is asked about
    offers: tuple[Offered, ...] = ()
    draft: bool = False  # it shows a draft of its reader's
    tell: str = ""  # words of theirs that the word TELL passes on to all players
    # whether that mail is theirs, this address the player's; a form; whether a moderator may read
    # that mail; which of the offers somebody new would have; whether it is the new address of whose
    # old one the first offer names, or was rightly theirs no more
    asks: Literal["mail", "address", "substitute", "proposal", "words", "door", "moved", "gone", "number"] = (
        "mail"
    )
    desk: bool = False  # it went to a moderator as such: a reply may order things
    items: tuple[Item, ...] = ()  # what the desk's letter numbers, from 1 on


class Measure(Value):
    """With which others a letter is counted."""

    quota: str = ""  # whose measure it is: a sender's, by what is known of them, or alarm
    topic: str = ""  # of an alarm its kind, of an answer the question, of a question the mail it is about
    bucket: str | None = None  # of a challenge or an alarm: counted apart from others of its topic


_BLANK = LetterPage("", "")
NO_REPLY, UNCOUNTED = Meant(), Measure()  # that say nothing


class PendingNews(Value):
    """What a stimulus has still to tell a seat that is written to anyhow: they are one letter. What
    happened, as the public letters say it (`news`), and at its end what proves it and how the
    record stands (`proof`), with the files that belong to it; what the seat owes next; what changes
    in its calendar; whether its reader has not seen the board as it stands (`moved`)."""

    news: str = ""
    proof: str = ""
    files: Files = ()
    duty: Notice | None = None
    appointments: tuple[Appointment, ...] = ()
    moved: bool = False

    def after(self, waited: Sequence[Letter]) -> PendingNews:
        """The same, with what letters tell that have waited for it."""
        if not waited:
            return self
        news = Markup("").join([Markup(letter.page.news) for letter in waited])
        dates = (*(date for letter in waited for date in letter.appointments), *self.appointments)
        return replace(self, news=news + self.news, appointments=dates, moved=True)


class Letter(Value):
    """`kind` is what its header calls it (`kinds.toml`)."""

    kind: str
    head: Head
    page: LetterPage = _BLANK
    match: str | None = None
    seat: int | None = None
    position: int | None = None  # of a public one
    chain: str = ""  # where the record's chain stands there
    reply: Meant = NO_REPLY
    measure: Measure = UNCOUNTED
    appointments: tuple[Appointment, ...] = ()  # what changes in its reader's calendar
    waits: bool = False  # up to a day for a letter of the seat's that carries what it tells
    stop: tuple[str, str] | None = None  # an observer's: the match, and the token by which its letters end
    medium: Literal["both", "text", "html"] = "both"
    # of an alarm: the matches and people that it may tell something private of, the mail that
    # waits, and what its words are made of, which no row keeps
    concerns: tuple[str, ...] = ()
    number: int = 0
    told: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def to(self, address: str) -> Letter:
        """The same letter to another address."""
        return replace(self, head=replace(self.head, recipient=address))

    def public(self, match: Match) -> Letter:
        """The same letter, as one that tells all how the match stands now."""
        return replace(self, position=match.position, chain=match.head)

    def facts(self) -> dict[str, str | int | None]:
        """By which a log tells it from others: the first half of its Message-ID, its kind, its match and seat."""
        own = self.head.message_id.strip("<>").partition("@")[0]
        return {"letter": own, "kind": self.kind, "match": self.match, "seat": self.seat}

    def counted(self, **measure: Any) -> Letter:
        """The same letter, counted otherwise."""
        return replace(self, measure=replace(self.measure, **measure))


class AnsweredMail(Value):
    """The mail a letter answers. What it says of itself, its subject among it, is nothing for a letter."""

    address: str
    name: FreeText
    message_id: str | None
    references: tuple[str, ...]
    identity: str  # a key that tells it from all others
    at: datetime  # when it is answered
    kept: str = ""  # its identity in the inbox
    zone: str | None = None
    # for the letter about its verdict: when it came, its own words, what they ask, what was broken in it or left out
    arrived: datetime | None = None
    own: tuple[Line, ...] = ()
    asks: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    passed_over: tuple[LeftOut, ...] = ()

    @property
    def thread(self) -> str | None:
        return self.references[0] if self.references else self.message_id


class Recipient(Value):
    """Who reads a letter: a seat's person, an observer (seat None), or a stranger."""

    address: str
    name: FreeText = ""
    seat: int | None = None
    zone: str | None = None


# --- deleted ---


def lost(page: LetterPage, keys: Keys, instead: str) -> LetterPage:
    """Without its words; what comes back of them is known by the digests of their lines."""
    lines = tuple(_digest(line, keys) for line in page.text.splitlines() if line.strip())
    return LetterPage(instead, f"<p>{instead}</p>", lines=page.lines or lines)


def recalled(page: LetterPage, said: Iterable[str], keys: Keys) -> LetterPage:
    """The page, with those lines of its deleted text that a mail says again."""
    if not page.lines:
        return page
    known = {_digest(line, keys): line for line in said}
    return replace(page, text="\n".join(known[line] for line in page.lines if line in known))


def _digest(line: str, keys: Keys) -> str:
    return keys.derive("line", "".join(filter(str.isalnum, line.casefold())))[:16]


# --- stored ---------------------------------------------------------------------------------------------------

OPEN_QUESTION = "words to a person"  # the bucket of those to a moderator that nobody has answered
BOARD = 'src="cid:board"'  # where the picture stands in the HTML of a letter
_LETTER, _PAGE = TypeAdapter(Letter), TypeAdapter(LetterPage)
_read = lru_cache(64)(_PAGE.validate_json)  # what several readers get is read once


def decoded(row: OutgoingLetter) -> Letter:
    """The letter of a row, with its page."""
    return replace(_LETTER.validate_json(row.body), page=_read(row.sheet))


def outgoing(letter: Letter) -> OutgoingLetter:
    """The letter as a row of the outbox, its page apart."""
    head, page, measure = letter.head, letter.page, letter.measure
    if page.diagram is not None and BOARD not in page.html:
        page = replace(page, diagram=None)  # of a board that nobody sees nothing is kept
    answers = head.in_reply_to if head.automatic == "auto-replied" else None
    thread = head.references[0] if head.references else answers
    return OutgoingLetter(
        message_id=head.message_id,
        at=head.at,
        kind=letter.kind,
        match=letter.match,
        seat=letter.seat,
        recipient=address_key(head.recipient),
        answers=answers,
        thread=thread,
        body=_LETTER.dump_json(letter, exclude={"page", "told"}).decode(),
        quota=measure.quota or None,
        topic=measure.topic or None,
        bucket=measure.bucket,
        sheet=_PAGE.dump_json(page).decode(),
    )
