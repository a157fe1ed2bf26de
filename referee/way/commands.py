"""The commands that players may put into a subject, one table: what those do that are about a seat:
of whoever sits there, of those who would have it, or watch. What only tells stands in `requests`,
how players find each other in `club`; who may give them in `stations`.

About the sender himself: how his letters come and where they go, and who else answers for him: a substitute. Whoever
has that address is asked; nothing that the asker gets hangs on whose it is: who could tell a free address from
somebody's would learn who plays here."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Literal
from zoneinfo import available_timezones

from referee.club.events import AddressChanged
from referee.core.seam import headings
from referee.core.texts.addresses import address_key
from referee.core.value import Line, without_addresses
from referee.language.words import known_anywhere
from referee.letters.calendars import appointments
from referee.letters.letter import Recipient
from referee.letters.replies import question
from referee.letters.verdicts import Route
from referee.match import commands as do
from referee.match import events as ev
from referee.match.commands import Impossible, MatchCommand
from referee.match.events import Entrant
from referee.match.handling.seating import called_others, unfit_name
from referee.match.match import Match, held_by, substitute_of
from referee.match.names import name_fault
from referee.offices.register import People
from referee.store.club import ClubWish
from referee.way import club, requests
from referee.way.case import Case, SeatOrder, Settled
from referee.way.days import absence_spans
from referee.way.limits import asked_enough
from referee.way.routing import named_gathering, named_match, readable

_SEAT = re.compile(r"\b(?:player|seat)\s*#?(\d{1,3})\b", re.IGNORECASE)


def join(case: Case) -> Settled | None:
    """A vacant seat is taken, by an address that has said Yes to it and has no other seat there."""
    match = requests.named_in(case)
    if match is None:
        gathering = named_gathering(case.unit, case.mail.tag)
        return club.join_gathering(case, gathering) if gathering else None
    match = readable(match)
    if (why := hindrance(match, case)) is not None:
        others = called_others(match)
        unfit = name_fault(requests.name_given(case), others) if why == "name" else ""
        return requests.send_help(case, why, facts={"unfit": unfit, "wanted": match.name})
    entrant = Entrant(requests.name_given(case), (case.answering.address,))
    joins = do.Join(entrant, wished_seat(case), case.since or case.kept.arrived)
    decision = case.carry_out(match, joins)
    return case.told("joined", f"joined {match.name}", decision.match, disposition="accepted")


def hindrance(match: Match, case: Case) -> str | None:
    """Why the wish for a seat or for letters of the match can't be granted, as the help letter
    knows it; None where it can."""
    if case.room.offices.hindrance(case.answering.address):
        return "unwritable"
    if case.command == "join":
        vacant, seat = match.vacant, wished_seat(case)
        if held_by(match, case.answering.address):
            return "seated"
        if not vacant:
            return "full"
        if match.inner is not None and seat not in (None, *vacant):
            return "taken"
        return "name" if name_fault(requests.name_given(case), called_others(match)) else None
    mine = address_key(case.answering.address)
    others = [address for address in match.observers if address_key(address) != mine]
    return "crowded" if len(others) >= case.room.settings.limits.observers else None


def wished_seat(case: Case) -> int | None:
    """The seat that `join MATCH / Player 2` names."""
    stated = _SEAT.search(case.argument)
    return int(stated[1]) if stated else None


def observe(case: Case) -> Settled | None:
    """Public letters of a match, or no more of them."""
    match, stop = requests.named_in(case), case.command == "stop"
    if match is None:
        return None
    if not stop and (why := hindrance(readable(match), case)) is not None:
        return requests.send_help(case, why)
    told = ev.ObserverRemoved if stop else ev.ObserverAdded
    after = case.carry_out(match, told(case.answering.address)).match
    kind, reason = ("unwatched", "stopped observing") if stop else ("observing", "observes")
    return case.told(kind, reason, after, stop=stop)


def set_zone(case: Case) -> Settled | None:
    """The sender's time zone, for every seat whose letters go to his address or to one that it has proved."""
    if not case.speaking:
        return None
    asked = case.argument.replace(" ", "_").casefold()  # however it is spelt: europe/berlin
    zone = next((zone for zone in available_timezones() if zone.casefold() == asked), None)
    covered = People(case.unit).proved_by(case.answering.address)
    seats = [at for at in case.speaking if at.match.known]
    mine = [at for at in seats if address_key(at.match.entrant(at.seat).addresses[0]) in covered]
    for at in mine if zone else ():
        case.carry_out(at.match, ev.ZoneSet(at.seat, zone or "UTC"))
    kind = "zone" if zone and mine else "no_zone"
    return case.told(kind, f"time zone {zone}", zone=zone, asked=case.argument, elsewhere=not mine)


def take_absence(case: Case) -> Settled | None:
    """Away for some days: told to the others, and deadlines move to the end. They are the same days
    in all matches: in the zone of the first that knows the player's, and told in it."""
    places = [r for r in requests.places_of(case) if r.match.status in ("open", "paused")]
    if not places:
        return None
    known = (zone for at in places if (zone := at.match.entrant(at.seat).zone))
    asked = replace(case, reader=replace(case.answering, zone=next(known, case.answering.zone)))
    said = case.argument or " ".join(line.text for line in case.mail.own)
    spans = absence_spans(said, asked.answering.zone or case.room.offices.timezone, case.now)
    if not spans and (wishing := requests.tell_wishes(case)):
        return case.settled("answered", "an absence to be confirmed", *wishing)
    if len(spans) != 1:
        topic = "absence_which" if spans else "absence_unclear"
        return asked.done(topic, good=False, days=tuple(spans.items()))
    (span,), most = spans, case.room.settings.limits.absence
    taken = [(at, case.carry_out(at.match, do.TakeAbsence(at.seat, *span, most))) for at in places]
    results = [(replace(at, match=one.match), span, one.verdict) for at, one in taken]
    good = any(not isinstance(verdict, Impossible) for _, _, verdict in results)
    settled = asked.done("absence", good=good, results=results, most=most)
    moved = ((at.seat, appointments(case.room.speaker, at.match, one.match, case.now)) for at, one in taken)
    dates = tuple(date for seat, found in moved for date in found.get(seat, ()))
    return replace(settled, letters=tuple(replace(letter, appointments=dates) for letter in settled.letters))


def send_press(case: Case) -> Settled | None:
    """Words to other players; what is not understood is never sent to anybody."""
    at, settings = case.place, case.room.settings
    readers = addressees(case.argument, at.match.name)
    text = without_addresses("\n".join(line.text for line in case.mail.own)).strip()
    size, most = len(text.encode()), settings.limits.largest_press
    if readers is None:
        return case.done("press_unclear", good=False, at=at)
    if size > most or not text:
        topic = "press_long" if text else "press_empty"
        return case.done(topic, good=False, at=at, size=size, most=most)
    command = do.SendPress(at.seat, readers, text, settings.press.talk, settings.press.beside_sealed)
    verdict = case.carry_out(at.match, command).verdict
    good = not isinstance(verdict, Impossible)
    return case.done("press", good=good, at=at, seats=readers, text=text, verdict=verdict, sent=command)


def renew(case: Case) -> Settled | None:
    """The reply addresses of earlier letters prove nothing any more."""
    for at in (places := requests.places_of(case)):
        case.carry_out(at.match, ev.ReplyAddressRenewed(at.seat))
    return case.done("renewed", places=places) if places else None


# --- orders to the game in other words: judged like a mail under its own heading ------------------


def withdraw(case: Case) -> Case | Settled | None:
    if requests.named_in(case) is None and (gathering := named_gathering(case.unit, case.mail.tag)):
        return club.leave_gathering(case, gathering, case.answering.address)
    places = requests.places_of(case)
    holding = [r for r in places if r.match.may_withdraw(r.seat)]
    return replace(case, at=(*holding, *places)[0], order=SeatOrder(takes="answer")) if places else None


def discard(case: Case) -> Case | None:
    places = requests.places_of(case)
    drafting = [r for r in places if r.seat in r.match.drafts]
    return replace(case, at=(*drafting, *places)[0], order=SeatOrder(takes="draft")) if places else None


def resign(case: Case) -> Case:
    """The word Resign under the game's own heading for it."""
    own = case.mail.own
    last = max((line.number for line in own), default=0)
    says = any(line.text.strip(" .!*_-").casefold() == "resign" for line in own)
    lines = own if says else (*own, Line(last + 1, "Resign"))
    return replace(case, order=SeatOrder(headings(case.game).get("Resign"), lines))


def preview(case: Case) -> Case:
    return replace(case, order=SeatOrder(preview=True))


_NOBODY = frozenset({"off", "none", "no", "nobody"})


def set_format(case: Case) -> Settled | None:
    """Text or HTML only, and if letters that can wait come once a day, all or those of a match."""
    if not case.speaking:
        return None
    wanted, people = medium(case.argument) if case.command == "format" else None, People(case.unit)
    match = named_match(case.unit, case.mail.tag) or ""
    said = [word for word in case.argument.split() if word.strip("[]") != match]
    beyond = any(word.casefold() not in known_anywhere() for word in said[1:])
    digest = on_or_off(" ".join(said), "digest") if wanted is None and not beyond else None
    if wanted is None and digest is None:
        return case.done("format_unclear", good=False)
    for address in sorted(people.proved_by(case.answering.address)):
        people.wish(address, wanted, digest, match)
    hour = case.room.settings.limits.digest_hour
    return case.done("format", medium=wanted, digest=digest, hour=hour, of=match)


def wish_of_club(case: Case) -> Settled | None:
    """Whether the sender is rated, and stands on lists; from now on, and for all that was before."""
    wished = on_or_off(case.argument, case.command)
    if wished is None or not case.speaking:
        return case.done("club_wish_unclear", good=False) if case.speaking else None
    field = "rated" if case.command == "rating" else "listed"
    known = {wish.address: wish for wish in case.unit.club_wishes()}
    for address in sorted(People(case.unit).proved_by(case.answering.address)):
        wish = known.get(address) or ClubWish(address)
        rated, listed = (wished, wish.listed) if field == "rated" else (wish.rated, wished)
        case.unit.wish_of_club(ClubWish(wish.address, rated, listed))
    return case.done("club_wish", field=field, wished=wished)


# --- a new address --------------------------------------------------------------------------------


def change_address(case: Case) -> Settled | None:
    """A new address of the sender's, or, sent from there, that one: it takes along all that is
    theirs. Who asks has proved himself; the new address must say Yes too, and what he hears until
    then is the same whether it is free or somebody's."""
    places, persons, unit = [at for at in case.speaking if at.match.known], case.room.persons, case.unit
    new, old = requests.wanted_address(case), case.answering.address
    if not (places or persons.known(unit, old)):
        return None
    if new is None:
        plain = not case.room.offices.beyond_ascii
        return case.done("address_refused", good=False, plain=plain)
    if places and all(at.match.entrant(at.seat).addresses[:1] == (new,) for at in places):
        return case.done("address", new=new, places=places)
    # whether it is nobody's, or the asker's own in all that it has
    own, owner = set(unit.seats_of(old)), unit.person(new).owner
    free = (owner is None or owner in People(unit).proved_by(old)) and own.issuperset(unit.seats_of(new))
    change, at = AddressChanged(old, new), next(iter(places), None)
    if not case.kept.agreed:
        return _wait_for(case, at, new, f" by {case.proof.best}", {}, free=free)
    faults = persons.hindrances(unit, change) if free else ["It is somebody's."]
    if faults:
        return case.done("address_taken", good=False, new=new, faults=faults)
    persons.change(unit, change, f"mail {case.answering.identity} AddressChanged")
    told = case.done("address", new=new, places=places)
    identity = f"{case.answering.identity} there"
    there = replace(case, reader=replace(case.answering, address=new, identity=identity))
    owed = requests.status(there).letters if places and address_key(new) != case.mail.whose else ()
    return replace(told, letters=(*told.letters, *owed))


def _wait_for(
    case: Case, at: Route | None, address: str, by: str, facts: Mapping[str, Any], *, free: bool
) -> Settled:
    """Held until whoever has the address has answered, who is asked where that is `free`, and neither it nor the seat
    has had enough such questions today; its sender hears of none of that, and is answered once more then."""
    asks, match = "substitute" if "person" in facts else "address", at.match if at else None
    identity, whose = case.kept.identity, f"{at.match.name}/{at.seat}" if at else case.mail.whose
    reader, own = Recipient(address), case.room.proposals.member(case.unit, case.mail.whose)
    told = {"seat": at.seat if at else None, "named": own.name if own else ""}
    bucket = f"{'address of ' if asks == 'address' else ''}{whose}{by}"
    letter = question(case.room.speaker, f"{asks}_question", reader, identity, case.now, told, bucket, match)
    free = free and case.unit.letter(letter.head.message_id) is None
    free = free and not asked_enough(case, bucket) and not asked_enough(case, by, address)
    first = replace(case.answering, identity=f"{case.answering.identity} asked")
    context = {"topic": f"{asks}_asked", "good": True, "new": address, **facts}
    waits, whom = case.written("done", context, to=first), "address that it asks for"
    reason = f"the {whom if asks == 'address' else 'substitute that it names'} is asked"
    return case.settled("held", reason, waits, *([letter] if free else []), seat=0)


# --- a substitute ---------------------------------------------------------------------------------


def name_substitute(case: Case) -> Settled | None:
    """Somebody plays on where the sender's seat falls vacant, and stands in while he is away; or nobody any more."""
    at, offices = case.place, case.room.offices
    words = re.split(r"[\s\[\]:,/\"]+", case.argument)  # beside the match's name
    said = " ".join(word for word in words if word and word.casefold() != at.match.name.casefold())
    if said.casefold() in _NOBODY:
        return _substituted(case, at, ev.SubstituteDropped(at.seat), "substitute_dropped")
    address = requests.mail_address(case.argument)
    if address is None or (why := offices.hindrance(address)):
        return case.done("substitute_refused", good=False, at=at, why=why if address else "")
    called = without_addresses(requests.ADDRESS_GIVEN.sub(" ", said))
    name = " ".join(called.split()) or address.partition("@")[0]
    person = Entrant(name, (address,))
    others = [p.name for seat, p in at.match.substitutes.items() if seat != at.seat]
    if unfit := unfit_name(person, [*called_others(at.match), *others]):
        return case.done("substitute_refused", good=False, at=at, why=unfit)
    if case.kept.agreed:
        return _substituted(case, at, ev.SubstituteNamed(at.seat, person), "substitute", person=person)
    free = not (held_by(at.match, address) or substitute_of(at.match, address))
    return _wait_for(case, at, address, ": a substitute", {"at": at, "person": person}, free=free)


def _substituted(case: Case, at: Route, command: MatchCommand, topic: str, **facts: Any) -> Settled:
    verdict = case.carry_out(at.match, command).verdict
    why = verdict.why if isinstance(verdict, Impossible) else ""
    topic = "substitute_refused" if why else topic
    return case.done(topic, good=not why, at=at, why=why, **facts)


_ALL = frozenset({"all", "everyone", "everybody", "public"})
_NUMBER_WORDS = frozenset({"player", "players", "seat", "seats", "and", "to", "&", "+", "only"})


def addressees(text: str, match: str) -> tuple[int, ...] | None:
    """The players that `Player 2, Player 3` names; empty for all. None where any word is not understood."""
    words = [w for w in re.split(r"[\s,;/:\[\]]+", text.casefold()) if w and w != match.casefold()]
    numbers = {word for word in words if word.isascii() and word.isdigit() and len(word) < 4}
    others = {*words} - numbers
    everybody = not words or not others.isdisjoint(_ALL)
    if others - _ALL - _NUMBER_WORDS or everybody == bool(numbers):
        return None
    return tuple(sorted({*map(int, numbers)}))


def medium(text: str) -> Literal["both", "text", "html"] | None:
    """What letters should hold."""
    named = {"all": "both", "plain": "text", "plaintext": "text"} | {
        word: word for word in ("both", "text", "html")
    }
    found = {named.get(word) for word in text.casefold().replace("-", " ").split()} - {None}
    if found in ({"both"}, {"text", "html"}):
        return "both"
    return "text" if found == {"text"} else "html" if found == {"html"} else None


def on_or_off(text: str, name: str) -> bool | None:
    """`on`, `off`, or the bare name of what is switched, which means on."""
    words = [w for w in text.casefold().split() if w != name]
    if not words:
        return True
    return {"on": True, "yes": True, "off": False, "no": False, "none": False}.get(words[0])


# None: it can't be done as it was asked; the help letter follows.
Handler = Callable[[Case], Settled | Case | None]
TABLE: dict[str, Handler] = {
    "help": requests.send_help,
    "status": requests.status,
    "board": requests.board,
    "games": requests.games,
    "rules": requests.rules,
    "syntax": requests.rules,
    "pieces": requests.rules,
    "options": requests.rules,
    "list": requests.listing,
    "ratings": requests.ratings,
    "record": requests.record,
    "receipt": requests.receipt,
    "propose": club.propose,
    "rematch": club.rematch,
    "event": club.event,
    "withdraw": withdraw,
    "discard": discard,
    "resign": resign,
    "preview": preview,
    "join": join,
    "observe": observe,
    "stop": observe,
    "timezone": set_zone,
    "vacation": take_absence,
    "press": send_press,
    "renew": renew,
    "substitute": name_substitute,
    "address": change_address,
    "format": set_format,
    "digest": set_format,
    "rating": wish_of_club,
    "listing": wish_of_club,
}
