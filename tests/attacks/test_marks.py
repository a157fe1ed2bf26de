"""Whatever stands in a mail, no letter of what is read carries more marks than the Stream-Safe Text Format allows (UAX
#15, 13): the time of every normal form grows with the square of that number."""

import random
import sys
import unicodedata

from referee.mail.read.decoding import MOST_MARKS, tidy

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
