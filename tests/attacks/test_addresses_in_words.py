"""Whatever address a player or the moderator writes into free words - of a move, a comment, press, a reason - no
letter, page, feed or record shows it, known or not, his own included, or a reply address; and a record still
verifies."""

from __future__ import annotations

import email
import html
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from referee.config import Configuration, Located
from referee.core import seam
from referee.core.chance import Chance
from referee.core.owing import Demand
from referee.core.words import MASK, free_text_in, without_addresses
from referee.games import found
from referee.match import commands as do
from referee.match import events as ev
from referee.match.match import unanswered
from referee.match.record.public import public_record, record_json, verified
from referee.match.record.text import text_record
from referee.match.sealing import given_seed
from referee.post.writing.envelope import Envelope
from referee.rehearsal.memory import MemoryCourier, MemoryMailbox
from referee.wiring import Referee, running
from tests.laws.walks import KINDS
from tests.letters.transcript import BoundedSolver, Play, no_picture

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
    "zaphod@\n",
    "zaphod@\nb.example",
    "zaphod\n@b.example",
    "zaphod@b.\nexample",
    "zaphod\n  @\n b.example",
)
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


def speaking(action: Any, words: str) -> Any:
    """The action with words in every field for them."""
    free = {name for name in free_text_in(type(action)) if isinstance(getattr(action, name), str)}
    return replace(action, **dict.fromkeys(free & {"comment", "text", "reason"}, words)) if free else action


class Talk:
    """One match whose players and moderator put an address into every word that they may say."""

    def __init__(self, kind: str, referee: Referee, mailbox: MemoryMailbox, courier: MemoryCourier) -> None:
        self.play = Play(kind, referee, mailbox, courier)
        self.referee = referee
        self.said = 0

    def words(self) -> str:
        self.said += 1
        return f"Please write to {SHAPES[self.said % len(SHAPES)]} soon"

    def mail(self, seat: int, subject: str, body: str) -> None:
        match = self.play.match
        message = EmailMessage()
        message["From"] = f"{match.entrant(seat).name} <{match.entrant(seat).addresses[0]}>"
        message["To"] = self.referee.offices.collector
        message["Subject"] = subject
        message["Date"] = self.play.now
        message["Message-ID"] = f"<{self.said}-{self.play.mails}@players.example>"
        message.set_content(body)
        self.play.now += timedelta(minutes=10)
        self.play.write(message.as_bytes())

    def answer(self, demand: Demand) -> None:
        match, game = self.play.match, found()[self.play.match.game]
        chance = Chance(given_seed(self.play.chance.below(10**6, "how")))
        action = speaking(seam.suggest(game, match.inner, demand, chance), self.words())
        text = seam.write(game, match.inner, demand, action)
        heading = self.referee.speaker.order_subject(match, demand)
        self.mail(demand.seat, heading, seam.filled_in(game, match.inner, demand, match.party(demand.seat), action)
                  if not free_text_in(type(action)) else _with_party(game, match, demand, text))  # fmt: skip

    def turn(self) -> bool:
        match, game = self.play.match, found()[self.play.match.game]
        owing = [d for r in match.rounds for d in unanswered(match, game, r) if d.seat]
        if not owing:
            return False
        for demand in game.open_to(match.inner, owing[0].seat):
            if demand.kind in ("Comment", "Press") and self.said % 5 == 0:
                self.answer(demand)
        self.answer(owing[0])
        return True


def _with_party(game: Any, match: Any, demand: Demand, text: str) -> str:
    """The canonical text under the lines of the form that say who writes."""
    form = seam.form(game, match.inner, demand, match.party(demand.seat)).text
    who = [line for line in form.splitlines() if line.startswith(("Name:", "Player:", "Email:"))]
    return "\n".join([*who, text])


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


@pytest.mark.parametrize("kind", KINDS)
def test_no_output_shows_an_address_from_anybodys_words(kind: str, tmp_path: Path, capsys: Any) -> None:
    mailbox, courier = MemoryMailbox(), MemoryCourier()
    with running(Located(Configuration(), tmp_path), given_mailbox=mailbox, given_courier=courier) as referee:
        referee.__dict__["envelope"] = Envelope(referee.offices, no_picture)
        referee.__dict__["worker"] = BoundedSolver()
        talk = Talk(kind, referee, mailbox, courier)
        talk.play.open()
        name = talk.play.name
        for _ in range(8):
            if talk.play.match.status == "ended" or not talk.turn():
                break
        for subject in (f"press {name}", f"press {name} / Player 2"):
            talk.mail(1, subject, "\n".join((*SHAPES, *BROKEN)))
        if talk.play.match.status == "open":
            for command in (do.Say("\n".join(SHAPES)), do.Extend(talk.words(), None, timedelta(days=1)),
                            do.Pause(talk.words()), do.Resume(talk.words())):  # fmt: skip
                referee.moderator.command(name, command, talk.play.now)
        talk.play.step("the moderator's words")
        history = referee.moderator.history(name)
        game = found()[talk.play.match.game]
        record = public_record(game, history)
        outputs = [record_json(record), text_record(game, history), json.dumps(referee.register.all())]
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
