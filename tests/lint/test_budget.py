"""The budget counts what it says, and the sum of its ceilings never rises."""

import copy
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.lint.budget import BUDGET, ROOT, House, Module, lowered

COUNTED = '''"""A module
of two lines."""

import re

# A comment.
WORDS = frozenset("pass resign".split())
_MOVE = re.compile(r"\\bmove[s]? (?:to|at)")
double = lambda x: 2 * x


class Seen:
    """A law."""

    default: object = lambda: None

    def told(self, said: str) -> str:
        """Another."""
        if said in ("yes", "no"):
            return "a letter's words are nobody's to match"
        return f"{said}, and a line that is far longer than anybody wants to read, which is told of here"
'''


def house(root: Path, budget: dict[str, Any], files: dict[str, str]) -> House:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return House.of(root, budget)


@pytest.fixture
def budget() -> dict[str, Any]:
    """Of two rooms with ten lines each."""
    told = copy.deepcopy(tomllib.loads(BUDGET.read_text(encoding="utf-8")))
    told["rooms"] = {"core": 10, "post": 10}
    told["whole"] = {"lines": 20, "code": 20, "matched": 20, "data": 20}
    told["law"] |= {"docstrings": 0}
    return told


def text_of(budget: dict[str, Any]) -> str:
    return "".join(
        f"[{section}]\n" + "".join(f"{name} = {value!r}\n" for name, value in told.items())
        for section, told in budget.items()
    )


def test_what_is_counted_of_a_module() -> None:
    module = Module.of("referee/core/seen.py", COUNTED)
    assert (module.room, module.lines, module.docstring, module.blank) == ("core", 21, 4, 7)
    assert module.code == 10
    assert module.long == 1
    assert module.lambdas == ("double",)
    assert module.matched == 7  # pass resign move to at yes no


def test_every_room_stands_in_the_budget_and_reads_only_where_modules_are() -> None:
    told = tomllib.loads(BUDGET.read_text(encoding="utf-8"))
    assert {*House.of(ROOT, told).rooms()} <= {*told["rooms"], *told["plan"]}
    rooms = {pattern.split("/")[1] for pattern in told["words"]["modules"]}
    assert rooms <= {*told["rooms"], *told["plan"]}


def test_a_room_that_is_over_is_told(tmp_path: Path, budget: dict[str, Any]) -> None:
    found = house(
        tmp_path, budget, {"referee/core/a.py": "x = 1\n" * 11, "referee/kitchen/a.py": "x = 1\n" * 10}
    )
    assert [*found.faults()] == [
        "referee/core: 11 lines of Python, 10 at most",
        "referee/kitchen: no room of the plan",
        "all rooms: 21 lines of Python, 20 at most",
        "all rooms: 21 lines of code, 20 at most",
    ]


def test_a_room_to_come_has_its_budget_from_the_plan(tmp_path: Path, budget: dict[str, Any]) -> None:
    budget["whole"] |= {"lines": 2000, "code": 2000}
    found = house(tmp_path, budget, {"referee/draw/a.py": "x = 1\n" * 1151})
    assert [*found.faults()] == ["referee/draw: 1151 lines of Python, 1150 at most"]


def test_forms_are_counted_wherever_they_stand(tmp_path: Path, budget: dict[str, Any]) -> None:
    """In files of words, and in modules that read mails; not in others."""
    found = house(
        tmp_path,
        budget,
        {
            "referee/language/words/de.toml": 'pass = ["pass", "passe"]\n[keys]\nmove = ["zug"]\n',
            "templates/morris/words.de.toml": '[things]\nman = ["mann", "stein"]\n',
            "templates/morris/complaints.toml": 'occupied = "There stands a man."\n',
            "referee/core/orders/words.py": 'KEYS = "move comment resign"\n',
            "referee/store/tables.py": 'TABLES = "entries mails letters"\n',
        },
    )
    assert found.whole()["matched"] == 3 + 2 + 3


def test_files_of_words_keep_their_size(tmp_path: Path, budget: dict[str, Any]) -> None:
    budget["whole"] |= {"matched": 10_000, "data": 10_000}
    many = ", ".join(f'"w{n}"' for n in range(181))
    found = house(
        tmp_path,
        budget,
        {
            "referee/language/words/de.toml": f"verbs = [{many}]\n",
            "referee/language/words/en.toml": f"verbs = ['go on']\n[numerals]\none = [{many}]\n",
            "templates/morris/words.de.toml": f"[values]\nall = [{', '.join(repr(str(n)) for n in range(41))}]\n",
        },
    )
    assert [*found.faults()] == [
        "referee/language/words/de.toml: 181 forms, 180 at most",
        "referee/language/words/en.toml: 'go on' is more than a word",
        "templates/morris/words.de.toml: 41 forms, 40 at most",
    ]


def test_docstrings_and_short_lines_are_not_saved(tmp_path: Path, budget: dict[str, Any]) -> None:
    budget["law"]["docstrings"] = 8
    found = house(tmp_path, budget, {"referee/core/a.py": f"x = {'1' * 100}\n" + "y = 1\n" * 9})
    assert [*found.faults()] == [
        "docstrings: less than 8 of a hundred lines",
        "long lines: more than 7 of a hundred have over 100 signs",
    ]


def test_writing_lowers_what_was_reached(tmp_path: Path, budget: dict[str, Any]) -> None:
    found = house(tmp_path, budget, {"referee/core/a.py": "x = 1\n" * 4, "referee/post/a.py": "x = 1\n" * 9})
    told = tomllib.loads(lowered(text_of(budget), found))
    assert told["rooms"] == {"core": 4, "post": 9}
    assert told["whole"] == {"lines": 13, "code": 13, "matched": 0, "data": 0}
    assert told["law"] == budget["law"]
    assert told["plan"] == budget["plan"]


def test_a_room_takes_what_another_gives(tmp_path: Path, budget: dict[str, Any]) -> None:
    found = house(tmp_path, budget, {"referee/core/a.py": "x = 1\n" * 4, "referee/post/a.py": "x = 1\n" * 15})
    assert tomllib.loads(lowered(text_of(budget), found))["rooms"] == {"core": 4, "post": 15}


def test_no_ceiling_rises_where_the_sum_would(tmp_path: Path, budget: dict[str, Any]) -> None:
    found = house(tmp_path, budget, {"referee/core/a.py": "x = 1\n" * 4, "referee/post/a.py": "x = 1\n" * 17})
    told = tomllib.loads(lowered(text_of(budget), found))
    assert told["rooms"] == budget["rooms"]
    assert told["whole"]["lines"] == 20
