"""A match of any kind whose players talk: in every answer that has room for words, in comments, in press."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from typing import Any

from referee.core import seam
from referee.core.chance import Chance, given_seed
from referee.core.value import Demand, free_text_in
from referee.games import found
from referee.match.match import outstanding
from referee.service.wiring import Referee
from tests.letters.transcript import Play
from tests.memory import MemoryCourier, MemoryMailbox


def speaking(action: Any, words: str) -> Any:
    """The action with words in every field for them."""
    free = {name for name in free_text_in(type(action)) if isinstance(getattr(action, name), str)}
    return replace(action, **dict.fromkeys(free & {"comment", "text", "reason"}, words)) if free else action


class Talk:
    """One match whose players say one of the sayings wherever they may say something."""

    def __init__(
        self,
        kind: str,
        referee: Referee,
        mailbox: MemoryMailbox,
        courier: MemoryCourier,
        sayings: Sequence[str],
    ) -> None:
        self.sayings = sayings
        self.play = Play(kind, referee, mailbox, courier)
        self.referee = referee
        self.said = 0

    def words(self) -> str:
        self.said += 1
        return self.sayings[self.said % len(self.sayings)]

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
        heading = self.referee.parts.speaker.order_subject(match, demand)
        self.mail(demand.seat, heading, seam.filled_in(game, match.inner, demand, match.party(demand.seat), action)
                  if not free_text_in(type(action)) else with_party(game, match, demand, text))  # fmt: skip

    def turn(self) -> bool:
        match, game = self.play.match, found()[self.play.match.game]
        owing = [d for r in match.rounds for d in outstanding(match, r) if d.seat]
        if not owing:
            return False
        for demand in game.open_to(match.inner, owing[0].seat):
            if demand.kind in ("Comment", "Press") and self.said % 5 == 0:
                self.answer(demand)
        self.answer(owing[0])
        return True


def with_party(game: Any, match: Any, demand: Demand, text: str) -> str:
    """The canonical text under the lines of the form that say who writes."""
    form = seam.form(game, match.inner, demand, match.party(demand.seat)).text
    who = [line for line in form.splitlines() if line.startswith(("Name:", "Player:", "Email:"))]
    return "\n".join([*who, text])
