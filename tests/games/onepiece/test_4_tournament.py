"""Four players (4.1 to 4.3, 4.5): turns, pairs, claims, every settlement, the end of the tournament."""

from dataclasses import replace

import pytest

from referee.core import seam
from referee.core.value import Demand
from referee.games.onepiece import events as ev
from referee.games.onepiece.board import Colour, first_safe, winner_of
from referee.games.onepiece.game import GAME
from referee.games.onepiece.turns import champion
from tests.games.at_the_seam import party
from tests.games.onepiece.plainly import line_to
from tests.games.onepiece.table import E3, E6, EXACT4, K2, Table, four, set_up


def points(table: Table) -> list[int]:
    return list(table.state.points)


def blue_begins(**given: str) -> Table:
    """Players 1 and 3 are blue."""
    return four(colours="blue", **given)


def claimed(table: Table, claim: int) -> Table:
    """E6 to ply 5, with a claim of player 1 there."""
    table.play(" ".join(E6.split()[:4]))
    assert not table.mail(1, f"Move: {E6.split()[4]}\nClaim: {claim}")
    assert table.state.claims[0].end == 5 + claim
    return table


def goes_on(table: Table, plies: int, wins: Colour | None, seed: int = 1) -> None:
    """So many plies; nothing is won before the last."""
    colour = table.state.colour_of(table.state.mover)
    for ply in line_to(table.state.grid, colour, plies, wins, seed):
        table.play(str(ply))


# --- turns and pairs (4.1) ----------------------------------------------------------------------------------


def test_41_seats_move_in_turn_and_partners_two_plies_apart() -> None:
    table = four()
    assert [table.state.mover_of(ply) for ply in range(1, 7)] == [1, 2, 3, 4, 1, 2]
    assert [seat for seat in table.state.seats if table.state.colour_of(seat) == "red"] == [1, 3]
    assert table.state.partner(2) == 4


def test_41_seat_1_begins_with_fixed_pairs_whatever_the_option_says() -> None:
    assert four(starter="3").state.first == 1
    assert four(starter="3", pairing="rotate").state.first == 3


def test_32_in_a_tournament_colours_and_edge_are_chosen_once() -> None:
    table = Table(4)
    assert table.owing() == (Demand("Colours", 1), Demand("Edge", 2))
    assert not table.mail(1, "Colours: blue")
    assert not table.mail(2, "Edge: south")
    table.play(E6)
    assert table.state.game == 2
    assert table.owing() == (Demand("Move", table.state.first),)
    assert [seat for seat in table.state.seats if table.state.colour_of(seat) == "blue"] == [1, 3]


def test_41_the_next_starter_is_the_loser_whose_turn_would_have_come_next() -> None:
    table = blue_begins().play(E6)  # player 3 wins with ply 7; player 4 would have been next
    assert table.state.first == 4
    assert [table.state.mover_of(ply) for ply in range(1, 5)] == [4, 1, 2, 3]


def test_41_after_a_game_without_winner_the_seat_after_the_last_starter_begins() -> None:
    table = four()
    assert not table.mail(3, "Offer: draw")
    for seat in (1, 2):
        assert not table.mail(seat, "Accept: draw")
    assert table.state.game == 1
    assert not table.mail(4, "Accept: draw")
    assert (table.state.game, table.state.first) == (2, 2)


def test_41_rotating_pairs_take_turns_and_seat_1_keeps_its_colour() -> None:
    table = four(pairing="rotate", starter="1")
    seen = []
    for _ in range(4):
        seen.append(table.state.partner(1))
        assert table.state.colour_of(1) == "red"
        assert table.state.colour_of(table.state.partner(1)) == "red"
        _agree_to_draw(table)
    assert seen == [3, 2, 4, 3]


def _agree_to_draw(table: Table) -> None:
    assert not table.mail(1, "Offer: draw")
    for seat in (2, 3, 4):
        assert not table.mail(seat, "Accept: draw")


def test_an_offer_falls_when_one_who_has_not_accepted_moves() -> None:
    table = four()
    assert not table.mail(3, "Offer: draw")
    assert not table.mail(1, "Accept: draw")
    table.play("Rd1Be1")
    assert table.state.offer == 3
    table.play("Ra1Ba2")
    assert table.state.offer == 0


# --- claims (4.2) -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claim", "codes"),
    [
        ("3", ["odd_claim"]),
        ("0", ["odd_claim"]),
        ("-2", ["odd_claim"]),
        ("10", ["claim_too_large"]),
        ("11", ["odd_claim", "claim_too_large"]),
        ("four", ["no_number"]),
    ],
)
def test_42_a_bad_claim_refuses_the_whole_mail(claim: str, codes: list[str]) -> None:
    table = four()
    assert table.codes(1, f"Move: Rd1Be1\nClaim: {claim}") == codes
    assert table.state.plies == ()


@pytest.mark.parametrize(
    "words",
    [
        "Move: Rd2Bd3\nClaim: x+2",
        "Move: Rd2Bd3\nClaim: ply x + 2.",
        "Move: Rd2Bd3\nClaim: n=2",
        "Claim: 2 moves\nMove: Rd2Bd3",
        "Move: Rd2Bd3\nn = 2",
        "Rd2Bd3\nn: 2",
        "Rd2Bd3, n = 2",
        "Move: Rd2Bd3, n=2",
        "Move: Rd2Bd3, claim x+2",
        "Move: Rd2Bd3, claim: n = 2",
    ],
)
def test_42_a_claim_in_the_rule_books_own_words(words: str) -> None:
    """ "My colour wins at ply x + n"."""
    table = four(position=K2)
    assert table.mail(table.state.mover, words) == ()
    assert [(claim.ply, claim.n) for claim in table.state.claims] == [(10, 2)]


@pytest.mark.parametrize(
    "words", ["Rd2Bd3, no claim", "Move: Rd2Bd3, no claim.", "Rd2Bd3\nNo claim", "d^B, please"]
)
def test_42_a_move_without_a_claim(words: str) -> None:
    table = four(position=K2)
    assert table.mail(table.state.mover, words) == ()
    assert (table.state.plies[-1], table.state.claims) == ("Rd2Bd3", ())


@pytest.mark.parametrize("words", ["n=2?", "n=2 would be nice", "n=2 or n=4", "I claim 2"])
def test_42_a_claim_in_a_sentence_is_no_claim(words: str) -> None:
    table = four(position=K2)
    assert table.mail(table.state.mover, f"Rd2Bd3, {words}") != ()
    assert table.state.claims == ()


def test_42_a_claim_goes_with_a_move_and_not_with_a_winning_one() -> None:
    table = blue_begins()
    assert table.codes(1, "Claim: 4") == ["no_move"]
    table.play(" ".join(E6.split()[:6]))
    assert table.codes(3, f"Move: {E6.split()[6]}\nClaim: 2") == ["claim_beside_win"]


def test_42_one_claim_at_a_time_by_default() -> None:
    table = claimed(blue_begins(), 6)
    assert table.codes(2, "Move: Ra1Ba2\nClaim: 2") == ["claim_pending"]
    assert seam.form(GAME, table.state, Demand("Move", 2), party(2)).text == "Move: ..."


def test_42_with_multiple_claims_none_reaches_past_the_end_of_the_game() -> None:
    table = claimed(blue_begins(claims="multiple"), 4)
    assert table.codes(2, "Move: Ra1Ba2\nClaim: 4") == ["claim_past_end"]
    assert table.mail(2, "Move: Ra1Ba2\nClaim: 2") == ()
    assert table.state.limit == 8


def test_42_claims_are_public_at_once() -> None:
    table = claimed(blue_begins(), 6)
    assert GAME.view(table.state, None).position["claim"] == {"seat": 1, "ply": 5, "n": 6}


def test_42_only_the_partners_numbers_where_the_option_says_so() -> None:
    table = four(claim_n="partner_only")
    assert table.codes(1, "Move: Rd1Be1\nClaim: 4") == ["partner_must_move_last"]
    assert table.mail(1, "Move: Rd1Be1\nClaim: 6") == ()


def test_42_no_draw_is_agreed_while_a_claim_is_pending() -> None:
    table = claimed(blue_begins(), 6)
    assert table.codes(3, "Offer: draw") == ["no_offer_now"]
    assert table.codes(2, "Move: Ra1Ba2\nOffer: draw") == ["no_offer_now"]


def test_c10_draw_rules_wait_while_a_claim_is_pending() -> None:
    table = four(grid="5x4", pieces="3", repetition="2", max_relocations="2", position="Ra1Ba2 Rb1Bb2 Bc1Rc2")
    assert not table.mail(4, "Move: a1>Rd1Bd2\nClaim: 6")
    table.play("b1>Re1Be2 d1>Ra1Ba2 e1>Rb1Bb2")
    assert table.state.game == 1
    table.play("a1>Rd1Bd2 b1>Re1Be2 d1>Ra1Ba2")
    assert table.of(ev.GameStopped)[-1].ply == 10


# --- settlement (4.3, 4.5) ----------------------------------------------------------------------------------

SETTLED = [(2, 2, 1, 3, -2), (4, 4, 2, 5, -4), (6, 6, 3, 7, -6), (8, 8, 4, 9, -8)]


@pytest.mark.parametrize(("n", "claimer", "partner", "upheld", "bluff"), SETTLED)
def test_45_a_claim_that_comes_true_pays_n_and_half_of_it(
    n: int, claimer: int, partner: int, upheld: int, bluff: int
) -> None:
    table = claimed(blue_begins(), n)
    goes_on(table, n, "blue", seed=n)
    assert points(table) == [claimer, 0, partner, 0]
    assert table.of(ev.ClaimSettled)[-1].result == "won"
    assert not table.of(ev.SilentWinPaid)


@pytest.mark.parametrize(("n", "claimer", "partner", "upheld", "bluff"), SETTLED)
def test_45_a_claim_upheld_pays_n_and_one_and_a_bluff_costs_n(
    n: int, claimer: int, partner: int, upheld: int, bluff: int
) -> None:
    right = let_go_by(3, n)
    assert points(right) == [upheld, 0, 0, 0]
    wrong = four()
    assert not wrong.mail(1, f"Move: Rd1Be1\nClaim: {n}")
    goes_on(wrong, n, None, seed=n)
    wrong.rule()
    assert points(wrong) == [bluff, 0, 0, 0]
    assert [e.result for e in (*right.of(ev.ClaimSettled), *wrong.of(ev.ClaimSettled))] == ["upheld", "bluff"]


def let_go_by(seat: int, n: int) -> Table:
    """Player 1's claim that a win by ply 7 can be forced, which is right, and the player's ply that let it go."""
    for seed in range(60):
        table = claimed(blue_begins(claim_test="by"), n)
        goes_on(table, n, None, seed=seed)
        before = table.state
        table.rule()
        given = table.of(ev.VerdictGiven)[-1]
        assert GAME.audit(before, given) == ()
        if before.mover_of(given.slip) == seat:
            return table
    raise AssertionError("nobody played so")


@pytest.mark.parametrize("n", [4, 8])
def test_43_a_claimer_who_lets_his_own_win_go_earns_nothing(n: int) -> None:
    table = let_go_by(1, n)
    assert points(table) == [0, 0, 0, 0]
    assert table.of(ev.ClaimSettled)[-1].result == "own slip"


def test_43_the_slip_is_the_first_own_ply_after_which_the_win_cannot_be_forced() -> None:
    """Judged once more by asking after each own ply, as 4.4 asks after the claim."""
    for seat in (1, 3):
        table = let_go_by(seat, 4)
        given = table.of(ev.VerdictGiven)[-1]
        assert [proof["verdict"] for proof in given.slip_proofs] in (["refuted"], ["proved"])
        assert given.slip == (7 if given.slip_proofs[0]["verdict"] == "refuted" else 9)
        assert (given.slip == 9) == (seat == 1)


def test_43_where_the_limit_leaves_it_unknown_the_last_of_them_to_move_decides() -> None:
    table = claimed(blue_begins(claim_test="by"), 4)
    goes_on(table, 4, None, seed=4)
    (demand,) = table.owing()
    full = GAME.compute(table.state, demand, 10**9)
    enough = next(
        n for n in range(1, full.nodes + 1) if GAME.compute(table.state, demand, n).verdict == "proved"
    )
    short = GAME.compute(table.state, demand, enough)
    assert short.slip == 9
    assert not short.slip_proofs


def test_43_a_demonstration_that_changes_ones_own_ply_shows_ones_own_slip() -> None:
    solver = let_go_by(1, 4)
    shown = solver.of(ev.VerdictGiven)[-1]
    table = claimed(blue_begins(claim_test="by", adjudication="players"), 4)
    for moved in solver.of(ev.PieceMoved)[5:9]:
        table.play(moved.move)
    grid = table.state.grid_before(shown.slip)
    wins = next(p for p in grid.plies() if winner_of(grid, p) == "blue")
    assert not table.mail(1, f"Demonstrate: {shown.slip}\nMove: {wins}", "Demonstrate")
    assert table.of(ev.DemonstrationEnded)[-1].upheld
    assert points(table) == [0, 0, 0, 0]


@pytest.mark.parametrize(("early_win", "paid"), [("actual", [2, 0, 1, 0]), ("claimed", [6, 0, 3, 0])])
def test_c4_an_earlier_win_is_paid_by_the_real_distance(early_win: str, paid: list[int]) -> None:
    table = claimed(blue_begins(early_win=early_win), 6)
    goes_on(table, 2, "blue")
    assert points(table) == paid


@pytest.mark.parametrize(("plies", "distance"), [(1, 2), (3, 4)])
def test_c8_an_opponents_own_move_that_wins_for_the_claimer_pays_the_next_even_number(
    plies: int, distance: int
) -> None:
    table = claimed(blue_begins(), 8)
    goes_on(table, plies, "blue", seed=3)
    assert table.of(ev.GameWon)[-1].reason == "handed over"
    assert table.of(ev.ClaimSettled)[-1].distance == distance
    assert points(table) == [distance, 0, distance // 2, 0]


@pytest.mark.parametrize(("pay_winner", "paid"), [("true", 1), ("false", 0)])
def test_c5_an_earlier_win_of_the_other_colour_pays_the_silent_winner_and_judges_the_claim(
    pay_winner: str, paid: int
) -> None:
    table = blue_begins(pay_winner=pay_winner).play(" ".join(E3.split()[:6]))
    assert not table.mail(3, f"Move: {E3.split()[6]}\nClaim: 4")
    table.play("Rd4Bc4")
    assert table.of(ev.GameWon)[-1].colour == "red"
    table.rule()
    assert points(table) == [0, 0, -4, paid]


def test_43_a_silent_win_pays_one_to_the_player_who_made_it() -> None:
    assert points(blue_begins().play(E6)) == [0, 0, 1, 0]


def test_43_a_win_handed_over_pays_the_winning_colours_player_next_to_move() -> None:
    table = four()
    goes_on(table, 9, "blue", seed=5)  # player 1 plays ply 9 for red
    paid = table.of(ev.SilentWinPaid)[-1]
    assert (paid.seat, paid.points, paid.handed) == (2, 1, True)
    assert points(table) == [0, 1, 0, 0]


def test_43_the_claimers_own_side_handing_over_the_win_pays_the_next_player_of_the_winners() -> None:
    table = claimed(blue_begins(), 6)
    goes_on(table, 6, "red", seed=2)  # player 3 hands it over with ply 11
    table.rule()
    assert table.of(ev.GameWon)[-1].reason == "handed over"
    assert points(table) == [-6, 0, 0, 1]  # player 4 was next


def test_43_with_multiple_claims_each_is_settled_on_its_own() -> None:
    table = claimed(blue_begins(claims="multiple"), 4)
    assert not table.mail(2, "Move: Ra1Ba2\nClaim: 2")
    goes_on(table, 2, None)
    table.rule()
    table.rule()
    results = [(e.claim.seat, e.result) for e in table.of(ev.ClaimSettled)]
    assert results == [(1, "bluff"), (2, "bluff")]
    assert points(table) == [-4, -2, 0, 0]


# --- the end of the tournament (4.1, 4.5) -------------------------------------------------------------------


def to_seat(table: Table, seat: int) -> None:
    """Quiet plies until it is the seat's turn."""
    seed = 0
    while table.state.mover != seat:
        seed += 1
        goes_on(table, 1, None, seed)


def silent_win(table: Table, seat: int) -> None:
    """The seat wins without a claim."""
    for _ in range(2):
        goes_on(table, 4, None, seed=11)
    to_seat(table, seat)
    goes_on(table, 5, table.state.colour_of(seat), seed=7)


def test_45_the_golden_tournament() -> None:
    table = four()  # A and C red, B and D blue
    to_seat(table, 1)
    goes_on(table, 4, None, seed=4)
    assert not table.mail(1, f"Move: {line_to(table.state.grid, 'red', 1, None)[0]}\nClaim: 6")
    goes_on(table, 6, "red", seed=9)
    assert points(table) == [6, 0, 3, 0]
    silent_win(table, 2)
    assert points(table) == [6, 1, 3, 0]
    _claim_upheld(table)
    assert points(table) == [6, 1, 8, 0]
    to_seat(table, 1)
    goes_on(table, 4, None, seed=6)
    assert not table.mail(1, f"Move: {line_to(table.state.grid, 'red', 1, None)[0]}\nClaim: 4")
    goes_on(table, 4, "red", seed=8)
    assert points(table) == [10, 1, 10, 0]
    assert GAME.outcome(table.state) is None  # level: it goes on
    silent_win(table, 1)
    outcome = GAME.outcome(table.state)
    assert outcome.winners == (1,)
    assert [outcome.points[seat] for seat in (1, 2, 3, 4)] == [11, 1, 10, 0]


def _claim_upheld(table: Table) -> None:
    """Player 3 claims 4, rightly, and the win is missed."""
    assert table.state.first == 3
    table.play(" ".join(EXACT4.split()[:8]))
    assert not table.mail(3, f"Move: {EXACT4.split()[8]}\nClaim: 4")
    goes_on(table, 4, None, seed=10)  # player 1 misses it, with ply 11
    table.rule()


@pytest.mark.parametrize(
    ("standing", "lead", "winner"),
    [
        ((10, 9, 3, 0), 1, (1,)),
        ((12, 11, 12, 0), 1, None),
        ((10, 9, 0, 0), 2, None),
        ((9, 0, 0, 0), 1, None),
        ((10, 10, 0, 0), 0, (1, 2)),
        ((3, -4, 11, 10), 1, (3,)),
    ],
)
def test_45_ten_points_and_one_ahead_of_everybody(
    standing: tuple[int, ...], lead: int, winner: tuple[int, ...] | None
) -> None:
    state = four(lead=str(lead)).state
    decided = champion(replace(state, points=standing))
    assert (decided.winners if decided else None) == winner


def test_k2_by_and_exact_differ() -> None:
    for test, result in (("exact", "bluff"), ("by", "upheld")):
        table = four(claim_test=test).play(" ".join(K2.split()[:8]))
        assert not table.mail(1, f"Move: {K2.split()[8]}\nClaim: 4")
        goes_on(table, 4, None, seed=2)
        table.rule()
        assert table.of(ev.ClaimSettled)[-1].result == result


# --- deadlines and leaving ----------------------------------------------------------------------------------


def test_the_referee_plays_the_first_move_that_loses_nothing_at_once() -> None:
    table = blue_begins().play(" ".join(E6.split()[:6]))
    table.lapse()
    moved = table.of(ev.PieceMoved)[-1]
    assert moved.how == "deadline"
    assert moved.move == str(table.state.grid_before(7).plies()[0])


def test_nobody_is_paid_for_a_ply_that_the_referee_played() -> None:
    """Some quiet line after which the referee's own choice happens to win."""
    empty = four().state.grid
    for seed in range(2000):
        start, grid = line_to(empty, "red", 8, None, seed), empty
        for ply in start:
            grid = grid.after(ply)
        first = first_safe(grid, "red")
        if winner_of(grid, first) == "red":
            break
    plies = [str(ply) for ply in start]
    silent = four().play(" ".join(plies))
    silent.lapse()
    assert silent.of(ev.SilentWinPaid)[-1].withheld
    assert points(silent) == [0, 0, 0, 0]
    claimed = four().play(" ".join(plies[:6]))
    assert not claimed.mail(3, f"Move: {plies[6]}\nClaim: 2")
    claimed.play(plies[7])
    claimed.lapse()
    settled = claimed.of(ev.ClaimSettled)[-1]
    assert (settled.result, settled.withheld) == ("won", (1,))
    assert points(claimed) == [0, 0, 2, 0]


def test_a_seat_that_is_open_and_misses_one_move_more_is_resigned() -> None:
    table = four()
    seed = 0
    while 1 not in table.state.gone:
        seed += 1
        if table.state.mover != 1:
            goes_on(table, 1, None, seed)
            continue
        table.lapse()
        if table.state.timeouts[0] == 2 and not table.of(ev.SeatOpened):
            table.happen(GAME.silent(table.state, 1, 2))
            assert GAME.vacant(table.state) == (1,)
    assert [e.missed for e in table.of(ev.SeatOpened)] == [2]
    assert table.of(ev.PlayerResigned)[-1].how == "deadline"
    assert table.of(ev.PieceMoved)[-1].how == "left"
    table.happen(GAME.filled(table.state, 1))
    assert table.state.active == (1, 2, 3, 4)


def test_a_move_of_ones_own_ends_the_series_of_missed_ones() -> None:
    table = four()
    table.lapse()
    assert table.state.timeouts == (1, 0, 0, 0)
    for seed in range(4):
        goes_on(table, 1, None, seed)
    assert table.state.timeouts == (0, 0, 0, 0)


def test_when_one_colour_has_left_the_best_of_the_others_wins() -> None:
    table = blue_begins().play(E6)
    assert not table.mail(2, "Resign")
    assert GAME.outcome(table.state) is None
    assert table.codes(2, "Move: Ra1Ba2") == ["has_left"]
    assert not table.mail(4, "Resign")
    outcome = GAME.outcome(table.state)
    assert outcome.winners == (3,)


def test_the_referee_plays_on_at_once_for_those_who_have_left() -> None:
    table = four()
    assert not table.mail(1, "Resign")
    assert table.of(ev.PieceMoved)[-1].how == "left"
    assert table.owing() == (Demand("Move", 2),)


def test_press_is_off_in_a_tournament_unless_it_is_on() -> None:
    assert four().codes(2, "Comment: shall we?") == ["press_is_off"]
    table = four(press="on")
    assert not table.mail(2, "Comment: shall we?")
    assert table.of(ev.Commented)[-1].text == "shall we?"


# --- games in pairs, without tournament and claims (`tournament=off`) --------------------------------------------


def pairs(**given: str) -> Table:
    """Players 1 and 3 begin and are blue: E6 is theirs."""
    return Table(4, **{"tournament": "off", "starter": "1", "colours": "blue", "edge": "south", **given})


def test_4_the_opening_records_that_there_is_no_tournament() -> None:
    (told,) = pairs().of(ev.LawSet)
    assert (told.law.seats, told.law.claiming, told.law.tournament) == (4, False, False)
    assert Table(4).state.law.tournament


def test_4_no_form_has_a_claim_and_none_may_be_made() -> None:
    table, demand = pairs(), Demand("Move", 1)
    assert seam.form(GAME, table.state, demand, party(1)).text == "Move: ..."
    assert table.codes(1, "Move: Rd1Be1\nClaim: 2") == ["no_claims_for_two"]
    groups = {part.group for part in seam.answer_of(GAME, "Move").possible(table.state, demand, (), {"d1"})}
    assert groups == {"play", "offer"}


def test_4_seats_move_in_turn_and_a_colour_wins_for_both_its_players() -> None:
    table = pairs().play(E6)
    won = table.of(ev.GameWon)[-1]
    assert (won.colour, won.winners, won.seat) == ("blue", (1, 3), 3)
    assert [event.seat for event in table.of(ev.PieceMoved)] == [1, 2, 3, 4, 1, 2, 3]
    outcome = GAME.outcome(table.state)
    assert (outcome.winners, outcome.points) == ((1, 3), {1: 1, 2: 0, 3: 1, 4: 0})
    assert table.of(ev.SilentWinPaid) == table.of(ev.ClaimSettled) == []


def test_4_in_a_series_the_losers_begin_and_the_pair_with_more_games_wins() -> None:
    table = pairs(games="2").play(E6)
    assert (table.state.game, table.state.first) == (2, 4)
    for seat in (4, 1, 2):
        assert table.mail(seat, "Offer: draw" if seat == 4 else "Accept: draw") == ()
    assert table.state.phase == "play"
    assert table.mail(3, "Accept: draw") == ()
    assert table.of(ev.MatchDecided)[-1].winners == (1, 3)
    outcome = GAME.outcome(table.state)
    assert [float(points) for _, points in sorted(outcome.points.items())] == [1.5, 0.5, 1.5, 0.5]


def test_4_who_resigns_leaves_the_seat_and_the_pair_loses_once_both_have_left() -> None:
    table = pairs().play(E6.split()[0])
    assert table.mail(2, "Resign") == ()
    assert table.state.phase == "play"
    assert table.of(ev.PieceMoved)[-1].how == "left"
    assert (table.state.mover, GAME.vacant(table.state)) == (3, (2,))
    assert table.mail(4, "Resign") == ()
    assert table.of(ev.MatchDecided)[-1].winners == (1, 3)


def test_4_the_starter_chooses_the_colour_of_his_pair() -> None:
    table = Table(4, tournament="off", starter="2")
    assert table.owing() == (Demand("Colours", 2), Demand("Edge", 3))
    assert table.mail(2, "Colours: blue") == table.mail(3, "Edge: north") == ()
    assert [table.state.colour_of(seat) for seat in (1, 2, 3, 4)] == ["red", "blue", "red", "blue"]


@pytest.mark.parametrize(("press", "open_"), [("off", False), ("on", True)])
def test_c12_partners_may_talk_where_press_is_on(press: str, open_: bool) -> None:
    kinds = {demand.kind for demand in GAME.open_to(pairs(press=press).state, 2)}
    assert ("Comment" in kinds) is open_


def test_4_with_two_players_the_option_changes_nothing() -> None:
    assert GAME.faults(set_up(2, tournament="off")) == ()
    assert Table(2, tournament="off", starter="1", colours="red", edge="south").state.seats == (1, 2)
