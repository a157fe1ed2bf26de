"""Letters leave in batches: what one is refused delays no other, and a batch is marked in one commit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from referee.offices.passes import Counts
from referee.offices.ports.transport import Delivery, Parcel
from tests.memory import SENT, Crash, FailurePlan, MemoryCourier, PlannedFailure
from tests.offices.stage import Stage, kind_of, later

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
    from referee.post.writing.envelope import Envelope

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
