"""The desk's letter: what a moderator is told of what waits and of his orders, what its numbers stand for; and once a
day, if anything waits, each moderator has it, with what he may know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from referee.core.owing import Demand
from referee.core.texts.words import FreeText
from referee.letters.letter import Item, Meant, Recipient
from referee.letters.outbox import Outbox
from referee.letters.replies import AT_DESK, from_desk
from referee.letters.speaker import Speaker
from referee.match.match import OpenRound
from referee.moderation.queue import DeskQueue
from referee.offices.register.facts import Facts
from referee.store.sql import Unit


@dataclass(frozen=True, slots=True)
class Reported:
    """What came of one order. `line` is how the desk's letter numbers it or what was written; `faults` why nothing was
    done; `undo` the subject that undoes it, or how it is written; `facts` what was asked for, where it only tells;
    `order` what an OK has done."""

    verb: str
    line: FreeText = ""
    faults: tuple[str, ...] = ()
    match: str = ""
    done: str = ""
    status: str = ""
    due: tuple[tuple[OpenRound, Demand], ...] = ()  # what is owed after it
    undo: str = ""
    check: bool = False
    board: tuple[str, ...] = ()  # what would be otherwise on it
    order: FreeText = ""
    facts: Mapping[str, Any] = field(default_factory=dict)


NUMBERED = ("held", "shunted", "questions", "failing", "vacant", "late", "stalled")


def items_of(facts: Mapping[str, Any]) -> tuple[Item, ...]:
    """What the desk's letter numbers, in its order."""
    return tuple(_item(part, entry) for part in NUMBERED for entry in facts[part])


def _item(part: str, entry: Facts) -> Item:
    if part in ("held", "shunted", "questions"):
        key: tuple[object, ...] = (part, entry["id"], *(("new",) if entry.get("new") else ()))
    else:
        key = (part, *(entry.get(name) for name in ("match", "seat", "demand", "due_at", "address", "since")))
    places = entry.get("seats") or [entry]
    number = str(entry.get("id", "")).partition(" ")[0]
    return Item(tuple(map(str, key)), places[0].get("match"), places[0].get("seat"), number)


# --- the desk's letter --------------------------------------------------------------------------------------------


def _waits(entry: Facts) -> bool:
    """Whether it is worth a letter: a match that still gathers its players, or was paused, does as it should."""
    return entry.get("status") not in ("filling", "paused")


@dataclass(frozen=True, slots=True)
class Daily:
    """Looks through the desk."""

    queue: DeskQueue
    speaker: Speaker
    outbox: Outbox

    def tell(self, unit: Unit, now: datetime) -> None:
        for address in self.speaker.offices.at_desk:
            facts = self.queue.all_that_waits(unit, now, address)
            if not any(_waits(entry) for part in (*NUMBERED, "trouble") for entry in facts[part]):
                continue
            told = {"told": (Reported("desk", facts=facts),), "mails": "", "nothing": False, **AT_DESK}
            letter = self.speaker.letter(
                "desk",
                Recipient(address, "", None),
                "What waits at the desk",
                ("desk", address, now.isoformat()),
                now,
                told=told,
                reply=Meant(items=items_of(facts)),
            )
            self.outbox.post(unit, [from_desk(self.speaker, letter)])
