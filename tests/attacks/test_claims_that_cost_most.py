"""Claims that make the solver work, one after another: a match takes so many a day, and says when it takes more."""

from datetime import timedelta
from pathlib import Path

from tests.games.onepiece.table import EXACT4
from tests.games.onepiece.test_tournament_by_mail import Tournament
from tests.world import Sent


class Claims:
    """A tournament in which every ply may bear a claim, and a line that it follows."""

    def __init__(self, folder: Path, most: int, **options: str) -> None:
        self.game = Tournament(folder, claims="multiple", **options)
        self.game.world.configure("searches_a_day = 10 ", f"searches_a_day = {most} ")
        self.line = self.game.line(EXACT4, "red").split()

    def says(self, *claim: str) -> tuple[bool, list[Sent]]:
        """The next ply of the line, and whether it counted."""
        game = self.game
        game.send(game.seat(game.plies + 1), "\n".join((f"Move: {self.line[game.plies]}", *claim)))
        counts = game.world.step(game.clock.isoformat())
        game.plies += counts["accepted"]
        return counts["accepted"] == 1, game.world.new_letters()


def test_a_claim_too_many_is_refused_with_the_time_at_which_there_is_room(tmp_path: Path) -> None:
    claims = Claims(tmp_path, 3)
    for n in (8, 6, 4):
        counted, letters = claims.says(f"Claim: {n}")
        assert counted, [x.text for x in letters]
    counted, letters = claims.says("Claim: 2")
    assert not counted
    (refusal,) = [x for x in letters if x.kind == "refusal"]
    told = " ".join(refusal.text.split())
    assert "this match has had 3 claims that I may have to judge by a search" in told
    assert "claim again from Monday 2 March 2026, 12:01" in told, "a day after the first of them"
    assert "with OK" not in told, "the form as it stands would be refused again"
    assert claims.says()[0], "the move alone counts"
    claims.game.clock += timedelta(hours=23, minutes=50)
    assert not claims.says("Claim: 2")[0]
    claims.game.clock += timedelta(minutes=20)
    assert claims.says("Claim: 2")[0], "there is room again"


def test_claims_that_players_judge_cost_nothing(tmp_path: Path) -> None:
    claims = Claims(tmp_path, 1, adjudication="players")
    assert all(claims.says(f"Claim: {n}")[0] for n in (8, 6, 4, 2))
