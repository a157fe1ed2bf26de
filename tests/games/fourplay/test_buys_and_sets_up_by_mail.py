"""A Fourplay cycle from its opening to play, through the outer contract alone."""

from pathlib import Path

import pytest

from tests.understood.scenes import Scene, played, stamp
from tests.world import Sent, World, in_public, kinds

PEOPLE = [
    "Ann Archer <ann@example.org>; Europe/Berlin",
    "Ben Baker <ben@example.org>",
    "Cleo Carter <cleo@example.org>",
    "Dan Draper <dan@example.org>",
]
ALL = ["ann@example.org", "ben@example.org", "cleo@example.org", "dan@example.org"]
READY = "I am ready for battle. Let the Games begin!"
ARMY = [(10, "Pawn", 8, 1), (4, "Jester", 8, 1), (4, "Cannon", 22, 3), (4, "Snake", 29, 4), (2, "Archer", 71, 10),
        (1, "Crazyhorse", 85, 12)]  # fmt: skip


class Cycle:
    """A match whose seats are known by number, whatever the draw was."""

    def __init__(self, folder: Path, **options: str) -> None:
        self.world = World(folder)
        self.match = self.world.open("fourplay", PEOPLE, **options)
        self.world.step()
        seats = self.world.show(self.match)["seats"]
        address = {p.split(" <")[0]: p.split("<")[1].split(">")[0] for p in PEOPLE}
        self.people = {s["number"]: (s["name"], address[s["name"]]) for s in seats}

    def sender(self, seat: int) -> str:
        name, address = self.people[seat]
        return f"{name} <{address}>"

    def send(self, seat: int, heading: str, body: str, at: str, **more: str) -> Path:
        return self.world.mail(self.sender(seat), f"Fourplay: {heading} / Player {seat}", body, at, **more)

    def head(self, seat: int) -> str:
        name, address = self.people[seat]
        return f"Name: {name}\nPlayer: {seat}\nEmail: {address}\n"

    def purchase(self, seat: int, army=ARMY, mascot: str = "Archer") -> str:
        lines = [f"{n} {piece}, {price} F$ each, value {value} each" for n, piece, price, value in army]
        cost, value = sum(n * p for n, _, p, _ in army), sum(n * v for n, _, _, v in army)
        totals = f"Total cost: {cost} F$\nTotal value: {value}\nMascot: {mascot}"
        return f"{self.head(seat)}\nPurchases:\n" + "\n".join(lines) + f"\n\n{totals}\n"

    def form(self, seat: int) -> str:
        """The form of the seat's latest `due` letter."""
        return self.dues[self.people[seat][1]]

    def step(self, now: str):
        counts = self.world.step(now)
        letters = self.letters = self.world.new_letters()
        self.dues = {letter.to: letter.form for letter in letters if letter.kind == "due"} or getattr(
            self, "dues", {}
        )
        return counts, letters

    def ready(self, at: str = "2026-03-01T13:00:00Z"):
        for seat in self.people:
            self.send(seat, "Ready", f"Hello!\n\n{READY}\n", at)
        return self.step(at)


@pytest.fixture
def cycle(tmp_path: Path) -> Cycle:
    return Cycle(tmp_path)


def test_600_the_opening_letter_goes_to_all_and_asks_each_for_the_declaration(cycle: Cycle) -> None:
    letters = cycle.world.new_letters()
    assert kinds(letters) == {"opened": ALL, "due": ALL}
    opening = next(letter for letter in letters if letter.kind == "opened")
    assert "seed " in opening.text
    assert "each of the 24 orders being" in opening.text


def test_601_four_declarations_open_the_purchase_for_exactly_two_weeks(cycle: Cycle) -> None:
    cycle.world.new_letters()
    counts, letters = cycle.ready()
    assert counts["accepted"] == 4
    last = cycle.people[4][1]
    others = [address for address in ALL if address != last]
    assert kinds(letters)["due"] == ALL
    assert kinds(letters)["receipt"] == others, "the last one's is what asks for the purchase too"
    mails, told = [cycle.people[seat][1] for seat in (1, 2, 3, 4)], in_public(letters)
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


def test_604d_the_first_valid_list_counts_and_later_ones_are_ignored(cycle: Cycle) -> None:
    cycle.ready()
    cycle.send(1, "Initial Purchase of Pieces", cycle.purchase(1), "2026-03-02T00:00:00Z")
    cycle.send(1, "Initial Purchase of Pieces", cycle.purchase(1, mascot="Snake"), "2026-03-02T01:00:00Z")
    counts, letters = cycle.step("2026-03-02T02:00:00Z")
    assert (counts["accepted"], counts["ignored"]) == (1, 1), (
        counts,
        [x.text for x in letters],
        cycle.world.run("doctor").out,
    )
    assert kinds(letters) == {"ignored": [cycle.people[1][1]], "receipt": [cycle.people[1][1]]}
    assert {d["seat"] for d in cycle.world.show(cycle.match)["due"]} == {1, 2, 3, 4}


def test_604_arrival_decides_and_a_late_poll_changes_nothing(cycle: Cycle) -> None:
    """One list five minutes before and one five minutes after the deadline, both polled an hour later."""
    cycle.ready()
    for seat in (1, 2):
        cycle.send(seat, "Initial Purchase of Pieces", cycle.purchase(seat), "2026-03-02T00:00:00Z")
    cycle.step("2026-03-02T00:00:00Z")
    cycle.send(3, "Initial Purchase of Pieces", cycle.purchase(3), "2026-03-15T12:55:00Z")
    cycle.send(4, "Initial Purchase of Pieces", cycle.purchase(4), "2026-03-15T13:05:00Z")
    counts, letters = cycle.step("2026-03-15T14:00:00Z")
    assert (counts["accepted"], counts["refused"], counts["lapsed"]) == (1, 1, 1)
    got = kinds(letters)
    assert got["receipt"] == [cycle.people[3][1]]
    assert got["refusal"] == [cycle.people[4][1]]
    assert got["due"] == ALL
    assert in_public(letters) == ALL
    for letter in letters:
        if letter.kind == "due":
            words = " ".join(letter.text.split())
            assert "nothing valid came from" in words
            assert words.index("nothing valid came") < words.index("the answers are opened")
    money = cycle.world.show(cycle.match)["position"]["money"]
    assert {str(k): v for k, v in money.items()} == {"1": 72, "2": 72, "3": 72, "4": 615}
    assert cycle.world.show(cycle.match)["due"][0]["due_at"] == "2026-03-29T14:00:00Z"


def test_605e_who_sends_no_setup_has_the_king_alone_on_the_home_corner(cycle: Cycle) -> None:
    cycle.ready()
    for seat in (1, 2, 3, 4):
        cycle.send(seat, "Initial Purchase of Pieces", cycle.purchase(seat), "2026-03-02T00:00:00Z")
    counts, letters = cycle.step("2026-03-02T00:00:00Z")
    assert counts["accepted"] == 4
    reveal = next(letter for letter in letters if letter.position is not None)
    for name, _ in cycle.people.values():
        assert name in reveal.text
    assert reveal.text.count("Crazyhorse") >= 4
    for seat in (1, 2, 3):
        cycle.send(seat, "Initial Setup of Pieces", _setup(cycle, seat), "2026-03-03T00:00:00Z")
    counts, letters = cycle.step("2026-03-03T00:00:00Z")
    assert counts["accepted"] == 3, [letter.text for letter in letters if letter.kind == "refusal"]
    assert kinds(letters) == {"receipt": sorted(cycle.people[s][1] for s in (1, 2, 3))}
    counts, letters = cycle.step("2026-03-16T00:00:00Z")
    assert counts["lapsed"] == 0
    counts, letters = cycle.step("2026-03-16T00:00:01Z")
    assert counts["lapsed"] == 1
    (mover,) = kinds(letters)["due"]
    others = [address for address in ALL if address != mover]
    assert kinds(letters) == {"announcement": others, "lapsed": others, "due": [mover]}
    facts = cycle.world.show(cycle.match)
    assert facts["phase"].casefold().startswith("play")
    assert [d["seat"] for d in facts["due"]] == [1]
    fourth = [p for p in facts["position"]["pieces"] if p["player"] == 4]
    assert [(p["piece"], p["square"]) for p in fourth] == [("King", "o1")]


def _setup(cycle: Cycle, seat: int) -> str:
    """A setup in the seat's own quadrant: the rules page's example for Player 2, carried over."""
    columns = {1: "ijklmno", 2: "abcdefg", 3: "abcdefg", 4: "ijklmno"}[seat]
    rows = {1: range(9, 16), 2: range(9, 16), 3: range(1, 8), 4: range(1, 8)}[seat]
    squares = [f"{c}{r}" for r in rows for c in columns]
    take = iter(squares)
    placed = {piece: [next(take) for _ in range(n)] for n, piece, _, _ in ARMY}
    lines = "\n".join(f"{piece}: {', '.join(at)}" for piece, at in placed.items())
    owned = "\n".join(f"{n} {piece}" for n, piece, _, _ in ARMY)
    king, dollarman = next(take), next(take)
    return (
        f"{cycle.head(seat)}\nPieces owned:\n{owned}\n\nSetup:\n{lines}\n\n"
        f"King: {king}\nDollarman: {dollarman}\nMascot: Archer {placed['Archer'][0]}\n"
    )


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
