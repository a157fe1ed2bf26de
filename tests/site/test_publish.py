"""`referee site`: what the ledger tells in public, on pages anybody may read; work that grows with what changed."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlencode

import pytest

from referee.base import shipped
from referee.games import found
from referee.letters.rendering import cited
from referee.match.record.public import public_record
from tests.world import START, World

TWO = ["Ann Archer <ann@example.org>", "Ben Baker <ben@example.org>"]
THREE = [*TWO, "Cleo Carter <cleo@example.org>"]


def site_of(world: World, into: str = "site") -> Path:
    site = world.folder / into
    world.do("site", str(site))
    return site


def files(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def published(world: World, match: str, page: str = "index.html") -> str:
    return (site_of(world) / "matches" / match / page).read_text(encoding="utf-8")


def moves(world: World, match: str, count: int) -> None:
    """Go for three, one stone after another."""
    for number in range(count):
        seat = number % 3
        column, row = "ABCDEFGHJ"[number % 9], 1 + 2 * (number // 9)
        world.mail(THREE[seat], f"Go: Move / Player {seat + 1} [{match}]", f"Move: {column}{row}")
        world.step(START)


def test_an_ended_match_tells_who_won_and_why(world: World) -> None:
    name = world.open("buttons", TWO, starter="1")
    world.passed(START)
    world.mail_and_yes(TWO[0], "Buttons: Move / Player 1", "Resign")
    assert '<p class="outcome">Won by Ben Baker. ' in published(world, name)
    site = world.folder / "site"
    assert "Won by Ben Baker." in (site / "index.html").read_text(encoding="utf-8")
    players = {p.read_text() for p in (site / "players").glob("*.html") if p.name != "index.html"}
    assert sorted("Won</td>" in text for text in players) == [False, True]


def test_only_turns_are_counted_and_each_has_one_number(world: World) -> None:
    """What befalls a match between two turns has none: the beginning, and what the moderator says."""
    name = world.open("multigo", THREE, board="9x9")
    free = world.run("open", "multigo", "--seat", TWO[0], "--vacant", "1", "--now", START).out.strip()
    moves(world, name, 2)
    world.step(START)
    world.run("say", name, "Well played.", "--why", "so", "--now", START)
    cover = published(world, name)
    listed = re.findall(r'<li( value="\d+"| class="beside")><a href="\d+\.html">([^<]*)</a>', cover)
    beside = ' class="beside"'
    assert listed == [
        (beside, "The match begins"),
        (' value="1"', "B A1"),
        (' value="2"', "W B1"),
        (beside, "The moderator speaks"),
    ]
    site = world.folder / "site"
    assert "After turn 2, the last so far" in (site / f"matches/{name}/last.html").read_text()
    numbers = [int(n) for n in re.findall(r'<li[^>]*><a href="(\d+)\.html">', cover)]
    first, second = ((site / f"matches/{name}/{n}.html").read_text() for n in numbers[:2])
    assert "Before the first turn, <time" in first
    assert "Turn 1, <time" in second
    waiting = (site / f"matches/{free}/index.html").read_text()
    assert "Replay" not in waiting
    assert "last turn" not in waiting
    every = (site / "matches/index.html").read_text()
    assert "Cleo Carter to move" in every
    assert ">Filling; vacant: 1 of 2 seats<" in every


def test_a_puzzle_given_up_is_not_solved(world: World) -> None:
    name = world.open("buttons", TWO[:1], mode="solo", par="off", goal="two")
    world.mail(TWO[0], "Buttons: Move / Player 1", "Give up")
    world.step(START)
    assert '<p class="outcome">Not solved. ' in published(world, name)


def test_what_happened_stands_there_as_letters_lay_it_out_and_no_address_does(world: World) -> None:
    name = world.open("multigo", THREE, board="9x9")
    world.step(START)
    page = published(world, name, "last.html")
    assert "<tr><td>Black</td><td>B</td><td>Ann Archer (Player 1)</td></tr>" in page
    for content in files(world.folder / "site").values():
        assert b"@example.org" not in content


def test_every_public_letter_has_the_page_of_its_position(world: World) -> None:
    name = world.open("multigo", THREE, board="9x9")
    moves(world, name, 4)
    site = site_of(world)
    positions = {letter.position for letter in world.new_letters() if letter.position}
    assert len(positions) >= 4
    for position in positions:
        assert (site / f"matches/{name}/{position}.html").is_file()


def test_what_did_not_change_is_not_read_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor written: every match's record is made once, until something public happens in it."""
    first, second = (world.open("multigo", THREE, board="9x9") for _ in range(2))
    world.step(START)
    site = site_of(world)
    before = {path: path.stat().st_mtime_ns for path in site.rglob("*")}
    read: list[str] = []
    monkeypatch.setattr(
        "referee.site.publish.public_record",
        lambda game, entries: read.append(entries[0].event.match) or public_record(game, entries),
    )
    site_of(world)
    assert read == []
    assert {path: path.stat().st_mtime_ns for path in site.rglob("*")} == before
    moves(world, second, 1)
    site_of(world)
    assert read == [second]
    changed = {
        p.relative_to(site).parts for p, at in before.items() if p.is_file() and p.stat().st_mtime_ns != at
    }
    assert not any(first in parts for parts in changed)


def test_grown_by_steps_or_made_at_once_the_bytes_are_the_same(world: World) -> None:
    name = world.open("multigo", THREE, board="9x9")
    other = world.open("buttons", TWO, starter="1")
    for count in (0, 1, 2, 1, 26):
        moves(world, name, count)
        site_of(world, "grown")
    world.mail(TWO[0], f"Buttons: Move / Player 1 [{other}]", "Resign")
    world.run("rewind", name, "--to", "Round 1 / Player 2", "--why", "a test", "--now", START)
    world.step(START)
    assert files(site_of(world, "grown")) == files(site_of(world, "new"))


def test_a_sealed_answer_leaves_no_trace_before_the_reveal(world: World) -> None:
    name = world.open("multigo", THREE, board="9x9", order="parallel")
    world.step(START)
    before = files(site_of(world))
    world.mail(THREE[1], f"Go: Move / Player 2 [{name}]", "Move: C3")
    assert world.step(START)["accepted"] == 1
    assert files(site_of(world)) == before
    assert files(site_of(world, "new")) == before


def test_two_of_one_name_are_two_players_and_one_of_two_names_is_not_given_away(world: World) -> None:
    world.open("buttons", ["Ann Archer <ann@example.org>", "Ben Baker <ben@example.org>"])
    world.open("buttons", ["Ben Baker <ben@example.org>", "Ann Archer <other@example.org>"])
    world.open("buttons", ["Ann Archer <ANN@example.org>", "Nym <other@example.org>"])
    world.step(START)
    names = (site_of(world) / "players/index.html").read_text()
    found = re.findall(r'<li><a href="(\w+)\.html">([^<]+)</a> \((\d+)\)', names)
    assert sorted((name, count) for _, name, count in found) == [
        ("Ann Archer", "1"), ("Ann Archer", "2"), ("Ben Baker", "2"), ("Nym", "1"),
    ]  # fmt: skip


def test_whoever_gave_a_seat_up_keeps_a_page(world: World) -> None:
    name = world.open("buttons", TWO, starter="1")
    world.run("replace", name, "2", "Eve Eder <eve@example.org>", "--why", "left", "--now", START)
    world.step(START)
    site = site_of(world)
    pages = {p.name: p.read_text() for p in (site / "players").glob("*.html")}
    (ben,) = [text for text in pages.values() if "<h1>Ben Baker</h1>" in text]
    assert "<td>Left</td>" in ben
    assert "Eve Eder" in published(world, name)
    assert ">Ben Baker</a>" not in published(world, name).split("Contents")[0]


# --- [site] ------------------------------------------------------------------------------------------------------


def test_each_pass_keeps_the_folder_current(world: World) -> None:
    world.configure('folder = ""', 'folder = "www"')
    name = world.open("multigo", THREE, board="9x9")
    world.step(START)
    www = world.folder / "www"
    first = files(www)
    moves(world, name, 1)
    assert files(www) != first
    assert files(www) == files(site_of(world, "new"))


def test_an_archive_that_can_not_be_written_holds_up_no_mail(world: World) -> None:
    (world.folder / "www").write_text("a file is in the way")
    world.configure('folder = ""', 'folder = "www"')
    world.open("multigo", THREE, board="9x9")
    counts = world.step(START)
    assert counts["sent"] > 0
    assert any("archive" in line for line in counts["trouble"])


@pytest.mark.parametrize("there", ["nothing", "a folder", "a file"])
def test_an_archive_is_built_without_a_picture_that_can_not_be_read_and_doctor_names_it(
    world: World, there: str
) -> None:
    world.configure('picture = ""', 'picture = "Club.png"')
    picture = world.folder / "Club.png"
    if there == "a folder":
        picture.mkdir()
    elif there == "a file":
        picture.write_bytes(b"\x89PNG")
    world.configure('folder = ""', 'folder = "www"')
    name = world.open("multigo", THREE, board="9x9")
    assert not world.step(START).get("trouble")
    assert (world.folder / f"www/matches/{name}/last.html").is_file()
    shown = "picture.png" if there == "a file" else "favicon.svg"
    assert f'src="{shown}"' in (world.folder / "www/index.html").read_text() or there != "a file"
    assert (world.folder / "www" / shown).is_file()
    ran = world.run("doctor")
    assert ("[site] picture: Club.png" in ran.out + ran.err) == (there != "a file"), ran.out


def test_letters_link_to_their_position_only_where_the_address_is_known(world: World) -> None:
    name = world.open("multigo", THREE, board="9x9")
    assert all("http" not in letter.text for letter in world.passed(START))
    world.configure('url = ""', 'url = "https://games.example.org/referee"')
    moves(world, name, 1)
    letters = world.new_letters()
    public = [letter for letter in letters if letter.position]
    assert public
    for letter in public:
        address = f"https://games.example.org/referee/matches/{name}/{letter.position}.html"
        assert address in letter.text
        assert address in str(letter.message.get_body(("html",)))
    due = [letter for letter in letters if letter.kind == "due"]
    assert due
    page = f"https://games.example.org/referee/matches/{name}/play.html"
    for letter in due:
        player = re.search(r"\(Player (\d)\)", letter.text)
        assert player
        known = urlencode({"player": player[1], "address": letter.to})
        assert f"{page}#{known}" in letter.text
    assert (site_of(world) / f"matches/{name}/play.html").is_file()


def test_public_letters_link_to_the_rules_they_cite(world: World) -> None:
    world.configure('url = ""', 'url = "https://games.example.org/"')
    world.open("fourplay", [*THREE, "Dan Dean <dan@example.org>"])
    opened = [letter for letter in world.passed(START) if letter.kind == "opened"]
    assert len(opened) == 4
    page = (site_of(world) / "games/fourplay.html").read_text(encoding="utf-8")
    for letter in opened:
        assert "rule 600" in letter.text
        assert "\nRule 600:\nhttps://games.example.org/games/fourplay.html#rule-600" in letter.text
        body = letter.message.get_body(("html",))
        html = body.get_content()
        links = re.findall(r'href="https://games.example.org/games/fourplay.html#([^"]*)"', html)
        assert "rule-600" in links
        assert all(f'id="{name}"' in page for name in links)


@pytest.mark.parametrize("slug", sorted(found()))
def test_every_rule_that_public_words_cite_stands_on_the_games_page_by_its_number(slug: str) -> None:
    folder = shipped.folders("templates")[0] / slug
    file = folder / "clauses.toml"
    clauses = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    for name in ("happenings.j2", "standing.j2", "rules.j2"):
        for clause in re.findall(r"(?:\brules? |\()(\d+(?:\.\w+)+|\d{3})\b", (folder / name).read_text()):
            assert cited(f"rule {clause} ", clauses), (name, clause)
    assert cited("(604.Z), rule 6040, 611 and (2.4, step 2); rule 605.", {"604": "", "605": "", "2.4": ""}) == (
        "604", "2.4", "605",
    )  # fmt: skip


def test_the_status_letter_tells_the_calendar_s_address_and_no_page_does(world: World) -> None:
    world.configure('url = ""', 'url = "https://games.example.org/"')
    world.open("multigo", THREE, board="9x9")
    world.passed(START)
    (letter,) = world.sends(THREE[0], "status", "")
    (address,) = re.findall(r"https://games\.example\.org/(calendars/[0-9a-f]{32}\.ics)", letter.text)
    site = site_of(world)
    assert b"Ann Archer" in (site / address).read_bytes()
    secret = Path(address).stem.encode()
    assert not any(secret in content for content in files(site).values())


@pytest.mark.parametrize(
    "url", ["ftp://x", "games.example.org", "https://a b/", 'https://a/"><b>', "https://a/?q"]
)
def test_an_address_that_is_none_is_refused(world: World, url: str) -> None:
    path = world.folder / "referee.toml"
    text = path.read_text()
    path.write_text(text.replace('url = ""    ', f"url = '{url}'    "))
    assert path.read_text() != text
    ran = world.run("list")
    assert ran.status == 1
    assert "site.url" in ran.err


# --- the page that writes mails ----------------------------------------------------------------------------------


def asked(world: World, match: str) -> list[dict[str, Any]]:
    """What the page of a match says that each seat may send."""
    found = re.search(r'id="facts">(.*?)</script>', published(world, match, "play.html"))
    assert found
    senders = json.loads(found[1])["senders"]
    return [{**ask, "seat": sender["seat"]} for sender in senders for ask in sender["asks"]]


def test_a_mail_with_the_subject_that_the_page_shows_counts(world: World) -> None:
    """Even from somebody who sits in several matches of the game."""
    names = [world.open("multigo", THREE, board="9x9"), world.open("multigo", THREE, board="9x9")]
    world.step(START)
    (owed,) = [ask for ask in asked(world, names[1]) if ask["owed"]]
    assert owed["seat"] == 1
    world.mail(THREE[0], f"{owed['subject']} ?", owed["form"].replace("Move:", "Move: D4"))
    counts = world.step(START)
    assert (counts["accepted"], counts["answered"]) == (0, 1)
    world.mail(THREE[0], owed["subject"], owed["form"].replace("Move:", "Move: D4"))
    assert world.step(START)["accepted"] == 1
    assert [ask["seat"] for ask in asked(world, names[1]) if ask["owed"]] == [2]
    assert [ask["seat"] for ask in asked(world, names[0]) if ask["owed"]] == [1]


def test_without_scripts_the_page_has_every_form_and_a_link_that_opens_it(world: World) -> None:
    name = world.open("fourplay", [*THREE, "Dan Dean <dan@example.org>"])
    world.step(START)
    page = published(world, name, "play.html")
    links = re.findall(r'href="mailto:collector@referee.localhost\?subject=([^&"]*)&amp;body=([^"]*)"', page)
    assert [unquote(subject) for subject, _ in links if "Ready" in subject] == [
        f"Fourplay: Ready / Player {seat} [{name}]" for seat in (1, 2, 3, 4)
    ]
    assert "I am ready for battle. Let the Games begin!" in unquote(links[0][1])


def test_a_paused_match_and_one_that_has_ended_ask_for_nothing(world: World) -> None:
    name = world.open("buttons", TWO, starter="1")
    world.step(START)
    assert "Write your mail</a>" in published(world, name)
    world.run("pause", name, "--why", "a holiday", "--now", START)
    assert "The match is paused" in published(world, name, "play.html")
    assert "Write your mail</a>" not in published(world, name)
    world.run("resume", name, "--why", "back", "--now", START)
    world.new_letters()
    world.mail_and_yes(TWO[0], "Buttons: Move / Player 1", "Resign")
    page = published(world, name, "play.html")
    assert "The match has ended" in page
    assert "form.js" not in page
