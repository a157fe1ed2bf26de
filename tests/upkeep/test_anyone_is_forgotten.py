"""Whoever he is, whatever he is called, wherever he played, watched, wrote and was quoted: once he is forgotten nothing
of him is found, every chain stands where it stood, and an export says that nothing is kept."""

import random
import unicodedata
from dataclasses import dataclass
from datetime import datetime, timedelta
from html import escape
from pathlib import Path

import pytest

from tests.memory import answer_text, owing, subject_of
from tests.upkeep.test_a_persons_data import dumped, heads
from tests.world import START, Sent, World

NAMES = (
    "Zoë Ångström-O'Hara", "J. R. Quimby", "Wombatina", "Quill & Sons",
    "Maximiliane von und zu Hohenfels-Langenburg-Weikersheim", "Ольга Вомбатова", "Großmann Straßer",
)  # fmt: skip
SAID = (
    "My grandmother's umbrella is on the roof & stays <there> until Tuesday, whatever the weather brings us all",
    "Überraschung: der Wombat trägt heute einen karierten Regenschirm, und niemand hat es bemerkt",
    "umbrella-umbrella-umbrella-umbrella-umbrella-umbrella-umbrella-umbrella-umbrella-umbrella wombat",
    'A "wombat" said: 1 < 2, and 3 > 2; that is all there is to say about umbrellas today, isn\'t it',
    "зонтик вомбата снова лежит на крыше, и никто этого не заметил до самого вечера",
)
MARKS = ("wombat", "umbrella", "зонтик", "вомбат", "regenschirm")
OTHERS = ("Ben Baker <ben@others.test>", "Cleo Carter <cleo@others.test>", "Dan Draper <dan@others.test>")
GAMES = (("morris", 2), ("buttons", 2), ("multigo", 3), ("fourplay", 4))
BEGUN = datetime.fromisoformat(START)
SEEDS, SOAK = range(1), range(1, 24)


@dataclass
class Life:
    """A person's, among others, from a seed."""

    world: World
    chance: random.Random
    name: str
    now: datetime = BEGUN
    addresses: tuple[str, ...] = ("quokka.one@elsewhere.test", "quokka.two@another.test")

    @property
    def at(self) -> str:
        return self.now.isoformat()

    def step(self) -> list[Sent]:
        self.now += timedelta(hours=1)
        return self.world.passed(self.at)

    def live(self) -> None:
        chance, own = self.chance, f'"{self.name}" <{self.addresses[0]}>'
        for number, (game, seats) in enumerate(chance.sample(GAMES, 3)):
            people = [f"{self.name} <{self.addresses[0]}>", *OTHERS[: seats - 1]]
            chance.shuffle(people)
            self.world.open(game, people, self.at, seed=number + 1)
        self.world.open("morris", OTHERS[:2], self.at, seed=9)
        self.step()
        self._further_address(own)
        names = [row["match"] for row in self.world.run("list", "--json").json]
        names.sort(key=lambda name: self.name not in str(self.world.show(name)["seats"]))  # his own first
        for _ in range(3):
            self._answers(names)
            self.step()
        for words in chance.sample(SAID, 4):
            match = chance.choice(names[:3])
            private = chance.choice(("", " / Player 1", " / Player 2"))
            self.world.mail(own, f"press {match}{private}", words, self.at)
            if any(letter.kind == "press" for letter in self.step()):
                self._quoted(match, words)
                self.step()
        self.world.mail(own, f"observe {names[3]}", f"{chance.choice(SAID)}", self.at)
        self.world.mail(own, "vacation 2026-07-01..2026-07-03", "", self.at)
        self.world.mail(own, "timezone Asia/Kathmandu", "", self.at)
        self.world.mail(own, "hm", chance.choice(SAID), self.at, headers={"X-Spam-Flag": "YES"})
        self.world.run("say", names[0], f"{self.name} has a cold.", "--now", self.at)
        self.world.run(
            "extend", names[1], "--by", "1d", "--why", f"{self.name} asked for it", "--now", self.at
        )
        self.step()

    def _further_address(self, own: str) -> None:
        """Asked at both, as it should be."""
        self.world.mail(own, f"address {self.addresses[1]}", "", self.at)
        for letter in self.step():
            if letter.kind == "challenge":
                self.world.reply(letter, "Yes", self.at)
        for letter in self.step():
            if letter.kind == "challenge":
                self.world.reply(letter, "Yes", self.at)
        self.step()

    def _answers(self, names: list[str]) -> None:

        with self.world.referee() as referee:
            for name in names:
                match = referee.moderator.match(name)
                for demand in owing(match):
                    person = match.entrant(demand.seat)
                    if not person.addresses:
                        continue  # the seat is vacant
                    his = person.addresses[0] in self.addresses
                    body = answer_text(match, demand, self.chance.randrange(99))
                    if his and "Comment:" in body:
                        body = body.replace("Comment:", f"Comment: {self.chance.choice(SAID)}")
                    self.world.mail(
                        f'"{person.name}" <{self.chance.choice(person.addresses)}>',
                        f"{subject_of(match, demand)} [{name}]",
                        body,
                        self.at,
                    )

    def _quoted(self, match: str, words: str) -> None:
        """Others take up what he said, as mail programs do."""
        half = words.find(" ", 40)
        quote = self.chance.choice(
            (
                f"{self.name} wrote:\n\n> {words}\n\nReally, {self.name}?",
                f"Did {self.name.upper()} say that?",
                f"I have it from {self.addresses[0]} that\n| {words[:half]}\n| {words[half + 1 :]}\n",
                f"Ask {escape(self.name)} <{self.addresses[0]}>",
            )
        )
        self.world.mail(self.chance.choice(OTHERS[:1]), f"press {match}", quote, self.at)


def found_in(text: str, life: Life) -> set[str]:
    """What tells of him there, however it is written."""
    plain = unicodedata.normalize("NFC", text).replace("\\'", "'").casefold()
    marks = (life.name, escape(life.name), *life.addresses, *MARKS)
    return {mark for mark in marks if mark.casefold() in plain}


@pytest.mark.parametrize("seed", [*SEEDS, *(pytest.param(seed, marks=pytest.mark.soak) for seed in SOAK)])
def test_nothing_is_found_of_anyone(seed: int, tmp_path: Path) -> None:
    chance = random.Random(f"forgotten {seed}")
    world = World(tmp_path / "club")
    world.configure('folder = ""', 'folder = "site"')
    life = Life(world, chance, NAMES[seed % len(NAMES)])
    life.live()
    assert {life.name, life.addresses[0]} <= found_in(dumped(world), life)
    assert found_in(dumped(world), life) & set(MARKS)
    before = heads(world)
    ran = world.run("forget", life.addresses[seed % 2 - 1].upper(), "--yes", "--now", life.at)
    print("refused first" if ran.status else "at once")
    if ran.status:
        assert "speak of him" in ran.err, ran.err
        assert {name: head for name, (head, _) in heads(world).items()} == {
            n: h for n, (h, _) in before.items()
        }
        for held in world.run("desk", "--json").json["held"]:
            assert world.run("reject", str(held["id"]), "--why", "it is old", "--now", life.at).status == 0
        ran = world.run("forget", life.addresses[0], "--yes", "--now", life.at)
    assert ran.status == 0, ran.err
    assert found_in(dumped(world), life) == set()
    for path in world.folder.glob("referee.db*"):
        assert found_in(path.read_bytes().decode("utf-8", "replace"), life) == set(), path
    assert {name: board for name, (_, board) in heads(world).items()} == {
        n: board for n, (_, board) in before.items()
    }
    for name, (head, _) in before.items():
        world.verifies(name)
        record, text = (world.run("record", name, "--format", form).out for form in ("json", "text"))
        assert found_in(record + text, life) == set()
        assert head in record, "the chain goes through where it stood"
    for path in (world.folder / "site").rglob("*"):
        text = path.read_bytes().decode("utf-8", "replace") if path.is_file() else ""
        assert found_in(text + path.name, life) == set(), path
    for name in before:
        world.run("letters", name, str(tmp_path / f"letters-{name}"))
        for path in (tmp_path / f"letters-{name}").rglob("*.html"):
            assert found_in(path.read_text(), life) == set(), path
    assert world.run("check").status == 0
    for address in life.addresses:
        assert world.run("export", address, str(tmp_path / "all.zip")).status == 1, "nothing is kept of him"
    life._answers(list(before))
    life.step()
    assert world.run("check").status == 0


def test_nothing_of_them_waits_at_the_desk_and_their_seat_is_called_by_its_number(world: World) -> None:
    world.open("morris", ["Quokka <q@elsewhere.test>", OTHERS[0]], START, starter=1)
    world.open("fourplay", ["Quokka <q@elsewhere.test>", *OTHERS], START)
    world.mail("Quokka <q@elsewhere.test>", "[morris-1]", "May I play with my cousin on Tuesdays?", START)
    world.step(START)
    assert "question: " in world.run("desk").out
    assert world.run("forget", "q@elsewhere.test", "--yes").status == 0
    assert "question: " not in world.run("desk").out
    assert not [line for line in world.run("list").out.splitlines() if "by  (" in line]
    assert "by Player " in world.run("list").out


def test_who_only_stands_by_for_a_seat_is_forgotten_and_stands_by_no_more(world: World) -> None:
    name, one = world.open("morris", OTHERS[:2], START, starter=1), "Quokka <q@elsewhere.test>"
    world.step(START)
    assert world.run("substitute", name, "1", one, "--now", START).status == 0
    world.step(START)
    assert "quokka" in dumped(world).casefold()
    (head, _) = heads(world)[name]
    world.do("forget", "q@elsewhere.test", "--yes", "--now", START)
    assert "quokka" not in dumped(world).casefold()
    assert "q@elsewhere.test" not in dumped(world)
    assert heads(world)[name][0] != head, "that nobody stands by any more is public"
    assert world.run("vacate", name, "1", "--why", "it is so", "--now", START).status == 0
    assert world.run("check").status == 0


def test_of_who_never_played_nothing_is_left_in_mails_of_others(world: World) -> None:
    """A name that somebody else has, or one word alone, is taken for nobody's by a mail that gives it."""
    one = world.open("morris", OTHERS[:2], START, starter=1)
    for called in ("Quokka Wombatina", "Ben Baker", "Quokka"):
        world.mail(f"{called} <q@elsewhere.test>", "I'd like to play Morris", "", START)
    for words in ("Does Quokka Wombatina play too?", "It is me, Ben Baker. Where are the rules?"):
        world.mail(OTHERS[0], f"[{one}]", words, START)
    world.step(START)
    for held in world.run("desk", "--json").json["held"]:
        assert world.run("reject", str(held["id"]), "--why", "no", "--now", START).status == 0
    world.step(START)
    assert "wombatina" in dumped(world).casefold()
    world.do("forget", "q@elsewhere.test", "--yes", "--now", START)
    left = dumped(world).casefold()
    assert ("wombatina" in left, "q@elsewhere.test" in left, "it is me, ben baker" in left) == (
        False,
        False,
        True,
    )


def test_what_asks_for_an_answer_and_has_not_left_is_composed_anew(world: World) -> None:
    """Seed 740013 of the simulator: it told what they had done, and waited for a mail server."""
    one = "Quokka <q@elsewhere.test>"
    name = world.open("buttons", [one, OTHERS[0]], START, starter=1)
    world.passed(START)
    out, aside = world.folder / "mail/out", world.folder / "aside"
    out.rename(aside)
    out.write_text("no place for letters")
    world.mail(one, f"Buttons: Move / Player 1 [{name}]", "Place: B1 at a1", START)
    world.run("step", "--now", START)
    out.unlink()
    aside.rename(out)
    assert "quokka" in dumped(world).casefold()
    world.do("forget", "q@elsewhere.test", "--yes", "--now", START)
    due = [x for x in world.passed((BEGUN + timedelta(hours=6)).isoformat()) if x.kind == "due"]
    assert [(x.to, "quokka" in x.text.casefold(), "Place:" in x.text) for x in due] == [
        ("ben@others.test", False, True)
    ]
