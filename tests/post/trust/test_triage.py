"""Triage: every rule of the table is needed by some mail of the corpus, and the order of rules is the safe one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from referee.offices.ports.mail import Triage
from referee.post.reading import mail as mail_module
from referee.post.reading.headers import Headers
from referee.post.reading.mail import ParsedMail, read_mail
from referee.post.reading.programs import BY_PROGRAMS
from referee.post.trust.triage import RULES, triage, unreadable

HERE = Path(__file__).parents[1]
Rule = Callable[[ParsedMail, frozenset[str]], Triage | None]
OWN = frozenset({"speaker@referee.example", "collector@referee.example"})


@pytest.fixture(scope="module")
def mails() -> list[ParsedMail]:
    return [read_mail(path.read_bytes()) for path in sorted(HERE.glob("*/*.eml"))]


@pytest.mark.parametrize(
    "rule", [each for each in RULES if each is not unreadable], ids=lambda rule: rule.__name__
)
def test_some_mail_is_decided_by_this_rule(rule: Rule, mails: list[ParsedMail]) -> None:
    def first(letter: ParsedMail) -> Rule | None:
        return next((each for each in RULES if each(letter, OWN)), None)

    assert any(first(letter) is rule for letter in mails)


@pytest.mark.parametrize("rule", BY_PROGRAMS, ids=lambda rule: rule.__name__)
def test_some_automatic_mail_is_known_by_this_rule_alone(
    rule: Callable[[Headers], str | None], mails: list[ParsedMail]
) -> None:
    assert any(
        rule(letter.headers) and not any(other(letter.headers) for other in BY_PROGRAMS if other is not rule)
        for letter in mails
    )


@pytest.mark.parametrize(
    "field", ["Auto-Submitted: auto-replied", "X-Referee-Match: m", "Return-Path: <>", "Precedence: junk"]
)
def test_no_automatic_mail_is_read_whatever_its_subject(field: str) -> None:
    raw = f"{field}\nFrom: Ann <ann@example.org>\nSubject: Go: Move / Player 2\n\nMove: c3\n".encode()
    assert triage(read_mail(raw), OWN).disposition == "discard"


def test_two_referees_do_not_answer_each_other() -> None:
    head = b"From: speaker@other.example\nAuto-Submitted: auto-generated\nX-Referee-Notice: help\n"
    raw = head + b"Subject: Re: help\n\nhelp\n"
    assert triage(read_mail(raw), OWN).disposition == "discard"


def test_a_forged_own_address_is_never_answered() -> None:
    raw = b"From: Speaker <SPEAKER@referee.example>\nSubject: help\n\nhelp\n"
    assert triage(read_mail(raw), OWN).disposition == "discard"


def test_an_uncertain_sender_is_held_not_discarded() -> None:
    raw = b"From: a@x.example\nFrom: b@y.example\nSubject: Go: Move / Player 2\n\nMove: c3\n"
    assert triage(read_mail(raw), OWN).disposition == "hold"


def test_a_mail_over_which_the_reader_itself_stumbles_is_held_and_says_where(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Design 4.2: total. What no rule foresaw is held for the moderator; the log has its traceback."""

    def stumble(_: object) -> None:
        raise OSError("nobody thought of this")

    monkeypatch.setattr(mail_module, "gather", stumble)
    letter = read_mail(b"From: ann@example.org\nSubject: Go: Move / Player 2\n\nMove: c3\n")
    found = triage(letter, OWN)
    assert found.disposition == "hold"
    assert found.reason.startswith("the mail could not be read: OSError in test_triage.py, line ")
    assert [one.what for one in letter.left_out] == ["the whole mail"]
    assert "nobody thought of this" in "".join(capsys.readouterr())
