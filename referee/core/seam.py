"""What a match asks of a game about answers. Here is checked, once for all kinds, what every kind must keep to."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from referee.core.answers import AnyAnswer, Body, Form, GivesUpSeat, Party, Reading
from referee.core.chance import Chance
from referee.core.complaint import Complaint
from referee.core.game import AnyGame
from referee.core.itself import Itself
from referee.core.owing import Demand, Lapse, Round, demanded, demands
from referee.core.replacing import replace

HOUSE: Final = "house"
MOST_LINES: Final = 1000  # far more than any answer has; keeps a flood from costing more than one


def answer_of(game: AnyGame, kind: str) -> AnyAnswer:
    """What the game says of a kind of answer; LookupError where it knows none of that name."""
    for answer in game.answers:
        if answer.kind == kind:
            return answer
    raise LookupError(f"{game.slug} knows no {kind}")


@lru_cache(maxsize=64)
def headings(game: AnyGame) -> Mapping[str, str]:
    """Every heading in subjects, and the kind of demand it names; the first is the usual one."""
    return {heading: answer.kind for answer in game.answers for heading in answer.headings}


def due(game: AnyGame, state: Any) -> tuple[Round, ...]:
    """What is owed now, made out once for a state: a mail has it asked some twenty times, of two or three states."""
    return _due(game, Itself(state))


@lru_cache(maxsize=16)
def _due(game: AnyGame, itself: Itself[Any]) -> tuple[Round, ...]:
    return game.due(itself.value)


def answerable(state: Any, game: AnyGame, seat: int) -> tuple[Demand, ...]:
    """Everything the seat may send now: what it owes first, then what is open to it."""
    owed = demands(due(game, state), seat)
    return owed + tuple(demand for demand in game.open_to(state, seat) if demand not in owed)


def aimed(game: AnyGame, state: Any, seat: int, heading: str, body: Body) -> Demand:
    """The demand that a mail means, by the kind its heading names and its lines; where it fits none that is due or open
    to the seat, the one its sender must have meant, for which there is then a complaint."""
    aims = (answer.aim(state, seat, heading, body) for answer in game.answers)
    return next((demand for demand in aims if demand is not None), demanded(due(game, state), seat, heading))


def read(game: AnyGame, state: Any, demand: Demand, body: Body, party: Party) -> Reading[Any]:
    """The answer that a mail gives to the demand. Of too many lines no more are read."""
    said = [line for line in body.lines if line.text.strip()]
    answer = answer_of(game, demand.kind)
    if len(said) <= MOST_LINES:
        return answer.read(state, demand, body, party)
    reading = answer.read(state, demand, Body(said[:MOST_LINES]), party)
    complaint = Complaint("too_many_lines", HOUSE, said[MOST_LINES], {"most": MOST_LINES})
    return replace(reading, complaints=(*reading.complaints, complaint))


def check(game: AnyGame, state: Any, demand: Demand, action: Any) -> tuple[Complaint, ...]:
    """*All* complaints about an action, each naming the part it is about: owed or open to the seat, of the right kind,
    and by the rules. None means that `resolve` succeeds (law 1)."""
    answer = answer_of(game, demand.kind)
    if demand not in answerable(state, game, demand.seat):
        return (answer.untimely(state, demand),)
    if not isinstance(action, answer.actions):
        return (Complaint("not_this", HOUSE, facts={"demand": demand.kind}),)
    return tuple(answer.check(state, demand, action))


def faults(game: AnyGame, state: Any, demand: Demand, reading: Reading[Any]) -> tuple[Complaint, ...]:
    """What is wrong with an action as it was read, each complaint with its line; what is wrong with the reading itself
    is not among it."""
    if reading.action is None:
        return ()
    found = check(game, state, demand, reading.action)
    return tuple(complaint.located(reading.lines) for complaint in found)


def write(game: AnyGame, state: Any, demand: Demand, action: Any) -> str:
    """The action in canonical text; of a part that is nobody else's, none is left out."""
    return answer_of(game, demand.kind).write(state, demand, action)


def form(game: AnyGame, state: Any, demand: Demand, party: Party, draft: Reading[Any] | None = None) -> Form:
    """A form to fill in and send back; with a draft, filled in or mended."""
    return answer_of(game, demand.kind).form(state, demand, party, draft)


def filled_in(game: AnyGame, state: Any, demand: Demand, party: Party, action: Any) -> str:
    """The form with an action filled in."""
    return form(game, state, demand, party, Reading(action)).text


def resolve(game: AnyGame, state: Any, answers: Mapping[Demand, Any | Lapse]) -> tuple[Any, ...]:
    """What follows from the answers of a round, or from a single one, or from their lapse."""
    first = next(iter(answers))
    return answer_of(game, first.kind).resolve(state, answers)


def acts_unsaid(game: AnyGame, state: Any, demand: Demand, party: Party) -> bool:
    """Whether the heading of an answer does something by itself: gives up the seat, or makes an answer of an empty
    mail."""
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
