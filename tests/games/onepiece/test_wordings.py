"""Law 7: every event, demand, complaint and heading has its words, in text and in HTML, and none is left over."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from referee.core import seam
from referee.core.complaint import Complaint
from referee.core.owing import Demand
from referee.games.onepiece.events import LawAmended
from referee.games.onepiece.game import GAME
from referee.games.onepiece.notation import NOTATION
from referee.letters.rendering import Renderer
from tests.games.onepiece.plainly import line_to
from tests.games.onepiece.table import E3, E5, E6, Table, four, two
from tests.games.onepiece.test_3_two_players import TO_AND_FRO, relocating
from tests.games.onepiece.test_4_tournament import claimed, goes_on
from tests.games.onepiece.test_44_judging import longer, missed
from tests.letters.plain import KIT
from tests.letters.plain import spoken as in_form

ROOT = Path(__file__).parents[3]
TEMPLATES = ROOT / "templates"
OWED = {
    "Colours",
    "Edge",
    "Move",
    "Verdict",
    "Evidence",
    "Demonstrate",
    "Reply",
    "Offer",
    "Accept",
    "Resign",
    "Comment",
}
NAMES = {
    1: "Ann Archer (Player 1)",
    2: "Bob Baker (Player 2)",
    3: "Cy Carter (Player 3)",
    4: "Di Dyer (Player 4)",
}


RENDERER = Renderer([TEMPLATES])


def macros(template: str) -> set[str]:
    return set(re.findall(r"{% macro (\w+)", (TEMPLATES / "onepiece" / template).read_text()))


def spoken(medium: str, template: str, macro: str, *given: Any) -> str:
    return in_form(RENDERER, medium, f"onepiece/{template}", macro, *given)


def tables() -> list[Table]:
    """Matches of every kind, that between them see every event."""
    asked = Table(2, starter="1")
    asked.mail(1, "Colours: red")
    asked.lapse()
    chosen = Table(2)
    chosen.mail(chosen.state.first, "Colours: blue\nComment: <u>hello</u>")
    chosen.mail(3 - chosen.state.first, "Edge: north")
    series = two(games="2").play("Ra1Ba2")
    series.mail(2, "Resign")
    series.mail(2, "Move: Ra1Ba2\nOffer: draw")
    series.mail(1, "Accept: draw")
    late = two(colours="blue", position=E3)
    late.lapse()
    full = two().play(E5)
    full.play("c4>Rf3Bf4")
    refuted, unknown, shown = missed(4), missed(8, solver_nodes="5"), longer()
    refuted.rule()
    unknown.rule()
    unknown.mail(1, "Give up")
    _demonstrated(shown)
    left = four()
    left.lapse()
    left.happen(GAME.silent(left.state, 1, 1))
    left.play(str(line_to(left.state.grid, "blue", 1, None)[0]))
    left.mail(2, "Resign")
    left.happen((LawAmended(left.state.law), *GAME.filled(left.state, 1)))
    early = claimed(four(colours="blue"), 6)
    goes_on(early, 2, "blue")
    silent = four(pairing="rotate", starter="1", colours="blue").play(E6)
    handed = four()
    goes_on(handed, 9, "blue", seed=5)
    drawn = relocating().play(f"{TO_AND_FRO} {TO_AND_FRO}")
    limited = relocating(max_relocations="1").play("a1>Rd1Bd2")
    champion = four(target="2", colours="blue")
    claimed(champion, 2)
    goes_on(champion, 2, "blue")
    return [
        asked,
        chosen,
        series,
        late,
        full,
        refuted,
        unknown,
        shown,
        left,
        early,
        silent,
        handed,
        drawn,
        limited,
        champion,
    ]


def _demonstrated(table: Table) -> None:
    grid = table.state.grid_before(7)
    actual = table.state.plies[6]
    ply = next(p for p in line_to(grid, "blue", 1, None, 4) if str(p) != actual)
    table.mail(1, f"Demonstrate: 7\nMove: {ply}")
    table.lapse()
    table.lapse()


TOLD = tables()


def test_law_7_every_event_has_words_in_text_and_html_and_none_is_left_over() -> None:
    kinds = {kind.__name__ for kind in GAME.happenings}
    own = {name.removesuffix("Proof") for name in macros("happenings.j2") if name[0].isupper()}
    assert own <= kinds <= own | KIT
    seen = set()
    for table in TOLD:
        state = GAME.initial()
        for event in table.events:
            state = GAME.evolve(state, event)
            name = type(event).__name__
            seen.add(name)
            for view in (
                GAME.view(state, None),
                GAME.view(table.state, None),
            ):  # letters have the last view only
                for medium in ("text", "part"):
                    words = spoken(medium, "happenings", name, event, view, NAMES.__getitem__)
                    assert words.strip() or name in ("GameBegun", "LawAmended"), event
                    assert "<u>" not in words or medium == "text"
                    prose = re.sub(r"(?m)^ *\d+ .*$|^[^a-z]*$", "", words)
                    assert not re.search(r" [.,;:](?!\S)|,[a-z]|\bNone\b|\(\)|\.\.(?!\.)", prose), words
    assert seen == kinds


def test_law_7_every_demand_has_words_and_none_is_left_over() -> None:
    own = {name for name in macros("demands.j2") if name[0].isupper()}
    assert own <= OWED <= own | KIT
    demonstrating = longer()
    ply = line_to(demonstrating.state.grid_before(7), "blue", 1, None, 4)[0]
    demonstrating.mail(1, f"Demonstrate: 7\nMove: {ply}")
    showing = longer()
    showing.mail(1, f"Demonstrate: 7\nMove: {ply}")
    showing.lapse()
    pending = claimed(four(colours="blue"), 4)
    offered = two().play("Rd1Be1")
    offered.mail(1, "Offer: draw")
    seen = set()
    for table in (
        Table(2),
        Table(4, grid="9x6"),
        Table(2, games="3", repetition="off"),
        two(),
        two(max_relocations="off", repetition="off", timeout_default="play"),
        two(position=E5),
        four(
            press="on",
            claims="multiple",
            early_win="claimed",
            claim_test="by",
            claim_n="partner_only",
            max_claim="2",
        ),
        pending,
        offered,
        missed(2),
        missed(2, adjudication="players"),
        demonstrating,
        showing,
    ):
        for demand in [
            *table.due(),
            *(d for seat in table.state.seats for d in GAME.open_to(table.state, seat)),
        ]:
            seen.add(demand.kind)
            for medium in ("text", "part"):
                for first in (True, False):
                    view = GAME.view(table.state, demand.seat or None)
                    words = spoken(medium, "demands", demand.kind, demand, view, first)
                    assert words.strip()
                    assert not re.search(r" [.,;](?![.\w])|,[a-z]|\bNone\b|\(\)", words), words
    assert seen == OWED


def test_law_7_a_first_letter_explains_the_game_and_later_ones_do_not() -> None:
    view = GAME.view(four().state, 1)
    first = spoken("text", "demands", "Move", Demand("Move", 1), view, True)
    later = spoken("text", "demands", "Move", Demand("Move", 1), view, False)
    for words in ("Nothing may hang in", "run of four", "d^R", "Claim: n"):
        assert words in first
        assert words not in later
    assert len(later) < len(first) / 3


def test_43_the_rules_and_the_demonstration_say_that_a_slip_of_ones_own_pays_nothing() -> None:
    told = " ".join(spoken("text", "rules", "brief", GAME.view(four().state, None)).split())
    assert "you get n + 1 points where your partner let the win go, and none where you did" in told
    table = missed(2, adjudication="players")
    (demand,) = table.due()
    words = spoken("text", "demands", demand.kind, demand, GAME.view(table.state, demand.seat), False)
    asked = " ".join(words.split())
    assert "where the first move that you change is your partner's, and none where it is your own" in asked


REFUSED: list[tuple[Table, int, str]] = [
    (two(), 1, text)
    for text in (
        "Move: Rd2Be2",
        "Move: Rd1Bf1",
        "Move: Ri1Bi2",
        "Move: a1>Rd1Be1",
        "Move: d",
        "Pass",
        "hello",
        "Resign\nMove: Rd1Be1",
        "Move: Rd1Be1\nsome words\nComment: x",
        "I claim d1",
        "Move: Rd1Be1\nOffer: tea",
        "Move: Rd1Be1\nClaim: 2",
        "Accept: draw",
        "Accept: draw\nMove: Rd1Be1",
        "Move: Rd1Be1\nMove: Re1Bd1",
        "Move: ...",
        "Colours: red",
        "Edge: south",
        "Give up",
        "Move: Rd1Be1\nClaim: lots",
    )
]
REFUSED += [
    (two(position=E5), 1, f"Move: {text}")
    for text in ("Ra5Ba6", "c1>Ra5Ba6", "f2>Rf1Bf2", "f1>Rf3Bf4", "b1>Ra5Ba6")
]
REFUSED += [
    (two(position=E5), 1, "Move: Bf1Rf2>Ra5Ba6"),
    (two(), 2, "Move: Rd1Be1"),
    (Table(2, starter="1"), 1, "Move: d=RB"),
]
REFUSED += [(Table(2, starter="1"), 1, "Colours: pink"), (Table(2, starter="1"), 2, "Edge: up")]
REFUSED += [(four(), 1, f"Move: Rd1Be1\nClaim: {n}") for n in ("3", "10")]
REFUSED += [(four(), 2, "Comment: hi"), (four(claim_n="partner_only"), 1, "Move: Rd1Be1\nClaim: 4")]
REFUSED += [
    (claimed(four(colours="blue"), 6), 2, "Move: Ra1Ba2\nClaim: 2"),
    (claimed(four(colours="blue"), 6), 3, "Offer: draw"),
]
REFUSED += [(claimed(four(colours="blue", claims="multiple"), 2), 2, "Move: Ra1Ba2\nClaim: 4")]
REFUSED += [(TOLD[4], 1, "Move: Rd1Be1"), (missed(2, adjudication="players"), 2, "Move: Rd1Be1")]
REFUSED += [
    (missed(2, adjudication="players"), 1, "Demonstrate: 6\nMove: Rd1Be1"),
    (missed(2, adjudication="players"), 1, "Move: d=RB"),
]


@pytest.mark.parametrize(("table", "seat", "text"), REFUSED)
def test_law_7_a_complaint_can_be_read_aloud(table: Table, seat: int, text: str) -> None:
    complaints = table.mail(seat, text)
    assert complaints
    for complaint in complaints:
        _read_aloud(complaint)


def _read_aloud(complaint: Complaint) -> None:
    words = RENDERER.wording(complaint, "onepiece")
    for part in ("says", "mend"):
        assert re.fullmatch(r"[A-Z\"].*[.]\"?", words[part], re.DOTALL), words
        assert "  " not in words[part]
        assert not re.search(r" [.,]|None|\[|\(\)", words[part]), words


def test_law_7_every_heading_and_key_has_a_line_of_help_and_none_is_left_over() -> None:
    told = tomllib.loads((TEMPLATES / "onepiece" / "help.toml").read_text())
    assert set(told["headings"]) == set(seam.headings(GAME))
    ahead = {"If", "Withdraw"}  # whose lines the match reads
    assert (
        set(told["keys"])
        == {order.capitalize() for order in [*NOTATION.by_key.values(), *NOTATION.alone.values()]} | ahead
    )
    assert told["about"].strip()
