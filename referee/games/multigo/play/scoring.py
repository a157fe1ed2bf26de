"""Counting (2.6): territory, neutral regions, shares of them, prisoners, and what alliances are worth."""

from __future__ import annotations

from referee.games.multigo import events as ev
from referee.games.multigo.board.chains import chain_at
from referee.games.multigo.board.points import EMPTY, SEAT, SYMBOLS, Points
from referee.games.multigo.state import State


def regions(points: Points, board: str) -> tuple[ev.Region, ...]:
    """Every empty region in board order, with the seats of the colours that border it."""
    found: list[ev.Region] = []
    seen: set[int] = set()
    for point, symbol in enumerate(board):
        if symbol == EMPTY and point not in seen:
            region = chain_at(board, points.neighbours, point)
            seen |= region
            around = {board[near] for stone in region for near in points.neighbours[stone]} - {EMPTY}
            found.append(ev.Region(len(region), tuple(sorted(SEAT[letter] for letter in around))))
    return tuple(found)


def counted(state: State) -> ev.Scored:
    """The count of the board as it stands."""
    law, everywhere = state.law, regions(state.points, state.board)
    neutral = tuple(region for region in everywhere if len(region.borders) != 1)
    tallies = tuple(_tally(state, seat, everywhere) for seat in range(1, law.players + 1))
    if law.scoring == "area":
        total = len(state.board)
    else:
        empty = sum(region.size for region in everywhere)
        total = empty + sum(tally.prisoners for tally in tallies)
    return ev.Scored(tallies, neutral, total)


def _tally(state: State, seat: int, everywhere: tuple[ev.Region, ...]) -> ev.Tally:
    law = state.law
    territory = sum(region.size for region in everywhere if region.borders == (seat,))
    share = 0
    if law.splits_territory:
        share = sum(
            region.size // len(region.borders)
            for region in everywhere
            if seat in region.borders and len(region.borders) > 1
        )
    stones = state.board.count(SYMBOLS[seat - 1])
    held, lost = sum(state.seat(seat).prisoners), 0
    if (
        law.prisoners == "crossman"
    ):  # nobody owns prisoners: every captured stone costs its own colour a point
        lost = state.eliminated[seat - 1] + sum(other.prisoners[seat - 1] for other in state.seats)
        held = 0
    score = territory + share + (stones if law.scoring == "area" else held - lost)
    return ev.Tally(seat, stones, territory, share, held, lost, score)


def bloc_of(state: State, scored: ev.Scored, seats: tuple[int, ...]) -> ev.Bloc:
    """What the seats are worth together: their points less prisoners of each other, and the neutral regions
    that only they border."""
    law = state.law
    score = sum(scored.tallies[seat - 1].score for seat in seats)
    if len(seats) > 1:
        if law.scoring == "territory" and law.prisoners == "shared":
            score -= sum(state.seat(holder).prisoners[colour - 1] for holder in seats for colour in seats)
        inner = [region for region in scored.neutral if region.borders and set(region.borders) <= set(seats)]
        score += sum(region.size for region in inner)
        if law.splits_territory:  # the whole region instead of the members' shares of it
            score -= sum(region.size // len(region.borders) * len(region.borders) for region in inner)
    return ev.Bloc(seats, score, score > law.alliance_threshold * scored.total)


def winners(state: State, scored: ev.Scored, alliances: tuple[ev.Bloc, ...]) -> tuple[ev.Bloc, ...]:
    """The winning blocs, more than one where they tie (G17, G20).

    Where an alliance qualifies, only blocs above the bound compete; else the best single players do.
    """
    qualified = tuple(bloc for bloc in alliances if bloc.qualifies)
    allied = {seat for bloc in qualified for seat in bloc.seats}
    singles = tuple(bloc_of(state, scored, (seat,)) for seat in state.active if seat not in allied)
    rivals = (*qualified, *(bloc for bloc in singles if bloc.qualifies)) if qualified else singles
    best = max(bloc.score for bloc in rivals)
    return tuple(bloc for bloc in rivals if bloc.score == best)
