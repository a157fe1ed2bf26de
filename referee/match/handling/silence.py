"""Players who are silent: after so many missed deadlines in a row others may take the seat; where nobody ever played,
and nobody comes, the match is called off."""

from __future__ import annotations

from collections.abc import Iterable

from referee.core.owing import REFEREE, Demand
from referee.match import events as ev
from referee.match.ledger import LedgerWriter


def mind_silence(ledger: LedgerWriter, missing: Iterable[Demand]) -> None:
    """What follows from deadlines that were just missed, by the match's option `miss`. A game to which a silent seat
    means something says so itself, and then names it vacant."""
    most = ledger.match.timing.miss
    for seat in sorted({d.seat for d in missing} - {REFEREE}):
        missed = ledger.match.missed.get(seat, 0)
        if not ledger.standing.due or not most or missed < most:
            continue
        if seat not in ledger.match.vacant:
            told = ledger.game.silent(ledger.match.inner, seat, missed)
            ledger.happen(told)
            if not told:
                ledger.write(ev.SeatOffered(seat, missed))
        elif missed >= 2 * most and seat not in ledger.match.shown:
            _call_off(ledger, seat)
            return


def mind_unheard(ledger: LedgerWriter, seat: int) -> None:
    """Of a player who never answered what has no deadline others may take the seat; if nobody did, that is the end."""
    if seat in ledger.match.vacant:
        _call_off(ledger, seat)
    else:
        ledger.write(ev.SeatOffered(seat, 0))


def _call_off(ledger: LedgerWriter, seat: int) -> None:
    reason = f"Player {seat} never came to play, and nobody took the seat. The match is called off."
    ledger.write(ev.MatchEnded((), {}, reason))
