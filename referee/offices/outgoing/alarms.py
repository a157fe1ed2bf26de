"""Letters to the moderators. Who plays in the match that one is about learns only that something waits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from referee.offices.outgoing.letters import Letter, Measure, Recipient
from referee.offices.outgoing.replies import from_desk
from referee.offices.outgoing.speaker import Speaker
from referee.store.inbox import KeptMail
from referee.store.sql import Unit

# What may tell of a match more than its players know.
_PRIVATE = frozenset(("held", "shunted", "bounce", "missed", "forged", "disowned", "undelivered", "parked"))
STRANGERS = "strangers"  # the measure of all alarms about people who play nowhere here


def to_moderator(
    speaker: Speaker,
    topic: str,
    subject: str,
    key: tuple[str, ...],
    now: datetime,
    *,
    reason: str = "",
    mail: KeptMail | None = None,
    about: str = "",
    **facts: object,
) -> Letter:
    """An alarm of the kind `topic`; `key` tells it from all others, `mail` is the one it is about, `facts` what its
    words need besides. It is written to the first moderator; the outbox sends it to each."""
    reader = Recipient(speaker.offices.moderator, "Moderator", None)
    told = {"topic": topic, "reason": reason, "mail": mail, "about": about, **facts}
    named = (reason, about, mail.match if mail else "", mail.sender if mail else "", facts.get("where"))
    concerns = tuple(str(name) for name in named if name) if topic in _PRIVATE else ()
    return speaker.letter(
        "alarm",
        reader,
        subject,
        ("alarm", *key),
        now,
        told=told,
        measure=Measure("alarm", topic),
        concerns=concerns,
        number=mail.id if mail is not None and topic in ("held", "shunted") else 0,
    )


def copies(speaker: Speaker, unit: Unit, letter: Letter) -> Iterator[Letter]:
    """The alarm for each moderator; without what it says where it is about a match in which he plays."""
    first, *others = speaker.offices.at_desk
    told = _about(unit, letter.concerns)
    for address in (first, *others):
        copy, head = letter.to(address), letter.head
        if address != first:
            copied = speaker.message_id("alarm to", address, head.message_id)
            copy = replace(copy, head=replace(copy.head, message_id=copied))
        if told and told & {name for name, _ in unit.seats_of(address)}:
            copy = _veiled(speaker, copy)
        yield from_desk(speaker, copy)


def _about(unit: Unit, concerns: Sequence[str]) -> set[str]:
    """The matches that it may be about: those it names, and those of whom it names."""
    people = {name for each in concerns if "@" in each for name, _ in unit.seats_of(each)}
    return people | {row.name for row in unit.summaries(each for each in concerns if "@" not in each)}


def _veiled(speaker: Speaker, letter: Letter) -> Letter:
    context = speaker.context(None, Recipient(letter.head.recipient, "Moderator", None))
    page = speaker.page("alarm", {**context, "topic": "veiled", "number": letter.number, "mail": None})
    subject = "Something about a match in which you play waits"
    return replace(letter, page=page, head=replace(letter.head, subject=subject))


def unreadable(speaker: Speaker, match: str, version: int, why: str, now: datetime) -> Letter:
    """Once for each version of it: the match's ledger can't be read."""
    key = ("fault", match, "ledger", str(version))
    subject = f"{match}: its ledger can't be read"
    return to_moderator(speaker, "unfoldable", subject, key, now, reason=why, about=match)


def counted_about(letter: Letter, seats: Sequence[tuple[str, int]], proof: str) -> Letter:
    """The alarm, counted as one about somebody who has those seats: the first of its kind in a day about each player,
    and about what proves as much, always comes. Without seats it is one about strangers, who have one measure."""
    if not seats:
        return letter.counted(topic=STRANGERS)
    match, seat = seats[0]
    return letter.counted(bucket=f"{letter.measure.topic} about {match}/{seat}, {proof}")
