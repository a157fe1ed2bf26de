"""Subjects, and which office writes a letter of which kind and takes its answers."""

from __future__ import annotations

import re
from typing import Literal

from referee.match import events as ev
from referee.match.match import Match
from referee.match.notices import Notice

# Kinds that are answered to the collector; the others to the speaker.
_REPLIES = frozenset({
    "due", "refusal", "reminder", "preview", "receipt", "ignored", "opened", "help", "status", "challenge",
})  # fmt: skip
# Kinds that the speaker writes; the others are the collector's.
_SPEAKER = frozenset({
    "opened", "due", "announcement", "reminder", "lapsed", "rewound", "extended", "ended", "press", "digest",
})  # fmt: skip
# What the header calls letters whose template has a name of its own (contract, "Mail out").
NOTICES = {
    "joined": "receipt", "observing": "receipt", "zone": "receipt", "too_large": "refusal", "too_much": "refusal",
    "games": "help", "board": "status", "rules": "help", "enough": "help",
}  # fmt: skip
_LABELLED = (ev.Answered, ev.RoundRevealed, ev.Lapsed, ev.DeadlineMoved, ev.TurnRuled)

Office = Literal["speaker", "collector"]


def office_of(kind: str) -> Office:
    """Who writes it."""
    return "speaker" if kind in _SPEAKER else "collector"


def reply_office_of(kind: str) -> Office:
    """Whom to answer."""
    return "collector" if kind in _REPLIES else "speaker"


def subject_of_notice(match: Match, title: str, notice: Notice) -> str:
    """The subject of a letter that tells what happened."""
    labels = [e.event.label for e in notice.entries if isinstance(e.event, _LABELLED) and e.event.label]
    about = labels[0] if labels else ""
    waits = f"{notice.round.label}: the ruling waits" if notice.round else ""
    words = {
        "opened": "the match is open",
        "announcement": about or _news(match, notice) or waits or "announcement",
        "lapsed": f"the time is over: {about}",
        "extended": f"new deadline: {about}" if about else "new deadlines",
        "ended": "the match has ended",
        "press": _from_whom(match, notice),
    }
    if notice.kind == "rewound":
        back = [e.event.label for e in notice.entries if isinstance(e.event, ev.MatchRewound)]
        words["rewound"] = f"rewound to {back[0]}"
    return f"[{match.name}] {title}: {words.get(notice.kind, notice.kind)}"


def _news(match: Match, notice: Notice) -> str:
    """What a letter tells that is about no round."""
    for entry in notice.entries:
        match entry.event:
            case ev.MatchPaused():
                return "the match is paused"
            case ev.MatchResumed():
                return "the match goes on"
            case ev.EntrantReplaced(seat=seat, entrant=entrant):
                return f"{_one_line(entrant.name)} is now Player {seat}"
            case ev.EntrantJoined(entrant=entrant):
                return f"{_one_line(entrant.name)} has joined"
            case ev.Amended():
                return "the rules are amended"
            case ev.Said():
                return "words of the moderator"
            case ev.AbsenceTaken(seat=seat):
                return f"Player {seat} is away"
    return ""


def _from_whom(match: Match, notice: Notice) -> str:
    """Whose words they are, and whether all got them."""
    said = next((e.event for e in notice.entries if isinstance(e.event, ev.PressSent)), None)
    if said is None:
        return "words of a player"
    who = f"{_one_line(match.entrant(said.seat).name)} (Player {said.seat})"
    return f"{who} writes to {'you' if said.to else 'all'}"


def _one_line(name: str) -> str:
    return " ".join(name.split())[:60]


def subject_of_answer(subject: str, match: Match | None) -> str:
    """The mail's own subject after one `Re:`, with the match's name."""
    bare = " ".join(subject.split()) or "your mail"
    while bare[:3].casefold() == "re:":
        bare = bare[3:].strip()
    bare = bare.rstrip("?").rstrip()[:180]
    tag = f" [{match.name}]" if match and f"[{match.name}]" not in bare else ""
    return f"Re: {bare}{tag}"


_SEAT = re.compile(r"player \d+", re.IGNORECASE)
_NUMBERED = re.compile(r"(.*?)\s*(\d+)")


def staged(words: str, label: str) -> str:
    """The words for an answer with the stage of the match that the label names, if it names one."""
    stages: list[str] = []
    for part in re.split(r" / |, ", label):
        found = _NUMBERED.fullmatch(part)
        if found is None or _SEAT.fullmatch(part):
            continue
        of, number = found[1].lower(), found[2]
        if not words.lower().endswith(of):
            stages.append(f"{of} {number}")
        elif number != "1":
            stages.append(f"no. {number}")
    return f"{words} ({', '.join(stages)})" if stages else words
