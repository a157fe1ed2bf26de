"""`export` and `forget`: a person gets all that is kept of him and nothing that is sealed; once he is forgotten nothing
tells of him, wherever one looks, and every game and chain stands where it stood."""

import json
import re
import sqlite3
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.upkeep.club import OPENED, PEOPLE, Club
from tests.world import Table, World

SAID = "My grandmother's umbrella is on the roof again"
TRACES = ("ann@", "Ann Archer", "grandmother", "umbrella")


@pytest.fixture
def club(season: Club, tmp_path: Path) -> Club:
    """Ann's words to all and to one, an answer of Ben's that quotes her, and a match that she observes."""
    copy = object.__new__(Club)
    copy.world, copy.now = season.world.copied(tmp_path / "club"), season.now
    ann, ben = (person.partition(";")[0] for person in PEOPLE[:2])
    copy.world.mail(ann, "press m-buttons", f"{SAID}.", copy.at)
    copy.world.mail(ann, "press m-buttons / Player 2", f"{SAID}, Ben.", copy.at)
    copy.world.mail(ben, "press m-buttons", f"Ann Archer wrote:\n\n> {SAID}.\n\nReally, Ann Archer?", copy.at)
    copy.step(hours=1)
    copy.world.mail_and_yes(ann, "observe m-filling", "", copy.at)
    assert copy.world.run("say", "m-morris", "Ann Archer has a cold.", "--now", copy.at).status == 0
    copy.step(hours=1)
    return copy


def dumped(world: World) -> str:
    """Everything in the store, mails as text."""
    with sqlite3.connect(world.folder / "referee.db") as line:
        line.text_factory = lambda raw: raw.decode("utf-8", "replace")
        rows = [
            str([bytes(cell).decode("utf-8", "replace") if isinstance(cell, bytes) else cell for cell in row])
            for (table,) in line.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
            for row in line.execute(f'SELECT * FROM "{table}"')
        ]
    line.close()
    return "\n".join(rows)


def heads(world: World) -> dict[str, tuple[str, Any]]:
    names = [match["match"] for match in world.run("list", "--json").json]
    return {name: (world.run("record", name).json["head"], world.show(name)["board"]) for name in names}


def traces(text: str) -> set[str]:
    return {trace for trace in TRACES if re.search(re.escape(trace), text, re.IGNORECASE)}


def test_a_match_goes_on_after_somebody_was_forgotten(club: Club) -> None:
    world = club.world
    world.run("forget", "ann@example.org", "--yes", "--now", club.at)
    world.new_letters()
    club.step(hours=1)
    letters = world.new_letters()
    assert letters
    assert not any("ann@" in letter.to for letter in letters)
    number = world.show("m-buttons")["vacant"][0]
    world.join("m-buttons", "Eve Eliot <eve@example.org>", club.at)
    assert world.show("m-buttons")["seats"][number - 1]["name"] == "Eve Eliot"
    club.answers(5, names=("m-buttons",))
    assert club.step(hours=1)["accepted"] == 1
    assert world.run("check").status == 0
    assert "Nothing is kept" in world.run("forget", "ann@example.org", "--yes", "--now", club.at).err


def test_it_asks_first_and_tells_what_would_be_done(club: Club) -> None:
    before = dumped(club.world)
    ran = club.world.run("forget", "ann@example.org", "--now", club.at)
    assert (ran.status, "--yes" in ran.err) == (1, True)
    ran = club.world.run("forget", "ann@example.org", "--check", "--now", club.at)
    assert (ran.status, "nothing is changed" in ran.out) == (0, True)
    assert dumped(club.world) == before


def test_others_letters_lose_their_text_and_a_reply_to_one_still_counts(club: Club) -> None:
    """What was sent to others is known by its id, its form and digests of its lines."""
    world, ben = club.world, PEOPLE[1].partition(";")[0]
    world.configure('folder = ""', 'folder = "site"')
    club.step(hours=1)
    world.mail(ben, "Buttons: Move / Player 1 [m-buttons] ?", "Resign", club.at)
    club.step(hours=1)
    shown = next(letter for letter in world.new_letters() if letter.kind == "preview")
    assert world.run("forget", "ann@example.org", "--yes", "--now", club.at).status == 0
    assert "[forgotten" not in world.run("list").out + world.run("show", "m-buttons").out
    pages = [*(world.folder / "site").rglob("index.html"), *(world.folder / "site/players").glob("*.html")]
    assert not [page for page in pages if "[forgotten" in page.read_text()]
    kept = dumped(world)
    assert "it told of somebody who has asked to be forgotten" in kept
    world.reply(shown, "OK\n\n" + "".join(f"> {line}\n" for line in shown.text.splitlines()), club.at)
    assert club.step(hours=1)["shunted"] == 0
    letters = world.new_letters()
    assert not any("could not" in letter.text for letter in letters if letter.to == "ben@example.org")


def test_who_is_not_there_and_who_moderates_can_not_be_forgotten(club: Club) -> None:
    before = dumped(club.world)
    for address in ("mallory@example.org", "moderator@referee.localhost"):
        assert club.world.run("forget", address, "--yes", "--now", club.at).status == 1
    assert dumped(club.world) == before


def test_a_mail_of_another_that_waits_is_to_be_settled_first(club: Club) -> None:
    club.world.raw(b"Subject: hm\n\nAnn Archer is a cheat\n", club.at)
    club.step(hours=1)
    before = dumped(club.world)
    ran = club.world.run("forget", "ann@example.org", "--yes", "--now", club.at)
    assert (ran.status, "Mails that wait speak of him: " in ran.err) == (1, True)
    assert dumped(club.world) == before
    (number,) = (
        held["id"]
        for held in club.world.run("desk", "--json").json["held"]
        if held["words"] != "no sender at all"
    )
    assert club.world.run("reject", str(number), "--why", "hm", "--now", club.at).status == 0
    assert club.world.run("forget", "ann@example.org", "--yes", "--now", club.at).status == 0
    assert traces(dumped(club.world)) == set()


def test_an_export_holds_all_of_a_person_and_nothing_of_others(club: Club, tmp_path: Path) -> None:
    club.world.do("export", "ann@example.org", str(tmp_path / "ann.zip"))
    assert (tmp_path / "ann.zip").stat().st_mode & 0o077 == 0
    with zipfile.ZipFile(tmp_path / "ann.zip") as file:
        facts = json.loads(file.read("person.json"))
        mails = [file.read(name).decode() for name in file.namelist() if name.startswith("mails/")]
        letters = [file.read(name).decode() for name in file.namelist() if name.startswith("letters/")]
    assert {match["match"] for match in facts["matches"]} == {*OPENED, "m-filling"}
    assert SAID in json.dumps(facts["matches"])
    assert len(mails) > 3
    assert all("ann@example.org" in mail for mail in mails)
    assert letters
    assert all(re.search("^To: .*ann@example.org", letter, re.MULTILINE) for letter in letters)
    assert not any(address in json.dumps(facts) for address in ("ben@", "cleo@", "dan@"))


def test_an_export_holds_nothing_that_is_sealed(club: Club, tmp_path: Path) -> None:
    """Her purchase is in, and not revealed; so is her move of the parallel round."""
    club.answers(6, names=("m-parallel",), but="dan@example.org")
    with sqlite3.connect(club.world.folder / "referee.db") as line:
        bodies = line.execute(
            "SELECT body FROM ledger WHERE match = 'm-purchase' AND kind = 'Answered' AND body LIKE '%\"sealed\":true%'"
        ).fetchall()
    line.close()
    seals = [json.loads(body)["seal"] for (body,) in bodies]
    armies = [json.loads(body)["text"] for (body,) in bodies]
    assert len(seals) > 1
    club.world.run("export", "ann@example.org", str(tmp_path / "ann.zip"))
    with zipfile.ZipFile(tmp_path / "ann.zip") as file:
        whole = "\n".join(file.read(name).decode("utf-8", "replace") for name in file.namelist())
        hidden = [mail for mail in json.loads(file.read("person.json"))["mails"] if mail.get("sealed")]
    assert hidden
    assert all(set(mail) == {"from", "match", "why", "sealed"} for mail in hidden)
    assert not any(seal in whole for seal in seals)
    for army in armies:
        assert not any(
            line in whole for line in army.splitlines() if re.match(r"(Purchase|Pieces|Mascot)", line)
        )


@pytest.mark.server
@pytest.mark.soak
def test_on_postgresql(postgres_url: str, tmp_path: Path) -> None:
    club = Club(tmp_path / "club", postgres_url).season()
    assert club.world.run("export", "ann@example.org", str(tmp_path / "ann.zip")).status == 0
    assert club.world.run("forget", "ann@example.org", "--yes", "--now", club.at).status == 0
    assert club.world.run("check").status == 0
    assert club.world.run("upgrade", "--check").status == 0
    shown = [club.world.run("show", name, "--moderator", "--json").out for name in OPENED]
    assert traces("".join(shown)) == set()
    assert "Nothing is kept" in club.world.run("export", "ann@example.org", str(tmp_path / "again.zip")).err


def test_a_mail_from_elsewhere_that_was_theirs_is_forgotten_too_and_no_list_names_them(
    tmp_path: Path,
) -> None:
    """It came by the reply address, from one that nobody has; and what became of a match is told without a name."""
    table, at = Table(tmp_path), "2026-03-02T01:00:00Z"
    mine, due, phone = table.mover, table.latest("due", table.mover), "Me <xyqme@phone.example>"
    _, letters = table.send(phone, due.subject, table.orders(mine), at, to=due.message["Reply-To"])
    assert table.reply(letters[0], "Yes", at)[0]["accepted"] == 1
    table.send(phone, "xyqwhy", "xyqhow so?", at, to=due.message["Reply-To"], headers={"X-Spam-Flag": "YES"})
    held = [mail["id"] for mail in table.world.run("desk", "--json").json["held"]]
    table.world.run("reject", str(held[0]), "--why", "odd", "--now", at)
    table.world.do("end", table.match, "--as", "won", "--winner", "1", "--why", "over", "--now", at)
    table.step(at)
    assert table.world.run("forget", mine, "--yes", "--now", at).status == 0
    stored = b"".join(path.read_bytes() for path in table.world.folder.glob("referee.db*"))
    assert b"xyq" not in stored
    for told in (("ratings",), ("ratings", "--json"), ("list", "--json"), ("show", table.match)):
        out = table.world.run(*told).out
        assert "[forgotten" not in out, told
    other = next(p.split(" <")[0] for p in table.people if mine not in p)
    assert [row["player"] for row in table.world.run("ratings", "--json").json["buttons"]] == [other]
