"""A hundred thousand damaged mails, from bytes to verdict at a desk with matches of every game: none is shunted."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.desk.mutants import Mutants
from tests.desk.stage import Stage

MAILS = 100_000
SEEDS = 10


@pytest.mark.parametrize("seed", range(SEEDS))
def test_no_damaged_mail_reaches_the_shunt(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_SECRET", "a secret for tests only, the same in all of them")
    mutants = Mutants(Stage(tmp_path), seed)
    start = time.process_time()
    mutants.run(MAILS // SEEDS)
    told = ", ".join(f"{count} {verdict}" for verdict, count in mutants.verdicts.most_common())
    print(f"\nseed {seed}: {MAILS // SEEDS} mails, {time.process_time() - start:.0f} s: {told}")
    assert not mutants.faults, "\n".join(mutants.faults)
    assert mutants.verdicts["accepted"] > MAILS // SEEDS // 100
