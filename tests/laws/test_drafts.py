"""Contract, 'Mail in': an answer to what a seat is asked for next is kept as its draft. Held to at every moment of
walks through every game: nobody else is told, the fold knows it, the round that asks for it brings it back checked, and
it goes with that round, a rewind, another person in the seat, or a word."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest

from referee.core import seam
from referee.core.answers import Body
from referee.core.chance import Chance, given_seed
from referee.core.value import Demand
from referee.match import commands as do
from referee.match import events as ev
from referee.match.commands import Accepted, Discarded, Kept, Refused
from referee.match.decide import Decision, decide
from referee.match.events import Entrant
from referee.match.match import RoundName, fold, freeze, thaw
from referee.match.meanings import drafted
from referee.match.notices import notices
from referee.match.record.public import public_record
from referee.rehearsal.players import heading_kind
from tests.laws.walks import KEYS, KINDS, Walk, give, steps
from tests.sampling import one_in

WAITS = {"fourplay", "morris", "multigo", "onepiece", "buttons"}  # games in which a seat waits for its turn


def foreseen(walk: Walk, seat: int) -> tuple[Demand, ...]:
    ahead = walk.match.standing.expected(seat) if walk.match.standing else None
    return ahead.demands if ahead else ()


def early(walk: Walk, demand: Demand, seed: int) -> tuple[str, object]:
    """An answer that a seeded player gives, in the state in which it may be asked for, as its form says it."""
    ahead = walk.match.standing.expected(demand.seat)  # type: ignore[union-attr]
    state = ahead.standing.state
    action = seam.suggest(walk.game, state, demand, Chance(given_seed(seed)))
    return seam.filled_in(walk.game, state, demand, walk.match.party(demand.seat), action), action


def mailed(walk: Walk, demand: Demand, text: str) -> do.Submit:
    """In reply to the newest letter: a fresh mail may be a late one of a round that the seat has missed."""
    replies = tuple(RoundName(r.label, r.opened) for r in walk.match.rounds)
    kind = heading_kind(walk.game, demand)
    return do.Submit(demand.seat, kind, Body.of(text), walk.now, replies=replies)


def sent(walk: Walk, demand: Demand, text: str) -> Decision:
    """What would become of it; nothing is written."""
    command = mailed(walk, demand, text)
    return decide(walk.game, walk.match, command, walk.now, KEYS, lambda: walk.entries)


def copied(walk: Walk) -> Walk:
    return Walk(walk.game, walk.match, list(walk.entries), walk.now)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", one_in(2, KINDS))
def test_what_is_sent_too_soon_is_kept_and_nobody_else_is_told(kind: str) -> None:
    kept: Counter[str] = Counter()
    texts: dict[str, list[str]] = {}
    for number, each in enumerate(steps(kind, 3, 14)):
        walk = each.walk
        for seat in walk.match.numbers:
            for demand in foreseen(walk, seat):
                text, _ = early(walk, demand, number)
                decision = sent(walk, demand, text)
                assert isinstance(decision.verdict, Kept), (demand, text, decision.verdict)
                assert not decision.verdict.complaints
                stays_with_its_seat(walk, decision, seat)
                kept[demand.kind] += 1
                for other in texts.get(demand.kind, ())[-3:]:  # what stood right elsewhere may be wrong here
                    assert isinstance(sent(walk, demand, other).verdict, Kept | Refused)
                texts.setdefault(demand.kind, []).append(text)
    print(kind, dict(kept))
    slug, seats, options = KINDS[kind]
    alternating = seats > 1 and options.get("order") != "parallel"
    assert kept or slug not in WAITS or not alternating


def stays_with_its_seat(walk: Walk, decision: Decision, seat: int) -> None:
    game, match, after = walk.game, walk.match, decision.match
    assert (after.head, after.position, after.rounds) == (match.head, match.position, match.rounds)
    assert after.standing == match.standing
    assert not any(entry.public for entry in decision.entries)
    ledger = [*walk.entries, *decision.entries]
    assert public_record(game, ledger) == public_record(game, walk.entries)
    assert notices(match, after, decision.entries) == ()
    assert fold(lambda _: game, ledger) == after == thaw(game, freeze(game, after))
    assert set(after.drafts) - set(match.drafts) <= {seat}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", one_in(2, KINDS))
def test_the_round_that_asks_brings_it_back_and_a_word_sends_it(kind: str) -> None:
    """Beside a match without drafts, step by step: what is public stays alike. A draft that stands right, or could be
    put right, counts as the letter shows it."""
    came: Counter[str] = Counter()
    for number, each in enumerate(steps(kind, 4, 16)):
        plain, walk = each.walk, copied(each.walk)
        for seat in walk.match.numbers:
            for demand in foreseen(walk, seat):
                text, _ = early(walk, demand, number)
                assert isinstance(walk.do(mailed(walk, demand, text)).verdict, Kept)
        written = dict(walk.match.drafts)
        after = copied(plain)
        for one in (walk, after):
            one.now += timedelta(minutes=5)
            give(one, each.demand, each.action)
        assert public_record(walk.game, walk.entries) == public_record(after.game, after.entries)
        assert fold(lambda _, game=walk.game: game, walk.entries) == walk.match  # type: ignore[misc]
        for seat, draft in walk.match.drafts.items():
            assert written[seat].text == draft.text
            if draft.asked is None:
                assert draft.demand.kind in {d.kind for d in foreseen(walk, seat)}
            else:
                came[comes_back(walk, seat)] += 1
    print(kind, dict(came))
    slug, seats, options = KINDS[kind]
    assert came["sent"] or slug not in WAITS or seats == 1 or options.get("order") == "parallel"


def comes_back(walk: Walk, seat: int) -> str:
    draft = walk.match.drafts[seat]
    r = next(r for r in walk.match.rounds if r.opened == draft.asked)
    demand = next(d for d in r.demands if d.seat == seat and d.kind == draft.demand.kind)
    shown = drafted(walk.match, demand)
    if shown is None:
        return "says nothing"
    decision = sent(walk, demand, shown.form)
    if shown.left:
        assert isinstance(decision.verdict, Refused), shown
        return "left to mend"
    assert isinstance(decision.verdict, Accepted), (shown, decision.verdict)
    assert seat not in decision.match.drafts
    return "mended" if shown.complaints else "sent"


def drafting(kind: str, seed: int = 5) -> tuple[Walk, Demand] | None:
    """A walk at its first moment at which a seat may send something too soon, and has."""
    for each in steps(kind, seed, 8):
        for seat in each.walk.match.numbers:
            for demand in foreseen(each.walk, seat):
                walk = copied(each.walk)
                text, _ = early(walk, demand, 1)
                assert isinstance(walk.do(mailed(walk, demand, text)).verdict, Kept)
                return walk, demand
    return None


@pytest.mark.parametrize("kind", KINDS)
def test_it_goes_with_a_rewind_another_person_a_word_and_a_newer_one(kind: str) -> None:
    found = drafting(kind)
    if found is None:
        pytest.skip("nothing can come too soon")
    start, demand = found
    seat, version = demand.seat, start.match.version
    assert set(start.match.drafts) == {seat}

    replaced = copied(start)
    replaced.do(ev.EntrantReplaced(seat, Entrant("Somebody New", ("new@example.org",)), "he moved away"))
    vacated = copied(start)
    vacated.do(ev.SeatVacated(seat, "he is gone"))
    rewound = copied(start)
    label = next(r.label for r in start.match.rounds)
    rewound.do(do.Rewind(label, "once more"))
    dropped = copied(start)
    assert isinstance(dropped.do(do.Withdraw(seat, start.now, draft=True)).verdict, Discarded)
    for walk in (replaced, vacated, rewound, dropped):
        assert walk.match.version > version
        assert seat not in walk.match.drafts
        assert fold(lambda _, game=walk.game: game, walk.entries) == walk.match  # type: ignore[misc]
    assert isinstance(dropped.do(do.Withdraw(seat, start.now, draft=True)).verdict, Refused)
    assert public_record(dropped.game, dropped.entries) == public_record(start.game, start.entries)

    newer = copied(start)
    for seed in range(2, 12):
        text, _ = early(newer, demand, seed)
        decision = sent(newer, demand, text)
        assert isinstance(decision.verdict, Kept)
        assert decision.match.drafts[seat].text == decision.verdict.text


@pytest.mark.parametrize("kind", KINDS)
def test_a_round_that_ends_without_it_takes_it_along(kind: str) -> None:
    """A deadline never sends a draft, and the next round does not ask for an old one."""
    found = drafting(kind)
    if found is None:
        pytest.skip("nothing can come too soon")
    walk, demand = found
    asked = False
    for _ in range(12):
        seat_now = walk.match.drafts.get(demand.seat)
        if walk.match.status == "ended" or seat_now is None:
            break
        asked = asked or seat_now.asked is not None
        dues = [at for r in walk.match.rounds for d in r.demands if (at := r.due_for(d.seat)) is not None]
        if not dues:
            pytest.skip("no deadline passes here")
        before = len(walk.entries)
        walk.now = max(walk.now, min(dues) + timedelta(seconds=1))
        walk.do(do.Expire(walk.now))
        fresh = [entry.event for entry in walk.entries[before:]]
        assert not any(isinstance(e, ev.Answered) and e.demand.seat == demand.seat for e in fresh)
        if not fresh:
            pytest.skip("the match waits")
    assert demand.seat not in walk.match.drafts


def test_a_draft_is_no_part_of_what_a_match_is_said_to_be() -> None:
    """A guard of this file: what it compares would differ if a draft were public."""
    found = drafting("nine men")
    assert found is not None
    walk, _ = found
    entry = walk.entries[-1]
    assert isinstance(entry.event, ev.DraftKept)
    public = [*walk.entries[:-1], replace(entry, public=True, position=entry.position + 1)]
    assert public_record(walk.game, public) != public_record(walk.game, walk.entries)
