"""Letters as they leave: one text in two forms, one recipient, nothing a header could be broken with."""

from __future__ import annotations

import email
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import default

from referee.core.diagram import Diagram
from referee.drawing import draw_png
from referee.offices.letters import Letter, decoded, encoded
from referee.offices.settings import Offices
from referee.post.envelope import Envelope

BOARD = Diagram("A board", ("a", "b"), ("2", "1"))
HTML = '<p>Hello</p><p><img src="cid:board" alt="A board"></p>'


def _letter(**more: object) -> Letter:
    facts: dict[str, object] = {
        "kind": "announcement", "office": "speaker", "reply_to": "collector", "recipient": "ann@example.org",
        "recipient_name": "Ann", "subject": "Hello", "text": "Hello\n", "html": HTML, "message_id": "<1@referee>",
        "at": datetime(2026, 3, 1, tzinfo=UTC), "match": "m-1", "position": 7, "diagram": BOARD,
    }  # fmt: skip
    return Letter(**{**facts, **more})  # type: ignore[arg-type]


def _made(letter: Letter) -> EmailMessage:
    message = email.message_from_bytes(Envelope(Offices(), draw_png)(letter), policy=default)
    assert isinstance(message, EmailMessage)
    return message


def test_a_letter_is_text_and_html_with_the_board_inside() -> None:
    made = _made(_letter())
    assert made.get_content_type() == "multipart/alternative"
    assert [part.get_content_type() for part in made.walk()][1:] == [
        "text/plain", "multipart/related", "text/html", "image/png",
    ]  # fmt: skip
    assert made["X-Referee-Notice"] == "announcement"
    assert made["X-Referee-Position"] == "7"
    assert made["List-Id"] == "<m-1.referee.localhost>"
    assert made["Auto-Submitted"] == "auto-generated"


def test_a_letter_with_a_file_is_still_one_text_in_two_forms() -> None:
    made = _made(_letter(attachments=(("m-1.json", "application/json", '{"a": 1}'),)))
    assert made.get_content_type() == "multipart/alternative"
    files = [part.get_filename() for part in made.walk() if part.get_filename()]
    assert files == ["board.png", "m-1.json"]
    body = made.get_body(("plain",))
    assert body is not None
    assert body.get_content().splitlines() == ["Hello"]


def test_names_and_subjects_break_no_header() -> None:
    made = _made(_letter(recipient_name='Ann"\r\nBcc: eve@evil.org', subject="Hi\r\nBcc: eve@evil.org\x00"))
    assert made["Bcc"] is None
    assert made["To"].addresses[0].addr_spec == "ann@example.org"
    assert len(made["To"].addresses) == 1


def test_a_letter_survives_its_encoding() -> None:
    assert decoded(encoded(_letter())) == _letter()
