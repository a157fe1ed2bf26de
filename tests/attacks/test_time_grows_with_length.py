"""What is done with a mail's bytes before its limits are known takes time that grows with their number alone, whatever
they are: kinds of text that once took more, and others drawn from a seed, each in a place. What counts is this
process's own computing, against that of ordinary short lines in the same run; `make soak` takes a sixth of all."""

import random
import sys
import unicodedata
from collections.abc import Callable

import pytest

from referee.mail.read.decoding import MOST_MARKS, tidy
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
SOME = random.Random(21).sample(sorted(every()), 18)
OTHERS = sorted({*every(), *ONCE} - {*ONCE[::2], *SOME[::2]})[::6]


@pytest.fixture(scope="module")
def every_day() -> MailReader:
    return reader()


def reading(reader: MailReader, raw: bytes) -> Callable[[], None]:
    return lambda: read_whole(reader, raw)


@pytest.mark.parametrize(
    "mail",
    [*ONCE[::2], *SOME[::2], *(pytest.param(mail, marks=pytest.mark.soak) for mail in OTHERS)],
    ids=lambda mail: "-".join(mail),
)
def test_four_times_the_text_takes_no_more_than_eight_times_as_long(
    mail: Mail, every_day: MailReader
) -> None:
    # of short lines a mail of that length has the most that are read
    ordinary, small, large = (
        reading(every_day, raw) for raw in (SHORT_LINES.of(LARGE), mail.of(SMALL), mail.of(LARGE))
    )
    assert is_at_most(6, ordinary, large)
    assert is_at_most(8, small, large) or is_at_most(1, ordinary, large)


def test_so_it_is_with_ordinary_lines(every_day: MailReader) -> None:
    """Eight times as many take some eight times as long; what grows with the square takes sixty-four."""
    assert is_at_most(25, *(reading(every_day, SHORT_LINES.of(size)) for size in (6_000, 48_000)))


# --- marks: no letter carries more than the Stream-Safe Text Format allows (UAX #15, 13) -------------------------


FORMS = ("NFC", "NFD", "NFKC", "NFKD")
MIXED = 300


def _begins_with_a_mark(sign: str) -> bool:
    return any(unicodedata.combining(unicodedata.normalize(form, sign)[:1]) for form in ("NFD", "NFKD"))


BETWEEN = (
    ["\u200d"],
    ["\u200c", "\u200b"],
    ["\ufe0f", "\U000e0100"],
    ["\u0903", "\u20dd"],
)  # nothing parts them


def most_marks(text: str) -> int:
    """The most marks in a row, in any normal form."""
    most = 0
    seen = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    for form in FORMS:
        run = 0
        for sign in unicodedata.normalize(form, seen):
            run = run + 1 if unicodedata.combining(sign) else 0
            most = max(most, run)
    return most


def test_no_mark_piles_up_alone_or_among_others() -> None:
    chance = random.Random(1)
    marks = [sign for sign in map(chr, range(sys.maxunicode + 1)) if _begins_with_a_mark(sign)]
    mixes = [[mark] for mark in marks]
    mixes += [chance.sample(marks, chance.randint(2, 9)) for _ in range(MIXED)]
    for mix in [one + between for one in mixes for between in ([], *BETWEEN[: len(one)])]:
        pile = tidy("a" + "".join(chance.choice(mix) for _ in range(200)) + "b c")
        assert most_marks(pile) <= 2 * MOST_MARKS + 2, [hex(ord(sign)) for sign in mix]
        assert pile.endswith("b c")
    print(f"{len(mixes)} mixes of {len(marks)} marks")
    assert len(marks) > 900


def test_what_languages_write_is_kept() -> None:
    word = "Z" + "".join(chr(0x300 + n) for n in range(MOST_MARKS))
    assert unicodedata.normalize("NFD", tidy(word)) == unicodedata.normalize("NFD", word)
    assert tidy("‹" * 5000 + "━" * 100) == "‹" * 5000 + "━" * 100
