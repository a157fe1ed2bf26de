"""What the offices need of the store: rows as values, and the unit of work that reads and writes them. (Rows are named
tuples: a command loads them all, and a dataclass costs five times as much to make.)"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from functools import wraps
from typing import TYPE_CHECKING, Literal, NamedTuple, ParamSpec, Protocol, TypeVar

from referee.errors import RefereeError

if TYPE_CHECKING:
    from referee.match.events import Entry

Disposition = Literal["accepted", "refused", "ignored", "answered", "discarded", "held", "shunted"]


P = ParamSpec("P")
R = TypeVar("R")
_TIMES = 8  # in which one transaction may be in another's way, before that is trouble


class BadLedger(RefereeError):
    """The entries that the store holds of a match can't be read."""


class Again(RefereeError):
    """Another transaction was in this one's way, and was first. All that this one did is undone; the same done once
    more, from its beginning, is done on what the other left. It is nobody's fault, and no mail is put aside for it."""


def again(work: Callable[P, R]) -> Callable[P, R]:
    """The same work, a transaction of its own, taken again as long as another one was first. Raises Again where that
    does not end."""

    @wraps(work)
    def taken(*args: P.args, **kwargs: P.kwargs) -> R:
        for _ in range(_TIMES - 1):
            try:
                return work(*args, **kwargs)
            except Again:
                continue
        return work(*args, **kwargs)

    return taken


class NewMail(NamedTuple):
    """A mail to keep. `identity` is unique for ever: two of the same are one mail."""

    uid: str
    identity: str
    arrived: datetime
    size: int
    cut: bool
    raw: bytes
    message_id: str | None
    sender: str | None
    proof: str = ""  # what its own signatures prove of its sender
    signature: str | None = None  # a digest of the signature that proves it
    lane: str | None = None  # with which others it is judged one after another, where several workers judge


class KeptMail(NamedTuple):
    """A mail as the inbox has it: `id` for the moderator, `identity` for everything derived from it. `released` tells
    that a moderator let it pass triage, `confirmed` that the person it claims to be from has said it is his, `agreed`
    that the address that it asks for has said Yes."""

    id: int
    uid: str
    identity: str
    arrived: datetime
    size: int
    cut: bool
    raw: bytes
    message_id: str | None
    sender: str | None
    released: bool
    verdict: Disposition | None
    reason: str | None
    match: str | None
    seat: int | None
    confirmed: bool = False
    proof: str = ""
    signature: str | None = None
    agreed: bool = False
    strength: int | None = None  # how much it proved when it was settled


class StoredMatch(NamedTuple):
    """A match's row: its summary and its cached state."""

    name: str
    game: str
    status: Literal["filling", "open", "paused", "ended"]
    phase: str
    version: int
    opened_at: datetime
    stamp: str
    state: str
    lapses_at: datetime | None
    reminds_at: datetime | None
    computes: bool
    vacant: bool = False
    table: str | None = None  # with which others of its game it is compared
    facts: str | None = None  # how it stands in public; written with the row, and read as `KeptFacts`


class KeptFacts(NamedTuple):
    """How a match stands, as its row keeps it: `facts` is None where nobody has written them yet."""

    name: str
    version: int
    stamp: str
    facts: str | None


class MatchSummary(NamedTuple):
    """What the row of a match says without its state."""

    name: str
    game: str
    status: str


class Published(NamedTuple):
    """How far a match's public record goes."""

    name: str
    opened_at: datetime
    position: int


class OutgoingLetter(NamedTuple):
    """A letter on its way. `body` is the encoded letter without its `sheet`. `answers` and
    `thread` are Message-IDs of the mail it answers, `seat` the seat it was written for; `lane` tells of a challenge
    with which others it is counted."""

    message_id: str
    at: datetime
    kind: str
    match: str | None
    seat: int | None
    recipient: str
    answers: str | None
    thread: str | None
    body: str
    attempts: int = 0
    note: str | None = None
    purse: str | None = None
    topic: str | None = None
    lane: str | None = None
    sheet: str = ""


class Person(NamedTuple):
    """What is kept of an address (without case) beside its seats. `medium` is what his letters hold; `digest` asks for
    public letters once a day; `phrase` is the hash of a pass phrase, `key` an OpenPGP certificate in ASCII armour;
    `failing` since when, and `note` why, letters do not arrive; `owner` is the address whose player has
    proved that this one is his too, by its own yes."""

    address: str
    medium: Literal["both", "text", "html"] = "both"
    digest: bool = False
    phrase: str | None = None
    failing: datetime | None = None
    note: str | None = None
    key: str | None = None
    owner: str | None = None


class Clock(NamedTuple):
    """The last pass's clock, how far the mailbox has been read, and the service's last sign of life. `reached` is the
    latest stimulus that was judged (written with what it did, so that a pass that goes on after a crash knows it);
    `under_way` that the last pass has not come to the end of its judging."""

    last_pass: datetime | None
    watermark: datetime | None
    heartbeat: datetime | None
    reached: datetime | None = None
    under_way: bool = False


class Unit(Protocol):
    """One transaction."""

    def savepoint(self) -> AbstractContextManager[None]:
        """What is inside is undone whole when it raises."""

    def hold(self, what: str, which: str) -> None:
        """Wait until no other transaction holds this ("person", an address), then keep others from it until this one
        has ended. For what is no row yet, or more than one: what is read afterwards stays so. A transaction holds the
        sender of its mail first, and further people in the order of their addresses."""

    # --- the inbox
    def keep(self, mail: NewMail) -> bool:
        """Keep a mail; False where the same mail is there already (it is then only noted under its new uid)."""

    def known_uids(self, uids: Sequence[str]) -> set[str]:
        """Those of them under which a mail is kept."""

    def next_mail(self, until: datetime, beyond: Iterable[int]) -> KeptMail | None:
        """The earliest open mail that arrived by `until`, leaving out the ids in `beyond`."""

    def mail(self, mail_id: int) -> KeptMail | None: ...
    def mail_of(self, identity: str) -> KeptMail | None: ...
    def mails_called(self, message_id: str) -> list[KeptMail]:
        """The mails under a Message-ID that hold anything: their senders chose it, so there may be several."""

    def mails(self, verdicts: Sequence[Disposition]) -> list[KeptMail]: ...
    def newest(self, count: int) -> list[bytes]:
        """The raw mails that arrived last, the newest first; without those that are nobody's, or whose words are struck
        out."""

    def open_mails(self) -> int:
        """How many mails are not settled."""

    def claim(self, uid: str) -> int:
        """Note that a mail is about to be looked at; how often it was before without an end."""

    def forgive(self, uid: str) -> None:
        """The last time it was claimed does not count: the process was ended, and not by the mail."""

    def release_claim(self, uid: str) -> None:
        """It was looked at, and nothing happened to the process."""

    def settle(
        self,
        mail_id: int,
        disposition: Disposition,
        reason: str,
        at: datetime,
        *,
        words: str | None = None,
        resend: str | None = None,
        match: str | None = None,
        seat: int | None = None,
        signature: str | None = None,
        strength: int | None = None,
        seen_as: Disposition | None = None,
    ) -> None:
        """What became of a mail, and why, in words for the moderator; `words`, `resend` and `signature` are the digests
        by which it is known when it comes again, `strength` how much it proved. Raises Again where it is not as it was
        seen: open, or so settled."""

    def blank(self, mail_id: int, raw: bytes) -> None:
        """Keep these bytes of a mail instead of all of it."""

    def reopen(
        self,
        mail_id: int,
        seen_as: Disposition,
        *,
        released: bool,
        confirmed: bool | None = None,
        agreed: bool | None = None,
    ) -> None:
        """Back into the queue; `confirmed` and `agreed` None leave that as it was. Raises Again where it is settled
        otherwise by now."""

    def unfiled(self) -> list[tuple[str, Disposition]]: ...
    def filed(self, settled: Sequence[tuple[str, Disposition]]) -> None:
        """Put away on the server, by uid and verdict; one that was judged otherwise meanwhile is put away again."""

    def resends(self, resend: str, signature: str | None = None) -> list[KeptMail]:
        """Settled mails of the same sender, subject, words and Date, or proved by the same signature, oldest first."""

    def same_words(self, words: str, since: datetime) -> list[KeptMail]:
        """Settled mails of the same sender, subject and words that arrived since then, oldest first."""

    def holding_up(self, match: str, seat: int, since: datetime, by: datetime) -> list[KeptMail]:
        """The mails of the seat that were held or shunted since then and arrived by then, oldest first. One whose
        seat was not found counts for every seat of its sender."""

    # --- matches
    def match(self, name: str) -> StoredMatch | None: ...
    def matches(self) -> list[StoredMatch]: ...
    def names(self) -> list[str]:
        """All matches, by their opening; for who must look at each, in a transaction of its own."""

    def all_kept_facts(self) -> list[KeptFacts]:
        """How all matches stand, by their opening."""

    def kept_facts_of(self, name: str) -> KeptFacts | None: ...
    def keep_facts(self, name: str, version: int, facts: str) -> None:
        """Write down how a match of that version stands; nothing where it has moved on."""

    def compared(self, game: str, table: str) -> list[str]:
        """The matches of a table, by their opening."""

    def has_match(self, name: str) -> bool: ...
    def summaries(self, names: Iterable[str]) -> list[MatchSummary]:
        """Of the matches that have one of the names, by name."""

    def has_match_like(self, name: str) -> bool:
        """Whether a match has that name, compared without case."""

    def published(self) -> list[Published]:
        """How far every match's public record goes, by their opening, read without their states and ledgers."""

    def history(self, name: str) -> list[Entry]:
        """The whole ledger. Raises BadLedger."""

    def save(self, row: StoredMatch, entries: Sequence[Entry]) -> None:
        """Append to the ledger and rewrite the row. Raises Again if another changed the match since it was read."""

    def seat_addresses(self, match: str, held: Iterable[tuple[int, str]]) -> None: ...
    def seats_of(self, address: str) -> list[tuple[str, int]]: ...
    def former_addresses(self, match: str, addresses: Iterable[str]) -> None:
        """The addresses of those who sat in the match before, instead of those it had."""

    def left_by(self, address: str) -> list[str]:
        """The matches in which the address was somebody's who sits there no more."""

    def vacant(self) -> list[tuple[str, str]]:
        """The matches with a seat that one may join: name and game."""

    def next_lapse(self, before: datetime, beyond: Iterable[str]) -> tuple[str, datetime] | None: ...
    def reminding(self, by: datetime) -> list[str]:
        """Matches whose next reminder is due."""

    def computing(self) -> list[str]:
        """Matches that wait for the referee's own answer, without those that are stuck."""

    def stick(self, name: str, version: int) -> None:
        """The answer was not found; it is not looked for again in this version of the match."""

    def unstick(self, names: Iterable[str]) -> None: ...
    def stuck(self) -> list[str]: ...

    # --- the referee's own outages
    def note_outage(self, since: datetime, length: timedelta) -> None:
        """Every open match is owed the time; each is given it in a transaction of its own, before anything else befalls
        it."""

    def owed_time(self, most: int) -> list[str]:
        """Matches that are owed time, by their opening."""

    def take_outages(self, match: str) -> list[timedelta]:
        """The spans that the match is owed, which it is given now."""

    # --- people
    def person(self, address: str) -> Person:
        """What is kept of the address; the defaults where nothing is."""

    def persons(self, addresses: Iterable[str]) -> dict[str, Person]:
        """The same of several addresses, each by the address as it is given here."""

    def remember(self, person: Person) -> None: ...
    def failing(self, addresses: Iterable[str]) -> list[Person]:
        """Those of the addresses at which letters do not arrive."""

    def owned_by(self, address: str) -> list[str]:
        """The addresses that this one has proved to be its own."""

    def reply_tokens(self, match: str, held: Iterable[tuple[int, str]]) -> None:
        """The tokens of a match's seats, instead of those it had."""

    def seat_of_token(self, token: str) -> tuple[str, int] | None: ...

    # --- the outbox
    def send(self, *letters: OutgoingLetter, gathered: bool = False) -> None:
        """Queue letters, or keep them for a digest; one of a Message-ID that is there already is not queued again.
        Letters with equal sheets share one row that holds it."""

    def unsent(self, by: datetime, most: int, to: Collection[str] | None = None) -> list[OutgoingLetter]:
        """What is to leave now (to those readers, where they are given), in the order it was queued, `most` at most."""

    def readers_waiting(self, by: datetime, most: int, beyond: int = 0) -> list[str]:
        """To whom the letters go that are to leave now, one after another, without the first ones."""

    def sent(self, message_ids: Sequence[str], at: datetime) -> None: ...
    def postponed(self, message_id: str, until: datetime, note: str) -> None: ...
    def failed(self, message_id: str, note: str) -> None: ...
    def redirect(self, letter: OutgoingLetter) -> None:
        """Queue a letter that is there once more, for the recipient that it now has."""

    def failures(self) -> list[OutgoingLetter]: ...
    def letter(self, message_id: str) -> OutgoingLetter | None: ...
    def letters_of(self, match: str, seat: int | None = None) -> list[OutgoingLetter]:
        """All letters ever written about a match, or to one seat of it, in their order, whatever became of them."""

    def first_of_threads(self, threads: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
        """Of each recipient and root the first letter of that thread that was written to him: the root itself, or one
        that refers to it; nothing where there is none."""

    def answers_since(self, recipient: str, thread: str | None, since: datetime) -> int:
        """How many letters went to the recipient since then (in that thread, where one is given)."""

    def answers_from(self, purse: str, since: datetime) -> int:
        """How many letters since then count in a purse, whoever got them."""

    def counted(self, purse: str, recipient: str, topic: str | None, since: datetime) -> int:
        """How many letters to the recipient since then count in a purse (on that topic, where one is given)."""

    def withhold(self, topic: str, at: datetime) -> int:
        """One more alarm of a kind that was not sent; how many there are by now."""

    def take_withheld(self, by: datetime) -> list[tuple[str, datetime, int]]:
        """Kinds of alarms of which the first was withheld by then: the kind, when, how many. They are forgotten."""

    def newest_letter(self, match: str, seat: int, kinds: Sequence[str]) -> OutgoingLetter | None:
        """The seat's last letter of these kinds."""

    def last_letters(self, match: str, seat: int, address: str, most: int) -> list[OutgoingLetter]:
        """The seat's letters about the match, and those to the address that are about none, the newest first."""

    def lane_since(self, lane: str, since: datetime, recipient: str | None = None) -> int:
        """How many letters of that lane were written since then; of all that end so, to the recipient where one is
        given."""

    def uncount(self, message_id: str) -> None:
        """That letter is counted in its lane no longer: whom it asked has said Yes."""

    def gathered(self) -> list[tuple[str, datetime]]:
        """For whom letters are kept for a digest, and when the oldest of them was written."""

    def take_gathered(self, recipient: str) -> list[OutgoingLetter]:
        """His letters kept for a digest, oldest first. They have been told from now on, and nobody else gets them."""

    # --- the clock
    def clock(self) -> Clock: ...
    def set_clock(self, clock: Clock) -> None: ...


Claim = Callable[[Unit, datetime, int], list[OutgoingLetter]]  # what is to leave, and nobody else has in hand


class Store(Protocol):
    """The database. `exclusive` keeps other passes out; it is let go when the process dies."""

    def exclusive(self) -> AbstractContextManager[None]: ...
    def transaction(self) -> AbstractContextManager[Unit]: ...
    def claiming(self) -> AbstractContextManager[Claim]:
        """Letters to claim: as long as it lasts nobody else has letters to their readers in hand; it ends with the
        process."""

    def secret(self) -> bytes: ...
    def examine(self) -> tuple[str, ...]: ...
    def close(self) -> None: ...
