"""How a match is opened: options to rules, with every fault named, and a position replayed."""

from __future__ import annotations

from referee.core.chance import Chance
from referee.core.game import Setup
from referee.core.options import Options, typed
from referee.games.onepiece import events as ev
from referee.games.onepiece.board import move_faults, runs_of
from referee.games.onepiece.folding import Told, fold
from referee.games.onepiece.notation import parsed
from referee.games.onepiece.play.games import BOTH, set_up
from referee.games.onepiece.state import Law, State


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
    record = Told(fold, State())
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
