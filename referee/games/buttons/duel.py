"""The game for two: what is legal, what is wrong with a turn that is not, and what follows from one that is (5.3)."""

from collections.abc import Iterator
from dataclasses import replace

from referee.core.chance import Chance
from referee.core.duel import other
from referee.core.value import Complaint, fault
from referee.games.buttons import notation as do
from referee.games.buttons import state as ev


def placements(state: ev.State, seat: int) -> Iterator[tuple[int, int]]:
    """Value and space of every legal placement: next to an opponent's button, anywhere on an empty board."""
    values = tuple(dict.fromkeys(state.supply(seat)))
    for space in open_spaces(state, seat) if values else ():
        for value in values:
            yield value, space


def open_spaces(state: ev.State, seat: int) -> tuple[int, ...]:
    """Where the seat may place a button."""
    cells, ground = state.cells, state.rules.ground
    near = ground.beside if state.rules.place_adjacency == "grid" else ground.joined  # O3
    against = ev.colour_of(other(seat))
    bare = not any(cells)
    return tuple(
        s
        for s, cell in enumerate(cells)
        if not cell and (bare or any(cells[t][:1] == against for t in near[s]))
    )


def moves(state: ev.State, seat: int) -> Iterator[tuple[int, int]]:
    """From and to of every legal move: own button, exactly its value in bridges, no reversal."""
    own = ev.colour_of(seat)
    for space, cell in enumerate(state.cells):
        if cell[:1] == own:
            for target in state.rules.reach(cell, space):
                if not reverses(state, space, target):
                    yield space, target


def reverses(state: ev.State, first: int, second: int) -> bool:
    """Whether the move would exchange exactly the two buttons that the last turn exchanged (5.3, O6, O7)."""
    return state.swapped is not None and {first, second} == set(state.swapped)


def full_lines(state: ev.State, seat: int) -> tuple[tuple[int, ...], ...]:
    """The lines that four of the seat's buttons fill."""
    own = ev.colour_of(seat)
    return tuple(line for line in state.rules.ground.lines if all(state.cells[s][:1] == own for s in line))


def choices(state: ev.State, seat: int) -> list[do.PlaceButton | do.MoveButton]:
    """Every legal turn of the two-player game, placements first."""
    names = state.rules.ground.spaces
    placed = [do.PlaceButton(value, names[space]) for value, space in placements(state, seat)]
    return [*placed, *(do.MoveButton((names[s], names[t])) for s, t in moves(state, seat))]


# --- what is wrong with a turn ---------------------------------------------------------------------------------------


def turn_faults(state: ev.State, seat: int, action: do.Turn) -> Iterator[Complaint]:
    """Every complaint about a turn of the game for two (5.3)."""
    match action:
        case do.PlaceButton():
            yield from _placement(state, seat, action)
        case do.MoveButton():
            path = yield from ev.path_of(state, action.path, "turn")
            button = state.cells[path[0]] if path else ""
            facts = {"space": action.path[0] if path else "", "button": button}
            if path and not button:
                yield fault("no_button", "5.3", "turn", **facts)
            elif path and button[0] != ev.colour_of(seat):
                yield fault("not_your_button", "5.3", "turn", **facts, own=ev.colour_of(seat))
            elif path:
                yield from ev.way_faults(state, path, button, "turn")
                start, end = path[0], path[-1]
                if reverses(state, start, end):
                    yield fault("reversal", "5.3", "turn", button=button, other=state.cells[end])
        case do.AcceptDraw() if state.offer != other(seat):
            yield fault("no_offer", "5.3", "turn")


def _placement(state: ev.State, seat: int, action: do.PlaceButton) -> Iterator[Complaint]:
    own, supply = ev.colour_of(seat), state.supply(seat)
    facts = {"value": action.value, "space": action.space, "supply": supply, "own": own}
    if action.colour and action.colour != own:
        yield fault("not_your_colour", "5.3", "turn", **facts)
    if action.value not in supply:
        yield fault("not_in_supply", "5.3", "turn", **facts)
    ground = state.rules.ground
    if (at := ground.index.get(action.space)) is None:
        yield ev.no_space(state, action.space, "turn")
    elif state.cells[at]:
        yield fault("occupied", "5.3", "turn", **facts, button=state.cells[at])
    elif at not in (possible := open_spaces(state, seat)):
        bridged = state.rules.place_adjacency == "bridge"
        yield fault("not_next_to", "5.3", "turn", **facts, possible=ground.names(possible), bridged=bridged)


# --- what follows ---------------------------------------------------------------------------------------------------


def play(record: ev.Record, seat: int, action: do.Turn) -> None:
    """A turn that `check` passed, and all that follows. Four in a line wins, whoever moved; where
    both have one, the player who has just moved wins (5.3, O9)."""
    names, against = record.state.rules.ground.names, other(seat)
    if isinstance(action, do.AcceptDraw):
        record.tell(ev.DrawAgreed(seat), *commented(seat, action.comment))
        record.tell(ev.MatchDecided((), "Both players agreed to a draw."))
        return
    record.tell(_played(record.state, seat, action), *commented(seat, action.comment))
    made = {player: full_lines(record.state, player) for player in (seat, against)}
    for player, lines in made.items():
        record.tell(*(ev.LineMade(player, names(line)) for line in lines))
    if made[seat]:
        both = "Both have four in a line, and the winner has just played."
        record.tell(ev.MatchDecided((seat,), both if made[against] else "Four in a line."))
    elif made[against]:
        record.tell(ev.MatchDecided((against,), "Four in a line, completed by the opponent."))
    elif action.offer:
        record.tell(ev.DrawOffered(seat))
    go_on(record)


def go_on(record: ev.Record) -> None:
    """Repetition, then forced passes; two in a row are a draw (5.3)."""
    while record.state.ended is None:
        state = record.state
        times = state.seen.count(state.seen[-1]) if state.seen else 0
        if state.rules.repetition and times >= state.rules.repetition:
            drawn = f"The same position has stood on the board {times} times: a draw."
            record.tell(ev.MatchDecided((), drawn))
        elif not choices(state, state.mover):
            record.tell(ev.PassForced(state.mover))
            if state.passed:
                record.tell(ev.MatchDecided((), "Neither player can place or move a button: a draw."))
        else:
            return


def lapse(record: ev.Record, seats: tuple[int, ...]) -> None:
    """The default action at the deadline: the match is lost."""
    (seat,) = seats
    record.tell(ev.TurnLapsed(seat), ev.MatchDecided((other(seat),), "The opponent ran out of time."))


def commented(seat: int, comment: str) -> tuple[ev.Event, ...]:
    """Words sent beside an order, relayed."""
    return (ev.Commented(seat, comment),) if comment else ()


def suggested(state: ev.State, seat: int, chance: Chance) -> do.Turn:
    """Of a seeded player: a winning turn if there is one; now and then a draw accepted or offered; else any turn."""
    if state.offer == other(seat) and chance.below(4, "whether to accept") == 0:
        return do.AcceptDraw()
    turns = choices(state, seat)
    turns = [turn for turn in turns if full_lines(ev.fold(state, _played(state, seat, turn)), seat)] or turns
    pick = turns[chance.below(len(turns), "a turn")]
    return replace(pick, offer=True) if chance.below(20, "whether to offer a draw") == 0 else pick


def _played(state: ev.State, seat: int, turn: do.PlaceButton | do.MoveButton) -> ev.Event:
    """What a turn does on the board."""
    if isinstance(turn, do.PlaceButton):
        return ev.ButtonPlaced(seat, f"{ev.colour_of(seat)}{turn.value}", turn.space)
    return ev.moved(state, seat, tuple(state.rules.ground.index[space] for space in turn.path))
