"""The offices put together, each of those before it: loaded, and made, when there is anything to do."""

from __future__ import annotations

from functools import cached_property

from referee.base import shipped
from referee.draw import draw_png, draw_text
from referee.letters.envelope import Envelope
from referee.letters.outbox import CourierRound, Outbox
from referee.letters.speaker import Speaker
from referee.letters.verdicts import VerdictLetters
from referee.mail.reader import MailReader
from referee.moderation.acts import Acts
from referee.moderation.desk_letter import Daily
from referee.moderation.queue import DeskQueue
from referee.offices.clock.searches import Searches
from referee.offices.clock.timekeeper import Timekeeper
from referee.offices.club.gatherings import Openings
from referee.offices.club.persons import Persons
from referee.offices.club.proposals import Members, Proposals
from referee.offices.club.tournaments import Tournaments
from referee.offices.decisions import Decisions
from referee.offices.faults import Faults
from referee.offices.moderator import Moderator
from referee.offices.register.matches import Matches, mark_failing
from referee.service.means import Means
from referee.way.case import Room


class Parts(Room):
    """Of one referee, who has these means."""

    def __init__(self, means: Means) -> None:
        self._means = means
        store, settings, offices, keys = means.store, means.settings, means.offices, means.keys
        self.settings, self.offices, self.keys, self.games = settings, offices, keys, means.games
        self.matches = Matches(means.games, settings, draw_text, shipped.program)
        self.speaker = Speaker(means.renderer, keys, offices, means.games, means.usual)
        self.outbox = Outbox(self.matches.addresses_of, self.speaker, settings)
        self.decisions = Decisions(self.matches, self.speaker, self.outbox, keys)
        self.faults = Faults(self.matches, self.speaker, self.outbox)
        openings = Openings(self.decisions, keys, means.rules)
        members = Members(self.matches, offices)
        self.proposals = Proposals(openings, self.speaker, self.outbox, keys, members, settings)
        self.tournaments = Tournaments(openings, self.speaker, self.outbox, keys, self.matches, offices)
        self.persons = Persons(self.decisions, self.proposals, self.tournaments)
        self.timekeeper = Timekeeper(
            self.matches, self.decisions, self.speaker, self.outbox, self.proposals, self.tournaments, self.faults,
            settings,
        )  # fmt: skip
        self.envelope = Envelope(offices, draw_png)
        self.moderator = Moderator(
            store, self.decisions, offices, keys, means.games, self.proposals, self.tournaments
        )
        self.acts = Acts(
            self.matches, self.decisions, offices, self.proposals, self.persons, means.game_options,
            means.game_data, self.moderator.opened,
        )  # fmt: skip
        self.queue = DeskQueue(self.matches, offices, lambda: means.reader, self.proposals, keys)

        self.letters = VerdictLetters(self.speaker, settings)

    @cached_property
    def reader(self) -> MailReader:
        return self._means.reader

    @cached_property
    def courier_round(self) -> CourierRound:
        means = self._means
        return CourierRound(means.store, means.courier, self.envelope, self.outbox, mark_failing)

    @cached_property
    def searches(self) -> Searches:
        means = self._means
        return Searches(means.store, self.matches, self.decisions, self.faults, means.settings, means.solver)

    @cached_property
    def daily(self) -> Daily:
        return Daily(self.queue, self.speaker, self.outbox)
