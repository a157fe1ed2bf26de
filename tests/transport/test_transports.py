"""Which adapter an address in the configuration means."""

from pathlib import Path

import pytest

from referee.transport.account import BadAddress
from referee.transport.imap import ImapMailbox
from referee.transport.maildir import MaildirMailbox
from referee.transport.server import BackOff
from referee.transport.smtp import SmtpCourier
from referee.transport.urls import courier_from_url, mailbox_from_url


@pytest.mark.parametrize(
    ("url", "port", "security", "user", "folder"),
    [
        ("imaps://ann@mail.example/INBOX", 993, "tls", "ann", "INBOX"),
        ("imaps://ann%40example.test@mail.example", 993, "tls", "ann@example.test", "INBOX"),
        ("imap+starttls://ann@mail.example/Games%2FReferee", 143, "starttls", "ann", "Games/Referee"),
        ("imap://ann@[::1]:1143/INBOX", 1143, "plain", "ann", "INBOX"),
    ],
)
def test_an_imap_address_says_server_user_folder_and_security(
    url: str, port: int, security: str, user: str, folder: str
) -> None:
    mailbox = mailbox_from_url(url, password="hush")
    assert isinstance(mailbox, ImapMailbox)
    account = mailbox.account
    assert (account.port, account.security, account.user, account.folder) == (port, security, user, folder)
    assert account.password == "hush"


@pytest.mark.parametrize(
    ("url", "port", "security", "user"),
    [
        ("smtp://localhost", 25, "plain", ""),
        ("smtp://localhost:2525", 2525, "plain", ""),
        ("smtps://ann@mail.example", 465, "tls", "ann"),
        ("smtp+starttls://ann%40example.test@mail.example:587", 587, "starttls", "ann@example.test"),
    ],
)
def test_an_smtp_address_says_server_user_and_security(url: str, port: int, security: str, user: str) -> None:
    courier = courier_from_url(url)
    assert isinstance(courier, SmtpCourier)
    assert (courier.account.port, courier.account.security, courier.account.user) == (port, security, user)


def test_relative_maildirs_and_certificates_start_from_the_configurations_folder(tmp_path: Path) -> None:
    (tmp_path / "mail" / "in" / "new").mkdir(parents=True)
    (tmp_path / "mail" / "in" / "cur").mkdir()
    mailbox = mailbox_from_url("maildir:mail/in", tmp_path)
    assert isinstance(mailbox, MaildirMailbox)
    assert mailbox.examine() == ()
    imap = mailbox_from_url("imaps://ann@mail.example", tmp_path, ca=tmp_path / "ca.pem")
    assert isinstance(imap, ImapMailbox)
    assert imap.account.ca == tmp_path / "ca.pem"


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("", "names no server"),
        ("maildir:", "names no folder"),
        ("mail/in", "names no server"),
        ("pop3://ann@mail.example", "no kind of mailbox"),
        ("imaps://mail.example/INBOX", "whose mailbox"),
        ("imaps://ann@/INBOX", "names no server"),
        ("imaps://ann:hush@mail.example/INBOX", "holds a password"),
        ("imaps://ann@mail.example:port/INBOX", "can't be understood"),
        ("imaps://ann@[mail/INBOX", "can't be understood"),
    ],
)
def test_a_bad_mailbox_address_is_refused_with_what_is_known(url: str, told: str) -> None:
    with pytest.raises(BadAddress, match=told) as refusal:
        mailbox_from_url(url)
    assert "hush" not in str(refusal.value)


def test_a_bad_courier_address_is_refused_too() -> None:
    with pytest.raises(BadAddress, match="smtp\\+starttls"):
        courier_from_url("imaps://ann@mail.example")


# --- how long a server is left alone that failed -----------------------------------------------------------------


def test_patience_grows_from_nothing_to_its_bound_and_forgives() -> None:
    back_off = BackOff(first=10, most=35)
    pauses = []
    for _ in range(6):
        back_off.failed()
        pauses.append(round(back_off.left()))
    assert pauses == [0, 10, 20, 35, 35, 35]
    back_off.served()
    assert back_off.left() == 0
    back_off.failed()
    assert back_off.left() == 0


def test_a_connection_that_held_wipes_the_slate_and_one_that_did_not_adds_to_it() -> None:
    steady, hasty = BackOff(first=10, steady=0), BackOff(first=10, steady=1000)
    for back_off in (steady, hasty):
        for _ in range(3):
            back_off.reached()
            back_off.failed()
    assert steady.left() == 0
    assert hasty.left() > 0
