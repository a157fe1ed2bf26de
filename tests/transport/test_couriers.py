"""What every courier must do, on Maildir, Postfix and a scripted server; and SMTP in all its moods."""

import email
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from referee.base.ports import Courier, Parcel, hand_over
from referee.transport.account import Account
from referee.transport.imap import ImapMailbox
from referee.transport.maildir import MaildirCourier
from referee.transport.server import BackOff
from referee.transport.smtp import SmtpCourier
from tests.memory import MemoryCourier
from tests.servers.curt import HANG_UP, Curt, curt
from tests.servers.dovecot import PASSWORD, Dovecot
from tests.servers.ground import PATIENCE, closed_port, eventually
from tests.servers.postfix import Postfix
from tests.servers.severing import Line
from tests.transport.mailboxes import ImapPlace, everything

Received = Callable[[str], list[bytes]]
SILENCE = 2.0  # seconds after which a server is taken for silent: one that is at work is far quicker


def parcel(
    number: int = 1, recipient: str = "ann@example.test", body: bytes = b"Hello\n.\n..two dots\n"
) -> Parcel:
    headers = f"Message-ID: <{number}@example.test>\nTo: {recipient}\nSubject: Letter {number}\n\n"
    return Parcel("referee@example.test", recipient, f"<{number}@example.test>", headers.encode() + body)


def impatient(port: int, **settings: object) -> SmtpCourier:
    account = Account("127.0.0.1", port, "plain", timeout=PATIENCE, **settings)  # type: ignore[arg-type]
    return SmtpCourier(account, BackOff(0, 0))


@pytest.fixture(params=["maildir", "memory", "scripted", pytest.param("postfix", marks=pytest.mark.server)])
def post(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Courier, Received, str]]:
    """A courier, what a recipient got by it, and that recipient's address."""
    if request.param == "maildir":
        out = tmp_path / "out"
        yield (
            MaildirCourier(out),
            lambda _: [path.read_bytes() for path in (out / "new").iterdir()],
            "ann@example.test",
        )
    elif request.param == "memory":
        memory = MemoryCourier()
        yield memory, lambda _: [each.raw for each in memory.sent], "ann@example.test"
    elif request.param == "scripted":
        with curt() as script:
            courier = impatient(script.port)
            yield courier, lambda _: script.messages, "ann@example.test"
            courier.close()
    else:
        user = request.getfixturevalue("mail_user")
        server: Postfix = request.getfixturevalue("postfix")
        place = ImapPlace(request.getfixturevalue("dovecot"), user)
        courier = impatient(server.smtp)

        def received(_: str) -> list[bytes]:
            return [arrival.raw for arrival in everything(place.open())]

        yield courier, received, f"{user}@example.test"
        courier.close()
        place.close()


def test_a_letter_arrives_with_every_line_it_had(post: tuple[Courier, Received, str]) -> None:
    courier, received, recipient = post
    assert hand_over(courier, parcel(1, recipient)).fate == "sent"
    eventually(lambda: len(received(recipient)) == 1, "the letter arrives")
    got = email.message_from_bytes(received(recipient)[0])
    assert got["Message-ID"] == "<1@example.test>"
    assert got.get_payload(decode=True).splitlines() == [b"Hello", b".", b"..two dots"]


def test_many_letters_go_one_after_the_other(post: tuple[Courier, Received, str]) -> None:
    courier, received, recipient = post
    assert [hand_over(courier, parcel(number, recipient)).fate for number in range(20)] == ["sent"] * 20
    eventually(lambda: len(received(recipient)) == 20, "the letters arrive")


def test_letters_may_end_their_lines_either_way(post: tuple[Courier, Received, str]) -> None:
    courier, received, recipient = post
    one = parcel(1, recipient)
    crlf = Parcel(one.sender, recipient, one.message_id, one.raw.replace(b"\n", b"\r\n"))
    assert hand_over(courier, crlf).fate == "sent"
    eventually(lambda: len(received(recipient)) == 1, "the letter arrives")
    got = email.message_from_bytes(received(recipient)[0])
    assert got.get_payload(decode=True).splitlines() == [b"Hello", b".", b"..two dots"]


def test_a_healthy_courier_has_no_faults_and_works_after_closing(post: tuple[Courier, Received, str]) -> None:
    courier, _, recipient = post
    assert courier.examine() == ()
    courier.close()
    assert hand_over(courier, parcel(1, recipient)).fate == "sent"


# The scripted server: every answer at every stage.


@pytest.fixture
def script() -> Iterator[Curt]:
    with curt() as running:
        yield running


@pytest.fixture
def courier(script: Curt) -> Iterator[SmtpCourier]:
    made = impatient(script.port)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("stage", "answer", "fate"),
    [
        ("greeting", "421 4.3.2 too busy", "later"),
        ("greeting", "554 5.3.2 no service here", "later"),  # about us or the server, never about the letter
        ("EHLO", "451 4.3.0 not now", "later"),
        ("EHLO", "550 5.7.1 who are you", "later"),
        ("MAIL", "451 4.3.0 not now", "later"),
        ("MAIL", "552 5.3.4 too large", "never"),
        ("RCPT", "452 4.2.2 mailbox full", "later"),
        ("RCPT", "550 5.1.1 No such\tplayer here", "never"),
        ("DATA", "451 4.3.0 not now", "later"),
        ("DATA", "554 5.5.1 no valid recipients", "never"),
        ("end", "452 4.3.1 disk full", "later"),
        ("end", "554 5.6.0 not like this", "never"),
    ],
)
def test_every_refusal_at_every_stage_has_its_fate_and_a_letter_put_off_leaves_later(
    stage: str, answer: str, fate: str
) -> None:
    with curt() as server:
        courier = impatient(server.port)
        server.answers = {stage: answer, "HELO": answer} if stage == "EHLO" else {stage: answer}
        delivery = hand_over(courier, parcel())
        assert delivery.fate == fate
        assert answer.replace("\t", " ").partition(" ")[2] in delivery.note
        assert server.taken == []
        connections, server.answers = server.connections, {}
        assert hand_over(courier, parcel()).fate == "sent"
        assert server.messages == [parcel().raw.replace(b"\n", b"\r\n")]
        assert server.taken[0].options == [f"SIZE={len(server.messages[0])}"]
        if stage in ("MAIL", "RCPT", "DATA", "end"):
            assert server.connections == connections == 1, "the next letter is spared a new one"
        courier.close()


@pytest.mark.parametrize("code", [530, 535, 503])
def test_a_refusal_of_how_we_log_in_or_talk_costs_no_letter(
    courier: SmtpCourier, script: Curt, code: int
) -> None:
    script.say("MAIL", f"{code} Something to mend")
    assert hand_over(courier, parcel()).fate == "later"


@pytest.mark.parametrize("stage", ["MAIL", "RCPT", "end"])
@pytest.mark.parametrize("answer", ["421 Shutting down", HANG_UP])
def test_a_connection_let_go_after_good_service_is_replaced_once(
    courier: SmtpCourier, script: Curt, stage: str, answer: str
) -> None:
    assert hand_over(courier, parcel(1)).fate == "sent"
    script.say(stage, answer)
    if (stage, answer) == ("end", HANG_UP):  # it was given whole, and may have been taken
        assert hand_over(courier, parcel(2)).fate == "later"
    assert hand_over(courier, parcel(2)).fate == "sent"
    assert script.connections == 2


@pytest.mark.parametrize("stage", ["EHLO", "MAIL", "RCPT", "end"])
@pytest.mark.parametrize("answer", ["421 Shutting down", HANG_UP])
def test_a_server_that_lets_go_every_time_gets_the_letter_later(
    courier: SmtpCourier, script: Curt, stage: str, answer: str
) -> None:
    script.say(stage, *[answer] * 2)
    script.say("HELO", *["421 Shutting down"] * 2)
    assert hand_over(courier, parcel()).fate == "later"
    script.once.clear()
    assert hand_over(courier, parcel()).fate == "sent"
    assert len(script.taken) == 1


def test_a_cap_on_letters_per_connection_is_answered_by_a_new_connection(
    courier: SmtpCourier, script: Curt
) -> None:
    script.cap = 3
    assert [hand_over(courier, parcel(number)).fate for number in range(10)] == ["sent"] * 10
    assert (len(script.taken), script.connections) == (10, 4)


def test_a_full_server_is_not_taken_for_a_worn_out_connection(courier: SmtpCourier, script: Curt) -> None:
    script.say("RCPT", *["452 4.2.2 Mailbox full"] * 2)
    assert hand_over(courier, parcel()).fate == "later"
    assert script.connections == 1


def test_no_server_at_all_is_later_and_a_fault_for_the_doctor() -> None:
    with closed_port() as port:
        courier = impatient(port)
        delivery = hand_over(courier, parcel())
        assert delivery.fate == "later"
        assert "can't be used" in delivery.note
        (fault,) = courier.examine()
        assert "[courier] url" in fault


def test_a_dead_server_is_not_asked_again_at_once() -> None:
    with closed_port() as port:
        account = Account("127.0.0.1", port, "plain", timeout=PATIENCE)
        courier = SmtpCourier(account, BackOff(first=10_000, most=10_000))
        notes = [hand_over(courier, parcel(number)) for number in range(4)]
    with curt() as script:
        object.__setattr__(account, "port", script.port)
        assert hand_over(courier, parcel()).fate == "later"
        assert script.connections == 0
    assert {delivery.fate for delivery in notes} == {"later"}


def test_a_server_gone_silent_is_later_and_not_asked_twice(script: Curt) -> None:
    with Line(script.port) as line:
        courier = SmtpCourier(Account("127.0.0.1", line.port, "plain", timeout=SILENCE), BackOff(0, 0))
        assert hand_over(courier, parcel(1)).fate == "sent"
        line.arm(rb"^MAIL", silent=True)
        delivery = hand_over(courier, parcel(2))
        assert (delivery.fate, "does not answer in time" in delivery.note) == ("later", True)
        assert line.connections == 1
        assert hand_over(courier, parcel(2)).fate == "sent"
        courier.close()


@pytest.mark.parametrize("moment", ["command", "answer", "midway"])
@pytest.mark.parametrize("command", [rb"^EHLO", rb"^MAIL", rb"^RCPT", rb"^DATA", rb"\r\n\.\r\n", rb"^RSET"])
def test_a_cut_at_any_stage_at_most_repeats_the_letter(script: Curt, command: bytes, moment: str) -> None:
    with Line(script.port) as line:
        courier = impatient(line.port)
        line.arm(command, moment)  # type: ignore[arg-type]
        script.say("MAIL", "450 Later")  # so that there is something to reset
        fates = [hand_over(courier, parcel()).fate for _ in range(3)]
        courier.close()
        assert line.cuts == 1
    assert fates[-1] == "sent"
    assert set(script.messages) == {parcel().raw.replace(b"\n", b"\r\n")}


@pytest.mark.parametrize(
    "address",
    [
        "", "ann", "@example.test", "ann@", "ann@example.test\r\nRCPT TO:<eve@example.test>", "a b@example.test",
        "<ann@example.test>", "ann@example.test,eve@example.test", "ann\x00@example.test", "ann\udce4@example.test",
    ],
)  # fmt: skip
def test_an_address_that_can_not_be_said_is_refused_for_good_without_a_word_to_the_server(
    courier: SmtpCourier, script: Curt, address: str
) -> None:
    delivery = hand_over(courier, Parcel("referee@example.test", address, "<1@x>", b"Subject: x\n\nx\n"))
    assert delivery.fate == "never"
    assert "can't be written to" in delivery.note
    assert script.taken == []


def test_a_domain_beyond_ascii_is_spelt_as_every_server_takes_it(courier: SmtpCourier, script: Curt) -> None:
    assert hand_over(courier, parcel(1, "ann@bücher.example")).fate == "sent"
    assert script.taken[0].recipient == "ann@xn--bcher-kva.example"


def test_a_name_beyond_ascii_needs_a_server_that_takes_it() -> None:
    with curt(answers={"EHLO": "250 here"}) as old:
        courier = impatient(old.port)
        delivery = hand_over(courier, parcel(1, "jürgen@example.test"))
        courier.close()
        assert (delivery.fate, old.taken) == ("never", [])
        assert "SMTPUTF8" in delivery.note
    with curt() as modern:
        other = impatient(modern.port)
        assert hand_over(other, parcel(1, "jürgen@example.test")).fate == "sent"
        assert hand_over(other, parcel(2)).fate == "sent"
        other.close()
        assert [x.recipient for x in modern.taken] == ["jürgen@example.test", "ann@example.test"]


def test_a_dot_alone_between_bare_line_ends_smuggles_nothing(courier: SmtpCourier, script: Curt) -> None:
    sneaky = b"Hello\n.\nMAIL FROM:<eve@example.test>\r.\rRCPT TO:<x@example.test>\r\n.\nDATA\n"
    assert hand_over(courier, parcel(1, body=sneaky)).fate == "sent"
    assert len(script.taken) == 1
    assert script.messages[0].endswith(b"RCPT TO:<x@example.test>\r\n.\r\nDATA\r\n")


# Postfix, with TLS and passwords.


def secure(postfix: Postfix, security: str, password: str = PASSWORD, ca: Path | None = None) -> SmtpCourier:
    port = postfix.smtps if security == "tls" else postfix.submission
    account = Account(
        "127.0.0.1", port, security, "referee", password, ca=ca, timeout=PATIENCE  # type: ignore[arg-type]
    )  # fmt: skip
    return SmtpCourier(account, BackOff(0, 0))


@pytest.mark.server
@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_letter_goes_encrypted_and_with_a_password(
    postfix: Postfix, dovecot: Dovecot, mail_user: str, security: str
) -> None:
    courier = secure(postfix, security, ca=postfix.certificate)
    assert courier.examine() == ()
    assert hand_over(courier, parcel(1, f"{mail_user}@example.test")).fate == "sent"
    place = ImapPlace(dovecot, mail_user)
    eventually(lambda: place.waiting() == 1, "the letter arrives")
    courier.close()


@pytest.mark.server
@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_wrong_password_or_an_unknown_certificate_costs_no_letter(postfix: Postfix, security: str) -> None:
    for courier, told in (
        (secure(postfix, security, password="wrong-word", ca=postfix.certificate), "535"),
        (secure(postfix, security), "certificate"),
    ):
        delivery = hand_over(courier, parcel())
        assert (delivery.fate, told in delivery.note) == ("later", True), delivery
        (fault,) = courier.examine()
        assert told in fault
        assert "wrong-word" not in fault + delivery.note


@pytest.mark.server
def test_postfix_refusals_are_told_in_its_words(postfix: Postfix) -> None:
    courier = impatient(postfix.smtp)
    assert "No such player" in hand_over(courier, parcel(1, "nobody@example.test")).note
    assert hand_over(courier, parcel(1, "nobody@example.test")).fate == "never"
    assert hand_over(courier, parcel(1, "busy@example.test")).fate == "later"
    large = hand_over(courier, parcel(1, body=b"x" * 70 + b"\n" * 1_100_000))
    assert (large.fate, "552" in large.note) == ("never", True)
    courier.close()


@pytest.mark.server
def test_a_letter_goes_all_the_way_and_its_answer_comes_back(
    postfix: Postfix, dovecot: Dovecot, mail_user: str
) -> None:
    """Submission, queue, LMTP, Dovecot, IDLE, fetch, filing; then the other way."""
    courier = impatient(postfix.smtp)
    referee, player = ImapPlace(dovecot, f"{mail_user}-referee"), ImapPlace(dovecot, mail_user)
    mailbox: ImapMailbox = referee.open()
    everything(mailbox)
    player_writes = Parcel(
        f"{mail_user}@example.test", f"{mail_user}-referee@example.test", "<order@x>",
        b"Message-ID: <order@x>\nSubject: Fourplay: Move / Player 1\n\na1-a2\n",
    )  # fmt: skip
    assert hand_over(courier, player_writes).fate == "sent"
    eventually(lambda: mailbox.wait(1), "IDLE tells of the mail")
    eventually(lambda: len(everything(mailbox)) == 1, "the mail is there")
    mailbox.file([(arrival.uid, "done") for arrival in everything(mailbox)])
    assert hand_over(courier, parcel(2, f"{mail_user}@example.test")).fate == "sent"
    eventually(lambda: player.waiting() == 1, "the answer comes back")
    assert referee.filed("done")
    referee.close()
    courier.close()


@pytest.mark.server
def test_letters_accepted_while_the_last_hop_is_down_wait_in_the_queue(
    postfix: Postfix, dovecot: Dovecot, mail_user: str
) -> None:
    dovecot.stop()
    courier = impatient(postfix.smtp)
    try:
        assert hand_over(courier, parcel(1, f"{mail_user}@example.test")).fate == "sent"
    finally:
        dovecot.start()
        courier.close()
    eventually(lambda: ImapPlace(dovecot, mail_user).waiting() == 1, "the letter arrives after all")
