"""The allowances of a day: how much is answered, how often the moderator is alarmed. Each purse is its own: what one
sender, or one kind of alarm, has used up is nobody else's. What is counted are rows of the outbox."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from referee.offices.incoming.cases import Case, Judged
from referee.offices.outgoing.letters import Letter, outgoing
from referee.offices.outgoing.speaker import Speaker
from referee.offices.ports.store import Settling, Unit
from referee.offices.settings import Offices, Settings

_DAY = timedelta(days=1)
WORDS = "press"  # the topic of what is passed on to other players: words, comments, offers
_UNCOUNTED = frozenset({"alarm", "challenge"})  # they have measures of their own
_NAMED = {
    "held": "mails held", "shunted": "mails put aside", "bounce": "letters that came back",
    "undelivered": "letters that could not be delivered", "delayed": "deadlines that wait for a mail",
    "missed": "mails seen too late", "forged": "forged mails", "fault": "faults in a match",
    "unsolved": "searches without an answer", "trouble": "troubles of the service", "well": "troubles over",
}  # fmt: skip


class Allowances:
    """Counts before anything is answered, and says once when a measure is full."""

    def __init__(self, speaker: Speaker, offices: Offices, settings: Settings) -> None:
        self._speaker = speaker
        self._moderator = offices.moderator
        self._settings = settings

    # --- senders -----------------------------------------------------------------------------------------------

    def spent(self, case: Case, topic: str) -> Judged | None:
        """A question, or words to be passed on, of which the sender has had his measure: told so once, then nothing.
        None where there is room, or where somebody has let the mail in. What proves itself is counted apart from what
        anybody could write in his name."""
        if case.kept.released or case.kept.confirmed:
            return None
        most = (
            self._settings.limits.press_a_day
            if topic == WORDS
            else self._settings.limits.equal_questions_a_day
        )
        told = case.unit.counted(case.purse, case.answering.address, topic, case.now - _DAY)
        if told < most:
            return None
        mail = case.mail
        settling = Settling("discarded", f"{topic}: no more of it today", mail.words, mail.resend)
        why = "press" if topic == WORDS else "question"
        letters = (self._enough(case, why, most, topic),) if told == most else ()
        return Judged(settling, letters)

    def answered(self, case: Case, judged: Judged, topic: str = "") -> Judged:
        """The answers to a mail, marked so that they count; short ones after the first of a day, and at last none. What
        is accepted is always answered, and never counted."""
        own = [letter for letter in judged.letters if letter.kind not in _UNCOUNTED]
        rest = [letter for letter in judged.letters if letter.kind in _UNCOUNTED]
        if not own:
            return judged
        told = case.unit.counted(case.purse, case.answering.address, None, case.now - _DAY)
        if told >= self._settings.limits.pictures_a_day:
            own = [replace(letter, medium="text") for letter in own]
        if judged.settling.verdict == "accepted":
            return replace(judged, letters=(*own, *rest))
        if told >= self._settings.limits.answers_a_day and case.purse != "stranger":
            more = (
                []
                if told > self._settings.limits.answers_a_day
                else [self._enough(case, "answers", told, "")]
            )
            return replace(judged, letters=(*more, *rest))
        marked = [
            replace(letter, purse=letter.purse or case.purse, topic=letter.topic or topic) for letter in own
        ]
        return replace(judged, letters=(*marked, *rest))

    def _enough(self, case: Case, why: str, most: int, topic: str) -> Letter:
        context = {"why": why, "most": most, "asked": topic, "until": case.now + _DAY}
        letter = self._speaker.answer("enough", case.answering, case.now, context)
        return replace(letter, purse=case.purse, topic=topic, medium="text")

    # --- the moderator -----------------------------------------------------------------------------------------

    def alarm(self, unit: Unit, letter: Letter) -> bool:
        """Queue an alarm, if its kind has room today; else it is only counted, and told of with the others."""
        if unit.letter(letter.message_id) is not None:
            return False
        told = unit.counted("alarm", letter.recipient, letter.topic, letter.at - _DAY)
        if told < self._settings.limits.alarms_a_day:
            return unit.send(outgoing(letter))
        if unit.withhold(letter.topic, letter.at) == 1:
            self._send_many(unit, letter.topic, 0, letter.at, letter.at)
        return False

    def sum_up(self, unit: Unit, now: datetime) -> None:
        """A day after the first alarm of a kind was withheld: how many there were."""
        for topic, since, count in unit.withheld(now - _DAY):
            self._send_many(unit, topic, count, since, now)
            unit.forget_withheld(topic)

    def _send_many(self, unit: Unit, topic: str, count: int, since: datetime, now: datetime) -> None:
        kind = _NAMED.get(topic, topic)
        context = {
            "topic": "many", "reason": kind, "mail": None, "about": "", "most": self._settings.limits.alarms_a_day,
            "count": count, "since": since,
        }  # fmt: skip
        subject = (
            f"{count} more alarms within a day: {kind}"
            if count
            else f"More alarms than a day may have: {kind}"
        )
        key = ("many", topic, since.isoformat(), str(bool(count)))
        unit.send(outgoing(self._speaker.alarm(subject, key, now, context)))


def fitted(letter: Letter, largest: int) -> Letter:
    """The letter, no larger than so many bytes: words that are too many are cut, and what asks for an answer stays."""
    if _bytes(letter.text, letter.html, *(text for _, _, text in letter.attachments)) <= largest:
        return letter
    room = largest // 2
    attached = letter.attachments if _bytes(*(text for _, _, text in letter.attachments)) <= room else ()
    kept = letter.text.encode()[: max(room - _bytes(letter.form), 0)].decode(errors="ignore")
    lines = kept.rpartition("\n")[0].splitlines()
    left = len(letter.text.splitlines()) - len(lines)
    note = (
        f"(Here {left} lines are left out, since no letter of mine holds more than {largest // 1000} kB. The subjects"
        ' "board" and "record" of a mail to me bring you how the match stands, and all of it.)'
    )
    form = ["", letter.form] if letter.form else []
    return replace(letter, text="\n".join([*lines, "", note, *form, ""]), medium="text", attachments=attached)


def _bytes(*texts: str) -> int:
    return sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)


def question(words: Sequence[str]) -> str:
    """What a command asks, as it is counted: `board multigo-1`."""
    return " ".join(" ".join(words).casefold().split())[:60]
