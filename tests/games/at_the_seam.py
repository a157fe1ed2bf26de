"""A match at the seam alone: mails in, complaints or events out, every value through JSON on its way, and whatever is
said of them in words (law 7)."""

from collections.abc import Sequence
from typing import Any, ClassVar, Self

from referee.base import shipped
from referee.core import seam
from referee.core.answers import Body, Party, Reading
from referee.core.chance import Chance
from referee.core.game import AnyGame, Setup
from referee.core.options import Options, resolved
from referee.core.seam import Standing
from referee.core.value import LAPSED, Complaint, Demand, Round
from tests.letters.plain import PAGES, asked, check_complaint, has_macro, told


def chosen(slug: str, given: dict[str, str]) -> Options:
    """Options as a match is opened with them."""
    options, faults = resolved(shipped.game_options(slug), given)
    assert not faults, faults
    return options


def party(seat: int) -> Party:
    return Party(f"Player {seat}", seat)


class AtTheSeam:
    """One match. `events` is its ledger, `sealed` what waits for the last answer of its round."""

    game: ClassVar[AnyGame]
    wordless: ClassVar[frozenset[str]] = frozenset()  # kinds of events that may need no words
    state: Any

    def __init__(self, setup: Setup, draw: int = 1) -> None:
        assert not self.game.faults(setup), self.game.faults(setup)
        self.state = self.game.initial()
        self.events: list[Any] = []
        self.sealed: dict[Demand, Any] = {}
        self.seats, self._told = range(1, setup.seats + 1), set[Any]()
        self.happen(self.game.opening(setup, Chance(f"{draw:064x}")).events)

    def party(self, seat: int) -> Party:
        return party(seat)

    def happen(self, events: Sequence[Any]) -> Sequence[Any]:
        for event in events:
            stored = self.game.events_codec.decode(self.game.events_codec.encode(event))
            assert stored == event
            self.state = self.game.evolve(self.state, stored)
            self.events.append(stored)
        self._tell(events)
        return events

    def mail(self, seat: int, text: str, heading: str = "Move") -> tuple[Complaint, ...]:
        """The complaints about a mail; where there are none it has counted."""
        demand, reading, complaints = self.judged(seat, text, seam.headings(self.game)[heading])
        if not complaints:
            assert reading.action is not None, "nothing was understood and nothing complained of"
            self.answer(demand, reading.action)
        return complaints

    def judged(self, seat: int, text: str, kind: str) -> tuple[Demand, Reading[Any], tuple[Complaint, ...]]:
        """What a mail answers, what it says, and all that is wrong with it."""
        body, standing = Body.of(text), Standing(self.game, self.state)
        demand = standing.aimed(seat, kind, body)
        reading = seam.read(self.game, self.state, demand, body, self.party(seat))
        complaints = (*reading.complaints, *standing.faults(demand, reading))
        for complaint in complaints:
            check_complaint(complaint, self.game.slug)
        return demand, reading, complaints

    def codes(self, seat: int, text: str, heading: str = "Move") -> list[str]:
        return [complaint.code for complaint in self.mail(seat, text, heading)]

    def answer(self, demand: Demand, action: Any) -> Any:
        """What counts of a demand, as it is kept; what happens at once, or at the reveal."""
        stored = self.game.actions_codec.decode(self.game.actions_codec.encode(action))
        assert stored == action
        owed = next((r for r in self.due if r.sealed and demand in r.demands), None)
        if owed is None:
            return self.happen(seam.resolve(self.game, self.state, {demand: stored}))
        self.sealed[demand] = stored
        return self.lapse(owed.label) if all(d in self.sealed for d in owed.demands) else ()

    def lapse(self, label: str | None = None) -> Any:
        """The deadline of the first round, or of the named one, passes: who has not answered under seal is silent."""
        due = next(r for r in self.due if label in (None, r.label))
        answers = {demand: self.sealed.pop(demand, LAPSED) for demand in due.demands}
        return self.happen(seam.resolve(self.game, self.state, answers))

    @property
    def due(self) -> tuple[Round, ...]:
        return self.game.due(self.state)

    def played(self, *mails: tuple[int, str]) -> Self:
        """Mails that must all be accepted."""
        for seat, text in mails:
            assert self.mail(seat, text) == (), text
        return self

    def of(self, kind: type) -> list[Any]:
        """The events of a kind so far."""
        return [event for event in self.events if isinstance(event, kind)]

    def told(self, *steps: str | dict[str, Any]) -> Self:
        """A story: what happens, and between that what is to be seen then."""
        for step in steps:
            if isinstance(step, dict):
                assert {what: self.seen(what) for what in step} == step
            else:
                self.act(step)
        return self

    def act(self, step: str) -> None:
        """A mail that counts ("1 Move: c2"), or "lapse"."""
        seat, _, text = step.partition(" ")
        if step == "lapse":
            self.lapse()
        else:
            self.played((int(seat), text))

    def seen(self, what: str) -> Any:
        """What is wrong with a mail ("1 Move: c2"), that with the lines that are at fault ("faults 1 Move: c2"), what
        the last event of a kind says ("last Moved.to"), or what the table or its state calls so."""
        first, _, more = what.partition(" ")
        if first.isdigit():
            return self.codes(int(first), more)
        if first == "faults":
            seat, _, mail = more.partition(" ")
            return [(one.code, one.line.number if one.line else None) for one in self.mail(int(seat), mail)]
        if first == "last":
            kind, *names = more.split(".")
            found = next(event for event in reversed(self.events) if type(event).__name__ == kind)
        else:
            names = what.split(".")
            found = self if hasattr(type(self), names[0]) else self.state
        for name in names:
            found = getattr(found, name)
        return found

    def _tell(self, events: Sequence[Any]) -> None:
        """Of each kind of event, and of demand, the first of a match is put in words, as a letter does it."""
        public = self.game.view(self.state, None)
        for event in {type(each): each for each in events if type(each) not in self._told}.values():
            self._told.add(type(event))
            assert told(self.game, event, public).strip() or type(event).__name__ in self.wordless, event
        owed = [
            d
            for due in self.due
            for d in due.demands
            if d.seat or has_macro(PAGES, f"{self.game.slug}/demands", d.kind)
        ]
        for demand in (*owed, *(d for seat in self.seats for d in self.game.open_to(self.state, seat))):
            if demand.kind not in self._told:
                self._told.add(demand.kind)
                for first in (True, False):
                    asked(self.game, demand, self.game.view(self.state, demand.seat or None), first)
