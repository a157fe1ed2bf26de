"""An event of many: who plays, who meets whom in which round, how all stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal

from referee.club import events as ev
from referee.club.events import Guest, RoundSet, TableSet
from referee.club.pairing import FOURS, Paired, SwissPlayer, berger, fours, swiss
from referee.club.standings import ROUND_ROBIN, SWISS, TABLES, MatchScore, Ranked, standings
from referee.core.texts.addresses import address_key


@dataclass(frozen=True, slots=True)
class Tournament:
    """The fold of its ledger. A player is known by the key of the address with which he came in, whoever has his place
    now: `guests` tells who that is. `entered` are all who were asked, by their addresses."""

    made: ev.EventAnnounced
    version: int = 0
    status: Literal["entry", "playing", "ended"] = "entry"
    entered: Mapping[str, ev.Entered] = field(default_factory=dict)
    guests: Mapping[str, Guest] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    seed: str = ""
    rounds: tuple[RoundSet, ...] = ()
    scores: Mapping[str, ev.Scored] = field(default_factory=dict)
    left: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        return self.made.name

    def player(self, address: str) -> str | None:
        """The player whose place the address has now."""
        wanted = address_key(address)
        return next((p for p, guest in self.guests.items() if address_key(guest.address) == wanted), None)

    @property
    def playing(self) -> tuple[str, ...]:
        """Who plays on, in the order of the draw."""
        return tuple(p for p in self.order if p not in self.left)

    @property
    def last_round(self) -> int:
        """How many rounds it has."""
        made, count = self.made, len(self.order)
        if made.kind == "swiss":
            return made.rounds
        if made.size == 4:
            return min(made.rounds or count, len(fours(count)))
        return max(made.rounds, 1) * (count + count % 2 - 1)

    @property
    def round_over(self) -> bool:
        """Whether every match of the round that is played has its result."""
        tables = self.rounds[-1].tables if self.rounds else ()
        return all(self.over(t.match) for t in tables if t.match)

    def over(self, match: str) -> bool:
        return match in self.scores and self.scores[match].over

    def matches(self) -> list[str]:
        return [t.match for r in self.rounds for t in r.tables if t.match]

    def match_of(self, player: str) -> str | None:
        """The match that he plays now."""
        tables = self.rounds[-1].tables if self.rounds else ()
        return next(
            (t.match for t in tables if player in t.players and t.match and not self.over(t.match)), None
        )

    # --- who meets whom --------------------------------------------------------------------------------------------

    def next_round(self) -> Paired | None:
        """By numbers of the order; None where the last round is over, or nobody is left to meet."""
        number = len(self.rounds)
        if number >= self.last_round or len(self.playing) < 2:
            return None
        if self.made.kind == "swiss":
            return swiss({self.order.index(p): self._form(p) for p in self.playing})
        if self.made.size == 4:
            return fours(len(self.order))[number]
        return berger(len(self.order), max(self.made.rounds, 1))[number]

    def _form(self, player: str) -> SwissPlayer:
        row = next(r for r in self.standings() if r.player == player)
        mine = [t for r in self.rounds for t in r.tables if player in t.players]
        met = frozenset(self.order.index(other) for t in mine for other in t.players if other != player)
        firsts = sum(1 if t.players[0] == player else -1 for t in mine)
        bye = any(player in r.byes for r in self.rounds)
        return SwissPlayer(row.points, met, firsts, mine[-1].players[0] == player if mine else None, bye)

    # --- how they stand --------------------------------------------------------------------------------------------

    def standings(self) -> list[Ranked]:
        struck, kind = self._struck(), self.made
        breaks = TABLES if kind.size == 4 else SWISS if kind.kind == "swiss" else ROUND_ROBIN
        results = [
            r for match in self.matches() if (r := self._result(match)) and not struck & r.points.keys()
        ]
        return standings(self.order, results, self._given(struck), breaks)

    def _result(self, match: str) -> MatchScore | None:
        score = self.scores.get(match)
        if score is None or not score.points:
            return None
        own = {player: Fraction(n) for player, n in score.own.items()}
        return MatchScore({player: Fraction(n) for player, n in score.points.items()}, own)

    def _given(self, struck: frozenset[str]) -> dict[str, Fraction]:
        """Points without a match: a bye of a Swiss is one; and whoever was to meet somebody who had left has one."""
        given = dict.fromkeys(self.order, Fraction(0))
        for r in self.rounds:
            for player in r.byes if self.made.kind == "swiss" else ():
                given[player] += 1
            for table in r.tables:
                if table.match is None and not struck & set(table.players):
                    given[table.players[0]] += 1
        return given

    def _struck(self) -> frozenset[str]:
        """Of a round robin those who left before half of their matches had a result: none of these counts, so that
        nobody has more of them than others (FIDE Handbook C.02, 9.7)."""
        if self.made.kind == "swiss":
            return frozenset()
        tables = [t for r in self.rounds for t in r.tables]
        done = {
            p: sum(p in t.players and bool(t.match and self._result(t.match)) for t in tables)
            for p in self.left
        }
        all_of_one = (
            max(self.made.rounds, 1) * (len(self.order) - 1) if self.made.size == 2 else self.last_round
        )
        return frozenset(player for player, count in done.items() if 2 * count < all_of_one)

    def met(self, one: str, other: str) -> list[Fraction]:
        """What one took from the other, match by match."""
        results = (self._result(match) for match in self.matches())
        return [r.points[one] for r in results if r and one in r.points and other in r.points]


def fold(history: Iterable[ev.ClubEntry]) -> Tournament:
    first, *later = history
    assert isinstance(first.event, ev.EventAnnounced), "an event's ledger begins with it"
    tournament = Tournament(first.event, first.version)
    for entry in later:
        tournament = replace(_evolved(tournament, entry.event), version=entry.version)
    return tournament


def _evolved(t: Tournament, event: ev.GatheringEvent) -> Tournament:
    match event:
        case ev.Entered(guest):
            return replace(t, entered={**t.entered, address_key(guest.address): event})
        case ev.Agreed(guest):
            player = address_key(guest.address)
            late = t.status == "playing"
            return replace(
                t, guests={**t.guests, player: guest}, order=(*t.order, player) if late else t.order
            )
        case ev.Declined(address):
            return replace(t, guests={p: g for p, g in t.guests.items() if p != address})
        case ev.EventStarted(seed, order):
            return replace(t, status="playing", seed=seed, order=order)
        case ev.RoundSet():
            return replace(t, rounds=(*t.rounds, event))
        case ev.Scored(match):
            return replace(t, scores={**t.scores, match: event})
        case ev.PlayerLeft(player):
            return replace(t, left=t.left | {player})
        case ev.PlayerReplaced(player, guest):
            return replace(t, guests={**t.guests, player: guest}, left=t.left - {player})
        case ev.EventEnded():
            return replace(t, status="ended")
    return t


def set_round(t: Tournament, paired: Paired, opened: Callable[[tuple[str, ...]], str]) -> RoundSet:
    """The round as it stands in the ledger; `opened` opens the match of a table. Of two who were to meet, and of whom
    one has left, the other has a point; tables of four are played with whoever sits there."""
    tables = []
    for table in paired.tables:
        players = tuple(t.order[p] for p in table)
        there = tuple(p for p in players if p not in t.left)
        if len(there) == len(players) or (len(players) > 2 and there):
            tables.append(TableSet(players, opened(players)))
        elif there:
            tables.append(TableSet((*there, *(p for p in players if p in t.left)), None))
    byes = tuple(t.order[p] for p in paired.byes if t.order[p] not in t.left)
    return RoundSet(len(t.rounds) + 1, tuple(tables), byes)


def start_fault(t: Tournament) -> str:
    """Why it can't start with those who have said Yes; empty where it can."""
    count = len(t.guests)
    if t.made.size == 4 and count not in FOURS:
        drawn = f"{', '.join(map(str, FOURS[:-1]))} or {FOURS[-1]}"
        return f"Tables of four are drawn for {drawn} players; {count} have said Yes."
    return "" if count >= 2 else f"It takes two players at least; {count or 'nobody'} has said Yes."
