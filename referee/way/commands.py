"""The commands that players may put into a subject: one table; who may give them, and what has to be asked before."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

from referee.language.wishes import NO_WISHES
from referee.letters.letter import Meant
from referee.letters.replies import desk_question
from referee.match.match import Match
from referee.way import replies
from referee.way.answers import too_much
from referee.way.case import TELLING, Case, SeatOrder, Settled, may_order, needs_confirmation
from referee.way.limits import asked_enough, enough, held, stop, third_time
from referee.way.requests import club, seats, telling
from referee.way.requests.request import helped, let_in, named_in, readable, send_help, spent_on, tell_done
from referee.way.routing import Unrouted, named_gathering

OPEN_TO_ALL = TELLING | {"join", "observe", "stop"}
_ASKED = "a wish"  # the topic of being told that one was asked about already
PROPOSING = frozenset(("propose", "rematch"))
# Those that are judged as an answer is, and weighed as one until it shows what would come of them: they alone have a
# dry run.
TRIED = frozenset(("resign", "withdraw", "discard", "preview"))

# None: it can't be done as it was asked; the help letter follows.
Handler = Callable[[Case], Settled | SeatOrder | None]
TABLE: dict[str, Handler] = {
    "help": send_help,
    "status": telling.status,
    "board": telling.board,
    "games": telling.games,
    "rules": telling.rules,
    "syntax": telling.rules,
    "pieces": telling.rules,
    "list": telling.listing,
    "record": telling.record,
    "propose": club.propose,
    "rematch": club.rematch,
    "event": club.event,
    "withdraw": seats.withdraw,
    "discard": seats.discard,
    "resign": seats.resign,
    "preview": seats.preview,
    "join": seats.join,
    "observe": seats.observe,
    "stop": seats.observe,
    "timezone": seats.set_zone,
    "vacation": seats.take_absence,
    "press": seats.send_press,
    "renew": seats.renew,
    "substitute": seats.name_substitute,
    "address": seats.change_address,
    "format": seats.set_format,
    "digest": seats.set_format,
    "rating": seats.wish_of_club,
    "listing": seats.wish_of_club,
}


def given(case: Case) -> Case | Settled:
    """What comes of a command; one that is judged like an answer goes on as an order to its seat."""
    command = case.command
    if not command:
        return case
    if command in TELLING and replies.to_a_person(case):
        tag = replace(case.mail.tag, command=None, argument="")
        return replace(case, mail=replace(case.mail, tag=tag, wishes=NO_WISHES))
    if third_time(case):
        return stop(case)
    if command == "event":
        hindered = _of_desk(case)
    elif command in PROPOSING or (command == "withdraw" and named_gathering(case.unit, case.mail.tag)):
        hindered = _of_member(case, command)
    else:
        hindered = _hindered(case, command)
    if hindered is not None:
        return hindered
    asked = _as_writer(case)
    known = case.known or case.proof.moderates or not case.wishing
    if case.mail.tag.preview and known and command not in TELLING | TRIED:
        return tell_done(asked, "untried", good=False)
    handler = TABLE.get(command)
    done = (handler(asked) if handler else None) or send_help(asked)
    return replace(case, order=done, at=done.route) if isinstance(done, SeatOrder) else done


def _hindered(case: Case, command: str) -> Settled | None:
    """Why it is not done, or not yet."""
    touches = command not in TELLING
    if not case.known:
        return _of_stranger(case, command, touches=touches)
    if touches:
        doubted = not case.wishing and case.proof.seats and needs_confirmation(case, command)
        if doubted and command not in TRIED:
            return _at_fault(case) or replies.asked(case, case.some_seat, 0)
        if (refused := too_much(case)) is not None:
            return refused
    return _wished(case, command)


class _Undone(Exception):
    """A command was only tried."""


def _at_fault(case: Case) -> Settled | None:
    """What is wrong with a command, told at the registered address before anybody is asked whose it
    is: nothing comes of it in any case. None where nothing is."""
    done: Settled | SeatOrder | None = None
    if case.known and not case.proof.refuted:
        with suppress(_Undone), case.unit.savepoint():
            done = TABLE[case.command](_as_writer(case)) or send_help(case)
            raise _Undone
    if not isinstance(done, Settled):
        return None
    refused = any(letter.kind == "refusal" for letter in done.letters)
    return done if refused or done.reason.startswith("help") else None


def _of_desk(case: Case) -> Settled | None:
    """Events are a moderator's, and may be looked at by everybody."""
    if case.mail.tag.argument.lower().startswith("show"):
        return None if case.known else spent_on(case)
    if may_order(case):
        return None
    if not case.proof.moderates:
        return helped(case, Unrouted("nothing_asked", case.proof.seats))
    lines, arrived, speaker = [case.mail.tag.text], case.kept.arrived, case.room.speaker
    letter = desk_question(speaker, case.sender, lines, case.mail.own, arrived, "wish, unproved")
    return _asked_already(case) or case.settled(
        "held", "the moderator is asked whether it is his", letter, seat=0
    )


def _of_member(case: Case, command: str) -> Settled | None:
    """Only players propose, and only by mails that prove more than an address: of any other the owner is asked."""
    if not case.room.proposals.members.known(case.unit, case.mail.sender or ""):
        return None if case.kept.confirmed else helped(case, Unrouted("stranger"))
    only_asks = command == "propose" and club.terms(case).empty
    if only_asks or club.proves_itself(case) or (case.known and not needs_confirmation(case, "propose")):
        return too_much(case)
    if case.known:
        return _at_fault(case) or replies.asked(case, case.some_seat, 0)
    return _wish(case, command, None)


def _of_stranger(case: Case, command: str, *, touches: bool) -> Settled | None:
    if case.proof.seats and touches and command not in OPEN_TO_ALL:
        return replies.asked(case, case.some_seat, 0)
    decided = case.room.settings.club.strangers == "off" or (command == "join" and club.event_named(case))
    shut = decided and case.wishing and not case.passed and not let_in(case)
    if command not in OPEN_TO_ALL or shut:
        return helped(case, Unrouted("stranger"))
    if (asked := _wished(case, command)) is not None:
        return asked
    # whoever has letters of a match may always end them
    match = named_in(case) if command == "stop" else None
    stops = match is not None and match.known and case.sender.address in match.observers
    return None if case.passed or stops else spent_on(case)


# --- a seat, or letters of a match ----------------------------------------------------------------------------------


def _wished(case: Case, command: str) -> Settled | None:
    """A wish for a seat, or for letters of a match: held until the address itself has confirmed it, so that nobody
    can wish them for somebody else. None where nothing need be asked."""
    match = named_in(case) if case.wishing else None
    if match is None or case.kept.confirmed:
        return None
    match = readable(match)
    if seats.hindrance(match, _as_writer(case)) is not None:
        return None
    if command == "observe" and case.proof.from_there:
        return None
    return _wish(case, command, match)


def _wish(case: Case, command: str, match: Match | None) -> Settled | None:
    """The question to an address that is no seat's: do you wish to join this match, or to have its letters? Without
    a match: to propose one?"""
    about = Meant(about=case.kept.identity)
    letter = case.written("wish", {"command": command}, to=case.sender, reply=about, match=match)
    if case.kept.released and case.unit.letter(letter.head.message_id) is not None:
        return None  # asked already, and the moderator has said Yes for him
    if not case.kept.released and (already := _asked_already(case)) is not None:
        return already
    reason = f"its sender is asked whether he wishes to {command} {match.name if match else ''}".rstrip()
    return case.settled("held", reason, letter.counted(bucket=_bucket(case)), seat=0)


def _asked_already(case: Case) -> Settled | None:
    """Where the address has been asked today about as many wishes that it has not confirmed as it may be, which it is
    told once: a player's is held, a stranger's is not, since anybody can send any number."""
    if not asked_enough(case, _bucket(case), case.sender.address, doubtful=not case.proof.proved):
        return None
    before = case.unit.counted(case.quota, case.sender.address, _ASKED, case.now - timedelta(days=1))
    told = () if before else (enough(case, "wish", 1, _ASKED, case.sender),)
    reason = "its sender was asked about a wish today already"
    if case.strange:
        return case.settled("discarded", reason, *told)
    waiting = held(case, reason, delays=False, once=f"wishes of {case.mail.whose}")
    return replace(waiting, letters=(*waiting.letters, *told))


def _bucket(case: Case) -> str:
    """Of wishes: those that prove more are counted apart."""
    return "wish, proved" if case.proof.proved else "wish, unproved"


def _as_writer(case: Case) -> Case:
    """Whoever joins or watches does so as the address that he writes from."""
    joining = case.wishing and not case.proof.registered
    return replace(case, reader=case.sender) if joining else case
