"""How a match is opened: options to rules, with every fault named, and a position replayed."""

from __future__ import annotations

from typing import Any, cast

from referee.core.chance import Chance
from referee.core.game import Setup
from referee.core.options import Options
from referee.games.onepiece import events as ev
from referee.games.onepiece.board.grid import Grid, Piece, Ply, cell_of, name_of, piece_of, runs_of
from referee.games.onepiece.mail.notation import Words, parsed
from referee.games.onepiece.state import Edge, Law


def law_of(options: Options, seats: int) -> Law:
    """The rules that the options give."""
    cols, rows = options.size("grid")
    timeout = options.text("timeout_default")
    if timeout == "standard":
        timeout = "play" if seats == 4 else "loss"
    return Law(
        seats=seats,
        cols=cols,
        rows=rows,
        pieces=options.count("pieces"),
        games=options.count("games"),
        starter=_number(options, "starter", "random"),
        colours=cast(Any, _asked(options, "colours")),
        edge=cast(Edge, _asked(options, "edge")),
        repetition=_number(options, "repetition", "off"),
        max_relocations=_number(options, "max_relocations", "off"),
        target=options.count("target"),
        lead=options.count("lead"),
        pairing=cast(Any, options.text("pairing")),
        claims=cast(Any, options.text("claims")),
        max_claim=options.count("max_claim"),
        claim_n=cast(Any, options.text("claim_n")),
        claim_test=cast(Any, options.text("claim_test")),
        evidence=cast(Any, options.text("evidence")),
        early_win=cast(Any, options.text("early_win")),
        pay_winner=options.text("pay_winner") == "true",
        adjudication=cast(Any, options.text("adjudication")),
        solver_nodes=options.count("solver_nodes"),
        evidence_window=options.duration("evidence_deadline"),
        demonstration_window=options.duration("demonstration_deadline"),
        window=options.duration("move_deadline"),
        timeout=cast(Any, timeout),
        max_timeouts=options.count("max_timeouts"),
        press=options.flag("press"),
        own_slips_pay=False,
    )


def _number(options: Options, name: str, word: str) -> int:
    return 0 if options.text(name) == word else options.count(name)


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
    return (*found, *position(law, setup.options.text("position"))[1]) if not found else tuple(found)


def opening_events(setup: Setup, chance: Chance) -> tuple[ev.Event, ...]:
    """Rules, starter, the first game, a position; what follows from them is added by the caller."""
    law = law_of(setup.options, setup.seats)
    starter = _starter(law, chance)
    order = (1, 2, 3, 4) if law.tournament else (1, 2)
    return ev.RulesSet(law), starter, ev.GameBegun(1, starter.seat, order)


def _starter(law: Law, chance: Chance) -> ev.StarterDrawn:
    """Seat 1 with fixed pairs (4.1); else the seat named, or one drawn."""
    if law.tournament and law.pairing == "fixed":
        return ev.StarterDrawn(1)
    if law.starter:
        return ev.StarterDrawn(law.starter)
    seat = 1 + chance.below(law.seats, "who begins: 0 is seat 1")
    return ev.StarterDrawn(seat, chance.seed, chance.transcript[-1:])


def turned(law: Law) -> tuple[int, int]:
    """Columns and rows once the edge that the options name is at the bottom."""
    return (law.rows, law.cols) if law.edge in ("east", "west") else (law.cols, law.rows)


def position(law: Law, text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The plies of a position in canonical text, and why it is none: each legal, and none but wins (3.3, 3.4)."""
    grid = Grid(*turned(law), (), law.pieces)
    plies: list[str] = []
    for number, word in enumerate(text.split(), start=1):
        words = parsed(grid, word)
        ply = ply_from(words) if words else None
        if ply is None or ply not in grid.plies():
            why = "can't be read as a move" if words is None else "is not legal there"
            return tuple(plies), (f"position: ply {number}, {word!r}, {why}.",)
        grid = grid.after(ply)
        plies.append(str(ply))
        if (winner := runs_of(grid, ply.placed).winner) is not None:
            return tuple(plies), (f"position: ply {number}, {word!r}, already wins for {winner}.",)
    if not grid.plies():
        return tuple(plies), ("position: no move is possible in it.",)
    return tuple(plies), ()


def ply_from(words: Words) -> Ply | None:
    """The move that the words name, where what they lift is a piece."""
    if words.lifted and len(words.lifted) < 5:
        return None
    placed = Piece(cell_of(words.red), cell_of(words.blue))
    return Ply(placed, piece_of(words.lifted) if words.lifted else None)


def named(ply: Ply) -> Words:
    """The move in words."""
    lifted = str(ply.lifted) if ply.lifted else ""
    return Words(name_of(ply.placed.red), name_of(ply.placed.blue), lifted)
