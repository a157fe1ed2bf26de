"""The fakes fail when they are told to, and only then; back-off is bounded."""

from __future__ import annotations

import pytest

from referee.base.ports import Delivery, MailboxTrouble, Parcel, hand_over
from referee.transport.server import BackOff
from tests.memory import Crash, FailurePlan, MemoryCourier, MemoryMailbox, PlannedFailure
from tests.transport.mailboxes import at, everything, mail

PARCEL = Parcel("referee@example.test", "ann@example.test", "<1@x>", b"Subject: x\r\n\r\nx\r\n")


@pytest.mark.parametrize(("when", "sent"), [("before", 1), ("after", 2)])
def test_a_courier_crashes_at_the_nth_send_before_or_after_its_effect(when: str, sent: int) -> None:
    courier = MemoryCourier(FailurePlan((PlannedFailure("send", 2, when),)))  # type: ignore[arg-type]
    hand_over(courier, PARCEL)
    with pytest.raises(Crash):
        hand_over(courier, PARCEL)
    assert len(courier.sent) == sent
    assert hand_over(courier, PARCEL).fate == "sent"


def test_a_crash_is_no_error_that_a_handler_of_errors_would_take() -> None:
    assert not issubclass(Crash, Exception)


def test_a_courier_answers_as_told() -> None:
    courier = MemoryCourier(answer=lambda parcel: Delivery("never", "550 no such player"))
    assert hand_over(courier, PARCEL).note == "550 no such player"
    assert courier.sent == []


@pytest.mark.parametrize(("when", "filed"), [("before", 1), ("after", 2)])
def test_a_mailbox_fails_in_the_middle_of_filing(when: str, filed: int) -> None:
    failure = PlannedFailure("file", 2, when, lambda: MailboxTrouble("cut"))  # type: ignore[arg-type]
    mailbox = MemoryMailbox(FailurePlan((failure,)))
    uids = [mailbox.deliver(mail(number), at(number)) for number in range(3)]
    with pytest.raises(MailboxTrouble):
        mailbox.file([(uid, "done") for uid in uids])
    assert len(mailbox.filed("done")) == filed
    mailbox.file([(uid, "done") for uid in uids])
    assert len(mailbox.filed("done")) == 3


def test_a_mailbox_fails_between_batches() -> None:
    mailbox = MemoryMailbox(FailurePlan((PlannedFailure("batch", 2, "before"),)), batch=2)
    for number in range(4):
        mailbox.deliver(mail(number), at(number))
    batches = iter(mailbox.fetch(lambda uids: (), 1000))
    assert len(next(batches)) == 2
    with pytest.raises(Crash):
        next(batches)


def test_renumbering_gives_every_mail_another_handle() -> None:
    mailbox = MemoryMailbox()
    before = {mailbox.deliver(mail(number), at(number)) for number in range(3)}
    mailbox.renumber()
    after = everything(mailbox)
    assert [arrival.raw for arrival in after] == [mail(number) for number in range(3)]
    assert not before & {arrival.uid for arrival in after}


def test_one_plan_numbers_the_operations_of_several() -> None:
    failures = FailurePlan.of([PlannedFailure("send", 2, "before"), PlannedFailure("fetch", 1, "before")])
    first, second = MemoryCourier(failures), MemoryCourier(failures)
    hand_over(first, PARCEL)
    with pytest.raises(Crash):
        hand_over(second, PARCEL)
    with pytest.raises(Crash):
        everything(MemoryMailbox(failures))


def test_patience_grows_from_nothing_to_its_bound_and_forgives() -> None:
    back_off = BackOff(first=10, most=35)
    pauses = []
    for _ in range(6):
        back_off.failed()
        pauses.append(round(back_off.left()))
    assert pauses == [0, 10, 20, 35, 35, 35]
    back_off.served()
    assert back_off.left() == 0
    back_off.failed()
    assert back_off.left() == 0


def test_a_connection_that_held_wipes_the_slate_and_one_that_did_not_adds_to_it() -> None:
    steady, hasty = BackOff(first=10, steady=0), BackOff(first=10, steady=1000)
    for back_off in (steady, hasty):
        for _ in range(3):
            back_off.reached()
            back_off.failed()
    assert steady.left() == 0
    assert hasty.left() > 0
