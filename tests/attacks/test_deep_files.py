"""Files that are made to be read badly: nested without end, huge, no text, or garbled. Every command that takes one
ends in one line and exit status 1, and says in it what is wrong."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.world import PEOPLE, Ran, Table, World

DEEP_JSON = {
    "lists": "[" * 100_000 + "]" * 100_000,
    "objects": '{"a":' * 100_000 + "1" + "}" * 100_000,
    "never closed": "[" * 100_000,
    "just too deep": "[" * 101 + "]" * 101,
    "within a record": '{"format": "x", "entries": ' + "[" * 5_000 + "]" * 5_000 + "}",
}
ODD_JSON = {
    "nothing": "",
    "a number without end": "1" * 100_000,
    "no record": "[]",
    "null": "null",
    "half": '{"format": "referee-record/1", "entries": [',
    "many lists, none deep": f"[{'[],' * 50_000}[]]",
    "brackets in a string": json.dumps("[" * 100_000),
    "a name twice": '{"format": "referee record 2", "format": "referee record 1"}',
    "no number": '{"format": "referee record 2", "head": NaN}',
    "quotes without end": '"' + "\\" * 99_999,
}


def one_line(ran: Ran, config: bool = False) -> str:
    """The one line that a command ended with."""
    lines = [line for line in (ran.out + ran.err).splitlines() if line.strip()]
    assert ran.status == 1, (ran.status, lines[:3])
    assert len(lines) == 1, lines[:3]
    assert "Traceback" not in lines[0]
    assert len(lines[0]) < 500
    return lines[0]


@pytest.mark.parametrize("text", [*DEEP_JSON.values(), *ODD_JSON.values()], ids=[*DEEP_JSON, *ODD_JSON])
def test_verify_ends_in_one_line(tmp_path: Path, text: str) -> None:
    world = World(tmp_path)
    file = tmp_path / "record.json"
    file.write_text(text, encoding="utf-8")
    said = one_line(world.run("verify", str(file), config=False))
    assert ("deep" in said) == (text in DEEP_JSON.values())
    ran = world.run("verify", str(file), "--json", config=False)
    assert ran.status == 1
    assert ran.json["well"] is False


def test_verify_ends_in_one_line_on_what_is_no_text_or_too_large(tmp_path: Path) -> None:
    world = World(tmp_path)
    (tmp_path / "noise").write_bytes(bytes(range(256)) * 100)
    assert "UTF-8" in one_line(world.run("verify", str(tmp_path / "noise"), config=False))
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(3_000_000_000)  # a hole: it takes no room on the disk
    assert "larger than" in one_line(world.run("verify", str(tmp_path / "huge"), config=False))
    assert "larger than" in one_line(world.run("verify", "/dev/zero", config=False))


def _paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, part in inner for found in _paths(part, (*path, key)))]


ODD_VALUES: tuple[Callable[[], Any], ...] = (
    lambda: None, list, dict, lambda: -1, lambda: 10**30, lambda: 1e308, lambda: "", lambda: "\x00\ud800",
    lambda: "9" * 5000, lambda: True, lambda: [[[[]]]], lambda: {"": {"": ""}}, lambda: "2026-99-99T00:00:00Z",
    lambda: json.dumps(DEEP_JSON["lists"]), lambda: DEEP_JSON["lists"],
)  # fmt: skip


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", range(4))
def test_verify_never_stumbles_over_a_garbled_record(table: Table, tmp_path: Path, seed: int) -> None:
    """Any value of a true record replaced by any other, a field left away, a field too many."""
    chance = random.Random(f"records {seed}")
    text = table.world.run("record", table.match).out
    paths = [path for path in _paths(json.loads(text)) if path]
    for _ in range(60):
        record = json.loads(text)
        for _ in range(chance.randrange(1, 3)):
            path = chance.choice(paths)
            try:
                holder = record
                for key in path[:-1]:
                    holder = holder[key]
                if chance.random() < 0.3:
                    del holder[path[-1]]
                else:
                    holder[path[-1]] = chance.choice(ODD_VALUES)()
            except (LookupError, TypeError):
                continue
        (tmp_path / "garbled.json").write_text(json.dumps(record), encoding="utf-8")
        ran = table.world.run("verify", str(tmp_path / "garbled.json"), config=False)
        assert ran.status in (0, 1)
        assert ran.err == ""
        same = json.dumps(json.loads(text)) == json.dumps(record)  # strictly: True is not 1
        assert (ran.status == 0) == same, (ran.out, path)


@pytest.mark.parametrize("text", [*DEEP_JSON.values(), *ODD_JSON.values()], ids=[*DEEP_JSON, *ODD_JSON])
def test_a_position_from_such_a_file_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    world = World(tmp_path)
    file = tmp_path / "position.json"
    file.write_text(text, encoding="utf-8")
    people = [
        part
        for person in (*PEOPLE, "Cy <cy@example.org>", "Di <di@example.org>")
        for part in ("--seat", person)
    ]
    assert "position" in one_line(world.run("open", "fourplay", *people, "--option", f"position={file}"))


DEEP_TOML = {
    "lists": "a = " + "[" * 100_000 + "]" * 100_000,
    "tables": "a = " + "{a = " * 50_000 + "1" + "}" * 50_000,
    "keys": "a" + ".a" * 5_000 + " = 1",
    "headings": "[a" + ".a" * 5_000 + "]\nb = 1",
    "just too deep": "a = " + "[" * 101 + "]" * 101,
    "within a key": "[mailbox]\nurl = " + "[" * 150 + "]" * 150,
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("text", DEEP_TOML.values(), ids=DEEP_TOML.keys())
@pytest.mark.parametrize(
    "command", [("list",), ("step",), ("doctor",), ("open", "buttons", "--seat", PEOPLE[0])]
)
def test_a_configuration_nested_deeply_is_refused_in_one_line(
    tmp_path: Path, text: str, command: tuple[str, ...]
) -> None:
    world = World(tmp_path)
    (tmp_path / "referee.toml").write_text(text, encoding="utf-8")
    assert "deep" in one_line(world.run(*command))


@pytest.mark.parametrize("text", DEEP_TOML.values(), ids=DEEP_TOML.keys())
@pytest.mark.parametrize("name", ["options.toml", "pieces.toml"])
def test_game_data_nested_deeply_are_refused_in_one_line(tmp_path: Path, text: str, name: str) -> None:
    world = World(tmp_path)
    (tmp_path / "config/fourplay").mkdir(parents=True)
    (tmp_path / "config/fourplay" / name).write_text(text, encoding="utf-8")
    people = [
        part
        for person in (*PEOPLE, "Cy <cy@example.org>", "Di <di@example.org>")
        for part in ("--seat", person)
    ]
    assert "deep" in one_line(world.run("open", "fourplay", *people))


def test_a_configuration_that_is_huge_or_no_text_is_refused_in_one_line(tmp_path: Path) -> None:
    world = World(tmp_path)
    (tmp_path / "referee.toml").write_text(f'[referee]\nname = "{"x" * 900_000}"\n', encoding="utf-8")
    assert "referee.name" in one_line(world.run("list"))
    (tmp_path / "referee.toml").write_text("#" * 2_000_000, encoding="utf-8")
    assert "larger than" in one_line(world.run("list"))
    (tmp_path / "referee.toml").write_bytes(b"\xff\xfe\x00")
    assert "UTF-8" in one_line(world.run("list"))
