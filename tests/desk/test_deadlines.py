"""One deadline: fired in time order, never beyond the watermark, moved by its own rules only; reminders."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import Any

import pytest

from referee.match import commands as do
from referee.match.match import Match
from referee.offices.passes import StaleClock
from referee.offices.ports import MailboxTrouble, Parcel
from referee.post.reading import MailReader
from referee.rehearsal.cue import Cue, Prompter
from tests.desk.stage import PEOPLE, Stage, answer_text, kind_of, later, owing, subject_of, told
from tests.world import World

ALL = [p.addresses[0] for p in PEOPLE]
OPENED = later(hours=1)
DUE = later(days=14, hours=1)
TICK = timedelta(microseconds=1)
SECOND = timedelta(seconds=1)


def down(deed: str = "fetch") -> Prompter:
    """The mail server does not answer."""
    return Prompter.of([Cue(deed, 1, "before", lambda: MailboxTrouble("no connection"))])


@pytest.fixture
def name(stage: Stage) -> str:
    """A Fourplay match whose purchase has opened: four sealed lists, due in two weeks."""
    match = stage.open("fourplay")
    stage.step(later())
    stage.answer_all(match, OPENED)
    assert purchase_due(stage, match) == DUE
    stage.new_letters()
    return match


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
    counts = stage.step(DUE + SECOND, Prompter.of([Cue("batch", 1, "after", lambda: MailboxTrouble("gone"))]))
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


def test_law_5_a_second_tick_does_nothing(stage: Stage, name: str) -> None:
    assert stage.step(DUE + SECOND).lapsed == 1
    before = stage.rows()
    again = stage.step(DUE + SECOND).facts()
    assert (again["lapsed"], again["sent"], again["read"]) == (0, 0, 0)
    assert stage.rows() == before


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


def test_a_clock_before_the_last_pass_is_refused(stage: Stage, name: str) -> None:
    with pytest.raises(StaleClock):
        stage.step(OPENED - SECOND)
    stage.step(OPENED)


def test_a_step_with_a_clock_that_runs_back_exits_with_1_and_one_line(tmp_path: Path) -> None:
    (tmp_path / "w").mkdir()
    world = World(tmp_path / "w")
    world.step("2026-03-02T00:00:00Z")
    ran = world.run("step", "--now", "2026-03-01T23:59:59Z")
    assert ran.status == 1
    assert ran.out == ""
    assert ran.err.count("\n") == 1
    assert world.run("step", "--now", "2026-03-02T00:00:00Z").status == 0


# --- held mails --------------------------------------------------------------------------------------------------


@pytest.fixture
def holding(stage: Stage, name: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Seat 2's list, in time, is held; nobody else has answered but seat 1."""
    read = MailReader.read

    def doubtful(self: MailReader, raw: bytes, **given: Any) -> object:
        mail = read(self, raw, **given)
        return replace(mail, disposition="hold", reason="doubtful") if b"X-Doubtful" in raw else mail

    monkeypatch.setattr(MailReader, "read", doubtful)
    match = stage.match(name)
    stage.answer(match, owing(match)[0], later(days=1))
    stage.answer(match, owing(match)[1], later(days=2), X_Doubtful="yes")
    assert stage.step(later(days=2)).held == 1
    assert told(stage.new_letters())["alarm"] == ["moderator@referee.localhost"]
    return name


def text_of(parcel: Parcel) -> str:
    """A letter's subject and plain text, its lines joined."""
    message = message_from_bytes(parcel.raw, policy=default)
    body = message.get_body(("plain",))
    assert body is not None
    return f"{message['Subject']} {' '.join(body.get_content().split())}"


def held_number(stage: Stage) -> int:
    with stage.referee() as referee:
        return referee.moderator.put_aside()[0].id


def put_back(stage: Stage, kind: str = "release") -> None:
    with stage.referee() as referee:
        referee.moderator.release("all", kind)


def test_a_held_mail_delays_the_deadline_and_once_released_counts_from_its_arrival(
    stage: Stage, holding: str
) -> None:
    assert stage.step(DUE + SECOND).lapsed == 0
    assert stage.step(DUE + timedelta(hours=47)).lapsed == 0
    put_back(stage)
    counts = stage.step(DUE + timedelta(hours=47, minutes=1))
    assert (counts.accepted, counts.lapsed) == (1, 1)
    match = stage.match(holding)
    assert match.rounds[0].label == "Initial Setup"
    assert told(stage.new_letters())["receipt"] == people(match, 2)


def test_a_held_mail_delays_a_deadline_by_48_hours_at_most(stage: Stage, holding: str) -> None:
    assert stage.step(DUE + timedelta(hours=48) - TICK).lapsed == 0
    assert stage.step(DUE + timedelta(hours=48)).lapsed == 1
    put_back(stage)
    assert stage.step(DUE + timedelta(hours=49)).refused == 1


def test_a_mail_held_in_an_earlier_round_delays_no_later_one(stage: Stage, holding: str) -> None:
    stage.step(DUE + timedelta(hours=48))
    setup_due = stage.match(holding).rounds[0].due_at
    assert setup_due is not None
    assert stage.step(setup_due + SECOND).lapsed == 1


def test_a_held_mail_of_a_seat_that_has_answered_delays_nothing(stage: Stage, holding: str) -> None:
    match = stage.match(holding)
    stage.answer(match, next(d for d in owing(match) if d.seat == 2), later(days=3), seed=5)
    stage.step(later(days=3))
    assert 2 not in seats_owing(stage.match(holding))
    assert stage.step(DUE + SECOND).lapsed == 1


def test_a_held_mail_that_came_late_delays_nothing(stage: Stage, holding: str) -> None:
    put_back(stage)
    stage.step(later(days=3))
    match = stage.match(holding)
    stage.answer(match, next(d for d in owing(match) if d.seat == 3), DUE + SECOND, X_Doubtful="yes")
    counts = stage.step(DUE + 2 * SECOND)
    assert (counts.held, counts.lapsed) == (1, 1)


def test_all_learn_once_that_a_ruling_is_delayed_and_the_moderator_alone_why(
    stage: Stage, holding: str
) -> None:
    late, all_four = DUE + SECOND, people(stage.match(holding), 1, 2, 3, 4)
    stage.step(DUE)
    assert "announcement" not in told(stage.new_letters()), "nothing is delayed before its time"
    stage.step(late)
    letters = stage.new_letters()
    assert told(letters) == {"alarm": ["moderator@referee.localhost"], "announcement": all_four}
    public = [text_of(letter) for letter in letters if kind_of(letter) == "announcement"]
    assert len(set(public)) == 1, "all read the same"
    assert "Initial Purchase" in public[0]
    assert "the ruling waits" in public[0]
    assert not [p for p in PEOPLE if p.name in public[0] or p.addresses[0] in public[0]]
    alarm = next(text_of(letter) for letter in letters if kind_of(letter) == "alarm")
    assert f"mail no. {held_number(stage)}" in alarm
    stage.step(late + timedelta(hours=1))
    stage.step(late + timedelta(hours=40))
    assert stage.new_letters() == [], "once for each delay"
    put_back(stage)
    stage.step(late + timedelta(hours=41))
    assert "announcement" in told(stage.new_letters()), "the ruling"


def test_a_challenged_mail_delays_the_deadline_until_its_owner_confirms_it(stage: Stage, name: str) -> None:
    """All in one pass: the reply comes, the mail counts from its own arrival, the round is ruled on."""
    match = stage.match(name)
    first, *others = owing(match)
    for demand in others[:-1]:
        stage.answer(match, demand, later(days=1))
    owner = match.entrant(first.seat).addresses[0]
    due = next(x for x in stage.sent if x.recipient == owner and kind_of(x) == "due")
    reply_address = message_from_bytes(due.raw)["Reply-To"]
    stage.write(
        "me@phone.example",
        subject_of(match, first),
        answer_text(match, first),
        later(days=2),
        To=reply_address,
    )
    assert stage.step(later(days=2)).held == 1
    challenge = next(x for x in stage.new_letters() if kind_of(x) == "challenge")
    assert stage.step(DUE + SECOND).lapsed == 0
    assert len([x for x in stage.new_letters() if "the ruling waits" in text_of(x)]) == len(PEOPLE)
    at = DUE + timedelta(hours=5)
    stage.write(owner, "Re: is this mail yours?", "Yes.", at, In_Reply_To=challenge.message_id)
    counts = stage.step(at)
    assert (counts.answered, counts.accepted, counts.lapsed) == (1, 1, 1)
    assert stage.match(name).rounds[0].label == "Initial Setup"


def test_a_delay_that_ends_in_the_pass_that_finds_it_is_not_told(stage: Stage, holding: str) -> None:
    put_back(stage)
    counts = stage.step(DUE + SECOND)
    assert (counts.accepted, counts.lapsed) == (1, 1)
    assert not [x for x in stage.new_letters() if "the ruling waits" in text_of(x)]


def test_a_deadline_extended_while_it_waits_may_be_delayed_again_and_is_told_again(
    stage: Stage, holding: str
) -> None:
    stage.step(DUE + SECOND)
    stage.desk(holding, do.Extend("more time", by=timedelta(days=1)), DUE + 2 * SECOND)
    stage.step(DUE + timedelta(hours=23))
    stage.new_letters()
    stage.step(DUE + timedelta(days=1, seconds=1))
    letters = stage.new_letters()
    assert len([x for x in letters if "the ruling waits" in text_of(x)]) == len(PEOPLE)


# --- moved by their rules ----------------------------------------------------------------------------------------


def test_an_extension_moves_the_deadline_for_all(stage: Stage, name: str) -> None:
    stage.desk(name, do.Extend("a holiday", by=timedelta(days=3)), later(days=1))
    stage.step(later(days=1))
    assert told(stage.new_letters())["extended"] == ALL
    assert stage.step(DUE + SECOND).lapsed == 0
    assert stage.step(DUE + timedelta(days=3) + SECOND).lapsed == 1


def test_an_extension_for_one_seat_lets_the_round_wait_for_it_alone(stage: Stage, name: str) -> None:
    stage.desk(name, do.Extend("ill", seat=2, by=timedelta(days=3)), later(days=1))
    match = stage.match(name)
    stage.answer(match, next(d for d in owing(match) if d.seat == 3), DUE + SECOND)
    stage.answer(match, next(d for d in owing(match) if d.seat == 2), DUE + timedelta(days=2))
    counts = stage.step(DUE + timedelta(days=2))
    assert (counts.refused, counts.accepted) == (1, 1)
    assert stage.step(DUE + timedelta(days=2)).lapsed == 0


def test_a_pause_stops_the_clock_and_its_time_is_added(stage: Stage, name: str) -> None:
    stage.desk(name, do.Pause("a question"), later(days=10))
    assert stage.step(DUE + timedelta(days=5)).lapsed == 0
    stage.desk(name, do.Resume("answered"), later(days=20))
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
    stage.step(now)
    return told(stage.new_letters()).get("reminder", [])


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
    stage.step(later(days=11))
    stage.new_letters()
    assert reminded(stage, DUE - timedelta(days=1)) == people(match, 1, 3, 4)
    stage.answer_all(name, DUE - SECOND, 1, 3, 4)
    stage.new_letters()
    assert reminded(stage, DUE + timedelta(days=6)) == people(match, 2)


def test_nobody_is_reminded_while_the_match_is_paused(stage: Stage, name: str) -> None:
    stage.desk(name, do.Pause("a question"), later(days=1))
    assert reminded(stage, DUE - timedelta(days=1)) == []
