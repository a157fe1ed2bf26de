"""Who is forgotten is nowhere in the club's ledgers, and what he played in stands as it stood."""

import json
import random
import sqlite3
import zipfile
from pathlib import Path

from tests.club.company import NAMES, Company, address
from tests.club.test_events import Club


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
