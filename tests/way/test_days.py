"""Days as people write them: understood as they were meant, asked about where they can be read in two ways, and never
guessed from what is not understood."""

import random
import re
from datetime import date, timedelta
from pathlib import Path

import pytest

from referee.core.value import Line
from referee.language.wishes import wishes
from referee.way.days import Days, days_in
from tests.world import World

MONDAY = date(2026, 11, 23)
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
          "December")  # fmt: skip

SAID = {
    "24 December to 2 January": "2026-12-24..2027-01-02",
    "24 Dec - 2 Jan": "2026-12-24..2027-01-02",
    "24.12.-2.1.": "2026-12-24..2027-01-02",
    "24.12.2026 - 02.01.2027": "2026-12-24..2027-01-02",
    "24.12.26 bis 2.1.27": "2026-12-24..2027-01-02",
    "Dec 24 - Jan 2": "2026-12-24..2027-01-02",
    "from December 24th until January 2nd, 2027": "2026-12-24..2027-01-02",
    "from Thursday 24 December to Saturday, 2 January": "2026-12-24..2027-01-02",
    "the 24th of December till the 2nd of January": "2026-12-24..2027-01-02",
    "24/12/2026 to 02/01/2027": "2026-12-24..2027-01-02",
    "24/12 - 15/1": "2026-12-24..2027-01-15",
    "2026-12-24..2027-01-02": "2026-12-24..2027-01-02",
    "2026-12-24/2027-01-02": "2026-12-24..2027-01-02",
    "24-31 December": "2026-12-24..2026-12-31",
    "24.-31.12.": "2026-12-24..2026-12-31",
    "from 28 to 3 January": "2026-12-28..2027-01-03",
    "5-7 March 2027": "2027-03-05..2027-03-07",
    "20 November to 2 December": "2026-11-20..2026-12-02",
    "for two weeks from 1 March": "2027-03-01..2027-03-14",
    "a fortnight from 3 January": "2027-01-03..2027-01-16",
    "for 10 days": "2026-11-23..2026-12-02",
    "Friday to Monday": "2026-11-27..2026-11-30",
    "tomorrow": "2026-11-24..2026-11-24",
    "today until Sunday": "2026-11-23..2026-11-29",
    "until 3 Jan": "2026-11-23..2027-01-03",
    "I am away until 2026-12-31": "2026-11-23..2026-12-31",
    "next week": "2026-11-30..2026-12-06",
    "this weekend": "2026-11-28..2026-11-29",
    "August": "2027-08-01..2027-08-31",
    "the whole of August": "2027-08-01..2027-08-31",
    "24 December": "2026-12-24..2026-12-24",
    "29 February": "2028-02-29..2028-02-29",
}
EITHER = {
    "03/04": ["2027-04-03..2027-04-03", "2027-03-04..2027-03-04"],
    "03/04 - 10/04": ["2027-04-03..2027-04-10", "2027-03-04..2027-10-04"],
    "until next Friday": ["2026-11-23..2026-11-27", "2026-11-23..2026-12-04"],
    "from Friday for a week": ["2026-11-27..2026-12-03", "2026-11-27..2026-12-04"],
    "for a week from Friday": ["2026-11-27..2026-12-03", "2026-11-27..2026-12-04"],
    "next weekend": ["2026-11-28..2026-11-29", "2026-12-05..2026-12-06"],
}
UNREAD = (
    "", "soon", "not from Friday", "31.2.", "30 February to 2 March", "from Friday", "24 December 2 January", "week",
    "Tuesday 24 December to 2 January", "from 24 December to", "until", "for a while", "3 to 5 days", "32.12.-33.12.",
    "greetings from Berlin", "until the 24th of Never",
    "until the 40th", "40 - 14 March", "99/99/99", "0.0.-1.1.", "for 999 months from 9998-01-01",
)  # fmt: skip


def shown(found: tuple[Days, ...]) -> list[str]:
    return [f"{days.first}..{days.last}" for days in found]


@pytest.mark.parametrize("text", SAID)
def test_they_are_what_was_meant(text: str) -> None:
    assert shown(days_in(text, MONDAY)) == [SAID[text]]


@pytest.mark.parametrize("text", EITHER)
def test_what_has_two_meanings_gives_both(text: str) -> None:
    assert shown(days_in(text, MONDAY)) == EITHER[text]


@pytest.mark.parametrize("text", UNREAD)
def test_what_is_not_understood_word_for_word_is_no_day(text: str) -> None:
    assert days_in(text, MONDAY) == ()


def test_every_way_to_write_two_days_means_the_same() -> None:
    """The year that nobody says is the one in which the end still lies ahead."""
    chance, made = random.Random(7), 0
    for _ in range(400):
        today = MONDAY + timedelta(days=chance.randrange(1500))
        first = today + timedelta(days=chance.randrange(-10, 200))
        last = max(first, today) + timedelta(days=chance.randrange(40))
        a, b = MONTHS[first.month - 1], MONTHS[last.month - 1]
        for text in (
            f"{first}..{last}",
            f"{first.day} {a} to {last.day} {b}",
            f"{a[:3]} {first.day} - {b[:3]} {last.day}",
            f"{first.day}.{first.month}.-{last.day}.{last.month}.",
            f"from {first:%A} {first.day} {a} until {last:%A}, {last.day} {b} {last.year}",
            f"{first.day:02}.{first.month:02}.{first.year} bis {last.day:02}.{last.month:02}.{last.year}",
        ):
            made += 1
            assert days_in(text, today) == (Days(first, last),), (text, today)
    print(f"{made} spans")


def test_the_work_is_bounded_whatever_the_text() -> None:
    for hostile in ("1" * 99999, "mon " * 9999, "1.1." * 9999, "a week " * 9999, "--" * 9999, "1/" * 9999):
        assert days_in(hostile, MONDAY) == ()


THURSDAY = date(2026, 3, 5)
# --- told in a mail's own words ---------------------------------------------------------------------------------------

TOLD = {
    ("2026-03-10", "2026-03-14"): """
I'm on holiday from 10 March until 14 March.
I will be travelling 10-14 March, sorry
Ich bin vom 10.3. bis zum 14.3. im Urlaub.
Bin vom 10. bis 14. März verreist
Je suis en vacances du 10 au 14 mars.
Estoy de vacaciones del 10 al 14 de marzo
Sono in vacanza dal 10 al 14 marzo
Ik ben van 10 tot 14 maart op vakantie
Estou de férias de 10 a 14 março
Od 10 do 14 marca jestem na urlopie
Jag är bortrest 10-14 mars
I'll be away from 10 March to 14 March, visiting my parents.
I'm away March 10th to March 14th
On vacation March 10-14""",
    ("2026-03-09", "2026-03-15"): """
Sorry, I'm away next week.
Ich bin nächste Woche nicht da.
Je serai absente la semaine prochaine
Ik ben volgende week op vakantie.
Jag är bortrest nästa vecka
We are abroad next week!""",
    ("2026-03-05", "2026-03-14"): """
I am off on holiday until 14 March!
I will be back from holiday on 14 March
Away until March 14""",
}
UNTOLD = """
I am not away next week
I was on holiday last week
Are you away next week?
Next week I go to work
He is fine
If I am away on 14 March I pass
Maybe I am away next week
The holidays were great
Je ne suis pas en vacances, si ?
I'm away
Vielleicht bin ich nächste Woche verreist
My move is E6
14 March is far away"""


def away(own: tuple[Line, ...], subject: str) -> list[tuple[Days, ...]]:
    """The days of each absence that a mail tells of, in the first way in which they can be read."""
    wanted = wishes(own, subject, frozenset()).wants
    ways = ([days_in(way, THURSDAY) for way in wish.said] for wish in wanted if wish.command == "vacation")
    return [next(filter(None, way), ()) for way in ways]


def test_days_on_which_somebody_says_that_he_is_away_are_read_in_his_own_words() -> None:
    for days, told in TOLD.items():
        for text in told.strip().splitlines():
            (found,) = away((Line(1, text),), "Re: Go")
            assert [(f"{one.first}", f"{one.last}") for one in found] == [days], text
    for text in UNTOLD.strip().splitlines():
        assert away((Line(1, text),), "Re: Go") == [], text
    assert shown(*away((Line(1, "Ann"),), "Urlaub 10.3.-14.3.")) == ["2026-03-10..2026-03-14"]
    assert len(away((Line(1, "I'm away next week."), Line(2, "I am away tomorrow.")), "")) == 2


@pytest.mark.parametrize(
    "zones", [("Europe/Berlin", "America/New_York"), ("Asia/Tokyo", ""), ("", "Europe/Rome")]
)
def test_an_absence_in_two_matches_is_told_in_one_zone(zones: tuple[str, str], tmp_path: Path) -> None:
    world = World(tmp_path)
    for zone in zones:
        world.open(
            "morris", [f"Ann Archer <ann@example.org>{f'; {zone}' if zone else ''}", "Ben <ben@example.org>"]
        )
    world.passed("2026-03-01T12:00:00Z")
    world.mail("ann@example.org", "vacation 24 December to 2 January", "", "2026-03-01T12:00:30Z")
    letters = world.passed("2026-03-01T12:01:00Z")
    (told,) = [x for x in letters if x.to == "ann@example.org" and x.kind == "receipt"]
    said = re.findall(r"you are away from (.*? until .*?)\. The", told.words)
    assert len(said) == 1
    public = [x.words for x in letters if x.to == "ben@example.org"]
    assert len({text[text.index("is away from") :].partition(". ")[0] for text in public}) == 1
