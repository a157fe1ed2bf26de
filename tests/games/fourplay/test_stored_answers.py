"""Answers in ledgers: actions hold no lines, and what is written of a public one is what the first release wrote."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.games.fourplay.actions import Buy, Declare, Objection, Place, Spot, Turn
from referee.games.fourplay.game import GAME
from referee.games.fourplay.state import Lot
from referee.games.fourplay.turns.forms import written_turn
from referee.match.record.public import lines_of

RECORDS = Path(__file__).parents[2] / "match" / "records"
KEPT = sorted(RECORDS.glob("*fourplay*.json"))


def answers(path: Path) -> Iterator[dict[str, Any]]:
    record = json.loads(path.read_text(encoding="utf-8"))
    return (line["action"] for line in lines_of(record) if line["is"] == "Answered")


def keys(stored: Any) -> Iterator[str]:
    for one in stored.values() if isinstance(stored, dict) else stored if isinstance(stored, list) else ():
        yield from keys(one)
    if isinstance(stored, dict):
        yield from stored


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_what_older_programs_recorded_is_read_and_would_be_written_again_as_it_was(path: Path) -> None:
    kinds = set()
    for stored in answers(path):
        action = GAME.actions_codec.decode(stored)
        kinds.add(type(action))
        assert GAME.actions_codec.encode(action) == stored
    assert kinds & {Turn, Declare}


def test_each_public_answer_is_recorded_with_the_lines_of_its_canonical_text() -> None:
    turn = next(
        a for path in KEPT for s in answers(path) if isinstance(a := GAME.actions_codec.decode(s), Turn)
    )
    stored = GAME.actions_codec.encode(turn)
    text = written_turn(turn).splitlines()
    told = [entry["line"] for entry in stored["entries"]]
    told += [stored[key] for key in ("player_line", "round_line", "cycle_line") if stored[key]]
    assert sorted(line["number"] for line in told) == list(range(1, len(text) + 1))
    assert all(text[line["number"] - 1] == line["text"] for line in told)
    objection = GAME.actions_codec.encode(Objection(1, 3, 2, "Was it?", "Round 3 / Player 2"))
    assert objection["line"] == {"number": 2, "text": "Round: 3"}


@pytest.mark.parametrize(
    "stored",
    [
        {
            "lots": [{"piece": "Pawn", "count": 2}],
            "lines": [{"number": 5, "text": "2 Pawn"}],
            "cost_line": None,
        },
        {
            "spots": [{"piece": "Pawn", "square": "a9", "line": {"number": 9, "text": "Pawn: a9"}}],
            "king_line": None,
        },
    ],
)
def test_sealed_answers_that_older_programs_stored_with_lines_are_read(stored: dict[str, Any]) -> None:
    kind = "Buy" if "lots" in stored else "Place"
    action = GAME.actions_codec.decode({"is": kind, **stored})
    assert action in (Buy((Lot("Pawn", 2),)), Place((Spot("Pawn", "a9"),)))
    assert not [key for key in keys(GAME.actions_codec.encode(action)) if "line" in key]


def test_every_answer_comes_back_from_what_is_stored_of_it() -> None:
    for action in (Declare("Bank", ("red",), ("blue",), "hello"), Declare(), Buy((Lot("Pawn", 1),), "Pawn")):
        assert GAME.actions_codec.decode(GAME.actions_codec.encode(action)) == action
