"""Damaged mails, from bytes to verdict at a desk with matches of every game: none is shunted. A few here, tens
of thousands in the soak run."""

from __future__ import annotations

import pytest

from tests.offices.stage import Stage
from tests.way.mutants import Mutants


def test_no_damaged_mail_reaches_the_shunt(stage: Stage) -> None:
    mutants = Mutants(stage, seed=1)
    mutants.run(120)
    assert not mutants.faults, "\n".join(mutants.faults)
    assert sum(mutants.verdicts.values()) >= 120
    assert {"accepted", "refused", "answered", "discarded", "held"} <= set(+mutants.verdicts)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(4))
def test_of_tens_of_thousands_of_damaged_mails_none_reaches_the_shunt(stage: Stage, seed: int) -> None:
    mutants = Mutants(stage, seed)
    mutants.run(10_000)
    assert not mutants.faults, "\n".join(mutants.faults)
    assert mutants.verdicts["accepted"] > 100
