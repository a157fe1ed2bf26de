"""Events run by mail alone: a moderator announces one and enters people; each is in with his Yes; rounds open by
themselves; standings are what anybody computes from the results."""

import json
import random
import re
from datetime import timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.club.company import NAMES, Company, address
from tests.world import Sent, World

DESK = "moderator@referee.localhost"


class Club(Company):
    """A moderator who orders by mail, and players whom nobody knew before."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, known=0)
        self.desk = ""

    def order(self, subject: str, body: str = "") -> Sent:
        """The moderator's words; he is asked once, and writes to the reply address of his letters from then on."""
        self.at += timedelta(minutes=1)
        more = {"to": self.desk} if self.desk else {}
        self.world.mail(DESK, subject, body, self.at.isoformat(), **more)
        fresh = self.step(timedelta(0))
        asked = [x for x in fresh if x.kind == "challenge" and x.to == DESK]
        if asked:
            fresh = self.reply(asked[0], "Yes")
        told = next(x for x in fresh if x.to == DESK and x.kind in ("receipt", "refusal"))
        self.desk = str(told.message["Reply-To"])
        return told

    def event(self, name: str, *players: str, start: bool = True, **rules: str) -> None:
        """One that is announced, entered, agreed to and started by mail."""
        told = " ".join(f"--{key} {value}" for key, value in rules.items())
        assert self.order(f"event new {name} {told}").kind == "receipt"
        people = "\n".join(f"{player} <{address(player)}>" for player in players)
        assert self.order(f"event enter {name}", people).kind == "receipt"
        for letter in [x for x in self.letters if x.kind == "proposal" and f"[{name}]" in x.subject]:
            self.world.reply(letter, "Yes", self.at.isoformat())
        self.step()
        if start:
            assert self.order(f"event start {name}").kind == "receipt"

    def shown(self, name: str) -> dict[str, Any]:
        return self.world.run("event", "show", name, "--json").json

    def play_round(self, name: str, chance: random.Random) -> None:
        """In every match that goes on somebody resigns, by mail to his own reply address."""
        open_matches = [p for p in self.shown(name)["pairings"] if p["match"]]
        for pairing in open_matches:
            show = self.world.show(pairing["match"])
            if show["status"] != "ended":
                loser = chance.choice(show["seats"])
                self.resign(pairing["match"], loser["name"], loser["number"], show["game"])
        self.step()

    def resign(self, match: str, player: str, seat: int, game: str) -> None:
        opened = [x for x in self.letters if x.match == match and x.to == address(player)][-1]
        self.at += timedelta(seconds=1)
        to = str(opened.message["Reply-To"]).replace("speaker+", "collector+")
        self.world.mail(
            f"{player} <{address(player)}>", f"resign [{match}]", "Resign", self.at.isoformat(), to=to
        )


@pytest.fixture
def club(tmp_path: Path) -> Club:
    return Club(tmp_path)


def results(world: World, shown: dict[str, Any]) -> list[tuple[dict[str, Fraction], bool]]:
    """The points of each match that was played, from the facts of the matches alone."""
    found = []
    for pairing in shown["pairings"]:
        if pairing["match"] is None:
            continue
        facts = world.show(pairing["match"])
        assert facts["status"] == "ended"
        names = {seat["number"]: seat["name"] for seat in facts["seats"]}
        assert [names[n] for n in sorted(names)] == pairing["players"]
        winners = facts["outcome"]["winners"]
        share = Fraction(1, len(winners) or len(names))
        found.append(
            ({name: share if n in (winners or names) else Fraction(0) for n, name in names.items()}, True)
        )
    return found


def check_swiss(world: World, shown: dict[str, Any]) -> None:
    played = [points for points, _ in results(world, shown)]
    byes = [p["players"][0] for p in shown["pairings"] if p["match"] is None]
    total = {name: Fraction(byes.count(name)) for name in shown["players"]}
    for points in played:
        for name, n in points.items():
            total[name] += n
    for row in shown["standings"]:
        me = row["player"]
        mine = [(p[me], other) for p in played if me in p for other in p if other != me]
        assert row["points"] == total[me]
        assert row["tie_breaks"]["Buchholz"] == sum(total[other] for _, other in mine)
        assert row["tie_breaks"]["Sonneborn-Berger"] == sum(n * total[other] for n, other in mine)
        equal = [n for n, other in mine if total[other] == total[me]]
        assert row["tie_breaks"]["direct encounter"] == sum(equal)
    order = [(-r["points"], *(-v for v in r["tie_breaks"].values())) for r in shown["standings"]]
    assert order == sorted(order)
    pairs = [frozenset(p["players"]) for p in shown["pairings"] if p["match"]]
    assert len(set(pairs)) == len(pairs)
    assert len(set(byes)) == len(byes)


def test_a_round_robin_runs_itself_and_strikes_whoever_leaves_early(club: Club) -> None:
    players = NAMES[:5]
    club.event("league", *players, game="onepiece", kind="round-robin")
    chance = random.Random(2)
    club.play_round("league", chance)
    gone = club.shown("league")["players"][0]
    club.order(f"event leave league {address(gone)}")
    for _ in range(5):
        club.play_round("league", chance)
    shown = club.shown("league")
    assert shown["status"] == "ended"
    counted = [points for points, _ in results(club.world, shown) if gone not in points]
    for row in shown["standings"]:
        mine = [p for p in counted if row["player"] in p]
        assert row["points"] == sum(p[row["player"]] for p in mine)
        assert len(mine) == (0 if row["player"] == gone else 3)
        won = [(p[row["player"]], other) for p in mine for other in p if other != row["player"]]
        beaten = sum(n * sum(q[other] for q in counted if other in q) for n, other in won)
        assert row["tie_breaks"]["Sonneborn-Berger"] == beaten


def test_nobody_is_in_before_his_yes_and_late_entries_join_a_swiss(club: Club) -> None:
    club.event("spring", *NAMES[:3], start=False, game="morris", kind="swiss", rounds="3")
    club.order("event enter spring", f"{NAMES[3]} <{address(NAMES[3])}>")
    assert sorted(club.shown("spring")["players"]) == list(NAMES[:3])
    (listed,) = club.send("Zed Zeller", "event show spring")
    assert NAMES[3] not in listed.text
    club.order("event start spring")
    club.reply(club.to(NAMES[3], "proposal"), "Yes")
    assert NAMES[3] in club.shown("spring")["players"]
    club.play_round("spring", random.Random(4))
    assert any(NAMES[3] in p["players"] for p in club.shown("spring")["pairings"] if p["round"] == 2)


def test_somebody_else_goes_on_with_all_that_one_had(club: Club) -> None:
    club.event("league", *NAMES[:4], game="onepiece", kind="round-robin")
    club.play_round("league", random.Random(5))
    before = {row["player"]: row["points"] for row in club.shown("league")["standings"]}
    old, new = club.shown("league")["players"][1], NAMES[6]
    club.order(f'event replace league {address(old)} "{new} <{address(new)}>"')
    assert old in club.shown("league")["players"]
    club.reply(club.to(new, "proposal"), "Yes")
    shown = club.shown("league")
    assert old not in shown["players"]
    assert {row["player"]: row["points"] for row in shown["standings"]}[new] == before[old]
    match = next(p["match"] for p in shown["pairings"] if p["round"] == 2 and new in p["players"])
    assert new in [seat["name"] for seat in club.world.show(match)["seats"]]


def test_tables_of_four_have_a_fixed_design(club: Club) -> None:
    club.event("cup", *NAMES[:8], game="multigo", kind="round-robin", option="board=9x9")
    shown = club.shown("cup")
    assert shown["rounds"] == 7
    assert [len(p["players"]) for p in shown["pairings"]] == [4, 4]
    assert sorted(n for p in shown["pairings"] for n in p["players"]) == sorted(NAMES[:8])


def test_only_a_moderator_orders_and_is_asked_where_a_from_alone_says_so(club: Club) -> None:
    club.event("spring", *NAMES[:2], game="morris", kind="swiss", rounds="1")
    told = club.send(NAMES[0], "event new mine --game morris --kind swiss --rounds 3")
    assert [x.kind for x in told] == ["status"]
    club.world.mail(DESK, "event leave spring " + address(NAMES[0]), "", club.at.isoformat())
    assert [x.kind for x in club.step()] == ["challenge"]
    assert club.shown("spring")["left"] == []


def test_the_command_line_does_the_same(club: Club) -> None:
    now = ("--now", club.at.isoformat())
    run = club.world.run
    wrong = run("event", "new", "x", "--game", "morris", "--kind", "cup", *now)
    assert wrong.status == 1
    assert "round-robin and swiss" in wrong.err
    assert (
        run("event", "new", "spring", "--game", "morris", "--kind", "swiss", "--rounds", "2", *now).status
        == 0
    )
    for name in NAMES[:3]:
        assert run("event", "enter", "spring", f"{name} <{address(name)}>", *now).status == 0
    assert run("event", "start", "spring", *now).status == 1
    club.step()
    for letter in [x for x in club.letters if x.kind == "proposal"]:
        club.reply(letter, "Yes")
    assert run("event", "start", "spring", "--now", club.at.isoformat()).status == 0
    shown = json.loads(run("event", "show", "spring", "--json").out)
    assert {"players", "pairings", "standings", "status"} <= shown.keys()
    assert set(shown["pairings"][0]) == {"round", "match", "players"}
    assert shown["status"] == "playing"
    club.step()
    match = next(p["match"] for p in shown["pairings"] if p["match"])
    ended = run("end", match, "--as", "drawn", "--why", "agreed", "--now", club.at.isoformat())
    assert ended.status == 0
    club.step()
    shown = json.loads(run("event", "show", "spring", "--json").out)
    assert sum(row["points"] for row in shown["standings"]) == 3  # the draw, and two byes
    back = run(
        "rewind",
        match,
        "--to",
        re.search(r"--to (\d+)", ended.out)[1],
        "--why",
        "a mistake",
        "--now",
        club.at.isoformat(),
    )
    assert back.status == 0, back.err
    club.step()
    shown = json.loads(run("event", "show", "spring", "--json").out)
    assert sum(row["points"] for row in shown["standings"]) == 2  # the match is played on


def test_several_are_entered_in_one_subject_and_the_ratings_come_by_mail(club: Club) -> None:
    """As at the shell: what can be commanded can be mailed."""
    club.order("event new may --game morris --kind round-robin")
    quoted = " ".join(f'"{name} <{address(name)}>"' for name in NAMES[:3])
    assert "All 3 are asked" in club.order(f"event enter may {quoted}").text
    for letter in [x for x in club.letters if x.kind == "proposal"]:
        club.world.reply(letter, "Yes", club.at.isoformat())
    club.step()
    club.order("event start may")
    (first,) = (p for p in club.shown("may")["pairings"] if p["match"])
    club.order(f"end {first['match']} --as won --winner 1", "The other one gave up on the phone.")
    for who in (f"{NAMES[0]} <{address(NAMES[0])}>", DESK):
        club.world.mail(who, "ratings morris", "", club.at.isoformat())
        (told,) = [x for x in club.step() if x.subject == "The ratings"]
        assert [row.split()[-2:] for row in told.text.splitlines() if row.endswith("  1")] == [
            ["1138", "1"],
            ["927", "1"],
        ]
