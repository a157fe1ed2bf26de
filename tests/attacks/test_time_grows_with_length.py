"""What is done with a mail's bytes before its limits are known takes time that grows with their number alone, whatever
they are: kinds of text that once took more, and others drawn from a seed, each in a place. What counts is this
process's own computing, against that of ordinary short lines in the same run; `make soak` takes a sixth of all."""

import random
from collections.abc import Callable

import pytest

from referee.mail.reader import MailReader
from tests.attacks.heavy_texts import Mail, every, read_whole, reader
from tests.computing import is_at_most

SMALL, LARGE = 60_000, 240_000
SHORT_LINES = Mail("short lines", "body")
ONCE = [
    Mail("marks above and below", "body"),
    Mail("marks in falling order", "flowed body"),
    Mail("attributes", "HTML body"),
    Mail("CR", "delivery report"),
    Mail("blanks", "signed body"),
    Mail("blanks and tabs", "signed body"),
]
SOME = random.Random(21).sample(sorted(every()), 10)
OTHERS = sorted({*every(), *ONCE} - {*ONCE[::2], *SOME[::2]})[::6]


@pytest.fixture(scope="module")
def every_day() -> MailReader:
    return reader()


@pytest.mark.parametrize(
    "mail",
    [*ONCE[::2], *SOME[::2], *(pytest.param(mail, marks=pytest.mark.soak) for mail in OTHERS)],
    ids=lambda mail: "-".join(mail),
)
def test_four_times_the_text_takes_no_more_than_eight_times_as_long(
    mail: Mail, every_day: MailReader
) -> None:
    def reading(raw: bytes) -> Callable[[], None]:
        return lambda: read_whole(every_day, raw)

    # of short lines a mail of that length has the most that are read
    ordinary, small, large = map(reading, (SHORT_LINES.of(LARGE), mail.of(SMALL), mail.of(LARGE)))
    assert is_at_most(6, ordinary, large)
    assert is_at_most(8, small, large) or is_at_most(1, ordinary, large)
