"""The Maildir mailbox: odd names, odd files, and other programs at work in the same folder."""

import os
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from referee.base import ports
from referee.base.ports import Arrival, Known, MailboxTrouble
from referee.transport.maildir import MaildirMailbox, moment

RAW = b"Subject: x\n\nx\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for part in ("new", "cur", "tmp"):
        (tmp_path / part).mkdir()
    return tmp_path


def nobody(uids: Sequence[str]) -> Sequence[str]:
    return ()


def everything(mailbox: MaildirMailbox, known: Known = nobody) -> list[Arrival]:
    return [arrival for batch in mailbox.fetch(known, 10_000) for arrival in batch]


def put(folder: Path, name: str | bytes, raw: bytes = RAW, seconds: float = 1000) -> bytes:
    path = os.path.join(os.fsencode(folder), os.fsencode(name))
    with open(path, "wb") as file:
        file.write(raw)
    os.utime(path, (seconds, seconds))
    return path


def settle_all(folder: Path) -> list[bytes]:
    mailbox = MaildirMailbox(folder)
    arrivals = everything(mailbox)
    mailbox.file([(arrival.uid, "done") for arrival in arrivals])
    return [arrival.raw for arrival in arrivals]


def test_files_in_cur_are_messages_until_they_are_seen(folder: Path) -> None:
    put(folder / "new", "a", b"a")
    put(folder / "cur", "b", b"b")
    put(folder / "cur", "c:2,", b"c")
    put(folder / "cur", "d:2,FR", b"d")
    put(folder / "cur", "e:2,S", b"e")
    put(folder / "cur", "f:2,RS", b"f")
    put(folder / "new", "g:2,S", b"g")
    assert [arrival.raw for arrival in everything(MaildirMailbox(folder))] == [b"a", b"b", b"c", b"d", b"g"]


def test_a_settled_mail_moves_to_cur_with_the_seen_flag_and_keeps_the_flags_it_had(folder: Path) -> None:
    put(folder / "new", "a")
    put(folder / "cur", "b:2,R")
    settle_all(folder)
    assert sorted(os.listdir(folder / "cur")) == ["a:2,S", "b:2,RS"]
    assert os.listdir(folder / "new") == []


def test_a_held_mail_is_flagged_for_the_moderator_too(folder: Path) -> None:
    put(folder / "new", "a")
    mailbox = MaildirMailbox(folder)
    (arrival,) = everything(mailbox)
    mailbox.file([(arrival.uid, "held")])
    assert os.listdir(folder / "cur") == ["a:2,FS"]


def test_filing_keeps_the_bytes_and_the_arrival_time(folder: Path) -> None:
    put(folder / "new", "a", RAW, 123456.5)
    settle_all(folder)
    path = folder / "cur" / "a:2,S"
    assert (path.read_bytes(), path.stat().st_mtime) == (RAW, 123456.5)


@pytest.mark.parametrize("year", [-5000, 1900, 1970, 2026, 2400, 9999, 40_000])
def test_a_time_beyond_the_calendar_is_no_trouble(year: int) -> None:
    nanoseconds = int((year - 1970) * 31_556_952 * 1e9)
    assert timedelta(0) == moment(nanoseconds).utcoffset()


def test_a_name_of_any_bytes_is_read_and_filed_and_its_handle_is_plain_text(folder: Path) -> None:
    names = [
        b"\xff\xfe mail",
        "brücke 雪".encode(),
        b"a\nb",
        b"%2F..",
        b"x" * 240,
        b"a:b:2,",
        b"-rf",
        b"'\"$(x)`",
    ]
    for number, name in enumerate(names):
        put(folder / "new", name, b"%d" % number, number)
    arrivals = everything(MaildirMailbox(folder))
    assert [arrival.raw for arrival in arrivals] == [b"%d" % number for number in range(len(names))]
    for arrival in arrivals:
        assert arrival.uid.isascii()
        assert arrival.uid.isprintable()
        assert len(arrival.uid) < 200
    MaildirMailbox(folder).file([(arrival.uid, "done") for arrival in arrivals])
    assert everything(MaildirMailbox(folder)) == []
    assert len(os.listdir(folder / "cur")) == len(names)


def test_what_is_no_mail_is_passed_over_and_told_to_the_doctor(folder: Path) -> None:
    (folder / "new" / "folder").mkdir()
    os.mkfifo(folder / "new" / "pipe")
    (folder / "new" / "nowhere").symlink_to(folder / "not there")
    put(folder / "new", ".hidden")
    put(folder / "new", "mail")
    assert settle_all(folder) == [RAW]
    faults = MaildirMailbox(folder).examine()
    assert len(faults) == 3
    assert all("is not a file" in fault for fault in faults)


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that opens and can't be read")
def test_an_unreadable_file_stops_no_other_and_is_told_to_the_doctor(folder: Path) -> None:
    put(folder / "new", "a", b"a", 1)
    (folder / "new" / "b").symlink_to("/proc/self/mem")
    put(folder / "new", "c", b"c", 2)
    assert settle_all(folder) == [b"a", b"c"]
    (fault,) = MaildirMailbox(folder).examine()
    assert "can't be read" in fault
    assert "new/b" in fault


def test_a_file_that_vanishes_between_list_and_read_is_left_out(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(folder / "new", "a", b"a", 1)
    put(folder / "new", "b", b"b", 2)
    monkeypatch.setattr(ports, "BATCH", 1)
    batches = MaildirMailbox(folder).fetch(nobody, 100)
    next(iter(batches))
    (folder / "new" / "b").unlink()
    assert list(batches) == []


def test_a_mail_another_program_moves_or_flags_meanwhile_is_still_read_and_filed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, name in enumerate("abc"):
        put(folder / "new", name, name.encode(), number)
    monkeypatch.setattr(ports, "BATCH", 1)
    mailbox = MaildirMailbox(folder)
    batches = mailbox.fetch(nobody, 100)
    first = next(iter(batches))
    (folder / "new" / "b").rename(folder / "cur" / "b:2,")
    rest = [arrival for batch in batches for arrival in batch]
    assert [arrival.raw for arrival in rest] == [b"b", b"c"]
    (folder / "cur" / "b:2,").rename(folder / "cur" / "b:2,R")
    mailbox = MaildirMailbox(folder)
    mailbox.file([(arrival.uid, "done") for arrival in (*first, *rest)])
    assert sorted(os.listdir(folder / "cur")) == ["a:2,S", "b:2,RS", "c:2,S"]


def test_a_name_used_again_is_another_mail_and_overwrites_nothing(folder: Path) -> None:
    put(folder / "new", "1.eml", b"first", 10)
    mailbox = MaildirMailbox(folder)
    (first,) = everything(mailbox)
    mailbox.file([(first.uid, "done")])
    put(folder / "new", "1.eml", b"second", 20)
    (second,) = everything(mailbox, known={first.uid}.intersection)
    assert second.raw == b"second"
    mailbox.file([(second.uid, "done"), (first.uid, "done")])
    assert sorted(path.read_bytes() for path in (folder / "cur").iterdir()) == [b"first", b"second"]


def test_a_missing_folder_is_trouble_with_a_remedy(tmp_path: Path) -> None:
    mailbox = MaildirMailbox(tmp_path / "nowhere")
    with pytest.raises(MailboxTrouble, match="nowhere"):
        everything(mailbox)
    (fault,) = mailbox.examine()
    assert "referee init" in fault
    (tmp_path / "new").mkdir()
    assert "no cur/" in MaildirMailbox(tmp_path).examine()[0]


def test_mail_that_can_not_be_moved_is_trouble(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(folder / "new", "a")
    mailbox = MaildirMailbox(folder)
    (arrival,) = everything(mailbox)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "rename", full)
    with pytest.raises(MailboxTrouble, match="No space left"):
        mailbox.file([(arrival.uid, "done")])
    monkeypatch.undo()
    mailbox.file([(arrival.uid, "done")])
    assert os.listdir(folder / "cur") == ["a:2,S"]


def test_batches_are_bounded_by_weight_too(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "BATCH_BYTES", 100)
    for number in range(7):
        put(folder / "new", f"{number}", b"x" * 60, number)
    assert [len(batch) for batch in MaildirMailbox(folder).fetch(nobody, 1000)] == [2, 2, 2, 1]


def test_waiting_is_not_woken_by_what_the_referee_knows(folder: Path) -> None:
    put(folder / "new", "a")
    mailbox = MaildirMailbox(folder)
    assert mailbox.wait(0) is True
    (arrival,) = everything(mailbox)
    assert mailbox.wait(0) is False
    mailbox.file([(arrival.uid, "done")])
    assert mailbox.wait(0) is False
    put(folder / "new", "a", b"the name again")
    assert mailbox.wait(0) is True
