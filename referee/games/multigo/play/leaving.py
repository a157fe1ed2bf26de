"""Players who leave: resignations, and seats that miss too many deadlines."""

from __future__ import annotations

from referee.games.multigo.actions import Move
from referee.games.multigo.board.chains import chain_at
from referee.games.multigo.events import Chain, GameWon, How, Resigned, SeatOpened, TurnBegan
from referee.games.multigo.play.captures import chains_of
from referee.games.multigo.play.course import Course
from referee.games.multigo.play.sequence import played
from referee.games.multigo.state import State, next_turn, symbol_of


def resign(course: Course, seat: int, how: How, comment: str = "") -> None:
    """The seat leaves; the last one left has won."""
    state = course.state
    on_turn = state.phase == "play" and state.turn == seat
    following = next_turn(state, seat)
    removed = _chains_of(state, seat) if state.law.resigned == "remove" and state.phase == "play" else ()
    course.add(Resigned(seat, how, removed, comment))
    if len(course.state.active) == 1:
        winner = course.state.active[0]
        points = {number: "1" if number == winner else "0" for number in range(1, state.law.players + 1)}
        course.add(GameWon(((winner,),), points, "last"))
    elif on_turn:
        course.add(TurnBegan(*following))


def missed(course: Course, seat: int) -> None:
    """Sequential: the deadline of a move passed."""
    if course.state.law.timeout_default == "resign":
        resign(course, seat, "deadline")
        return
    if course.state.seat(seat).vacant:  # nobody took the seat over within its window
        resign(course, seat, "deadline")
        return
    played(course, seat, Move(), "deadline")
    open_seats(course)


def open_seats(course: Course) -> None:
    """Seats that have missed too many moves in a row are open for takeover."""
    most = course.state.law.max_timeouts
    for seat in course.state.active:
        player = course.state.seat(seat)
        if player.defaults >= most and not player.vacant:
            course.add(SeatOpened(seat, player.defaults))


def _chains_of(state: State, seat: int) -> tuple[Chain, ...]:
    symbol, near = symbol_of(seat), state.points.neighbours
    stones = (point for point, letter in enumerate(state.board) if letter == symbol)
    whole = {chain_at(state.board, near, stone) for stone in stones}
    return chains_of(state.points, ((symbol, chain) for chain in whole))
