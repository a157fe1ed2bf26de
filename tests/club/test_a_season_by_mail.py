"""Twelve players whom nobody knew, by mail alone and with nobody at the command line: they fill three matches of three
games, play a round robin in One Piece and five rounds of a Swiss in Morris, and one of them leaves half-way. What their
letters, the site and the ratings say is what anybody computes from the results."""

import random
import re
from fractions import Fraction
from pathlib import Path

import pytest

from tests.club.company import NAMES, address
from tests.club.test_events import DESK, Club, check_swiss, results
from tests.club.test_pages import pages, words

GONE = NAMES[4]
STRANGER = "Zed Zeller"


def fill_three_matches(club: Club) -> list[str]:
    """Ann's by names, Ben's half and half, Cleo's open to all."""
    plans = (
        (NAMES[0], "multigo", ["Option: board=9x9", f"With: {address(NAMES[1])}, {address(NAMES[2])}"], []),
        (NAMES[1], "buttons", [f"With: {address(NAMES[5])}"], []),
        (NAMES[2], "fourplay", [f"With: {address(NAMES[6])}", "Open: 2"], [NAMES[7], NAMES[8]]),
    )
    found = []
    for number, (name, game, lines, joining) in enumerate(plans, 1):
        letters = club.propose(name, game, *lines)
        for asked in [x for x in letters if x.kind == "proposal"]:
            letters = club.reply(asked, "Yes")
        for other in joining:
            (asked,) = club.send(other, f"join proposal-{number}")
            letters = club.reply(asked, "Yes")
        (match,) = {x.match for x in letters if x.kind == "opened"}
        found.append(str(match))
    return found


def leave(club: Club, *events: str) -> None:
    for event in events:
        letter = [x for x in club.letters if f"[{event}]" in x.subject and x.to == address(GONE)][-1]
        club.send(GONE, f"withdraw {event}", to=str(letter.message["Reply-To"]))


def check_league(club: Club, shown: dict) -> None:
    """Of whoever left before half of his matches none counts; else what he did not play is lost."""
    played = [points for points, _ in results(club.world, shown)]
    of_gone = [points for points in played if GONE in points]
    struck = 2 * len(of_gone) < len(shown["players"]) - 1
    counted = [p for p in played if not (struck and GONE in p)]
    total = {name: sum((p[name] for p in counted if name in p), Fraction(0)) for name in shown["players"]}
    if not struck:
        for pairing in shown["pairings"]:
            if pairing["match"] is None and len(pairing["players"]) == 2:
                total[next(n for n in pairing["players"] if n != GONE)] += 1
    for row in shown["standings"]:
        me = row["player"]
        met = [(p[me], other) for p in counted if me in p for other in p if other != me]
        assert row["points"] == total[me], me
        assert row["tie_breaks"]["Sonneborn-Berger"] == sum(n * total[other] for n, other in met)


def told_standings(letter: str) -> list[tuple[str, str]]:
    rows = re.findall(r"^\d+\.\s+(.+?)(?: \(left\))?\s{2,}([\d./]+)\s", letter, re.MULTILINE)
    return [(name.strip(), points) for name, points in rows]


@pytest.mark.soak  # what it is made of is in `test_events`, `test_proposals` and `test_pages`
@pytest.mark.parametrize("size", [5, 12])
def test_twelve_find_each_other_and_play_a_season(tmp_path: Path, size: int) -> None:
    club, chance = Club(tmp_path / "club"), random.Random(11)
    league = NAMES[:size]
    club.event("league", *league, game="onepiece", kind="round-robin", start=False)
    club.event("spring", *NAMES, game="morris", kind="swiss", rounds="5", start=False)
    matches = fill_three_matches(club)
    assert [club.world.show(match)["status"] for match in matches] == ["open"] * 3
    club.order("event start league")
    club.order("event start spring")
    rounds = 0
    while "playing" in {club.shown(event)["status"] for event in ("league", "spring")}:
        rounds += 1
        if rounds == 3:
            leave(club, "league", "spring")
        for event in ("league", "spring"):
            club.play_round(event, chance)
        assert rounds < 2 * size + 6
    shown = {event: club.shown(event) for event in ("league", "spring")}
    assert all(GONE in each["left"] for each in shown.values())
    assert max(p["round"] for p in shown["spring"]["pairings"]) == 5
    check_swiss(club.world, shown["spring"])
    check_league(club, shown["league"])

    built = pages(club, tmp_path / "site")
    for event, facts in shown.items():
        wanted = [(row["player"], f"{row['points']:g}") for row in facts["standings"]]
        letters = [x for x in club.letters if f"[{event}]" in x.subject and "it is over" in x.subject]
        assert {x.to for x in letters} == {address(n) for n in facts["players"] if n != GONE}
        assert all(told_standings(x.text) == wanted for x in letters)
        count = len(facts["players"])
        rows = [row for row in words(built[f"events/{event}.html"]) if row and row[0].isdigit()]
        assert [(row[1].removesuffix(" (left)"), row[2 + count]) for row in rows] == wanted
    rated = club.world.run("ratings", "--json").json
    ended = {p["match"] for facts in shown.values() for p in facts["pairings"] if p["match"]}
    assert {s["match"] for rows in rated.values() for row in rows for s in row["course"]} == ended
    tables = built["ratings.html"].split("<section>")[1:]
    order = [[row[1] for row in words(table) if row[0].strip("=").isdigit()] for table in tables]
    assert sorted(order) == sorted([row["player"] for row in rows] for rows in rated.values())

    known = {address(name) for name in NAMES}
    for letter in club.letters:
        shown_there = set(re.findall(r"[\w.+-]+@[\w-]+\.example", letter.text))
        assert not (shown_there & known) - {letter.to} or letter.to == DESK
    assert not any(re.search(r"[\w.+-]+@[\w-]+\.example", page) for page in built.values())
    asked = [club.send(STRANGER, f"propose morris {n}", f"With: {address(NAMES[n])}") for n in (0,)]
    asked += [club.send(STRANGER, "withdraw league")]
    for letters in asked:
        assert all(x.kind == ("alarm" if x.to == DESK else "help") for x in letters)
