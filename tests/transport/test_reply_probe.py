"""`doctor` sees whether letters to reply addresses come back: a real Postfix and Dovecot, and its remedies."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.base.settings import Offices, OfficesSection, Settings
from referee.transport.smtp import SmtpCourier
from referee.upkeep.doctor import replies_lost
from tests.servers.dovecot import PASSWORD, Dovecot
from tests.servers.ground import PATIENCE
from tests.servers.postfix import Postfix
from tests.transport.mailboxes import ImapPlace, at, everything, mail
from tests.transport.test_couriers import impatient
from tests.world import World

pytestmark = pytest.mark.server


@pytest.fixture
def courier(postfix: Postfix) -> Iterator[SmtpCourier]:
    made = impatient(postfix.smtp)
    yield made
    made.close()


def probed(place: ImapPlace, courier: SmtpCourier, user: str, patience: float = PATIENCE) -> tuple[str, ...]:
    mailbox = place.open()
    offices = Offices(Settings(offices=OfficesSection(collector=f"{user}@example.test")))
    return replies_lost(courier, mailbox, offices, patience=patience)


def test_a_server_that_takes_reply_addresses_is_well_and_its_mailbox_stays_as_it_was(
    dovecot: Dovecot, mail_user: str, courier: SmtpCourier
) -> None:
    place = ImapPlace(dovecot, mail_user)
    place.deliver_all([(mail(1), at(1))])
    assert probed(place, courier, mail_user) == ()
    assert [arrival.raw for arrival in everything(place.open())] == [mail(1)]
    place.close()


def test_a_server_that_refuses_them_is_told_with_its_words_and_a_remedy(
    dovecot: Dovecot, mail_user: str, courier: SmtpCourier
) -> None:
    place = ImapPlace(dovecot, mail_user)
    (fault,) = probed(place, courier, "strict")
    assert "No such player" in fault
    assert "tokens = false" in fault
    place.close()


def test_a_server_that_loses_them_is_told_after_a_while(
    dovecot: Dovecot, mail_user: str, courier: SmtpCourier
) -> None:
    place = ImapPlace(dovecot, mail_user)
    (fault,) = probed(place, courier, "lossy", patience=1)
    assert "did not come into the mailbox" in fault
    assert "tokens = false" in fault
    place.close()


@pytest.mark.parametrize("tokens", ["true", "false"])
def test_doctor_asks_only_where_reply_addresses_are_used(
    tmp_path: Path,
    dovecot: Dovecot,
    postfix: Postfix,
    mail_user: str,
    tokens: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("REFEREE_IMAP_PASSWORD", PASSWORD)
    world = World(
        tmp_path,
        f"""
[offices]
speaker = "speaker@example.test"
collector = "strict@example.test"
moderator = "moderator@example.test"
[mailbox]
url = "imap://{mail_user}@127.0.0.1:{dovecot.imap}/INBOX"
password_env = "REFEREE_IMAP_PASSWORD"
[courier]
url = "smtp://127.0.0.1:{postfix.smtp}"
[senders]
tokens = {tokens}
""",
    )
    ran = world.run("doctor", "--json")
    assert [fault["part"] for fault in ran.json["faults"]] == (["replies"] if tokens == "true" else [])


def test_a_server_that_lets_a_letter_vouch_for_itself_is_told(
    dovecot: Dovecot, mail_user: str, courier: SmtpCourier
) -> None:
    """This Postfix passes on whatever Authentication-Results a letter brings."""
    place = ImapPlace(dovecot, mail_user)
    offices = Offices(Settings(offices=OfficesSection(collector=f"{mail_user}@example.test")))
    (fault,) = replies_lost(courier, place.open(), offices, ("mx.example.test",), patience=PATIENCE)
    assert "in the name of mx.example.test" in fault
    assert 'need = "token"' in fault
    place.close()
