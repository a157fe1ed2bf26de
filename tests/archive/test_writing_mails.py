"""Forms that write the mail, in a real browser: for every demand of every game, what they write is accepted."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from referee.core import seam
from referee.core.answers import Body
from referee.core.chance import Chance
from referee.core.game import Demand
from referee.match import commands as do
from referee.match.commands import Accepted
from referee.match.sealing import given_seed
from tests.archive.writing import OFFICE, Desk, Writer, clicking, facts_of
from tests.laws.walks import KINDS, Step, Walk, heading_kind, lines_of, steps

pytestmark = pytest.mark.server

EACH = 2  # answers of a demand kind in each kind of match


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return Desk(tmp_path_factory.mktemp("desk"))


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    """One for all; what it complains of is a fault."""
    context = chromium.new_context(viewport={"width": 1200, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(5_000)
    found: list[str] = []
    page.on("pageerror", lambda error: found.append(f"error: {error}"))
    page.on("console", lambda said: found.append(said.text) if said.type in ("error", "warning") else None)
    yield page
    context.close()
    assert found == []


def answers(kind: str) -> Iterator[Step]:
    """Positions of a walk with an answer to give: of each demand kind a few, owed and unasked ones."""
    seen: dict[str, int] = {}
    for step in steps(kind, seed=3, most=90):
        walk, state = step.walk, step.walk.match.inner
        unasked = [d for seat in walk.match.numbers for d in walk.game.open_to(state, seat)]
        for demand in (step.demand, *unasked):
            if seen.get(demand.kind, 0) >= EACH or (demand != step.demand and seen.get(demand.kind, 0)):
                continue
            seen[demand.kind] = seen.get(demand.kind, 0) + 1
            action = step.action
            if demand != step.demand:
                action = seam.suggest(walk.game, state, demand, Chance(given_seed(len(seen))))
            if seam.check(walk.game, state, demand, action) == ():
                yield Step(walk, demand, action, seam.write(walk.game, state, demand, action))


def accepted(walk: Walk, demand: Demand, text: str) -> None:
    """The mail counts, and says what was meant."""
    before = Walk(walk.game, walk.match, list(walk.entries), walk.now)
    verdict = before.do(
        do.Submit(demand.seat, heading_kind(walk.game, demand), lines_of(text), walk.now)
    ).verdict
    assert isinstance(verdict, Accepted), (demand, text, verdict)


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_form_writes_is_read_and_accepted(kind: str, desk: Desk, page: Page) -> None:
    """By mouse and by keyboard in turn."""
    done = 0
    for number, step in enumerate(answers(kind)):
        walk, game, demand = step.walk, step.walk.game, step.demand
        file = desk.write(game, walk.match, walk.entries)
        facts = facts_of(file)
        page.goto(file.as_uri())
        writer = Writer(page, keys=number % 2 == 1)
        writer.choose(demand, facts)
        how = clicking(game.slug)
        if how is None or not writer.clickable:
            party = walk.match.party(demand.seat)
            page.locator("#body").fill(seam.filled_in(game, walk.match.inner, demand, party, step.action))
        else:
            given = {**facts, "seat": demand.seat, "party": walk.match.party(demand.seat)}
            writer.do(how(demand.kind, step.text, given))
        assert writer.lacks == [], (demand, step.text)
        to, subject, text = writer.mail()
        assert to == OFFICE
        assert re.fullmatch(rf".+: .+ / Player {demand.seat} \[{walk.match.name}\]", subject)
        accepted(walk, demand, text)
        party = walk.match.party(demand.seat)
        meant = seam.read(game, walk.match.inner, demand, Body.of(text), party).action
        assert sorted(seam.write(game, walk.match.inner, demand, meant).splitlines()) == sorted(
            step.text.splitlines()
        )
        done += 1
    assert done > 2
