"""Whatever address a player or the moderator writes into free words - of a move, a comment, press, a reason - no
letter, page, feed or record shows it, known or not, his own included, or a reply address; and a record still
verifies."""

import email
import html
import json
from collections.abc import Iterator
from datetime import timedelta
from email.policy import default
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from referee.base.settings import Settings
from referee.core.value import MASK, without_addresses
from referee.games import found
from referee.letters.envelope import Envelope
from referee.match import commands as do
from referee.match import events as ev
from referee.match.record.public import public_record, record_json
from referee.match.record.text import text_record
from referee.match.record.verifying import verified
from referee.service.config import Located
from referee.service.wiring import running
from tests.attacks.talk import Talk
from tests.laws.walks import KINDS
from tests.letters.transcript import BoundedSolver, no_picture
from tests.memory import MemoryCourier, MemoryMailbox
from tests.sampling import one_in

# Each has "zaphod" in its local part, so that nothing of it may be found anywhere.
SHAPES = (
    "zaphod@b.example", "<zaphod@b>", "mailto:zaphod@b.example", '"zaphod person"@b.example', "zaphod%40b.example",
    "zaphod%2540b.example", "zaphod&#64;b.example", "zaphod&#x40;b.example", "zaphod&commat;b.example",
    "zaphod＠b.example", "zaphod﹫b.example", "collector+zaphod@referee.localhost", "zaphod@bücher.example",
    "zaphod@xn--bcher-kva.example", "zaphod@[192.0.2.1]", "zaphod\u200b@b.example", "zaphod@\u200bb.example",
    "zaphod @ b.example", "zaphod@ b.example", "(zaphod@b.example)", "Ann:zaphod@b.example", "ZAPHOD@B.EXAMPLE",
    "zaphod@b.example.", "zaphod@b。example", "x,zaphod@b.example;y", "zaphod(me)@b.example", "zaphod+me@b.example",
)  # fmt: skip
BROKEN = (
    "zaphod@\n", "zaphod@\nb.example", "zaphod\n@b.example", "zaphod@b.\nexample", "zaphod\n  @\n b.example",
)  # fmt: skip
PLAIN = ("B3 is at 4", "3 @ 5.50", "ann at example dot org", "@all well played", "a@ b", "100% 40b", "R&B 64")


def test_every_shape_of_an_address_is_left_out_and_nothing_else() -> None:
    for shape in (*SHAPES, *BROKEN):
        for around in ("{}", "write to {} or so", "({})", "Hi\n{}\nAnn"):
            told = without_addresses(around.replace("{}", shape))
            assert "zaphod" not in told.casefold(), (shape, told)
            assert MASK in told
            assert told.count("\n") == around.replace("{}", shape).count("\n")
            assert without_addresses(told) == told
    for words in PLAIN:
        assert without_addresses(words) == words


def texts(raw: bytes) -> Iterator[str]:
    """Everything a mail program or a machine reads of a letter, encodings undone; the reader's own head lines apart."""
    message = email.message_from_bytes(raw, policy=default)
    yield str(message["Subject"])
    for part in message.walk():
        if part.get_content_maintype() == "text" or part.get_content_type() == "application/json":
            content = part.get_content()
            yield content if isinstance(content, str) else content.decode()


def shown(text: str) -> str:
    """The text with entities and escapes undone."""
    return unquote(html.unescape(html.unescape(text))).casefold()


@pytest.mark.parametrize("kind", one_in(6, KINDS))
def test_no_output_shows_an_address_from_anybodys_words(kind: str, tmp_path: Path, capsys: Any) -> None:
    mailbox, courier = MemoryMailbox(), MemoryCourier()
    with running(Located(Settings(), tmp_path), given_mailbox=mailbox, given_courier=courier) as referee:
        referee.parts.envelope = Envelope(referee.offices, no_picture)
        referee.__dict__["worker"] = BoundedSolver()
        talk = Talk(kind, referee, mailbox, courier, [f"Please write to {shape} soon" for shape in SHAPES])
        talk.play.open()
        name = talk.play.name
        for _ in range(8):
            if talk.play.match.status == "ended" or not talk.turn():
                break
        for subject in (f"press {name}", f"press {name} / Player 2"):
            talk.mail(1, subject, "\n".join((*SHAPES, *BROKEN)))
        if talk.play.match.status == "open":
            for command in (ev.Said("\n".join(SHAPES)), do.Extend(talk.words(), None, timedelta(days=1)),
                            ev.MatchPaused(talk.words()), ev.MatchResumed(talk.words())):  # fmt: skip
                referee.command(name, command, talk.play.now)
        talk.play.step("the moderator's words")
        history = referee.moderator.history(name)
        game = found()[talk.play.match.game]
        record = public_record(game, history)
        outputs = [record_json(record), text_record(game, history), json.dumps(referee.stands())]
        outputs += [text for parcel in courier.sent for text in texts(parcel.raw)]
        referee.publish(tmp_path / "site")
        pages = [p for p in (tmp_path / "site").rglob("*") if p.is_file()]
        outputs += [page.read_text(encoding="utf-8", errors="replace") for page in pages]
        assert not [out for out in outputs if "zaphod" in shown(out)]
        assert not verified(json.loads(record_json(record)), game)
        said = [e for e in history if isinstance(e.event, ev.PressSent | ev.Said | ev.MatchPaused)]
        heard = sum(MASK in text for text in outputs)
        assert heard >= 3
        assert all(MASK in str(e.event) for e in said)
    with capsys.disabled():
        sizes = f"{talk.said} sayings, {len(courier.sent)} letters, {len(pages)} pages"
        print(f" {kind}: {sizes}, {heard} show a mask;", end="")
