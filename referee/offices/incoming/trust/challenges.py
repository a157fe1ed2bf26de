"""Doubtful mails: their owner is asked by a letter, and a plain Yes or No from there decides. A
No below any other letter is heard as well."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from referee.core.replacing import replace
from referee.core.texts.addresses import address_key
from referee.match import commands as do
from referee.match.match import Match, last_held
from referee.offices.decisions import Decisions
from referee.offices.incoming.case import Case, Settled
from referee.offices.incoming.routing import Route
from referee.offices.outgoing.alarms import counted_about, to_moderator
from referee.offices.outgoing.letters import Letter, Meant, decoded
from referee.offices.outgoing.questions import challenge, challenge_key
from referee.offices.outgoing.replies import answer
from referee.offices.outgoing.speaker import Speaker
from referee.offices.ports.mail import UNPROVED, MailReading
from referee.offices.register.matches import Matches
from referee.offices.settings import Settings
from referee.store.inbox import KeptMail
from referee.store.outbox import OutgoingLetter
from referee.store.people import PersonStore

_SHOWN_LINES = 40
_DAY = timedelta(days=1)
_DENIED = "what is denied"  # what the mail server denies is counted in all matches together


@dataclass(frozen=True, slots=True)
class Challenges:
    """Asks, and takes the answers. What says for itself that a program wrote it never comes here: triage ends it
    before. What does not say so is neither Yes nor No."""

    reader: MailReading
    matches: Matches
    decisions: Decisions
    speaker: Speaker
    settings: Settings

    # --- asking --------------------------------------------------------------------------------------------------

    def letter(self, case: Case, at: Route, *, leaving: bool = False) -> Letter | None:
        """The question to the registered address; None where it has had enough of them today. Mails are counted apart
        by what they prove and what they are about; of what is denied there is one a day in all, until it is
        confirmed."""
        unit, mail, proof = case.unit, case.mail, case.proof
        first = at.match.entrant(at.seat).addresses[0]
        address = mail.sender if proof.registered and mail.sender else first
        about = "leaving" if leaving else mail.tag.command or "an order"
        bucket = _DENIED if proof.refuted else f"{proof.best} of {at.match.name}/{at.seat}: {about}"
        unit.hold("bucket", f"{bucket} {address_key(address)}" if proof.refuted else bucket)
        question = self.speaker.message_id(*challenge_key(case.kept.identity, address))
        asked = unit.letter(question) is not None
        most = self.settings.senders.challenges_a_day
        if proof.refuted:
            count, most = unit.bucket_since(bucket, case.now - _DAY, address), min(most, 1)
        else:
            count = unit.bucket_since(bucket, case.now - _DAY)
        if not asked and count >= most:
            return None
        lines = [line.text for line in mail.own]
        context = {
            "mail": mail,
            "proof": proof,
            "arrived": case.kept.arrived,
            "leaving": leaving,
            "shown": "\n".join(lines[:_SHOWN_LINES])[:4000],
            "more": len(lines) > _SHOWN_LINES,
        }
        return challenge(
            self.speaker, at.match, at.seat, address, case.kept.identity, case.now, context, bucket
        )

    def wish(self, case: Case, match: Match | None, command: str) -> Letter:
        """The question to an address that is no seat's: do you wish to join this match, or to have its letters? Without
        a match: to propose one?"""
        letter = answer(
            self.speaker,
            "wish",
            case.sender,
            {"command": command},
            match,
            reply=Meant(about=case.kept.identity),
        )
        return letter.counted(bucket=_wishes(case))

    def asked_of_wishes(self, case: Case) -> bool:
        """Whether the address has been asked today about as many wishes that it has not confirmed as it may be: one, of
        those that prove nothing."""
        case.unit.hold("person", address_key(case.sender.address))
        most = self.settings.senders.challenges_a_day
        asked = case.unit.bucket_since(_wishes(case), case.now - _DAY, case.sender.address)
        return asked >= (most if case.proof.proved else min(most, 1))

    # --- what is answered ----------------------------------------------------------------------------------------

    def answered(self, case: Case) -> Case | Settled:
        """What a reply to a challenge does; any other mail goes on. Its Message-ID, which only its reader knows, is the
        proof, whatever the mail server thinks; and it must come from the very address that was asked."""
        unit, mail, asked = case.unit, case.mail, case.replied
        if asked is None or asked.kind != "challenge":
            return case
        match = self.matches.load(unit, asked.match) if asked.match else None
        sender = mail.sender or ""
        at = Route(match, asked.seat) if match and asked.seat else None
        if at is not None and last_held(at.match, sender) is not None:
            return case  # the seat is another's now: that is what he is told, and nothing is confirmed
        theirs = address_key(sender) == address_key(asked.recipient)
        known = case.proof.registered or case.proof.moderates
        if (at is None and not theirs) or (at is not None and at.seat not in at.match.seat_of(sender)):
            if known:
                return self._told(case, None, "elsewhere")
            return case.settled("discarded", "a stranger's reply to a challenge")
        if not theirs:
            return self._told(case, at, "elsewhere")
        question = decoded(asked)
        held = unit.mail_of(question.reply.about)
        if held is None or held.verdict != "held":
            over = case.settled("discarded", "the challenge is settled")
            return self._told(case, at, "settled") if at or known else over
        if mail.consent == "yes":
            return self._confirmed(case, at, held, question, match)
        if mail.consent == "no" and question.reply.asks == "substitute":
            self.decisions.told_of(case.unit, held, "substitute_declined", case.now)
            case.unit.settle(
                held.id, "discarded", "who was to be a substitute says No", case.now, seen_as="held"
            )
            return self._told(case, None, "declined")
        if mail.consent == "no":
            return self._denied(case, at, held)
        return self._unclear(case, held, asked, match)

    def _confirmed(
        self, case: Case, at: Route | None, held: KeptMail, question: Letter, match: Match | None
    ) -> Settled:
        """The mail is his, or the address is: it is judged again, and leaves room for another question."""
        case.unit.uncount(question.head.message_id)
        agreed = {"address": "agreed", "substitute": "stands_by"}.get(question.reply.asks)
        if agreed and match is not None:
            case.unit.reopen(held.id, "held", released=held.released, agreed=True)
            return self._told(case, None, agreed, where=match.name)
        case.unit.reopen(held.id, "held", released=held.released, confirmed=True)
        name, seat = (at.match.name, at.seat) if at else (None, None)
        return case.settled("answered", f"confirms mail no. {held.id}", match=name, seat=seat)

    def _denied(self, case: Case, at: Route | None, held: KeptMail) -> Settled:
        """Not his: the mail is thrown away; of a seat's the reply addresses are renewed and the moderator is told."""
        unit, now = case.unit, case.now
        unit.settle(held.id, "discarded", "its owner says it is not his", now, seen_as="held")
        unit.blank(held.id, b"")
        if at is None and (case.proof.registered or case.proof.moderates):
            return self._told(case, None, "denied")
        if at is None:
            return case.settled("discarded", f"denies mail no. {held.id}")
        command, cause = do.RenewReplyAddress(at.seat), f"mail {case.kept.identity} denied"
        after = self.decisions.carry_out(unit, at.match, command, now, cause).match
        alarm = to_moderator(
            self.speaker,
            "forged",
            f"{at.match.name}: a mail was forged",
            ("forged", str(held.id)),
            now,
            reason=at.match.name,
            mail=held,
            about=held.sender or "nobody",
        )
        told = self._told(case, Route(after, at.seat), "denied")
        return replace(told, letters=(*told.letters, alarm))

    def _unclear(self, case: Case, held: KeptMail, asked: OutgoingLetter, match: Match | None) -> Settled:
        """Neither a plain Yes nor a plain No: asked once more; then the moderator has it."""
        why, question = f"neither confirms nor denies mail no. {held.id}", decoded(asked)
        again = self.speaker.message_id(*challenge_key(held.identity, asked.recipient, again=True))
        if case.unit.letter(again) is None:
            letter = answer(
                self.speaker,
                "asked_again",
                case.sender,
                {"question": question.page.text.strip()},
                match,
                asked.seat,
                reply=Meant(about=held.identity, asks=question.reply.asks),
            )
            letter = replace(letter, head=replace(letter.head, message_id=again))
            return case.settled("answered", why, letter)
        reason = "its owner was asked twice whether it is his, and answered neither Yes nor No"
        alarm = to_moderator(
            self.speaker,
            "held",
            f"A mail is held: {reason}",
            ("unclear", str(held.id)),
            case.now,
            reason=reason,
            mail=held,
            about=held.sender or "nobody",
        )
        told = counted_about(alarm, [(match.name, asked.seat)] if match and asked.seat else [], "answered")
        return case.settled("answered", why, told)

    # --- a No below any other letter ---------------------------------------------------------------------------------

    def disowned(self, case: Case) -> Case | Settled:
        """What a plain No does below a letter that asked no such thing, whoever's mail it answered: it is noted, and
        nothing of it is an order. Any other mail goes on, and one of which a subject of its own says what it is."""
        mail, letter = case.mail, case.replied
        worded = not case.repeats and (mail.tag.command or mail.tag.kind)
        if letter is None or mail.consent != "no" or worded or not case.proof.registered:
            return case
        theirs = address_key(letter.recipient) == address_key(mail.sender or "")
        place = (letter.match, letter.seat)
        at = next((at for at in case.proof.seats if (at.match.name, at.seat) == place), None)
        if not theirs and at is None:
            return case
        at = at or case.some_seat
        at = replace(at, match=self.matches.load(case.unit, at.match.name))
        meant = case.unit.mail_of(decoded(letter).reply.about)
        if meant is not None and meant.verdict == "held":
            return self._denied(case, at, meant)
        if renewed := meant is not None and self._knew_reply_address(case.unit, meant, at):
            command, cause = do.RenewReplyAddress(at.seat), f"mail {case.kept.identity} disowns"
            after = self.decisions.carry_out(case.unit, at.match, command, case.now, cause).match
            at = replace(at, match=after)
        counted = meant is not None and meant.verdict == "accepted"
        told = self._told(case, at, "disowned", kind="disowned", counted=counted, renewed=renewed)
        return replace(told, letters=(*told.letters, self._disowning(case, at.match, meant, renewed=renewed)))

    def _knew_reply_address(self, unit: PersonStore, meant: KeptMail, at: Route) -> bool:
        """Whether whoever wrote the mail had a reply address of the seat."""
        tokens = self.reader.read(meant.raw, cut=meant.cut, proof=UNPROVED).tokens
        return (at.match.name, at.seat) in [unit.seat_of_token(token) for token in tokens]

    def _disowning(self, case: Case, match: Match, meant: KeptMail | None, *, renewed: bool) -> Letter:
        """To the moderator, who alone can set back what has counted: one letter a day about each player."""
        sender = address_key(case.mail.sender or "")
        return to_moderator(
            self.speaker,
            "disowned",
            f"{match.name}: a player says that a mail was not his",
            ("disowned", sender, f"{case.now:%Y-%m-%d}"),
            case.now,
            reason=match.name,
            mail=meant,
            about=sender,
            renewed=renewed,
        )

    def _told(
        self, case: Case, at: Route | None, topic: str, *, kind: str = "done", **facts: object
    ) -> Settled:
        context = {"topic": f"challenge_{topic}", "good": True, **facts}
        match, seat = (at.match, at.seat) if at else (None, None)
        letter = answer(self.speaker, kind, case.sender, context, match, seat)
        name = match.name if match else None
        return case.settled("answered", f"challenge: {topic}", letter, match=name, seat=seat)


def _wishes(case: Case) -> str:
    """The bucket of wishes: those that prove more are counted apart."""
    return "wish, proved" if case.proof.proved else "wish, unproved"
