"""Contract, 'Mail in': a reply to a refusal that says a part of the answer is laid over the refusal's form; made whole
by it, it counts; and nothing of the form is lost."""

from pathlib import Path

import pytest

from tests.understood.scenes import Scene, played
from tests.world import Sent


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return played("setup-refused", tmp_path / "scene")


@pytest.fixture
def twice(tmp_path: Path) -> Scene:
    return played("setup-refused-twice", tmp_path / "scene")


def reply(scene: Scene, words: str, letter: Sent | None = None) -> tuple[dict[str, int], Sent]:
    scene.plays({"passes": scene.now.isoformat()})
    answered = letter or scene.letter("refusal", "ann@example.org")
    scene.world.reply(answered, words, scene.now.isoformat())
    counts, letters = scene.passed(scene.now)
    return counts, next(x for x in letters if x.to == "ann@example.org" and x.kind != "announcement")


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "words",
    [
        "Dollarman: m2", "Sorry! Dollarman: m2", "the Dollarman goes to m2", "m2", "Dollarman: m2, thanks",
        "dollarman m2 please",
    ],
)  # fmt: skip
def test_the_missing_part_makes_the_form_whole(scene: Scene, words: str) -> None:
    counts, receipt = reply(scene, words)
    assert counts["accepted"] == 1, receipt.text
    assert "PrimeMover: m4, i4, l1" in receipt.text, "the receipt shows all of it"
    assert "Dollarman: m2" in receipt.text


def test_what_is_still_wrong_is_said_once_with_the_part_in_the_form(twice: Scene) -> None:
    counts, refusal = reply(twice, "Dollarman: m2")
    assert (counts["refused"], refusal.kind) == (1, "refusal")
    assert "Dollarman: m2" in refusal.form
    assert "King: ..." in refusal.form
    assert "Snake: k5, n4, l5, i3" in refusal.form
    counts, receipt = reply(twice, "King: k1", refusal)
    assert counts["accepted"] == 1, receipt.text


def test_an_older_refusal_is_no_form_to_amend(twice: Scene) -> None:
    first = twice.letter("refusal", "ann@example.org")
    reply(twice, "Dollarman: m2")
    counts, letter = reply(twice, "King: k1", first)
    assert counts["accepted"] == 0, letter.text


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "words", ["Thanks!", "I'll look at the Dollarman tomorrow.", "Dollarman?", "King and Dollarman, hm"]
)
def test_words_that_name_a_part_and_say_nothing_of_it_amend_nothing(scene: Scene, words: str) -> None:
    counts, letter = reply(scene, words)
    assert counts["accepted"] == 0, letter.text


def test_a_line_that_can_t_be_read_is_not_passed_over(scene: Scene) -> None:
    counts, letter = reply(scene, "Dollarman: m2\nKing captures h8")
    assert counts["accepted"] == 0, letter.text
