"""A club in mid-season: matches of several games, sealed answers among them, a held mail, a vacant seat."""

from __future__ import annotations

import sqlite3
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from tests.memory import answer_text, owing, subject_of
from tests.world import START, World

PEOPLE = [
    "Ann Archer <ann@example.org>; Europe/Berlin", "Ben Baker <ben@example.org>; Asia/Kathmandu",
    "Cleo Carter <cleo@example.org>; America/New_York", "Dan Draper <dan@example.org>",
]  # fmt: skip
OPENED = {
    "m-buttons": ("buttons", 2, {"starter": "1"}),
    "m-purchase": ("fourplay", 4, {}),
    "m-parallel": ("multigo", 3, {"board": "9x9", "order": "parallel"}),
    "m-morris": ("morris", 2, {}),
}


class Club:
    """A world and the clock of its last step."""

    def __init__(self, folder: Path, database: str | None = None, now: str = START) -> None:
        self.world = World(folder, tables=database is None)
        if database is not None:
            self.world.configure("sqlite:///referee.db", database)
        self.now = datetime.fromisoformat(now)
        for name, (game, seats, options) in OPENED.items():
            chosen = [part for key, value in options.items() for part in ("--option", f"{key}={value}")]
            people = [part for person in PEOPLE[:seats] for part in ("--seat", person)]
            self.world.do("open", game, *people, *chosen, "--name", name, "--seed", "3", "--now", self.at)
        self.world.do(
            "open", "multigo", "--seat", PEOPLE[3], "--vacant", "1", "--name", "m-filling", "--now", self.at
        )
        self.step()

    @property
    def at(self) -> str:
        return self.now.isoformat()

    def step(self, **span: float) -> dict[str, Any]:
        """The clock goes on, and a pass is made."""
        self.now += timedelta(**span)
        return self.world.step(self.at)

    def answers(self, seed: int = 0, but: str = "", names: tuple[str, ...] = tuple(OPENED)) -> int:
        """Mails with what everybody owes come in, without those of one address; how many."""
        written = 0
        with self.world.referee() as referee:
            for name in names:
                match = referee.moderator.match(name)
                for demand in owing(match) if match.status == "open" else ():
                    person = match.entrant(demand.seat)
                    if but in person.addresses:
                        continue
                    subject = f"{subject_of(match, demand)} [{name}]"
                    body = answer_text(match, demand, seed)
                    self.world.mail(f"{person.name} <{person.addresses[0]}>", subject, body, self.at)
                    written += 1
        return written

    def season(self) -> Club:
        """A few rounds: the purchase has begun and is not over, a mail is held, there has been talk."""
        for seed in range(3):
            self.answers(seed, but="dan@example.org" if seed else "")
            self.step(hours=3)
        self.world.raw(b"Subject: status\n\nno sender at all\n", self.at)
        self.step(hours=1)
        for name in OPENED:
            self.world.run("say", name, "Ann's dog is well again.", "--now", self.at)
        self.step(hours=1)
        return self


def sql(folder: Path, statement: str, *values: object) -> list[Any]:
    """A statement on the store's file, past the program."""
    with sqlite3.connect(folder / "referee.db") as line:
        found = line.execute(statement, values).fetchall()
    line.close()
    return found


def told(world: World) -> dict[str, list[dict[str, Any]]]:
    """What the public records tell, without the clocks of passes and the hashes that cover them."""
    timed = ("at", "hash", "due_at")
    full = {name: world.run("record", name).json["entries"] for name in OPENED}
    return {
        name: [{k: v for k, v in line.items() if k not in timed} for line in lines]
        for name, lines in full.items()
    }
