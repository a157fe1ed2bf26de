"""Further addresses of a player: asked for by him, agreed to by whoever has them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from referee.core.texts.addresses import address_key
from referee.offices.incoming.case import Case
from referee.offices.incoming.requests.wishes import mail_address
from referee.offices.incoming.routing import Route
from referee.offices.outgoing.letters import Letter
from referee.offices.outgoing.questions import address_question
from referee.offices.outgoing.speaker import Speaker
from referee.offices.register.people import People
from referee.offices.settings import Offices, Settings
from referee.store.sql import Unit

MOST = 5  # addresses of one seat
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Addresses:
    """Asks addresses whether they are of the player who says so. Nothing that the asker gets hangs on whose they are:
    who could tell a free address from somebody's would learn who plays here."""

    speaker: Speaker
    offices: Offices
    settings: Settings

    def wanted(self, argument: str, sender: str | None, places: tuple[Route, ...]) -> str | None:
        """The address that a mail asks for: the one it names, or, naming none, its own; None where none can be had."""
        new = mail_address(argument) if argument else sender
        there = all(new is not None and at.seat in at.match.seat_of(new) for at in places)
        full = not there and any(len(at.match.entrant(at.seat).addresses) >= MOST for at in places)
        return None if new is None or full or self.offices.hindrance(new) else new

    @staticmethod
    def free(unit: Unit, new: str, asker: str) -> bool:
        """Whether the address is nobody's, or the asker's own in all that it has."""
        own, owner = set(unit.seats_of(asker)), unit.person(new).owner
        known = owner is None or owner in People(unit).proved_by(asker)
        return known and own.issuperset(unit.seats_of(new))

    def question(self, case: Case, places: tuple[Route, ...], new: str, asker: str) -> Letter | None:
        """The letter to the new address; None where it is somebody's, or where it or the asker has had enough of such
        letters within a day."""
        at, by = places[0], f" by {case.proof.best}"
        if case.kept.agreed or not self.free(case.unit, new, asker):
            return None
        return self.asked(case, at, new, f"address of {at.match.name}/{at.seat}{by}", by, "address")

    def asked(
        self,
        case: Case,
        at: Route,
        address: str,
        bucket: str,
        kind: str,
        asks: Literal["address", "substitute"],
    ) -> Letter | None:
        """The question to an address; None where it has had enough of that kind within a day, or the seat of those that
        its bucket counts."""
        unit, since = case.unit, case.now - _DAY
        unit.hold("person", address_key(address))
        unit.hold("bucket", bucket)
        told = max(unit.bucket_since(bucket, since), unit.bucket_since(kind, since, address))
        identity = case.kept.identity
        letter = address_question(self.speaker, at.match, at.seat, address, identity, case.now, bucket, asks)
        known = unit.letter(letter.head.message_id) is not None
        return letter if told < self.settings.senders.challenges_a_day and not known else None
