"""Contract, 'Mail in': of a legal list, setup or turn one line is garbled, as fingers do it. What a mere word may then
send holds that line, as it was meant or as it stands; else it is no form for a word."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.core import seam
from referee.match.commands import Refused
from referee.rehearsal.players import heading_kind
from tests.games.fourplay.boards import tables
from tests.laws.test_refusals import judged
from tests.laws.walks import KINDS, steps
from tests.world import World

_SQUARE = re.compile(r"(?<![a-z\d])[a-o]{1,2}\d{1,4}(?!\w)", re.I)
_HEADER = ("name", "player", "email", "total cost", "total value", "round", "cycle")
_MEN = {piece.name.lower() for piece in tables().types}


def garbled(line: str, dice: random.Random) -> Iterator[str]:
    """A misspelt key or piece, a digit too many, another square or none, a line cut off, a key left out."""
    for word in (re.search(r"[A-Za-z]{4,}", line), re.search(r"[A-Za-z]{4,}(?=[^A-Za-z]*$)", line)):
        if word is not None:
            at = word.start() + 1 + dice.randrange(len(word[0]) - 2)
            yield line[:at] + line[at + 1] + line[at] + line[at + 2 :]
            yield line[:at] + line[at + 1 :]
    for number in re.finditer(r"\d+", line):
        yield line[: number.end()] + number[0][-1] + line[number.end() :]
    for square in _SQUARE.finditer(line):
        yield (
            line[: square.start()]
            + f"{dice.choice('abcdefghijklmno')}{dice.randrange(1, 16)}"
            + line[square.end() :]
        )
        yield line[: square.start()] + "zz" + line[square.end() :]
    cut = line[: dice.randrange(3, max(4, len(line)))]
    yield from (cut, f"{cut} ...", line.partition(": ")[2] or line.partition(" ")[2])


def head(line: str) -> str:
    """The key, or the piece of a lot, or all of a line without either."""
    return re.sub(r"^\d+ ", "", line.partition(":")[0].partition(",")[0].strip().lower())


def squares(line: str) -> set[str]:
    """The squares that a line orders: what it states beside them is put right."""
    return {found.lower() for found in _SQUARE.findall(re.split(r", (?:captures|aggressive|\d)", line)[0])}


def holds(form: str, line: str, meant: str) -> bool:
    """Whether a row of the form is the line, with the squares as they were meant or as they stand. The Neutron runs as
    far as it can (905); who sends it, and sums, are put right."""
    rows, about = form.splitlines(), head(meant)
    if about in (*_HEADER, "neutron"):
        return any(head(row) == about for row in rows)
    ways = [way for way in (line, meant) if squares(way) or head(way) in _MEN or way is meant]
    named = ({about, head(line)} if squares(meant) else {about}) | {""}
    return any(
        squares(way) <= squares(row) and (squares(way) or head(row) in named) for row in rows for way in ways
    )


@pytest.mark.parametrize(
    ("kind", "most"), [("fourplay", 12), ("fourplay in play", 20), ("fourplay lenient", 20)]
)
@pytest.mark.parametrize("seed", range(1, 3))
def test_what_a_word_may_send_holds_every_line(
    kind: str, most: int, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    slug, seats, given = KINDS["fourplay in play"]
    lenient = {**given, "statements": "lenient", "capture_reward": "0"}
    monkeypatch.setitem(KINDS, "fourplay lenient", (slug, seats, lenient))
    dice, offered = random.Random(f"{kind} {seed}"), Counter[str]()
    for step in steps(kind, seed, most):
        walk, demand = step.walk, step.demand
        party = walk.match.party(demand.seat)
        lines = seam.filled_in(walk.game, walk.match.inner, demand, party, step.action).splitlines()
        numbers = [number for number, line in enumerate(lines) if line.strip() and line != "Comment:"]
        for number in dice.sample(numbers, min(5, len(numbers))):
            meant = lines[number]
            for line in garbled(meant, dice):
                mail = "\n".join([*lines[:number], line, *lines[number + 1 :]])
                verdict = judged(walk, demand.seat, heading_kind(walk.game, demand), mail)
                if isinstance(verdict, Refused) and verdict.ready and verdict.mended is not None:
                    offered[demand.kind] += 1
                    assert holds(verdict.mended.text, line, meant), (line, mail, verdict.mended.text)
    print(f"{kind}: {dict(offered)} forms offered")
    assert offered


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
