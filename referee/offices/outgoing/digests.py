"""Digests: the public letters of a day in one, for those who want it so."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from itertools import groupby
from zoneinfo import ZoneInfo

from referee.offices.outgoing.letters import Letter, decoded
from referee.offices.outgoing.speaker import Speaker
from referee.offices.ports.store import OutgoingLetter, Unit


class Digests:
    """A digest leaves at the first `hour` o'clock (in the referee's zone) after its oldest letter was written."""

    def __init__(self, speaker: Speaker, hour: int, zone: str) -> None:
        self._speaker = speaker
        self._hour = hour
        self._zone = ZoneInfo(zone)

    def due(self, unit: Unit, now: datetime) -> list[Letter]:
        """The digests that leave now; what they tell is marked as told."""
        waiting = sorted(unit.gathered(), key=lambda letter: letter.recipient)
        digests = []
        for recipient, kept in groupby(waiting, key=lambda letter: letter.recipient):
            letters = list(kept)
            if self._leaves(letters[0]) <= now:
                digests.append(self._speaker.digest(recipient, [decoded(each.body) for each in letters], now))
                unit.told([each.message_id for each in letters])
        return digests

    def _leaves(self, oldest: OutgoingLetter) -> datetime:
        local = oldest.at.astimezone(self._zone)
        today = datetime.combine(local.date(), time(self._hour), self._zone)
        return today if today > local else datetime.combine(
            local.date() + timedelta(days=1), time(self._hour), self._zone
        )  # fmt: skip
