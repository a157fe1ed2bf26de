"""Law 7 for Fourplay: every event, demand, complaint and heading has its words, and none is left over."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from referee.core import seam
from referee.core.chance import Chance
from referee.core.complaint import Complaint
from referee.core.game import Setup
from referee.core.owing import LAPSED, Demand
from referee.core.seam import Standing
from referee.games.fourplay.board.catalogue import catalogue_of
from referee.games.fourplay.cycles import cycle_over
from referee.games.fourplay.events import Event, Played
from referee.games.fourplay.game import GAME
from referee.letters.rendering import Renderer
from tests.games.fourplay import test_604_purchase as purchases
from tests.games.fourplay import test_605_setup as setups
from tests.games.fourplay.table import (
    CONFIG,
    DECLARATION,
    Table,
    header,
    setup,
    to_play,
    to_purchase,
    to_setup,
)
from tests.letters.plain import in_text

TEMPLATES = CONFIG.parent / "templates"
SOURCE = CONFIG.parent / "referee" / "games" / "fourplay"
PHASES = ("Ready", "Purchase", "Setup")


@pytest.fixture(scope="module")
def renderer(tmp_path_factory: pytest.TempPathFactory) -> Renderer:
    folder = tmp_path_factory.mktemp("templates")
    (folder / "spoken.j2").write_text("{{ speak(where, macro, *given) }}", encoding="utf-8")
    return Renderer([TEMPLATES, folder])


def spoken(renderer: Renderer, where: str, macro: str, *given: Any) -> str:
    """The words of a macro, after a look at both media."""
    context = {"where": f"fourplay/{where}", "macro": macro, "given": given, "game": None, "name": name}
    html = renderer.page("spoken.j2", context)
    text = in_text(renderer, "spoken.j2", context)
    assert bool(html.strip()) == bool(text.strip())
    return " ".join(text.split())


def name(seat: int) -> str:
    return f"Somebody (Player {seat})"


def macros(file: str) -> set[str]:
    text = (TEMPLATES / "fourplay" / file).read_text(encoding="utf-8")
    return {macro for macro in re.findall(r"{%-? macro (\w+)\(", text) if not macro.startswith("_")}


def test_law_7_every_event_and_demand_has_a_macro_and_no_macro_is_left_over() -> None:
    told = {name.removesuffix("Proof") for name in macros("happenings.j2")}
    assert told == {kind.__name__ for kind in GAME.happenings}
    owed = {"Ready", "Purchase", "Setup", "Turn"}
    assert owed <= macros("demands.j2") <= owed | set(seam.headings(GAME).values())


def test_9_a_dollarman_earns_while_its_player_has_a_king(renderer: Renderer) -> None:
    told = spoken(renderer, "rules", "pieces", GAME.view(to_purchase().state, None))
    assert "as long as that player has a King" in told


def complained() -> list[Complaint]:
    """The complaints of many wrong answers before play."""
    found: list[Complaint] = []
    ready = Table()
    ready.send(2, "Ready", f"{DECLARATION}\nOffice: Bows\nColours: red")
    for text in (
        "",
        f"Office: Bows\nColours: red\n{DECLARATION}",
        f"Office: {'x' * 99}\nColours: a, b, c\nOffice: Y",
    ):
        found += ready.complaints(1, "Ready", text)
    found += ready.complaints(2, "Ready", DECLARATION)
    bought = to_purchase()
    for mark in purchases.test_604b_everything_stated_must_be_there_and_true.pytestmark:
        for old, new, _ in mark.args[1]:
            found += bought.complaints(1, "Purchase", purchases.changed((old, new)))
    for army in ("10 Pawn, 8 Nwap, 1 Archer", "10 Pawn, 20 PrimeMover, 2 Archer", "11 Pawn"):
        found += bought.complaints(1, "Purchase", purchases.bought(army))
    found += bought.complaints(
        1, "Purchase", header(1) + "Totl cost: 3\nTotal cost: 4\nPurchse: 3\nMascot: Pawn"
    )
    found += purchases.second_cycle().complaints(1, "Purchase", purchases.VALID)
    found += bought.complaints(1, "Purchase", purchases.VALID + "and so on\n" * 1000)
    placed = to_setup(purchases.LIST)
    for mark in setups.test_605b_each_fault_is_a_complaint_of_its_own.pytestmark:
        for old, new, _ in mark.args[1]:
            found += placed.complaints(1, "Setup", setups.changed((old, new)))
    found += placed.complaints(1, "Setup", setups.VALID.replace("King:", "Purchase: 1 Pawn, 8 F$\nKing:", 1))
    nothing = to_purchase()
    found += nothing.complaints(1, "Purchase", "Resign")
    nothing.reveal()
    found += nothing.complaints(1, "Setup", setups.VALID)
    found += nothing.complaints(1, "Resign", "I am leaving\nPlace Pawn on m9")
    for table in (Table(), bought, placed, to_play()):
        for kind in ("Ready", "Purchase", "Setup", "Turn", "Resign"):
            demand = Demand(kind, 3)
            if demand not in table.round.demands:
                action = table.read(3, kind, "").action
                found += Standing(GAME, table.state).check(demand, action) if action is not None else ()
    return found


def test_law_7_every_complaint_before_play_can_be_worded(renderer: Renderer) -> None:
    found = complained()
    text = (TEMPLATES / "fourplay" / "complaints.toml").read_text(encoding="utf-8")
    before_play = text[: text.index("=== play") if "=== play" in text else None]
    assert set(tomllib.loads(before_play[: before_play.rindex("\n")])) <= {c.code for c in found}
    for complaint in found:
        words = renderer.wording(complaint, "fourplay")
        assert re.fullmatch(r"[^{}]+[.!?]", words["says"]), (complaint.code, words)
        assert re.fullmatch(r"[^{}]*[.!?`:]", words["mend"]) or complaint.code in (
            "declaration_missing",
            "not_now",
        ), (complaint.code, words)


def test_law_6_every_complaint_names_a_rule() -> None:
    for complaint in complained():
        assert complaint.rule == "house" or re.fullmatch(r"\d{3}(\.[A-Z](\.[ivx]+)?)?", complaint.rule), (
            complaint
        )


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("kind", PHASES)
def test_the_letters_of_each_phase_say_what_to_do(renderer: Renderer, kind: str, first: bool) -> None:
    table = {"Ready": Table, "Purchase": to_purchase, "Setup": to_setup}[kind]()
    for seat in (1, 2, 3, 4):
        words = spoken(renderer, "demands", kind, Demand(kind, seat), GAME.view(table.state, seat), first)
        assert "form" in words
        assert {"Ready": "601", "Purchase": "604", "Setup": "605"}[kind] in words


def test_the_first_letter_of_the_purchase_has_every_price_and_how_every_piece_moves(
    renderer: Renderer,
) -> None:
    state = to_purchase().state
    words = spoken(renderer, "demands", "Purchase", Demand("Purchase", 2), GAME.view(state, 2), True)
    for piece in catalogue_of(state.rules.pieces).types:
        assert " ".join(piece.description.split()) in words
        if piece.for_sale:
            assert f"{piece.name} {piece.symbol} {piece.price} F$ {piece.value} " in words
    assert "523 F$" in words
    assert "615 F$" in words


def test_the_first_letter_of_a_later_purchase_recalls_earlier_armies(renderer: Renderer) -> None:
    view = GAME.view(purchases.second_cycle().state, 1)
    words = spoken(renderer, "demands", "Purchase", Demand("Purchase", 1), view, True)
    assert "Archer, Cannon, Crazyhorse, Jester, Pawn, Snake" in words


def test_a_phase_begun_again_says_so(renderer: Renderer) -> None:
    table = to_purchase()
    table.send(3, "Resign", "")
    table.happen(GAME.filled(table.state, 3))
    view = GAME.view(table.state, 1)
    assert "begins again" in spoken(renderer, "demands", "Purchase", Demand("Purchase", 1), view, False)


def histories() -> Iterator[Table]:
    """Matches in which everything before play and between cycles happens."""
    whole = to_purchase(cycles="2", waiting_period="1d")
    whole.send(1, "Purchase", purchases.VALID)
    whole.reveal()
    whole.answer(Demand("Setup", 2), seam.suggest(GAME, whole.state, Demand("Setup", 2), Chance("02" * 32)))
    whole.reveal()
    whole.happen(cycle_over(whole.state, 2))
    whole.happen(seam.resolve(GAME, whole.state, {whole.round.demands[0]: LAPSED}))
    yield whole
    gone = to_purchase()
    gone.send(3, "Resign", "Comment: Sorry.")
    gone.happen(GAME.filled(gone.state, 3))
    for seat in (1, 2, 3):
        gone.send(seat, "Resign", "")
    yield gone
    placed = to_setup()
    placed.send(2, "Resign", "")
    placed.happen(GAME.filled(placed.state, 2))
    placed.happen(GAME.amended(placed.state, dearer_pawns(placed)).events)
    yield placed
    kings = [{"square": f"a{player}", "piece": "King", "player": player} for player in (1, 3)]
    yield Table(position=json.dumps({"pieces": kings}))


def dearer_pawns(table: Table) -> Setup:
    """What the table was opened with, but for the price of a Pawn."""
    pieces = json.loads(table.state.rules.pieces)
    pawn = next(row for row in pieces["piece"] if row["name"] == "Pawn")
    pawn["price"] = 9
    return Setup(setup().options, {**setup().data, "pieces": pieces}, 4)


def test_every_event_up_to_play_can_be_told(renderer: Renderer) -> None:
    told: dict[str, str] = {}
    everything: list[str] = []
    for table in histories():
        state = GAME.initial()
        for event in table.events:
            state = GAME.evolve(state, event)
            macro = type(event).__name__
            told[macro] = spoken(renderer, "happenings", macro, event, GAME.view(state, None), name)
            everything.append(told[macro])
    silent = {macro for macro, words in told.items() if not words}
    assert silent <= {"ReadyDeclared", "TurnBegun", "TurnPassed"}
    assert "615 F$ (rule 604.F)" in told["NothingBought"]
    assert "Pawn: price 8 becomes 9" in told["RulesAmended"]
    assert any("bought pieces and keeps 72 F$." in words for words in everything)
    assert "Home Corner" in told["KingPlacedAlone"]
    before_play = {kind.__name__ for kind in get_args(Event)} - {kind.__name__ for kind in get_args(Played)}
    assert before_play <= set(told)
