"""The composition root: everything, put together from a configuration."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.base import shipped
from referee.service.means import Means

if TYPE_CHECKING:
    from datetime import datetime

    from referee.engine.tasks import QueueDesk, Tasks
    from referee.mail.mail import Addressed
    from referee.match.commands import MatchCommand
    from referee.match.match import Match
    from referee.offices.moderator import Moderator
    from referee.offices.register.stands import Register
    from referee.service.config import Located
    from referee.service.parts import Parts
    from referee.site import Built
    from referee.site.publish import Ledgers
    from referee.store.sql import Unit
    from referee.way.inquiry import Inquiry
    from referee.way.keep import Archivist
    from referee.way.loop import Desk, Stimuli
    from referee.way.stations import Collector


class Referee(Means):
    """What it works with, and who does the work: the offices that judge and write are its `parts`, and all that reads
    mails its `collector`. What takes a pass or tells how matches stand needs neither while there is nothing to do."""

    @cached_property
    def parts(self) -> Parts:
        """Who does what there is to do."""
        from referee.service.parts import Parts

        return Parts(self)

    @property
    def moderator(self) -> Moderator:
        return self.parts.moderator

    def command(self, name: str, command: MatchCommand, now: datetime, why: str = "") -> Match:
        """Carry out a command on a match, at the desk. Raises CannotDo."""
        return self.moderator.act(lambda unit: self.parts.acts.command(unit, name, command, now, why), now)

    @cached_property
    def collector(self) -> Collector:
        """Who judges mails."""
        from referee.way.stations import Collector

        return Collector(self.parts)

    @cached_property
    def inquiry(self) -> Inquiry:
        from referee.way.inquiry import Inquiry

        reader, matches = self.reader, self.parts.matches
        return Inquiry(
            self.store, reader, self.collector, matches, self.renderer, self.settings, self.watchdog
        )

    # --- the desk and the moderator

    @cached_property
    def archivist(self) -> Archivist:
        from referee.way.keep import Archivist

        key: Callable[[Unit, Addressed | None], str] | None = None
        if self.settings.engine.kind != "inline":  # what orders a mail where several workers judge
            from referee.way.routing import key_of

            key = key_of
        return Archivist(
            self.store, self.mailbox, lambda: self.reader, self.settings, lambda: self.watchdog, key
        )

    @cached_property
    def stimuli(self) -> Stimuli:
        from referee.way.loop import Stimuli

        settings, site = self.settings, self.site
        return Stimuli(
            self.store,
            lambda: self.parts,
            lambda: self.collector,
            lambda: self.watchdog,
            partial(self.publish, site) if site else None,
            bool(site and settings.site.url),
            settings.limits.digest_hour,
            self.offices.timezone,
        )

    @cached_property
    def desk(self) -> Desk | QueueDesk:
        """What takes a pass."""
        if self.settings.engine.kind == "inline":
            from referee.way.loop import Desk

            return Desk(self.store, self.archivist, self.stimuli)
        from referee.engine.tasks import QueueDesk

        return QueueDesk(self.tasks)

    def tasks(self) -> Tasks:
        """What a worker does; with parts of its own where the referee is its own."""
        from referee.engine.store import KeyedStore
        from referee.engine.tasks import Tasks

        assert isinstance(self.store, KeyedStore)
        return Tasks(self.store, self.archivist, self.stimuli)

    @cached_property
    def register(self) -> Register:
        from referee.offices.register.stands import Register

        return Register(
            self.store, shipped.program, lambda name, outlined: self.moderator.stand(name, outlined)
        )

    @property
    def site(self) -> Path | None:
        """Where every pass keeps the public archive current; None where none is kept."""
        own = self.settings.site.folder
        return self.located.folder / own if own else None

    def publish(self, into: Path, ledgers: Ledgers | None = None) -> Built:
        """Write what has changed into the public archive in a folder: of the store's matches, or of others."""
        from referee.site import Place, PublicArchive

        own, o = self.settings.site.picture, self.offices
        place = Place(o.name, o.site, o.collector, self.located.folder / own if own else None)
        templates = shipped.folders("templates", self.located.folder)
        return PublicArchive(ledgers or self.moderator, self.parts.speaker, place, templates).build(into)

    def write_letters(self, match: str, into: Path, seat: int | None = None) -> tuple[Path, int]:
        """The letters of a match, or of one seat, as private pages; the one to open, and how many letters."""
        from referee.site.letterbox import shelves, write_letters

        with self.store.transaction() as unit:
            found = shelves(unit, match, seat)
        templates = shipped.folders("templates", self.located.folder)
        page = write_letters(found, match, into, templates)
        return page, sum(len(shelf.letters) for shelf in found)


@contextmanager
def running(located: Located, **given: Any) -> Iterator[Referee]:
    """A referee for the length of a block."""
    referee = Referee(located, **given)
    try:
        yield referee
    finally:
        referee.close()
