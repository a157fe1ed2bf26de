"""Nobody resigns for somebody else: a resignation is asked about, unless its mail proves more than an address."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.way.test_senders import DENIED, VOUCHED, trusting
from tests.world import Sent, Table, kinds

KINGS = {1: "o15", 2: "a15", 3: "a1", 4: "o1"}
BOARD = {
    "pieces": [
        {"square": home, "piece": "King", "player": seat, "mascot": False} for seat, home in KINGS.items()
    ]
    + [{"square": "h8", "piece": "Neutron", "player": None, "mascot": False}]
}
FOUR = [f"{name} <{name.lower()}@example.org>" for name in ("Ann", "Ben", "Cleo", "Dan")]
Opened = Callable[[Path], Table]


def fourplay(folder: Path) -> Table:
    (folder / "board.json").write_text(json.dumps(BOARD), encoding="utf-8")
    return Table(folder, "fourplay", FOUR, position=str(folder / "board.json"))


OPENED: dict[str, tuple[Opened, tuple[str, ...]]] = {
    "fourplay": (fourplay, ("Turn", "Resign")),
    "go": (lambda folder: Table(folder, "multigo", FOUR[:3]), ("Move", "Resign")),
    "parallel go": (lambda folder: Table(folder, "multigo", FOUR[:3], order="parallel"), ("Move", "Resign")),
    "onepiece": (lambda folder: Table(folder, "onepiece", grid="7x7"), ("Move", "Resign")),
    "tournament": (lambda folder: Table(folder, "onepiece", FOUR, players="4"), ("Move", "Resign")),
    "buttons": (lambda folder: Table(folder), ("Move", "Resign")),
}
WAYS = [(name, heading) for name, (_, headings) in OPENED.items() for heading in (*headings, "resign MATCH")]


def title(table: Table) -> str:
    return table.latest("due", table.mover).subject.partition("] ")[2].partition(":")[0]


def resigned(
    table: Table, heading: str, at: str, body: str = "Resign\n", **more: Any
) -> tuple[dict[str, Any], list[Sent]]:
    if heading == "resign MATCH":
        return table.send(table.mover, f"resign {table.match}", body, at, **more)
    return table.send(table.mover, f"{title(table)}: {heading} / Player {table.turn}", body, at, **more)


@pytest.mark.one_in(5)
@pytest.mark.parametrize(("name", "heading"), WAYS)
def test_a_bare_address_resigns_nobody_and_its_owners_yes_does(
    tmp_path: Path, name: str, heading: str
) -> None:
    table = OPENED[name][0](tmp_path)
    before = table.world.run("show", table.match, "--json").json
    counts, letters = resigned(table, heading, "2026-03-02T00:00:00Z")
    assert (counts["held"], counts["accepted"]) == (1, 0), [x.text for x in letters]
    assert kinds(letters) == {"challenge": [table.mover]}, "nobody else hears of it"
    assert "gives up your seat" in letters[0].words
    assert table.world.run("show", table.match, "--json").json == before
    counts, letters = table.reply(letters[0], "Yes, that was me", "2026-03-02T01:00:00Z")
    assert (counts["answered"], counts["accepted"]) == (1, 1), [x.text for x in letters]
    assert kinds(letters)["receipt"] == [table.mover]
    assert table.world.run("show", table.match, "--json").json != before


@pytest.mark.one_in(5)
@pytest.mark.parametrize(("name", "heading"), WAYS)
def test_a_reply_to_a_letter_proves_more_than_an_address(tmp_path: Path, name: str, heading: str) -> None:
    table = OPENED[name][0](tmp_path)
    token = table.latest("due", table.mover).message["Reply-To"]
    counts, letters = resigned(table, heading, "2026-03-02T00:00:00Z", to=token)
    assert counts["accepted"] == 1, [x.text for x in letters]


def test_a_server_that_vouches_is_enough_and_one_that_denies_is_not(table: Table) -> None:
    trusting(table)
    counts, _ = resigned(table, "Move", "2026-03-02T00:00:00Z", headers=DENIED)
    assert (counts["held"], counts["accepted"]) == (1, 0)
    counts, _ = resigned(table, "Move", "2026-03-02T00:01:00Z", headers=VOUCHED)
    assert counts["accepted"] == 1


def test_the_configuration_may_ask_for_less_or_for_more(table: Table) -> None:
    table.world.configure('resign = "vouched"', 'resign = "token"')
    trusting(table)
    counts, _ = resigned(table, "Move", "2026-03-02T00:00:00Z", headers=VOUCHED)
    assert counts["held"] == 1
    table.world.configure('resign = "token"', 'resign = "address"')
    counts, _ = resigned(table, "Move", "2026-03-02T00:01:00Z")
    assert counts["accepted"] == 1


def test_a_resignation_that_could_not_count_is_refused_at_once(table: Table) -> None:
    token = table.latest("due", table.mover).message["Reply-To"]
    resigned(table, "Move", "2026-03-02T00:00:00Z", to=token)
    counts, letters = resigned(table, "resign MATCH", "2026-03-02T01:00:00Z")
    assert (counts["refused"], kinds(letters)) == (1, {"refusal": [table.mover]})


def test_a_resignation_that_is_asked_about_delays_no_deadline(table: Table) -> None:
    due = table.world.show(table.match)["due"][0]["due_at"]
    resigned(table, "Move", "2026-03-02T00:00:00Z")
    counts, _ = table.step(_after(due))
    assert counts["lapsed"] == 1


def _after(due: str) -> str:
    from datetime import datetime, timedelta

    return (datetime.fromisoformat(due) + timedelta(hours=1)).isoformat()
