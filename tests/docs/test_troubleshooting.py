"""The guide to trouble has every kind of letter, and the words that the program says."""

import ast
import re
import shlex
from functools import cache
from pathlib import Path

import pytest

import referee
from referee.letters.speaker import KINDS
from tests.docs.guide import GUIDES, missing, shown
from tests.world import World

TEXT = (GUIDES / "troubleshooting.md").read_text()
_ROW = re.compile(r"^\| `(.+?)`(?:, `.+`)* \|", re.MULTILINE)


def section(title: str) -> str:
    return TEXT.partition(f"## {title}")[2].partition("\n## ")[0]


@cache
def said_by_the_program() -> str:
    """Every constant text of it."""
    files = Path(referee.__file__).parent.rglob("*.py")
    trees = (ast.parse(file.read_text(encoding="utf-8")) for file in files)
    texts = (n.value for tree in trees for n in ast.walk(tree) if isinstance(n, ast.Constant))
    return "\n".join(text for text in texts if isinstance(text, str)).replace("`", "")


def test_every_kind_of_letter_is_explained() -> None:
    told = set(re.findall(r"`([a-z]+)`", "".join(re.findall(r"(?m)^\| (`.+?`) \|", section("For players")))))
    assert {kind.notice for kind in KINDS.values()} <= told


@pytest.mark.parametrize("row", _ROW.findall(section("For moderators: what `doctor` says")))
def test_what_doctor_is_said_to_say_it_says(row: str) -> None:
    part, _, words = row.rpartition(": ")
    for piece in filter(None, (piece.strip() for piece in words.split("..."))):
        assert piece in said_by_the_program(), piece
    if part:
        assert f'"{part}"' in (Path(referee.__file__).parent / "upkeep" / "doctor.py").read_text()


def test_the_log_has_the_events_that_are_named() -> None:
    events = re.findall(
        r"`([a-z ]+)`", "".join(re.findall(r"(?m)^\| (`.+?) \|", section("For moderators: the log")))
    )
    assert len(events) > 9
    assert [event for event in events if event not in said_by_the_program()] == []


def test_what_it_shows_is_what_happens(tmp_path: Path) -> None:
    said, folder = "", tmp_path
    for block in shown(GUIDES / "troubleshooting.md"):
        if block.kind == "output":
            assert not missing(block, said)
            continue
        for line in block.text.splitlines():
            if line.startswith("cd "):
                folder = tmp_path / line.removeprefix("cd ")
                continue
            words = shlex.split(line)[1:]
            if words[0] == "init":
                World(tmp_path / words[1])
            else:
                said = World(folder).run(*words).out
