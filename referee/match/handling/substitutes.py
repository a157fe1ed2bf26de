"""Substitutes: who plays on where a seat falls vacant, and stands in while its player is away."""

from __future__ import annotations

from referee.match import commands as do
from referee.match import events as ev
from referee.match.commands import Done, Impossible, Verdict
from referee.match.handling.seating import called_others, taken_over, unfit_name
from referee.match.ledger import LedgerWriter
from referee.match.match import held_by, substitute_of


def name_substitute(ledger: LedgerWriter, command: do.NameSubstitute) -> Verdict:
    """The newest counts. Told to all by name; his addresses are nobody's business."""
    match, entrant = ledger.match, command.entrant
    if match.inner is None or match.status == "ended":
        return Impossible("the match is over" if match.status == "ended" else "the match has not begun")
    if command.seat not in match.numbers:
        return Impossible(f"there is no seat {command.seat}; there are {', '.join(map(str, match.numbers))}")
    if any(held_by(match, address) or substitute_of(match, address) for address in entrant.addresses):
        return Impossible("that address has a seat in the match, or is a substitute there, already")
    others = [person.name for seat, person in match.substitutes.items() if seat != command.seat]
    if (unfit := unfit_name(entrant, [*called_others(match), *others])) is not None:
        return unfit
    ledger.write(ev.SubstituteNamed(command.seat, entrant))
    step_in(ledger)
    return Done()


def drop_substitute(ledger: LedgerWriter, command: do.DropSubstitute) -> Verdict:
    """Nobody is named any more; one who stands in plays on until the absence ends."""
    if command.seat not in ledger.match.substitutes:
        return Impossible("nobody is named as a substitute there")
    ledger.write(ev.SubstituteDropped(command.seat))
    return Done()


def step_in(ledger: LedgerWriter) -> None:
    """Every vacant seat that has a substitute is his from now on."""
    match = ledger.match
    if match.inner is None or match.status == "ended":
        return
    for seat in match.vacant:
        person = ledger.match.substitutes.get(seat)
        if person is not None:
            taken_over(ledger, seat, person, "")


def stand_in(ledger: LedgerWriter, seat: int) -> None:
    """The seat's player is away, and his substitute plays until he is back: as the same seat, with all that is its
    own."""
    until = ledger.match.away_from(seat)
    assert until is not None
    ledger.write(ev.StoodIn(seat, ledger.match.substitutes[seat], until))


def come_back(ledger: LedgerWriter, seat: int) -> None:
    """The absence is over."""
    ledger.write(ev.CameBack(seat, ledger.match.stand_ins[seat].player))
    ledger.mind_absences()
