"""Turns: one after another (2.2, 2.3) or all at once (2.4), and those of players who leave; from phase to phase (2.1):
dead stones, the count, alliances (2.6); what is owed, and what the referee does by itself."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Literal

from referee.core.game import Expected
from referee.core.value import Demand, Round, Value, turn_label
from referee.games.multigo import board as on
from referee.games.multigo import state as ev
from referee.games.multigo.notation import Move
from referee.games.multigo.prisoners import Capture, chains_of, chooser, credit, settle_choices


def played(record: ev.Record, seat: int, move: Move, how: ev.How) -> None:
    """The seat's whole turn; the next begins."""
    for index, made in enumerate(placings(record.state, seat, move.points)):
        state, point = record.state, record.state.points.index[made.point]
        comment = "" if index else move.comment
        record.tell(
            ev.StonePlaced(state.round, seat, made.point, made.removed, made.to_move, how, comment, index > 0)
        )
        dropped, mover = ((point, seat),), 0 if made.board[point] == on.EMPTY else seat
        board = _captors_board(state, dropped, made.board)
        credit(record, Capture(state.points, board, made.removed, dropped, mover))
    if not move.points:
        following = ev.next_turn(record.state, seat)[1]
        record.tell(ev.Passed(record.state.round, seat, following, how, move.comment))
    if record.state.phase == "play":
        record.tell(ev.TurnBegan(*ev.next_turn(record.state, seat)))


Fault = Literal["occupied", "suicide", "superko"]


class Placing(Value):
    """A stone tried on a board: the seat to move after it, what it removes, what the board is then, what forbids it."""

    point: str
    to_move: int
    removed: tuple[ev.Chain, ...] = ()
    board: str = ""
    fault: Fault | None = None


def placings(state: ev.State, seat: int, names: tuple[str, ...]) -> Iterator[Placing]:
    """The seat's stones tried one after another, by every rule, each on the board the earlier left;
    ends with the first fault."""
    points, law, cells, history = state.points, state.law, list(state.board), state.history
    for left, name in zip(range(len(names) - 1, -1, -1), names, strict=True):
        point, to_move = points.index[name], seat if left else ev.next_turn(state, seat)[1]
        if cells[point] != on.EMPTY:
            yield Placing(name, to_move, fault="occupied")
            return
        removed = chains_of(points, on.drop(cells, points.neighbours, point, on.SYMBOL[seat]))
        if cells[point] == on.EMPTY and law.suicide == "forbidden":
            yield Placing(name, to_move, removed, fault="suicide")
            return
        board = "".join(cells)
        sign = on.sign_of(board, to_move if law.minds_mover else 0)
        if law.superko != "off" and sign in history:
            yield Placing(name, to_move, removed, board, "superko")
            return
        history += sign
        yield Placing(name, to_move, removed, board)


def placements(
    orders: Mapping[int, tuple[str, ...]],
) -> tuple[tuple[ev.Placement, ...], tuple[ev.Collision, ...]]:
    """Which stones the seats' ordered lists come to on an open board, level by level: the first points of all, then the
    fallbacks of those without a stone. A point named by one seat alone, and still free, gets its stone."""
    made: dict[str, ev.Placement] = {}
    collisions: list[ev.Collision] = []
    for level in range(max((len(points) for points in orders.values()), default=0)):
        placed, taken = {stone.seat for stone in made.values()}, set(made)
        named = {s: p[level] for s, p in orders.items() if s not in placed and len(p) > level}
        for point in dict.fromkeys(named.values()):
            seats = tuple(seat for seat, name in named.items() if name == point)
            if len(seats) > 1:
                collisions.append(ev.Collision(point, seats))
            elif point not in taken:
                made[point] = ev.Placement(seats[0], point)
    return tuple(made.values()), tuple(collisions)


def reveal(record: ev.Record, moves: Mapping[int, Move]) -> None:
    """A parallel round closes: all that was sealed is played at once; a seat without a move passes."""
    state = record.state
    for seat in state.active:
        if seat in moves and moves[seat].prefer:
            record.tell(ev.PreferKept(seat, moves[seat].prefer))
    orders = tuple(
        ev.Order(seat, move.points, "mail", move.comment)
        if (move := moves.get(seat))
        else ev.Order(seat, (), "deadline")
        for seat in state.active
    )
    made, collisions = placements({order.seat: order.points for order in orders})
    capture, repeated = _removal(state, made)
    void = repeated and state.law.superko_parallel != "allow"
    record.tell(ev.RoundPlayed(state.round, orders, made, collisions, capture.chains, void))
    if not void:
        credit(record, capture)
    _close(record, orders, void)
    after = record.state
    for order in orders if after.phase == "play" and not after.adjourned else ():
        if order.how == "deadline" and record.state.phase == "play" and out_of_time(after, order.seat):
            resign(record, order.seat, "deadline")


def _removal(state: ev.State, made: tuple[ev.Placement, ...]) -> tuple[Capture, bool]:
    """What the round would kill, and whether the position after it has been there before."""
    law, points, cells = state.law, state.points, list(state.board)
    stones = [(points.index[stone.point], on.SYMBOL[stone.seat]) for stone in made]
    dead = on.drop_together(cells, points.neighbours, stones, law.removal == "old_first")
    board = "".join(cells)
    repeated = bool(stones) and law.superko != "off" and on.sign_of(board, 0) in state.history
    dropped = tuple((point, on.SEAT[symbol]) for point, symbol in stones)
    board = _captors_board(state, dropped, board)
    return Capture(points, board, chains_of(points, dead), dropped, 0), repeated


def _captors_board(state: ev.State, dropped: tuple[tuple[int, int], ...], after: str) -> str:
    """The board whose stones make captors: that after the removal, or of the instant before it."""
    cells = list(state.board)
    for point, seat in dropped:
        cells[point] = on.SYMBOL[seat]
    return "".join(cells) if state.law.captor_includes_dead else after


def _close(record: ev.Record, orders: tuple[ev.Order, ...], void: bool) -> None:
    """The end of play, or the next round (2.6; 2.4, step 5)."""
    state = record.state
    if void and state.law.superko_parallel == "end":
        record.tell(ev.PlayEnded("repetition"))
        return
    if state.voids >= state.law.max_void:
        record.tell(ev.PlayEnded("void"))
        return
    if not any(order.points for order in orders):
        if any(order.how != "deadline" for order in orders):
            record.tell(ev.PlayEnded("passes"))
            return
        record.tell(ev.PlayAdjourned(state.round))
    record.tell(ev.TurnBegan(state.round + 1, 0))


def resign(record: ev.Record, seat: int, how: ev.How, comment: str = "") -> None:
    """The seat leaves; the last one left has won."""
    state = record.state
    on_turn = state.phase == "play" and state.turn == seat
    following = ev.next_turn(state, seat)
    removed: tuple[ev.Chain, ...] = ()
    if state.law.resigned == "remove" and state.phase == "play":
        own, near = on.SYMBOL[seat], state.points.neighbours
        whole = {on.chain_at(state.board, near, at) for at, symbol in enumerate(state.board) if symbol == own}
        removed = chains_of(state.points, ((own, chain) for chain in whole))
    record.tell(ev.Resigned(seat, how, removed, comment))
    if len(record.state.active) == 1:
        winner = record.state.active[0]
        points = dict.fromkeys(range(1, state.law.players + 1), "0") | {winner: "1"}
        record.tell(ev.GameWon(((winner,),), points, "last"))
    elif on_turn:
        record.tell(ev.TurnBegan(*following))


def out_of_time(state: ev.State, seat: int) -> bool:
    """Whether a missed move resigns the seat; nobody took an open one over within its window."""
    return state.law.timeout_default == "resign" or state.seat(seat).vacant


# --- the end: dead stones, the count, alliances (2.6) ----------------------------------------------------------------


def regions(points: on.Points, board: str) -> tuple[ev.Region, ...]:
    """Every empty region in board order, with the seats of the colours that border it."""
    found: list[ev.Region] = []
    seen: set[int] = set()
    for point, symbol in enumerate(board):
        if symbol == on.EMPTY and point not in seen:
            region = on.chain_at(board, points.neighbours, point)
            seen |= region
            around = {board[near] for stone in region for near in points.neighbours[stone]} - {on.EMPTY}
            found.append(ev.Region(len(region), tuple(sorted(on.SEAT[letter] for letter in around))))
    return tuple(found)


def counted(state: ev.State) -> ev.Scored:
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


def _tally(state: ev.State, seat: int, everywhere: tuple[ev.Region, ...]) -> ev.Tally:
    law, stones = state.law, state.board.count(on.SYMBOLS[seat - 1])
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


def bloc_of(state: ev.State, seats: tuple[int, ...]) -> ev.Bloc:
    """What the seats are worth together: their points less prisoners of each other, and the neutral
    regions that only they border."""
    law, scored = state.law, state.counted
    score = sum(scored.tallies[seat - 1].score for seat in seats)
    if len(seats) > 1:
        if law.scoring == "territory" and law.prisoners == "shared":
            score -= sum(state.seat(holder).prisoners[colour - 1] for holder in seats for colour in seats)
        inner = [region for region in scored.neutral if region.borders and set(region.borders) <= set(seats)]
        score += sum(region.size for region in inner)
        if law.splits_territory:  # the whole region instead of the members' shares of it
            score -= sum(region.size // len(region.borders) * len(region.borders) for region in inner)
    return ev.Bloc(seats, score, score > law.alliance_threshold * scored.total)


def winners(state: ev.State, alliances: tuple[ev.Bloc, ...]) -> tuple[ev.Bloc, ...]:
    """The winning blocs, more than one where they tie (G17, G20).

    Where an alliance qualifies, only blocs above the bound compete; else the best single players
    do."""
    qualified = tuple(bloc for bloc in alliances if bloc.qualifies)
    allied = {seat for bloc in qualified for seat in bloc.seats}
    singles = tuple(bloc_of(state, (seat,)) for seat in state.active if seat not in allied)
    rivals = (*qualified, *(bloc for bloc in singles if bloc.qualifies)) if qualified else singles
    best = max(bloc.score for bloc in rivals)
    return tuple(bloc for bloc in rivals if bloc.score == best)


def agree(record: ev.Record) -> None:
    """All lists are in: the chains all of them name are removed, or the seats differ."""
    state = record.state
    near, index = state.points.neighbours, state.points.index
    lists = {
        frozenset(
            on.chain_at(state.board, near, index[name])
            for name in state.seat(seat).listed or ()
            if state.board[index[name]] != on.EMPTY
        )
        for seat in state.active
    }
    if len(lists) > 1:
        record.tell(ev.DeadDisputed(state.disputes + 1))
        if record.state.phase == "dead":  # play goes on with the seat after the last passer
            following = (state.round + 1, 0) if state.law.parallel else ev.next_turn(state, state.mover)
            record.tell(ev.TurnBegan(*following))
        return
    dead = chains_of(state.points, ((state.board[min(chain)], chain) for chain in lists.pop()))
    record.tell(ev.DeadAgreed(dead))
    credit(record, Capture(state.points, record.state.board, dead, (), 0))


def can_ally(state: ev.State) -> bool:
    """Whether alliances are asked for: it takes two who may be partners."""
    return state.law.alliances and len(state.active) >= 2


def mutual(declarations: tuple[ev.Declaration, ...]) -> tuple[tuple[int, ...], ...]:
    """The alliances whose members all named exactly the same set."""
    sets = {d.seat: tuple(sorted({d.seat, *d.partners})) for d in declarations if d.partners}
    return tuple(sorted({named for named in sets.values() if all(sets.get(seat) == named for seat in named)}))


def decide(record: ev.Record, alliances: tuple[ev.Bloc, ...]) -> None:
    """The winners: a point, split between tied blocs and then inside each (G20)."""
    best = winners(record.state, alliances)
    why: Literal["alliance", "score"] = "alliance" if any(len(bloc.seats) > 1 for bloc in best) else "score"
    points = dict.fromkeys(range(1, record.state.law.players + 1), "0")
    points |= {seat: str(Fraction(1, len(best) * len(bloc.seats))) for bloc in best for seat in bloc.seats}
    blocs, scores = tuple(bloc.seats for bloc in best), tuple(bloc.score for bloc in best)
    record.tell(ev.GameWon(blocs, points, why, scores))


def phase_of(state: ev.State) -> str:
    """The phase as players know it."""
    if state.phase == "over":
        return "over"
    if chooser(state) and (state.law.choice_blocks or state.phase == "count"):
        return "choose"
    return state.phase


def settle(record: ev.Record) -> None:
    """Automatic consequences, until somebody has to be asked (or the match is over)."""
    while record.state.phase != "over":
        settle_choices(record)
        state = record.state
        if state.pending and (state.law.choice_blocks or state.phase != "play"):
            return
        in_sequence = state.phase == "play" and not state.law.parallel
        if in_sequence and set(state.active) <= set(state.passed):
            record.tell(ev.PlayEnded("passes"))
        elif in_sequence and state.round == 3 and state.turn in state.law.passing:
            played(record, state.turn, Move(), "forced")
        elif state.phase == "dead" and all(state.seat(seat).listed is not None for seat in state.active):
            agree(record)
        elif state.phase == "count":
            record.tell(counted(state))
            if not can_ally(record.state):
                decide(record, ())
        elif state.phase == "ally" and not can_ally(state):
            decide(record, ())  # too few are left to be partners
        else:
            return


def due(state: ev.State) -> tuple[Round, ...]:
    """The open rounds: a choice of prisoners, and beside it (unless it blocks) what the phase asks for."""
    if state.phase in ("new", "over"):
        return ()
    law, choice, everyone = state.law, tuple[Round, ...](), state.active
    if owed := chooser(state):
        head, seat, _ = owed
        label = f"Round {head.round} / Prisoners {head.number} / Player {seat}"
        choice = (Round(label, (Demand("Take", seat, str(head.number)),), law.choice_deadline),)
    if state.phase == "count" or (choice and (law.choice_blocks or state.phase == "ally")):
        return choice
    if state.phase == "dead":
        missing = tuple(Demand("Dead", seat) for seat in everyone if state.seat(seat).listed is None)
        lists = Round(f"Dead stones {state.disputes + 1}", missing, law.dead_deadline, answers="last")
        return (*choice, lists) if missing else choice
    if state.phase == "ally":
        number = state.allied.round + 1 if state.allied else 1
        asked = tuple(Demand("Ally", seat) for seat in everyone)
        return (Round(f"Alliances {number}", asked, law.ally_deadline, sealed=True, answers="last"),)
    holds = law.timeout_default == "wait"
    if not law.parallel:
        label, asked = turn_label(state.round, state.turn), (Demand("Move", state.turn),)
        return (*choice, Round(label, asked, law.move_deadline, holds=holds))
    window = None if state.adjourned else law.move_deadline
    asked = tuple(Demand("Move", seat) for seat in everyone)
    return (*choice, Round(f"Round {state.round}", asked, window, sealed=True, answers="last", holds=holds))


def expects(state: ev.State, seat: int) -> Expected[ev.State] | None:
    """One's own turn, while stones are placed one after another."""
    if state.phase != "play" or state.law.parallel or seat not in state.active:
        return None
    return Expected(replace(state, turn=seat, round=state.round + (seat <= state.turn)))


def asked_next(state: ev.State) -> tuple[int, ...]:
    """Whose turn it is after this one, while stones are placed one after another."""
    return () if state.phase != "play" or state.law.parallel else (ev.next_turn(state, state.turn)[1],)


def open_to(state: ev.State, seat: int) -> tuple[Demand, ...]:
    """What a seat may send though nothing waits for it."""
    if state.phase in ("new", "over") or seat not in state.active:
        return ()
    kinds = ["Resign", "Comment"]
    if state.law.press:
        kinds.append("Press")
    if state.law.shares:
        kinds.append("Prefer")
    if state.phase == "dead" and state.seat(seat).listed is not None:
        kinds.append("Dead")
    return tuple(Demand(kind, seat) for kind in kinds)
