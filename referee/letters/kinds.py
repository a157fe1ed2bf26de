"""The kinds of letters: how each goes out, and under which subject."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from referee.core import seam
from referee.core.answers import GivesUpSeat
from referee.core.game import AnyGame
from referee.match import events as ev
from referee.match.match import Match
from referee.match.notices import Notice

Office = Literal["speaker", "collector"]


@dataclass(frozen=True, slots=True)
class Kind:
    """How a letter goes out."""

    notice: str  # what its header calls it (contract, "Mail out")
    office: Office  # who writes it
    reply_to: Literal["speaker", "collector", "moderator"]
    # the subject of one that answers a mail; begins with no command's name, since replies have it too
    about: str = ""
    known_by_id: bool = False  # a reply is told by the letter's Message-ID alone, and no token is in it
    template: str = ""  # where another kind's serves it too


# What goes to every seat and every observer (contract, "Mail out").
PUBLIC = frozenset(("announcement", "opened", "lapsed", "rewound", "extended", "ended"))


def _asking(notice: str) -> Kind:
    return Kind(notice, "speaker", "collector")


def _telling(notice: str) -> Kind:
    return Kind(notice, "speaker", "speaker")


def _answering(notice: str, about: str = "") -> Kind:
    return Kind(notice, "collector", "collector", about)


def _refusing(about: str, template: str) -> Kind:
    return Kind("refusal", "collector", "collector", about, template=template)


# By the letter's template, where nothing else is said.
KINDS: Mapping[str, Kind] = {
    # of a match's entries, or of its deadlines
    "opened": _asking("opened"),
    "due": _asking("due"),
    "ahead": _asking("status"),
    "reminder": _asking("reminder"),
    "announcement": _telling("announcement"),
    "lapsed": _telling("lapsed"),
    "rewound": _telling("rewound"),
    "extended": _telling("extended"),
    "ended": _telling("ended"),
    "press": _telling("press"),
    "welcome": _asking("status"),
    "gone": _telling("status"),
    "unguarded": _asking("status"),
    "digest": _asking("digest"),
    "desk": Kind("status", "speaker", "collector", template="ordered"),
    "handed_over": Kind("status", "speaker", "collector"),
    "question": Kind("question", "speaker", "collector"),
    "alarm": Kind("alarm", "speaker", "collector"),
    # questions
    "challenge": Kind("challenge", "collector", "collector", known_by_id=True),
    "desk_question": Kind("challenge", "collector", "collector", known_by_id=True),
    "address_question": _answering("challenge"),
    "substitute_question": _answering("challenge"),
    "move_question": Kind("challenge", "collector", "collector", known_by_id=True),
    "moved_away": Kind("status", "collector", "collector", known_by_id=True),
    "wish": _answering("challenge", "do you wish it? Yes or No"),
    "asked_again": _answering("challenge", "Yes or No, please"),
    # of proposals
    "proposal": _answering("proposal"),
    "proposal_news": _answering("status"),
    "proposal_form": _answering("help", "a form for what you would play"),
    "proposal_refused": _refusing("what you would play", "proposal_form"),
    "event_entry": _answering("proposal"),
    "event_news": _answering("status"),
    "event_shown": _answering("status", "how the event stands"),
    # answers to a mail
    "receipt": _answering("receipt", "received"),
    "refusal": _answering("refusal", "refused"),
    "preview": _answering("preview", "dry run"),
    "ignored": _answering("ignored", "nothing changed"),
    "asked": _answering("preview", "is this your answer"),
    "which_match": _answering("preview", "for which match"),
    "kept": _answering("preview", "kept as your draft"),
    "discarded": _answering("receipt", "your draft is gone"),
    "too_large": _answering("refusal", "refused"),
    "too_much": _answering("refusal", "refused"),
    "no_order": _answering("status", "no order"),
    "wished": _answering("preview", "is this what you wish"),
    "passed_on": _answering("receipt", "your words to the moderator"),
    "which_order": _answering("preview", "which of the two"),
    "help": _answering("help", "how to write to me"),
    "doors": Kind("help", "collector", "collector", "what you can play here", template="help"),
    "further_address": _answering("status", "another address of yours"),
    "astray": Kind("status", "collector", "collector", "what is it about", template="help"),
    "games": _answering("help", "the games I moderate"),
    "list": _answering("help", "what is played here"),
    "rules": _answering("help", "the rules in brief"),
    "enough": _answering("help", "no more of it today"),
    "status": _answering("status", "what you owe"),
    "board": _answering("status", "how it stands"),
    "record": Kind("record", "collector", "speaker", "the public record"),
    "joined": _answering("receipt", "you have a seat"),
    "observing": _answering("receipt", "your letters of the match"),
    "zone": _answering("receipt", "your time zone"),
    "no_zone": _refusing("your time zone", "zone"),
    "ordered": _answering("receipt", "done at the desk"),
    "not_ordered": _refusing("nothing is done", "ordered"),
    "would_be": Kind("preview", "collector", "collector", "how it would be", template="ordered"),
    "told": Kind("status", "collector", "collector", "what you asked for", template="ordered"),
    "not_yours": _answering("refusal", "what only the moderator may"),
    "done": _answering("receipt"),
    "not_done": _refusing("", "done"),
    "disowned": Kind("help", "collector", "collector", template="done"),
}

# What `done` is about, by its topic or the first word of that.
_DONE: Mapping[str, str] = {
    "absence": "your absence",
    "press": "your words to the others",
    "renewed": "new addresses for replies",
    "address": "your new address",
    "substitute": "your substitute",
    "format": "how you get my letters",
    "stepped": "you have left",
    "challenge": "the mail I asked you about",
    "challenge_moved": "your new address",
    "challenge_denied": "a mail that is not yours",
    "challenge_disowned": "a mail that is not yours",
    "untried": "no dry run",
    "proposed": "the players are asked",
    "proposal": "a match that is being formed",
    "invitation": "a match that is being formed",
    "agreed": "you play",
    "declined": "you do not play",
    "never": "you are asked no more",
    "rematch": "the match once more",
    "event": "an event",
    "event_in": "you play in the event",
    "event_out": "you are out of the event",
    "door": "the moderator is asked",
    "club": "what is told of you",
    "rejected": "your mail does not count",
}


def about_in_answer(kind: str, topic: str) -> str:
    """What the subject of a letter says that answers a mail, in our own words alone: the mail may be anybody's, and
    whoever reads the letter answers it under what stands there."""
    told = KINDS[kind].about
    return told or _DONE.get(topic) or _DONE.get(topic.partition("_")[0]) or "your mail"


# --- of what happened in a match ------------------------------------------------------------------------------

_LABELLED = (ev.Answered, ev.RoundRevealed, ev.Lapsed, ev.GraceBegun, ev.DeadlineMoved, ev.TurnRuled)


def about_notice(match: Match, game: AnyGame, notice: Notice) -> str:
    """What a letter tells that tells what happened, for its subject."""
    labels = [e.event.label for e in notice.entries if isinstance(e.event, _LABELLED) and e.event.label]
    about = labels[0] if labels else ""
    match notice.kind:
        case "opened":
            free = len(match.vacant) if match.status == "filling" else 0
            return f"players wanted, {free} still" if free else "the match is open"
        case "announcement":
            waits = f"{notice.round.label}: the ruling waits" if notice.round else ""
            return about or _news(match, game, notice) or waits or notice.kind
        case "lapsed":
            return f"the time is over: {about}{_given_up(match, notice)}"
        case "extended":
            return f"new deadline: {about}" if about else "new deadlines"
        case "rewound":
            back = (e.event.label for e in notice.entries if isinstance(e.event, ev.MatchRewound))
            return f"rewound to {next(back)}"
        case "press":
            return _from_whom(notice)
    return {"ended": "the match has ended", "ahead": "your conditional turn is void"}.get(
        notice.kind, notice.kind
    )


def _given_up(match: Match, notice: Notice) -> str:
    """Whose seats are open to others now that they have missed a deadline."""
    vacant = match.vacant
    for entry in notice.entries:
        if isinstance(entry.event, ev.Lapsed) and (
            gone := [d.seat for d in entry.event.demands if d.seat in vacant]
        ):
            return f"; the seat of {' and '.join(f'Player {seat}' for seat in gone)} is vacant"
    return ""


def _news(match: Match, game: AnyGame, notice: Notice) -> str:
    """What a letter tells that is about no round. No player's name is in it: whoever chose one well would have
    all others answer under words of their own choice."""
    for entry in notice.entries:
        match entry.event:
            case ev.Answered(demand=demand) if demand.seat in match.vacant:
                return f"the seat of Player {demand.seat} is vacant"
            case ev.Answered(demand=demand, action=action):
                left = issubclass(game.actions_codec.kind_of(action), GivesUpSeat)
                did = " has resigned" if left else f": {heading_for(game, demand.kind).lower()}"
                return f"Player {demand.seat}{did}"
            case event if type(event) in _HAPPENED:
                return _HAPPENED[type(event)].format(seat=getattr(event, "seat", None))
    return ""


_HAPPENED: Mapping[type[ev.Event], str] = {
    ev.MatchPaused: "the match is paused",
    ev.MatchResumed: "the match goes on",
    ev.EntrantReplaced: "Player {seat} is somebody new",
    ev.EntrantLeft: "a seat is free again",
    ev.SubstituteNamed: "Player {seat} has a substitute",
    ev.SubstituteDropped: "Player {seat} has no substitute any more",
    ev.StoodIn: "somebody stands in for Player {seat}",
    ev.CameBack: "Player {seat} is back",
    ev.SeatVacated: "the seat of Player {seat} is vacant",
    ev.MatchStopped: "the moderator ends the match",
    ev.EntrantJoined: "one more has joined",
    ev.Amended: "the rules are amended",
    ev.Said: "words of the moderator",
    ev.AbsenceTaken: "Player {seat} is away",
}


def heading_for(game: AnyGame, kind: str) -> str:
    """The first heading of a kind of answer; of one that has none, the game's first."""
    named = [heading for heading, of in seam.headings(game).items() if of == kind]
    return named[0] if named else game.answers[0].headings[0]


def _from_whom(notice: Notice) -> str:
    """Whose words they are, and whether all got them."""
    said = next((e.event for e in notice.entries if isinstance(e.event, ev.PressSent)), None)
    if said is None:
        return "words of the moderator to you"
    return f"Player {said.seat} writes to {'you' if said.to else 'all'}"


# --- of what a seat owes --------------------------------------------------------------------------------------

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
