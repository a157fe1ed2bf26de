"""An event of many: who plays, who meets whom in which round, how all stand. A pairing is tables
as pure lists of players' numbers; the first at a table has its first seat."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from itertools import combinations, product
from typing import Literal, Self

from referee.club import events as ev
from referee.club.standings import ROUND_ROBIN, SWISS, TABLES, Ranked, standings
from referee.core.texts.addresses import address_key
from referee.core.value import Value

Table = tuple[int, ...]


class Paired(Value):
    """A round: its tables, and who has a bye."""

    tables: tuple[Table, ...]
    byes: tuple[int, ...] = ()


# --- everybody meets everybody --------------------------------------------------------------------------------------


def berger(players: int, cycles: int = 1) -> tuple[Paired, ...]:
    """The Berger tables (FIDE Handbook C.05, annex 1) for players 0, 1, ...; where they are odd in
    number one of each round has a bye. A second cycle has the seats turned.

    Of players 1 to N those meet whose sum is the round's number plus one modulo N-1; who is left meets N. The lower
    one sits first where the sum is odd, against N whoever is of the lower half."""
    even, rounds = players + players % 2, list[Paired]()
    for cycle, number in product(range(cycles), range(1, even)):
        met = [(a, b) for a, b in combinations(range(1, even), 2) if (a + b - number - 1) % (even - 1) == 0]
        last = next(a for a in range(1, even) if (2 * a - number - 1) % (even - 1) == 0)
        tables = [(last, even) if last <= even // 2 else (even, last)]
        tables += [(a, b) if (a + b) % 2 else (b, a) for a, b in met]
        seated = [(b - 1, a - 1) if cycle % 2 else (a - 1, b - 1) for a, b in tables]
        byes = tuple(a for table in seated if players in table for a in table if a != players)
        rounds.append(Paired(tuple(table for table in seated if players not in table), byes))
    return tuple(rounds)


# --- tables of four -------------------------------------------------------------------------------------------------

# The first round of a cyclic design: every other one adds the same to each number below the last, which stays.
_CYCLIC: Mapping[int, tuple[Table, ...]] = {
    8: ((7, 0, 1, 3), (2, 4, 5, 6)),  # AG(3, 2): any two meet three times in 7 rounds
    12: ((11, 0, 1, 3), (2, 6, 7, 9), (4, 5, 8, 10)),  # any two meet three times in 11 rounds
}
FOURS = (4, 8, 12, 16)


def fours(players: int) -> tuple[Paired, ...]:
    """A resolvable design: in every round all sit at tables of four, and after all rounds any two have met equally
    often: of 16 once in 5 rounds, the affine plane of order 4; of 8 and 12 three times."""
    if players == 4:
        return (Paired(((0, 1, 2, 3),)),)
    if players == 16:
        # the lines of AG(2, 4) by their slopes: the point (x, y) over GF(4) is 4x + y
        times = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))
        sloped = (tuple(tuple(4 * x + (row[x] ^ c) for x in range(4)) for c in range(4)) for row in times)
        return tuple(map(Paired, (*sloped, tuple(tuple(range(x, x + 4)) for x in range(0, 16, 4)))))
    last = players - 1
    return tuple(
        Paired(tuple(tuple(x if x == last else (x + r) % last for x in table) for table in _CYCLIC[players]))
        for r in range(last)
    )


# --- Swiss ----------------------------------------------------------------------------------------------------------


class SwissPlayer(Value):
    """How a player stands before a round of a Swiss: his points, whom he has met, how often he sat
    first more than second, whether he did last, whether he has had a bye."""

    points: Fraction
    met: frozenset[int] = frozenset()
    firsts: int = 0
    last_first: bool | None = None
    bye: bool = False


_BYE = -1
_MOST, _NEVER, _HIGHER, _SCORE, _SEATS = 10**13, 10**11, 10**8, 10**4, 10**2


def swiss(forms: Mapping[int, SwissPlayer]) -> Paired:
    """A round, for players in the order of the draw. Nobody meets twice as long as that can be; then points differ as
    little as can be; then seats are even; then the upper half of a group of points meets the lower. A maximum weight
    matching (networkx) finds it over all pairs at once, so that no group has to be mended. Where they are odd in number
    the bye is one more whom one meets."""
    import networkx

    ranked = sorted(forms, key=lambda p: (-forms[p].points, list(forms).index(p)))
    graph, cost = networkx.Graph(), _costs(ranked, forms)
    graph.add_weighted_edges_from((a, b, _MOST - cost(a, b)) for a, b in combinations(ranked, 2))
    if len(ranked) % 2:
        # the lowest has the bye, unless somebody would have a second or two would meet again
        lowest = len(ranked) - 1
        byes = ((p, forms[p].bye * _NEVER + (lowest - rank) * _HIGHER) for rank, p in enumerate(ranked))
        graph.add_weighted_edges_from((p, _BYE, _MOST - costs) for p, costs in byes)
    found = networkx.max_weight_matching(graph, maxcardinality=True)
    place = {player: rank for rank, player in enumerate(ranked)} | {_BYE: len(ranked)}
    pairs = sorted(tuple(sorted(pair, key=place.__getitem__)) for pair in found)
    pairs.sort(key=lambda pair: place[pair[0]])
    tables = tuple(_seated(upper, lower, forms) for upper, lower in pairs if lower != _BYE)
    return Paired(tables, tuple(upper for upper, lower in pairs if lower == _BYE))


def _costs(ranked: Sequence[int], forms: Mapping[int, SwissPlayer]) -> Callable[[int, int], int]:
    """What it costs that two meet."""
    groups: dict[Fraction, list[int]] = {}
    for player in ranked:
        groups.setdefault(forms[player].points, []).append(player)

    def cost(a: int, b: int) -> int:
        one, other = forms[a], forms[b]
        apart = int(2 * abs(one.points - other.points)) ** 2 * _SCORE
        same = abs(one.firsts + other.firsts) if one.firsts * other.firsts > 0 else 0
        fold = 0
        if one.points == other.points:
            group = groups[one.points]
            fold = abs(abs(group.index(a) - group.index(b)) - len(group) // 2)
        return (b in one.met) * _NEVER + apart + min(same, 9) * _SEATS + min(fold, _SEATS - 1)

    return cost


def _seated(upper: int, lower: int, forms: Mapping[int, SwissPlayer]) -> Table:
    """First sits who did so less often; then who did not last time; then the upper."""
    one, other = forms[upper], forms[lower]
    turned = (one.firsts, bool(one.last_first)) > (other.firsts, bool(other.last_first))
    return (lower, upper) if turned else (upper, lower)


class Tournament(ev.Gathered):
    """A player is known by the key of the address with which he came in, whoever has his place
    now: `guests` tells who that is. `entered` are all who were asked, by their addresses."""

    made: ev.EventAnnounced
    status: Literal["entry", "playing", "ended"] = "entry"
    entered: Mapping[str, ev.Entered] = field(default_factory=dict)
    guests: Mapping[str, ev.Guest] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    seed: str = ""
    rounds: tuple[ev.RoundSet, ...] = ()
    scores: Mapping[str, ev.Scored] = field(default_factory=dict)
    left: frozenset[str] = frozenset()

    def player(self, address: str) -> str | None:
        """The player whose place the address has now."""
        wanted = address_key(address)
        return next((p for p, guest in self.guests.items() if address_key(guest.address) == wanted), None)

    def plays(self, address: str) -> bool:
        return self.player(address) is not None

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
        mine = (t.match for t in tables if player in t.players and t.match)
        return next((match for match in mine if not self.over(match)), None)

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
        counting = [score for score in self.results() if not struck & score.points.keys()]
        return standings(self.order, counting, self._given(struck), breaks)

    def results(self) -> list[ev.Scored]:
        """What counts, in the order of rounds and tables; of a match that is played on, or was called off, nothing."""
        known = (self.scores.get(match) for match in self.matches())
        return [score for score in known if score is not None and score.points]

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
        """Of a round robin those who left before half of their matches had a result: none of these
        counts, so that nobody has more of them than others (FIDE Handbook C.02, 9.7)."""
        if self.made.kind == "swiss":
            return frozenset()
        most = max(self.made.rounds, 1) * (len(self.order) - 1) if self.made.size == 2 else self.last_round
        known = {score.match for score in self.results()}
        tables = [t for r in self.rounds for t in r.tables if t.match in known]
        return frozenset(p for p in self.left if 2 * sum(p in t.players for t in tables) < most)

    def met(self, one: str, other: str) -> list[Fraction]:
        """What one took from the other, match by match."""
        return [Fraction(r.points[one]) for r in self.results() if {one, other} <= r.points.keys()]

    def after(self, event: ev.GatheringEvent) -> Self:
        t = self
        match event:
            case ev.Entered(guest):
                return replace(t, entered={**t.entered, address_key(guest.address): event})
            case ev.Agreed(guest):
                player = address_key(guest.address)
                late = (player,) if t.status == "playing" else ()
                return replace(t, guests={**t.guests, player: guest}, order=(*t.order, *late))
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
            case ev.AddressChanged(old, new):
                keys = {address_key(old): address_key(new)}
                moved = {a: replace(e, guest=event.moved(e.guest)) for a, e in t.entered.items()}
                entered = {keys.get(a, a): e for a, e in moved.items()}
                guests = {p: event.moved(guest) for p, guest in t.guests.items()}
                return replace(t, guests=guests, entered=entered)
            case ev.EventEnded():
                return replace(t, status="ended")
        return t


def set_round(t: Tournament, paired: Paired, opened: Callable[[tuple[str, ...]], str]) -> ev.RoundSet:
    """The round as it stands in the ledger; `opened` opens the match of a table. Of two who were to meet, and of whom
    one has left, the other has a point; tables of four are played with whoever sits there."""
    tables = []
    for table in paired.tables:
        players = tuple(t.order[p] for p in table)
        there = tuple(p for p in players if p not in t.left)
        if len(there) == len(players) or (len(players) > 2 and there):
            tables.append(ev.TableSet(players, opened(players)))
        elif there:
            tables.append(ev.TableSet((*there, *(p for p in players if p in t.left)), None))
    byes = tuple(t.order[p] for p in paired.byes if t.order[p] not in t.left)
    return ev.RoundSet(len(t.rounds) + 1, tuple(tables), byes)


def start_fault(t: Tournament) -> str:
    """Why it can't start with those who have said Yes; empty where it can."""
    count = len(t.guests)
    if t.made.size == 4 and count not in FOURS:
        drawn = f"{', '.join(map(str, FOURS[:-1]))} or {FOURS[-1]}"
        return f"Tables of four are drawn for {drawn} players; {count} have said Yes."
    return "" if count >= 2 else f"It takes two players at least; {count or 'nobody'} has said Yes."
