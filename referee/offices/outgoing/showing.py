"""What letters may show: a match as one reader may see it, what is owed, forms, names. Cut by the game's `view`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TypedDict

from referee.core import seam
from referee.core.chance import RECIPE, Chance
from referee.core.game import AnyGame, Setup, View
from referee.core.options import Options
from referee.core.owing import REFEREE, Demand
from referee.core.texts.speech import called
from referee.match import events as ev
from referee.match.chain.hashes import stamp
from referee.match.events import Entry
from referee.match.match import (
    History,
    Match,
    OpenRound,
    RoundName,
    due_now,
    outstanding,
    rounds_due,
    vacancies,
)
from referee.match.sealing import SEAL_RECIPE, Keys
from referee.offices.outgoing.kinds import staged
from referee.offices.outgoing.letters import Appointment, Recipient
from referee.offices.ports.tools import Pages
from referee.offices.settings import Offices


class Owing(TypedDict):
    """What a seat owes, as templates name it: until when, the form, where to send it and under which subject; `first`
    tells that it has never been asked for this before."""

    round: OpenRound | None
    demand: Demand | None
    due_at: datetime | None
    form: str
    first: bool
    send_to: str
    send_as: str


_STAGES = ("round", "cycle")  # what the position of a match counts, as a subject names it
NOTHING_OWED = Owing(round=None, demand=None, due_at=None, form="", first=False, send_to="", send_as="")


class Showing:
    """The contexts of templates."""

    def __init__(
        self,
        pages: Pages,
        keys: Keys,
        offices: Offices,
        games: Mapping[str, AnyGame],
        setups: Callable[[AnyGame], Setup],
    ) -> None:
        """`setups` tells with what a match of a game is opened where nobody wishes anything else."""
        self._pages = pages
        self.keys = keys
        self._offices = offices
        self._games = games
        self._setups = setups

    def context(self, match: Match | None, reader: Recipient | None) -> dict[str, object]:
        """What every template may use. In public letters (`reader` None) times are in the referee's own zone."""
        game = self._games[match.game] if match else None
        seat = reader.seat if reader else None
        return {
            "referee": self._offices,
            "match": match,
            "game": game,
            "view": match.view(seat) if match else None,
            "public": match.view(None) if match else None,
            "reader": reader,
            "seat": seat,
            "when": self._pages.clock(reader.zone if reader else None),
            "name": lambda number: self.name(match, number),
            "owes": due_now(match) if match else (),
            "vacant": vacancies(match) if match else (),
            "happened": lambda entry: self._happening(match, entry),
            "draw_recipe": RECIPE,
            "seal_recipe": SEAL_RECIPE,
            "stamp": stamp,
            "heading": lambda kind: self._heading(game, kind) if game else kind,
            "help": self._pages.help(match.game) if match else {},
            "games": self._games,
            "helps": self._pages.help,
        }

    def usual(self, game: AnyGame) -> View:
        """A match of the game as it begins with the usual options, as the public sees it."""
        return _begun(game, self._setups(game))

    def beginning(self, match: Match, history: History) -> View:
        """A match that still waits for players, as it will begin."""
        opened = next(e.event for e in history() if isinstance(e.event, ev.MatchOpened))
        return _begun(self._games[match.game], Setup(Options(match.options), opened.data, match.seats))

    def name(self, match: Match | None, number: int) -> str:
        """How a seat is called in letters: "Ann Archer (Player 2)"."""
        if match is None or number == 0:
            return self._offices.name
        return called(match.entrant(number).name, number if match.seating else None)

    def rounds_of(self, match: Match | None, seat: int | None) -> tuple[RoundName, ...]:
        """What a letter to the seat is about, if to nothing in particular: what the seat owes."""
        if match is None or not seat or match.status not in ("open", "paused"):
            return ()
        return rounds_due(match, seat)

    def _happening(self, match: Match | None, entry: Entry) -> object:
        """The game's own event in an entry, decoded; None for the match's events."""
        return entry.told(self._games[match.game]) if match is not None else None

    def owing(
        self,
        match: Match,
        r: OpenRound | None,
        demand: Demand,
        *,
        first: bool = False,
        form: str | None = None,
    ) -> Owing:
        """What a seat owes in a round, or may send though none waits for it (None); `form` where it is not empty."""
        return Owing(
            round=r,
            demand=demand,
            due_at=r.due_for(demand.seat) if r else None,
            form=self.form(match, demand) if form is None else form,
            first=first,
            send_to=self._offices.collector,
            send_as=self.order_subject(match, demand),
        )

    def form(self, match: Match, demand: Demand) -> str:
        """The form of a demand, to be filled in."""
        return seam.form(self._games[match.game], match.inner, demand, match.party(demand.seat)).text

    def appointments(
        self, before: Match | None, after: Match, now: datetime
    ) -> dict[int, tuple[Appointment, ...]]:
        """What changes in each seat's calendar. Of a sealed round nobody's entry hangs on another's answer."""
        was, is_now = self._deadlines(before), self._deadlines(after)
        # In whole seconds, so that a later letter's entry counts; of one second taking out counts more.
        sequence = 2 * int((now - after.opened_at).total_seconds())
        found: dict[int, tuple[Appointment, ...]] = {}
        for seat in sorted({seat for seat, _ in (*was, *is_now)}):
            mine = {uid: e for (of, uid), e in is_now.items() if of == seat}
            past = {uid: e for (of, uid), e in was.items() if of == seat}
            found[seat] = (
                *(
                    Appointment(uid, sequence + 1, *e, done=True)
                    for uid, e in past.items()
                    if uid not in mine
                ),
                *(Appointment(uid, sequence, *e) for uid, e in mine.items() if past.get(uid) != e),
            )
        return found

    def _deadlines(self, match: Match | None) -> dict[tuple[int, str], tuple[datetime, str, str]]:
        """The deadlines that run, by seat and uid: when, what, and how to answer."""
        if match is None or match.inner is None or match.status != "open":
            return {}
        duties = self._pages.help(match.game).get("duties", {})
        found: dict[tuple[int, str], tuple[datetime, str, str]] = {}
        for r in match.rounds:
            for d in outstanding(match, r):
                due = r.due_for(d.seat)
                if d.seat != REFEREE and due is not None:
                    what = f"{match.name}: {staged(duties.get(d.kind, d.kind), r.label)}"
                    how = (
                        f"Write to {self._offices.collector} with the subject: {self.order_subject(match, d)}"
                    )
                    found[d.seat, self.appointment_id(match, r, d)] = (due, what, how)
        return found

    def appointment_id(self, match: Match, r: OpenRound, demand: Demand) -> str:
        """The same for a deadline as long as it lasts, however it moves."""
        parts = (match.name, r.label, str(r.opened), demand.kind, str(demand.seat), demand.about)
        return f"{self.keys.derive('appointment', *parts)[:32]}@{self._offices.speaker.rpartition('@')[2]}"

    def order_subject(self, match: Match, demand: Demand) -> str:
        """The subject under which an answer to the demand is sent."""
        return f"{self.heading_of(match, demand)} [{match.name}]"

    def heading_of(self, match: Match, demand: Demand) -> str:
        """The title, the heading and the seat of an answer to the demand; where it is one of a round of the game, also
        which that is (610.a): whoever replies states it."""
        game, r, view = self._games[match.game], match.round_of(demand), match.view(None)
        counted = r is not None and view is not None and f"Round {view.position.get('round')}" in r.label
        stage = [(word, view.position.get(word)) for word in _STAGES] if counted and view else []
        told = "".join(f" / {word.capitalize()} {number}" for word, number in stage if number)
        return f"{game.title}: {self._heading(game, demand.kind)} / Player {demand.seat}{told}"

    @staticmethod
    def _heading(game: AnyGame, kind: str) -> str:
        named = [heading for heading, of in seam.headings(game).items() if of == kind]
        return named[0] if named else game.answers[0].headings[0]


_NO_CHANCE = "00" * 32  # any seed does: what is shown of such a beginning are its rules


def _begun(game: AnyGame, setup: Setup) -> View:
    """The public view of a match that is opened so."""
    state = game.initial()
    for event in game.opening(setup, Chance(_NO_CHANCE)).events:
        state = game.evolve(state, event)
    return game.view(state, None)
