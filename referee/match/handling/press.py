"""Words to others: the players' among themselves, and the moderator's to all."""

from __future__ import annotations

from referee.match import commands as do
from referee.match import events as ev
from referee.match.commands import Done, Impossible, Verdict
from referee.match.ledger import LedgerWriter


def send_press(ledger: LedgerWriter, command: do.SendPress) -> Verdict:
    """Words of one player to some or all, as the match allows (multigo G25, onepiece C12)."""
    match = ledger.match
    if match.inner is None or match.status == "ended":
        return Impossible("players can talk only while the match lasts")
    talk = match.options.get("press", command.talk)
    if talk == "off":
        return Impossible("in this match players do not talk to each other")
    if command.to and talk == "public":
        return Impossible("in this match players may talk only in public, to all")
    if strange := [n for n in command.to if n not in match.numbers]:
        return Impossible(f"there is no Player {strange[0]} in this match")
    if command.seat in command.to:
        return Impossible("that would be a letter to yourself")
    if not command.beside_sealed and any(r.sealed for r in match.rounds):
        return Impossible(
            "sealed answers are owed just now, and nobody may hint at his own before the reveal"
        )
    ledger.write(ev.PressSent(command.seat, command.to, command.text))
    return Done()


def say(ledger: LedgerWriter, command: do.Say) -> Verdict:
    if command.seat is None:
        ledger.write(ev.Said(command.text))
    elif command.seat not in ledger.match.numbers:
        return Impossible(f"there is no seat {command.seat}")
    else:
        ledger.write(ev.SaidToOne(command.seat, command.text))
    return Done()
