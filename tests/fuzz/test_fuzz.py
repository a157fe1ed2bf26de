"""Every target stands whatever was found once, and a few inputs that are the same in every run."""

from pathlib import Path

import pytest

from tests.fuzz.fuzzing import cases, put, tried
from tests.fuzz.targets import TARGETS


@pytest.mark.parametrize(("name", "path"), cases(), ids=lambda told: getattr(told, "name", told))
def test_what_was_found_once_is_well(name: str, path: Path) -> None:
    put(TARGETS[name], path.read_bytes())


@pytest.mark.parametrize("name", TARGETS)
def test_a_few_inputs_are_well(name: str) -> None:
    assert tried(TARGETS[name], 60, fixed=True) is None


@pytest.mark.parametrize("name", TARGETS)
def test_what_inputs_begin_from_is_well(name: str) -> None:
    for seed in TARGETS[name].seeds()[:200]:
        put(TARGETS[name], seed)
