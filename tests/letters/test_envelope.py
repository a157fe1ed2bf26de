"""Letters as they leave: one text in two forms, one recipient, nothing a header could be broken with; read back by
Python's parser nothing is lost."""

import email
from dataclasses import replace
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import default
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee.base.settings import Offices, OfficesSection, Settings
from referee.core.diagram import Diagram
from referee.draw import draw_png
from referee.letters.envelope import BrokenField, Envelope
from referee.letters.letter import Head, Letter, LetterPage, decoded, outgoing

BOARD = Diagram("A board", ("a", "b"), ("2", "1"))
AT = datetime(2026, 3, 1, tzinfo=UTC)
HTML = '<p>Hello</p><p><img src="cid:board" alt="A board"></p>'


def some_letter(**more: object) -> Letter:
    head = Head("speaker", "collector", "ann@example.org", "Ann", "Hello", "<1@referee>", AT)
    parts: dict[str, Any] = {
        "head": head,
        "page": LetterPage("Hello\n", HTML, BOARD),
        "match": "m-1",
        "position": 7,
        "chain": "5e" * 32,
    }
    letter = Letter("announcement", **parts)
    for part in ("head", "page"):
        held = getattr(letter, part)
        changed = {name: value for name, value in more.items() if hasattr(held, name)}
        letter = replace(letter, **{part: replace(held, **changed)})
    rest = {name: value for name, value in more.items() if hasattr(letter, name)}
    return replace(letter, **rest)


def envelope(letter: Letter) -> bytes:
    return Envelope(Offices(Settings()), draw_png)(letter)


def _made(letter: Letter) -> EmailMessage:
    return made_of(envelope(letter))


def made_of(raw: bytes) -> EmailMessage:
    message = email.message_from_bytes(raw, policy=default)
    assert isinstance(message, EmailMessage)
    return message


def test_a_letter_is_text_and_html_with_the_board_inside() -> None:
    made = _made(some_letter())
    assert made.get_content_type() == "multipart/alternative"
    assert [part.get_content_type() for part in made.walk()][1:] == [
        "text/plain", "multipart/related", "text/html", "image/png",
    ]  # fmt: skip
    assert made["X-Referee-Notice"] == "announcement"
    assert made["X-Referee-Position"] == "7"
    assert made["X-Referee-Chain"] == "5e" * 32
    assert made["List-Id"] == "<m-1.referee.localhost>"
    assert made["Auto-Submitted"] == "auto-generated"


def test_a_letter_with_a_file_is_still_one_text_in_two_forms() -> None:
    made = _made(some_letter(attachments=(("m-1.json", "application/json", '{"a": 1}'),)))
    assert made.get_content_type() == "multipart/alternative"
    files = [part.get_filename() for part in made.walk() if part.get_filename()]
    assert files == ["board.png", "m-1.json"]
    body = made.get_body(("plain",))
    assert body.get_content().splitlines() == ["Hello"]


def test_names_and_subjects_break_no_header() -> None:
    made = _made(
        some_letter(recipient_name='Ann"\r\nBcc: eve@evil.org', subject="Hi\r\nBcc: eve@evil.org\x00")
    )
    assert made["Bcc"] is None
    assert made["To"].addresses[0].addr_spec == "ann@example.org"
    assert len(made["To"].addresses) == 1


def test_a_letter_survives_its_encoding() -> None:
    assert decoded(outgoing(some_letter())) == some_letter()


def test_ids_and_ways_out_stay_what_they_are_however_long_the_host() -> None:
    host = "a-very-long-name.of-some-department.of-some-host.example.org"
    ids = tuple(f"<{'0123456789' * 4}{n}@{host}>" for n in range(3))
    letter = some_letter(
        message_id=ids[0], in_reply_to=ids[1], references=ids, stop=("m" * 80, "0" * 20), match="m" * 80
    )
    section = OfficesSection(speaker=f"speaker@{host}", collector=f"collector@{host}")
    raw = Envelope(Offices(Settings(offices=section)), draw_png)(letter)
    head = raw.partition(b"\r\n\r\n")[0].decode()
    assert "=?" not in head
    made = made_of(raw)
    assert made["Message-ID"] == ids[0]
    assert made["In-Reply-To"] == ids[1]
    assert tuple(made["References"].split()) == ids
    assert made["List-Id"] == f"<{'m' * 80}.{host}>"
    assert made["List-Unsubscribe"] == f"<mailto:collector+{'0' * 20}@{host}?subject=stop%20{'m' * 80}>"
    assert max(map(len, head.split("\r\n"))) < 998


HOSTILE = (
    "--=_alternative", "--=_alternative--", "--=_related--", "--=_mixed", "=_mixed", "\r\n--=_related\r\n\r\n",
    'Content-Type: multipart/mixed; boundary="=_mixed"', "=\n_mixed", "=3D_mixed", "\x00", "\u2028", "\udc80", ".",
    "From ", "BEGIN:VCALENDAR", "<p>", '<p><img src="cid:board" alt="A board"></p>',
)  # fmt: skip
WORDS = st.lists(st.one_of(st.sampled_from(HOSTILE), st.text(max_size=60)), max_size=6).map("\n".join)
SAID = WORDS.map(lambda words: words.encode("utf-8", "replace").decode())


@settings(max_examples=150)
@given(SAID, SAID, SAID, WORDS, WORDS, st.sampled_from(["both", "text", "html"]))
@example(
    "--=_alternative--\n", "--=_related--\n", "--=_mixed--\n", "a\r\nBcc: eve@evil.org", "x\nBcc: b@c", "both"
)
def test_no_words_break_out_of_their_part_or_field(
    text: str, html: str, file: str, name: str, subject: str, medium: str
) -> None:
    page = html + HTML
    letter = some_letter(
        text=text, html=page, recipient_name=name, subject=subject, medium=medium,
        attachments=(("a.txt", "text/plain", file), ("b.json", "application/json", file)),
    )  # fmt: skip
    made = _made(letter)
    picture = ["multipart/related", "text/html", "image/png"]
    body = {"both": ["multipart/alternative", "text/plain", "multipart/mixed", *picture],
            "html": ["multipart/mixed", *picture], "text": ["multipart/mixed", "text/plain"]}[medium]  # fmt: skip
    assert [part.get_content_type() for part in made.walk()] == [*body, "text/plain", "application/json"]
    assert not made.defects
    assert not any(part.defects for part in made.walk())
    for part, expected in zip(
        [part for part in made.walk() if not part.is_multipart() and part.get_content_maintype() != "image"],
        [*([text] if medium != "html" else []), *([page] if medium != "text" else []), file, file],
        strict=True,
    ):
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        assert _one_end(content.decode()) == _one_end(expected)
    assert set(made.keys()) == {
        "From", "To", "Reply-To", "Subject", "Date", "Message-ID", "Auto-Submitted", "X-Referee-Notice", "List-Id",
        "X-Referee-Match", "Thread-Topic", "Thread-Index", "List-Unsubscribe", "X-Referee-Position", "X-Referee-Chain",
        "MIME-Version",
        "Content-Type",
    } - {"List-Unsubscribe"}  # fmt: skip
    assert made["To"].addresses[0].addr_spec == "ann@example.org"
    assert len(made["To"].addresses) == 1


def _one_end(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")


# --- MIME of our own making -------------------------------------------------------------------------------------------

PRINTED = st.text(st.characters(categories=("L", "M", "N", "P", "S", "Zs")), max_size=200)
SHOWN = PRINTED.map(lambda text: " ".join("".join(c if c.isprintable() else " " for c in text).split()))


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
