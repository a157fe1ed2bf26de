"""Laws 1, 2 and 6 up to play and between cycles, where the walks of every game don't come: leavings, seats filled,
waiting periods; and lines nobody would expect."""

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from referee.core import seam
from referee.core.chance import Chance
from referee.core.seam import Standing
from referee.core.value import LAPSED, Demand
from referee.games.fourplay.cycles import cycle_over
from referee.games.fourplay.game import GAME
from referee.games.fourplay.state import State
from tests.games.fourplay.table import PEOPLE, Table, to_purchase, to_setup

STATES = TypeAdapter(State)


def check_state(table: Table) -> None:
    """Law 2, and what must hold in every state."""
    state = table.state
    assert STATES.validate_json(STATES.dump_json(state)) == state
    folded = GAME.initial()
    for event in table.events:
        folded = GAME.evolve(folded, GAME.events_codec.decode(GAME.events_codec.encode(event)))
    assert folded == state
    assert bool(GAME.due(state)) == (GAME.outcome(state) is None)
    labels = [owed.label for owed in GAME.due(state)]
    assert len(set(labels)) == len(labels)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("number", range(12))
def test_laws_1_and_2_on_walks_with_lapses_leavings_and_cycles(number: int) -> None:
    chance = Chance(f"{number + 1:064x}")
    table = Table(cycles="3", waiting_period="1d" if number % 2 else "0")
    for _ in range(40):
        check_state(table)
        if not GAME.due(table.state):
            break
        step(table, chance)
    assert table.state.cycle > 1 or table.state.phase == "ended"


def step(table: Table, chance: Chance) -> None:
    """Somebody answers, leaves, comes back, or the time runs out; a cycle in play ends at once."""
    state, owed = table.state, table.round
    gone = [player.seat for player in state.players if player.left]
    if gone and chance.below(2, "fill"):
        table.happen(GAME.filled(state, gone[0]))
    elif chance.below(12, "leave") == 0:
        leaving = Demand("Resign", 1 + chance.below(4, "who"))
        if leaving in GAME.open_to(state, leaving.seat) and state.phase != "play":
            table.sealed = {}
            answer(table, leaving, chance)
    elif state.phase == "play":
        table.happen(cycle_over(state, (1, 2, 3, 4, None)[chance.below(5, "winner")]))
    elif owed.demands[0].kind == "Wait":
        table.happen(seam.resolve(GAME, state, {owed.demands[0]: LAPSED}))
    elif owed.demands[0].kind != "Vacancy":
        for demand in owed.demands if owed.sealed else owed.demands[:1]:
            if chance.below(5, "lapse") and demand not in table.sealed:
                answer(table, demand, chance)
        if owed.sealed and table.round == owed:
            table.lapse()


def answer(table: Table, demand: Demand, chance: Chance) -> None:
    action = seam.suggest(GAME, table.state, demand, chance)
    assert Standing(GAME, table.state).check(demand, action) == ()
    table.answer(demand, action)


WORDS = """\
Name:/Player: 1/Email:/Purchases:/Total cost:/Total value: 74/Mascot:/Comment: hi/2.5/-1/0/F$/$/~/M1/x/@ 8
10 Pawn, 8 F$ each, value 1 each/4 Snake/Archer/Setup:/Pieces owned:/King: o15/Dollarman: n15/a9/h8/p99
Pawn: i9, j9/i9-o9/.../I am ready for battle. Let the Games begin!/Office: A/Colours: red/trim blue/|/;/:/=
é/\u202e/１０/\t/- /* /> /___/value/each/total 9 F$/@/King/Neutron"""
LINE = st.one_of(
    st.lists(st.sampled_from(WORDS.replace("\n", "/").split("/")), max_size=5).map(" ".join),
    st.text(alphabet=string.printable + "äß…–×№", max_size=60),
    st.text(max_size=40),
)
MAIL = st.lists(LINE, max_size=25).map("\n".join)
# What a form may still lack: sums left to the player, and what a mended or emptied line leaves to fill in.
UNMENDED = {"no_lots", "over_budget", "under_budget", "total_cost_missing", "total_value_missing"}
UNMENDED |= {"mascot_missing", "too_little_placed", "square_missing", "mascot_square_missing", "over_limit"}


@pytest.fixture(scope="module")
def tables() -> dict[str, Table]:
    return {"Ready": Table(), "Purchase": to_purchase(), "Setup": to_setup()}


@pytest.mark.parametrize("kind", ["Ready", "Purchase", "Setup", "Resign"])
@settings(max_examples=60)
@given(data=st.data())
def test_laws_1_and_6_whatever_the_lines(tables: dict[str, Table], kind: str, data: st.DataObject) -> None:
    table, demand = tables[kind if kind in tables else "Purchase"], Demand(kind, 1)
    text = data.draw(MAIL)
    reading = table.read(1, kind, text)
    assert reading.action is not None
    found = table.complaints(1, kind, text)
    mended = table.read(1, kind, seam.form(GAME, table.state, demand, PEOPLE[1], reading).text)
    again = [*mended.complaints, *Standing(GAME, table.state).check(demand, mended.action)]
    assert {complaint.code for complaint in again} <= {complaint.code for complaint in found} | UNMENDED
    if not found:
        assert mended.action == reading.action
        assert seam.resolve(GAME, table.state, {demand: reading.action})
