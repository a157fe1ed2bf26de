"""How a match is opened, and from game to game: who begins, colours and edge, the series, the tournament (3.2, 4.1)."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction

from referee.core.chance import Chance
from referee.core.game import Outcome, Setup
from referee.core.options import Options, typed
from referee.core.owing import Demand
from referee.games.onepiece import events as ev
from referee.games.onepiece.board import Colour, move_faults, other, runs_of
from referee.games.onepiece.events import Record, fold
from referee.games.onepiece.notation import parsed
from referee.games.onepiece.state import ORDERS, Law, State

BOTH = ("Colours", "Edge")


def choices(state: State) -> tuple[Demand, ...]:
    """3.2: the player who begins chooses his colour, the next one the edge."""
    found = [] if state.colours else [Demand("Colours", state.first)]
    return (*found, *([] if state.edge else [Demand("Edge", state.mover_of(2))]))


def set_up(record: Record, defaults: Collection[str] = ()) -> None:
    """Take colours and edge from the options; by default those named, and what players who have left would choose.
    Play begins once both are known."""
    law = record.state.law
    for demand in choices(record.state):
        given = law.colours if demand.kind == "Colours" else law.edge
        how: ev.Chosen = "option" if given else "default"
        if how == "option" or demand.kind in defaults or demand.seat in record.state.gone:
            if demand.kind == "Colours":
                record.tell(ev.ColoursChosen(demand.seat, law.colours or "red", how))
            else:
                record.tell(ev.EdgeChosen(demand.seat, law.edge or "south", how))
    if not choices(record.state):
        record.tell(ev.PlayBegun(reds(record.state)))


def reds(state: State) -> tuple[bool, ...]:
    """Who plays red. In a tournament seat 1 keeps its colour and its partner of the game shares it (4.1)."""
    if state.red:
        chooser, colour = 1, state.colour_of(1)
    else:
        chooser, colour = state.first, state.colours or "red"
    place = state.order.index(chooser)
    return tuple((state.order.index(seat) - place) % 2 == (colour != "red") for seat in state.seats)


def next_game(record: Record) -> None:
    """After a game: the end of the match, or the next game."""
    state = record.state
    if (decided := _decided(state)) is not None:
        record.tell(decided)
        return
    order = state.order
    if state.law.tournament and state.law.pairing == "rotate":
        order = ORDERS[state.game % len(ORDERS)]
    record.tell(ev.GameBegun(state.game + 1, next_starter(state), order))
    set_up(record)


def next_starter(state: State) -> int:
    """Two players: the loser, after a draw the other one (3.2). Four: the player of the losing colour whose turn would
    have come next; without a winner the seat after the last starter (4.1)."""
    if state.win is None:
        return state.mover_of(2)
    loser: Colour = other(state.win.colour)
    return next_of(state, loser, state.win.ply + 1)


def next_of(state: State, colour: Colour, ply: int) -> int:
    """The seat of that colour that moves first from that ply on."""
    return next(s for p in (ply, ply + 1) if state.colour_of(s := state.mover_of(p)) == colour)


def _decided(state: State) -> ev.MatchDecided | None:
    if state.law.tournament:
        return champion(state)
    if state.game < state.law.games:
        return None
    most = max(state.points)
    if min(state.points) == most:
        return ev.MatchDecided((), "the game is drawn" if state.law.games == 1 else "the series is level")
    winners = tuple(seat for seat in state.active if state.points[seat - 1] == most)
    won = "the game is won" if state.law.games == 1 else "the series is won"
    return ev.MatchDecided(winners, won)


def champion(state: State) -> ev.MatchDecided | None:
    """4.1: the target reached, and far enough ahead of everyone else who is still in the tournament."""
    law = state.law
    points = {seat: state.points[seat - 1] for seat in state.active}
    most = max(points.values())
    leaders = tuple(seat for seat in points if points[seat] == most)
    second = max((p for seat, p in points.items() if seat != leaders[0]), default=most - law.lead)
    if most >= law.target and most - second >= law.lead:
        return ev.MatchDecided(leaders, f"{most} points are enough")
    return None


def walk_over(record: Record) -> None:
    """A match in pairs that only one colour's players are left in ends; those with the most points of them win."""
    state = record.state
    sides = {state.order.index(seat) % 2 for seat in state.active}
    if len(sides) < 2:
        most = max((state.points[seat - 1] for seat in state.active), default=0)
        leaders = tuple(seat for seat in state.active if state.points[seat - 1] == most)
        record.tell(ev.MatchDecided(leaders, "the others have left"))


def outcome(state: State) -> Outcome | None:
    """Points: of a tournament as scored, of two players one for a game won and a half for one drawn."""
    if state.ended is None:
        return None
    share = Fraction(1) if state.law.tournament else Fraction(1, 2)
    points = {seat: state.points[seat - 1] * share for seat in state.seats}
    winners, reason = state.ended.winners, f"{state.ended.reason[:1].upper()}{state.ended.reason[1:]}."
    if winners and state.win and state.law.games == 1 and not state.law.tournament:
        reason = _HOW.get(state.win.how, reason)  # a single game says how it was won
    return Outcome(winners, points, reason)


_HOW = {
    "four": "Four in a line.",
    "handed over": "Four in a line, made by the opponent.",
    "resigned": "The opponent resigned.",
    "out of time": "The opponent ran out of time.",
}


# --- how a match is opened -----------------------------------------------------------------------------------------


def law_of(options: Options, seats: int) -> Law:
    """The rules that the options give."""
    cols, rows = options.size("grid")
    timeout = options.text("timeout_default")
    return typed(
        Law,
        options,
        seats=seats,
        claiming=options.values.get("tournament") != "off",  # that older records do not hold
        cols=cols,
        rows=rows,
        colours=_asked(options, "colours"),
        edge=_asked(options, "edge"),
        evidence_window=options.duration("evidence_deadline"),
        demonstration_window=options.duration("demonstration_deadline"),
        window=options.duration("move_deadline"),
        timeout=("play" if seats == 4 else "loss") if timeout == "standard" else timeout,
    )


def _asked(options: Options, name: str) -> str:
    return "" if options.text(name) == "ask" else options.text(name)


def faults(setup: Setup) -> tuple[str, ...]:
    """Every reason why no match can be opened so."""
    players = setup.options.text("players")
    if setup.seats not in (2, 4):
        return (f"One Piece For Two takes two players, or four for the tournament, not {setup.seats}.",)
    found: list[str] = []
    if players not in ("seats", str(setup.seats)):
        found.append(f"players = {players}, but there are {setup.seats} seats.")
    law = law_of(setup.options, setup.seats)
    if law.cols * law.rows < 2 * law.pieces + 2:
        found.append(
            f"A grid of {law.cols}x{law.rows} has {law.cols * law.rows} cells; {law.pieces} pieces need "
            f"{2 * law.pieces + 2}, so that one can be moved."
        )
    if law.starter > law.seats:
        found.append(f"starter = {law.starter}, but there are {law.seats} seats.")
    return (*found, *_position(law, setup.options.text("position"))[1]) if not found else tuple(found)


def opened(setup: Setup, chance: Chance) -> tuple[ev.Event, ...]:
    """Rules, starter, the first game, and the position it begins from."""
    law = law_of(setup.options, setup.seats)
    starter = _starter(law, chance)
    record = Record(fold, State())
    order = tuple(range(1, law.seats + 1))
    record.tell(ev.LawSet(law), starter, ev.GameBegun(1, starter.seat, order))
    position, _ = _position(law, setup.options.text("position"))
    set_up(record, BOTH if position else ())
    if position:
        record.tell(ev.PositionSet(position))
    return tuple(record.events)


def _starter(law: Law, chance: Chance) -> ev.StarterDrawn:
    """Seat 1 with fixed pairs (4.1); else the seat named, or one drawn."""
    if law.tournament and law.pairing == "fixed":
        return ev.StarterDrawn(1)
    if law.starter:
        return ev.StarterDrawn(law.starter)
    seat = 1 + chance.below(law.seats, "who begins: 0 is seat 1")
    return ev.StarterDrawn(seat, chance.seed, chance.transcript[-1:])


def _position(law: Law, text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The plies of a position in canonical text, and why it is none: each legal, and none but wins (3.3, 3.4)."""
    grid = State(law, edge=law.edge).grid
    plies: list[str] = []
    for number, word in enumerate(text.split(), start=1):
        words = parsed(grid, word)
        if words is None or any(move_faults(grid, words)):
            why = "can't be read as a move" if words is None else "is not legal there"
            return tuple(plies), (f"position: ply {number}, {word!r}, {why}.",)
        grid = grid.after(words.ply)
        plies.append(str(words))
        if (winner := runs_of(grid, words.placed).winner) is not None:
            return tuple(plies), (f"position: ply {number}, {word!r}, already wins for {winner}.",)
    if not grid.plies():
        return tuple(plies), ("position: no move is possible in it.",)
    return tuple(plies), ()
