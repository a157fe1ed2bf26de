"""A day of floods, in any order, and genuine mails in between: each gets what it gets on a quiet day, and nobody gets
more letters than his measures allow."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.attacks.conftest import SERVER
from tests.way.test_loops import MODERATOR
from tests.world import START, Sent, Table, kinds

DENIED = {"Authentication-Results": f"{SERVER}; dmarc=fail header.from=example.org"}
SPAM = {"X-Spam-Flag": "YES"}
QUESTIONS = ("help", "games", "rules onepiece", "hello there", "Fourplay: Move / Player 1", "status")
SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(1, 6))]


@dataclass
class Day:
    """One match of two, one with a vacant seat, an observer; every mail at a later second of one day."""

    table: Table
    vacant: str
    seconds: int = 3600

    def at(self) -> str:
        self.seconds += 1
        hour, rest = divmod(self.seconds, 3600)
        return f"2026-03-02T{hour:02}:{rest // 60:02}:{rest % 60:02}Z"

    def write(self, sender: str, subject: str, body: str = "", **more: object) -> None:
        self.table.world.mail(sender, subject, body, self.at(), **more)  # type: ignore[arg-type]

    def step(self) -> list[Sent]:
        return self.table.step(self.at())[1]

    def token(self, seat: str) -> str:
        return str(self.table.latest("opened", seat).message["Reply-To"])


LIMITS = {
    "strangers_in_all": (200, 20),
    "answers_a_day": (100, 20),
    "press_a_day": (50, 10),
    "alarms_a_day": (20, 5),
}


def day(folder: Path) -> Day:
    """Measures a tenth of what they are, so that few mails fill them."""
    table = Table(folder)
    for name, (usual, here) in LIMITS.items():
        table.world.configure(f"{name} = {usual} ", f"{name} = {here} ")
    table.world.configure('# trusted_authserv = ["mx.example.org"]', f'trusted_authserv = ["{SERVER}"]')
    opened = table.world.run(
        "open", "buttons", "--seat", "Cleo <c@example.org>", "--vacant", "1", "--now", START
    )
    table.watch("Wim <wim@elsewhere.example>", START)
    return Day(table, opened.out.strip())


def flooding(chance: random.Random, today: Day) -> Callable[[], None]:
    """A kind of flood: what writes one mail of it. Players are forged in the name of who is to move alone."""
    table, write = today.table, today.write
    ann, due = table.mover, table.latest("due", table.mover).subject
    wishes = [
        f"{what} {match}" for what in ("join", "observe") for match in (table.match, today.vacant, "m9")
    ]
    forged = ("status", f"record {table.match}", due, f"{due}?", f"press {table.match}", "resign", "address nobody",
              "help", f"observe {today.vacant}", f"join {today.vacant}")  # fmt: skip

    def says() -> str:
        return chance.choice(
            ["Please.", f"Move: z{chance.randrange(10**6)}", f"word {chance.randrange(10**6)}"]
        )

    def stranger() -> str:
        return f"s{chance.randrange(400)}@elsewhere.example"

    return chance.choice(
        [
            lambda: write(stranger(), chance.choice(QUESTIONS), says()),
            lambda: write("vic@elsewhere.example", chance.choice((*QUESTIONS, *wishes)), says()),
            lambda: write(stranger(), chance.choice(wishes), says()),
            lambda: write(stranger(), "hello", says(), headers=SPAM),
            lambda: write(f"{stranger()}, {ann}", "hello", says()),
            lambda: write(ann, chance.choice(forged), says()),
            lambda: write(ann, chance.choice(forged), says(), headers=DENIED),
            lambda: write(ann, chance.choice(forged), says(), headers=SPAM),
            lambda: write("MAILER-DAEMON@mx.example", "Undelivered Mail Returned to Sender", says()),
            lambda: write("wim@elsewhere.example", chance.choice(QUESTIONS), says()),
        ]
    )


def genuine(today: Day) -> list[Callable[[], None]]:
    """A mail of each kind: of strangers nobody forges, of the player nobody forges, and of the other what proves more
    than the forged ones do."""
    table, write = today.table, today.write
    ann, ben, due = table.mover, table.other, table.latest("due", table.mover).subject
    hers = today.token(ann)
    return [
        lambda: write("June <june@elsewhere.example>", f"join {today.vacant}"),
        lambda: write("Otto <otto@elsewhere.example>", f"observe {table.match}"),
        lambda: write("Olga <olga@elsewhere.example>", "join nosuchmatch"),
        lambda: write("wim@elsewhere.example", f"stop {table.match}"),
        lambda: write(ann, "status", "mine", to=hers),
        lambda: write(ann, due, "Move: nonsense", to=hers),
        lambda: write(ann, f"{due}?", table.orders(ann), to=hers),
        lambda: write(ann, f"press {table.match}", "Good luck!", to=hers),
        lambda: write(ann, "hello", "my own", to=hers, headers=SPAM),
        lambda: write(ann, f"join {today.vacant}", "me too", to=hers),
        lambda: write(ann, "address nobody", "a quiet evening", to=hers),
        lambda: write(ben, "status", "mine"),
        lambda: write(ben, "resign"),
        lambda: write(ben, f"observe {today.vacant}"),
        lambda: write(ben, "hello", "mine", headers=SPAM),
        lambda: write(ben, f"record {table.match}", "mine", headers=DENIED),
    ]


def told(today: Day, write: Callable[[], None]) -> dict[str, list[str]]:
    """The letters by kind. Of somebody new the moderator is told in the measure of all strangers, which a flood of
    these may have used up: the desk's item is there all the same."""
    write()
    letters = today.step()
    return kinds([letter for letter in letters if not letter.subject.startswith("Somebody new")])


@pytest.mark.parametrize("seed", SEEDS)
def test_a_genuine_mail_gets_what_it_gets_on_a_quiet_day(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    (tmp_path / "quiet").mkdir()
    quiet = day(tmp_path / "quiet")
    flooded = Day(quiet.table.copied(tmp_path / "flooded"), quiet.vacant)
    pairs = list(zip(genuine(quiet), genuine(flooded), strict=True))
    chance.shuffle(pairs)
    pairs = pairs if seed else pairs[:6]  # in the ordinary run some of them
    mails, got, answered = 0, Counter[str](), Counter[str]()
    for alone, among in pairs:
        for _ in range(chance.randint(1, 3)):
            flood, count = flooding(chance, flooded), chance.choice([5, 20, 40])
            for _ in range(count):
                flood()
            mails += count
        letters = flooded.step()
        got.update(letter.to for letter in letters)
        answered.update(
            letter.to for letter in letters if letter.kind != "press"
        )  # an observer gets them all
        assert told(flooded, among) == told(quiet, alone)
    print(
        f"\nseed {seed}: {mails} mails of floods, {len(pairs)} genuine ones; most letters: {got.most_common(3)}"
    )
    strangers = {to: count for to, count in answered.items() if to.endswith("elsewhere.example")}
    assert max(strangers.values()) <= 12, (
        "five answers, five to wishes, a question, and why it is the only one"
    )
    assert got[flooded.table.mover] <= 20 + 1 + 3 * 5 + 3, (
        "answers, the last of them, questions of three kinds"
    )
    assert got[flooded.table.other] <= 10 + 10, (
        "what a player may pass on to others, and what those have asked for"
    )
    assert got[MODERATOR] <= 4 * (5 + 1), "about strangers, about players, of doubtful mails, and the crowd"
