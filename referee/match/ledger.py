"""Writing the ledger: entries with their numbers, and the match as it stands after each."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from referee.core.game import AnyGame
from referee.core.seam import Standing
from referee.match import events as ev
from referee.match.chain import Secrets, places_of
from referee.match.match import History, Match, applied


@dataclass
class LedgerWriter:
    """Collects what one stimulus adds to a ledger. Every entry is applied at once, so `match` is always the fold."""

    game: AnyGame
    match: Match
    now: datetime
    earlier: History
    keys: Secrets
    since: datetime | None = None  # when it happened, where that was before the pass that found it (`now`)
    entries: list[ev.Entry] = field(default_factory=list)
    _begun: int = 0  # among them, where the stimulus begins

    @property
    def standing(self) -> Standing:
        """How the game stands, of a match that has begun."""
        if self.match.standing is None:
            raise ValueError("the match has not begun")
        return self.match.standing

    def history(self) -> Sequence[ev.Entry]:
        """The whole ledger, what this writer has written included."""
        return [*self.earlier(), *self.entries]

    def begin_stimulus(self) -> None:
        """What is written from now on happens by itself, and is told in the record as a stimulus of its own."""
        self._begun = len(self.entries)

    def write(self, event: ev.Event) -> None:
        public = not ev.inherently_secret(event)
        version, position = self.match.version + 1, self.match.position + (1 if public else 0)
        cause = self.entries[self._begun].version if self.entries[self._begun :] else version
        written = ev.CODEC.encode(event)
        if public and (places := places_of(self.game, event)):
            name = self.match.name or written["match"]
            written["salts"] = {place: self.keys.salt(name, position, place) for place in places}
        entry = ev.Entry(version, position, cause, self.now, event, public, self.since, written)
        self.match = applied(self.game, self.match, entry, self.history)
        self.entries.append(entry)

    def happen(self, happenings: Iterable[Any]) -> None:
        """Write the game's own events."""
        for happening in happenings:
            stored, seat = self.game.events_codec.encode(happening), self.game.secret_to(happening)
            self.write(ev.Happened(stored) if seat is None else ev.HappenedInPrivate(stored, seat))

    def settle(self) -> None:
        """Close the rounds that nobody owes any more, open the new ones, end the match when nothing is due."""
        if self.match.status == "ended":
            return
        due = self.standing.due
        labels = {r.label for r in due}
        for gone in [r.label for r in self.match.rounds if r.label not in labels]:
            self.write(ev.RoundClosed(gone))
        for r in due:
            if self.match.round(r.label) is None:
                due_at = self.due_at(r.window) if r.window is not None else None
                self.write(ev.RoundOpened(r.label, r.demands, due_at, r.sealed, r.answers, r.holds))
                self.mind_absences()
        for seat, draft in self.match.drafts.items():
            ahead = self.standing.expected(seat) if draft.asked is None else None
            kinds = {d.kind for d in (ahead.demands if ahead else ())}
            if draft.asked is None and draft.demand.kind not in kinds:
                self.write(ev.DraftDropped(seat))
        if due:
            return
        outcome = self.game.outcome(self.match.inner)
        if outcome is None:
            raise ValueError(f"{self.game.slug}: nothing is due and yet there is no outcome")
        points = {seat: str(n) for seat, n in outcome.points.items()}
        self.write(ev.MatchEnded(outcome.winners, points, outcome.reason))

    def due_at(self, window: timedelta) -> datetime:
        """The end of a window that begins with the pass, or with what opened the round (612) where
        the match's option says so; however late the pass was, half of the window is left."""
        timing = self.match.timing
        if self.match.options.get("from") != "arrival" or self.since is None:
            return timing.end(self.now, window)
        return max(timing.end(self.since, window), timing.end(self.now, window / 2))

    def mind_absences(self) -> None:
        """Deadlines that fall in a player's announced absence move to its end; while a match is
        paused none run, and this is done when it is resumed."""
        if self.match.status == "paused" or not self.match.absences:
            return
        for r in self.match.rounds:
            played_for = {*self.match.substitutes, *self.match.stand_ins}
            for seat in sorted({d.seat for d in r.demands} - played_for):
                due = start = r.due_for(seat)
                for begins, until in self.match.away(seat):
                    inside = due is not None and begins <= due < until
                    due = self.match.timing.on_the_hour(until) if inside else due
                if due is not None and due != start:
                    self.write(ev.DeadlineMoved(r.label, due, ev.AWAY, seat))
