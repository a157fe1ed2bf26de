"""Seeded players, for rehearsals and laws: quick, legal, and never at it for ever."""

from __future__ import annotations

from typing import Any

from referee.core.chance import Chance
from referee.core.game import Demand
from referee.games.onepiece import actions as do
from referee.games.onepiece.board.grid import Colour, Grid, Ply
from referee.games.onepiece.checking import checked
from referee.games.onepiece.play.opening import named
from referee.games.onepiece.search.solver import Search
from referee.games.onepiece.search.tactics import ground
from referee.games.onepiece.state import State, replayed
from referee.games.onepiece.tournament.showing import demonstrable, shown_grid


def suggested(state: State, demand: Demand, chance: Chance) -> Any:
    """An answer that passes `check`."""
    match demand.kind:
        case "Colours":
            colours: Any = ("red", "blue")[chance.below(2, "colour")]
            return do.ChooseColours(colours)
        case "Edge":
            edge: Any = ("south", "north", "east", "west")[chance.below(4, "edge")]
            return do.ChooseEdge(edge)
        case "Offer":
            return do.OfferDraw()
        case "Accept":
            return do.AcceptDraw()
        case "Resign":
            return do.Resign()
        case "Comment":
            return do.SendComment("A pretty position.")
        case "Evidence":
            return _beginning(state, chance)
        case "Demonstrate" | "Reply":
            return _showing(state, demand, chance)
        case _:
            return _move(state, demand, chance)


def _move(state: State, demand: Demand, chance: Chance) -> do.MovePiece:
    """A move, and in a tournament now and then a claim: a true one of 2 where it is seen, rarely a bluff."""
    colour = state.colour_of(demand.seat)
    careless = bool(state.claims) and chance.below(3, "whether to miss a win") == 0
    ply = chosen(state.grid, colour, chance, careless)
    action = _action(ply)
    if not state.law.tournament or state.claims:
        return action
    n = 2
    if not _forced(state.grid.after(ply), colour):
        if chance.below(60, "whether to bluff"):
            return action
        n = 2 * (1 + chance.below(max(1, state.law.max_claim // 2), "the claim"))
    claiming = do.MovePiece(action.red, action.blue, action.lifted, n)
    return action if checked(state, demand, claiming) else claiming


def chosen(grid: Grid, colour: Colour, chance: Chance, careless: bool = False) -> Ply:
    """A win where there is one and it is seen; else the best of a few moves drawn: one that forces a win, or at least
    none that hands over a win or allows one at once."""
    g = ground(grid.cols, grid.rows)
    x, y, h = g.position(grid.pieces, colour)
    won = g.winning(x, y, h, grid.box)
    if won is not None and not careless:
        return g.ply(won, colour)
    steps = g.steps(x, y, h, grid.box)
    safe = [step for step in steps if g.result(x, y, step) == 0] or steps
    left = max(0, grid.box - 1)
    tried = [safe[chance.below(len(safe), "which move")] for _ in range(4)]
    sound = [s for s in tried if g.winning(y ^ s.dy, x ^ s.dx, h ^ s.dh, left) is None] or tried
    return next(
        (p for p in (g.ply(s, colour) for s in sound) if _forced(grid.after(p), colour)),
        g.ply(sound[0], colour),
    )


def _forced(grid: Grid, colour: Colour) -> bool:
    """Whether the colour, whose move it has just been, wins with its next move whatever comes."""
    search = Search(grid.cols, grid.rows, exact=True, limit=10_000)
    return search.reply_in_two(*search.ground.position(grid.pieces, colour), grid.box) is None


def _action(ply: Ply) -> do.MovePiece:
    words = named(ply)
    return do.MovePiece(words.red, words.blue, words.lifted)


def _beginning(state: State, chance: Chance) -> Any:
    """Half of the claimers give up; the others change a ply, if they find how."""
    claim = state.judged[0]
    plies = demonstrable(state, claim)
    ply = plies[chance.below(len(plies), "which ply to change")]
    grid = replayed(*state.size, state.law.pieces, state.plies[: ply - 1])
    words = named(chosen(grid, state.colour_of(claim.seat), chance))
    action = do.BeginDemonstration(ply, words.red, words.blue, words.lifted)
    if chance.below(2, "whether to demonstrate") or checked(state, Demand("Evidence", claim.seat), action):
        return do.GiveUpClaim()
    return action


def _showing(state: State, demand: Demand, chance: Chance) -> Any:
    action = _action(chosen(shown_grid(state), state.colour_of(demand.seat), chance))
    return do.GiveUpClaim() if checked(state, demand, action) else action
