"""Events: somebody enters people, each is asked, the draw is made, and round after round opens by itself."""

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime
from fractions import Fraction
from functools import partial
from typing import Literal

from referee.base.errors import CannotDo
from referee.club import events as ev
from referee.club.events import Guest
from referee.club.tournament import Tournament, set_round, start_fault
from referee.core.chance import Chance
from referee.core.options import resolved
from referee.core.texts.addresses import address_key
from referee.core.value import Value
from referee.letters.gatherings import entry_question, news
from referee.match.arguments import entrant
from referee.match.decide import CALLED_OFF
from referee.match.events import Entrant, EntrantReplaced, MatchStopped, SeatVacated
from referee.match.match import Match, outcome
from referee.match.names import name_fault
from referee.offices.club.proposals import Gatherings
from referee.offices.register.matches import Facts
from referee.store.sql import Unit

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
        self, unit: Unit, action: str, name: str, who: Sequence[str], now: datetime, asked: Announcement
    ) -> Tournament:
        """What a moderator orders, and of whom."""
        match action:
            case "new":
                return self._announced(unit, name.lower(), asked, now)
            case "start":
                return self.start(unit, name, now)
            case "replace" if len(who) == 2:
                return self.replace(unit, name, who[0], guest_of(who[1]), now)
            case "enter":
                for person in who:
                    self.enter(unit, name, guest_of(person), now)
            case "leave":
                for address in who:
                    self.leave(unit, self.load(unit, name), address, now)
        return self.load(unit, name)

    # --- before it starts ------------------------------------------------------------------------------------------

    def _announced(self, unit: Unit, name: str, asked: Announcement, now: datetime) -> Tournament:
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
        return self.write(unit, None, now, made)

    def enter(self, unit: Unit, name: str, guest: Guest, now: datetime) -> Tournament:
        """Somebody is entered: he is asked, and is in with his Yes. Once a round robin plays,
        somebody can only take another's place."""
        t = self.load(unit, name)
        if not self.open_to(t):
            why = "nobody enters it any more; `event replace` gives a place away."
            raise CannotDo(f"{t.name} is {t.status}: {why}")
        if address_key(guest.address) in t.entered or t.player(guest.address):
            raise CannotDo(f"{guest.address} is entered in {t.name} already.")
        return self._ask(unit, t, guest, now, "")

    def admit(self, unit: Unit, t: Tournament, guest: Guest, now: datetime) -> Tournament:
        """Somebody enters himself by a mail that is proved his own, which is his Yes."""
        if address_key(guest.address) not in t.entered:
            self._fit(t, guest, "")
            self.invited(unit, t, guest.address)
            t = self.write(unit, t, now, ev.Entered(guest, ""))
        return self.agree(unit, t, address_key(guest.address), guest.name, now)

    def _ask(self, unit: Unit, t: Tournament, guest: Guest, now: datetime, instead: str) -> Tournament:
        self._fit(t, guest, instead)
        self.invited(unit, t, guest.address)
        self.outbox.post(unit, [entry_question(self.speaker, t, guest, now, instead)])
        return self.write(unit, t, now, ev.Entered(guest, instead))

    def _fit(self, t: Tournament, guest: Guest, instead: str) -> None:
        if why := self.offices.hindrance(guest.address):
            raise CannotDo(f"{guest.address} can't be entered: {why}.")
        others = [g.name for p, g in t.guests.items() if p != instead]
        if fault := name_fault(guest.name, others):
            raise CannotDo(f"The name {guest.name!r} can't be taken: {fault}.")

    # --- answers ---------------------------------------------------------------------------------------------------

    def agree(self, unit: Unit, t: Tournament, address: str, called: str, now: datetime) -> Tournament:
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
            return self._replaced(unit, t, asked.instead, guest, now)
        return self.write(unit, t, now, ev.Agreed(guest))

    def leave(self, unit: Unit, t: Tournament, address: str, now: datetime) -> Tournament:
        """Before the start he is not in; afterwards his match is over and he plays no more."""
        player = t.player(address)
        if player is None or t.status == "ended" or player in t.left:
            return t
        if t.status == "entry":
            return self.write(unit, t, now, ev.Declined(player))
        match = t.match_of(player)
        t = self.write(unit, t, now, ev.PlayerLeft(player))
        if match is not None:
            self._give_up(unit, t, match, player, now)
        unit.wake(t.name, now)
        return t

    def _give_up(self, unit: Unit, t: Tournament, name: str, player: str, now: datetime) -> None:
        """Of two the other has won; at a table of four the seat is open to others."""
        match = self.matches.load(unit, name)
        for seat in _seat(match, t.guests[player]):
            others = tuple(n for n in match.numbers if n != seat)
            command = MatchStopped("won", others, _LEFT) if len(others) == 1 else SeatVacated(seat, _LEFT)
            self.decisions.carry_out(unit, match, command, now, f"leaves {t.name} {player}")

    def replace(self, unit: Unit, name: str, address: str, guest: Guest, now: datetime) -> Tournament:
        """Somebody is asked to go on in another's place."""
        t = self.load(unit, name)
        player = t.player(address)
        if player is None:
            raise CannotDo(f"{address} does not play in {t.name}.")
        if t.player(guest.address):
            raise CannotDo(f"{guest.address} plays in {t.name} already.")
        return self._ask(unit, t, guest, now, player)

    def _replaced(self, unit: Unit, t: Tournament, player: str, guest: Guest, now: datetime) -> Tournament:
        """He has the other's points, and his seat in the match that is played."""
        if (name := t.match_of(player)) is not None:
            match = self.matches.load(unit, name)
            for seat in _seat(match, t.guests[player]):
                command = EntrantReplaced(seat, Entrant(guest.name, (guest.address,), guest.zone), _LEFT)
                self.decisions.carry_out(unit, match, command, now, f"replaces {t.name} {player}")
        return self.write(unit, t, now, ev.PlayerReplaced(player, guest))

    # --- rounds ----------------------------------------------------------------------------------------------------

    def start(self, unit: Unit, name: str, now: datetime) -> Tournament:
        """The draw is made, and the first round opens."""
        t = self.load(unit, name)
        if t.status != "entry":
            raise CannotDo(f"{t.name} has started already.")
        if fault := start_fault(t):
            raise CannotDo(fault)
        seed = self.keys.seed(f"event {t.name}")
        order = Chance(seed).shuffle(tuple(t.guests), "the order of the draw")
        t = self.write(unit, t, now, ev.EventStarted(seed, order))
        return self._next_round(unit, t, now)

    def wake(self, unit: Unit, name: str, now: datetime) -> None:
        """A match of it has ended, or something else has changed: results are taken down, and
        where the round is over the next one opens."""
        t = self.load(unit, name)
        t = self.write(unit, t, now, *self._scored(unit, t))
        if t.status == "playing" and t.round_over:
            t = self._next_round(unit, t, now)
        self.save(unit, t, (), now)

    def _scored(self, unit: Unit, t: Tournament) -> list[ev.GatheringEvent]:
        found: list[ev.GatheringEvent] = []
        for table in (table for r in t.rounds for table in r.tables if table.match):
            match = self.matches.outline(unit, table.match or "")
            score = _score(match, table)
            known = t.scores.get(match.name)
            changed = score != known if match.status == "ended" else known is not None and known.over
            found += [score] if match.known and changed else []
        return found

    def _next_round(self, unit: Unit, t: Tournament, now: datetime) -> Tournament:
        before = len(t.rounds)
        while (paired := t.next_round()) is not None:
            t = self.write(unit, t, now, set_round(t, paired, partial(self._opened, unit, now, t)))
            if t.rounds[-1].tables and not t.round_over:
                break
        else:
            t = self.write(unit, t, now, ev.EventEnded())
        unit.link(t.name, [x.match for r in t.rounds[before:] for x in r.tables if x.match])
        self.outbox.post(unit, [news(self.speaker, t, p, now) for p in t.playing])
        return t

    def _opened(self, unit: Unit, now: datetime, t: Tournament, players: tuple[str, ...]) -> str:
        name = self.open_match(unit, t, [t.guests[p] for p in players], now, seated=True, called="")
        for gone in (p for p in players if p in t.left):
            self._give_up(unit, t, name, gone, now)
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
