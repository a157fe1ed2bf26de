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
    """One match's options, by the names of the default configuration, and below them what follows from several."""

    players: int
    coop: bool
    superko: Literal["positional", "situational", "off"]
    suicide: Literal["forbidden", "allowed"]
    scoring: Literal["territory", "area"]
    dead: Literal["agreement", "none"]
    prisoners: Literal["shared", "crossman"]
    alliance_threshold: Fraction
    max_alliance: int
    ally_rounds: int
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
    parallel: bool
    minds_mover: bool  # a repetition needs the same seat to move (situational superko)
    shares: bool  # captors of one event divide the prisoners (tactical cooperation)
    alliances: bool  # they are declared after scoring
    splits_territory: bool  # a region that several colours border is divided among them (2.6, G16)
    doubled: tuple[int, ...]  # the seats that may place two stones in round 1 (2.2)
    passing: tuple[int, ...]  # those whose turn of round 3 is a forced pass

    def allowed(self, seat: int, round_: int) -> int:
        """How many points a move of the seat may name."""
        return 1 + self.fallbacks if self.parallel else 1 + (round_ == 1 and seat in self.doubled)

    def must_pass(self, seat: int, round_: int) -> bool:
        return round_ == 3 and seat in self.passing


def rules_of(options: Mapping[str, str], players: int) -> Rules:
    """The rules that canonical option values stand for, and what follows from them."""
    given, most = Options(options), options["max_alliance"]
    largest = players - 1 if most == "p-1" else int(most)
    parallel, coop = options["order"] == "parallel", given.flag("coop")
    tactical, strategic = given.flag("tactical"), given.flag("strategic")
    compensated = options["compensation"] == "standard" and not parallel
    return typed(
        Rules,
        given,
        players=players,
        alliance_threshold=Fraction(options["alliance_threshold"]),
        max_alliance=largest,
        parallel=parallel,
        minds_mover=options["superko"] == "situational" and not parallel,
        shares=coop and tactical and options["prisoners"] == "shared",
        alliances=coop and strategic and largest >= 2,
        splits_territory=options["shared_territory"] == "split" or (coop and tactical and not strategic),
        doubled=EXTRA_STONE.get(players, ()) if compensated else (),
        passing=FORCED_PASS.get(players, ()) if compensated else (),
    )
