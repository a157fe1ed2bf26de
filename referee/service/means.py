"""What the offices work with: settings, store, mailbox and courier, the games, what reads and writes letters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from referee.base import shipped
from referee.base.errors import RefereeError
from referee.base.private import private_file, private_folder
from referee.base.settings import Offices
from referee.games import Games, found
from referee.store.engine import Again
from referee.store.sql import AtDesk, Store
from referee.transport.account import Tokens, secret
from referee.transport.urls import Login, courier_from_url, mailbox_from_url

if TYPE_CHECKING:
    from referee.base.ports import Courier, KeepsMails, Mailbox
    from referee.core.game import AnyGame, Setup
    from referee.core.options import OptionSpec
    from referee.engine.solver import SolverProcess
    from referee.engine.watchdog import Watchdog
    from referee.letters.rendering import Renderer
    from referee.mail.reader import MailReader
    from referee.match.chain import Keys
    from referee.service.config import Configuration, CourierSection, Located, MailboxSection
    from referee.store.sql import Trip

# What a database raises that does not answer, is full or is locked, or where others are in the way without end.
STORE_TROUBLE = (sa.exc.SQLAlchemyError, Again)


class EngineMissing(RefereeError):
    """[engine] kind = "procrastinate" needs a package that is not installed: pip install "pbm-referee[workers]"."""


@cache
def _renderer(templates: tuple[Path, ...], zone: str) -> Renderer:
    """One renderer for all referees of a process that read the same templates."""
    from referee.letters.rendering import Renderer

    return Renderer(templates, zone)


@dataclass
class Means:
    """Each is made when it is first asked for, and what it is made of is loaded then: so a command pays for what it
    does, and a pass with nothing to do for next to nothing. `close` lets go of what is held.

    `mailbox` and `courier` may be given (tests, rehearsals); otherwise the configuration's are used.
    """

    located: Located
    given_mailbox: Mailbox | None = None
    given_courier: Courier | None = None
    trip: Trip = lambda where: None

    @cached_property
    def games(self) -> Games:
        return found()

    @property
    def settings(self) -> Configuration:
        return self.located.settings

    @cached_property
    def offices(self) -> Offices:
        return Offices.of(self.settings, self.at_desk[1])

    @cached_property
    def at_desk(self) -> AtDesk:
        return Offices.of(self.settings).at_desk, []

    @cached_property
    def store(self) -> Store:
        if self.settings.engine.kind == "inline":
            return Store(self.database, self.secret_path, self.trip, self.at_desk)
        if find_spec("procrastinate") is None:
            raise EngineMissing
        from referee.engine.store import KeyedStore

        return KeyedStore(self.database, self.secret_path, self.trip, self.at_desk)

    @property
    def secret_path(self) -> Path:
        """The file of the secret, unless the environment holds it."""
        return self.located.folder / secret_of(self.settings.store.url)

    @cached_property
    def database(self) -> str:
        """The store's URL with whatever is needed to open it; of SQLite the file is there then."""
        section, folder = self.settings.store, self.located.folder
        url = sa.make_url(section.url)
        if url.drivername.startswith("sqlite"):
            path = folder / (url.database or "referee.db")
            private_folder(path.parent)
            private_file(path)  # its -wal and -shm get its mode
            return str(url.set(database=str(path)))
        if section.password_env or section.password_command:
            url = url.set(password=secret(section.password_env, section.password_command, folder))
        return url.set(drivername="postgresql+psycopg").render_as_string(hide_password=False)

    @cached_property
    def mailbox(self) -> Mailbox:
        return self.given_mailbox if self.given_mailbox is not None else self.another_mailbox()

    def another_mailbox(self) -> KeepsMails:
        """A connection of its own to the mailbox: the service listens on one while it reads on another."""
        section = self.settings.mailbox
        return mailbox_from_url(section.url, self._login(section))

    def _login(self, section: MailboxSection | CourierSection) -> Login:
        folder = self.located.folder
        password = secret(section.password_env, section.password_command, folder)
        ca, command = Path(section.ca) if section.ca else None, section.token_command
        tokens = Tokens(command, folder) if command else None
        return Login(password, folder, ca, tokens)

    @cached_property
    def courier(self) -> Courier:
        if self.given_courier is not None:
            return self.given_courier
        section = self.settings.courier
        return courier_from_url(section.url, self._login(section))

    @cached_property
    def keys(self) -> Keys:
        from referee.match.chain import Keys

        return Keys(self.store.secret())

    @cached_property
    def renderer(self) -> Renderer:
        templates = tuple(shipped.folders("templates", self.located.folder))
        return _renderer(templates, self.settings.referee.timezone)

    @cached_property
    def reader(self) -> MailReader:
        from referee.mail.reader import MailReader

        trusted, offices = self.settings.mailbox.trusted_authserv, self.offices
        return MailReader(self.games, self.games.titles, offices.addresses, trusted, offices.also)

    @cached_property
    def solver(self) -> SolverProcess:
        from referee.engine.solver import SolverProcess

        return SolverProcess()

    @cached_property
    def watchdog(self) -> Watchdog:
        from referee.engine import supervisor
        from referee.engine.watchdog import Watchdog

        return Watchdog(self.settings.limits.seconds, supervisor.slate)

    # --- what games declare

    def game_options(self, slug: str) -> tuple[OptionSpec, ...]:
        return shipped.game_options(slug, self.located.folder, self.settings.referee.timezone)

    def game_data(self, slug: str) -> Mapping[str, Any]:
        return shipped.game_data(slug, self.located.folder)

    def rules(self, game: AnyGame) -> tuple[tuple[OptionSpec, ...], Mapping[str, Any]]:
        """The options of a match of the game, and the game's data."""
        return self.game_options(game.slug), self.game_data(game.slug)

    def usual(self, game: AnyGame) -> Setup:
        """With what a match of the game is opened where nobody wishes anything else."""
        from referee.core.options import resolved
        from referee.match.timing import game_setup

        specs, data = self.rules(game)
        options, _ = resolved(specs, {})
        return game_setup(options.values, data, game.seats(options)[0])

    def close(self) -> None:
        """Let go of connections, files and processes."""
        for part in ("solver", "mailbox", "courier", "store"):
            if part in self.__dict__:
                self.__dict__[part].close()


def secret_of(store: str) -> Path:
    """The file of the secret that belongs to a store, from the configuration's folder on."""
    url = sa.make_url(store)
    if url.drivername.startswith("sqlite"):
        return Path(url.database or "referee.db").with_suffix(".secret")
    return Path(f"{url.host or 'local'}-{url.database}.secret")
