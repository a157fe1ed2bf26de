"""A proposal of a match: who is asked, who has said Yes, whether it is full."""

from collections.abc import Mapping
from dataclasses import field, replace
from datetime import datetime, timedelta
from typing import Literal, Self

from referee.club import events as ev
from referee.core.texts.addresses import address_key

DAY = timedelta(days=1)
Status = Literal["forming", "opened", "withdrawn", "expired"]


class Proposal(ev.Gathered):
    """Addresses are keys (`address_key`): `kept` are those for whom a place is kept, `parked`
    those of them who wait for the moderator's yes, `unasked` those to whom no letter could go yet, `called` how those
    who wished a seat call themselves; `players` have said Yes, the proposer first."""

    made: ev.Proposed
    status: Status = "forming"
    kept: frozenset[str] = frozenset()
    parked: tuple[str, ...] = ()
    unasked: frozenset[str] = frozenset()
    called: Mapping[str, str] = field(default_factory=dict)
    players: tuple[ev.Guest, ...] = ()
    match: str = ""

    @property
    def by(self) -> ev.Guest:
        return self.made.by

    @property
    def missing(self) -> int:
        """How many more it takes."""
        return self.made.seats - len(self.players)

    @property
    def free(self) -> int:
        """Seats that anybody may take: those that are kept for nobody."""
        waited = self.kept - {address_key(guest.address) for guest in self.players}
        return self.missing - len(waited)

    def plays(self, address: str) -> bool:
        return address_key(address) in {address_key(guest.address) for guest in self.players}

    def room_for(self, address: str) -> bool:
        """Whether a Yes from there finds a seat."""
        return self.status == "forming" and (address_key(address) in self.kept or self.free > 0)

    @property
    def seated(self) -> tuple[ev.Guest, ...]:
        """The players by their seats where these are turned; else as they said Yes."""
        by = {address_key(guest.address): guest for guest in self.players}
        return tuple(by[address_key(address)] for address in self.made.turned) or self.players

    def wakes(self, now: datetime) -> datetime | None:
        """When it expires, or when a letter may go that could not."""
        later = min(self.made.until, now + DAY) if self.unasked else self.made.until
        return later if self.status == "forming" else None

    def after(self, event: ev.GatheringEvent) -> Self:
        p = self
        match event:
            case ev.Proposed(by=proposer):
                return replace(p, players=(proposer,))
            case ev.Named(address):
                parked = tuple(one for one in p.parked if one != address)
                return replace(p, kept=p.kept | {address}, parked=parked, unasked=p.unasked | {address})
            case ev.Invited(address, name):
                called = {**p.called, address: name} if name else p.called
                return replace(p, unasked=p.unasked - {address}, called=called)
            case ev.Parked(address):
                return replace(p, kept=p.kept | {address}, parked=(*p.parked, address))
            case ev.Agreed(guest):
                return replace(p, players=(*p.players, guest))
            case ev.Declined(address):
                others = tuple(guest for guest in p.players if address_key(guest.address) != address)
                return replace(p, kept=p.kept - {address}, unasked=p.unasked - {address}, players=others)
            case ev.Filled(match):
                return replace(p, status="opened", match=match)
            case ev.AddressChanged(old, new):
                keys = {address_key(old): address_key(new)}
                kept, unasked = (frozenset(keys.get(a, a) for a in some) for some in (p.kept, p.unasked))
                turned = tuple(new if address_key(a) in keys else a for a in p.made.turned)
                made = replace(p.made, by=event.moved(p.made.by), turned=turned)
                players = tuple(map(event.moved, p.players))
                return replace(p, made=made, kept=kept, unasked=unasked, players=players)
            case ev.ProposalWithdrawn():
                return replace(p, status="withdrawn")
            case ev.ProposalExpired():
                return replace(p, status="expired")
            case ev.ProposalRenewed(until):
                return replace(p, status="forming", made=replace(p.made, until=until))
        return p
