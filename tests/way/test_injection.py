"""Nothing a player writes becomes a header, markup or a template of ours."""

import re
from email.header import Header
from html import escape, unescape

import pytest

from tests.world import ANN, Sent, Table

AT = "2026-03-02T00:00:00Z"
EVIL = "{{ 7*7 }}{% raw %} <script>alert(1)</script> &amp; \"quote'"


def sent_raw(table: Table, subject: str, body: str, name: str = "Ann") -> list[Sent]:
    """A mail whose name and subject hold whatever encoded words can hold."""
    raw = (
        f"From: {Header(name, 'utf-8', maxlinelen=9999).encode()} <{ANN}>\r\nTo: collector@referee.localhost\r\n"
        f"Subject: {Header(subject, 'utf-8', maxlinelen=9999).encode()}\r\nDate: Mon, 02 Mar 2026 00:00:00 +0000\r\n"
        f"Message-ID: <x@y>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{body}\r\n"
    )
    table.world.raw(raw.encode(), AT)
    return table.step(AT)[1]


@pytest.mark.parametrize(
    "subject", ["Buttons: Move / Player 1", f"Buttons: {EVIL}", f"vacation {EVIL}", "press", "help"]
)
def test_words_of_a_player_are_never_markup_nor_template(table: Table, subject: str) -> None:
    body = f"Hello {EVIL}\nMove: {EVIL}\nComment: {EVIL}\n"
    for letter in sent_raw(table, subject, body):
        html = letter.message.get_body(("html",))
        assert "<script" not in html.get_content()
        assert "49" not in letter.text.replace("2049", "")


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "words", ["\ufdd0one\ufdd1two\ufdd2", "\ufdd1one\ufdd0two", "\ufdd2one two\ufdd2\ufdd0"]
)
@pytest.mark.parametrize("subject", ["Buttons: Move {} / Player 1", "press {}", "help {}", "status {}"])
def test_text_and_html_say_the_same_whatever_signs_a_player_writes(
    table: Table, subject: str, words: str
) -> None:
    """Letters are laid out in both forms at once, parted by signs of our own."""
    for letter in sent_raw(
        table, subject.format(words), f"Hello {words}\nMove: {words}\nComment: {words}\n", words
    ):
        html = letter.message.get_body(("html",))
        page = re.sub(r"(?s)<(title|style)>.*?</\1>", "", html.get_content())
        for shown in (letter.text, unescape(page)):
            assert not set(shown) & set("\ufdd0\ufdd1\ufdd2")
        assert [letter.text.count(word) for word in ("one", "two")] == [
            unescape(re.sub("<[^>]*>", "", page)).count(word) for word in ("one", "two")
        ]


def test_a_name_of_an_attachment_is_shown_as_text_and_leads_nowhere(table: Table) -> None:
    """Its name stands among what was left out: without its path, its line ends, its markup a text like any other."""
    name = Header("..\\..\\etc\\<i>{{ 7*7 }}\r\nBcc: evil@evil.example", "utf-8", maxlinelen=999)
    raw = (
        f"From: Ann <{ANN}>\r\nTo: collector@referee.localhost\r\nSubject: Buttons: Move / Player 1\r\n"
        "Message-ID: <x@y>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=m\r\n\r\n"
        "--m\r\n\r\nMy move is in the picture.\r\n--m\r\nContent-Type: image/png\r\n"
        f'Content-Disposition: attachment; filename="{name.encode()}"\r\n\r\nx\r\n--m--\r\n'
    )
    table.world.raw(raw.encode(), AT)
    letter = table.step(AT)[1][0]
    page = letter.message.get_body(("html",))
    assert page is not None
    shown = "<i>{{ 7*7 }} Bcc: [address]"
    assert f'{shown}"' in letter.text
    assert escape(shown, quote=False) in page.get_content()
    assert "evil" not in letter.text


@pytest.mark.parametrize("field", ["Message-ID", "In-Reply-To", "References"])
def test_ids_that_are_echoed_break_no_header(table: Table, field: str) -> None:
    evil = '<a\x0b\u2028Bcc: evil@evil.example"\\>'
    raw = (
        f"From: Ann <{ANN}>\r\nTo: collector@referee.localhost\r\nSubject: status\r\n{field}: {evil} <b@c>\r\n"
        "Date: Mon, 02 Mar 2026 00:00:00 +0000\r\n\r\nwords\r\n"
    )
    table.world.raw(raw.encode(), AT)
    letters = table.step(AT)[1]
    assert [letter.kind for letter in letters] == ["status"]
    assert letters[0].message["Bcc"] is None
    for name in ("In-Reply-To", "References"):
        assert str(letters[0].message[name] or "").isprintable()
