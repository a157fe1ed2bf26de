"""`referee worker` as it must not be: on a machine whose clock is wrong by REFEREE_TEST_SKEW seconds, and with a
library that ends the process over a mail that holds the word of REFEREE_TEST_POISON. Run as a program."""

import datetime
import os
import signal
import time
from typing import Any


def skewed(seconds: float) -> None:
    """Every clock that Python reads in this process is wrong."""
    honest, base = time.time, datetime.datetime
    time.time = lambda: honest() + seconds
    time.time_ns = lambda: int((honest() + seconds) * 1e9)

    class AnyMoment(type):
        def __instancecheck__(cls, value: object) -> bool:
            return isinstance(value, base)

    class Skewed(base, metaclass=AnyMoment):
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> Any:
            return base.now(tz) + datetime.timedelta(seconds=seconds)

        @classmethod
        def utcnow(cls) -> Any:
            return base.utcnow() + datetime.timedelta(seconds=seconds)

    datetime.datetime = Skewed  # type: ignore[misc]


def lethal(word: bytes) -> None:
    """Whoever judges a mail with that word dies at once."""
    from referee.way import stations

    honest = stations.judge

    def judge(case: Any) -> Any:
        if word in case.kept.raw:
            os.kill(os.getpid(), signal.SIGKILL)
        return honest(case)

    stations.judge = judge


if __name__ == "__main__":
    if skew := float(os.environ.get("REFEREE_TEST_SKEW", "0")):
        skewed(skew)
    if poison := os.environ.get("REFEREE_TEST_POISON", ""):
        lethal(poison.encode())
    from referee.cli import program

    program()
