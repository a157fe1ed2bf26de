"""The laws of the seam in play: whatever is sent is judged, what passes is resolved, what is mended passes."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from referee.core import seam
from referee.core.answers import Party
from referee.core.chance import Chance
from referee.core.owing import LAPSED, Demand
from referee.core.seam import Standing
from referee.games.fourplay.actions import Step, Turn
from referee.games.fourplay.board.squares import NAMES
from referee.games.fourplay.game import GAME
from referee.games.fourplay.state import NEUTRON, State
from tests.games.fourplay.table import PEOPLE, Table, read


def opened(seed: int, **options: str) -> Table:
    """A match in play, with armies of its own."""
    table = Table(f"{seed:064x}", **options)
    while table.state.phase != "play":
        for demand in table.round.demands:
            table.answer(
                demand, seam.suggest(GAME, table.state, demand, Chance(f"{seed * 7 + demand.seat:064x}"))
            )
    return table


def turns(seed: int, most: int, **options: str) -> Iterator[tuple[State, Demand, str]]:
    """Suggested turns, one after another; before each the state and its text are given."""
    table = opened(seed, **options)
    chance = Chance(f"{seed + 1000:064x}")
    for _ in range(most):
        if table.state.phase != "play":
            return
        demand = table.round.demands[0]
        action = seam.suggest(GAME, table.state, demand, chance)
        yield table.state, demand, seam.write(GAME, table.state, demand, action)
        table.answer(demand, action)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", range(4))
def test_laws_1_2_and_8_hold_at_every_step_of_a_cycle(seed: int) -> None:
    table = opened(seed)
    chance = Chance(f"{seed:064x}")
    lapses = random.Random(seed)
    while table.state.phase == "play":
        demand = table.round.demands[0]
        if lapses.random() < 0.05:
            events = seam.resolve(GAME, table.state, {demand: LAPSED})
        else:
            action = seam.suggest(GAME, table.state, demand, chance)
            assert Standing(GAME, table.state).check(demand, action) == ()
            text = seam.write(GAME, table.state, demand, action)
            assert read(table.state, demand, text, Party("", demand.seat)).action == action
            assert GAME.actions_codec.decode(GAME.actions_codec.encode(action)) == action
            events = seam.resolve(GAME, table.state, {demand: action})
        for event in events:
            assert GAME.events_codec.decode(GAME.events_codec.encode(event)) == event
        table.happen(events)
        assert GAME.view(table.state, None).diagram is not None
    assert table.state.phase == "ended"
    assert table.state.round <= 62


@pytest.mark.one_in(2)
@pytest.mark.parametrize("statements", ["strict", "full"])
def test_a_suggested_turn_states_what_the_match_asks_for(statements: str) -> None:
    """610.d: where statements are full that a Zombie has become something else is stated too."""
    promotions = 0
    for seed in (2, 3, 5):
        for state, demand, text in turns(seed, 200, statements=statements):
            action = read(state, demand, text, Party("", demand.seat)).action
            assert Standing(GAME, state).check(demand, action) == (), text
            promotions += "becomes" in text
    print(f"{statements}: {promotions} promotions stated")
    assert bool(promotions) == (statements == "full")


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(3))
def test_the_record_of_a_cycle_read_back_gives_the_same_cycle(seed: int) -> None:
    """609: the texts of the turns alone, sent again, lead to the same state."""
    first = opened(seed)
    again = opened(seed)
    for _, demand, _ in turns(seed, 30):
        action = seam.suggest(GAME, first.state, demand, Chance(f"{seed:064x}"))
        events = first.answer(demand, action)
        text = next((event.text for event in events if type(event).__name__ == "TurnTaken"), None)
        if text is None:
            break
        again.send(demand.seat, "Turn", text)
        assert again.state == first.state


# --- faulty turns ------------------------------------------------------------------------------------------------


def spoilt(text: str, chance: random.Random) -> str:
    """The turn with one or two things wrong: statements gone or false, squares changed, lines moved or doubled."""
    rows = [row for row in text.splitlines() if row]
    for _ in range(chance.choice((1, 1, 2, 3))):
        index = chance.randrange(len(rows))
        parts = rows[index].split(", ")
        match chance.randrange(8):
            case 0 if len(parts) > 1:
                parts.pop(chance.randrange(1, len(parts)))
            case 1:
                parts.append(chance.choice(CLAIMS))
            case 2:
                parts[0] = _other_square(parts[0], chance)
            case 3:
                rows.insert(chance.randrange(len(rows) + 1), rows[index])
                continue
            case 4 if len(rows) > 1:
                rows.pop(index)
                continue
            case 5:
                chance.shuffle(rows)
                continue
            case 6:
                rows.append(chance.choice(LINES))
                continue
            case _:
                parts[0] = parts[0].replace("Pawn", "Jester")
        rows[index] = ", ".join(parts)
    return "\n".join(rows)


def _other_square(words: str, chance: random.Random) -> str:
    head, _, route = words.partition(": ")
    squares = route.split("-")
    squares[chance.randrange(len(squares))] = chance.choice(NAMES)
    return f"{head}: {'-'.join(squares)}"


CLAIMS = [
    "captures Pawn of Player 3",
    "captures King of Player 1",
    "King captured",
    "aggressive toward Player 2",
    "aggressive toward Player 1 and Player 4",
    "3 F$ received",
    "1 Neutron Gem to Player 4",
    "Neutron returned to center square",
    "Mascot captured",
    "Mascot returned",
    "becomes Cannon",
    "Cannon of Player 2 destroyed by Neutron",
]
LINES = [
    "Pass",
    "Neutron: h8-a15",
    "Purchase: 3 Pawn, 24 F$",
    "Purchase: 1 Dollarman",
    "Pawn: off-d10",
    "Archer: off-c3, Mascot returned",
    "Canon: a1-a2",
    "Cannon: a1",
    "King: b1-b2",
    "hocus pocus",
]


def judged(seed: int, most: int, **options: str) -> None:
    chance = random.Random(seed)
    for state, demand, text in turns(seed, most, **options):
        party = PEOPLE[demand.seat]
        for _ in range(3):
            bad = spoilt(text, chance)
            reading = read(state, demand, bad, party)
            if reading.action is None:
                assert reading.complaints
                continue
            complaints = (*reading.complaints, *Standing(GAME, state).check(demand, reading.action))
            if not complaints:
                assert seam.resolve(GAME, state, {demand: reading.action})
                continue
            form = seam.form(GAME, state, demand, party, reading).text
            again = read(state, demand, form, party)
            assert again.action is not None, (bad, form)
            rest = (*again.complaints, *Standing(GAME, state).check(demand, again.action))
            if not rest:
                assert seam.resolve(GAME, state, {demand: again.action})
            for step in reading.action.entries if isinstance(reading.action, Turn) else ():
                if isinstance(step, Step) and step.piece != NEUTRON and not step.placing:  # no move is lost
                    assert step.squares[-1] in form, (bad, form)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", range(4))
def test_law_6_a_mended_turn_keeps_every_move(seed: int) -> None:
    judged(seed, 40)


@pytest.mark.parametrize("seed", range(2))
def test_law_6_holds_with_lenient_statements(seed: int) -> None:
    judged(seed, 30, statements="lenient")


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 140))
def test_law_6_over_many_cycles(seed: int) -> None:
    judged(seed, 400)
