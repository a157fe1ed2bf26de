"""Who meets whom: the published tables, designs in which all meet equally often, and Swiss rounds in which no two meet
twice."""

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from referee.club.tournament import FOURS, Paired, SwissPlayer, berger, fours, swiss

# FIDE Handbook C.05, annex 1: white first.
PUBLISHED = {
    4: "1-4 2-3, 4-3 1-2, 2-4 3-1",
    6: "1-6 2-5 3-4, 6-4 5-3 1-2, 2-6 3-1 4-5, 6-5 1-4 2-3, 3-6 4-2 5-1",
    8: "1-8 2-7 3-6 4-5, 8-5 6-4 7-3 1-2, 2-8 3-1 4-7 5-6, 8-6 7-5 1-4 2-3, 3-8 4-2 5-1 6-7, 8-7 1-6 2-5 3-4, "
    "4-8 5-3 6-2 7-1",
}


@pytest.mark.parametrize("players", PUBLISHED)
def test_a_round_robin_is_the_published_table(players: int) -> None:
    wanted = [
        {tuple(int(n) - 1 for n in pair.split("-")) for pair in line.split()}
        for line in PUBLISHED[players].split(", ")
    ]
    assert [set(r.tables) for r in berger(players)] == wanted


@pytest.mark.parametrize("players", range(2, 24))
def test_everybody_meets_everybody_once_and_seats_are_even(players: int) -> None:
    rounds = berger(players)
    assert len(rounds) == players - 1 + players % 2
    met = Counter(frozenset(table) for r in rounds for table in r.tables)
    assert met == dict.fromkeys(map(frozenset, combinations(range(players), 2)), 1)
    for player in range(players):
        firsts = sum(table[0] == player for r in rounds for table in r.tables)
        assert abs(2 * firsts - (players - 1)) <= 1
        assert sum(player in r.byes for r in rounds) == players % 2
    double = berger(players, 2)
    assert Counter(table for r in double for table in r.tables) == {
        pair: 1 for a, b in combinations(range(players), 2) for pair in ((a, b), (b, a))
    }


@pytest.mark.parametrize("players", FOURS)
def test_at_tables_of_four_any_two_meet_equally_often(players: int) -> None:
    rounds = fours(players)
    for r in rounds:
        assert sorted(p for table in r.tables for p in table) == list(range(players))
        assert all(len(table) == 4 for table in r.tables)
    met = Counter(frozenset(pair) for r in rounds for table in r.tables for pair in combinations(table, 2))
    assert set(met.values()) == {{4: 1, 8: 3, 12: 3, 16: 1}[players]}
    assert len(met) == players * (players - 1) // 2


def played(players: int, rounds: int, seed: int) -> list[Paired]:
    """A Swiss with drawn results, of which some leave."""
    chance = random.Random(seed)
    forms = {p: SwissPlayer(Fraction(0)) for p in range(players)}
    found = []
    for _ in range(rounds):
        r = swiss(forms)
        found.append(r)
        for p in r.byes:
            forms[p] = SwissPlayer(
                forms[p].points + 1, forms[p].met, forms[p].firsts, forms[p].last_first, True
            )
        for a, b in r.tables:
            won = chance.choice([Fraction(0), Fraction(1, 2), Fraction(1)])
            for p, other, points, first in ((a, b, won, 1), (b, a, 1 - won, -1)):
                form = forms[p]
                forms[p] = SwissPlayer(
                    form.points + points, form.met | {other}, form.firsts + first, first == 1, form.bye
                )
    return found


@pytest.mark.parametrize("players", [2, 3, 5, 6, 7, 9, 12, 13, 20])
@pytest.mark.parametrize("seed", range(4))
def test_in_a_swiss_nobody_meets_twice_nor_has_two_byes(players: int, seed: int) -> None:
    rounds = min(5, (players + 1) // 2)
    found = played(players, rounds, seed)
    for r in found:
        assert sorted([*r.byes, *(p for table in r.tables for p in table)]) == list(range(players))
    met = Counter(frozenset(table) for r in found for table in r.tables)
    assert set(met.values()) <= {1}
    assert set(Counter(p for r in found for p in r.byes).values()) <= {1}
    firsts = Counter(table[0] for r in found for table in r.tables)
    seconds = Counter(table[1] for r in found for table in r.tables)
    assert all(abs(firsts[p] - seconds[p]) <= 2 for p in range(players))


def test_the_upper_half_meets_the_lower_and_equals_meet_equals() -> None:
    first = swiss({p: SwissPlayer(Fraction(0)) for p in range(8)})
    assert {frozenset(t) for t in first.tables} == {frozenset((p, p + 4)) for p in range(4)}
    forms = {p: SwissPlayer(Fraction(p < 4), frozenset({(p + 4) % 8})) for p in range(8)}
    assert all((a < 4) == (b < 4) for a, b in swiss(forms).tables)


def test_where_all_have_met_they_meet_again() -> None:
    forms = {0: SwissPlayer(Fraction(1), frozenset({1})), 1: SwissPlayer(Fraction(0), frozenset({0}))}
    assert [set(t) for t in swiss(forms).tables] == [{0, 1}]
