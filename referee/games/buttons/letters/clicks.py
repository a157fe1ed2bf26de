"""What the page that writes a mail by clicks must know: where buttons may go, what is in the supplies."""

from __future__ import annotations

from typing import Any

from referee.core.capabilities import BoardForm
from referee.core.duel import other
from referee.games.buttons.board.bridges import SIDES
from referee.games.buttons.letters.picture import button
from referee.games.buttons.state import State
from referee.games.buttons.turns import open_spaces


def clickable(state: State) -> BoardForm:
    """`reach`: button -> space -> where it may go, for every button of the match; `seats` for two players: the supply,
    where a button of it may be placed, whether an offer of the opponent's stands; `banned` the two spaces whose buttons
    may not be exchanged back."""
    rules, names = state.rules, state.rules.ground.spaces
    facts: dict[str, Any] = {
        "solo": rules.solo,
        "goal": state.goal,
        "undo": rules.undo != "off",
        "trail": [[names[a], names[b]] for a, b in state.trail],
        "banned": [names[space] for space in state.swapped or ()],
        "reach": _reach(state),
        "looks": {sign: button("a1", sign).look for sign in _signs(state)},
    }
    if not rules.solo:
        facts["seats"] = {
            str(seat): {
                "side": SIDES[seat - 1],
                "supply": list(state.supply(seat)),
                "places": [names[space] for space in open_spaces(state, seat)],
                "offered": state.offer == other(seat),
            }
            for seat in (1, 2)
        }
    return BoardForm(facts)


def _signs(state: State) -> list[str]:
    """The signs of all buttons that there are: "B3"."""
    values = zip(SIDES, state.rules.values, strict=True)
    return sorted({f"{side}{value}" for side, numbers in values for value in numbers})


def _reach(state: State) -> dict[str, dict[str, list[str]]]:
    names = state.rules.ground.spaces
    return {
        sign: {space: [names[end] for end in state.rules.reach(sign, at)] for at, space in enumerate(names)}
        for sign in _signs(state)
    }
