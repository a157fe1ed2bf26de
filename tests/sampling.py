"""Long checks in short: of many cases every so many-th in the ordinary run, all the others in the long one.

Of the values of one parameter by `one_in`; of all the cases of a test, whatever they are made of, by the mark
`@pytest.mark.one_in(every)`, which `left_to_the_long_run` carries out."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import pytest


def one_in(every: int, cases: Iterable[Any]) -> list[Any]:
    """The cases of a parametrized test, all but every so many-th of them left to `make soak`. A tuple is one case's
    arguments."""
    return [
        one for number, case in enumerate(cases) for one in ([case] if number % every == 0 else long(case))
    ]


def long(*cases: Any) -> list[Any]:
    """Cases that are left to `make soak`."""
    return [pytest.param(*_arguments(case), marks=pytest.mark.soak) for case in cases]


def left_to_the_long_run(items: Sequence[pytest.Item]) -> None:
    """Of the cases of each test that is marked so all but every so many-th."""
    numbers = Counter[str]()
    for item in items:
        mark = item.get_closest_marker("one_in")
        if mark is not None and item.get_closest_marker("soak") is None:
            test = item.nodeid.partition("[")[0]
            if numbers[test] % mark.args[0]:
                item.add_marker(pytest.mark.soak)
            numbers[test] += 1


def _arguments(case: Any) -> tuple[Any, ...]:
    return case if isinstance(case, tuple) else (case,)
