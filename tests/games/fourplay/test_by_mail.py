"""What of Fourplay only mails can show: subjects, addresses stated in lists, arrivals, rewinds, who is not on turn."""

import json
from pathlib import Path

import pytest

from tests.games.fourplay.cycle import ALL, PEOPLE, Cycle
from tests.games.fourplay.cycle import cycle as cycle  # the fixture
from tests.understood.scenes import Scene, played, stamp
from tests.world import START, Sent, World, in_public, kinds

IN_PLAY = json.loads((Path(__file__).parent / "in_play.json").read_text(encoding="utf-8"))
HOME = {1: "o15", 2: "a15", 3: "a1", 4: "o1"}


def _stands(square: str, piece: str, player: int | None = None) -> dict[str, object]:
    return {"square": square, "piece": piece, "player": player, "mascot": False}


KINGS = [_stands(square, "King", player) for player, square in HOME.items()]
BARE = {"pieces": [*KINGS, _stands("h8", "Neutron")], "money": {}, "off_board": []}
# Player 1 can take the last other King at once.
TWO_KINGS = {
    "cycle": 1, "round": 5, "off_board": [], "turn": 1, "money": {}, "gems": {},
    "pieces": [KINGS[0], KINGS[3], _stands("h8", "Neutron"), _stands("k1", "Cannon", 1), _stands("m1", "Pawn", 4)],
}  # fmt: skip


def _opened(folder: Path, position: dict[str, object], **options: str) -> tuple[World, str, dict[int, str]]:
    """A match from a position; whom each seat is of."""
    file = folder / "position.json"
    file.write_text(json.dumps(position), encoding="utf-8")
    world = World(folder / "referee")
    match = world.open("fourplay", PEOPLE, position=str(file), **options)
    person = {person.split(" <")[0]: person.partition(";")[0] for person in PEOPLE}
    return world, match, {seat["number"]: person[seat["name"]] for seat in world.show(match)["seats"]}


def test_601_four_declarations_open_the_purchase_for_exactly_two_weeks(cycle: Cycle) -> None:
    cycle.world.new_letters()
    counts, letters = cycle.ready()
    assert counts["accepted"] == 4
    mails, told = [cycle.people[seat][1] for seat in (1, 2, 3, 4)], in_public(letters)
    assert kinds(letters)["due"] == ALL
    assert kinds(letters)["receipt"] == sorted(mails[:3]), "the last one's is what asks for the purchase too"
    assert {one: told.count(one) for one in ALL} == dict(zip(mails, (2, 3, 4, 4), strict=True)), (
        "who has declared waits for the letter that asks"
    )
    for letter in (x for x in letters if x.kind == "due"):
        assert "All four are ready" in letter.text
    shown = cycle.world.show(cycle.match)
    assert {d["demand"] for d in shown["due"]} == {"Purchase"}
    assert {d["due_at"] for d in shown["due"]} == {"2026-03-15T13:00:00Z"}
    ann = next(letter for letter in letters if letter.kind == "due" and letter.to == "ann@example.org")
    assert "14:00 CET (13:00 UTC)" in ann.text


def test_611_rewinding_twice_and_across_a_captured_king_that_ended_the_match(tmp_path: Path) -> None:
    world, match, people = _opened(tmp_path, TWO_KINGS)
    world.passed()
    mover = people[1].split("<")[1][:-1]
    before = world.show(match)["position"]["pieces"]
    body = "Neutron: h8-h15\nCannon: k1-o1, captures King of Player 4, aggressive toward Player 4"
    for hour in (13, 14):
        letters = world.sends(people[1], "Fourplay: Turn / Player 1", body, f"2026-03-01T{hour}:00:00Z")
        assert kinds(letters) == {"ended": ALL, "receipt": [mover]}
        last = next(letter.text for letter in letters if letter.kind == "ended")
        said = [last.index(x) for x in ("captures King of Player 4", "has the last King", "has ended")]
        assert said == sorted(said)
        assert "standings" not in last, "the table below says it"
        shown = world.show(match)
        assert (shown["status"], shown["outcome"]["winners"], shown["due"]) == ("ended", [1], [])
        now = f"2026-03-01T{hour}:30:00Z"
        world.do("rewind", match, "--to", "Round 5 / Player 1", "--why", "once more", "--now", now)
        letters = world.passed(now)
        assert kinds(letters) == {"due": [mover], "rewound": [other for other in ALL if other != mover]}
        assert "o1: King of Player 4" in next(x for x in letters if x.kind == "rewound").text
        shown = world.show(match)
        assert (shown["status"], shown["outcome"]) == ("open", None)
        assert shown["position"]["pieces"] == before
        assert shown["due"] == [{"seat": 1, "demand": "Turn", "due_at": f"2026-03-08T{hour}:30:00Z"}]
    world.verifies(match)


def test_610a_the_letter_that_asks_for_a_turn_names_round_and_cycle_and_a_reply_states_them(
    tmp_path: Path,
) -> None:
    world, match, people = _opened(tmp_path, BARE, cycles="2")
    heading = "Fourplay: Turn / Player 1 / Round 1 / Cycle 1"
    (asked,) = [letter for letter in world.passed() if letter.kind == "due"]
    assert asked.subject.startswith(f"[{match}] {heading} - by ")
    assert f"{heading} [{match}]" in asked.text
    (refused,) = world.replies(asked, "Neutron: h8-h10\nPass", START)
    assert refused.subject == f"[{match}] {heading} - refused"
    letters = world.replies(refused, "Neutron: h8-h15\nPass", START)
    (due,) = [x for x in letters if x.kind == "due"]
    assert due.subject.startswith(f"[{match}] {heading.replace('er 1', 'er 2')} - by ")
    for stated, wrong in (("Round 2 / Cycle 1", "round 2"), ("Round 1 / Cycle 2", "cycle 2")):
        (letter,) = world.sends(people[2], f"Fourplay: Turn / Player 2 / {stated}", "Neutron: h15-h1\nPass")
        assert f"The subject says {wrong}, but it is {wrong[:-1]}1" in " ".join(letter.text.split())


@pytest.mark.parametrize("between", [", ", " / ", "; ", " ", " and "])
def test_610a_round_and_cycle_on_a_line_of_their_own_are_compared(between: str, tmp_path: Path) -> None:
    world, _, people = _opened(tmp_path, BARE, cycles="2")
    world.passed()
    for parts, wrong in (
        (("Round 3", "Cycle 1"), "round 3"),
        (("Round 1", "cycle: 2"), "cycle 2"),
        (("Player 2", "Round 1", "Cycle 1"), "player 2"),
        (("Round: 1", "Cycle #1"), ""),
    ):
        body = f"{between.join(parts)}\nNeutron: h8-h15\nPass"
        letters = world.sends(people[1], "Fourplay: Turn", body)
        assert {"refusal", "receipt"} & set(kinds(letters)) == {"refusal" if wrong else "receipt"}, wrong
        assert wrong in " ".join(letters[0].text.lower().split())


@pytest.mark.parametrize(
    ("begins", "judged", "due"),
    [
        ("pass", "2026-03-03T12:00:00Z", "2026-03-10T12:00:00Z"),
        ("arrival", "2026-03-01T13:00:00Z", "2026-03-08T13:00:00Z"),
        ("arrival", "2026-03-03T12:00:00Z", "2026-03-08T13:00:00Z"),
        ("arrival", "2026-03-07T12:00:00Z", "2026-03-11T00:00:00Z"),
    ],
)
def test_612_from_arrival_a_turn_is_due_a_window_after_the_mail_before_it(
    begins: str, judged: str, due: str, tmp_path: Path
) -> None:
    """However late that mail was judged, half of the window is left."""
    world, match, _ = _opened(tmp_path, BARE, **{"from": begins})
    (asked,) = [letter for letter in world.passed() if letter.kind == "due"]
    world.reply(asked, "Neutron: h8-h15\nPass", "2026-03-01T13:00:00Z")
    assert world.step(judged)["accepted"] == 1
    assert world.show(match)["due"] == [{"seat": 2, "demand": "Turn", "due_at": due}]
    world.verifies(match)


# --- who is not on turn is told so, under whatever subject a turn or a purchase comes -----------------------------

LIST = "Purchases:\n2 Pawn, 8 F$ each, value 1 each\n\nTotal cost: 16 F$\nTotal value: 2\nMascot: Pawn"
BUYING = [
    ("Fourplay: Turn", "Purchase: 2 Pawn, 16 F$"),
    ("buying", "Purchase: 2 Pawn, 16 F$"),
    ("Fourplay: Purchase", "Purchase: 2 Pawn"),
]
MAILS = [
    ("Fourplay: Turn / Player 3", "Neutron: h8-h15\nPass"),
    ("my move", "Neutron: h8-h15\nPass"),
    *BUYING,
    ("Fourplay: Initial Purchase of Pieces / Player 3", LIST),
]


def test_who_has_no_king_is_told_607a(tmp_path: Path) -> None:
    pieces = [p for p in IN_PLAY["pieces"] if (p["piece"], p["player"]) != ("King", 3)]
    world, match, people = _opened(tmp_path, {**IN_PLAY, "pieces": pieces})
    world.passed()
    for subject, body in MAILS:
        (letter,) = world.sends(people[3], f"{subject} [{match}]", body)
        assert letter.kind == "refusal", subject
        assert "You have no King" in letter.text, subject
        assert "607.A" in letter.text, subject


def test_a_purchase_out_of_turn_is_told_608_and_kept(tmp_path: Path) -> None:
    world, match, people = _opened(tmp_path, IN_PLAY)
    world.passed()
    (owing,) = world.show(match)["due"]
    for subject, body in BUYING:
        (letter,) = world.sends(people[owing["seat"] % 4 + 1], f"{subject} [{match}]", body)
        assert "rule 608" in " ".join(letter.text.split()), subject


# --- 604.B.i, 605.B.i: an address in a list that is not registered stops nothing ---------------------------------

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


def test_the_list_counts_and_after_an_ok_and_the_yes_of_the_new_address_it_is_its_senders(
    scene: Scene,
) -> None:
    letters = bought(scene, NEW)
    assert sorted(x.kind for x in letters if x.to == ANN) == ["receipt", "status"]
    question = next(x for x in letters if x.kind == "status")
    assert NEW in question.text
    assert all(NEW not in x.text for x in letters if x.to != ANN)
    assert not [x for x in letters if x.to == NEW], "nobody is asked there before he has agreed"
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
