"""Letters out into a Maildir."""

import email
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.base.ports import Parcel, hand_over
from referee.transport.maildir import MaildirCourier, file_name

DATED = b"Date: Sun, 01 Mar 2026 12:00:00 +0000\r\nSubject: x\r\n\r\nHello\r\n"


def parcel(recipient: str = "ann@example.test", message_id: str = "<1@x>", raw: bytes = DATED) -> Parcel:
    return Parcel("referee@example.test", recipient, message_id, raw)


def letters(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted((folder / "new").iterdir())]


def test_one_file_per_letter_and_recipient_with_the_recipient_first(tmp_path: Path) -> None:
    courier = MaildirCourier(tmp_path / "out")
    assert hand_over(courier, parcel()).fate == "sent"
    assert hand_over(courier, parcel("bob@example.test")).fate == "sent"
    assert hand_over(courier, parcel(message_id="<2@x>")).fate == "sent"
    found = letters(tmp_path / "out")
    assert len(found) == 3
    assert sorted(raw.splitlines()[0] for raw in found) == [
        b"Delivered-To: ann@example.test", b"Delivered-To: ann@example.test", b"Delivered-To: bob@example.test",
    ]  # fmt: skip
    assert email.message_from_bytes(found[0])["Subject"] == "x"
    assert os.listdir(tmp_path / "out" / "tmp") == []


def test_a_repeat_of_the_same_letter_to_the_same_recipient_replaces_its_first_copy(tmp_path: Path) -> None:
    courier = MaildirCourier(tmp_path)
    assert {hand_over(courier, parcel()).fate for _ in range(3)} == {"sent"}
    assert len(letters(tmp_path)) == 1


def test_names_sort_by_the_letters_own_date() -> None:
    later = DATED.replace(b"2026", b"2027").replace(b"Sun, ", b"")
    assert file_name(parcel()).startswith("1772366400.")
    assert file_name(parcel()) < file_name(parcel(raw=later))


@pytest.mark.parametrize(
    "date", [b"", b"Date: \r\n", b"Date: yesterday\r\n", b"Date: \xff\xfe\r\n", b"Date: 1 Jan 1500\r\n"]
)
def test_a_letter_without_a_readable_date_is_written_all_the_same(tmp_path: Path, date: bytes) -> None:
    assert (
        hand_over(MaildirCourier(tmp_path), parcel(raw=date + b"Subject: x\r\n\r\nDate: 1 Jan 2026\r\n")).fate
        == "sent"
    )
    assert os.listdir(tmp_path / "new")[0].startswith("0.")


def test_an_address_that_would_break_the_header_is_refused_for_good(tmp_path: Path) -> None:
    delivery = hand_over(MaildirCourier(tmp_path), parcel("ann@example.test\nBcc: eve@example.test"))
    assert delivery.fate == "never"
    assert not (tmp_path / "new").exists()


def test_a_full_disk_keeps_the_letter_for_later_and_leaves_no_half_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    courier = MaildirCourier(tmp_path)
    assert courier.examine() == ()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    delivery = hand_over(courier, parcel())
    monkeypatch.undo()
    assert delivery.fate == "later"
    assert "No space left" in delivery.note
    assert os.listdir(tmp_path / "new") == os.listdir(tmp_path / "tmp") == []
    assert hand_over(courier, parcel()).fate == "sent"


def test_letters_of_a_batch_have_a_fate_each_and_leave_nothing_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of many the disk takes no more from the seventh to the ninth; the same letter twice is there once."""
    courier = MaildirCourier(tmp_path)
    assert courier.examine() == ()
    before, calls, really = len(os.listdir("/proc/self/fd")), [0], os.fsync

    def full(descriptor: int) -> None:
        calls[0] += 1
        if 7 <= calls[0] <= 9:
            raise OSError(28, "No space left on device")
        really(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    numbers = [*range(45), 44]
    given = [parcel(message_id=f"<{n}@x>") for n in numbers]
    fates = [delivery.fate for _, delivery in courier.send(given)]
    monkeypatch.undo()
    assert fates == ["sent"] * 6 + ["later"] * 3 + ["sent"] * 37
    assert len(letters(tmp_path)) == 42
    assert os.listdir(tmp_path / "tmp") == []
    assert len(os.listdir("/proc/self/fd")) == before


def test_what_breaks_in_while_letters_are_put_together_leaves_no_half_of_any(tmp_path: Path) -> None:
    courier = MaildirCourier(tmp_path)
    assert courier.examine() == ()
    before = len(os.listdir("/proc/self/fd"))

    def parcels() -> Iterator[Parcel]:
        for number in range(25):
            yield parcel(message_id=f"<{number}@x>")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(courier.send(parcels()))
    assert letters(tmp_path) == []
    assert os.listdir(tmp_path / "tmp") == []
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_place_that_is_no_folder_is_later_and_a_fault_for_the_doctor(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("in the way")
    courier = MaildirCourier(tmp_path / "out")
    assert hand_over(courier, parcel()).fate == "later"
    (fault,) = courier.examine()
    assert "can't be written" in fault
