"""600: the draw can be made again by anyone, and favours no order."""

from __future__ import annotations

import hashlib
from collections import Counter

from referee.core.chance import RECIPE, Chance, mixed
from referee.core.owing import Demand
from referee.match import events as ev
from referee.match.sealing import SEAL_RECIPE, Keys, commitment, given_seed, seal
from tests.laws.walks import begin


def _recipe() -> dict[str, object]:
    names: dict[str, object] = {"hashlib": hashlib}
    exec(RECIPE, names)
    return names


def test_600_the_printed_recipe_gives_the_announced_order() -> None:
    for seed in map(given_seed, range(200)):
        order = Chance(seed).shuffle(["Ann", "Ben", "Cleo", "Dan"], "order of play")
        assert tuple(_recipe()["shuffle"](seed, 0, ["Ann", "Ben", "Cleo", "Dan"])) == order  # type: ignore[operator]


def test_600_every_order_is_as_likely_as_any_other() -> None:
    drawn = Counter(Chance(given_seed(n)).shuffle("ABCD", "order") for n in range(12_000))
    assert len(drawn) == 24
    assert (
        sum((count - 500) ** 2 / 500 for count in drawn.values()) < 49.7
    )  # chi-square, 23 degrees, p = 0.001


def test_600_numbers_too_high_to_be_fair_are_thrown_away() -> None:
    bound = 2**63 + 1
    chance = Chance(given_seed(1))
    results = [chance.below(bound, "half are refused") for _ in range(50)]
    assert all(0 <= r < bound for r in results)
    assert chance.transcript[-1].counter > 60


def test_600_the_seating_of_a_match_follows_from_its_transcript() -> None:
    walk = begin("fourplay", 7)
    begun = next(e.event for e in walk.entries if isinstance(e.event, ev.MatchBegun))
    opened = walk.entries[0].event
    assert isinstance(opened, ev.MatchOpened)
    assert commitment(begun.seed) == opened.commitment
    again = Chance(begun.seed)
    for drawn in begun.transcript:
        assert again.below(drawn.bound, drawn.purpose) == drawn.result
    assert sorted(begun.seating) == [1, 2, 3, 4]


def test_600_a_public_value_named_beforehand_changes_the_draw() -> None:
    seed = given_seed(1)
    assert (
        mixed(seed, "lottery 5 17 23") == hashlib.sha256(bytes.fromhex(seed) + b"lottery 5 17 23").hexdigest()
    )
    assert mixed(seed, "lottery 5 17 23") != mixed(seed, "lottery 5 17 24")


def test_the_printed_recipe_gives_the_seal(capsys) -> None:  # type: ignore[no-untyped-def]
    demand = Demand("Purchase", 2)
    nonce = Keys(b"secret of a test").nonce("m", "Initial Purchase", 9, demand)
    facts = {"match": "m", "label": "Initial Purchase", "opened": 9, "seat": 2, "kind": "Purchase", "about": "",
             "text": "10 Pawn\nMascot: Pawn", "nonce": nonce}  # fmt: skip
    exec(SEAL_RECIPE, dict(facts))
    assert capsys.readouterr().out.strip() == seal(
        nonce, "m", "Initial Purchase", 9, demand, "10 Pawn\nMascot: Pawn"
    )


def test_seals_differ_by_match_round_seat_and_text() -> None:
    keys = Keys(b"secret of a test")
    made = {
        seal(keys.nonce(match, label, opened, demand), match, label, opened, demand, text)
        for match in ("a", "b")
        for label in ("Round 1", "Round 2")
        for opened in (1, 2)
        for demand in (Demand("Move", 1), Demand("Move", 2), Demand("Ally", 1), Demand("Move", 1, "x"))
        for text in ("Pass", "Move: C3")
    }
    assert len(made) == 2 * 2 * 2 * 4 * 2
