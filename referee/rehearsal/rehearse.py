"""Rehearsals: whole matches, played by seeded players through real mails against the real program;
of each who writes when, what the moderator does, and what comes of it."""

import multiprocessing
import os
import re
import shutil
import tempfile
import textwrap
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from referee.base import shipped
from referee.base.errors import CannotDo
from referee.base.private import private_folder, write_private
from referee.base.settings import Settings
from referee.core.chance import Chance
from referee.core.diagram import Diagram
from referee.core.game import AnyGame
from referee.core.options import resolved
from referee.core.value import REFEREE, Demand
from referee.draw import draw_text
from referee.draw.grid import symbol
from referee.games import found
from referee.match import commands as do
from referee.match import events as ev
from referee.match.decide import verb
from referee.match.events import Entrant
from referee.match.match import Match, OpenRound, outstanding
from referee.match.record.public import public_record, record_json
from referee.match.record.text import notation, text_record
from referee.offices.register import NewMatch
from referee.rehearsal.laws import Laws, Passed, SentLetter, SentLetters
from referee.rehearsal.players import Plan, Postman, Report, Sending, seeded
from referee.service.config import Located
from referee.service.wiring import Referee, running
from referee.site.letterbox import write_front
from referee.transport.maildir import MaildirMailbox

Show = Callable[[str], None]

_NAMES = "Ann Archer, Ben Baker, Cleo Carter, Dan Draper, Eve Eliot, Finn Fisher, Gwen Glover, Hal Hunter"
_PEOPLE = _NAMES.split(", ")
_ZONES = ("Europe/Berlin", "America/New_York", None, "Asia/Tokyo")
_TAKES_OK = re.compile(r"with\s+the\s+word\s+OK")
_MOST_STEPS = 6000
_PROGRESS = 20  # answers between two lines of progress
_ENOUGH = 5  # faults after which a match is given up
_TICKS_TWICE = 9  # one pass in so many is made twice
WHY = "a rehearsal"
WIDTH = 100  # columns of what is told of a move, and three lines of it at most
_HEAD = re.compile(r"(?im) nonce \w+$|\n\| *(?:(?:name|player|email|round|cycle)\s*:.*)?$")  # of a form
_INKS = {"red": 31, "green": 32, "yellow": 33, "blue": 94, "purple": 35, "grey": 90}  # ECMA-48


# --- a match at a terminal: each round's moves, then its board, in colour


def painted(diagram: Diagram, *, legend: bool) -> str:
    """The board as text, each piece in its owner's colour."""
    inks = {symbol(token): _INKS[token.colour] for token in diagram.tokens if token.colour in _INKS}
    signs = "|".join(map(re.escape, sorted(inks, key=len, reverse=True))) or "(?!)"
    piece = re.compile(rf"(?<=[\s\[({{<!>])(?:{signs})(?=[\s\])}}>!<*])")

    def inked(row: re.Match[str]) -> str:
        return piece.sub(lambda sign: f"\x1b[{inks[sign[0]]}m{sign[0]}\x1b[0m", row[0])

    return re.sub(r"(?m)^ *(\S+) .* \1$", inked, draw_text(diagram, legend=legend).rstrip())


class Onlooker:
    """Is told what is public alone, whenever the match has moved."""

    def __init__(self, referee: Referee, show: Callable[[str], None]) -> None:
        self._referee, self._show, self._round, self._version, self._board = referee, show, "", 0, ""

    def look(self, match: Match) -> None:
        with self._referee.store.transaction() as unit:
            entries = unit.history(match.name, self._version)
        self._version = match.version
        for entry in entries:
            if entry.public and (block := notation([entry])):
                self._begin(block[0].split(maxsplit=3)[-1].partition(" / ")[0])
                self._show(_lines(match, "\n".join(block[1:])))
        view = match.view(None)
        if view and view.diagram and view.diagram.tokens:
            self._board = painted(view.diagram, legend=not self._board)
        if match.status == "ended":
            self._begin("")

    def _begin(self, round_of: str) -> None:  # first the board that the last one left
        if round_of != self._round:
            self._round = round_of
            self._show((f"\n{self._board}\n\n" if self._board else "\n") + round_of)


def _lines(match: Match, block: str) -> str:
    """For each answer who gave it, and what was written, without the head of the form."""
    told = re.sub(r"\n\|[ ]?", "; ", _HEAD.sub("", block)).replace(":; ", ": ")

    def who(found: re.Match[str]) -> str:
        return f"{match.entrant(int(found[1])).name} (Player {found[1]}):{'' if found[2] else ' nothing in time'}"

    said = re.sub(r"(?m)^Player (\d+), [^;\n]*(;|$)", who, told).splitlines()
    cut = (f"  {textwrap.shorten(line, 3 * WIDTH)}" for line in said)
    return "\n".join(textwrap.fill(line, WIDTH, subsequent_indent="      ") for line in cut)


Counted = dict[str, Any]  # a pass by its counts


@dataclass
class Playing:
    """One match of a rehearsal."""

    game: AnyGame
    plan: Plan
    number: int
    referee: Referee
    folder: Path
    report: Report
    show: Show
    onlooker: Onlooker | None = None
    writes: ClassVar[type[Postman]] = Postman  # who writes the players' mails
    asleep: ClassVar[int] = 25  # once in so many times somebody does not write in time

    def __post_init__(self) -> None:
        self.sent = self._told = 0
        self._outgoing = SentLetters(self.folder / "mail/out/new")
        seed, collector = self.plan.seed * 1000 + self.number, self.referee.offices.collector
        self.postman = self.writes(self.game, seed, collector, self.plan.human)
        self._newcomers = 0
        self._asked: dict[int, str] = {}  # the last letter that asked a seat for something
        # the last letter to a seat, where it is a refusal that an OK would answer
        self._offered: dict[int, str] = {}

    def to_the_end(self, now: datetime) -> datetime:
        """Open the match and play it; when it was over."""
        self._name = self._opened(now)
        self._laws = Laws(self.game, self.referee, self._name)
        match = self._step(self._match(), now)
        for _ in range(_MOST_STEPS):
            if match.status == "ended" or len(self.report.faults) >= _ENOUGH:
                break
            before = (match.version, [r.label for r in match.rounds])
            now += timedelta(hours=3)
            chance = seeded(self.plan.seed, match.name, match.version, now.isoformat(), "turn")
            if (moderated := self.moderated(match, now, chance)) is not None:
                now, match = moderated
                continue
            sendings, sleeper = self.answers(match, now, chance)
            if not sendings:
                due = (at for r in match.rounds for d in r.demands if (at := r.due_for(d.seat)))
                now = max(now, min(due, default=now) + timedelta(seconds=1))
                sendings = self._late(match, sleeper, now)
            phase = self._phase(match)
            match = self._step(match, now, sendings)
            self._tell(match, phase)
            holds = any(r.holds for r in match.rounds)  # beyond its deadline (`on_timeout=hold`)
            still = (match.version, [r.label for r in match.rounds]) == before
            if still and not sendings and not holds:
                self._fault(f"nothing moves any more at {now.isoformat()}")
                break
        else:
            self._fault(f"no end after {_MOST_STEPS} steps")
        self._finish(match)
        return now

    def _opened(self, now: datetime) -> str:
        plan = self.plan
        specs, data = shipped.game_options(plan.game), shipped.game_data(plan.game)
        options, faults = resolved(specs, plan.options)
        if faults:
            raise CannotDo(*faults)
        seats = plan.seats or self.game.seats(options)[0]
        roster = tuple(_entrant(person, i) for i, person in enumerate(_PEOPLE[:seats]))
        # dealt out to several referees, each match has the name it would have with one
        name, seed = f"{plan.game}-{self.number}" if plan.stride > 1 else None, plan.seed + self.number
        asked = NewMatch(plan.game, roster, plan.options, specs, data, name=name, seed=seed)
        return self.referee.moderator.open(asked, now).name

    # --- players -------------------------------------------------------------------------------------------------

    def answers(
        self, match: Match, now: datetime, chance: Chance
    ) -> tuple[list[Sending], tuple[OpenRound, Demand] | None]:
        """Everybody's mails; now and then nobody writes in time, and one of them will later."""
        sendings: list[Sending] = []
        sleeper: tuple[OpenRound, Demand] | None = None
        for r in match.rounds:
            for demand in outstanding(match, r):
                if demand.seat == REFEREE:
                    continue
                if r.due_at is not None and self.asleep and chance.below(self.asleep, "asleep") == 0:
                    sleeper = (r, demand)
                    continue
                asked, offered = self._asked.get(demand.seat, ""), self._offered.pop(demand.seat, "")
                sendings += self.postman.mails(match, demand, now, self.sent, asked, offered)
                self.sent += 1
                if not r.sealed:
                    return sendings, None
        return sendings, sleeper

    def _late(self, match: Match, sleeper: tuple[OpenRound, Demand] | None, now: datetime) -> list[Sending]:
        """Who slept wakes up a second after his deadline."""
        if sleeper is None or sleeper[0].label not in {r.label for r in match.rounds}:
            return []
        self.sent += 1
        return [self.postman.late(match, sleeper[1], now, self.sent)]

    def _deliver(self, raw: bytes, name: str, at: datetime) -> None:
        path = self.folder / "mail/in/new" / f"{self.number:03d}.{name}"
        path.write_bytes(raw)
        os.utime(path, (at.timestamp(), at.timestamp()))

    # --- the moderator -------------------------------------------------------------------------------------------

    def moderated(self, match: Match, now: datetime, chance: Chance) -> tuple[datetime, Match] | None:
        """What the moderator must do where a seat stands empty; None where he is idle."""
        waiting = (d for r in match.rounds if r.due_at is None for d in r.demands if d.seat == REFEREE)
        named = (int(d.about) for d in waiting if d.kind not in self.game.computed and d.about.isdigit())
        if (empty := next(named, None)) is None:
            return None
        self._newcomers += 1
        entrant = _entrant(f"{_PEOPLE[-1]} {self._newcomers}", self._newcomers, f"new{self._newcomers}")
        return now, self.by_hand(match, ev.EntrantReplaced(empty, entrant, WHY), now)

    def by_hand(self, match: Match, command: do.MatchCommand, now: datetime) -> Match:
        """Carry out a command of the moderator, with a pass after it."""
        self.report.counts[f"moderator: {verb(command).lower()}"] += 1
        self.referee.command(self._name, command, now, WHY)
        return self._step(match, now, by_hand=True)

    # --- a pass --------------------------------------------------------------------------------------------------

    def _step(
        self, before: Match, now: datetime, sendings: list[Sending] | None = None, *, by_hand: bool = False
    ) -> Match:
        """Deliver the mails, make a pass, look at every law."""
        for sending in sendings or ():
            self._deliver(sending.raw, sending.name, now)
        counts = self.referee.desk.step(now).facts()
        letters = self._outgoing.fresh()
        if asked := [letter for letter in letters if letter.notice == "challenge"]:
            counts = self._confirmed(asked, counts, now)
            letters += self._outgoing.fresh()
        self.report.counts.update({k: v for k, v in counts.items() if isinstance(v, int) and v})
        after = self._match()
        odd = [kind for kind in ("discarded", "held", "shunted", "waiting") if counts[kind]]
        if odd or counts["read"] != len(sendings or ()) or counts.get("trouble"):
            self._fault(f"at {now.isoformat()} {counts} for {len(sendings or ())} mails")
        self.report.counts["sent by OK"] += sum("-ok-" in s.message_id for s in sendings or ())
        self._offered = {
            s.seat: x.message_id
            for s in sendings or ()
            for x in letters
            if x.notice in ("refusal", "preview") and x.answers == s.message_id and _TAKES_OK.search(x.text)
        }
        asks = {x.recipient: x.message_id for x in letters if x.notice == "due" and x.match == self._name}
        for seat in after.numbers:
            if found := next((asks[a] for a in after.entrant(seat).addresses if a in asks), ""):
                self._asked[seat] = found
        passed = Passed(before, after, tuple(sendings or ()), tuple(letters), now, by_hand)
        for fault in self._laws.after(passed):
            self._fault(f"at {now.isoformat()}: {fault}")
        if seeded(self._name, after.version, "tick").below(_TICKS_TWICE, "tick twice") == 0:
            self.referee.desk.step(now)
            odd = ["changed the match"] if self._match() != after else []
            for fault in (*odd, *(f"sent {letter.notice}" for letter in self._outgoing.fresh())):
                self._fault(f"at {now.isoformat()}: a second pass at the same moment {fault}")
        return after

    def _confirmed(self, asked: list[SentLetter], counts: Counted, now: datetime) -> Counted:
        """Whoever is asked whether a mail is his says Yes by mail: one more pass. The counts of
        both, as if the mails had not been asked about."""
        for number, letter in enumerate(asked):
            reply = self.postman.confirmation(letter.recipient, letter.message_id, now)
            self._deliver(reply, f"{self.sent:05d}y{number}", now)
        self.report.counts["confirmed"] += len(asked)
        further = self.referee.desk.step(now).facts()
        numbers = {k: v + further[k] for k, v in counts.items() if isinstance(v, int)}
        for kind, told in (("held", 1), ("answered", 1), ("read", 2)):
            numbers[kind] -= told * len(asked)
        return {**counts, **numbers}

    def _match(self) -> Match:
        return self.referee.moderator.match(self._name)

    # --- telling -------------------------------------------------------------------------------------------------

    def _phase(self, match: Match) -> str:
        view = match.view(None)
        return view.phase if view else match.status

    def _tell(self, match: Match, phase: str) -> None:
        """Progress: every new phase, and the round being played now and then; all of it, where somebody looks on."""
        if self.onlooker is not None:
            self.onlooker.look(match)
        elif self._phase(match) != phase:
            self.show(f"{match.name}: {self._phase(match)} (public position {match.position})")
        elif self.sent >= self._told + _PROGRESS and match.rounds:
            self._told = self.sent
            self.show(f"{match.name}: {match.rounds[0].label} (public position {match.position})")

    def _finish(self, match: Match) -> None:
        """The record is left in its folder; what holds at the end of a match is looked at."""
        history = self.referee.moderator.history(self._name)
        record = record_json(public_record(self.game, history))
        (self.folder / "records" / f"{self._name}.json").write_text(record, encoding="utf-8")
        readable = text_record(self.game, history, draw_text)
        (self.folder / "records" / f"{self._name}.txt").write_text(readable, encoding="utf-8")
        for fault in self._laws.at_the_end(match, history, record):
            self._fault(fault)
        self.report.counts += self._laws.counts
        told = f"{self._name}: {_ending(match)} ({match.position} public positions)"
        self.report.outcomes.append(told)
        self.show(self.report.outcomes[-1])

    def _fault(self, text: str) -> None:
        self.report.faults.append(f"{self._name}: {text}")
        self.show(f"FAULT: {self.report.faults[-1]}")


def _entrant(person: str, number: int, address: str = "") -> Entrant:
    where = address or person.split()[0].lower()
    return Entrant(person, (f"{where}@players.example",), _ZONES[number % len(_ZONES)])


_MEMORY = Path("/dev/shm")
_ROOM = 4_000_000_000  # bytes
_SPAWN = multiprocessing.get_context("spawn")
_START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)


def rehearsed(
    plan: Plan,
    keep: Path | None,
    show: Show,
    jobs: int = 1,
    *,
    shown: bool = False,
    plays: type[Playing] = Playing,
) -> Report:
    """Play the plan's matches, dealt out by their numbers to so many processes with a referee of its own each; `plays`
    tells who plays one, `shown` whether all of it is shown. They are left in `keep`, or gone afterwards; where several
    processes play, what is kept of each lies in a folder of its own, and the records of all together. The same seed and
    as many jobs play the same matches. Raises CannotDo."""
    if plan.game not in found():
        raise CannotDo(f"There is no game {plan.game!r}. There are: {', '.join(found())}.")
    shares, report = min(jobs, plan.matches), Report(keep)
    if shares > 1:
        plans = [replace(plan, first=plan.first + n, stride=plan.stride * shares) for n in range(shares)]
        places = [None if keep is None else keep / f"referee-{n + 1}" for n in range(shares)]
        play = partial(rehearsed, show=partial(print, flush=True))  # their progress stands on the same output
        with ProcessPoolExecutor(shares, mp_context=_SPAWN) as pool:
            for done in pool.map(play, plans, places):
                report.counts += done.counts
                report.faults += done.faults
                report.outcomes += done.outcomes
        if keep is not None:
            _gather(plan, keep, [place for place in places if place is not None])
        return report
    with ExitStack() as stack:
        folder = keep or Path(stack.enter_context(tempfile.TemporaryDirectory(dir=_in_memory())))
        for part in ("mail/in/tmp", "mail/in/new", "mail/in/cur", "records"):
            private_folder(folder / part)
        # it hangs on the seed alone: a rehearsal can be repeated
        secret = f"a rehearsal's secret, of no use elsewhere {plan.seed}".encode().hex()
        texts = {"referee.toml": shipped.read("config", "referee.toml"), "referee.secret": f"{secret}\n"}
        for name, text in texts.items():
            if not (folder / name).exists():
                write_private(folder / name, text)
        mailbox, now = MaildirMailbox(folder / "mail/in"), _START
        with running(Located(Settings(), folder.resolve()), given_mailbox=mailbox) as referee:
            for number in plan.numbers:
                look = Onlooker(referee, show) if shown else None
                play_one = plays(found()[plan.game], plan, number, referee, folder, report, show, look)
                now = play_one.to_the_end(now)
                if keep is None:  # what nobody will read every pass would look through
                    for path in (*folder.glob("mail/in/cur/*"), *folder.glob("mail/out/new/*")):
                        path.unlink()
            if keep is not None:
                _publish(plan, referee, folder)
    return report


def _publish(plan: Plan, referee: Referee, folder: Path) -> None:
    referee.publish(folder / "site")
    matches, title = referee.moderator.matches(), found()[plan.game].title
    for match in matches:
        referee.write_letters(match.name, folder / "letters" / match.name)
    told = f"{title}: {_ending(matches[0])}" if len(matches) == 1 else f"A rehearsal of {title}"
    write_front(folder, told, (), shipped.folders("templates"), matches)


def _in_memory() -> Path | None:
    """Where files lie in memory, if there is room: what nobody keeps need not wait for a disk at every commit."""
    try:
        roomy = shutil.disk_usage(_MEMORY).free >= _ROOM
    except OSError:
        return None
    return _MEMORY if roomy and os.access(_MEMORY, os.W_OK | os.X_OK) else None


def _ending(match: Match) -> str:
    winners = [match.entrant(seat).name for seat in match.ended.winners] if match.ended else []
    return f"won by {', '.join(winners)}" if winners else "a draw" if match.ended else "not ended"


def _gather(plan: Plan, keep: Path, places: list[Path]) -> None:
    """All records in one folder, and a page that leads to what each referee left."""
    private_folder(keep / "records")
    for place in places:
        for record in (place / "records").iterdir():
            (keep / "records" / record.name).write_bytes(record.read_bytes())
    parts = [
        (f"{place.name}/index.html", f"Referee {number}", "Its matches: site, letters, records.")
        for number, place in enumerate(places, 1)
    ]
    write_front(keep, f"A rehearsal of {found()[plan.game].title}", parts, shipped.folders("templates"))
