"""A Fourplay cycle from declarations to awards and into the next, through the outer contract alone."""

import json
from pathlib import Path

import pytest

from tests.games.fourplay.test_buys_and_sets_up_by_mail import ALL, ARMY, PEOPLE, Cycle
from tests.world import World, in_public, kinds

# Nothing that strikes from afar, so that nobody is in check at the start.
SHORT = [
    (1, "Crazyhorse", 85, 12),
    (10, "Pawn", 8, 1),
    (7, "Nwap", 8, 1),
    (6, "Jester", 8, 1),
    (2, "Archer", 71, 10),
    (2, "Killer Tomato", 15, 2),
    (3, "Zombie", 29, 4),
    (4, "Quadrunner", 8, 1),
    (1, "Withdrawer", 29, 4),
]
HOME = {1: "o15", 2: "a15", 3: "a1", 4: "o1"}
BESIDE = {1: "n15", 2: "b15", 3: "b1", 4: "n1"}


def _setup(cycle: Cycle, seat: int) -> str:
    """The short-sighted army, the King on the Home Corner."""
    columns, rows = (
        ("ijklmno" if seat in (1, 4) else "abcdefg"),
        (range(9, 16) if seat in (1, 2) else range(1, 8)),
    )
    free = iter(s for r in rows for c in columns if (s := f"{c}{r}") not in (HOME[seat], BESIDE[seat]))
    placed = {piece: [next(free) for _ in range(n)] for n, piece, _, _ in SHORT}
    lines = "\n".join(f"{piece}: {', '.join(at)}" for piece, at in placed.items())
    owned = "\n".join(f"{n} {piece}" for n, piece, _, _ in SHORT)
    return (
        f"{cycle.head(seat)}\nPieces owned:\n{owned}\n\nSetup:\n{lines}\n\n"
        f"King: {HOME[seat]}\nDollarman: {BESIDE[seat]}\nMascot: Archer {placed['Archer'][0]}\n"
    )


def _in_play(folder: Path) -> Cycle:
    """Two cycles; the first stands at the first turn."""
    cycle = Cycle(folder, cycles="2")
    cycle.ready()
    for seat in (1, 2, 3, 4):
        cycle.send(seat, "Initial Purchase of Pieces", cycle.purchase(seat, SHORT), "2026-03-02T00:00:00Z")
    cycle.step("2026-03-02T00:00:00Z")
    for seat in (1, 2, 3, 4):
        cycle.send(seat, "Initial Setup of Pieces", _setup(cycle, seat), "2026-03-03T00:00:00Z")
    counts, _ = cycle.step("2026-03-03T00:00:00Z")
    assert counts["accepted"] == 4
    return cycle


def _turn(cycle: Cycle, seat: int, body: str, at: str):
    cycle.send(seat, "Turn", body, at)
    return cycle.step(at)


def test_a_cycle_from_the_first_turn_to_the_next_purchase(tmp_path: Path) -> None:
    cycle = _in_play(tmp_path)
    world, match = cycle.world, cycle.match

    wrong = "Neutron: h8-h10\nKing: a1-a9\nPurchase: 90 Pawn, 720 F$"
    counts, letters = _turn(cycle, 1, wrong, "2026-03-04T00:00:00Z")
    assert counts["refused"] == 1
    assert kinds(letters) == {"refusal": [cycle.people[1][1]]}
    text = " ".join(letters[0].text.split())
    for fault in ("905", "a1", "608"):
        assert fault in text
    assert "Neutron: h8-h15" in letters[0].form

    counts, letters = _turn(
        cycle, 1, "Hello, my turn:\n\nNeutron: h8-h15\nPass\n\nBye", "2026-03-04T01:00:00Z"
    )
    mover, following = cycle.people[1][1], cycle.people[2][1]
    others = [address for address in ALL if address not in (mover, following)]
    third, fourth = cycle.people[3][1], cycle.people[4][1]
    assert others == sorted((third, fourth))
    assert kinds(letters) == {"announcement": [fourth], "due": [following], "receipt": [mover]}
    assert in_public(letters) == sorted((mover, following, fourth)), "the third is told when asked"

    # within the Statute of Limitations an illegal turn is rewound, with a fresh week (611)
    ruling = ("rule", match, "--turn", "Round 1 / Player 1", "--illegal", "--why", "a test", "--now")
    assert world.run(*ruling, "2026-03-04T02:00:00Z").status == 0
    _, letters = cycle.step("2026-03-04T02:00:00Z")
    assert kinds(letters) == {"due": [mover], "rewound": [other for other in ALL if other != mover]}
    rewound = next(letter for letter in letters if letter.kind == "rewound")
    assert "h8: Neutron is back." in rewound.text
    assert world.show(match)["due"] == [{"seat": 1, "demand": "Turn", "due_at": "2026-03-11T02:00:00Z"}]

    for seat, way in ((1, "h8-h15"), (2, "h15-h1"), (3, "h1-h15")):
        counts, letters = _turn(cycle, seat, f"Neutron: {way}\nPass", f"2026-03-04T{seat + 2:02d}:00:00Z")
        assert counts["accepted"] == 1, letters[0].text

    # Player 4 sends nothing for a week: the turn passes, the Neutron is not moved (612)
    counts, letters = cycle.step("2026-03-11T05:00:01Z")
    assert counts["lapsed"] == 1
    assert kinds(letters) == {"due": [mover], "lapsed": [other for other in ALL if other != mover]}
    squares = {
        p["piece"]: p["square"] for p in world.show(match)["position"]["pieces"] if p["player"] is None
    }
    assert squares == {"Neutron": "h15"}
    assert world.show(match)["position"]["round"] == 2

    # beyond the statute the turn stands
    _turn(cycle, 1, "Neutron: h15-h1\nPass", "2026-03-11T06:00:00Z")
    ran = world.run(*ruling, "2026-03-11T07:00:00Z")
    assert (ran.status, ran.out) == (1, "")
    assert "the Statute of Limitations" in ran.err
    assert cycle.step("2026-03-11T07:00:00Z")[1] == [], "what changed nothing is told to nobody"

    # three Kings leave the board: the cycle ends at once, and the next one asks for other armies (603, 604.C)
    for hour, seat in enumerate((2, 3, 4), 8):
        at = f"2026-03-11T{hour:02d}:00:00Z"
        world.mail_and_yes(cycle.sender(seat), f"Fourplay: Resign / Player {seat}", "Resign", at)
    facts = world.show(match)
    assert facts["position"]["cycle"] == 2
    assert {d["demand"] for d in facts["due"]} == {"Purchase"}
    cycle.send(1, "Initial Purchase of Pieces", cycle.purchase(1, SHORT), "2026-03-12T00:00:00Z")
    counts, letters = cycle.step("2026-03-12T00:00:00Z")
    assert counts["refused"] == 1
    assert "Beethoven" in letters[0].text
    assert "604.C" in letters[0].text
    cycle.send(1, "Initial Purchase of Pieces", cycle.purchase(1, ARMY), "2026-03-12T01:00:00Z")
    assert cycle.step("2026-03-12T01:00:00Z")[0]["accepted"] == 1

    # the record of it all: verified, and the text of it read back by the site's own rules
    world.verifies(match)
    assert "== " in world.run("record", match, "--format", "text").out


def _two_kings(tmp_path: Path) -> tuple[World, str]:
    """A match in which Player 1 can take the last other King at once."""
    world = World(tmp_path)
    pieces = [
        ("h8", "Neutron", None),
        ("o15", "King", 1),
        ("k1", "Cannon", 1),
        ("m1", "Pawn", 4),
        ("o1", "King", 4),
    ]
    facts = {
        "cycle": 1, "round": 5, "off_board": [], "turn": 1,
        "pieces": [{"square": s, "piece": p, "player": o, "mascot": False} for s, p, o in pieces],
        "money": {str(n): 0 for n in (1, 2, 3, 4)}, "gems": {str(n): 0 for n in (1, 2, 3, 4)},
    }  # fmt: skip
    (tmp_path / "position.json").write_text(json.dumps(facts))
    match = world.open("fourplay", PEOPLE, position=str(tmp_path / "position.json"))
    return world, match


def test_603_taking_the_last_other_king_ends_the_match(tmp_path: Path) -> None:
    world, match = _two_kings(tmp_path)
    world.step()
    name = next(s["name"] for s in world.show(match)["seats"] if s["number"] == 1)
    address = f"{name.split()[0].lower()}@example.org"
    world.new_letters()
    body = "Neutron: h8-h15\nCannon: k1-o1, captures King of Player 4, aggressive toward Player 4"
    world.mail(f"{name} <{address}>", "Fourplay: Turn / Player 1", body)
    counts = world.step()
    letters = world.new_letters()
    assert counts["accepted"] == 1, letters[0].text
    assert kinds(letters) == {"ended": ALL, "receipt": [address]}
    last = next(letter.text for letter in letters if letter.kind == "ended")
    assert last.index("captures King of Player 4") < last.index("has the last King") < last.index("has ended")
    assert "standings" not in last, "the table below says it"
    shown = world.show(match)
    assert shown["status"] == "ended"
    assert shown["outcome"]["winners"] == [1]
    assert shown["due"] == []


def test_611_rewinding_twice_and_across_a_captured_king(tmp_path: Path) -> None:
    world, match = _two_kings(tmp_path)
    world.step()
    name = next(s["name"] for s in world.show(match)["seats"] if s["number"] == 1)
    sender = f"{name} <{name.split()[0].lower()}@example.org>"
    before = world.show(match)["position"]["pieces"]
    body = "Neutron: h8-h15\nCannon: k1-o1, captures King of Player 4, aggressive toward Player 4"
    for hour in (13, 14):
        world.mail(sender, "Fourplay: Turn / Player 1", body, f"2026-03-01T{hour}:00:00Z")
        assert world.step(f"2026-03-01T{hour}:00:00Z")["accepted"] == 1
        assert world.show(match)["status"] == "ended"
        world.new_letters()
        now = f"2026-03-01T{hour}:30:00Z"
        world.do("rewind", match, "--to", "Round 5 / Player 1", "--why", "once more", "--now", now)
        letters = world.passed(now)
        asked = sender.split("<")[1][:-1]
        assert kinds(letters) == {"due": [asked], "rewound": [other for other in ALL if other != asked]}
        assert "o1: King of Player 4" in next(x for x in letters if x.kind == "rewound").text
        shown = world.show(match)
        assert shown["status"] == "open"
        assert shown["outcome"] is None
        assert shown["position"]["pieces"] == before
        assert shown["due"] == [{"seat": 1, "demand": "Turn", "due_at": f"2026-03-08T{hour}:30:00Z"}]
    world.verifies(match)


def test_610a_the_letter_that_asks_for_a_turn_names_round_and_cycle_and_a_reply_states_them(
    tmp_path: Path,
) -> None:
    cycle, at = _in_play(tmp_path), "2026-03-04T00:00:00Z"
    heading = "Fourplay: Turn / Player 1 / Round 1 / Cycle 1"
    asked = next(letter for letter in cycle.letters if letter.kind == "due")
    assert asked.subject.startswith(f"[{cycle.match}] {heading} - by ")
    assert f"{heading} [{cycle.match}]" in asked.text
    cycle.world.reply(asked, "Neutron: h8-h10\nPass", at)
    _, (refused,) = cycle.step(at)
    assert refused.subject == f"[{cycle.match}] {heading} - refused"
    cycle.world.reply(refused, "Neutron: h8-h15\nPass", at)
    counts, letters = cycle.step(at)
    assert counts["accepted"] == 1
    assert next(x for x in letters if x.kind == "due").subject.startswith(
        f"[{cycle.match}] {heading.replace('er 1', 'er 2')} - by "
    )
    for stated, wrong in (("Round 2 / Cycle 1", "round 2"), ("Round 1 / Cycle 2", "cycle 2")):
        _, letters = _turn_under(cycle, 2, f"Turn / Player 2 / {stated}", at)
        assert f"The subject says {wrong}, but it is {wrong[:-1]}1" in " ".join(letters[0].text.split())


@pytest.mark.one_in(2)
@pytest.mark.parametrize("between", [", ", " / ", "; ", " ", " and "])
def test_610a_round_and_cycle_on_a_line_of_their_own_are_compared(between: str, tmp_path: Path) -> None:
    cycle, at = _in_play(tmp_path), "2026-03-04T00:00:00Z"
    for parts, wrong in (
        (("Round 3", "Cycle 1"), "round 3"),
        (("Round 1", "cycle: 2"), "cycle 2"),
        (("Player 2", "Round 1", "Cycle 1"), "player 2"),
        (("Round: 1", "Cycle #1"), ""),
    ):
        cycle.world.mail(
            cycle.sender(1), "Fourplay: Turn", f"{between.join(parts)}\nNeutron: h8-h15\nPass", at
        )
        counts, letters = cycle.step(at)
        if wrong:
            assert counts["accepted"] == 0, wrong
            assert wrong in " ".join(letters[0].text.lower().split())
        else:
            assert counts["accepted"] == 1, letters[0].text


def _turn_under(cycle: Cycle, seat: int, heading: str, at: str):
    cycle.world.mail(cycle.sender(seat), f"Fourplay: {heading}", "Neutron: h15-h1\nPass", at)
    return cycle.step(at)


_KINGS = [{"square": HOME[seat], "piece": "King", "player": seat} for seat in HOME]
_BARE = {
    "pieces": [*_KINGS, {"square": "h8", "piece": "Neutron", "player": None}],
    "money": {},
    "off_board": [],
}


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
    position = tmp_path / "bare.json"
    position.write_text(json.dumps(_BARE), encoding="utf-8")
    world = World(tmp_path / "referee")
    match = world.open("fourplay", PEOPLE, position=str(position), **{"from": begins})
    (asked,) = [letter for letter in world.passed() if letter.kind == "due"]
    world.reply(asked, "Neutron: h8-h15\nPass", "2026-03-01T13:00:00Z")
    assert world.step(judged)["accepted"] == 1
    assert world.show(match)["due"] == [{"seat": 2, "demand": "Turn", "due_at": due}]
    world.verifies(match)
