"""MIME of our own making, read back by Python's parser: nothing is lost, and no value breaks out of its field."""

from __future__ import annotations

import email
from email.message import EmailMessage
from email.policy import default

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.letters import envelope as mime

WORDS = st.text(st.characters(categories=("L", "M", "N", "P", "S", "Zs")), max_size=200)
SHOWN = WORDS.map(lambda text: " ".join("".join(c if c.isprintable() else " " for c in text).split()))


def read(raw: bytes) -> EmailMessage:
    message = email.message_from_bytes(raw, policy=default)
    assert isinstance(message, EmailMessage)
    return message


@given(SHOWN)
def test_a_subject_is_read_as_it_was_written(text: str) -> None:
    raw = mime.spoken("Subject", text)
    assert raw.endswith(b"\r\n")
    assert all(line.startswith(b" ") for line in raw[:-2].split(b"\r\n")[1:])
    assert raw.isascii()
    assert " ".join(str(read(raw + b"\r\nbody")["Subject"]).split()) == text


@given(SHOWN)
def test_a_person_is_read_as_he_was_written(name: str) -> None:
    raw = mime.person("To", "ann.archer@example.org", name)
    assert raw.isascii()
    field = read(raw + b"\r\nbody")["To"]
    assert [a.addr_spec for a in field.addresses] == ["ann.archer@example.org"]
    # Python's reader of addresses puts a blank between two encoded words, which RFC 2047 (6.2) does not
    assert "".join(field.addresses[0].display_name.split()) == "".join(name.split())
    assert list(read(raw + b"\r\nbody").keys()) == ["To"]


@given(
    st.text(st.characters(categories=("Cc", "Zl", "Zp")), min_size=1, max_size=3), st.sampled_from([0, 3, 6])
)
def test_what_could_end_a_line_is_refused_by_every_field(control: str, at: int) -> None:
    value = "Hello!"[:at] + control + "Hello!"[at:]
    for broken in (
        lambda: mime.plain("List-Id", value),
        lambda: mime.spoken("Subject", value),
        lambda: mime.person("To", "ann@example.org", value),
        lambda: mime.person("To", value, "Ann"),
        lambda: mime.disposition("attachment", value),
    ):
        with pytest.raises(mime.BrokenField):
            broken()


def test_no_line_of_a_field_is_longer_than_a_server_takes() -> None:
    for raw in (
        mime.plain("References", " ".join(f"<{'x' * 60}{n}@referee>" for n in range(40))),
        mime.spoken("Subject", "длинное слово " * 40),
        mime.spoken("Subject", "x" * 3000),
        mime.person("To", f"{'a' * 60}@{'b' * 60}.example", "Ü" * 60),
    ):
        assert max(map(len, raw.split(b"\r\n"))) < 998


@given(
    st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=300),
    st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=300),
    st.binary(max_size=300),
)
def test_bodies_are_read_as_they_were_written(text: str, html: str, picture: bytes) -> None:
    page = mime.text_part(html, "text/html")
    both = (page, mime.binary_part(picture, "image/png", mime.disposition("inline", "board.png")))
    raw = mime.multipart("alternative", (mime.text_part(text, "text/plain"), mime.multipart("related", both)))
    message = read(b"MIME-Version: 1.0\r\n" + raw)
    plain, page_read, picture_read = (part for part in message.walk() if not part.is_multipart())
    assert _lines(plain.get_payload(decode=True)) == text.removesuffix("\n")
    assert _lines(page_read.get_payload(decode=True)) == html.removesuffix("\n")
    assert picture_read.get_payload(decode=True) == picture
    assert not message.defects
    assert max(map(len, raw.split(b"\r\n"))) <= 78
    assert raw.count(b"\n") == raw.count(b"\r") == raw.count(b"\r\n")


def _lines(content: object) -> str:
    assert isinstance(content, bytes)
    return content.decode().replace("\r\n", "\n").removesuffix("\n")


def test_an_attached_calendar_keeps_its_method() -> None:
    part = mime.text_part(
        "BEGIN:VCALENDAR\n", "text/calendar; method=PUBLISH", mime.disposition("attachment", "a.ics")
    )
    message = read(part)
    assert message.get_content_type() == "text/calendar"
    assert message["Content-Type"].params["method"] == "PUBLISH"
    assert message.get_filename() == "a.ics"
