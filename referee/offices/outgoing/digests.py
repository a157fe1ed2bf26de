"""Digests: the public letters of a day in one, for those who want it so."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from referee.core.replacing import replace
from referee.offices.outgoing.letters import Letter, Recipient, decoded, outgoing
from referee.offices.outgoing.speaker import Speaker
from referee.store.sql import Unit


def gather(speaker: Speaker, unit: Unit, hour: int, now: datetime) -> None:
    """Queue the digests that leave now: at the first such hour (in the referee's zone) after the oldest letter of one
    was written."""
    for recipient, oldest in unit.gathered():
        if _leaves(speaker, oldest, hour) <= now and (waiting := unit.take_gathered(recipient)):
            digest = _digest(speaker, [decoded(each) for each in waiting], now)
            unit.send(outgoing(replace(digest, medium=unit.person(recipient).medium)))


def _leaves(speaker: Speaker, oldest: datetime, hour: int) -> datetime:
    local = oldest.astimezone(ZoneInfo(speaker.offices.timezone))
    at = datetime.combine(local.date(), time(hour), local.tzinfo)
    return at if at > local else at + timedelta(days=1)


def _digest(speaker: Speaker, letters: Sequence[Letter], now: datetime) -> Letter:
    """Public letters of a day to one reader in one."""
    address, name = letters[0].head.recipient, letters[0].head.recipient_name
    matches = list(dict.fromkeys(letter.match for letter in letters if letter.match))
    called = f"{len(letters)} public {'letter' if len(letters) == 1 else 'letters'}: {', '.join(matches)}"
    return speaker.letter(
        "digest",
        Recipient(address, name, None),
        called[:200],
        ("digest", address, *(letter.head.message_id for letter in letters)),
        now,
        told={"letters": letters},
        stop=letters[0].stop if len(matches) == 1 else None,
        appointments=tuple({a.uid: a for letter in letters for a in letter.appointments}.values()),
    )
