"""Damaged mails, from bytes to verdict at a desk with matches of every game: none is shunted. A few here, tens
of thousands in the soak run."""

import pytest

from tests.memory import Stage
from tests.sampling import long
from tests.way.mutants import Mutants


@pytest.mark.parametrize(("seed", "count"), [(1, 120), *long(*((seed, 10_000) for seed in range(4)))])
def test_no_damaged_mail_reaches_the_shunt(stage: Stage, seed: int, count: int) -> None:
    mutants = Mutants(stage, seed)
    mutants.run(count)
    assert not mutants.faults, "\n".join(mutants.faults)
    assert sum(mutants.verdicts.values()) >= count
    assert {"accepted", "refused", "answered", "discarded", "held"} <= set(+mutants.verdicts)
    assert mutants.verdicts["accepted"] >= count // 100
