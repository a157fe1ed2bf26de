"""What is owed in each phase, under which label (601, 604, 605, 607, 603), and what a seat may send besides; cycles,
standings, waiting (603), leaving (104): what follows when a phase, a cycle or the match is over; whose turn comes next,
until one King is left: rounds, passes, income, resigning in play (606, 607.A, part 6)."""

import re
from dataclasses import replace
from fractions import Fraction
from typing import Never

from referee.core.answers import OwnAnswer
from referee.core.game import Expected, Outcome
from referee.core.value import REFEREE, Demand, Round
from referee.games.fourplay import state as ev
from referee.games.fourplay.board.moves import Position, attacked_kings
from referee.games.fourplay.state import DOLLARMAN, KING, SEATS, CycleResult, Record, State, fold

Moment = tuple[int, int, int]  # cycle, round, player


def due(state: State) -> tuple[Round, ...]:
    """The rounds owed. A left seat suspends Purchase and Setup until it is filled (104)."""
    vacant = tuple(
        Round(f"Vacant seat / Player {seat}", (Demand("Vacancy", REFEREE, str(seat)),), None)
        for seat in state.vacant
    )
    match state.phase:
        case "ready":
            owed = tuple(Demand("Ready", p.seat) for p in state.players if not p.ready and not p.left)
            ready = (Round(_label(state, "Ready", state.start), owed, None),) if owed else ()
            return (*ready, *vacant)
        case "purchase" | "setup":
            kind, window = state.phase.capitalize(), getattr(state.rules, f"{state.phase}_window")
            owed = tuple(Demand(kind, seat) for seat in SEATS)
            label = _label(state, f"Initial {kind}", state.start)
            return vacant or (Round(label, owed, window, sealed=True),)
        case "play":
            label = turn_label(state, (state.cycle, state.round, state.to_move))
            holds = state.rules.on_timeout == "hold"
            return (Round(label, (Demand("Turn", state.to_move),), state.rules.turn_window, holds=holds),)
        case "waiting":
            label = _label(state, "Waiting period")
            return (Round(label, (Demand("Wait", REFEREE),), state.rules.waiting_period), *vacant)
        case "ended":
            return ()


def _label(state: State, words: str, start: int = 1, cycle: int | None = None) -> str:
    """Unique in a match: with the cycle where there are several, with the start where there was a leaving."""
    cycle = cycle or state.cycle
    before = f"Cycle {cycle} / " if cycle != state.unnamed else ""
    return f"{before}{words}" + (f", start {start}" if start > 1 else "")


def turn_label(state: State, moment: Moment) -> str:
    """`Round 3 / Player 2`, with the cycle before it where there are several."""
    cycle, number, seat = moment
    return _label(state, f"Round {number} / Player {seat}", cycle=cycle)


def open_to(state: State, seat: int) -> tuple[Demand, ...]:
    """What a seat may send though nothing waits for it: before play and between cycles it may leave
    (104), in play resign while it has a King; it may object once a turn has been made (611)."""
    leaves = state.phase in ("ready", "purchase", "setup", "waiting") and not state.player(seat).left
    resigns = state.phase == "play" and seat in state.kings
    leaving = (Demand("Resign", seat),) if leaves else ()
    objecting = (Demand("Objection", seat),) if last_made(state) is not None else ()
    return (*leaving, *objecting, *((Demand("Resign", seat),) if resigns else ()))


def expects(state: State, seat: int) -> Expected[State] | None:
    """The next phase, and in play one's own turn. What is bought hangs on nothing that is still to come."""
    match state.phase:
        case "ready":
            return Expected(replace(state, phase="purchase"), known=True)
        case "purchase":
            return Expected(replace(state, phase="setup"))
        case "setup":
            return Expected(replace(state, phase="play", round=1, to_move=seat))
        case "play" if seat in state.kings:
            return Expected(replace(state, to_move=seat, round=state.round + (seat <= state.to_move)))
        case "waiting":
            players = tuple(replace(player, ready=False) for player in state.players)
            return Expected(replace(state, phase="ready", players=players), known=True)
    return None


def asked_next(state: State) -> tuple[int, ...]:
    """All, before anything can be objected to. In play the next player who has a King: while another stands between
    them and the turn before this, which they may object to (611), or nobody attacks it now."""
    others = (*SEATS[state.to_move :], *SEATS[: state.to_move - 1])
    playing = [seat for seat in others if seat in state.kings and not state.player(seat).left]
    if state.phase != "play" or not playing:
        return () if last_made(state) else SEATS
    safe = len(playing) == len(others) or playing[0] not in attacked_kings(Position.of(state), state.to_move)
    return (playing[0],) if safe else ()


# --- turns made ------------------------------------------------------------------------------------------------------


def latest(state: State) -> Moment | None:
    """The last turn that has been made or begun: now, in play; else the one that ended the last cycle."""
    if state.phase == "play":
        return state.cycle, state.round, state.to_move
    if state.results and state.results[-1].player:
        last = state.results[-1]
        return last.cycle, last.round, last.player
    return None


def last_made(state: State) -> Moment | None:
    """The last turn that can be objected to; None where no turn has been made."""
    if (now := latest(state)) is None or state.phase != "play":
        return now
    cycle, number, player = now
    before = (cycle, number, player - 1) if player > 1 else (cycle, number - 1, SEATS[-1])
    return before if before[1] >= 1 else None


def statute_open(state: State, label: str) -> bool:
    """Until the offender's next turn begins (part 5), though it be one that passes by itself."""
    named = re.fullmatch(r"(?:Cycle (\d+) / )?Round (\d+) / Player (\d)", label)
    now = latest(state)
    if named is None or now is None:
        return False
    return (int(named[1] or state.unnamed), int(named[2]) + 1, int(named[3])) > now


# --- what follows ----------------------------------------------------------------------------------------------------


def cycle_over(state: State, winner: int | None) -> tuple[ev.Event, ...]:
    """The cycle is over and `winner` has the last King: its standings, and what comes next."""
    money = tuple(player.money for player in state.players)
    gems = tuple(player.gems for player in state.players)
    ended = ev.CycleEnded(CycleResult(state.cycle, winner, money, gems, state.round, state.to_move))
    if state.rules.cycles and state.cycle >= state.rules.cycles:
        return (ended, match_over(fold(state, ended)))
    if state.rules.waiting_period:
        return (ended, ev.WaitingBegun(state.cycle))
    return (ended, ev.PurchaseBegun(state.cycle + 1, 1))


def match_over(state: State) -> ev.MatchEnded:
    """The winner by cycles won; ties are broken by gems, then by the F$ left at the ends of the cycles."""
    rank = {
        seat: (
            cycles_won(state, seat),
            state.player(seat).gems,
            sum(result.money[seat - 1] for result in state.results),
        )
        for seat in SEATS
    }
    winners = tuple(seat for seat in SEATS if rank[seat] == max(rank.values()))
    names = " and ".join(f"Player {seat}" for seat in winners)
    if len(state.results) == 1:
        kept = f"{names} kept the last King."
        nobody = f"Nobody kept a King; {names} had most gems and F$."
        return ev.MatchEnded(winners, kept if state.results[0].winner else nobody)
    cycles = cycles_won(state, winners[0])
    tied = [seat for seat in SEATS if cycles_won(state, seat) == cycles]
    by = "" if len(tied) == len(winners) else ", ahead on Neutron Gems and F$"
    return ev.MatchEnded(winners, f"{names} won {cycles} of {len(state.results)} cycles{by}.")


def cycles_won(state: State, seat: int) -> int:
    return sum(result.winner == seat for result in state.results)


def left(state: State, seat: int, comment: str) -> tuple[ev.Event, ...]:
    """Somebody leaves before play; if one alone is left, that one wins (part 6)."""
    gone = ev.PlayerLeft(seat, comment)
    here = [player.seat for player in fold(state, gone).players if not player.left]
    if len(here) > 1:
        return (gone,)
    winners = tuple(here)
    return (gone, ev.MatchEnded(winners, "".join(f"Player {seat} is the only one left." for seat in winners)))


def filled(state: State, seat: int) -> tuple[ev.Event, ...]:
    """A left seat is taken; once all four are, the phase that was suspended begins again, with a fresh window (104)."""
    if not state.player(seat).left:
        return ()
    back, start = ev.SeatFilled(seat), state.start + 1
    if fold(state, back).vacant:
        return (back,)
    if state.phase == "purchase":
        return (back, ev.PurchaseBegun(state.cycle, start))
    return (back, ev.SetupBegun(state.cycle, start)) if state.phase == "setup" else (back,)


def outcome(state: State) -> Outcome | None:
    """Points are cycles won."""
    if state.phase != "ended":
        return None
    return Outcome(state.winners, {seat: Fraction(cycles_won(state, seat)) for seat in SEATS}, state.reason)


class Waiting(OwnAnswer[State, ev.Event, Never]):
    """The waiting period before the next cycle (603): nothing but the clock answers it."""

    kind = "Wait"
    actions = ()

    def lapse(self, record: Record, demand: Demand) -> None:
        record.tell(ev.PurchaseBegun(record.state.cycle + 1, 1))


def next_turn(state: State) -> tuple[ev.Event, ...]:
    """What follows the turn of the seat that was to move: the end of the cycle where one King is
    left, else the rest of the round up to the next player with a King who is here."""
    kings = state.kings
    if len(kings) <= 1:
        return cycle_over(state, kings[0] if kings else None)
    events: list[ev.Event] = []
    seat, number = state.to_move, state.round
    while any(not state.player(king).left for king in kings):
        if seat == SEATS[-1]:
            events.append(ev.RoundEnded(state.cycle, number))
            if income := state.rules.dollarman_income:  # part C, ruling 9: only to players with a King
                earning = {piece.owner for piece in state.on_board() if piece.type == DOLLARMAN}
                events += [ev.MoneyReceived(king, income, "income") for king in kings if king in earning]
            seat, number = SEATS[0], number + 1
        else:
            seat += 1
        if _here(state, seat):
            return (*events, ev.TurnBegun(seat, state.cycle, number))
        events.append(_passed(state, seat, number))
    return ()


def _here(state: State, seat: int) -> bool:
    return seat in state.kings and not state.player(seat).left


def _passed(state: State, seat: int, number: int) -> ev.TurnPassed:
    return ev.TurnPassed(seat, state.cycle, number, "vacant" if seat in state.kings else "kingless")


def turn_begun(state: State) -> tuple[ev.Event, ...]:
    """What follows where `state.to_move` is about to move: nothing, or the automatic passes of seats without King."""
    if _here(state, state.to_move):
        return ()
    return (_passed(state, state.to_move, state.round), *next_turn(state))


def resigned(state: State, seat: int, comment: str) -> tuple[ev.Event, ...]:
    """In play the King leaves the board (part 6); who was due hands the turn on (ruling 13)."""
    king = next(p for p in state.on_board() if p.type == KING and p.owner == seat)
    record = Record(fold, state)
    record.tell(ev.KingRemoved(seat, "resigned", king.id, comment))
    if len(record.state.kings) <= 1 or state.to_move == seat:
        record.tell(*next_turn(record.state))
    return tuple(record.events)
