"""Letters and pages on a phone and on a wide screen, measured in a real browser: nothing is wider than the page, no
table has to be moved sideways, and no word is broken that has room on a line."""

import random
import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from referee.games import found
from referee.letters.speaker import KINDS
from tests.club.company import NAMES
from tests.club.test_events import Club
from tests.sampling import one_in
from tests.servers.chromium import unfit
from tests.world import START, Sent, World, sent

pytestmark = pytest.mark.server

WIDTHS = (375, 1200)
OF_A_KIND = 1  # letters of one kind with tables of one shape
TURNS = 6  # pages of a replay, the longest; every page of any other kind
REHEARSED: dict[str, tuple[str, ...]] = {
    "fourplay": ("--seed", "6"),
    "multigo": ("--seats", "8", "--option", "board=9x9"),
}
ANN = "Ann Archer-Featherstonehaugh <ann@example.org>"
BEN = "Ben Baker <ben@a-rather-long-name-of-a-mail-server.example.org>"
ASKED = ("help", "status", "games", "list", "record", "board", "zone Europe/Berlin", "zone Nowhere", "digest daily",
         "vacation 24 March to 2 April", "address ann@elsewhere.example", "propose buttons",
         "new addresses", "observe", "resign")  # fmt: skip
SELDOM = {
    "press",
    "record",
    "question",
    "digest",
    "proposal",
}  # of notices, those that a match may do without


def page_of(letter: Sent) -> str:
    part = letter.message.get_body(("html",))
    return str(part.get_content())


def shape(letter: Sent) -> tuple[str, tuple[str, ...]]:
    """The kind of a letter, with the heads of its tables."""
    return letter.kind, tuple(re.findall(r"<table>\n<tr>(.*)</tr>", page_of(letter)))


def misfits(page: Page, name: object) -> list[str]:
    wrong = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        wrong += [f"{name} at {width}: {fault}" for fault in unfit(page)]
    return wrong


def measured(chromium: Browser, letters: Iterable[Sent]) -> list[str]:
    """What does not fit of some letters of each shape."""
    context = chromium.new_context()
    page, seen, wrong = context.new_page(), dict[object, int](), list[str]()
    for letter in letters:
        seen[shape(letter)] = seen.get(shape(letter), 0) + 1
        if seen[shape(letter)] <= OF_A_KIND:
            page.set_content(page_of(letter))
            wrong += misfits(page, letter.subject)
    context.close()
    assert len(seen) > 3
    return wrong


@pytest.fixture(scope="module", params=one_in(5, found()))
def kept(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole match of the game, with its letters and its site."""
    game = str(request.param)
    folder = tmp_path_factory.mktemp(game)
    world = World(folder / "world")
    ran = world.run("rehearse", game, *REHEARSED.get(game, ()), "--keep", str(folder / "kept"),
                    config=False)  # fmt: skip
    assert ran.status == 0, ran.err
    return folder / "kept"


def test_every_kind_of_letter_of_a_match_fits(chromium: Browser, kept: Path) -> None:
    letters = (sent(file.read_bytes()) for file in sorted((kept / "mail/out/new").iterdir()))
    assert measured(chromium, letters) == []


def test_every_page_of_the_site_and_of_the_letters_fits(chromium: Browser, kept: Path) -> None:
    context = chromium.new_context()
    page, wrong = context.new_page(), list[str]()
    turns = sorted((kept / "site").glob("matches/*/[0-9]*.html"), key=lambda file: -file.stat().st_size)
    pages = [file for file in sorted((kept / "site").rglob("*.html")) if file not in turns[TURNS:]]
    pages += [kept / "index.html", *sorted((kept / "letters").rglob("*.html"))[::40]]
    for file in pages:
        page.goto(file.as_uri())
        wrong += misfits(page, file.relative_to(kept))
    context.close()
    assert len(pages) > 20
    assert wrong == []


def test_the_pages_of_the_club_fit(chromium: Browser, tmp_path: Path) -> None:
    """A crosstable alone is moved sideways, in its own frame, its players' names staying where they are."""
    club = Club(tmp_path / "club")
    club.event("spring", *NAMES, game="morris", kind="swiss", rounds="2")
    chance = random.Random(7)
    for _ in range(2):
        club.play_round("spring", chance)
    assert club.world.run("site", str(tmp_path / "site")).status == 0
    context = chromium.new_context()
    page, wrong = context.new_page(), list[str]()
    pages = [*(tmp_path / "site").glob("*.html"), *(tmp_path / "site").glob("[epr]*/*.html")]
    for file in pages:
        page.goto(file.as_uri())
        wrong += misfits(page, file.relative_to(tmp_path))
    context.close()
    assert {"ratings.html", "spring.html", "morris.html"} <= {file.name for file in pages}
    assert wrong == []


def at(**later: float) -> str:
    return (datetime.fromisoformat(START) + timedelta(**later)).isoformat()


def test_the_seldom_letters_fit_too(chromium: Browser, tmp_path: Path) -> None:
    """What is asked for, what the moderator does, what is refused, doubled, held or late; and every game's rules."""
    world = World(tmp_path)
    name = world.open("multigo", [ANN, BEN, "Cleo Carter <cleo@example.org>"], board="9x9", miss="1")
    world.open("fourplay", [ANN, BEN, "Cleo Carter <cleo@example.org>", "Dan Draper <dan@example.org>"])
    world.run("open", "buttons", "--seat", BEN, "--vacant", "1", "--now", START)
    world.step(START)
    for number, subject in enumerate((*ASKED, *(f"rules {game}" for game in found()))):
        world.mail(ANN, subject, f"Dear referee, this is mail {number}.", START)
    mails = (
        ("Go: Move / Player 1", "Move: Z99\nMove: Q0 and a word " + "of no end " * 20),
        ("Go: Move / Player 1 ?", "Move: C3"),
        ("Go: Move / Player 1", "Move: D4\nComment: " + "wonderful " * 9),
        ("Go: Move / Player 1", "Move: E5"),
        ("Fourplay: Ready", "I am ready for battle. Let the Games begin!"),
        ("Fourplay: Ready", "I am ready for battle. Let the Games begin!\nColours: red"),
        (f"press {name}", "To you all: a fine move, was it not?"),
        ("a question", "Which of the seasons was it when we played for the last time?"),
    )
    for subject, body in mails:
        world.mail(ANN, f"{subject} [{name}]" if subject.startswith("Go") else subject, body, START)
    world.step(START)
    for command in (("say", name, "Well played, all of you"), ("extend", name, "--by", "3d"), ("pause", name),
                    ("resume", name), ("rewind", name, "--to", "Round 1 / Player 1")):  # fmt: skip
        assert world.run(*command, "--why", "to try it out", "--now", START).status == 0, command
        world.step(START)
    for day in range(1, 12):
        world.step(at(days=day))
    world.run("end", name, "--as", "called-off", "--why", "it was tried out", "--now", at(days=11))
    letters = world.passed(at(days=11))
    missing = {kind.notice for kind in KINDS.values()} - {letter.kind for letter in letters} - SELDOM
    assert missing == set()
    assert measured(chromium, letters) == []
