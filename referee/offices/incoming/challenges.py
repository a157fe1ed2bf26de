"""Doubtful mails: their owner is asked by a letter to his address, and a plain Yes or No from there decides."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from referee.match import commands as do
from referee.match.decide import decide
from referee.match.match import Match, last_held
from referee.offices.incoming.cases import Case, answering
from referee.offices.incoming.routing import Route, answered_letter
from referee.offices.outgoing.letters import Letter, decoded
from referee.offices.outgoing.readers import Answering
from referee.offices.outgoing.speaker import Speaker
from referee.offices.ports.mail import Mail
from referee.offices.ports.store import KeptMail, OutgoingLetter, Settling, Unit
from referee.offices.registry import Registry
from referee.offices.settings import SendersSection

_SHOWN_LINES = 40
_DAY = timedelta(days=1)
_WISH = "wish"  # wishes are counted apart from doubtful mails

Answered = tuple[Settling, tuple[Letter, ...]]


class Challenges:
    """Asks, and takes the answers. What says for itself that a program wrote it never comes here: triage ends it
    before. What does not say so is neither Yes nor No."""

    def __init__(self, registry: Registry, speaker: Speaker, trust: SendersSection) -> None:
        self._registry = registry
        self._speaker = speaker
        self._trust = trust

    # --- asking --------------------------------------------------------------------------------------------------

    def letter(self, case: Case, at: Route, *, leaving: bool = False) -> Letter | None:
        """The question to the registered address; None where it has had enough of them today. Mails are counted apart
        by what they prove."""
        unit, mail, standing = case.unit, case.mail, case.standing
        first = at.match.entrant(at.seat).addresses[0]
        address = mail.sender if standing.registered and mail.sender else first
        lane = f"{standing.proof} of {at.match.name}/{at.seat}"
        asked = unit.letter(self._speaker.challenge_id(case.kept.identity, address)) is not None
        if not asked and unit.lane_since(lane, case.now - _DAY) >= self._trust.challenges_a_day:
            return None
        lines = [line.text for line in mail.own]
        context = {
            "mail": mail, "standing": standing, "arrived": case.kept.arrived, "leaving": leaving,
            "shown": "\n".join(lines[:_SHOWN_LINES])[:4000], "more": len(lines) > _SHOWN_LINES,
        }  # fmt: skip
        return self._speaker.challenge(
            at.match, at.seat, address, case.kept.identity, case.now, context, lane
        )

    def wish(self, match: Match, to: Answering, kept: KeptMail, now: datetime, command: str) -> Letter:
        """The question to an address that is no seat's: do you wish to join this match, or to have its letters?"""
        context = {"command": command}
        letter = self._speaker.answer(
            "wish", to, now, context, match, None, kind="challenge", about=kept.identity
        )
        return replace(letter, lane=_WISH)

    def asked_enough(self, unit: Unit, address: str, now: datetime) -> bool:
        """Whether the address has been asked as often today as it may be."""
        return unit.lane_since(_WISH, now - _DAY, address) >= self._trust.challenges_a_day

    # --- what is answered ----------------------------------------------------------------------------------------

    def answered(self, unit: Unit, kept: KeptMail, mail: Mail, now: datetime) -> Answered | None:
        """What a reply to a challenge does; None where the mail is none. Its Message-ID, which only its reader knows,
        is the proof, whatever the mail server thinks; and it must come from the very address that was asked."""
        asked = answered_letter(unit, mail)
        if asked is None or asked.kind != "challenge" or asked.match is None:
            return None
        match = self._registry.book.load(unit, asked.match)
        at = Route(match, asked.seat) if asked.seat else None
        if at is not None and last_held(match, mail.sender or "") is not None:
            return None  # the seat is another's now: that is what he is told, and nothing is confirmed
        if at is not None and at.seat not in match.seat_of(mail.sender or ""):
            return _discarded(mail, "a stranger's reply to a challenge")
        if (mail.sender or "").casefold() != asked.recipient.casefold():
            if at is None:
                return _discarded(mail, "a stranger's reply to a challenge")
            return self._told(kept, mail, at, "elsewhere", now)
        held = unit.mail_of(decoded(asked.body).about)
        if held is None or held.verdict != "held":
            settled = "the challenge is settled"
            return self._told(kept, mail, at, "settled", now) if at else _discarded(mail, settled)
        if mail.consent == "yes" and decoded(asked.body).asks == "address":
            unit.reopen(held.id, released=held.released, agreed=True)
            return self._told(kept, mail, None, "agreed", now, where=match.name)
        if mail.consent == "yes":
            unit.reopen(held.id, released=held.released, confirmed=True)
            reason = f"confirms mail no. {held.id}"
            where = (match.name, at.seat) if at else (None, None)
            return Settling("answered", reason, mail.words, mail.resend, *where), ()
        if mail.consent == "no":
            return self._denied(unit, kept, mail, held, at, now)
        return self._unclear(unit, kept, mail, held, asked, now)

    def _denied(
        self, unit: Unit, kept: KeptMail, mail: Mail, held: KeptMail, at: Route | None, now: datetime
    ) -> Answered:
        """Not his: the mail is thrown away; of a seat's the reply addresses are renewed and the moderator is told."""
        unit.settle(held.id, Settling("discarded", "its owner says it is not his"), now)
        unit.blank(held.id, b"")
        if at is None:
            return _discarded(mail, f"denies mail no. {held.id}")
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

    def _unclear(
        self, unit: Unit, kept: KeptMail, mail: Mail, held: KeptMail, asked: OutgoingLetter, now: datetime
    ) -> Answered:
        """Neither a plain Yes nor a plain No: asked once more; then the moderator has it."""
        settling = Settling(
            "answered", f"neither confirms nor denies mail no. {held.id}", mail.words, mail.resend
        )
        again = self._speaker.challenge_id(held.identity, asked.recipient, again=True)
        if unit.letter(again) is None:
            match = self._registry.book.load(unit, asked.match or "")
            asking = {"question": decoded(asked.body).text.strip()}
            letter = self._speaker.answer(
                "asked_again", answering(kept, mail), now, asking, match, asked.seat, kind="challenge",
                about=held.identity,
            )  # fmt: skip
            return settling, (replace(letter, message_id=again, asks=decoded(asked.body).asks),)
        reason = "its owner was asked twice whether it is his, and answered neither Yes nor No"
        context = {"topic": "held", "reason": reason, "mail": held, "about": held.sender or "nobody"}
        alarm = self._speaker.alarm(f"A mail is held: {reason}", ("unclear", held.identity), now, context)
        return settling, (alarm,)

    def _told(
        self, kept: KeptMail, mail: Mail, at: Route | None, topic: str, now: datetime, where: str = ""
    ) -> Answered:
        context = {"topic": f"challenge_{topic}", "good": True, "where": where}
        match, seat = (at.match, at.seat) if at else (None, None)
        letter = self._speaker.answer(
            "done", answering(kept, mail), now, context, match, seat, kind="receipt"
        )
        name = match.name if match else None
        settling = Settling("answered", f"challenge: {topic}", mail.words, mail.resend, name, seat)
        return settling, (letter,)


def _discarded(mail: Mail, reason: str) -> Answered:
    return Settling("discarded", reason, mail.words, mail.resend), ()
