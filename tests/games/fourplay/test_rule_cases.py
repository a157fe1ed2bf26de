"""Every published rule case, judged and resolved through the seam, with exactly the reasons it gives."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from referee.core import seam
from referee.core.chance import Chance
from referee.core.game import Setup
from referee.core.options import Options
from referee.core.seam import Standing
from referee.core.value import Demand
from referee.games.fourplay.board.catalogue import catalogue_of
from referee.games.fourplay.game import GAME
from referee.games.fourplay.state import PieceChange, State, TurnTaken
from tests.games.fourplay.boards import TEXT
from tests.games.fourplay.cases import EXAMPLES, Case, all_cases, read
from tests.games.fourplay.table import PEOPLE, Table, catalogues, lines, specs
from tests.letters.plain import PAGES

CASES = all_cases()
SYMBOLS = {piece.symbol.lower(): piece.name for piece in catalogue_of(TEXT).types}


@pytest.mark.parametrize("case", CASES, ids=[f"{case.number}-{case.clauses[0]}" for case in CASES])
def test_rule_case(case: Case) -> None:
    table, kind = table_of(case), KINDS[case.phase]
    text = case.mail
    demand = Demand(kind, case.seat)
    if case.silent:
        _silent(table, demand)
        found = []
    else:
        found = [_told(complaint) for complaint in table.complaints(case.seat, kind, text)]
    assert sorted(found) == sorted(case.reasons), case.title
    if case.accepted:
        if not case.silent:
            table.send(case.seat, kind, text)
        if case.phase in ("purchase", "setup"):
            _others(table, demand)
        for key, value in case.facts:
            if key == "recorded":  # 609
                taken = next(event for event in reversed(table.events) if isinstance(event, TurnTaken))
                assert taken.text.replace("\n", " / ") == value
                continue
            assert _fact(table.state, key) == value, (case.title, key)
    elif case.mended:
        reading = table.read(case.seat, "Turn", text)
        form = seam.form(GAME, table.state, demand, PEOPLE[case.seat], reading).text
        body = [line for line in form.splitlines() if not re.match(r"(Name|Player|Round|Cycle):", line)]
        assert on_one_line(body) == on_one_line(case.mended), case.title
        left = {
            _told(complaint).rpartition(" ")[2] for complaint in table.complaints(case.seat, "Turn", form)
        }
        assert left <= {reason.rpartition(" ")[2] for reason in case.reasons} | _GAPS, case.title


BECOMES_A_TENTH = """
[1] 961, 608: A Zombie that takes a Nwap is one, and ten are the limit.
     a   b   c   d   e   f   g   h   i   j   k   l   m   n   o
15   K2  .   .   .   .   .   .   .   .   .   .   .   .   .   .
8    .   .   .   .   .   .   .   +   .   .   .   .   .   .   .
2    .   .   .   .   .   .   .   .   .   .   Nw2 .   .   .   .
1    .   .   .   .   .   .   .   .   .   .   Zo1 .   .   .   K1
given:
off 1: 9 Nwap
money 1: 8
Player 1 sends:
Pass
"""


def test_what_a_suggested_turn_brings_in_counts_when_it_buys() -> None:
    table = table_of(next(read(BECOMES_A_TENTH)))
    demand, bought, taken = Demand("Turn", 1), 0, 0
    for seed in range(120):
        action = seam.suggest(GAME, table.state, demand, Chance(f"{seed:064x}"))
        assert Standing(GAME, table.state).check(demand, action) == (), action
        text = seam.write(GAME, table.state, demand, action)
        bought += "Purchase" in text
        taken += "captures Nwap" in text
    assert bought
    assert taken


def test_961_a_match_of_before_judges_as_before_until_its_data_are_amended() -> None:
    """Ruling 5: the Zombie's row that a match recorded at its opening says by which limits it is judged."""
    case = next(case for case in CASES if case.title.startswith("Seven Pawns and nine Nwaps"))
    table = table_of(case)
    (complaint,) = table.complaints(2, "Turn", case.mail)
    assert (complaint.facts["over"], complaint.facts["limit"]) == ("Nwap", 8)
    before = json.loads(table.state.rules.pieces)
    for row in before["piece"]:
        row.pop("veto", None)
    options = Options({spec.name: spec.default for spec in specs()})
    table.happen(GAME.amended(table.state, Setup(options, {"pieces": before}, 4)).events)
    assert table.codes(2, "Turn", case.mail) == []
    (told,) = table.happen(GAME.amended(table.state, Setup(options, catalogues(), 4)).events)
    assert told.pieces == (PieceChange("Zombie", "veto", "none", "every limit"),)
    assert table.codes(2, "Turn", case.mail) == ["limit_forbids"]


BECOMES = """
[1] 961, part 4: What a Zombie has become may be stated, also where it stays a Zombie.
     a   b   c   d   e   f   g   h   i   j   k   l   m   n   o
15   K2  .   .   .   .   .   .   .   .   .   .   .   .   .   .
8    .   .   .   .   .   .   .   +   .   .   .   .   .   .   .
2    .   .   .   .   .   .   .   .   .   .   {symbol}2 .   .   .   .
1    .   .   .   .   .   .   .   .   .   Zo1 .   .   .   .   K1
given:
option statements: {statements}
Player 1 sends:
Neutron: h8-h15
Zombie: j1-k2, becomes {stated}
"""


@pytest.mark.parametrize("statements", ["strict", "full", "lenient"])
def test_what_a_zombie_becomes_may_be_stated_of_every_piece_it_takes(statements: str) -> None:
    symbols = {piece["name"]: piece["symbol"] for piece in catalogues()["pieces"]["piece"]}
    names = [name for name in symbols if name not in ("King", "Neutron")]
    for name in names:
        for stated in (name, "Withdrawer" if name != "Withdrawer" else "Zombie"):
            symbol = symbols[name]
            case = next(read(BECOMES.format(symbol=symbol, statements=statements, stated=stated)))
            codes = [complaint.code for complaint in table_of(case).complaints(1, "Turn", case.mail)]
            assert ("promoted_false" in codes) == (stated != name), (name, stated, codes)
    assert "Zombie" in names
    print(f"{statements}: {2 * len(names)} statements")


# What a line that was left open lacks, and what a line in its right place goes against: the refusal names it too.
_GAPS = {"neutron_missing", "nothing_made", "pass_and_moves"}
KINDS = {"play": "Turn", "declaration": "Ready", "purchase": "Purchase", "setup": "Setup"}


def on_one_line(body: Sequence[str]) -> list[str]:
    """Each order with the statements that a long one has on lines of their own below it."""
    whole: list[str] = []
    for line in body:
        if whole and ":" not in line and line != "Pass":
            whole[-1] += f", {line}"
        else:
            whole.append(line)
    return whole


def table_of(case: Case) -> Table:
    """The match as the case finds it."""
    if case.phase == "play":
        table = Table(position=case.position(SYMBOLS), **case.options)
        for key, value in case.given:
            if key.startswith("mascot "):  # chosen, but placed by no setup
                seat = int(key.removeprefix("mascot "))
                table.state = table.state.with_player(seat, mascot=value, mascot_waits=True)
        return table
    table = Table(**case.options)
    if case.phase != "declaration":
        table.declare_all()
    if case.phase == "setup":
        table.send(case.seat, "Purchase", EXAMPLES["purchase"])
        _others(table, Demand("Purchase", case.seat))
    for key, value in case.given:
        if key.startswith("earlier army "):
            earlier = (tuple(sorted(value.split(", "))),)
            table.state = table.state.with_player(case.seat, earlier=earlier)
    return table


def _others(table: Table, demand: Demand) -> None:
    """The others answer as seeded players do, and the round is revealed."""
    for other in table.round.demands:
        if other != demand:
            table.answer(other, seam.suggest(GAME, table.state, other, Chance(f"{other.seat:064x}")))
    if any(demand in owed.demands for owed in table.rounds.values()):
        table.lapse()


def _silent(table: Table, demand: Demand) -> None:
    """Nothing comes from the player in time."""
    if demand.kind == "Turn" and not table.round.holds:
        table.lapse()


def _told(complaint: object) -> str:
    line = getattr(complaint, "line", None)
    where = f"line {line.number}" if line else "no line"
    return f"{where}, {getattr(complaint, 'rule', '')}: {getattr(complaint, 'code', '')}"


def _fact(state: State, key: str) -> str:
    """One fact of a position: what stands on a square, F$, Gems, what is off the board, who is to move."""
    word, _, rest = key.partition(" ")
    symbols = {piece.name: piece.symbol for piece in catalogue_of(state.rules.pieces).types}
    match word:
        case "money":
            return str(state.player(int(rest)).money)
        case "gems":
            return str(state.player(int(rest)).gems)
        case "off":
            off = [f"{p.type}{'*' if p.mascot else ''}" for p in state.off_board(int(rest))]
            return ", ".join(sorted(off)) or "nothing"
        case "to":
            return str(state.to_move)
        case "round":
            return str(state.round)
        case "kings":
            return " ".join(map(str, state.kings))
        case "phase":
            return state.phase
        case "owned":
            return str(sum(p.owner == int(rest) for p in state.pieces))
        case "winner":
            return " ".join(map(str, state.winners))
    piece = state.at(key)
    if piece is None:
        return "."
    mark = "*" if piece.mascot else ""
    return f"{symbols[piece.type]}{piece.owner or ''}{mark}"


def test_the_cases_are_numbered_without_gaps() -> None:
    assert [case.number for case in CASES] == list(range(1, len(CASES) + 1))
    assert len(CASES) >= 170


def test_every_clause_of_600_to_612_and_every_piece_is_cited() -> None:
    cited = {clause for case in CASES for clause in case.clauses}
    pieces = {piece.rule for piece in catalogue_of(TEXT).types} - {"house"}
    clauses = {"600", "601.B", "603", "604.A", "604.B", "604.B.iv", "604.C", "604.D", "604.F"}
    clauses |= {"605.A", "605.B", "605.B.vi", "605.C", "605.E", "605.F", "606", "606.I", "609"}
    clauses |= {"607.A", "607.B.i", "607.B.ii", "607.B.iii", "608"}
    clauses |= {"610.a", "610.b", "610.c", "610.d", "611", "612"}
    assert pieces | clauses <= cited
    houses = {f"ruling {number}" for number in range(1, 13)}
    assert houses <= cited


def test_every_case_has_its_own_title() -> None:
    titles = [case.title for case in CASES]
    assert len(set(titles)) == len(titles)


def test_lines_are_counted_from_one() -> None:
    assert lines("a\nb")[0].number == 1


# --- each refused case in the words a player reads; `--rewrite-goldens` writes it anew ---------------------------


GOLDEN = Path(__file__).parent / "verdicts.txt"


def verdict(case: Case) -> Iterator[str]:
    """One case: its title, the turn, each reason with what would mend it."""
    table = table_of(case)
    yield f"[{case.number}] {case.title}"
    yield from (f"    {line}".rstrip() for line in case.turn)
    for complaint in table.complaints(case.seat, KINDS[case.phase], case.mail):
        words = PAGES.wording(complaint, "fourplay")
        where = f"line {complaint.line.number}, " if complaint.line else ""
        yield f"  - {words['says']} ({where}rule {complaint.rule})"
        yield f"    {words['mend']}"
    yield ""


def test_the_verdicts_in_words(request: pytest.FixtureRequest) -> None:
    lines = [line for case in all_cases() if not case.accepted for line in verdict(case)]
    text = "\n".join(lines)
    if request.config.getoption("--rewrite-goldens", default=False):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")
