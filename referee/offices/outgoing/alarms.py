"""Letters to the moderator."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from referee.core.replacing import replace
from referee.core.texts.addresses import address_key
from referee.offices.outgoing.letters import Letter, Measure, Recipient
from referee.offices.outgoing.speaker import Speaker
from referee.offices.ports.inbox import KeptMail

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
    words need besides."""
    reader = Recipient(speaker.offices.moderator, "Moderator", None)
    told = {"topic": topic, "reason": reason, "mail": mail, "about": about, **facts}
    page = speaker.page("alarm", {**speaker.context(None, reader), **told})
    letter = speaker.letter("alarm", reader, subject, page, speaker.message_id("alarm", *key), now)
    return replace(letter, measure=Measure("alarm", topic))


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


def goes_to(speaker: Speaker, address: str | None) -> bool:
    """Whether alarms go there."""
    return address is not None and address_key(address) == address_key(speaker.offices.moderator)
