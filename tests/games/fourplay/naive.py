"""A second, naive account of the pieces, written from the words of their rules alone, slowly and without tables.

It shares no code with the referee's kernel. A board is a dict from (column, row), both 0 to 14, to (name, owner);
the Neutron's owner is None. A move is (start, end, way, captures, granted): `way` are the squares between that the
piece passes over empty or lands on; a piece that leaps passes none.
"""

from collections.abc import Iterator

Square = tuple[int, int]
Man = tuple[str, int | None]
Board = dict[Square, Man]
Move = tuple[Square, Square, tuple[Square, ...], tuple[Square, ...], bool]

ROOKWISE = [(0, 1), (1, 0), (0, -1), (-1, 0)]
BISHOPWISE = [(1, 1), (1, -1), (-1, -1), (-1, 1)]
ANYWISE = ROOKWISE + BISHOPWISE
LIMITS = {
    "King": 1, "Dollarman": 1, "Cannon": 4, "Crazyhorse": 1, "Archer": 2, "Snake": 4, "Jester": 6,
    "Quadrunner": 4, "Killer Tomato": 2, "Bender": 4, "Zombie": 3, "Withdrawer": 1,
    "Queen": 1, "Rook": 2, "Bishop": 2, "Knight": 2,
}  # fmt: skip
KNIGHT = [(dx, dy) for dx in range(-2, 3) for dy in range(-2, 3) if abs(dx * dy) == 2]


def inside(square: Square) -> bool:
    return 0 <= square[0] <= 14 and 0 <= square[1] <= 14


def quadrant(square: Square) -> int:
    """1 upper right, 2 upper left, 3 lower left, 4 lower right, 0 on row 8 or column h."""
    x, y = square
    if x == 7 or y == 7:
        return 0
    if y > 7:
        return 1 if x > 7 else 2
    return 3 if x < 7 else 4


def off(square: Square, step: Square, times: int = 1) -> Square:
    return square[0] + step[0] * times, square[1] + step[1] * times


def is_enemy(board: Board, owner: int, square: Square) -> bool:
    return square in board and board[square][1] not in (owner, None)


def limit_of(name: str, owned: dict[str, int]) -> int:
    if name == "Pawn":
        return 8 if owned.get("Nwap", 0) >= 8 else 10
    if name == "Nwap":
        return 8 if owned.get("Pawn", 0) >= 8 else 10
    return LIMITS.get(name, 1000)


def owned_by(board: Board, owner: int, spare: dict[str, int]) -> dict[str, int]:
    owned = dict(spare)
    for name, whose in board.values():
        if whose == owner:
            owned[name] = owned.get(name, 0) + 1
    return owned


def may_become(board: Board, owner: int, victim: str, spare: dict[str, int]) -> bool:
    """961, ruling 5: the Zombie itself stops being a Zombie; of no type stand more than its limit then."""
    standing = owned_by(board, owner, {})
    owned = dict(spare)
    for counts in (standing, owned):
        counts[victim] = counts.get(victim, 0) + 1
    standing["Zombie"] -= 1
    for name, whose in board.values():
        owned[name] = owned.get(name, 0) + (whose == owner)
    owned["Zombie"] -= 1
    return all(count <= limit_of(name, owned) for name, count in standing.items())


# --- one piece at a time -----------------------------------------------------------------------------------------


def piece_moves(board: Board, start: Square, spare: dict[str, int]) -> Iterator[Move]:
    """What the piece on a square may do by its own rule."""
    name, owner = board[start]
    assert owner is not None
    yield from RULES[name](board, start, owner, spare)


def step_or_take(
    board: Board, start: Square, owner: int, steps: list[Square], quiet: bool, take: bool
) -> Iterator[Move]:
    for step in steps:
        end = off(start, step)
        if inside(end):
            if quiet and end not in board:
                yield start, end, (), (), False
            if take and is_enemy(board, owner, end):
                yield start, end, (), (end,), False


def king(board: Board, start: Square, owner: int, spare: dict[str, int]) -> Iterator[Move]:
    yield from step_or_take(board, start, owner, ANYWISE, True, True)


def pawn(board: Board, start: Square, owner: int, spare: dict[str, int]) -> Iterator[Move]:
    yield from step_or_take(board, start, owner, ROOKWISE, True, False)
    yield from step_or_take(board, start, owner, BISHOPWISE, False, True)


def nwap(board: Board, start: Square, owner: int, spare: dict[str, int]) -> Iterator[Move]:
    yield from step_or_take(board, start, owner, BISHOPWISE, True, False)
    yield from step_or_take(board, start, owner, ROOKWISE, False, True)


def jester(board: Board, start: Square, owner: int, spare: dict[str, int]) -> Iterator[Move]:
    yield from step_or_take(board, start, owner, [(2 * x, 2 * y) for x, y in ANYWISE], True, True)


def quadrunner(board: Board, start: Square, owner: int, spare: dict[str, int]) -> Iterator[Move]:
    yield from step_or_take(board, start, owner, ROOKWISE, True, True)


def tomato(board: Board, start: Square, owner: int, spare: dict[str, int]) -> Iterator[Move]:
    yield from step_or_take(board, start, owner, ROOKWISE, True, False)
    diagonal = BISHOPWISE + [(2 * x, 2 * y) for x, y in BISHOPWISE]
    yield from step_or_take(board, start, owner, diagonal, True, True)


def zombie(board: Board, start: Square, owner: int, spare: dict[str, int]) -> Iterator[Move]:
    yield from step_or_take(board, start, owner, [(2 * x, 2 * y) for x, y in ANYWISE], True, False)
    for move in step_or_take(board, start, owner, ANYWISE, False, True):
        if may_become(board, owner, board[move[1]][0], spare):
            yield move


def prime_mover(board: Board, start: Square, owner: int, spare: dict[str, int]) -> Iterator[Move]:
    steps = ANYWISE + [(2 * x, 2 * y) for x, y in ANYWISE]
    yield from step_or_take(board, start, owner, steps, True, False)


def between(start: Square, step: Square, distance: int) -> tuple[Square, ...]:
    return tuple(off(start, step, n) for n in range(1, distance))


def slides(board: Board, start: Square, owner: int, steps: list[Square], take: bool) -> Iterator[Move]:
    for step in steps:
        for distance in range(1, 15):
            end = off(start, step, distance)
            way = between(start, step, distance)
            if not inside(end) or any(square in board for square in way):
                continue
            if end not in board:
                yield start, end, way, (), False
            elif take and is_enemy(board, owner, end):
                yield start, end, way, (end,), False


def cannon(board: Board, start: Square, owner: int, spare: dict[str, int]) -> Iterator[Move]:
    yield from slides(board, start, owner, ROOKWISE, take=False)
    for step in ROOKWISE:
        for distance in range(1, 15):
            end = off(start, step, distance)
            way = between(start, step, distance)
            if is_enemy(board, owner, end) and len([square for square in way if square in board]) == 1:
                yield start, end, way, (end,), False


def withdrawer(board: Board, start: Square, owner: int, spare: dict[str, int]) -> Iterator[Move]:
    """It always captures an enemy from which it moves straight away (ruling 3)."""
    for _, end, way, _, _ in slides(board, start, owner, ANYWISE, take=False):
        dx, dy = end[0] - start[0], end[1] - start[1]
        away = max(abs(dx), abs(dy))
        behind = (start[0] - dx // away, start[1] - dy // away)
        yield start, end, way, ((behind,) if is_enemy(board, owner, behind) else ()), False


def snake(board: Board, start: Square, owner: int, spare: dict[str, int]) -> Iterator[Move]:
    seen = set()
    for first in BISHOPWISE:
        for second in BISHOPWISE:
            if first[0] * second[0] + first[1] * second[1] != 0:
                continue  # not at a right angle
            path: list[Square] = []
            here = start
            for count in range(14):
                here = off(here, first if count % 2 == 0 else second)
                if not inside(here) or (here in board and not is_enemy(board, owner, here)):
                    break
                taken = (here,) if here in board else ()
                move = (start, here, tuple(path), taken, False)
                if move not in seen:
                    seen.add(move)
                    yield move
                if taken:
                    break
                path.append(here)


def archer(board: Board, start: Square, owner: int, spare: dict[str, int]) -> Iterator[Move]:
    walks = set()
    for step in ROOKWISE:
        for first in range(1, 5):
            corner = [off(start, step, n) for n in range(1, first + 1)]
            for turn in ROOKWISE:
                if first == 4 or step[0] * turn[0] + step[1] * turn[1] == 0:
                    walks.add(tuple(corner + [off(corner[-1], turn, n) for n in range(1, 5 - first)]))
    for walk in sorted(walks):
        if all(inside(square) and square not in board for square in walk) and quadrant(walk[-1]) == owner:
            yield start, walk[-1], walk[:-1], (), False
    for steps, reach in ((ROOKWISE, 4), (BISHOPWISE, 3)):
        for step in steps:
            for distance in range(1, reach + 1):
                target = off(start, step, distance)
                clear = not any(square in board for square in between(start, step, distance))
                if clear and is_enemy(board, owner, target):
                    yield start, start, (), (target,), False


def bender(board: Board, start: Square, owner: int, spare: dict[str, int]) -> Iterator[Move]:
    for step in ROOKWISE:
        path: list[Square] = []
        here = start
        while True:
            before, here = here, off(here, step)
            if not inside(here) or (here in board and not is_enemy(board, owner, here)):
                break
            taken = (here,) if here in board else ()
            yield start, here, tuple(path), taken, False
            if taken:
                break
            path.append(here)
            if quadrant(here) != quadrant(before):  # a border crossed: stop, or bend
                for turn in BISHOPWISE:
                    if turn[0] * step[0] + turn[1] * step[1] > 0:
                        yield from _bent(board, start, owner, here, turn, tuple(path))
                break


def _bent(
    board: Board, start: Square, owner: int, corner: Square, turn: Square, path: tuple[Square, ...]
) -> Iterator[Move]:
    here = off(corner, turn)
    while inside(here):
        if here in board:
            if is_enemy(board, owner, here):
                yield start, here, path, (here,), False
            return
        yield start, here, path, (), False
        path = (*path, here)
        here = off(here, turn)


def crazyhorse(board: Board, start: Square, owner: int, spare: dict[str, int]) -> Iterator[Move]:
    for first in KNIGHT:
        middle = off(start, first)
        if not inside(middle) or (middle in board and not is_enemy(board, owner, middle)):
            continue
        taken = (middle,) if middle in board else ()
        yield start, middle, (), taken, False
        after = {square: man for square, man in board.items() if square not in (start, middle)}
        for second in KNIGHT:
            end = off(middle, second)
            if inside(end) and (end not in after or is_enemy(after, owner, end)):
                yield start, end, (middle,), taken + ((end,) if end in after else ()), False


def queen(board: Board, start: Square, owner: int, spare: dict[str, int]) -> Iterator[Move]:
    yield from slides(board, start, owner, ANYWISE, take=True)


def rook(board: Board, start: Square, owner: int, spare: dict[str, int]) -> Iterator[Move]:
    yield from slides(board, start, owner, ROOKWISE, take=True)


def bishop(board: Board, start: Square, owner: int, spare: dict[str, int]) -> Iterator[Move]:
    yield from slides(board, start, owner, BISHOPWISE, take=True)


def knight(board: Board, start: Square, owner: int, spare: dict[str, int]) -> Iterator[Move]:
    yield from step_or_take(board, start, owner, KNIGHT, True, True)


RULES = {
    "King": king, "Dollarman": king, "Pawn": pawn, "Nwap": nwap, "Jester": jester, "Quadrunner": quadrunner,
    "Killer Tomato": tomato, "Zombie": zombie, "PrimeMover": prime_mover, "Cannon": cannon,
    "Withdrawer": withdrawer, "Snake": snake, "Archer": archer, "Bender": bender, "Crazyhorse": crazyhorse,
    "Queen": queen, "Rook": rook, "Bishop": bishop, "Knight": knight,
}  # fmt: skip


# --- PrimeMover's grant ------------------------------------------------------------------------------------------


def lent_to(board: Board, owner: int) -> set[Square]:
    """The squares of the owner's pieces that stand next to one of his PrimeMovers."""
    movers = [square for square, man in board.items() if man == ("PrimeMover", owner)]
    return {
        square
        for square, (_, whose) in board.items()
        for mover in movers
        if whose == owner and max(abs(square[0] - mover[0]), abs(square[1] - mover[1])) == 1
    }


def is_prime(number: int) -> bool:
    return number > 1 and all(number % factor for factor in range(2, number))


def lent_moves(board: Board, start: Square, spare: dict[str, int]) -> Iterator[Move]:
    name, owner = board[start]
    assert owner is not None
    for step in ANYWISE:
        for distance in range(2, 15):
            end = off(start, step, distance)
            if not is_prime(distance) or not inside(end):
                continue
            composite = [n for n in range(4, distance) if not is_prime(n)]
            if any(off(start, step, n) in board for n in composite):
                continue
            if name == "Archer" and quadrant(end) != owner:
                continue
            way = between(start, step, distance)
            if end not in board:
                yield start, end, way, (), True
            elif is_enemy(board, owner, end) and name != "PrimeMover":
                if name == "Zombie" and not may_become(board, owner, board[end][0], spare):
                    continue
                yield start, end, way, (end,), True


# --- all together ------------------------------------------------------------------------------------------------


def moves(board: Board, owner: int, lent: set[Square], spare: dict[str, int]) -> list[Move]:
    found: list[Move] = []
    for square in sorted(board):
        if board[square][1] == owner:
            found += piece_moves(board, square, spare)
            if square in lent:
                found += lent_moves(board, square, spare)
    return found


def made(board: Board, move: Move) -> Board:
    start, end, _, captures, _ = move
    after = {square: man for square, man in board.items() if square not in captures and square != start}
    name, owner = board[start]
    if name == "Zombie" and captures:
        name = board[captures[-1]][0]
    after[end] = (name, owner)
    return after


def king_of(board: Board, owner: int) -> Square | None:
    return next((square for square, man in board.items() if man == ("King", owner)), None)


def all_attacked(board: Board, owner: int) -> set[Square]:
    """Every square whose piece the owner could take."""
    return {square for move in moves(board, owner, lent_to(board, owner), {}) for square in move[3]}


def attacked(board: Board, owner: int, square: Square) -> bool:
    """Whether some piece of the owner could take what stands on the square, lent moves included."""
    lent = lent_to(board, owner)
    for start, (_, whose) in board.items():
        if whose == owner:
            if any(square in move[3] for move in piece_moves(board, start, {})):
                return True
            if start in lent and any(square in move[3] for move in lent_moves(board, start, {})):
                return True
    return False


def in_check(board: Board, player: int) -> bool:
    square = king_of(board, player)
    others = (other for other in (1, 2, 3, 4) if other != player and king_of(board, other) is not None)
    return square is not None and any(attacked(board, other, square) for other in others)


def perft(board: Board, seat: int, depth: int) -> int:
    if depth == 0:
        return 1
    count = 0
    for move in moves(board, seat, lent_to(board, seat), {}):
        after = made(board, move)
        if not in_check(after, seat):
            following = [(seat + n - 1) % 4 + 1 for n in (1, 2, 3, 4)]
            owners = {man[1] for man in after.values()}
            count += perft(after, next(other for other in following if other in owners), depth - 1)
    return count


def attacked_kings(board: Board, owner: int) -> set[int]:
    kings = {other: king_of(board, other) for other in (1, 2, 3, 4) if other != owner}
    squares = all_attacked(board, owner)
    return {other for other, square in kings.items() if square in squares}


def aggressive_toward(board: Board, owner: int, move: Move) -> set[int]:
    """Ruling 1."""
    victims = {board[square][1] for square in move[3]}
    new = attacked_kings(made(board, move), owner) - attacked_kings(board, owner)
    return {victim for victim in victims if victim is not None} | new


# --- the Neutron -------------------------------------------------------------------------------------------------


def neutron_ends(board: Board, start: Square) -> set[Square]:
    ends = set()
    for step in ANYWISE:
        end = start
        while inside(off(end, step)) and off(end, step) not in board:
            end = off(end, step)
        if end != start:
            ends.add(end)
    return ends


def gem_for(square: Square) -> int | None:
    edge = 0 in square or 14 in square
    return quadrant(square) if edge and quadrant(square) else None


# --- whole turns -------------------------------------------------------------------------------------------------


def after_neutron(board: Board, start: Square, end: Square) -> Board:
    """905: caught on an edge square of a quadrant it returns to the centre and destroys what stands there."""
    after = {square: man for square, man in board.items() if square != start}
    after[(7, 7) if gem_for(end) else end] = ("Neutron", None)
    return after


def kings_on(board: Board) -> int:
    return sum(1 for name, _ in board.values() if name == "King")


def count_turns(board: Board, seat: int) -> int:
    """Every whole turn without placements and purchases, counted one by one (607.B)."""
    lent = lent_to(board, seat)
    allowed = kings_on(board) - 1
    start = next(square for square, man in board.items() if man[1] is None)
    runs = [after_neutron(board, start, end) for end in neutron_ends(board, start)] or [board]
    ended = [after for after in runs if king_of(after, seat) is None or kings_on(after) == 1]
    going = [after for after in runs if after not in ended]
    passes = sum(1 for after in going if not in_check(after, seat))
    made_some = sum(_turns(after, seat, allowed, lent, set(), set()) for after in going)
    helped = passes + made_some > 0 or any(king_of(after, seat) for after in ended)
    return len(ended) + made_some + (passes if helped else len(going))


def _turns(
    board: Board, seat: int, left: int, lent: set[Square], moved: set[Square], annoyed: set[int]
) -> int:
    """The legal sequences of one to `left` moves, each by another piece."""
    if left == 0 or kings_on(board) == 1:
        return 0
    count = 0
    for move in moves(board, seat, lent, {}):
        toward = aggressive_toward(board, seat, move)
        after = made(board, move)
        if move[0] in moved or toward & annoyed or in_check(after, seat):
            continue
        count += 1 + _turns(after, seat, left - 1, lent - {move[0]}, moved | {move[1]}, annoyed | toward)
    return count
