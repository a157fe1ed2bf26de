"""What happens to a match, whatever its game: facts in the past participle, written once, never edited."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from typing import Any, Final, Literal

from referee.core.chance import Drawn
from referee.core.codec import Codec, JsonDict, JsonObject
from referee.core.game import AnyGame
from referee.core.texts.addresses import address_key
from referee.core.value import Demand, FreeText, OfSeat, Value

# Why deadlines move that nobody moves: what stands in the place of a moderator's reason.
AWAY = "this player has announced an absence until then."
BY_THE_CLOCK = "deadlines of this match end at its hour, and days off do not count."


class Entrant(Value):
    """A person on the roster. Addresses and zone are private: no letter, record or page shows them to others."""

    name: FreeText
    addresses: tuple[str, ...]
    zone: str | None = None

    def has(self, address: str) -> bool:
        return address_key(address) in map(address_key, self.addresses)


class Continued(Value):
    """Where a match goes on from: another match, its public position, and where its chain stood there."""

    match: str
    position: int
    head: str


class Event(Value):
    """What all of them are; which of these four a kind is says who hears of it. A new kind stands in no other list."""


class Told(Event):
    """All are told of it by a letter."""


class OfTime(Told):
    """It moves deadlines and no more."""


class Private(Event):
    """In no public head, count or position."""


class OfRound(Value):
    """An event that tells of one round."""

    label: str


class MatchOpened(Event):
    """`data` and `options` are all that judging will ever read. `commitment` is the SHA-256 of the draw's
    seed; `seed` is the seed itself only where it was given openly (`--seed`), for tests and puzzles."""

    match: str
    game: str
    options: Mapping[str, str]
    data: JsonObject
    seats: int
    commitment: str
    roster: tuple[Entrant, ...]
    seed: str | None = None
    beacon: FreeText | None = None
    continues: Continued | None = None


class EntrantJoined(Told):
    entrant: Entrant


class EntrantLeft(OfSeat, Told):
    """Somebody left the roster of a match that has not begun; those entered after him move up."""


class MatchBegun(Event):
    """All seats are filled. `seating[i]` is the seat of the i-th on the roster; the transcript proves the draw."""

    seating: tuple[int, ...]
    seed: str
    transcript: tuple[Drawn, ...]


class Happened(Event):
    """A fact of the game, encoded by the game's codec."""

    event: JsonObject


class HappenedInPrivate(Private, Happened):
    """A fact of the game that is one seat's alone (a standing order, a plan)."""

    seat: int


class RoundOpened(OfRound, Event):
    demands: tuple[Demand, ...]
    due_at: datetime | None
    sealed: bool
    answers: Literal["first", "last"]
    holds: bool


class Answered(OfRound, Told):
    """A valid answer. If sealed, it is secret until the reveal, and `seal` is its keyed seal."""

    demand: Demand
    action: JsonObject
    text: FreeText
    sealed: bool = False
    seal: str | None = None


class AnsweredInPrivate(Private, Answered):
    """An answer of which nothing may be known but by its seat, whatever became of it."""


class AnsweredAhead(Answered):
    """An answer that was given in advance, by a conditional turn whose condition has come true."""


class AheadBranch(Value):
    """One step of a conditional turn: should `seat` make the move `trigger` (seat 0: whatever comes), the owner makes
    the move `reply`, and `then` goes on from there. `said` and `text` are the two moves in words."""

    seat: int
    trigger: JsonObject | None
    said: str
    reply: JsonObject
    text: str
    then: tuple[AheadBranch, ...] = ()


AheadWhy = Literal[
    "sent", "played", "waits", "withdrawn", "other", "impossible", "own", "rewound", "amended", "replaced"
]


class AheadKept(OfSeat, Private):
    """The conditional turn of a seat as it is from now on, and why it changed; without branches there is none.

    `heard` are the others' last moves before it was sent. Of one that waits out its delay `chosen`
    is the branch that has come true, in the round `label`, and `plays_at` when it counts. `what`
    are the lines of one that is void."""

    branches: tuple[AheadBranch, ...]
    why: AheadWhy
    heard: Mapping[int, JsonObject] = field(default_factory=dict)
    label: str = ""
    chosen: int = 0
    plays_at: datetime | None = None
    what: str = ""


class DraftKept(Private):
    """What a seat answered before it is asked, in canonical text; nothing counts by it."""

    demand: Demand
    text: FreeText


class DraftDropped(OfSeat, Private):
    """Its draft is none any more."""


class LanguageHeard(OfSeat, Private):
    """In which language the seat's player wrote beside the last answer of his that counts: by it
    his next words are read, where they don't tell."""

    language: str


class AnswerWithdrawn(OfRound, Private):
    demand: Demand


class Unsealed(Value):
    """One answer of a reveal, with what is needed to check its seal."""

    demand: Demand
    text: FreeText
    nonce: str
    seal: str


class RoundRevealed(OfRound, Told):
    """A sealed round closed: what each seat had answered, and who had not."""

    answers: tuple[Unsealed, ...]
    missing: tuple[Demand, ...]
    opened: int  # the public position at which the round opened: part of every seal


class Lapsed(OfRound, Told):
    """Deadlines of an open round passed."""

    demands: tuple[Demand, ...]


class RoundClosed(OfRound, Event):
    """Nobody owes it any more."""


class DeadlineMoved(OfRound, OfTime):
    """For one seat or (seat None) for all that owe in the round."""

    due_at: datetime
    why: FreeText
    seat: int | None = None


class GraceBegun(OfRound, Told):
    """A deadline passed, and answers still count until then. `seats` are those that use it, named of an open round
    alone: of a sealed one it is a secret whose answer is missing, and how many are."""

    seats: tuple[int, ...]
    until: datetime


class DowntimeAdded(OfTime):
    """The referee was down; every open deadline moved by as many seconds."""

    seconds: int


class OptionChange(Value):
    name: str
    before: str
    after: str


class Amended(Told):
    """The moderator changed the rules of the running match: all its options from now on, the data where they
    are others than before, and which options changed. The game's own facts follow it, again after a rewind."""

    options: Mapping[str, str]
    data: JsonObject | None
    changes: tuple[OptionChange, ...]
    why: FreeText


class MatchPaused(Told):
    why: FreeText


class MatchResumed(Told):
    why: FreeText


class TurnRuled(OfRound, Told):
    """The moderator, or the rules on an objection, judged an earlier turn; `reopened` follows from that."""

    legal: bool
    why: FreeText
    reopened: bool


class MatchRewound(Told):
    """The game stands again as after ledger version `to` (public position `back_to`); later answers
    are void. `seen` tells whether sealed answers had been revealed after that point."""

    to: int
    back_to: int
    label: str
    why: FreeText
    seen: bool


class ClockTurnedBack(MatchRewound):
    """The referee's clock had run ahead: what was done since by time alone is void, and all else of
    those rounds (their answers, their deadlines) stands as after `to`."""


class EntrantReplaced(OfSeat, Told):
    entrant: Entrant
    why: FreeText


class SeatVacated(OfSeat, Told):
    """Nobody sits there any more; the seat is open to others, and what it owes goes on."""

    why: FreeText


class SeatOffered(OfSeat, Told):
    """The seat's player has missed so many deadlines in a row that another person may take it. It
    stays his until somebody does, and is his alone again once he answers."""

    missed: int


class SubstituteNamed(OfSeat, Told):
    """Who takes the seat when it falls vacant, and stands in while its player is away; the newest counts."""

    entrant: Entrant


class SubstituteDropped(OfSeat, Told):
    """Nobody is its substitute any more."""


class StoodIn(OfSeat, Told):
    """The seat's player is away until then, and his substitute plays for him."""

    entrant: Entrant
    until: datetime


class CameBack(OfSeat, Told):
    """The player for whom somebody stood in has his seat again."""

    entrant: Entrant


class AddressAdded(OfSeat, Private):
    address: str


class SeatsReaddressed(Private):
    """Whoever had the old address has the new one: letters go there. What is not `kept` is theirs no more."""

    old: str
    new: str
    kept: bool


class ReplyAddressRenewed(OfSeat, Private):
    """The addresses that the seat's letters gave for replies prove nothing any more."""


class AbsenceTaken(OfSeat, OfTime):
    """The seat's player is away from `start` to before `until`; deadlines that fall in it move to its end."""

    start: datetime
    until: datetime


BEFORE_THE_CHANGE: Final = "wrote this before the seat changed hands:"  # heads the words of a former player


class PressSent(OfSeat, Event):
    """One player's words to others. `to` names their seats; empty means to all, in public."""

    to: tuple[int, ...]
    text: FreeText


class PressKept(OfSeat, Private):
    """One player's words to all that wait for a reveal, and go with it."""

    text: FreeText


class ZoneSet(OfSeat, Private):
    zone: str


class Said(Told):
    """The moderator's words to all."""

    text: FreeText


class SaidToOne(OfSeat, Private):
    """The moderator's words to one seat alone."""

    text: FreeText


Words = PressSent | PressKept | SaidToOne  # what was said


class ObserverAdded(Private):
    address: str


class ObserverRemoved(Private):
    address: str


class Reminder(Value):
    """Which of a deadline's reminders: halfway to it, `number` seconds before it, or, once none
    runs, the `number`-th again. `due` is the deadline, where it is not that of the whole round."""

    moment: Literal["halfway", "before", "again"]
    number: int = 0
    due: datetime | None = None

    def __str__(self) -> str:
        """As letters' ids are made from it: "halfway", "86400s", "again 2", " of " and a deadline behind it."""
        words = {"halfway": "halfway", "before": f"{self.number}s", "again": f"again {self.number}"}
        return words[self.moment] + (f" of {self.due.isoformat()}" if self.due else "")


class SilentReminded(OfRound, Private):
    """Those who owed and had not answered were reminded (secret: it tells who they were)."""

    reminder: Reminder


class ReminderVoided(OfRound, Private):
    """It was sent by a clock that ran ahead."""

    reminder: Reminder


class MatchStopped(Told):
    """The moderator ended the match: `how` is called-off, drawn, or won by some."""

    how: str
    winners: tuple[int, ...]
    why: FreeText


class MatchEnded(Event):
    winners: tuple[int, ...]
    points: Mapping[int, str] = field(default_factory=dict)
    reason: str = ""


KINDS: tuple[type[Event], ...] = tuple(
    kind
    for kind in globals().values()
    if isinstance(kind, type) and issubclass(kind, Event) and kind not in (Event, Told, OfTime, Private)
)
CODEC = Codec(KINDS)


class Entry(Value):
    """A line of the ledger. `version` counts all entries; `position` the public ones (secret entries repeat it);
    `cause` is the version of the first entry of the same stimulus. `at` is the clock of the pass; `since` when the
    stimulus happened (a mail arrived, a deadline passed), where that was before: nobody's business, since it may tell
    when somebody else's mail came. `written` is the event as it was first written: what the chain covers, whatever
    shape the event has today."""

    version: int
    position: int
    cause: int
    at: datetime
    event: Event
    public: bool
    since: datetime | None = None
    written: JsonObject | None = field(default=None, compare=False, repr=False)

    def told(self, game: AnyGame) -> Any:
        """The game's own event in it; None of an event of the match."""
        return game.events_codec.decode(self.event.event) if isinstance(self.event, Happened) else None

    @property
    def body(self) -> JsonDict:
        """The event as JSON: as it was first written, which of a new entry is today's encoding."""
        return CODEC.encode(self.event) if self.written is None else dict(self.written)


def inherently_secret(event: Event) -> bool:
    """Whether an event is nobody's business but the seat's, whatever the game."""
    if isinstance(event, PressSent):
        return bool(event.to)
    return isinstance(event, Private) or (isinstance(event, Answered) and event.sealed)
