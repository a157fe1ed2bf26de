"""`rehearse` of every game, by its name: a few kinds here, every kind with many seeds in the soak run."""

from __future__ import annotations

import pytest

from referee.games import found
from referee.rehearsal.plan import Plan
from referee.rehearsal.rehearse import Rehearsal

# A game, how many play (None: its usual number), its options.
KINDS: dict[str, tuple[str, int | None, dict[str, str]]] = {
    "go": ("multigo", None, {}),
    "go, parallel": ("multigo", None, {"order": "parallel"}),
    "go, parallel, small": ("multigo", None, {"order": "parallel", "board": "9x9"}),
    "go, coop": ("multigo", 4, {"coop": "on", "board": "9x9"}),
    "go, parallel coop": ("multigo", 5, {"order": "parallel", "coop": "on", "board": "9x9"}),
    "go, eight": ("multigo", 8, {"board": "11x9", "coop": "on"}),
    "go, eight in parallel": ("multigo", 8, {"board": "9x9", "order": "parallel"}),
    "go, on nine points": ("multigo", 3, {"position": "B.W/.R./..."}),
    "go, tiny, parallel coop": (
        "multigo", 4, {"position": "B.W./.R../..../U...", "order": "parallel", "coop": "on"},
    ),
    "go, waits": ("multigo", 3, {"board": "9x9", "timeout_default": "wait", "prisoners": "crossman"}),
    "go, fallbacks": (
        "multigo", 3, {"board": "9x9", "order": "parallel", "fallbacks": "2", "timeout_default": "resign"},
    ),
    "go, area": ("multigo", 3, {"board": "9x9", "scoring": "area", "dead": "none"}),
    "buttons": ("buttons", None, {}),
    "buttons, waits": ("buttons", None, {"place_adjacency": "bridge", "timeout_default": "wait"}),
    "buttons, solo": ("buttons", None, {"mode": "solo", "goal": "ask"}),
    "buttons, solo, four": ("buttons", None, {"mode": "solo", "goal": "four", "undo": "counts"}),
    "buttons, solo, half turn": ("buttons", None, {"mode": "solo", "perspective": "half_turn", "undo": "off"}),
    "buttons, solo, private": ("buttons", None, {"mode": "solo", "private": "on", "goal": "two", "par": "off"}),
    "one piece": ("onepiece", None, {}),
    "one piece, series": ("onepiece", None, {"games": "3"}),
    "one piece, plays on": ("onepiece", None, {"timeout_default": "play", "repetition": "off", "edge": "north"}),
    "one piece, tournament": ("onepiece", 4, {"target": "4"}),
    "one piece, many claims": ("onepiece", 4, {"claims": "multiple", "target": "4"}),
    "one piece, players judge": ("onepiece", 4, {"adjudication": "players", "target": "4"}),
    "one piece, players judge claims": (
        "onepiece", 4, {"adjudication": "players", "claims": "multiple", "evidence": "along_line", "target": "4"},
    ),
    "one piece, partners": (
        "onepiece", 4,
        {"claim_n": "partner_only", "claim_test": "by", "early_win": "claimed", "pairing": "rotate", "target": "4"},
    ),
    "fourplay": ("fourplay", None, {}),
    "fourplay, lenient": ("fourplay", None, {"statements": "lenient"}),
    "fourplay, waits": ("fourplay", None, {"on_timeout": "hold"}),
    "fourplay, two cycles": ("fourplay", None, {"cycles": "2", "waiting_period": "2d"}),
}  # fmt: skip
SAMPLE = {
    "go, parallel, small": 1, "go, on nine points": 2, "go, tiny, parallel coop": 3, "go, parallel coop": 1,
    "buttons": 2, "buttons, solo": 1, "one piece": 1, "one piece, series": 2,
}  # fmt: skip
SEEDS = range(101, 106)


def rehearsed(kind: str, seed: int) -> None:
    game, seats, options = KINDS[kind]
    report = Rehearsal(Plan(game, seats, options, seed, 1), None, lambda line: None).play()
    assert report.faults == []
    assert not any("not ended" in outcome for outcome in report.outcomes)


def test_every_game_is_rehearsed() -> None:
    assert {game for game, _, _ in KINDS.values()} == set(found())


@pytest.mark.parametrize(("kind", "seed"), SAMPLE.items())
def test_a_rehearsal_holds_every_law(kind: str, seed: int) -> None:
    rehearsed(kind, seed)


@pytest.mark.soak
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_rehearsal_holds_every_law(kind: str, seed: int) -> None:
    rehearsed(kind, seed)
