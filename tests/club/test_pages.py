"""What the site shows of the club: what is being formed, crosstables, ratings and who met whom, from results alone."""

import random
import re
from pathlib import Path

import pytest
from openskill.models import PlackettLuce

from referee.club.standings import Finished, ratings
from tests.club.company import NAMES, Company, address
from tests.club.test_events import Club, results

ADDRESS = re.compile(r"[\w.+-]+@[\w-]+\.example")


def pages(company: Company, into: Path) -> dict[str, str]:
    assert company.world.run("site", str(into)).status == 0
    return {str(path.relative_to(into)): path.read_text() for path in into.rglob("*.html")}


def words(page: str) -> list[list[str]]:
    """The rows of a page's tables."""
    rows = re.findall(r"<tr>(.*?)</tr>", page, re.DOTALL)
    return [
        [re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)]
        for row in rows
    ]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Club:
    club = Club(tmp_path_factory.mktemp("club"))
    club.event("spring", *NAMES[:5], game="morris", kind="swiss", rounds="3")
    chance = random.Random(7)
    for _ in range(3):
        club.play_round("spring", chance)
    return club


@pytest.fixture
def club(played: Club, tmp_path: Path) -> Club:
    return played.copied(tmp_path / "club")


def test_a_crosstable_is_what_the_matches_gave(club: Club, tmp_path: Path) -> None:
    shown, built = club.shown("spring"), pages(club, tmp_path / "site")
    table = [row for row in words(built["events/spring.html"]) if row and row[0].isdigit()]
    names = [row[1] for row in table]
    assert names == [row["player"] for row in shown["standings"]]
    played = [points for points, _ in results(club.world, shown)]
    for row, name in zip(table, names, strict=True):
        for cell, other in zip(row[2:], names, strict=False):
            met = [p[name] for p in played if {name, other} == p.keys()]
            assert cell == ("×" if name == other else " ".join(f"{float(n):g}" for n in met))
    assert all(not ADDRESS.search(page) for page in built.values())


def test_ratings_are_what_openskill_makes_of_the_results(club: Club, tmp_path: Path) -> None:
    shown = club.shown("spring")
    model, known = PlackettLuce(), {}
    rows = club.world.run("ratings", "--json").json["morris"]
    course = {row["player"]: row["course"] for row in rows}
    order = [step["match"] for steps in course.values() for step in steps]
    ended = sorted(
        set(order), key=lambda m: next(s["at"] + m for c in course.values() for s in c if s["match"] == m)
    )
    by_match = {
        p["match"]: points
        for p, (points, _) in zip(
            [p for p in shown["pairings"] if p["match"]], results(club.world, shown), strict=True
        )
    }
    for match in ended:
        players = list(by_match[match])
        teams = [[known.get(p) or model.rating()] for p in players]
        scores = [float(by_match[match][p]) for p in players]
        for p, (rated,) in zip(players, model.rate(teams, scores=scores), strict=True):
            known[p] = rated
    for player, steps in course.items():
        assert steps[-1]["mean"] == pytest.approx(known[player].mu, abs=1e-3)
        assert steps[-1]["deviation"] == pytest.approx(known[player].sigma, abs=1e-3)
    table = [row for row in words(pages(club, tmp_path / "site")["ratings.html"]) if row[0][:1].isdigit()]
    worth = {p: max(0, round(1000 + 40 * (known[p].mu - 3 * known[p].sigma))) for p in course}
    assert {row[1]: int(row[2]) for row in table} == worth
    for place, player, points, _ in table:  # equals share a place, and it says so
        ties = [p for p in worth if worth[p] == int(points)]
        better = sum(worth[p] > worth[player] for p in worth)
        assert place == f"{better + 1}{'=' if len(ties) > 1 else ''}"


def test_an_event_shows_how_each_match_came_out(club: Club, tmp_path: Path) -> None:
    built, shown = pages(club, tmp_path / "site"), club.shown("spring")
    rows = {row[0]: row for row in words(built["events/spring.html"]) if row}
    for pairing in shown["pairings"]:
        if pairing["match"]:
            facts = club.world.show(pairing["match"])
            names = {seat["number"]: seat["name"] for seat in facts["seats"]}
            _, players, points, told = rows[pairing["match"]]
            taken = ["1" if n in facts["outcome"]["winners"] else "0" for n in sorted(names)]
            assert players == " - ".join(pairing["players"])
            assert points == " - ".join(taken)
            assert told.startswith(f"Won by {names[facts['outcome']['winners'][0]]}.")


def test_nobody_has_less_than_nothing(tmp_path: Path) -> None:
    lost = [Finished(f"m{n}", "morris", f"2026-01-{n:02}", ("a", f"b{n}"), (2, 1)) for n in range(1, 29)]
    course = ratings(lost)["morris"]["a"]
    assert min(step.points for step in course) >= 0
    assert course[0].points < 1000 < ratings(lost)["morris"]["b1"][0].points


def test_who_met_whom_adds_up(club: Club, tmp_path: Path) -> None:
    built = pages(club, tmp_path / "site")
    rows = words(built["results/morris.html"])
    count = sum(bool(p["match"]) for p in club.shown("spring")["pairings"])
    players = [row for row in rows if len(row) == 4 and row[0] in NAMES]
    assert sum(int(row[1]) for row in players) == sum(int(row[3]) for row in players) == count
    some = next(
        page for name, page in built.items() if name.startswith("players/") and f"<h1>{NAMES[0]}" in page
    )
    assert "Who was met" in some
    assert "Ratings" in some


def test_who_wishes_is_unrated_and_unlisted(club: Club, tmp_path: Path) -> None:
    before = pages(club, tmp_path / "site")
    assert NAMES[0] in before["ratings.html"]
    for subject in ("rating off", "listing off"):
        assert [x.kind for x in club.send(NAMES[0], subject)] == ["receipt"]
    after = pages(club, tmp_path / "site")
    for page in ("ratings.html", "results/morris.html", "players/index.html"):
        assert NAMES[0] not in after[page], page
    assert after == pages(club, tmp_path / "fresh")
    club.send(NAMES[0], "rating on")
    club.send(NAMES[0], "listing on")
    assert pages(club, tmp_path / "site")["ratings.html"] == before["ratings.html"]


def test_what_is_formed_is_shown_without_whoever_has_not_said_yes(club: Club, tmp_path: Path) -> None:
    club.propose(NAMES[0], "multigo", f"With: {address(NAMES[1])}", "Open: 1")
    front = (
        pages(club, tmp_path / "site")["index.html"].partition("Being formed")[2].partition("</section>")[0]
    )
    assert NAMES[0] in front
    assert NAMES[1] not in front
    club.reply(club.to(NAMES[1], "proposal"), "Yes")
    front = (
        pages(club, tmp_path / "site")["index.html"].partition("Being formed")[2].partition("</section>")[0]
    )
    assert NAMES[1] in front
    assert "join proposal-1" in front


def test_teams_draws_and_more_than_two_seats() -> None:
    four = tuple("abcd")
    at = "2026-03-01T12:00:00+00:00"
    drawn = ratings([Finished("m", "go", at, four, (1, 1, 1, 1))])["go"]
    assert len({round(steps[-1].mean, 6) for steps in drawn.values()}) == 1
    team = ratings([Finished("m", "go", at, four, (1, 1, 3, 3))])["go"]
    assert team["a"][-1].mean == team["b"][-1].mean > 25 > team["c"][-1].mean == team["d"][-1].mean
    third = ratings([Finished("m", "go", at, four, (1, 2, 3, 4))])["go"]
    assert third["a"][-1].mean > third["b"][-1].mean > third["c"][-1].mean > third["d"][-1].mean
    assert ratings([Finished("m", "go", at, four, (1, 2, 3, 4))], {"d"}) == {}
