"""Programs by which a reader makes a draw or a seal again: files of the letter that tells of one, never its words."""

from __future__ import annotations

from collections.abc import Iterable

from referee.core.chance import RECIPE
from referee.match import events as ev
from referee.match.events import Entry
from referee.match.sealing import SEAL_RECIPE

_PROGRAM = "text/x-python"


def recipes(entries: Iterable[Entry]) -> tuple[tuple[str, str, str], ...]:
    """The files for what these entries prove: name, MIME type, text."""
    events = [entry.event for entry in entries]
    drawn = any(isinstance(event, ev.MatchBegun) and event.transcript for event in events)
    sealed = any(isinstance(event, ev.RoundRevealed) and event.answers for event in events)
    return (
        *([("draw.py", _PROGRAM, RECIPE)] if drawn else ()),
        *([("seal.py", _PROGRAM, SEAL_RECIPE)] if sealed else ()),
    )
