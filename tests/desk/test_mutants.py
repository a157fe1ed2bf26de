"""A sample of `tests/bench/test_fuzz_bench.py`."""

from __future__ import annotations

from tests.desk.mutants import Mutants
from tests.desk.stage import Stage


def test_no_damaged_mail_reaches_the_shunt(stage: Stage) -> None:
    mutants = Mutants(stage, seed=1)
    mutants.run(400)
    assert not mutants.faults, "\n".join(mutants.faults)
    assert sum(mutants.verdicts.values()) >= 400
    assert {"accepted", "refused", "answered", "discarded", "held"} <= set(+mutants.verdicts)
