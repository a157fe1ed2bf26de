"""A signature proves what it covers, once. Somebody has got hold of a signed mail and puts fields on top of it, leaves
others away, sends it once more under another Date, or first without its proof.

Whether a signature holds a truthful server says, by the rules of RFC 6376; that a mail counts as its sender's may
follow only where all that is read of it is what he wrote, to us.
"""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import pytest

from referee.mail.reader import MailReader
from tests.mail.trust import signing

MX = "mx.example.net"
OURS = ("speaker@referee.example", "collector@referee.example", "moderator@referee.example")
ALSO = "games@alias.example"
SUBJECT, DATE, ANN = "Buttons: Move / Player 1", "Mon, 02 Mar 2026 00:00:00 +0000", "Ann <ann@example.org>"
BODY = "Move: b2-d3\r\n"
FIELDS = ("from", "to", "cc", "subject", "date", "message-id")
TO = {
    "collector@referee.example": True,
    "Collector <collector+0123456789@referee.example>": True,
    f"Friend <f@friend.example>, {ALSO}": True,
    "f@friend.example": False,
    "collector@referee.example.evil.example": False,
}


@dataclass(frozen=True)
class Signed:
    """A signature to be made: the domain, the fields that it covers, whether it leaves the body's end open."""

    domain: str = "example.org"
    fields: tuple[str, ...] = FIELDS
    open_end: bool = False


def written(to: str, cc: str = "") -> bytes:
    copy = f"Cc: {cc}\r\n" if cc else ""
    kind = "Message-ID: <1@example.org>\r\nContent-Type: text/plain; charset=utf-8\r\n"
    head = f"From: {ANN}\r\nTo: {to}\r\n{copy}Subject: {SUBJECT}\r\nDate: {DATE}\r\n{kind}"
    return f"{head}\r\n{BODY}".encode()


def signed(mail: bytes, *made: Signed) -> bytes:
    for one in made:
        mail = signing.signed(mail, one.domain, one.fields, open_end=one.open_end)
    return mail


SPELT = {
    "as it is": "{name}: {value}\r\n",
    "in capitals": "{upper}: {value}\r\n",
    "folded": "{name}:\r\n {value}\r\n",
    "with a blank": "{name} : {value}\r\n",
    "with a tab": "{name}\t:{value}\r\n",
    "with a NUL": "{name}\x00: {value}\r\n",
    "in eight bits": "{name}: {value} \u00e9\r\n",
    "below a line that is none": "this is no field\r\n{name}: {value}\r\n",
    "below an envelope's line": "From eve@evil.example Mon Mar  2 00:00:00 2026\r\n{name}: {value}\r\n",
    "behind a lone return": "X-Mailer: x\r{name}: {value}\r\n",
    "behind a lone feed": "X-Mailer: x\n{name}: {value}\r\n",
    "beyond what is read": "X-Filler: x\r\n" + "X-Filler: x\r\n" * 1100 + "{name}: {value}\r\n",
}
FORGED = {
    "Subject": "Buttons: Resign / Player 1",
    "Date": "Tue, 03 Mar 2026 00:00:00 +0000",
    "From": "Ann <ann@example.org>",
    "Message-ID": "<2@example.org>",
    "To": "collector@referee.example",
    "Content-Type": "text/plain; charset=utf-16",
}


def doubled(raw: bytes, name: str, spelt: str, place: str) -> bytes:
    """A second field on top of the head, in its midst, or at its end."""
    more = SPELT[spelt].format(name=name, upper=name.upper(), value=FORGED[name]).encode()
    if place == "top":
        return more + raw
    at = raw.index(b"\r\nTo: ") + 2 if place == "midst" else raw.index(b"\r\n\r\n") + 2
    return raw[:at] + more + raw[at:]


@dataclass(frozen=True)
class Composed:
    """A mail, and whether its author wrote it to us and signed all that matters, and nobody has changed it since."""

    raw: bytes
    honest: bool
    what: str


def composed(chance: random.Random) -> Iterator[Composed]:
    """Every field doubled at every place in every spelling; every list of covered fields that lacks some; every
    recipient; the body's end left open; signatures of others beside it."""
    good = signed(written("collector@referee.example"), Signed())
    for name, spelt, place in product(FORGED, SPELT, ("top", "midst", "end")):
        yield Composed(doubled(good, name, spelt, place), False, f"{name} twice, {spelt}, {place}")
    for number in range(1 << len(FIELDS)):
        fields = tuple(name for bit, name in enumerate(FIELDS) if number >> bit & 1)
        if "from" in fields:
            whole = {"from", "to", "subject", "date"} <= set(fields)
            yield Composed(
                signed(written("collector@referee.example"), Signed(fields=fields)), whole, f"h={fields}"
            )
    for to, cc in product(TO, ("", *TO)):
        fields = FIELDS if chance.random() < 0.5 else tuple(name for name in FIELDS if name != "cc")
        taken = TO[to] or (bool(cc) and TO[cc] and "cc" in fields)
        yield Composed(signed(written(to, cc), Signed(fields=fields)), taken, f"to {to}, cc {cc}, h={fields}")
    few, other = Signed(fields=("from", "date", "to")), Signed("evil.example")
    plain = written("collector@referee.example")
    for made in (
        (few, Signed()),
        (Signed(), few),
        (other, Signed()),
        (Signed(), other),
        (few, other),
        (few, few),
    ):
        yield Composed(signed(plain, *made), Signed() in made, f"{made}")
    yield Composed(signed(plain, Signed(open_end=True)), False, "l=")
    yield Composed(signed(plain, Signed(open_end=True)) + b"Move: a1-a2\r\n", False, "l= and more")
    yield Composed(good.replace(b"b2-d3", b"b2-b3"), False, "another body")
    yield Composed(good.replace(b"02 Mar", b"03 Mar"), False, "another Date")
    yield Composed(good.replace(b"To: c", b"To: x@y.example, c"), False, "another To")
    yield Composed(plain, False, "unsigned")


READER = MailReader({}, {}, OURS, (MX,), also=(ALSO,))


def checked_by_server(raw: bytes, stated: str) -> bytes:
    try:
        return signing.by_server(raw, MX, stated)
    except (
        signing.Malformed
    ):  # what one server can't read another may: it says what it said of the mail without the rest
        known = signed(written("collector@referee.example"), Signed())
        return signing.by_server(known, MX, stated).removesuffix(known) + raw


@pytest.mark.one_in(2)
@pytest.mark.parametrize("stated", ["all", "domain"])
def test_what_counts_as_proved_is_what_its_author_wrote_to_us(stated: str) -> None:
    seen = Counter[str]()
    for case in composed(random.Random(stated)):
        mail = READER.read(checked_by_server(case.raw, stated))
        proved = mail.evidence.kind == "aligned"
        # two signatures of a domain, and it alone is named
        ambiguous = stated == "domain" and "Signed" in case.what
        assert proved == case.honest or (ambiguous and not proved), (case.what, mail.evidence)
        assert bool(mail.evidence.signature) == proved
        if proved:
            words = [line.text for line in mail.own]
            assert (mail.subject, mail.sender, words) == (SUBJECT, "ann@example.org", ["Move: b2-d3"])
        seen["proved" if proved else mail.triage.disposition] += 1
    print(f"{stated}: {sum(seen.values())} mails, {dict(seen)}")
    assert min(seen["proved"], seen["hold"], seen["read"]) > 5


@pytest.mark.parametrize("place", ["top", "midst", "end"])
@pytest.mark.parametrize("spelt", SPELT)
@pytest.mark.parametrize("name", ["Subject", "Date", "From", "Message-ID"])
def test_a_field_that_may_stand_once_and_stands_twice_is_held(name: str, spelt: str, place: str) -> None:
    raw = doubled(written("collector@referee.example"), name, spelt, place)
    mail = READER.read(raw)
    assert (mail.triage.disposition, mail.triage.suspect) == ("hold", True)
    assert name in mail.triage.reason
    assert mail.claimed is not None
    assert "ann@example.org" in mail.claimed


UNFORGED = {
    "a list of fields that goes on": b"DKIM-Signature: v=1; h=To:\r\n Subject:From:\r\n\tDate: Message-ID; b=x\r\n",
    "a field of a like name": b"X-Subject: x\r\nSubject-Line: y\r\nResent-From: a@b.example\r\nDelivery-Date: x\r\n",
    "an envelope's line": b"From ann@example.org Mon Mar  2 00:00:00 2026\r\n",
}


@pytest.mark.parametrize("more", UNFORGED.values(), ids=UNFORGED.keys())
def test_what_only_looks_like_a_second_field_is_none(more: bytes) -> None:
    raw = more + written("collector@referee.example") + b"\r\nSubject: quoted\r\nFrom: somebody\r\n"
    for mail in (raw, raw.replace(b"\r\n", b"\n")):
        assert READER.read(mail).triage.disposition == "read"
