"""What may be asked of a match: imperatives, which carry what they need and nothing of the mail they came by, or the
very event that is asked for; and what can become of them: values that the offices turn into letters and counts."""

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from referee.core.answers import Body, Form
from referee.core.codec import JsonObject
from referee.core.value import Complaint, Demand, FreeText, Line, Value, gathered
from referee.match import events as ev
from referee.match.match import RoundName


class Command(Value):
    """What is asked of a match that was opened, and is more than one event or none."""


class Join(ev.EntrantJoined):
    """Take a vacant seat: the one that is named, or the first."""

    seat: int | None = None
    arrived: datetime | None = None


class Submit(Command):
    """An answer by mail."""

    seat: int
    kind: str  # that the subject's heading names
    body: Body
    arrived: datetime  # on the server, which alone decides in time or late
    stated: Mapping[str, int] = field(default_factory=dict)  # what else the subject said: seat, round, cycle
    # what the letter it replies to was about; none where it is no reply, or to a letter about no round
    replies: tuple[RoundName, ...] = ()
    since: datetime | None = None  # when it began to count, where that was later: a held mail that was let in
    searches: int | None = None  # how many answers a day may cost a search (None: any number)
    proved: bool = False  # whether more than its From says whose mail it is


class Withdraw(Command):
    """Take a sealed answer back before the reveal, or a draft where there is no such answer, or the
    `draft` alone. `arrived` and `replies` as in Submit."""

    seat: int
    arrived: datetime | None = None
    replies: tuple[RoundName, ...] = ()
    draft: bool = False


class Expire(Command):
    """A deadline may have passed: judge what has lapsed by `until` (nothing due later is touched).
    `since` is when that could be ruled on, where it is not the clock of the pass."""

    until: datetime
    since: datetime | None = None


class Compute(Command):
    """The solver's answer (a game action) to the referee's own demand."""

    label: str
    action: Any


class Extend(Command):
    """`by` or `until`; for one seat or for all."""

    why: FreeText
    seat: int | None = None
    by: timedelta | None = None
    until: datetime | None = None


class Rewind(Command):
    """To the opening of a round, by its label, or to a public position; `answered`: with the answers its rounds had."""

    to: str | int
    why: FreeText
    answered: bool = False


class Amend(Command):
    """Other rules for a running match: the options that change, in canonical text, and all data of
    the game where they are to be taken anew. `again`: sealed answers of an open round were judged
    by an option that changes; by the data they always are."""

    options: Mapping[str, str]
    data: JsonObject | None
    again: bool
    why: FreeText


class TakeAbsence(ev.AbsenceTaken):
    """The same, where a seat's absences of one match last no longer than `most` together."""

    most: timedelta


class SendPress(ev.PressSent):
    """The same, where it may be. `talk` is what holds where the match has no option of its own:
    "on" (to whom one likes), "public" (to all only), "off"; `beside_sealed` whether players may
    talk while sealed answers are owed."""

    talk: str = "on"
    beside_sealed: bool = False


MatchCommand: TypeAlias = Command | ev.Event  # what is just one event is asked for by that event

# --- what becomes of them -------------------------------------------------------------------------


class Accepted(Value):
    """The answer counts. `seal` only in sealed rounds. `ahead` are the lines of the conditional turn that was sent, and
    `tree` how one looks at it; `void` those of an earlier one that the answer contradicts."""

    label: str
    demand: Demand
    text: FreeText
    seal: str | None = None
    courtesy: tuple[Line, ...] = ()
    ahead: str = ""
    tree: str = ""
    void: str = ""


class Withdrawn(ev.AnswerWithdrawn):
    """A sealed answer was taken back; the seat owes again."""

    text: FreeText


class Refused(Value):
    """Nothing changed."""

    demand: Demand | None
    complaints: tuple[Complaint, ...]  # what is wrong with the mail
    courtesy: tuple[Line, ...] = ()
    mended: Form | None = None  # the form made of it; None where the demand can't be answered now
    blank: bool = True  # the mail held no order to mend
    unmended: tuple[Complaint, ...] = ()  # what would be wrong with the form if it came back as it stands
    mendable: bool = False  # a form can mend all that is wrong

    @property
    def further(self) -> tuple[Complaint, ...]:
        """What is wrong with the form and not with the mail: an amount that the mending itself has changed, say."""
        named = {one.fault for complaint in self.complaints for one in complaint.each}
        return gathered(complaint for complaint in self.unmended if complaint.fault not in named)

    @property
    def named(self) -> tuple[Complaint, ...]:
        """Every complaint."""
        return (*self.complaints, *self.further)

    @property
    def left(self) -> tuple[Line, ...]:
        """The lines of the form that are still to be put right."""
        found = {c.line.number: c.line for c in self.unmended if c.line is not None}
        return tuple(found[number] for number in sorted(found))

    @property
    def ready(self) -> bool:
        """Whether nothing is left to mend and nothing was chosen in the sender's place: his word alone may send it."""
        if self.mended is None or self.blank or not self.mendable:
            return False
        return not self.unmended and not self.mended.chosen


class Ignored(Value):
    """An earlier answer counts already; nothing changed."""

    label: str
    demand: Demand
    text: FreeText


class Asked(Value):
    """What the mail says is in doubt, and nothing changed: each of the `choices` is an answer that it may mean, as a
    line of the form. `form` is that of a single one, filled in; `doubts` are the words that leave it open."""

    demand: Demand
    choices: tuple[FreeText, ...]
    form: FreeText = ""
    courtesy: tuple[Line, ...] = ()
    doubts: tuple[FreeText, ...] = ()


class Kept(ev.DraftKept):
    """The answer is not asked for yet: it is its seat's draft. `complaints` are what is known to be wrong with it."""

    complaints: tuple[Complaint, ...] = ()
    courtesy: tuple[Line, ...] = ()


class Discarded(ev.DraftKept):
    """That draft is none any more."""


class Waiting(Value):
    """The referee's own answer must come first; try again after it."""


class Done(Value):
    """The moderator's or the clock's stimulus was carried out (entries say what followed)."""


class Impossible(Value):
    """The moderator asked for what can't be done; one line that says why."""

    why: str


Verdict = Accepted | Withdrawn | Refused | Ignored | Asked | Kept | Discarded | Waiting | Done | Impossible
