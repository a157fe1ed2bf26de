"""A Fourplay cycle through the outer contract alone: who sits where, and what its players send before play."""

from pathlib import Path

import pytest

from tests.world import World

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

    def purchase(self, seat: int) -> str:
        name, address = self.people[seat]
        lines = [f"{n} {piece}, {price} F$ each, value {value} each" for n, piece, price, value in ARMY]
        cost, value = sum(n * p for n, _, p, _ in ARMY), sum(n * v for n, _, _, v in ARMY)
        head = f"Name: {name}\nPlayer: {seat}\nEmail: {address}\n"
        totals = f"Total cost: {cost} F$\nTotal value: {value}\nMascot: Archer"
        return f"{head}\nPurchases:\n" + "\n".join(lines) + f"\n\n{totals}\n"

    def step(self, now: str):
        return self.world.step(now), self.world.new_letters()

    def ready(self, at: str = "2026-03-01T13:00:00Z"):
        for seat in self.people:
            self.send(seat, "Ready", f"Hello!\n\n{READY}\n", at)
        return self.step(at)


@pytest.fixture
def cycle(tmp_path: Path) -> Cycle:
    return Cycle(tmp_path)
