"""Who gets the prisoners (2.5): captors, linked events, shares and remainders; and the choice of their colours."""

from collections.abc import Collection, Iterable
from dataclasses import replace

from referee.core.game import Given, Seen, Untold
from referee.core.value import Demand, Value
from referee.games.multigo import state as ev
from referee.games.multigo.board import EMPTY, SEAT, Points
from referee.games.multigo.notation import Count, Move, Prefer, Take
from referee.games.multigo.state import Pending, Record, Rules, State, counts, fold, stones_in, tallied


def chains_of(points: Points, dead: Iterable[tuple[str, Collection[int]]]) -> tuple[ev.Chain, ...]:
    """Removed chains (a symbol and its points) as facts, all in board order."""
    told = sorted((min(chain), SEAT[symbol], sorted(chain)) for symbol, chain in dead)
    return tuple(ev.Chain(colour, tuple(points.names[at] for at in chain)) for _, colour, chain in told)


class Capture(Value):
    """What died at one instant. `board` has the stones that make captors (the survivors, unless the dead count
    too); `dropped` are the stones placed, by point, `mover` the seat that moved alone, 0 if none did."""

    points: Points
    board: str
    chains: tuple[ev.Chain, ...]
    dropped: tuple[tuple[int, int], ...]  # point, seat
    mover: int

    def captors(self, stones: Iterable[str], colour: int) -> set[int]:
        """Whose stones of another colour stand beside these."""
        found = {self.board[near] for stone in stones for near in self.beside(stone)}
        return {SEAT[symbol] for symbol in found if symbol != EMPTY} - {colour}

    def linked(self) -> tuple[tuple[ev.Chain, ...], ...]:
        """The chains in events: two that touch, or that one stone of this round touches, are together."""
        groups: list[tuple[set[int], list[ev.Chain]]] = []
        for chain in self.chains:
            stones = {self.points.index[name] for name in chain.points}
            around = stones.union(*(self.points.neighbours[stone] for stone in stones))
            reach = stones | (around & {point for point, _ in self.dropped})
            joined = [group for group in groups if group[0] & around]
            for group in joined:
                groups.remove(group)
            members = [member for group in joined for member in group[1]]
            groups.append((reach.union(*(group[0] for group in joined)), [*members, chain]))
        ordered = [
            tuple(sorted(group[1], key=lambda chain: self.points.index[chain.points[0]])) for group in groups
        ]
        return tuple(sorted(ordered, key=lambda event: self.points.index[event[0].points[0]]))

    def beside(self, name: str) -> tuple[int, ...]:
        return self.points.neighbours[self.points.index[name]]


def credit(record: Record, capture: Capture) -> None:
    """The prisoners of a capture, by the rules of the match."""
    if not capture.chains:
        return
    law = record.state.law
    if law.prisoners == "crossman":
        record.tell(ev.StonesEliminated(0, counts(stones_in(capture.chains, law.players)), "crossman"))
    elif not law.shares:
        _to_single_captors(record, capture)
    elif law.parallel or not capture.mover:
        whole = law.event_scope == "round"
        for event in (capture.chains,) if whole else capture.linked():
            _divide(record, capture, event)
    else:
        _divide(record, capture, capture.chains)  # sequential: over the whole move (G9)


def _to_single_captors(record: Record, capture: Capture) -> None:
    """Without sharing: a chain (or stone) with one captor is his, any other is nobody's."""
    players = record.state.law.players
    taken: dict[int, list[int]] = {}
    lost: dict[bool, list[int]] = {}
    for chain in capture.chains:
        units = [chain.points] if record.state.law.noncoop_unit == "chain" else [(p,) for p in chain.points]
        for unit in units:
            captors = capture.captors(unit, chain.colour)
            if len(captors) == 1:
                row = taken.setdefault(captors.pop(), [0] * players)
            else:
                row = lost.setdefault(bool(captors), [0] * players)
            row[chain.colour - 1] += len(unit)
    for seat in sorted(taken):
        record.tell(ev.PrisonersTaken(0, seat, counts(tuple(taken[seat]))))
    for several in sorted(lost, reverse=True):
        record.tell(ev.StonesEliminated(0, counts(tuple(lost[several])), "several" if several else "nobody"))


def _divide(record: Record, capture: Capture, event: tuple[ev.Chain, ...]) -> None:
    """One event shared among its captors."""
    law = record.state.law
    stones = stones_in(event, law.players)
    captors = set().union(*(capture.captors(chain.points, chain.colour) for chain in event))
    if not captors:
        record.tell(ev.StonesEliminated(0, counts(stones), "nobody"))
        return
    beside = {near for chain in event for stone in chain.points for near in capture.beside(stone)}
    droppers = {seat for at, seat in capture.dropped if at in beside and capture.board[at] != EMPTY}
    last = {capture.mover} if capture.mover else droppers
    shares, spare = shares_of(law, sum(stones), captors, last & captors)
    # they choose the mover first, then by most recent turn (G11); where nobody moved alone it is the
    # highest seat first in parallel play, and the latest mover in sequential
    first, order = capture.mover or record.state.mover, tuple(range(law.players, 0, -1))
    if first and not law.parallel and law.choice_order != "seat":
        order = tuple((first - 1 - step) % law.players + 1 for step in range(law.players))
    takers = tuple(ev.Share(seat, shares[seat]) for seat in order if shares.get(seat))
    number = record.state.captures + 1
    if not takers:
        record.tell(ev.StonesEliminated(0, counts(stones), "rest"))
    else:
        by, captured = tuple(sorted(captors)), counts(stones)
        record.tell(ev.CaptureShared(number, record.state.round, captured, by, takers, spare))


def shares_of(rules: Rules, stones: int, captors: set[int], last: set[int]) -> tuple[dict[int, int], int]:
    """Each captor's number of prisoners, and how many are left to nobody.

    All get floor(M/N). The rest goes to those who dropped last: all of it to a single mover, else
    floor(rest/L) to each of them where that is enough (G14)."""
    share, rest = divmod(stones, len(captors))
    shares = dict.fromkeys(captors, share)
    enough = len(last) if rules.rest_rule == "at_least_one" or not rules.parallel else len(last) + 1
    if last and rest >= enough:
        more = rest // len(last)
        for seat in last:
            shares[seat] += more
        rest -= more * len(last)
    return shares, rest


def chooser(state: State) -> tuple[Pending, int, int] | None:
    """The capture to be divided next, with the seat to choose and its share."""
    if state.pending and state.pending[0].queue:
        head = state.pending[0]
        return head, head.queue[0].seat, head.queue[0].stones
    return None


def choosing(state: State) -> tuple[Pending, int, int]:
    """The same, where a choice is owed."""
    if (owed := chooser(state)) is None:
        raise ValueError("nobody has prisoners to choose")
    return owed


def settle_choices(record: Record) -> None:
    """Divide what needs no question: single possibilities, standing orders, the seats that have resigned."""
    while record.state.pending:
        if (owed := chooser(record.state)) is None:
            head = record.state.pending[0]
            record.tell(ev.StonesEliminated(head.number, counts(head.pool), "rest"))
            continue
        head, seat, share = owed
        player = record.state.seat(seat)
        if only_choice(head.pool, seat, share):
            take(record, "only")
        elif player.prefer:
            take(record, "prefer", by_order(head.pool, seat, share, player.prefer))
        elif player.resigned:
            take(record, "resigned")
        else:
            return


def take(record: Record, how: ev.How, stones: tuple[Count, ...] | None = None, comment: str = "") -> None:
    """The next chooser's prisoners, those of their own colour set apart: where none are named the usual ones."""
    head, seat, share = choosing(record.state)
    taken = by_order(head.pool, seat, share, ()) if stones is None else stones
    keeps = record.state.law.own_prisoners == "count"
    kept = tuple(count for count in taken if keeps or count.colour != seat)
    lost = tuple(count for count in taken if not keeps and count.colour == seat)
    record.tell(ev.PrisonersTaken(head.number, seat, kept, lost, how, comment))


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


def supposed(state: State, seen: Seen) -> tuple[Untold, ...]:
    """The wish for just what was taken: beside the answer that was seen, or alone. Whoever was
    asked for a choice and gave an order instead comes last: with it he made it."""
    orders: list[Given] = []
    wishes: dict[int, tuple[int, ...]] = {}
    at = state
    for event in seen.happened:
        if isinstance(event, ev.PrisonersTaken) and event.how == "prefer":
            # an order that gives just these prisoners: of the last colour some may have been left
            pool, taken = choosing(at)[0].pool, tallied(event.stones, len(state.seats))
            wished = [colour for colour, number in enumerate(taken, 1) if number and colour != event.seat]
            wished.sort(key=lambda colour: taken[colour - 1] < pool[colour - 1])
            told = wishes.get(event.seat, ())
            wishes[event.seat] = (*told, *(colour for colour in wished if colour not in told))
        at = fold(at, event)
    whole = {
        demand: replace(action, prefer=wishes.pop(demand.seat))
        for demand, action in seen.answers.items()
        if demand.seat in wishes and isinstance(action, Move | Take)
    }
    asked = owed[1] if (owed := chooser(state)) else 0
    for seat in sorted(wishes, key=lambda seat: seat == asked):
        orders.append((Demand("Prefer", seat), Prefer(wishes[seat])))
    return (Untold(tuple(orders), whole),)
