"""Own DKIM check: only a signature of the sender's own domain over this very mail vouches; none ever fails it."""

from __future__ import annotations

import base64
import time

import dkim
import pytest

from referee.offices.ports.mail import Evidence
from referee.post.reading.mail import read_mail
from referee.post.trust.dkim import Lookup, SignatureCheck

P = int(
    "DA574258F5107257098656AE150FED03E809F7E7FD5ABB9E5A267C769670DE8A"
    "66A0523A60ED9121BF2C05C023FB24A36D7993483280973D2BF6CDB93DCCABD3",
    16,
)
Q = int(
    "E8624FAB5186EE32EE8D7EE9770348A05D300CB90706A045DEFC044A09325626"
    "E6B58DE744AB6CCE80877B6F71E1F6D2EF8ACD128B4F2FC15F3F57EBF30B94FB",
    16,
)
E = 65537


def der(tag: int, content: bytes) -> bytes:
    size = len(content)
    length = bytes([size]) if size < 128 else b"\x82" + size.to_bytes(2, "big")
    return bytes([tag]) + length + content


def numbers(*values: int) -> bytes:
    """A sequence of integers in DER."""
    return der(0x30, b"".join(der(2, n.to_bytes(n.bit_length() // 8 + 1, "big")) for n in values))


D = pow(E, -1, (P - 1) * (Q - 1))
RSA = bytes.fromhex("300d06092a864886f70d0101010500")  # the algorithm's name
PRIVATE = base64.encodebytes(numbers(0, P * Q, E, D, P, Q, D % (P - 1), D % (Q - 1), pow(Q, -1, P)))
PEM = b"-----BEGIN RSA " + b"PRIVATE KEY-----\n" + PRIVATE + b"-----END RSA " + b"PRIVATE KEY-----\n"
PUBLIC = base64.b64encode(der(0x30, RSA + der(3, b"\x00" + numbers(P * Q, E))))
MAIL = (
    b"From: Ann <ann@example.org>\r\nTo: collector@referee.example\r\nSubject: Buttons: Move / Player 1\r\n"
    b"Date: Mon, 02 Mar 2026 00:00:00 +0000\r\nMessage-ID: <1@example.org>\r\n\r\nMove: b2-d3\r\n"
)


def signed(
    mail: bytes = MAIL, domain: bytes = b"example.org", *, length: bool = False, only: tuple = ()
) -> bytes:
    fields = list(only) or [b"from", b"to", b"subject", b"date"]
    head = dkim.sign(
        mail, b"s1", domain, PEM, canonicalize=(b"relaxed", b"relaxed"), include_headers=fields, length=length,
    )  # fmt: skip
    return head + mail


def keys(name: bytes, timeout: int = 5) -> bytes | None:
    known = {
        b"s1._domainkey.example.org.",
        b"s1._domainkey.evil.example.",
        b"s1._domainkey.mail.example.org.",
    }
    return b"v=DKIM1; k=rsa; p=" + PUBLIC if name in known else None


TAKEN = {"collector@referee.example"}


def checked(raw: bytes, lookup: Lookup = keys, taken: set[str] = TAKEN) -> Evidence | None:
    return SignatureCheck(lookup)(raw, read_mail(raw), taken)


@pytest.mark.parametrize("domain", [b"example.org", b"mail.example.org"])
def test_a_signature_of_the_senders_domain_vouches(domain: bytes) -> None:
    evidence = checked(signed(domain=domain))
    assert evidence is not None
    assert evidence.kind == "aligned"
    assert domain.decode() in evidence.detail


@pytest.mark.parametrize(
    "raw",
    [
        MAIL,
        signed().replace(b"b2-d3", b"b2-b3"),
        signed().replace(b"Player 1", b"Player 2"),
        signed(domain=b"evil.example"),
        signed(domain=b"unknown.example"),
        signed(length=True) + b"Move: a1-a2\r\n",
        signed(only=(b"from", b"date")),
        b"DKIM-Signature: v=1; a=none\r\n" + MAIL,
        b"DKIM-Signature: \xff\xfe\r\n" + MAIL,
        b"\x00\x01\x02",
        b"",
    ],
    ids=["unsigned", "body changed", "subject changed", "another domain", "no key", "only a part", "subject not signed",
         "no algorithm", "no text", "no mail", "nothing"],
)  # fmt: skip
def test_nothing_else_vouches_and_nothing_raises(raw: bytes) -> None:
    assert checked(raw) is None


def test_what_is_dated_into_the_future_or_has_run_out_vouches_for_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for until, good in ((4_000_000_000, True), (1_600_000_000, False)):
        head = dkim.sign(
            MAIL, b"s1", b"example.org", PEM, identity=f"@example.org; x={until}; z=example.org".encode(),
            include_headers=[b"from", b"to", b"subject", b"date"],
        )  # fmt: skip
        assert (checked(head + MAIL) is not None) == good
    with monkeypatch.context() as patch:
        patch.setattr(time, "time", lambda: 4_000_000_000)
        ahead = signed()
        assert checked(ahead) is not None
    assert checked(ahead) is None


def test_a_broken_digest_vouches_for_nobody() -> None:
    head = dkim.sign(
        MAIL, b"s1", b"example.org", PEM, signature_algorithm=b"rsa-sha1",
        include_headers=[b"from", b"to", b"subject", b"date"],
    )  # fmt: skip
    assert checked(head + MAIL) is None


def test_only_so_many_signatures_are_looked_at() -> None:
    asked = []

    def counting(name: bytes, timeout: int = 5) -> bytes | None:
        asked.append(name)
        return None

    head = signed().split(b"From:")[0]
    assert checked(head * 15 + MAIL.replace(b"b2", b"b3"), counting) is None
    assert len(asked) == 5
    assert checked(head * 50 + MAIL, counting) is None
    assert len(asked) == 5
