"""604.B.i, 605.B.i: the address in a list is for contact. One that is not registered stops nothing: the list counts,
its sender is asked, and after his OK that address; nothing changes before both."""

from pathlib import Path

import pytest

from tests.understood.scenes import Scene, played, stamp
from tests.world import Sent, kinds

ANN, NEW = "ann@example.org", "ann@elsewhere.example"


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return played("purchase", tmp_path / "scene")


def bought(scene: Scene, stated: str) -> list[Sent]:
    words = scene.orders["ann-purchase"].replace(f"Email: {ANN}", f"Email: {stated}")
    assert stated in words
    scene.world.reply(scene.letter("due", ANN), words, stamp(scene.now))
    counts, letters = scene.passed(scene.now)
    assert counts["accepted"] == 1, letters[0].text
    return letters


def answered(scene: Scene, letter: Sent, words: str) -> list[Sent]:
    scene.world.reply(letter, words, stamp(scene.now))
    return scene.passed(scene.now)[1]


def test_the_list_counts_and_its_sender_is_asked(scene: Scene) -> None:
    letters = bought(scene, NEW)
    assert sorted(x.kind for x in letters if x.to == ANN) == ["receipt", "status"]
    question = next(x for x in letters if x.kind == "status")
    assert NEW in question.text
    assert all(NEW not in x.text for x in letters if x.to != ANN)
    assert not [x for x in letters if x.to == NEW], "nobody is asked there before he has agreed"


def test_after_his_ok_the_new_address_is_asked_and_after_its_yes_it_is_his(scene: Scene) -> None:
    question = next(x for x in bought(scene, NEW) if x.kind == "status")
    fresh = answered(scene, question, "OK")
    assert kinds(fresh)["challenge"] == [NEW]
    scene.world.mail(NEW, "status", "", stamp(scene.now))
    assert "You have no seat" in scene.passed(scene.now)[1][0].text
    agreed = answered(scene, next(x for x in fresh if x.to == NEW), "Yes")
    assert agreed
    scene.world.mail(NEW, "status", "", stamp(scene.now))
    assert "You are Player 4" in scene.passed(scene.now)[1][0].text


@pytest.mark.parametrize("stated", [ANN, ANN.upper(), f"<{ANN}>"])
def test_a_registered_one_is_not_asked_about(scene: Scene, stated: str) -> None:
    assert [x.kind for x in bought(scene, stated) if x.to == ANN] == ["receipt"]


@pytest.mark.parametrize("words", ["No", "Thanks!"])
def test_without_an_ok_nothing_changes(scene: Scene, words: str) -> None:
    question = next(x for x in bought(scene, NEW) if x.kind == "status")
    assert not [x for x in answered(scene, question, words) if x.to == NEW]
