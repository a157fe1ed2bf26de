"""What may be said, part by part: all that is legal, found by whatever a mail names of it, and nothing else."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.core import seam
from referee.core.answers import FEW, PARTS, Body, Part
from referee.core.chance import Chance
from referee.core.owing import REFEREE, Demand
from referee.core.seam import Standing
from referee.games.onepiece.board import Words, ply_of, winner_of
from referee.games.onepiece.game import GAME
from tests.games.onepiece.table import E3, E5, EXACT4, K2, Table, four, party, two

TEMPLATES = Path(__file__).parents[3] / "templates" / "onepiece"
CELLS = [f"{column}{row}" for column in "abcdefgh" for row in range(1, 9)]
LANGUAGES = ("de", "en", "es", "fr", "it", "nl", "pl", "pt", "sv")
KINDS: dict[str, dict[str, Any]] = {
    "two": {"seats": 2, "games": "2", "max_relocations": "8", "pieces": "7", "grid": "4x4"},
    "four": {"seats": 4, "target": "4"},
    "judged by players": {"seats": 4, "target": "4", "adjudication": "players"},
}


def parts(table: Table, demand: Demand, *named: str, said: tuple[str, ...] = ()) -> list[Part]:
    return list(seam.answer_of(GAME, demand.kind).possible(table.state, demand, said, frozenset(named)))


def lines(found: list[Part], group: str = "play") -> set[str]:
    return {part.line for part in found if part.group == group}


def values(line: str) -> set[str]:
    """What a mail names that says a line in its own words."""
    behind = line.partition(":")[2].lower()
    return {*re.findall(r"(?<![a-z])[a-z]\d+|(?<=[rb])[a-z]\d+|\d+", behind), *behind.split()}


def positions(kind: str, seed: int, most: int) -> Iterator[tuple[Table, Demand, Any]]:
    """Each demand of a match as it goes on, with an answer that is legal; the first of them is given."""
    table, chance = Table(draw=seed, **KINDS[kind]), Chance(f"{seed:064x}")
    for _ in range(most):
        owed = table.due()
        if not owed:
            return
        (_, *others), first = [(d, seam.suggest(GAME, table.state, d, chance)) for d in owed], owed[0]
        if first.seat == REFEREE:
            table.rule(20_000)
            continue
        given = seam.suggest(GAME, table.state, first, chance)
        yield table, first, given
        for demand, action in others:
            yield table, demand, action
        for seat in table.state.active:
            for demand in GAME.open_to(table.state, seat):
                yield table, demand, seam.suggest(GAME, table.state, demand, chance)
        table.act(first, given)


@pytest.mark.parametrize("kind", KINDS)
def test_every_line_of_a_legal_answer_is_found_by_its_own_values(kind: str) -> None:
    seen = set()
    for seed in range(1, 5):
        for table, demand, action in positions(kind, seed, 150):
            said = seam.write(GAME, table.state, demand, action).splitlines()
            for at, line in enumerate(said if demand.kind != "Comment" else ()):
                found = parts(table, demand, *values(line), said=tuple(said[:at]))
                assert line in {part.line for part in found}, (demand, line)
                seen.add((demand.kind, line.partition(":")[0]))
    assert {("Move", "Move"), ("Resign", "Resign"), ("Offer", "Offer")} <= seen
    if kind == "judged by players":
        shown = ("Evidence", "Demonstrate", "Reply")
        assert {("Evidence", "Demonstrate"), *((kind, "Move") for kind in shown)} <= seen


@pytest.mark.parametrize("kind", KINDS)
def test_no_part_is_unreadable_or_plainly_illegal(kind: str) -> None:
    """Alone, or as what stands beside a move."""
    for table, demand, action in positions(kind, 4, 100):
        standing = Standing(GAME, table.state)
        wanted = values(seam.write(GAME, table.state, demand, action))
        found = parts(table, demand, *wanted)
        assert found or demand.kind == "Comment"
        assert len(found) <= PARTS
        assert found == parts(table, demand, *wanted)
        for part in found:
            assert all(value == value.lower() for _, value in part.slots)
            before = [line.splitlines()[0] for line in _beside(table, demand, action, part)]
            read = seam.read(
                GAME, table.state, demand, Body.of("\n".join([*before, part.line])), party(demand.seat)
            )
            if not (demand.kind == "Evidence" and part.line != "Give up"):
                assert read.action is not None, part
                assert read.complaints == () == tuple(standing.faults(demand, read)), part
                assert part.line in seam.write(GAME, table.state, demand, read.action).splitlines()


def _beside(table: Table, demand: Demand, action: Any, part: Part) -> list[str]:
    """The move beside which a claim or an offer stands; one that does not win."""
    if part.group not in ("claim", "offer") or demand.kind != "Move":
        return []
    standing = Standing(GAME, table.state)
    for line in sorted(lines(parts(table, demand, *CELLS))):
        if part.line in {one.line for one in parts(table, demand, said=(line,))}:
            return [line]
    raise AssertionError((standing, part))


@pytest.mark.parametrize("position", [E3, K2, E5])
def test_one_cell_leaves_exactly_the_legal_moves_that_touch_it(position: str) -> None:
    table = two(position=position)
    (demand,) = table.due()
    legal = {f"Move: {ply}" for ply in table.state.grid.plies()}
    assert len(legal) > FEW
    assert lines(parts(table, demand)) == set()
    for cell in CELLS:
        assert lines(parts(table, demand, cell)) == {x for x in legal if re.search(rf"[RB]{cell}(?!\d)", x)}
        red = {x for x in legal if f"R{cell}" in x}
        assert lines(parts(table, demand, f"r{cell}")) == red


def test_a_move_is_told_from_its_mirror_by_the_colours_said_first() -> None:
    """ "Red to c2 and blue to c1": of two moves on the same cells the one whose roles come in that order."""
    table = two()
    (demand,) = table.due()
    found = {part.line: part.slots for part in parts(table, demand, "red", "c2", "blue", "c1")}
    one, other = found["Move: Rc2Bc1"], found["Move: Rc1Bc2"]
    assert list(dict.fromkeys(role for role, _ in one)) == ["red", "blue"]
    assert {("red", "red"), ("red", "c2"), ("red", "rc2"), ("blue", "blue"), ("blue", "bc1")} <= set(one)
    assert {("red", "c1"), ("blue", "c2")} <= set(other)


def test_a_colour_names_a_half_only_beside_its_cell() -> None:
    """ "Red on c2" is no move that has blue there, and "red" alone no move at all."""
    table = two()
    (demand,) = table.due()
    for part in parts(table, demand, "red", "c2"):
        assert (("red", "red") in part.slots) is (("red", "c2") in part.slots)
    assert lines(parts(table, demand, "red")) == set()


def test_two_cells_on_which_no_piece_can_be_put_are_a_part_whose_fault_is_told() -> None:
    table = two(position=E3)
    (demand,) = table.due()
    found = lines(parts(table, demand, "red", "h5", "bh6"))
    assert found == {"Move: Rh5Bh6", "Move: Rh6Bh5"}
    assert all(table.codes(demand.seat, line) == ["floats"] * 2 for line in found)
    assert not lines(parts(table, demand, "h5"))


def test_a_lifted_piece_is_named_by_either_cell_or_whole() -> None:
    table = two(position=E5)
    (demand,) = table.due()
    for named in ("e8", "e7", "re8", "be7"):
        assert "Move: Re8Be7>Rb2Bb1" in lines(parts(table, demand, named))
    assert lines(parts(table, demand, "c1")) == set()  # covered


def test_42_claims_are_parts_of_their_own_as_far_as_they_may_be_made() -> None:
    table = four(position=EXACT4)
    demand = Demand("Move", table.state.mover)
    assert lines(parts(table, demand, "4"), "claim") == {f"Claim: {n}" for n in (2, 4, 6, 8)}
    quiet = next(m for m in sorted(lines(parts(table, demand, *CELLS))) if not _wins(table, m))
    assert Part("Claim: 6", (("n", "6"),), "claim") in parts(table, demand, said=(quiet,))
    assert parts(table, demand, said=(quiet, "Claim: 6")) == []
    table.mail(table.state.mover, f"{quiet}\nClaim: 4")
    pending = Demand("Move", table.state.mover)
    assert lines(parts(table, pending), "claim") == set()
    assert lines(parts(table, pending, "4", "3"), "claim") == {"Claim: 3", "Claim: 4"}  # their fault is told


def test_42_no_claim_stands_beside_a_winning_move() -> None:
    table = four(position=E3)
    demand = Demand("Move", table.state.mover)
    winning = next(m for m in lines(parts(table, demand, *CELLS)) if _wins(table, m))
    assert lines(parts(table, demand, said=(winning,)), "claim") == set()


def _wins(table: Table, move: str) -> bool:
    return winner_of(table.state.grid, Words.of(ply_of(move.removeprefix("Move: ")))) is not None


def test_colours_and_edge_are_asked_by_their_words() -> None:
    table = Table(2, starter="1")
    assert [part.line for part in parts(table, Demand("Colours", 1))] == ["Colours: red", "Colours: blue"]
    assert {part.slots[0] for part in parts(table, Demand("Edge", 2))} == {
        ("edge", side) for side in ("south", "north", "east", "west")
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_nine_languages_name_what_the_parts_hold(language: str) -> None:
    words = tomllib.loads((TEMPLATES / f"words.{language}.toml").read_text())
    assert set(words) == {"values", "things", "keys"}
    assert set(words["values"]) == {"red", "blue", "south", "north", "east", "west", "draw"}
    said = [form for section in words.values() for forms in section.values() for form in forms]
    assert len(said) <= 40
    assert all(form == form.lower() and " " not in form for form in said)
    assert len({form for forms in words["values"].values() for form in forms}) == sum(
        map(len, words["values"].values())
    )
