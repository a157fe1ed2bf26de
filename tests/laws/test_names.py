"""One name, one thing (design, section 8): a class's name stands for one class in the whole program, games apart."""

import ast
from collections import defaultdict
from pathlib import Path

import referee

ROOT = Path(referee.__file__).parent


def test_no_two_public_classes_share_a_name() -> None:
    found: dict[str, list[str]] = defaultdict(list)
    for file in ROOT.rglob("*.py"):
        place = file.relative_to(ROOT)
        if place.parts[0] == "games":
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(f"{place}:{node.lineno}")
    assert found, "the program's classes are found"
    assert {name: places for name, places in found.items() if len(places) > 1} == {}
