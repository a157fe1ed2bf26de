"""Conditional turns in seeded players' hands, beside rewinds, replacements, lapses and bad mails: every law holds."""

import json
from pathlib import Path

import pytest

from referee.rehearsal import rehearse
from referee.rehearsal.players import Plan
from tests.rehearsal.restless import PlayingInTurn
from tests.sampling import long

SAMPLE: tuple[tuple[str, int | None, dict[str, str], int], ...] = (
    ("morris", None, {"delay": "6h"}, 2),
    ("multigo", 3, {"board": "9x9"}, 1),
    ("onepiece", 2, {"grid": "5x5", "pieces": "8"}, 2),
)


def rehearsed(game: str, seats: int | None, options: dict[str, str], seed: int, folder: Path) -> int:
    """How many answers were conditional."""
    report = rehearse.rehearsed(
        Plan(game, seats, options, seed, 1), folder, lambda line: None, plays=PlayingInTurn
    )
    assert report.faults == []
    assert not any("not ended" in outcome for outcome in report.outcomes)
    (record,) = (folder / "records").glob("*.json")
    entries = json.loads(record.read_text(encoding="utf-8"))["entries"]
    return sum(entry["is"] == "AnsweredAhead" for entry in entries)


@pytest.mark.parametrize(
    ("game", "seats", "options", "seed"),
    long(*SAMPLE, *((*each[:3], seed) for each in SAMPLE for seed in range(10, 16))),
)
def test_a_rehearsal_with_conditional_turns_holds_every_law(
    game: str, seats: int | None, options: dict[str, str], seed: int, tmp_path: Path
) -> None:
    ahead = rehearsed(game, seats, options, seed, tmp_path / "kept")
    assert ahead > 0 or seed >= 10
