"""The moderator's word in a match: he amends its rules, which is the only way by which other options or data reach it,
ends it before its game does, speaks to all; and the players' words among themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.core.game import Amendment
from referee.match import commands as do
from referee.match import events as ev
from referee.match.handling.deadlines import mind_timing
from referee.match.handling.rewinding import data_in_force, rewind
from referee.match.ledger import LedgerWriter
from referee.match.timing import MOVING, OPTIONS, game_setup

CALLED_OFF = "The moderator has called it off."
_REASONS: Mapping[str, str] = {
    "called-off": CALLED_OFF,
    "drawn": "The moderator has ended it as a draw.",
    "won": "The moderator has decided it.",
}


def amend(ledger: LedgerWriter, command: do.Amend) -> str:
    """Never retroactive but for objections (611) and what is asked for again. Open deadlines stay as they are, unless
    the hour or the days off are amended. Of options that every match has the game is told nothing."""
    match = ledger.match
    if match.inner is None or match.status == "ended":
        return f"the match is {match.status}: its rules can be amended only while it runs"
    old = data_in_force(ledger.history())
    data = old if command.data is None else command.data
    options = {**match.options, **command.options}
    changes = tuple(
        ev.OptionChange(name, match.options.get(name, ""), value)
        for name, value in command.options.items()
        if match.options.get(name) != value
    )
    if not changes and data == old:
        return "those are its rules already"
    its_own = data != old or not {change.name for change in changes} <= set(OPTIONS)
    setup = game_setup(options, data, match.seats)
    amendment: Amendment[Any] = Amendment()
    if its_own:
        amendment = ledger.game.amended(match.inner, setup)
    if amendment.faults:
        return " ".join(amendment.faults).rstrip(".")
    ledger.write(ev.Amended(options, None if data == old else data, changes, command.why))
    if MOVING & {change.name for change in changes}:
        mind_timing(ledger, match.timing, command.why)
    sealed = next((r.label for r in match.rounds if r.sealed), None)
    if (command.again or data != old) and sealed is not None:
        # whatever has been answered: nothing may hang on what nobody has seen
        return rewind(ledger, do.Rewind(sealed, command.why))
    ledger.happen(amendment.events)
    ledger.settle()
    return ""


def end(ledger: LedgerWriter, command: ev.MatchStopped) -> str:
    """What was decided stands; what is sealed stays sealed. A match that has not begun can only be called off."""
    match = ledger.match
    if command.how not in _REASONS:
        return f"a match is ended as one of {', '.join(_REASONS)}"
    if match.status == "ended":
        return "the match is over already"
    if match.inner is None and command.how != "called-off":
        return "the match has not begun, so it can only be called off"
    if strange := [n for n in command.winners if n not in match.numbers]:
        return f"there is no Player {strange[0]} in this match"
    if (command.how == "won") != bool(command.winners):
        return "who has won is said of a match that is won, and of no other"
    ledger.write(command)
    ledger.write(ev.MatchEnded(command.winners, {}, _REASONS[command.how]))
    return ""


def send_press(ledger: LedgerWriter, command: do.SendPress) -> str:
    """Words of one player to some or all, as the match allows (multigo G25, onepiece C12)."""
    match = ledger.match
    if match.inner is None or match.status == "ended":
        return "players can talk only while the match lasts"
    talk = match.options.get("press", command.talk)
    if talk == "off":
        return "in this match players do not talk to each other"
    if command.to and talk == "public":
        return "in this match players may talk only in public, to all"
    if strange := [n for n in command.to if n not in match.numbers]:
        return f"there is no Player {strange[0]} in this match"
    if command.seat in command.to:
        return "that would be a letter to yourself"
    sealed = not command.beside_sealed and any(r.sealed for r in match.rounds)
    if sealed and command.to:
        return "sealed answers are owed just now, and before the reveal words go to nobody alone"
    to_all = ev.PressKept(command.seat, command.text)
    ledger.write(to_all if sealed else ev.PressSent(command.seat, command.to, command.text))
    return ""
