"""Questions to an address, which its owner answers by a plain Yes or No: is this mail yours, is this address the
player's? A reply is told by the Message-ID, which nobody else knows."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

from referee.core.replacing import replace
from referee.match.match import Match
from referee.offices.outgoing.letters import Letter, Meant, Measure, Recipient
from referee.offices.outgoing.speaker import Speaker


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
    reader = Recipient(address, person.name, seat, person.zone)
    letter = speaker.letter(
        "challenge",
        reader,
        speaker.subject(match, "is this mail yours?"),
        speaker.page("challenge", {**speaker.context(match, reader), **context}),
        challenge_id(speaker, identity, address),
        now,
        match,
        (speaker.thread(match, address),),
    )
    return replace(letter, reply=Meant(about=identity), measure=Measure(bucket=bucket))


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
    reader = Recipient(address, "", None)
    letter = speaker.letter(
        f"{asks}_question",
        reader,
        speaker.subject(match, _ASKING[asks]),
        speaker.page(f"{asks}_question", {**speaker.context(match, reader), "seat": seat}),
        challenge_id(speaker, identity, address),
        now,
        match,
    )
    return replace(letter, reply=Meant(about=identity, asks=asks), measure=Measure(bucket=bucket))


def challenge_id(speaker: Speaker, identity: str, address: str, *, again: bool = False) -> str:
    """The Message-ID of the question about a mail to an address; `again`: of the second and last one."""
    return speaker.message_id("challenge", identity, address, *(("again",) if again else ()))
