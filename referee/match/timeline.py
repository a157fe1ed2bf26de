"""What of a ledger still stands: rewinds make entries void, and rounds are looked for among the rest (611)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from referee.match import events as ev
from referee.match.events import Entry


@dataclass(frozen=True, slots=True)
class Asked:
    """A round as it was opened: its whole label, and the ledger version of its opening."""

    label: str
    version: int


def standing(history: Sequence[Entry]) -> list[Entry]:
    """The entries whose effects the match still shows: none that a rewind made void, all that a later rewind to a
    point among the void ones brought back."""
    pieces: list[Sequence[Entry]] = []
    end = len(history)
    while (at := _last_rewind(history, end)) is not None:
        pieces.append(history[at:end])
        rewound = history[at].event
        assert isinstance(rewound, ev.MatchRewound)
        end = rewound.to
    pieces.append(history[:end])
    return [entry for piece in reversed(pieces) for entry in piece]


def _last_rewind(history: Sequence[Entry], end: int) -> int | None:
    return next((i for i in reversed(range(end)) if isinstance(history[i].event, ev.MatchRewound)), None)


def opening_of(history: Sequence[Entry], label: str) -> Asked | None:
    """Where the round of that label last opened, as things stand; "Round 3 / Player 2" also names the latest round
    whose label ends so ("Cycle 1 / Round 3 / Player 2")."""
    wanted = _parts(label)
    for entry in reversed(standing(history)):
        if isinstance(entry.event, ev.RoundOpened) and _parts(entry.event.label)[-len(wanted) :] == wanted:
            return Asked(entry.event.label, entry.version)
    return None


def answers_in(history: Sequence[Entry], asked: Asked) -> list[Entry]:
    """The answers that the round opened there got, as things stand; sealed ones among them."""
    return [
        e
        for e in standing(history)
        if e.version > asked.version and isinstance(e.event, ev.Answered) and e.event.label == asked.label
    ]


def fate_of(history: Sequence[Entry], asked: Asked) -> Literal["open", "made", "missed"]:
    """What became of the turn that was asked for there: not made yet, made, or never made."""
    closed = any(_closes(e.event, asked.label) for e in standing(history) if e.version > asked.version)
    if not closed:
        return "open"
    return "made" if answers_in(history, asked) else "missed"


def _closes(event: ev.Event, label: str) -> bool:
    if isinstance(event, ev.RoundClosed | ev.RoundRevealed):
        return event.label == label
    return isinstance(event, ev.MatchEnded)


def end_of_position(history: Sequence[Entry], position: int) -> tuple[int, str] | None:
    """The ledger version at the end of the last stimulus that lay wholly at or before the public position, and the
    label of the round that was then the latest to open. Void positions count too: so a rewind can be undone."""
    begun = next((e.cause for e in history if isinstance(e.event, ev.MatchBegun)), None)
    ends = [
        entry
        for entry, following in zip(history, [*history[1:], None], strict=True)
        if (following is None or following.cause != entry.cause) and entry.position <= position
    ]
    if begun is None or not ends or ends[-1].version < begun or position < 1:
        return None
    end = ends[-1]
    opened = [e.event.label for e in standing(history[: end.version]) if isinstance(e.event, ev.RoundOpened)]
    return (end.version, opened[-1]) if opened else None


def _parts(label: str) -> list[str]:
    return [" ".join(part.split()).casefold() for part in label.split("/")]
