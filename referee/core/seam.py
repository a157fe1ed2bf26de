"""What a match asks of a game about one kind of answer. Whether one may be given at all, and what is wrong with it, is
asked of how the game stands (`core/standing.py`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from referee.core.answers import AHEAD, IN_ADVANCE, AnyAnswer, Body, Form, GivesUpSeat, Party, Reading
from referee.core.chance import Chance
from referee.core.complaint import Complaint
from referee.core.game import AnyGame
from referee.core.owing import REFEREE, Demand, Lapse
from referee.core.replacing import replace

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
