"""Friendly words beside a sealed order: the receipt offers TELL, and they leave with the reveal, not before."""

from __future__ import annotations

from pathlib import Path

from tests.world import START, World

PEOPLE = ["Ann <ann@example.org>", "Ben <ben@example.org>", "Cleo <cleo@example.org>"]


def test_words_beside_a_sealed_order_leave_with_the_reveal(tmp_path: Path) -> None:
    world = World(tmp_path)
    match = world.open("multigo", PEOPLE, order="parallel", board="9x9", press="on")
    world.step(START)
    asked = {letter.to: letter for letter in world.new_letters() if letter.kind == "due"}
    moves = dict(zip(sorted(asked), ("C3", "D4", "E5"), strict=True))
    world.reply(
        asked["ann@example.org"], f"{moves['ann@example.org']}\n\nGreetings from rainy Hamburg!", START
    )
    world.step(START)
    (receipt,) = world.new_letters()
    assert "with the next reveal? Reply with the word TELL" in " ".join(receipt.text.split())
    world.reply(receipt, "TELL", START)
    world.step(START)
    (told,) = world.new_letters()
    assert "with the next reveal" in " ".join(told.text.split())
    for address in sorted(asked)[1:]:
        assert "press" not in {letter.kind for letter in world.new_letters()}
        world.reply(asked[address], moves[address], START)
        world.step(START)
    heard = {letter.to for letter in world.new_letters() if letter.kind == "press"}
    assert heard == set(asked)
    (tmp_path / "record.json").write_text(world.run("record", match).out, encoding="utf-8")
    assert "Greetings from rainy Hamburg!" in (tmp_path / "record.json").read_text(encoding="utf-8")
    assert world.run("verify", str(tmp_path / "record.json")).status == 0
