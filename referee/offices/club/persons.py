"""A person is one person: whoever has a new address keeps seats, ratings, events and wishes, and
letters go there. The ledgers stay as they are; that it is the same person is an event, in every
ledger that it touches and in one of its own, from which the archive and the ratings know it."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from referee.club.events import AddressChanged, entries
from referee.club.proposal import Proposal
from referee.club.tournament import Tournament
from referee.core.texts.addresses import address_key
from referee.core.value import Value
from referee.letters.letter import ADDRESS, Meant, Offered, Recipient, decoded, outgoing
from referee.match import events as ev
from referee.match.chain import Keys
from referee.match.commands import Impossible
from referee.match.match import Match
from referee.offices.club.proposals import Gatherings, Proposals
from referee.offices.club.tournaments import Tournaments
from referee.offices.decisions import Decisions
from referee.offices.register.matches import People
from referee.store.club import Gathering
from referee.store.sql import Unit

_EVER, _MANY = datetime.max.replace(tzinfo=UTC), 10_000
PEOPLE = "the people"  # no match or event has a name with a blank in it


def know_people(unit: Unit, keys: Keys) -> None:
    """Tell the keys of each address that a person had later the first one: all as addresses are compared."""
    first: dict[str, str] = {}
    for event in (entry.event for entry in unit.gathered_history(PEOPLE)):
        if isinstance(event, AddressChanged):
            old, new = address_key(event.old), address_key(event.new)
            root = first.get(old, old)
            if root != new:
                first |= {address: root for address, known in first.items() if known == new}
                first[new] = root
    keys.same.clear()
    keys.same.update(first)


class Persons(Value):
    """In the caller's transaction."""

    decisions: Decisions
    proposals: Proposals
    tournaments: Tournaments

    def known(self, unit: Unit, address: str) -> bool:
        """Whether there is anything of somebody with that address that another one could have."""
        return bool(self._matches(unit, address) or any(self._gatherings(unit, address)))

    def waiting(self, unit: Unit, address: str) -> list[str]:
        """What they are in that has not begun."""
        there: list[Proposal | Tournament] = [*self.proposals.forming(unit)]
        there += self.tournaments.those(unit, "entry")
        return [one.name for one in there if one.plays(address)]

    def hindrances(self, unit: Unit, change: AddressChanged, now: datetime) -> list[str]:
        """Why the address can't be theirs: nobody has two places in what goes on."""
        found, command = [], ev.SeatsReaddressed(change.old, change.new, change.kept)
        for match in self._matches(unit, change.old):
            verdict = self.decisions.decide(unit, match, command, now).verdict
            found += [f"{match.name}: {verdict.why}."] if isinstance(verdict, Impossible) else []
        there = (one for _, one in self._gatherings(unit, change.old))
        twice = [one.name for one in there if one.plays(change.old) and one.plays(change.new)]
        return [*found, *(f"{name}: both addresses play there, and nobody plays twice." for name in twice)]

    def ask(self, unit: Unit, old: str, new: str, now: datetime, cause: str) -> None:
        """At the new address, whether it is that player's: its Yes does it."""
        own = self.proposals.member(unit, old)
        told, asks = {"named": own.name if own else ""}, Meant(asks="moved", offers=(Offered(ADDRESS, old),))
        key, speaker = ("move", cause, old, new), self.decisions.speaker
        letter = speaker.letter("move_question", Recipient(new), "", key, now, told=told, reply=asks)
        self.decisions.outbox.post(unit, [letter])

    def change(self, unit: Unit, change: AddressChanged, now: datetime, cause: str) -> None:
        """From now on they have it. What hinders it was asked before."""
        old, new = change.old, change.new
        unit.hold("club", PEOPLE)
        for match in self._matches(unit, old):
            command = ev.SeatsReaddressed(old, new, change.kept)
            self.decisions.carry_out(unit, match, command, now, f"{cause} {match.name}")
        for office, one in list(self._gatherings(unit, old)):
            office.write(unit, office.load(unit, one.name), now, change)
        for name, agreed in unit.take_invitations(old, new):
            token = self.proposals.keys.invitation_token(name, new)
            unit.invite(token, name, new)
            unit.agree(token, agreed=agreed)
        unit.take_wishes(old, new)
        waiting = unit.unsent(_EVER, _MANY, to=[address_key(old)]) + unit.take_gathered(address_key(old))
        for letter in map(decoded, waiting):
            unit.redirect(outgoing(letter.to(new)))
        People(unit).moved(old, new, kept=change.kept)
        row = unit.gathering(PEOPLE)
        version, since = (row.version, row.opened_at) if row else (0, now)
        kept = Gathering(PEOPLE, "people", "", "kept", version + 1, since, None)
        unit.save_gathering(kept, entries(version, now, change))

    def _matches(self, unit: Unit, address: str) -> list[Match]:
        """Those in which the address is somebody's who plays, or who is away."""
        names = sorted({*(name for name, _ in unit.seats_of(address)), *unit.left_by(address)})
        found = (self.decisions.matches.outline(unit, name) for name in names)
        return [match for match in found if match.known]

    def _gatherings(
        self, unit: Unit, address: str
    ) -> Iterator[tuple[Gatherings[Any], Proposal | Tournament]]:
        """What is being formed or played with somebody of that address."""
        for event in self.tournaments.those(unit, "entry", "playing"):
            if event.plays(address) or address_key(address) in event.entered:
                yield self.tournaments, event
        for proposal in self.proposals.forming(unit):
            if proposal.plays(address) or address_key(address) in proposal.kept:
                yield self.proposals, proposal
