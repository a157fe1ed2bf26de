"""After the last pass (2.6): dead stones by agreement, the count, alliances, the winners."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

from referee.core.owing import Lapse
from referee.games.multigo import events as ev
from referee.games.multigo.actions import Ally
from referee.games.multigo.board import EMPTY, SEAT, SYMBOLS, Points, chain_at
from referee.games.multigo.prisoners import Capture, chains_of, credit
from referee.games.multigo.state import Record, State, next_turn


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
    law, stones = state.law, state.board.count(SYMBOLS[seat - 1])
    bordered = [region for region in everywhere if seat in region.borders]
    territory = sum(region.size for region in bordered if len(region.borders) == 1)
    shared = sum(region.size // len(region.borders) for region in bordered if len(region.borders) > 1)
    share = shared if law.splits_territory else 0
    held, lost = sum(state.seat(seat).prisoners), 0
    if law.prisoners == "crossman":  # nobody owns them: every captured stone costs its own colour a point
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


def agree(record: Record) -> None:
    """All lists are in: the chains all of them name are removed, or the seats differ."""
    state = record.state
    near, index = state.points.neighbours, state.points.index
    lists = {
        frozenset(
            chain_at(state.board, near, index[name])
            for name in state.seat(seat).listed or ()
            if state.board[index[name]] != EMPTY
        )
        for seat in state.active
    }
    if len(lists) > 1:
        record.tell(ev.DeadDisputed(state.disputes + 1))
        if record.state.phase == "dead":  # play goes on with the seat after the last passer
            following = (state.round + 1, 0) if state.law.parallel else next_turn(state, state.mover)
            record.tell(ev.TurnBegan(*following))
        return
    dead = chains_of(state.points, ((state.board[min(chain)], chain) for chain in lists.pop()))
    record.tell(ev.DeadAgreed(dead))
    credit(record, Capture(state.points, record.state.board, dead, (), 0))


def count(record: Record) -> None:
    """The count is published; without alliances it decides."""
    record.tell(counted(record.state))
    if not can_ally(record.state):
        decide(record, ())


def can_ally(state: State) -> bool:
    """Whether alliances are asked for: it takes two who may be partners."""
    return state.law.alliances and len(state.active) >= 2


def declare(record: Record, answers: Mapping[int, Ally | Lapse]) -> None:
    """A sealed round of alliances closes; the last one decides."""
    state = record.state
    if state.scored is None:
        raise ValueError("alliances come after the count")
    declarations = tuple(
        ev.Declaration(seat, answer.partners, "mail", answer.comment)
        if isinstance(answer := answers.get(seat), Ally)
        else ev.Declaration(seat, (), "deadline")
        for seat in state.active
    )
    number = state.allied.round + 1 if state.allied else 1
    alliances = tuple(bloc_of(state, state.scored, seats) for seats in mutual(declarations))
    record.tell(ev.AlliesDeclared(number, declarations, alliances))
    if number >= state.law.ally_rounds:
        decide(record, alliances)


def mutual(declarations: tuple[ev.Declaration, ...]) -> tuple[tuple[int, ...], ...]:
    """The alliances whose members all named exactly the same set."""
    sets = {d.seat: tuple(sorted({d.seat, *d.partners})) for d in declarations if d.partners}
    return tuple(sorted({named for named in sets.values() if all(sets.get(seat) == named for seat in named)}))


def decide(record: Record, alliances: tuple[ev.Bloc, ...]) -> None:
    """The winners: a point, split between tied blocs and then inside each (G20)."""
    state = record.state
    scored: ev.Scored | None = state.scored
    if scored is None:
        raise ValueError("nothing has been counted")
    best = winners(state, scored, alliances)
    points = {
        str(seat): str(Fraction(1, len(best) * len(bloc.seats))) for bloc in best for seat in bloc.seats
    }
    why: Literal["alliance", "score"] = "alliance" if any(len(bloc.seats) > 1 for bloc in best) else "score"
    everyone = {seat: points.get(str(seat), "0") for seat in range(1, state.law.players + 1)}
    record.tell(
        ev.GameWon(tuple(bloc.seats for bloc in best), everyone, why, tuple(bloc.score for bloc in best))
    )
