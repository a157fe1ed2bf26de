"""One name, one thing (design, section 8): a class's name stands for one class in the whole program, games apart."""

import ast
from collections import defaultdict
from pathlib import Path

import grimp

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


# --- no file needs itself by way of others -----------------------------------------------------------------------


def test_no_file_needs_itself_by_way_of_others() -> None:
    graph = grimp.build_graph("referee", exclude_type_checking_imports=False)
    needs = {file: graph.find_modules_directly_imported_by(file) for file in graph.modules}
    assert len(needs) > 200
    while free := [file for file, needed in needs.items() if not needed & needs.keys()]:
        for file in free:
            del needs[file]
    assert sorted(needs) == [], "these need one another"
