"""One deadline: fired in time order, never beyond the watermark, moved by its own rules only; reminders."""

import os
import tempfile
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path

import pytest

from referee.base.ports import MailboxTrouble
from referee.match import commands as do
from referee.match import events as ev
from referee.match.match import Match
from tests.memory import PEOPLE, Crash, FailurePlan, PlannedFailure, Stage, kind_of, later, owing, told
from tests.world import _FOLDERS, World

ALL = [p.addresses[0] for p in PEOPLE]
OPENED = later(hours=1)
DUE = later(days=14, hours=1)
TICK = timedelta(microseconds=1)
SECOND = timedelta(seconds=1)


def down(operation: str = "fetch") -> FailurePlan:
    """The mail server does not answer."""
    return FailurePlan.of([PlannedFailure(operation, 1, "before", lambda: MailboxTrouble("no connection"))])


@pytest.fixture
def name(stage: Stage) -> str:
    """A Fourplay match whose purchase has opened: four sealed lists, due in two weeks."""
    purchase, match = in_purchase(os.environ["REFEREE_SECRET"])
    stage.goes_on(purchase)
    return match


@cache
def in_purchase(secret: str) -> tuple[Stage, str]:
    stage = Stage(Path(tempfile.mkdtemp(dir=_FOLDERS.name)))
    match = stage.begun("fourplay")
    stage.answer_all(match, OPENED)
    assert purchase_due(stage, match) == DUE
    stage.new_letters()
    return stage, match


def purchase_due(stage: Stage, name: str, seat: int = 1) -> datetime | None:
    found = stage.match(name).round("Initial Purchase")
    return found.due_for(seat) if found else None


def seats_owing(match: Match) -> list[int]:
    return [d.seat for d in owing(match)]


def people(match: Match, *seats: int) -> list[str]:
    return sorted(match.entrant(seat).addresses[0] for seat in seats)


# --- what came in time -------------------------------------------------------------------------------------------


def test_with_the_mailbox_down_at_the_deadline_nothing_lapses(stage: Stage, name: str) -> None:
    counts = stage.step(DUE + SECOND, down())
    assert counts.lapsed == 0
    assert counts.trouble
    assert stage.step(DUE + timedelta(days=3), down()).lapsed == 0
    match = stage.match(name)
    stage.answer(match, owing(match)[0], DUE - SECOND)
    counts = stage.step(DUE + timedelta(days=3, hours=1))
    assert (counts.accepted, counts.lapsed) == (1, 1)
    assert told(stage.new_letters())["receipt"] == people(match, 1)


def test_a_mailbox_that_breaks_off_halfway_moves_no_watermark(stage: Stage, name: str) -> None:
    match = stage.match(name)
    stage.answer(match, owing(match)[0], DUE)
    gone = PlannedFailure("batch", 1, "after", lambda: MailboxTrouble("gone"))
    counts = stage.step(DUE + SECOND, FailurePlan.of([gone]))
    assert (counts.accepted, counts.lapsed) == (1, 0)
    assert stage.step(DUE + SECOND).lapsed == 1


@pytest.mark.parametrize(
    ("after", "verdict"), [(-TICK, "accepted"), (0 * TICK, "accepted"), (TICK, "refused")]
)
def test_the_due_second_itself_is_in_time(stage: Stage, name: str, after: timedelta, verdict: str) -> None:
    match = stage.match(name)
    stage.answer(match, owing(match)[0], DUE + after)
    counts = stage.step(DUE + timedelta(hours=1)).facts()
    assert (counts[verdict], counts["lapsed"]) == (1, 1)


def test_at_the_due_second_itself_nothing_lapses_yet(stage: Stage, name: str) -> None:
    assert stage.step(DUE).lapsed == 0
    assert stage.step(DUE + TICK).lapsed == 1


def test_a_mail_of_the_next_round_found_in_the_same_pass_is_judged_after_the_deadline(
    stage: Stage, name: str
) -> None:
    match = stage.match(name)
    stage.answer(match, owing(match)[0], DUE + SECOND)
    assert stage.step(DUE + 2 * SECOND).facts()["refused"] == 1
    refusal = next(p for p in stage.new_letters() if kind_of(p) == "refusal")
    assert b"Initial Purchase" in refusal.raw


def test_a_mail_dated_after_the_clock_waits(stage: Stage, name: str) -> None:
    match = stage.match(name)
    stage.answer(match, owing(match)[0], later(days=2))
    counts = stage.step(later(days=1)).facts()
    assert (counts["read"], counts["waiting"]) == (1, 1)
    counts = stage.step(later(days=2)).facts()
    assert (counts["read"], counts["accepted"], counts["waiting"]) == (1, 1, 0)


def test_what_is_found_after_the_reveal_is_told_apart_in_time_or_late(stage: Stage, name: str) -> None:
    match = stage.match(name)
    stage.step(DUE + SECOND)
    stage.answer(match, owing(match)[0], DUE - SECOND)
    stage.answer(match, owing(match)[1], DUE + SECOND)
    assert stage.step(DUE + timedelta(hours=1)).refused == 2
    with stage.referee() as referee, referee.store.transaction() as unit:
        reasons = [m.reason for m in unit.mails(["refused"])]
    assert ["seen_too_late" in (r or "") for r in reasons] == [True, False]
    assert "late" in (reasons[1] or "")


def test_a_seats_own_deadline_is_what_its_late_answers_are_measured_by(stage: Stage, name: str) -> None:
    stage.desk(name, do.Extend("ill", seat=2, by=timedelta(days=3)), later(days=1))
    match = stage.match(name)
    stage.step(DUE + timedelta(days=3) + SECOND)
    for seat in (2, 3):
        demand = next(d for d in owing(match) if d.seat == seat)
        stage.answer(match, demand, DUE + timedelta(days=1))
    assert stage.step(DUE + timedelta(days=4)).refused == 2
    with stage.referee() as referee, referee.store.transaction() as unit:
        reasons = [m.reason for m in unit.mails(["refused"])]
    assert ["seen_too_late" in (reason or "") for reason in reasons] == [True, False]


# --- ticks and gaps ----------------------------------------------------------------------------------------------


def test_a_long_gap_between_steps_moves_no_deadline_and_lapses_one_round_only(
    stage: Stage, name: str
) -> None:
    match = stage.match(name)
    stage.answer(match, owing(match)[0], DUE - SECOND)
    now = DUE + timedelta(days=200)
    counts = stage.step(now)
    assert (counts.accepted, counts.lapsed) == (1, 1)
    setup = stage.match(name).rounds[0]
    assert (setup.opened_at, setup.due_at) == (now, now + timedelta(days=14))


def test_a_step_with_a_clock_that_runs_back_exits_with_1_and_one_line(tmp_path: Path) -> None:
    (tmp_path / "w").mkdir()
    world = World(tmp_path / "w")
    world.step("2026-03-02T00:00:00Z")
    ran = world.run("step", "--now", "2026-03-01T23:59:59Z")
    assert ran.status == 1
    assert ran.out == ""
    assert ran.err.count("\n") == 1
    assert world.run("step", "--now", "2026-03-02T00:00:00Z").status == 0


# --- moved by their rules ----------------------------------------------------------------------------------------


def test_an_extension_for_one_seat_lets_the_round_wait_for_it_alone(stage: Stage, name: str) -> None:
    stage.desk(name, do.Extend("ill", seat=2, by=timedelta(days=3)), later(days=1))
    match = stage.match(name)
    stage.answer(match, next(d for d in owing(match) if d.seat == 3), DUE + SECOND)
    stage.answer(match, next(d for d in owing(match) if d.seat == 2), DUE + timedelta(days=2))
    counts = stage.step(DUE + timedelta(days=2))
    assert (counts.refused, counts.accepted) == (1, 1)
    assert stage.step(DUE + timedelta(days=2)).lapsed == 0


def test_a_pause_stops_the_clock_and_its_time_is_added(stage: Stage, name: str) -> None:
    stage.desk(name, ev.MatchPaused("a question"), later(days=10))
    assert stage.step(DUE + timedelta(days=5)).lapsed == 0
    stage.desk(name, ev.MatchResumed("answered"), later(days=20))
    assert purchase_due(stage, name) == DUE + timedelta(days=10)
    assert stage.step(DUE + timedelta(days=10)).lapsed == 0
    assert stage.step(DUE + timedelta(days=10) + SECOND).lapsed == 1


def test_an_outage_of_the_service_is_added_to_the_deadline_once(stage: Stage, name: str) -> None:
    outage = timedelta(minutes=10)
    stage.step(later(days=1), outage=outage)
    stage.step(later(days=1, minutes=9), outage=outage)
    assert purchase_due(stage, name) == DUE
    stage.step(later(days=2, minutes=9), outage=outage)
    stage.step(later(days=2, minutes=9), outage=outage)
    assert purchase_due(stage, name) == DUE + timedelta(days=1)
    letters = [p for p in stage.new_letters() if kind_of(p) == "extended"]
    assert sorted(p.recipient for p in letters) == ALL
    assert b"86400 seconds" in letters[0].raw


@pytest.mark.one_in(2)
@pytest.mark.parametrize("nth", [2, 3])
def test_an_outage_is_added_to_every_match_once_however_often_the_pass_dies_over_it(
    tmp_path: Path, nth: int
) -> None:
    """Match by match, a handful a commit: of more than a handful the first are written when the process dies."""
    stage, outage = Stage(tmp_path), timedelta(minutes=10)
    names = [stage.open("buttons", 2) for _ in range(45)]
    stage.step(later(), outage=outage)
    before = {name: next(r.due_at for r in stage.match(name).rounds) for name in names}
    with pytest.raises(Crash):
        stage.step(later(days=1), FailurePlan.of([PlannedFailure("commit", nth, "before")]), outage=outage)
    stage.step(later(days=1, minutes=1), outage=outage)
    for name in names:
        due = next(r.due_at for r in stage.match(name).rounds)
        assert due is not None
        assert due - (before[name] or due) == timedelta(days=1), name


def test_an_outage_over_the_deadline_itself_lapses_nothing(stage: Stage, name: str) -> None:
    outage = timedelta(minutes=10)
    stage.step(DUE - timedelta(hours=1), outage=outage)
    match = stage.match(name)
    stage.answer(match, owing(match)[0], DUE + timedelta(hours=1))
    counts = stage.step(DUE + timedelta(days=1), outage=outage)
    assert (counts.accepted, counts.lapsed) == (1, 0)
    assert purchase_due(stage, name) == DUE + timedelta(days=1, hours=1)


def test_a_gap_is_no_outage_unless_the_service_ran_before_it(stage: Stage, name: str) -> None:
    outage = timedelta(minutes=10)
    stage.step(later(days=1), outage=outage)
    stage.step(later(days=1, minutes=5))
    stage.step(later(days=3), outage=outage)
    assert purchase_due(stage, name) == DUE


# --- reminders ---------------------------------------------------------------------------------------------------


def reminded(stage: Stage, now: datetime) -> list[str]:
    return told(stage.passed(now)).get("reminder", [])


def test_reminders_go_to_those_who_owe_halfway_two_days_and_one_day_before(stage: Stage, name: str) -> None:
    stage.answer_all(name, later(days=1), 1)
    match = stage.match(name)
    stage.new_letters()
    half = OPENED + timedelta(days=7)
    assert reminded(stage, half - TICK) == []
    assert reminded(stage, half) == people(match, 2, 3, 4)
    assert reminded(stage, half) == []
    stage.answer_all(name, later(days=9), 2)
    stage.new_letters()
    assert reminded(stage, DUE - timedelta(days=2)) == people(match, 3, 4)
    stage.answer_all(name, DUE - timedelta(days=1, hours=1), 3)
    stage.new_letters()
    assert reminded(stage, DUE - timedelta(days=1)) == people(match, 4)
    assert reminded(stage, DUE - timedelta(hours=1)) == []


def test_of_several_reminders_passed_only_the_latest_is_sent(stage: Stage, name: str) -> None:
    assert reminded(stage, DUE - timedelta(hours=30)) == ALL
    assert reminded(stage, DUE - timedelta(hours=29)) == []
    assert reminded(stage, DUE - timedelta(hours=24)) == ALL


def test_after_an_extension_the_reminders_before_the_new_deadline_are_sent_again(
    stage: Stage, name: str
) -> None:
    assert reminded(stage, DUE - timedelta(days=1)) == ALL
    stage.desk(name, do.Extend("a holiday", by=timedelta(days=7)), DUE - timedelta(hours=12))
    assert reminded(stage, DUE - timedelta(hours=11)) == [], "the letter about the extension has told it all"
    new = DUE + timedelta(days=7)
    assert reminded(stage, new - timedelta(days=2)) == ALL
    assert reminded(stage, new - timedelta(days=1)) == ALL


def test_a_seat_with_a_deadline_of_its_own_is_reminded_of_that_one(stage: Stage, name: str) -> None:
    match = stage.match(name)
    stage.desk(name, do.Extend("ill", seat=2, by=timedelta(days=7)), later(days=11))
    stage.passed(later(days=11))
    assert reminded(stage, DUE - timedelta(days=1)) == people(match, 1, 3, 4)
    stage.answer_all(name, DUE - SECOND, 1, 3, 4)
    stage.new_letters()
    assert reminded(stage, DUE + timedelta(days=6)) == people(match, 2)


def test_nobody_is_reminded_while_the_match_is_paused(stage: Stage, name: str) -> None:
    stage.desk(name, ev.MatchPaused("a question"), later(days=1))
    assert reminded(stage, DUE - timedelta(days=1)) == []
