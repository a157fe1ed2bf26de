"""Who meets whom: tables as pure lists of players' numbers. The first at a table has its first seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

Table = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Paired:
    """A round: its tables, and who has a bye."""

    tables: tuple[Table, ...]
    byes: tuple[int, ...] = ()


# --- everybody meets everybody --------------------------------------------------------------------------------------


def berger(players: int, cycles: int = 1) -> tuple[Paired, ...]:
    """The Berger tables (FIDE Handbook C.05, annex 1) for players 0, 1, ...; where they are odd in number one of each
    round has a bye. A second cycle has the seats turned."""
    even = players + players % 2
    return tuple(_berger(players, even, r, turned=bool(c % 2)) for c in range(cycles) for r in range(1, even))


def _berger(players: int, even: int, number: int, *, turned: bool) -> Paired:
    """Of players 1 to N those meet whose sum is the round's number plus one modulo N-1; who is left meets N. The lower
    one sits first where the sum is odd, against N whoever is of the lower half."""
    met = [(a, b) for a, b in combinations(range(1, even), 2) if (a + b - number - 1) % (even - 1) == 0]
    last = next(a for a in range(1, even) if (2 * a - number - 1) % (even - 1) == 0)
    tables = [(last, even) if last <= even // 2 else (even, last)]
    tables += [(a, b) if (a + b) % 2 else (b, a) for a, b in met]
    seated = [(b - 1, a - 1) if turned else (a - 1, b - 1) for a, b in tables]
    byes = tuple(a for table in seated if players in table for a in table if a != players)
    return Paired(tuple(table for table in seated if players not in table), byes)


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
        return tuple(map(Paired, _plane()))
    last = players - 1
    return tuple(
        Paired(tuple(tuple(x if x == last else (x + r) % last for x in table) for table in _CYCLIC[players]))
        for r in range(last)
    )


def _plane() -> list[tuple[Table, ...]]:
    """The lines of AG(2, 4) by their slopes: the point (x, y) over GF(4) is 4x + y."""
    times = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))
    sloped = [tuple(tuple(4 * x + (times[m][x] ^ c) for x in range(4)) for c in range(4)) for m in range(4)]
    return [*sloped, tuple(tuple(4 * x + y for y in range(4)) for x in range(4))]


# --- Swiss ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SwissPlayer:
    """How a player stands before a round of a Swiss: his points, whom he has met, how often he sat first more than
    second, whether he did last, whether he has had a bye."""

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
        graph.add_weighted_edges_from((p, _BYE, _MOST - _bye_costs(ranked, forms, p)) for p in ranked)
    found = networkx.max_weight_matching(graph, maxcardinality=True)
    place = {player: rank for rank, player in enumerate(ranked)} | {_BYE: len(ranked)}
    pairs = sorted(tuple(sorted(pair, key=place.__getitem__)) for pair in found)
    pairs.sort(key=lambda pair: place[pair[0]])
    tables = tuple(_seated(upper, lower, forms) for upper, lower in pairs if lower != _BYE)
    return Paired(tables, tuple(upper for upper, lower in pairs if lower == _BYE))


def _bye_costs(ranked: Sequence[int], forms: Mapping[int, SwissPlayer], player: int) -> int:
    """What it costs that he has the bye: the lowest has it, unless somebody would have a second or two
    would meet again."""
    return forms[player].bye * _NEVER + (len(ranked) - 1 - ranked.index(player)) * _HIGHER


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
