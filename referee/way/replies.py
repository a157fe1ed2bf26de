"""What is asked of people, and what they reply. Doubtful mails, which prove too little for what they ask: held, and
their owner is asked by a letter, before anything that they say is answered, be it too much, wrong, or but a dry run.
What a reply does, by the kind of letter that it answers: such a question, by a plain Yes or No; an invitation; the
offer of a command; a No below any other letter.

Words to a person, of a known sender, that are no order and no command: a moderator gets them in a letter that shows
nobody's address; their reply goes to the seat. Never to one who plays in that match; and where sealed answers are owed
only once the sender has said OK to it."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from referee.club.events import AddressChanged
from referee.core.texts.addresses import address_key
from referee.core.value import Line, without_addresses
from referee.language.interpret import beyond_courtesy
from referee.language.sentences import words_of
from referee.language.wishes import classes_of
from referee.language.words import known_anywhere, lexicons
from referee.letters.letter import ADDRESS, COMMANDS, OPEN_QUESTION, PRESS, Letter, Meant, Measure, Recipient
from referee.letters.replies import challenge_key, counted_about, from_desk, question, to_moderator
from referee.letters.verdicts import Route
from referee.mail.mail import Mail
from referee.match import events as ev
from referee.match.match import Match, last_held
from referee.store.post import KeptMail
from referee.way import requests
from referee.way.case import UNKNOWN, Case, Settled
from referee.way.club import invited
from referee.way.limits import asked_enough, counted, held, measured, stopped, told_today
from referee.way.routing import readable, seat_meant, seats_of

_SHOWN_LINES = 10
_ADDRESS = re.compile(r"[^\s<>,;:\"()@]{1,64}@[^\s<>,;:\"()@]{1,255}")
_DONE = ("accepted", "answered")
_DENIED = "what is denied"  # what the mail server denies is counted in all matches together


# --- asking -------------------------------------------------------------------------------------------------------


def denied(case: Case) -> Case | Settled:
    """A mail of which a trusted server says that it is not from there. In a player's name: whatever
    it says, he is asked at most."""
    if not case.proof.denied:
        return case
    if not case.known:
        return stopped(case, case.settled("discarded", f"forged, it seems: {case.mail.evidence.detail}"))
    if case.quota != "denied" or case.passed:
        return case
    found = seat_meant(case.proof.seats, case.mail, case.letter)
    at = found if isinstance(found, Route) and found.match.known else case.some_seat
    return asked(case, at, at.seat)


def asked(case: Case, at: Route, seat: int, *, leaving: bool = False) -> Settled:
    """Held, and its owner is asked at the registered address, where that has not had enough questions today: mails are
    counted apart by what they prove and what they are about; of what is denied there is one a day in all, until it is
    confirmed. `seat` 0 where no deadline need wait for it, as none does where From alone names the seat; `leaving`
    where the mail would give up the seat."""
    unit, mail, proof, speaker = case.unit, case.mail, case.proof, case.room.speaker
    seat, person = seat if proof.proved else 0, readable(at.match).entrant(at.seat)
    # a new one is asked about where letters go: there its player is, whoever may still write from an older one
    here = proof.registered and mail.tag.command != "address"
    address = mail.sender if here and mail.sender else person.addresses[0]
    about = "leaving" if leaving else mail.tag.command or "an order"
    bucket = _DENIED if proof.refuted else f"{proof.best} of {at.match.name}/{at.seat}: {about}"
    over = asked_enough(case, bucket, address if proof.refuted else None, doubtful=proof.refuted)
    if over and unit.letter(speaker.message_id(*challenge_key(case.kept.identity, address))) is None:
        whose = f"for seat {at.seat} of {at.match.name}"
        reason = f"too many doubtful mails {whose} today; further ones are held without a word"
        once = f"{proof.best} {whose}"
        return replace(held(case, reason, delays=True, once=once), match=at.match.name, seat=seat)
    own = [line.text for line in mail.own if line.text.strip()]
    orders = case.read(mail.own)[1].orders if case.at is not None and at.match.inner is not None else ()
    command = [" ".join((case.command, case.argument)).strip()] if case.command else []
    lines = [*command, *([line.text for line in orders] or own)][: _SHOWN_LINES + 1]
    context = {
        "subject": mail.subject,
        "proof": proof,
        "arrived": case.kept.arrived,
        "leaving": leaving,
        "new": requests.wanted_address(case) if mail.tag.command == "address" else None,
        "shown": "\n".join(lines[:_SHOWN_LINES])[:4000],
        "addresses": _ADDRESS.findall("\n".join(lines)) if proof.proved else (),
        "more": len(lines) > _SHOWN_LINES,
        "apart": case.at is None and requests.named_in(case) is None,
    }
    of = None if context["apart"] else at.match
    reader = Recipient(address, person.name, at.seat if of else None, person.zone)
    letter = question(speaker, "challenge", reader, case.kept.identity, case.now, context, bucket, of)
    reason = f"its owner is asked whether it is his ({proof.evidence})"
    return case.settled("held", reason, letter, match=at.match.name if seat else None, seat=seat)


# --- what a reply does --------------------------------------------------------------------------------------------


def answered(case: Case) -> Case | Settled:
    """Any other mail goes on; of a reply to an offer the command that it takes."""
    if case.letter is None and not case.mail.tokens:
        return case
    if isinstance(found := _to_question(case), Settled):
        return found
    for reply in (invited, _through_a_door):
        if isinstance(found := reply(case), Settled):
            return measured(case, found)
        case = found
    case = case if case.kept.confirmed else _to_an_offer(case)
    return counted(case, found) if isinstance(found := _disowned(case), Settled) else found


# --- to a question ------------------------------------------------------------------------------------------------


def _to_question(case: Case) -> Case | Settled:
    """What a reply to a challenge does. Its Message-ID, which only its reader knows, is the proof,
    whatever the mail server thinks; and it must come from the very address that was asked."""
    unit, mail, question = case.unit, case.mail, case.letter
    if question is None or question.kind != "challenge":
        return case
    if case.meant.asks == "moved":
        return _to_move(case, question.head.recipient, case.meant.offers[0].form)
    match = case.room.matches.load(unit, question.match) if question.match else None
    sender, theirs = mail.sender or "", case.from_reader
    at = Route(match, question.seat) if match and question.seat else None
    if at is not None and last_held(at.match, sender) is not None:
        return case  # the seat is another's now: that is what he is told, and nothing is confirmed
    known = case.proof.registered or case.proof.moderates
    sits = at is not None and at.seat in at.match.seat_of(sender)
    if not (sits or (theirs and at is None)) and not known:
        return case.settled("discarded", "a stranger's reply to a challenge")
    if not theirs or not (sits or at is None):
        return _told(case, at if sits else None, "elsewhere")
    doubtful = unit.mail_of(case.meant.about)
    if doubtful is not None and mail.consent == "no" and doubtful.verdict in _DONE:
        return case  # it was confirmed, and whoever has the address says No: the moderator hears of it
    if doubtful is None or doubtful.verdict != "held":
        over = case.settled("discarded", "the challenge is settled")
        return _told(case, at, "settled") if at or known else over
    if mail.consent == "yes":
        return _confirmed(case, at, doubtful, match)
    if mail.consent == "no" and case.meant.asks == "substitute":
        case.room.decisions.told_of(unit, doubtful, "substitute_declined")
        why = "who was to be a substitute says No"
        unit.settle(doubtful.id, "discarded", why, case.now, seen_as="held")
        return _told(case, None, "declined")
    if mail.consent == "no":
        return _denied(case, at, doubtful)
    return _unclear(case, doubtful, question, match)


def _confirmed(case: Case, at: Route | None, doubtful: KeptMail, match: Match | None) -> Settled:
    """The mail is theirs, or the address is: it is judged again, and leaves room for another question."""
    assert case.letter is not None
    case.unit.uncount(case.letter.head.message_id)
    if agreed := {"address": "agreed", "substitute": "stands_by"}.get(case.meant.asks):
        case.unit.reopen(doubtful.id, "held", released=doubtful.released, agreed=True)
        return _told(case, None, agreed, where=match.name if match else "")
    if doubtful.confirmed:  # it waits for somebody else by now
        return _told(case, at, "settled")
    case.unit.reopen(doubtful.id, "held", released=doubtful.released, confirmed=True)
    return case.settled("answered", f"confirms mail no. {doubtful.id}", at=at)


def _denied(case: Case, at: Route | None, doubtful: KeptMail) -> Settled:
    """Not his: the mail is thrown away; of a seat's the reply addresses are renewed and the moderator is told."""
    unit, now = case.unit, case.now
    unit.settle(doubtful.id, "discarded", "its owner says it is not his", now, seen_as="held")
    unit.mark(doubtful.id, raw=b"")
    if at is None and case.proof.registered:  # what it asked for was about no match
        at = replace(case.some_seat, match=case.room.matches.load(unit, case.some_seat.match.name))
    if at is None:
        over = case.settled("discarded", f"denies mail no. {doubtful.id}")
        return _told(case, None, "denied") if case.proof.moderates else over
    at = _renewed(case, at, "denied")
    name, subject = at.match.name, case.room.speaker.subject(at.match, "a mail was forged")
    alarm = case.alarm("forged", subject, str(doubtful.id), mail=doubtful, reason=name)
    return _told(case, at, "denied", alarm)


def _renewed(case: Case, at: Route, why: str) -> Route:
    """The seat with fresh reply addresses."""
    return replace(at, match=case.does(at.match, ev.ReplyAddressRenewed(at.seat), why))


def _to_move(case: Case, new: str, old: str) -> Settled:
    """What comes of the moderator's question to a new address whether it is that player's: its Yes does it."""
    unit, now, persons, said = case.unit, case.now, case.room.persons, case.mail.consent
    change, cause = AddressChanged(old, new, kept=False), f"mail {case.kept.identity} moves"
    if case.mail.whose != address_key(new):
        return case.settled("discarded", "a stranger's reply to a challenge")
    if not persons.known(unit, old):
        return _told(case, None, "settled")
    if said == "neither":
        return stopped(case, _told(case, None, "moved_unclear"))
    denied, letters = ["It says that it is not that player's."], list[Letter]()
    faults = denied if said == "no" else persons.hindrances(unit, change)
    if not faults:
        persons.change(unit, change, cause)
        key, gone = ("moved", cause, old), Meant(asks="gone")
        letters.append(case.room.speaker.letter("moved_away", Recipient(old), "", key, now, reply=gone))
        proof = replace(UNKNOWN, seats=seats_of(unit, case.room.matches, new), registered=True)
        here = replace(case, proof=proof)
        asked = replace(here, reader=replace(here.sender, identity=f"{cause} status"))
        letters += requests.status(asked).letters
    subject = f"{old} is {new} from now on" if not faults else f"{old} stays {old}"
    alarm = case.alarm("moved", subject, cause, about=old, new=new, faults=faults)
    return _told(case, None, "moved" if not faults else "moved_not", *letters, alarm, faults=faults)


def _unclear(case: Case, doubtful: KeptMail, question: Letter, match: Match | None) -> Settled:
    """Neither a plain Yes nor a plain No: asked once more; then the moderator has it."""
    why, seat = f"neither confirms nor denies mail no. {doubtful.id}", question.seat
    speaker = case.room.speaker
    key = challenge_key(doubtful.identity, address_key(question.head.recipient), again=True)
    again = speaker.message_id(*key)
    if case.unit.letter(again) is None:
        meant = Meant(about=doubtful.identity, asks=question.reply.asks)
        context = {"question": question.page.text.strip()}
        at = Route(match, seat) if match is not None and seat else None
        letter = case.written("asked_again", context, at, case.sender, meant, match)
        return case.settled("answered", why, replace(letter, head=replace(letter.head, message_id=again)))
    reason = "its owner was asked twice whether it is his, and answered neither Yes nor No"
    subject, about = f"A mail is held: {reason}", doubtful.sender or "nobody"
    key = ("unclear", str(doubtful.id))
    alarm = to_moderator(speaker, "held", subject, key, case.now, reason=reason, mail=doubtful, about=about)
    places = [(match.name, seat)] if match and seat else []
    return case.settled("answered", why, counted_about(alarm, places, "answered"))


# --- to the offer of a command -------------------------------------------------------------------------------------


def _through_a_door(case: Case) -> Case | Settled:
    """Of a reply to the letter that tells somebody new what is open the case with what it takes,
    which they say Yes to by that at their own address; held where a moderator decides first. Of the
    same address one such mail waits at a time. Any other mail goes on."""
    unit, mail, address = case.unit, case.mail, case.mail.whose
    if case.meant.asks != "door" or not case.from_reader:
        return case
    offer, first = requests.door_taken(case), unit.mail_of(case.meant.about)
    shut = case.proof.refuted or case.room.settings.club.strangers == "off"
    unmeant = offer is None and mail.consent != "no"
    if shut or unmeant or (mail.tag.command and not case.repeats):
        return case
    why = f"its sender says more in mail {case.kept.id}"
    for earlier in unit.held_newcomers(address):
        if earlier.id != case.kept.id:
            unit.settle(earlier.id, "answered", why, case.now, seen_as="held")
    if offer is None:  # only who plays nowhere needs no answer to a No
        return case if case.known else case.settled("answered", "wishes for nothing of what is open")
    if first is not None and first.verdict == "refused":
        return case.settled("discarded", "a moderator has said No to its sender, who was told")
    argument, _, form = offer.form.partition("\n")
    if offer.heading != "observe" and not requests.let_in(case, case.kept, first):
        title = case.room.games[argument.split()[0]].title if offer.heading == "propose" else ""
        what = f"a match of {title}" if title else argument.split()[0]
        to = replace(case.answering, identity=f"{case.kept.identity} asked")
        told = {"topic": "door_asked", "good": True, "offer": what}
        return requests.ask_desk(case, what, case.written("done", told, to=to))
    taken = case.as_command(offer.heading, argument, form)
    mail = replace(taken.mail, tag=replace(taken.mail.tag, preview=False))
    if first is not None and not mail.sender_name:
        mail = replace(mail, sender_name=case.read_again(first).sender_name)
    return replace(case, mail=mail, kept=case.kept._replace(confirmed=True))


def _to_an_offer(case: Case) -> Case:
    """The case of an OK to the offer of a command, of a number to one of several, or of TELL: as by that command."""
    letter, offers, number = case.letter, case.meant.offers, case.number or 1
    if letter is None:
        return case
    said = " ".join(line.text for line in case.mail.own)
    if case.meant.tell and said.strip(" .!\"'*").casefold() == "tell":
        return case.as_command(PRESS, letter.match or "", case.meant.tell)
    chosen = bool(case.mail.agrees and len(offers) == 1) or case.number is not None
    offer = offers[number - 1] if chosen and 0 < number <= len(offers) else None
    named, _, whom = offer.heading.partition(" ") if offer is not None else ("", "", "")
    if offer is None or named not in COMMANDS:
        return case
    taken = case.as_command(named, whom or letter.match or "" if named == PRESS else offer.form, offer.form)
    asked = named == ADDRESS and case.proof.registered and not case.proof.refuted
    # it answers by a keyed id, like a challenge
    return replace(taken, proof=replace(case.proof, owned=True)) if asked and case.from_reader else taken


# --- a No below any other letter ----------------------------------------------------------------------------------


def _disowned(case: Case) -> Case | Settled:
    """What a plain No does below a letter that asked no such thing, whoever's mail it answered: it is noted, and
    nothing of it is an order. Any other mail goes on, and one of which a subject of its own says what it is."""
    mail, letter, unit = case.mail, case.letter, case.unit
    if letter is not None and case.meant.asks == "gone" and mail.consent == "no":
        old, about = letter.head.recipient, "An address says that its seats were taken from it"
        if case.from_reader:
            day = f"{case.now:%Y-%m-%d}"
            alarm = case.alarm("moved", about, "objected", old, day, about=old, new="", faults=())
            return _told(case, None, "moved_objected", alarm)
    worded = not case.repeats and (mail.tag.command or mail.tag.kind)
    if letter is None or mail.consent != "no" or worded or not case.proof.registered:
        return case
    sender = mail.whose
    at = case.seat_at(letter.match, letter.seat)
    if not case.from_reader and at is None:
        return case
    at = at or case.some_seat
    at = replace(at, match=case.room.matches.load(unit, at.match.name))
    meant = unit.mail_of(case.meant.about)
    if meant is not None and meant.verdict == "held":
        return _denied(case, at, meant)
    # whether whoever wrote the mail had a reply address of the seat
    tokens = case.read_again(meant).tokens if meant is not None else ()
    if renewed := (at.match.name, at.seat) in map(unit.seat_of_token, tokens):
        at = _renewed(case, at, "disowns")
    counted = meant is not None and meant.verdict == "accepted"
    # to the moderator, who alone can set back what has counted: one letter a day about each player
    day, subject = f"{case.now:%Y-%m-%d}", case.room.speaker.subject(at.match, "a player disowns a mail")
    facts = {"reason": at.match.name, "renewed": renewed}
    alarm = case.alarm("disowned", subject, sender, day, mail=meant, about=sender, **facts)
    return _told(case, at, "disowned", alarm, kind="disowned", counted=counted, renewed=renewed)


def _told(
    case: Case, at: Route | None, topic: str, *beside: Letter, kind: str = "done", **facts: object
) -> Settled:
    letter = case.written(kind, {"topic": f"challenge_{topic}", "good": True, **facts}, at, case.sender)
    return case.settled("answered", f"challenge: {topic}", letter, *beside, at=at)


Passed = Literal["", "sent", "offered", "seated", "enough", "nothing"]
TOLD = frozenset(("sent", "offered"))  # of words for a person
DEALT_WITH = frozenset(("sent", "enough"))  # of which its sender is told, whatever else is answered
TOPIC = "words to a moderator"  # of the answers to mails whose words went to one
_SEND = r"(?:please,? )?(?:(?:send|forward|pass) (?:it|this|that|them) )?(?:on )?"
_TO_HIM = re.compile(rf"\W*{_SEND}to the moderator(?:,? please)?\W*", re.IGNORECASE)
_THANKS = re.compile(
    r"\b(?:thanks?|thx|cheers|danke|merci|gracias|grazie|obrigad[oa]|dzi[eę]kuj[eę]|dzi[eę]ki|tack|bedankt|dank)\b",
    re.IGNORECASE,
)
_PLEASED = frozenset(
    """got it clear fine perfect nice great good game move
    haha see you the a so very that is was for""".split()  # noqa: SIM905
)
_LONGEST_THANKS = 10  # words


def beside(case: Case, at: Route, talk: Sequence[Line]) -> tuple[Passed, tuple[Letter, ...]]:
    """What becomes of the words of a mail that orders nothing, and the letter that takes them on. Of what looks
    like an order (`talk`), or is answered already, and where sealed answers are owed, only with an OK."""
    if not says_something(case.mail) or case.needs_confirmation():
        return "", ()
    sealed = any(r.sealed for place in (at, *case.proof.seats) for r in place.match.rounds)
    asks = case.mail.wishes.asks and not (case.proof.proved and _of_no_match(case) and _goes_beyond(case))
    found = _passed_on(case, at, case.mail, case.kept.identity, offered=bool(sealed or talk or asks))
    return ("", ()) if found[0] == "seated" and case.proof.moderates else found


def _of_no_match(case: Case) -> bool:
    tag, replied = case.mail.tag, case.letter
    return not (tag.brackets or tag.game or (replied and replied.match))


def _goes_beyond(case: Case) -> bool:
    """Whether it says more than words that ask the desk for something, and those that all sentences have."""
    known = {*known_anywhere(), *case.mail.hints.own}
    for lexicon in lexicons().values():
        known |= lexicon.wishes.keys() | {second for ends in lexicon.wishes.values() for second, _ in ends}
    return any(w.isalpha() and w not in known for line in case.mail.own for w in words_of(line.text))


def to_a_person(case: Case) -> bool:
    """Whether a proved mail's subject only begins with a question's command, and its words are for
    a person: "Rules question", "Help!" above a complaint."""
    if not (case.known and case.proof.proved and says_something(case.mail) and _of_no_match(case)):
        return False
    if not case.argument:
        return case.command == "help" and _goes_beyond(case)
    return requests.named_in(case) is None and requests.game_beginning(case, case.argument) is None


def agreed(case: Case) -> Case | Settled:
    """What an OK does to the question whether the moderator may read a mail, or the words "to the
    moderator" below any letter that answers one. Any other mail goes on."""
    replied = case.letter
    if replied is None or (replied.match is not None and not replied.seat):
        return case
    meant, mail = case.meant, case.mail
    said = "\n".join(line.text for line in mail.own).strip()
    if not ((meant.asks == "words" and mail.agrees) or _TO_HIM.fullmatch(said)):
        return case
    place, own = (replied.match, replied.seat), [at for at in case.proof.seats if at.match.known]
    at = next((at for at in own if replied.match is None or (at.match.name, at.seat) == place), None)
    kept = case.unit.mail_of(meant.about)
    if at is None or kept is None or case.needs_confirmation():
        return case
    passed, letters = _passed_on(case, at, case.read_again(kept), kept.identity)
    told = case.written("passed_on", {"passed": passed}, at)
    told = told.counted(topic=TOPIC) if letters else told
    return case.settled("answered", f"words to a moderator: {passed}", told, *letters, at=at)


def _passed_on(
    case: Case, at: Route, mail: Mail, identity: str, *, offered: bool = False
) -> tuple[Passed, tuple[Letter, ...]]:
    """What becomes of a mail's words, and they, if they are sent: to the first moderator who plays
    in none of the matches that they may be about; the reply goes to the seat."""
    named = case.letter is not None and case.letter.match is not None
    matches: Sequence[Match] = (at.match,) if named or len(case.proof.seats) == 1 else ()
    matches = matches or tuple(place.match for place in case.proof.seats if place.match.status != "ended")
    own, offices = case.mail.sender or "", case.room.offices
    free = (each for each in offices.at_desk if not any(m.seat_of(each) for m in (at.match, *matches)))
    to = next((each for each in free if not offices.moderates(own) or each != own), None)
    if to is None or not mail.own:
        return ("seated" if to is None else "nothing"), ()
    if told_today(case, TOPIC) >= case.room.settings.limits.questions_a_day:
        return "enough", ()
    if offered:
        return "offered", ()
    said, speaker = without_addresses("\n".join(line.text for line in mail.own).strip()), case.room.speaker
    told = {"asker": at.seat, "about": mail.subject, "said": said, "sure": case.proof.proved}
    key, reply, measure = ("question", identity), Meant(about=identity), Measure(bucket=OPEN_QUESTION)
    letter = speaker.letter(
        "question", Recipient(to), "", key, case.now, at.match, told, reply=reply, measure=measure
    )
    return "sent", (from_desk(speaker, letter),)


def says_something(mail: Mail) -> bool:
    """Whether it holds words for a person: more than courtesy, thanks, or a plain Yes, No or OK."""
    said = " ".join(line.text for line in beyond_courtesy(mail.own, mail.hints.own))
    for sentence in re.split(r"(?<=[.!?])\s+|\n", "" if mail.agrees or mail.consent != "neither" else said):
        words = re.findall(r"[^\W_]+", sentence.lower())
        told = (word for word in words if word not in _PLEASED)
        pleased = _THANKS.search(sentence) or all(classes_of([w]) & {"courtesy", "ok", "yes"} for w in told)
        if "?" in sentence or len(words) > _LONGEST_THANKS or not pleased:
            return True
    return False
