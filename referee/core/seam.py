"""What a match asks of a game: about one kind of answer; and how it stands in one state (`Standing`), each thing asked
once: whether an answer may be given at all, and what is wrong with it, among them."""

from collections.abc import Mapping
from dataclasses import field, replace
from functools import cached_property, lru_cache
from typing import Any, Final

from referee.core.answers import AHEAD, IN_ADVANCE, AnyAnswer, Body, Form, GivesUpSeat, Party, Reading
from referee.core.chance import Chance
from referee.core.game import AnyGame, Setup, View
from referee.core.value import REFEREE, Complaint, Demand, Recorder, Round, Value, demand_of_kind, demands

HOUSE: Final = "house"
MOST_LINES: Final = 1000  # far more than any answer has; keeps a flood from costing more than one


def answer_of(game: AnyGame, kind: str) -> AnyAnswer:
    """What the game says of a kind of answer; LookupError where it knows none of that name."""
    for answer in game.answers:
        if answer.kind == kind:
            return answer
    if kind == AHEAD:
        return IN_ADVANCE
    raise LookupError(f"{game.slug} knows no {kind}")


@lru_cache(maxsize=64)
def headings(game: AnyGame) -> Mapping[str, str]:
    """Every heading in subjects, and the kind of demand it names; the first is the usual one."""
    ahead = (IN_ADVANCE,) if foresees(game) else ()
    return {heading: answer.kind for answer in (*game.answers, *ahead) for heading in answer.headings}


def foresees(game: AnyGame) -> bool:
    """Whether the game has moves that conditional turns can be about."""
    return any(answer.foreseeable for answer in game.answers)


def foreseeable(game: AnyGame, demand: Demand) -> bool:
    """Whether a conditional turn can give, or wait for, the answer to the demand."""
    return demand.seat != REFEREE and answer_of(game, demand.kind).foreseeable


def read(game: AnyGame, state: Any, demand: Demand, body: Body, party: Party) -> Reading[Any]:
    """The answer that a mail gives to the demand. Of too many lines no more are read."""
    said = [line for line in body.lines if line.text.strip()]
    answer = answer_of(game, demand.kind)
    if len(said) <= MOST_LINES:
        return answer.read(state, demand, body, party)
    reading = answer.read(state, demand, Body(said[:MOST_LINES]), party)
    complaint = Complaint("too_many_lines", HOUSE, said[MOST_LINES], {"most": MOST_LINES})
    return replace(reading, complaints=(*reading.complaints, complaint))


def write(game: AnyGame, state: Any, demand: Demand, action: Any) -> str:
    """The action in canonical text; of a part that is nobody else's, none is left out."""
    return answer_of(game, demand.kind).write(state, demand, action)


def form(game: AnyGame, state: Any, demand: Demand, party: Party, draft: Reading[Any] | None = None) -> Form:
    """A form to fill in and send back; with a draft, filled in or mended."""
    return answer_of(game, demand.kind).form(state, demand, party, draft)


def filled_in(game: AnyGame, state: Any, demand: Demand, party: Party, action: Any) -> str:
    """The form with an action filled in."""
    return form(game, state, demand, party, Reading(action)).text


def resolve(game: AnyGame, state: Any, answers: Mapping[Demand, Any]) -> tuple[Any, ...]:
    """What follows, automatic consequences included: for a sealed round one answer for each of its
    demands, for an open one the single answer that came, or LAPSED for every demand still open at
    its deadline. A round is resolved by the answer of its first demand."""
    answer, record = answer_of(game, next(iter(answers)).kind), Recorder[Any, Any](game.evolve, state)
    answer.follow(record, answers)
    answer.settle(record)
    return tuple(record.events)


def acts_unsaid(game: AnyGame, state: Any, demand: Demand, party: Party) -> bool:
    """Whether the heading of an answer does something by itself: gives up the seat, or makes an
    answer of an empty mail."""
    empty = answer_of(game, demand.kind).read(state, demand, Body(()), party)
    return gives_up_seat(game, demand.kind) or (empty.action is not None and not empty.complaints)


def gives_up_seat(game: AnyGame, kind: str) -> bool:
    """Whether an answer of the kind gives up its sender's seat."""
    return any(issubclass(action, GivesUpSeat) for action in answer_of(game, kind).actions)


def suggest(game: AnyGame, state: Any, demand: Demand, chance: Chance) -> Any:
    """An answer a seeded player might give."""
    return answer_of(game, demand.kind).suggest(state, demand, chance)


def public(game: AnyGame, demand: Demand, action: Any) -> Any:
    """The part of an action that all may see once it counts; None where nothing of it is public."""
    return answer_of(game, demand.kind).public(action)


# --- how a game stands ----------------------------------------------------------------------------


class Standing(Value):
    """A state beside what the game says of it. It is made with the state and handed on with it, to whoever judges,
    stores, writes letters or keeps calendars: nobody need ask the game again. Two are equal whose states are."""

    game: AnyGame = field(compare=False, repr=False)
    state: Any
    _views: dict[int | None, View] = field(default_factory=dict, init=False, compare=False, repr=False)
    _open: dict[int, tuple[Demand, ...]] = field(default_factory=dict, init=False, compare=False, repr=False)

    def after(self, happening: Any) -> "Standing":
        """One event of the game further."""
        return Standing(self.game, self.game.evolve(self.state, happening))

    # --- what is owed -----------------------------------------------------------------------------

    @cached_property
    def due(self) -> tuple[Round, ...]:
        """What is owed now; empty means the game has ended."""
        return self.game.due(self.state)

    def open_to(self, seat: int) -> tuple[Demand, ...]:
        """What a seat may send though nothing waits for it."""
        if seat not in self._open:
            self._open[seat] = self.game.open_to(self.state, seat)
        return self._open[seat]

    def may_answer(self, seat: int) -> tuple[Demand, ...]:
        """Everything the seat may send now: what is due from it first, then what is open to it."""
        own = demands(self.due, seat)
        return own + tuple(demand for demand in self.open_to(seat) if demand not in own)

    def expected(self, seat: int) -> "Expecting | None":
        """How it may stand when the seat is asked next; None where nothing that it doesn't owe now can be foreseen."""
        if (ahead := self.game.expects(self.state, seat)) is None:
            return None
        then, now = Standing(self.game, ahead.state), self.may_answer(seat)
        fresh = tuple(demand for demand in demands(then.due, seat) if demand not in now)
        return Expecting(then, fresh, ahead.known) if fresh else None

    @cached_property
    def vacant(self) -> tuple[int, ...]:
        """The seats that another person may take."""
        return self.game.vacant(self.state)

    # --- what may be known ------------------------------------------------------------------------

    def view(self, seat: int | None) -> View:
        """The one gate to letters, records and pictures; None is the public. A seat from which
        nothing is kept that others may not see is shown what the public is."""
        seen = seat if seat and self.game.sees_more(self.state, seat) else None
        if seen not in self._views:
            self._views[seen] = self.game.view(self.state, seen)
        return self._views[seen]

    # --- what an answer comes to ------------------------------------------------------------------

    def aimed(self, seat: int, heading: str, body: Body) -> Demand:
        """The demand that a mail means, by the kind its heading names and its lines; where it fits none that is due or
        open to the seat, the one its sender must have meant, for which there is then a complaint."""
        aims = (answer.aim(self.state, seat, heading, body) for answer in self.game.answers)
        meant = next((demand for demand in aims if demand is not None), None)
        return meant or demand_of_kind(self.due, seat, heading)

    def check(self, demand: Demand, action: Any) -> tuple[Complaint, ...]:
        """*All* complaints about an action, each naming the part it is about: due or open to the
        seat, of the right kind, and by the rules. None means that `resolve` succeeds (law 1)."""
        answer = answer_of(self.game, demand.kind)
        if demand not in self.may_answer(demand.seat):
            return (answer.untimely(self.state, demand),)
        if not isinstance(action, answer.actions):
            return (Complaint("not_this", HOUSE, facts={"demand": demand.kind}),)
        return tuple(answer.check(self.state, demand, action))

    def faults(self, demand: Demand, reading: Reading[Any]) -> tuple[Complaint, ...]:
        """What is wrong with an action as it was read, each complaint with its line; what is wrong
        with the reading itself is not among it."""
        if reading.action is None:
            return ()
        return tuple(complaint.located(reading.lines) for complaint in self.check(demand, reading.action))


class Expecting(Value):
    """How a game may stand when a seat is asked next, and what for; `known`: so that its answer can be checked now."""

    standing: Standing
    demands: tuple[Demand, ...]
    known: bool


_NO_CHANCE: Final = "00" * 32  # any seed does: what is shown of such a beginning are its rules


def opened_with(game: AnyGame, setup: Setup) -> Standing:
    """How the game stands in a match that is opened so."""
    standing = Standing(game, game.initial())
    for event in game.opening(setup, Chance(_NO_CHANCE)).events:
        standing = standing.after(event)
    return standing
