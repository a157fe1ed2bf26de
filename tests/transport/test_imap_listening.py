"""Waiting for mail by IDLE, on lines that are cut, silent, or hung up."""

import pytest

from referee.base.ports import MailboxTrouble
from tests.servers.dovecot import Dovecot
from tests.servers.ground import PATIENCE
from tests.servers.severing import Line
from tests.transport.mailboxes import ImapPlace, at, everything, mail, read_and_file

pytestmark = pytest.mark.server
SILENCE = 2.0  # seconds after which a server is taken for silent: one that is at work is far quicker


def test_an_ear_that_never_fetches_is_told_of_each_mail_once(
    place: ImapPlace, dovecot: Dovecot, mail_user: str, line: Line
) -> None:
    ears = place.open()
    assert ears.wait(0.2) is True  # what came before it listened
    assert [ears.wait(0.2) for _ in range(3)] == [False] * 3
    dovecot.deliver(mail_user, mail(1))
    assert ears.wait(PATIENCE) is True
    assert [ears.wait(0.2) for _ in range(3)] == [False] * 3
    assert line.connections == 1


def test_waiting_for_a_dead_server_sleeps_and_hears_when_it_is_back(place: ImapPlace, line: Line) -> None:
    mailbox = place.open()
    everything(mailbox)
    line.arm(rb"", times=10_000)
    assert mailbox.wait(0.5) is True  # the line broke: mail may have come unseen
    before = line.connections
    assert mailbox.wait(1.0) is False
    assert line.connections - before <= 10
    line.arm(rb"never said", times=0)
    place.deliver_all([(mail(1), at(1))])
    assert mailbox.wait(PATIENCE) is True
    assert len(everything(mailbox)) == 1


def test_idle_in_short_slices_stays_one_conversation(place: ImapPlace, line: Line) -> None:
    mailbox = place.open()
    everything(mailbox)
    for _ in range(5):
        assert mailbox.wait(0.1) is False
    assert line.connections == 1


def test_idle_dropped_in_silence_is_noticed_and_mended(place: ImapPlace, line: Line) -> None:
    place.read_timeout = SILENCE
    mailbox = place.open()
    everything(mailbox)
    line.arm(rb" IDLE", "answer", silent=True)
    mailbox.wait(0.2)
    assert line.cuts == 1
    place.deliver_all([(mail(1), at(1))])
    read, _ = read_and_file(mailbox)
    assert read == [mail(1)]
    assert line.connections >= 2


def test_idle_hung_up_by_the_server_does_not_spin(place: ImapPlace, line: Line) -> None:
    mailbox = place.open()
    everything(mailbox)
    assert mailbox.wait(0.2) is False
    place.hang_up(line)
    answers = [mailbox.wait(0.3) for _ in range(3)]
    assert answers.count(True) <= 1  # told once that mail may have come, then asleep again on a new line
    place.deliver_all([(mail(1), at(1))])
    assert mailbox.wait(PATIENCE) is True
    assert len(everything(mailbox)) == 1


def test_a_server_that_says_nothing_any_more_is_given_up_in_bounded_time(
    place: ImapPlace, line: Line
) -> None:
    place.read_timeout = SILENCE
    place.deliver_all([(mail(1), at(1))])
    line.arm(rb" UID SEARCH ", "answer", silent=True)
    mailbox = place.open()
    with pytest.raises(MailboxTrouble, match="broke off"):
        everything(mailbox)
    assert len(everything(mailbox)) == 1
