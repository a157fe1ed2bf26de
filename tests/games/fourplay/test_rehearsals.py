"""Whole matches by mail, every law looked at after every pass: one here, three of each variant in the soak run.

The players take a King when they can; after sixty rounds, twelve in the one here, all but the leader resign. They err,
try first, send twice, oversleep, write out of turn, object and leave; the moderator pauses, extends, rewinds and fills
seats.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.rehearsal import rehearse
from referee.rehearsal.laws import Laws, Passed
from referee.rehearsal.players import Plan, Report
from tests.games.fourplay.board_laws import watch
from tests.rehearsal.restless import RestlessPlaying

VARIANTS: dict[str, dict[str, str]] = {
    "as the rules have it": {},
    "lenient": {"statements": "lenient"},
    "the match waits": {"on_timeout": "hold"},
    "two cycles": {"cycles": "2", "waiting_period": "2d"},
    "orthodox": {"catalogue": "orthodox", "capture_reward": "0"},
    "hasty": {"turn_window": "1d", "purchase_window": "1d", "setup_window": "1d"},
    "small armies": {"budget": "150", "least_spent": "50"},
    "lenient and orthodox": {"statements": "lenient", "catalogue": "orthodox", "dollarman_income": "60"},
    "waits, two cycles": {"on_timeout": "hold", "cycles": "2"},
    "full": {"statements": "full"},
    "rich": {"dollarman_income": "100", "dollarman_reward": "200"},
}
EACH = 3


LAWS = Laws.after


def watched(laws: Laws, passed: Passed) -> Iterator[str]:
    """The laws of every game, then those of the board."""
    yield from LAWS(laws, passed)
    yield from watch(passed.before, passed.after)


def rehearsed(variant: str, seed: int, folder: Path, matches: int = 1) -> Report:
    plan = Plan("fourplay", None, VARIANTS[variant], seed, matches)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Laws, "after", watched)
        report = rehearse.rehearsed(plan, folder, lambda line: None, plays=RestlessPlaying)
    assert report.faults == []
    assert len(report.outcomes) == matches
    assert not any("not ended" in outcome for outcome in report.outcomes)
    return report


@pytest.mark.parametrize(
    ("variant", "seed"),
    [("small armies", 5), pytest.param("as the rules have it", 3, marks=pytest.mark.soak)],
)
def test_every_law_holds_at_every_step_of_a_match(variant: str, seed: int, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        if variant == "small armies":
            patch.setattr("referee.games.fourplay.turns.turn.PATIENCE", 6)
        report = rehearsed(variant, seed, tmp_path)
    assert report.counts["accepted"] > 12
    assert report.counts["sent"] == report.counts["letters"] > 100


@pytest.mark.soak
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_law_holds_at_every_step_of_whole_matches_of_every_variant(
    variant: str, tmp_path: Path
) -> None:
    """The matches of each variant together hold everything that players and moderators do."""
    seed = 1000 * (1 + list(VARIANTS).index(variant))
    report = rehearsed(variant, seed, tmp_path, EACH)
    happenings = ["refusals", "ignored", "moderator: rewind", "moderator: pause"]
    if (
        VARIANTS[variant].get("on_timeout") != "hold"
    ):  # there only a purchase or a setup can lapse, which is rare
        happenings.append("lapsed")
    for happening in happenings:
        assert report.counts[happening], happening
