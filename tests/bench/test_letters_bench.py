"""What it costs to put letters together, beside the email package's own way with the same letters in the same run."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP

from referee.base.settings import Offices, Settings
from referee.core.diagram import Diagram
from referee.draw import draw_png
from referee.letters.envelope import Envelope
from referee.letters.letter import Head, Letter, LetterPage

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
BOARD = Diagram("A board", ("a", "b"), ("2", "1"))
PICTURE = draw_png(BOARD)
TEXT = "\n".join(f"Line {n} of a letter that tells what happened on the board." for n in range(60))
HTML = f'<p><img src="cid:board" alt="A board"></p>{"<p>What happened on the board, once more.</p>" * 60}'


def _letters(turn: int) -> list[Letter]:
    """One turn's letters: a public one to three players and two observers, of which each sees the same."""
    return [
        Letter(
            "announcement",
            Head(
                "speaker",
                "collector",
                f"player{n}@example.org",
                f"Player Number {n}",
                "Go: what happened in go-1",
                f"<{turn:040x}{n}@referee.example>",
                AT,
                references=(f"<{n:040x}@referee.example>",),
                token="0" * 20,
            ),
            LetterPage(f"{TEXT}\nTurn {turn}\n", HTML.replace("once", f"{turn}"), BOARD),
            "go-1",
            position=turn,
        )
        for n in range(5)
    ]


def _plainly(letter: Letter, offices: Offices) -> bytes:
    """The way the email package's documentation shows."""
    message = EmailMessage(policy=SMTP)
    message["From"] = Address(offices.name, addr_spec=offices.speaker)
    message["To"] = Address(letter.head.recipient_name, addr_spec=letter.head.recipient)
    message["Reply-To"] = offices.address("collector", letter.head.token)
    message["Subject"] = letter.head.subject
    message["Date"] = letter.head.at
    message["Message-ID"] = letter.head.message_id
    message["References"] = " ".join(letter.head.references)
    message["Auto-Submitted"] = letter.head.automatic
    message["X-Referee-Notice"] = letter.kind
    message["List-Id"] = f"<{letter.match}.referee.localhost>"
    message["X-Referee-Match"] = letter.match
    message["X-Referee-Position"] = str(letter.position)
    message.set_content(letter.page.text)
    message.add_alternative(letter.page.html, subtype="html")
    page = message.get_payload(1)
    assert isinstance(page, EmailMessage)
    page.add_related(PICTURE, "image", "png", cid="<board>")
    return message.as_bytes()


def test_a_letter_costs_a_small_part_of_what_the_email_package_takes() -> None:
    envelope, offices = Envelope(Offices.of(Settings()), lambda diagram: PICTURE), Offices.of(Settings())
    letters = [letter for turn in range(1, 60) for letter in _letters(turn)]
    start = time.process_time()
    ours = [envelope(letter) for letter in letters]
    middle = time.process_time()
    theirs = [_plainly(letter, offices) for letter in letters]
    end = time.process_time()
    ratio = (middle - start) / (end - middle)
    print(
        f"{len(ours)} letters: {1000 * (middle - start) / len(ours):.3f} ms each, {ratio:.3f} of {len(theirs)}"
    )
    assert ratio < 0.3
