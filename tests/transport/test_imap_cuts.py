"""The line to IMAP cut in every command: no mail is lost, none is read twice."""

from contextlib import suppress

import pytest

from referee.base.ports import MailboxTrouble
from tests.servers.severing import Line, Moment
from tests.transport.mailboxes import ImapPlace, at, everything, mail, read_and_file

pytestmark = pytest.mark.server

COMMANDS = [
    rb" LOGIN ",
    rb" CAPABILITY",
    rb" SELECT ",
    rb" UID SEARCH ",
    rb" UID FETCH .*INTERNALDATE",
    rb" UID FETCH .*BODY",
    rb" NAMESPACE",
    rb" UID MOVE ",
    rb" CREATE ",
    rb" IDLE",
    rb"DONE",
]


@pytest.mark.parametrize("moment", ["command", "answer", "midway"])
@pytest.mark.parametrize(
    "command", COMMANDS, ids=lambda command: command.decode().strip(" ").replace(" ", "-")
)
def test_a_cut_in_any_command_loses_and_doubles_nothing(
    place: ImapPlace, line: Line, command: bytes, moment: Moment
) -> None:
    mails = [mail(number) for number in range(7)]
    place.deliver_all([(raw, at(number)) for number, raw in enumerate(mails)])
    line.arm(command, moment)
    read, _ = read_and_file(place.open())
    assert read == mails
    assert place.filed("done") == sorted(mails)
    assert place.waiting() == 0
    assert line.cuts == 1 or command == rb" CAPABILITY"  # the server may tell its abilities unasked


@pytest.mark.parametrize("moment", ["command", "answer", "midway"])
@pytest.mark.parametrize(
    "command", [rb" UID COPY ", rb" UID STORE ", rb"EXPUNGE"], ids=["copy", "store", "expunge"]
)
def test_a_cut_while_a_server_without_move_files_loses_nothing(
    place: ImapPlace, line: Line, command: bytes, moment: Moment
) -> None:
    """A mail may lie in both places, or be left in the first, marked; it is read once, and copied once at most."""
    line.hidden = (b" MOVE",)
    mails = [mail(number) for number in range(7)]
    place.deliver_all([(raw, at(number)) for number, raw in enumerate(mails)])
    line.arm(command, moment)
    read, _ = read_and_file(place.open())
    assert read == mails
    filed = place.filed("done")
    assert sorted(set(filed)) == filed
    assert len(filed) + place.waiting() >= len(mails)
    assert everything(place.open()) == []
    assert line.cuts == 1


def test_a_line_cut_three_times_over_is_read_in_the_end(place: ImapPlace, line: Line) -> None:
    place.deliver_all([(mail(1), at(1))])
    line.arm(rb" UID (FETCH|MOVE) ", "midway", times=3)
    read, troubles = read_and_file(place.open())
    assert (read, place.filed("done")) == ([mail(1)], [mail(1)])
    assert troubles >= 2


def test_a_cut_while_the_server_was_left_alone_is_not_even_noticed(place: ImapPlace, line: Line) -> None:
    place.deliver_all([(mail(1), at(1))])
    mailbox = place.open()
    assert len(everything(mailbox)) == 1
    place.hang_up(line)
    assert len(everything(mailbox)) == 1


def test_a_line_that_breaks_behind_every_copy_makes_one_copy(place: ImapPlace, line: Line) -> None:
    line.hidden = (b" MOVE",)
    place.deliver_all([(mail(number), at(number)) for number in range(3)])
    first, *uids = [arrival.uid for arrival in everything(place.open())]
    place.open().file([(first, "done")])  # the folder is there
    line.arm(rb" UID COPY ", "answer", times=5)
    for _ in range(5):
        with suppress(MailboxTrouble):
            place.open().file([(uid, "done") for uid in uids])
    line.arm(rb"never said", times=0)
    place.open().file([(uid, "done") for uid in uids])
    assert place.filed("done") == [mail(0), mail(1), mail(2)]
    assert everything(place.open()) == []
