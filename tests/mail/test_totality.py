"""For any bytes there is a Letter, and all that is done with one: nothing raises. (That nothing takes long:
`tests/attacks/test_time_grows_with_length.py`.)"""

import random
import tracemalloc

import pytest

from referee.mail.read import parsing
from referee.mail.read.mail import read_mail
from referee.mail.read.subject import match_heading, read_subject
from referee.mail.sender.authentication import weigh
from referee.mail.sender.triage import content_digest, read_bounce, triage, words_digest
from tests.mail.mutation import mutated
from tests.sampling import long

TITLES = {"Go": "multigo", "One Piece For Two": "onepiece", "Fourplay": "fourplay"}
HEADINGS = {"Move": "Move", "Initial Purchase of Pieces": "Purchase"}
CONTROLS = frozenset(map(chr, [*range(9), *range(11, 32), 127]))


def use_everything(raw: bytes) -> None:
    """All that the offices will ask of a mail; its texts must be fit for letters and for the store."""
    letter = read_mail(raw)
    triage(letter, ("collector@referee.example",))
    bounce = read_bounce(letter.parts)
    tag = read_subject(letter.subject, TITLES)
    match_heading(tag.heading, HEADINGS)
    assert len(content_digest(raw, letter.headers)) == len(words_digest(letter)) == 64
    texts = [
        letter.subject,
        "\n".join(line.text for line in letter.own),
        letter.date_text,
        weigh(letter, ("mx", "mx.example"), ("collector@referee.example",)).detail,
        *letter.faults,
        *letter.recipients,
    ]
    texts += [one.what for one in letter.left_out] + [line.text for line in letter.quoted]
    texts += [letter.message_id or "", letter.content_type, *letter.references, letter.program or ""]
    texts += [triage(letter, ()).reason, tag.heading, tag.argument, *tag.brackets, *bounce.letter_ids]
    texts += [failure.note for failure in bounce.failures] + [letter.sender.name if letter.sender else ""]
    for text in texts:
        text.encode("utf-8")
        assert not CONTROLS & set(text)
    assert "\n" not in letter.subject
    numbers = [line.number for line in letter.own]
    assert numbers == sorted(set(numbers))


def mutate_many(count: int, seed: int) -> None:
    chance = random.Random(seed)
    for number in range(count):
        raw = mutated(chance)
        try:
            use_everything(raw)
        except Exception as trouble:
            raise AssertionError(f"mail {number} of seed {seed}: {raw[:300]!r}...") from trouble


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("seed", "count"), [*((n, 500) for n in range(4)), *long(*((n, 10_000) for n in range(100, 105)))]
)
def test_no_mutated_mail_raises(seed: int, count: int) -> None:
    mutate_many(count, seed)


def test_no_noise_raises() -> None:
    chance = random.Random(7)
    for size in (0, 1, 2, 3, 10, 100, 1000, 10_000) * 5:
        use_everything(chance.randbytes(size))


HEAD = b"From: a@example.org\nSubject: Go: Move / Player 1\n"


def test_an_attachment_of_any_size_is_not_decoded() -> None:
    part = (
        b"Content-Type: application/zip; name=a.zip\nContent-Transfer-Encoding: base64\n\n"
        + b"QUJD" * 18
        + b"\n"
    )
    small, large = (
        HEAD
        + b"Content-Type: multipart/mixed; boundary=x\n\n--x\n\nMove: c3\n--x\n"
        + part
        + (b"QUJD" * 18 + b"\n") * lines
        for lines in (1, 100_000)
    )
    assert read_mail(large).own == read_mail(small).own
    assert read_mail(large).left_out == read_mail(small).left_out
    assert [one.what for one in read_mail(large).left_out] == ["attachment a.zip"]


def test_a_larger_attachment_takes_no_more_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond what is read of a part, a mail costs no more than its own bytes."""
    monkeypatch.setattr(parsing, "LARGEST_PART", 100_000)
    peaks = []
    for size in (400_000, 1_600_000):
        raw = (
            HEAD + b"Content-Type: multipart/mixed; boundary=x\n\n--x\n\nMove: c3\n--x\nContent-Type: a/b\n\n"
        )
        raw += (b"QUJD" * 18 + b"\n") * (size // 73) + b"--x\n\nThanks\n--x--\n"
        tracemalloc.start()
        letter = read_mail(raw)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert "\n".join(line.text for line in letter.own) == "Move: c3\nThanks"
    assert peaks[1] < 1.2 * peaks[0]
