"""What the words of a mail may be meant as by their seat: the answers to what it may send now, as its game reads them
(contract, 'Mail in': words decide, headings help)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from referee.core import seam
from referee.core.answers import AHEAD, Body, Reading
from referee.core.complaint import Line
from referee.core.owing import Demand
from referee.core.replacing import replace
from referee.match.drafts import early_in
from referee.match.handling.submit import understood
from referee.match.match import Match


@dataclass(frozen=True, slots=True)
class Meaning:
    """One answer that lines may be meant as. `text` are its canonical lines once it was judged and found whole: nothing
    is wrong with it, and it would count."""

    demand: Demand
    lines: tuple[Line, ...]
    reading: Reading[Any]
    text: str = ""

    @property
    def clean(self) -> bool:
        """Whether it says an answer, leaves no doubt, and holds nothing that can't be understood."""
        said = self.reading
        return said.action is not None and not (said.complaints or said.choices) and bool(said.orders)


def meaning_of(match: Match, seat: int, kind: str, body: Body) -> Meaning | None:
    """The one answer that the words say to their match, under a heading of that kind or none; read once for each state
    of it. None where they say none, or leave a doubt."""
    if match.standing is None or match.status != "open":
        return None
    return body.kept(("meant", match.name, match.version, seat, kind), lambda: _said(match, seat, kind, body))


def meanings_of(match: Match, seat: int, kind: str, body: Body) -> tuple[Meaning, ...]:
    """The one answer that the words say, or those between which they leave a doubt."""
    if (found := meaning_of(match, seat, kind, body)) is not None:
        return (found,)
    if match.standing is None or match.status != "open":
        return ()
    choices = understood(match, seat, kind, body)[1].choices
    said = (meaning_of(match, seat, kind, Body.of(line)) for line in choices)
    return tuple(meaning for meaning in said if meaning is not None)


def judged(match: Match, meaning: Meaning) -> Meaning | None:
    """The meaning with its canonical lines; None where anything is wrong with it."""
    standing = match.standing
    if standing is None or not meaning.clean:
        return None
    if meaning.demand.kind == AHEAD:
        return replace(meaning, text=meaning.reading.understood.text)
    if standing.check(meaning.demand, meaning.reading.action):
        return None
    text = seam.write(standing.game, match.inner, meaning.demand, meaning.reading.action)
    return replace(meaning, text=text)


def _said(match: Match, seat: int, kind: str, body: Body) -> Meaning | None:
    """As its heading has it, whatever may be wrong with that; else as the only other thing owed that it fits; else as
    what may be owed next."""
    headed = Meaning(*_read(match, seat, kind, body))
    owing = dict.fromkeys(d for _, d in match.due if d.seat == seat)
    if headed.clean and (headed.demand in owing or judged(match, headed)):
        return headed
    others = [Meaning(*_read(match, seat, d.kind, body)) for d in owing if d != headed.demand]
    fitting = {meaning.demand: meaning for meaning in others if judged(match, meaning)}
    if not fitting and not headed.reading.choices:
        early = early_in(match, seat, kind, body)
        return Meaning(early.demand, body.lines, early.reading, early.text) if early else None
    return next(iter(fitting.values())) if len(fitting) == 1 and not headed.reading.choices else None


def _read(match: Match, seat: int, kind: str, body: Body) -> tuple[Demand, tuple[Line, ...], Reading[Any]]:
    demand, reading = understood(match, seat, kind, body)
    return demand, body.lines, reading
