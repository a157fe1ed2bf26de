"""Random walks through matches of every game, by the seam and the match alone: no mail, no store."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

from referee.base import shipped
from referee.base.brought import packages
from referee.core import seam
from referee.core.answers import Body
from referee.core.chance import Chance, given_seed
from referee.core.game import AnyGame
from referee.core.options import resolved
from referee.core.value import Demand, Line
from referee.games import found
from referee.match import commands as do
from referee.match import events as ev
from referee.match.chain import Keys, commitment
from referee.match.commands import Accepted
from referee.match.decide import Decision, decide, opened
from referee.match.events import Entrant, Entry
from referee.match.match import Match, for_solver, outstanding
from referee.rehearsal.players import heading_kind, seeded

KEYS = Keys(b"a secret for tests only")
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)

_GAMES = Path(__file__).parents[1] / "games"


def folder_of(slug: str) -> Path:
    """Where a game says what the laws need of it: `tests/games/SLUG`; one from elsewhere, in its own package."""
    brought = packages().get(slug)
    return Path(import_module(brought).__path__[0]) if brought else _GAMES / slug


# What a game's own tests tell the laws; the games in the order of the alphabet.
LAWS: dict[str, dict[str, Any]] = {
    slug: tomllib.loads((folder_of(slug) / "laws.toml").read_text(encoding="utf-8")) for slug in found()
}


def _kinds() -> Iterator[tuple[str, tuple[str, int, dict[str, str]]]]:
    for slug, laws in LAWS.items():
        for name, kind in laws["kinds"].items():
            options = dict(kind.get("options", {}))
            if options.get("position", "").endswith(".json"):
                options["position"] = (folder_of(slug) / options["position"]).read_text(encoding="utf-8")
            yield name, (slug, kind["seats"], options)


# Every game in each of its kinds: game, seats, options.
KINDS: dict[str, tuple[str, int, dict[str, str]]] = dict(_kinds())


@dataclass
class Walk:
    """A match on its way, and all that was ever written of it."""

    game: AnyGame
    match: Match
    entries: list[Entry]
    now: datetime = NOW

    def do(self, command: Any) -> Decision:
        before = list(self.entries)
        decision = decide(self.game, self.match, command, self.now, KEYS, lambda: before)
        self.match = decision.match
        self.entries += decision.entries
        return decision


@dataclass(frozen=True)
class Step:
    """A demand about to be answered, with the action a seeded player gives."""

    walk: Walk
    demand: Demand
    action: Any
    text: str


def begin(kind: str, seed: int = 1, **more: str) -> Walk:
    """A match of that kind; with `more` options."""
    slug, seats, given = KINDS[kind]
    return begun(slug, seats, {**given, **more}, seed)


def begun(slug: str, seats: int, given: Mapping[str, str], seed: int) -> Walk:
    game = found()[slug]
    options, faults = resolved(shipped.game_options(slug), given)
    assert not faults
    people = tuple(Entrant(f"Person {i}", (f"p{i}@example.org",)) for i in range(1, seats + 1))
    data = shipped.game_data(slug)
    drawn = given_seed(seed)
    mark = commitment(drawn)
    opening = ev.MatchOpened(f"walk-{seed}", slug, options.values, data, seats, mark, people, drawn)
    decision = opened(game, opening, drawn, NOW, KEYS)
    return Walk(game, decision.match, list(decision.entries))


def steps(kind: str, seed: int = 1, most: int = 60) -> Iterator[Step]:
    """Each answer of a walk before it is given; now and then nobody answers and the deadline passes."""
    walk = begin(kind, seed)
    chance = seeded("walk", kind, seed)
    answered = False  # before the first answer no deadline passes: in some games that would be all
    for _ in range(most):
        if walk.match.status == "ended":
            return
        walk.now += timedelta(hours=1)
        for r, demand in for_solver(walk.match):
            answer = walk.game.compute(walk.match.inner, demand, 20_000)
            walk.do(do.Compute(r.label, answer))
        owing = [
            (r, d) for r in walk.match.rounds for d in outstanding(walk.match, r)
            if d.seat and r.label in {x.label for x in walk.match.rounds}
        ]  # fmt: skip
        lapsing = bool(owing) and chance.below(12, "lapse") == 0
        if not owing or (lapsing and answered):
            _lapse(walk)
            continue
        _, demand = owing[chance.below(len(owing), "who")]
        action = seam.suggest(
            walk.game, walk.match.inner, demand, Chance(given_seed(chance.below(10**6, "how")))
        )
        yield Step(walk, demand, action, seam.write(walk.game, walk.match.inner, demand, action))
        give(walk, demand, action)
        answered = True


def give(walk: Walk, demand: Demand, action: Any) -> None:
    """Send the action as its filled-in form; it must be accepted."""
    form = seam.filled_in(walk.game, walk.match.inner, demand, walk.match.party(demand.seat), action)
    lines = lines_of(form)
    verdict = walk.do(do.Submit(demand.seat, heading_kind(walk.game, demand), Body(lines), walk.now)).verdict
    assert isinstance(verdict, Accepted), (demand, form, verdict)


def lines_of(text: str) -> tuple[Line, ...]:
    return tuple(Line(i, line) for i, line in enumerate(text.splitlines(), 1))


def _lapse(walk: Walk) -> None:
    due = [at for r in walk.match.rounds for d in r.demands if (at := r.due_for(d.seat)) is not None]
    if due:
        walk.now = max(walk.now, min(due) + timedelta(seconds=1))
        walk.do(do.Expire(walk.now))
