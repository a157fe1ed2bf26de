"""The program with a reader that never comes to an end with a mail that holds a word: in machine code with the
interpreter's lock held, where no Python code reaches it, a signal's handler neither, or asleep. Run as a program.
REFEREE_TEST_HEAVY says which: `word method how`."""

import os
import time
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

from referee.mail.reader import MailReader

ENDLESS: Mapping[str, Callable[[], object]] = {
    "computing": lambda: unicodedata.normalize(
        "NFD", "\u0315\u0300" * 3_000_000
    ),  # hours, and no signal is looked for
    "sleeping": lambda: time.sleep(10_000),
}


def endless(word: bytes, where: str, work: Callable[[], object]) -> None:
    """From now on that method of the reader never comes to an end with such a mail."""
    honest = getattr(MailReader, where)

    def reading(self: MailReader, raw: bytes, **given: Any) -> Any:
        if word in raw:
            work()
        return honest(self, raw, **given)

    setattr(MailReader, where, reading)


if __name__ == "__main__":
    word, where, how = os.environ["REFEREE_TEST_HEAVY"].split()
    endless(word.encode(), where, ENDLESS[how])
    from referee.cli import program

    program()
