"""Seeded players, for rehearsals and laws: quick, legal, and never at it for ever."""

from __future__ import annotations

from typing import Any

from referee.core.chance import Chance
from referee.core.game import Demand
from referee.games.onepiece import actions as do
from referee.games.onepiece.check import checked
from referee.games.onepiece.grid import Colour, Grid, Ply, other, runs_of
from referee.games.onepiece.opening import named
from referee.games.onepiece.showing import demonstrable, shown_grid
from referee.games.onepiece.state import State, replayed


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
    colour = state.colour_of(demand.seat)
    ply = chosen(state.grid, colour, chance)
    action = _action(ply)
    if not state.law.tournament or state.claims or chance.below(25, "whether to claim"):
        return action
    n = 2 * (1 + chance.below(max(1, state.law.max_claim // 2), "the claim"))
    claiming = do.MovePiece(action.red, action.blue, action.lifted, n)
    return action if checked(state, demand, claiming) else claiming


def chosen(grid: Grid, colour: Colour, chance: Chance) -> Ply:
    """A win where there is one; else one of a few moves drawn that neither hands over a win nor allows one at once."""
    plies = grid.plies()
    outcomes = {ply: runs_of(grid.after(ply), ply.placed).winner for ply in plies}
    if winning := [ply for ply in plies if outcomes[ply] == colour]:
        return winning[chance.below(len(winning), "which win")]
    safe = [ply for ply in plies if outcomes[ply] is None] or list(plies)
    tried = [safe[chance.below(len(safe), "which move")] for _ in range(3)]
    return next((ply for ply in tried if not _allows(grid.after(ply), other(colour))), tried[0])


def _allows(grid: Grid, colour: Colour) -> bool:
    """Whether the colour can win with its next move."""
    return any(runs_of(grid.after(ply), ply.placed).winner == colour for ply in grid.plies())


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
