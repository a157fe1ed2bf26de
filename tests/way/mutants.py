"""Mutated mails from bytes to verdict: a desk on a real store, matches of every game, and a seeded postman who sends
players' answers, replies to our own letters, commands and the odd mails of the corpus, all of them damaged."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

import sqlalchemy as sa

from referee.base import shipped
from referee.mail.read.subject import COMMANDS
from referee.match.events import Entrant
from referee.match.match import Match
from referee.offices.register import NewMatch
from referee.service.wiring import Referee
from referee.store.post import inbox
from tests.laws.walks import KINDS
from tests.mail.mutation import CORPUS, mutated
from tests.memory import NOON, PEOPLE, Stage, answer_text, owing, subject_of

SEATED = (*PEOPLE, Entrant("Eve Early", ("eve@example.org",)))
BATCH = 200  # mails a pass
WORDS = (
    "", " 1", " all", ": hello", " 3 days", " UTC+1", " round 2", " Europe/Berlin", " on",
    " \u00fc\U0001f600",
)  # fmt: skip
QUOTES = ("> {}", "{}", ">> {}", "RF> {}", "| {}", "<blockquote>{}</blockquote>")


@dataclass
class Mutants:
    """Sends `count` mails in batches; `verdicts` counts what became of them, `faults` are what reached the shunt."""

    stage: Stage
    seed: int
    verdicts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    _names: dict[str, str] = field(default_factory=dict)
    _clock: datetime = NOON
    _sent: int = 0

    def run(self, count: int) -> None:
        chance = random.Random(self.seed)
        with self.stage.referee() as referee:
            self._ask_for_text()
            while self._sent < count and not self.faults:
                matches = list(self._matches(referee))
                for _ in range(min(BATCH, count - self._sent)):
                    self._deliver(self._mail(matches, chance))
                self._pass(referee)

    def _matches(self, referee: Referee) -> Iterator[Match]:
        """A match of every kind; a new one where the last is over."""
        for kind, (game, seats, options) in KINDS.items():
            match = referee.moderator.match(self._names[kind]) if kind in self._names else None
            if match is None or match.status != "open":
                specs, data = shipped.game_options(game), shipped.game_data(game)
                opening = NewMatch(game, SEATED[:seats], options, specs, data, seed=self._sent)
                match = referee.moderator.open(opening, self._clock)
                self._names[kind] = match.name
            yield match

    def _ask_for_text(self) -> None:
        """Three of five want plain text alone: letters cost more than verdicts."""
        for person in SEATED[:3]:
            self._deliver(_written(f"{person.name} <{person.addresses[0]}>", "format text", ""))

    def _mail(self, matches: list[Match], chance: random.Random) -> bytes:
        kind = chance.random()
        if kind < 0.6:
            damaged = mutated(chance)
            return damaged if chance.random() < 0.2 else damaged.replace(b"ann@", b"stranger@")
        match = chance.choice(matches)
        if kind < 0.85:
            whole = self._answer(match, chance)
        else:
            whole = self._reply(chance) if kind < 0.95 else _command(chance)
        others = CORPUS if chance.random() < 0.1 else []
        return whole if chance.random() < 0.1 else mutated(chance, [whole, *others], (1, 1, 2, 4, 8))

    def _answer(self, match: Match, chance: random.Random) -> bytes:
        """What a seat owes, filled in."""
        owed = owing(match)
        if not owed:
            return _command(chance)
        demand = chance.choice(owed)
        person = match.entrant(demand.seat)
        return _written(
            f"{person.name} <{person.addresses[0]}>", f"[{match.name}] {subject_of(match, demand)}",
            answer_text(match, demand, chance.randrange(10**6)),
        )  # fmt: skip

    def _reply(self, chance: random.Random) -> bytes:
        """One of our own letters sent back, quoted in some way, a line of it changed."""
        if not self.stage.sent:
            return chance.choice(CORPUS)
        parcel = chance.choice(self.stage.sent[-200:])
        page = message_from_bytes(parcel.raw, policy=default).get_body(("plain",))
        lines = page.get_content().splitlines()[-120:] if page else [""]
        lines[chance.randrange(len(lines))] += chance.choice(("c3", " 4", "yes", "pass"))
        mark = chance.choice(QUOTES)
        body = "On 1 March 2026 at 12:00, Referee wrote:\n" + "\n".join(mark.format(line) for line in lines)
        return _written(parcel.recipient, "Re: your letter", body, parcel.message_id, html="<" in mark)

    def _deliver(self, raw: bytes) -> None:
        self._sent += 1
        self.stage.deliver(raw, self._clock + timedelta(seconds=self._sent % BATCH))

    def _pass(self, referee: Referee) -> None:
        self._clock += timedelta(hours=1)
        counts = referee.desk.step(self._clock).facts()
        for verdict in (
            "accepted", "refused", "ignored", "answered", "discarded", "held", "shunted", "waiting",
            "lapsed",
        ):  # fmt: skip
            self.verdicts[verdict] += counts[verdict]
        self.faults += counts.get("trouble", [])
        with referee.store.transaction() as unit:
            shunted = sa.select(inbox.c.reason, inbox.c.raw).where(inbox.c.verdict == "shunted").limit(3)
            self.faults += [f"{row.reason}\n{row.raw[:600]!r}" for row in unit.connection.execute(shunted)]
        kept = max(self.stage.mails.values(), key=lambda mail: mail.number)
        for uid in [uid for uid, mail in self.stage.mails.items() if mail is not kept]:
            del self.stage.mails[uid]
        del self.stage.sent[:-400]


def _command(chance: random.Random) -> bytes:
    """Something asked of an office in the subject."""
    person = chance.choice(SEATED)
    subject = chance.choice(list(COMMANDS)) + chance.choice(WORDS)
    return _written(
        f"{person.name} <{person.addresses[0]}>",
        subject,
        chance.choice(("", "some words", "Pass phrase: x y")),
    )


def _written(sender: str, subject: str, body: str, answered: str = "", html: bool = False) -> bytes:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, "collector@referee.localhost", subject
    message["Date"] = "Sun, 01 Mar 2026 12:00:00 +0000"
    if answered:
        message["In-Reply-To"] = answered
    message.set_content(body, subtype="html" if html else "plain", cte="8bit")
    return message.as_bytes()
