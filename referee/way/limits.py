"""How much is taken: of one mail, of the same words again and again, of one sender in a day. What is counted are lines,
mails of the inbox and letters of the outbox, so that equal mails get equal answers."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

from referee.base.settings import LimitsSection
from referee.core.texts.addresses import address_key
from referee.core.value import Line
from referee.letters.letter import AnsweredMail, Letter, Meant
from referee.letters.replies import counted_about
from referee.way.case import TELLING, Case, Settled

# A word, a number or a run of signs. Long ones count once for every so many characters, and so do
# blanks: whatever the lines are made of, their length is within a fixed multiple of their tokens.
_TOKEN = re.compile(r"[^\W\d_]{1,20}|\d{1,10}|_{1,10}|[^\w\s]{1,10}|\s{50}")
# What stands between commas, semicolons or line ends and holds a number or a colon.
_ORDER = re.compile(r"(?:^|[,;])[^,;\d:]*[\d:]")
DAY = timedelta(days=1)
_COUNTED = frozenset(("accepted", "refused", "ignored", "answered"))
WORDS = "press"  # the topic of what is passed on to other players: words, comments, offers
_UNCOUNTED = frozenset({"alarm", "challenge"})  # they have measures of their own


def excess(lines: Iterable[Line], limits: LimitsSection) -> list[tuple[str, int, int]]:
    """Of what ("lines", "tokens", "orders") the lines hold too much, how much and how much is read; nothing where they
    may be judged. Signs that stand for several (U+FDFA for eighteen) count as what the games' readers take them for."""
    texts = [unicodedata.normalize("NFKC", line.text) for line in lines]
    tokens = [len(_TOKEN.findall(text)) for text in texts]
    counted = (
        ("lines", sum(map(bool, tokens)), limits.lines),
        ("tokens", sum(tokens), limits.tokens),
        ("orders", sum(len(_ORDER.findall(text)) for text in texts), limits.orders),
    )
    return [one for one in counted if one[1] > one[2]]


# --- the same again, and mails that are held ----------------------------------------------------------------------


def held(case: Case, reason: str, *, delays: bool, once: str = "") -> Settled:
    """Put aside for the moderator, who is told why; once a day of all that are held for what `once`
    names, and of all from his own address, so that a program that answers alarms is no loop. It is
    noted for its sender's only seat, and for seat 0 where it delays no deadline."""
    sender, kept = case.mail.sender, case.kept
    seats = case.unit.seats_of(sender) if sender else []
    match, seat = seats[0] if len(seats) == 1 else (None, None)
    once = once or ("the moderator's own" if case.room.offices.moderates(sender) else "")
    key = (once, f"{case.now:%Y-%m-%d}") if once else (str(kept.id), kept.arrived.isoformat())
    about, subject = sender or "nobody", f"A mail is held: {reason}"
    alarm = case.alarm("held", subject, *key, mail=kept, about=about, reason=reason)
    alarm = counted_about(alarm, seats, case.proof.best)
    return case.settled("held", reason, alarm, match=match, seat=seat if delays else 0)


def repeated(case: Case) -> Case | Settled:
    """The same mail once more, under whatever Message-ID: the same words of the same Date, or what
    comes with the same signature. One effect; the answer says which one counted. It goes on where
    none counted and this one proves more than all before it, or was let in."""
    unit, kept, mail, proof = case.unit, case.kept, case.mail, case.proof
    own, again = (kept.arrived, kept.id), unit.resends(mail.resend, proof.signature)
    earlier = [m for m in again if m.id != kept.id and (m.verdict == "accepted" or (m.arrived, m.id) < own)]
    as_strong = [m for m in earlier if m.strength is None or m.strength >= proof.strength]
    accepted = [m for m in earlier if m.verdict == "accepted"]
    if (first := next(iter((*accepted, *(() if case.passed else as_strong))), None)) is None:
        return case
    reason = f"the same mail as no. {first.id}"
    delivered_again = mail.message_id is not None and mail.message_id in [m.message_id for m in as_strong]
    if delivered_again or not (proof.moderates or unit.seats_of(mail.sender or "")):
        return case.settled("ignored", reason)
    context = {"mail": mail, "earlier": first, "demand": None, "label": "", "text": ""}
    letter = case.written("ignored", context, to=case.sender, reply=Meant(about=first.identity))
    return counted(case, case.settled("ignored", reason, letter))


def measured(case: Case, settled: Settled) -> Settled:
    """The answers to a mail, counted and held where they would make a loop."""
    return stopped(case, counted(case, settled))


def stopped(case: Case, settled: Settled) -> Settled:
    """The same words a third time within a day, where they do not count: held, so that no loop goes
    on. A seat's own corrections are no loop."""
    if settled.disposition in ("accepted", "held") or (loop := looped(case)) is None:
        return settled
    return replace(loop, match=settled.match) if settled.match and settled.seat else loop


def looped(case: Case) -> Settled | None:
    """Held as a loop, where the same words of the same sender were settled twice within a day
    already: the moderator is told once a day, the sender nothing."""
    same = [] if case.passed else case.unit.same_words(case.mail.words, case.kept.arrived - DAY)
    if sum(m.id != case.kept.id and m.verdict in _COUNTED for m in same) < 2:
        return None
    loop = held(case, "the same words for the third time within a day", delays=False)
    return replace(loop, letters=()) if any(m.verdict == "held" for m in same) else loop


# --- what one sender is answered in a day -------------------------------------------------------------------------


def asked(case: Case) -> Case | Settled:
    """A question, or words for others, of which its sender has room for one more today; a
    stranger's are counted once it is known what they are."""
    topic = topic_of(case) if case.command and not case.strange else ""
    over = spent(case, topic) if topic else None
    return stopped(case, over) if over is not None else case


def told_today(case: Case, topic: str | None, address: str = "", quota: str = "") -> int:
    """How many letters of that topic, or any, answered what its sender sent within a day."""
    to = address or case.answering.address
    return case.unit.many(case.kept.arrived - DAY, quota=quota or case.quota, recipient=to, topic=topic)


def spent(case: Case, topic: str) -> Settled | None:
    """A question, or words to be passed on, of which the sender has had his measure: told so once,
    then nothing. None where there is room, or where somebody has let the mail in. What proves
    itself is counted apart from what anybody could write in his name."""
    limits, told = case.room.settings.limits, told_today(case, topic)
    words = ("press", limits.press_a_day)
    why, most = words if topic == WORDS else ("question", limits.equal_questions_a_day)
    if case.passed or told < most:
        return None
    letters = (enough(case, why, most, topic),) if told == most else ()
    return case.settled("discarded", f"{topic}: no more of it today", *letters)


def counted(case: Case, settled: Settled) -> Settled:
    """The answers to a mail, marked so that they count; short ones after the first of a day, and at
    last none. What is accepted is always answered, and never counted."""
    limits = case.room.settings.limits
    own = [letter for letter in settled.letters if letter.kind not in _UNCOUNTED]
    rest = [letter for letter in settled.letters if letter.kind in _UNCOUNTED]
    if not own:
        return settled
    told, most, topic = told_today(case, None), limits.answers_a_day, topic_of(case)
    if told >= limits.pictures_a_day:
        own = [replace(letter, medium="text") for letter in own]
    if settled.disposition != "accepted" and told >= most and not case.strange:
        own = [enough(case, "answers", told, "")] if told == most else []
    elif settled.disposition != "accepted":
        kinds = [(x, x.measure.quota or case.quota, x.measure.topic or topic) for x in own]
        own = [x.counted(quota=q, topic=t) for x, q, t in kinds]
    return replace(settled, letters=(*own, *rest))


def asked_enough(case: Case, bucket: str, address: str | None = None, *, doubtful: bool = False) -> bool:
    """Whether today as many questions of the bucket, to an address where one is given, have left as
    may: of what is doubtful one."""
    case.unit.hold("bucket", bucket if address is None else f"{bucket} {address_key(address)}")
    most = case.room.settings.senders.challenges_a_day
    told = case.unit.bucket_since(bucket, case.kept.arrived - DAY, address)
    return told >= (min(most, 1) if doubtful else most)


def enough(case: Case, why: str, most: int, topic: str, to: AnsweredMail | None = None) -> Letter:
    context = {"why": why, "most": most, "asked": topic, "until": case.now + DAY}
    letter = case.written("enough", context, to=to)
    return replace(letter.counted(quota=case.quota, topic=topic), medium="text")


def topic_of(case: Case) -> str:
    """What is counted together in a day: words for others, or the question that a command asks ("board multigo-1")."""
    if case.command == "press":
        return WORDS
    tag = case.mail.tag
    words = " ".join((case.command, *tag.brackets, tag.argument)) if case.command in TELLING else ""
    return " ".join(words.casefold().split())[:60]
