"""What is asked at the desk besides orders to matches: opening them, the club's proposals and
ratings, and how all stands."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from functools import partial
from typing import TypeVar

from referee.base.errors import CannotDo
from referee.club.events import Guest
from referee.club.proposal import Proposal
from referee.club.standings import Course, Finished, ratings
from referee.club.tournament import Tournament
from referee.core.chance import given_seed
from referee.core.texts.addresses import address_key
from referee.core.texts.naming import FORMER, shown_name
from referee.core.value import Value
from referee.match import events as ev
from referee.match.chain import Keys, commitment, stamp
from referee.match.decide import CALLED_OFF
from referee.match.events import Entry, MatchOpened
from referee.match.handling.seating import entered
from referee.match.match import Match, outcome
from referee.offices import register
from referee.offices.club import Proposals, Tournaments, WishedMatch, know_people
from referee.offices.decisions import Decisions
from referee.offices.register import Facts, moment
from referee.store.engine import again
from referee.store.sql import Store, Unit

T = TypeVar("T")


class ClubRecord(Value):
    """What all may see of the club, and who wishes not to be seen: players by what tells them apart in public."""

    forming: tuple[Proposal, ...] = ()
    events: tuple[Tournament, ...] = ()
    unrated: frozenset[str] = frozenset()
    unlisted: frozenset[str] = frozenset()


class Moderator(Value):
    """Every method is one transaction, or several; its letters leave at the next step."""

    store: Store
    decisions: Decisions
    proposals: Proposals
    tournaments: Tournaments

    @again
    def act(self, deed: Callable[[Unit], T], now: datetime | None = None) -> T:
        """What is done at the desk, while no pass is under way; at a moment (None: whatever it is)
        before which nothing later stands written. Raises CannotDo."""
        with self.store.exclusive(), self.store.transaction() as unit:
            last = unit.clock().last_pass
            if now is not None and last is not None and now < last:
                then, at = (stamp(moment.replace(microsecond=0)) for moment in (last, now))
                raise CannotDo(f"The last pass was at {then}; {at} is before it.")
            if now is not None:
                unit.now = now
            return deed(unit)

    @again
    def look(self, look: Callable[[Unit], T]) -> T:
        """What the store says of one thing: whoever looks at all keeps nobody waiting."""
        with self.store.transaction() as unit:
            return look(unit)

    # --- opening -----------------------------------------------------------------------------------------------

    def open(self, asked: register.NewMatch, now: datetime) -> Match:
        """A new match. Raises CannotDo with every fault."""
        return self.act(lambda unit: self.opened(unit, asked), now)

    def opened(self, unit: Unit, asked: register.NewMatch) -> Match:
        """The same, in the caller's transaction."""
        games = self.decisions.speaker.games
        if (game := games.get(asked.game)) is None:
            raise CannotDo(f"There is no game {asked.game!r}. There are: {', '.join(games)}.")
        seats = len(asked.roster) + asked.vacant
        options, data, faults = register.rules_of(game, asked, seats)
        if faults := (*register.unwritable(self.decisions.speaker.offices, *asked.roster), *faults):
            raise CannotDo(*faults)
        name = register.numbered(asked.game, unit.has_match) if asked.name is None else asked.name
        if asked.name is not None and (why := register.name_hindrance(unit, asked.name)):
            raise CannotDo(why)
        given, on = None if asked.seed is None else given_seed(asked.seed), asked.continuation
        seed, origin = given or self.decisions.speaker.keys.seed(name), on[0].continues if on else None
        opening = MatchOpened(
            name, game.slug, options.values, data, seats, commitment(seed), asked.roster, given, asked.beacon, origin
        )  # fmt: skip
        return self.decisions.open(unit, opening, seed, on[1] if on else ())

    # --- the club -------------------------------------------------------------------------------------------------

    def club(self, unit: Unit | None = None) -> ClubRecord:
        """What all may see of the club, and who wishes to be on no list."""
        if unit is None:
            return self.look(self.club)
        know_people(unit, self.decisions.speaker.keys)
        forming, events = tuple(self.proposals.forming(unit)), tuple(self.tournaments.all(unit))
        wishes = unit.club_wishes()
        hidden = [self._players(unit, w.address) for w in wishes if not w.listed]
        unrated = [self._players(unit, w.address) for w in wishes if not w.rated]
        return ClubRecord(forming, events, frozenset().union(*unrated), frozenset().union(*hidden))

    def ratings(self, unit: Unit) -> dict[str, list[Facts]]:
        """By game, the best first, every player's course; from the ledgers alone. Who wishes is not among them."""
        record, keys, names, ended = self.club(unit), self.decisions.speaker.keys, dict[str, str](), []
        for match in (self.decisions.matches.outline(unit, name) for name in unit.names()):
            if match.status == "ended" and match.known:
                history = unit.history(match.name)
                people = entered(history)[0].values()
                names |= {keys.player(p.name, *p.addresses[:1]): shown_name(p.name) for p in people}
                ended.append(finished(match, history, keys))
        found = ratings((one for one in ended if one is not None), record.unrated)
        gone = {player for player, name in names.items() if name.startswith(FORMER)}  # on no list
        unlisted = record.unlisted | gone
        return {game: rated_facts(courses, names, unlisted) for game, courses in sorted(found.items())}

    def _players(self, unit: Unit, address: str) -> set[str]:
        """What tells whoever has the address from others in public: one for each of their names."""
        seated = [(entered(unit.history(name))[0], seat) for name, seat in unit.seats_of(address)]
        people = [roster[seat] for roster, seat in seated if seat in roster]
        return {self.decisions.speaker.keys.player(person.name, *person.addresses[:1]) for person in people}

    def propose(self, by: Guest, wish: WishedMatch, now: datetime) -> Proposal:
        """For a player. Raises CannotDo with every fault."""

        def proposed(unit: Unit) -> Proposal:
            if faults := self.proposals.faults(unit, wish, by):
                raise CannotDo(*faults)
            return self.proposals.propose(unit, by, wish, at_desk=True)

        return self.act(proposed, now)

    def rematch(self, name: str, seat: int, now: datetime) -> Proposal:
        """Of a match that has ended, for whoever has the seat. Raises CannotDo."""
        match = self.match(name)
        if match.status != "ended" or seat not in match.numbers:
            raise CannotDo(f"{name} has not ended, or has no seat {seat}.")
        return self.propose(*self.proposals.rematch(match, seat), now)

    def unfoldable(self) -> Iterator[str]:
        """The matches that are put aside since their ledgers can't be folded, with a remedy."""
        for name in self.look(Unit.names):
            if why := self.look(partial(self.decisions.matches.why_unreadable, name=name)):
                yield (
                    f"{why}. The match is put aside, its mails are shunted; the others go on. Give the store a "
                    "backup or the program the version that wrote it, then `referee unshunt all`."
                )

    # --- how things stand --------------------------------------------------------------------------------------

    def match(self, name: str) -> Match:
        return self.look(lambda unit: self.decisions.matches.required(unit, name))

    def matches(self) -> list[Match]:
        """All matches, by their opening; of one that can't be folded the outline."""
        return [self.outline(name) for name in self.look(Unit.names)]

    def outline(self, name: str) -> Match:
        """The match; of one that can't be folded what its row tells."""
        return self.look(lambda unit: self.decisions.matches.outline(unit, name))

    def published(self) -> list[tuple[str, datetime, int]]:
        """How far every match's public record goes."""
        return self.look(Unit.published)

    def history(self, name: str) -> Sequence[Entry]:
        self.match(name)
        return self.look(lambda unit: unit.history(name))

    def stand(self, name: str, outlined: bool) -> Facts:
        """How a match stands in public, with its board, kept in its row. Of one that can't be
        folded the outline, where that will do; else it raises CannotDo."""
        matches = self.decisions.matches
        found = matches.outline if outlined else matches.required
        return self.look(lambda unit: matches.stand(unit, found(unit, name)))

    def shown(self, name: str, seat: int | None, *, moderator: bool) -> Facts:
        """The facts with the board, as the seat sees them, or with what is the moderator's alone. Raises CannotDo."""
        match = self.match(name)
        if seat is not None and seat not in match.numbers:
            raise CannotDo(f"{name} has no seat {seat}.")
        facts, (held, _) = register.facts_of(match, seat), register.addresses(match)
        if moderator and match.inner is not None:
            facts["answered"] = register.answered(match)
        if moderator:
            found = {p.address: p for p in self.look(lambda unit: unit.failing(a for _, a in held))}
            facts["failing"] = [
                {"seat": n, "address": address, "since": moment(person.failing), "why": person.note or ""}
                for n, address in held
                if (person := found.get(address_key(address))) is not None
            ]
            own = {n: list(match.entrant(n).addresses) for n in match.numbers}
            facts["addresses"] = [{"seat": n, "addresses": each} for n, each in own.items()]
        return {**facts, "board": self.decisions.matches.board(match, seat)}


# --- what a match came to, as ratings and tables of results count it: from its ledger alone


def finished(match: Match, history: Sequence[Entry], keys: Keys) -> Finished | None:
    """None of a match that goes on, was called off, or had one seat. Whoever sits there at the end is who played. The
    winners have the first rank; the others stand by the game's own points where it gives any to tell them apart."""
    found = outcome(match)
    if found is None or found.reason == CALLED_OFF or match.seats < 2:
        return None
    at = next(entry.at for entry in reversed(history) if isinstance(entry.event, ev.MatchEnded))
    seated, _ = entered(history)
    won = set(found.winners or seated)  # by their worth the best come first
    points = {n: Fraction(0) if n in won else -found.points.get(n, Fraction(0)) for n in seated}
    worth = {n: (n not in won, points[n]) for n in seated}
    better = sorted(set(worth.values()))
    ranks = tuple(better.index(worth[n]) + 1 for n in seated)
    players = tuple(keys.player(person.name, *person.addresses[:1]) for person in seated.values())
    return Finished(match.name, match.game, at.isoformat(), players, ranks)


def rated_facts(courses: Course, names: Mapping[str, str], unlisted: Collection[str]) -> list[Facts]:
    """The ratings of a game, the best first."""
    ranked = sorted(courses.items(), key=lambda row: (-row[1][-1].shown, names[row[0]], row[0]))
    return [
        {
            "player": names[player],
            "points": course[-1].points,
            "rating": round(course[-1].shown, 2),
            "course": [
                {"match": s.match, "at": s.at, "mean": round(s.mean, 4), "deviation": round(s.deviation, 4)}
                for s in course
            ],
        }
        for player, course in ranked
        if player not in unlisted
    ]
