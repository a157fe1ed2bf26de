"""Who is known here: whoever has or had a seat, or has said Yes to an invitation; and what he is called. Nothing that
anybody else is told hangs on it."""

from __future__ import annotations

from dataclasses import dataclass

from referee.club.events import Guest, guests_in
from referee.core.texts.addresses import address_key
from referee.offices.register.matches import Matches
from referee.offices.settings import Offices
from referee.store.sql import Unit


@dataclass(frozen=True, slots=True)
class Members:
    """Looks them up."""

    matches: Matches
    offices: Offices

    def of(self, unit: Unit, address: str, name: str = "") -> Guest | None:
        """The player with that address, called as in his last match; a moderator, who needs none, as he calls himself.
        None where nobody has it."""
        return self._seated(unit, address) or self._agreed(unit, address) or self._moderator(address, name)

    def known(self, unit: Unit, address: str) -> bool:
        """Whether somebody has it, or had a seat with it."""
        return self.of(unit, address) is not None or bool(unit.left_by(address))

    def _seated(self, unit: Unit, address: str) -> Guest | None:
        for name, seat in reversed(unit.seats_of(address)):
            match = self.matches.outline(unit, name)
            if match.known:
                person = match.entrant(seat)
                return Guest(person.name, match.spelt(seat, address), person.zone)
        return None

    def _agreed(self, unit: Unit, address: str) -> Guest | None:
        wanted = address_key(address)
        for name in reversed(unit.agreed_to(address)):
            told = (
                guest for entry in reversed(unit.gathered_history(name)) for guest in guests_in(entry.event)
            )
            if (found := next((g for g in told if address_key(g.address) == wanted), None)) is not None:
                return found
        return None

    def _moderator(self, address: str, name: str) -> Guest | None:
        return (
            Guest(" ".join(name.split()) or "Moderator", address) if self.offices.moderates(address) else None
        )
