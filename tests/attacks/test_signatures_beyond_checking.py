"""A signature is checked on the bytes as they came, so what would take the library more than linear time is not cut but
left alone: no proof, and the evidence says why."""

from __future__ import annotations

import pytest

from referee.post.reader import MailReader
from referee.post.reading.head import LONGEST_FIELD, MOST_FIELDS
from referee.post.trust.dkim import LONGEST_GAP, SignatureCheck
from tests.post.trust.test_dkim import MAIL, keys, signed

READER = MailReader({}, {}, ("s@referee.example", "collector@referee.example"), (), SignatureCheck(keys))


def evidence(mail: bytes) -> tuple[str, str]:
    raw = signed(mail)
    found = READER.read(raw, proof=READER.identify(raw).proof).evidence
    return found.kind, found.detail


def with_field(field: bytes) -> bytes:
    return MAIL.replace(b"Date:", field + b"\r\nDate:", 1)


@pytest.mark.parametrize(
    ("within", "beyond"),
    [
        (MAIL + b"a" + b" " * LONGEST_GAP + b"b\r\n", MAIL + b"a" + b" " * (LONGEST_GAP + 1) + b"b\r\n"),
        (MAIL + b"a" + b" \t" * 100 + b"b\r\n", MAIL + b"a" + b"\t " * 101 + b"\r\n"),
        (with_field(b"X-A: " + b"a" * (LONGEST_FIELD - 9)), with_field(b"X-A: " + b"a" * LONGEST_FIELD)),
        (
            with_field(b"\r\n".join([b"X-A: b"] * (MOST_FIELDS - 100))),
            with_field(b"\r\n".join([b"X-A: b"] * MOST_FIELDS)),
        ),
        (MAIL + b"\r\n" * 5000, with_field(b"\r\n".join([b"X-A: " + b"a" * 900] * 300))),
    ],
    ids=["blanks", "tabs", "a long field", "many fields", "a long head"],
)
def test_up_to_a_bound_it_proves_and_beyond_it_nothing(within: bytes, beyond: bytes) -> None:
    assert evidence(within)[0] == "aligned", evidence(within)
    kind, detail = evidence(beyond)
    assert kind == "none"
    assert detail.startswith("no signature checked: the mail has"), detail
