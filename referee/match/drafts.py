"""Drafts: what a seat answers before it is asked is kept, filled into the letter that then asks for it, and sent by its
seat's word alone.

A draft counts for nothing and changes nothing that anybody else sees: it is a private entry. It is the newest only, for
the next round that asks its seat for such an answer, and ends with that round, a rewind, or another person in the seat.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from referee.core import seam
from referee.core.answers import Body, Form, Party, Reading
from referee.core.complaint import Complaint, gathered
from referee.core.orders import meaning
from referee.core.owing import Demand
from referee.core.seam import Expecting, Standing
from referee.core.texts.words import FreeText
from referee.match import events as ev
from referee.match.commands import Discarded, Kept
from referee.match.ledger import LedgerWriter
from referee.match.match import Match


@dataclass(frozen=True, slots=True)
class Early:
    """An answer that its seat may be asked for next, in lines that say it; what is known to be wrong with it."""

    demand: Demand
    reading: Reading[Any]
    text: FreeText
    complaints: tuple[Complaint, ...]


def early(match: Match, seat: int, kind: str, body: Body) -> Early | None:
    """What the lines say to what the seat may be asked for next, under a heading of that kind; None where that is
    nothing, or leaves a doubt. Read once for each state of the match."""
    key = ("early", match.name, match.version, seat, kind)
    return body.kept(key, lambda: _early(match, seat, kind, body))


def early_in(match: Match, seat: int, kind: str, body: Body) -> Early | None:
    """The same under that heading, or as the only answer that the lines fit whatever stands above them."""
    headed = early(match, seat, kind, body)
    ahead = None if headed or match.standing is None else match.standing.expected(seat)
    found = [early(match, seat, demand.kind, body) for demand in ahead.demands] if ahead else [headed]
    fitting = [one for one in found if one is not None]
    return fitting[0] if len(fitting) == 1 else None


def _early(match: Match, seat: int, kind: str, body: Body) -> Early | None:
    ahead = match.standing.expected(seat) if match.standing is not None else None
    if ahead is None:
        return None
    demand, reading = meaning.understood(ahead.standing, seat, kind, body, match.party(seat))
    if demand not in ahead.demands or reading.action is None or reading.choices or not reading.orders:
        return None
    game, state = ahead.standing.game, ahead.standing.state
    wrong = (*reading.complaints, *(ahead.standing.faults(demand, reading) if ahead.known else ()))
    if not wrong:
        shown = seam.filled_in(game, state, demand, match.party(seat), reading.action) if ahead.known else ""
        return Early(demand, reading, shown or seam.write(game, state, demand, reading.action), ())
    form = _unfinished(match, ahead, demand, reading)
    return Early(demand, reading, form, gathered(wrong)) if form else None


def _unfinished(match: Match, ahead: Expecting, demand: Demand, reading: Reading[Any]) -> str:
    """The form of an answer with faults, where it can be looked at as if it were owed, says something, and nothing had
    to be chosen in its sender's place; else nothing."""
    game, state, party = ahead.standing.game, ahead.standing.state, match.party(demand.seat)
    form = seam.form(game, state, demand, party, reading) if ahead.known else Form("")
    return "" if form.chosen or form.text == seam.form(game, state, demand, party).text else form.text


# --- kept, and dropped ------------------------------------------------------------------------------------------------


def kept(ledger: LedgerWriter, found: Early) -> Kept:
    """The answer as the seat's draft; an earlier one goes."""
    ledger.write(ev.DraftKept(found.demand, found.text))
    return Kept(found.demand, found.text, found.complaints, found.reading.courtesy)


def discarded(ledger: LedgerWriter, seat: int) -> Discarded | None:
    """The seat's draft dropped; None where there is none."""
    draft = ledger.match.drafts.get(seat)
    if draft is None:
        return None
    ledger.write(ev.DraftDropped(seat))
    return Discarded(draft.demand, draft.text)


# --- asked for --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Drafted:
    """A draft as the letter shows it that asks for it: what is wrong with it now, and its form, filled in and mended
    where it can be; what is `left` to put right there, and what was chosen in mending."""

    form: FreeText
    complaints: tuple[Complaint, ...] = ()
    left: tuple[Complaint, ...] = ()
    chosen: tuple[str, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether its seat's word alone may send the form."""
        return not self.left and not self.chosen


def drafted(match: Match, demand: Demand) -> Drafted | None:
    """The seat's draft of an answer that is owed now, checked again; None where there is none, or it says none."""
    draft, r, standing = match.drafts.get(demand.seat), match.round_of(demand), match.standing
    if draft is None or r is None or standing is None or draft.asked != r.opened:
        return None
    reading, wrong = _read_again(standing, match.party(demand.seat), demand, draft.text)
    if reading is None or reading.action is None:
        return None
    party, game = match.party(demand.seat), standing.game
    if not wrong:
        return Drafted(seam.filled_in(game, standing.state, demand, party, reading.action))
    mended = seam.form(game, standing.state, demand, party, reading)
    again, left = _read_again(standing, party, demand, mended.text)
    if again is None or again.action is None:
        left = left or wrong
    return Drafted(mended.text, wrong, left, mended.chosen)


def _read_again(
    standing: Standing, party: Party, demand: Demand, text: str
) -> tuple[Reading[Any] | None, tuple[Complaint, ...]]:
    """What lines say to the demand, and all that is wrong with it; no reading where they say something else."""
    meant, reading = meaning.understood(standing, demand.seat, demand.kind, Body.of(text), party)
    if meant != demand or reading.choices:
        return None, ()
    return reading, gathered((*reading.complaints, *standing.faults(demand, reading)))
