"""Letters leave in batches: what one is refused delays no other, and a batch is marked in one commit."""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from referee.base.errors import CannotDo
from referee.base.ports import Delivery, Parcel
from referee.moderation.orders import order_of
from referee.offices.passes import Counts
from referee.service.wiring import Referee
from tests.memory import SENT, Crash, FailurePlan, MemoryCourier, PlannedFailure, Stage, kind_of, later

SEATS = 4
BATCH = 3
AWAY = Delivery("later", "The mail server can't be used: it does not answer in time.", tried=False)
HICCUP = Delivery("later", "451 queue file write error (end of the letter)")


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    """A match has been opened; its letters wait."""
    made = Stage(tmp_path, batch=BATCH)
    made.open("fourplay", SEATS)
    return made


def step(stage: Stage, answer: Callable[[Parcel], Delivery], seconds: float = 0) -> Counts:
    with stage.referee() as referee:
        assert isinstance(referee.courier, MemoryCourier)
        referee.courier.answer = answer
        return referee.desk.step(later(seconds=seconds))


def test_letters_that_never_got_as_far_as_a_server_leave_as_soon_as_there_is_one(stage: Stage) -> None:
    calls: list[Parcel] = []

    def away(parcel: Parcel) -> Delivery:
        calls.append(parcel)
        return AWAY

    counts = step(stage, away)
    assert (counts.sent, len(calls)) == (0, 1)
    assert counts.trouble == [f"letters wait to be sent: {AWAY.note}"]
    assert counts.cut_off
    for second in range(1, 50):  # and are not given up, however often there is none
        step(stage, away, second)
    counts = step(stage, lambda parcel: SENT, 50)
    assert (counts.sent, counts.trouble, counts.cut_off) == (len(stage.sent), [], False)
    assert len(stage.sent) >= SEATS
    assert not any(kind_of(parcel) == "alarm" for parcel in stage.sent)


def test_a_letter_in_hand_when_the_server_went_waits_a_little_and_those_behind_it_do_not(
    stage: Stage,
) -> None:
    """The second is refused for now, then the server is gone."""
    seen: list[str] = []

    def going(parcel: Parcel) -> Delivery:
        seen.append(parcel.message_id)
        return [SENT, HICCUP, AWAY][min(len(seen), 3) - 1]

    assert step(stage, going).sent == 1
    first, second, third = seen
    step(stage, lambda parcel: SENT, 1)
    ids = [parcel.message_id for parcel in stage.sent]
    assert ids[:2] == [first, third]
    assert second not in ids
    step(stage, lambda parcel: SENT, 16)
    assert [parcel.message_id for parcel in stage.sent][-1] == second


@pytest.mark.parametrize("fate", ["later", "never"])
@pytest.mark.parametrize("which", [0, 2, 4])
def test_a_refused_letter_delays_none_behind_it(stage: Stage, which: int, fate: str) -> None:
    seen: list[str] = []

    def refusing(parcel: Parcel) -> Delivery:
        seen.append(parcel.message_id)
        return Delivery(fate, "said the server") if len(seen) == which + 1 else SENT  # type: ignore[arg-type]

    step(stage, refusing)
    ids = [parcel.message_id for parcel in stage.sent]
    assert ids == [each for each in seen if each != seen[which]]
    assert any(kind_of(parcel) == "alarm" for parcel in stage.sent) == (fate == "never")


@pytest.mark.parametrize("nth", range(1, 9))
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_crash_repeats_at_most_the_batch_in_hand_under_the_same_ids(
    stage: Stage, nth: int, when: str
) -> None:
    failure = PlannedFailure("send", nth, when)  # type: ignore[arg-type]
    with pytest.raises(Crash):
        stage.step(later(), FailurePlan((failure,)))
    before = [parcel.message_id for parcel in stage.sent]
    stage.step(later())
    ids = [parcel.message_id for parcel in stage.sent]
    twice = [each for each in dict.fromkeys(ids) if ids.count(each) > 1]
    assert twice == before[(nth - 1) // BATCH * BATCH :]
    assert len(twice) <= BATCH
    for one in stage.sent:
        assert all(one == other for other in stage.sent if other.message_id == one.message_id)


def test_once_it_is_to_stop_no_letter_is_added_to_the_batch_in_hand(stage: Stage) -> None:
    with stage.referee() as referee:
        referee.desk.step(later(), stopping=lambda: len(stage.sent) >= 2)
    assert len(stage.sent) == 2
    stage.step(later())
    ids = [parcel.message_id for parcel in stage.sent]
    assert len(set(ids)) == len(ids) > 2


def test_a_letter_that_can_not_be_put_together_delays_none_behind_it(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    from referee.letters.envelope import Envelope

    whole, calls = Envelope.__call__, []

    def broken(self: Envelope, letter: object) -> bytes:
        calls.append(letter)
        if len(calls) == 2:
            raise ValueError("broken")
        return whole(self, letter)  # type: ignore[arg-type]

    monkeypatch.setattr(Envelope, "__call__", broken)
    stage.step(later())
    assert len(calls) == len(stage.sent) + 1
    assert [kind_of(parcel) for parcel in stage.sent].count("alarm") == 1


# --- what is written before it -----------------------------------------------------------------------------------


class DiskFull(Exception):
    """The store takes nothing more."""


def parked(stage: Stage) -> list[dict[str, str]]:
    with stage.referee() as referee, referee.store.transaction() as unit:
        trouble = referee.parts.queue.all_that_waits(unit, later())["trouble"]
    return [each for each in trouble if "may have left" in each["what"]]


@pytest.mark.parametrize("batch", [1, 3, 20])
def test_a_store_that_fails_behind_the_letters_sends_none_more_than_twice(tmp_path: Path, batch: int) -> None:
    """Each pass: the letters leave, then nothing can be written any more. Once it can, what is not known waits."""
    stage = Stage(tmp_path, batch=batch)
    stage.open("fourplay", SEATS)
    full = tuple(PlannedFailure("commit", nth, "before", DiskFull) for nth in range(1, 400))
    for second in range(60):
        with stage.referee() as referee:
            plan = FailurePlan(full)

            def answer(parcel: Parcel, plan: FailurePlan = plan, referee: Referee = referee) -> Delivery:
                referee.store._trip = plan.begin  # from the first letter on
                return SENT

            assert isinstance(referee.courier, MemoryCourier)
            referee.courier.answer = answer
            with suppress(DiskFull):
                referee.desk.step(later(seconds=second))
    stage.step(later(minutes=2))
    count = Counter(parcel.message_id for parcel in stage.sent)
    assert max(count.values()) <= 2
    waiting = parked(stage)
    with stage.referee() as referee:
        for each in waiting:
            which = each["command"].removeprefix("referee release ")
            referee.moderator.act(lambda unit, w=which: referee.parts.acts.put_back(unit, w, "release"))
    stage.step(later(minutes=3))
    assert parked(stage) == []
    again = Counter(parcel.message_id for parcel in stage.sent)
    assert sum(again.values()) - sum(count.values()) == len(waiting)
    assert {kind_of(parcel) for parcel in stage.sent} >= ({"opened", "alarm"} if waiting else {"opened"})


def test_a_letter_that_may_have_left_twice_is_parked_alone(stage: Stage) -> None:
    """The server takes its whole content, and says nothing."""
    seen: list[str] = []

    def silent(parcel: Parcel) -> Delivery:
        seen.append(parcel.message_id)
        return (
            Delivery("later", "it does not answer in time", known=False)
            if parcel.message_id == seen[0]
            else SENT
        )

    for minute in range(0, 200, 2):
        step(stage, silent, 60 * minute)
    assert seen.count(seen[0]) == 2
    (waits,) = parked(stage)
    assert "it does not answer in time" in waits["what"]
    alarms = [parcel for parcel in stage.sent if kind_of(parcel) == "alarm"]
    assert len(alarms) == 1
    with pytest.raises(CannotDo, match="No letter 999"), stage.referee() as referee:
        referee.moderator.act(lambda unit: referee.parts.acts.put_back(unit, "letter-999", "release"))
    with stage.referee() as referee:  # who knows that it arrived dismisses it
        order = order_of("reject", {"which": waits["or"].split()[2], "why": "Ann has it"})
        referee.moderator.act(lambda unit: referee.parts.acts.carried_out(unit, order))
    step(stage, silent, 60 * 300)
    assert (parked(stage), seen.count(seen[0])) == ([], 2)


def test_a_refusal_between_two_silences_is_known(stage: Stage) -> None:
    answers = [Delivery("later", "silent", known=False), HICCUP] * 3

    def server(parcel: Parcel) -> Delivery:
        return SENT if parcel.message_id != first[0] else answers.pop(0) if answers else SENT

    first: list[str] = []
    with stage.referee() as referee, referee.store.transaction() as unit:
        first.append(unit.unsent(later(), 1)[0].message_id)
    for hour in range(12):
        step(stage, server, 3600 * hour)
    assert parked(stage) == []
    assert [parcel.message_id for parcel in stage.sent].count(first[0]) == 1
