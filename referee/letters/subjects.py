"""Subjects of letters about a match: `[name] Title: ` and a piece of news, or the heading where the
rules fix it, and until when something is owed. Their words stand in `subjects.toml`."""

import re
from collections.abc import Iterable, Iterator, Sequence

from referee.club.events import Guest
from referee.core.answers import GivesUpSeat
from referee.core.texts.speech import called
from referee.core.value import REFEREE, Demand, Value, free_text_in
from referee.letters.letter import Recipient
from referee.letters.page_words import listed
from referee.letters.speaker import Speaker
from referee.mail.read.subject import read_subject
from referee.match import events as ev
from referee.match.events import Entrant, Entry
from referee.match.match import Match, OpenRound
from referee.match.notices import Notice

_TOLD, _LONGEST_NAME, _LONGEST_ORDER = 2, 24, 40  # events that a subject names; signs of names, of orders
_UNSAID = re.compile(r"(?:Player|Round|Cycle|Comment)\b|.*\bPlayer \d", re.IGNORECASE)
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
        if told and duty.split()[-1] in _ORDINARY:
            return f"{self._side(seat) or self._who((seat,)) + ':'} {told}"
        return self._said("answered", seat=seat, duty=duty)

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
