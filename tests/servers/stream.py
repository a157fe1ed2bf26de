"""A stretch of a real match as a stream of mails, and what it must lead to: played beforehand, undisturbed."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.offices.register import facts_of
from tests.memory import PEOPLE, Stage, kind_of, later, owing

SECRET = "a secret for tests only, the same in all of them"
SEATS = 3
GAME, OPTIONS = "multigo", {"board": "9x9"}


@dataclass(frozen=True)
class Stream:
    """The mails in their order; the letters as how many of each kind went to whom; the position at the end."""

    match: str
    mails: tuple[bytes, ...]
    letters: Counter[tuple[str, str]]
    position: dict[str, Any]

    @property
    def people(self) -> list[str]:
        return [f"{p.name} <{p.addresses[0]}>" for p in PEOPLE[:SEATS]]

    def opening(self) -> list[str]:
        """The arguments of `open` that lead to the same match."""
        seats = [part for person in self.people for part in ("--seat", person)]
        options = [part for key, value in OPTIONS.items() for part in ("--option", f"{key}={value}")]
        return ["open", GAME, *seats, *options, "--seed", "7"]


def played(folder: Path, moves: int) -> Stream:
    """Good moves, each after the other; among them impossible ones, repeated deliveries, commands and strangers."""
    stage = Stage(folder)
    name = stage.open(GAME, SEATS, **OPTIONS)
    stage.step(later())
    mails: list[bytes] = []
    for number in range(moves):
        at = later(minutes=number)
        match = stage.match(name)
        demand = owing(match)[0]
        person = match.entrant(demand.seat)
        sender = f"{person.name} <{person.addresses[0]}>"
        if number % 4 == 1:
            words = f"Move: z{number}"
            mails.append(stage.write(sender, f"Multiplayer Go: Move / Player {demand.seat}", words, at))
        if number % 5 == 2:
            mails.append(stage.write(sender, "status", f"How do I stand? ({number})", at))
        mails.append(stage.answer(match, demand, at))
        if number % 3 == 0:
            mails.append(mails[-1])
            stage.deliver(mails[-1], at)
        stage.step(at)
    with stage.referee() as referee:
        facts = facts_of(referee.moderator.match(name))
    letters = Counter((kind_of(parcel), parcel.recipient) for parcel in stage.sent)
    return Stream(name, tuple(mails), letters, facts["position"])
