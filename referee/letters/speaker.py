"""The speaker: the one writer of letters. A letter is an envelope and a page; what a page shows is
cut by the game's `view`. Which letters there are, and how each goes out, stands in `kinds.toml`; what each tells in the
file of its subject. What the subject of one about a match says: `[name] Title: ` and a piece of news, or the heading
where the rules fix it, and until when something is owed. Their words stand in `subjects.toml`."""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal, TypedDict

from referee.base import shipped
from referee.base.settings import Offices
from referee.club.events import Guest
from referee.core import seam
from referee.core.answers import GivesUpSeat
from referee.core.game import AnyGame, Setup, View
from referee.core.texts.speech import called
from referee.core.value import REFEREE, Demand, Value, free_text_in
from referee.letters.letter import Files, Head, Letter, LetterPage, Recipient
from referee.letters.page_words import listed, name_of_in
from referee.letters.rendering import Renderer
from referee.mail.read.subject import read_subject
from referee.match import events as ev
from referee.match.chain import Keys
from referee.match.events import Entrant, Entry
from referee.match.match import History, Match, OpenRound, RoundName
from referee.match.meanings import Drafted, drafted
from referee.match.notices import Notice
from referee.match.timing import game_setup


class Kind(Value):
    """How a letter goes out."""

    notice: str  # what its header calls it (contract, "Mail out")
    office: Literal["speaker", "collector"]  # who writes it
    reply_to: Literal["speaker", "collector", "moderator"]
    about: str = ""  # what its subject says, if always the same
    known_by_id: bool = False
    template: str = ""


# What goes to every seat and every observer (contract, "Mail out").
PUBLIC = frozenset(("announcement", "opened", "lapsed", "rewound", "extended", "ended"))

_DATA = tomllib.loads(shipped.read("templates", "referee/kinds.toml"))
KINDS: Mapping[str, Kind] = {
    name: Kind(office=way["office"], reply_to=way["reply_to"], **how)
    for way in _DATA["ways"]
    for name, how in way["kinds"].items()
}
_DONE: Mapping[str, str] = _DATA["done"]


def about_in_answer(kind: str, topic: str, duty: str = "answer") -> str:
    """What the subject of a letter says that answers a mail, in our own words alone: the mail may be anybody's, and
    whoever reads the letter answers it under what stands there. `duty` is what an answer of theirs is called."""
    told = _DONE.get(f"{topic}_not") if kind == "not_done" else ""
    told = told or _DONE.get(topic) or KINDS[kind].about or _DONE.get(topic.partition("_")[0])
    return (told or "what became of your mail").format(duty=duty)


def heading_for(game: AnyGame, kind: str) -> str:
    """The first heading of a kind of answer; of one that has none, the game's first."""
    named = [heading for heading, of in seam.headings(game).items() if of == kind]
    return named[0] if named else game.answers[0].headings[0]


class Owing(TypedDict):
    """What a seat owes, as templates name it."""

    round: OpenRound | None
    demand: Demand | None
    due_at: datetime | None  # until when
    form: str
    draft: Drafted | None  # with which the form is filled in
    first: bool  # it has never been asked for this before
    send_to: str
    send_as: str  # under which subject


NOTHING_TOLD: Mapping[str, Any] = {}
_STAGES = ("round", "cycle")  # what the position of a match counts, as a subject names it
NOTHING_OWED = Owing(
    round=None, demand=None, due_at=None, form="", draft=None, first=False, send_to="", send_as=""
)


class Speaker(Value):
    """Writes letters. Ids are keyed hashes: nothing can be read off them, and the same cause gives
    the same id. `setup` tells with what a game is opened where nobody wishes anything else."""

    pages: Renderer
    keys: Keys
    offices: Offices
    games: Mapping[str, AnyGame]
    setup: Callable[[AnyGame], Setup]

    @property
    def host(self) -> str:
        """Where our ids come from."""
        return self.offices.speaker.rpartition("@")[2]

    # --- the page ------------------------------------------------------------------------------------------------

    def page(self, template: str, context: Mapping[str, object], files: Files = ()) -> LetterPage:
        """A template of letters filled in, and the board that it may show, that of the context's view."""
        text, html = self.pages.letter(f"referee/{template}.j2", context)
        view = context["view"]
        return LetterPage(text, html, view.diagram if isinstance(view, View) else None, files)

    def context(self, match: Match | None, reader: Recipient | None) -> dict[str, Any]:
        """What every template may use. In public letters (`reader` None) times are in the referee's own zone."""
        game = self.games[match.game] if match else None
        seat = reader.seat if reader else None
        return {
            "referee": self.offices,
            "match": match,
            "game": game,
            "view": match.view(seat) if match else None,
            "public": match.view(None) if match else None,
            "reader": reader,
            "seat": seat,
            "draft": None,
            "own": "",
            "when": self.pages.clock(reader.zone if reader else None),
            "name": lambda number: name_of_in(number, match) if match and number else self.offices.name,
            "owes": match.due if match else (),
            "vacant": match.vacant if match else (),
            "happened": lambda entry: entry.told(game) if game else None,
            "heading": lambda kind: heading_for(game, kind) if game else kind,
            "help": self.pages.help(match.game) if match else {},
            "games": self.games,
            "helps": self.pages.help,
        }

    def owing(
        self, match: Match, r: OpenRound | None, demand: Demand, first: bool = False, form: str | None = None
    ) -> Owing:
        """What a seat owes in a round, or may send though none waits for it (None); `form` where it
        is neither an empty one nor its draft."""
        draft = drafted(match, demand) if form is None else None
        if form is None:
            party = match.party(demand.seat)
            form = draft.form if draft else seam.form(self.games[match.game], match.inner, demand, party).text
        return Owing(
            round=r,
            demand=demand,
            due_at=r.due_for(demand.seat) if r else None,
            form=form,
            draft=draft,
            first=first,
            send_to=self.offices.collector,
            send_as=self.order_subject(match, demand),
        )

    def usual(self, game: AnyGame) -> View:
        """A match of it as it begins where nobody wishes anything else, as the public sees it."""
        return seam.opened_with(game, self.setup(game)).view(None)

    def beginning(self, match: Match, history: History) -> View:
        """A match that still waits for players, as it will begin."""
        opened = next(e.event for e in history() if isinstance(e.event, ev.MatchOpened))
        setup = game_setup(match.options, opened.data, match.seats)
        return seam.opened_with(self.games[match.game], setup).view(None)

    # --- the envelope --------------------------------------------------------------------------------------------

    def letter(
        self,
        kind: str,
        reader: Recipient,
        subject: str,
        key: Sequence[str],
        now: datetime,
        match: Match | None = None,
        told: Mapping[str, object] | LetterPage = NOTHING_TOLD,
        *,
        below: Sequence[str] = (),
        head: Mapping[str, Any] = NOTHING_TOLD,
        **more: Any,
    ) -> Letter:
        """A letter of a kind of KINDS. `key` tells it from all others, `below` is that of the first letter of its
        thread; `told` is what its words need besides the match, or the page itself, `head` and `more` are fields of its
        envelope and of the letter. Without a `subject` it has its kind's."""
        sent = KINDS[kind]
        if not subject:
            subject = self.subject(match, sent.about) if match else sent.about[:1].upper() + sent.about[1:]
        if not isinstance(told, LetterPage):
            told = self.page(sent.template or kind, {**self.context(match, reader), **told})
        token = ""
        if match is not None and reader.seat and not sent.known_by_id:
            token = self.keys.reply_token(match.name, reader.seat, match.renewals.get(reader.seat, 0))
        own, root = self.message_id(*key), (self.message_id(*below),) if below else ()
        to = Head(sent.office, sent.reply_to, reader.address, reader.name, subject, own, now)
        to = replace(to, **{"references": root, "token": token, **head})
        return Letter(sent.notice, to, told, match.name if match else None, reader.seat, **more)

    def message_id(self, *parts: str) -> str:
        """An opaque, repeatable Message-ID."""
        return f"<{self.keys.derive('message-id', *parts)[:40]}@{self.host}>"

    def order_subject(self, match: Match, demand: Demand) -> str:
        """The subject under which an answer to the demand is sent."""
        return f"{self.heading_of(match, demand)} [{match.name}]"

    def heading_of(self, match: Match, demand: Demand) -> str:
        """The title, the heading and the seat of an answer to the demand; where it is one of a
        round of the game, also which that is (610.a): whoever replies states it."""
        game, r, view = self.games[match.game], match.round_of(demand), match.view(None)
        counted = r is not None and view is not None and f"Round {view.position.get('round')}" in r.label
        stage = [(word, view.position.get(word)) for word in _STAGES] if counted and view else []
        told = "".join(f" / {word.capitalize()} {number}" for word, number in stage if number)
        return f"{game.title}: {heading_for(game, demand.kind)} / Player {demand.seat}{told}"

    def fixed(self, match: Match) -> bool:
        """Whether the rules of its game say under which subject an answer comes (604.B, 605.B, 610.a)."""
        return self.pages.help(match.game).get("subjects") == "headings"

    def duty(self, match: Match, demand: Demand) -> str:
        """What an answer to the demand is called."""
        return str(self.pages.help(match.game).get("duties", {}).get(demand.kind, "answer"))

    def subject(self, match: Match, about: str) -> str:
        """The subject of a letter about a match."""
        return self.titled(match.name, match.game, about)

    def titled(self, name: str, slug: str | None, news: str) -> str:
        """The one shape of subjects about a match, or what is to be one: its name, its game, a piece of news."""
        title = f"{self.games[slug].title}: " if slug and slug in self.games else ""
        return f"[{name}] {title}{news[:1].upper()}{news[1:]}"


def thread(match: Match, address: str) -> tuple[str, ...]:
    """The key of the first letter of a match to an address, on which all others hang."""
    return "thread", match.name, address


def asked_rounds(match: Match | None, seat: int | None) -> tuple[RoundName, ...]:
    """What a letter to the seat is about, if about nothing else: the rounds in which something is due from it."""
    due = match.due if match and seat and match.status in ("open", "paused") else ()
    return tuple(dict.fromkeys(RoundName(r.label, r.opened) for r, d in due if d.seat == seat))


# --- subjects -------------------------------------------------------------------------------------


_TOLD, _LONGEST_NAME, _LONGEST_ORDER = 2, 24, 40  # events that a subject names; signs of names, of orders
_UNSAID = re.compile(r"(?:Player|Round|Cycle|Comment)\b|.*(?:\bPlayer \d| received$)", re.IGNORECASE)
_MARKS = re.compile(r"[][/\\|:;?(){}*【】]")  # by which a subject is parted where it is read
_PLAYER = re.compile(r"(?: / |, )?Player \d+")
_ORDINARY = frozenset(("move", "turn"))


class Headline(Value):
    """What a subject says of a match to its reader; nothing that not all may know, but that it is theirs."""

    speaker: Speaker
    match: Match
    reader: Recipient

    def of(self, notice: Notice, public: Sequence[Entry]) -> str:
        """The subject of a letter that tells what happened; `public` are the entries of which all are told with it."""
        match notice.kind:
            case "due" | "reminder" | "too_early" if notice.demand:
                again = self._said("again") if notice.kind == "reminder" else ""
                return self.due(notice.demand, notice.round, public, again)
            case "ended" if self.match.ended:
                won = self._said("MatchEnded", seats=self.match.ended.winners)
                news = [*self._told(notice.entries)[-1:], won]
            case "opened":
                news = [self._said(self.match.status), self.next()]
            case "press":
                news = [self._of(entry) for entry in notice.entries]
            case "ahead":
                news = [self._said("ahead")]
            case _:
                over = self._said("over") if self.match.ended else self.next()
                waits = self._said("waits") if notice.round else ""
                news = [waits, *self._told(notice.entries), over]
        told = ", ".join(filter(None, news)) or self._said("MatchResumed")
        return self.speaker.subject(self.match, told)

    def due(self, demand: Demand, r: OpenRound | None, public: Sequence[Entry] = (), again: str = "") -> str:
        """The subject of a letter that asks for an answer."""
        news = ", ".join(filter(None, [*self._told(public), self.next(demand)]))
        if self.speaker.fixed(self.match):
            news = self.speaker.heading_of(self.match, demand).partition(": ")[2]
        by = r.due_for(demand.seat) if r else None
        until = f" - by {self.speaker.pages.moment(by, self.reader.zone)}" if by else ""
        return self.speaker.subject(self.match, f"{again}{news}{until}")

    def next(self, demand: Demand | None = None) -> str:
        """What comes next, and from whom; nothing where nothing is owed."""
        owed = [d for _, d in self.match.due] if self.match.status == "open" else []
        if not (owed := [demand, *owed] if demand else owed):
            return ""
        mine, seats = self.reader.seat, tuple(dict.fromkeys(d.seat for d in owed))
        duty = self.speaker.duty(self.match, next((d for d in owed if d.seat == mine), owed[0]))
        side, plain = self._side(seats[0]) if len(seats) == 1 else "", duty in _ORDINARY
        return self._said("next", duty=duty, yours=mine in seats, seats=seats, side=side, plain=plain)

    # --- pieces -------------------------------------------------------------------------------------------------------

    def _told(self, entries: Iterable[Entry]) -> list[str]:
        return [words for entry in entries if entry.public and (words := self._of(entry))][-_TOLD:]

    def _of(self, entry: Entry) -> str:
        """What happened, in a few words; nothing of what follows from something else."""
        match entry.event:
            case ev.Answered(demand=demand) if demand.seat == REFEREE:
                return self._said("computed", duty=self.speaker.duty(self.match, demand))
            case ev.Answered(demand=demand, action=action):
                made = self.speaker.games[self.match.game].actions_codec.decode(action)
                if isinstance(made, GivesUpSeat):
                    return self._said("Resigned", seat=demand.seat)
                kind: type = type(made)
                words = "\n".join(str(getattr(made, name)) for name in free_text_in(kind))
                return self._ordered(demand, entry.event.text, words)
            case ev.MatchEnded():
                return ""
            case ev.RoundRevealed(answers=answers) if answers:
                if any("\n" in a.text for a in answers):
                    return self._said("RoundRevealed", e=entry.event)
                return ", ".join(self._ordered(a.demand, a.text) for a in answers)
            case ev.Lapsed(demands=missed) | ev.RoundRevealed(missing=missed):
                seats = tuple(d.seat for d in missed if d.seat != REFEREE)
                return self._said("Lapsed", seats=seats) if seats else ""
            case event:
                return self._said(type(event).__name__, e=event, seat=getattr(event, "seat", None))

    def _ordered(self, demand: Demand, text: str, words: str = "") -> str:
        """A move as people say it: "White A8"; of a seat without a colour behind the player's name. As many orders as
        there is room for, without those in which `words` of the player's own stand."""
        told, seat, duty = "", demand.seat, self.speaker.duty(self.match, demand)
        if duty.startswith("choice") and (chosen := next(_orders(text, words), "")):
            return self._said("chosen", seat=seat, what=chosen.partition(" ")[2])
        for order in _orders(text, words):
            if len(told) + len(order) > _LONGEST_ORDER:
                told += " ..." if told else ""
                break
            told += f", {order}" if told else order
        if (plain := duty.split()[-1] in _ORDINARY) and told:
            return f"{self._side(seat) or self._who((seat,)) + ':'} {told}"
        return self._said("answered", seat=seat, duty=duty, plain=plain)

    def _side(self, seat: int) -> str:
        """What players call the seat, where no other is called so: its colour."""
        game, state = self.speaker.games[self.match.game], self.match.inner
        sides = [(game.called(state, n) or ("",))[0] for n in self.match.numbers] if state else []
        own = sides[self.match.numbers.index(seat)] if seat in self.match.numbers and sides else ""
        return own.capitalize() if sides.count(own) == 1 else ""

    def _who(self, seats: Sequence[int]) -> str:
        """Seats by their players' names, or numbers where these will not do; the reader as "you", and first."""
        people = {n: plain_name(self.match.entrant(n)) or f"Player {n}" for n in seats}
        people |= {n: self._said("vacated") for n in seats if n in self.match.vacated}
        others = [people[n] for n in seats if n != self.reader.seat]
        return listed(["you"] * (self.reader.seat in seats) + others)

    def _said(self, key: str, **facts: object) -> str:
        seat, zone = facts.get("seat"), self.reader.zone
        return self.speaker.pages.headline(key, {
            "m": self.match,
            "who": self._who,
            "name": lambda person: plain_name(person) or "somebody new",
            "you": seat is not None and seat == self.reader.seat,
            "at": lambda moment: self.speaker.pages.moment(moment, zone),
            "stage": lambda label: _PLAYER.sub("", label).strip(" /,").lower() or "a turn",
            **facts,
        })  # fmt: skip


def plain_name(person: Entrant | Guest) -> str:
    """A person's name; nothing where it could be read as more than that, or is long."""
    name = called(person.name)
    plain = len(name) <= _LONGEST_NAME and not _MARKS.search(name) and name.isprintable()
    return name if plain and read_subject(name, {}).command is None else ""


def _orders(text: str, words: str = "") -> Iterator[str]:
    free = [said for said in words.splitlines() if said.strip()]
    for line in text.splitlines():
        if any(said in line for said in free):
            continue
        key, colon, value = line.strip().partition(":")
        parts = [part for part in value.strip().split(", ") if not _UNSAID.match(part)]
        if colon and parts and not _UNSAID.match(key):
            yield ", ".join(parts) if key.lower() in _ORDINARY else f"{key} {', '.join(parts)}"
        elif line.strip() and not colon and len(line.split()) < 3:
            yield line.strip().lower()
