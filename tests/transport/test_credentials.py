"""Passwords and OAuth tokens: where they come from, that a refused token is replaced, that neither is ever told."""

import base64
import contextlib
import os
import socketserver
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.base.ports import MailboxTrouble, Parcel, hand_over
from referee.transport.account import Account, BadAddress, Tokens, secret
from referee.transport.imap import ImapMailbox
from referee.transport.server import BackOff
from referee.transport.smtp import SmtpCourier
from tests.servers.dovecot import Dovecot
from tests.servers.ground import PATIENCE, at_work, eventually
from tests.servers.postfix import Postfix
from tests.servers.severing import Line
from tests.servers.tokens import Issuer, issuing
from tests.transport.mailboxes import everything, mail

FIRST, SECOND = "ya29.first-canary-token~1", "ya29.second-canary-token~2"


def test_a_secret_comes_from_the_environment_or_the_first_line_of_a_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("REFEREE_TEST_SECRET", "from outside")
    assert secret("REFEREE_TEST_SECRET", None) == "from outside"
    command = f'{sys.executable} -c \'print("of a command"); print("more")\''
    assert secret(None, command) == "of a command"
    assert secret(None, None) == ""


def test_a_secret_that_can_not_be_had_is_told_in_plain_words_without_the_command() -> None:
    assert "REFEREE_NO_SUCH" not in os.environ
    for env, command, told in (
        ("REFEREE_NO_SUCH", None, "is not set"),
        (None, "no-such-program-anywhere hush-hush", "can't be run"),
        (None, f"{sys.executable} -c 'raise SystemExit(3)' hush-hush", "exit status 3"),
        (None, "unfinished 'hush-hush", "can't be run"),
        (None, " ", "can't be run"),
    ):
        with pytest.raises(BadAddress, match=told) as refused:
            secret(env, command)
        assert "hush-hush" not in str(refused.value)


@pytest.mark.parametrize("printed", ["", "two words", "a\\x01b"])
def test_what_is_no_token_is_told_and_never_sent(printed: str) -> None:
    def never(token: str) -> None:
        pytest.fail(f"it was sent: {token!r}")

    with pytest.raises(BadAddress, match="printed no token"):
        Tokens(f"{sys.executable} -c 'print(\"{printed}\")'").log_in(never, PermissionError)


# --- the real servers ---------------------------------------------------------------------------------------------


@pytest.fixture
def issuer(dovecot: Dovecot, tmp_path: Path) -> Iterator[Issuer]:
    with issuing(dovecot.tokens, tmp_path) as known:
        yield known


@pytest.fixture(params=["OAUTHBEARER", "XOAUTH2"])
def mailbox(
    request: pytest.FixtureRequest, dovecot: Dovecot, mail_user: str, issuer: Issuer, line: Line
) -> Iterator[ImapMailbox]:
    """The server offers that way alone."""
    other = {"OAUTHBEARER": "XOAUTH2", "XOAUTH2": "OAUTHBEARER"}[request.param]
    line.hidden = (f"AUTH={other}".encode(),)
    account = Account("127.0.0.1", line.port, "plain", mail_user, tokens=Tokens(issuer.command))
    box = ImapMailbox(account, BackOff(0, 0))
    yield box
    box.close()


@pytest.mark.server
def test_a_mailbox_is_read_by_token_and_an_expired_one_is_replaced_without_a_word(
    mailbox: ImapMailbox, dovecot: Dovecot, mail_user: str, issuer: Issuer
) -> None:
    dovecot.deliver(mail_user, mail(1))
    issuer.issue(mail_user, FIRST)
    assert len(everything(mailbox)) == 1
    assert mailbox.examine() == ()
    mailbox.close()
    assert len(everything(mailbox)) == 1
    assert issuer.calls == 1, "the token at hand serves until it is refused"
    issuer.issue(mail_user, SECOND)
    mailbox.close()
    assert len(everything(mailbox)) == 1
    assert issuer.calls == 2
    assert FIRST not in dovecot.log() + repr(mailbox.account)


@pytest.mark.server
def test_a_refused_token_is_trouble_that_ends_with_the_next_good_one(
    mailbox: ImapMailbox, dovecot: Dovecot, mail_user: str, issuer: Issuer
) -> None:
    issuer.issue(mail_user, FIRST)
    issuer.valid = {FIRST: "somebody"}  # a token, but another's
    with pytest.raises(MailboxTrouble, match="can't be opened") as trouble:
        everything(mailbox)
    (fault,) = mailbox.examine()
    assert FIRST not in str(trouble.value) + fault
    issuer.issue(mail_user, SECOND)
    assert everything(mailbox) == []


@pytest.mark.server
@pytest.mark.parametrize(
    "security", ["starttls", "tls"]
)  # by OAUTHBEARER, by XOAUTH2: see tests.servers.postfix
def test_letters_leave_by_token_and_outlive_its_end(
    postfix: Postfix, dovecot: Dovecot, mail_user: str, issuer: Issuer, security: str
) -> None:
    port = postfix.smtps if security == "tls" else postfix.submission
    account = Account(
        "127.0.0.1",
        port,
        security,  # type: ignore[arg-type]
        "referee",
        ca=postfix.certificate,
        timeout=PATIENCE,
        tokens=Tokens(issuer.command),
    )
    courier = SmtpCourier(account, BackOff(0, 0))
    issuer.issue("referee", FIRST)
    # Postfix may hold on to a Dovecot that another test has stopped, and says so once: "connection lost"
    eventually(lambda: not any(" 454 " in fault for fault in courier.examine()), "Dovecot answers Postfix")
    assert courier.examine() == ()
    asked = issuer.calls
    sent = dict(courier.send([_letter(n, f"{mail_user}+{n}") for n in range(6)]))
    assert {delivery.fate for delivery in sent.values()} == {"sent"}
    assert issuer.calls == asked, "the token at hand serves"
    courier.close()
    issuer.issue("referee", SECOND)
    assert hand_over(courier, _letter(7, mail_user)).fate == "sent"
    assert issuer.calls == asked + 1
    courier.close()
    issuer.valid.clear()
    delivery = hand_over(courier, _letter(8, mail_user))
    assert (delivery.fate, "535" in delivery.note) == ("later", True), delivery
    (fault,) = courier.examine()
    for said in (delivery.note, fault, repr(account), postfix.log()):
        assert SECOND not in said
        assert base64.b64encode(SECOND.encode()).decode()[4:-4] not in said
    courier.close()


def _letter(number: int, user: str) -> Parcel:
    head = f"Message-ID: <{number}@example.test>\r\nTo: {user}@example.test\r\n\r\n"
    return Parcel("referee@example.test", f"{user}@example.test", f"<{number}@example.test>", head.encode())


@pytest.mark.server
def test_a_server_that_takes_no_tokens_is_told_apart_from_one_that_refuses_ours(
    line: Line, mail_user: str, issuer: Issuer, postfix: Postfix
) -> None:
    issuer.issue(mail_user, FIRST)
    line.hidden = (b"AUTH=OAUTHBEARER", b"AUTH=XOAUTH2")
    tokens = Tokens(issuer.command)
    imap = Account("127.0.0.1", line.port, "plain", mail_user, tokens=tokens)
    smtp = Account("127.0.0.1", postfix.smtp, "plain", mail_user, tokens=tokens, timeout=PATIENCE)
    for faults in (ImapMailbox(imap, BackOff(0, 0)).examine(), SmtpCourier(smtp, BackOff(0, 0)).examine()):
        assert any("takes no tokens" in fault for fault in faults), faults


class _Echo(socketserver.StreamRequestHandler):
    """An SMTP server that tells everybody what it was told."""

    def handle(self) -> None:
        self.wfile.write(b"220 echo\r\n")
        for said in self.rfile:
            if said.upper().startswith(b"EHLO"):
                self.wfile.write(b"250-echo\r\n250 AUTH PLAIN XOAUTH2\r\n")
            else:
                given = base64.b64decode(said.split()[-1]) if said.startswith(b"AUTH") else b""
                self.wfile.write(b"535 no use: " + said.strip() + b" " + given.strip() + b"\r\n")


@pytest.mark.parametrize("password", ["hush-hush", ""])
def test_a_server_that_repeats_what_we_logged_in_with_tells_nobody(password: str, tmp_path: Path) -> None:
    issuer = Issuer(tmp_path)
    issuer.issue("ann", FIRST)
    tokens = None if password else Tokens(issuer.command)
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Echo) as server, at_work(server):
        server.daemon_threads = True
        port = server.server_address[1]
        account = Account("127.0.0.1", port, "plain", "ann", password, tokens=tokens)
        courier = SmtpCourier(account, BackOff(0, 0))
        said = hand_over(courier, _letter(1, "ann")).note + "".join(courier.examine())
        courier.close()
    assert "535 no use" in said
    for hidden in ("hush-hush", FIRST, *_parts(said)):
        assert hidden not in said


class _Tokens(socketserver.StreamRequestHandler):
    """An SMTP server that gives a password the answer in `words`."""

    words = b""

    def handle(self) -> None:
        self.wfile.write(b"220 here\r\n")
        for said in self.rfile:
            hello = said.upper().startswith(b"EHLO")
            self.wfile.write(b"250-here\r\n250 AUTH LOGIN XOAUTH2\r\n" if hello else self.words + b"\r\n")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (b"535 5.7.139 Authentication unsuccessful, basic authentication is disabled.", True),
        (
            b"535 5.7.139 Authentication unsuccessful, the user credentials were incorrect: BasicAuthBlocked",
            True,
        ),
        (b"535 5.7.8 Error: authentication failed: UGFzc3dvcmQ6", False),
    ],
)
def test_where_no_password_will_ever_do_it_is_said_what_does(words: bytes, told: bool) -> None:
    answering = type("Answering", (_Tokens,), {"words": words})
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), answering) as server, at_work(server):
        server.daemon_threads = True
        account = Account("127.0.0.1", server.server_address[1], "plain", "ann", "hush-hush")
        courier = SmtpCourier(account, BackOff(0, 0))
        said = hand_over(courier, _letter(1, "ann")).note
        courier.close()
    assert "535" in said
    assert ("it takes no passwords any more: token_command" in said) == told


def _parts(said: str) -> Iterator[str]:
    """What in it is base64 of something secret."""
    for word in said.split():
        with contextlib.suppress(ValueError):
            if any(secret in base64.b64decode(word) for secret in (b"hush-hush", FIRST.encode())):
                yield word
