"""The speaker: the one writer of letters. A letter is an envelope and a page; what a page shows is
cut by the game's `view`. Which letters there are, and how each goes out, stands in `kinds.toml`;
what each tells in the file of its subject."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal, TypedDict

from referee.base import shipped
from referee.base.settings import Offices
from referee.core import seam
from referee.core.game import AnyGame, Setup, View
from referee.core.seam import opened_with
from referee.core.value import Demand, Value
from referee.letters.letter import Head, Letter, LetterPage, Recipient
from referee.letters.page_words import name_of_in
from referee.letters.rendering import Renderer
from referee.match import events as ev
from referee.match.chain import Keys
from referee.match.match import History, Match, OpenRound, RoundName
from referee.match.meanings import Drafted, drafted
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

    def page(
        self, template: str, context: Mapping[str, object], files: tuple[tuple[str, str, str], ...] = ()
    ) -> LetterPage:
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
            "name": lambda number: self.name(match, number),
            "owes": match.due if match else (),
            "vacant": match.vacant if match else (),
            "happened": lambda entry: entry.told(game) if game else None,
            "heading": lambda kind: heading_for(game, kind) if game else kind,
            "help": self.pages.help(match.game) if match else {},
            "games": self.games,
            "helps": self.pages.help,
        }

    def name(self, match: Match | None, number: int) -> str:
        """How a seat is called in letters: "Ann Archer (Player 2)"."""
        if match is None or number == 0:
            return self.offices.name
        return name_of_in(number, match)

    def owing(
        self,
        match: Match,
        r: OpenRound | None,
        demand: Demand,
        *,
        first: bool = False,
        form: str | None = None,
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
        return opened_with(game, self.setup(game)).view(None)

    def beginning(self, match: Match, history: History) -> View:
        """A match that still waits for players, as it will begin."""
        opened = next(e.event for e in history() if isinstance(e.event, ev.MatchOpened))
        setup = game_setup(match.options, opened.data, match.seats)
        return opened_with(self.games[match.game], setup).view(None)

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
