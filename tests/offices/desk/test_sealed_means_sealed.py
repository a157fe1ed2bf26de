"""Law 3: until the reveal, what a seat answered under seal, and whether it did, changes no byte others can get.

A match is led to a sealed round. From there three histories go on, alike in everything but one seat's answer: one
answer, another answer, none. Everything the other seats and the public can get is compared: each letter whole, the
list, each view, the record in every format, the site.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from referee.core.value import Demand
from referee.match.match import Match
from tests.memory import NOON, PEOPLE, answer_text, game_of, owing, plain, subject_of
from tests.world import World

# Game, options, seats, how many sealed rounds to pass by first.
ROUNDS = {
    "fourplay purchase": ("fourplay", {}, 4, 0),
    "fourplay setup": ("fourplay", {}, 4, 1),
    "go parallel": ("multigo", {"board": "9x9", "order": "parallel"}, 3, 0),
    "go parallel later": ("multigo", {"board": "9x9", "order": "parallel"}, 3, 2),
}
SECRET_SEAT = 2
WATCHER = "eve@elsewhere.example"


class Table:
    """A world with one match in it, and the clock of its last step."""

    def __init__(self, folder: Path, match: str = "") -> None:
        self.world = World(folder)
        self.name = match
        self.now = NOON

    @contextmanager
    def match(self) -> Iterator[Match]:
        with self.world.referee() as referee:
            yield referee.moderator.match(self.name)

    def on(self, **span: float) -> None:
        """The clock goes on and a step is made."""
        self.now += timedelta(**span)
        self.world.step(self.now.isoformat())

    def answer(self, match: Match, demand: Demand, seed: int = 0) -> None:
        self.send(match, demand, answer_text(match, demand, seed))

    def send(self, match: Match, demand: Demand, body: str, date: str | None = None) -> None:
        """A mail of the seat; its Message-ID tells who and when, so that histories number theirs alike."""
        person, at = match.entrant(demand.seat), self.now.isoformat()
        unique = f"<{demand.seat}-{self.now:%m%d%H%M}-{len(body)}@players.example>"
        self.world.mail(
            f"{person.name} <{person.addresses[0]}>", subject_of(match, demand), body, at, message_id=unique,
            date=date,
        )  # fmt: skip

    def copied(self, folder: Path) -> Table:
        shutil.copytree(self.world.folder, folder)
        again = Table(folder, self.name)
        again.now = self.now
        return again


def led_to_a_sealed_round(kind: str, folder: Path) -> Table:
    slug, options, seats, passed_by = ROUNDS[kind]
    folder.mkdir()
    table = Table(folder)
    people = [f"{p.name} <{p.addresses[0]}>; Europe/Berlin" for p in PEOPLE[:seats]]
    table.name = table.world.open(slug, people, NOON.isoformat(), **options)
    table.on(hours=1)
    for _ in range(60):
        with table.match() as match:
            sealed = any(r.sealed for r in match.rounds)
            if sealed and passed_by == 0:
                return table
            passed_by -= sealed
            for demand in owing(match):
                table.answer(match, demand)
        table.on(hours=1)
    raise AssertionError(f"{kind}: no sealed round came")


def goes_on(table: Table, answers: tuple[str, ...], seed: int) -> Table:
    """The rest of a history up to just before the reveal, the secret seat sending `answers`."""
    with table.match() as match:
        mine = next(d for d in owing(match) if d.seat == SECRET_SEAT)
        others = [d for d in owing(match) if d.seat != SECRET_SEAT]
        last = others[-1]
        table.answer(match, others[0], seed)
        table.on(hours=1)
        for body in answers:
            table.send(match, mine, body)
            table.on(minutes=1)
        table.now += timedelta(minutes=2 - len(answers))
        for demand in others[1:-1]:
            table.answer(match, demand, seed)
        table.send(match, last, "What am I to do here?")
        status = match.entrant(last.seat).addresses[0]
        table.world.mail(status, f"status [{table.name}]", "", table.now.isoformat(), message_id="<status@x>")
        table.world.mail(status, f"record [{table.name}]", "", table.now.isoformat(), message_id="<record@x>")
        table.world.mail(
            WATCHER, f"observe [{table.name}]", "", table.now.isoformat(), message_id="<observe@x>"
        )
        table.on(hours=1)
    asked = next(letter for letter in table.world.new_letters() if letter.to == WATCHER)
    table.world.mail(
        WATCHER, f"Re: {asked.subject}", "Yes", table.now.isoformat(), message_id="<yes@x>",
        to=asked.message["Reply-To"], reply_to=asked.message["Message-ID"],
    )  # fmt: skip
    table.on(minutes=1)
    for command in (
        ["say", table.name, "A word to all."],
        ["extend", table.name, "--by", "1d", "--why", "a holiday"],
        ["pause", table.name, "--why", "a look at the rules"],
        ["resume", table.name, "--why", "done"],
    ):
        table.world.do(*command, "--now", table.now.isoformat())
    table.on(hours=1)
    with table.match() as match:
        due = next(r.due_at for r in match.rounds if r.sealed)
    assert due is not None
    table.on(
        seconds=(due - table.now).total_seconds() - 1
    )  # reminders fall due on the way, the reveal does not
    return table


def public_of(table: Table) -> dict[str, bytes]:
    """Everything that anybody but the secret seat can get, by what it is."""
    world, name = table.world, table.name
    found: dict[str, bytes] = {}
    with table.match() as match:
        own = match.entrant(SECRET_SEAT).addresses[0]
        seats = [n for n in match.numbers if n != SECRET_SEAT]
    for path in (world.folder / "mail/out/new").iterdir():
        raw = path.read_bytes()
        if f"Delivered-To: {own}\n".encode() not in raw:
            found[f"letter {path.name}"] = plain(raw)
    commands = [["list"], ["list", "--json"], ["show", name], ["show", name, "--json"]]
    commands += [["show", name, "--json", "--as", str(seat)] for seat in seats]
    commands += [["record", name, "--format", form] for form in ("json", "text")]
    for command in commands:
        ran = world.run(*command)
        assert ran.status == 0, (command, ran.err)
        found[" ".join(command)] = ran.out.encode()
    site = world.folder / "site"
    assert world.run("site", str(site)).status == 0
    for path in sorted(site.rglob("*")):
        if path.is_file():
            found[f"site {path.relative_to(site)}"] = path.read_bytes()
    return found


def differing(one: dict[str, bytes], other: dict[str, bytes]) -> list[str]:
    return sorted(key for key in {*one, *other} if one.get(key) != other.get(key))


def two_answers(table: Table, seed: int) -> tuple[str, str]:
    """Two legal answers of the secret seat that are not the same."""
    with table.match() as match:
        mine = next(d for d in owing(match) if d.seat == SECRET_SEAT)
        found = dict.fromkeys(answer_text(match, mine, seed * 100 + i) for i in range(20))
    assert len(found) > 1
    return tuple(found)[:2]  # type: ignore[return-value]


@pytest.mark.one_in(22)
@pytest.mark.parametrize("seed", range(1, 7))
@pytest.mark.parametrize("kind", ROUNDS)
def test_a_sealed_answer_changes_no_byte_for_anybody_else(kind: str, seed: int, tmp_path: Path) -> None:
    table = led_to_a_sealed_round(kind, tmp_path / "start")
    one, another = two_answers(table, seed)
    told_one = public_of(goes_on(table.copied(tmp_path / "one"), (one,), seed))
    told_another = public_of(goes_on(table.copied(tmp_path / "another"), (another,), seed))
    told_none = public_of(goes_on(table.copied(tmp_path / "none"), (), seed))
    assert sum(key.startswith("letter") for key in told_one) > 15
    watched = [raw for raw in told_one.values() if f"Delivered-To: {WATCHER}\n".encode() in raw]
    assert any(b"A word to all." in raw for raw in watched), "he observes"
    assert differing(told_one, told_another) == []
    assert differing(told_one, told_none) == []
    with table.match() as match:
        if any(r.answers == "last" for r in match.rounds if r.sealed):
            told_both = public_of(goes_on(table.copied(tmp_path / "both"), (one, another), seed))
            assert differing(told_one, told_both) == []


def test_the_moderator_sees_who_has_answered_and_never_what(tmp_path: Path) -> None:
    table = led_to_a_sealed_round("fourplay purchase", tmp_path / "start")
    one, another = two_answers(table, 1)
    shown = []
    for name, answers in (("one", (one,)), ("another", (another,)), ("none", ())):
        copy = table.copied(tmp_path / name)
        goes_on(copy, answers, 1)
        shown.append(copy.world.run("show", table.name, "--json", "--moderator").out)
    assert shown[0] == shown[1]
    with_answer, without = json.loads(shown[0]), json.loads(shown[2])
    extra = [a for a in with_answer["answered"] if a not in without["answered"]]
    assert extra == [{"seat": SECRET_SEAT, "demand": "Purchase"}]
    with_answer["answered"].remove(extra[0])
    assert with_answer == without


def test_the_seal_is_in_its_senders_receipt_and_nowhere_else_until_the_reveal(tmp_path: Path) -> None:
    table = led_to_a_sealed_round("fourplay purchase", tmp_path / "start")
    one, _ = two_answers(table, 1)
    public = public_of(goes_on(table, (one,), 1))
    with table.match() as match:
        answers = [a for r in match.rounds for a in r.answered]
        mine = next(a for a in answers if a.demand.seat == SECRET_SEAT)
        own = match.entrant(SECRET_SEAT).addresses[0]
    assert mine.seal is not None
    letters = [p.read_bytes() for p in (table.world.folder / "mail/out/new").iterdir()]
    joined = [re.sub(rb"=\r?\n", b"", raw) for raw in letters]
    with_seal = [raw for raw in joined if mine.seal.encode() in raw]
    assert len(with_seal) == 1
    assert f"Delivered-To: {own}\n".encode() in with_seal[0]
    assert not [key for key, data in public.items() if mine.seal.encode() in data]
    # and once the round is over the record proves it
    table.on(days=30)
    record = json.loads(table.world.run("record", table.name).out)
    revealed = next(e for e in record["entries"] if e["is"] == "RoundRevealed" and e["answers"])
    assert mine.seal in [a["seal"] for a in revealed["answers"]]


def test_each_game_with_sealed_rounds_is_looked_at(tmp_path: Path) -> None:
    """A guard of this file itself: the rounds it leads to are sealed, and replaceable ones are among them."""
    found = set()
    for kind in ("fourplay purchase", "go parallel"):
        table = led_to_a_sealed_round(kind, tmp_path / kind.replace(" ", "-"))
        with table.match() as match:
            found |= {(game_of(match).slug, r.answers) for r in match.rounds if r.sealed}
    assert found == {("fourplay", "first"), ("multigo", "last")}
