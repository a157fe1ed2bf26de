"""The commands that players may put into a subject, one table: what those do that are about a seat: of whoever sits
there, of those who would have it, or watch. (What only tells stands in `requests`; who may give them in `stations`.)

About the sender himself: how his letters come and where they go, and who else answers for him: a substitute. Whoever
has that address is asked; nothing that the asker gets hangs on whose it is: who could tell a free address from
somebody's would learn who plays here.

And those by which players find each other: a proposal, a rematch, a seat of one, and that it is taken back; what is
said to an invitation, which counts only from the address that was asked, at the reply address of its own letter;
events: a moderator's words for them, how they stand, and the answers of whoever is entered."""

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Literal
from zoneinfo import available_timezones

from referee.base.errors import CannotDo, WrongUsage
from referee.club import terms as club_terms
from referee.club.events import AddressChanged, Guest
from referee.club.proposal import Proposal
from referee.club.terms import ProposalTerms
from referee.core.game import AnyGame
from referee.core.options import OptionSpec
from referee.core.seam import headings
from referee.core.texts.addresses import address_key
from referee.core.texts.bounded import whole
from referee.core.value import Line, without_addresses
from referee.language.words import known_anywhere
from referee.letters.calendars import appointments
from referee.letters.letter import Meant, Recipient
from referee.letters.replies import from_desk, question
from referee.letters.verdicts import Route
from referee.match import commands as do
from referee.match import events as ev
from referee.match.arguments import given
from referee.match.commands import Impossible, MatchCommand
from referee.match.events import Entrant
from referee.match.handling.seating import called_others, unfit_name
from referee.match.match import Match, held_by, substitute_of
from referee.match.names import name_fault
from referee.moderation.orders import CHECKS
from referee.offices.club import Announcement, WishedMatch
from referee.offices.register import People
from referee.store.club import ClubWish, Invitation
from referee.way import requests
from referee.way.case import Case, SeatOrder, Settled, named_gathering, named_match, readable
from referee.way.days import absence_spans
from referee.way.limits import asked_enough

_SEAT = re.compile(r"\b(?:player|seat)\s*#?(\d{1,3})\b", re.IGNORECASE)


def join(case: Case) -> Settled | None:
    """A vacant seat is taken, by an address that has said Yes to it and has no other seat there."""
    match = requests.named_in(case)
    if match is None:
        gathering = named_gathering(case.unit, case.mail.tag)
        return join_gathering(case, gathering) if gathering else None
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
        return leave_gathering(case, gathering, case.answering.address)
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


# --- how players find each other, and events ---

_QUOTES = str.maketrans(dict.fromkeys("“”„«»″", '"'))


def event(case: Case) -> Settled | None:
    """The command line's words: `new NAME --game GAME --kind KIND`, `enter NAME "Name <address>"` (more of them on
    lines of the body), `start`, `show`, `leave NAME ADDRESS`, `replace NAME ADDRESS "Name <address>"`."""
    try:
        what, name, *rest = shlex.split(case.argument.translate(_QUOTES))
    except ValueError:
        return None
    try:
        done = _event_ordered(case, what.lower(), name, rest)
    except (CannotDo, WrongUsage) as error:
        told = case.done("event_fault", good=False, faults=error.reasons)
        done = replace(told, disposition="refused", reason="an event: not done")
    if done is None or done.reason.startswith("event ") or not case.proof.moderates:
        return done
    # a moderator may go on from there
    return replace(done, letters=tuple(from_desk(case.room.speaker, letter) for letter in done.letters))


def _event_ordered(case: Case, what: str, name: str, rest: list[str]) -> Settled | None:
    events, unit = case.room.tournaments, case.unit
    if what == "show":
        return case.told("event_shown", f"event {name}", event=events.load(unit, name))
    if any(CHECKS.fullmatch(word) for word in (name, *rest)):
        raise CannotDo(f"There is no dry run of event {what}: without --check it is done at once.")
    lines, asked, who = [line.text.strip() for line in case.mail.own], Announcement(), rest
    match what:
        case "new":
            asked, who = _announcement(rest, lines), []
            told = '{0} is announced. Enter people with the subject "event enter {0}".'
        case "enter":
            named = rest if all("@" in word for word in rest) else [" ".join(rest)]
            who = [*named, *(line for line in lines if "@" in line)]
            if not who:
                how = 'write "Name <address>" behind it, or one on each line of the mail.'
                raise CannotDo(f"Nobody is named: {how}")
            told = f"{'The player is' if len(who) == 1 else f'All {len(who)} are'} asked, and in with a Yes."
        case "start":
            told = "{0} has started with {1} players; all of them are told."
        case "leave":
            t = events.load(unit, name)
            if (player := t.player(rest[0]) if rest else None) is None:
                raise CannotDo(f"Nobody with that address plays in {t.name}.")
            told = f"{t.guests[player].name} plays no more in {t.name}."
        case "replace":
            if len(rest) < 2:
                how = 'event replace NAME old@example.org "Name <new@example.org>"'
                raise CannotDo(f"It is written so: {how}")
            who, told = [rest[0], " ".join(rest[1:])], "The player is asked, and in with a Yes."
        case _:
            return None
    t = events.carried_out(unit, what, name, who, asked)
    told = told.replace("{0}", t.name).replace("{1}", str(len(t.order)))
    return case.done("event_done", accepted=told, words=told)


def _announcement(rest: list[str], lines: list[str]) -> Announcement:
    """An event as a mail asks for it, options on lines of the body."""
    words = [part for word in rest for part in (word.split("=", 1) if word[:2] == "--" else [word])]
    pairs = list(zip(words[::2], words[1::2], strict=False))
    if len(words) % 2 or not all(flag.startswith("--") for flag, _ in pairs):
        how = "event new NAME --game GAME --kind swiss --rounds 5 --option key=value"
        raise CannotDo(f"It is written so: {how}")
    said, body = dict(pairs), (line.removeprefix("Option:").strip() for line in lines)
    options = [line for line in body if "=" in line and " " not in line]
    options += [value for flag, value in pairs if flag == "--option"]
    if (rounds := whole(said.get("--rounds", "0"))) is None:
        raise CannotDo(f"{said['--rounds']!r} is no number of rounds.")
    return Announcement(said.get("--game", ""), said.get("--kind", ""), rounds, given(options))


_YES_AS = re.compile(r"\s*yes\b[\s,.!-]*(?:as|i am|my name is)\s+(\S.{0,80}?)[.!]?\s*", re.IGNORECASE)
_NEVER = re.compile(r"[\s\"'*]*(?:no\b[\s,.!-]*)?never again[\s\"'*.!]*", re.IGNORECASE)


# --- proposing ------------------------------------------------------------------------------------


def propose(case: Case) -> Settled:
    """A match is proposed by the keyed lines of the mail; without any a form comes, with faults the form filled in."""
    read, proposals = terms(case), case.room.proposals
    game = requests.game_beginning(case, case.argument or read.told.get("game", ""))
    if game is None:
        return requests.games(case)
    specs = proposals.rules(game)[0]
    if read.empty:
        said = ", ".join(word for word in (case.argument or "").replace(",", " ").split() if "@" in word)
        return _form(case, game, specs, club_terms.read([Line(1, f"With: {said}")]), ())
    told, by = club_terms.settled(read, specs), requests.guest(case, requests.name_given(case))
    wish = WishedMatch(game, told.named, told.open or 0, told.options, called=told.told.get("name", ""))
    files = [spec.name for spec in specs if spec.kind == "file"]
    unmailable = (f"{n} is given on the command line alone, as a file." for n in told.options if n in files)
    faults = (*told.faults, *unmailable, *proposals.faults(case.unit, wish, by))
    if faults and not proposals.knows(case.unit, case.mail.whose):
        return case.done("rematch_faults", good=False, faults=faults)
    return _form(case, game, specs, read, faults) if faults else _proposed(case, by, wish)


def rematch(case: Case) -> Settled | None:
    """The same people are asked to the match once more; each moves up a seat."""
    match, proposals = requests.match_shown(case), case.room.proposals
    mine = [at.seat for at in case.speaking if match and at.match.name == match.name]
    if match is None:
        return None
    if match.status != "ended" or not mine:
        return case.done("rematch", good=False, wanted=match, seated=bool(mine))
    by, wish = proposals.rematch(match, mine[0])
    if faults := proposals.faults(case.unit, wish, by):
        return case.done("rematch_faults", good=False, faults=faults)
    return _proposed(case, by, wish)


def _proposed(case: Case, by: Guest, wish: WishedMatch) -> Settled:
    made = case.room.proposals.propose(case.unit, by, wish)
    accepted, title = f"proposes {made.name}", wish.game.title
    return case.done("proposed", accepted=accepted, proposal=made, title=title)


def _form(
    case: Case, game: AnyGame, specs: tuple[OptionSpec, ...], told: ProposalTerms, faults: tuple[str, ...]
) -> Settled:
    kind, room = "proposal_refused" if faults else "proposal_form", case.room
    return case.told(
        kind,
        f"{kind}: {game.slug}",
        reply=Meant(asks="proposal"),
        disposition="refused" if faults else "answered",
        about=game,
        faults=faults,
        form=club_terms.form(game.slug, specs, told),
        expires=room.settings.club.expires,
        sized=club_terms.chosen_by(specs),
        seats=sorted(game.seats(room.speaker.setup(game).options)),  # by the usual options
    )


def terms(case: Case) -> ProposalTerms:
    """What the mail proposes: its own words, or the form inside the quote of our letter where that was filled in."""
    own = club_terms.read(case.mail.own)
    inside = club_terms.read(case.mail.quoted) if own.empty and _answers_form(case) else own
    return own if inside.empty or inside == _form_answered(case) else inside


def _answers_form(case: Case) -> bool:
    """Whether the mail answers a form of a proposal that went to its sender."""
    return case.meant.asks == "proposal" and case.from_reader


def _form_answered(case: Case) -> ProposalTerms:
    """What the form of the letter answered says as it was sent."""
    return club_terms.read([Line(n, text) for n, text in enumerate(case.meant.form.splitlines(), 1)])


def proves_itself(case: Case) -> bool:
    """Whether more than an address says whose it is: somebody has let it in, a server or a signature says so, it was
    written to the reply address of his own invitation, or answers a form by the Message-ID, which nobody else knows."""
    if case.passed or case.proof.from_there:
        return True
    invited = filter(None, map(case.unit.invitation, case.mail.tokens))
    own = case.mail.whose
    return not case.proof.refuted and (_answers_form(case) or any(one.address == own for one in invited))


# --- a seat of one --------------------------------------------------------------------------------


def is_event(case: Case, name: str | None) -> bool:
    """Whether a gathering of that name is an event."""
    row = case.unit.gathering(name or "")
    return row is not None and row.kind == "event"


def join_gathering(case: Case, name: str) -> Settled | None:
    """An open seat is taken, or an event entered; whose mail proves no more than an address is
    asked whether it was he."""
    unit, proposals, address = case.unit, case.room.proposals, case.answering.address
    if case.room.offices.hindrance(address):
        return requests.send_help(case, "unwritable")
    if is_event(case, name):
        return _join_event(case, name)
    proposal = proposals.load(unit, name)
    if proves_itself(case):
        return _agreed(case, proposal, address)
    if (no_room := _no_room(case, proposal, address)) is not None:
        return no_room
    wishes = {address_key(address): requests.name_given(case)}
    if proposals.ask(unit, proposal, wishes, named=False).version == proposal.version:
        return case.done("proposal_asked", good=False, proposal=proposal)
    return case.settled("answered", f"its sender is asked whether he wishes to play in {name}")


def _join_event(case: Case, name: str) -> Settled:
    """Who enters it by a mail that is proved his own has said Yes by that."""
    events, unit, address, proof = case.room.tournaments, case.unit, case.answering.address, case.proof
    t, who = events.load(unit, name), requests.guest(case, requests.name_given(case))
    own = case.known and proof.proved and not proof.refuted
    proved = own or case.kept.confirmed or proof.from_there
    try:
        if not (events.open_to(t) or t.player(address)):
            raise CannotDo(f"{t.name} is {t.status}: nobody enters it any more.")
        if proved or t.player(address):
            t = events.admit(unit, t, who)
            return case.done("event_in", accepted=f"plays in {t.name}", event=t)
        if address_key(address) in t.entered:
            return case.done("event_asked", event=t)
        events.enter(unit, t.name, who)
    except CannotDo as error:
        return case.done("event_fault", good=False, faults=error.reasons)
    return case.settled("answered", f"its sender is asked whether he wishes to play in {t.name}")


def _no_room(case: Case, proposal: Proposal, address: str) -> Settled | None:
    """Why the address can't play there; None where it can."""
    if proposal.room_for(address) and not proposal.plays(address):
        return None
    topic = "proposal_seated" if proposal.plays(address) else "proposal_full"
    return case.done(topic, good=False, proposal=proposal)


def _agreed(case: Case, proposal: Proposal, address: str, called: str = "") -> Settled:
    """The Yes of whoever has that address, where there is room, under a name that nobody else there has."""
    if (no_room := _no_room(case, proposal, address)) is not None:
        return no_room
    proposals = case.room.proposals
    stated = proposal.called.get(address_key(address), "")
    known = proposals.member(case.unit, address) or Guest(stated, address)
    guest = replace(known, name=called or known.name or requests.name_given(case))
    if fault := name_fault(guest.name, [other.name for other in proposal.players]):
        return case.done("invitation_name", good=False, fault=fault, proposal=proposal)
    after = proposals.agree(case.unit, proposal, guest)
    return case.done("agreed", accepted=f"plays in {proposal.name}", proposal=after)


def leave_gathering(case: Case, name: str, address: str, *, asked: bool = False) -> Settled:
    """Somebody plays there no more, or, where they are `asked`, does not; with its proposer a proposal ends."""
    unit, events, proposals = case.unit, case.room.tournaments, case.room.proposals
    if is_event(case, name):
        after = events.leave(unit, events.load(unit, name), address)
        return case.done("event_out", accepted=f"does not play in {after.name}", event=after)
    proposal = proposals.load(unit, name)
    if not asked and (proposal.status != "forming" or not proposal.plays(address)):
        return case.done("proposal_over", good=False, proposal=proposal)
    own = address_key(proposal.by.address) == address_key(address)
    proposals.give_up(unit, proposal, address)
    topic, does = ("proposal_withdrawn", "withdraws") if own else ("declined", "does not play in")
    return case.done(topic, accepted=f"{does} {name}", proposal=proposal)


# --- invitations ----------------------------------------------------------------------------------


def invited(case: Case) -> Case | Settled:
    """What a reply to an invitation does; a form of a proposal that comes back goes on as one; any
    other mail goes on as it is."""
    tag, tokens = case.mail.tag, case.mail.tokens
    if case.meant.asks == "proposal":
        return case if tag.command else case.as_command("propose", _form_answered(case).told.get("game", ""))
    if tag.command and not case.repeats:
        return case
    if case.letter is not None and not case.room.offices.tokens:
        tokens = (case.letter.head.token,)  # its Message-ID is known to nobody else either
    found = next(filter(None, map(case.unit.invitation, tokens)), None)
    return case if found is None else _answered(case, found)


def _answered(case: Case, invited: Invitation) -> Settled:
    proposals, address = case.room.proposals, invited.address
    known = proposals.member(case.unit, address)
    name, zone = (known.name, known.zone) if known else ("", None)
    case = replace(case, reader=replace(case.sender, name=name, zone=zone))
    if case.proof.refuted or case.mail.whose not in People(case.unit).proved_by(address):
        return case.done("invitation_elsewhere", good=False)
    (word, called), events, event = _word(case), case.room.tournaments, is_event(case, invited.gathering)
    if not word:
        asked = (events if event else proposals).load(case.unit, invited.gathering)
        return case.done("invitation_unclear", good=False, proposal=asked)
    if event and word != "yes":
        return leave_gathering(case, invited.gathering, address)
    if event:
        try:
            t = events.load(case.unit, invited.gathering)
            t = events.agree(case.unit, t, address, called)
        except CannotDo as error:
            return case.done("event_fault", good=False, faults=error.reasons)
        return case.done("event_in", accepted=f"plays in {t.name}", event=t)
    proposal = proposals.load(case.unit, invited.gathering)
    if word == "never":
        case.unit.refuse(address, proposal.by.address)
    if proposal.status != "forming":
        topic = "never_again" if word == "never" else "proposal_over"
        return case.done(topic, good=word == "never", proposal=proposal)
    if word == "yes":
        return _agreed(case, proposal, address, called)
    if word == "never" and address_key(proposal.by.address) != address:
        proposals.decline(case.unit, proposal, address)
        reason = f"asks not to be asked by {proposal.name}'s proposer"
        return case.done("never_again", accepted=reason, proposal=proposal)
    return leave_gathering(case, proposal.name, address, asked=True)


def _word(case: Case) -> tuple[str, str]:
    """Yes, No, never, or nothing plain; and the name that a Yes gives."""
    said = next((line.text for line in case.mail.own if line.text.strip()), "")
    if _NEVER.fullmatch(said):
        return "never", ""
    if stated := _YES_AS.fullmatch(said):
        return "yes", " ".join(stated[1].split())
    return case.mail.consent.removeprefix("neither"), ""


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
    "propose": propose,
    "rematch": rematch,
    "event": event,
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
