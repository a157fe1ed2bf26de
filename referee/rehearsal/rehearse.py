"""Rehearsals: whole matches, played by seeded players through real mails against the real program."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from multiprocessing.queues import SimpleQueue
from pathlib import Path

from referee.archive.letterbox import write_front
from referee.base import shipped
from referee.base.errors import CannotDo
from referee.base.private import private_folder, write_private
from referee.games import found
from referee.post.carrying.maildir import MaildirMailbox
from referee.rehearsal.plan import Plan, Report
from referee.rehearsal.playing import Playing, Show
from referee.service.config import Configuration, Located
from referee.service.wiring import Referee, running

_MEMORY = Path("/dev/shm")
_ROOM = 4_000_000_000  # bytes
_SPAWN = multiprocessing.get_context("spawn")
_START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)


_Lines = SimpleQueue[str | None]
_lines: _Lines | None = None  # of a process that plays: where its lines of progress go


class Rehearsal:
    """Plays the plan's matches one after another. Left in `keep`, or gone afterwards."""

    plays = Playing  # who plays one of them

    def __init__(self, plan: Plan, keep: Path | None, show: Show) -> None:
        if plan.game not in found():
            raise CannotDo(f"There is no game {plan.game!r}. There are: {', '.join(found())}.")
        self._plan = plan
        self._keep = keep
        self._show = show
        self._game = found()[plan.game]

    def play(self) -> Report:
        with ExitStack() as stack:
            folder = self._keep or Path(stack.enter_context(tempfile.TemporaryDirectory(dir=_in_memory())))
            report = Report(self._keep)
            self._prepare(folder)
            located = Located(Configuration(), folder.resolve())
            mailbox = MaildirMailbox(folder / "mail/in")
            with running(located, given_mailbox=mailbox) as referee:
                now = _START
                for number in self._plan.numbers:
                    play = self.plays(self._game, self._plan, number, referee, folder, report, self._show)
                    now = play.to_the_end(now)
                    if self._keep is None:
                        _let_go(folder)
                self._publish(referee, folder)
        return report

    def _prepare(self, folder: Path) -> None:
        """The folder of a referee, with a secret that hangs on the seed alone, so that a rehearsal can be repeated."""
        for part in ("mail/in/tmp", "mail/in/new", "mail/in/cur", "records"):
            private_folder(folder / part)
        if not (folder / "referee.toml").exists():
            write_private(folder / "referee.toml", shipped.read("config", "referee.toml"))
        if not (folder / "referee.secret").exists():
            secret = f"a rehearsal's secret, of no use elsewhere {self._plan.seed}"
            write_private(folder / "referee.secret", f"{secret.encode().hex()}\n")

    def _publish(self, referee: Referee, folder: Path) -> None:
        if self._keep is not None:
            referee.publish(folder / "site")
            names = [match.name for match in referee.moderator.matches()]
            for name in names:
                referee.write_letters(name, folder / "letters" / name)
            write_front(
                folder, f"A rehearsal of {self._game.title}", _parts(names), shipped.folders("templates")
            )


def _in_memory() -> Path | None:
    """Where files lie in memory, if there is room: what nobody keeps need not wait for a disk at every commit."""
    try:
        roomy = shutil.disk_usage(_MEMORY).free >= _ROOM
    except OSError:
        return None
    return _MEMORY if roomy and os.access(_MEMORY, os.W_OK | os.X_OK) else None


def _let_go(folder: Path) -> None:
    """Nobody will read the mails and letters of a match that is over: with them every pass would look through more."""
    for part in ("mail/in/cur", "mail/out/new"):
        for path in (folder / part).glob("*"):
            path.unlink()


def _parts(names: list[str]) -> list[tuple[str, str, str]]:
    """What is left to look at: link, what, a sentence."""
    parts = [("site/index.html", "The site", "What everybody may see: every match, turn by turn.")]
    for name in names:
        parts += [
            (
                f"letters/{name}/index.html",
                f"Letters of {name}",
                "What the referee wrote to whom, and the mails it answered. Private.",
            ),
            (
                f"records/{name}.json",
                f"Record of {name}",
                "Everything public as data; `referee verify` checks it.",
            ),
            (f"records/{name}.txt", f"Record of {name}, to read", "The same in the game's notation."),
        ]
    return parts


# --- many matches on several cores: each process plays its share with a referee of its own, and reports


def rehearsed(plan: Plan, keep: Path | None, show: Show, jobs: int = 1) -> Report:
    """Play the plan's matches on so many processes, dealt out by their numbers. Where more than one plays, what is
    kept of each lies in a folder of its own, and the records of all together. The same seed and as many jobs play the
    same matches. Raises CannotDo."""
    shares = min(jobs, plan.matches)
    if shares == 1:
        return Rehearsal(plan, keep, show).play()
    plans = [replace(plan, first=plan.first + share, stride=plan.stride * shares) for share in range(shares)]
    places = [None if keep is None else keep / f"referee-{share + 1}" for share in range(shares)]
    report = Report(keep)
    with (
        _heard(show) as lines,
        ProcessPoolExecutor(shares, mp_context=_SPAWN, initializer=_begin, initargs=(lines,)) as pool,
    ):
        for share in [pool.submit(_play, *work) for work in zip(plans, places, strict=True)]:
            done = share.result()
            report.counts += done.counts
            report.faults += done.faults
            report.outcomes += done.outcomes
    if keep is not None:
        _gather(plan, keep, [place for place in places if place is not None])
    return report


@contextmanager
def _heard(show: Show) -> Iterator[_Lines]:
    """A queue whose lines are shown as they come, until the block ends."""
    lines: _Lines = _SPAWN.SimpleQueue()

    def listen() -> None:
        while (line := lines.get()) is not None:
            show(line)

    listener = threading.Thread(target=listen)
    listener.start()
    try:
        yield lines
    finally:
        lines.put(None)
        listener.join()


def _begin(lines: _Lines) -> None:
    global _lines
    _lines = lines


def _play(plan: Plan, keep: Path | None) -> Report:
    assert _lines is not None
    return Rehearsal(plan, keep, _lines.put).play()


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
