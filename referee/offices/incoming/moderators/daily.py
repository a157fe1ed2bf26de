"""The desk's letter once a day, if anything waits: to each moderator, with what he may know of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from referee.offices.incoming.moderators.carried import NUMBERED, Reported, items_of
from referee.offices.moderating.tray import Tray
from referee.offices.outgoing.desk_letters import AT_DESK, from_desk
from referee.offices.outgoing.letters import Meant, Recipient
from referee.offices.outgoing.outbox import Outbox
from referee.offices.outgoing.speaker import Speaker
from referee.offices.register.facts import Facts
from referee.store.sql import Unit


def _waits(entry: Facts) -> bool:
    """Whether it is worth a letter: a match that still gathers its players, or was paused, does as it should."""
    return entry.get("status") not in ("filling", "paused")


@dataclass(frozen=True, slots=True)
class Daily:
    """Looks through the desk."""

    tray: Tray
    speaker: Speaker
    outbox: Outbox

    def tell(self, unit: Unit, now: datetime) -> None:
        for address in self.speaker.offices.at_desk:
            facts = self.tray.all_that_waits(unit, now, address)
            if not any(_waits(entry) for part in (*NUMBERED, "trouble") for entry in facts[part]):
                continue
            told = {"told": (Reported("desk", facts=facts),), "mails": "", "nothing": False, **AT_DESK}
            letter = self.speaker.letter(
                "desk",
                Recipient(address, "", None),
                "What waits at the desk",
                ("desk", address, now.isoformat()),
                now,
                told=told,
                reply=Meant(items=items_of(facts)),
            )
            self.outbox.post(unit, [from_desk(self.speaker, letter)])
