"""Evidence: only what a trusted server wrote on top counts, and only for the domain of From."""

import random

import pytest

from referee.mail.read.mail import read_mail
from referee.mail.sender.authentication import read_results, weigh

SIGNERS = ("example.org", "evil.example", "org", "ample.org", "co.uk", "list.example")


def evidence(
    *results: str, sender: str = "ann@example.org", trusted: tuple[str, ...] = ("mx.referee.example",)
) -> str:
    fields = "".join(f"Authentication-Results: {result}\n" for result in results)
    signed = "".join(
        f"DKIM-Signature: d={d}; s=A; h=from:to:subject:date; bh=eA==; b=Ab1/+c0=\n" for d in SIGNERS
    )
    rest = "To: c@referee.example\nSubject: x\nDate: Mon, 02 Mar 2026 00:00:00 +0000\n"
    mail = read_mail(f"{fields}{signed}From: {sender}\n{rest}\nMove: c3\n".encode())
    return weigh(mail, trusted, {"c@referee.example"}).kind


def test_a_field_over_which_the_library_stumbles_counts_nothing() -> None:
    """A property without a name; the mail itself is read as any other."""
    assert read_results("mx.referee.example; dkim=pass header.=example.org") is None
    assert evidence("mx.referee.example; dkim=pass header.=example.org") == "none"


def test_a_server_that_looked_at_nothing_says_nothing() -> None:
    """RFC 8601, 2.2: "none" in place of results; among them it is a fault, which the mail itself survives."""
    assert read_results("mx.referee.example; dkim=pass header.d=example.org; none") is None
    assert evidence("mx.referee.example; dkim=pass header.d=example.org; none") == "none"
    found = read_results("mx.referee.example; none")
    assert (found.server, found.results) == ("mx.referee.example", ())
    assert evidence("mx.referee.example; none") == "none"
    assert evidence("mx.other.example; none", "mx.referee.example; dkim=pass header.d=example.org") == "none"


@pytest.mark.parametrize(
    ("result", "kind"),
    [
        ("mx.referee.example; dkim=pass header.d=example.org", "aligned"),
        ("MX.Referee.Example 1; dkim=pass header.i=@example.org header.s=a", "aligned"),
        ("mx.referee.example; dkim=pass header.d=example.org header.s=b", "none"),
        ("mx.referee.example; dkim=pass header.d=example.org header.b=Ab1/+c", "aligned"),
        ("mx.referee.example; dkim=pass header.d=example.org header.b=Ab2", "none"),
        ("mx.referee.example; dkim=pass header.d=mail.example.org", "none"),
        ("mx.referee.example; dmarc=pass (p=reject) header.from=example.org", "none"),
        ("mx.referee.example; spf=pass smtp.mailfrom=bounces@mail.example.org", "none"),
        ("mx.referee.example; dkim=fail header.d=example.org; spf=pass smtp.mailfrom=example.org", "none"),
        (
            "mx.referee.example;\n dkim=fail header.d=list.example;\n dkim=pass header.d=example.org",
            "aligned",
        ),
        (
            "mx.referee.example; dmarc=fail header.from=example.org; spf=pass smtp.mailfrom=example.org",
            "failed",
        ),
        ("mx.referee.example; dkim=fail header.d=example.org", "failed"),
        ("mx.referee.example; dkim=temperror header.d=example.org", "none"),
        ("", "none"),
    ],
)
def test_a_result_counts_only_where_it_aligns_with_from(result: str, kind: str) -> None:
    assert evidence(result) == kind


def test_without_a_trusted_server_nothing_is_evidence() -> None:
    assert evidence("mx.referee.example; dkim=pass header.d=example.org", trusted=()) == "none"


def test_of_an_uncertain_sender_nothing_is_evidence() -> None:
    spoof = "ann@example.org]<eve@evil.example>"
    assert evidence("mx.referee.example; dkim=pass header.d=evil.example", sender=spoof) == "none"


SERVERS = {
    "Gmail": "mx.google.com; dkim=pass header.i=@example.org header.s=a header.b=Ab1/+c0=; spf=pass (google.com: "
    "domain of ann@example.org designates 2001:db8::1 as permitted sender) smtp.mailfrom=ann@example.org; dmarc=pass "
    "(p=REJECT sp=REJECT dis=NONE) header.from=example.org",
    "rspamd": 'mx.example.net;\n\tdkim=pass header.d=example.org header.s=a header.b="Ab1/+";\n\tspf=pass '
    "(mx.example.net: domain of ann@example.org designates 192.0.2.1 as permitted sender) "
    "smtp.mailfrom=ann@example.org;\n\tdmarc=pass (policy=none) header.from=example.org",
    "OpenDKIM": "mx.example.net;\n\tdkim=pass (2048-bit key; unprotected) header.d=example.org "
    "header.i=@example.org header.a=rsa-sha256 header.s=a header.b=Ab1;\n\tdkim-atps=neutral",
    "Exim": "mx.example.net; iprev=pass (a.example.org) smtp.remote-ip=192.0.2.1; spf=pass smtp.mailfrom=example.org; "
    "dkim=pass header.d=example.org header.s=a header.a=rsa-sha256; dmarc=pass header.from=example.org; arc=none",
    "amavis": "mx.example.net (amavisd-new);\n\tdkim=pass (2048-bit key) header.d=example.org",
}


@pytest.mark.parametrize("field", SERVERS.values(), ids=SERVERS.keys())
def test_what_servers_write_is_understood(field: str) -> None:
    server = field.split(";")[0].split()[0]
    assert evidence(field, trusted=(server,)) == "aligned"


OF_THE_WAY_ALONE = {
    "OpenDMARC": "mx.example.net; dmarc=pass (p=none dis=none) header.from=example.org",
    "policyd-spf": "mx.example.net; spf=pass (sender SPF authorized) smtp.mailfrom=example.org (client-ip=2001:db8::1; "
    "helo=a.example.org; envelope-from=ann@example.org; receiver=b@example.net)",
    "iCloud's second": "dmarc.icloud.com; dmarc=pass header.from=example.org",
}


@pytest.mark.parametrize("field", OF_THE_WAY_ALONE.values(), ids=OF_THE_WAY_ALONE.keys())
def test_what_names_no_signature_proves_no_field_and_denies_nothing(field: str) -> None:
    server = field.split(";")[0].split()[0]
    assert evidence(field, trusted=(server,)) == "none"
    assert evidence(field, f"{server}; dkim=pass header.d=example.org", trusted=(server,)) == "aligned"


NOT_BY_THE_GRAMMAR = {
    "words of its own": "mx6.messagingengine.com; dkim=pass header.d=example.org x-bits=2048; dkim=pass "
    "header.d=example.org",
    "no server's name": "spf=pass smtp.mailfrom=example.org; dkim=pass header.d=example.org;dmarc=pass action=none",
    "a semicolon too many": "mx.example.net; dkim=pass header.i=@example.org; dmarc=pass header.from=example.org;",
    "an address with colons": "mx.example.net; iprev=pass smtp.remote-ip=2001:db8::1; dkim=pass header.d=example.org",
}


@pytest.mark.parametrize("field", NOT_BY_THE_GRAMMAR.values(), ids=NOT_BY_THE_GRAMMAR.keys())
def test_what_servers_write_besides_the_grammar_counts_nothing(field: str) -> None:
    assert evidence(field, trusted=("mx6.messagingengine.com", "mx.example.net", "spf")) == "none"


@pytest.mark.parametrize("seed", range(4))
def test_of_a_field_by_the_grammar_nothing_is_passed_over(seed: int) -> None:
    """The library passes over what it does not know: so whatever is let through to it comes back whole."""
    chance = random.Random(seed)

    def gap(least: str = "") -> str:
        return chance.choice((least or " ", " ", "\t", " (so (it) says; x=y) ", " (a) (b) "))

    for _ in range(100):
        wanted, field = [], f"mx.example.net{gap()}"
        for _ in range(chance.randrange(1, 4)):
            method, value = chance.choice(("dkim", "spf", "x-own")), chance.choice(("pass", "none"))
            stated = [
                (f"{kind}.{name}", said)
                for kind in chance.sample(("header", "smtp", "body", "policy"), chance.randrange(3))
                for name, said in [chance.choice((("d", "a.example"), ("b", "ab/c+d="), ("i", "@b.example")))]
            ]
            reason = chance.choice(("", f'reason{gap()}={gap()}"a; b=(c"{gap()}', f"reason=ok{gap()}"))
            facts = gap().join(
                f"{key.replace('.', f'{gap()}.')}{gap()}={gap()}{said}" for key, said in stated
            )
            field += f";{gap()}{method}{gap()}={gap()}{value}{gap()}{reason}{facts}"
            wanted.append((method, value, tuple(stated)))
        read = read_results(field)
        assert read is not None, field
        assert [(one.method, one.value, one.properties) for one in read.results] == wanted
