"""A match played by seeded players through the whole program, written down: each mail and the letters it brought."""

import email
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

from referee.base import shipped
from referee.base.settings import Settings
from referee.core.diagram import Diagram
from referee.core.game import AnyGame
from referee.core.value import Demand
from referee.games import found
from referee.letters.envelope import Envelope
from referee.letters.speaker import PUBLIC
from referee.match.chain import Keys
from referee.match.events import Entrant
from referee.match.match import Match, OpenRound, outstanding
from referee.offices.register import NewMatch
from referee.rehearsal.players import Postman, seeded
from referee.service.config import Located
from referee.service.wiring import Referee, running
from tests.laws.walks import KINDS
from tests.memory import MemoryCourier, MemoryMailbox

SECRET = "the golden letters' secret, of no use elsewhere"
START = datetime(2026, 3, 1, 12, tzinfo=UTC)
PEOPLE = ("Ann Archer", "Ben Baker", "Cleo Carter", "Dan Draper", "Eve Eliot")
ZONES = ("Europe/Berlin", None, "America/New_York")
MAILS = 17  # of each kind, in as many matches as that takes
QUICK = {"buttons solo": {"par_nodes": "2000"}}  # options for speed
SHOWN = ("From", "Reply-To", "Subject", "In-Reply-To", "Auto-Submitted", "X-Referee-Notice", "X-Referee-Match",
         "X-Referee-Position")  # fmt: skip


class BoundedSolver:
    """The referee's own answers, in this process and bounded."""

    def __call__(self, game: AnyGame, state: Any, demand: Demand, nodes: int) -> Any:
        return game.compute(state, demand, min(nodes, 20_000))

    def close(self) -> None:
        """Nothing is held."""


def no_picture(diagram: Diagram) -> bytes:
    """Pictures are not part of the transcript."""
    return b""


@dataclass
class Play:
    """One match, and what was written down of it so far."""

    kind: str
    referee: Referee
    mailbox: MemoryMailbox
    courier: MemoryCourier
    seed: int = 7
    name: str = ""
    now: datetime = START
    mails: int = 0
    pages: list[str] = field(default_factory=list)

    def open(self) -> None:
        slug, seats, options = KINDS[self.kind]
        given = {**options, **QUICK.get(self.kind, {})}
        roster = tuple(
            Entrant(person, (f"{person.split()[0].lower()}@players.example",), ZONES[i % len(ZONES)])
            for i, person in enumerate(PEOPLE[:seats])
        )
        asked = NewMatch(slug, roster, given, shipped.game_options(slug), shipped.game_data(slug))
        self.name = self.referee.moderator.open(asked, self.now).name
        self.postman = Postman(found()[slug], self.seed, self.referee.offices.collector)
        self.postman.wrong, self.postman.doubled, self.postman.ahead = 4, 8, 0
        self.chance = seeded("goldens" if self.seed == 7 else f"seed {self.seed}", self.kind, self.name)
        self.step(f"{self.name} is opened")

    @property
    def match(self) -> Match:
        return self.referee.moderator.match(self.name)

    def step(self, what: str) -> None:
        """One pass; what it sent is written down under `what`."""
        before = len(self.courier.sent)
        self.referee.desk.step(self.now)
        sent = [parcel.raw for parcel in self.courier.sent[before:]]
        self.pages.append("\n".join([f"{'=' * 20} {self.now:%Y-%m-%d %H:%M} {what}", *letters(sent)]))

    def turn(self) -> bool:
        """Somebody writes, or a deadline passes; whether anything could be done."""
        match = self.match
        owing = [(r, d) for r in match.rounds for d in outstanding(match, r) if d.seat]
        if not owing:
            return False
        r, demand = owing[self.chance.below(len(owing), "who")]
        if r.due_at is not None and not r.holds and self.chance.below(12, "lapse") == 0:
            return self.lapse(match, r)
        for sending in self.postman.mails(match, demand, self.now, self.mails):
            self.now += timedelta(hours=1)
            self.write(sending.raw)
        return True

    def write(self, raw: bytes) -> None:
        self.mails += 1
        self.mailbox.deliver(raw, self.now)
        self.step(f"a mail arrives\n{mail_text(raw)}")

    def lapse(self, match: Match, r: OpenRound) -> bool:
        moments = [at for d in r.demands if (at := r.due_for(d.seat)) is not None]
        self.now = max(self.now, max(moments) + timedelta(seconds=1))
        self.step("the time is over")
        return True


def transcript(kind: str, folder: Path, mails: int = MAILS, seed: int = 7) -> tuple[str, int]:
    """The transcript of a kind's match, and how many mails are in it."""
    mailbox, courier = MemoryMailbox(), MemoryCourier()
    located = Located(Settings(), folder)
    with running(located, given_mailbox=mailbox, given_courier=courier) as referee:
        referee.parts.envelope = Envelope(referee.offices, no_picture)
        referee.__dict__["worker"] = BoundedSolver()
        assert referee.parts.keys == Keys(SECRET.encode()), "goldens are made with a secret of their own"
        play = Play(kind, referee, mailbox, courier, seed)
        play.open()
        while play.mails < mails:
            if play.match.status == "ended":
                play.open()
            assert play.turn(), f"{kind}: nobody owes anything, and yet the match goes on"
    told = "\n\n".join(play.pages) + "\n"
    return told.replace("\r\n", "\n"), play.mails  # the ends of lines as files have them


def letters(raw: list[bytes]) -> Iterator[str]:
    """The letters, each once however many got it, in the order in which they were written."""
    told: dict[str, list[str]] = {}
    for each in raw:
        message = email.message_from_bytes(each, policy=default)
        assert isinstance(message, EmailMessage)
        body = message.get_body(("plain",))
        assert body is not None
        public = message["X-Referee-Notice"] in PUBLIC
        head = [
            f"{name}: {message[name]}"
            for name in SHOWN
            if message[name] and not (public and name in ("Reply-To", "In-Reply-To"))
        ]
        page = "\n".join((*head, "", body.get_content().rstrip()))
        told.setdefault(page, []).append(str(message["To"]))
    for page, readers in told.items():
        yield f"{'-' * 20} a letter\nTo: {', '.join(readers)}\n{page}\n"


def mail_text(raw: bytes) -> str:
    """A mail as its writer sees it."""
    message = email.message_from_bytes(raw, policy=default)
    assert isinstance(message, EmailMessage)
    return f"From: {message['From']}\nSubject: {message['Subject']}\n\n{message.get_content().rstrip()}\n"
