"""Words to a person: of a known sender, no order and no command. A moderator gets them in a letter that shows nobody's
address; he replies, and the referee passes his words on. Never to one who plays in that match; and where sealed answers
are owed only once the sender has said OK to it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Literal

from referee.core.complaint import Line
from referee.core.texts.words import without_addresses
from referee.language.interpret import beyond_courtesy
from referee.language.sentences import words_of
from referee.language.words import known_anywhere, lexicons
from referee.letters.letter import OPEN_QUESTION, Letter, Meant, Measure, Recipient
from referee.letters.replies import answer, from_desk
from referee.mail.mail import Mail
from referee.match.match import Match
from referee.way.case import Case, Settled, needs_confirmation
from referee.way.requests.request import named_in
from referee.way.requests.telling import game_beginning
from referee.way.routing import Route

Passed = Literal["", "sent", "offered", "seated", "enough"]
DEALT_WITH = frozenset(("sent", "enough"))  # of which its sender is told, whatever else is answered
_DAY = timedelta(days=1)
TOPIC = "words to a moderator"  # of the answers to mails whose words went to one
_SEND = r"(?:please,? )?(?:(?:send|forward|pass) (?:it|this|that|them) )?(?:on )?"
_TO_HIM = re.compile(rf"\W*{_SEND}to the moderator(?:,? please)?\W*", re.IGNORECASE)
_THANKS = re.compile(
    r"\b(?:thanks?|thx|cheers|danke|merci|gracias|grazie|obrigad[oa]|dzi[eę]kuj[eę]|dzi[eę]ki|tack|bedankt|dank)\b",
    re.IGNORECASE,
)
_PLEASED = frozenset(
    """ok okay got it all clear fine perfect nice great good well played cool received understood noted wonderful
    lovely game move yes alright super top wow haha congratulations congrats see you soon bye hello hi the a so very
    that is was for""".split()  # noqa: SIM905 - words to be read
)
_LONGEST_THANKS = 10  # words


def beside(case: Case, at: Route, talk: Sequence[Line]) -> tuple[Passed, tuple[Letter, ...]]:
    """What becomes of the words of a mail that orders nothing, and the letter that takes them on. Of what looks
    like an order (`talk`), or is answered already, and where sealed answers are owed, only with an OK."""
    if not says_something(case.mail) or needs_confirmation(case):
        return "", ()
    reader = _reader(case, at)
    if reader is None:
        return ("" if case.proof.moderates else "seated"), ()
    if _spent(case):
        return "enough", ()
    sealed = any(r.sealed for place in (at, *case.proof.seats) for r in place.match.rounds)
    asks = case.mail.wishes.asks and not (case.proof.proved and _of_no_match(case) and _goes_beyond(case))
    if sealed or talk or asks:
        return "offered", ()
    return "sent", (_question(case, at, reader, case.mail, case.kept.identity),)


def _of_no_match(case: Case) -> bool:
    tag, replied = case.mail.tag, case.replied
    return not (tag.brackets or tag.game or (replied and replied.match))


def _goes_beyond(case: Case) -> bool:
    """Whether it says more than words that ask the desk for something, and those that all sentences have."""
    known = {*known_anywhere(), *case.mail.hints.own}
    for lexicon in lexicons().values():
        known |= lexicon.wishes.keys() | {second for ends in lexicon.wishes.values() for second, _ in ends}
    return any(w.isalpha() and w not in known for line in case.mail.own for w in words_of(line.text))


def to_a_person(case: Case) -> bool:
    """Whether a proved mail's subject only begins with a question's command, and its words are for a person: "Rules
    question", "Help!" above a complaint."""
    if not (case.known and case.proof.proved and says_something(case.mail) and _of_no_match(case)):
        return False
    if not case.argument:
        return case.command == "help" and _goes_beyond(case)
    return named_in(case) is None and game_beginning(case, case.argument) is None


def agreed(case: Case) -> Case | Settled:
    """What an OK does to the question whether the moderator may read a mail, or the words "to the moderator" below
    any letter that answers one. Any other mail goes on."""
    replied = case.replied
    if replied is None or (replied.match is not None and not replied.seat):
        return case
    meant, mail = case.meant, case.mail
    said = "\n".join(line.text for line in mail.own).strip()
    if not ((meant.asks == "words" and mail.agrees) or _TO_HIM.fullmatch(said)):
        return case
    place, own = (replied.match, replied.seat), [at for at in case.proof.seats if at.match.known]
    at = next((at for at in own if replied.match is None or (at.match.name, at.seat) == place), None)
    kept = case.unit.mail_of(meant.about)
    if at is None or kept is None or needs_confirmation(case):
        return case
    about = case.room.reader.read(kept.raw, cut=kept.cut)
    letters: tuple[Letter, ...] = ()
    reader, passed = _reader(case, at), "sent"
    if reader is None or not about.own:
        passed = "seated" if reader is None else "nothing"
    elif _spent(case):
        passed = "enough"
    else:
        letters = (_question(case, at, reader, about, kept.identity),)
    told = answer(case.room.speaker, "passed_on", case.answering, {"passed": passed}, at.match, at.seat)
    told = told.counted(topic=TOPIC) if letters else told
    return case.settled("answered", f"words to a moderator: {passed}", told, *letters, at=at)


def _reader(case: Case, at: Route) -> str | None:
    """The first moderator who plays in none of the matches that the words may be about; None where all do."""
    named = case.replied is not None and case.replied.match is not None
    matches: Sequence[Match] = (at.match,) if named or len(case.proof.seats) == 1 else ()
    matches = matches or tuple(place.match for place in case.proof.seats if place.match.status != "ended")
    own = case.mail.sender or ""
    free = (
        each for each in case.room.offices.at_desk if not any(m.seat_of(each) for m in (at.match, *matches))
    )
    return next((each for each in free if not case.room.offices.moderates(own) or each != own), None)


def _spent(case: Case) -> bool:
    since, most = case.now - _DAY, case.room.settings.limits.questions_a_day
    return case.unit.counted(case.quota, case.answering.address, TOPIC, since) >= most


def _question(case: Case, at: Route, to: str, mail: Mail, identity: str) -> Letter:
    """The words, to a moderator: his reply goes to the seat."""
    told = {
        "asker": at.seat,
        "about": mail.subject,
        "said": without_addresses("\n".join(line.text for line in mail.own).strip()),
        "sure": case.proof.proved,
    }
    letter = case.room.speaker.letter(
        "question",
        Recipient(to, "", None),
        case.room.speaker.subject(at.match, "a player writes to you"),
        ("question", identity),
        case.now,
        at.match,
        told,
        reply=Meant(about=identity),
        measure=Measure(bucket=OPEN_QUESTION),
    )
    return from_desk(case.room.speaker, letter)


def says_something(mail: Mail) -> bool:
    """Whether it holds words for a person: more than courtesy, thanks, or a plain Yes, No or OK."""
    if mail.agrees or mail.consent != "neither":
        return False
    said = " ".join(line.text for line in beyond_courtesy(mail.own, mail.hints.own))
    return any(not _pleased(sentence) for sentence in re.split(r"(?<=[.!?])\s+|\n", said) if sentence.strip())


def _pleased(sentence: str) -> bool:
    words = re.findall(r"[^\W_]+", sentence.lower())
    if "?" in sentence or len(words) > _LONGEST_THANKS:
        return False
    return bool(_THANKS.search(sentence)) or _PLEASED.issuperset(words)
