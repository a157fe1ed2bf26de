"""A season: four matches in four zones, and a moderator who plays in one of them and works by mail alone."""

import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tests.attacks.test_delivery_reports import gone, id_of, report
from tests.offices.table import orders
from tests.world import Sent, World

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
ANN, BEN, CLEO, DAN, EVE, FINN, GWEN = (
    f"{name}@example.org" for name in ("ann", "ben", "cleo", "dan", "eve", "finn", "gwen")
)
NEW = "draper@new.example"  # Dan's, once the other is dead
MIA, MO = "mia@example.org", "mo@example.org"  # they moderate, and Mia plays Morris
NAMES = {
    ANN: ("Ann Archer", "Europe/Berlin"),
    BEN: ("Ben Baker", "America/New_York"),
    CLEO: ("Cleo Carter", "Asia/Tokyo"),
    DAN: ("Dan Draper", "Australia/Adelaide"),
    EVE: ("Eve Eliot", None),
    FINN: ("Finn Fisher", None),
    GWEN: ("Gwen Glover", None),
    MIA: ("Mia Moss", "Europe/Berlin"),
    NEW: ("Dan Draper", "Australia/Adelaide"),
}
CLOCK = {"hour": "20:00", "days_off": "sun", "reminders": "1d", "grace": "12h", "miss": "2"}


def z(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def addressed(facts: dict[str, Any], seat: int) -> str:
    """Where the letters of the seat go, as the moderator is told; nowhere while it is vacant."""
    return next((str(a) for row in facts["addresses"] if row["seat"] == seat for a in row["addresses"]), "")


class Season:
    """What players and moderator do, mail by mail; a pass every six hours, as cron is told to expect."""

    def __init__(self, folder: Path) -> None:
        self.world = World(folder)
        self.world.configure('cron = ""', 'cron = "6h"')
        self.world.configure('timezone = "UTC"', 'timezone = "Europe/Berlin"')
        self.world.configure('moderator = "moderator@referee.localhost"', f'moderator = "{MIA}"')
        self.world.configure("moderators = []", f'moderators = ["{MO}"]')
        self.now = datetime(
            2026, 3, 23, 6, tzinfo=UTC
        )  # summer time begins in Europe on the 29th, ends in Adelaide
        self.letters: list[Sent] = []
        self.silent: set[str] = set()
        self.matches: dict[str, str] = {}
        self.desk_address = ""
        self.named = {BEN: {BEN, EVE}}  # the addresses of others that a player has written himself
        self.told = 0  # deadlines, each as its reader's zone has it

    def person(self, address: str) -> str:
        name, zone = NAMES[address]
        return f"{name} <{address}>" + (f"; {zone}" if zone else "")

    def open(self, game: str, *addresses: str, **options: str) -> str:
        people = [self.person(address) for address in addresses]
        name = self.world.open(game, people, z(self.now), seed=7, **{**CLOCK, **options})
        self.matches[name] = game
        return name

    # --- time ----------------------------------------------------------------------------------------------------

    def step(self) -> list[Sent]:
        counts = self.world.step(z(self.now))
        assert counts["shunted"] == 0
        fresh = self.world.new_letters()
        self.letters += fresh
        self.right(fresh)
        return fresh

    def on(self, span: timedelta) -> list[Sent]:
        """Time goes on, a pass every six hours; whoever is not silent answers what he owes."""
        end, fresh = self.now + span, []
        while self.now < end:
            self.now = min(self.now + 6 * HOUR, end)
            self.answers()
            fresh += self.step()
        return fresh

    def answers(self) -> None:
        for name in self.matches:
            facts = self.world.show(name, "--moderator")
            for due in facts["due"] if facts["status"] == "open" else ():
                address = addressed(facts, due["seat"])
                if address in ("", *self.silent) or due["seat"] in [row["seat"] for row in facts["answered"]]:
                    continue
                asked = [
                    x
                    for x in self.letters
                    if x.kind in ("due", "reminder") and x.to == address and x.match == name
                ]
                if self.now - parsedate_to_datetime(asked[-1].message["Date"]) < 30 * HOUR:
                    continue  # he takes his time
                self.world.reply(asked[-1], orders(self.world, name, due["seat"]), z(self.now))

    def address(self, name: str, seat: int) -> str:
        return addressed(self.world.show(name, "--moderator"), seat)

    def due(self, name: str) -> datetime:
        return datetime.fromisoformat(self.world.show(name)["due"][0]["due_at"])

    def seat(self, name: str, player: str) -> int:
        return next(int(s["number"]) for s in self.world.show(name)["seats"] if s["name"] == player)

    # --- the moderator -------------------------------------------------------------------------------------------

    def until(self, holds: Callable[[], bool]) -> None:
        for _ in range(40):
            self.on(DAY)
            if holds():
                return
        raise AssertionError("it never came")

    def join(self, name: str, address: str) -> None:
        """A new player asks for the open seat, and says Yes to the question whether it was he."""
        self.world.mail(f"{NAMES[address][0]} <{address}>", f"join {name}", "", z(self.now))
        (asked,) = [x for x in self.step() if x.to == address and x.kind == "challenge"]
        self.world.reply(asked, "Yes", z(self.now))
        self.step()

    def desk(self) -> Sent:
        """The desk's letter, asked for."""
        self.order("desk")
        return [x for x in self.letters if x.to == MIA and x.kind == "status"][-1]

    def answer(self, subject: str) -> str:
        """What the answer to an order says that only tries."""
        return " ".join(
            next(x.text for x in self.order(subject) if x.to == MIA and x.kind == "preview").split()
        )

    def moved(self, backup: Path, folder: Path) -> None:
        """The same referee goes on elsewhere."""
        folder.mkdir()
        self.world.do("restore", str(backup), str(folder), config=False)
        old, self.world = self.world, World(folder)
        self.world._mails, self.world._seen = old._mails, set(old._seen)
        self.world.new_letters()

    def replies(self, letter: Sent, words: str) -> list[Sent]:
        self.world.reply(letter, words, z(self.now))
        fresh = self.step()
        assert "receipt" in [x.kind for x in fresh if x.to == MIA], [x.text for x in fresh if x.to == MIA]
        return fresh

    def order(self, subject: str, why: str = "") -> list[Sent]:
        """Mia writes to her reply address; the letters of the pass that follows. She is answered once."""
        if not self.desk_address:
            self.world.mail(MIA, "desk", "", z(self.now))
            (told,) = [x for x in self.step() if x.to == MIA and x.kind == "status"]
            self.desk_address = told.message["Reply-To"]
        self.world.mail(MIA, subject, why, z(self.now), to=self.desk_address)
        fresh = self.step()
        answers = [x.kind for x in fresh if x.to == MIA and x.kind in ("receipt", "status", "preview")]
        assert len(answers) == 1, [x.text for x in fresh if x.to == MIA]
        return fresh

    # --- what every letter has to be ------------------------------------------------------------------------------

    def right(self, letters: Iterable[Sent]) -> None:
        """Nobody's address but the reader's, the moderators' business apart; deadlines in the reader's own zone, and as
        the match has them."""
        for letter in letters:
            own = self.named.get(letter.to, {letter.to})
            if letter.subject.endswith(": You have your seat no more"):
                own = {*own, MIA}  # who has no seat any more has but her office to write to
            others = [a for a in NAMES if a not in own and a in letter.text]
            assert letter.to in (MIA, MO) or others == [], (letter.subject, others)
            assert "Traceback" not in letter.text
            if letter.kind == "due" and letter.match in self.matches:
                self.deadline_told(letter)

    def deadline_told(self, letter: Sent) -> None:
        told = re.search(r" is due by (\w+ \d+ \w+ \d{4}, \d\d:\d\d)", " ".join(letter.text.split()))
        if told is None:
            return
        facts = self.world.show(str(letter.match), "--moderator")
        seats = {row["seat"] for row in facts["addresses"] if letter.to in row["addresses"]}
        zone = NAMES[letter.to][1] or "Europe/Berlin"
        stands = {
            datetime.fromisoformat(d["due_at"]).astimezone(ZoneInfo(zone))
            for d in facts["due"]
            if d["seat"] in seats
        }
        shown = {f"{at:%A} {at.day} {at:%B %Y, %H:%M}" for at in stands}
        assert not shown or told[1] in shown, (letter.to, told[1], shown)
        self.told += 1


@pytest.mark.soak
def test_a_season_by_mail(tmp_path: Path) -> None:
    season = Season(tmp_path / "referee")
    go = season.open("multigo", ANN, BEN, CLEO, board="9x9", order="parallel")
    buttons = season.open("buttons", ANN, DAN, starter="1")
    season.open("morris", BEN, MIA)
    onepiece = season.open("onepiece", EVE, DAN)
    season.step()
    season.on(2 * DAY)

    # A dead address: a report comes back, the desk's letter names the seat, and its number takes the new address.
    dead = [x for x in season.letters if x.to == DAN][-1]
    season.world.raw(report(gone(DAN), named=id_of(dead)), z(season.now))
    season.silent.add(DAN)
    season.step()
    desk = season.desk()
    (number,) = re.findall(r"^ *(\d+)\. dan@example.org, ", desk.text, re.MULTILINE)
    season.replies(desk, f'{number} replace "{season.person(NEW)}" because his mailbox is full')
    assert season.address(buttons, season.seat(buttons, "Dan Draper")) == NEW
    season.order(
        f'replace {onepiece} {season.seat(onepiece, "Dan Draper")} "{season.person(NEW)}"', "the same"
    )
    season.on(DAY)
    assert season.world.show(buttons, "--moderator")["failing"] == []

    # A replacement: Eve has no time any more, and the moderator puts Finn into her seat.
    season.order(
        f'replace {onepiece} {season.seat(onepiece, "Eve Eliot")} "{season.person(FINN)}"', "Eve has no time."
    )
    season.on(DAY)
    assert season.seat(onepiece, "Finn Fisher")

    # An absent player: two rounds missed, by grace and all; the seat is open, and Eve joins by mail.
    season.silent.add(CLEO)
    seat = season.seat(go, "Cleo Carter")
    season.until(lambda: season.world.show(go)["vacant"] == [seat])
    season.join(go, GWEN)
    assert season.seat(go, "Gwen Glover") == seat

    # A holiday for all: every match in which time runs is moved.
    running = [name for name in season.matches if season.world.show(name)["status"] == "open"]
    before = {name: season.due(name) for name in running}
    fresh = season.order("extend all by 3d", "Easter")
    assert {x.match for x in fresh if x.kind == "extended"} == set(running)
    assert all(season.due(name) - before[name] >= 3 * DAY for name in running)
    assert all("Easter" in x.text for x in fresh if x.kind == "extended")

    # A day's outage: no pass for thirty hours; the time is given back, and told.
    before = {name: season.due(name) for name in running}
    season.now += 30 * HOUR
    fresh = season.step()
    for name in running:
        assert season.due(name) - before[name] >= 24 * HOUR, name
        assert any(x.match == name and x.kind == "extended" for x in fresh), name

    # A rewind and an amendment, each tried first.
    stood = [x.position for x in season.letters if x.match == go and x.to == ANN and x.position][-6]
    shown = season.world.show(go)
    assert "Nothing is changed" in season.answer(f"rewind {go} --to {stood} --check")
    assert season.world.show(go) == shown
    season.order(f"rewind {go} --to {stood}", "Two stones were misread.")
    assert season.world.show(go)["phase"] != shown["phase"]
    assert "Nothing is changed" in season.answer(f"amend {go} hour=18:00 --check")
    fresh = season.order(f"amend {go} --option hour=18:00", "Gwen has evenings.")
    assert "Gwen has evenings." in next(x.text for x in fresh if x.to == BEN and x.match == go)
    season.on(2 * DAY)

    # An absence with a substitute: Ben is away, and Eve, whom he named and who said Yes, plays for him.
    season.world.mail(BEN, f"substitute Eve Eliot <{EVE}> {go}", "", z(season.now))
    for person in (BEN, EVE):
        (asked,) = [x for x in season.step() if x.to == person]
        season.world.reply(asked, "Yes", z(season.now))
    season.step()
    away = f"{season.now:%Y-%m-%d} to {season.now + 9 * DAY:%Y-%m-%d}"
    season.world.mail(BEN, f"absent {away}", "", z(season.now))
    season.step()
    season.silent.add(BEN)
    fresh = season.on(8 * DAY)
    assert [x for x in fresh if x.kind == "receipt" and x.to == EVE], "she plays for him"

    # An upgrade that changes nothing, a backup, and another machine.
    assert season.world.run("upgrade", "--check").status == 0
    assert season.world.run("backup", str(tmp_path / "season.backup")).status == 0
    season.moved(tmp_path / "season.backup", tmp_path / "elsewhere")
    season.silent.discard(BEN)
    season.on(3 * DAY)

    # The end: what still goes on is called off; every record can be checked, the store agrees with its ledgers.
    for name in season.matches:
        if season.world.show(name)["status"] != "ended":
            season.order(f"end {name} as drawn", "The season is over.")
        season.world.verifies(name)
    assert season.world.run("check").status == 0
    assert season.told > 40
