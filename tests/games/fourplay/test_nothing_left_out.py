"""Contract, 'Mail in': what a mere word may send of a turn holds every line of it, as it was meant or as it stands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.world import World

PLACED = [
    ("K", 1, "o15"),
    ("K", 2, "a15"),
    ("K", 3, "a1"),
    ("K", 4, "o1"),
    ("Cn", 2, "g9"),
    ("J", 2, "e9"),
    ("+", None, "h8"),
]


@pytest.mark.parametrize(
    "words",
    [
        "Neutron: h8-h15\nCannon: g9-g3 ...\nJester: e9-e111",
        "Neutron: h8-h15\nCannon: g9-g10\nJes",  # cut off
        "Neutron: h8-h15\nCannon: g9-g10\nPurchaes: 1 Bender",
        "Neutron: h8-h15\nCannon: g9-g10, Jestre: e9-e11",
    ],
)
def test_a_word_sends_no_turn_without_one_of_its_lines(words: str, tmp_path: Path) -> None:
    world = World(tmp_path / "referee")
    pieces = [{"piece": piece, "player": player, "square": square} for piece, player, square in PLACED]
    position = json.dumps({"pieces": [{k: v for k, v in row.items() if v} for row in pieces], "turn": 2})
    (tmp_path / "position.json").write_text(position, encoding="utf-8")
    people = [f"{name} <{name.lower()}@example.org>" for name in ("Ann", "Ben", "Cleo", "Dan")]
    match = world.open("fourplay", people, statements="lenient", position=str(tmp_path / "position.json"))
    world.step()
    world.new_letters()
    name = next(seat["name"] for seat in world.show(match)["seats"] if seat["number"] == 2)
    world.mail(f"{name} <{name.lower()}@example.org>", "Fourplay: Turn / Player 2", words)
    world.step("2026-03-01T12:10:00Z")
    (letter,) = [letter for letter in world.new_letters() if letter.to == f"{name.lower()}@example.org"]
    world.reply(letter, "OK", "2026-03-01T12:20:00Z")
    world.step("2026-03-01T12:30:00Z")
    sent = [letter.text for letter in world.new_letters() if letter.kind == "receipt"]
    assert all("Jester: e9-e11" in text for text in sent)  # as it was meant, or not at all
