"""A forger of From who also writes, or has written, what a mail server should have said (RFC 8601).

The mail claims to be from ann@example.org; everything that the forger owns is under evil.example.
"""

import random
import re
from email.utils import quote

import pytest

from referee.mail.read.head import ParsedMail
from referee.mail.read.mail import read_mail
from referee.mail.sender.authentication import MOST_SIGNATURES, weigh
from tests.attacks import naive

MX = "mx.example.net"
GOOD = f"{MX}; dkim=pass header.d=example.org; dmarc=pass header.from=example.org"
WRITTEN = "To: collector@referee.example\r\nSubject: x\r\nDate: Mon, 02 Mar 2026 00:00:00 +0000\r\n"


def read(*fields: str, sender: str = "Ann <ann@example.org>") -> ParsedMail:
    """The letter with these fields, each `Name: value` or the value of an Authentication-Results."""
    named = [
        field if field.startswith(("Received:", "From:")) else f"Authentication-Results: {field}"
        for field in fields
    ]
    head = "".join(f"{field}\r\n" for field in [*named, *signed_by(named)])
    return read_mail(f"{head}From: {sender}\r\n{WRITTEN}\r\nMove: c3\r\n".encode())


def signed_by(fields: list[str]) -> list[str]:
    """For every domain that the fields may name a signature that covers everything: none is wanting."""
    domains = sorted({"example.org", *re.findall(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*", " ".join(fields).lower())})
    chosen = ["example.org", *(d for d in domains if d != "example.org" and not d.isdigit())][
        :MOST_SIGNATURES
    ]
    rest = "s=s1; h=from:to:subject:date; bh=eA==; b=Ab/C+d=="
    return [f"DKIM-Signature: v=1; a=rsa-sha256; d={domain}; {rest}" for domain in chosen]


def weighed(mail: ParsedMail, trusted: tuple[str, ...] = (MX,)) -> str:
    return weigh(mail, trusted, {"collector@referee.example"}).kind


def verdict(*fields: str, sender: str = "Ann <ann@example.org>", trusted: tuple[str, ...] = (MX,)) -> str:
    return weighed(read(*fields, sender=sender), trusted)


# What a server truthfully writes of a mail from evil.example, with the forger's own words in it.
WRITTEN_OF_A_FORGERY = {
    "a return path in quotes": r'spf=pass smtp.mailfrom="a\"; dmarc=pass header.from=example.org; x=\""@evil.example',
    "a return path full of quotes": 'spf=pass smtp.mailfrom="'
    + r"\"" * 60
    + '; dmarc=pass header.from=example.org"@evil.example',
    "a result among a return path": 'spf=pass smtp.mailfrom="x dkim=pass header.d=example.org"@evil.example',
    "an address in a return path": 'spf=pass smtp.mailfrom="ann@example.org"@evil.example',
    "an address in quotes": r'spf=pass smtp.mailfrom="\"ann@example.org\"@evil.example"',
    "a backslash at the end of quotes": r'spf=pass smtp.mailfrom="a\\"@evil.example',
    "a reason that reads like a property": 'dkim=pass reason="header.d=example.org" header.d=evil.example',
    "a reason with a signature": 'spf=pass reason="; dkim=pass header.d=example.org" smtp.mailfrom=x@evil.example',
    "a reason like a result": 'dkim=fail reason="; dmarc=pass header.from=example.org" header.d=evil.example',
    "a comment like a result": "spf=pass (; dmarc=pass header.from=example.org) smtp.mailfrom=x@evil.example",
    "a comment within a comment": "spf=pass (a (b) ; dmarc=pass header.from=example.org) smtp.mailfrom=x@evil.example",
    "a quote in a comment": 'spf=pass (a "b) smtp.mailfrom=x@evil.example (c" ; dmarc=pass header.from=example.org)',
    "a return path copied into a comment": 'spf=pass (domain of "); dkim=pass header.d=example.org ("@evil.example) '
    "smtp.mailfrom=x@evil.example",
    "an escaped end of a comment": r"spf=pass (a \) ; dmarc=pass header.from=example.org) smtp.mailfrom=x@evil.example",
    "a parenthesis inside quotes": 'spf=pass smtp.mailfrom="(" dmarc=none (") ; dmarc=pass header.from=example.org")',
    "a parenthesis in a quoted return path": 'spf=pass smtp.mailfrom="("@evil.example; '
    'iprev=pass (") ; dmarc=pass header.from=example.org; x=")',
    "a helo of the victim's": "spf=pass smtp.helo=example.org smtp.mailfrom=x@evil.example",
    "a null return path": "spf=pass smtp.helo=example.org",
    "another signer's i": "dkim=pass header.d=evil.example header.i=@example.org",
    "a second d": "dkim=pass header.d=evil.example header.d=example.org",
    "a selector that is a domain": "dkim=pass header.s=example.org header.d=evil.example",
    "another method's d": "domainkeys=pass header.d=example.org; dkim=none",
    "a method of a like name": "x-dmarc=pass header.from=example.org; dmarc=none",
    "a result of a like name": "dmarc=passed header.from=example.org",
    "dmarc for another": "dmarc=pass header.from=evil.example",
    "dmarc for two": "dmarc=pass header.from=evil.example header.from=example.org",
    "dmarc for nobody": "dmarc=pass",
    "dmarc for a like name": "dmarc=pass header.from=example.org.evil.example",
    "dmarc for an ending": "dmarc=pass header.from=org",
    "both of dmarc": "dmarc=none header.from=example.org; dmarc=pass header.from=evil.example",
    "two return paths": "spf=pass smtp.mailfrom=x@evil.example; spf=pass smtp.mailfrom=ann@example.org",
    "a return path with two ats": "spf=pass smtp.mailfrom=x@evil.example@example.org",
    "a shared ending": "dkim=pass header.d=org",
    "a signer who ends alike": "dkim=pass header.d=anexample.org",
}


@pytest.mark.parametrize("written", WRITTEN_OF_A_FORGERY.values(), ids=WRITTEN_OF_A_FORGERY.keys())
def test_what_a_forger_has_written_into_a_true_field_is_no_result(written: str) -> None:
    assert verdict(f"{MX}; {written}") != "aligned"


BAD = {
    "a quote that never ends": f'{GOOD}; spf=pass smtp.mailfrom="a',
    "a comment that never ends": f"{GOOD} (a",
    "a parenthesis too many": f"{GOOD} )",
    "words at the end": f"{GOOD} and more",
    "a word without a value": f"{GOOD} header.d",
    "an empty value": f"{GOOD}; spf=pass smtp.mailfrom=",
    "an empty result": f"{GOOD};",
    "two signs": f"{MX};; dmarc=pass header.from=example.org",
    "no result": MX,
    "a later version": f"{MX} 2; dmarc=pass header.from=example.org",
    "none beside a result": f"{MX}; none; dmarc=pass header.from=example.org",
    "another sign for it": f"{MX}: dmarc=pass header.from=example.org",
    "a server of two words": f"evil {MX}; dmarc=pass header.from=example.org",
    "a server in a comment": f"({MX}) evil.example; dmarc=pass header.from=example.org",
    "a server with a tail": f"{MX}.evil.example; dmarc=pass header.from=example.org",
    "a server with a head": f"evil.{MX}; dmarc=pass header.from=example.org",
    "eight-bit signs": f"{GOOD} (\u00e9)",
    "parentheses without end": f"{GOOD} {'(' * 5000}",
    "parentheses very deep": f"{GOOD} {'(' * 2000}{')' * 2000}",
    "a field without end": f"{GOOD} ({'x' * 20000})",
    "encoded words": f"=?utf-8?q?{MX}?=; dmarc=pass header.from=example.org",
    "a NUL": f"{MX}\x00; dmarc=pass header.from=example.org",
}


@pytest.mark.parametrize("field", BAD.values(), ids=BAD.keys())
def test_a_field_that_does_not_keep_to_the_grammar_counts_nothing(field: str) -> None:
    assert verdict(field) == "none"
    assert verdict(field, GOOD) == "none", "nor does what stands below it: it may have come with the mail"


RECEIVED = "Received: from evil.example by mx.example.net; Mon, 02 Mar 2026 00:00:00 +0000"
BELOW = {
    "below another server's": ("mx.evil.example; spf=pass smtp.mailfrom=x@evil.example", GOOD),
    "between others": ("mx.evil.example; none", GOOD, "mx.other.example; none"),
    "below its own no": (f"{MX}; dmarc=fail header.from=example.org", GOOD),
    "below its own doubt": (f"{MX}; dkim=none; dmarc=none header.from=example.org", GOOD),
    "below its own words on two methods": (
        f"{MX}; dkim=none",
        f"{MX}; dmarc=none",
        f"{MX}; dkim=pass header.d=example.org",
    ),
    "below a Received": (f"{MX}; spf=none", RECEIVED, GOOD),
    "below others and a Received": (f"{MX}; spf=none", "mx.evil.example; none", RECEIVED, GOOD),
}


@pytest.mark.parametrize("fields", BELOW.values(), ids=BELOW.keys())
def test_a_field_that_may_have_come_with_the_mail_counts_nothing(fields: tuple[str, ...]) -> None:
    assert verdict(*fields) != "aligned"


@pytest.mark.parametrize(
    "fields",
    [
        (GOOD,),
        (RECEIVED, GOOD, RECEIVED),
        (f"{MX}; dmarc=pass (p=reject) header.from=Example.ORG", f"{MX}; dkim=pass header.d=Example.ORG; spf=none"),
        (f"{MX}; dmarc=pass (p=reject) header.from=Example.ORG header.d=example.org", f"{MX}; dkim=none; spf=none"),
        (f"{MX}; spf=none", f"{MX}; dkim=pass header.i=@example.org header.b=ab/c+d=", "mx.evil.example; none"),
        (f"{MX}; spf=none", "mx2.example.net; dkim=pass header.d=example.org"),
        (f"{MX} 1 ; dkim=fail header.d=list.example; dkim/1 = pass (good (very) \\) one) header.d = example.org",),
        (f'{MX};\r\n\tspf=pass smtp.mailfrom="a b"@a.example.org;\r\n\tdkim=pass header.d=example.org header.b=ab',),
        (f'{MX}; dkim=pass reason="a (b; c" header.d=example.org',),
        (f'{MX}; dkim=pass (what "they" call (\\" a key)) header.d=example.org',),
    ],
)  # fmt: skip
def test_what_trusted_servers_say_on_top_counts(fields: tuple[str, ...]) -> None:
    assert verdict(*fields, trusted=(MX, "mx2.example.net")) == "aligned"


@pytest.mark.parametrize(
    ("signer", "sender", "kind"),
    [
        ("mail.example.org", "ann@example.org", "aligned"),
        ("example.org", "ann@post.example.org", "aligned"),
        ("eu.org", "ann@friends.eu.org", "none"),
        ("evil.eu.org", "ann@eu.org", "none"),
        ("github.io", "ann@ann.github.io", "none"),
        ("evil.github.io", "ann@ann.github.io", "none"),
        ("co.uk", "ann@example.co.uk", "none"),
        ("com.pl", "ann@example.com.pl", "none"),
        ("localhost", "ann@localhost", "none"),
    ],
)
def test_whoever_has_his_name_under_the_same_ending_signs_for_himself(
    signer: str, sender: str, kind: str
) -> None:
    assert verdict(f"{MX}; dkim=pass header.d={signer}", sender=sender) == kind
    assert verdict(f"{MX}; spf=pass smtp.mailfrom=x@{signer}", sender=sender) == "none", "no field is proved"


# --- generated --------------------------------------------------------------------------------------------------

_BITS = (
    '"', "\\", "(", ")", ";", "=", " ", "@", "/", ".", "\t", ",", "<", ">", "ann", "example.org", "evil.example", MX,
    "; dmarc=pass header.from=example.org", " header.d=example.org", "dkim=pass",
    "spf=pass smtp.mailfrom=ann@example.org",
    '\\"; dmarc=pass header.from=example.org; x=\\"', ") ; dmarc=pass header.from=example.org (", "none", "reason=",
    "\r\n ", "1", '""',
)  # fmt: skip


def words(chance: random.Random, most: int = 8) -> str:
    return "".join(chance.choice(_BITS) for _ in range(chance.randrange(most)))


def quoted(text: str) -> str:
    """By the book: a quoted string (RFC 5322, 3.2.4)."""
    return f'"{quote(text)}"'


def comment(text: str) -> str:
    return f"({''.join(chr(92) + sign if sign in '()' + chr(92) else sign for sign in text)})"


def true_field(chance: random.Random) -> str:
    """What a careful server writes of a mail that evil.example sent, the forger's words wherever they may stand."""
    said = [
        f"spf=pass smtp.mailfrom={quoted(words(chance))}@evil.example",
        f"spf=pass {comment(words(chance))} smtp.mailfrom=x@evil.example",
        f"spf=softfail smtp.mailfrom={quoted(words(chance))}",
        f"dkim=pass reason={quoted(words(chance))} header.d=evil.example header.s=s1",
        f"dkim=pass {comment(words(chance))} header.i={quoted(words(chance))}@evil.example header.d=evil.example",
        f"dmarc=none {comment(words(chance))} header.from=example.org",
        f"iprev=fail policy.iprev={quoted(words(chance))}",
    ]
    chosen = chance.sample(said, chance.randrange(1, 4))
    return f"{MX} {comment(words(chance)) if chance.random() < 0.3 else ''}; {'; '.join(chosen)}"


def plain(text: str) -> str:
    """The field as it stands in the mail: up to a line that does not go on, unfolded."""
    return re.split(r"\r\n(?![ \t])", text)[0].replace("\r\n", "")


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", range(20))
def test_no_words_of_a_forger_make_a_careful_server_vouch_for_another(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(60):
        field = true_field(chance)
        assert verdict(field) != "aligned", field


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", range(20))
def test_what_is_believed_of_a_garbled_field_a_naive_reader_believes_too(seed: int) -> None:
    """Fields of careful and careless servers, true and forged, cut and mixed at will."""
    chance = random.Random(f"garbled {seed}")
    believed = 0
    for _ in range(80):
        fields: list[tuple[str, str]] = []
        for _ in range(chance.randrange(1, 4)):
            text = chance.choice(
                (true_field(chance), GOOD, f"{MX}; dkim=pass header.d=example.org", "evil.example; none")
            )
            for _ in range(chance.choice((0, 0, 1, 1, 2, 5))):
                at = chance.randrange(len(text))
                text = text[:at] + chance.choice((words(chance, 3), "")) + text[at + chance.randrange(3) :]
            fields.append(("Authentication-Results", text))
            if chance.random() < 0.2:
                fields.append(("Received", "from a by b; Mon, 02 Mar 2026 00:00:00 +0000"))
        letter = read(*(value if name != "Received" else f"Received: {value}" for name, value in fields))
        seen = [(name, plain(value)) for name, value in fields]
        if weighed(letter) == "aligned":
            believed += 1
            assert naive.vouches(seen, MX, "example.org"), fields
    assert believed, "the generator never lets a good field through"


@pytest.mark.parametrize("seed", range(10))
def test_a_garbled_from_names_the_address_that_a_naive_reader_finds_or_nobody(seed: int) -> None:
    chance = random.Random(f"from {seed}")
    bits = (
        "ann@example.org", "eve@evil.example", "<ann@example.org>", "<eve@evil.example>", '"', "(", ")", "<", ">",
        ",", ":", ";", "\\", " ", "Ann", '"ann@example.org" ', "(ann@example.org)",
        "=?utf-8?q?ann=40example.org?=", "=?utf-8?b?PGFubkBleGFtcGxlLm9yZz4=?=",
        "\r\n ", "\x00", "\u202e", "@", ".",
    )  # fmt: skip
    known = 0
    for _ in range(150):
        value = chance.choice(("", "Ann <ann@example.org>", "eve@evil.example"))
        for _ in range(chance.randrange(4)):
            at = chance.randrange(len(value) + 1)
            value = value[:at] + chance.choice(bits) + value[at:]
        more = (f"From: {chance.choice(bits[:4])}",) if chance.random() < 0.1 else ()
        letter = read(GOOD, *more, sender=value)
        if letter.sender is None:
            assert weighed(letter) == "none"
            continue
        known += 1
        fields = [("From", plain(value)), *(("From", field) for field in more)]
        assert naive.sender(fields) == letter.sender.address.lower(), value
        if weighed(letter) == "aligned":
            assert letter.sender.address.endswith("@example.org")
    assert known


# --- at the desk ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("between", ["\r", "\r \r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028"])
def test_a_field_begins_at_the_end_of_a_line_and_nowhere_else(between: str) -> None:
    """A server strikes out fields of its own name; one behind a lone carriage return it can't have seen."""
    hidden = f"X-Mailer: x{between}Authentication-Results: {GOOD}"
    raw = f"{hidden}\r\nFrom: Ann <ann@example.org>\r\nSubject: x\r\n\r\nMove: c3\r\n".encode()
    assert weighed(read_mail(raw)) == "none"
    assert [line.text for line in read_mail(raw).own] == ["Move: c3"]
