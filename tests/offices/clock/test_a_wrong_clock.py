"""A machine whose clock is wrong: no deadline falls by it that need not, somebody is told, and one command mends what
it did. Only the machine's clock is doubted, and nothing but its own count or a mail server's times contradicts it."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.offices.clock.doubt import ClockReading, Witness, heard, noted, right, weighed
from referee.store.sql import Clock
from tests.clocks import Machine, set_clock
from tests.servers.daemon import Daemon
from tests.servers.ground import eventually
from tests.world import World, kinds

OPENED = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR, DAY, YEAR = timedelta(hours=1), timedelta(days=1), timedelta(days=365)
PEOPLE = ["Ann <ann@example.org>", "Ben <ben@example.org>"]


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return set_clock(monkeypatch, OPENED)


def step(world: World, *, doubted: bool) -> dict[str, int]:
    ran = world.do("step", "--json")
    assert ("the machine's clock is doubted" in ran.err) == doubted, ran.err
    found: dict[str, int] = ran.json
    return found


def opened(world: World) -> str:
    name = world.open("buttons", PEOPLE, OPENED.isoformat(), starter="1")
    step(world, doubted=False)
    world.new_letters()
    return name


def move(world: World, machine: Machine, name: str, seat: int, words: str) -> None:
    world.mail(PEOPLE[seat - 1], f"Buttons: Move / Player {seat} [{name}]", words, machine.true.isoformat())


@pytest.mark.one_in(2)
@pytest.mark.parametrize("off", [HOUR, 8 * DAY, YEAR])
def test_a_clock_that_its_own_count_contradicts_fires_no_deadline(
    world: World, machine: Machine, off: timedelta
) -> None:
    name = opened(world)
    due = world.show(name)["due"]
    machine.passes(minutes=10)
    machine.off = off
    assert step(world, doubted=True)["lapsed"] == 0
    assert kinds(world.new_letters())["alarm"] == ["moderator@referee.localhost"]
    doctor = world.run("doctor")
    assert doctor.status == 1
    assert "clock: The machine's clock is doubted" in doctor.out
    machine.passes(minutes=10)
    move(world, machine, name, 1, "Place: B1 at a1")
    assert step(world, doubted=True)["accepted"] == 1
    assert "alarm" not in kinds(world.new_letters())
    machine.off = timedelta()
    machine.passes(minutes=10)
    assert step(world, doubted=False)["lapsed"] == 0
    assert world.show(name)["due"][0]["seat"] == 2
    assert world.show(name)["due"] != due
    assert "clock:" not in world.run("doctor").out
    machine.passes(days=8)
    assert step(world, doubted=False)["lapsed"] == 1


def test_what_is_done_at_the_desk_goes_by_the_time_that_passes_go_by(world: World, machine: Machine) -> None:
    """An extension by a clock that is doubted would stand in the ledger a year ahead of all that follows."""
    name = opened(world)
    machine.passes(minutes=10)
    machine.off = YEAR
    step(world, doubted=True)
    assert world.run("extend", name, "--by", "2d", "--why", "Easter").status == 0
    machine.passes(minutes=10)
    move(world, machine, name, 1, "Place: B1 at a1")
    assert step(world, doubted=True)["accepted"] == 1
    record = world.folder / "record.json"
    record.write_text(world.run("record", name).out)
    assert world.run("verify", str(record)).out.startswith("The chain"), (
        "no entry is older than the one before"
    )


def test_a_board_without_a_battery_a_year_ahead_is_set_back(world: World, machine: Machine) -> None:
    name = opened(world)
    machine.passes(hours=1)
    move(world, machine, name, 1, "Place: B1 at a1")
    assert step(world, doubted=False)["accepted"] == 1
    stood = world.show(name)
    machine.passes(hours=1)
    machine.restarts()
    machine.off = YEAR
    assert step(world, doubted=False)["lapsed"] == 1  # a silence says nothing
    assert world.show(name)["due"] != stood["due"]
    world.new_letters()
    machine.passes(minutes=5)
    machine.restarts()
    machine.off = timedelta()
    assert step(world, doubted=True)["lapsed"] == 0
    assert kinds(world.new_letters())["alarm"] == ["moderator@referee.localhost"]
    move(world, machine, name, 2, "Place: W1 at b1")  # his, whom time had passed over
    step(world, doubted=True)
    assert "referee clock --back" in world.run("doctor").out
    told = world.run("clock", "--json").json
    assert told["doubt"]
    assert told["last_pass"] > told["machine"]
    ran = world.run("clock", "--back", "--json")
    assert (ran.status, ran.json["set_back"]) == (0, [name]), ran.err
    assert ran.json["doubt"] == ""
    assert world.show(name)["due"] == stood["due"]
    assert world.show(name)["board"] == stood["board"]
    counts = step(world, doubted=False)
    assert (counts["accepted"], counts["lapsed"]) == (1, 0)
    letters = world.new_letters()
    assert sorted(kinds(letters)["rewound"]) == ["ann@example.org", "ben@example.org"]
    assert "The referee's clock had run ahead" in next(x.text for x in letters if x.kind == "rewound")
    assert world.show(name)["due"][0]["seat"] == 1
    record = world.folder / "record.json"
    record.write_text(json.dumps(world.run("record", name).json))
    assert world.run("verify", str(record)).status == 0, world.run("verify", str(record)).err
    assert world.run("check").status == 0, world.run("check").out
    assert "clock:" not in world.run("doctor").out
    assert world.run("clock", "--back").status == 1
    machine.passes(days=8)
    assert step(world, doubted=False)["lapsed"] == 1


def test_downtime_that_a_wrong_clock_gave_is_taken_back(world: World, machine: Machine) -> None:
    world.configure('cron = ""', 'cron = "10m"')
    name = opened(world)
    due = world.show(name)["due"]
    machine.passes(minutes=10)
    machine.restarts()
    machine.off = 3 * HOUR
    step(world, doubted=False)
    assert world.show(name)["due"] != due
    machine.passes(minutes=10)
    machine.restarts()
    machine.off = timedelta()
    step(world, doubted=True)
    assert world.run("clock", "--back").status == 0
    assert world.show(name)["due"] == due


def test_a_clock_that_is_right_after_all_is_said_to_be(world: World, machine: Machine) -> None:
    name = opened(world)
    machine.passes(minutes=10)
    machine.off = 8 * DAY  # it was wrong before
    step(world, doubted=True)
    assert world.run("clock", "--right").status == 0
    assert step(world, doubted=False)["lapsed"] == 1
    assert world.show(name)["status"] == "ended"


def test_a_doubt_that_nobody_mends_ends_after_two_days(world: World, machine: Machine) -> None:
    opened(world)
    machine.off = 8 * DAY
    step(world, doubted=True)
    machine.passes(hours=47)
    assert step(world, doubted=True)["lapsed"] == 0
    machine.passes(hours=2)
    assert step(world, doubted=False)["lapsed"] == 1


def test_a_doubt_that_has_ended_does_not_begin_again_by_what_was_doubted() -> None:
    """A clock that was set back two days is behind earlier passes for two days more: no deadline waits for that."""
    clock, doubted = Clock(None, None, None), list[bool]()
    for hours, behind in (
        (0, 0),
        (1, 48),
        (40, 48),
        (50, 48),
        (51, 48),
        (60, 48),
        (99, 48),
        (100, 0),
        (101, 48),
    ):
        at = OPENED + timedelta(hours=hours)
        known, now = weighed(clock, ClockReading(at - timedelta(hours=behind), "a start", hours * 3600.0))
        clock = noted(clock._replace(last_pass=now), known)
        doubted.append(bool(known.doubt))
    assert doubted == [False, True, True, False, False, False, False, True, False]


@given(st.randoms(use_true_random=False))
def test_a_pass_that_is_begun_again_doubts_a_clock_as_it_did_before(chance: Random) -> None:
    """Whatever the clock, its count and the server said until then: a process may have died at any point of it."""
    clock, true, off, boot = Clock(None, None, None), OPENED, timedelta(), "a start"
    late = HOUR * chance.choice([0, 0, 1, -3])
    for _ in range(14):
        true += HOUR * chance.choice([1, 1, 20, 50])
        off = HOUR * chance.choice([0, 1, -2, 48, -48, 8760]) if chance.random() < 0.3 else off
        boot = chance.choice(["a start", "another", ""]) if chance.random() < 0.1 else boot
        said = ClockReading(true + off, boot, (true - OPENED).total_seconds())
        known, now = weighed(clock, said)
        mails = [true + late] if chance.random() < 0.4 else []
        before, clock = clock.last_pass, clock._replace(last_pass=now)
        clock = noted(clock, heard(known, mails, before, now))
        again, then = weighed(clock, said)
        assert (noted(clock, again), then) == (clock, now)


@pytest.mark.parametrize("told", [None, 5], ids=["nobody mended it", "a moderator said that it is right"])
def test_server_times_that_were_not_believed_make_no_new_doubt(told: int | None) -> None:
    clock, doubted = Clock(None, None, None), list[bool]()
    for number in range(40):
        at = OPENED + 2 * HOUR * number
        clock = right(clock, at) if number == told else clock
        known, now = weighed(clock, ClockReading(at, "a start", 7200.0 * number))
        known = heard(known, [at - 5 * HOUR], clock.last_pass, now)
        clock = noted(clock._replace(last_pass=now), known)
        doubted.append(bool(known.doubt))
    begins, ends = doubted.index(True), doubted.index(True) + doubted.count(True)
    assert (begins, ends) == (2, told or 27)
    assert all(doubted[begins:ends])


def test_neither_a_time_that_is_named_nor_a_silence_is_doubted(world: World, machine: Machine) -> None:
    name = opened(world)
    ran = world.run("step", "--now", (OPENED + 8 * DAY).isoformat(), "--json")
    assert (ran.json["lapsed"], ran.err) == (1, "")
    ran = world.run("step")  # the machine is behind: of a time that was named no machine is to blame
    assert (ran.status, ran.err.count("\n")) == (1, 1)
    assert world.show(name)["status"] == "ended"
    machine.passes(days=400)
    world.open("buttons", PEOPLE, machine.true.isoformat(), starter="1")
    for _ in range(2):
        step(world, doubted=False)
    machine.restarts()
    machine.passes(days=400)
    assert step(world, doubted=False)["lapsed"] == 1


BEFORE, NOW = OPENED, OPENED + timedelta(minutes=1)


def test_two_mails_of_different_passes_contradict_a_clock_and_one_never_does() -> None:
    known = Witness("2026-03-01T12:00:00Z", "", 0.0)
    one = heard(known, [BEFORE - HOUR], BEFORE, NOW)
    assert not one.doubt
    assert not heard(one, [BEFORE - 5 * HOUR], BEFORE, NOW).doubt, "somebody moves old mails"
    assert not heard(known, [BEFORE - HOUR, BEFORE - HOUR], BEFORE, NOW).doubt, "in one pass"
    assert not heard(heard(one, [NOW], BEFORE, NOW), [BEFORE - HOUR], BEFORE, NOW).doubt
    both = heard(one, [BEFORE - HOUR - timedelta(minutes=3)], BEFORE, NOW)
    assert "60 minutes behind" in both.doubt or "63 minutes behind" in both.doubt
    assert not heard(both, [BEFORE + timedelta(seconds=30)], BEFORE, NOW).doubt
    ahead = heard(heard(known, [NOW + HOUR], BEFORE, NOW), [NOW + HOUR], BEFORE, NOW)
    assert "ahead of" in ahead.doubt


def test_a_service_whose_every_pass_fails_says_so_once_and_tries_more_and_more_seldom(tmp_path: Path) -> None:
    world = World(tmp_path, '[poll]\nevery = "1s"\n')
    world.open("buttons", PEOPLE, "2026-03-01T12:00:00Z")
    world.run("step", "--now", "2990-01-01T00:00:00Z")
    with Daemon(tmp_path / "referee.toml") as service:
        eventually(lambda: "StaleClock" in service.log, "it says so")
        eventually(lambda: "The referee is in trouble" in "".join(
            path.read_text() for path in (tmp_path / "mail/out/new").iterdir()), "the moderator is told")  # fmt: skip
        assert service.log.count("Traceback") == 1
        assert service.terminate() == 0


def test_what_a_year_ahead_left_to_wait_or_to_be_counted_does_so_no_more(
    world: World, machine: Machine
) -> None:
    """What is kept for a digest, alarms beyond a day's measure, and a stranger's own measure."""
    world.configure("alarms_a_day = 20 ", "alarms_a_day = 1 ")
    name = opened(world)
    world.mail(PEOPLE[1], "digest on", "", machine.true.isoformat())
    machine.passes(hours=1)
    step(world, doubted=False)
    machine.passes(minutes=5)
    machine.restarts()
    machine.off = YEAR
    move(world, machine, name, 1, "Place: B1 at a1")
    for number in range(6):
        spam = {"X-Spam-Flag": "YES"}
        junk = f"who{number}@elsewhere.example", f"{number}", ""
        world.mail(*junk, machine.true.isoformat(), headers=spam)
        world.mail("who@elsewhere.example", f"help {number}", "", machine.true.isoformat())
    step(world, doubted=False)
    machine.passes(minutes=5)
    machine.restarts()
    machine.off = timedelta()
    assert world.run("clock", "--back").status == 0
    world.new_letters()
    for _ in range(3):
        machine.passes(hours=13)
        step(world, doubted=False)
    world.mail("who@elsewhere.example", "help", "", machine.true.isoformat())
    step(world, doubted=False)
    letters = sorted(world.new_letters(), key=lambda letter: letter.kind)
    assert [x.to for x in letters] == [
        "moderator@referee.localhost",
        "ben@example.org",
        "who@elsewhere.example",
    ]
    assert [x.kind for x in letters] == ["alarm", "due", "help"]
    assert "5 more alarms within a day" in letters[0].subject


def test_what_a_year_ahead_was_noted_of_addresses_and_silences_is_none_of_the_true_time(
    world: World, machine: Machine
) -> None:
    """A pass a year ahead marks an address as failing, and dies with the silence it saw noted, and not given back."""
    name = opened(world)
    due = world.show(name)["due"]
    machine.passes(hours=1)
    machine.restarts()
    machine.off = YEAR
    step(world, doubted=False)
    with world.referee() as referee:
        with referee.store.transaction() as unit:
            unit.note_outage(OPENED, YEAR)
            unit.remember(unit.person("ben@example.org")._replace(failing=OPENED + YEAR, note="no such user"))
        machine.restarts()
        machine.off = timedelta()
        assert world.run("clock", "--back").status == 0
        machine.passes(minutes=5)
        step(world, doubted=False)
        with referee.store.transaction() as unit:
            assert unit.person("ben@example.org").failing == OPENED + HOUR
    assert world.show(name)["due"] == due


def test_a_reminder_that_came_too_early_is_taken_back_and_comes_again(world: World, machine: Machine) -> None:
    world.open("buttons", PEOPLE, OPENED.isoformat(), starter="1", move_deadline="10d")
    step(world, doubted=False)
    world.new_letters()
    machine.passes(hours=1)
    for ahead in (6 * DAY, 8 * DAY + HOUR):  # two of them, of which one letter tells
        machine.restarts()
        machine.off = ahead
        step(world, doubted=False)
        assert kinds(world.new_letters())["reminder"] == ["ann@example.org"]
    machine.passes(minutes=5)
    machine.restarts()
    machine.off = timedelta()
    assert world.run("clock", "--back").status == 0
    step(world, doubted=False)
    (told,) = world.new_letters()
    assert (told.to, "My clock had run ahead: the reminder" in told.text) == ("ann@example.org", True)
    assert world.run("check").status == 0
    machine.passes(days=5)
    step(world, doubted=False)
    assert kinds(world.new_letters())["reminder"] == ["ann@example.org"], "halfway"
    machine.passes(days=3)
    step(world, doubted=False)
    assert kinds(world.new_letters())["reminder"] == ["ann@example.org"], "two days before"


def test_a_proposal_that_a_wrong_clock_let_expire_waits_as_before(world: World, machine: Machine) -> None:
    """One that is made by that clock does not wait a year."""
    opened(world)

    def proposes(who: int, game: str, at: datetime) -> None:
        world.mail(PEOPLE[who], f"propose {game}", "", at.isoformat())
        step(world, doubted=False)
        (form,) = world.new_letters()
        world.reply(form, "Open: 1", at.isoformat())
        step(world, doubted=False)

    machine.passes(hours=1)
    proposes(0, "buttons", machine.true)
    machine.passes(minutes=5)
    machine.restarts()
    machine.off = YEAR
    step(world, doubted=False)
    assert "nothing comes of it" in "".join(x.text for x in world.new_letters())
    proposes(1, "morris", machine.true + YEAR)
    machine.passes(minutes=5)
    machine.restarts()
    machine.off = timedelta()
    assert world.run("clock", "--right").status == 1, "it is, and passes were not"
    assert world.run("clock", "--back").status == 0
    step(world, doubted=False)
    assert sum("My clock had run ahead: the time of proposal-1" in x.text for x in world.new_letters()) == 1
    assert (world.run("check").status, world.run("doctor").out.count("clock:")) == (0, 0)
    for days, over in ((6, 0), (2, 2)):
        machine.passes(days=days)
        step(world, doubted=False)
        assert sum("The time of proposal-" in x.text for x in world.new_letters()) == over
