"""The subject of a letter by which a seat becomes free says so, whatever made it free."""

from datetime import datetime, timedelta

from tests.world import START, World

PEOPLE = [f"{name} <{name.split()[0].lower()}@example.org>" for name in ("Ann A", "Ben B", "Cleo C", "Dan D")]


def told(world: World, kind: str) -> set[str]:
    return {letter.subject for letter in world.new_letters() if letter.kind == kind}


def test_after_a_missed_deadline(world: World) -> None:
    name = world.open("multigo", PEOPLE[:3], board="9x9", miss="1")
    world.passed()
    world.step((datetime.fromisoformat(START) + timedelta(days=9)).isoformat())
    person = next(s["name"] for s in world.show(name)["seats"] if s["number"] == 1)
    told_so = {
        f"[{name}] Go: {who} missed the deadline, the seat is vacant, White to move"
        for who in (person, "You")
    }
    assert told(world, "lapsed") == told_so


def test_after_a_resignation(world: World) -> None:
    name = world.open("fourplay", PEOPLE, seed=1)
    world.passed()
    letters = world.mail_and_yes(PEOPLE[1], f"resign {name}", "Resign")
    subjects = {letter.subject for letter in letters if letter.kind == "announcement"}
    assert subjects == {
        f"[{name}] Fourplay: Ben B resigned, the seat is vacant, your declaration of readiness is next"
    }


def test_after_a_resignation_that_frees_no_seat(world: World) -> None:
    name = world.open("buttons", PEOPLE[:2])
    world.passed()
    letters = world.mail_and_yes(PEOPLE[1], f"resign {name}", "Resign")
    assert {letter.subject for letter in letters if letter.kind == "ended"} == {
        f"[{name}] Buttons: You resigned, Ann A wins",
        f"[{name}] Buttons: Ben B resigned, you win",
    }


def test_by_the_moderator(world: World) -> None:
    name = world.open("buttons", PEOPLE[:2])
    world.passed()
    assert world.run("vacate", name, "2", "--why", "he is gone", "--now", START).status == 0
    world.step()
    assert told(world, "announcement") == {
        f"[{name}] Buttons: A seat is vacant, {then}" for then in ("the vacant seat to move",)
    }


def test_before_the_match_begins(world: World) -> None:
    people = [part for person in PEOPLE[:2] for part in ("--seat", person)]
    name = world.run("open", "multigo", *people, "--vacant", "1", "--now", START).out.strip()
    world.step()
    assert told(world, "opened") == {f"[{name}] Go: Players wanted, 1 still"}
    assert world.run("vacate", name, "2", "--why", "he is gone", "--now", START).status == 0
    world.step()
    assert told(world, "announcement") == {f"[{name}] Go: A seat is free again"}
