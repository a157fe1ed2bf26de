"""What every mailbox must do, on each of them: Maildir, memory, and the real Dovecot."""

from collections.abc import Iterator
from datetime import UTC, timedelta
from pathlib import Path

import pytest

from referee.base.ports import Filing
from tests.servers.ground import PATIENCE
from tests.transport.mailboxes import (
    ImapPlace,
    MaildirPlace,
    MemoryPlace,
    Place,
    at,
    everything,
    mail,
    nobody,
)


@pytest.fixture(params=["maildir", "memory", pytest.param("dovecot", marks=pytest.mark.server)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    if request.param == "maildir":
        yield MaildirPlace(tmp_path / "in")
    elif request.param == "memory":
        yield MemoryPlace()
    else:
        imap = ImapPlace(request.getfixturevalue("dovecot"), request.getfixturevalue("mail_user"))
        yield imap
        imap.close()


def test_mails_come_oldest_first_and_on_a_tie_in_order_of_delivery(place: Place) -> None:
    place.deliver_all([(mail(number), at(minute)) for number, minute in enumerate((5, 3, 9, 3, 1))])
    found = everything(place.open())
    assert [arrival.raw for arrival in found] == [mail(number) for number in (4, 1, 3, 0, 2)]


def test_bytes_size_and_arrival_are_the_servers_own(place: Place) -> None:
    place.deliver_all([(mail(1), at(7, 30))])
    (arrival,) = everything(place.open())
    assert (arrival.raw, arrival.size, arrival.cut) == (mail(1), len(mail(1)), False)
    assert arrival.arrived == at(7, 30)
    assert arrival.arrived.tzinfo is UTC


def test_arrival_does_not_depend_on_the_machines_zone(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    place.deliver_all([(mail(1), at(7))])
    monkeypatch.setenv("TZ", "Asia/Kathmandu")
    time.tzset()
    try:
        (arrival,) = everything(place.open())
    finally:
        monkeypatch.delenv("TZ")
        time.tzset()
    assert arrival.arrived == at(7)


def test_batches_are_bounded_and_lose_nothing(place: Place) -> None:
    place.deliver_all([(mail(number), at(0) + timedelta(seconds=number)) for number in range(205)])
    batches = list(place.open().fetch(nobody, 10_000))
    assert max(len(batch) for batch in batches) <= 100
    assert [arrival.raw for batch in batches for arrival in batch] == [mail(number) for number in range(205)]


def test_of_a_large_mail_only_the_first_part_comes_and_it_says_so(place: Place) -> None:
    large = mail(1, size=5_000)
    place.deliver_all([(large, at(1))])
    place.deliver_all([(mail(2), at(2))])
    first, second = everything(place.open(), largest=1_000)
    assert (first.raw, first.cut) == (large[:1_000], True)
    assert first.size >= len(large)
    assert (second.raw, second.cut) == (mail(2), False)


def test_a_mail_of_exactly_the_largest_size_is_whole(place: Place) -> None:
    place.deliver_all([(mail(1), at(1))])
    (arrival,) = everything(place.open(), largest=len(mail(1)))
    assert (arrival.raw, arrival.cut) == (mail(1), False)


def test_known_mails_are_left_out(place: Place) -> None:
    place.deliver_all([(mail(1), at(1))])
    place.deliver_all([(mail(2), at(2))])
    mailbox = place.open()
    first, second = everything(mailbox)
    assert [arrival.uid for arrival in everything(mailbox, known={first.uid}.intersection)] == [second.uid]


def test_reading_settles_nothing_and_handles_stay(place: Place) -> None:
    place.deliver_all([(mail(1), at(1))])
    before = everything(place.open())
    assert everything(place.open()) == before
    assert len(before) == 1


@pytest.mark.parametrize("filing", ["done", "refused", "held"])
def test_a_filed_mail_is_kept_and_not_fetched_again(place: Place, filing: Filing) -> None:
    place.deliver_all([(mail(1), at(1))])
    place.deliver_all([(mail(2), at(2))])
    mailbox = place.open()
    first, second = everything(mailbox)
    mailbox.file([(first.uid, filing)])
    assert [arrival.uid for arrival in everything(mailbox)] == [second.uid]
    assert [arrival.uid for arrival in everything(place.open())] == [second.uid]
    assert place.filed(filing) == [mail(1)]


def test_filing_again_or_what_never_was_is_no_trouble(place: Place) -> None:
    place.deliver_all([(mail(1), at(1))])
    mailbox = place.open()
    (arrival,) = everything(mailbox)
    mailbox.file([(arrival.uid, "done")])
    mailbox.file([(arrival.uid, "done"), ("nothing:1:2", "refused"), ("imap:1:99999", "held")])
    mailbox.file([])
    assert place.filed("done") == [mail(1)]


def test_many_are_filed_at_once_each_to_its_place(place: Place) -> None:
    place.deliver_all([(mail(number), at(number)) for number in range(30)])
    mailbox = place.open()
    kinds: tuple[Filing, ...] = ("done", "refused", "held")
    arrivals = everything(mailbox)
    mailbox.file([(arrival.uid, kinds[number % 3]) for number, arrival in enumerate(arrivals)])
    assert everything(mailbox) == []
    assert place.filed("held") == sorted(mail(number) for number in range(2, 30, 3))


def test_filing_between_batches_disturbs_no_later_batch(place: Place) -> None:
    place.deliver_all([(mail(number), at(0) + timedelta(seconds=number)) for number in range(205)])
    mailbox = place.open()
    seen = []
    for batch in mailbox.fetch(nobody, 10_000):
        seen += [arrival.raw for arrival in batch]
        mailbox.file([(arrival.uid, "done") for arrival in batch])
    assert seen == [mail(number) for number in range(205)]
    assert place.waiting() == 0


def test_waiting_ends_when_mail_came_since_the_last_fetch(place: Place) -> None:
    mailbox = place.open() if not isinstance(place, MemoryPlace) else place.server
    everything(mailbox)
    assert mailbox.wait(0.3) is False
    place.deliver_all([(mail(1), at(1))])
    assert mailbox.wait(PATIENCE) is True
    (arrival,) = everything(mailbox)
    mailbox.file([(arrival.uid, "done")])
    everything(mailbox)
    assert mailbox.wait(0.3) is False


def test_a_healthy_mailbox_has_no_faults(place: Place) -> None:
    place.deliver_all([(mail(1), at(1))])
    assert place.open().examine() == ()
