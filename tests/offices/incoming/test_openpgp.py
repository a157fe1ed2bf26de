"""OpenPGP as evidence: a registered key's signature over all the words proves a mail; a bad one proves nothing."""

from __future__ import annotations

from email.message import EmailMessage
from email.mime.application import MIMEApplication
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from pathlib import Path
from typing import Any

import pytest

from referee.post.trust.openpgp import Sequoia
from tests.offices.incoming.test_senders import STRANGER
from tests.offices.table import Table
from tests.world import Sent, kinds

pysequoia = pytest.importorskip("pysequoia", reason="the extra referee[openpgp] is not installed")
CLEAR, DETACHED = pysequoia.SignatureMode.CLEAR, pysequoia.SignatureMode.DETACHED
AT = "2026-03-02T{:02d}:00:00Z"


class Player:
    """Somebody with a key."""

    def __init__(self, address: str) -> None:
        self._secret = pysequoia.Tsk.generate(f"A Player <{address}>")
        self.public = str(self._secret.extract_certificate())

    def clear(self, text: str) -> str:
        return self._signed(text.encode(), CLEAR).decode()

    def mime(
        self, text: str, sender: str, subject: str, charset: str = "utf-8", protected: str = ""
    ) -> MIMEMultipart:
        """A mail as RFC 3156 has it."""
        part = MIMEText(text, "plain", charset)
        if protected:
            part["Subject"] = protected
        entity = part.as_bytes().replace(b"\n", b"\r\n")
        signature = self._signed(entity, DETACHED)
        mail = MIMEMultipart("signed", protocol="application/pgp-signature", micalg="pgp-sha512")
        mail["From"], mail["To"], mail["Subject"] = sender, "collector@referee.localhost", subject
        mail["Date"] = "Mon, 02 Mar 2026 00:00:00 +0000"
        mail["Message-ID"] = "<mime@players.example>"
        mail.attach(part)
        mail.attach(MIMEApplication(signature, "pgp-signature", lambda m: m.set_payload(signature.decode())))
        return mail

    def _signed(self, data: bytes, mode: Any) -> bytes:
        signed: bytes = pysequoia.sign(self._secret.signer(), data, mode=mode)
        return signed


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A table where a bare address is not enough."""
    table = Table(tmp_path)
    table.world.configure('need = "address"', 'need = "token"')
    return table


@pytest.fixture
def player(table: Table) -> Player:
    """The player on turn, his key registered."""
    player = Player(table.mover)
    _, letters = table.send(table.mover, "key", player.public, AT.format(0))
    _, letters = table.reply(letters[0], "yes", AT.format(1))
    assert kinds(letters) == {"receipt": [table.mover]}
    return player


def ordered(
    table: Table, body: str, hour: int, sender: str | None = None
) -> tuple[dict[str, Any], list[Sent]]:
    return table.send(sender or table.mover, table.latest("due", table.mover).subject, body, AT.format(hour))


def orders(table: Table) -> str:
    """What the player on turn may send, as a text that says itself for which match it is."""
    return f"Match: {table.match}\n\n{table.orders(table.mover)}"


def test_a_key_is_kept_once_its_owner_has_confirmed_it_and_told_by_its_fingerprint(table: Table) -> None:
    player = Player(table.mover)
    _, letters = table.send(table.mover, "key", f"Here it is.\n\n{player.public}", AT.format(0))
    assert kinds(letters) == {"challenge": [table.mover]}
    _, letters = table.reply(letters[0], "yes", AT.format(1))
    fingerprint = pysequoia.Cert.from_bytes(player.public.encode()).fingerprint
    assert fingerprint in letters[0].text


def test_a_key_may_be_attached(table: Table) -> None:
    player = Player(table.mover)
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = table.mover, "collector@referee.localhost", "key"
    mail["Date"], mail["Message-ID"] = "Mon, 02 Mar 2026 00:00:00 +0000", "<key@players.example>"
    mail.set_content("My key is attached.")
    mail.add_attachment(player.public.encode(), "application", "pgp-keys", filename="0xKEY.asc")
    table.world.raw(mail.as_bytes(), AT.format(0))
    _, letters = table.step(AT.format(0))
    _, letters = table.reply(letters[0], "yes", AT.format(1))
    assert "I keep your OpenPGP key" in letters[0].text


def test_words_signed_in_the_clear_are_read_and_prove_themselves(table: Table, player: Player) -> None:
    counts, letters = ordered(table, player.clear(orders(table)), 2)
    assert counts["accepted"] == 1
    receipt = next(x for x in letters if x.kind == "receipt")
    assert "an OpenPGP signature" not in " ".join(receipt.text.split()), "it holds nothing like an order"


@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-1"])
def test_a_mail_signed_by_mime_is_read_and_proves_itself(table: Table, player: Player, charset: str) -> None:
    words = f"Grüße!\n\n{orders(table)}"
    mail = player.mime(words, table.mover, table.latest("due", table.mover).subject, charset)
    table.world.raw(mail.as_bytes(), AT.format(2))
    counts, _ = table.step(AT.format(2))
    assert counts["accepted"] == 1


def test_without_a_signature_a_mail_is_weighed_as_before(table: Table, player: Player) -> None:
    _, letters = ordered(table, table.orders(table.mover), 2)
    assert kinds(letters) == {"challenge": [table.mover]}


def test_a_signature_is_enough_where_the_pass_phrase_would_be(table: Table, player: Player) -> None:
    table.world.configure('need = "token"', 'need = "phrase"')
    assert ordered(table, player.clear(orders(table)), 2)[0]["accepted"] == 1


def tampered(table: Table, player: Player) -> str:
    return player.clear(f"Hello\n{orders(table)}").replace("Hello", "Help!")


def of_another_key(table: Table, player: Player) -> str:
    return Player(table.mover).clear(orders(table))


def with_words_outside(table: Table, player: Player) -> str:
    return f"{table.orders(table.mover)}\n\n{player.clear('See you at the conference.')}"


def two_blocks(table: Table, player: Player) -> str:
    return f"{player.clear('Hello')}\n{player.clear(orders(table))}"


@pytest.mark.parametrize("forged", [tampered, of_another_key, with_words_outside])
def test_a_bad_signature_proves_nothing_and_the_answer_says_so(
    table: Table, player: Player, forged: Any
) -> None:
    _, letters = ordered(table, forged(table, player), 2)
    assert kinds(letters) == {"challenge": [table.mover]}
    table.world.configure('need = "token"', 'need = "address"')
    _, letters = ordered(table, forged(table, player) + "\n", 3)
    answer = next(x for x in letters if x.to == table.mover and x.kind in ("receipt", "refusal"))
    assert "OpenPGP signature proves nothing" in " ".join(answer.text.split())


def test_of_several_blocks_none_counts(table: Table, player: Player) -> None:
    assert kinds(ordered(table, two_blocks(table, player), 2)[1]) == {"challenge": [table.mover]}


def test_a_signed_mail_delivered_twice_proves_itself_once(table: Table, player: Player) -> None:
    mail = player.mime(orders(table), table.mover, table.latest("due", table.mover).subject)
    table.world.raw(mail.as_bytes(), AT.format(2))
    table.world.raw(mail.as_bytes(), AT.format(2))
    counts, _ = table.step(AT.format(2))
    assert (counts["accepted"], counts["ignored"]) == (1, 1)


def test_a_signed_mail_sent_once_more_by_somebody_else_orders_nothing(table: Table, player: Player) -> None:
    wrong = player.clear(f"Match: {table.match}\n\nMove: z99-z98")
    counts, _ = ordered(table, wrong, 2)
    assert counts["refused"] == 1
    counts, letters = ordered(table, wrong, 3)
    assert (counts["ignored"], kinds(letters)) == (1, {"ignored": [table.mover]})


def test_a_good_signature_from_an_unknown_address_is_asked_about(table: Table, player: Player) -> None:
    due = table.latest("due", table.mover)
    body = player.clear(orders(table))
    counts, letters = table.send(STRANGER, due.subject, body, AT.format(2))
    assert kinds(letters) == {"help": ["mallory@evil.example"]}
    assert counts["accepted"] == 0


def test_a_part_beside_what_is_signed_spoils_the_proof(table: Table, player: Player) -> None:
    mail = player.mime("Hello", table.mover, table.latest("due", table.mover).subject)
    outer = MIMEMultipart("mixed")
    for name in ("From", "To", "Subject", "Date", "Message-ID"):
        outer[name] = mail[name]
        del mail[name]
    outer.attach(mail)
    outer.attach(MIMEText(table.orders(table.mover)))
    table.world.raw(outer.as_bytes(), AT.format(2))
    _, letters = table.step(AT.format(2))
    assert kinds(letters) == {"challenge": [table.mover]}


def test_the_key_is_dropped_when_its_owner_says_so(table: Table, player: Player) -> None:
    _, letters = table.send(table.mover, "key off", "", AT.format(2))
    _, letters = table.reply(letters[0], "yes", AT.format(3))
    assert "no OpenPGP key" in letters[0].text
    _, letters = ordered(table, player.clear(orders(table)), 4)
    assert kinds(letters) == {"challenge": [table.mover]}


@pytest.mark.parametrize(
    "body", ["", "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nnonsense\n-----END PGP PUBLIC KEY BLOCK-----"]
)
def test_what_is_no_key_is_not_kept(table: Table, body: str) -> None:
    _, letters = table.send(table.mover, "key", body, AT.format(0))
    _, letters = table.reply(letters[0], "yes", AT.format(1))
    assert kinds(letters) == {"refusal": [table.mover]}
    assert "found no OpenPGP public key" in " ".join(letters[0].text.split())


def test_where_openpgp_is_not_installed_its_words_are_read_all_the_same(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Sequoia, "installed", staticmethod(lambda: False))
    table.world.configure('need = "token"', 'need = "address"')
    player = Player(table.mover)
    _, letters = table.send(table.mover, "key", player.public, AT.format(0))
    _, letters = table.reply(letters[0], "yes", AT.format(1))
    assert "can't check OpenPGP" in " ".join(letters[0].text.split())
    assert ordered(table, player.clear(orders(table)), 2)[0]["accepted"] == 1
