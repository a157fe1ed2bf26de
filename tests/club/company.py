"""People who find each other by mail alone: they write, read what comes, and answer at the address a letter gives."""

import os
import tempfile
from copy import copy
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Self

from tests.world import _FOLDERS, START, Sent, World

NAMES = (
    "Ann Archer", "Ben Baker", "Cleo Carter", "Dora Dunn", "Emil Engel", "Fay Fuller",
    "Gus Gale", "Hal Hunt", "Ida Irving", "Jon Jessop", "Kit Kemp", "Lea Lund",
)  # fmt: skip


def address(name: str) -> str:
    return f"{name.split()[0].lower()}@{name.split()[1].lower()}.example"


class Company:
    """A referee, and people whom it knows from a match of two each; every mail arrives a minute after the last."""

    world: World
    at: datetime
    matches: list[str]
    letters: list[Sent]

    def __init__(self, folder: Path, known: int = 4) -> None:
        self.__dict__.update(begun(os.environ.get("REFEREE_SECRET"), known).copied(folder).__dict__)

    def copied(self, folder: Path) -> Self:
        """The same company once more, in another folder."""
        other = copy(self)
        other.world, other.letters = self.world.copied(folder), list(self.letters)
        return other

    def step(self, after: timedelta = timedelta(minutes=1)) -> list[Sent]:
        """A pass, and the letters of it."""
        self.at += after
        fresh = self.world.passed(self.at.isoformat())
        self.letters += fresh
        return fresh

    def send(self, name: str, subject: str, body: str = "", **more: str) -> list[Sent]:
        self.at += timedelta(minutes=1)
        self.world.mail(f"{name} <{address(name)}>", subject, body, self.at.isoformat(), **more)
        return self.step(timedelta(0))

    def reply(self, letter: Sent, words: str, sender: str | None = None) -> list[Sent]:
        self.at += timedelta(minutes=1)
        self.world.reply(letter, words, self.at.isoformat(), sender)
        return self.step(timedelta(0))

    def propose(self, name: str, game: str, *lines: str) -> list[Sent]:
        """By the form, as whoever asks for it gets it; the letters that follow."""
        (form,) = self.send(name, f"propose {game}")
        return self.reply(form, "\n".join(lines))

    def to(self, name: str, kind: str) -> Sent:
        """The last letter of a kind that somebody got."""
        return [x for x in self.letters if x.to == address(name) and x.kind == kind][-1]


@cache
def begun(secret: str | None, known: int) -> Company:
    """That company after its first pass: made once a process, and copied for whoever goes on from it."""
    company = Company.__new__(Company)
    company.world, company.letters = World(Path(tempfile.mkdtemp(dir=_FOLDERS.name))), []
    company.at = datetime.fromisoformat(START).astimezone(UTC)
    people = [f"{name} <{address(name)}>" for name in NAMES[:known]]
    company.matches = [company.world.open("buttons", people[i : i + 2]) for i in range(0, known, 2)]
    company.step()
    return company
