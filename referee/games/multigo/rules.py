"""The options of a match as typed values: what judging reads, for ever."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction
from typing import Literal

from referee.core.options import Options, typed

EXTRA_STONE = {5: (5,), 6: (5, 6), 7: (5, 6, 7), 8: (5, 6, 7, 8)}  # 2.2: two stones in round 1
FORCED_PASS = {3: (1,), 4: (1, 2)}  # 2.2: a pass in round 3


@dataclass(frozen=True, slots=True)
class Rules:
    """One match's options, by the names of the default configuration."""

    players: int
    order: Literal["sequential", "parallel"]
    coop: bool
    compensation: Literal["standard", "none"]
    superko: Literal["positional", "situational", "off"]
    suicide: Literal["forbidden", "allowed"]
    scoring: Literal["territory", "area"]
    dead: Literal["agreement", "none"]
    prisoners: Literal["shared", "crossman"]
    tactical: bool
    strategic: bool
    alliance_threshold: Fraction
    max_alliance: int
    ally_rounds: int
    shared_territory: Literal["neutral", "split"]
    choice_order: Literal["recency", "seat"]
    choice_blocks: bool
    own_prisoners: Literal["eliminate", "count"]
    noncoop_unit: Literal["chain", "stone"]
    event_scope: Literal["linked", "round"]
    rest_rule: Literal["at_least_one", "more_than_one"]
    captor_includes_dead: bool
    removal: Literal["simultaneous", "old_first"]
    superko_parallel: Literal["void", "allow", "end"]
    max_void: int
    fallbacks: int
    move_deadline: timedelta
    choice_deadline: timedelta
    dead_deadline: timedelta
    ally_deadline: timedelta
    timeout_default: Literal["pass", "resign", "wait"]
    resigned: Literal["stay", "remove"]
    press: bool

    @property
    def parallel(self) -> bool:
        return self.order == "parallel"

    @property
    def shares(self) -> bool:
        """Whether captors of one event divide the prisoners (tactical cooperation)."""
        return self.coop and self.tactical and self.prisoners == "shared"

    @property
    def alliances(self) -> bool:
        """Whether alliances are declared after scoring."""
        return self.coop and self.strategic and self.max_alliance >= 2

    @property
    def splits_territory(self) -> bool:
        """Whether a region that several colours border is divided among them (2.6, G16)."""
        return self.shared_territory == "split" or (self.coop and self.tactical and not self.strategic)

    def stones_of(self, seat: int, round_: int) -> int:
        """How many stones the seat may place in its turn of that round (2.2)."""
        extra = self._compensated and round_ == 1 and seat in EXTRA_STONE.get(self.players, ())
        return 2 if extra else 1

    def must_pass(self, seat: int, round_: int) -> bool:
        """Whether the seat's turn of that round is a forced opening pass (2.2)."""
        return self._compensated and round_ == 3 and seat in FORCED_PASS.get(self.players, ())

    @property
    def _compensated(self) -> bool:
        return self.compensation == "standard" and not self.parallel


def rules_of(options: Mapping[str, str], players: int) -> Rules:
    """The rules that canonical option values stand for."""
    most, threshold = options["max_alliance"], Fraction(options["alliance_threshold"])
    largest = players - 1 if most == "p-1" else int(most)
    given = Options(options)
    return typed(Rules, given, players=players, alliance_threshold=threshold, max_alliance=largest)


def rule_faults(options: Mapping[str, str], players: int) -> tuple[str, ...]:
    """What is wrong with option values that only this game can judge, in words."""
    faults: list[str] = []
    try:
        bound = Fraction(options["alliance_threshold"])
    except (ValueError, ZeroDivisionError):
        bound = Fraction(-1)
    if not 0 <= bound <= 1:
        faults.append(
            f"alliance_threshold = {options['alliance_threshold']!r} is no fraction from 0 to 1, such as 5/12."
        )
    most = options["max_alliance"]
    if most != "p-1" and not 1 <= int(most) < players:
        faults.append(
            f"max_alliance = {most}: with {players} players an alliance has at most {players - 1} members."
        )
    wanted = options["players"]
    if wanted != "seats" and int(wanted) != players:
        faults.append(f"players = {wanted}, but the match has {players} seats.")
    return tuple(faults)
