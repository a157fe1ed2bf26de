"""The club's offices. A person is one person: whoever has a new address keeps seats, ratings, events and wishes, and
letters go there. The ledgers stay as they are; that it is the same person is an event, in every ledger that it touches
and in one of its own, from which the archive and the ratings know it.

Proposals: a match is wished, people are asked, and with the last Yes it opens, in the same commit. Known here is
whoever has or had a seat, or has said Yes to an invitation; nothing that anybody else is told hangs on it. Events:
somebody enters people, each is asked, the draw is made, and round after round opens by itself.

What the two have in common stands before them: each is kept as a ledger and the row made from it, people are asked by
letters of their own, one by one they say Yes, and the club opens a match of them by options fixed before."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import UTC, datetime
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, Generic, Literal

from referee.base.errors import CannotDo
from referee.base.settings import Settings
from referee.club import events as ev
from referee.club.events import AddressChanged, G, Guest, entries, fold, guests_in
from referee.club.proposal import DAY, Proposal
from referee.club.tournament import Tournament, set_round, start_fault
from referee.core.chance import Chance
from referee.core.game import AnyGame
from referee.core.options import Options, OptionSpec, resolved
from referee.core.texts.addresses import address_key
from referee.core.value import Value
from referee.letters.gatherings import entry_question, invitation, news, proposer_bucket, told
from referee.letters.letter import ADDRESS, Meant, Offered, Recipient, decoded, outgoing
from referee.letters.replies import to_moderator
from referee.match import events as of_match
from referee.match.arguments import entrant
from referee.match.chain import Keys, commitment
from referee.match.commands import Impossible
from referee.match.decide import CALLED_OFF
from referee.match.events import Entrant, MatchOpened
from referee.match.match import Match, outcome
from referee.match.names import name_fault
from referee.match.timing import game_setup
from referee.offices.decisions import Decisions
from referee.offices.register import Facts, NewMatch, People, name_hindrance, numbered, rules_of
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

    def write(self, unit: Unit, gathering: G | None, *events: ev.GatheringEvent) -> G:
        """The gathering with these facts, in its ledger and its row."""
        if gathering is not None and not events:
            return gathering
        told = ev.entries(gathering.version if gathering else 0, unit.now, *events)
        after = fold(self.one, [*(unit.gathered_history(gathering.name) if gathering else ()), *told])
        self.save(unit, after, told)
        return after

    def save(self, unit: Unit, gathering: G, entries: tuple[ev.ClubEntry, ...]) -> None:
        """The row is written from the state after."""
        name, made, status = gathering.name, gathering.made, gathering.status
        row = unit.gathering(name)
        begun, wakes = row.opened_at if row else unit.now, gathering.wakes(unit.now)
        row = Gathering(name, self.kind, made.game, status, gathering.version, begun, wakes)
        unit.save_gathering(row, entries)

    def invited(self, unit: Unit, gathering: G, address: str) -> str:
        """Their invitation: what stands behind the plus in the address by which they answer it."""
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
        self, unit: Unit, gathering: G, guests: Sequence[Guest], *, seated: bool, called: str
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
        self.decisions.open(unit, opening, seed)
        return name


# --- proposals ------------------------------------------------------------------------------------

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

    # --- read -------------------------------------------------------------------------------------

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

    # --- made -------------------------------------------------------------------------------------

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

    def propose(self, unit: Unit, by: Guest, wish: WishedMatch, *, at_desk: bool = False) -> Proposal:
        """Whom it names is asked; one whom nobody knows here once the moderator says Yes, whose
        own proposals, and what is made `at_desk`, have it."""
        options, _, _ = self.checked(wish.game, wish.options, wish.seats)
        name = numbered("proposal", lambda name: unit.gathering(name) is not None)
        until = unit.now + self.settings.club.expires
        again = wish.turned, wish.after, wish.called
        made = ev.Proposed(name, wish.game.slug, options.values, wish.seats, by, until, *again)
        named = [address_key(address) for address in wish.named]
        free = at_desk or self.offices.moderates(by.address)
        parked = [a for a in named if not (free or self.knows(unit, a))]
        named_events = [ev.Parked(a) if a in parked else ev.Named(a) for a in named]
        proposal = self.write(unit, None, made, *named_events)
        self._note(unit, proposal, by.address, agreed=True)
        for address in parked:
            subject = f"{name}: somebody unknown here is to be asked"
            alarm = to_moderator(
                self.speaker, "unknown_guest", subject, ("guest", name, address), unit.now,
                reason=by.name, about=address, where=name,
            )  # fmt: skip
            self.outbox.post(unit, [alarm])
        return self._settled(unit, proposal)

    def let_in(self, unit: Unit, name: str) -> list[str]:
        """The moderator has said Yes to asking those whom it names and nobody knows; these."""
        row = unit.gathering(name)
        if row is None or row.kind != "proposal" or row.status != "forming":
            return []
        proposal = self.load(unit, name)
        after = self.write(unit, proposal, *(ev.Named(a) for a in proposal.parked))
        self._settled(unit, after)
        return list(proposal.parked)

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

    # --- answered ---------------------------------------------------------------------------------

    def agree(self, unit: Unit, proposal: Proposal, guest: Guest) -> Proposal:
        """He plays; all who play are told, and with the last one the match opens."""
        before = proposal.players
        proposal = self.write(unit, proposal, ev.Agreed(guest))
        self._note(unit, proposal, guest.address, agreed=True)
        proposal = self._settled(unit, proposal)
        if proposal.status == "forming":
            self.outbox.post(unit, told(self.speaker, proposal, "joined", before, unit.now, guest))
        return proposal

    def decline(self, unit: Unit, proposal: Proposal, address: str) -> Proposal:
        """He does not, or no more: his seat is free. Those who play learn that much; who it was
        only where he had said Yes."""
        left = next((p for p in proposal.players if address_key(p.address) == address_key(address)), None)
        proposal = self.write(unit, proposal, ev.Declined(address_key(address)))
        self._note(unit, proposal, address, agreed=False)
        topic = "left" if left else "declined"
        self.outbox.post(unit, told(self.speaker, proposal, topic, proposal.players, unit.now, left))
        return proposal

    def give_up(self, unit: Unit, proposal: Proposal, address: str) -> Proposal:
        """The No of somebody; the proposer's ends it."""
        if address_key(proposal.by.address) != address_key(address):
            return self.decline(unit, proposal, address)
        proposal = self.write(unit, proposal, ev.ProposalWithdrawn())
        self.outbox.post(unit, told(self.speaker, proposal, "withdrawn", proposal.players[1:], unit.now))
        return proposal

    # --- what time makes due ----------------------------------------------------------------------

    def wake(self, unit: Unit, name: str) -> None:
        """Its time is over, or a letter that had to wait may go."""
        proposal = self.load(unit, name)
        if proposal.status == "forming" and proposal.made.until <= unit.now:
            proposal = self.write(unit, proposal, ev.ProposalExpired())
            self.outbox.post(unit, told(self.speaker, proposal, "expired", proposal.players, unit.now))
        else:
            self.save(unit, self._settled(unit, proposal), ())

    def turned_back(self, unit: Unit) -> None:
        """What passes ahead of the true time let expire waits as before, and what was made in them no longer."""
        for p in self.those(unit, "forming", "expired"):
            until = min(p.made.until, unit.now + self.settings.club.expires)
            made = unit.gathered_history(p.name)[0].at
            if until > unit.now and (p.status == "expired" or made > unit.now):
                after = self.write(unit, self.load(unit, p.name), ev.ProposalRenewed(until))
                self.outbox.post(unit, told(self.speaker, after, "renewed", after.players, unit.now))

    # --- within -----------------------------------------------------------------------------------

    def _settled(self, unit: Unit, proposal: Proposal) -> Proposal:
        """Whoever may be asked is; one that is full is opened."""
        if proposal.status != "forming":
            return proposal
        if not proposal.missing:
            turned, called = bool(proposal.made.turned), proposal.made.called
            name = self.open_match(unit, proposal, proposal.seated, seated=turned, called=called)
            return self.write(unit, proposal, ev.Filled(name))
        return self.ask(unit, proposal, dict.fromkeys(sorted(proposal.unasked), ""), named=True)

    def ask(self, unit: Unit, proposal: Proposal, names: Mapping[str, str], *, named: bool) -> Proposal:
        """Whether they play: who is named, or wishes a seat under that name. One letter a day of
        one proposer's to an address, and none to whoever wishes no more of his."""
        bucket, asked = proposer_bucket(self.keys, proposal.by.address), []
        for address, name in names.items():
            unit.hold("invited", address)
            refused = named and unit.refuses(address, proposal.by.address)
            if refused or unit.bucket_since(bucket, unit.now - DAY, address):
                continue
            self.invited(unit, proposal, address)
            self.outbox.post(unit, [invitation(self.speaker, proposal, address, unit.now, named=named)])
            asked.append(ev.Invited(address, name))
        return self.write(unit, proposal, *asked)

    def _note(self, unit: Unit, proposal: Proposal, address: str, *, agreed: bool) -> None:
        """Whether he plays, at his invitation: who joins without one gets it now, so that he is known from here on."""
        unit.agree(self.invited(unit, proposal, address), agreed=agreed)


# --- events ---------------------------------------------------------------------------------------

MOST_ROUNDS = 99
_KINDS: Mapping[str, Literal["round-robin", "swiss"]] = {"round-robin": "round-robin", "swiss": "swiss"}
_LEFT = "This player has left the event."


class Announcement(Value):
    """An event as it is asked for. `rounds` 0: as many as its kind has by itself."""

    game: str = ""
    kind: str = ""
    rounds: int = 0
    options: Mapping[str, str] = field(default_factory=dict)


def guest_of(text: str) -> Guest:
    """Who is named so: "Name <address>; Zone"."""
    person = entrant(text)
    return Guest(person.name, person.addresses[0], person.zone)


class Tournaments(Gatherings[Tournament]):
    """What can't be done raises CannotDo. An event wakes when one of its matches ends."""

    kind, one = "event", Tournament

    def load(self, unit: Unit, name: str) -> Tournament:
        row = unit.gathering(name.lower())
        if row is None or row.kind != "event":
            raise CannotDo(f"There is no event {name!r}; `referee event new` announces one.")
        return super().load(unit, row.name)

    def all(self, unit: Unit) -> list[Tournament]:
        """By the time at which they were announced."""
        return self.those(unit, "entry", "playing", "ended")

    def taking_entries(self, unit: Unit) -> list[Tournament]:
        """Those that somebody may still enter: a Swiss from its next round on, too."""
        return [t for t in self.those(unit, "entry", "playing") if self.open_to(t)]

    @staticmethod
    def open_to(t: Tournament) -> bool:
        """Whether somebody may still enter it."""
        return t.status == "entry" or (t.status == "playing" and t.made.kind == "swiss")

    def carried_out(
        self, unit: Unit, action: str, name: str, who: Sequence[str], asked: Announcement
    ) -> Tournament:
        """What a moderator orders, and of whom."""
        match action:
            case "new":
                return self._announced(unit, name.lower(), asked)
            case "start":
                return self.start(unit, name)
            case "replace" if len(who) == 2:
                return self.replace(unit, name, who[0], guest_of(who[1]))
            case "enter":
                for person in who:
                    self.enter(unit, name, guest_of(person))
            case "leave":
                for address in who:
                    self.leave(unit, self.load(unit, name), address)
        return self.load(unit, name)

    # --- before it starts -------------------------------------------------------------------------

    def _announced(self, unit: Unit, name: str, asked: Announcement) -> Tournament:
        """With all its rules, which stay."""
        game, kind = self.speaker.games.get(asked.game), _KINDS.get(asked.kind)
        if game is None:
            raise CannotDo(f"There is no game {asked.game!r}. There are: {', '.join(self.speaker.games)}.")
        if unit.gathering(name) is not None or unit.has_match_like(name):
            raise CannotDo(f"There is an event or a match {name!r} already.")
        faults = [] if kind else [f"There is no kind {asked.kind!r}; there are round-robin and swiss."]
        if kind == "swiss" and asked.rounds < 1:
            faults.append("A Swiss has a number of rounds: give --rounds N.")
        if asked.rounds > MOST_ROUNDS:
            faults.append(f"No event has more than {MOST_ROUNDS} rounds.")
        options, wrong = resolved(self.rules(game)[0], asked.options)
        seats = () if wrong else game.seats(options)
        size = 4 if 4 in seats and seats[0] != 2 else 2  # two at a table where that is usual
        faults += wrong or self.checked(game, asked.options, size)[2]
        if size == 4 and kind == "swiss":
            faults.append(f"{game.title} is played by four, at tables of a fixed design: --kind round-robin.")
        if faults or kind is None:
            raise CannotDo(*faults)
        made = ev.EventAnnounced(name, game.slug, kind, asked.rounds, size, options.values)
        return self.write(unit, None, made)

    def enter(self, unit: Unit, name: str, guest: Guest) -> Tournament:
        """Somebody is entered: he is asked, and is in with his Yes. Once a round robin plays,
        somebody can only take another's place."""
        t = self.load(unit, name)
        if not self.open_to(t):
            why = "nobody enters it any more; `event replace` gives a place away."
            raise CannotDo(f"{t.name} is {t.status}: {why}")
        if address_key(guest.address) in t.entered or t.player(guest.address):
            raise CannotDo(f"{guest.address} is entered in {t.name} already.")
        return self._ask(unit, t, guest, "")

    def admit(self, unit: Unit, t: Tournament, guest: Guest) -> Tournament:
        """Somebody enters himself by a mail that is proved his own, which is his Yes."""
        if address_key(guest.address) not in t.entered:
            self._fit(t, guest, "")
            self.invited(unit, t, guest.address)
            t = self.write(unit, t, ev.Entered(guest, ""))
        return self.agree(unit, t, address_key(guest.address), guest.name)

    def _ask(self, unit: Unit, t: Tournament, guest: Guest, instead: str) -> Tournament:
        self._fit(t, guest, instead)
        self.invited(unit, t, guest.address)
        self.outbox.post(unit, [entry_question(self.speaker, t, guest, unit.now, instead)])
        return self.write(unit, t, ev.Entered(guest, instead))

    def _fit(self, t: Tournament, guest: Guest, instead: str) -> None:
        if why := self.offices.hindrance(guest.address):
            raise CannotDo(f"{guest.address} can't be entered: {why}.")
        others = [g.name for p, g in t.guests.items() if p != instead]
        if fault := name_fault(guest.name, others):
            raise CannotDo(f"The name {guest.name!r} can't be taken: {fault}.")

    # --- answers ----------------------------------------------------------------------------------

    def agree(self, unit: Unit, t: Tournament, address: str, called: str) -> Tournament:
        """The Yes of somebody who was asked: he is in, or in another's place."""
        asked = t.entered[address]
        if t.player(address):
            return t
        if not (self.open_to(t) or (t.status == "playing" and asked.instead)):
            raise CannotDo(f"{t.name} has begun without you")
        guest = replace(asked.guest, name=called or asked.guest.name)
        self._fit(t, guest, asked.instead)
        unit.agree(self.keys.invitation_token(t.name, address), agreed=True)
        if asked.instead:
            return self._replaced(unit, t, asked.instead, guest)
        return self.write(unit, t, ev.Agreed(guest))

    def leave(self, unit: Unit, t: Tournament, address: str) -> Tournament:
        """Before the start he is not in; afterwards his match is over and he plays no more."""
        player = t.player(address)
        if player is None or t.status == "ended" or player in t.left:
            return t
        if t.status == "entry":
            return self.write(unit, t, ev.Declined(player))
        match = t.match_of(player)
        t = self.write(unit, t, ev.PlayerLeft(player))
        if match is not None:
            self._give_up(unit, t, match, player)
        unit.wake(t.name, unit.now)
        return t

    def _give_up(self, unit: Unit, t: Tournament, name: str, player: str) -> None:
        """Of two the other has won; at a table of four the seat is open to others."""
        match = self.matches.load(unit, name)
        for seat in _seat(match, t.guests[player]):
            others = tuple(n for n in match.numbers if n != seat)
            won, gone = of_match.MatchStopped("won", others, _LEFT), of_match.SeatVacated(seat, _LEFT)
            command = won if len(others) == 1 else gone
            self.decisions.carry_out(unit, match, command, f"leaves {t.name} {player}")

    def replace(self, unit: Unit, name: str, address: str, guest: Guest) -> Tournament:
        """Somebody is asked to go on in another's place."""
        t = self.load(unit, name)
        player = t.player(address)
        if player is None:
            raise CannotDo(f"{address} does not play in {t.name}.")
        if t.player(guest.address):
            raise CannotDo(f"{guest.address} plays in {t.name} already.")
        return self._ask(unit, t, guest, player)

    def _replaced(self, unit: Unit, t: Tournament, player: str, guest: Guest) -> Tournament:
        """He has the other's points, and his seat in the match that is played."""
        if (name := t.match_of(player)) is not None:
            match = self.matches.load(unit, name)
            person = Entrant(guest.name, (guest.address,), guest.zone)
            for seat in _seat(match, t.guests[player]):
                command = of_match.EntrantReplaced(seat, person, _LEFT)
                self.decisions.carry_out(unit, match, command, f"replaces {t.name} {player}")
        return self.write(unit, t, ev.PlayerReplaced(player, guest))

    # --- rounds -----------------------------------------------------------------------------------

    def start(self, unit: Unit, name: str) -> Tournament:
        """The draw is made, and the first round opens."""
        t = self.load(unit, name)
        if t.status != "entry":
            raise CannotDo(f"{t.name} has started already.")
        if fault := start_fault(t):
            raise CannotDo(fault)
        seed = self.keys.seed(f"event {t.name}")
        order = Chance(seed).shuffle(tuple(t.guests), "the order of the draw")
        t = self.write(unit, t, ev.EventStarted(seed, order))
        return self._next_round(unit, t)

    def wake(self, unit: Unit, name: str) -> None:
        """A match of it has ended, or something else has changed: results are taken down, and
        where the round is over the next one opens."""
        t = self.load(unit, name)
        t = self.write(unit, t, *self._scored(unit, t))
        if t.status == "playing" and t.round_over:
            t = self._next_round(unit, t)
        self.save(unit, t, ())

    def _scored(self, unit: Unit, t: Tournament) -> list[ev.GatheringEvent]:
        found: list[ev.GatheringEvent] = []
        for table in (table for r in t.rounds for table in r.tables if table.match):
            match = self.matches.outline(unit, table.match or "")
            score = _score(match, table)
            known = t.scores.get(match.name)
            changed = score != known if match.status == "ended" else known is not None and known.over
            found += [score] if match.known and changed else []
        return found

    def _next_round(self, unit: Unit, t: Tournament) -> Tournament:
        before = len(t.rounds)
        while (paired := t.next_round()) is not None:
            t = self.write(unit, t, set_round(t, paired, partial(self._opened, unit, t)))
            if t.rounds[-1].tables and not t.round_over:
                break
        else:
            t = self.write(unit, t, ev.EventEnded())
        unit.link(t.name, [x.match for r in t.rounds[before:] for x in r.tables if x.match])
        self.outbox.post(unit, [news(self.speaker, t, p, unit.now) for p in t.playing])
        return t

    def _opened(self, unit: Unit, t: Tournament, players: tuple[str, ...]) -> str:
        name = self.open_match(unit, t, [t.guests[p] for p in players], seated=True, called="")
        for gone in (p for p in players if p in t.left):
            self._give_up(unit, t, name, gone)
        return name


def _seat(match: Match, guest: Guest) -> tuple[int, ...]:
    """His seat in a match that goes on."""
    return match.seat_of(guest.address)[:1] if match.status != "ended" else ()


def _score(match: Match, table: ev.TableSet) -> ev.Scored:
    """What each has of a match: of two 1, a half or 0; of four the winners share one, or all of
    them a draw's. Nobody has anything of one that is played on, or was called off."""
    found = outcome(match)
    if found is None or found.reason == CALLED_OFF:
        return ev.Scored(match.name, {}, {}, match.status == "ended")
    winners = found.winners or match.numbers
    share = Fraction(1, len(winners))
    points = {p: str(share if n in winners else 0) for n, p in enumerate(table.players, 1)}
    own = {p: str(found.points.get(n, Fraction(0))) for n, p in enumerate(table.players, 1)}
    return ev.Scored(match.name, points, own)


def event_facts(t: Tournament) -> Facts:
    """The contract's facts of an event. Who was asked and has not said Yes is nowhere in it."""
    rows = t.standings()
    return {
        "event": t.name,
        "game": t.made.game,
        "kind": t.made.kind,
        "status": t.status,
        "rounds": 0 if t.status == "entry" else t.last_round,
        "seed": t.seed,
        "players": [t.guests[p].name for p in t.order or t.guests],
        "left": [t.guests[p].name for p in t.order if p in t.left],
        "pairings": [
            {"round": r.number, "match": match, "players": [t.guests[p].name for p in players]}
            for r in t.rounds
            for match, players in (*((x.match, x.players) for x in r.tables), *((None, (p,)) for p in r.byes))
        ],
        "standings": [
            {
                "player": t.guests[row.player].name,
                "points": _number(row.points),
                "tie_breaks": {name: _number(value) for name, value in row.tie_breaks.items()},
                "played": row.played,
            }
            for row in rows
        ],
    }


def _number(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else round(float(value), 4)


# --- persons --------------------------------------------------------------------------------------

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

    def hindrances(self, unit: Unit, change: AddressChanged) -> list[str]:
        """Why the address can't be theirs: nobody has two places in what goes on."""
        found, command = [], of_match.SeatsReaddressed(change.old, change.new, change.kept)
        for match in self._matches(unit, change.old):
            verdict = self.decisions.decide(unit, match, command).verdict
            found += [f"{match.name}: {verdict.why}."] if isinstance(verdict, Impossible) else []
        there = (one for _, one in self._gatherings(unit, change.old))
        twice = [one.name for one in there if one.plays(change.old) and one.plays(change.new)]
        return [*found, *(f"{name}: both addresses play there, and nobody plays twice." for name in twice)]

    def ask(self, unit: Unit, old: str, new: str, cause: str) -> None:
        """At the new address, whether it is that player's: its Yes does it."""
        own = self.proposals.member(unit, old)
        told, asks = {"named": own.name if own else ""}, Meant(asks="moved", offers=(Offered(ADDRESS, old),))
        key, speaker = ("move", cause, old, new), self.decisions.speaker
        letter = speaker.letter("move_question", Recipient(new), "", key, unit.now, told=told, reply=asks)
        self.decisions.outbox.post(unit, [letter])

    def change(self, unit: Unit, change: AddressChanged, cause: str) -> None:
        """From now on they have it. What hinders it was asked before."""
        old, new = change.old, change.new
        unit.hold("club", PEOPLE)
        for match in self._matches(unit, old):
            command = of_match.SeatsReaddressed(old, new, change.kept)
            self.decisions.carry_out(unit, match, command, f"{cause} {match.name}")
        for office, one in list(self._gatherings(unit, old)):
            office.write(unit, office.load(unit, one.name), change)
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
        version, since = (row.version, row.opened_at) if row else (0, unit.now)
        kept = Gathering(PEOPLE, "people", "", "kept", version + 1, since, None)
        unit.save_gathering(kept, entries(version, unit.now, change))

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
