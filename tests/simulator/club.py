"""A club at play: people with habits, by a script that is drawn before anything happens.

A deed is a line: when, what, and a number that says whose, or which, of those there are then. What
it comes to hangs on the seed, the line and how all stands, on no deed before it: a script that has
lost lines can still be played.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from functools import cache
from itertools import product
from pathlib import Path
from tomllib import loads
from typing import Any, NamedTuple, TypeVar

from referee.core.chance import Chance
from referee.core.game import AnyGame
from referee.match.events import Entrant
from referee.match.match import Match, outstanding
from referee.rehearsal.laws import SentLetter
from referee.rehearsal.players import Postman, seeded

START = datetime(2026, 3, 2, tzinfo=UTC)  # soon the clocks of America and Europe change
_REPLY_TO = re.compile(r"(?m)^Reply-To: .*?([^\s<>]+@[^\s<>]+)")
_T = TypeVar("_T")


@cache
def habits() -> Mapping[str, Any]:
    """What is done in a club, how often, and what is said."""
    return loads(Path(__file__).with_name("club.toml").read_text(encoding="utf-8"))


class Deed(NamedTuple):
    """What is done in a minute, counted from the beginning."""

    minute: int
    what: str
    which: int

    def __str__(self) -> str:
        days, minutes = divmod(self.minute, 1440)
        return f"{days:03d} {minutes // 60:02d}:{minutes % 60:02d} {self.what} {self.which}"

    @classmethod
    def read(cls, line: str) -> Deed:
        """The deed of a line; what stands behind a # says what came of it."""
        day, clock, what, which = line.partition("#")[0].split()
        hours, minutes = clock.split(":")
        return cls(int(day) * 1440 + int(hours) * 60 + int(minutes), what, int(which))

    @property
    def at(self) -> datetime:
        return START + timedelta(minutes=self.minute)


class Incoming(NamedTuple):
    """On its way in. `spoken`: by a person who plays, whom somebody has to answer."""

    raw: bytes
    sender: str
    spoken: bool


def people(seed: int, count: int) -> list[Entrant]:
    names, zones = [f"{a} {b}" for a, b in product(*habits()["names"])], habits()["zones"]
    chosen = enumerate(seeded("people", seed).shuffle(names, "names")[:count])
    called = ((name, name.lower().replace(" ", "."), zones[i % len(zones)]) for i, name in chosen)
    return [Entrant(name, (f"{at}@players.example",), zone or None) for name, at, zone in called]


def script(seed: int, count: int, days: int, *kinds: str, pace: int = 1) -> list[Deed]:
    """What so many people do in so many days, of these kinds; at first matches are opened. Where all is done at another
    `pace`, what a day held takes so many, and so do the deadlines of what is opened: its number says so."""
    chance, often = seeded("script", seed), [each for kind in kinds for each in habits()[kind].items()]
    words = [what for what, times in often for _ in range(times)]
    deeds = {Deed(0, "opens", chance.below(10**6, "match")) for _ in range(2 + count // 2)}
    for _ in range(count * days):
        minute = chance.below(days * 1440 * pace, "when")
        deeds.add(Deed(minute, _one(words, chance), chance.below(10**6, "which")))
    slow = (pace - 1) * 10**6
    return sorted(deed._replace(which=deed.which + slow * (deed.what == "opens")) for deed in deeds)


def _one(items: Sequence[_T], chance: Chance) -> _T:
    return items[chance.below(len(items), "one of them")]


def _written(person: Entrant) -> str:
    return f"{person.name} <{person.addresses[0]}>"


@dataclass
class Club:
    """Who plays, what they got and write; the first two moderate. `matches` are as of the last pass."""

    seed: int
    people: list[Entrant]
    games: Mapping[str, AnyGame]
    collector: str
    folder: Path
    matches: Sequence[Match] = ()
    letters: dict[str, list[SentLetter]] = field(default_factory=dict)  # the last ones of each reader
    asked: list[SentLetter] = field(default_factory=list)  # that a Yes or No answers
    sent: list[Incoming] = field(default_factory=list)

    def read(self, letters: Iterable[SentLetter]) -> None:
        for letter in letters:
            self.letters.setdefault(letter.recipient, []).append(letter)
            del self.letters[letter.recipient][:-12]
            if letter.notice in ("challenge", "proposal"):
                self.asked = [*self.asked[-30:], letter]

    def mails(self, deed: Deed) -> list[Incoming]:
        """What is written; nothing where there is nothing to be done so."""
        written = list(_HABITS[deed.what](self, deed, seeded(self.seed, *deed)))
        self.sent = [*self.sent[-40:], *written]
        return written

    def command(self, deed: Deed) -> list[str]:
        """The words of a command line, for what is done at the shell."""
        chance, kinds = seeded(self.seed, *deed), habits()["matches"]
        if deed.what == "orders-there":
            return shlex.split(self._said("shell", deed, self.people[0], chance))
        pace = 1 + deed.which // 10**6
        game, seats, *options = kinds[deed.which % len(kinds)].split()
        seated = chance.shuffle(self.people, "seats")[: int(seats)]
        zoned = [f"{_written(person)}; {person.zone or ''}".rstrip("; ") for person in seated]
        persons = [part for person in zoned for part in ("--seat", person)]
        slower = (re.sub(r"\d+(?=d)", lambda days: str(int(days[0]) * pace), option) for option in options)
        chosen = [part for option in slower for part in ("--option", option)]
        return ["open", game, *persons, *chosen, "--seed", str(deed.which)]

    # --- habits -----------------------------------------------------------------------------------

    def _answers(self, deed: Deed, chance: Chance) -> Iterator[Incoming]:
        """What somebody owes: right, wrong first, twice, in a quote, with more ahead; or by another seat."""
        open_rounds = [(m, r) for m in self.matches if m.status == "open" for r in m.rounds]
        owing = [
            (m, d)
            for m, r in open_rounds
            for d in outstanding(m, r)
            if d.seat and m.entrant(d.seat).addresses
        ]
        if not owing:
            return
        match, demand = owing[deed.which % len(owing)]
        person, human = match.entrant(demand.seat).addresses[0], chance.below(2, "human") == 0
        own = [x for x in self.letters.get(person, ()) if x.match == match.name]
        asked = next((x.message_id for x in reversed(own) if x.notice in ("due", "reminder")), "")
        offered = own[-1].message_id if own and "with the word OK" in " ".join(own[-1].text.split()) else ""
        postman = Postman(self.games[match.game], self.seed, self.collector, human)
        number, early = deed.minute * 1000 + deed.which % 1000, chance.below(15, "early") == 0
        other = _one([match.entrant(n) for n in match.numbers if match.entrant(n).addresses], chance)
        for sending in postman.mails(match, demand, deed.at, number, asked, offered):
            if early:
                body = sending.raw.partition(b"\n\n")[2].decode()
                yield self._mail(deed, other, f"[{match.name}]", body)
                return
            yield Incoming(sending.raw, person, True)

    def _replies(self, deed: Deed, chance: Chance) -> Iterator[Incoming]:
        """Courtesy, OK or a form as it stands, to some letter; or a program answers it."""
        if not self.letters:
            return
        letter = _one(self.letters[list(self.letters)[deed.which % len(self.letters)]], chance)
        body = _one(habits()["says"][deed.what], chance).format(letter=letter, number=deed.which)
        if deed.what == "bounces":
            yield Incoming(body.encode(), "", False)
            return
        head = {"Auto-Submitted": "auto-replied"} if deed.what == "is-away" else {}
        mail = self._mail(deed, self._who(letter), f"Re: {letter.match or 'your letter'}", body, letter, head)
        yield mail._replace(spoken=mail.spoken and not head)

    def _agrees(self, deed: Deed, chance: Chance) -> Iterator[Incoming]:
        """The last questions are answered, mostly by Yes."""
        for number in range(min(len(self.asked), 1 + deed.which % 4)):
            letter, word = self.asked.pop(), "No" if chance.below(9, "no") == 0 else "Yes"
            one = deed._replace(which=deed.which * 10 + number)
            yield self._mail(one, self._who(letter), "Re: your question", word, letter)

    def _resends(self, deed: Deed, chance: Chance) -> Iterator[Incoming]:
        """A mail once more: the same, or under another Message-ID, or with another Date too."""
        if self.sent:
            mail, how = _one(self.sent, chance), chance.below(3, "how")
            new = f"Message-ID: <again{deed.which}."
            date = f"Date: {deed.at:%a, %d %b %Y %H:%M:%S} +0000"
            raw = re.sub(rb"(?m)^Message-ID: <", new.encode(), mail.raw) if how else mail.raw
            raw = re.sub(rb"(?m)^Date: .*", date.encode(), raw) if how > 1 else raw
            yield Incoming(raw, mail.sender, False)

    def _wishes(self, deed: Deed, chance: Chance) -> Iterator[Incoming]:
        """By whoever plays; by strangers who use their names; under their addresses, where the server
        has doubts; by moderators."""
        person = _one(self.people[:2] if deed.what == "orders" else self.people, chance)
        if deed.what == "strangers":
            person = Entrant(person.name, (f"someone{deed.which % 7}@elsewhere.example",))
        head = {"Authentication-Results": "mx.example; spf=fail; dkim=none; dmarc=fail"}
        what = "orders" if deed.what == "orders" else "wishes"
        subject, _, body = self._said(what, deed, person, chance).partition(" | ")
        mail = self._mail(deed, person, subject, body, None, head if deed.what == "forges" else None)
        yield mail._replace(spoken=mail.spoken and deed.what != "forges")

    # --- what they need ---------------------------------------------------------------------------

    def _who(self, letter: SentLetter) -> Entrant:
        named = (p for p in self.people if letter.recipient in p.addresses)
        return next(named, Entrant("Somebody Else", (letter.recipient,)))

    def _said(self, what: str, deed: Deed, person: Entrant, chance: Chance) -> str:
        """One of the things that are said so, about what there is to be named."""
        own = [match for match in self.matches if match.seat_of(person.addresses[0])]
        named = (own or self.matches, self.matches)
        match, other = (_one(each, chance) if each else None for each in named)
        line: str = _one(habits()["says"][what], chance)
        return line.format(
            match=match.name if match else "cup-1",
            other=other.name if other else "cup-1",
            folder=self.folder,
            position=1 + chance.below(max(match.position, 1) if match else 1, "position"),
            day=f"{deed.at + timedelta(days=1):%Y-%m-%d}",
            later=f"{deed.at + timedelta(days=5):%Y-%m-%d}",
            person=_written(_one(self.people, chance)),
            address=_one(self.people, chance).addresses[0],
            new=f"new.{person.addresses[0]}",
            game=_one(list(self.games), chance),
        )

    def _mail(
        self,
        deed: Deed,
        person: Entrant,
        subject: str,
        body: str,
        to: SentLetter | None = None,
        head: Mapping[str, str] | None = None,
    ) -> Incoming:
        message = EmailMessage()
        office = _REPLY_TO.search(to.head) if to is not None else None
        message["From"], message["To"] = _written(person), office[1] if office else self.collector
        message["Subject"], message["Date"] = subject, deed.at
        message["Message-ID"] = f"<{deed.minute}.{deed.what}.{deed.which}@players.example>"
        if to is not None:
            message["In-Reply-To"] = to.message_id
        for key, value in (head or {}).items():
            message[key] = value
        message.set_content(f"{body}\n")
        return Incoming(message.as_bytes(), person.addresses[0], person in self.people)


_HABITS: Mapping[str, Callable[[Club, Deed, Chance], Iterator[Incoming]]] = {
    "answers": Club._answers,
    "agrees": Club._agrees,
    "resends": Club._resends,
    **dict.fromkeys(("replies", "is-away", "bounces"), Club._replies),
    **dict.fromkeys(("wishes", "strangers", "forges", "orders"), Club._wishes),
}
