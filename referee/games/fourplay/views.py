"""What a seat, or the public, may know: the facts of the contract, the board's picture, facts for letters and for the
page that writes mails; a piece shown to newcomers, its moves and captures alone and in an example.

Nothing in the state is secret: sealed answers stay with the match until the reveal.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from referee.core.diagram import Colour, Diagram, Mark, Shape, Tint, Token
from referee.core.game import BoardForm, View
from referee.games.fourplay import state as ev
from referee.games.fourplay.board.catalogue import Catalogue, PieceType, catalogue_of, catalogue_text
from referee.games.fourplay.board.moves import Position, attacks, checkers, moves_from, neutron_runs
from referee.games.fourplay.board.primitives import COLUMNS, NAMES, NUMBERS, Move, quadrant_of
from referee.games.fourplay.cycles import cycles_won, last_made
from referee.games.fourplay.forms.purchase import least_cost, value
from referee.games.fourplay.forms.setup import quadrant_squares
from referee.games.fourplay.state import CENTRE, GIVEN, HOME_CORNERS, NEUTRON, SEATS, Piece, Player, State

COLOURS: Final[dict[int, Colour]] = {1: "red", 2: "blue", 3: "green", 4: "yellow"}
SHAPES: Final[dict[int, Shape]] = {1: "disc", 2: "square", 3: "diamond", 4: "hexagon"}
_REGIONS: Final[dict[int, Tint]] = {0: "neutral", 1: "region1", 2: "region2", 3: "region3", 4: "region4"}
_QUADRANTS: Final = {1: "upper right", 2: "upper left", 3: "lower left", 4: "lower right"}


ROWS: Final = tuple(str(row) for row in range(15, 0, -1))
TINTS: Final = tuple((name, _REGIONS[quadrant_of(name)]) for name in NAMES)
_HOMES: Final[tuple[tuple[str, Tint], ...]] = tuple((square, "home") for square in HOME_CORNERS.values())


def view(state: State, seat: int | None) -> View:
    """The one gate; a seat learns no more than the public does."""
    drawn = state.phase in ("setup", "play") or bool(state.on_board())
    return View(state.phase, position(state), diagram(state) if drawn else None, _facts(state))


def position(state: State) -> dict[str, object]:
    """The contract's "Facts in `position`"."""
    off = Counter((piece.owner, piece.type) for piece in state.pieces if piece.square is None)
    return {
        "cycle": state.cycle,
        "round": state.round,
        "pieces": [
            {"square": piece.square, "piece": piece.type, "player": piece.owner, "mascot": piece.mascot}
            for piece in sorted(state.on_board(), key=_place)
        ],
        "off_board": [{"player": seat, "piece": name, "count": n} for (seat, name), n in off.items()],
        "money": {str(player.seat): player.money for player in state.players},
        "gems": {str(player.seat): player.gems for player in state.players},
    }


def _place(piece: Piece) -> int:
    return NUMBERS.get(piece.square or "", -1)


def diagram(state: State) -> Diagram:
    """The board, with quadrants, neutral squares, Home Corners, mascots and the last turn marked (part 8)."""
    catalogue = catalogue_of(state.rules.pieces)
    on_board = sorted(state.on_board(), key=_place)
    symbols = {piece.type: catalogue.by_name[piece.type].symbol for piece in on_board}
    cycle = f", cycle {state.cycle}" if state.rules.cycles != 1 else ""
    number = f", round {state.round}" if state.phase == "play" else ""
    centre = () if state.at(CENTRE) else (Mark(CENTRE, "centre"),)
    return Diagram(
        title=f"Fourplay{cycle}{number}",
        columns=tuple(COLUMNS),
        rows=ROWS,
        tokens=tuple(drawn(catalogue.by_name[p.type], p.square or "", p.owner, p.mascot) for p in on_board),
        tints=(*TINTS, *_HOMES),
        marks=(*centre, *(state.last.marks if state.last else ())),
        legend=(
            *((symbols[piece.name], piece.name) for piece in catalogue.types if piece.name in symbols),
            *((("*", "Mascot"),) if any(piece.mascot for piece in on_board) else ()),
        ),
        sentences=tuple(_sentences(state, on_board)),
    )


def drawn(piece: PieceType, square: str, owner: int | None, mascot: bool = False) -> Token:
    """A piece as pictures show it."""
    if owner is None:
        return Token(square, piece.symbol, piece.name, "grey", "star")
    name = f"{piece.name} of Player {owner}" + (", Mascot" if mascot else "")
    return Token(square, piece.symbol, name, COLOURS[owner], SHAPES[owner], mascot, str(owner))


def _sentences(state: State, on_board: Sequence[Piece]) -> Iterator[str]:
    """The board in words, one sentence for each player, and the last turn."""
    where: dict[int | None, dict[str, list[str]]] = {}
    for piece in on_board:
        mascot = " (Mascot)" if piece.mascot else ""
        where.setdefault(piece.owner, {}).setdefault(piece.type, []).append(f"{piece.square}{mascot}")
    for seat in SEATS:
        listed = "; ".join(f"{name} on {', '.join(at)}" for name, at in where.get(seat, {}).items())
        if listed:
            yield f"Player {seat} ({_QUADRANTS[seat]}): {listed}."
        else:
            yield f"Player {seat} has nothing on the board."
    if neutral := where.get(None):
        yield f"The Neutron stands on {next(iter(neutral.values()))[0]}."
    yield from state.last.sentences if state.last else ()


def _facts(state: State) -> dict[str, object]:
    rules, catalogue = state.rules, catalogue_of(state.rules.pieces)
    in_play = {piece.type for piece in state.pieces}
    stands = Position.of(state) if state.phase == "play" else None
    return {
        "rules": rules,
        "state": state,
        "least": least_cost(rules),
        "price_table": [
            [piece.name, piece.symbol, f"{piece.price} F$", str(piece.value), _limits(piece)]
            for piece in catalogue.types
            if piece.for_sale
        ],
        "moves": [_described(piece, cited=True) for piece in catalogue.types],
        "moves_on_board": [_described(piece) for piece in catalogue.types if piece.name in in_play],
        "players": [_player(state, catalogue, player, stands) for player in state.players],
    }


def _limits(piece: PieceType) -> str:
    others = [f"{o.limit} beside {o.least} or more {o.piece}" for o in piece.limit_if_other]
    return "; ".join(["none" if piece.limit is None else str(piece.limit), *others])


def _described(piece: PieceType, *, cited: bool = False) -> str:
    """Its moves; where that is wanted, with the rule by which letters cite them."""
    rule = "" if not cited else ", house rule" if piece.rule == "house" else f", rule {piece.rule}"
    return f"{piece.name} ({piece.symbol}{rule}): {piece.description}"


def _player(state: State, catalogue: Catalogue, player: Player, stands: Position | None) -> dict[str, object]:
    squares, names = quadrant_squares(player.seat), [lot.piece for lot in (*GIVEN, *player.army)]
    return {
        **asdict(player),
        "moves": [_described(catalogue.by_name[name]) for name in names],
        "army_value": value(player.army, catalogue),
        "earlier": [list(types) for types in player.earlier if types],
        "won": cycles_won(state, player.seat),
        "quadrant": _QUADRANTS[player.seat],
        "first": squares[0],
        "last": squares[-1],
        "home": HOME_CORNERS[player.seat],
        "off_board": dict(Counter(p.type for p in state.off_board(player.seat) if not p.mascot)),
        "mascot_off": next((p.type for p in state.off_board(player.seat) if p.mascot), ""),
        "checked_by": list(checkers(stands, player.seat)) if stands is not None else [],
    }


def listed(event: object) -> str:
    """A turn for a list of moves: what went where, what it took, and what was bought."""
    if not isinstance(event, ev.TurnTaken):
        return ""
    told = []
    for line in str(event.text).splitlines():
        taken = re.findall(r", captures (.+?) of Player", line)
        bought = line.startswith("Purchase: ")
        told.append(line if bought else " x ".join((line.split(", ")[0], *taken)))
    return "; ".join(told)


def board_form(state: State) -> BoardForm:
    """What the page that writes a mail by clicks must know; its script, `templates/fourplay/form.js`, makes the moves
    from the same primitives as the kernel. `types` in the catalogue's order, `pieces` on and off the board (owner 0
    is nobody's), `players` by seat, `last` the last turn that was made (cycle, round, player) or null, `looks` the
    colours and shapes of the players."""
    rules = state.rules
    return BoardForm(
        {
            "phase": state.phase,
            "budget": rules.budget,
            "least": least_cost(rules),
            "percent": rules.least_spent,
            "statements": rules.statements,
            "rewards": rules.capture_reward == "value",
            "dollarman": rules.dollarman_reward,
            "types": [_type(piece) for piece in catalogue_of(rules.pieces).types],
            "pieces": [[p.id, p.type, p.owner or 0, p.square, p.mascot] for p in state.pieces],
            "players": {
                str(player.seat): {
                    "money": player.money,
                    "army": [[lot.piece, lot.count] for lot in player.army],
                    "mascot": player.mascot,
                    "waits": player.mascot_waits,
                    "earlier": [list(types) for types in player.earlier],
                }
                for player in state.players
            },
            "last": last_made(state),
            "looks": {str(seat): [COLOURS[seat], SHAPES[seat]] for seat in COLOURS},
        }
    )


def _type(piece: PieceType) -> dict[str, object]:
    return {
        "name": piece.name,
        "symbol": piece.symbol,
        "value": piece.value,
        "price": piece.price,
        "sold": piece.for_sale,
        "mascot": piece.may_be_mascot,
        "limit": piece.limit,
        "others": [asdict(other) for other in piece.limit_if_other],
        "becomes": piece.on_capture == "become_victim",
        "veto": piece.veto == "every limit",
        "bound": piece.end_in == "own_quadrant",
        "harmless": piece.no_capture,
        "immune": piece.uncapturable,
        "moves": [{"by": type(move).__name__.lower(), **asdict(move)} for move in piece.moves],
    }


_HERE: Final = "d11"
_OWNER, _ENEMY = 2, 3
_TARGETS: Final = 3  # as many captures as an example shows


def piece_diagrams(data: Mapping[str, Any], piece: str) -> tuple[Diagram, ...]:
    """The pictures of a piece of any catalogue without fault, by name or symbol; none where there is no such piece."""
    catalogue = catalogue_of(catalogue_text(*data.values()))
    if (found := catalogue.find(piece)) is None:
        return ()
    if found.name == NEUTRON:
        return (_drawn(catalogue, found, [Piece(1, NEUTRON, None, "h8")], "on an empty board"),)
    return (
        _drawn(catalogue, found, [Piece(1, found.name, _OWNER, _HERE)], "on an empty board"),
        _drawn(catalogue, found, list(_example(catalogue, found)), "in an example"),
    )


def drawn_pieces(data: Mapping[str, Any]) -> tuple[tuple[str, str, tuple[Diagram, ...]], ...]:
    """Every piece of the catalogues: its name, its moves in words, its pictures."""
    catalogue = catalogue_of(catalogue_text(*data.values()))
    return tuple((p.name, p.description, piece_diagrams(data, p.name)) for p in catalogue.by_name.values())


def _example(catalogue: Catalogue, piece: PieceType) -> Iterator[Piece]:
    """Enemies where it can take them, screens where it needs one, a friend; a lender has a friend beside it."""
    here = NUMBERS[_HERE]
    kind = catalogue.numbers[piece.name]
    taken, lanes = {here}, {here}
    men: list[tuple[int, int]] = []
    hits = [(target, found[0]) for target, found in sorted(catalogue.hits[kind](here).items())]
    varied = (*hits[::3], *hits[1::3], *hits[2::3])  # many directions, many distances
    for target, hit in varied:
        count = hit.screens or 0
        middle = max(0, len(hit.squares) - count) // 2
        screens = hit.squares[middle:][:count]
        if taken & {target, *hit.squares} or target in lanes:
            continue
        men += [(target, _ENEMY), *((s, _OWNER) for s in screens)]
        taken |= {target, *screens}
        lanes |= set(hit.squares)
        if sum(owner == _ENEMY for _, owner in men) == _TARGETS:
            break
    if kind in catalogue.grants:
        men += [(NUMBERS["e11"], _OWNER), (NUMBERS["j11"], _ENEMY)]
    elif not any(owner == _OWNER for _, owner in men):
        free = (NUMBERS[name] for name in ("f11", "d13", "e12", "c12", "d9"))
        friend = next((s for s in free if s not in taken | lanes), None)
        men += [(friend, _OWNER)] if friend is not None else []
    yield Piece(1, piece.name, _OWNER, _HERE)
    yield from (Piece(n, "Pawn", owner, NAMES[square]) for n, (square, owner) in enumerate(men, 2))


def _drawn(catalogue: Catalogue, piece: PieceType, men: list[Piece], where: str) -> Diagram:
    types, position = catalogue.by_name, Position(catalogue, men)
    position.fix_grants(_OWNER)
    if piece.name == NEUTRON:
        moves = [Move(run.start, run.end) for run in neutron_runs(position)]
    else:
        moves = moves_from(position, NUMBERS[_HERE])
        lends = catalogue.numbers[piece.name] in catalogue.grants
        friends = [NUMBERS[man.square] for man in men[1:] if lends and man.owner == _OWNER and man.square]
        moves += [move for square in friends for move in moves_from(position, square) if move.granted]
    quiet = {NAMES[move.end] for move in moves if not move.captures}
    targets = {NAMES[square] for move in moves for square in move.captures}
    for square in NAMES if len(men) == 1 else ():  # where a lone enemy could be taken
        lone = Position(catalogue, [men[0], Piece(2, "Pawn", _ENEMY, square)])
        targets |= {square} if square != men[0].square and attacks(lone, _OWNER, NUMBERS[square]) else set()
    marks = [Mark(name, "quiet") for name in sorted(quiet)]
    marks += [Mark(name, "target") for name in sorted(targets)]
    legend = [(piece.symbol, piece.name)]
    legend += [("P", "Pawn")] if len(men) > 1 and piece.name != "Pawn" else []
    return Diagram(
        title=f"{piece.name} (rule {piece.rule}), {where}",
        columns=tuple(COLUMNS),
        rows=ROWS,
        tokens=tuple(drawn(types[man.type], man.square or "", man.owner) for man in men),
        tints=TINTS,
        marks=tuple(marks),
        legend=tuple(legend),
        sentences=(piece.description,),  # the drawing reads the marks out itself
    )
