"""Questions to an address, which its owner answers by a plain Yes or No: is this mail yours, are these orders, is this
address the player's? A reply is told by the Message-ID, which nobody else knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from referee.letters.letter import AnsweredMail, Letter, Meant, Measure, Recipient
from referee.letters.speaker import Speaker, thread
from referee.mail.mail import Mail
from referee.match.match import Match

_SHOWN = 40  # lines of a moderator's mail


def challenge(
    speaker: Speaker,
    match: Match,
    seat: int,
    address: str,
    identity: str,
    now: datetime,
    context: Mapping[str, object],
    bucket: str,
) -> Letter:
    """To a registered address: is this mail yours?"""
    person = match.entrant(seat)
    return speaker.letter(
        "challenge",
        Recipient(address, person.name, seat, person.zone),
        speaker.subject(match, "is this mail yours?"),
        challenge_key(identity, address),
        now,
        match,
        context,
        below=thread(match, address),
        reply=Meant(about=identity),
        measure=Measure(bucket=bucket),
    )


_ASKING = {"address": "is this address a player's?", "substitute": "will you stand in for a player?"}


def address_question(
    speaker: Speaker,
    match: Match,
    seat: int,
    address: str,
    identity: str,
    now: datetime,
    bucket: str,
    asks: Literal["address", "substitute"] = "address",
) -> Letter:
    """To an address that a seat's player says is his, or his substitute's: is it so? Nothing in it is for that player
    alone."""
    return speaker.letter(
        f"{asks}_question",
        Recipient(address, "", None),
        speaker.subject(match, _ASKING[asks]),
        challenge_key(identity, address),
        now,
        match,
        {"seat": seat},
        reply=Meant(about=identity, asks=asks),
        measure=Measure(bucket=bucket),
    )


def desk_question(
    speaker: Speaker, to: AnsweredMail, orders: Sequence[str], mail: Mail, arrived: datetime, bucket: str
) -> Letter:
    """To a moderator: are these orders yours?"""
    shown = "\n".join(line.text for line in mail.own[:_SHOWN])[:4000]
    return speaker.letter(
        "desk_question",
        Recipient(to.address, "", None),
        "Are these orders yours?",
        challenge_key(to.kept, to.address),
        to.at,
        told={"orders": tuple(orders), "shown": shown, "arrived": arrived},
        reply=Meant(about=to.kept),
        measure=Measure(bucket=bucket),
    )


def challenge_key(identity: str, address: str, *, again: bool = False) -> tuple[str, ...]:
    """The key of the question about a mail to an address; `again`: of the second and last one."""
    return "challenge", identity, address, *(("again",) if again else ())
