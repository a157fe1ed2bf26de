"""Many matches on several cores: each process plays its share with a referee of its own, and reports."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing.queues import SimpleQueue
from pathlib import Path

from referee.archive.letterbox import write_front
from referee.base.private import private_folder
from referee.base.shipped import folders
from referee.games import found
from referee.rehearsal.plan import Plan, Report
from referee.rehearsal.playing import Show
from referee.rehearsal.rehearse import Rehearsal

_SPAWN = multiprocessing.get_context("spawn")
_Lines = SimpleQueue[str | None]
_lines: _Lines | None = None  # of a process that plays: where its lines of progress go


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
    write_front(keep, f"A rehearsal of {found()[plan.game].title}", parts, folders("templates"))
