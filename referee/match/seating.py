"""What a player asks of a match beside his answers: an absence, words to other players, a new reply address."""

from __future__ import annotations

from datetime import timedelta

from referee.match import commands as do
from referee.match import events as ev
from referee.match.absence import together
from referee.match.match import Absence
from referee.match.pen import Pen
from referee.match.sealing import Keys
from referee.match.verdicts import Done, Impossible, Verdict


def renew_reply_address(pen: Pen, command: do.RenewReplyAddress, keys: Keys) -> Verdict:
    """The seat's earlier reply addresses prove nothing any more."""
    pen.write(ev.ReplyAddressRenewed(command.seat))
    return Done()


def take_absence(pen: Pen, command: do.TakeAbsence, keys: Keys) -> Verdict:
    """Told to all; the seat's deadlines that fall in it, open ones and those to come, move to its end."""
    match = pen.match
    if match.status not in ("open", "paused"):
        return Impossible("the match has not begun" if match.status == "filling" else "the match is over")
    start = max(command.start, pen.now)
    if command.until <= start:
        return Impossible("that time is over already")
    mine = [a for a in match.absences if a.seat == command.seat]
    wanted = Absence(command.seat, start, command.until)
    whole = together([*mine, wanted])
    if whole > command.most:
        left = max(command.most - together(mine), timedelta(0))
        return Impossible(
            f"a player may be away {_days(command.most)} in one match, and you have {_days(left)} left"
        )
    pen.write(ev.AbsenceTaken(command.seat, start, command.until))
    pen.mind_absences()
    return Done()


def send_press(pen: Pen, command: do.SendPress, keys: Keys) -> Verdict:
    """Words of one player to some or all, as the match allows (multigo G25, onepiece C12)."""
    match = pen.match
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
    pen.write(ev.PressSent(command.seat, command.to, command.text))
    return Done()


def _days(span: timedelta) -> str:
    days = span.days
    return "1 day" if days == 1 else f"{days} days"
