"""Multiplayer Go behind the seam."""

from referee.core.chance import Chance
from referee.core.game import Amendment, Game, Opening, Setup
from referee.core.options import Options
from referee.games.multigo import TITLES, turns, views
from referee.games.multigo import state as ev
from referee.games.multigo.answers import ANSWERS
from referee.games.multigo.board import COLOURS, SYMBOL
from referee.games.multigo.prisoners import supposed


class Multigo(Game[ev.State, ev.Event]):
    """Three to eight colours on one board, in sequence or in parallel, with or without cooperation."""

    slug = "multigo"
    codec_version = 3
    titles = TITLES
    evolve = staticmethod(ev.fold)
    answers = ANSWERS

    def seats(self, options: Options) -> tuple[int, ...]:
        wanted = options.text("players")
        return (3, 4, 5, 6, 7, 8, 2) if wanted == "seats" else (int(wanted),)

    def faults(self, setup: Setup) -> tuple[str, ...]:
        return ev.opened(setup)[1]

    def opening(self, setup: Setup, chance: Chance) -> Opening[ev.Event]:
        """Nothing is drawn: weaker players sit first (2.2), so the roster's order is the seats'."""
        start, _ = ev.opened(setup)
        told = ev.Record(ev.fold, self.initial())
        told.tell(start)
        told.tell(ev.TurnBegan(1, 0 if told.state.law.parallel else 1))
        turns.settle(told)
        return Opening(tuple(range(1, setup.seats + 1)), tuple(told.events))

    def amended(self, state: ev.State, setup: Setup) -> Amendment[ev.Event]:
        return Amendment((ev.RulesAmended(ev.recorded(setup.options), setup.seats),))

    def called(self, state: ev.State, seat: int) -> tuple[str, ...]:
        """Its colour, and the letter of its stones."""
        return (COLOURS[seat - 1], SYMBOL[seat])

    due = staticmethod(turns.due)
    open_to = staticmethod(turns.open_to)
    expects = staticmethod(turns.expects)
    asked_next = staticmethod(turns.asked_next)
    view = staticmethod(views.view)
    sees_more = staticmethod(views.sees_more)
    outcome = staticmethod(views.outcome)

    def secret_to(self, event: ev.Event) -> int | None:
        """Standing orders are their seat's alone."""
        if isinstance(event, ev.PreferKept | ev.PlanKept | ev.PlanLapsed):
            return event.seat
        return None

    # --- seats that change hands -----------------------------------------------------------------------------

    def vacant(self, state: ev.State) -> tuple[int, ...]:
        """Who has missed too many moves; a seat that has resigned is out of the game for good (G24)."""
        return tuple(seat for seat in state.active if state.seat(seat).vacant)

    def silent(self, state: ev.State, seat: int, missed: int) -> tuple[ev.Event, ...]:
        """The seat is open for takeover, and resigned with the next deadline it misses."""
        return (ev.SeatOpened(seat, missed),) if seat in state.active else ()

    def filled(self, state: ev.State, seat: int) -> tuple[ev.Event, ...]:
        """A seat that was open for takeover is played again; standing orders were its first player's own."""
        own = state.seat(seat)
        void: tuple[ev.Event, ...] = (ev.PreferKept(seat, ()),) if own.prefer else ()
        return (*void, *((ev.SeatFilled(seat),) if own.vacant else ()))

    # --- records and pages -----------------------------------------------------------------------------------

    supposed = staticmethod(supposed)
    board_form = staticmethod(views.clickable)
    noted = staticmethod(views.noted)
    sgf = staticmethod(views.to_sgf)


GAME = Multigo()
