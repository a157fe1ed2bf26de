"""Records of matches with private orders verify: what they brought about follows from some that are legal."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from referee.base import shipped
from referee.core import seam
from referee.core.answers import Body
from referee.core.chance import Chance, given_seed
from referee.core.seam import Standing
from referee.core.value import Demand
from referee.match import commands as do
from referee.match import events as ev
from referee.match.commands import Accepted
from referee.match.decide import decide
from referee.match.match import for_solver, freeze, outstanding, thaw
from referee.match.notices import notices
from referee.match.record.public import lines_of, public_record
from referee.match.record.verifying import verified
from referee.rehearsal.players import heading_kind
from tests.laws.walks import KEYS, KINDS, Walk, begun, give, steps
from tests.laws.walks import lines_of as lines_in
from tests.match.forging import as_read
from tests.sampling import long, one_in

SMALL = "/".join(["....."] * 4)
GO = {
    "sequential": {"position": SMALL, "coop": "on", "prisoners": "shared", "event_scope": "linked"},
    "parallel": {"position": SMALL, "coop": "on", "prisoners": "shared", "order": "parallel"},
}
PUZZLES = {
    "alone": {"mode": "solo", "private": "on", "goal": "two"},
    "counted": {"mode": "solo", "private": "on", "undo": "counts"},
    "at a table": {"mode": "solo", "table": "week-9", "goal": "two", "seed": "8"},
    "open": {"mode": "solo", "undo": "counts"},
}


def told(walk: Walk) -> list[dict[str, Any]]:
    """What the record says; it verifies."""
    record = as_read(public_record(walk.game, walk.entries))
    assert verified(record, walk.game, shipped.game_options(walk.game.slug)) == ()
    return lines_of(record)


def orders(walk: Walk, chance: Chance) -> Iterator[tuple[int, str, str]]:
    """Now and then a plan or a preference of each seat: who, heading, mail."""
    state = walk.match.inner
    points = state.points.names
    moving = [d for r in walk.match.rounds for d in r.demands if d.kind == "Move" and not r.sealed]
    for seat in walk.match.numbers:
        open_now = {demand.kind for demand in Standing(walk.game, state).may_answer(seat)}
        any_point = [points[chance.below(len(points), "point")] for _ in range(3)]
        other = ("black", "white", "red")[(seat + chance.below(2, "other")) % 3]
        if moving and seat != moving[0].seat and chance.below(5, "plan") == 0:
            waiting = f"If {other}: {any_point[0]}, then {any_point[1]}"
            yield seat, "If", f"{waiting}\nThen: {any_point[2]}" if chance.below(2, "both") else waiting
        if "Prefer" in open_now and chance.below(2, "prefer") == 0:
            yield seat, "Prefer", f"Prefer: {other}"


@pytest.mark.parametrize("seeds", [range(9, 15), *long(range(25))])
@pytest.mark.parametrize("kind", one_in(2, GO))
def test_matches_with_standing_orders_verify(kind: str, seeds: range) -> None:
    how: Counter[str] = Counter()
    for seed in seeds:
        chance = Chance(given_seed(seed))
        walk = begun("multigo", 4, GO[kind], seed)
        for _ in range(60):
            if walk.match.status == "ended":
                break
            walk.now += timedelta(hours=1)
            for seat, heading, text in orders(walk, chance):
                walk.do(do.Submit(seat, heading, Body(lines_in(text)), walk.now))
            owing = [d for r in walk.match.rounds for d in outstanding(walk.match, r)]
            if not owing:
                continue
            demand = owing[chance.below(len(owing), "who")]
            if chance.below(15, "lapse") == 0:
                walk.now += timedelta(days=8)
                walk.do(do.Expire(walk.now))
            else:
                give(walk, demand, seam.suggest(walk.game, walk.match.inner, demand, chance))
        how.update(str(line["event"].get("how")) for line in told(walk) if line["is"] == "Happened")
        how.update(line["is"] for line in told(walk))
    print(kind, dict(how))
    assert kind == "parallel" or how["AnsweredAhead"] > 5
    assert how["prefer"] > 0


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", PUZZLES)
def test_puzzles_verify_at_every_moment(kind: str) -> None:
    ends: Counter[str] = Counter()
    for seed in range(8):
        chance = Chance(given_seed(seed))
        walk = begun("buttons", 1, PUZZLES[kind], seed)
        for number in range(12):
            if walk.match.status == "ended":
                break
            walk.now += timedelta(hours=1)
            if chance.below(2, "solver"):
                for r, demand in for_solver(walk.match):
                    walk.do(do.Compute(r.label, walk.game.compute(walk.match.inner, demand, 3_000)))  # type: ignore[attr-defined]
            if number > 8:
                walk.now += timedelta(days=30)
                walk.do(do.Expire(walk.now))
            elif Demand("Move", 1) in walk.match.standing.may_answer(1):
                _move(walk, chance)
            told(walk)
        ends.update(line["event"]["is"] for line in told(walk) if line["is"] == "Happened")
    print(kind, dict(ends))
    assert ends["MatchDecided"] > 0


def _move(walk: Walk, chance: Chance) -> None:
    """A mail of a puzzle: steps forth and back, a goal, the end."""
    action = seam.suggest(walk.game, walk.match.inner, Demand("Move", 1), chance)
    text = seam.write(walk.game, walk.match.inner, Demand("Move", 1), action)
    lines = {0: "Goal: four", 1: f"{text}\nUndo", 2: "Undo", 3: f"Undo\n{text}", 4: "Give up"}
    mail = lines.get(chance.below(9, "mail"), text)
    verdict = walk.do(do.Submit(1, "Move", Body(lines_in(mail)), walk.now)).verdict
    assert verdict is not None
    assert not isinstance(verdict, Accepted) or verdict.demand.seat == 1


# --- they enter nothing that others have ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", one_in(6, KINDS))
def test_what_is_one_seats_alone_enters_no_head_count_position_view_or_notice(kind: str) -> None:
    """At every moment of a match, whatever may be sent: what a seat alone learns leaves all others where they were."""
    private: Counter[str] = Counter()
    for each in steps(kind, 5, 14):
        walk = each.walk
        for seat in walk.match.numbers:
            for demand in walk.match.standing.may_answer(seat):
                for chance in map(Chance, map(given_seed, range(4))):
                    private.update(kept_to_oneself(walk, demand, chance))
    print(kind, dict(private))
    assert ev.HappenedInPrivate.__name__ in private or kind != "go sequential coop"


def kept_to_oneself(walk: Walk, demand: Demand, chance: Chance) -> Iterator[str]:
    game, match = walk.game, walk.match
    action = seam.suggest(game, match.inner, demand, chance)
    form = seam.filled_in(game, match.inner, demand, match.party(demand.seat), action)
    command = do.Submit(demand.seat, heading_kind(game, demand), Body(lines_in(form)), walk.now)
    decision = decide(game, match, command, walk.now, KEYS, lambda: walk.entries)
    if not decision.entries or any(entry.public for entry in decision.entries):
        return
    after, others = decision.match, [n for n in match.numbers if n != demand.seat]
    assert (after.head, after.position) == (match.head, match.position)
    assert public_record(game, [*walk.entries, *decision.entries]) == public_record(game, walk.entries)
    for reader in (None, *others):
        assert game.view(after.inner, reader) == game.view(match.inner, reader), (demand, action)
    told = notices(match, after, decision.entries)
    assert all(notice.seats == (demand.seat,) for notice in told), told
    yield from (type(entry.event).__name__ for entry in decision.entries)


@pytest.mark.parametrize("kind", ["alone", "counted", "at a table"])
def test_the_cached_state_of_a_match_with_private_answers_is_its_fold(kind: str) -> None:
    walk = begun("buttons", 1, PUZZLES[kind], 1)
    kept = 0
    for number in range(4):
        for r in walk.match.rounds:
            for demand in [d for d in outstanding(walk.match, r) if d.seat]:
                walk.now += timedelta(hours=1)
                give(
                    walk,
                    demand,
                    seam.suggest(walk.game, walk.match.inner, demand, Chance(given_seed(number))),
                )
        kept += sum(len(r.answered) for r in walk.match.rounds)
        assert thaw(walk.game, freeze(walk.game, walk.match)) == walk.match
    print(kind, kept)
    assert any(isinstance(entry.event, ev.AnsweredInPrivate) for entry in walk.entries)
