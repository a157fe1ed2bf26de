"""What proves a sender from outside is looked up before the transaction, kept with the mail, and never asked twice."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from referee.post.trust import dkim as signing
from tests.offices.table import Table
from tests.post.trust.test_dkim import keys, signed
from tests.world import kinds


class Dns:
    """Knows the key of example.org; notes whether the database was free when it was asked."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self.asked: list[bool] = []

    def __call__(self, name: bytes, timeout: float = 5) -> bytes | None:
        with sqlite3.connect(self._database, timeout=0, isolation_level=None) as connection:
            try:
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("ROLLBACK")
                self.asked.append(True)
            except sqlite3.OperationalError:
                self.asked.append(False)
        connection.close()
        return keys(name, timeout=5)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    table = Table(tmp_path)
    table.world.configure("dkim = false", "dkim = true")
    table.world.configure('need = "address"', 'need = "vouched"')
    return table


@pytest.fixture
def dns(table: Table, monkeypatch: pytest.MonkeyPatch) -> Dns:
    dns = Dns(table.world.folder / "referee.db")
    monkeypatch.setattr(signing, "DnsCache", lambda: dns)
    return dns


def signed_order(table: Table, at: str) -> bytes:
    subject = table.latest("due", table.mover).subject
    mail = (
        f"From: {table.mover}\r\nTo: collector@referee.localhost\r\nSubject: {subject}\r\n"
        f"Date: Mon, 02 Mar 2026 00:00:00 +0000\r\nMessage-ID: <signed@example.org>\r\n\r\n"
        + table.orders(table.mover).replace("\n", "\r\n")
    )
    return signed(mail.encode())


def test_a_signature_is_checked_while_no_transaction_is_open(table: Table, dns: Dns) -> None:
    table.world.raw(signed_order(table, "2026-03-02T00:00:00Z"), "2026-03-02T00:00:00Z")
    counts, _ = table.step("2026-03-02T00:00:00Z")
    assert counts["accepted"] == 1
    assert dns.asked == [True]


def test_what_a_signature_proved_is_kept_with_the_mail(
    table: Table, dns: Dns, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.world.raw(signed_order(table, "2026-03-02T00:00:00Z"), "2026-03-02T00:00:00Z")
    counts, _ = table.step("2026-03-01T23:59:59Z")
    assert (counts["waiting"], dns.asked) == (1, [True]), "kept, though its time has not come"
    monkeypatch.setattr(signing, "DnsCache", lambda: pytest.fail)
    counts, _ = table.step("2026-03-02T00:00:00Z")
    assert counts["accepted"] == 1


def test_of_a_mail_that_is_held_nobody_is_asked(table: Table, dns: Dns) -> None:
    raw = signed_order(table, "2026-03-02T00:00:00Z").replace(
        b"\r\nSubject:", b"\r\nX-Spam-Flag: YES\r\nSubject:"
    )
    table.world.raw(raw, "2026-03-02T00:00:00Z")
    counts, _ = table.step("2026-03-02T00:00:00Z")
    assert counts["held"] == 1
    assert dns.asked == []


def test_a_mail_without_a_signature_asks_nobody_and_its_owner_is_asked(table: Table, dns: Dns) -> None:
    subject, orders = table.latest("due", table.mover).subject, table.orders(table.mover)
    _, letters = table.send(table.mover, subject, orders, "2026-03-02T00:00:00Z")
    assert kinds(letters) == {"challenge": [table.mover]}
    assert dns.asked == []


def test_read_tells_what_a_signature_proves(table: Table, dns: Dns, tmp_path: Path) -> None:
    path = tmp_path / "signed.eml"
    path.write_bytes(signed_order(table, "2026-03-02T00:00:00Z"))
    facts = table.world.run("read", str(path), "--as-of", "2026-03-02T00:00:00Z", "--json").json
    assert "dkim passed for example.org" in facts["evidence"]
    assert facts["disposition"] == "accepted"
    assert dns.asked == [True]
