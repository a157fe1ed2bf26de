"""Proposals: a match is wished, people are asked, and with the last Yes it opens, in the same
commit. Known here is whoever has or had a seat, or has said Yes to an invitation; nothing that
anybody else is told hangs on it.

What they have in common with events stands before them: each is kept as a ledger and the row made from it, people are
asked by letters of their own, one by one they say Yes, and the club opens a match of them by options fixed before."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar, Generic, Literal

from referee.base.settings import Settings
from referee.club import events as ev
from referee.club.events import G, Guest, fold, guests_in
from referee.club.proposal import DAY, Proposal
from referee.core.chance import Chance
from referee.core.game import AnyGame
from referee.core.options import Options, OptionSpec
from referee.core.texts.addresses import address_key
from referee.core.value import Value
from referee.letters.gatherings import invitation, proposer_bucket, told
from referee.letters.replies import to_moderator
from referee.match.chain import commitment
from referee.match.events import Entrant, MatchOpened
from referee.match.match import Match
from referee.match.names import name_fault
from referee.match.timing import game_setup
from referee.offices.decisions import Decisions
from referee.offices.register.matches import NewMatch, name_hindrance, numbered, rules_of
from referee.store.club import Gathering
from referee.store.sql import Unit

Rules = Callable[[AnyGame], tuple[tuple[OptionSpec, ...], Mapping[str, Any]]]


class Gatherings(Generic[G]):
    """Those of one kind. Every change of one goes through here; called inside transactions."""

    kind: ClassVar[Literal["proposal", "event"]]
    one: type[G]

    def __init__(self, decisions: Decisions, rules: Rules, settings: Settings) -> None:
        """`rules` are the options that a game declares, and its data."""
        self.decisions, self.rules, self.settings = decisions, rules, settings
        self.speaker, self.outbox, self.keys = decisions.speaker, decisions.outbox, decisions.speaker.keys
        self.matches, self.offices = decisions.matches, decisions.speaker.offices

    def load(self, unit: Unit, name: str) -> G:
        """As it stands, and stays until this transaction has ended."""
        unit.hold("club", name)
        return fold(self.one, unit.gathered_history(name))

    def those(self, unit: Unit, *statuses: str) -> list[G]:
        """Those that stand so, the oldest first."""
        rows = unit.gatherings(self.kind, statuses)
        return [fold(self.one, unit.gathered_history(row.name)) for row in rows]

    def write(self, unit: Unit, gathering: G | None, now: datetime, *events: ev.GatheringEvent) -> G:
        """The gathering with these facts, in its ledger and its row."""
        if gathering is not None and not events:
            return gathering
        told = ev.entries(gathering.version if gathering else 0, now, *events)
        after = fold(self.one, [*(unit.gathered_history(gathering.name) if gathering else ()), *told])
        self.save(unit, after, told, now)
        return after

    def save(self, unit: Unit, gathering: G, entries: tuple[ev.ClubEntry, ...], now: datetime) -> None:
        """The row is written from the state after."""
        name, made, status = gathering.name, gathering.made, gathering.status
        row = unit.gathering(name)
        begun, wakes = row.opened_at if row else now, gathering.wakes(now)
        unit.save_gathering(
            Gathering(name, self.kind, made.game, status, gathering.version, begun, wakes), entries
        )

    def invited(self, unit: Unit, gathering: G, address: str) -> str:
        """His invitation there: what stands behind the plus in the address by which he answers it."""
        token = self.keys.invitation_token(gathering.name, address)
        unit.invite(token, gathering.name, address)
        return token

    # --- matches of them

    def checked(
        self, game: AnyGame, options: Mapping[str, str], seats: int
    ) -> tuple[Options, Mapping[str, Any], tuple[str, ...]]:
        """All options of such a match, its data, and every reason why it can't be opened."""
        specs, data = self.rules(game)
        return rules_of(game, NewMatch(game.slug, (), options, specs, data), seats)

    def open_match(
        self, unit: Unit, gathering: G, guests: Sequence[Guest], now: datetime, *, seated: bool, called: str
    ) -> str:
        """The name of the match that is open now. `seated`: the i-th of the guests has the i-th
        seat; the draw, which is the match's own, gives the k-th entered the seat `seating[k]`, so
        that is the order in which they are entered. Else they are entered as they come."""
        game = self.speaker.games[gathering.made.game]
        free = called and not name_hindrance(unit, called)  # since it was proposed another may have taken it
        name = called if free else numbered(game.slug, unit.has_match)
        seed = self.keys.seed(name)
        chosen, data, faults = self.checked(game, gathering.made.options, len(guests))
        assert not faults, f"{name}: {faults[0]}"
        if seated:
            seating = game.opening(game_setup(chosen.values, data, len(guests)), Chance(seed)).seating
            guests = [guests[seat - 1] for seat in seating]
        roster = tuple(Entrant(g.name, (g.address,), g.zone) for g in guests)
        opening = MatchOpened(name, game.slug, chosen.values, data, len(roster), commitment(seed), roster)
        self.decisions.open(unit, opening, seed, now)
        return name


# --- proposals ------------------------------------------------------------------------------------------------------

_OF_STRANGERS = 2  # proposals


class WishedMatch(Value):
    """A match that somebody would have: who is named, how many seats are open to all, how it is to be played. `turned`
    and `after` of one that is played again, `called` of one that is to have a name."""

    game: AnyGame
    named: tuple[str, ...]
    open: int
    options: Mapping[str, str]
    turned: tuple[str, ...] = ()
    after: str = ""
    called: str = ""

    @property
    def seats(self) -> int:
        return 1 + len(self.named) + self.open


class Proposals(Gatherings[Proposal]):
    """Those of matches, and who is known to the club."""

    kind, one = "proposal", Proposal

    # --- read ------------------------------------------------------------------------------------------------------

    def forming(self, unit: Unit) -> list[Proposal]:
        """Those that wait for players, the oldest first."""
        return self.those(unit, "forming")

    def member(self, unit: Unit, address: str, name: str = "") -> Guest | None:
        """The player with that address, called as in his last match; a moderator, who needs none,
        as he calls himself. None where nobody has it."""
        for place, seat in reversed(unit.seats_of(address)):
            match = self.matches.outline(unit, place)
            if match.known:
                person = match.entrant(seat)
                return Guest(person.name, match.spelt(seat, address), person.zone)
        for gathering in reversed(unit.agreed_to(address)):
            for entry in reversed(unit.gathered_history(gathering)):
                for guest in guests_in(entry.event):
                    if address_key(guest.address) == address_key(address):
                        return guest
        called = " ".join(name.split()) or "Moderator"
        return Guest(called, address) if self.offices.moderates(address) else None

    def knows(self, unit: Unit, address: str) -> bool:
        """Whether somebody has it, or had a seat with it."""
        return self.member(unit, address) is not None or bool(unit.left_by(address))

    # --- made ------------------------------------------------------------------------------------------------------

    def faults(self, unit: Unit, wish: WishedMatch, by: Guest) -> tuple[str, ...]:
        """Why it can't be proposed, all of it."""
        allowed = self.settings.club.games
        if allowed and wish.game.slug not in allowed:
            return (f"{wish.game.title} can't be proposed here; a moderator opens its matches.",)
        _, _, faults = self.checked(wish.game, wish.options, wish.seats)
        # addresses to which nothing can be sent, the proposer's own, and a name that they can't
        # have: what is said is the same whoever has them
        reasons = {address: self.offices.hindrance(address) for address in wish.named}
        wrong = [f"{address} can't be asked: {why}." for address, why in reasons.items() if why]
        if fault := name_fault(by.name):
            wrong.append(f"Nobody can play under the name that your mail gives: {fault}.")
        if address_key(by.address) in map(address_key, wish.named):
            wrong.append("You play yourself: name only the others.")
        if wish.called:
            taken = unit.gathering(wish.called) or wish.called in {p.made.called for p in self.forming(unit)}
            same = f"{wish.called!r} is the name of another proposal, or of an event." if taken else ""
            wrong += filter(None, [name_hindrance(unit, wish.called) or same])
        faults = (*wrong, *faults)
        if (most := self.too_many(unit, by.address)) is not None:
            number = "One proposal" if most == 1 else f"{most} proposals"
            faults = (*faults, f"{number} of yours may wait at a time, and so many do: withdraw one of them.")
        return faults

    def too_many(self, unit: Unit, address: str) -> int | None:
        """How many proposals of the address may wait, two of somebody who plays nowhere, where so many do."""
        most = self.settings.club.proposals
        if not (unit.seats_of(address) or self.offices.moderates(address)):
            most = min(most, _OF_STRANGERS)
        mine = sum(address_key(p.by.address) == address_key(address) for p in self.forming(unit))
        return most if mine >= most else None

    def propose(
        self, unit: Unit, by: Guest, wish: WishedMatch, now: datetime, *, at_desk: bool = False
    ) -> Proposal:
        """Whom it names is asked; one whom nobody knows here once the moderator says Yes, whose
        own proposals, and what is made `at_desk`, have it."""
        options, _, _ = self.checked(wish.game, wish.options, wish.seats)
        name = numbered("proposal", lambda name: unit.gathering(name) is not None)
        until = now + self.settings.club.expires
        made = ev.Proposed(
            name, wish.game.slug, options.values, wish.seats, by, until, wish.turned, wish.after, wish.called
        )
        named = [address_key(address) for address in wish.named]
        free = at_desk or self.offices.moderates(by.address)
        parked = [a for a in named if not (free or self.knows(unit, a))]
        named_events = [ev.Parked(a) if a in parked else ev.Named(a) for a in named]
        proposal = self.write(unit, None, now, made, *named_events)
        self._note(unit, proposal, by.address, agreed=True)
        for address in parked:
            subject = f"{name}: somebody unknown here is to be asked"
            alarm = to_moderator(
                self.speaker, "unknown_guest", subject, ("guest", name, address), now,
                reason=by.name, about=address, where=name,
            )  # fmt: skip
            self.outbox.post(unit, [alarm])
        return self._settled(unit, proposal, now)

    def let_in(self, unit: Unit, name: str, now: datetime) -> list[str]:
        """The moderator has said Yes to asking those whom it names and nobody knows; these."""
        row = unit.gathering(name)
        if row is None or row.kind != "proposal" or row.status != "forming":
            return []
        proposal = self.load(unit, name)
        after = self.write(unit, proposal, now, *(ev.Named(a) for a in proposal.parked))
        self._settled(unit, after, now)
        return list(proposal.parked)

    def waiting(self, unit: Unit) -> list[tuple[Proposal, str]]:
        """Whom proposals name that nobody knows here: they wait for the moderator's yes."""
        return [(proposal, address) for proposal in self.forming(unit) for address in proposal.parked]

    def rematch(self, match: Match, seat: int) -> tuple[Guest, WishedMatch]:
        """The wish of somebody who has a seat in a match for the same once more, with the same
        people: each has the seat behind his last one."""
        people = [match.entrant(number) for number in match.numbers]
        own, game = match.entrant(seat), self.speaker.games[match.game]
        turned = tuple(p.addresses[0] for p in (*people[-1:], *people[:-1]))
        known = {spec.name for spec in self.rules(game)[0]}
        options = {name: value for name, value in match.options.items() if name in known}
        named = tuple(p.addresses[0] for p in people if p is not own)
        wish = WishedMatch(game, named, 0, options, turned, match.name)
        return Guest(own.name, own.addresses[0], own.zone), wish

    # --- answered --------------------------------------------------------------------------------------------------

    def agree(self, unit: Unit, proposal: Proposal, guest: Guest, now: datetime) -> Proposal:
        """He plays; all who play are told, and with the last one the match opens."""
        before = proposal.players
        proposal = self.write(unit, proposal, now, ev.Agreed(guest))
        self._note(unit, proposal, guest.address, agreed=True)
        proposal = self._settled(unit, proposal, now)
        if proposal.status == "forming":
            self.outbox.post(unit, told(self.speaker, proposal, "joined", before, now, guest))
        return proposal

    def decline(self, unit: Unit, proposal: Proposal, address: str, now: datetime) -> Proposal:
        """He does not, or no more: his seat is free. Those who play learn that much; who it was
        only where he had said Yes."""
        left = next((p for p in proposal.players if address_key(p.address) == address_key(address)), None)
        proposal = self.write(unit, proposal, now, ev.Declined(address_key(address)))
        self._note(unit, proposal, address, agreed=False)
        topic = "left" if left else "declined"
        self.outbox.post(unit, told(self.speaker, proposal, topic, proposal.players, now, left))
        return proposal

    def give_up(self, unit: Unit, proposal: Proposal, address: str, now: datetime) -> Proposal:
        """The No of somebody; the proposer's ends it."""
        if address_key(proposal.by.address) != address_key(address):
            return self.decline(unit, proposal, address, now)
        proposal = self.write(unit, proposal, now, ev.ProposalWithdrawn())
        self.outbox.post(unit, told(self.speaker, proposal, "withdrawn", proposal.players[1:], now))
        return proposal

    # --- what time makes due ---------------------------------------------------------------------------------------

    def wake(self, unit: Unit, name: str, now: datetime) -> None:
        """Its time is over, or a letter that had to wait may go."""
        proposal = self.load(unit, name)
        if proposal.status == "forming" and proposal.made.until <= now:
            proposal = self.write(unit, proposal, now, ev.ProposalExpired())
            self.outbox.post(unit, told(self.speaker, proposal, "expired", proposal.players, now))
        else:
            self.save(unit, self._settled(unit, proposal, now), (), now)

    def turned_back(self, unit: Unit, now: datetime) -> None:
        """What passes ahead of the true time let expire waits as before, and what was made in them no longer."""
        for p in self.those(unit, "forming", "expired"):
            until = min(p.made.until, now + self.settings.club.expires)
            made = unit.gathered_history(p.name)[0].at
            if until > now and (p.status == "expired" or made > now):
                after = self.write(unit, self.load(unit, p.name), now, ev.ProposalRenewed(until))
                self.outbox.post(unit, told(self.speaker, after, "renewed", after.players, now))

    # --- within ----------------------------------------------------------------------------------------------------

    def _settled(self, unit: Unit, proposal: Proposal, now: datetime) -> Proposal:
        """Whoever may be asked is; one that is full is opened."""
        if proposal.status != "forming":
            return proposal
        if not proposal.missing:
            turned, called = bool(proposal.made.turned), proposal.made.called
            name = self.open_match(unit, proposal, proposal.seated, now, seated=turned, called=called)
            return self.write(unit, proposal, now, ev.Filled(name))
        return self.ask(unit, proposal, dict.fromkeys(sorted(proposal.unasked), ""), now, named=True)

    def ask(
        self, unit: Unit, proposal: Proposal, names: Mapping[str, str], now: datetime, *, named: bool
    ) -> Proposal:
        """Whether they play: who is named, or wishes a seat under that name. One letter a day of
        one proposer's to an address, and none to whoever wishes no more of his."""
        bucket, asked = proposer_bucket(self.keys, proposal.by.address), []
        for address, name in names.items():
            unit.hold("invited", address)
            refused = named and unit.refuses(address, proposal.by.address)
            if refused or unit.bucket_since(bucket, now - DAY, address):
                continue
            self.invited(unit, proposal, address)
            self.outbox.post(unit, [invitation(self.speaker, proposal, address, now, named=named)])
            asked.append(ev.Invited(address, name))
        return self.write(unit, proposal, now, *asked)

    def _note(self, unit: Unit, proposal: Proposal, address: str, *, agreed: bool) -> None:
        """Whether he plays, at his invitation: who joins without one gets it now, so that he is known from here on."""
        unit.agree(self.invited(unit, proposal, address), agreed=agreed)
