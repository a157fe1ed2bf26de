"""Reading is linear in the length of a mail, whatever its lines are made of."""

from __future__ import annotations

from functools import partial

import pytest

from tests.computing import is_at_most
from tests.games.fourplay.table import Table, to_purchase, to_setup

UNITS = [
    "1",
    "1 ",
    "F$ ",
    "= ",
    "x ",
    "a ",
    "Pawn ",
    "| ",
    "value ",
    ", ",
    "-",
    "a1 ",
    ".",
    "10 Pawn ",
    "((",
    "é",
]
UNITS.append("\u00a0\t")


@pytest.fixture(scope="module")
def tables() -> dict[str, Table]:
    return {"Ready": Table(), "Purchase": to_purchase(), "Setup": to_setup()}


def check(table: Table, kind: str, start: str, units: list[str]) -> None:
    """Eight times the length takes some eight times as long; what grows with the square takes sixty-four."""
    for unit in units:
        small, large = (start + unit * (size // len(unit)) for size in (2_500, 20_000))
        complain = partial(table.complaints, 1, kind)
        assert is_at_most(25, partial(complain, small), partial(complain, large)), unit


@pytest.mark.parametrize("kind", ["Ready", "Purchase", "Setup"])
def test_one_long_line_costs_no_more_than_its_length(tables: dict[str, Table], kind: str) -> None:
    for start, units in (("", ["1", "10 Pawn "]), ("Total cost: ", ["(("]), ("Email: ", ["1"])):
        check(tables[kind], kind, start, units)


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["Ready", "Purchase", "Setup"])
@pytest.mark.parametrize("start", ["", "Total cost: ", "Pawn: ", "Email: ", "Colours: "])
def test_any_long_line_costs_no_more_than_its_length(tables: dict[str, Table], kind: str, start: str) -> None:
    check(tables[kind], kind, start, UNITS)
