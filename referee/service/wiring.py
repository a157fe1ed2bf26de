"""The composition root: the only file that knows all adapters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from referee.base import shipped
from referee.base.errors import RefereeError
from referee.base.private import private_file, private_folder
from referee.games import Games, found
from referee.offices.ports.store import Again
from referee.offices.settings import Offices
from referee.post.carrying.credentials import secret, tokens_by
from referee.post.carrying.transports import courier_from_url, mailbox_from_url
from referee.store.sql import SqlStore

if TYPE_CHECKING:
    from referee.archive import Built
    from referee.archive.publish import Ledgers
    from referee.core.diagram import Diagram
    from referee.core.game import AnyGame, Setup
    from referee.core.options import OptionSpec
    from referee.engine.solver import SolverProcess
    from referee.engine.step import QueueDesk
    from referee.engine.tasks import Tasks
    from referee.engine.watchdog import Watchdog
    from referee.match.chain.sealing import Keys
    from referee.offices.clock.club import Club
    from referee.offices.clock.reminders import Reminders
    from referee.offices.clock.searches import Searches
    from referee.offices.clock.timekeeper import Timekeeper
    from referee.offices.club.openings import Openings
    from referee.offices.club.proposals import Proposals
    from referee.offices.club.tournaments import Tournaments
    from referee.offices.decisions import Decisions
    from referee.offices.desk import Desk
    from referee.offices.faults import Faults
    from referee.offices.incoming.collector import Collector
    from referee.offices.incoming.inquiry import Inquiry
    from referee.offices.incoming.intake.archivist import Archivist
    from referee.offices.incoming.moderators.carried import DeskOrders
    from referee.offices.incoming.moderators.daily import Daily
    from referee.offices.moderating.acts import Acts
    from referee.offices.moderating.moderator import Moderator
    from referee.offices.moderating.tray import Tray
    from referee.offices.outgoing.courier_round import CourierRound
    from referee.offices.outgoing.letters import Letter
    from referee.offices.outgoing.outbox import Outbox
    from referee.offices.outgoing.speaker import Speaker
    from referee.offices.ports.mail import Addressed
    from referee.offices.ports.store import Unit
    from referee.offices.ports.transport import Courier, KeepsMails, Mailbox
    from referee.offices.register.matches import Matches
    from referee.offices.register.stands import Register
    from referee.offices.stimuli import Stimuli
    from referee.post.reader import MailReader
    from referee.post.writing.envelope import Envelope
    from referee.post.writing.rendering import Renderer
    from referee.service.config import Configuration, Located
    from referee.store.sql import Trip

# What a database raises that does not answer, is full or is locked, or where others are in the way without end.
STORE_TROUBLE = (sa.exc.SQLAlchemyError, Again)


_BOARDS_AT_HAND = 16


class EngineMissing(RefereeError):
    """[engine] kind = "procrastinate" needs a package that is not installed: pip install "referee[workers]"."""


class Drawings:
    """What letters need of `drawing`. A board is drawn once for all who see the same."""

    def __init__(self) -> None:
        from referee.drawing import describe, draw_text

        self.text = lru_cache(_BOARDS_AT_HAND)(draw_text)
        self.words = lru_cache(_BOARDS_AT_HAND)(describe)

    def svg(self, diagram: Diagram) -> str:
        from referee.drawing import draw_svg

        return draw_svg(diagram)

    def key(self, diagram: Diagram) -> tuple[tuple[str, str], ...]:
        from referee.drawing import picture_key

        return picture_key(diagram)


@dataclass(frozen=True, slots=True)
class KeptArchive:
    """The archive in the folder that the configuration names."""

    publish: Callable[[Path], Built]
    folder: Path
    linked: bool = False

    def refresh(self) -> None:
        self.publish(self.folder)


@cache
def _drawings() -> Drawings:
    """One for all that is drawn in a process: the board of a letter is that of the match's row."""
    return Drawings()


@cache
def _renderer(templates: tuple[Path, ...], zone: str) -> Renderer:
    """One renderer for all referees of a process that read the same templates."""
    from referee.post.writing.rendering import Renderer

    return Renderer(templates, _drawings(), zone)


@dataclass
class Referee:
    """Everything, put together from a configuration. A part is made when it is first asked for, and what it is made of
    is loaded then: so a command pays for what it does, and a pass with nothing to do for next to nothing. That is why
    each part names here, and only here, where it comes from; `close` lets go of them.

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
        return Offices.of(self.settings)

    @cached_property
    def store(self) -> SqlStore:
        return self._opened(self.database, self.secret_path)

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

    def _opened(self, url: str, secret_path: Path) -> SqlStore:
        if self.settings.engine.kind == "inline":
            return SqlStore(url, secret_path, self.trip)
        if find_spec("procrastinate") is None:
            raise EngineMissing
        from referee.engine.store import KeyedStore

        return KeyedStore(url, secret_path, self.trip, site=bool(self.settings.site.folder))

    @cached_property
    def mailbox(self) -> Mailbox:
        return self.given_mailbox if self.given_mailbox is not None else self.another_mailbox()

    def another_mailbox(self) -> KeepsMails:
        """A connection of its own to the mailbox: the service listens on one while it reads on another."""
        s = self.settings.mailbox
        ca = Path(s.ca) if s.ca else None
        password = secret(s.password_env, s.password_command, self.located.folder)
        tokens = tokens_by(s.token_command, self.located.folder)
        return mailbox_from_url(s.url, password, base=self.located.folder, ca=ca, tokens=tokens)

    @cached_property
    def courier(self) -> Courier:
        if self.given_courier is not None:
            return self.given_courier
        s = self.settings.courier
        ca = Path(s.ca) if s.ca else None
        password = secret(s.password_env, s.password_command, self.located.folder)
        tokens = tokens_by(s.token_command, self.located.folder)
        return courier_from_url(
            s.url, password, base=self.located.folder, ca=ca, tokens=tokens, connections=s.connections
        )

    @cached_property
    def keys(self) -> Keys:
        from referee.match.chain.sealing import Keys

        return Keys(self.store.secret())

    @cached_property
    def renderer(self) -> Renderer:
        templates = tuple(shipped.folders("templates", self.located.folder))
        return _renderer(templates, self.settings.referee.timezone)

    @cached_property
    def reader(self) -> MailReader:
        from referee.post.reader import MailReader
        from referee.post.trust.dkim import SignatureCheck

        trusted = self.settings.mailbox.trusted_authserv
        signed = SignatureCheck() if self.settings.senders.dkim else None
        offices = self.offices
        return MailReader(
            self.games, self.games.titles, offices.addresses, trusted, signed, also=offices.also
        )

    @cached_property
    def solver(self) -> SolverProcess:
        from referee.engine.solver import SolverProcess

        return SolverProcess()

    @cached_property
    def watchdog(self) -> Watchdog:
        from referee.engine import supervisor
        from referee.engine.watchdog import Watchdog

        return Watchdog(self.settings.limits.seconds, supervisor.slate)

    def _usual(self, game: AnyGame) -> Setup:
        """With what a match of the game is opened where nobody wishes anything else."""
        from referee.core.options import resolved
        from referee.match.timing import game_setup

        specs, data = self._rules(game)
        options, _ = resolved(specs, {})
        return game_setup(options.values, data, game.seats(options)[0])

    @cached_property
    def matches(self) -> Matches:
        from referee.offices.register.matches import Matches

        return Matches(self.games, self.settings, _drawings().text, shipped.program)

    # --- outgoing

    @cached_property
    def speaker(self) -> Speaker:
        from referee.offices.outgoing.speaker import Speaker

        return Speaker(self.renderer, self.keys, self.offices, self.games, self._usual)

    @cached_property
    def outbox(self) -> Outbox:
        from referee.offices.outgoing.outbox import Outbox

        return Outbox(self.matches, self.speaker, self.settings)

    @cached_property
    def envelope(self) -> Envelope:
        from referee.post.writing.envelope import Envelope

        return Envelope(self.offices, _png)

    @cached_property
    def courier_round(self) -> CourierRound:
        from referee.offices.outgoing.courier_round import CourierRound

        return CourierRound(
            self.store, self.courier, self._packed, self.speaker, self.outbox, self.offices, self.settings
        )

    def _packed(self, letter: Letter) -> bytes:
        return self.envelope(letter)

    # --- incoming

    @cached_property
    def decisions(self) -> Decisions:
        from referee.offices.decisions import Decisions

        return Decisions(self.matches, self.speaker, self.outbox, self.keys)

    @cached_property
    def collector(self) -> Collector:
        from referee.offices.incoming.collector import Collector
        from referee.offices.incoming.commands import CommandGate
        from referee.offices.incoming.intake.bounces import Bounces
        from referee.offices.incoming.intake.unread import Unread
        from referee.offices.incoming.invitations import Invitations
        from referee.offices.incoming.measures import Allowances, Loops
        from referee.offices.incoming.moderators.gate import ModeratorsGate
        from referee.offices.incoming.moderators.questions import Questions
        from referee.offices.incoming.requests.further import Addresses
        from referee.offices.incoming.requests.request import Requests
        from referee.offices.incoming.senders import Senders
        from referee.offices.incoming.to_seat import ToSeat
        from referee.offices.incoming.trust.challenges import Challenges
        from referee.offices.incoming.trust.doubtful import Doubtful
        from referee.offices.incoming.trust.strangers import Strangers
        from referee.offices.incoming.words.answers import Answers
        from referee.offices.incoming.words.own_words import OwnWords
        from referee.offices.incoming.words.quotes import Quotes
        from referee.offices.incoming.words.weighing import Weighing
        from referee.offices.outgoing.verdicts import VerdictLetters
        from referee.post.trust.openpgp import Sequoia

        matches, decisions, speaker, settings = self.matches, self.decisions, self.speaker, self.settings
        signatures = Sequoia() if Sequoia.installed() else None
        senders = Senders(matches, self.keys, self.offices, settings, signatures)
        addresses = Addresses(speaker, self.offices, settings)
        requests = Requests(
            matches,
            decisions,
            speaker,
            self.games,
            self.keys,
            self.offices,
            settings,
            senders,
            addresses,
            self.proposals,
            self.tournaments,
            signatures,
        )
        challenges = Challenges(self.reader, matches, decisions, speaker, settings)
        loops, allowances, quotes = Loops(speaker), Allowances(speaker, settings), Quotes(self.reader)
        letters = VerdictLetters(matches, speaker, settings)
        questions = Questions(self.reader, speaker, senders, self.offices, settings)
        answers = Answers(matches, decisions, speaker, letters, allowances, questions, settings)
        words = OwnWords(matches, senders, quotes, answers, settings.limits)
        doubtful = Doubtful(senders, challenges, loops, requests)
        strangers = Strangers(allowances, requests)
        return Collector(
            self.reader,
            senders,
            Unread(senders, Bounces(matches, decisions, speaker, self.outbox), loops),
            doubtful,
            quotes,
            challenges,
            loops,
            allowances,
            requests,
            ModeratorsGate(self.orders, speaker, senders, loops, self.offices, settings),
            questions,
            CommandGate(requests, doubtful, challenges, loops, allowances, strangers, words),
            Weighing(matches),
            ToSeat(matches, requests, words, doubtful, answers, strangers, questions),
            Invitations(requests),
        )

    @cached_property
    def inquiry(self) -> Inquiry:
        from referee.offices.incoming.inquiry import Inquiry

        return Inquiry(
            self.store, self.reader, self.collector, self.matches, self.renderer, self.settings, self.watchdog
        )

    # --- the club

    @cached_property
    def proposals(self) -> Proposals:
        from referee.offices.club.members import Members
        from referee.offices.club.proposals import Proposals

        members = Members(self.matches, self.offices)
        return Proposals(members, self.openings, self.speaker, self.outbox, self.keys, self.settings)

    @cached_property
    def openings(self) -> Openings:
        from referee.offices.club.openings import Openings

        return Openings(self.decisions, self.keys, self._rules)

    @cached_property
    def tournaments(self) -> Tournaments:
        from referee.offices.club.tournaments import Tournaments

        return Tournaments(self.matches, self.openings, self.speaker, self.outbox, self.keys, self.offices)

    def _rules(self, game: AnyGame) -> tuple[tuple[OptionSpec, ...], Mapping[str, Any]]:
        """The options of a match of the game, and the game's data."""
        folder = self.located.folder
        specs = shipped.game_options(game.slug, folder, self.settings.referee.timezone)
        return specs, shipped.game_data(game.slug, folder)

    @cached_property
    def club(self) -> Club:
        from referee.offices.clock.club import Club

        return Club(self.proposals, self.tournaments, self.faults)

    # --- the clock

    @cached_property
    def faults(self) -> Faults:
        from referee.offices.faults import Faults

        return Faults(self.matches, self.speaker, self.outbox)

    @cached_property
    def timekeeper(self) -> Timekeeper:
        from referee.offices.clock.timekeeper import Timekeeper

        return Timekeeper(self.matches, self.decisions, self.speaker, self.outbox, self.faults, self.settings)

    @cached_property
    def reminders(self) -> Reminders:
        from referee.offices.clock.reminders import Reminders

        return Reminders(self.matches, self.decisions, self.speaker, self.outbox, self.faults, self.settings)

    @cached_property
    def searches(self) -> Searches:
        from referee.offices.clock.searches import Searches

        return Searches(self.store, self.matches, self.decisions, self.faults, self.settings, self.solver)

    # --- the desk and the moderator

    @cached_property
    def archivist(self) -> Archivist:
        from referee.offices.incoming.intake.archivist import Archivist

        keyed = self.settings.engine.kind != "inline"
        return Archivist(
            self.store,
            self.mailbox,
            lambda: self.reader,
            self.settings,
            lambda: self.watchdog,
            _key_of if keyed else None,
        )

    @cached_property
    def stimuli(self) -> Stimuli:
        from referee.offices.stimuli import Stimuli

        return Stimuli(
            self.store,
            collector=lambda: self.collector,
            timekeeper=lambda: self.timekeeper,
            reminders=lambda: self.reminders,
            searches=lambda: self.searches,
            club=lambda: self.club,
            courier=lambda: self.courier_round,
            outbox=lambda: self.outbox,
            faults=lambda: self.faults,
            limit=lambda: self.watchdog,
            archive=self.archive,
            daily=self._daily,
            hour=self.settings.limits.digest_hour,
            zone=self.offices.timezone,
        )

    def _daily(self) -> Daily:
        from referee.offices.incoming.moderators.daily import Daily

        return Daily(self.tray, self.speaker, self.outbox)

    @cached_property
    def desk(self) -> Desk | QueueDesk:
        """What takes a pass."""
        if self.settings.engine.kind == "inline":
            from referee.offices.desk import Desk

            return Desk(self.store, self.archivist, self.stimuli)
        from referee.engine.step import QueueDesk

        return QueueDesk(self.tasks, self._drained)

    def tasks(self) -> Tasks:
        """What a worker does; with parts of its own where the referee is its own."""
        from referee.engine.store import KeyedStore
        from referee.engine.tasks import Tasks

        assert isinstance(self.store, KeyedStore)
        return Tasks(self.store, self.archivist, self.stimuli)

    def _drained(self, tasks: Tasks, queues: tuple[str, ...], stopping: Callable[[], bool]) -> None:
        from referee.engine.worker import Engine

        Engine(tasks.store.conninfo, lambda queue: tasks, stopping).drain(queues)

    @cached_property
    def register(self) -> Register:
        from referee.offices.register.stands import Register

        return Register(self.store, shipped.program, self._stand)

    def _stand(self, name: str, *, outlined: bool) -> dict[str, Any]:
        return self.moderator.stand(name, outlined=outlined)

    @cached_property
    def moderator(self) -> Moderator:
        from referee.offices.moderating.moderator import Moderator

        return Moderator(
            self.store, self.acts, self.keys, self.games, lambda: self.proposals, lambda: self.tournaments
        )

    @cached_property
    def orders(self) -> DeskOrders:
        from referee.offices.incoming.moderators.carried import DeskOrders

        folder = self.located.folder
        return DeskOrders(
            self.acts,
            self.tray,
            lambda slug: shipped.game_options(slug, folder, self.settings.referee.timezone),
            lambda slug: shipped.game_data(slug, folder),
        )

    @cached_property
    def acts(self) -> Acts:
        from referee.offices.moderating.acts import Acts

        return Acts(self.matches, self.decisions, self.offices)

    @cached_property
    def tray(self) -> Tray:
        from referee.offices.moderating.tray import Tray

        return Tray(self.store, self.matches, self.offices, lambda: self.reader, lambda: self.proposals)

    @cached_property
    def archive(self) -> KeptArchive | None:
        """The archive that every pass keeps current; None where there is none."""
        own = self.settings.site.folder
        linked = bool(self.settings.site.url)
        return KeptArchive(self.publish, self.located.folder / own, linked) if own else None

    def publish(self, into: Path, ledgers: Ledgers | None = None) -> Built:
        """Write what has changed into the public archive in a folder: of the store's matches, or of others."""
        from referee.archive import Place, PublicArchive

        place = Place(self.offices.name, self.offices.site, self.offices.collector)
        templates = shipped.folders("templates", self.located.folder)
        return PublicArchive(
            ledgers or self.moderator,
            self.games,
            self.speaker,
            self.renderer,
            self.keys,
            place,
            templates,
            self._usual,
        ).build(into)

    def write_letters(self, match: str, into: Path, seat: int | None = None) -> tuple[Path, int]:
        """The letters of a match, or of one seat, as private pages; the one to open, and how many letters."""
        from referee.archive.letterbox import shelves, write_letters

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


def _key_of(unit: Unit, mail: Addressed | None) -> str:
    """What orders a mail where several workers judge."""
    from referee.offices.incoming.routing import key_of

    return key_of(unit, mail)


def _png(diagram: Diagram) -> bytes:
    """A board as a picture; its libraries are loaded with the first one."""
    from referee.drawing import draw_png

    return draw_png(diagram)


def secret_of(store: str) -> Path:
    """The file of the secret that belongs to a store, from the configuration's folder on."""
    url = sa.make_url(store)
    if url.drivername.startswith("sqlite"):
        return Path(url.database or "referee.db").with_suffix(".secret")
    return Path(f"{url.host or 'local'}-{url.database}.secret")


@contextmanager
def running(located: Located, **given: Any) -> Iterator[Referee]:
    """A referee for the length of a block."""
    referee = Referee(located, **given)
    try:
        yield referee
    finally:
        referee.close()
