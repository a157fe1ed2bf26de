"""Seeded players, for rehearsals and laws: quick, legal, and never at it for ever."""

from __future__ import annotations

from dataclasses import replace

from referee.core.chance import Chance
from referee.games.onepiece import notation as do
from referee.games.onepiece.board import Colour, Grid, Ply, Words, other
from referee.games.onepiece.solver import Search
from referee.games.onepiece.state import State
from referee.games.onepiece.turns import beginning_faults, shown_faults, turn_faults


def move(state: State, seat: int, chance: Chance) -> do.MovePiece:
    """A move, and in a tournament now and then a claim: a true one of 2 where it is seen, rarely a bluff."""
    colour = state.colour_of(seat)
    careless = bool(state.claims) and chance.below(3, "whether to miss a win") == 0
    ply = chosen(state.grid, colour, chance, careless)
    action = do.MovePiece.of(ply)
    if not state.law.tournament or state.claims:
        return action
    n = 2
    after = state.grid.after(ply)  # whether the colour wins with its next move whatever comes
    search = Search(after.cols, after.rows, exact=True, limit=10_000)
    if not search.succeeds(after.seen_by(other(colour)), 2):
        if chance.below(60, "whether to bluff"):
            return action
        n = 2 * (1 + chance.below(max(1, state.law.max_claim // 2), "the claim"))
    claiming = replace(action, claim=n)
    return action if any(turn_faults(state, seat, claiming)) else claiming


def chosen(grid: Grid, colour: Colour, chance: Chance, careless: bool = False) -> Ply:
    """A win where there is one and it is seen; else the best of a few moves drawn: one that forces a win, or at least
    none that hands over a win or allows one at once."""
    search = Search(grid.cols, grid.rows, exact=True, limit=10_000)
    g, at = grid.ground, grid.seen_by(colour)
    won = g.winning(*at)
    if won is not None and not careless:
        return g.ply(won, colour)
    steps = g.steps(*at)
    safe = [step for step in steps if g.result(*at[:2], step) == 0] or steps
    tried = [safe[chance.below(len(safe), "which move")] for _ in range(4)]
    sound = [step for step in tried if g.winning(*search.moved(at, step)) is None] or tried
    forcing = (step for step in sound if search.succeeds(search.moved(at, step), 2))
    return g.ply(next(forcing, sound[0]), colour)


def beginning(state: State, chance: Chance) -> do.Evidence:
    """Half of the claimers give up; the others change a ply, if they find how."""
    claim = state.judged[0]
    plies = state.own_plies(claim)
    ply = plies[chance.below(len(plies), "which ply to change")]
    words = Words.of(chosen(state.grid_before(ply), state.colour_of(claim.seat), chance))
    action = do.BeginDemonstration(ply, words.red, words.blue, words.lifted)
    if chance.below(2, "whether to demonstrate") or any(beginning_faults(state, action)):
        return do.GiveUpClaim()
    return action


def reply(state: State, seat: int, chance: Chance) -> do.MovePiece:
    """A move of the demonstration."""
    return do.MovePiece.of(chosen(state.shown_grid, state.colour_of(seat), chance))


def demonstration(state: State, seat: int, chance: Chance) -> do.Shown:
    """A claimer's move of the demonstration; where it would win too early he gives up."""
    action = reply(state, seat, chance)
    return do.GiveUpClaim() if any(shown_faults(state, seat, action)) else action
