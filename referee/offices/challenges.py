"""Doubtful mails: their owner is asked by a letter to his registered address, and a reply to that letter decides."""

from __future__ import annotations

from datetime import datetime, timedelta

from referee.match import commands as do
from referee.match.decide import decide
from referee.match.match import Match
from referee.offices.keeping import KeptMail, OutgoingLetter, Settling, Unit
from referee.offices.letters import Letter, decoded
from referee.offices.mail import Mail
from referee.offices.readers import Answering
from referee.offices.registry import Registry
from referee.offices.routing import Route, answered_letter
from referee.offices.senders import Standing
from referee.offices.settings import Offices, Trust
from referee.offices.speaker import Speaker

_SHOWN_LINES = 40
_DAY = timedelta(days=1)
_DENIALS = frozenset({"no", "nein", "non", "nee", "nej", "nie"})


class Challenges:
    """Asks, and takes the answers. A program's answer (vacation, bounce) never comes here: triage ends it before."""

    def __init__(self, registry: Registry, speaker: Speaker, trust: Trust, offices: Offices) -> None:
        self._registry = registry
        self._speaker = speaker
        self._trust = trust
        self._offices = offices

    def letter(
        self, unit: Unit, kept: KeptMail, mail: Mail, standing: Standing, at: Route, now: datetime
    ) -> Letter | None:
        """The question to the registered address; None where it has had enough of them today."""
        first = at.match.entrant(at.seat).addresses[0]
        address = mail.sender if standing.registered and mail.sender else first
        if unit.letters_since(address, "challenge", now - _DAY) >= self._trust.challenges_a_day:
            return None
        lines = [line.text for line in mail.own]
        context = {
            "mail": mail, "standing": standing, "arrived": kept.arrived,
            "shown": "\n".join(lines[:_SHOWN_LINES])[:4000], "more": len(lines) > _SHOWN_LINES,
        }  # fmt: skip
        return self._speaker.challenge(at.match, at.seat, address, kept.identity, now, context)

    def wish(self, match: Match, to: Answering, kept: KeptMail, now: datetime) -> Letter:
        """The question to an address that is no seat's: do you wish the letters of this match?"""
        return self._speaker.answer("wish", to, now, {}, match, None, kind="challenge", about=kept.identity)

    def answered(
        self, unit: Unit, kept: KeptMail, mail: Mail, now: datetime
    ) -> tuple[Settling, tuple[Letter, ...]] | None:
        """What a reply to a challenge does; None where the mail is none. Its Message-ID, which only its reader knows,
        is the proof: the reply may come from any registered address of the seat, whatever the mail server thinks."""
        replied = answered_letter(unit, mail)
        if replied is None or replied.kind != "challenge" or replied.match is None:
            return None
        if not replied.seat:
            return self._wished(unit, mail, replied, now)
        match = self._registry.book.load(unit, replied.match)
        if replied.seat not in match.seat_of(mail.sender or ""):
            return Settling("discarded", "a stranger's reply to a challenge", mail.words, mail.resend), ()
        held = unit.mail_of(decoded(replied.body).about)
        if held is None or held.verdict != "held":
            return self._told(kept, mail, Route(match, replied.seat), "settled", now)
        if denies(mail):
            return self._denied(unit, kept, mail, held, Route(match, replied.seat), now)
        unit.reopen(held.id, released=held.released, confirmed=True)
        reason = f"confirms mail no. {held.id}"
        return Settling("answered", reason, mail.words, mail.resend, match.name, replied.seat), ()

    @staticmethod
    def _wished(
        unit: Unit, mail: Mail, replied: OutgoingLetter, now: datetime
    ) -> tuple[Settling, tuple[Letter, ...]]:
        """The reply of an address that is no seat's: it must come from that very address."""
        held = unit.mail_of(decoded(replied.body).about)
        if (mail.sender or "").casefold() != replied.recipient.casefold() or held is None:
            return Settling("discarded", "a stranger's reply to a challenge", mail.words, mail.resend), ()
        if held.verdict != "held":
            return Settling("discarded", "the challenge is settled", mail.words, mail.resend), ()
        if denies(mail):
            _throw_away(unit, held, now)
            return Settling("discarded", f"denies mail no. {held.id}", mail.words, mail.resend), ()
        unit.reopen(held.id, released=held.released, confirmed=True)
        return Settling("answered", f"confirms mail no. {held.id}", mail.words, mail.resend), ()

    def _denied(
        self, unit: Unit, kept: KeptMail, mail: Mail, held: KeptMail, at: Route, now: datetime
    ) -> tuple[Settling, tuple[Letter, ...]]:
        """Not his: the mail is thrown away, the reply addresses of the seat are renewed, the moderator is told."""
        _throw_away(unit, held, now)
        game = self._registry.book.game(at.match)
        command = do.RenewReplyAddress(at.seat)
        decision = decide(game, at.match, command, now, self._speaker.keys, tuple)
        self._registry.record(unit, at.match, decision, f"mail {kept.identity} denied", now)
        context = {"topic": "forged", "reason": at.match.name, "mail": held, "about": held.sender or "nobody"}
        alarm = self._speaker.alarm(
            f"{at.match.name}: a mail was forged", ("forged", held.identity), now, context
        )
        settling, letters = self._told(kept, mail, Route(decision.match, at.seat), "denied", now)
        return settling, (*letters, alarm)

    def _told(
        self, kept: KeptMail, mail: Mail, at: Route, topic: str, now: datetime
    ) -> tuple[Settling, tuple[Letter, ...]]:
        to = Answering(
            mail.sender or "", mail.sender_name, mail.subject, mail.message_id, mail.references,
            f"{kept.identity} {kept.arrived.isoformat()}",
        )  # fmt: skip
        context = {"topic": f"challenge_{topic}", "good": True}
        letter = self._speaker.answer("done", to, now, context, at.match, at.seat, kind="receipt")
        settling = Settling(
            "answered", f"challenge: {topic}", mail.words, mail.resend, at.match.name, at.seat
        )
        return settling, (letter,)


def _throw_away(unit: Unit, held: KeptMail, now: datetime) -> None:
    """Nothing of the mail is kept but that there was one."""
    unit.settle(held.id, Settling("discarded", "its owner says it is not his"), now)
    unit.blank(held.id, b"")


def denies(mail: Mail) -> bool:
    """Whether the first word of the reply is No."""
    first = next((line.text.split() for line in mail.own if line.text.strip()), [""])
    return first[0].strip(".,;:!-").casefold() in _DENIALS
