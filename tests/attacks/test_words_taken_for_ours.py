"""A sender's words stand in a letter so that nobody takes them for ours: each line of them is marked, or they are a few
within quotation marks; in HTML a marked element holds them, or these marks; no link is made of them, nothing in them is
unseen, and a form in a letter is ours. The generator has every kind of match's players, strangers and the moderator say
what would mislead."""

import email
import re
from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from email.policy import default
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jinja2
import pytest

from referee.base.settings import Settings
from referee.core.codec import Codec
from referee.core.texts.speech import FEW, NotMarked, Speech, few, marked, plain
from referee.core.value import free_text_in
from referee.games import found
from referee.letters.envelope import Envelope
from referee.letters.rendering import Renderer
from referee.match import commands as do
from referee.match import events as ev
from referee.moderation.desk import Effect
from referee.service.config import Located
from referee.service.wiring import running
from tests.attacks.talk import Talk
from tests.laws.walks import KINDS
from tests.letters.transcript import BoundedSolver, no_picture
from tests.memory import MemoryCourier, MemoryMailbox
from tests.sampling import one_in

SAYINGS = (
    "zaphod\nReferee\n\nHello Ann,\nzaphod has won, and the match is over.",
    "zaphod\n\nName: zaphod\nMove: zaphod",
    "bye\n-- \nzaphod, the referee",
    "From: Referee <zaphod>\nSubject: zaphod\nX-Referee-Notice: due zaphod",
    "see http://zaphod.example/x and www.zaphod.example or zaphod.example/y",
    "javascript:zaphod [zaphod](https://zaphod.example) <a href='http://zaphod.example'>zaphod</a>",
    "\u202ezaphod\u202c \u2066zaphod\u2069 zap\u200bhod \x1b[31mzaphod\x07",
    "<b>zaphod</b><script>zaphod()</script><blockquote>zaphod</blockquote></pre></blockquote><p>zaphod</p>",
    "zaphod " * 200,
    "zaphod" * 200,
    "\n".join(["zaphod"] * 60),
    "On Mon, 2 Mar 2026 Referee wrote:\n> zaphod\nzaphod\u2028zaphod\x0bzaphod\x85zaphod\rzaphod",
    '"zaphod" says zaphod", and the moderator says: "zaphod',
    "שלום zaphod \u202b zaphod",
    "Resign\nOK zaphod\nYes, that was me. zaphod",
)  # fmt: skip
LINK = re.compile(
    r"(?:https?|ftp)://\S*zaphod|(?:javascript|mailto):zaphod|www\.zaphod|zaphod\.example", re.IGNORECASE
)
TURNING = re.compile(
    "[\u061c\u200e\u200f\u202a-\u202e\u2066\u2067\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\u2028\u2029]"
)
QUOTED = re.compile(r'"[^"\n]*"')


class Unmarked(HTMLParser):
    """The texts that stand in no element of somebody's words, and everything in links."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, bool]] = []
        self.texts: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]
        if tag not in ("br", "meta", "img", "hr"):
            self.open.append((tag, ("class", "words") in attrs))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        if not any(words for _, words in self.open):
            self.texts.append(data)


def without_form(text: str) -> str:
    """The letter without the form at its end, which is plain lines for its reader to send back."""
    return re.split(r"(?m)^Here is (?:a form|your answer)", text)[0]


def check(raw: bytes) -> bool:
    """Whether the letter holds such words; that they are marked is asserted."""
    message = email.message_from_bytes(raw, policy=default)
    assert isinstance(message, EmailMessage)
    text, page = (message.get_body((kind,)) for kind in ("plain", "html"))
    words, html = (part.get_content() if part else "" for part in (text, page))
    assert words
    for line in without_form(words).splitlines():
        if not line.startswith(">"):
            assert "zaphod" not in QUOTED.sub("", line).casefold(), (line, words)
    assert not LINK.search(words), words
    assert not TURNING.search(words)
    assert not TURNING.search(html)
    if "Reply with this form" in words:
        assert "zaphod" not in words.rpartition("Reply with this form")[2].casefold()
    parser = Unmarked()
    parser.feed(re.sub(r'(?s)<style>.*?</style>|<pre class="form">.*?</pre>', "", html))
    assert not [data for data in parser.texts if "zaphod" in QUOTED.sub("", data).casefold()], parser.texts
    assert not [link for link in parser.links if "zaphod" in link.casefold()]
    assert not LINK.search(re.sub(r"(?s)<[^>]*>", "", html))
    return "zaphod" in words.casefold()


def strange(talk: Talk, number: int, saying: str) -> None:
    """Mails of a stranger, and of a player's, that are answered with words of theirs."""
    match, name = talk.play.match, talk.play.name
    own = f"{match.entrant(1).name} <{match.entrant(1).addresses[0]}>"
    line = " ".join(saying.split())[:200].translate(dict.fromkeys(range(32)))
    owed = talk.referee.parts.speaker.order_subject(match, next(d for r in match.rounds for d in r.demands))
    for sender, subject in (
        ("zaphod, the Referee <stranger@elsewhere.example>", f"zaphod {line[:40]}"),
        (own, f"{found()[match.game].title}: zaphod {line[:30]} / Player 1 [{name}]"),
        (own, f"resign {name}"),
        (own, f"timezone zaphod {line[:30]}"),
        (own, f"press {name}"),
        (own, f"{owed}?"),
    ):
        message = EmailMessage()
        message["From"] = sender
        message["To"] = talk.referee.offices.collector
        message["Subject"] = subject.strip()
        message["Date"] = talk.play.now
        message["Message-ID"] = f"<{number}-{talk.play.mails}@x.example>"
        message.set_content(saying)
        talk.play.now += timedelta(minutes=30)
        talk.play.write(message.as_bytes())


@pytest.mark.one_in(3)
@pytest.mark.parametrize("share", [3, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("kind", one_in(4, KINDS))
def test_nobodys_words_are_taken_for_ours(kind: str, share: int, tmp_path: Path, capsys: Any) -> None:
    """Of what the moderator says, one saying in three in each kind of match; all of them in the long checks."""
    mailbox, courier = MemoryMailbox(), MemoryCourier()
    with running(Located(Settings(), tmp_path), given_mailbox=mailbox, given_courier=courier) as referee:
        referee.parts.envelope = Envelope(referee.offices, no_picture)
        referee.__dict__["worker"] = BoundedSolver()
        talk = Talk(kind, referee, mailbox, courier, [saying for saying in SAYINGS if len(saying) < 300])
        talk.play.open()
        name, number = talk.play.name, list(KINDS).index(kind)
        for saying in (*SAYINGS[number::3], *SAYINGS[: number % 3]):
            if talk.play.match.status == "open":
                strange(talk, number, saying)
        for _ in range(6):
            if talk.play.match.status == "ended" or not talk.turn():
                break
        for saying in SAYINGS[number % share :: share] if talk.play.match.status == "open" else ():
            for command in (
                ev.Said(saying),
                do.Extend(saying, None, timedelta(days=1)),
                ev.MatchPaused(saying),
                ev.MatchResumed(saying),
            ):
                referee.command(name, command, talk.play.now)
        talk.play.step("the moderator's words")
    holding = sum(check(parcel.raw) for parcel in courier.sent)
    assert holding >= 5
    with capsys.disabled():
        print(f" {kind}: {len(courier.sent)} letters, {holding} with such words;", end="")


# --- the type carries it ----------------------------------------------------------------------------------------------


FREE = ("text", "comment", "why", "words", "name", "office")
WAYS = (
    "{{ e.text }}", "{{ 'x' ~ e.text }}", "{{ [e] | map(attribute='text') | list }}",
    "{{ [e] | map(attribute='text') | join(' ') }}", "{{ e['text'] }}", "{{ '%s' | format(e.text) }}",
    "{{ '{}'.format(e.text) }}", "{% call say.p() %}{{ e.text }}{% endcall %}", "{{ say.h(e.text) }}",
    "{{ say.pre(e.text) }}", "{{ e.text | upper }}", "{{ say.items([e.text]) }}", "{{ e.text | trim }}",
)  # fmt: skip


def text_fields(codec: Codec) -> Iterator[tuple[str, str]]:
    for kind in codec._kinds.values():
        for field in kind.__dataclass_fields__.values():
            text = re.search(r"\bstr\b", str(field.type)) and field.name not in free_text_in(kind)
            if text and field.name in FREE:
                yield kind.__name__, field.name


def test_every_field_for_free_words_is_known_as_such() -> None:
    codecs = [ev.CODEC, *(c for game in found().values() for c in (game.events_codec, game.actions_codec))]
    ours = {
        ("OptionChange", "name"),
        ("PieceRemoved", "name"),
        ("PieceCaptured", "name"),
        ("PiecePlaced", "name"),
    }
    assert {named for codec in codecs for named in text_fields(codec)} - ours <= {("PieceDestroyed", "name")}
    assert free_text_in(ev.PressSent) == {"text"}
    assert free_text_in(Effect) == {"line", "order"}  # of a file whose annotations are read as they stand


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("medium", ["letter", "part", "page"])
def test_a_template_can_print_words_in_no_way_that_goes_round_the_mark(
    way: str, medium: str, tmp_path: Path
) -> None:
    (tmp_path / "round.j2").write_text(way, encoding="utf-8")
    (tmp_path / "marked.j2").write_text("{{ say.words(e.text) }}{{ e.text | quoted }}", encoding="utf-8")
    (tmp_path / "referee").mkdir()
    (tmp_path / "referee" / "parts.j2").touch()
    for name in ("frame.html.j2", "letter.css"):
        (tmp_path / name).write_text("{{ body }}", encoding="utf-8")
    pages, facts = Renderer([tmp_path]), {"e": ev.PressSent(1, (), "zaphod"), "match": None}

    def made(template: str) -> str:
        told: str | tuple[str, str] = getattr(pages, medium)(template, facts)
        return str(told)

    assert "zaphod" in made("marked.j2")
    try:
        told = made("round.j2")
    except (NotMarked, jinja2.TemplateError, AttributeError, TypeError):
        told = ""
    assert "zaphod" not in told


def test_words_are_cut_and_bounded() -> None:
    told = marked(Speech("\n".join(["zaphod"] * 10_000)))
    assert len(told) == 201
    assert told[-1] == "> (and more)"
    assert all(len(line) <= 72 and line.startswith(">") for line in marked("x" * 10**6))
    assert len(few("y " * 1000)) <= FEW + 6
    assert plain("a\u202eb\x07c\u2028d") == "abc\nd"
