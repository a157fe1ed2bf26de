"""How a piece of work grows with its size, told by what it computes: on any machine, however busy."""

import gc
from collections.abc import Callable
from math import inf
from time import process_time

TRIES = 6
LEAST = 0.01  # seconds: below it a clock tells little


def computed(work: Callable[[], object]) -> float:
    """Seconds of this process's computing. A collection of garbage takes as long as the process is old, and is nobody's
    fault here."""
    gc.disable()
    try:
        began = process_time()
        work()
        return process_time() - began
    finally:
        gc.enable()


def is_at_most(times: float, small: Callable[[], object], large: Callable[[], object]) -> bool:
    """Whether the larger piece of work takes at most so many times as long as the smaller one. Others on the same
    processor slow it down, now the one and now the other: of each the least of a few tries counts."""
    least_small = least_large = inf
    for _ in range(TRIES):
        least_large = min(least_large, computed(large))
        if least_large <= times * LEAST:
            return True
        least_small = min(least_small, computed(small), computed(small))
        if least_large <= times * least_small:
            return True
    return False
