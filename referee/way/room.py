"""The room in which mails are judged, and what else is done: the offices put together, each of
those before it, when there is anything to do."""

from collections.abc import Callable, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from referee.base import shipped
from referee.base.ports import Courier
from referee.base.settings import Offices, Settings
from referee.core.game import AnyGame, Setup
from referee.core.options import OptionSpec, resolved
from referee.draw import draw_png, draw_text
from referee.letters.envelope import Envelope
from referee.letters.outbox import CourierRound, Outbox
from referee.letters.rendering import Renderer
from referee.letters.speaker import Speaker
from referee.letters.verdicts import VerdictLetters
from referee.mail.reader import MailReader
from referee.match.chain import Keys
from referee.match.timing import game_setup
from referee.moderation.desk import Acts, DeskQueue
from referee.offices.clock.timekeeper import Searches, Solver, Timekeeper
from referee.offices.club import Persons, Proposals, Tournaments
from referee.offices.decisions import Decisions
from referee.offices.moderator import Moderator
from referee.offices.register import Matches, mark_failing
from referee.store.sql import Store


class Room:
    """Of one referee: whoever looks, decides and writes."""

    def __init__(
        self, settings: Settings, folder: Path, games: Mapping[str, AnyGame], store: Store, offices: Offices,
        reader: MailReader, solver: Solver, courier: Callable[[], Courier],
    ) -> None:  # fmt: skip
        """Of a configuration in a folder. The courier is asked for with the first letter: it may need a secret."""
        self.settings, self.folder, self.games, self._store = settings, folder, games, store
        self.offices, self.reader, self._courier = offices, reader, courier
        templates = tuple(shipped.folders("templates", self.folder))
        self.renderer = _renderer(templates, settings.referee.timezone)
        self.keys = keys = Keys(store.secret())
        self.matches = Matches(games, settings, draw_text, shipped.program)
        self.speaker = Speaker(self.renderer, keys, offices, games, self._usual)
        self.outbox = Outbox(self.matches.outline, self.speaker, settings)
        self.decisions = Decisions(self.matches, self.speaker, self.outbox)
        self.proposals = Proposals(self.decisions, self._rules, settings)
        self.tournaments = Tournaments(self.decisions, self._rules, settings)
        club = self.proposals, self.tournaments
        self.persons = Persons(self.decisions, *club)
        self.timekeeper = Timekeeper(self.decisions, *club, settings)
        self.searches = Searches(store, self.decisions, settings, solver)
        self.moderator = Moderator(store, self.decisions, *club)
        self.acts = Acts(self.decisions, self.proposals, self.persons, self.moderator.opened)
        self.queue = DeskQueue(self.reader, self.proposals)
        self.letters = VerdictLetters(self.speaker, settings)
        self.envelope = Envelope(offices, draw_png)

    @cached_property
    def courier_round(self) -> CourierRound:
        return CourierRound(self._store, self._courier(), self.envelope, self.outbox, mark_failing)

    def _rules(self, game: AnyGame) -> tuple[tuple[OptionSpec, ...], Mapping[str, Any]]:
        """The options of a match of the game, and the game's data."""
        options = shipped.game_options(game.slug, self.folder, self.settings.referee.timezone)
        return options, shipped.game_data(game.slug, self.folder)

    def _usual(self, game: AnyGame) -> Setup:
        """With what a match of the game is opened where nobody wishes anything else."""
        specs, data = self._rules(game)
        options, _ = resolved(specs, {})
        return game_setup(options.values, data, game.seats(options)[0])


_renderer = cache(Renderer)  # one for all referees of a process that read the same templates
