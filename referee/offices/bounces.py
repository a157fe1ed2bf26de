"""Letters that came back: the address is marked, the letter goes to the player's next one, the moderator is told."""

from __future__ import annotations

from datetime import datetime

from referee.match import commands as do
from referee.match.decide import decide
from referee.offices.keeping import KeptMail, OutgoingLetter, Settling, Unit
from referee.offices.letters import Letter
from referee.offices.mail import Mail
from referee.offices.people import People
from referee.offices.registry import Registry
from referee.offices.speaker import Speaker

_UNNAMED = "an address that the report does not name"


class Bounces:
    """Reads reports on letters that did not arrive (RFC 3464); they are never answered."""

    def __init__(self, registry: Registry, speaker: Speaker) -> None:
        self._registry = registry
        self._speaker = speaker

    def judged(
        self, unit: Unit, kept: KeptMail, mail: Mail, now: datetime
    ) -> tuple[Settling, tuple[Letter, ...]]:
        """Discarded, with an alarm once a day for each address."""
        returned = unit.letter(mail.returned) if mail.returned else None
        failed = [
            (_ours(unit, address, returned), note or mail.reason, permanent)
            for address, note, permanent in mail.failed
        ]
        alarms = [self._told(unit, kept, returned, *one, now) for one in failed]
        if not failed:
            alarms = [self._told(unit, kept, None, _UNNAMED, mail.reason, False, now)]
        about = ", ".join(address for address, _, _ in failed) or "no address is named"
        return Settling("discarded", f"{mail.reason}: {about}"), tuple(alarms)

    def _told(
        self,
        unit: Unit,
        kept: KeptMail,
        returned: OutgoingLetter | None,
        address: str,
        note: str,
        permanent: bool,
        now: datetime,
    ) -> Letter:
        """Mark the address where it fails for good; the alarm."""
        again = unwatched = None
        ours = returned is not None and returned.recipient.casefold() == address.casefold()
        if permanent:
            People(unit).mark_failing(address, kept.arrived, note)
        if permanent and ours and returned is not None:
            again = self._registry.forwarding.sent_again(unit, returned.message_id)
            unwatched = self._unwatched(unit, returned, kept, now)
        context = {
            "topic": "bounce", "reason": note, "mail": kept, "about": address, "permanent": permanent,
            "matches": sorted({name for name, _ in unit.seats_of(address)}), "again": again,
            "unwatched": unwatched,
        }  # fmt: skip
        key = ("bounce", address, f"{now:%Y-%m-%d}")
        return self._speaker.alarm(f"A letter to {address} did not arrive", key, now, context)

    def _unwatched(self, unit: Unit, returned: OutgoingLetter, kept: KeptMail, now: datetime) -> str | None:
        """An observer whom letters do not reach observes no longer; the match."""
        if returned.match is None:
            return None
        match = self._registry.book.load(unit, returned.match)
        if returned.recipient not in match.observers:
            return None
        game, command = self._registry.book.game(match), do.Observe(returned.recipient, stop=True)
        decision = decide(game, match, command, now, self._speaker.keys, lambda: unit.history(match.name))
        self._registry.record(unit, match, decision, f"mail {kept.identity} unwatched", now)
        return match.name


def _ours(unit: Unit, address: str, returned: OutgoingLetter | None) -> str:
    """The address we wrote to, where the report names the one that it was passed on to."""
    if returned is None or unit.seats_of(address):
        return address
    return returned.recipient
