"""Mails that others collected, kept beside the repository in `../shared/corpus` and never copied into it. Where the
folder is absent these tests say so and are skipped."""

from pathlib import Path

import pytest

from referee.mail.read.decoding import decode, tidy
from referee.mail.read.mail import read_mail
from referee.mail.read.quoting import own_words
from referee.mail.read.rows import rows_of_html, rows_of_text
from referee.mail.sender.triage import content_digest, triage, words_digest

CORPUS = Path(__file__).parents[2] / ".." / "shared" / "corpus"

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason="no public corpora in ../shared/corpus")

# The replies of this corpus that have the same five lines of words above what they quote.
FIVE_LINES = sorted(
    path
    for path in CORPUS.glob("crisp/*.txt")
    if path.read_text(encoding="utf-8").startswith("Fusce bibendum")
)
# Below a phone's line more text follows that nothing tells from the sender's own: it is kept, for no word may be lost.
KEPT = {"email_15.txt"}
WHOLE = sorted(CORPUS.glob("mikel-mail/**/*.eml")) + sorted(CORPUS.glob("talon/**/*.eml"))


def words_of(path: Path) -> list[str]:
    rows = rows_of_text(tidy(path.read_text(encoding="utf-8")))
    return [line.text.strip() for line in own_words(rows).own if line.text.strip()]


@pytest.mark.parametrize("path", FIVE_LINES, ids=lambda path: path.stem)
def test_of_a_reply_exactly_the_words_above_the_quote_are_own(path: Path) -> None:
    own = words_of(path)
    assert own[0].startswith("Fusce bibendum")
    assert own[4].startswith("et mollis ligula")
    assert len(own) == 5 or path.name in KEPT


@pytest.mark.parametrize(
    "path",
    [path for folder in ("crisp", "github") for path in sorted(CORPUS.glob(f"{folder}/*.txt"))],
    ids=lambda path: f"{path.parent.name}-{path.stem}",
)
def test_no_marked_line_is_own_and_no_first_word_is_lost(path: Path) -> None:
    own = words_of(path)
    lines = tidy(path.read_text(encoding="utf-8")).split("\n")
    assert not [line for line in lines if line.startswith("> ") and line.strip() in own]
    first = next(line.strip() for line in lines if line.strip())
    if not first.startswith(">") and not first.endswith(("wrote:", "schreef:")):
        assert own[0] == first


@pytest.mark.parametrize("path", sorted(CORPUS.glob("talon/html_replies/*.html")), ids=lambda path: path.stem)
def test_an_html_reply_is_its_four_words(path: Path) -> None:
    rows, fault = rows_of_html(decode(path.read_bytes(), "utf-8")[0])
    assert fault is None
    assert [line.text for line in own_words(rows).own if line.text.strip()] == [
        "Hi. I am fine.",
        "Thanks,",
        "Alex",
    ]


@pytest.mark.parametrize(
    "path", sorted(CORPUS.glob("talon/standard_replies/*.eml")), ids=lambda path: path.stem
)
def test_a_standard_reply_says_hello_and_nothing_else(path: Path) -> None:
    assert [line.text.strip() for line in read_mail(path.read_bytes()).own] == ["Hello"]


@pytest.mark.parametrize("path", WHOLE, ids=lambda path: path.stem)
def test_every_whole_mail_is_read_and_triaged(path: Path) -> None:
    raw = path.read_bytes()
    letter = read_mail(raw)
    assert triage(letter, ()).disposition in ("read", "discard", "hold", "bounce")
    assert len(content_digest(raw, letter.headers) + words_digest(letter)) == 128
    body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")[2].strip()
    assert letter.own or letter.left_out or letter.faults or not body
