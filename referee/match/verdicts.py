"""What became of a command: values that the offices turn into letters and counts."""

from __future__ import annotations

from dataclasses import dataclass

from referee.core.complaint import Complaint, Line, gathered
from referee.core.game import Demand, Mended


@dataclass(frozen=True, slots=True)
class Accepted:
    """The answer counts. `seal` only in sealed rounds."""

    label: str
    demand: Demand
    text: str
    seal: str | None = None
    courtesy: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A sealed answer was taken back; the seat owes again."""

    label: str
    demand: Demand
    text: str


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing changed. `complaints` are what is wrong with the mail. `mended` is the form made of it, None where the
    demand can't be answered now, `blank` whether the mail held no order to mend, `standing` everything that would be
    wrong with the form if it came back as it stands. `mendable`: a form can mend all that is wrong."""

    demand: Demand | None
    complaints: tuple[Complaint, ...]
    courtesy: tuple[Line, ...] = ()
    mended: Mended | None = None
    blank: bool = True
    standing: tuple[Complaint, ...] = ()
    mendable: bool = False

    @property
    def further(self) -> tuple[Complaint, ...]:
        """What is wrong with the form and not with the mail: an amount that the mending itself has changed, say."""
        named = {one.fault for complaint in self.complaints for one in complaint.each}
        return gathered(complaint for complaint in self.standing if complaint.fault not in named)

    @property
    def named(self) -> tuple[Complaint, ...]:
        """Every complaint."""
        return (*self.complaints, *self.further)

    @property
    def left(self) -> tuple[Line, ...]:
        """The lines of the form that are still to be put right."""
        found = {c.line.number: c.line for c in self.standing if c.line is not None}
        return tuple(found[number] for number in sorted(found))

    @property
    def ready(self) -> bool:
        """Whether nothing is left to mend and nothing was chosen in the sender's place: his word alone may send it."""
        if self.mended is None or self.blank or not self.mendable:
            return False
        return not self.standing and not self.mended.chosen


@dataclass(frozen=True, slots=True)
class Ignored:
    """An earlier answer counts already; nothing changed."""

    label: str
    demand: Demand
    text: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """The referee's own answer must come first; try again after it."""


@dataclass(frozen=True, slots=True)
class Done:
    """The moderator's or the clock's stimulus was carried out (entries say what followed)."""


@dataclass(frozen=True, slots=True)
class Impossible:
    """The moderator asked for what can't be done; one line that says why."""

    why: str


Verdict = Accepted | Withdrawn | Refused | Ignored | Waiting | Done | Impossible
