"""The speaker: notices and verdicts to letters. What a letter shows is cut by the game's `view`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Protocol

from referee.core.chance import RECIPE
from referee.core.diagram import Diagram
from referee.core.difference import difference
from referee.core.game import Demand, View
from referee.match import events as ev
from referee.match.announce import Notice
from referee.match.chain import stamp
from referee.match.events import Entry
from referee.match.match import AnyGame, Match, OpenRound, owed
from referee.match.sealing import SEAL_RECIPE, Keys
from referee.offices.letters import Letter
from referee.offices.settings import Offices

_REPLIES = {
    "due",
    "refusal",
    "reminder",
    "preview",
    "receipt",
    "ignored",
    "opened",
    "help",
    "status",
    "challenge",
}
# What the header calls letters whose template has a name of its own (contract, "Mail out").
_NOTICES = {
    "joined": "receipt",
    "observing": "receipt",
    "zone": "receipt",
    "too_large": "refusal",
    "games": "help",
    "board": "status",
}
_SPEAKER = {
    "opened",
    "due",
    "announcement",
    "reminder",
    "lapsed",
    "rewound",
    "extended",
    "ended",
    "press",
    "digest",
}


_VIEWS_AT_HAND = 64


class Pages(Protocol):
    """The renderer: a template and its context to plain text and HTML."""

    def letter(self, template: str, context: Mapping[str, Any]) -> tuple[str, str]: ...
    def clock(self, zone: str | None) -> Any: ...
    def help(self, game: str) -> Mapping[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Answering:
    """The mail a letter answers: its sender, subject, ids, and a key that tells it from all others."""

    address: str
    name: str
    subject: str
    message_id: str | None
    references: tuple[str, ...]
    identity: str
    zone: str | None = None

    @property
    def thread(self) -> str | None:
        return self.references[0] if self.references else self.message_id


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads a letter: a seat's person, an observer (seat None), or a stranger."""

    address: str
    name: str
    seat: int | None
    zone: str | None = None


class Speaker:
    """Writes letters. Ids are keyed hashes: nothing can be read off them, and the same cause gives the same id."""

    def __init__(self, pages: Pages, keys: Keys, offices: Offices, games: Mapping[str, AnyGame]) -> None:
        self._pages = pages
        self.keys = keys
        self._offices = offices
        self._games = games
        self._views: dict[tuple[int, int | None], tuple[Match, View]] = {}

    # --- what follows from a match's entries -------------------------------------------------------------------

    def told(
        self,
        match: Match,
        notices: Iterable[Notice],
        cause: str,
        now: datetime,
        why: str = "",
        before: Match | None = None,
    ) -> list[Letter]:
        """The letters of a stimulus: one for each notice and reader. `cause` tells the stimulus from all others;
        `before` is the match as it stood, for the difference that a rewind makes."""
        letters: list[Letter] = []
        for index, notice in enumerate(notices):
            readers = self._readers(match, notice.seats)
            pages: tuple[str, str, Diagram | None] | None = None
            for reader in readers:
                if pages is None or notice.seats is not None:
                    pages = self._pages_of(
                        match, notice, reader if notice.seats is not None else None, why, before
                    )
                key = ("letter", match.name, cause, str(index), notice.kind, str(reader.seat), reader.address)
                letters.append(self._match_letter(match, notice, reader, pages, key, now))
        return letters

    def delayed(
        self, match: Match, r: OpenRound, due: datetime, until: datetime, now: datetime
    ) -> list[Letter]:
        """To all, that the ruling on a round waits, and until when at most; nothing about whom it waits for."""
        notice = Notice("announcement", None, round=r)
        context = {**self.context(match, None), "notice": notice, "due_at": due, "until": until}
        text, html = self._pages.letter("referee/delayed.j2", context)
        pages = text, html, None
        return [
            self._match_letter(
                match, notice, reader, pages, ("delayed", match.name, due.isoformat(), reader.address), now
            )
            for reader in self._readers(match, None)
        ]

    def _readers(self, match: Match, seats: tuple[int, ...] | None) -> list[Reader]:
        numbers = match.numbers if seats is None else seats
        people = [(n, match.entrant(n)) for n in numbers]
        readers = [Reader(p.addresses[0], p.name, n, p.zone) for n, p in people if p.addresses]
        if seats is None:
            readers += [Reader(address, "", None) for address in match.observers]
        return readers

    def _pages_of(
        self, match: Match, notice: Notice, reader: Reader | None, why: str, before: Match | None
    ) -> tuple[str, str, Diagram | None]:
        context = self.context(match, reader)
        if notice.kind == "rewound":
            context["view"] = self._with_difference(context["view"], before)
        context.update(notice=notice, entries=notice.entries, why=why)
        if notice.round and notice.demand:
            context.update(self._owing(match, notice.round, notice.demand, first=notice.first))
        text, html = self._pages.letter(f"referee/{notice.kind}.j2", context)
        view = context["view"]
        return text, html, view.diagram if view else None

    def _with_difference(self, view: View | None, before: Match | None) -> View | None:
        """The view with what a rewind changed marked on its board (611)."""
        was = self.view(before, None)
        if view is None or was is None or view.diagram is None or was.diagram is None:
            return view
        return replace(view, diagram=difference(was.diagram, view.diagram))

    def _match_letter(
        self,
        match: Match,
        notice: Notice,
        reader: Reader,
        pages: tuple[str, str, Diagram | None],
        key: tuple[str, ...],
        now: datetime,
    ) -> Letter:
        text, html, diagram = pages
        root = self._id("thread", match.name, reader.address)
        first = notice.kind == "opened" and any(isinstance(e.event, ev.MatchOpened) for e in notice.entries)
        form = self._form(match, notice.demand) if notice.demand else ""
        return Letter(
            notice.kind, "speaker", self._reply_office(notice.kind), reader.address, reader.name,
            self._subject(match, notice), text, html, root if first else self._id(*key), now,
            references=() if first else (root,), match=match.name,
            position=match.position if notice.seats is None else None, diagram=diagram, seat=reader.seat, form=form,
            token=self._token(match, reader.seat),
        )  # fmt: skip

    # --- what answers a mail -----------------------------------------------------------------------------------

    def answer(
        self,
        template: str,
        to: Answering,
        now: datetime,
        context: Mapping[str, Any],
        match: Match | None = None,
        seat: int | None = None,
        attachments: tuple[tuple[str, str, str], ...] = (),
        kind: str | None = None,
        about: str = "",
    ) -> Letter:
        """The answer to one mail, to its sender only: the template, and what the header calls it; `about` as in
        Letter."""
        kind = kind or _NOTICES.get(template, template)
        zone = match.entrant(seat).zone if match and seat else to.zone
        called = match.entrant(seat).name if match and seat else to.name
        reader = Reader(to.address, called, seat, zone)
        full = {**self.context(match, reader), **context, "subject": to.subject}
        text, html = self._pages.letter(f"referee/{template}.j2", full)
        references = (*to.references, *((to.message_id,) if to.message_id else ()))
        return Letter(
            kind, self._office(kind), self._reply_office(kind), to.address, to.name,
            self._reply_subject(to.subject, match), text, html,
            self._id("answer", to.identity, kind, to.address), now, "auto-replied", to.message_id, references[-20:],
            match.name if match else None, None, full["view"].diagram if full["view"] else None, attachments,
            seat, str(context.get("form") or ""), self._token(match, seat), about=about,
        )  # fmt: skip

    def challenge(
        self, match: Match, seat: int, address: str, identity: str, now: datetime, context: Mapping[str, Any]
    ) -> Letter:
        """To a registered address: is this mail yours? Its reply is told by its Message-ID, which nobody else knows."""
        person = match.entrant(seat)
        reader = Reader(address, person.name, seat, person.zone)
        text, html = self._pages.letter("referee/challenge.j2", {**self.context(match, reader), **context})
        subject = f"[{match.name}] {self._games[match.game].title}: is this mail yours?"
        root = self._id("thread", match.name, address)
        return Letter(
            "challenge", "collector", "collector", address, person.name, subject, text, html,
            self._id("challenge", identity, address), now, references=(root,), match=match.name, seat=seat,
            about=identity,
        )  # fmt: skip

    def digest(self, address: str, letters: Sequence[Letter], now: datetime) -> Letter:
        """Public letters of a day in one."""
        reader = Reader(address, letters[0].recipient_name, None)
        text, html = self._pages.letter(
            "referee/digest.j2", {**self.context(None, reader), "letters": letters}
        )
        matches = list(dict.fromkeys(letter.match for letter in letters if letter.match))
        subject = (
            f"{len(letters)} public {'letter' if len(letters) == 1 else 'letters'}: {', '.join(matches)}"
        )
        return Letter(
            "digest", "speaker", "collector", address, letters[0].recipient_name, subject[:200], text, html,
            self._id("digest", address, *(letter.message_id for letter in letters)), now,
        )  # fmt: skip

    def _token(self, match: Match | None, seat: int | None) -> str:
        """The token of a seat's reply address; none for whoever has no seat."""
        if match is None or not seat:
            return ""
        return self.keys.reply_token(match.name, seat, match.renewals.get(seat, 0))

    def alarm(self, subject: str, key: tuple[str, ...], now: datetime, context: Mapping[str, Any]) -> Letter:
        """A letter to the moderator."""
        reader = Reader(self._offices.moderator, "Moderator", None)
        text, html = self._pages.letter("referee/alarm.j2", {**self.context(None, reader), **context})
        return Letter(
            "alarm", "speaker", "moderator", reader.address, reader.name, subject, text, html,
            self._id("alarm", *key), now,
        )  # fmt: skip

    # --- contexts ----------------------------------------------------------------------------------------------

    def context(self, match: Match | None, reader: Reader | None) -> dict[str, Any]:
        """What every template may use. In public letters (`reader` None) times are in the referee's own zone."""
        game = self._games[match.game] if match else None
        seat = reader.seat if reader else None
        view = self.view(match, seat)
        return {
            "referee": self._offices,
            "match": match,
            "game": game,
            "view": view,
            "public": self.view(match, None),
            "reader": reader,
            "seat": seat,
            "when": self._pages.clock(reader.zone if reader else None),
            "name": lambda number: self.name(match, number),
            "owes": self._owes(match, game),
            "happened": lambda entry: self._happening(match, entry),
            "draw_recipe": RECIPE,
            "seal_recipe": SEAL_RECIPE,
            "stamp": stamp,
            "heading": lambda kind: self._heading(game, kind) if game else kind,
            "help": self._pages.help(match.game) if match else {},
            "games": self._games,
            "helps": self._pages.help,
        }

    def view(self, match: Match | None, seat: int | None) -> View | None:
        if match is None or match.inner is None:
            return None
        known = self._views.get((id(match), seat))
        if known is not None and known[0] is match:
            return known[1]
        if len(self._views) > _VIEWS_AT_HAND:
            self._views.clear()
        view = self._games[match.game].view(match.inner, seat)
        self._views[id(match), seat] = (match, view)
        return view

    def name(self, match: Match | None, number: int) -> str:
        """How a seat is called in letters: "Ann Archer (Player 2)"."""
        if match is None or number == 0:
            return self._offices.name
        if not match.seating:
            return match.entrant(number).name
        return f"{match.entrant(number).name} (Player {number})"

    def _happening(self, match: Match | None, entry: Entry) -> Any:
        """The game's own event in an entry, decoded; None for the match's events."""
        if match is None or not isinstance(entry.event, ev.Happened):
            return None
        return self._games[match.game].events_codec.decode(entry.event.event)

    def _owing(self, match: Match, r: OpenRound, demand: Demand, *, first: bool) -> dict[str, Any]:
        return {
            "round": r,
            "demand": demand,
            "due_at": r.due_for(demand.seat),
            "form": self._form(match, demand),
            "first": first,
            "send_to": self._offices.collector,
            "send_as": self.order_subject(match, demand),
        }

    def owing(self, match: Match, r: OpenRound, demand: Demand) -> dict[str, Any]:
        """The context of what a seat owes, for answers."""
        return self._owing(match, r, demand, first=False)

    def _owes(self, match: Match | None, game: AnyGame | None) -> list[tuple[OpenRound, Demand]]:
        return list(owed(match, game)) if match and game and match.status in ("open", "paused") else []

    def _form(self, match: Match, demand: Demand, draft: Any = None) -> str:
        game = self._games[match.game]
        return game.form(match.inner, demand, match.party(demand.seat), draft)

    def form(self, match: Match, demand: Demand, draft: Any = None) -> str:
        """The form of a demand, with the faults of a draft mended."""
        return self._form(match, demand, draft)

    # --- subjects and ids --------------------------------------------------------------------------------------

    def order_subject(self, match: Match, demand: Demand) -> str:
        """The subject under which an answer to the demand is sent."""
        game = self._games[match.game]
        return f"{game.title}: {self._heading(game, demand.kind)} / Player {demand.seat} [{match.name}]"

    @staticmethod
    def _heading(game: AnyGame, kind: str) -> str:
        headings = [heading for heading, of in game.headings.items() if of == kind]
        return headings[0] if headings else next(iter(game.headings))

    def _subject(self, match: Match, notice: Notice) -> str:
        title = self._games[match.game].title
        if notice.kind in ("due", "reminder") and notice.demand:
            subject = self.order_subject(match, notice.demand)
            return f"Reminder: {subject}" if notice.kind == "reminder" else subject
        labels = [e.event.label for e in notice.entries if isinstance(e.event, _LABELLED) and e.event.label]
        about = labels[0] if labels else ""
        words = {
            "opened": "the match is open",
            "announcement": about
            or (f"{notice.round.label}: the ruling waits" if notice.round else "announcement"),
            "lapsed": f"the time is over: {about}",
            "extended": f"new deadline: {about}" if about else "new deadlines",
            "rewound": f"rewound to {about}",
            "ended": "the match has ended",
            "press": "words of a player",
        }
        if notice.kind == "rewound":
            back = [e.event.label for e in notice.entries if isinstance(e.event, ev.MatchRewound)]
            words["rewound"] = f"rewound to {back[0]}"
        return f"[{match.name}] {title}: {words.get(notice.kind, notice.kind)}"

    @staticmethod
    def _reply_subject(subject: str, match: Match | None) -> str:
        bare = " ".join(subject.split()) or "your mail"
        while bare[:3].casefold() == "re:":
            bare = bare[3:].strip()
        bare = bare.rstrip("?").rstrip()[:180]
        tag = f" [{match.name}]" if match and f"[{match.name}]" not in bare else ""
        return f"Re: {bare}{tag}"

    def _id(self, *parts: str) -> str:
        """An opaque, repeatable Message-ID."""
        host = self._offices.speaker.rpartition("@")[2]
        return f"<{self.keys.derive('message-id', *parts)[:40]}@{host}>"

    @staticmethod
    def _office(kind: str) -> str:
        return "speaker" if kind in _SPEAKER else "collector"

    @staticmethod
    def _reply_office(kind: str) -> str:
        return "collector" if kind in _REPLIES else "speaker"


_LABELLED = (ev.Answered, ev.RoundRevealed, ev.Lapsed, ev.DeadlineMoved, ev.TurnRuled)


def record_json(record: Mapping[str, Any]) -> str:
    """A record as the file that is mailed."""
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"
