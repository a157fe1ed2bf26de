"""Whole matches by commands to the match: what the public ledger holds, and when the rounds fall due."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from referee.core.answers import Body
from referee.core.owing import Demand
from referee.games.buttons.game import GAME
from referee.match import commands as do
from referee.match import events as ev
from referee.match.chain import Keys, given_seed
from referee.match.commands import Accepted, Kept
from referee.match.decide import decide, opened
from referee.match.fold import fold
from tests.games.buttons.sitting import set_up

KEYS = Keys(b"a secret for tests only")
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
NEARLY = "B2 B1 B3 B4/W1 W2 W3 W4/B4 B2 B3 B1/W4 W3 W2 W1"


class Ledger:
    """A match with its ledger, and a clock that is moved by hand."""

    def __init__(self, **options: str) -> None:
        setup = set_up(options)
        self.now = NOON
        roster = tuple(ev.Entrant(name, (f"{name}@example.org",)) for name in ("Ann", "Bob")[: setup.seats])
        command = do.Open(
            "m", dict(setup.options.values), setup.data, setup.seats, roster, given_seed(1), True
        )
        decision = opened(GAME, command, self.now, KEYS)
        self.match, self.entries = decision.match, list(decision.entries)

    def send(self, command: Any) -> Any:
        decision = decide(GAME, self.match, command, self.now, KEYS, lambda: self.entries)
        self.match = decision.match
        self.entries += decision.entries
        return decision.verdict

    def mail(self, seat: int, text: str) -> Any:
        return self.send(do.Submit(seat, "Move", Body.of(text), self.now))

    def par(self) -> Any:
        return self.send(do.Compute("Par", GAME.compute(self.match.inner, Demand("Par", 0), 100_000)))

    def public(self) -> str:
        """All that is public, as text."""
        return json.dumps(
            [ev.CODEC.encode(entry.event) for entry in self.entries if entry.public], default=str
        )


def test_a_two_player_match_runs_to_its_end_and_folds_back() -> None:
    ledger = Ledger(starter="1")
    for turn, text in enumerate(["Place: 1 a4", "Place: 1 a3", "Place: 2 b3", "Place: 1 b4", "Place: 4 a2"]):
        assert isinstance(ledger.mail(1 + turn % 2, text), Accepted), text
    assert isinstance(ledger.mail(1, "Place: 3 c4"), Kept), "it is the other's turn"
    ledger.now = NOON + timedelta(days=7, seconds=1)
    ledger.send(do.Expire(ledger.now))
    assert ledger.match.ended is not None
    assert ledger.match.ended.winners == (1,)
    assert ledger.match.ended.points == {1: "1", 2: "0"}
    assert fold(lambda _: GAME, ledger.entries) == ledger.match


def test_a_private_puzzle_leaves_no_trace_in_the_public_ledger_before_its_deadline() -> None:
    ledger = Ledger(mode="solo", goal="two", position=NEARLY, table="week")
    before, head = ledger.public(), ledger.match.head
    assert isinstance(ledger.mail(1, "Move: a4-c4\nComment: hm"), Accepted)
    assert isinstance(ledger.mail(1, "Undo\nMove: b4-a4"), Accepted)
    assert (ledger.public(), ledger.match.head) == (before, head)
    ledger.par()
    ledger.now = NOON + timedelta(days=7, seconds=1)
    ledger.send(do.Expire(ledger.now))
    assert ledger.match.ended is not None
    assert (ledger.match.ended.winners, ledger.match.ended.reason) == ((1,), "Solved in 1 move.")
    assert fold(lambda _: GAME, ledger.entries) == ledger.match


def test_many_puzzles_opened_together_fall_due_together() -> None:
    """One sends a mail a day, the other none: their deadline is one."""
    busy, idle = (Ledger(mode="solo", goal="two", seed="5", table="week") for _ in range(2))
    for day in range(1, 4):
        busy.now = NOON + timedelta(days=day)
        space, _, ends = GAME.view(busy.match.inner, 1).facts["reach"][0]
        assert isinstance(busy.mail(1, f"Move: {space}-{ends[0]}"), Accepted)
    due = {r.due_at for ledger in (busy, idle) for r in ledger.match.rounds if r.due_at}
    assert due == {NOON + timedelta(days=7)}


def test_par_stays_secret_in_the_ledger_until_the_end() -> None:
    ledger = Ledger(mode="solo", goal="two", position=NEARLY)
    before = len(ledger.entries)
    ledger.par()
    told = [ev.CODEC.encode(entry.event) for entry in ledger.entries[before:] if entry.public]
    assert told == [{"is": "RoundClosed", "label": "Par"}]
    assert isinstance(ledger.mail(1, "Move: b4-a4"), Accepted)
    assert ledger.match.ended is not None
    assert "ParPublished" in ledger.public()
