"""`rehearse` of every game, by its name: a few kinds here, every kind with many seeds in the soak run."""

import pytest

from referee.games import found
from referee.rehearsal import rehearse
from referee.rehearsal.players import Plan
from tests.laws.walks import LAWS
from tests.sampling import one_in

# A game, how many play (None: its usual number), its options; what `tests/games/SLUG/laws.toml` says.
KINDS: dict[str, tuple[str, int | None, dict[str, str]]] = {
    name: (slug, kind.get("seats"), kind.get("options", {}))
    for slug, laws in LAWS.items()
    for name, kind in laws["rehearsals"].items()
}
SAMPLE = {
    name: kind["sample"]
    for laws in LAWS.values()
    for name, kind in laws["rehearsals"].items()
    if "sample" in kind
}
SEEDS = range(101, 104)


def rehearsed(kind: str, seed: int) -> None:
    game, seats, options = KINDS[kind]
    report = rehearse.rehearsed(Plan(game, seats, options, seed, 1), None, lambda line: None)
    assert report.faults == []
    assert not any("not ended" in outcome for outcome in report.outcomes)


def test_every_game_is_rehearsed() -> None:
    assert {game for game, _, _ in KINDS.values()} == set(found())


@pytest.mark.parametrize(("kind", "seed"), one_in(6, SAMPLE.items()))
def test_a_rehearsal_holds_every_law(kind: str, seed: int) -> None:
    rehearsed(kind, seed)


@pytest.mark.soak
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_rehearsal_holds_every_law(kind: str, seed: int) -> None:
    rehearsed(kind, seed)
