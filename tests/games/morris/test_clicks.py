"""The page's script and the rules offer the same turns, in every position of whole matches: placing, moving, flying,
mills and whom they take."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from referee.core import seam
from referee.core.chance import Chance, given_seed
from referee.core.value import Demand
from referee.draw.svg import lattice_facts
from referee.games.morris import views
from referee.games.morris.answers import played
from referee.games.morris.state import State
from referee.games.morris.turns import plays
from tests.laws.walks import begin, give
from tests.site.writing import Desk

pytestmark = pytest.mark.server

# Every turn that can be clicked: whatever is lit is clicked, three clicks deep.
_CLICKED = """(c) => {
  const { Move } = boardForm.games.morris;
  const found = new Set();
  const visit = (plan, depth) => {
    const { lines, lacks, targets } = Move.shown(c, plan);
    if (!lacks.length) found.add(lines[0]);
    if (depth) for (const square of Object.keys(targets)) visit(Move.square(c, plan, square), depth - 1);
  };
  visit(Move.begin(c), 3);
  return [...found].sort();
}"""


def context(state: State) -> dict[str, Any]:
    form, board = views.board_form(state), views.diagram(state, "The board")
    return {"seat": state.mover, "facts": form.facts, "boards": {"": lattice_facts(board)}}


def test_what_can_be_clicked_is_what_may_be_played(chromium: Browser, tmp_path: Path) -> None:
    desk, page = Desk(tmp_path), chromium.new_page()
    seen = {"placing": 0, "moving": 0, "flying": 0, "mill": 0}
    for seed in range(1, 5):
        walk, chance = begin("nine men", seed), Chance(given_seed(seed))
        page.goto(desk.write(walk.game, walk.match, walk.entries).as_uri())
        while walk.match.status == "open" and walk.match.inner.turn < 90:
            state = walk.match.inner
            turns = list(plays(state, state.mover))
            clicked = page.evaluate(_CLICKED, context(state))
            assert clicked == sorted({played(t.start, t.end, t.taken) for t in turns}), state
            flying = state.flies(state.mover)
            seen["placing" if state.hand(state.mover) else "flying" if flying else "moving"] += 1
            seen["mill"] += any(turn.taken for turn in turns)
            owed = Demand("Move", state.mover)  # whatever is offered, no draw is accepted
            give(walk, owed, seam.suggest(walk.game, replace(state, offer=0), owed, chance))
    page.close()
    assert min(seen.values()) > 5, seen
