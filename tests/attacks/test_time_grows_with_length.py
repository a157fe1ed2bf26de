"""What is done with a mail's bytes before its limits are known takes time that grows with their number alone, whatever
they are: kinds of text that once took more, and others drawn from a seed, each in a place. What counts is this
process's own computing, against that of ordinary short lines in the same run; `tests/bench` takes all of them, to 1
MB."""

from __future__ import annotations

import random

import pytest

from referee.post.reader import MailReader
from tests.attacks.heavy_texts import Mail, cost, every, reader

SMALL, LARGE = 60_000, 240_000
DRAWN = 10
ONCE = [
    Mail("marks above and below", "body"),
    Mail("marks in falling order", "flowed body"),
    Mail("attributes", "HTML body"),
    Mail("CR", "delivery report"),
    Mail("blanks", "signed body"),
    Mail("blanks and tabs", "signed body"),
]


@pytest.fixture(scope="module")
def every_day() -> MailReader:
    return reader()


@pytest.fixture(scope="module")
def ordinary(every_day: MailReader) -> float:
    """What short lines cost, of which a mail of that length has the most that are read."""
    return cost(every_day, Mail("short lines", "body").of(LARGE))


@pytest.mark.parametrize(
    "mail", [*ONCE, *random.Random(21).sample(sorted(every()), DRAWN)], ids=lambda mail: "-".join(mail)
)
def test_four_times_the_text_takes_no_more_than_eight_times_as_long(
    mail: Mail, every_day: MailReader, ordinary: float
) -> None:
    large = cost(every_day, mail.of(LARGE))
    assert large < 6 * ordinary
    assert large < ordinary or large < 8 * cost(every_day, mail.of(SMALL))
