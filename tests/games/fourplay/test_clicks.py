"""Fourplay's pieces on the page that writes mails go as in the kernel."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from referee.games.fourplay.board.moves import Position, in_check, moves_from, neutron_runs, run_neutron
from referee.games.fourplay.board.primitives import NAMES
from tests.games.fourplay.perft import played
from tests.laws.walks import KINDS, steps
from tests.site.writing import Desk

pytestmark = pytest.mark.server


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context()
    yield context.new_page()
    context.close()


@pytest.mark.one_in(2)
@pytest.mark.parametrize("options", [{}, {"catalogue": "orthodox"}])
def test_the_page_moves_fourplays_pieces_as_the_kernel_does(
    options: dict[str, str], page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every piece of the mover, after every run of the Neutron: where it may go and what it takes."""
    slug, seats, given = KINDS["fourplay in play"]
    monkeypatch.setitem(KINDS, "fourplay elsewhere", (slug, seats, {**given, **options}))
    desk, checked = Desk(tmp_path), 0
    for step in islice(steps("fourplay elsewhere", seed=5, most=40), 0, 40, 8):
        if step.demand.kind != "Turn":
            continue
        file = desk.write(step.walk.game, step.walk.match, step.walk.entries)
        page.goto(file.as_uri())
        for run, start, ends in fourplay_moves(step.walk.match.inner, step.demand.seat):
            plan = {
                "steps": [run] if run else [],
                "from": start,
                "hand": "",
                "square": -1,
                "buys": {},
                "comment": "",
            }
            told = page.evaluate(
                """([seat, plan]) => {
                const data = JSON.parse(document.getElementById("facts").textContent);
                const c = { seat, facts: data.facts, boards: data.boards };
                const targets = boardForm.games.fourplay.Turn.shown(c, plan).targets;
                return Object.keys(targets).filter(square => targets[square].look !== "pick").sort(); }""",
                [step.demand.seat, plan],
            )
            assert set(told) == ends, (run, start)
            checked += 1
    assert checked > 40


def fourplay_moves(state: Any, seat: int) -> Iterator[tuple[dict[str, Any] | None, int, set[str]]]:
    """A run of the Neutron, a square, and where its piece may go: nobody attacked or robbed twice, no King in check."""
    for run in neutron_runs(Position.of(state))[:3] or (None,):
        after = Position.of(state)
        after.fix_grants(seat)
        if run is not None:
            run_neutron(after, run)
        if after.kings[seat] < 0:
            continue
        for start in sorted(after.men[seat]):
            ends = set()
            for move in moves_from(after, start):
                if not in_check(played(after, move), seat):
                    shot = move.start == move.end and not move.via
                    ends.add(NAMES[move.captures[0] if shot else move.end])
            ends -= {NAMES[start]} if NAMES[start] in ends and not ends else set()
            yield ({"is": "run", "from": run.start, "to": run.end} if run else None), start, ends
