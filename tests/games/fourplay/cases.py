"""The published rule cases: drawn positions, a turn, the verdict with every reason. One file for each group of rules.

    [12] 905, 607.B.i: The Neutron always runs as far as it can.
         a   b   c   d   e   f   g   h   i   j   k   l   m   n   o
    15   K2  .   .   .   .   .   .   .   .   .   .   .   .   .   K1
     8   .   .   .   .   .   .   .   +   .   .   .   .   .   .   .
     1   K3  .   .   .   .   .   .   .   .   .   .   .   .   .   K4
    Player 2 sends:
        Neutron: h8-h13
        Pass
    refused:
        line 1, 905: neutron_short
    correctly stated:
        Neutron: h8-h15
        Pass

Rows without pieces are left out. A piece is its symbol and its owner, `*` a Mascot. Before the turn there may be
`given:` lines (`money 2: 40`, `off 2: Pawn, Archer*`, `option statements: lenient`, `round: 3`); after `accepted:`
come facts of the position that follows. Before play a player sends an example of the rules page, with what is
changed in it; who is silent sends nothing in time.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.games.fourplay.examples import DECLARATION, LIST, OWNED

FOLDER = Path(__file__).parent / "positions"
EXAMPLES = {  # of the rules page, parts 1 to 3
    "declaration": f"{DECLARATION}\nOffice: Bank\nColours: red, blue",
    "purchase": f"""\
Name: Bob Bender
Player: 2
Email: bob@example.org

{LIST}""",
    "setup": f"""\
Name: Bob Bender
Player: 2
Email: bob@example.org

{OWNED}
Setup:
Pawn: a9, b9, c9, d9, e9, f9, g9, a10, b10, c10
Jester: d10, e10, f10, g10
Cannon: a11, b11, c11, d11
Snake: a12, b12, f12, g12
Archer: d12, e12
Crazyhorse: c13

King: a15
Dollarman: b15
Mascot: Archer d12""",
}
_SENDS = re.compile(
    r"Player (\d) (sends|is silent)(?: in his turn| (?:the|at the) (declaration|purchase|setup)(?: with)?)?:"
)
_HEAD = re.compile(r"\[(\d+)\] ([^:]+): (.*)")
_ROW = re.compile(r"\s*(\d{1,2})((?:\s+\S+){15})\s*")
_MAN = re.compile(r"(M1|[A-Za-z]{1,2}|[~$])([1-4])(\*?)")


@dataclass
class Case:
    """One case, as drawn."""

    number: int
    clauses: tuple[str, ...]
    title: str
    seat: int = 2
    pieces: list[dict[str, Any]] = field(default_factory=list)
    given: list[tuple[str, str]] = field(default_factory=list)
    turn: list[str] = field(default_factory=list)
    accepted: bool = False
    reasons: list[str] = field(default_factory=list)
    facts: list[tuple[str, str]] = field(default_factory=list)
    mended: list[str] = field(default_factory=list)
    phase: str = "play"
    silent: bool = False  # nothing comes in time

    @property
    def mail(self) -> str:
        """What the player sends: the turn, or before play the example of the rules page with what is changed in it."""
        if self.phase == "play":
            return "\n".join(self.turn)
        text = EXAMPLES[self.phase]
        for line in self.turn:
            old, _, new = (part.replace("\\n", "\n") for part in line.partition(" =>"))
            assert old in text, (self.number, old)
            text = text.replace(old, new.removeprefix(" "))
        return text

    def position(self, symbols: dict[str, str]) -> str:
        """The position as the option `position` takes it."""
        money: dict[str, int] = {}
        off: list[dict[str, Any]] = []
        facts: dict[str, Any] = {"pieces": [_named(row, symbols) for row in self.pieces], "turn": self.seat}
        for key, value in self.given:
            word, _, player = key.partition(" ")
            if word == "money":
                money[player] = int(value)
            elif word == "off":
                off += [_off(int(player), name) for name in value.split(", ")]
            elif word in ("round", "cycle", "turn"):
                facts[word] = int(value)
        return json.dumps({**facts, "money": money, "off_board": off})

    @property
    def options(self) -> dict[str, str]:
        return {key.partition(" ")[2]: value for key, value in self.given if key.startswith("option ")}


def _named(row: dict[str, Any], symbols: dict[str, str]) -> dict[str, Any]:
    return {**row, "piece": symbols[row["piece"].lower()]}


def _off(player: int, name: str) -> dict[str, Any]:
    count = re.match(r"(\d+) ", name)
    name = name[count.end() :] if count else name
    facts: dict[str, Any] = {
        "player": player,
        "piece": name.rstrip("*"),
        "count": int(count[1]) if count else 1,
    }
    return {**facts, "mascot": True} if name.endswith("*") else facts


def all_cases() -> list[Case]:
    """Every case of every file, by number."""
    cases = [case for path in sorted(FOLDER.glob("*.txt")) for case in read(path.read_text(encoding="utf-8"))]
    return sorted(cases, key=lambda case: case.number)


def read(text: str) -> Iterator[Case]:
    """The cases of one file."""
    case: Case | None = None
    part = ""
    for line in text.splitlines():
        if head := _HEAD.fullmatch(line):
            if case is not None:
                yield case
            case, part = Case(int(head[1]), tuple(head[2].split(", ")), head[3]), "board"
        elif case is None or not line.strip() or line.startswith("#"):
            continue
        elif sends := _SENDS.fullmatch(line):
            case.seat, part = int(sends[1]), "turn"
            case.phase, case.silent = sends[3] or "play", sends[2] == "is silent"
        elif line in ("given:", "refused:", "accepted:", "correctly stated:"):
            part = line.rstrip(":")
            case.accepted = case.accepted or part == "accepted"
        else:
            _take(case, part, line)
    if case is not None:
        yield case


def _take(case: Case, part: str, line: str) -> None:
    words = line.strip()
    key, _, value = words.partition(": ")
    match part:
        case "board":
            _draw(case, line)
        case "given":
            case.given.append((key, value))
        case "turn":
            case.turn.append(line.removeprefix("    "))
        case "refused":
            case.reasons.append(words)
        case "accepted":
            case.facts.append((key, value))
        case "correctly stated":
            case.mended.append(words)


def _draw(case: Case, line: str) -> None:
    row = _ROW.fullmatch(line)
    if row is None:
        assert line.split() == list("abcdefghijklmno"), line
        return
    for column, word in zip("abcdefghijklmno", row[2].split(), strict=True):
        square = f"{column}{row[1]}"
        if word == "+":
            case.pieces.append({"square": square, "piece": "+", "player": None, "mascot": False})
        elif word != ".":
            man = _MAN.fullmatch(word)
            assert man is not None, (case.number, word)
            case.pieces.append(
                {"square": square, "piece": man[1], "player": int(man[2]), "mascot": bool(man[3])}
            )
