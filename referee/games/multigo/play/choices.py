"""The choice of prisoners' colours (2.5): what may be taken, what is automatic, what stands in for a choice."""

from __future__ import annotations

from referee.games.multigo import events as ev
from referee.games.multigo.actions import Count
from referee.games.multigo.folding import Told
from referee.games.multigo.state import Pending, State, counts, tallied


def chooser(state: State) -> tuple[Pending, int, int] | None:
    """The capture to be divided next, with the seat to choose and its share."""
    if state.pending and state.pending[0].queue:
        head = state.pending[0]
        return head, head.queue[0].seat, head.queue[0].stones
    return None


def settle_choices(record: Told) -> None:
    """Divide what needs no question: single possibilities, standing orders, the seats that have resigned."""
    while record.state.pending:
        owed = chooser(record.state)
        if owed is None:
            head = record.state.pending[0]
            record.tell(ev.StonesEliminated(head.number, counts(head.pool), "rest"))
            continue
        head, seat, share = owed
        player = record.state.seat(seat)
        if only_choice(head.pool, seat, share):
            take_usual(record, "only")
        elif player.prefer:
            take(record, by_order(head.pool, seat, share, player.prefer), "prefer")
        elif player.resigned:
            take_usual(record, "resigned")
        else:
            return


def take(record: Told, stones: tuple[Count, ...], how: ev.How, comment: str = "") -> None:
    """The next chooser's prisoners, his own colour's set apart."""
    owed = chooser(record.state)
    if owed is None:
        raise ValueError("nobody has prisoners to choose")
    head, seat, _ = owed
    keeps = record.state.law.own_prisoners == "count"
    kept = tuple(count for count in stones if keeps or count.colour != seat)
    lost = tuple(count for count in stones if not keeps and count.colour == seat)
    record.tell(ev.PrisonersTaken(head.number, seat, kept, lost, how, comment))


def take_usual(record: Told, how: ev.How) -> None:
    """The next chooser's prisoners where he names none: the most numerous colours first."""
    if owed := chooser(record.state):
        head, seat, share = owed
        take(record, by_order(head.pool, seat, share, ()), how)


def only_choice(pool: tuple[int, ...], seat: int, share: int) -> bool:
    """Whether the share can be made up in one way only: own stones come in only when nothing else is left."""
    others = [number for colour, number in enumerate(pool, 1) if number and colour != seat]
    return sum(others) <= share or len(others) <= 1


def by_order(pool: tuple[int, ...], seat: int, share: int, prefer: tuple[int, ...]) -> tuple[Count, ...]:
    """The share by preference, then the most numerous colour first (ties by seat), the own colour last."""

    def rank(colour: int) -> tuple[bool, int, int, int]:
        wish = prefer.index(colour) if colour in prefer else len(prefer)
        return colour == seat, wish, -pool[colour - 1], colour

    taken, left = [0] * len(pool), share
    for colour in sorted(range(1, len(pool) + 1), key=rank):
        taken[colour - 1] = min(left, pool[colour - 1])
        left -= taken[colour - 1]
    return counts(tuple(taken))


def own_too_soon(pool: tuple[int, ...], seat: int, stones: tuple[Count, ...], share: int) -> bool:
    """Whether own stones are taken while others are left."""
    wanted = tallied(stones, len(pool))
    others = sum(number for colour, number in enumerate(pool, 1) if colour != seat)
    return wanted[seat - 1] > max(0, share - others)
