"""What was left out of a mail is named in its answer where it held something like an order, and only there: no quote of
ours as it was sent, no signature and no HTML copy is worth a line of a receipt."""

from collections.abc import Sequence
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.attacks.coming_back import WAYS
from tests.attacks.test_thanks_that_order import GAMES, Club, opened
from tests.memory import answer_text, owing, subject_of

TOLD = "I left out"
SIGNATURE = "Ann Archer\nExample Street 12\n+44 20 7946 0000\nhttps://example.org"
DISCLAIMER = (
    "________\nThis e-mail and any attachments are confidential. If you have received it in error, delete it."
)


def tried(club: Club, mails: Sequence[EmailMessage]) -> list[str]:
    """The answers to these mails, each as a question what it would come to."""
    for number, mail in enumerate(mails):
        subject = f"{mail['Subject']}?"
        del mail["Subject"], mail["Message-ID"]
        mail["Subject"], mail["Message-ID"] = subject, f"<tried-{club.written}-{number}@players.example>"
        club.stage.deliver(mail.as_bytes(), club.at)
    club.step()
    answered = {x.message["In-Reply-To"]: x.text for letters in club.letters.values() for x in letters}
    return [answered[mail["Message-ID"]] for mail in mails]


def written(club: Club, subject: str, body: str) -> EmailMessage:
    mail, person = EmailMessage(), club.match.entrant(owing(club.match)[0].seat)
    mail["From"], mail["To"] = f"{person.name} <{person.addresses[0]}>", "collector@referee.localhost"
    mail["Subject"], mail["Date"] = subject, club.at
    mail.set_content(body)
    return mail


@pytest.mark.one_in(4)
@pytest.mark.parametrize("kind", GAMES)
def test_an_order_above_any_letter_come_back_names_nothing(tmp_path: Path, kind: str) -> None:
    club = opened(tmp_path, kind, 5)
    demand = owing(club.match)[0]
    letter = club.letters[demand.seat][-1]
    order = answer_text(club.match, demand, 1)
    ways = club.chance.sample(sorted(WAYS), 9)
    mails = [
        message_from_bytes(
            club.reply(letter, WAYS[way], f"{order}\n\nThanks{'!' * n}\n\n-- \n{SIGNATURE}"), policy=policy.default
        )
        for n, way in enumerate(ways)
    ]  # fmt: skip
    for way, text in zip(ways, tried(club, mails), strict=True):
        assert TOLD not in text, f"{way}: {text}"


@pytest.mark.one_in(4)
@pytest.mark.parametrize("kind", GAMES)
def test_what_holds_an_order_is_named_wherever_it_stands(tmp_path: Path, kind: str) -> None:
    club = opened(tmp_path, kind, 6)
    demand = owing(club.match)[0]
    subject, order = subject_of(club.match, demand), answer_text(club.match, demand, 1)
    other = (
        "Office: Office 7" if kind == "fourplay" else answer_text(club.match, demand, 2)
    )  # no line of a letter
    marked = "\n".join(f"> {line}" for line in other.splitlines())
    mails = {
        "quoted text": written(club, subject, f"{order}\n\nHi!\n\nBob wrote:\n{marked}\n"),
        "signature": written(club, subject, f"{order}\n\nThanks!\n\n-- \nAnn\n{other.splitlines()[-1]}\n"),
        'attachment "other': written(club, subject, order),
    }
    mails['attachment "other'].add_attachment(other, filename="other.txt")
    for what, text in zip(mails, tried(club, list(mails.values())), strict=True):
        assert f"{TOLD}: {what}" in " ".join(text.split()), f"{what}: {text}"


def test_what_nobody_can_look_into_is_named_where_no_order_stands_beside_it(tmp_path: Path) -> None:
    club = opened(tmp_path, "go, in turns", 7)
    demand = owing(club.match)[0]
    subject, order = subject_of(club.match, demand), answer_text(club.match, demand, 1)
    mails = [
        written(club, subject, words)
        for words in (order, "My move is in the picture.", f"{order}\n\n{DISCLAIMER}")
    ]
    for mail in mails[:2]:
        mail.add_attachment(b"not a picture", "image", "png", filename="move.png")
    counts, asks, footer = tried(club, mails)
    assert TOLD not in counts + footer
    assert f'{TOLD}: attachment "move' in " ".join(asks.split())
