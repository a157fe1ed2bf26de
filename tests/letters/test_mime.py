"""MIME of our own making, read back by Python's parser: nothing is lost, and no value breaks out of its field."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.letters.envelope import BrokenField
from tests.letters.test_envelope import envelope, made_of, some_letter

WORDS = st.text(st.characters(categories=("L", "M", "N", "P", "S", "Zs")), max_size=200)
SHOWN = WORDS.map(lambda text: " ".join("".join(c if c.isprintable() else " " for c in text).split()))


@given(SHOWN, SHOWN)
def test_words_of_a_head_are_read_as_they_were_written(subject: str, name: str) -> None:
    raw = envelope(some_letter(subject=subject, recipient_name=name))
    head = raw.partition(b"\r\n\r\n")[0]
    assert raw.isascii()
    assert head.count(b"\n") == head.count(b"\r") == head.count(b"\r\n")
    made = made_of(raw)
    assert " ".join(str(made["Subject"]).split()) == subject
    assert [a.addr_spec for a in made["To"].addresses] == ["ann@example.org"]
    # Python's reader of addresses puts a blank between two encoded words, which RFC 2047 (6.2) does not
    assert "".join(made["To"].addresses[0].display_name.split()) == "".join(name.split())


@given(
    st.text(st.characters(categories=("Cc", "Zl", "Zp")), min_size=1, max_size=3), st.sampled_from([0, 3, 6]),
    st.sampled_from(["message_id", "recipient", "automatic", "match"]),
)  # fmt: skip
def test_what_could_end_a_line_is_in_no_head(control: str, at: int, field: str) -> None:
    value = "Hello!"[:at] + control + "Hello!"[at:]
    try:
        raw = envelope(some_letter(**{field: value}))
    except BrokenField:
        return
    assert field == "recipient"  # which is put on one line
    assert control.encode() not in raw.partition(b"\r\n\r\n")[0].replace(b"\r\n", b"")


def test_an_address_beyond_ascii_stands_as_it_is() -> None:
    assert "\r\nTo: <ännchen@example.org>\r\n".encode() in envelope(
        some_letter(recipient="ännchen@example.org")
    )


def test_no_line_of_a_field_is_longer_than_a_server_takes() -> None:
    for more in (
        {"references": tuple(f"<{'x' * 60}{n}@referee>" for n in range(40))},
        {"subject": "длинное слово " * 40},
        {"subject": "x" * 3000},
        {"recipient": f"{'a' * 60}@{'b' * 60}.example", "recipient_name": "Ü" * 60},
    ):
        assert max(map(len, envelope(some_letter(**more)).split(b"\r\n"))) < 998


def test_an_attached_calendar_keeps_its_method() -> None:
    file = ("a.ics", "text/calendar; method=PUBLISH", "BEGIN:VCALENDAR\n")
    (part,) = (
        p for p in made_of(envelope(some_letter(attachments=(file,)))).walk() if p.get_filename() == "a.ics"
    )
    assert part.get_content_type() == "text/calendar"
    assert part["Content-Type"].params["method"] == "PUBLISH"


def test_a_field_that_is_broken_is_none() -> None:
    with pytest.raises(BrokenField):
        envelope(some_letter(message_id="<1@referee>\r\nBcc: eve@evil.org"))
