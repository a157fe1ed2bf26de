"""The allowances of a day: how much a sender is answered. Each purse is its own: what one has used up is nobody
else's. What is counted are rows of the outbox."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from referee.match.match import Former
from referee.offices.incoming.case import Case, Settled
from referee.offices.outgoing.letters import Letter
from referee.offices.outgoing.speaker import Speaker
from referee.offices.settings import Settings

_DAY = timedelta(days=1)
WORDS = "press"  # the topic of what is passed on to other players: words, comments, offers
_UNCOUNTED = frozenset({"alarm", "challenge"})  # they have measures of their own


class Allowances:
    """Counts before anything is answered, and says once when a measure is full."""

    def __init__(self, speaker: Speaker, settings: Settings) -> None:
        self._speaker = speaker
        self._limits = settings.limits

    def spent(self, case: Case, topic: str) -> Settled | None:
        """A question, or words to be passed on, of which the sender has had his measure: told so once, then nothing.
        None where there is room, or where somebody has let the mail in. What proves itself is counted apart from what
        anybody could write in his name."""
        if case.passed:
            return None
        most = self._limits.press_a_day if topic == WORDS else self._limits.equal_questions_a_day
        told = case.unit.counted(case.purse, case.answering.address, topic, case.now - _DAY)
        if told < most:
            return None
        why = "press" if topic == WORDS else "question"
        letters = (self._enough(case, why, most, topic),) if told == most else ()
        return case.settled("discarded", f"{topic}: no more of it today", *letters)

    def answered(self, case: Case, settled: Settled, topic: str = "") -> Settled:
        """The answers to a mail, marked so that they count; short ones after the first of a day, and at last none. What
        is accepted is always answered, and never counted."""
        own = [letter for letter in settled.letters if letter.kind not in _UNCOUNTED]
        rest = [letter for letter in settled.letters if letter.kind in _UNCOUNTED]
        if not own:
            return settled
        told = case.unit.counted(case.purse, case.answering.address, None, case.now - _DAY)
        if told >= self._limits.pictures_a_day:
            own = [replace(letter, medium="text") for letter in own]
        if settled.disposition == "accepted":
            return replace(settled, letters=(*own, *rest))
        if told >= self._limits.answers_a_day and case.purse != "stranger":
            more = [] if told > self._limits.answers_a_day else [self._enough(case, "answers", told, "")]
            return replace(settled, letters=(*more, *rest))
        marked = [
            replace(letter, purse=letter.purse or case.purse, topic=letter.topic or topic) for letter in own
        ]
        return replace(settled, letters=(*marked, *rest))

    def has_room_for_stranger(self, case: Case, former: Sequence[Former]) -> bool:
        """Whether a stranger is within the day's measure, and strangers together are. What somebody was sent while he
        had a seat (`former` are those he had) is none of it."""
        unit, to, since, most = case.unit, case.answering, case.now - _DAY, self._limits.strangers_a_day
        if former:
            since = max(since, *(seat.until for seat in former))
            return unit.answers_since(to.address, None, since) < most
        if unit.answers_since(to.address, to.thread, since):
            return False
        if unit.answers_since(to.address, None, since) >= most:
            return False
        return unit.answers_to_strangers(since) < self._limits.strangers_in_all

    def _enough(self, case: Case, why: str, most: int, topic: str) -> Letter:
        context = {"why": why, "most": most, "asked": topic, "until": case.now + _DAY}
        letter = self._speaker.answer("enough", case.answering, case.now, context)
        return replace(letter, purse=case.purse, topic=topic, medium="text")


def question(words: Sequence[str]) -> str:
    """What a command asks, as it is counted: `board multigo-1`."""
    return " ".join(" ".join(words).casefold().split())[:60]
