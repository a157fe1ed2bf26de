"""What to rehearse, and what is reported of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Plan:
    """What to rehearse; `seats` None is the game's usual number. Of the matches 1 to `matches` those from `first` on,
    one in `stride`. `human`: bad mails have the mistakes of people instead of garbled words, good ones may be filled in
    inside the quoted letter."""

    game: str
    seats: int | None
    options: dict[str, str]
    seed: int
    matches: int
    human: bool = False
    first: int = 1
    stride: int = 1

    @property
    def numbers(self) -> range:
        return range(self.first, self.matches + 1, self.stride)


_LEFT = (
    ("records", "records"),
    ("letters to the players", "letters"),
    ("letters as they left", "mail/out/new"),
    ("mails of the players", "mail/in/cur"),
    ("site", "site/index.html"),
    ("configuration", "referee.toml"),
)


@dataclass
class Report:
    """What happened, and every law that did not hold."""

    folder: Path | None
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    outcomes: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """The counts, and the places in full: they are found from wherever the program was called."""
        told = [", ".join(f"{name} {count}" for name, count in sorted(self.counts.items()))]
        if self.folder is not None:
            folder = self.folder.resolve()
            told += [f"{what}: {folder / path}" for what, path in _LEFT if (folder / path).exists()]
            told.append(f"To look at all of it, open {(folder / 'index.html').as_uri()}")
        return told
