"""Rehearsals in which everything happens: players try first, write out of turn, object and leave; the moderator pauses,
extends and rewinds."""

from datetime import datetime, timedelta

from referee.core import seam
from referee.core.chance import Chance
from referee.core.value import Demand
from referee.match import commands as do
from referee.match import events as ev
from referee.match.match import Match, OpenRound
from referee.rehearsal.players import Postman, Sending, seeded
from referee.rehearsal.rehearse import WHY, Playing


class TryingPostman(Postman):
    """Now and then the answer is tried first."""

    wrong = 3
    previews = 6

    def mails(
        self, match: Match, demand: Demand, at: datetime, count: int, asked: str = "", offered: str = ""
    ) -> list[Sending]:
        sendings = super().mails(match, demand, at, count, asked, offered)
        chance = seeded(self.seed, match.name, match.version, demand, "tried")
        if chance.below(self.previews, "tried") == 0 and not any("-ok-" in s.message_id for s in sendings):
            raw = self.mail(
                match, demand, self.answer(match, demand, chance), at, f"{count}-tried", chance, "?"
            )
            sendings.insert(0, self.sending(raw, f"{count:05d}b", demand, "preview"))
        return sendings

    def answer(self, match: Match, demand: Demand, chance: Chance) -> str:
        """A good answer."""
        action = seam.suggest(self.game, match.inner, demand, chance)
        return seam.filled_in(self.game, match.inner, demand, match.party(demand.seat), action)


class RestlessPostman(TryingPostman):
    """And somebody answers out of turn."""

    wrong, doubled, ahead = 6, 8, 2
    previews = 12
    strays = 12

    def mails(
        self, match: Match, demand: Demand, at: datetime, count: int, asked: str = "", offered: str = ""
    ) -> list[Sending]:
        sendings = super().mails(match, demand, at, count, asked, offered)
        chance = seeded(self.seed, match.name, match.version, demand, "strays")
        if not self.strays or chance.below(self.strays, "strays"):
            return sendings
        return [*self._stray(match, demand, at, count, chance), *sendings]

    def _stray(self, match: Match, demand: Demand, at: datetime, count: int, chance: Chance) -> list[Sending]:
        """The same orders from a seat that does not owe them: refused, or kept as its draft."""
        owing = {d.seat for r in match.rounds for d in r.demands}
        others = [seat for seat in match.numbers if seat not in owing]
        body = self.answer(match, demand, chance)
        if not others:
            return []
        other = Demand(demand.kind, others[chance.below(len(others), "who strays")], demand.about)
        if not self.faulty(match, other, body):
            return []
        raw = self.mail(match, other, body, at, f"{count}-stray", chance)
        return [self.sending(raw, f"{count:05d}a", other, None)]

    def aside(self, match: Match, demand: Demand, at: datetime, count: int) -> Sending:
        """Something a seat may send though nothing waits for it."""
        chance = seeded(self.seed, match.name, match.version, demand, "aside")
        action = seam.suggest(self.game, match.inner, demand, chance)
        body = seam.write(self.game, match.inner, demand, action)
        raw = self.mail(match, demand, body, at, f"{count}-aside", chance)
        return self.sending(raw, f"{count:05d}a", demand, "receipt")


class WithoutStrays(RestlessPostman):
    strays = 0


class RestlessPlaying(Playing):
    writes = RestlessPostman
    asleep = 15
    postman: RestlessPostman

    def answers(
        self, match: Match, now: datetime, chance: Chance
    ) -> tuple[list[Sending], tuple[OpenRound, Demand] | None]:
        aside = self._aside(match, now, chance)
        return super().answers(match, now, chance) if aside is None else ([aside], None)

    def _aside(self, match: Match, now: datetime, chance: Chance) -> Sending | None:
        """An objection to the last turn; a seat given up while sealed answers are owed."""
        objects, leaves = chance.below(25, "objections") == 0, chance.below(40, "leaves") == 0
        sealed = any(r.sealed for r in match.rounds)
        for seat in chance.shuffle(match.numbers, "who") if objects or (leaves and sealed) else ():
            for demand in match.standing.open_to(seat) if match.standing is not None else ():
                action = seam.suggest(self.game, match.inner, demand, chance)
                disputes = objects and self.game.objection(action) is not None
                if disputes or (leaves and sealed and demand.kind == "Resign"):
                    self.sent += 1
                    return self.postman.aside(match, demand, now, self.sent)
        return None

    def moderated(self, match: Match, now: datetime, chance: Chance) -> tuple[datetime, Match] | None:
        done = super().moderated(match, now, chance)
        if done is not None or not match.rounds or chance.below(40, "moderated"):
            return done
        later = now + timedelta(days=2)
        measures: list[list[tuple[do.MatchCommand, datetime]]] = [
            [(ev.MatchPaused(WHY), now), (ev.MatchResumed(WHY), later)],
            [(do.Rewind(match.past[-1].label, WHY), now)] if match.past else [],
            [(do.Extend(WHY, by=timedelta(days=3)), now)] if match.rounds[0].due_at else [],
        ]
        chosen = measures[chance.below(len(measures), "what the moderator does")]
        for command, at in chosen:
            match = self.by_hand(match, command, at)
        return (chosen[-1][1], match) if chosen else None


class PlayingInTurn(RestlessPlaying):
    writes = WithoutStrays
