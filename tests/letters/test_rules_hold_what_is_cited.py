"""The letter that `rules` brings holds every clause that letters cite: of each kind of match the numbers are collected
that stand in its game's words, in its complaints and in its letters that were kept, and looked for in its rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.laws.walks import KINDS
from tests.letters.test_goldens import file_of
from tests.letters.test_to_the_reader import opened

ROOT = Path(__file__).parents[2]
PART = r"(?:\.(?:[A-Z]|[a-z]|[ivx]+|\d+)\b)"
CLAUSE = rf"(?:[1-9]\d\d{PART}*|\d{PART}+|[CGM]\d+)"
CITED = re.compile(rf"\brules? ({CLAUSE})(?!\.?\w)|\((?!M1\b)({CLAUSE})(?:, step \d+)?\)")
COMPLAINED = re.compile(rf'Complaint\(\s*"\w+",\s*"({CLAUSE})"')


def cited(kind: str) -> Iterator[str]:
    """The numbers that letters of the kind cite, or may."""
    slug = KINDS[kind][0]
    words = ROOT / "templates" / slug
    for path in (*sorted(words.glob("*.j2")), words / "complaints.toml"):
        if path.stem != "rules":
            yield from _numbers(path.read_text(encoding="utf-8"))
    for path in sorted((ROOT / "referee/games" / slug).rglob("*.py")):
        yield from COMPLAINED.findall(path.read_text(encoding="utf-8"))
    for letter in file_of(kind).read_text(encoding="utf-8").split(f"{'-' * 20} a letter")[1:]:
        yield from _numbers(" ".join(letter.partition("=" * 20)[0].split()))


def _numbers(text: str) -> Iterator[str]:
    yield from (one or other for one, other in CITED.findall(text))


@pytest.mark.parametrize("kind", KINDS)
def test_rules_hold_every_clause_that_letters_cite(kind: str, tmp_path: Path) -> None:
    table = opened(kind, tmp_path)
    _, letters = table.send(table.mover, f"rules {KINDS[kind][0]}", "", "2026-03-01T13:00:00Z")
    (rules,) = (letter.text for letter in letters if "by number" in letter.text or "in brief" in letter.text)
    held = {word.rstrip(".:") for word in re.findall(r"[\w.]+:?", rules)}
    numbers = set(cited(kind)) - {""}
    assert numbers
    print(f"{kind}: {len(numbers)} clauses are cited: {sorted(numbers)}")
    assert not sorted(numbers - held)
