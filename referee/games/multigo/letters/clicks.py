"""What the page that writes a mail by clicks must know: where one may play, what may be taken, who is there."""

from __future__ import annotations

from referee.core.capabilities import BoardForm
from referee.games.multigo.board.points import COLOURS, EMPTY, SYMBOL
from referee.games.multigo.letters.picture import stone
from referee.games.multigo.owing import due
from referee.games.multigo.play.choices import chooser
from referee.games.multigo.play.sequence import placings
from referee.games.multigo.state import State

_WHY = {"suicide": "would have no liberty", "superko": "would repeat a position"}


def clickable(state: State) -> BoardForm:
    """`moves` by seat that owes one: how many points it may name, and the empty points where it may not play, each
    with the reason; `take` is the choice of prisoners that is due; colours and looks are listed by seat."""
    law = state.law
    movers = [demand.seat for round_ in due(state) for demand in round_.demands if demand.kind == "Move"]
    owed = chooser(state)
    players = range(1, law.players + 1)
    return BoardForm(
        {
            "order": "parallel" if law.parallel else "sequential",
            "colours": [COLOURS[seat - 1] for seat in players],
            "looks": [stone("A1", SYMBOL[seat]).look for seat in players],
            "active": list(state.active),
            "moves": {
                str(seat): {
                    "points": law.allowed(seat, state.round),
                    "barred": {} if law.parallel else _barred(state, seat),
                }
                for seat in movers
            },
            "take": {"seat": owed[1], "share": owed[2], "pool": list(owed[0].pool)} if owed else None,
            "max_alliance": law.max_alliance,
        }
    )


def _barred(state: State, seat: int) -> dict[str, str]:
    """Empty points where the seat may not play now, each with the reason in words."""
    found: dict[str, str] = {}
    for point, symbol in enumerate(state.board):
        if symbol == EMPTY:
            for tried in placings(state, seat, (state.points.names[point],)):
                if tried.fault:
                    found[tried.point] = _WHY[tried.fault]
    return found
