"""600: the draw can be made again by anyone, and favours no order."""

import hashlib

from referee.core.chance import RECIPE, Chance, given_seed, mixed


def _recipe() -> dict[str, object]:
    names: dict[str, object] = {"hashlib": hashlib}
    exec(RECIPE, names)
    return names


def test_600_the_printed_recipe_gives_the_announced_order() -> None:
    for seed in map(given_seed, range(200)):
        order = Chance(seed).shuffle(["Ann", "Ben", "Cleo", "Dan"], "order of play")
        assert tuple(_recipe()["shuffle"](seed, 0, ["Ann", "Ben", "Cleo", "Dan"])) == order  # type: ignore[operator]


def test_600_numbers_too_high_to_be_fair_are_thrown_away() -> None:
    bound = 2**63 + 1
    chance = Chance(given_seed(1))
    results = [chance.below(bound, "half are refused") for _ in range(50)]
    assert all(0 <= r < bound for r in results)
    assert chance.transcript[-1].counter > 60


def test_600_a_public_value_named_beforehand_changes_the_draw() -> None:
    seed = given_seed(1)
    assert (
        mixed(seed, "lottery 5 17 23") == hashlib.sha256(bytes.fromhex(seed) + b"lottery 5 17 23").hexdigest()
    )
    assert mixed(seed, "lottery 5 17 23") != mixed(seed, "lottery 5 17 24")
