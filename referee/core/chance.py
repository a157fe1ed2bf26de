"""Chance that anyone can check: a SHA-256 counter, rejection sampling, and a transcript of every draw."""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

from referee.core.value import Value

T = TypeVar("T")

RECIPE = """\
def word(seed, i):                                   # the i-th number below 2**64
    block = hashlib.sha256(bytes.fromhex(seed) + i.to_bytes(8, "big")).digest()
    return int.from_bytes(block[:8], "big")
def below(seed, i, n):                               # a number below n, and the next i
    while word(seed, i) >= 2**64 // n * n:           # too high to be fair: throw it away
        i += 1
    return word(seed, i) % n, i + 1
def shuffle(seed, i, items):
    for k in range(len(items) - 1, 0, -1):
        j, i = below(seed, i, k + 1)
        items[k], items[j] = items[j], items[k]
    return items"""


class Drawn(Value):
    """One draw in a transcript: what it decided, the counter before it, the bound, the result."""

    purpose: str
    counter: int
    bound: int
    result: int


class Chance:
    """A stream of fair numbers from a seed (64 hexadecimal digits); every draw goes into `transcript`."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self._key = bytes.fromhex(seed)
        self._counter = 0
        self._transcript: list[Drawn] = []

    @property
    def transcript(self) -> tuple[Drawn, ...]:
        return tuple(self._transcript)

    def below(self, bound: int, purpose: str) -> int:
        """A whole number from 0 to bound - 1, each equally likely: words past the last full multiple are refused."""
        if bound < 1:
            raise ValueError(f"nothing can be drawn below {bound}")
        start, fair, word = self._counter, 2**64 // bound * bound, 2**64
        while word >= fair:
            block = hashlib.sha256(self._key + self._counter.to_bytes(8, "big")).digest()
            word, self._counter = int.from_bytes(block[:8], "big"), self._counter + 1
        self._transcript.append(Drawn(purpose, start, bound, word % bound))
        return word % bound

    def shuffle(self, items: Sequence[T], purpose: str) -> tuple[T, ...]:
        """The items in an order drawn so that every order is equally likely (Fisher and Yates)."""
        order = list(items)
        for k in range(len(order) - 1, 0, -1):
            j = self.below(k + 1, purpose)
            order[k], order[j] = order[j], order[k]
        return tuple(order)


def mixed(seed: str, beacon: str) -> str:
    """The seed with a public value mixed in: SHA-256 of the seed's bytes followed by the beacon's UTF-8."""
    return hashlib.sha256(bytes.fromhex(seed) + beacon.encode()).hexdigest()


def given_seed(number: int) -> str:
    """The seed that a published number stands for (`open --seed N`)."""
    return hashlib.sha256(f"referee seed {number}".encode()).hexdigest()
