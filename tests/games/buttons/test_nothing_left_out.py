"""Contract, 'Mail in': nothing is left out, in every notation of this game."""

from __future__ import annotations

from collections import Counter

from referee.core.chance import Chance
from referee.games.buttons import notation as do
from referee.games.buttons.board import walks
from referee.games.buttons.duel import choices
from tests.games.left_out import check
from tests.laws.walks import begin, steps


def test_a_garbled_turn_is_never_left_out_in_silence() -> None:
    chance, seen = Chance("2b" * 32), Counter[str]()
    for number, step in enumerate(steps("buttons", 3, 24)):
        state, seat = step.walk.match.inner, step.demand.seat
        turns = choices(state, seat) if step.demand.kind == "Move" and number % 4 == 3 else ()
        for turn in turns[:: max(1, len(turns) // 5)]:
            if isinstance(turn, do.PlaceButton):
                ways = [
                    [f"Place: {turn.value} {turn.space}"],
                    [f"Place: {turn.value} on {turn.space}", "Offer: draw"],
                ]
            else:
                ground, (first, last) = state.rules.ground, turn.path
                sign = state.cells[ground.index[first]]
                way = next(walks(state.rules.board, sign, ground.index[first], ground.index[last]), ())
                ways = [[f"{first}-{last}"], [f"Move: {first} to {last}", "Offer: draw"]]
                ways.append([f"Move: {'-'.join(ground.names(way))}"])
            for mail in ways:
                seen += check(step.walk, seat, "Move", mail, chance)
    print(dict(seen))
    assert seen["accepted"]
    assert seen["refused"] + seen["asked"] > 50


def test_a_garbled_step_of_a_puzzle_is_never_left_out_in_silence() -> None:
    walk, chance, seen = begin("buttons solo", 2), Chance("2b" * 32), Counter[str]()
    state = walk.match.inner
    first, *others = [(s, t) for s, cell in enumerate(state.cells) for t in state.rules.reach(cell, s)][::9]
    names = state.rules.ground.names
    for one in others[:4]:
        moves = ["-".join(names(first)), "Undo", "-".join(names(one))]
        for mail in (
            ["Goal: two", *(f"Move: {move}" if "-" in move else move for move in moves)],
            ["Goal: four", f"Move: {', '.join(moves)}"],
            [f"Move: {moves[0]} then undo", moves[2]],
        ):
            seen += check(walk, 1, "Move", mail, chance)
    print(dict(seen))
    assert seen["accepted"]
    assert seen["refused"] + seen["asked"] > 50
