"""A mail that is for a seat: which one, what of its words counts there, and under which heading. Its words are its
sender's own and no letter of ours come back, within the limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from referee.core.answers import Body
from referee.core.seam import gives_up_seat
from referee.match.meanings import Meaning, judged, meanings_of
from referee.way import challenges
from referee.way.case import Case, Order, Settled, weak
from referee.way.limits import excess
from referee.way.moderators import questions
from referee.way.requests import wished
from referee.way.requests.request import helped
from referee.way.routing import Route, Unrouted, picked_match, seat_meant
from referee.way.words.answers import too_much, while_open
from referee.way.words.quotes import Beside, parted, passed_over, words_alone
from referee.way.words.weighing import weighed

# --- the seat -----------------------------------------------------------------------------------------------------


def routed(case: Case) -> Case | Settled:
    """The case with the seat that it is for; help where there is none, or more than one."""
    if case.at is not None:
        return case
    if case.meant.offers and (chosen := _chosen(case)) is not None:
        return chosen
    found = seat_meant(case.proof.seats, case.mail, case.replied)
    if isinstance(found, Route):
        return replace(case, at=found)
    return _by_words(case, found) or _helped(case, found)


def _chosen(case: Case) -> Case | None:
    """The case with the answer that its mail picks of a letter which asked for which match it was, while the round
    lasts that it is for."""
    offered = picked_match(case.mail, case.meant.offers)
    if offered is None:
        return None
    place = (offered.match, offered.seat)
    at = next((s for s in case.proof.seats if (s.match.name, s.seat) == place), None)
    if at is None or not while_open(at, offered.rounds):
        return None
    return replace(case, at=at, order=Order(at, offered.heading, Body.of(offered.form).lines))


def _by_words(case: Case, unrouted: Unrouted[Route]) -> Case | Settled | None:
    """The case with the seat of the one match in which the sender's words fit what he owes, for sure or at all;
    where they fit in several, or the subject names another seat or match, which of them is meant is asked. Of a
    match that can't be read nobody knows what fits there; a heading of a game that he doesn't play says nothing."""
    asks = unrouted.why in ("which_match", "no_seat")
    readable = asks and case.known and all(at.match.known for at in unrouted.seats)
    if not readable or case.kept.cut or case.mail.tag.preview or too_much(case) is not None:
        return None
    if unrouted.why == "no_seat":
        tag = replace(case.mail.tag, game=None, kind=None, heading="", stated={})
        case = replace(case, mail=replace(case.mail, tag=tag))
    fitting, sure, meant = list[Route](), list[Route](), list[tuple[Route, Meaning]]()
    for at in _playing(unrouted.seats):
        there = replace(case, at=at)
        said = meanings_of(at.match, at.seat, there.kind, there.body(case.mail.own))
        if not any(at.match.round_of(meaning.demand) for meaning in said):
            continue
        fitting.append(at)
        sure += [at] if there.says() is not None else []
        whole = judged(at.match, said[0]) if len(said) == 1 else None
        if whole is not None:
            meant.append((at, whole))
    if not meant:
        return None
    if len(sure) == 1 and (surely := [(at, whole) for at, whole in meant if at is sure[0]]):
        fitting, meant = sure, surely
    if len(fitting) == 1 and _named_no_other(case, fitting[0]):
        return replace(case, at=fitting[0])
    letter = case.room.letters.which_match(case.heard, meant)
    return case.settled("answered", "asked for which match", letter)


def _named_no_other(case: Case, at: Route) -> bool:
    """Whether its subject names no other match of the sender's and no other seat."""
    tag = case.mail.tag
    others = {seat.match.name.casefold() for seat in case.proof.seats} - {at.match.name.casefold()}
    named = {bracket.casefold() for bracket in tag.brackets}
    return named.isdisjoint(others) and tag.stated.get("seat") in (None, at.seat)


def _playing(seats: Sequence[Route]) -> Iterator[Route]:
    """Those in matches that go on."""
    return (at for at in seats if at.match.inner is not None and at.match.status == "open")


def _helped(case: Case, unrouted: Unrouted[Route]) -> Settled:
    """Help; and of a player's words that order nothing in any of his matches, to a person what is for one."""
    seats = [at for at in unrouted.seats if at.match.known]
    asks = unrouted.why in ("which_match", "nothing_asked") and case.known and seats
    if not asks or any(replace(case, at=at).orders(case.mail.own) for at in _playing(seats)):
        return helped(case, unrouted)
    if wishing := wished.answers(case):
        return case.settled("answered", "wishes of the desk", *wishing)
    passed, letters = questions.beside(case, seats[0], ())
    if passed == "offered" and len(seats) > 1:
        return helped(case, unrouted)  # an OK would not say for which match
    settled = helped(case, unrouted, passed)
    if passed == "offered":
        told = (replace(x, reply=replace(x.reply, asks="words")) for x in settled.letters)
        settled = replace(settled, letters=tuple(told))
    if letters:
        counted = (letter.counted(topic=questions.TOPIC) for letter in settled.letters)
        settled = replace(settled, letters=(*counted, *letters))
    return replace(settled, match=seats[0].match.name, seat=seats[0].seat)


# --- its words ----------------------------------------------------------------------------------------------------


def within_limits(case: Case) -> Case | Settled:
    """The case in its sender's own words: none of a letter of ours come back, and those of an attached form only
    where those beside it are no orders. Refused where it is more than is read: of that nothing is sorted out, unless
    only an attached form makes it too much."""
    match = case.place.match
    if case.kept.cut:
        return case
    refused = too_much(case)
    if refused is None or not excess(words_alone(case.mail).own, case.room.settings.limits):
        ours = Beside(case)
        case = parted(case, ours)
        refused = too_much(case) if refused is not None else None
        if refused is None and match.inner is not None:
            case = replace(case, passed_over=passed_over(case, ours)) if case.mail.left_out else case
    if refused is not None and weak(case):
        return challenges.asked(case, case.place, case.place.seat)
    return refused or case


def understood(case: Case) -> Case | Settled:
    """The case with what its words may mean, under a heading that its sender has written himself: one that gives up the
    seat is none where the subject only repeats that of an older letter. Help where nothing says what the mail is
    about: a reply to a letter of that match says it, or to any where the subject names no game, or a bare Preview."""
    case = weighed(case)
    at, tag, replied = case.place, case.mail.tag, case.replied
    if case.repeats and tag.kind and gives_up_seat(case.game, tag.kind):
        tag = replace(tag, kind=None)
        case = replace(case, mail=replace(case.mail, tag=tag))
    if case.order is not None or case.doubt or tag.kind is not None:
        return case
    if not case.kept.cut and at.match.status == "open":
        return case
    if tag.game is not None and replied is not None and replied.match == at.match.name:
        return case
    bare = tag.preview and tag.heading.casefold() in ("", at.match.name.casefold())
    if tag.game is None and (replied is not None or bare):
        return case
    why = Unrouted("unknown_heading" if tag.game is not None and not case.repeats else "nothing_asked", (at,))
    return _helped(case, why)
