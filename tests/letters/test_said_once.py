"""A refusal says nothing twice: what the mail's mended form would still lack is told only where it is something else.

Legal answers of walked matches are spoilt, and what the refusal says of each is read; a Mascot, which a form can hold
without a square, a name or both, is left out in every way.
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.base import shipped
from referee.core import seam
from referee.core.value import Demand
from referee.letters.rendering import Renderer
from referee.match.commands import Refused
from tests.laws.test_refusals import cases, judged
from tests.laws.walks import KINDS, Walk, steps
from tests.letters.plain import in_text

PAGE = "{{ parts.faults(verdict) }}"
MASCOTS = (
    "",
    "Mascot:",
    "Mascot: Archer",
    "Mascot: d12",
    "Mascot: King b2",
    "Mascot: Pawn b2 b3",
    "Mascot: none",
)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Renderer:
    folder = tmp_path_factory.mktemp("templates")
    (folder / "faults.j2").write_text(PAGE, encoding="utf-8")
    return Renderer([folder, *shipped.folders("templates", Path("nowhere"))])


def told(pages: Renderer, walk: Walk, demand: Demand, kind: str, mail: str) -> list[str]:
    """What a refusal of the mail says is wrong, each without its number; nothing where it is accepted."""
    verdict = judged(walk, demand.seat, kind, mail)
    if not isinstance(verdict, Refused):
        return []
    context = {"verdict": verdict, "game": walk.game, "match": walk.match, "referee": None}
    page = in_text(pages, "faults.j2", context)
    return [re.sub(r"^\d+\. ", "", " ".join(part.split())) for part in page.split("\n\n") if part.strip()]


def mascots() -> Iterator[tuple[Walk, Demand, str]]:
    """Purchases and setups with and without all that may be said of a Mascot, and of a King beside it."""
    for step in steps("fourplay", 1, 9):
        if step.demand.kind in ("Purchase", "Setup"):
            walk, party = step.walk, step.walk.match.party(step.demand.seat)
            filled = seam.filled_in(walk.game, walk.match.inner, step.demand, party, step.action)
            for line in MASCOTS:
                changed = re.sub(r"(?m)^Mascot:.*$", line, filled)
                for other in (changed, re.sub(r"(?m)^(King|\d+ \w+).*$", "", changed, count=1)):
                    yield walk, step.demand, other


def check(said: list[str]) -> None:
    bare = [re.sub(r" \(.*", "", words) for words in said if not re.search(r"\bLine \d|In the form", words)]
    doubled = [words for words, times in Counter(bare).items() if times > 1]
    assert not doubled, said


def test_of_a_mascot_everything_is_said_once(pages: Renderer) -> None:
    read = 0
    for walk, demand, mail in mascots():
        said = told(pages, walk, demand, demand.kind, mail)
        assert sum("square of your Mascot is missing" in words for words in said) <= 1, said
        check(said)
        read += bool(said)
    print(f"{read} refusals")
    assert read > 50


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", KINDS)
def test_a_refusal_says_nothing_twice(kind: str, pages: Renderer) -> None:
    for walk, demand, heading, mail in cases(kind, 5, 8, 3):
        check(told(pages, walk, demand, heading, mail))
