"""Forms that write the mail, in a real browser: for every demand of every game, what they write is accepted."""

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page

from referee.base import shipped
from referee.core import seam
from referee.core.answers import AHEAD, Body, Party
from referee.core.chance import Chance, given_seed
from referee.core.seam import Standing
from referee.core.value import Demand
from referee.games import found
from referee.match import commands as do
from referee.match.commands import Accepted
from referee.site.publish import form_page, public_state
from referee.site.serving import Serving
from tests.laws.walks import KINDS, Step, Walk, begin, give, heading_kind, steps
from tests.sampling import one_in
from tests.servers.chromium import checked_page, inaccessible
from tests.servers.ground import at_work
from tests.site.writing import OFFICE, Desk, Writer, clicking, facts_of, further, subject_of

pytestmark = pytest.mark.server

ALL = KINDS | {name: kind for slug in found() for name, kind in further(slug).items()}
EACH = 2  # answers of a demand kind in each kind of match


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return Desk(tmp_path_factory.mktemp("desk"))


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    """One for all; what it complains of is a fault."""
    context = chromium.new_context(viewport={"width": 1200, "height": 1000})
    page = context.new_page()
    found: list[str] = []
    page.on("pageerror", lambda error: found.append(f"error: {error}"))
    page.on("console", lambda said: found.append(said.text) if said.type in ("error", "warning") else None)
    yield page
    context.close()
    assert found == []


@cache
def answers(kind: str) -> tuple[Step, ...]:
    """Positions of a walk with an answer to give: of each demand kind a few, owed and unasked ones, and what only an
    unasked one lets one send."""
    usual = kind in KINDS
    with pytest.MonkeyPatch.context() as more:
        more.setitem(KINDS, kind, ALL[kind])
        return tuple(_answers(kind, 3, 90) if usual else chain(_answers(kind, 3, 90), _answers(kind, 4, 400)))


def _answers(kind: str, seed: int, most: int) -> Iterator[Step]:
    seen: dict[str, int] = {}
    for step in steps(kind, seed, most):
        waiting = [(step.walk, step.demand, step.action)]
        waiting += [(step.walk, demand, None) for demand in unasked(step.walk) if demand.kind not in seen]
        for walk, demand, action in waiting:
            if seen.get(demand.kind, 0) >= (EACH if demand == step.demand else 1):
                continue
            state = walk.match.inner
            action = action or seam.suggest(walk.game, state, demand, Chance(given_seed(len(seen))))
            if Standing(walk.game, state).check(demand, action) != ():
                continue
            seen[demand.kind] = seen.get(demand.kind, 0) + 1
            there = Walk(walk.game, walk.match, list(walk.entries), walk.now)
            yield Step(there, demand, action, seam.write(walk.game, state, demand, action))
            if demand != step.demand:
                after = Walk(walk.game, walk.match, list(walk.entries), walk.now)
                give(after, demand, action)
                waiting += [(after, d, None) for d in unasked(after) if d.kind not in seen]


def unasked(walk: Walk) -> list[Demand]:
    """What seats may send though nothing waits for it."""
    if walk.match.status != "open":
        return []
    return [d for seat in walk.match.numbers for d in walk.game.open_to(walk.match.inner, seat)]


def accepted(walk: Walk, demand: Demand, text: str) -> None:
    """The mail counts, and says what was meant."""
    before = Walk(walk.game, walk.match, list(walk.entries), walk.now)
    verdict = before.do(
        do.Submit(demand.seat, heading_kind(walk.game, demand), Body.of(text), walk.now)
    ).verdict
    assert isinstance(verdict, Accepted), (demand, text, verdict)


@pytest.mark.parametrize("kind", one_in(7, ALL))
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


@pytest.mark.soak
def test_every_kind_of_answer_is_among_them(desk: Desk, page: Page) -> None:
    """All that have a heading, and all that a script knows."""
    for slug, game in found().items():
        kinds = [kind for kind in ALL if ALL[kind][0] == slug]
        clicked = {step.demand.kind for kind in kinds for step in answers(kind)}
        first = answers(kinds[0])[0].walk
        page.goto(desk.write(game, first.match, first.entries).as_uri())
        scripted = set(page.evaluate("slug => Object.keys(boardForm.games[slug] || {})", slug))
        said = {answer.kind for answer in game.answers if answer.headings}
        assert (said | scripted) - clicked <= {AHEAD}, slug


@pytest.mark.one_in(3)
@pytest.mark.parametrize("keys", [False, True])
@pytest.mark.parametrize("kind", ["go sequential", "nine men", "onepiece"])
def test_a_conditional_turn_is_clicked_reply_by_reply(kind: str, keys: bool, desk: Desk, page: Page) -> None:
    """The move that is waited for and the answer to it by turns, on the board as it stands then; another case of it
    from the beginning."""
    walk = next(
        step.walk for step in steps(kind, 3, 90) if step.demand.kind == "Move" and len(step.walk.entries) > 20
    )
    mover = next(d for r in walk.match.rounds for d in r.demands).seat
    waiting = mover % len(walk.match.numbers) + 1
    moves = list(islice(turns_of(walk, mover, waiting), 4))
    file = desk.write(walk.game, walk.match, walk.entries)
    facts = facts_of(file)
    page.goto(file.as_uri())
    writer = Writer(page, keys)
    writer.choose(Demand(AHEAD, waiting), facts)
    how = clicking(walk.game.slug)
    assert how is not None
    writer.do([("pick", "whose", str(mover))])
    for move in moves:
        writer.do(how("Move", move, facts))
    line = f"If Player {mover}: {{}}, then {{}}, if Player {mover}: {{}}, then {{}}"
    first = line.format(*(move.removeprefix("Move: ") for move in moves))
    assert (writer.lacks, writer.text) == ([], first)
    writer.do([("press", "another"), ("pick", "whose", ""), *how("Move", moves[0], facts)])
    assert writer.lacks == []
    other = f"If anything else: {moves[0].removeprefix('Move: ')}"
    assert writer.text == f"{first}\n{other}"
    body = Body.of(writer.mail()[2])
    verdict = walk.do(do.Submit(waiting, AHEAD, body, walk.now)).verdict
    assert isinstance(verdict, Accepted), verdict
    assert len(verdict.ahead.splitlines()) == 2


def turns_of(walk: Walk, *seats: int) -> Iterator[str]:
    """Moves that these seats make in turn, whatever others do, each on the board that the earlier left."""
    standing = walk.match.standing
    assert standing is not None
    while True:
        demand = next(d for r in standing.due for d in r.demands)
        for seed in range(1, 9):  # an offer beside it cannot be foreseen
            action = seam.suggest(walk.game, standing.state, demand, Chance(given_seed(seed)))
            move = seam.answer_of(walk.game, demand.kind).foreseen(standing.state, action)
            if move is not None:
                break
        if demand.seat in seats and move is not None:
            yield seam.write(walk.game, standing.state, demand, move)
        for event in seam.resolve(walk.game, standing.state, {demand: action}):
            standing = standing.after(event)


@pytest.mark.parametrize("kind", one_in(6, KINDS))
def test_a_game_without_a_script_is_answered_by_its_form_as_text(
    kind: str, page: Page, tmp_path: Path
) -> None:
    """Whatever the game: a fifth one needs no line anywhere."""
    templates = tmp_path / "templates"
    shutil.copytree(shipped.folders("templates")[0], templates, ignore=shutil.ignore_patterns("form.js"))
    shutil.copy(shipped.folders("templates")[0] / "site/form.js", templates / "site/form.js")
    plain = Desk(tmp_path / "site", [templates])
    for step in islice(answers(kind), 4):
        walk, demand = step.walk, step.demand
        file = plain.write(walk.game, walk.match, walk.entries)
        page.goto(file.as_uri())
        writer = Writer(page)
        writer.choose(demand, facts_of(file))
        assert page.locator(".choices [data-control]").count() == 0
        party = walk.match.party(demand.seat)
        named = Party(party.name, demand.seat)
        assert writer.text == seam.form(walk.game, walk.match.inner, demand, named).text
        page.locator("#body").fill(seam.filled_in(walk.game, walk.match.inner, demand, party, step.action))
        accepted(walk, demand, writer.mail()[2])


@pytest.mark.parametrize("kind", one_in(5, ALL))
def test_everybody_can_use_the_forms(kind: str, desk: Desk, chromium: Browser) -> None:
    """Each demand kind, on a phone: nothing that a checker finds, nothing wider than the page, nothing between
    the board and its palette; what is typed comes behind that."""
    first = {step.demand.kind: step for step in reversed(answers(kind))}
    with checked_page(chromium, 375, "dark") as page:
        for step in first.values():
            file = desk.write(step.walk.game, step.walk.match, step.walk.entries)
            assert file.stat().st_size < 200_000
            page.goto(file.as_uri())
            Writer(page).choose(step.demand, facts_of(file))
            assert page.evaluate("document.documentElement.scrollWidth") <= 375, step.demand
            assert inaccessible(page) == [], step.demand
            rows = page.evaluate(
                """[...document.querySelectorAll(".choices > *")].map(row =>
                [row.matches(".typed"), row.getBoundingClientRect().top])"""
            )
            typed = [written for written, _ in rows]
            assert typed == sorted(typed), step.demand
            if rows and page.locator(".ground").is_visible():
                bottom = page.evaluate("document.querySelector('.ground').getBoundingClientRect().bottom")
                assert 0 <= rows[0][1] - bottom <= 24, step.demand


# --- what the page knows, and what it tells ----------------------------------------------------------------------


@pytest.mark.parametrize("kind", one_in(2, ["fourplay", "go parallel", "onepiece", "buttons solo"]))
def test_nothing_chosen_leaves_the_page(kind: str, desk: Desk, chromium: Browser) -> None:
    """No address, no history, no store, no cookie, no request; not even the typed name, nor after a reload."""
    context = chromium.new_context()
    page = context.new_page()
    with Serving({"": desk.folder.into}) as server, at_work(server):
        step = next(s for s in answers(kind) if s.demand.kind in ("Purchase", "Move"))
        file = desk.write(step.walk.game, step.walk.match, step.walk.entries)
        address = f"{server.address}{file.relative_to(desk.folder.into).as_posix()}"
        page.goto(address)
        page.wait_for_load_state("networkidle")
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        writer = Writer(page)
        facts = facts_of(file)
        writer.choose(step.demand, facts)
        how = clicking(step.walk.game.slug)
        assert how is not None
        party = step.walk.match.party(step.demand.seat)
        writer.do(how(step.demand.kind, step.text, {**facts, "seat": step.demand.seat, "party": party}))
        page.get_by_role("button", name="Copy the text").click()
        page.wait_for_timeout(100)
        kept = page.evaluate(
            """async () => [location.href, history.length, localStorage.length, sessionStorage.length,
            document.cookie, (await indexedDB.databases()).length, (await caches.keys()).length,
            JSON.stringify(history.state), window.name, document.title.includes('@')]"""
        )
        assert kept[0] == address
        assert kept[2:] == [0, 0, "", 0, 0, "null", "", False]
        assert asked == []
        chosen = writer.text
        page.reload()
        assert writer.text != chosen
    context.close()


def test_the_page_knows_nothing_that_a_seat_sent_in_secret() -> None:
    """Standing orders change no byte of what the page is made of."""
    walk = begin("go sequential coop", 4)
    bare = json.dumps(page_facts(walk), default=str)
    position = walk.match.position
    for kind, text in (("Prefer", "Prefer: red, blue"), ("If", "Then: E5")):
        walk.do(do.Submit(3, kind, Body.of(text), walk.now))
    assert any(not entry.public for entry in walk.entries)
    assert walk.match.inner != public_state(walk.game, walk.entries, walk.match.inner)
    assert walk.match.position == position
    assert json.dumps(page_facts(walk), default=str) == bare


def page_facts(walk: Walk) -> Any:
    return asdict(form_page(walk.game, walk.match, walk.entries, subject_of(walk.game), scripted=True))


@pytest.mark.parametrize("back", [1, 3])
def test_the_public_state_is_the_fold_of_the_public_entries_after_a_rewind_too(back: int) -> None:
    walk = begin("go sequential coop", 2)
    labels = []
    for number in range(6):
        labels.append(walk.match.rounds[0].label)
        seat = walk.match.rounds[0].demands[0].seat
        walk.do(do.Submit(seat % 4 + 1, "If", Body.of(f"Then: {'CDEFGH'[number]}7"), walk.now))
        walk.do(do.Submit(seat, "Move", Body.of(f"Move: {'CDEFGH'[number]}3"), walk.now))
    walk.do(do.Submit(4, "Prefer", Body.of("Prefer: red"), walk.now))
    walk.do(do.Rewind(labels[back], "to try"))
    assert walk.match.rounds[0].label == labels[back]
    walk.do(do.Submit(4, "Prefer", Body.of("Prefer: blue"), walk.now))
    public = public_state(walk.game, walk.entries, walk.match.inner)
    assert public != walk.match.inner
    assert all(not seat.prefer for seat in public.seats)
    assert walk.game.view(public, None) == walk.game.view(walk.match.inner, None)
    bare = begin("go sequential coop", 2)
    assert public_state(bare.game, bare.entries, bare.match.inner) is bare.match.inner


def test_without_a_script_a_click_writes_the_name_of_a_square(tmp_path: Path, page: Page) -> None:
    templates = tmp_path / "templates"
    shutil.copytree(shipped.folders("templates")[0], templates)
    (templates / "multigo/form.js").unlink()
    step = next(s for s in answers("go sequential") if s.demand.kind == "Move")
    file = Desk(tmp_path / "site", [templates]).write(step.walk.game, step.walk.match, step.walk.entries)
    page.goto(file.as_uri())
    writer = Writer(page)
    writer.choose(step.demand, facts_of(file))
    form = writer.text
    writer.square("D4")
    assert writer.text == form.replace("Move:", "Move: D4", 1)
    writer.square("E5")
    assert writer.text == form.replace("Move:", "Move: D4 E5", 1)
    page.get_by_role("button", name="Undo").click()
    page.locator("#body").fill("Move: C3\nComment: nice ")
    page.locator("#body").blur()
    writer.square("B2")
    assert writer.text == "Move: C3\nComment: nice B2"
    page.locator("#body").fill("Pass")
    accepted(step.walk, step.demand, writer.text)


def test_what_a_player_types_stays_text(desk: Desk, page: Page) -> None:
    step = next(s for s in answers("go sequential") if s.demand.kind == "Move")
    page.goto(desk.write(step.walk.game, step.walk.match, step.walk.entries).as_uri())
    spell = "<img src=x onerror=window.hit=1>\"'&amp;?body=%0d%0aX: y#"
    page.locator('.choices [data-control="comment"]').fill(f"{spell}\n\nResign")
    writer = Writer(page)
    assert writer.mail()[2].splitlines()[1:] == [f"Comment: {spell}", "Comment: Resign"]
    page.locator("#body").fill(spell)
    assert writer.mail()[2] == spell
    assert page.evaluate("window.hit") is None
    assert page.locator("img[src=x]").count() == 0


@pytest.mark.parametrize("kind", one_in(2, ["Purchase", "Setup"]))
def test_who_comes_by_the_link_of_his_letter_is_asked_neither_name_nor_address(
    kind: str, desk: Desk, page: Page
) -> None:
    step = next(s for s in answers("fourplay") if s.demand.kind == kind)
    walk, demand = step.walk, step.demand
    party = walk.match.party(demand.seat)
    file = desk.write(walk.game, walk.match, walk.entries)
    known = urlencode({"player": demand.seat, "address": party.addresses[0]})
    page.goto("about:blank")
    page.goto(f"{file.as_uri()}#{known}")
    writer = Writer(page)
    assert page.locator("#seat option:checked").inner_text().startswith(party.name)
    facts = facts_of(file)
    writer.choose(demand, facts)
    assert page.locator('.choices [data-control="email"]').count() == 0
    how = clicking(walk.game.slug)
    assert how is not None
    writer.do(how(kind, step.text, {**facts, "seat": demand.seat, "party": party, "known": True}))
    assert writer.lacks == []
    accepted(walk, demand, writer.mail()[2])
    page.goto("about:blank")
    page.goto(f"{file.as_uri()}#player={demand.seat}&address=a@b.example%0AResign")
    assert page.locator('.choices [data-control="email"]').count() == 1
    assert "Resign" not in writer.text


def test_the_verdict_alone_is_asked_for_in_the_subject(desk: Desk, page: Page) -> None:
    step = next(s for s in answers("go sequential") if s.demand.kind == "Move")
    page.goto(desk.write(step.walk.game, step.walk.match, step.walk.entries).as_uri())
    writer = Writer(page)
    subject = writer.mail()[1]
    page.get_by_label("Ask for the verdict alone").check()
    assert writer.mail()[1] == f"{subject} ?"


def test_the_keyboard_alone_comes_to_every_control(desk: Desk, page: Page) -> None:
    """The board is one stop; arrow keys move on it."""
    step = next(s for s in answers("fourplay in play") if s.demand.kind == "Turn")
    page.goto(desk.write(step.walk.game, step.walk.match, step.walk.entries).as_uri())
    stops = "a[href], button, input, select, textarea, summary"
    wanted = page.evaluate(
        f"[...document.querySelectorAll('{stops}')].filter(e => e.checkVisibility() && e.tabIndex >= 0 && !e.disabled)"
        ".filter(e => e.type !== 'radio' || e.checked).length"
    )
    reached = set()
    for _ in range(wanted + 3):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("[...document.querySelectorAll('*')].indexOf(document.activeElement)"))
    assert len(reached - {-1}) >= wanted
    assert page.locator('.points [tabindex="0"]').count() == 1


def test_a_step_back_undoes_one_choice_and_anew_all(desk: Desk, page: Page) -> None:
    step = next(s for s in answers("fourplay in play") if s.demand.kind == "Turn")
    file = desk.write(step.walk.game, step.walk.match, step.walk.entries)
    page.goto(file.as_uri())
    writer = Writer(page)
    writer.choose(step.demand, facts_of(file))
    texts = [writer.text]
    run = next(line for line in step.text.splitlines() if line.startswith("Neutron"))
    writer.square(run.split(",")[0].split("-")[-1])
    texts.append(writer.text)
    page.locator('.choices [data-control="comment"]').press_sequentially("good luck")
    assert writer.text.endswith("Comment: good luck")
    page.get_by_role("button", name="Undo").click()
    assert writer.text == texts[1]
    page.get_by_role("button", name="Undo").click()
    assert writer.text == texts[0]
    assert page.get_by_role("button", name="Undo").is_disabled()
    page.locator("#body").fill("my own words")
    page.get_by_role("button", name="Start again").click()
    assert writer.text == texts[0]
