"""Bounces: by the book, in a mailer's own words, delays, and nonsense."""

from pathlib import Path

from referee.mail.mail import Bounce, Failure
from referee.mail.read.parsing import parse
from referee.mail.sender.triage import read_bounce

LETTERS = Path(__file__).parents[1] / "letters"


def bounced(raw: bytes) -> Bounce:
    return read_bounce(parse(raw)[0])


def report(*blocks: str, rest: str = "") -> bytes:
    status = "\n".join(blocks)
    return (
        "From: MAILER-DAEMON@mx.example\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\n\n"
        f"--b\n\nSorry.\n--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example\n\n{status}\n"
        f"{rest}--b--\n"
    ).encode()


def test_a_report_by_the_book_names_address_status_and_letter() -> None:
    bounce = bounced((LETTERS / "triage-bounce-rfc-3464.eml").read_bytes())
    assert bounce.failures == (Failure(("bo@example.org",), "5.1.1", True, "smtp; 550 no such user"),)
    assert bounce.letter_ids == ("<out-7@referee.example>",)


def test_a_mailer_in_prose_names_address_status_and_letter() -> None:
    bounce = bounced((LETTERS / "triage-bounce-qmail.eml").read_bytes())
    assert [(one.addresses[0], one.status, one.permanent) for one in bounce.failures] == [
        ("bo@example.org", "5.1.1", True)
    ]
    assert bounce.letter_ids == ("<out-8@referee.example>",)


def test_the_field_of_exim_is_enough() -> None:
    bounce = bounced((LETTERS / "triage-bounce-exim.eml").read_bytes())
    assert [(one.addresses[0], one.permanent) for one in bounce.failures] == [("bo@example.org", True)]


def test_every_recipient_of_a_report_has_its_own_status() -> None:
    bounce = bounced(
        report(
            "Final-Recipient: rfc822; bo@example.org\nAction: failed\nStatus: 5.2.2\n",
            "Final-Recipient: rfc822; cy@example.org\nAction: failed\nStatus: 4.4.7\n",
            "Final-Recipient: rfc822; di@example.org\nAction: delivered\nStatus: 2.0.0\n",
        )
    )
    assert [(one.addresses[0], one.permanent) for one in bounce.failures] == [
        ("bo@example.org", True),
        ("cy@example.org", False),
    ]


def test_a_delay_is_no_failure() -> None:
    delayed = report("Final-Recipient: rfc822; bo@example.org\nAction: delayed\nStatus: 4.4.1\n")
    assert bounced(delayed).failures == ()


def test_a_status_missing_is_taken_from_the_diagnosis() -> None:
    told = report(
        "Original-Recipient: rfc822; bo@example.org\nAction: failed\nDiagnostic-Code: smtp; 552 5.2.2 full\n"
    )
    assert [(one.status, one.permanent) for one in bounced(told).failures] == [("5.2.2", True)]


def test_a_recipient_is_known_by_the_address_written_to_and_the_one_it_was_passed_on_to() -> None:
    passed_on = report(
        "Original-Recipient: rfc822; bo@example.org\nFinal-Recipient: rfc822; bo@behind.example\n"
        "Action: failed\nStatus: 5.1.1\n"
    )
    assert [one.addresses for one in bounced(passed_on).failures] == [("bo@example.org", "bo@behind.example")]


def test_the_letter_is_known_by_the_copy_that_came_back() -> None:
    copy = "--b\nContent-Type: message/rfc822\n\nMessage-ID: <out-9@referee.example>\nSubject: Go\n\nwords\n"
    block = "Final-Recipient: rfc822; bo@example.org\nAction: failed\nStatus: 5.1.1\n"
    assert bounced(report(block, rest=copy)).letter_ids == ("<out-9@referee.example>",)


def test_a_persons_mail_holds_no_failure_that_would_mark_an_address() -> None:
    assert bounced((LETTERS / "plain-ascii.eml").read_bytes()).failures == ()
