"""The replay of a turn marks the squares of that turn, all of them and no others: a law over every game, of answers,
lapses, rewinds, and of turns with which a game ends and the next begins."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from referee.core.diagram import MOST
from referee.match import commands as do
from referee.match import events as ev
from referee.match.record.public import public_record, record_json
from tests.laws.walks import KINDS, Walk, steps
from tests.sampling import one_in
from tests.world import World

_OF_POSITION = {"centre", "check", "territory"}


class Board:
    """A picture of the archive: what stands where, and which squares are marked for the turn."""

    def __init__(self, file: Path) -> None:
        groups = [
            e.attrib for e in fromstring(file.read_text(encoding="utf-8")).iter() if e.tag.endswith("}g")
        ]
        self.tokens = {g["data-square"]: g["data-token"] for g in groups if "data-token" in g}
        self.marks = {
            g["data-square"]: own
            for g in groups
            if "data-mark" in g and (own := set(g["data-mark"].split()) - _OF_POSITION)
        }

    def changed(self, other: Board) -> set[str]:
        return {s for s in self.tokens.keys() | other.tokens if self.tokens.get(s) != other.tokens.get(s)}


def walked(kind: str, seed: int, most: int = 60) -> Walk:
    return [*steps(kind, seed, most)][-1].walk


def replayed(world: World, walk: Walk) -> list[tuple[set[str], Board | None]]:
    """Of each turn of the replay the kinds of its entries, and the board that its page shows."""
    record = public_record(walk.game, walk.entries)
    file = world.folder / "record.json"
    file.write_text(record_json(record), encoding="utf-8")
    site = world.folder / "site"
    assert world.run("site", str(site), "--record", str(file)).status == 0
    (home,) = [p for p in (site / "matches").iterdir() if p.is_dir()]
    rows = json.loads((home / "turns.js").read_text().removeprefix("window.turns=").removesuffix(";\n"))
    causes: dict[int, set[str]] = {}
    last = {e.cause: e.position for e in walk.entries if e.public}
    for entry in walk.entries:
        if entry.public:
            causes.setdefault(last[entry.cause], set()).add(type(entry.event).__name__)
    boards = [Board(home / f"boards/{number}.svg") if number else None for _, _, number, _ in rows]
    return [(causes[row[0]], board) for row, board in zip(rows, boards, strict=True)]


def faults(turns: list[tuple[set[str], Board | None]]) -> list[object]:
    """Squares that changed without a mark, and marks that a turn in which nothing changed has from the one before."""
    found: list[object] = []
    for (_, before), (what, after) in pairwise(turns):
        if before is None:
            continue
        if after is None:
            if what & {"Answered", "Lapsed"}:
                found.append(("no board", what))
            continue
        changed = before.changed(after)
        begun = after.tokens.keys() <= after.marks.keys()  # the first turn of the next game
        if len(changed) <= MOST and before.tokens and not begun and changed - after.marks.keys():
            found.append((what, "unmarked", changed - after.marks.keys()))
        if "Lapsed" in what and not changed and after.marks and after.marks == before.marks:
            found.append((what, "marked as the turn before", after.marks))
    return found


@pytest.mark.parametrize("kind", one_in(5, sorted(KINDS)))
def test_a_turn_marks_its_squares_and_no_others(kind: str, tmp_path: Path) -> None:
    seen: set[str] = set()
    for seed in (1, 2):
        turns = replayed(World(tmp_path / str(seed)), walked(kind, seed))
        assert faults(turns) == []
        seen |= set().union(*(what for what, _ in turns))
    assert {"Answered", "RoundRevealed", "RoundClosed"} & seen


@pytest.mark.parametrize("kind", one_in(3, ["nine men", "fourplay in play", "go sequential"]))
def test_a_rewind_marks_what_it_took_back(kind: str, tmp_path: Path) -> None:
    walk = walked(kind, 4, 9)
    labels = [e.event.label for e in walk.entries if isinstance(e.event, ev.Answered)]
    walk.do(do.Rewind(labels[-2], "as agreed"))
    assert any(isinstance(entry.event, ev.MatchRewound) for entry in walk.entries)
    turns = replayed(World(tmp_path), walk)
    assert faults(turns) == []
    marks = turns[-1][1]
    assert {"changed", "emptied"} & set().union(*marks.marks.values())


def test_the_turn_that_ends_a_game_of_several_shows_that_game(tmp_path: Path) -> None:
    """Not the empty grid of the next one."""
    for seed in range(1, 6):
        walk = walked("onepiece tournament", seed, 120)
        happened = [e for e in walk.entries if isinstance(e.event, ev.Happened)]
        ends = {e.position for e in happened if re.search("GameWon", str(e.event.event))}
        if ends:
            break
    turns = replayed(World(tmp_path), walk)
    shown = [board for what, board in turns if "Answered" in what and board is not None]
    assert ends
    assert all(board.tokens for board in shown[5:] if board.marks)
    assert faults(turns) == []
