"""Letters that came back: the address is marked, the letter goes to the player's next one, the moderator is told."""

from __future__ import annotations

from datetime import datetime

from referee.match import commands as do
from referee.match.decide import decide
from referee.offices.outgoing.letters import Letter
from referee.offices.outgoing.speaker import Speaker
from referee.offices.people import People
from referee.offices.ports.mail import Mail
from referee.offices.ports.store import KeptMail, OutgoingLetter, Settling, Unit
from referee.offices.registry import Registry

_UNPROVED = "it names no letter of ours to that address, so nothing follows from it"


class Bounces:
    """Reads reports on letters that did not arrive (RFC 3464); they are never answered. Anybody can write one: what it
    says of an address counts only with the Message-ID of a letter of ours to that very address, which nobody but its
    reader and the servers on its way have seen."""

    def __init__(self, registry: Registry, speaker: Speaker) -> None:
        self._registry = registry
        self._speaker = speaker

    def judged(
        self, unit: Unit, kept: KeptMail, mail: Mail, now: datetime
    ) -> tuple[Settling, tuple[Letter, ...]]:
        """Discarded; of what it proves, an alarm once a day for each address."""
        sent = [letter for named in mail.returned if (letter := unit.letter(named)) is not None]
        proved = {
            letter.recipient: (letter, note or mail.reason, permanent)
            for addresses, note, permanent in mail.failed
            for letter in sent
            if letter.recipient.casefold() in {address.casefold() for address in addresses}
        }
        alarms = tuple(self._told(unit, kept, *one, now) for one in proved.values())
        about = ", ".join(addresses[0] for addresses, _, _ in mail.failed) or "no address is named"
        doubt = "" if proved else f" ({_UNPROVED})"
        return Settling("discarded", f"{mail.reason}: {about}{doubt}"), alarms

    def _told(
        self,
        unit: Unit,
        kept: KeptMail,
        returned: OutgoingLetter,
        note: str,
        permanent: bool,
        now: datetime,
    ) -> Letter:
        """Mark the address where it fails for good; the alarm."""
        again = unwatched = None
        address = returned.recipient
        if permanent:
            People(unit).mark_failing(address, kept.arrived, note)
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
