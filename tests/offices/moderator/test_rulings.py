"""Rulings, rewinds, deadlines that the moderator moves: what stands, what is void, whose time is whose (611, 612)."""

from itertools import count

import pytest

from tests.cli.company import FOUR, buttons, plain_words, seats
from tests.games.fourplay.cycle import Cycle
from tests.games.fourplay.cycle import cycle as cycle  # the fixture
from tests.offices.moderator.test_amending import (
    played as played,  # the fixture: Player 1 of a Fourplay match has moved
)
from tests.world import START, Ran, World, kinds

AT = "2026-03-02T12:00:00Z"
_second = count()


def desk(world: World, *arguments: str, now: str = AT) -> Ran:
    return world.run(*arguments, "--why", "because", "--now", now)


def move(world: World, name: str, player: int, words: str, now: str = AT) -> None:
    second = next(_second)
    date = f"2026-03-02T12:{second // 60 % 60:02d}:{second % 60:02d}Z"
    person = FOUR[player - 1].partition(";")[0]
    world.mail(person, f"Buttons: Move / Player {player} [{name}]", words, now, date=date)
    assert world.step(now)["accepted"] == 1, world.new_letters()[0].text


def due(world: World, name: str) -> dict[int, str]:
    return {d["seat"]: d["due_at"] for d in world.show(name)["due"]}


# --- deadlines --------------------------------------------------------------------------------------------------


@pytest.fixture
def everybody(world: World) -> str:
    """Four who all owe a purchase, by 15 March at noon."""
    ran = world.run("open", "fourplay", *seats(*FOUR), "--seed", "1", "--now", START)
    world.step()
    for person in FOUR:
        world.mail(person.partition(";")[0], "Fourplay: Ready", "I am ready for battle. Let the Games begin!")
    world.step()
    return ran.out.strip()


def test_extending_all_moves_everybodys_own_deadline_as_far(world: World, everybody: str) -> None:
    desk(world, "extend", everybody, "--seat", "2", "--by", "5d")
    assert due(world, everybody)[2] == "2026-03-20T12:00:00Z"
    assert desk(world, "extend", everybody, "--by", "2d").status == 0
    found = due(world, everybody)
    assert found == {1: "2026-03-17T12:00:00Z", 2: "2026-03-22T12:00:00Z", 3: found[1], 4: found[1]}


def test_extending_all_until_a_day_leaves_a_later_own_deadline_where_it_is(
    world: World, everybody: str
) -> None:
    desk(world, "extend", everybody, "--seat", "2", "--by", "9d")
    desk(world, "extend", everybody, "--seat", "3", "--by", "1d")
    assert desk(world, "extend", everybody, "--until", "2026-03-20T12:00:00Z").status == 0
    found = due(world, everybody)
    assert found == {1: "2026-03-20T12:00:00Z", 2: "2026-03-24T12:00:00Z", 3: found[1], 4: found[1]}


def test_one_letter_tells_of_all_that_an_extension_moves(world: World, everybody: str) -> None:
    desk(world, "extend", everybody, "--seat", "2", "--by", "5d")
    world.passed(AT)
    desk(world, "extend", everybody, "--by", "2d")
    assert {kind: len(people) for kind, people in kinds(world.passed(AT)).items()} == {"extended": 4}


def test_an_absence_moves_the_deadline_that_a_resumed_match_has(world: World) -> None:
    name = buttons(world)  # due on 8 March at noon
    world.mail(FOUR[0].partition(";")[0], f"vacation 2026-03-10..2026-03-14 [{name}]", "", START)
    world.step(START)
    assert due(world, name) == {1: "2026-03-08T12:00:00Z"}
    desk(world, "pause", name)
    desk(
        world, "resume", name, now="2026-03-06T12:00:00Z"
    )  # four days later: on 12 March, within the absence
    until = due(world, name)[1]
    assert until.startswith("2026-03-14T23:00")  # the absence's end, in Ann's own zone


# --- rulings ----------------------------------------------------------------------------------------------------


def test_611_a_ruling_means_the_turn_that_stands_not_one_that_a_rewind_made_void(world: World) -> None:
    name = buttons(world)
    move(world, name, 1, "Place: B1 at a1")
    move(world, name, 2, "Place: W1 at a2")
    move(world, name, 1, "Place: B2 at b2")
    desk(world, "rewind", name, "--to", "Round 1 / Player 1")
    begun = world.show(name)["position"]
    move(world, name, 1, "Place: B3 at d4")
    after = world.show(name)["position"]
    void = "Round 2 / Player 1"
    assert "no turn" in plain_words(desk(world, "rule", name, "--turn", void, "--illegal"))
    assert "nothing to rewind to" in plain_words(desk(world, "rewind", name, "--to", void))
    assert "not been made yet" in plain_words(
        desk(world, "rule", name, "--turn", "Round 1 / Player 2", "--illegal")
    )
    assert world.show(name)["position"] == after
    assert desk(world, "rule", name, "--turn", "Round 1 / Player 1", "--illegal").status == 0
    assert world.show(name)["position"] == begun


def test_a_rewind_is_undone_by_the_public_position_before_it(world: World) -> None:
    name = buttons(world)
    move(world, name, 1, "Place: B1 at a1")
    move(world, name, 2, "Place: W1 at a2")
    before, last = world.show(name)["position"], world.run("record", name).json["entries"][-1]["position"]
    desk(world, "rewind", name, "--to", "Round 1 / Player 1")
    desk(world, "rewind", name, "--to", str(last))
    assert world.show(name)["position"] == before
    desk(world, "rewind", name, "--to", "Round 1 / Player 2")  # stands again, so it is found by its label
    assert due(world, name).keys() == {2}


@pytest.mark.parametrize("ruling", ["--illegal", "--legal"])
def test_611_only_a_turn_that_was_made_is_ruled_on(world: World, ruling: str) -> None:
    name = buttons(world)
    lines = len(world.run("record", name).json["entries"])
    said = plain_words(desk(world, "rule", name, "--turn", "Round 1 / Player 1", ruling))
    assert "has not been made yet" in said
    said = plain_words(desk(world, "rule", name, "--turn", "Round 7 / Player 2", ruling))
    assert "there was no turn" in said
    assert len(world.run("record", name).json["entries"]) == lines


def test_612_a_turn_that_lapsed_is_not_ruled_on(played: World) -> None:
    late = "2026-03-20T00:00:00Z"
    played.step(late)  # Player 2 let the week pass
    said = plain_words(
        desk(played, "rule", "fourplay-1", "--turn", "Round 1 / Player 2", "--illegal", now=late)
    )
    assert "no turn was made" in said


def test_604_a_sealed_round_is_ruled_on_only_once_it_is_open(cycle: Cycle) -> None:
    """Whether anybody has answered is not told by the words of a refusal."""
    cycle.ready()
    label = "Cycle 1 / Initial Purchase"
    before = plain_words(desk(cycle.world, "rule", "fourplay-1", "--turn", label, "--illegal"))
    cycle.send(1, "Initial Purchase of Pieces", cycle.purchase(1), AT)
    cycle.step(AT)
    assert plain_words(desk(cycle.world, "rule", "fourplay-1", "--turn", label, "--illegal")) == before


def test_611_past_the_statute_a_turn_stands_and_the_command_says_so(played: World) -> None:
    moment = "2026-04-05T00:00:00Z"
    for day in (
        "03-10",
        "03-18",
        "03-26",
        "04-05",
    ):  # the others let their turns lapse until it is hers again
        played.step(f"2026-{day}T00:00:00Z")
    record = played.run("record", "fourplay-1").out
    ran = desk(played, "rule", "fourplay-1", "--turn", "Round 1 / Player 1", "--illegal", now=moment)
    assert "Statute of Limitations" in plain_words(ran)
    assert played.run("record", "fourplay-1").out == record


def test_604_amending_a_sealed_phase_tells_of_fresh_deadlines_and_of_none_that_stay(cycle: Cycle) -> None:
    cycle.ready()
    why = ("--why", "too dear", "--now", AT)
    assert cycle.world.run("amend", "fourplay-1", "--option", "budget=700", *why).status == 0
    _, letters = cycle.step(AT)
    rewound = " ".join(next(x.text for x in letters if x.position).split())
    assert "fresh deadline" in rewound
    assert "stay as they are" not in rewound
    assert cycle.world.run("amend", "fourplay-1", "--option", "turn_window=3d", *why).status == 0
    _, letters = cycle.step(AT)
    told = " ".join(next(x.text for x in letters if x.kind == "announcement").split())
    assert "Deadlines that are running stay as they are" in told


def test_the_turn_that_the_statute_covers_is_ruled_illegal(played: World) -> None:
    ran = desk(played, "rule", "fourplay-1", "--turn", "Round 1 / Player 1", "--illegal")
    assert (ran.status, ran.err) == (0, "")
    assert due(played, "fourplay-1").keys() == {1}
