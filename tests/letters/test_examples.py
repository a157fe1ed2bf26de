"""An example in a letter is an order that its reader could send: it is read, and is wrong at most in what it tells
beside the move. A whole walk of every kind of match is gone through, and every example of every duty is sent."""

import re
from itertools import chain
from pathlib import Path

import pytest

from referee.base import shipped
from referee.core import seam
from referee.core.answers import Body
from referee.letters.rendering import Renderer
from tests.laws.walks import KINDS, Walk, steps
from tests.letters.plain import in_text

PAGE = '{{ speak(game.slug ~ "/demands", demand.kind, demand, view, false) }}'
EXAMPLE = re.compile(r'(?:example|such as|as in) "(Move: [^"]+)"')
BESIDE = {"nine men": {"no_mill"}, "nine men short": {"no_mill"}}  # it says what to write if there is a mill


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Renderer:
    folder = tmp_path_factory.mktemp("templates")
    (folder / "duty.j2").write_text(PAGE, encoding="utf-8")
    return Renderer([folder, *shipped.folders("templates", Path("nowhere"))])


def wrong_with(walk: Walk, seat: int, example: str) -> set[str]:
    """The codes of what is wrong with the example, sent as it stands."""
    body = Body.of(example)
    demand = walk.match.standing.aimed(seat, "Move", body)
    reading = seam.read(walk.game, walk.match.inner, demand, body, walk.match.party(seat))
    found = {c.code for c in (*reading.complaints, *walk.match.standing.faults(demand, reading))}
    return found | ({"nothing_read"} if reading.action is None else set())


@pytest.mark.parametrize("kind", [kind for kind in KINDS if not kind.startswith("fourplay")])
def test_every_example_can_be_sent(kind: str, pages: Renderer) -> None:
    sent = 0
    for step in chain(steps(kind, 2, 25), steps(kind, 3, 25)):
        walk, demand = step.walk, step.demand
        if demand.kind == "Move":
            view = walk.game.view(walk.match.inner, demand.seat)
            context = {"game": walk.game, "match": walk.match, "demand": demand, "view": view}
            words = " ".join(in_text(pages, "duty.j2", context).split())
            for example in EXAMPLE.findall(words):
                assert wrong_with(walk, demand.seat, example) <= BESIDE.get(kind, set()), (example, words)
                points = re.findall(r"\b[a-z]\d+\b", example)
                assert len(set(points)) == len(points), example  # nobody takes the man he has just put there
                sent += 1
    print(f"{kind}: {sent} examples")
