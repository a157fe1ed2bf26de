"""Long checks in short: of many cases every so many-th in the ordinary run, all the others in the long one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def one_in(every: int, cases: Iterable[Any]) -> list[Any]:
    """The cases of a parametrized test, all but every so many-th of them left to `make soak`. A tuple is one case's
    arguments."""
    return [
        case if number % every == 0 else pytest.param(*_arguments(case), marks=pytest.mark.soak)
        for number, case in enumerate(cases)
    ]


def _arguments(case: Any) -> tuple[Any, ...]:
    return case if isinstance(case, tuple) else (case,)
