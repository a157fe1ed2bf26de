"""What commands in a subject come to, each a function of the case: the match it names, its sender's seats, a short
letter about what was done, or help.

Requests that only tell, to the address they came from, what its owner may know anyhow; and what a mail wishes of the
desk in its own words: where it only asks it is answered at once, as by the command for that; where something would
change the command is shown, and OK, or its number, gives it.

And what is open to somebody who plays nowhere here, by what their mail wishes: seats, proposals, events, matches to
watch, and where nobody waits for them a proposal of their own. Each has a number, by which a reply takes it; nothing
is registered before, and where the moderator is to decide, not before that either."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from referee.club.events import Guest
from referee.core.game import AnyGame
from referee.core.texts.addresses import address_key
from referee.language import wishes
from referee.language.sentences import MOST_LINES, words_of
from referee.language.wishes import WHOLE, Sought, Wish, classes_of
from referee.language.words import plain
from referee.letters.letter import ABSENCE, ADDRESS, NO_REPLY, PRESS, Letter, Meant, Offered, decoded
from referee.letters.moves import moves_of
from referee.letters.page_words import listed
from referee.letters.replies import counted_about, to_moderator, unreadable
from referee.letters.verdicts import Route
from referee.mail.sender.triage import BY_LIST
from referee.match.ahead import drawn
from referee.match.events import ObserverRemoved
from referee.match.handling.seating import entered
from referee.match.match import Former, Match, last_held
from referee.match.record.public import public_record, record_json
from referee.match.record.text import text_record
from referee.offices.club import know_people
from referee.store.post import NEWCOMER, KeptMail
from referee.way.case import Case, Settled
from referee.way.days import absence_spans
from referee.way.limits import DAY, enough
from referee.way.routing import Unrouted, named_match, readable, seat_meant

_AS = re.compile(r"\b[aA][sS]\s+([^\Wa-z\d_].*)$")  # a name begins with a capital, where its script has them
ADDRESS_GIVEN = re.compile(r"<?([^\s@<>,;:\"()\[\]\\]+@[^\s@<>,;:\"()\[\]\\]+\.[^\s@<>,;:\"()\[\]\\.]+)>?")
# Why a player's mail came to nothing, told in a few lines; help as a whole is for who asks for it, and for strangers.
_ASTRAY = {"no_seat", "which_match", "which_seat", "unknown_heading", "nothing_asked", "unknown_command"}
NO_FACTS: Mapping[str, object] = MappingProxyType({})


# --- what it is about ---------------------------------------------------------------------------------------------


def named_in(case: Case) -> Match | None:
    """The match that a bracket, a word of the argument or the answered letter names; only the
    outline of one that can't be folded."""
    answered = (case.letter.match,) if case.letter and case.letter.match else ()
    name = named_match(case.unit, case.mail.tag, *answered)
    return None if name is None else case.room.matches.outline(case.unit, name)


def match_shown(case: Case) -> Match | None:
    """The match that a request to show one names; without a name the sender's only one."""
    names = {r.match.name for r in case.speaking}
    match = named_in(case) or (case.speaking[0].match if len(names) == 1 else None)
    return readable(match) if match else None


def places_of(case: Case) -> tuple[Route, ...]:
    """The sender's seats that the request is for: those of the match it names, else all in matches not ended. Those
    of matches that can't be folded are left out where there are others; else it raises Unfoldable."""
    meant = _meant(case)
    if meant and not any(at.match.known for at in meant):
        readable(meant[0].match)
    return tuple(at for at in meant if at.match.known)


def _meant(case: Case) -> tuple[Route, ...]:
    named, seats = named_in(case), case.speaking
    return tuple(r for r in seats if (r.match.name == named.name if named else r.match.status != "ended"))


def place_of(case: Case) -> Route | Unrouted:
    """The one seat the request is for; which one, where one of the matches can't be folded, is not guessed."""
    meant = _meant(case)
    return seat_meant(meant, case.mail, case.letter) if meant else Unrouted("no_seat", case.speaking)


def name_given(case: Case) -> str:
    """The name that the sender gives himself: in the subject ("join m1 as Ann Archer"), as his
    mail's sender, or, where he gives none, as the beginning of his address."""
    stated = _AS.search(case.argument)
    given = stated[1] if stated else case.answering.name
    return " ".join(given.split()) or case.answering.address.partition("@")[0]


def wanted_address(case: Case) -> str | None:
    """The address that a mail asks for: the one it names, or, naming none, its own; None where none can be had."""
    new = mail_address(case.argument) if case.argument else case.mail.sender
    return None if new is None or case.room.offices.hindrance(new) else new


def mail_address(text: str) -> str | None:
    """The one mail address in the text."""
    found = ADDRESS_GIVEN.findall(text)
    return found[0] if len(found) == 1 and len(found[0]) <= 254 else None


# --- what is done, and told ---------------------------------------------------------------------------------------


def send_help(
    case: Case, why: str = "", unrouted: Unrouted | None = None, facts: Mapping[str, object] = NO_FACTS
) -> Settled:
    """The letter on how to write to the referee; `why` it is sent, if not because it was asked for,
    and the facts that this needs."""
    asked = "commands" if case.argument.lower() == "commands" else "asked"
    why = why or (asked if case.command == "help" else "unknown_command")
    if not (case.known or case.proof.moderates) and why in ("asked", "unknown_command", "full"):
        return _shown_doors(case, why)
    letter = _help_letter(case, why, unrouted or Unrouted("nothing_asked", case.speaking), facts=facts)
    reason = "help" if why in ("asked", "commands") else f"help: {why} ({case.command})"
    return case.settled("answered", reason, letter)


def _help_letter(
    case: Case,
    why: str,
    unrouted: Unrouted,
    former: Sequence[tuple[Match, Former]] = (),
    facts: Mapping[str, object] = NO_FACTS,
    at: Route | None = None,
    reply: Meant = NO_REPLY,
) -> Letter:
    """It, written for a seat where one is given; `former` are the seats that the sender had."""
    kind = "astray" if why in _ASTRAY and unrouted.seats else "doors" if reply.offers else "help"
    context = {
        "mail": case.mail,
        "unrouted": unrouted,
        "why": why,
        "former": former,
        "doors": (),
        "new": False,
        "want": Sought(),
        "strangers": case.room.settings.club.strangers,
        "most_observers": case.room.settings.limits.observers,
        "passed": "",
        "moderates": case.proof.moderates,
        **facts,
        "topic": kind,
    }
    return case.written(kind, context, at, reply=reply)


def open_seats(case: Case) -> list[list[str]]:
    """The matches with a vacant seat: name, game, and the subject that takes it."""
    vacant = outlined(case, (name for name, _ in case.unit.vacant()))
    return [[m.name, case.room.games[m.game].title, f"join {m.name}"] for m in vacant]


def outlined(case: Case, names: Iterable[str]) -> list[Match]:
    """Of these matches those that can be folded."""
    return [m for m in (case.room.matches.outline(case.unit, name) for name in names) if m.known]


def former_seats(case: Case, address: str) -> list[tuple[Match, Former]]:
    """The seats that the address had and that are another's now."""
    matches = [case.room.matches.outline(case.unit, name) for name in case.unit.left_by(address)]
    found = ((match, last_held(match, address)) for match in matches)
    return [(match, seat) for match, seat in found if seat is not None]


# --- mails that are for no seat -----------------------------------------------------------------------------------


def helped(case: Case, unrouted: Unrouted, passed: str = "") -> Settled:
    """The help letter, and why it is sent: to a seat always, to a stranger within his measure and
    at most once a thread and day. `passed`: what became of its words to a person."""
    unrouted = unrouted if case.known else Unrouted("stranger")
    why, former = str(unrouted.why), list[tuple[Match, Former]]()
    if why == "stranger":
        if not case.passed and (spent := spent_on(case)) is not None:
            return spent
        case = replace(case, reader=replace(case.answering, name=""))
        if not (former := _former_meant(case)):
            return _shown_doors(case, why)
        why = "replaced"
    only = unrouted.seats[0] if len(unrouted.seats) == 1 and unrouted.seats[0].match.known else None
    letter = _help_letter(case, why, unrouted, former, {"passed": passed}, only)
    return case.settled("answered", f"help: {why}", letter)


def _shown_doors(case: Case, why: str) -> Settled:
    """To somebody who plays nowhere here: what is open to them, with what to reply. Whether they
    may begin the moderator is asked at once, where that is to be decided; who wants no more mails
    gets none as an observer either."""
    if case.mail.triage.reason == BY_LIST and not case.passed:
        return case.settled("discarded", f"{BY_LIST}, of nobody known here")
    want = sought(case)
    found, unit = doors(case, want), case.unit
    watched = unit.written_of(case.mail.whose, LOOKED_AT) if "quit" in want.topics else ()
    watching = [m for m in outlined(case, watched) if case.mail.whose in map(address_key, m.observers)]
    ended = [case.carry_out(m, ObserverRemoved(case.sender.address)).match.name for m in watching]
    waiting = [mail.identity for mail in unit.held_newcomers(case.mail.whose)]
    allowed = let_in(case, case.kept)
    facts = {"doors": found, "want": want, "allowed": allowed, "new": True, "let_in": case.kept.released}
    facts |= {"stopped": ended, "waiting": case.room.persons.waiting(unit, case.mail.whose)}
    offers, about = tuple(door.offer for door in found), (*waiting, case.kept.identity)[0]
    reply = Meant(asks="door", about=about, offers=offers) if found else NO_REPLY
    if case.kept.released:
        case = replace(case, reader=replace(case.answering, identity=f"{case.kept.identity} in"))
    letter = _help_letter(case, why, Unrouted("stranger"), facts=facts, reply=reply)
    if found and want.begins and not (allowed or waiting or "rules" in case.mail.wishes.asks):
        titles = listed([case.room.games[slug].title for slug in want.games])
        return ask_desk(case, titles or "whatever is open", letter)
    return case.settled("answered", f"help: {why}", letter)


def spent_on(case: Case) -> Settled | None:
    """A stranger's mail beyond the day's measure: the last of his answers tells him so; of questions beyond that of
    all strangers the moderator is told. None where there is room. What somebody was sent while he had a seat is none
    of it, and wishes are counted apart from questions."""
    unit, to, limits = case.unit, case.answering, case.room.settings.limits
    former = [seat for _, seat in _former_meant(case)]
    over = case.settled("discarded", "strangers have had their answers for today")
    since = max((case.kept.arrived - DAY, *(seat.until for seat in former)))
    asks = not former and not case.wishing
    if asks and unit.answers_since(to.address, to.thread, since):
        return over
    told = unit.many(since, quota=case.quota, recipient=to.address)
    if told >= limits.strangers_a_day:
        return over
    if 0 < told == limits.strangers_a_day - 1:
        return replace(over, letters=(enough(case, "stranger", told, ""),))
    if not asks:
        return None
    unit.hold("quota", case.quota)
    if unit.many(since, quota=case.quota) < limits.strangers_in_all:
        return None
    key, until = ("crowd", case.quota, f"{case.now:%Y-%m-%d}"), case.now + DAY  # once a day
    subject, most = "Questions of strangers are no longer answered today", limits.strangers_in_all
    crowd = to_moderator(case.room.speaker, "crowd", subject, key, case.now, most=most, until=until)
    return replace(over, letters=(crowd,))


def _former_meant(case: Case) -> list[tuple[Match, Former]]:
    """The seats that the sender had and that are another's now; those of the match that his mail
    names or answers where it does."""
    mail, replied = case.mail, case.letter
    found = former_seats(case, mail.sender or "")
    named = {b.casefold() for b in mail.tag.brackets} | ({replied.match} if replied else set())
    return [(match, seat) for match, seat in found if match.name.casefold() in named] or found


MOST = 5  # that a letter shows
_YES = frozenset(("yes", "ok"))
_DOUBTS = frozenset(("not", "later", "no"))
_SHOWN = 300  # signs of a mail
_WATCHED = 3  # of them to be watched
LOOKED_AT = 20  # matches
_CALLED = re.compile(r"\b[aA][sS]\s+([^\Wa-z\d_][^,.;!?]*)")  # a name begins with a capital
_ALONE = re.compile(r"(?<![\w.:/-])(\d{1,2})(?![\w:/-])")


class Door(NamedTuple):
    """What a reply may take: `people` are those whom one meets there."""

    what: Literal["seat", "proposal", "event", "watch", "own"]
    game: AnyGame
    offer: Offered
    people: Sequence[object] = ()

    @property
    def name(self) -> str:
        return self.offer.form.partition("\n")[0]


def sought(case: Case) -> Sought:
    """What the mail wishes; orders to a game that is played, as far as their writer knows, wish for none."""
    mail = case.mail
    texts = (mail.subject, *(line.text for line in mail.own[:MOST_LINES]))
    orders = mail.tag.kind is not None or (mail.tag.game and mail.tag.brackets)
    return wishes.sought(texts, {} if orders else case.room.games)


# --- what is open ---------------------------------------------------------------------------------------------------


def doors(case: Case, want: Sought) -> tuple[Door, ...]:
    """Those that fit best, the first first; none where nobody begins by mail, or a player writes from elsewhere."""
    if case.room.settings.club.strangers == "off" or "quit" in want.topics or case.mail.tag.kind:
        return ()
    unit, room, games, address = case.unit, case.room, case.room.games, case.mail.whose
    vacant = outlined(case, (name for name, _ in unit.vacant()))
    forming = [one for one in room.proposals.forming(unit) if one.free > 0 and not one.plays(address)]
    entries = [t for t in room.tournaments.taking_entries(unit) if not t.player(address)]
    seats = [Door("seat", games[m.game], Offered("join", m.name), m.playing) for m in vacant]
    seats += [Door("proposal", games[p.made.game], Offered("join", p.name), p.players) for p in forming]
    seats += [Door("event", games[t.made.game], Offered("join", t.name), (t.made,)) for t in entries]
    watches, running = "watch" in want.topics, outlined(case, unit.running(LOOKED_AT))
    unseen = [m for m in running if address not in map(address_key, m.observers)]
    unseen = [m for m in unseen if m.game in want.games or not want.begins]
    watched = [Door("watch", games[m.game], Offered("observe", m.name), m.playing) for m in unseen]
    # the wish for a match of one's own, by its usual options with whoever comes, if the address may have one
    free, own = {p.made.game for p in forming} | {m.game for m in vacant}, list[Door]()
    wished = [slug for slug in want.games if slug not in free] or ([] if seats else [*games])
    if (want.begins or not (seats or (watches and watched))) and room.proposals.too_many(
        unit, address
    ) is None:
        for game in (games[slug] for slug in wished if slug in (room.settings.club.games or games)):
            many = [n for n in sorted(game.seats(room.speaker.setup(game).options)) if n > 1][:1]
            own += [Door("own", game, Offered("propose", f"{game.slug}\nOpen: {n - 1}")) for n in many]
    found = sorted((*own, *seats), key=lambda d: (
        d.name.lower() not in want.names, "event" in want.topics and d.what != "event",
        d.game.slug not in want.games,
    ))  # fmt: skip
    return ((*watched[:_WATCHED], *found) if watches else (*found, *watched))[:MOST]


# --- what a reply takes ---------------------------------------------------------------------------------------------


def door_taken(case: Case) -> Offered | None:
    """What a reply to the letter that shows them takes: by number, by name, or Yes to the first."""
    mail, offers = case.mail, case.meant.offers
    said = " ".join(line.text for line in mail.own)
    words = {plain(word) for word in re.findall(r"[\w-]+", said)}
    numbers = {int(number) for number in _ALONE.findall(said)}
    taken = [offer for at, offer in enumerate(offers, 1) if at in numbers]
    taken = taken or [o for o in offers if o.form.partition("\n")[0].lower() in words]
    told = words_of(said)  # it begins with a Yes, and casts no doubt on it
    begins = bool(classes_of(told[:1]) & _YES) and not _DOUBTS & classes_of(told)
    yes = mail.agrees == "words" or mail.consent == "yes" or begins
    if yes and not (taken or numbers):
        taken = list(offers[:1])
    if len(taken) != 1 or mail.consent == "no":
        return None
    (offer,), called = taken, _CALLED.search(said)
    name, _, more = offer.form.partition("\n")
    stated = f" as {' '.join(called[1].split())}" if called else ""
    return Offered(offer.heading, f"{name}{stated}\n{more}")


def let_in(case: Case, *mails: KeptMail | None) -> bool:
    """Whether its sender may begin: who is known here, or let in by one of these mails."""
    free = case.room.settings.club.strangers == "join"
    free = free or any(mail is not None and mail.released for mail in mails)
    return free or case.room.proposals.knows(case.unit, case.mail.whose)


def ask_desk(case: Case, about: str, *letters: Letter) -> Settled:
    """Held until a moderator has decided whether somebody new may begin; each is told once."""
    kept, said = case.kept, " ".join(line.text for line in case.mail.own)[:_SHOWN]
    told = {"reason": about, "headed": case.mail.subject, "words": said}
    alarm = case.alarm("newcomer", f"Somebody new would play: {about}", str(kept.id), mail=kept, **told)
    return case.settled("held", f"{NEWCOMER}: {about}", *letters, counted_about(alarm, (), ""), seat=0)


def guest(case: Case, name: str) -> Guest:
    """Who writes, as they are known here; else under the name that their mail gives."""
    address = case.answering.address
    return case.room.proposals.member(case.unit, address, case.answering.name) or Guest(name, address)


_LISTED = 40  # matches that a letter shows


def status(case: Case) -> Settled:
    """What the sender owes, everywhere, until when."""
    named = named_in(case)
    meant = [r for r in case.speaking if named is None or r.match.name == named.name]
    shown = [r for r in meant if r.match.known]
    unread = sorted({r.match.name for r in meant} - {r.match.name for r in shown})
    rows = list[Mapping[str, object]]()
    for at in shown:
        mine = [(r, d) for r, d in at.match.due if d.seat == at.seat]
        rows.append({
            "route": at,
            "game": case.room.games[at.match.game],
            "owes": mine,
            "sent": {d for r, d in mine if r.answer_of(d) is not None},
            "view": at.match.view(at.seat),
            "others": [(r, d) for r, d in at.match.due if d.seat != at.seat],
            "vacant": at.match.vacant,
            "ahead": "\n".join(drawn(one.branches)) if (one := at.match.ahead_of(at.seat)) else "",
            "draft": at.match.drafts.get(at.seat),
            "absences": [a for a in at.match.absences if a.seat == at.seat],
        })  # fmt: skip
    only = shown[0] if len(shown) == 1 else None
    told = case.told(
        "status",
        case.command,
        only.match if only else None,
        only.seat if only else None,
        Meant(draft=any(at.seat in at.match.drafts for at in shown)),
        rows=rows,
        named=named,
        failing=case.unit.failing({a for r in shown for a in r.match.entrant(r.seat).addresses}),
        unread=unread,
        former=former_seats(case, case.answering.address),
        person=case.unit.person(case.answering.address),
        boards=case.command == "board" or len(rows) == 1,
        calendars=_calendars(case, shown),
        waiting=case.room.persons.waiting(case.unit, case.answering.address),
    )
    # the letter says that the moderator knows
    faults, speaker = case.room.matches.why_unreadable, case.room.speaker
    why = {row: faults(case.unit, name) for name in unread if (row := case.unit.match(name)) is not None}
    alarms = (unreadable(speaker, r.name, r.game, r.version, said, case.now) for r, said in why.items())
    return replace(told, letters=(*told.letters, *alarms))


def _calendars(case: Case, seats: Sequence[Route]) -> list[str]:
    """The addresses of the sender's calendars in the archive, one for each name he plays under."""
    offices, keys = case.room.offices, case.room.keys
    if not offices.site:
        return []
    know_people(case.unit, keys)
    people = [entered(case.unit.history(at.match.name))[0][at.seat] for at in seats]
    names = (keys.calendar(keys.player(person.name, *person.addresses[:1])) for person in people)
    return [offices.calendar(name) for name in dict.fromkeys(names)]


def board(case: Case) -> Settled | None:
    """How a match stands: one's own view of it, or the public one."""
    if (match := match_shown(case)) is None:
        return status(case) if case.speaking else None
    seat = next((r.seat for r in case.speaking if r.match.name == match.name), None)
    return case.told("board", "board", match, seat)


def listing(case: Case, kind: str = "list") -> Settled:
    """What one can enter: seats, proposals, events; and what is being played, or the games."""
    running, forming = outlined(case, case.unit.running(_LISTED)), case.room.proposals.forming(case.unit)
    entries, seats = case.room.tournaments.taking_entries(case.unit), open_seats(case)
    return case.told(kind, kind, running=running, forming=forming, open_seats=seats, entries=entries)


def games(case: Case) -> Settled:
    return listing(case, "games")


def ratings(case: Case) -> Settled:
    """What all results come to, in the game that is named, or in each."""
    game, found = game_beginning(case, case.argument), case.room.moderator.ratings(case.unit)
    rated = {slug: rows[:_RATED] for slug, rows in found.items() if game is None or game.slug == slug}
    return case.told("ratings", "ratings", rated=rated)


def rules(case: Case) -> Settled:
    """The rules in brief, how answers are written, the pieces: of a match as amended, or of a game
    as it usually is; and all options that a proposal may choose."""
    room, game = case.room, game_beginning(case, case.argument)
    match, played = None if game else match_shown(case), {at.match.game for at in case.speaking}
    if match is not None:
        game, history = room.games[match.game], lambda: case.unit.history(match.name)
        shown = match.view(None) or room.speaker.beginning(match, history)
    else:
        game = game or (room.games.get(min(played)) if len(played) == 1 else None)
        if game is None:
            return games(case)
        shown = room.speaker.usual(game)
    specs = room.proposals.rules(game)[0]
    return case.told("rules", case.command, match, topic=case.command, about=game, shown=shown, specs=specs)


def game_beginning(case: Case, argument: str) -> AnyGame | None:
    """The game whose name, its slug or one of its titles, the words begin with."""
    words, games = argument.casefold().split(), case.room.games.values()
    known = {"".join(name.casefold().split()): game for game in games for name in (game.slug, *game.titles)}
    begun = ("".join(words[:count]) for count in range(len(words), 0, -1))
    return next(filter(None, map(known.get, begun)), None)


def receipt(case: Case) -> Settled:
    """The last one that the sender got in a match; where there is none, what they owe."""
    match = match_shown(case)
    seat = next((at.seat for at in case.speaking if match and at.match.name == match.name), None)
    letters = [] if match is None or seat is None else case.unit.letters(match=match.name, seat=seat)
    own = ("receipt", address_key(case.answering.address))
    theirs = [decoded(row) for row in letters if (row.kind, row.recipient) == own][-1:]
    told = [case.told("receipt_again", "receipt again", match, seat, receipt=letter) for letter in theirs]
    return told[0] if told else status(case)


def record(case: Case) -> Settled | None:
    """Its moves, and all of it as a file; one too large for a letter in the game's own notation,
    which is shorter, or none."""
    if (match := match_shown(case)) is None:
        return None
    game, history = case.room.games[match.game], case.unit.history(match.name)
    told, most = public_record(game, history), case.room.settings.limits.largest_letter // 2
    whole, name = record_json(told), f"{match.name}.json"
    files = ((name, "application/json", whole),) if len(whole.encode()) <= most else ()
    if not files and len((short := text_record(game, history)).encode()) <= most:
        files = ((f"{match.name}.txt", "text/plain", short),)
    moves = list(enumerate(moves_of(game, history), 1))[-_MOST_MOVES:]
    file = files[0][0] if files else ""
    settled = case.told("record", "record", match, record=told, file=file, moves=moves)
    (letter,) = settled.letters
    return replace(settled, letters=(replace(letter, page=replace(letter.page, attachments=files)),))


_RATED: Final = 100  # of a game, the best
_MOST_MOVES: Final = 300  # that a letter lists, the last ones
_TOLD: Final[dict[str, Callable[[Case], Settled | None]]] = {
    "rules": rules, "record": record, "board": board, "help": send_help, "status": status, "receipt": receipt,
}  # fmt: skip


def tell_wishes(case: Case, at: Route | None = None, *, ordered: bool = False) -> tuple[Letter, ...]:
    """The letters about what it asks and would have changed, in the match of its seat or, where
    that is not known, in those that it may mean; `ordered`: beside another one, about its order."""
    said, words = case.mail.wishes, {word for line in case.mail.own for word in words_of(line.text)}
    titles = {slug: [*map(words_of, game.titles)] for slug, game in case.room.games.items()}
    seats = [one for one in case.proof.seats if one.match.known and one.match.status != "ended"]
    named = [one for one in seats if at is None and any(map(words.issuperset, titles[one.match.game]))]
    meant = [at] if at else named or seats
    asks = [topic for topic in said.asks if topic in said.plainly or not ordered]
    names, found = sorted({r.match.name for r in meant}), list[Letter]()
    offers = [offer for wish in said.wants for offer in dict.fromkeys(_offer(case, meant, wish))]
    for topic in (one for one in asks if one in WHOLE):
        if topic in ("record", "board", "receipt") and len(names) > 1:
            offers += [Offered(topic, name) for name in names]
        else:
            found += _told(case, topic, names[0] if len(names) == 1 and topic != "help" else "")
    if at is None and not WHOLE.issuperset(asks):
        found += _told(case, "status", names[0] if len(names) == 1 else "")
    if not offers:
        return tuple(found)
    to = replace(case.answering, identity=f"{case.kept.identity} wished")
    zone = case.answering.zone or case.room.offices.timezone
    days = {one: absence_spans(one.form, zone, case.now) for one in offers if one.heading == ABSENCE}
    rows = [(one, next(iter(days[one]))) if one in days else (one,) for one in offers]
    letter = case.written("wished", {"rows": rows}, at, to, Meant(offers=tuple(offers)))
    # beside an order it is no preview, whose place in that it would take
    return *found, replace(letter, kind="status") if ordered else letter


def _told(case: Case, command: str, argument: str) -> tuple[Letter, ...]:
    """As by that command in its subject."""
    to = replace(case.answering, identity=f"{case.kept.identity} {command}")
    settled = _TOLD[command](replace(case.as_command(command, argument), reader=to))
    return settled.letters if settled else ()


# --- by what exists -------------------------------------------------------------------------------------------------


def _offer(case: Case, meant: Sequence[Route], wish: Wish) -> Iterator[Offered]:
    """The commands that a wish may mean, none that could do nothing."""
    said, to, unit = wish.said, case.answering, case.unit
    own = case.proof.seats
    playing = [at for at in own if at.match.status in ("open", "paused")]
    match wish.command:
        case "vacation" if playing:
            seats = [(at.match, n) for at in own for n in at.match.seating if n != at.seat]
            others = {words_of(match.entrant(seat).name)[:1] for match, seat in seats}
            told = [words_of(line.text.partition(",")[0]) for line in case.mail.own]
            if any(len(words) > 1 and words[:1] in others for words in told):
                return  # "Ben is away until Friday", not "Ben, I am"
            zone = to.zone or case.room.offices.timezone
            ways = (absence_spans(text, zone, case.now) for text in said)
            for days in next(filter(None, ways), {}).values():
                yield Offered(ABSENCE, f"{days.first}..{days.last}")
        case "timezone" if said[0] != to.zone:
            yield Offered("timezone", said[0])
        case "digest" | "format" if own:
            yield Offered(wish.command, said[0])
        case "address" if address_key(said[0]) != address_key(to.address):
            yield Offered(ADDRESS, said[0])
        case "rematch":
            yield from (Offered("rematch", at.match.name) for at in own if at.match.status == "ended")
        case "withdraw":
            yield from (Offered("withdraw", at.match.name) for at in meant if at.match.may_withdraw(at.seat))
        case "observe" | "join" if unit.match(said[0]) and said[0] not in {at.match.name for at in own}:
            yield Offered(wish.command, said[0])
        case "press":
            whom = words_of(said[0])
            for match, seat in ((at.match, n) for at in meant for n in at.match.seating if n != at.seat):
                called = words_of(match.entrant(seat).name)[: len(whom)] == whom
                if called and case.room.letters.may_talk(match, said[1]):
                    yield Offered(f"{PRESS} {match.name} Player {seat}", said[1])
