"""`step`, `run`, `worker`, `deliver`."""

import gc
import logging
import signal
import sys
from functools import partial
from threading import Event

import typer

from referee.base import logs
from referee.base.errors import CannotDo
from referee.cli.app import JSON, NOW, command, flag, forgive, located, moment, numeric, referee_of, shown
from referee.offices.clock import doubt
from referee.offices.passes import Counts
from referee.service import supervisor
from referee.service.wiring import Referee
from referee.transport.maildir import deliver as hand_in
from referee.transport.urls import folder_of

# Objects made, until the collector looks through the youngest of a process that is to last. A short command lets far
# more pass; after 3,190 mails that had cost the service a fifth more memory (128 MB, not 104) and saved no time, while
# Python's own 700 costs a tenth more computing and saves no memory.
_YOUNG = 10_000


@command
def step(
    context: typer.Context,
    now: str | None = NOW,
    no_wait: bool = flag("--no-wait", "Leave a solver's verdict to a later step."),
    json: bool = JSON,
) -> None:
    """The exit status is 1 where the mailbox could not be read, or no letter could leave: the next pass tries again."""
    at = doubt.reading() if now is None else moment(now)
    supervisor.supervised(forgive=partial(forgive, context))
    slate, ends = supervisor.slate, Event()
    if slate is not None:
        supervisor.at_the_end(ends.set)

    def note(counts: Counts) -> None:
        if slate is not None:
            slate.count(counts.done())

    with referee_of(context) as referee:
        outage = referee.settings.poll.outage
        done = referee.desk.step(at, wait=not no_wait, outage=outage, stopping=ends.is_set, told=note)
        if slate is not None:  # what was done by earlier processes that died in the midst of it
            done.add_done(slate.counted_before)
        referee.beat()
    counts = done.facts()
    told = ", ".join(f"{name} {count}" for name, count in counts.items() if name != "trouble")
    shown(counts, [told], json=json)
    for line in done.trouble:
        sys.stderr.write(f"referee: {line}\n")
    if done.cut_off:
        raise typer.Exit(1)


@command
def run(context: typer.Context) -> None:
    """Standard error tells what it reads and sends by, each mail with what became of it, and what
    it can't reach: once, and once when it is over."""
    _at_work(context)


@command
def worker(
    context: typer.Context, jobs: int = numeric("--jobs", "So many, each a process of its own.", 1, 1, 64)
) -> None:
    """It takes what is due from the queue in PostgreSQL. SIGTERM ends it within two seconds; what
    is not done by then is undone, for another one."""
    if located(context).settings.engine.kind == "inline":
        raise CannotDo(
            'The configuration says [engine] kind = "inline": one desk does it all, by `referee run` or `step`. '
            'Several workers need kind = "procrastinate" and PostgreSQL; `referee init --workers` writes that.'
        )
    if jobs > 1:
        with referee_of(context) as referee:
            _in_order(referee)
    _at_work(context, jobs, listening=False)


def _at_work(context: typer.Context, jobs: int = 1, *, listening: bool = True) -> None:
    """Until it is stopped, by one desk or by workers."""
    gc.set_threshold(_YOUNG)  # it runs for months
    logs.level = logging.DEBUG if context.meta.get("verbose") else logging.INFO
    supervisor.supervised(lasting=True, jobs=jobs, forgive=partial(forgive, context))
    from referee.service.service import Service, Worker

    with referee_of(context) as referee:
        _in_order(referee)
        found = referee.located
        if found.settings.engine.kind == "inline":
            return Service(referee).run()
    return Worker(found, listening=listening).run()


def _in_order(referee: Referee) -> None:
    """What is wrong with the mailbox or the courier, of workers also with the store and its secret, is said at once, in
    a line, and not by one stumbling job after the other."""
    if referee.settings.engine.kind != "inline":
        referee.store.secret()
    _ = (referee.mailbox, referee.courier)


@command
def deliver(context: typer.Context) -> None:
    """The exit status is 0 once the mail is on the disk, and 75 whatever goes wrong: the mail
    server then keeps it, and tries again."""
    signal.signal(signal.SIGTERM, _stop)
    found = located(context)
    box = found.settings.mailbox
    if not box.url.startswith("maildir:"):
        raise CannotDo(
            "[mailbox] url is no Maildir: the referee fetches its mail itself, nothing is handed to it."
        )
    with open(0, "rb", closefd=False) as mail:  # one too long to be read is kept whole, and answered
        hand_in(folder_of(box.url, found.folder), mail, 100 * box.largest)


def _stop(number: int, frame: object) -> None:
    signal.signal(number, signal.SIG_IGN)  # once is enough: the draft is being removed
    raise SystemExit(1)
