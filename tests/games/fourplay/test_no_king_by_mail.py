"""A player without a King is told so, with rule 607.A, under whatever subject a turn or a purchase comes."""

import json
from pathlib import Path

from tests.world import START, World

PEOPLE = [f"{name} <{name.split()[0].lower()}@example.org>" for name in ("Ann A", "Ben B", "Cleo C", "Dan D")]
LIST = "Purchases:\n2 Pawn, 8 F$ each, value 1 each\n\nTotal cost: 16 F$\nTotal value: 2\nMascot: Pawn"
MAILS = [
    ("Fourplay: Turn / Player 3", "Neutron: h8-h15\nPass"),
    ("my move", "Neutron: h8-h15\nPass"),
    ("Fourplay: Turn", "Purchase: 2 Pawn, 16 F$"),
    ("buying", "Purchase: 2 Pawn, 16 F$"),
    ("Fourplay: Purchase", "Purchase: 2 Pawn"),
    ("Fourplay: Initial Purchase of Pieces / Player 3", LIST),
]


def test_who_has_no_king_is_told_607a(tmp_path: Path) -> None:
    world = World(tmp_path)
    file = tmp_path / "position.json"
    shown = json.loads((Path(__file__).parent / "in_play.json").read_text(encoding="utf-8"))
    shown["pieces"] = [p for p in shown["pieces"] if (p["piece"], p["player"]) != ("King", 3)]
    file.write_text(json.dumps(shown), encoding="utf-8")
    match = world.open("fourplay", PEOPLE, position=str(file))
    world.passed(START)
    name = next(seat["name"] for seat in world.show(match)["seats"] if seat["number"] == 3)
    sender = next(person for person in PEOPLE if person.startswith(name))
    for subject, body in MAILS:
        (letter,) = world.sends(sender, f"{subject} [{match}]", body)
        assert letter.kind == "refusal", subject
        assert "You have no King" in letter.text, subject
        assert "607.A" in letter.text, subject


def test_a_purchase_out_of_turn_is_told_608_and_kept(tmp_path: Path) -> None:
    world = World(tmp_path)
    match = world.open("fourplay", PEOPLE, position=str(Path(__file__).parent / "in_play.json"))
    world.passed(START)
    waits = {seat["number"] for due in world.show(match)["due"] for seat in [{"number": due["seat"]}]}
    name = next(seat["name"] for seat in world.show(match)["seats"] if seat["number"] not in waits)
    sender = next(person for person in PEOPLE if person.startswith(name))
    for subject, body in MAILS[2:5]:
        (letter,) = world.sends(sender, f"{subject} [{match}]", body)
        assert "rule 608" in " ".join(letter.text.split()), subject
