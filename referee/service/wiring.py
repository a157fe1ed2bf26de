"""The composition root: everything, put together from a configuration."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import sqlalchemy as sa

from referee.base import shipped
from referee.base.errors import RefereeError, outlined
from referee.base.logs import Log
from referee.base.ports import WorthKnowing
from referee.base.private import private_file, private_folder
from referee.base.settings import Offices
from referee.games import found
from referee.store.engine import Again
from referee.store.sql import AtDesk, Store
from referee.transport.account import Tokens, secret
from referee.transport.urls import courier_from_url, mailbox_from_url

if TYPE_CHECKING:
    from datetime import datetime

    from referee.base.ports import Courier, Mailbox
    from referee.base.settings import CourierSection, MailboxSection
    from referee.mail.mail import Identified
    from referee.mail.reader import MailReader
    from referee.match.commands import MatchCommand
    from referee.match.match import Match
    from referee.offices.moderator import Moderator
    from referee.offices.register import Facts
    from referee.service.config import Located
    from referee.service.solver import SolverProcess
    from referee.service.supervisor import Watchdog
    from referee.service.tasks import Tasks
    from referee.site.publish import FromRecords
    from referee.store.sql import Trip, Unit
    from referee.way.loop import Archivist, Desk, Stimuli
    from referee.way.room import Room
    from referee.way.stations import Inquiry

T = TypeVar("T")
# What a database raises that does not answer, is full or is locked, or where others are in the way without end.
STORE_TROUBLE = (sa.exc.SQLAlchemyError, Again)
log = Log("referee.heartbeat")


class EngineMissing(RefereeError):
    """[engine] kind = "procrastinate" needs a package that is not installed: pip install "pbm-referee[workers]"."""


@dataclass
class Referee:
    """What it works with, and, put together as its `parts` when there is anything to do, who does the work:
    a command pays for what it does, and a pass with nothing to do for next to nothing. `close` lets go of what is held.

    `mailbox` and `courier` may be given (tests, rehearsals); else the configuration's are used.
    """

    located: Located
    given_mailbox: Mailbox | None = None
    given_courier: Courier | None = None
    trip: Trip = lambda where: None
    beats = True  # as far as the log was told

    def __post_init__(self) -> None:
        self.games, self.settings = found(), self.located.settings
        self.at_desk: AtDesk = Offices(self.settings).at_desk, []
        self.offices, here = Offices(self.settings, self.at_desk[1]), self.located.folder
        beat, site = self.settings.poll.heartbeat, self.settings.site.folder
        # a file whose time is that of the last pass, by the machine's own clock; and where every pass keeps the public
        # archive current; None where there is none
        self.heartbeat, self.site = here / beat if beat else None, here / site if site else None

    @cached_property
    def store(self) -> Store:
        if self.settings.engine.kind == "inline":
            return Store(self.database, self.secret_path, self.trip, self.at_desk)
        if find_spec("procrastinate") is None:
            raise EngineMissing
        from referee.service.keyed import KeyedStore

        return KeyedStore(self.database, self.secret_path, self.trip, self.at_desk)

    @cached_property
    def store_file(self) -> Path | None:
        """The file of SQLite; None where the store is PostgreSQL's."""
        url = sa.make_url(self.settings.store.url)
        ours = url.drivername.startswith("sqlite")
        return self.located.folder / (url.database or "referee.db") if ours else None

    @property
    def secret_path(self) -> Path:
        """The file of the secret, unless the environment holds it."""
        if self.store_file is not None:
            return self.store_file.with_suffix(".secret")
        url = sa.make_url(self.settings.store.url)
        return self.located.folder / f"{url.host or 'local'}-{url.database}.secret"

    @cached_property
    def database(self) -> str:
        """The store's URL with whatever is needed to open it; of SQLite the file is there then."""
        section, folder, path = self.settings.store, self.located.folder, self.store_file
        url = sa.make_url(section.url)
        if path is not None:
            private_folder(path.parent)
            private_file(path)  # its -wal and -shm get its mode
            return str(url.set(database=str(path)))
        if section.password_env or section.password_command:
            url = url.set(password=secret(section.password_env, section.password_command, folder))
        return url.set(drivername="postgresql+psycopg").render_as_string(hide_password=False)

    @cached_property
    def mailbox(self) -> Mailbox:
        return self.another_mailbox() if self.given_mailbox is None else self.given_mailbox

    def another_mailbox(self) -> Mailbox:
        """A connection of its own to the mailbox: the service listens on one while it reads on another."""
        return self._opened(mailbox_from_url, self.settings.mailbox)

    @cached_property
    def courier(self) -> Courier:
        ours = self.given_courier
        return self._opened(courier_from_url, self.settings.courier) if ours is None else ours

    def _opened(self, by: Callable[..., T], section: MailboxSection | CourierSection) -> T:
        folder, command = self.located.folder, section.token_command
        password = secret(section.password_env, section.password_command, folder)
        ca, tokens = folder / section.ca if section.ca else None, Tokens(command, folder) if command else None
        return by(section.url, folder, password=password, ca=ca, tokens=tokens)

    @cached_property
    def solver(self) -> SolverProcess:
        from referee.service.solver import SolverProcess

        return SolverProcess()

    @cached_property
    def watchdog(self) -> Watchdog:
        from referee.service import supervisor

        return supervisor.Watchdog(self.settings.limits.seconds, supervisor.slate)

    # --- who does the work

    @cached_property
    def parts(self) -> Room:
        from referee.way.room import Room

        aids = self.offices, self.reader, self.solver, lambda: self.courier
        return Room(self.settings, self.located.folder, self.games, self.store, *aids)

    @cached_property
    def inquiry(self) -> Inquiry:
        from referee.way.stations import Inquiry

        return Inquiry(self.store, self.parts, self.watchdog)

    @property
    def moderator(self) -> Moderator:
        return self.parts.moderator

    @cached_property
    def reader(self) -> MailReader:
        from referee.mail.reader import MailReader

        offices, trusted = self.offices, self.settings.mailbox.trusted_authserv
        return MailReader(self.games, self.games.titles, offices.addresses, trusted, offices.also)

    def command(self, name: str, command: MatchCommand, now: datetime, why: str = "") -> Match:
        """Carry out a command on a match, at the desk. Raises CannotDo."""
        return self.moderator.act(lambda unit: self.parts.acts.command(unit, name, command, why), now)

    @cached_property
    def archivist(self) -> Archivist:
        from referee.way.loop import Archivist

        key: Callable[[Unit, Identified], str] | None = None
        if self.settings.engine.kind != "inline":  # what orders a mail where several workers judge
            from referee.way.routing import key_of as key
        return Archivist(self.store, self.mailbox, lambda: self.reader, self.settings, self.watchdog, key)

    @cached_property
    def stimuli(self) -> Stimuli:
        from referee.way.loop import Stimuli

        archived = partial(self.publish, self.site) if self.site else None
        return Stimuli(self.store, lambda: self.parts, self.watchdog, self.settings, archived)

    @cached_property
    def desk(self) -> Desk | Tasks:
        """What takes a pass."""
        if self.settings.engine.kind != "inline":
            return self.tasks()
        from referee.way.loop import Desk

        return Desk(self.store, self.archivist, self.stimuli)

    def tasks(self) -> Tasks:
        """What a worker does."""
        from referee.service.keyed import KeyedStore
        from referee.service.tasks import Tasks

        assert isinstance(self.store, KeyedStore)
        return Tasks(self.store, self.archivist, self.stimuli)

    def stands(self, name: str = "") -> list[Facts]:
        """How every match stands in public, by their opening, or the one of that name: read from its row as its last
        change left it. Only where another version of the program wrote that is the match itself asked, and what it says
        is kept; of one that can't be folded the outline, but where its name was given, which raises CannotDo."""
        with self.store.transaction() as unit:
            rows, program = unit.summaries([name] if name else None), shipped.program()
        found: list[Facts] = []
        for row in rows:
            made = json.loads(row.facts or "{}")
            own = made.get("by") == [program, row.stamp, row.version]
            found.append(made["facts"] if own else self.moderator.stand(row.name, not name))
        return found or [self.moderator.stand(name, False)] if name else found

    # --- that it is at work: a file that every pass touches tells whoever keeps watch

    def beat(self) -> None:
        """A pass is over, whatever it could not reach."""
        if (file := self.heartbeat) is None:
            return
        try:
            private_file(file)
            file.touch()
        except OSError as error:  # whoever keeps watch sees it by that
            if self.beats:
                log.warning("no heartbeat", error=outlined(error))
            self.beats = False
        else:
            self.beats = True

    def last_beat(self) -> Iterator[str]:
        """For `doctor`: what is wrong, or worth knowing."""
        if (file := self.heartbeat) is None:
            return
        try:
            age = timedelta(seconds=max(0, round(time.time() - file.stat().st_mtime)))
        except FileNotFoundError:
            yield WorthKnowing(f"No pass has touched {file} yet.")
            return
        told = f"The last pass touched {file} {age} (hours:minutes:seconds) ago."
        late = f"{told} Is `referee run` at work, or cron? Its log tells more."
        yield late if age > self.settings.poll.silence else WorthKnowing(told)

    @property
    def picture(self) -> Path | None:
        """The club's, for the archive; None where the configuration names none that can be read."""
        own = self.located.folder / self.settings.site.picture
        return own if own.is_file() and os.access(own, os.R_OK) else None

    def publish(self, into: Path, ledgers: FromRecords | None = None) -> int:
        """Write what has changed into the public archive in a folder, of the store's matches or of
        others; how many matches it shows."""
        from referee.site.publish import PublicArchive

        templates = shipped.folders("templates", self.located.folder)
        told = ledgers or self.moderator
        return PublicArchive(told, self.parts.speaker, self.picture, templates).build(into)

    def write_letters(self, match: str, into: Path, seat: int | None = None) -> tuple[Path, int]:
        """The letters of a match, or of one seat, as private pages; the one to open, and how many letters."""
        from referee.site.letterbox import shelves, write_letters

        with self.store.transaction() as unit:
            found = shelves(unit, match, seat)
        templates = shipped.folders("templates", self.located.folder)
        page = write_letters(found, match, into, templates)
        return page, sum(len(shelf.letters) for shelf in found)

    def close(self) -> None:
        """Let go of connections, files and processes."""
        for part in ("solver", "mailbox", "courier", "store"):
            if part in self.__dict__:
                self.__dict__[part].close()


@contextmanager
def running(located: Located, **given: Any) -> Iterator[Referee]:
    """A referee for the length of a block."""
    referee = Referee(located, **given)
    try:
        yield referee
    finally:
        referee.close()
