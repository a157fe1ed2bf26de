"""A moderator's mail: the command line's words in the subject, or lines and numbers in a reply to a
letter of his. Nobody else may order these things; and he is asked first where nothing but a From
says that it is he. Any other mail goes on, a moderator's too: he may play.

Orders are carried out one after the other, and of each is told what comes of it. Where it is not
sure whether one asks for a dry run, nothing is done before an OK to the letter that shows it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from shlex import split

from referee.base.errors import CannotDo
from referee.core.texts.bounded import whole
from referee.core.value import Line
from referee.language.interpret import beyond_courtesy
from referee.language.sentences import words_of
from referee.language.words import known_anywhere
from referee.letters.letter import OPEN_QUESTION, Item, Letter, Recipient
from referee.letters.replies import AT_DESK, from_desk, question
from referee.match import events as ev
from referee.moderation.desk import Effect, items_of
from referee.moderation.orders import CHECKS, NOTHING, DeskOrder, Given, Known, is_order, read_order, verb_of
from referee.moderation.verbs import TELLING, VERBS
from referee.offices.register import Facts, answered
from referee.way.case import Case, Settled
from referee.way.case import known as as_sent
from referee.way.limits import asked_enough, enough, excess, held, stopped, told_today

_MOST_SHOWN = 60  # matches of a list
_SHOWN = 40  # lines of a moderator's mail
_LONGEST = 400  # signs of a subject that orders something
_SEVERAL = re.compile(r"\W{0,3}(\d{1,3}(?:\s?(?:,|and|&|\+)\s?\d{1,3})+)(?=\W{0,3}\s+[a-z])", re.IGNORECASE)
_NUMBER = re.compile(r"\W{0,3}(?:no\.?\s?|item\s?|#\s?)?(\d{1,3})\W{0,3}\s+(?=[a-z])", re.IGNORECASE)
_BEHIND = re.compile(r"\W{0,3}[a-z]+\W+(?:mail )?(\d{1,9})\b", re.IGNORECASE)
_ANSWERS = re.compile(r"(?:answer|reply|tell|say)\b(?: (?:him|her|them))?\W*", re.IGNORECASE)
_ANOTHERS = "That letter was another moderator's; the subject desk brings your own."
_PROVED, _UNPROVED = "desk", "desk, bare"  # the quotas of what he is answered
_UNSURE = "orders that wait for an OK"  # the bucket of the letters that show them

# Commands that change the referee itself, its machine or its files: a mail is told so.
SHELL = frozenset((
    "init", "doctor", "run", "worker", "step", "deliver", "clock", "upgrade", "backup", "restore", "export",
    "forget", "check", "read", "verify", "letters", "site", "serve", "rehearse", "demo",
))  # fmt: skip


def _wrong(line: str, fault: str) -> DeskOrder:
    """What is wrong with a line before anything of it is read."""
    return DeskOrder("", faults=(fault,), line=line)


def given(case: Case) -> Case | Settled:
    """What comes of an order to the desk."""
    if case.mail.tag.kind is not None or (case.mail.tag.game is not None and not case.repeats):
        return case
    verb = "" if case.repeats else verb_of(case.mail.tag.text)
    if not verb and not case.proof.moderates:
        return case
    by_subject = bool(verb) and is_order(case.mail.tag.text, *_names(case))
    if not case.proof.moderates:
        sentence = verb == "open" and case.mail.tag.text.split()[1].lower() not in case.room.games
        forbidden = by_subject and verb not in ("list", "show", "substitute") and not sentence
        if not (forbidden and case.known):
            return case
        refused = case.settled("answered", "only the moderator may", case.written("not_yours", {}))
        return stopped(case, refused)
    tag, text, plays = case.mail.tag, case.mail.tag.text, bool(case.proof.seats)
    # one who plays may begin a mail to his match with a verb; any other is told what is wrong with what begins so
    meant = not plays or any(word.startswith("--") for word in text.split())
    tries = meant and bool(verb) and len(text.split()) > 1 and tag.command in (None, "substitute")
    if by_subject or tries:
        return _ordered(case, [_of_subject(case)])
    if tag.command == "event":
        return case
    name = text.lower().removeprefix("referee ").split(" ")[0]
    if name in SHELL and (not plays or " --" in text) and not case.repeats and tag.command is None:
        told = f"{name} is the shell's, on the referee's machine: `referee {name} --help` says how."
        return _ordered(case, [_wrong(text, told)])
    letter = case.letter
    if letter is None or not case.meant.desk:
        lost = not case.proof.seats and case.mail.tag.command is None
        return _nothing(case) if lost else case
    if letter.kind == "question":
        return _ordered(case, [_words_back(case, letter)])
    if letter.measure.bucket == _UNSURE and case.mail.agrees:
        return _agreed(case, letter)
    lines = _of_lines(case)
    return _ordered(case, lines) if lines else _nothing(case)


def _agreed(case: Case, asked: Letter) -> Settled:
    """An OK to the letter that showed orders of which it was not sure what they ask for: now they are done, once."""
    kept = case.unit.mail_of(case.meant.about)
    if not case.from_reader or kept is None:
        return _nothing(case)
    mail = case.read_again(kept)
    first = as_sent(replace(case, kept=kept, mail=mail, letter=None, repeats=False))
    orders = [_of_subject(first)] if first.letter is None or not first.repeats else _of_lines(first)
    shown = (order for order in orders if order.unsure and not order.faults)
    if case.may_order:
        case.unit.uncount(asked.head.message_id)
    return _ordered(case, [replace(order, unsure=False, check=False) for order in shown])


# --- what it orders ------------------------------------------------------------------------------------------


def _names(case: Case) -> tuple[Known, Given]:
    """The matches, and the one in the subject's brackets."""
    names = cache(lambda: {name.casefold(): name for name in case.unit.names()})
    named = (names().get(bracket.casefold()) for bracket in case.mail.tag.brackets)
    return lambda word: names().get(word.casefold()), Given(next(filter(None, named), None))


def _of_subject(case: Case) -> DeskOrder:
    tag = case.mail.tag
    text, (known, given) = tag.text + tag.ending, _names(case)
    if excess(case.mail.own, case.room.settings.limits) or case.kept.cut:
        return _wrong(text, "The mail holds more than I read.")
    if len(case.mail.subject) >= _LONGEST:
        return _wrong(text, "The subject is longer than I read: put the words into the body.")
    body = "\n".join(line.text for line in case.mail.own).strip()
    if verb_of(text) not in ("say", "open"):  # a reason is what stands there, be it but courtesy
        body = " ".join(_told(case, case.mail.own)) or " ".join(body.split())
    check = (tag.preview and not tag.ending) or any(map(CHECKS.fullmatch, tag.brackets))
    order = read_order(text, known, case.room.offices.timezone, given, body=body, check=check)
    return replace(order, line=text)


def _of_lines(case: Case) -> list[DeskOrder]:
    """The orders in his own lines, each with the words below it that begin no other."""
    items, (known, _) = case.meant.items, _names(case)
    own = [line.text.strip() for line in case.mail.own]
    lets_in = {str(n) for n, item in enumerate(items, 1) if item.key[-1] == "new"}
    found: list[list[str]] = []
    for line, text in zip(case.mail.own, own, strict=True):
        if text.strip(" .!#") in lets_in:
            text = f"{text.strip(' .!#')} release"
        if several := _SEVERAL.match(text):
            found += [[f"{number}{text[several.end() :]}"] for number in re.findall(r"\d+", several[1])]
        elif _NUMBER.match(text) or is_order(text, known):
            found.append([text])
        elif found and _told(case, (line,)):
            found[-1].append(text)
    return [_of_line(case, known, items, *lines) for lines in found]


def _of_line(case: Case, known: Known, items: tuple[Item, ...], line: str, *more: str) -> DeskOrder:
    number, given, text = _NUMBER.match(line), NOTHING, line
    # "release 2" below a letter with numbers of its own
    behind = _BEHIND.match(line) if number is None else None
    if behind and any(item.which != behind[1] for item in items[int(behind[1]) - 1 : int(behind[1])]):
        doubt = f"That may be the letter's number {behind[1]}, or mail {behind[1]}."
        return _wrong(line, f"{doubt} Write the letter's number first.")
    if number is not None:
        item = items[int(number[1]) - 1] if 0 < int(number[1]) <= len(items) else None
        if item is None or not case.from_reader:
            return _wrong(line, _ANOTHERS if item else f"That letter has no number {number[1]}.")
        text, given = line[number.end() :], Given(item.match, item.seat, item.which)
        waiting = case.room.queue.all_that_waits(case.unit, case.now, case.mail.sender, within=True)
        if item.key not in {one.key for one in items_of(waiting)}:
            named = whole(item.which)
            kept = None if named is None or case.unit.seats_of(_reader(case)) else case.unit.mail(named)
            fault = "That was settled since this letter was written; nothing else is taken for it."
            if kept is not None and item.key[0] != "questions":
                fault = f"Mail {kept.id} was settled since: {kept.verdict or 'it will be judged'}."
            return _wrong(line, fault)
        if item.key[0] == "questions":
            text, given = _ANSWERS.sub("say ", text, count=1), given._replace(which="")
        elif item.key[0] in ("held", "shunted"):
            given = Given(which=item.which)
        elif text.lower().startswith("unshunt"):
            given = Given(which=item.match or "")
    if not verb_of(text):
        return _wrong(line, "I don't know what to do there: the words of the letter's commands do it.")
    body, zone = ("\n" if verb_of(text) == "open" else " ").join(more), case.room.offices.timezone
    order = read_order(text, known, zone, given, body=body, check=case.mail.tag.preview)
    return replace(order, line=line)


def _words_back(case: Case, asked: Letter) -> DeskOrder:
    """His answer to a player's words, which goes to that seat."""
    text = "\n".join(line.text for line in case.mail.own).strip()
    kept = case.unit.mail_of(case.meant.about)
    if not case.from_reader:
        return _wrong(text, _ANOTHERS)
    if kept is None or not kept.match or not kept.seat:
        return _wrong(text, "The mail that it was about is here no more.")
    name, seat = kept.match, kept.seat
    if kept.sender is None or seat not in case.room.matches.required(case.unit, name).seat_of(kept.sender):
        return _wrong(text, f"The player has that seat of {name} no more.")
    if asked.measure.bucket != OPEN_QUESTION:
        return _wrong(text, f"They were answered since. To write once more: say {name} --seat {seat}.")
    if not text:
        return _wrong(text, "There are no words of yours in your mail.")
    said, check = ev.SaidToOne(seat, text), case.mail.tag.preview
    return DeskOrder("say", match=name, command=said, check=check, line=text)


# --- what is done --------------------------------------------------------------------------------------------


def _ordered(case: Case, orders: list[DeskOrder]) -> Settled:
    """Each order carried out, or said why not. Where any would act and he proves too little, he is asked before."""
    orders = orders if case.may_order else [_held_against(case, order) for order in orders]
    acting = [order for order in orders if order.acts and not order.faults]
    if case.proof.denied and not acting and not case.may_order:
        return case.settled("discarded", "orders that only tell, and the mail server denies their sender")
    if acting and not case.may_order:
        bucket, address = f"orders to the desk{', denied' if case.proof.denied else ''}", case.sender.address
        if asked_enough(case, bucket, address, doubtful=case.proof.denied):
            reason = "too many doubtful orders to the desk today; further ones are held without a word"
            return held(case, reason, delays=False, once=f"orders of {address}")
        return asked(case, [order.line for order in orders], bucket)
    told: list[Effect] = []
    for order in orders:
        wrong = [Effect(line=order.line, faults=order.faults, undo=_form(order))]
        told += wrong if order.faults else _carried_out(case, order)
    done = any(not each.faults and each.verb not in TELLING and not each.check for each in told)
    failed = all(each.faults for each in told)
    weighed = any(each.check and not each.faults for each in told)
    kind = "ordered" if done else "not_ordered" if failed else "would_be" if weighed else "told"
    settled = _answered(case, kind, told)
    if done:
        return replace(settled, disposition="accepted")
    return stopped(case, replace(settled, disposition="refused")) if failed else settled


def _held_against(case: Case, order: DeskOrder) -> DeskOrder:
    """The order, with what public facts alone say against it: nobody need prove anything to be told that."""
    command, tried = order.command, list[Effect]()
    if isinstance(command, ev.EntrantReplaced | ev.SubstituteNamed):  # that one plays is not told
        command = replace(command, entrant=replace(command.entrant, addresses=()))
    if order.acts and order.match and not order.faults:
        tried = _carried_out(case, replace(order, command=command, check=True))
    return replace(order, faults=(*order.faults, *(fault for each in tried for fault in each.faults)))


def _carried_out(case: Case, order: DeskOrder) -> list[Effect]:
    """What came of it; of one for all matches, of each. Nothing is left of what can't be done."""
    which, known = order.which, Effect(verb=order.verb, line=order.line)
    try:
        with case.unit.savepoint():
            which = case.room.queue.meant(case.unit, order.which, _reader(case))
            if order.verb in TELLING:
                order = replace(order, which=which)
                return [replace(known, match=order.match or "", facts=_told_of(case, order))]
            trial = replace(order, check=order.check or order.unsure)
            outcomes = case.room.acts.carried_out(case.unit, trial, which)
            return [_reported(case, order, outcome) for outcome in outcomes]
    except CannotDo as why:
        faults = tuple(each.replace("`referee ", "`") for each in why.reasons)
        if which != order.which:  # nothing tells a moderator who plays how many mails there are
            faults = (f"That can't be done with {order.which}; the subject desk shows what can.",)
        return [replace(known, faults=faults)]


def _reported(case: Case, order: DeskOrder, outcome: Effect) -> Effect:
    after, command, undo = outcome.after, order.command, outcome.undo
    told = replace(outcome, verb=order.verb, line=order.line, after=None)
    if after is None:  # who has left undoes nothing
        return told if case.room.offices.moderates(_reader(case)) else replace(told, undo="")
    undo = " ".join(f'"{word}"' if " " in word else word for word in split(undo))
    if after.seat_of(_reader(case)) and isinstance(command, ev.EntrantReplaced | ev.SeatVacated):
        undo = f'replace {after.name} {command.seat} "NAME <ADDRESS>"'  # no address of another player's
    check, written = order.check or order.unsure, order.written if order.unsure else ""
    return replace(told, match=after.name, undo=undo, check=check, order=written)


def _told_of(case: Case, order: DeskOrder) -> Facts:
    """What an order that only tells asks for."""
    unit, queue = case.unit, case.room.queue
    match order.verb:
        case "desk":
            return queue.all_that_waits(unit, case.now, _reader(case), within=True)
        case "list":
            live = [case.room.matches.outline(unit, name) for name in unit.names()]
            return {"rows": sorted(live, key=lambda match: match.status == "ended")[:_MOST_SHOWN]}
        case "mail":
            return queue.mail(unit, int(order.which), _reader(case))
    match = case.room.matches.required(unit, order.match or "")
    shown: Facts = {"match": match, "private": False, "seated": bool(match.seat_of(_reader(case)))}
    if not order.moderator or shown["seated"]:
        return shown
    addresses = [(n, list(match.entrant(n).addresses)) for n in match.numbers]
    shown |= {"private": True, "answered": answered(match) if match.inner is not None else []}
    shown |= {"addresses": addresses, "failing": unit.failing([a for _, each in addresses for a in each])}
    return {**shown, "aside": queue.aside(unit, match.name, _reader(case))}


def _reader(case: Case) -> str:
    return case.mail.sender or ""


def _answered(case: Case, kind: str, told: list[Effect]) -> Settled:
    said = [f"{each.verb} {each.match}".strip() for each in told if each.verb]
    reason = "; ".join(said)[:200] or "not understood"
    waits = next((each.facts for each in told if each.verb == "desk" and each.facts), None)
    letter = _letter(case, kind, {"told": told})
    if waits is not None:
        letter = replace(letter, reply=replace(letter.reply, items=items_of(waits)))
    if any(each.order for each in told):
        letter = letter.counted(bucket=_UNSURE)
    # what proves itself is counted apart; beyond the day's measure nothing that only tells is answered
    vouched = case.proof.vouched and not case.proof.denied
    quota = _PROVED if case.may_order or vouched else _UNPROVED
    limits = case.room.settings.limits
    most = limits.answers_a_day if quota == _PROVED else limits.equal_questions_a_day
    before = told_today(case, None, case.sender.address, quota)
    over = (enough(case, "question", most, "desk", case.sender),) if before == most else ()
    letters = (each.counted(quota=quota) for each in ((letter,) if before < most else over))
    return case.settled("answered", reason, *letters)


def _letter(case: Case, kind: str, context: dict[str, object]) -> Letter:
    full = {**AT_DESK, "told": (), "mails": case.room.offices.collector, "nothing": False, **context}
    letter = case.written(kind, full, to=replace(case.sender, name=""))
    return from_desk(case.room.speaker, letter)


def _nothing(case: Case) -> Settled:
    settled = _answered(case, "not_ordered", [])
    nothing = _letter(case, "not_ordered", {"nothing": True})
    letters = tuple(nothing.counted(quota=letter.measure.quota) for letter in settled.letters)
    return stopped(case, replace(settled, disposition="refused", letters=letters))


def asked(case: Case, orders: Sequence[str], bucket: str) -> Settled:
    """Held, and the moderator is asked whether these orders are theirs."""
    shown = "\n".join(line.text for line in case.mail.own[:_SHOWN])[:4000]
    told = {"orders": tuple(orders), "shown": shown, "arrived": case.kept.arrived}
    to, reader = case.sender, Recipient(case.sender.address)
    letter = question(case.room.speaker, "desk_question", reader, to.kept, to.at, told, bucket)
    return case.settled("held", "the moderator is asked whether it is his", letter, seat=0)


def _told(case: Case, lines: Iterable[Line]) -> list[str]:
    """The lines that are no courtesy; a word that says little may be a reason too ("over")."""
    names, lines = case.mail.hints.own, tuple(lines)
    beyond, known, found = beyond_courtesy(lines, names), known_anywhere(), list[str]()
    for line in lines:
        words = [word in names or "courtesy" in known.get(word, ()) for word in words_of(line.text)]
        found += [line.text.strip()] if line in beyond or (words and not any(words)) else []
    return found


def _form(order: DeskOrder) -> str:
    """The subject once more, as it is to be written."""
    if not order.verb:
        return ""
    verb = VERBS[order.verb]
    meant = "" if verb.of == "desk" else order.match or order.which or "MATCH"
    why = "because ..." if verb.does == "touches" else ""
    return " ".join(filter(None, (order.verb, meant, verb.form, why)))
