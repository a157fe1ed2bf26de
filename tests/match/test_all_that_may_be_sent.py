"""By mail, what nothing waits for: words, offers, standing orders, conditional moves, further addresses. Every mail
counts, and the record of each match verifies. Where
the record does not hold what the last answer was judged by (a private puzzle), it verifies all the same. (The
referees' folders are kept as ledgers too: see `kept.py`.)"""

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.world import START, World

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve")
NEARLY = "B2 B1 B3 B4/W1 W2 W3 W4/B4 B2 B3 B1/W4 W3 W2 W1"
STUCK = "B16 W16 .. ../.. B16 W16 ../W16 .. B16 ../B16 W16 .. .."
# name: game, seats, options, and mails as (seat, heading, body); a number in a mail's place lets so many days pass.
MATCHES: dict[str, tuple[str, int, dict[str, str], list[tuple[int, str, str] | int]]] = {
    "buttons, a draw by agreement": (
        "buttons", 2, {"starter": "1"},
        [
            (1, "Move", "Place: 1 a1\nComment: hi"), (1, "Comment", "Comment: <b>what now?</b>"),
            (2, "Move", "Place: 1 b1"), (2, "Offer", "Offer: draw"), (1, "Move", "Accept: draw"),
        ],
    ),
    "buttons, nobody can move": ("buttons", 2, {"position": STUCK, "values": "16 16 16 16", "starter": "1"}, []),
    "buttons, solo, given up": (
        "buttons", 1, {"mode": "solo", "position": NEARLY, "undo": "counts", "par_nodes": "2000"},
        [(1, "Move", "Goal: four\nMove: a4-c4\nUndo"), (1, "Comment", "Comment: too hard"), (1, "Move", "Give up")],
    ),
    "buttons, solo, solved": (
        "buttons", 1, {"mode": "solo", "position": NEARLY, "goal": "two", "par_nodes": "2000"},
        [(1, "Move", "Move: a4-c4\nUndo"), (1, "Move", "Move: b4-a4")],
    ),
    "buttons, a private puzzle": (
        "buttons",
        1,
        {"mode": "solo", "position": NEARLY, "goal": "two", "private": "on", "par": "off"},
        [(1, "Move", "Move: a4-c4"), (1, "Move", "Undo\nMove: b4-a4")],
    ),
    "go, standing orders": (
        "multigo", 4, {"board": "9x9", "coop": "on", "compensation": "none"},
        [
            (4, "Prefer", "Prefer: white, black"), (1, "Move", "Move: E5\nPrefer: red"),
            (3, "Plan", "If White D4 then E4"), (4, "Plan", "If White A1 then C3"), (2, "Move", "Move: D4"),
            (1, "Comment", "Comment: quick work"), 15, 22, (3, "Comment", "Comment: I am here again"),
        ],
    ),
    "go, nobody answers": ("multigo", 3, {"board": "9x9", "order": "parallel"}, [(1, "Move", "Move: C3"), 8, 16]),
    "one piece, words and a draw": (
        "onepiece", 2, {"colours": "red", "edge": "south"},
        [(1, "Comment", "Comment: good luck"), (2, "Offer", "Offer: draw"), (1, "Accept", "Accept: draw")],
    ),
    "one piece, a seat falls open": (
        "onepiece", 4, {"miss": "1", "colours": "red", "edge": "south", "target": "4"}, [8, 16, 24],
    ),
}  # fmt: skip


def sender(seat: int) -> str:
    return f"{NAMES[seat - 1]} <{NAMES[seat - 1].lower()}@example.org>"


def at(days: float, minutes: int) -> str:
    return (datetime.fromisoformat(START) + timedelta(days=days, minutes=minutes)).isoformat()


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", MATCHES)
def test_whatever_is_open_to_a_seat_counts_by_mail(name: str, tmp_path: Path) -> None:
    game, seats, options, mails = MATCHES[name]
    world = World(tmp_path)
    match = world.open(game, [sender(seat) for seat in range(1, seats + 1)], **options)
    world.passed()
    days = 0
    sitting = {NAMES.index(s["name"]) + 1: s["number"] for s in world.show(match)["seats"]}
    people = {number: person for person, number in sitting.items()}
    for minute, mail in enumerate(mails, 1):
        if isinstance(mail, int):
            days = mail
            world.step(at(days, minute))
            continue
        seat, heading, body = mail
        title = {"buttons": "Buttons", "multigo": "Go", "onepiece": "1P42"}[game]
        world.mail(sender(people[seat]), f"{title}: {heading} / Player {seat}", body, at(days, minute))
        counts = world.step(at(days, minute))
        assert counts["accepted"] == 1, [letter.text for letter in world.new_letters()]
        world.new_letters()
    world.verifies(match)


def test_a_further_address_is_entered_once_both_say_yes(tmp_path: Path) -> None:
    world = World(tmp_path)
    match = world.open("buttons", [sender(1), sender(2)], starter="1")
    world.passed()
    world.mail(sender(1), "address new@example.org", "", at(0, 1))
    world.step(at(0, 1))
    for minute in (2, 3):
        (letter,) = [x for x in world.new_letters() if x.kind == "challenge"]
        world.reply(letter, "Yes", at(0, minute))
        world.step(at(0, minute))
    world.mail("new@example.org", "timezone Asia/Tokyo", "", at(0, 9))
    world.step(at(0, 9))
    world.verifies(match)
    world.mail("new@example.org", "Buttons: Move / Player 1", "Place: 1 a1", at(0, 10))
    assert world.step(at(0, 10))["accepted"] == 1


def test_the_record_of_a_round_whose_answer_is_of_a_seat_that_has_left_since_is_true(tmp_path: Path) -> None:
    """Its move was legal when it was given; that its player resigned before the reveal makes no forgery of it."""
    world, people = World(tmp_path), [f"{name} <{name}@example.org>" for name in ("ann", "ben", "cleo")]
    name = world.open("multigo", people, board="9x9", order="parallel")
    world.passed()
    sender = dict(zip((s["name"] for s in world.show(name)["seats"]), (1, 2, 3), strict=True))
    seated = sorted(people, key=lambda person: sender[person.split()[0]])
    world.mail(seated[2], f"Multi-Go: Move / Player 3 [{name}]", "Move: c3")
    world.step()
    world.mail_and_yes(seated[2], f"resign {name}", "")
    for seat, point in ((1, "e5"), (2, "g7")):
        world.mail(seated[seat - 1], f"Multi-Go: Move / Player {seat} [{name}]", f"Move: {point}")
    world.step()
    assert [due["seat"] for due in world.show(name)["due"]] == [1, 2]
    world.verifies(name)
