"""The letter that `rules` brings holds every clause that a letter of that game can cite, each with its words."""

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from referee.base import shipped
from referee.base.brought import packages
from referee.games import found
from referee.match.commands import Refused
from tests.laws.test_refusals import cases, judged
from tests.laws.walks import KINDS
from tests.letters.test_goldens import file_of
from tests.world import START, World

_CLAUSE = re.compile(r"([A-Z]?\d+(?:\.\w+)*)(?:, .+)?")
_NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal")
_PEOPLE = tuple(f"{name} <{name.lower()}@example.org>" for name in _NAMES)
_SAID = re.compile(r"\brules? ((?:[A-Z]?\d+(?:\.\w+)*(?:, | and | to )?)+)")
_IN_WORDS = re.compile(r"(?:\brules? |\()(\d+(?:\.\w+)+|\d{3}|[A-Z]\d)\b")
_NAMED = ("rule", "clause", "_RULE")


def _given(tree: ast.AST) -> Iterator[ast.expr]:
    """Where a program says which rule it cites: the second word of a complaint, what is named so."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if re.search(r"(?i)complain|fault|false|missing|keys$|doubt|draws$", name):
                yield from node.args
            yield from (word.value for word in node.keywords if word.arg in _NAMED)
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            names = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(name, ast.Name) and name.id in _NAMED for name in names):
                yield node.value


def cites(slug: str) -> set[str]:
    """Every clause that the game's program and its words for letters name."""
    constants = {
        part.value
        for file in _program(slug).rglob("*.py")
        for value in _given(ast.parse(file.read_text(encoding="utf-8")))
        for part in ast.walk(value)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    }
    named = {told[1] for words in constants if (told := _CLAUSE.fullmatch(words))}
    for folder in shipped.folders("templates"):
        for file in (*(folder / slug).glob("*.j2"), *(folder / slug).glob("complaints.toml")):
            named |= set(_IN_WORDS.findall(file.read_text(encoding="utf-8")))
    return {clause for clause in named if "." in clause or len(clause) > 1}


def _program(slug: str) -> Path:
    """The game's package; one from elsewhere brings its own."""
    module = import_module(brought) if (brought := packages().get(slug)) else None
    return Path(module.__path__[0]) if module else Path(f"referee/games/{slug}")


@pytest.mark.parametrize("slug", sorted(found()))
def test_the_letter_of_rules_has_every_clause_that_the_game_can_cite(slug: str, tmp_path: Path) -> None:
    world = World(tmp_path)
    (letter,) = world.sends("Ann Archer <ann@example.org>", f"rules {slug}", "", START)
    text = " ".join(letter.text.split())
    wanted = cites(slug)
    assert len(wanted) > (1 if slug in packages() else 4)
    assert _untold(wanted, text) == []
    for piece in re.findall(r'^rule = "(\d+)"', _catalogue(slug), re.MULTILINE):
        assert f", rule {piece}): " in text


def _untold(wanted: set[str], text: str) -> list[str]:
    return [clause for clause in sorted(wanted) if not re.search(rf"\b{re.escape(clause)}[:.)] \S", text)]


@pytest.mark.parametrize("kind", KINDS)
def test_the_letter_of_rules_of_a_match_has_every_clause_that_was_cited_in_one(
    kind: str, tmp_path: Path
) -> None:
    """In the kept letters of such a match, and in what is wrong with spoilt answers."""
    slug, seats, options = KINDS[kind]
    file, world, cited = file_of(kind), World(tmp_path), set[str]()
    for walk, demand, heading, spoilt in cases(kind, 1, 4, 2):
        if isinstance(verdict := judged(walk, demand.seat, heading, spoilt), Refused):
            cited |= {told[1] for c in verdict.named if (told := _CLAUSE.fullmatch(c.rule))}
    said = _SAID.findall(" ".join(file.read_text(encoding="utf-8").split())) if file.is_file() else []
    cited |= {clause for words in said for clause in re.findall(r"[A-Z]?\d+(?:\.\w+)*", words)}
    assert cited
    match = world.open(slug, _PEOPLE[:seats], **{k: v for k, v in options.items() if k != "position"})
    world.step()
    letter = next(x for x in world.sends(_PEOPLE[0], f"rules {match}", "", START) if x.kind == "help")
    text = " ".join(letter.text.split())
    assert _untold({clause for clause in cited if f", rule {clause}): " not in text}, text) == []


def _catalogue(slug: str) -> str:
    """Pieces that are data have rules of their own, by which letters cite how they move."""
    file = shipped.folders("config")[0] / slug / "pieces.toml"
    return file.read_text(encoding="utf-8") if file.is_file() else ""
