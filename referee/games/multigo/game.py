"""Multiplayer Go behind the seam."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

from referee.core.answers import AnyAnswer
from referee.core.board_form import BoardForm
from referee.core.chance import Chance
from referee.core.complaint import Complaint, Line
from referee.core.game import (
    Amendment,
    Demand,
    Game,
    Lapsed,
    Mended,
    Opening,
    Outcome,
    Party,
    Reading,
    Round,
    Setup,
    View,
)
from referee.core.legacy import old_answers
from referee.core.options import Options
from referee.games.multigo import actions as act
from referee.games.multigo import events as ev
from referee.games.multigo import owing
from referee.games.multigo.answers import forms, reading
from referee.games.multigo.answers.checking import check
from referee.games.multigo.answers.suggesting import suggested
from referee.games.multigo.board.start import Start, start_of
from referee.games.multigo.folding import evolve
from referee.games.multigo.letters import views
from referee.games.multigo.letters.clicks import clickable
from referee.games.multigo.letters.record import noted
from referee.games.multigo.letters.sgf import named, retold, to_sgf
from referee.games.multigo.play.course import Course
from referee.games.multigo.play.phases import settle
from referee.games.multigo.play.resolving import resolved
from referee.games.multigo.rules import rule_faults
from referee.games.multigo.state import State

_NOT_RULES = ("position", "hands", "board", "players")


class Multigo(Game[State, ev.Event]):
    """Three to eight colours on one board, in sequence or in parallel, with or without cooperation."""

    slug = "multigo"
    titles = ("Go", "Multiplayer Go", "Multigo")
    headings: ClassVar[Mapping[str, str]] = {
        "Move": "Move",
        "Seal": "Move",
        "Take": "Take",
        "Prefer": "Prefer",
        "Plan": "Condition",
        "Dead": "Dead",
        "Ally": "Ally",
        "Resign": "Resign",
        "Comment": "Comment",
        "Press": "Press",
    }
    happenings = ev.Event.__args__
    actions = act.Action.__args__
    state = State

    @cached_property
    def answers(self) -> tuple[AnyAnswer, ...]:  # type: ignore[override]
        return old_answers(self, self.headings, reading.KINDS, self.actions)

    def seats(self, options: Options) -> tuple[int, ...]:
        wanted = options.text("players")
        return (3, 4, 5, 6, 7, 8, 2) if wanted == "seats" else (int(wanted),)

    def faults(self, setup: Setup) -> tuple[str, ...]:
        if not 2 <= setup.seats <= 8:
            return (f"Multiplayer Go takes 2 to 8 players, not {setup.seats}.",)
        _, faults = _start(setup)
        return (*rule_faults(setup.options.values, setup.seats), *faults)

    def opening(self, setup: Setup, chance: Chance) -> Opening[ev.Event]:
        """Nothing is drawn: weaker players sit first (2.2), so the roster's order is the seats'."""
        start, _ = _start(setup)
        options = _rules(setup.options)
        course = Course(self.initial())
        course.add(
            ev.GameOpened(options, setup.seats, start.width, start.height, start.board, start.prisoners)
        )
        course.add(ev.TurnBegan(1, 0 if course.state.law.parallel else 1))
        settle(course)
        return Opening(tuple(range(1, setup.seats + 1)), tuple(course.events))

    def initial(self) -> State:
        return State()

    def evolve(self, state: State, event: ev.Event) -> State:
        return evolve(event, state)

    def amended(self, state: State, setup: Setup) -> Amendment[ev.Event]:
        return Amendment((ev.RulesAmended(_rules(setup.options), setup.seats),))

    def due(self, state: State) -> tuple[Round, ...]:
        return owing.due(state)

    def open_to(self, state: State, seat: int) -> tuple[Demand, ...]:
        return owing.open_to(state, seat)

    def aim(self, state: State, seat: int, heading: str, lines: Sequence[Line]) -> Demand:
        return reading.aimed(state, seat, heading, lines)

    def read(self, state: State, demand: Demand, lines: Sequence[Line], party: Party) -> Reading[act.Action]:
        return reading.read(state, demand, lines)

    def check(self, state: State, demand: Demand, action: act.Action) -> tuple[Complaint, ...]:
        return check(state, demand, action)

    def write(self, state: State, demand: Demand, action: act.Action) -> str:
        return forms.written(action)

    def form(self, state: State, demand: Demand, party: Party, draft: act.Action | None = None) -> str:
        return forms.form(state, demand, draft)

    def mended(self, state: State, demand: Demand, party: Party, reading: Reading[Any]) -> Mended:
        return forms.mended_form(state, demand, reading)

    def resolve(self, state: State, answers: Mapping[Demand, act.Action | Lapsed]) -> tuple[ev.Event, ...]:
        return resolved(state, answers)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> act.Action:
        return suggested(state, demand, chance)

    def view(self, state: State, seat: int | None) -> View:
        return views.view(state, seat)

    def outcome(self, state: State) -> Outcome | None:
        return views.outcome(state)

    def vacant(self, state: State) -> tuple[int, ...]:
        """Who has missed too many moves; a seat that has resigned is out of the game for good (G24)."""
        return tuple(seat for seat in state.active if state.seat(seat).vacant)

    def filled(self, state: State, seat: int) -> tuple[ev.Event, ...]:
        """A seat that was open for takeover is played again; standing orders were its first player's own."""
        own = state.seat(seat)
        void: tuple[ev.Event, ...] = (ev.PlanKept(seat, ()),) if own.plan else ()
        void += (ev.PreferKept(seat, ()),) if own.prefer else ()
        return (*void, *((ev.SeatFilled(seat),) if own.vacant else ()))

    def public(self, action: act.Action) -> act.Action | None:
        """Standing orders and conditional moves stay private, also beside a move."""
        if isinstance(action, act.Prefer | act.Plan):
            return None
        if isinstance(action, act.Move | act.Take):
            return replace(action, prefer=())
        return action

    def board_form(self, state: State) -> BoardForm:
        return clickable(state)

    def noted(self, event: ev.Event) -> str:
        return noted(event)

    def sgf(self, record: Mapping[str, Any]) -> str:
        """A public record as SGF."""
        return to_sgf(retold(record, self.events_codec), named(record))

    def secret_to(self, event: ev.Event) -> int | None:
        """Standing orders and conditional moves are their seat's alone."""
        if isinstance(event, ev.PreferKept | ev.PlanKept | ev.PlanLapsed):
            return event.seat
        return None


def _rules(options: Options) -> dict[str, str]:
    return {name: value for name, value in options.values.items() if name not in _NOT_RULES}


def _start(setup: Setup) -> tuple[Start, tuple[str, ...]]:
    options = setup.options
    return start_of(options.size("board"), options.text("position"), options.text("hands"), setup.seats)
