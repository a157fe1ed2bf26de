"""Every refused rule case in the words a player reads: golden text, `--rewrite-goldens` writes it anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.letters.rendering import Renderer
from tests.games.fourplay.cases import Case, all_cases
from tests.games.fourplay.test_letters import renderer
from tests.games.fourplay.test_rule_cases import KINDS, table_of

__all__ = ["renderer"]  # the fixture

GOLDEN = Path(__file__).parent / "verdicts.txt"


def verdict(renderer: Renderer, case: Case) -> Iterator[str]:
    """One case: its title, the turn, each reason with what would mend it."""
    table = table_of(case)
    yield f"[{case.number}] {case.title}"
    yield from (f"    {line}".rstrip() for line in case.turn)
    for complaint in table.complaints(case.seat, KINDS[case.phase], case.mail):
        words = renderer.wording(complaint, "fourplay")
        where = f"line {complaint.line.number}, " if complaint.line else ""
        yield f"  - {words['says']} ({where}rule {complaint.rule})"
        yield f"    {words['mend']}"
    yield ""


def test_the_verdicts_in_words(renderer: Renderer, request: pytest.FixtureRequest) -> None:
    lines = [line for case in all_cases() if not case.accepted for line in verdict(renderer, case)]
    text = "\n".join(lines)
    if request.config.getoption("--rewrite-goldens", default=False):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")
