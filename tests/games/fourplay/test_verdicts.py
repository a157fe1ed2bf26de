"""Every refused rule case in the words a player reads: golden text, `--rewrite-goldens` writes it anew."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.games.fourplay.cases import Case, all_cases
from tests.games.fourplay.test_rule_cases import KINDS, table_of
from tests.letters.plain import PAGES

GOLDEN = Path(__file__).parent / "verdicts.txt"


def verdict(case: Case) -> Iterator[str]:
    """One case: its title, the turn, each reason with what would mend it."""
    table = table_of(case)
    yield f"[{case.number}] {case.title}"
    yield from (f"    {line}".rstrip() for line in case.turn)
    for complaint in table.complaints(case.seat, KINDS[case.phase], case.mail):
        words = PAGES.wording(complaint, "fourplay")
        where = f"line {complaint.line.number}, " if complaint.line else ""
        yield f"  - {words['says']} ({where}rule {complaint.rule})"
        yield f"    {words['mend']}"
    yield ""


def test_the_verdicts_in_words(request: pytest.FixtureRequest) -> None:
    lines = [line for case in all_cases() if not case.accepted for line in verdict(case)]
    text = "\n".join(lines)
    if request.config.getoption("--rewrite-goldens", default=False):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")
