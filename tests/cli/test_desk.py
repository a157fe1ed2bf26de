"""The moderator's desk by the command line: what each command does, who is told, and what can't be done."""

import shlex
from datetime import datetime

import pytest

from referee.service.config import read_configuration
from referee.service.wiring import running
from referee.way import stations
from tests.cli.company import FOUR, buttons, plain_words
from tests.world import World, kinds

NEXT = "2026-03-02T12:00:00Z"
BOTH = ["ann@example.org", "ben@example.org"]
ANN, BEN = FOUR[0].partition(";")[0], FOUR[1]


def done(world: World, *arguments: str, now: str = NEXT) -> dict[str, list[str]]:
    """The command is carried out; who got which letters at the next step."""
    ran = world.run(*arguments, "--now", now)
    assert (ran.status, ran.err) == (0, ""), ran.err
    assert world.new_letters() == []
    return kinds(world.passed(now))


def moved(world: World, name: str, player: int, words: str, now: str = NEXT) -> None:
    sender = (ANN, BEN)[player - 1]
    world.mail(sender, f"Buttons: Move / Player {player} [{name}]", words, now)
    assert world.step(now)["accepted"] == 1, world.new_letters()[0].text
    world.new_letters()


def test_a_paused_match_has_no_running_deadline_until_it_is_resumed(world: World) -> None:
    name = buttons(world)
    assert done(world, "pause", name, "--why", "holidays")["announcement"] == BOTH
    assert world.show(name)["status"] == "paused"
    assert world.step("2026-03-20T12:00:00Z")["lapsed"] == 0
    assert "paused" in plain_words(
        world.run("pause", name, "--why", "again", "--now", "2026-03-20T12:00:00Z")
    )
    told = done(world, "resume", name, "--why", "over", now="2026-03-20T12:00:00Z")
    assert told["announcement"] == BOTH
    assert world.show(name)["status"] == "open"
    assert world.show(name)["due"][0]["due_at"] == "2026-03-26T12:00:00Z"


def test_a_rewind_goes_to_a_round_or_a_position_and_not_beyond(world: World) -> None:
    name = buttons(world)
    begun = world.show(name)["position"]
    moved(world, name, 1, "Place: B1 at a1")
    after_one = world.show(name)["position"]
    moved(world, name, 2, "Place: W1 at a2")
    told = done(world, "rewind", name, "--to", "Round 1 / Player 2", "--why", "a slip")
    assert sorted(told["rewound"] + told["due"]) == BOTH, (
        "who owes the turn again is told in what asks for it"
    )
    assert world.show(name)["position"] == after_one
    assert world.show(name)["due"][0]["seat"] == 2
    done(world, "rewind", name, "--to", "Round 1 / Player 1", "--why", "again")
    assert world.show(name)["position"] == begun
    for where in ("999", "0", "Round 9 / Player 1"):
        ran = world.run("rewind", name, "--to", where, "--why", "x", "--now", NEXT)
        assert "nothing to rewind to" in plain_words(ran), where


@pytest.mark.parametrize("ruling", ["--legal", "--illegal"])
def test_a_ruling_is_announced(world: World, ruling: str) -> None:
    name = buttons(world)
    moved(world, name, 1, "Place: B1 at a1")
    told = done(world, "rule", name, "--turn", "Round 1 / Player 1", ruling, "--why", "asked by Ben")
    assert sorted(person for people in told.values() for person in people) == BOTH
    assert ("rewound" in told) == (ruling == "--illegal")
    ran = world.run("rule", name, "--turn", "Round 8 / Player 1", ruling, "--why", "x", "--now", NEXT)
    assert "Round 8" in plain_words(ran)


def test_a_held_mail_is_released_and_judged(world: World) -> None:
    buttons(world)
    world.raw(b"Subject: status\n\nno sender at all\n", NEXT)
    assert world.step(NEXT)["held"] == 1
    (alarm,) = world.new_letters()
    assert (alarm.kind, alarm.to) == ("alarm", "moderator@referee.localhost")
    assert "There is no held mail '7'; `referee desk` lists them." in plain_words(world.run("release", "7"))
    ran = world.run("release", "1", "--why", "let us see", "--now", NEXT)
    assert (ran.status, ran.out) == (0, "1 mail will be judged at the next step. No command undoes it.\n")
    assert world.step(NEXT)["read"] == 1
    assert (
        world.run("unshunt", "all").out == "0 mails will be judged at the next step. No command undoes it.\n"
    )


def test_numbers_of_mails_count_nothing_where_a_moderator_plays(world: World) -> None:
    world.at_desk("ann@example.org")
    buttons(world)
    world.raw(b"Subject: status\n\nno sender at all\n", NEXT)
    world.step(NEXT)
    (held,) = world.run("desk", "--json").json["held"]
    assert held["id"] >= 100_000
    assert held["command"] == f"referee release {held['id']}"
    assert world.run("mail", str(held["id"]), "--json").json["id"] == held["id"]
    assert "1" not in plain_words(world.run("release", "7"))
    assert [world.run(verb, "1").status for verb in ("mail", "release", "unshunt")] == [1, 1, 1]
    assert world.run("release", str(held["id"])).status == 0


@pytest.mark.parametrize("settled", ["unshunt", "reject"])
def test_a_shunted_mail_is_judged_once_more_or_answered_once(
    world: World, settled: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = buttons(world)
    world.mail(ANN, f"Buttons: Move / Player 1 [{name}]", "Place: B1 at a1", NEXT)
    with monkeypatch.context() as broken:
        broken.setattr(stations, "judge", lambda *given: 1 // 0)
        assert world.step(NEXT)["shunted"] == 1
    assert kinds(world.new_letters()) == {"alarm": ["moderator@referee.localhost"]}
    assert "ZeroDivisionError" in world.run("doctor").out
    (shunted,) = world.run("desk", "--json", "--now", NEXT).json["shunted"]
    assert "ZeroDivisionError" in shunted["why"]
    if settled == "unshunt":
        assert world.run("unshunt", str(shunted["id"]), "--now", NEXT).status == 0
        assert world.step(NEXT)["accepted"] == 1
    else:
        told = done(world, "reject", str(shunted["id"]), "--why", "Write it once more.")
        assert told == {"refusal": ["ann@example.org"]}


def test_a_command_before_the_last_pass_is_refused_and_without_a_clock_it_comes_after(world: World) -> None:
    name = buttons(world, now="2099-01-01T12:00:00Z")
    ran = world.run("say", name, "Too early.", "--now", NEXT)
    assert "2099-01-01T12:00:00Z" in plain_words(ran)
    assert world.run("say", name, "Now.").status == 0
    assert world.run("record", name).json["entries"][-1]["at"] == "2099-01-01T12:00:00Z"


NOWHERE = (
    "extend x --by 1d", "pause x", "resume x", "rewind x --to 1", "rule x --turn Round --legal",
    "replace x 1 'Eve <eve@example.org>'",
)  # fmt: skip


def test_a_match_that_is_not_there_is_said(world: World) -> None:
    for command in (*(f"{each} --why y" for each in NOWHERE), "say x y"):
        assert "no match 'x'" in plain_words(world.run(*shlex.split(command))), command


def test_doctor_tells_of_letters_of_which_nobody_knows_whether_they_left(world: World) -> None:
    assert world.run("say", buttons(world), "Tea is served.", "--now", NEXT).status == 0
    with (
        running(read_configuration(world.folder / "referee.toml")) as referee,
        referee.store.transaction() as unit,
    ):
        letter = unit.unsent(datetime.fromisoformat(NEXT), 1)[0]
        unit.given_up(letter.message_id, "parked", "the line was cut")
    assert "Letters may have left, or not: `referee desk` lists each" in world.run("doctor").out
    (trouble,) = world.run("desk", "--json").json["trouble"]
    assert world.run(*trouble["command"].split()[1:]).status == 0
    assert "may have left" not in world.run("doctor").out
