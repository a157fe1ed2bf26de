"""The moderator's desk by the command line: what waits for him, and the commands that settle it; nothing of a sealed
answer is shown to him, and every answer names what undoes it."""

import json
import shlex

import pytest

from referee.way import stations
from tests.cli.company import ADDRESSES, FOUR, buttons, plain_words, purchase
from tests.cli.test_desk import BOTH, NEXT, done, moved
from tests.world import START, World, kinds

ARMY = "Queen Cannon Lancer Squire Templar"


def desk(world: World, now: str = NEXT) -> dict[str, list[dict[str, object]]]:
    found: dict[str, list[dict[str, object]]] = world.run("desk", "--json", "--now", now).json
    return found


def test_a_quiet_desk_says_so_and_names_the_next_deadlines(world: World) -> None:
    name = buttons(world)
    found = desk(world)
    assert not any(
        found[part] for part in ("held", "shunted", "questions", "failing", "vacant", "late", "stalled")
    )
    assert [(due["match"], due["seat"]) for due in found["next"]] == [(name, 1)]
    assert "Nothing waits for you." in world.run("desk", "--now", NEXT).out


def test_what_was_put_aside_is_listed_and_settled_by_the_command_beside_it(world: World) -> None:
    buttons(world)
    world.raw(b"Subject: status\n\nno sender \x1b[2J at all\n", NEXT)
    world.step(NEXT)
    (held,) = desk(world)["held"]
    assert (held["id"], held["subject"], held["sealed"]) == (1, "status", False)
    assert "no sender" in str(held["words"])
    assert "\x1b" not in world.run("desk", "--now", NEXT).out + world.run("mail", "1").out
    command = shlex.split(str(held["command"]))
    assert world.run(*command[1:]).status == 0
    assert desk(world)["held"] == []


def sealed_mail(world: World) -> str:
    """A purchase that can't be judged, with the army in subject and text."""
    name = purchase(world)
    with pytest.MonkeyPatch.context() as broken:
        broken.setattr(stations, "judge", lambda *given: 1 // 0)
        world.mail(FOUR[1], f"Fourplay: Initial Purchase / {ARMY} [{name}]", ARMY, NEXT)
        assert world.step(NEXT)["shunted"] == 1
    world.new_letters()
    return name


def test_of_a_mail_that_may_hold_a_sealed_answer_only_sender_match_and_reason_are_shown(world: World) -> None:
    name = sealed_mail(world)
    shown = [world.run("show", name, "--moderator", "--json"), world.run("show", name, "--moderator")]
    shown += [world.run("desk", "--now", NEXT), world.run("desk", "--json", "--now", NEXT)]
    (shunted,) = desk(world)["shunted"]
    shown += [world.run("mail", str(shunted["id"])), world.run("mail", str(shunted["id"]), "--json")]
    for ran in shown:
        assert ran.status == 0
        assert "ben@example.org" in ran.out
        assert not any(piece in ran.out for piece in ARMY.split())
    assert (shunted["sealed"], "subject" in shunted, "words" in shunted) == (True, False, False)
    assert world.run("end", name, "--as", "called-off", "--why", "we stop", "--now", NEXT).status == 0
    assert ARMY in world.run("mail", str(shunted["id"])).out


@pytest.mark.one_in(3)
@pytest.mark.parametrize("sender", [*FOUR, "Nobody <nobody@elsewhere.example>"])
def test_a_mail_is_covered_whoever_wrote_it(world: World, sender: str) -> None:
    """In whatever it ended: accepted, refused, or answered to somebody who does not play."""
    name = purchase(world)
    world.mail(sender.partition(";")[0], f"Fourplay: Initial Purchase [{name}]", ARMY, NEXT)
    world.step(NEXT)
    shown = world.run("mail", "5").out
    assert sender.partition("<")[2].partition(">")[0] in shown
    assert not any(piece in shown for piece in ARMY.split())


def test_the_others_of_the_desk(world: World) -> None:
    name = buttons(world)
    vacant = world.run("open", "multigo", "--seat", FOUR[3], "--vacant", "1", "--now", START).out.strip()
    world.run("pause", name, "--why", "holidays", "--now", START)
    found = desk(world, "2026-04-01T12:00:00Z")
    assert [item["match"] for item in found["vacant"]] == [vacant]
    assert {item["match"] for item in found["stalled"]} == {name, vacant}
    assert f"referee resume {name} --why TEXT" in [item["command"] for item in found["stalled"]]
    assert f"referee end {vacant} --as called-off --why TEXT" in [
        item["command"] for item in found["stalled"]
    ]


@pytest.mark.parametrize(("how", "winners"), [("called-off", []), ("drawn", []), ("won", [2])])
def test_a_match_is_ended_all_are_told_and_the_record_verifies(
    world: World, how: str, winners: list[int]
) -> None:
    name = buttons(world)
    moved(world, name, 1, "Place: B1 at a1")
    who = [part for winner in winners for part in ("--winner", str(winner))]
    told = done(world, "end", name, "--as", how, *who, "--why", "as agreed")
    assert told == {"ended": BOTH}, "one letter each"
    assert world.show(name)["status"] == "ended"
    assert world.show(name)["outcome"]["winners"] == winners
    world.verifies(name)
    assert world.run("record", name, "--format", "text").status == 0
    assert "over already" in plain_words(
        world.run("end", name, "--as", how, *who, "--why", "x", "--now", NEXT)
    )


def test_what_can_not_end_a_match_is_said(world: World) -> None:
    name = buttons(world)
    for wrong in (["won"], ["drawn", "--winner", "1"], ["won", "--winner", "3"], ["lost"]):
        plain_words(world.run("end", name, "--as", *wrong, "--why", "x", "--now", NEXT))


def test_words_for_one_seat_reach_nobody_else_and_no_record(world: World) -> None:
    name = buttons(world)
    before = world.run("record", name).out
    assert done(world, "say", name, "Only for Ben.", "--seat", "2") == {"press": ["ben@example.org"]}
    assert world.run("record", name).out == before
    assert "no seat 3" in plain_words(world.run("say", name, "x", "--seat", "3", "--now", NEXT))


UNDONE = [
    ["extend", "--by", "3d"],
    ["pause"],
    ["rewind", "--to", "Round 1 / Player 1"],
    ["rule", "--turn", "Round 1 / Player 1", "--illegal"],
    ["amend", "--option", "move_deadline=5d"],
    ["replace", "1", "Eve Eliot <eve@example.org>"],
    ["vacate", "1"],
    ["end", "--as", "drawn"],
]


@pytest.mark.parametrize("command", UNDONE, ids=lambda command: command[0])
def test_a_check_of_any_ruling_tells_what_the_board_would_be_and_changes_nothing(
    world: World, command: list[str]
) -> None:
    name = buttons(world)
    moved(world, name, 1, "Place: B1 at a1")
    before = world.run("record", name).out, world.show(name)
    ran = world.run(command[0], name, *command[1:], "--check", "--now", NEXT)
    assert (ran.status, "Nothing is changed." in ran.out) == (0, True)
    gone = command[0] in ("rewind", "rule")
    assert ("board: a1: black 1 is gone." in ran.out, "as it was" in ran.out) == (gone, not gone)
    assert (world.run("record", name).out, world.show(name)) == before
    assert world.passed(NEXT) == []


@pytest.mark.parametrize("command", UNDONE, ids=lambda command: command[0])
def test_the_command_that_undoes_it_is_named_and_does(world: World, command: list[str]) -> None:
    name = buttons(world)
    moved(world, name, 1, "Place: B1 at a1")
    before = world.show(name)
    ran = world.do(command[0], name, *command[1:], "--why", "a slip", "--now", NEXT)
    said = ran.out.partition("`referee ")[2].partition("`")[0]
    again = world.run(*shlex.split(said.replace("TEXT", "undone")), "--now", NEXT)
    assert again.status == 0, (said, again.err)
    after = world.show(name)
    assert {key: after[key] for key in ("seats", "board", "status", "vacant", "outcome")} == {
        key: before[key] for key in ("seats", "board", "status", "vacant", "outcome")
    }


def test_a_name_that_a_shell_would_obey_is_quoted_in_every_command(world: World) -> None:
    odd = "Ann $(touch pwned) `id` 'x' <ann@example.org>"
    ran = world.do(
        "open", "buttons", "--seat", odd, "--seat", FOUR[1], "--option", "starter=1", "--now", START
    )
    out = world.run("vacate", ran.out.strip(), "1", "--why", "x", "--now", NEXT).out
    assert f" {shlex.quote(odd)} " in out


def test_the_moderator_sees_addresses_that_nobody_else_does(world: World) -> None:
    name = purchase(world)
    shown = world.show(name, "--moderator")
    assert sorted(address for seat in shown["addresses"] for address in seat["addresses"]) == sorted(
        ADDRESSES
    )
    assert "example.org" not in json.dumps(world.show(name))
    assert kinds(world.new_letters()) == {}
