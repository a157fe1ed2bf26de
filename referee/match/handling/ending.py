"""The moderator ends a match before its game does."""

from __future__ import annotations

from collections.abc import Mapping

from referee.match import commands as do
from referee.match import events as ev
from referee.match.commands import Done, Impossible, Verdict
from referee.match.ledger import LedgerWriter

CALLED_OFF = "The moderator has called it off."
_REASONS: Mapping[str, str] = {
    "called-off": CALLED_OFF,
    "drawn": "The moderator has ended it as a draw.",
    "won": "The moderator has decided it.",
}


def end(ledger: LedgerWriter, command: do.End) -> Verdict:
    """What was decided stands; what is sealed stays sealed. A match that has not begun can only be called off."""
    match = ledger.match
    if command.how not in _REASONS:
        return Impossible(f"a match is ended as one of {', '.join(_REASONS)}")
    if match.status == "ended":
        return Impossible("the match is over already")
    if match.inner is None and command.how != "called-off":
        return Impossible("the match has not begun, so it can only be called off")
    if strange := [n for n in command.winners if n not in match.numbers]:
        return Impossible(f"there is no Player {strange[0]} in this match")
    if (command.how == "won") != bool(command.winners):
        return Impossible("who has won is said of a match that is won, and of no other")
    ledger.write(ev.MatchStopped(command.how, command.winners, command.why))
    ledger.write(ev.MatchEnded(command.winners, {}, _REASONS[command.how]))
    return Done()
