"""Rehearsals: whole matches, played by seeded players through real mails against the real program."""

from __future__ import annotations

import json
import os
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from referee import shipped
from referee.config import Configuration, Located
from referee.core.options import resolved
from referee.games import found
from referee.match import cache
from referee.match.events import Entrant
from referee.match.match import AnyGame, Match, fold, unanswered
from referee.match.record import public_record, read_back, verified
from referee.offices.moderator import CannotDo, Opening
from referee.offices.speaker import record_json
from referee.post.maildir import MaildirMailbox
from referee.rehearsal.players import Postman, Sending, seeded
from referee.wiring import Referee, running

Show = Callable[[str], None]

_START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
_PEOPLE = (
    "Ann Archer",
    "Ben Baker",
    "Cleo Carter",
    "Dan Draper",
    "Eve Eliot",
    "Finn Fisher",
    "Gwen Glover",
    "Hal Hunter",
)
_ZONES = ("Europe/Berlin", "America/New_York", None, "Asia/Tokyo")
_MOST_STEPS = 6000
_PROGRESS = 20  # answers between two lines of progress
_ENOUGH = 5  # faults after which a match is given up


@dataclass(frozen=True, slots=True)
class Plan:
    """What to rehearse; `seats` None is the game's usual number."""

    game: str
    seats: int | None
    options: dict[str, str]
    seed: int
    matches: int


@dataclass
class Report:
    """What happened, and every law that did not hold."""

    folder: Path | None
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    outcomes: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        told = [", ".join(f"{name} {count}" for name, count in sorted(self.counts.items()))]
        if self.folder is not None:
            told += [f"{what}: {self.folder / path}" for what, path in _LEFT if (self.folder / path).exists()]
        return told


_LEFT = (
    ("records", "records"),
    ("letters to the players", "mail/out/new"),
    ("mails of the players", "mail/in/cur"),
    ("site", "site/index.html"),
    ("configuration", "referee.toml"),
)


class Rehearsal:
    """Plays the plan's matches one after another. Left in `keep`, or gone afterwards."""

    def __init__(self, plan: Plan, keep: Path | None, show: Show) -> None:
        if plan.game not in found():
            raise CannotDo(f"There is no game {plan.game!r}. There are: {', '.join(found())}.")
        self._plan = plan
        self._keep = keep
        self._show = show
        self._game = found()[plan.game]

    def play(self) -> Report:
        with ExitStack() as stack:
            folder = self._keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
            report = Report(self._keep)
            self._prepare(folder)
            located = Located(Configuration(), folder.resolve())
            mailbox = MaildirMailbox(folder / "mail/in")
            os.environ.setdefault(
                "REFEREE_SECRET", f"a rehearsal's secret, of no use elsewhere {self._plan.seed}"
            )
            with running(located, given_mailbox=mailbox) as referee:
                now = _START
                for number in range(1, self._plan.matches + 1):
                    play = _Playing(self._game, self._plan, number, referee, folder, report, self._show)
                    now = play.to_the_end(now)
                self._publish(referee, folder)
        return report

    @staticmethod
    def _prepare(folder: Path) -> None:
        for part in ("mail/in/tmp", "mail/in/new", "mail/in/cur", "records"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        if not (folder / "referee.toml").exists():
            (folder / "referee.toml").write_text(shipped.read("config", "referee.toml"), encoding="utf-8")

    def _publish(self, referee: Referee, folder: Path) -> None:
        if self._keep is not None:
            referee.publish(folder / "site")


class _Playing:
    """One match of a rehearsal."""

    def __init__(
        self,
        game: AnyGame,
        plan: Plan,
        number: int,
        referee: Referee,
        folder: Path,
        report: Report,
        show: Show,
    ) -> None:
        self._game = game
        self._plan = plan
        self._number = number
        self._referee = referee
        self._folder = folder
        self._report = report
        self._show = show
        self._sent = self._told = 0
        self._postman = Postman(game, plan.seed * 1000 + number, referee.offices.collector)

    def to_the_end(self, now: datetime) -> datetime:
        name = self._opened(now)
        match = self._step(name, now)
        for _ in range(_MOST_STEPS):
            if match.status == "ended" or len(self._report.faults) >= _ENOUGH:
                break
            before = (match.version, [r.label for r in match.rounds])
            now += timedelta(hours=3)
            expected = self._answer(match, now)
            if not expected:
                now = max(now, self._next_deadline(match, now))
            phase = self._phase(match)
            match = self._step(name, now, expected)
            self._tell(match, phase)
            if not expected and (match.version, [r.label for r in match.rounds]) == before:
                self._fault(f"{name}: nothing moves any more at {now.isoformat()}")
                break
        else:
            self._fault(f"{name}: no end after {_MOST_STEPS} steps")
        self._finish(name, match)
        return now

    def _tell(self, match: Match, phase: str) -> None:
        """Progress: every new phase, and the round being played now and then."""
        if self._phase(match) != phase:
            self._show(f"{match.name}: {self._phase(match)} (public position {match.position})")
        elif self._sent >= self._told + _PROGRESS and match.rounds:
            self._told = self._sent
            self._show(f"{match.name}: {match.rounds[0].label} (public position {match.position})")

    def _opened(self, now: datetime) -> str:
        specs = shipped.game_options(self._plan.game)
        data = shipped.game_data(self._plan.game)
        options, faults = resolved(specs, self._plan.options)
        if faults:
            raise CannotDo(*faults)
        seats = self._plan.seats or self._game.seats(options)[0]
        roster = tuple(
            Entrant(person, (f"{person.split()[0].lower()}@players.example",), _ZONES[i % len(_ZONES)])
            for i, person in enumerate(_PEOPLE[:seats])
        )
        asked = Opening(
            self._plan.game, roster, self._plan.options, specs, data, seed=self._plan.seed + self._number
        )
        return self._referee.moderator.open(asked, now).name

    def _answer(self, match: Match, now: datetime) -> Counter[str]:
        """Put everybody's mails into the mailbox; what verdicts are expected. Now and then nobody writes in time."""
        expected: Counter[str] = Counter()
        chance = seeded(self._plan.seed, match.name, match.version, "turn")
        for r in match.rounds:
            for demand in unanswered(match, self._game, r):
                if demand.seat == 0 or (r.due_at is not None and chance.below(25, "sleeps") == 0):
                    continue
                for sending in self._postman.mails(match, demand, now, self._sent):
                    self._deliver(sending, now)
                    expected[sending.expected or "ignored"] += 1
                self._sent += 1
                if not r.sealed:
                    return expected
        return expected

    def _deliver(self, sending: Sending, at: datetime) -> None:
        path = self._folder / "mail/in/new" / f"{self._number:03d}.{sending.name}"
        path.write_bytes(sending.raw)
        os.utime(path, (at.timestamp(), at.timestamp()))

    def _next_deadline(self, match: Match, now: datetime) -> datetime:
        moments = [at for r in match.rounds for d in r.demands if (at := r.due_for(d.seat)) is not None]
        return min(moments, default=now) + timedelta(seconds=1)

    def _step(self, name: str, now: datetime, expected: Counter[str] | None = None) -> Match:
        counts = self._referee.desk.step(now)
        facts = counts.facts()
        self._report.counts.update({k: v for k, v in facts.items() if isinstance(v, int) and v})
        for kind, number in (expected or Counter()).items():
            if facts.get(kind, 0) != number:
                self._fault(f"{name}: expected {kind} {number} at {now.isoformat()}, got {facts}")
        if facts["shunted"]:
            self._fault(f"{name}: a mail was shunted at {now.isoformat()}")
        return self._referee.moderator.match(name)

    def _phase(self, match: Match) -> str:
        view = self._referee.speaker.view(match, None)
        return view.phase if view else match.status

    def _finish(self, name: str, match: Match) -> None:
        """The record: written, verified, read back to the same public position; the cache is the fold."""
        history = list(self._referee.moderator.history(name))
        record = public_record(self._game, history)
        (self._folder / "records" / f"{name}.json").write_text(record_json(record), encoding="utf-8")
        for fault in verified(json.loads(record_json(record))):
            self._fault(f"{name}: record: {fault}")
        again = read_back(self._game, record)
        if self._public(again) != self._public(match):
            self._fault(f"{name}: the record read back gives another position")
        if fold(lambda _: self._game, history) != match:
            self._fault(f"{name}: the ledger folded gives another match")
        if cache.thaw(self._game, cache.freeze(self._game, match)) != match:
            self._fault(f"{name}: the cache gives another match")
        winners = [match.entrant(seat).name for seat in match.ended.winners] if match.ended else []
        won = f"won by {', '.join(winners)}" if winners else "a draw" if match.ended else "not ended"
        self._report.outcomes.append(f"{name}: {won} ({match.position} public positions)")
        self._show(self._report.outcomes[-1])

    def _public(self, match: Match) -> Any:
        return self._game.view(match.inner, None).position

    def _fault(self, text: str) -> None:
        self._report.faults.append(text)
        self._show(f"FAULT: {text}")
