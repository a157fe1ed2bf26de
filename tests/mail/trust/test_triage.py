"""Triage: every rule of the table is needed by some mail of the corpus, and the order of rules is the safe one."""

from pathlib import Path

import pytest

from referee.mail.read import mail as mail_module
from referee.mail.read.head import ParsedMail, signs_of_a_program
from referee.mail.read.mail import UNREADABLE, read_mail
from referee.mail.sender.triage import rulings, triage

HERE = Path(__file__).parents[1]
OWN = frozenset({"speaker@referee.example", "collector@referee.example"})


@pytest.fixture(scope="module")
def mails() -> list[ParsedMail]:
    return [read_mail(path.read_bytes()) for path in sorted(HERE.glob("*/*.eml"))]


RULINGS = (
    "this is no mail", "a letter of a referee", "the mail says it is from our own", "a report on a letter",
    "a mailer's notice", "sent by a program", "from ", "sent with an empty return path", "bulk mail", "advertising",
    "it has more than one", "the From field", "the mail server marked it",
)  # fmt: skip
SIGNS = (
    ("Auto-Submitted",), ("the field",), ("Precedence",), ("an Exchange rule", "an out-of-office answer"),
    ("a vacation notice",), ("a return receipt", "a report on another mail"),
)  # fmt: skip


@pytest.mark.parametrize("reason", RULINGS)
def test_some_mail_is_decided_by_this_rule(reason: str, mails: list[ParsedMail]) -> None:
    assert any(triage(mail, OWN).reason.startswith(reason) for mail in mails)


@pytest.mark.parametrize("sign", SIGNS, ids=lambda sign: sign[0])
def test_some_automatic_mail_is_known_by_this_sign_alone(
    sign: tuple[str, ...], mails: list[ParsedMail]
) -> None:
    found = [list(signs_of_a_program(mail.headers)) for mail in mails]
    assert any(len(signs) == 1 and signs[0].startswith(sign) for signs in found)


def test_no_other_rule_decides_a_mail_of_the_corpus(mails: list[ParsedMail]) -> None:
    known = (*RULINGS, "a person's mail", UNREADABLE, "the mail has", "the sender",
             "a mail through a list")  # fmt: skip
    assert all(ruling.reason.startswith(known) for mail in mails for ruling in rulings(mail, OWN))


def test_a_mail_over_which_the_reader_itself_stumbles_is_held_and_says_where(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Design 4.2: total. What no rule foresaw is held for the moderator; the log has its traceback."""

    def stumble(*_: object) -> None:
        raise OSError("nobody thought of this")

    monkeypatch.setattr(mail_module, "choose", stumble)
    letter = read_mail(b"From: ann@example.org\nSubject: Go: Move / Player 2\n\nMove: c3\n")
    found = triage(letter, OWN)
    assert found.disposition == "hold"
    assert found.reason.startswith("the mail could not be read: OSError in test_triage.py, line ")
    assert [one.what for one in letter.left_out] == ["the whole mail"]
    assert "nobody thought of this" in "".join(capsys.readouterr())
