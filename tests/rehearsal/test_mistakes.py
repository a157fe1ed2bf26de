"""The wrong mails of the demo: such as people send, in every game, and never a good one by accident."""

import os
from pathlib import Path

import pytest

from referee.core import seam
from referee.core.answers import Party
from referee.rehearsal.players import MISTAKES, Plan, Postman, mistaken, seeded, top_posted
from referee.rehearsal.rehearse import Playing, rehearsed
from tests.laws.walks import KINDS, steps
from tests.sampling import one_in


@pytest.mark.parametrize("kind", KINDS)
def test_a_form_can_be_got_wrong_in_several_ways_and_stays_a_form(kind: str) -> None:
    for step in steps(kind, 2, most=6):
        party = step.walk.match.party(step.demand.seat)
        form = seam.filled_in(step.walk.game, step.walk.match.inner, step.demand, party, step.action)
        chance = seeded("mistakes", kind, form)
        wrong = list(mistaken(form, chance))
        assert form not in wrong
        assert wrong == list(mistaken(form, seeded("mistakes", kind, form))), (
            "the same seed, the same mistakes"
        )
        assert wrong, form


def test_each_mistake_is_made_in_a_list_of_purchases() -> None:
    form = "Name: Ann\nPurchases:\n10 Pawn, 8 F$ each\nKing: a15\nTotal cost: 80 F$\nMascot: Pawn"
    for mistake in MISTAKES:
        wrong = mistake(form.splitlines(), seeded("one", mistake.__name__))
        assert wrong is not None, mistake.__name__
        assert wrong[0] == "Name: Ann"
        assert "\n".join(wrong) != form


def test_a_form_filled_in_inside_the_quote_is_one() -> None:
    text = top_posted("Move: a1-b1\n\nComment: hello", "5 January 2026")
    assert text.splitlines()[-3:] == ["> Move: a1-b1", ">", "> Comment: hello"]
    assert Party("Ann", 1).name not in text


@pytest.mark.parametrize("seed", one_in(2, [1, 2]))
def test_a_rehearsal_with_peoples_mistakes_keeps_the_laws(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Postman, "wrong", 2)
    before = os.environ.get("REFEREE_SECRET")
    plan = Plan("onepiece", 2, {"grid": "4x4", "pieces": "6"}, seed, 1, human=True)
    report = rehearsed(plan, tmp_path / "kept", lambda line: None)
    assert report.faults == []
    assert report.counts["refused"] >= 2
    assert os.environ.get("REFEREE_SECRET") == before, (
        "a rehearsal's secret is its folder's, and nobody else's"
    )


@pytest.mark.parametrize(
    ("game", "seats", "options", "seed", "least"),
    [
        ("multigo", 3, {"position": "B.W/.R./..."}, 1, 0),
        pytest.param("fourplay", None, {}, 3, 3, marks=pytest.mark.soak),
    ],
)
def test_a_hasty_mistake_that_the_refusal_mends_is_answered_with_ok(
    game: str,
    seats: int | None,
    options: dict[str, str],
    seed: int,
    least: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Postman, "wrong", 2)
    monkeypatch.setattr(Playing, "asleep", 0)
    plan = Plan(game, seats, options, seed, 1, human=True)
    report = rehearsed(plan, tmp_path / "kept", lambda line: None)
    assert report.faults == []
    assert report.counts["sent by OK"] >= least
