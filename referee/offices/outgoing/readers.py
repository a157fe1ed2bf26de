"""Who reads a letter."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Answering:
    """The mail a letter answers: its sender, subject, ids, and a key that tells it from all others."""

    address: str
    name: str
    subject: str
    message_id: str | None
    references: tuple[str, ...]
    identity: str
    zone: str | None = None

    @property
    def thread(self) -> str | None:
        return self.references[0] if self.references else self.message_id


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads a letter: a seat's person, an observer (seat None), or a stranger."""

    address: str
    name: str
    seat: int | None
    zone: str | None = None
