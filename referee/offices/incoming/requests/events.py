"""Requests about events: a moderator's words for them, how they stand, and the answers of whoever is entered."""

from __future__ import annotations

import shlex

from referee.base.errors import CannotDo, WrongUsage
from referee.club.events import Guest
from referee.core.texts.bounded import whole
from referee.offices.club.tournaments import Announcement
from referee.offices.incoming.case import Settled
from referee.offices.incoming.requests.request import Request
from referee.offices.moderating.arguments import entrant, given
from referee.offices.outgoing.desk_letters import from_desk
from referee.offices.outgoing.letters import Letter
from referee.store.club import Invitation

_QUOTES = str.maketrans(dict.fromkeys("“”„«»″", '"'))


def event(request: Request) -> Settled | None:
    """The command line's words: `new NAME --game GAME --kind KIND`, `enter NAME "Name <address>"` (more of them on
    lines of the body), `start`, `show`, `leave NAME ADDRESS`, `replace NAME ADDRESS "Name <address>"`."""
    try:
        what, name, *rest = shlex.split(request.argument.translate(_QUOTES))
    except ValueError:
        return None
    handler = _HANDLERS.get(what.lower())
    if handler is None:
        return None
    try:
        return handler(request, name, rest)
    except (CannotDo, WrongUsage) as error:
        told = request.done("event_fault", good=False, faults=error.reasons)
        return request.case.settled("refused", "an event: not done", *_from_desk(request, told))


def _told(request: Request, words: str) -> Settled:
    told = request.done("event_done", words=words)
    return request.case.settled("accepted", words, *_from_desk(request, told))


def _from_desk(request: Request, told: Settled) -> list[Letter]:
    """To a moderator, who may go on from there."""
    mine = request.case.proof.moderates
    return [from_desk(request.room.speaker, letter) if mine else letter for letter in told.letters]


def _new(request: Request, name: str, rest: list[str]) -> Settled:
    said, options = _flags(rest)
    body = (line.text.strip().removeprefix("Option:").strip() for line in request.case.mail.own)
    options = [*(line for line in body if "=" in line and " " not in line), *options]
    rounds = whole(said.get("rounds", "0"))
    if rounds is None:
        raise CannotDo(f"{said['rounds']!r} is no number of rounds.")
    asked = Announcement(name, said.get("game", ""), said.get("kind", ""), rounds, given(options))
    t = request.room.tournaments.announce(request.unit, asked, request.now)
    return _told(request, f'{t.name} is announced. Enter people with the subject "event enter {t.name}".')


def _flags(rest: list[str]) -> tuple[dict[str, str], list[str]]:
    """What stands behind `--name`, and the options among it."""
    words = [part for word in rest for part in (word.split("=", 1) if word.startswith("--") else [word])]
    pairs = list(zip(words[::2], words[1::2], strict=False))
    if len(words) % 2 or not all(key.startswith("--") for key, _ in pairs):
        raise CannotDo(
            "It is written so: event new NAME --game GAME --kind swiss --rounds 5 --option key=value"
        )
    return {key[2:]: value for key, value in pairs}, [value for key, value in pairs if key == "--option"]


def _enter(request: Request, name: str, rest: list[str]) -> Settled:
    lines = [line.text.strip() for line in request.case.mail.own if "@" in line.text]
    people = [*([" ".join(rest)] if rest else []), *lines]
    if not people:
        raise CannotDo('Nobody is named: write "Name <address>" behind it, or one on each line of the mail.')
    for person in people:
        request.room.tournaments.enter(request.unit, name, _guest(person), request.now)
    count = "He is" if len(people) == 1 else f"All {len(people)} are"
    return _told(request, f"{count} asked, and in with a Yes.")


def _guest(text: str) -> Guest:
    person = entrant(text)
    return Guest(person.name, person.addresses[0], person.zone)


def _start(request: Request, name: str, rest: list[str]) -> Settled:
    t = request.room.tournaments.start(request.unit, name, request.now)
    return _told(request, f"{t.name} has started with {len(t.order)} players; all of them are told.")


def _show(request: Request, name: str, rest: list[str]) -> Settled:
    t = request.room.tournaments.load(request.unit, name)
    return request.told("event_shown", f"event {t.name}", event=t)


def _leave(request: Request, name: str, rest: list[str]) -> Settled:
    t = request.room.tournaments.load(request.unit, name)
    player = t.player(rest[0]) if rest else None
    if player is None:
        raise CannotDo(f"Nobody with that address plays in {t.name}.")
    request.room.tournaments.leave(request.unit, t, t.guests[player].address, request.now)
    return _told(request, f"{t.guests[player].name} plays no more in {t.name}.")


def _replace(request: Request, name: str, rest: list[str]) -> Settled:
    if len(rest) < 2:
        raise CannotDo('It is written so: event replace NAME old@example.org "Name <new@example.org>"')
    request.room.tournaments.replace(request.unit, name, rest[0], _guest(" ".join(rest[1:])), request.now)
    return _told(request, "He is asked, and in with a Yes.")


_HANDLERS = {
    "new": _new, "enter": _enter, "start": _start, "show": _show, "leave": _leave, "replace": _replace,
}  # fmt: skip


# --- of whoever is entered --------------------------------------------------------------------------------------------


def answered_entry(request: Request, invited: Invitation, word: str, called: str) -> Settled:
    """His Yes or No to being entered; a No after his Yes is that he leaves."""
    t = request.room.tournaments.load(request.unit, invited.gathering)
    if word == "yes":
        try:
            t = request.room.tournaments.agree(request.unit, t, invited.address, called, request.now)
        except CannotDo as error:
            return request.done("event_fault", good=False, faults=error.reasons)
        return request.done("event_in", accepted=f"plays in {t.name}", event=t)
    if word:
        return withdraw_entry(request, t.name, invited.address)
    return request.done("invitation_unclear", good=False, proposal=t)


def withdraw_entry(request: Request, name: str, address: str) -> Settled:
    t = request.room.tournaments.load(request.unit, name)
    after = request.room.tournaments.leave(request.unit, t, address, request.now)
    return request.done("event_out", accepted=f"does not play in {t.name}", event=after)
