"""A person is one person: a new address takes along the seats of all matches, ratings, events and proposals, letters go
there, and what all may see does not change by it."""

import json
import random
import re
import sqlite3
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.club.company import NAMES, Company, address
from tests.club.test_events import DESK, Club
from tests.club.test_pages import pages
from tests.world import Sent, kinds

ANN, BEN, CLEO, DORA = NAMES[:4]
NEW = "ann@home.example"


class Season(Club):
    """Ann plays an event that goes on, has played a round of it, has an ended match and an open one besides, and has
    proposed one."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.event("spring", ANN, BEN, CLEO, DORA, game="morris", kind="swiss", rounds="3")
        self.play_round("spring", random.Random(7))
        self.over = self.open("buttons", ANN, BEN)
        self.end(self.over)
        self.open_one = self.open("buttons", CLEO, ANN)
        self.step()
        self.propose(ANN, "buttons", f"With: {address(DORA)}")
        self.step()

    def open(self, game: str, *people: str) -> str:
        return self.world.open(game, [f"{p} <{address(p)}>" for p in people], self.at.isoformat())

    def end(self, match: str) -> None:
        self.world.do(
            "end", match, "--as", "won", "--winner", "1", "--why", "x", "--now", self.at.isoformat()
        )
        self.step()

    def end_round(self) -> None:
        """The moderator ends what the event plays."""
        for match in [p["match"] for p in self.shown("spring")["pairings"] if p["match"]]:
            if self.world.show(match)["status"] != "ended":
                self.end(match)

    def run(self, *arguments: str) -> str:
        ran = self.world.do(*arguments, "--now", self.at.isoformat())
        return ran.out

    def public(self, into: Path) -> dict[str, Any]:
        """All that everybody sees: pages but for when they were made, ratings, standings, matches."""
        heads = {
            m["match"]: {k: m[k] for k in ("seats", "due", "outcome")}
            for m in self.world.run("list", "--json").json
        }
        return {
            "pages": pages(self, into),
            "ratings": self.world.run("ratings", "--json").json,
            "event": self.shown("spring"),
            "matches": heads,
        }

    def moved(self, old: str, new: str) -> None:
        """By the player's own mail, and a Yes at both."""
        self.at = self.at.replace(second=0)
        self.world.mail(f"{ANN} <{old}>", f"address {new}", "", self.at.isoformat())
        letters = self.step()
        assert kinds(letters) == {"challenge": [old]}
        letters = self.reply(letters[0], "Yes")
        letters = self.reply(next(x for x in letters if x.kind == "challenge"), "Yes")
        assert {x.to for x in letters if x.kind == "status"} == {new}

    def lost(self, old: str, new: str) -> list[Sent]:
        """By the moderator's command, and a Yes at the new one."""
        self.run("address", old, new, "--why", "lost")
        (question,) = self.step()
        assert (question.kind, question.to) == ("challenge", new)
        return self.reply(question, "Yes")


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Season:
    return Season(tmp_path_factory.mktemp("season"))


@pytest.fixture
def club(season: Season, tmp_path: Path) -> Season:
    return season.copied(tmp_path / "club")


WAYS = {"by both Yes": Season.moved, "by the moderator": Season.lost}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_seats_ratings_events_and_proposals_go_along_and_nobody_sees_it(
    club: Season, way: Any, tmp_path: Path
) -> None:
    old = address(ANN)
    before = club.public(tmp_path / "site")
    way(club, old, NEW)
    assert club.public(tmp_path / "site") == before
    assert all(NEW not in page and old not in page for page in before["pages"].values())
    # seats, of what is over too
    seated = list(before["matches"])
    for match in seated:
        shown = club.world.show(match, "--moderator")
        names = {s["number"]: s["name"] for s in shown["seats"]}
        for seat in (s for s in shown["addresses"] if names[s["seat"]] == ANN):
            assert seat["addresses"][0] == NEW
            assert (old in seat["addresses"]) is (way is Season.moved)
    # letters
    count = len(club.letters)
    club.end_round()
    later = club.letters[count:]
    assert NEW in {x.to for x in later}
    assert old not in {x.to for x in later}
    # the next rounds are hers, by the new address, and she is no new player
    club.end_round()
    event = club.shown("spring")
    assert (event["status"], sorted(event["players"])) == ("ended", sorted([ANN, BEN, CLEO, DORA]))
    assert len(event["standings"]) == 4
    # a match opened afterwards counts for the same player
    name = club.world.open("buttons", [f"{ANN} <{NEW}>", f"{BEN} <{address(BEN)}>"], club.at.isoformat())
    club.end(name)
    rows = club.world.run("ratings", "--json").json["buttons"]
    assert [row["player"] for row in rows].count(ANN) == 1
    assert {step["match"] for row in rows if row["player"] == ANN for step in row["course"]} == {
        club.over,
        name,
    }
    built = pages(club, tmp_path / "site")
    own = [file for file, page in built.items() if re.search(rf"<h1>[^<]*{ANN}", page) and "players/" in file]
    assert len(own) == 1
    assert name in built[own[0]]
    assert club.world.run("check").status == 0
    for match in seated:
        record = tmp_path / f"{match}.json"
        record.write_text(club.world.run("record", match).out)
        assert club.world.run("verify", str(record)).status == 0
        assert NEW not in record.read_text()


def test_she_plays_asks_and_answers_from_there(club: Season) -> None:
    club.lost(address(ANN), NEW)
    club.at = club.at.replace(second=0)
    proposal = next(
        x
        for x in club.letters
        if x.kind == "proposal" and x.to == address(DORA) and "spring" not in x.subject
    )
    letters = club.reply(proposal, "Yes")
    assert NEW in {x.to for x in letters}
    for subject, kind in (
        ("status", "status"),
        (f"rematch {club.over}", "challenge"),
        ("rating off", "receipt"),
    ):
        club.world.mail(f"{ANN} <{NEW}>", subject, "", club.at.isoformat())
        assert [x.kind for x in club.step() if x.to == NEW] == [kind]


def test_what_comes_from_the_lost_address_counts_no_more(club: Season) -> None:
    old = address(ANN)
    first = next(x for x in club.letters if x.match == club.open_one and x.to == old)
    letters = club.lost(old, NEW)
    assert {x.to for x in letters} == {NEW, old, DESK}
    (told,) = [x for x in letters if x.to == old]
    assert NEW not in told.message.as_string() + told.text
    due = club.world.show(club.open_one)["due"]
    club.send(ANN, f"resign [{club.open_one}]", "Resign", to=str(first.message["Reply-To"]))
    assert club.world.show(club.open_one)["due"] == due
    assert club.world.show(club.open_one)["status"] == "open"
    letters = club.reply(told, "No")
    assert kinds(letters) == {"alarm": [DESK], "receipt": [old]}
    assert old in next(x for x in letters if x.kind == "alarm").text


def test_nobody_has_two_seats_of_a_match_that_goes_on(club: Season) -> None:
    """Cleo plays with Ann: neither can be the other. Of a match that is over it may be so."""
    ran = club.world.run(
        "address", address(CLEO), address(ANN), "--why", "one person", "--now", club.at.isoformat()
    )
    assert ran.status == 1
    assert club.open_one in ran.err
    assert "spring" in ran.err
    over = club.open("morris", "Hal Hunt", "Ida Irving")
    club.end(over)
    letters = club.lost(address("Hal Hunt"), address("Ida Irving"))
    assert "status" in kinds(letters)


def test_nor_where_both_come_to_sit_between_the_question_and_its_yes(club: Season) -> None:
    club.run("address", address(ANN), NEW, "--why", "lost")
    (question,) = club.step()
    match = club.world.open("buttons", [f"{ANN} <{address(ANN)}>", f"Nan Noon <{NEW}>"], club.at.isoformat())
    club.step()
    letters = club.reply(question, "Yes")
    assert kinds(letters) == {"alarm": [DESK], "receipt": [NEW]}
    assert match in next(x for x in letters if x.kind == "alarm").text
    seats = club.world.show(match, "--moderator")["addresses"]
    assert sorted(s["addresses"] for s in seats) == sorted([[address(ANN)], [NEW]])


@pytest.mark.parametrize("how", ["event", "proposal"])
def test_who_has_no_seat_yet_takes_a_new_address_along_too(how: str, tmp_path: Path) -> None:
    """Somebody known by an event that has not begun, or by a proposal that waits, alone."""
    club, eve = Club(tmp_path), "Eve Eliot"
    if how == "event":
        club.event("spring", ANN, eve, game="morris", kind="swiss", rounds="3", start=False)
    else:
        club.world.run("propose", "morris", "--by", f"{eve} <{address(eve)}>", "--open", "1")
        club.step()
    assert [x.kind for x in club.send(eve, "address nonsense")] == ["refusal"], (
        "a fault is told before all else"
    )
    (asked,) = club.send(eve, f"address {NEW}")
    assert (asked.kind, asked.to) == ("challenge", address(eve))
    assert NEW not in asked.text
    letters = club.reply(asked, "Yes")
    (there,) = [x for x in letters if x.kind == "challenge"]
    assert there.to == NEW
    assert kinds(club.reply(there, "Yes")) == {"receipt": [NEW, address(eve)]}
    count = len(club.letters)
    if how == "event":
        club.order("event start spring")
    else:
        (asked,) = club.send(BEN, "join proposal-1")
        club.reply(asked, "Yes")
    later = {x.to for x in club.letters[count:]}
    assert NEW in later
    assert address(eve) not in later


def test_an_address_of_whoever_else_is_in_the_event_takes_nothing(tmp_path: Path) -> None:
    club, eve = Club(tmp_path), "Eve Eliot"
    club.event("spring", ANN, eve, game="morris", kind="swiss", rounds="3", start=False)
    (asked,) = club.send(eve, f"address {address(ANN)}")
    letters = club.reply(asked, "Yes")
    there = [x for x in letters if x.to == address(ANN)]
    for letter in there:
        letters = club.reply(letter, "Yes")
    assert sorted(club.shown("spring")["players"]) == sorted([ANN, eve])
    assert club.order("event start spring").kind == "receipt"
    assert {address(ANN), address(eve)} <= {x.to for x in club.letters if x.kind == "opened"}


@pytest.mark.parametrize("words", ["No", "Yes, but who are you?"])
def test_without_a_plain_yes_nothing_changes(club: Season, words: str) -> None:
    club.run("address", address(ANN), NEW, "--why", "lost")
    (question,) = club.step()
    club.reply(question, words)
    club.reply(question, "Yes", sender="mallory@evil.example")
    assert club.world.show(club.open_one, "--moderator")["addresses"][1]["addresses"] != [NEW]
    assert NEW not in str(club.world.show(club.open_one, "--moderator")["addresses"])


def test_by_mail_too_and_only_for_moderators(club: Season) -> None:
    order = f"address {address(ANN)} {NEW}"
    club.at = club.at.replace(second=0)
    assert [x.kind for x in club.send(BEN, order, "She told me.")] == ["refusal"]
    assert club.order(order).kind == "refusal", "it needs a reason"
    assert club.order(order, "Ann's provider closed.").kind == "receipt"
    question = [x for x in club.letters if x.to == NEW][-1]
    club.reply(question, "Yes")
    assert "status" in [x.kind for x in club.letters if x.to == NEW]
    for fault in (
        f"address nobody@x.example {NEW}2",
        f"address {NEW} {NEW}",
        f"address {NEW} collector@referee.localhost",
    ):
        assert club.order(fault, "why not").kind == "refusal"


def test_who_comes_back_is_the_same_still(club: Season, tmp_path: Path) -> None:
    before = club.public(tmp_path / "site")
    club.moved(address(ANN), NEW)
    club.moved(NEW, address(ANN))
    assert club.public(tmp_path / "site") == before
    shown = club.world.show(club.open_one, "--moderator")["addresses"]
    assert [address(ANN), NEW] in [s["addresses"] for s in shown]


def test_forgotten_by_either_address_nothing_of_her_is_left(club: Season, tmp_path: Path) -> None:
    club.moved(address(ANN), NEW)
    assert club.world.run("forget", address(ANN), "--yes", "--now", club.at.isoformat()).status == 0
    raw = (club.world.folder / "referee.db").read_bytes()
    wal = club.world.folder / "referee.db-wal"
    raw += wal.read_bytes() if wal.exists() else b""
    assert NEW.encode() not in raw
    assert address(ANN).encode() not in raw
    assert club.world.run("check").status == 0
    assert club.world.run("event", "show", "spring").status == 0


# --- who is forgotten --------------------------------------------------------------------------------------------


def kept(company: Company) -> str:
    with sqlite3.connect(company.world.folder / "referee.db") as line:
        tables = [name for (name,) in line.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        rows = [str(row) for table in tables for row in line.execute(f'SELECT * FROM "{table}"')]
    line.close()
    return "\n".join(rows).lower()


def test_nothing_of_the_club_tells_of_a_forgotten_player(tmp_path: Path) -> None:
    club = Club(tmp_path)
    ann, others = NAMES[0], NAMES[1:4]
    club.event("spring", *NAMES[:4], game="morris", kind="swiss", rounds="3")
    club.play_round("spring", random.Random(1))
    before = {row["player"]: row["points"] for row in club.shown("spring")["standings"]}
    club.propose(others[0], "morris", f"With: {address(ann)}")
    assert address(ann) in kept(club)
    assert club.world.run("export", address(ann), str(tmp_path / "ann.zip")).status == 0
    with zipfile.ZipFile(tmp_path / "ann.zip") as file:
        told = json.loads(file.read("person.json"))["club"]
    assert {"Entered", "Agreed", "Named", "Invited"} == {each["is"] for each in told}
    club.world.do("forget", address(ann), "--yes", "--now", club.at.isoformat())
    assert address(ann) not in kept(club)
    assert ann.lower() not in kept(club)
    club.step()
    for _ in range(3):
        club.play_round("spring", random.Random(2))
    shown = club.shown("spring")
    assert shown["status"] == "ended"
    assert {name for name in shown["players"] if name in others} == set(others)
    assert all(row["points"] >= before.get(row["player"], 0) for row in shown["standings"])
    assert club.world.run("check").status == 0
