"""Which claims are upheld (4.4): the solver's verdict, its line and proof; demonstrations by mail."""

from dataclasses import replace

import pytest

from referee.core.value import Demand
from referee.games.onepiece import events as ev
from referee.games.onepiece.board import Grid, ply_of, winner_in, winner_of
from referee.games.onepiece.game import GAME
from referee.games.onepiece.solver import solved
from tests.games.onepiece.table import E3, EXACT4, K2, Table, four
from tests.games.onepiece.test_4_tournament import claimed, goes_on, points


def missed(n: int = 2, **given: str) -> Table:
    """Player 1, blue, claims after ply 5 of E6, and nobody wins in time."""
    table = claimed(four(colours="blue", **given), n)
    goes_on(table, n, None, seed=n)
    return table


# --- the verdict --------------------------------------------------------------------------------------------


def test_44_the_game_waits_for_the_referees_verdict() -> None:
    table = missed()
    (waiting,) = GAME.due(table.state)
    assert waiting.demands == (Demand("Verdict", 0),)
    assert waiting.window is None
    assert "Verdict" in GAME.computed
    assert GAME.view(table.state, None).position["claim"] == {"seat": 1, "ply": 5, "n": 2}


def test_44_a_verdict_carries_its_proof_and_a_line_that_answers_what_was_really_played() -> None:
    table = missed()
    played = table.state.plies[5]
    before = table.state
    table.rule()
    (given,) = table.of(ev.VerdictGiven)
    assert (given.verdict, given.after) == ("proved", 5)
    assert given.line[0] == played
    grid = Grid(8, 8, (ply_of(t).placed for t in given.start), 15)
    for text in given.line:
        assert ply_of(text) in grid.plies()
        grid = grid.after(ply_of(text))
    assert winner_in(grid, ply_of(given.line[-1])) == "blue"
    assert GAME.audit(before, given) == ()


def test_44_a_refuted_claim_shows_a_reply_after_which_no_win_comes() -> None:
    table = missed(4)
    table.rule()
    (given,) = table.of(ev.VerdictGiven)
    assert given.verdict == "refuted"
    assert 1 <= len(given.line) <= 4
    assert GAME.view(table.state, None).facts["proving"](given).marks


@pytest.mark.parametrize("n", [2, 4])
def test_44_a_proof_is_told_as_a_tree_of_bounded_size(n: int) -> None:
    table = missed(n)
    table.rule()
    (given,) = table.of(ev.VerdictGiven)
    (tree,) = GAME.proofs_of(given)[: len(given.proofs)]
    assert tree.words == f"Blue {'can' if n == 2 else 'cannot'} force a win at exactly {n} moves from here"
    told = [tree]
    for branch in told:
        told += branch.branches
    assert 2 <= len(told) <= 700
    moves = set(given.proofs[0]["moves"])
    named = {word.strip(".,:") for branch in told for word in branch.words.split() if word.startswith("R")}
    assert named & moves


def test_44_an_audit_finds_a_changed_proof() -> None:
    table = missed(4)
    before = table.state
    table.rule()
    (given,) = table.of(ev.VerdictGiven)
    assert GAME.audit(before, given) == ()
    proof = given.proofs[0]
    for changed in (
        replace(given, proofs=()),
        replace(given, verdict="proved"),
        replace(given, proofs=({**proof, "question": {**proof["question"], "plies": 2}},)),
        replace(given, proofs=({**proof, "root": [-1, -1]},)),
        replace(given, proofs=({**proof, "last": []},)),
    ):
        assert GAME.audit(before, changed), changed


def test_44_only_the_number_of_nodes_makes_a_verdict_unknown() -> None:
    table = missed(4)
    (demand,) = table.owing()
    full = GAME.compute(table.state, demand, 10**9)
    assert full.verdict == "refuted"
    assert GAME.compute(table.state, demand, full.nodes).verdict == "refuted"
    assert GAME.compute(table.state, demand, full.nodes - 1).verdict == "unknown"
    assert GAME.compute(table.state, demand, 10**9) == full


def test_44_the_matchs_own_limit_holds_too() -> None:
    table = missed(8, solver_nodes="10")
    table.rule()
    assert table.of(ev.VerdictGiven)[-1].verdict == "unknown"
    assert table.owing() == (Demand("Evidence", 1),)


@pytest.mark.parametrize(("evidence", "result"), [("forced", "bluff"), ("along_line", "upheld")])
def test_44_along_the_line_an_opponents_mistake_counts(evidence: str, result: str) -> None:
    """After K2 red can't force a win at exactly ply 13; but with ply 13 to play a win stood on the board."""
    table = four(evidence=evidence).play(" ".join(K2.split()[:8]))
    assert not table.mail(1, f"Move: {K2.split()[8]}\nClaim: 4")
    while len(table.state.plies) < 12:  # nobody minds red's threats
        grid = table.state.grid
        threat = [p for p in grid.plies() if winner_of(grid, p) is None]
        keeps = [
            p for p in threat if any(winner_of(grid.after(p), q) == "red" for q in grid.after(p).plies())
        ]
        table.play(str((keeps or threat)[0]))
    goes_on(table, 1, None)
    table.rule()
    (settled,) = table.of(ev.ClaimSettled)
    (given,) = table.of(ev.VerdictGiven)
    assert settled.result in ((result,) if result == "bluff" else ("upheld", "own slip"))
    assert given.after == 9 if evidence == "forced" else given.after > 9


def test_44_a_claim_of_exactly_four_can_be_right() -> None:
    table = four().play(" ".join(EXACT4.split()[:8]))
    assert not table.mail(1, f"Move: {EXACT4.split()[8]}\nClaim: 4")
    goes_on(table, 4, None)
    before = table.state
    table.rule()
    (given,) = table.of(ev.VerdictGiven)
    assert given.verdict == "proved"
    assert len(given.line) == 4
    assert points(table) == [0 if before.mover_of(given.slip) == 1 else 5, 0, 0, 0]


# --- demonstrations -----------------------------------------------------------------------------------------


def asked(**given: str) -> Table:
    """The claim of 2 was right; player 3 missed it with ply 7."""
    return missed(2, adjudication="players", **given)


def test_44_the_claimer_changes_a_ply_and_shows_the_win() -> None:
    table = asked()
    assert table.owing() == (Demand("Evidence", 1),)
    assert GAME.due(table.state)[0].window == table.state.law.evidence_window
    wins = _win_at_seven(table)
    assert not table.mail(1, f"Demonstrate: 7\nMove: {wins}", "Demonstrate")
    assert table.of(ev.DemonstrationEnded)[-1].reason == "won"
    assert points(table) == [3, 0, 0, 0]
    assert table.state.game == 2


def _win_at_seven(table: Table) -> str:
    grid = table.state.grid_before(7)
    return str(next(p for p in grid.plies() if winner_of(grid, p) == "blue"))


def test_44_what_a_demonstration_may_not_do() -> None:
    table = asked()
    wins, actual = _win_at_seven(table), table.state.plies[6]
    assert table.codes(1, f"Demonstrate: 6\nMove: {wins}") == ["not_a_ply_to_change"]
    assert table.codes(1, f"Move: {wins}") == ["no_ply"]
    assert table.codes(1, f"Demonstrate: soon\nMove: {wins}") == ["no_number"]
    assert table.codes(1, "Demonstrate: 7") == ["no_move"]
    assert table.codes(1, f"Demonstrate: 7\nMove: {actual}") == ["nothing_changed"]
    assert table.codes(1, "Demonstrate: 7\nMove: Rh8Bh7") == ["floats"] * 2
    assert table.codes(3, f"Demonstrate: 7\nMove: {wins}") == ["not_beside", "being_judged"]
    assert table.codes(3, f"Move: {wins}") == ["being_judged"]


@pytest.mark.parametrize("how", ["Give up", "lapse"])
def test_44_giving_up_or_silence_is_not_upheld(how: str) -> None:
    table = asked()
    if how == "lapse":
        table.lapse()
    else:
        assert not table.mail(1, "Give up\nComment: it was worth a try", "Give up")
    assert points(table) == [-2, 0, 0, 0]


def longer() -> Table:
    """A claim of 6 to be demonstrated `by`."""
    return missed(6, adjudication="players", claim_test="by")


def test_44_either_opponent_replies_and_the_claimer_plays_both_partners_moves() -> None:
    table = longer()
    grid = table.state.grid_before(7)
    other = next(
        p for p in grid.plies()
        if winner_of(grid, p) is None and str(p) != table.state.plies[6]
    )  # fmt: skip
    assert not table.mail(1, f"Demonstrate: 7\nMove: {other}")
    assert table.owing() == (Demand("Reply", 2), Demand("Reply", 4))
    assert table.codes(3, "Move: Ra1Ba2") == ["being_judged"]
    shown = GAME.view(table.state, None)
    assert "Demonstration" in shown.diagram.title
    _quiet(table, 4)
    assert table.owing() == (Demand("Demonstrate", 1),)
    assert "no_claim_in_demonstration" in table.codes(1, "Move: d=RB\nClaim: 2")
    _quiet(table, 1)
    table.lapse()  # the referee replies for both
    assert table.of(ev.PieceShown)[-1].how == "deadline"
    _quiet(table, 1)
    assert table.of(ev.DemonstrationEnded)[-1].reason == "not won"
    assert points(table) == [-6, 0, 0, 0]


def _quiet(table: Table, seat: int) -> None:
    grid = table.state.shown_grid
    ply = next(p for p in grid.plies() if winner_of(grid, p) is None)
    assert not table.mail(seat, f"Move: {ply}")


def test_44_in_exact_a_win_before_the_ply_claimed_shows_nothing() -> None:
    table = missed(4, adjudication="players")
    assert table.codes(1, f"Demonstrate: 7\nMove: {_win_at_seven(table)}") == ["wins_too_early"]


def test_44_a_claim_lost_at_once_can_not_be_demonstrated() -> None:
    """The other colour won with the very next ply: there is no ply of the claimer's side to change."""
    table = four(colours="blue", adjudication="players").play(" ".join(E3.split()[:6]))
    assert not table.mail(3, f"Move: {E3.split()[6]}\nClaim: 4")
    table.play("Rd4Bc4")
    assert table.of(ev.DemonstrationEnded)[-1].reason == "lost"
    assert points(table) == [0, 0, -4, 1]


def test_44_a_claimer_who_leaves_does_not_uphold_his_claim() -> None:
    table = asked()
    assert not table.mail(1, "Resign")
    assert table.of(ev.DemonstrationEnded)[-1].reason == "left"
    assert points(table) == [-2, 0, 0, 0]


def test_the_line_of_a_proof_follows_the_game_as_far_as_the_game_went() -> None:
    table = missed(4)
    table.rule()
    (given,) = table.of(ev.VerdictGiven)
    grid = table.state.grid_before(1)
    assert grid is not None
    start = Grid(8, 8, (ply_of(t).placed for t in given.start), 15)
    again = solved(start, "blue", 4, True, 10**9)
    assert again.line[0] == given.line[0]
