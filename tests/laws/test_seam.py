"""The laws of the seam (design, section 7), for every game that is found."""

import ast
import inspect
import json
import re
from pathlib import Path

import pytest

from referee.core import answers, seam
from referee.core.answers import AHEAD, Body, Party
from referee.core.orders import keyed, talk
from referee.core.seam import Standing
from referee.games import found
from referee.letters.rendering import Renderer
from referee.match import commands as do
from referee.match import events as ev
from referee.match.commands import Accepted
from referee.match.decide import decide
from referee.match.match import fold, freeze, thaw
from referee.match.record.public import public_record
from referee.match.record.verifying import verified
from referee.rehearsal.players import heading_kind
from tests.laws.walks import KEYS, KINDS, Walk, begin, steps
from tests.letters.plain import complaint_codes, has_macro, named_like_classes
from tests.match.reading_records import read_back


def test_every_game_found_is_walked() -> None:
    assert {slug for slug, _, _ in KINDS.values()} == set(found())


@pytest.mark.one_in(6)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(1, 4))
def test_laws_1_and_8_what_check_passes_is_resolved_and_read_gives_back_what_write_wrote(
    kind: str, seed: int
) -> None:
    answered = 0
    for step in steps(kind, seed):
        game, state = step.walk.game, step.walk.match.inner
        labels = [r.label for r in step.walk.match.rounds]
        assert len(set(labels)) == len(labels)
        assert Standing(game, state).check(step.demand, step.action) == ()
        party = step.walk.match.party(step.demand.seat)
        shown = seam.public(game, step.demand, step.action)
        if shown is not None:
            text = seam.write(game, state, step.demand, shown)
            reading = seam.read(game, state, step.demand, Body.of(text), Party("", step.demand.seat))
            assert reading.action == shown, (text, reading)
        filled = seam.filled_in(game, state, step.demand, party, step.action)
        again = seam.read(game, state, step.demand, Body.of(filled), party).action
        assert again is not None, filled
        assert Standing(game, state).check(step.demand, again) == ()
        if not any(r.sealed and step.demand in r.demands for r in step.walk.match.rounds):
            assert seam.resolve(game, state, {step.demand: again}) == seam.resolve(
                game, state, {step.demand: step.action}
            )
        answered += 1
    assert answered


@pytest.mark.one_in(4)
@pytest.mark.parametrize("kind", KINDS)
def test_an_answer_is_recorded_alike_however_it_was_put(kind: str) -> None:
    """Its canonical text alone, that text among words to a person, and the same orders otherwise spaced: where an
    answer so put counts, the same entries are written."""
    compared = 0
    for step in steps(kind, 2, 25):
        walk, demand = step.walk, step.demand
        ways = (
            step.text,
            f"Hello,\n\n{step.text}\n\nMany thanks!",
            "".join(f"  {line} \n" for line in step.text.splitlines()),
        )
        written = []
        for words in ways:
            heading = heading_kind(walk.game, demand)
            said = do.Submit(demand.seat, heading, Body.of(words), walk.now)
            decision = decide(walk.game, walk.match, said, walk.now, KEYS, walk.entries.copy)
            if isinstance(decision.verdict, Accepted):
                written.append([(entry.event, entry.body) for entry in decision.entries])
        assert written == written[:1] * len(written)
        compared += len(written)
    assert compared >= 6


@pytest.mark.parametrize("kind", KINDS)
def test_law_2_the_ledger_folded_is_the_live_match_and_every_event_survives_its_encoding(kind: str) -> None:
    walk = _walked(kind)
    game = walk.game
    told = set(re.findall(r"\w+", inspect.getsource(game.evolve)))
    assert {kind.__name__ for kind in game.happenings} <= told
    assert fold(lambda _: game, walk.entries) == walk.match
    assert thaw(game, freeze(game, walk.match)) == walk.match
    for entry in walk.entries:
        stored = json.loads(json.dumps(ev.CODEC.encode(entry.event)))
        assert ev.CODEC.decode(stored) == entry.event
        if isinstance(entry.event, ev.Happened):
            event = game.events_codec.decode(entry.event.event)
            assert game.events_codec.decode(json.loads(json.dumps(game.events_codec.encode(event)))) == event


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", KINDS)
def test_the_public_record_verifies_and_tells_the_same_public_position(kind: str) -> None:
    walk = _walked(kind)
    record = json.loads(json.dumps(public_record(walk.game, walk.entries)))
    assert verified(record, walk.game) == ()
    again = read_back(walk.game, record)
    assert walk.game.view(again.inner, None).position == walk.game.view(walk.match.inner, None).position
    assert "@example.org" not in json.dumps(record)


@pytest.mark.parametrize("kind", KINDS)
def test_a_record_with_one_letter_changed_does_not_verify(kind: str) -> None:
    game = begin(kind).game
    record = json.loads(json.dumps(public_record(game, _walked(kind, 6).entries)))
    assert verified(record, game) == ()
    record["entries"][-1]["at"] = "2026-03-01T12:00:01Z"
    assert verified(record, game)


@pytest.mark.parametrize("kind", KINDS)
def test_law_7_every_event_and_demand_has_words(kind: str) -> None:
    from referee.base import shipped

    renderer = Renderer(shipped.folders("templates"))
    game = begin(kind).game
    for event in game.happenings:
        assert has_macro(renderer, f"{game.slug}/happenings", event.__name__), event.__name__
    for step in steps(kind, 5, most=30):
        assert has_macro(renderer, f"{game.slug}/demands", step.demand.kind), step.demand
        assert renderer.help(game.slug)["duties"][step.demand.kind], step.demand
    for page, known in (
        ("happenings", {event.__name__ for event in game.happenings}),
        ("demands", {answer.kind for answer in game.answers} | set(seam.headings(game).values())),
    ):
        assert {
            macro.removesuffix("Proof").removesuffix("Yours") for macro in named_like_classes(game.slug, page)
        } <= known
    assert has_macro(renderer, f"{game.slug}/standing", "standing")
    assert renderer.help(game.slug)["about"].strip()
    assert set(renderer.help(game.slug)["headings"]) == set(seam.headings(game))
    assert set(seam.headings(game).values()) <= {AHEAD, *renderer.help(game.slug)["duties"]}
    options = [spec.name for spec in shipped.game_options(game.slug)]
    assert list(renderer.help(game.slug)["options"]) == options


@pytest.mark.parametrize("slug", found())
def test_law_7_every_complaint_has_a_wording_and_none_is_left_over(slug: str) -> None:
    """Codes put together of parts ("limit" and "_missing") are found by their ends."""
    from referee.base import shipped

    folder = Path(inspect.getfile(type(found()[slug]))).parent
    texts = [ast.parse(file.read_text(encoding="utf-8")) for file in sorted(folder.rglob("*.py"))]
    kit = [ast.parse(Path(part.__file__).read_text(encoding="utf-8")) for part in (keyed, talk, answers)]
    renderer = Renderer(shipped.folders("templates"))
    own, shared = complaint_codes(renderer, slug), complaint_codes(renderer, "referee")
    codes = {
        call.args[0].value
        for text in texts
        for call in ast.walk(text)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id == "Complaint"
        and isinstance(call.args[0], ast.Constant)
    }
    assert codes <= own | shared, codes - own - shared
    words = {
        node.value
        for text in (*texts, *kit)
        for node in ast.walk(text)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    ends = tuple(word for word in words if re.fullmatch(r"_[a-z_]+", word))
    assert [code for code in own if code not in words and not code.endswith(ends)] == []


def test_law_7_every_event_of_a_match_has_words() -> None:
    from referee.base import shipped

    renderer = Renderer(shipped.folders("templates"))
    told = {kind.__name__ for kind in ev.KINDS} - {"Happened"}
    for name in told - {kind.__name__ for kind in ev.KINDS if issubclass(kind, ev.Private)}:
        assert has_macro(renderer, "referee/happenings", name), name


def _walked(kind: str, most: int = 40) -> Walk:
    walk = None
    for step in steps(kind, 2, most):
        walk = step.walk
    assert walk is not None
    return walk
