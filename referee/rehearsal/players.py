"""Seeded players: they answer what is owed in ordinary mails, sometimes ahead of their turn
(conditional turns), sometimes wrongly, sometimes late, sometimes twice.

Each mistake takes the lines of a good form and gives those of a bad one, as people make it, or
None where the form has nothing that could be done wrong so. Whether the game minds is for the game
to say.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from referee.core import seam
from referee.core.answers import Body, GivesUpSeat
from referee.core.chance import Chance
from referee.core.game import AnyGame
from referee.core.seam import Standing
from referee.core.value import Demand, Value
from referee.match.ahead import foreseen
from referee.match.events import Entrant
from referee.match.match import Match
from referee.match.meanings import understood


class Plan(Value):
    """What to rehearse; `seats` None is the game's usual number. Of the matches 1 to `matches`
    those from `first` on, one in `stride`. `human`: bad mails have the mistakes of people instead
    of garbled words, good ones may be filled in inside the quoted letter."""

    game: str
    seats: int | None
    options: dict[str, str]
    seed: int
    matches: int
    human: bool = False
    first: int = 1
    stride: int = 1

    @property
    def numbers(self) -> range:
        return range(self.first, self.matches + 1, self.stride)


_LEFT = (
    ("records", "records"),
    ("letters to the players", "letters"),
    ("letters as they left", "mail/out/new"),
    ("mails of the players", "mail/in/cur"),
    ("site", "site/index.html"),
    ("configuration", "referee.toml"),
)


@dataclass
class Report:
    """What happened, and every law that did not hold."""

    folder: Path | None
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    outcomes: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """The counts, and the places in full: found from wherever the program was called."""
        told = [", ".join(f"{name} {count}" for name, count in sorted(self.counts.items()))]
        if self.folder is not None:
            folder = self.folder.resolve()
            told += [f"{what}: {folder / path}" for what, path in _LEFT if (folder / path).exists()]
            told.append(f"To look at all of it, open {(folder / 'index.html').as_uri()}")
        return told


FormLines = list[str]
Mistake = Callable[[FormLines, Chance], FormLines | None]

_OWN = re.compile(r"(?i)\s*(name|player|email|round|cycle)\s*:")  # a form's head, typed by nobody
_KEYED = re.compile(r"^\s*[A-Za-z ]+:\s*\S")
_WORD = re.compile(r"[A-Za-z]{5,}")
_SQUARE = re.compile(r"\b([a-oA-O])(\d{1,2})\b")
_NUMBER = re.compile(r"(?<![A-Za-z\d])\d+(?![\d.])")
_AWAY = (
    "Sorry, I am on holiday until Sunday. My answer comes when I am back.",
    "I have not had the time yet - you will hear from me tomorrow.",
    "Thanks for the letter! I must think about this one.",
)


def mistaken(body: str, chance: Chance) -> Iterator[str]:
    """The form with one mistake after another, in drawn order; the first of them has two at once."""
    lines = body.splitlines()
    drawn = [MISTAKES[i] for i in chance.shuffle(tuple(range(len(MISTAKES))), "which mistakes")]
    made = [bad for mistake in drawn if (bad := mistake(lines, chance)) is not None]
    twice = drawn[1](made[0], chance) if made else None
    for bad in ([twice] if twice else []) + made:
        if bad != lines:  # two mistakes may undo each other
            yield "\n".join(bad)


def top_posted(body: str, at: str) -> str:
    """The form filled in below a few words, inside the quoted letter, as hurried people do."""
    quoted = "\n".join(f"> {line}".rstrip() for line in body.splitlines())
    return f"I have filled it in below.\n\nOn {at}, the referee wrote:\n> Here is a form.\n>\n{quoted}"


def _orders(lines: FormLines, pattern: re.Pattern[str]) -> list[int]:
    """The lines that somebody fills in himself and that hold such a thing."""
    return [i for i, line in enumerate(lines) if not _OWN.match(line) and pattern.search(line)]


def _one(chance: Chance, found: list[int], what: str) -> int:
    return found[chance.below(len(found), what)]


def _in_a_line(pattern: re.Pattern[str], what: str, spoilt: Callable[[str, Chance], str]) -> Mistake:
    """A mistake in one of the lines that hold such a thing."""

    def mistake(lines: FormLines, chance: Chance) -> FormLines | None:
        if not (found := _orders(lines, pattern)):
            return None
        at = _one(chance, found, what)
        return [*lines[:at], spoilt(lines[at], chance), *lines[at + 1 :]]

    return mistake


def _misspelt(line: str, chance: Chance) -> str:
    """Two letters of a word change places, or one is left out."""
    word = _WORD.search(line)
    assert word is not None
    middle = word.start() + 1 + chance.below(len(word[0]) - 2, "misspelt letter")
    swapped = line[:middle] + line[middle + 1] + line[middle] + line[middle + 2 :]
    return swapped if swapped != line else line[:middle] + line[middle + 1 :]


def _forgotten(lines: FormLines, chance: Chance) -> FormLines | None:
    """A line that was to be filled in is missing; totals before all others."""
    keyed = _orders(lines, _KEYED)
    found = [i for i in keyed if lines[i].casefold().lstrip().startswith("total")] or keyed
    if not found:
        return None
    at = _one(chance, found, "forgotten line")
    return lines[:at] + lines[at + 1 :]


def _elsewhere(line: str, chance: Chance) -> str:
    """A wrong square: the row beside the right one."""
    squares = list(_SQUARE.finditer(line))
    square = squares[chance.below(len(squares), "which square")]
    row = int(square[2]) + (1 if int(square[2]) < 8 else -1)  # where boards still are
    return line[: square.start(2)] + str(row) + line[square.end(2) :]


MISTAKES: tuple[Mistake, ...] = (
    _in_a_line(_WORD, "misspelt line", _misspelt),
    _forgotten,
    _in_a_line(_SQUARE, "line of the wrong square", _elsewhere),
    _in_a_line(
        _NUMBER, "miscounted line", lambda said, _: _NUMBER.sub(lambda n: str(int(n[0]) + 1), said, 1)
    ),
    _in_a_line(_KEYED, "unfilled line", lambda line, _: f"{line.partition(':')[0]}: ..."),
)


_STEPS = 3  # one behind the other
_MOVES = 12  # of all seats, that are looked at


def said_ahead(match: Match, demand: Demand, action: Any, chance: Chance) -> str:
    """Lines to stand beside the answer: some moves of others with one's own behind each, and now
    and then one's move whatever comes. None where nothing can be said that would be taken."""
    if match.standing is None or not seam.foreseeable(match.standing.game, demand):
        return ""
    standing = _after(match.standing, demand, action)
    found = [_path(standing, demand.seat, chance) for _ in range(1 + chance.below(2, "cases"))]
    if chance.below(2, "whatever comes") == 0:
        own = (text for one, text in _course(standing, chance) if one.seat == demand.seat)
        found.append(next(map("If anything else: {}".format, own), ""))
    text = "\n".join(dict.fromkeys(line for line in found if line))
    if not text or foreseen(match, demand.seat, Body.of(text).lines, (demand, action)).complaints:
        return ""
    return text


def _path(standing: Standing, seat: int, chance: Chance) -> str:
    """A line: the move of whoever plays right before the seat, the seat's, and so on."""
    steps: list[str] = []
    before = ""
    for demand, text in _course(standing, chance):
        if demand.seat != seat:
            before = f"Player {demand.seat}: {text}"
        elif before:
            steps.append(f"{before}, then {text}")
            before = ""
        if len(steps) == _STEPS:
            break
    return f"If {', if '.join(steps)}" if steps else ""


def _course(standing: Standing, chance: Chance) -> Iterator[tuple[Demand, str]]:
    """Moves as they may come, one after the other."""
    for _ in range(_MOVES):
        owing = [d for r in standing.due for d in r.demands if not r.sealed]
        if len(owing) != 1 or not seam.foreseeable(standing.game, owing[0]):
            return
        demand = owing[0]
        answer = seam.answer_of(standing.game, demand.kind)
        move = answer.foreseen(standing.state, seam.suggest(standing.game, standing.state, demand, chance))
        if move is None:
            return
        text = seam.write(standing.game, standing.state, demand, move).replace("\n", " ")
        standing = _after(standing, demand, move)
        yield demand, text


def _after(standing: Standing, demand: Demand, action: Any) -> Standing:
    for event in seam.resolve(standing.game, standing.state, {demand: action}):
        standing = standing.after(event)
    return standing


_GREETINGS = (
    "Hello referee,",
    "Hi,",
    "Good evening!",
    "Dear collector,",
    "Hello, my orders are below, thanks.",
)
_TOP_POSTED = 9  # one good mail in so many, of people
_PUT_OFF = 4  # and one bad one in so many is preceded by an excuse
_PARTINGS = ("Thanks!", "Best wishes", "Have a nice day,", "Cheers", "Until next time")


class Sending(Value):
    """A mail on its way in. `answer` is the notice that must answer it, "" where it gets none (a second delivery under
    its Message-ID), None where any will do (what comes too late depends on the game)."""

    raw: bytes
    name: str
    seat: int
    kind: str
    message_id: str
    answer: str | None


def seeded(*parts: object) -> Chance:
    """Chance from a list of parts: the same parts, the same chance."""
    return Chance(hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest())


class Postman:
    """Writes players' mails. Everything is drawn from the seed and the match's state, so runs repeat exactly."""

    # How often it is not a plain good answer, once in so many times, 0 is never: a bad mail goes before the good one;
    # the good one comes twice; a move comes with conditional turns.
    wrong, doubled, ahead = 10, 10, 6

    def __init__(self, game: AnyGame, seed: int, collector: str, human: bool = False) -> None:
        self._human = human
        self.game = game
        self.seed = seed
        self._collector = collector
        # what was answered wrongly, to see what the refusal makes of it
        self._waits: set[tuple[str, Demand]] = set()

    def mails(
        self, match: Match, demand: Demand, at: datetime, count: int, asked: str = "", offered: str = ""
    ) -> list[Sending]:
        """What the seat sends to answer the demand: one good mail, perhaps a bad one before,
        perhaps a copy after. `asked` is the Message-ID of the letter that asks for it, where it is
        known; `offered` that of a refusal whose form an OK would send."""
        r = match.round_of(demand)
        waited = (f"{match.name} {r.label if r else ''}", demand)
        if waited in self._waits:
            if offered:
                return [self._agreed(match, demand, at, count, offered)]
        elif self._human and (first := self._easily_mended(match, demand, at, count)) is not None:
            self._waits.add(waited)
            return [first]
        chance = seeded(self.seed, match.name, match.version, demand)
        action, body = self._good(match, demand, chance)
        luck = seeded(self.seed, match.name, match.version, demand, "ahead")
        ahead = said_ahead(match, demand, action, luck) if self._now_and_then("ahead", luck) else ""
        said, to = f"{body}\n{ahead}" if ahead else body, ""
        filled = not ahead and not isinstance(action, GivesUpSeat)  # which nobody does inside a quote
        if filled and self._human and asked and chance.below(_TOP_POSTED, "top-posted") == 0:
            said, to = top_posted(body, f"{at:%d %B %Y}"), asked
        good = self.mail(match, demand, said, at, f"{count}", chance, to=to)
        one = match.ahead_of(demand.seat)
        waits = one is not None and one.plays_at is not None  # and may count before the mail comes
        sendings = [self.sending(good, f"{count:05d}d", demand, None if waits else "receipt")]
        if self._now_and_then("wrong", chance):
            tried_first = mistaken(body, chance) if self._human else [self._spoilt(body, chance)]
            spoilt = next((each for each in tried_first if self.faulty(match, demand, each)), None)
            if spoilt is not None:
                wrong = self.mail(match, demand, spoilt, at, f"{count}-wrong", chance)
                due = self._due(match, demand, spoilt)
                sendings.insert(0, self.sending(wrong, f"{count:05d}c", demand, due))
            if self._human and chance.below(_PUT_OFF, "put off") == 0:
                said = _AWAY[chance.below(len(_AWAY), "which excuse")]
                excuse = self.mail(match, demand, said, at, f"{count}-later", chance)
                sendings.insert(0, self.sending(excuse, f"{count:05d}a", demand, None))
        if self._now_and_then("doubled", chance):
            sendings.append(self.sending(good, f"{count:05d}e", demand, ""))
        return sendings

    def _good(self, match: Match, demand: Demand, chance: Chance) -> tuple[Any, str]:
        """An answer, and the form filled in with it."""
        action = seam.suggest(self.game, match.inner, demand, chance)
        return action, seam.filled_in(self.game, match.inner, demand, match.party(demand.seat), action)

    def _easily_mended(self, match: Match, demand: Demand, at: datetime, count: int) -> Sending | None:
        """Now and then a bad mail alone, where the refusal will have put all of it right: an OK is enough then."""
        chance = seeded(self.seed, match.name, match.version, demand, "ok")
        if not self._now_and_then("wrong", chance):
            return None
        _, body = self._good(match, demand, chance)
        party = match.party(demand.seat)
        for spoilt in mistaken(body, chance):
            reading = seam.read(self.game, match.inner, demand, Body.of(spoilt), party)
            mended = seam.form(self.game, match.inner, demand, party, reading)
            whole = not mended.chosen and not self.faulty(match, demand, mended.text)
            if whole and self.faulty(match, demand, spoilt):
                raw = self.mail(match, demand, spoilt, at, f"{count}-hasty", chance)
                return self.sending(raw, f"{count:05d}c", demand, self._due(match, demand, spoilt))
        return None

    def _agreed(self, match: Match, demand: Demand, at: datetime, count: int, refusal: str) -> Sending:
        """OK and nothing else, in reply to the refusal."""
        person, subject = match.entrant(demand.seat), f"Re: {self.game.title} [{match.name}]"
        message_id = f"<{match.name}-{count}-ok-{demand.seat}@players.example>"
        raw = self._written(_called(person), subject, at, message_id, refusal, "OK\n")
        return self.sending(raw, f"{count:05d}d", demand, "receipt")

    def late(self, match: Match, demand: Demand, at: datetime, count: int) -> Sending:
        """A good answer after its deadline: what becomes of it is the game's to say."""
        chance = seeded(self.seed, match.name, match.version, demand, "late")
        _, body = self._good(match, demand, chance)
        raw = self.mail(match, demand, body, at, f"{count}-late", chance)
        return self.sending(raw, f"{count:05d}z", demand, None)

    def confirmation(self, address: str, challenge: str, at: datetime) -> bytes:
        """The reply to a letter that asks whether a mail is its reader's own."""
        message_id, words = f"<yes-{challenge.strip('<>')}>", "Yes, that was me.\n"
        return self._written(address, "Re: is this mail yours?", at, message_id, challenge, words)

    def _written(
        self, sender: str, subject: str, at: datetime, message_id: str, to: str, words: str
    ) -> bytes:
        """A mail to the collector; `to` is the Message-ID of the letter it replies to."""
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = sender, self._collector, subject
        message["Date"], message["Message-ID"] = at, message_id
        if to:
            message["In-Reply-To"] = message["References"] = to
        message.set_content(words)
        return message.as_bytes()

    # --- what is not a good answer -------------------------------------------------------------------------------

    def _now_and_then(self, habit: str, chance: Chance) -> bool:
        often: int = getattr(self, habit)
        return often > 0 and chance.below(often, habit) == 0

    def faulty(self, match: Match, demand: Demand, body: str) -> bool:
        """Whether the game has a complaint: what was spoilt may be a good answer still."""
        assert match.standing is not None
        game, said = self.game, Body.of(body)
        aimed = match.standing.aimed(demand.seat, heading_kind(game, demand), said)
        reading = seam.read(game, match.inner, aimed, said, match.party(demand.seat))
        if reading.action is None or reading.complaints:
            return True
        return bool(match.standing.faults(aimed, reading))

    def _due(self, match: Match, demand: Demand, body: str) -> str | None:
        """What answers a faulty mail: a refusal, but any letter where it may be asked about."""
        kind = heading_kind(self.game, demand)
        asked = understood(match, demand.seat, kind, Body.of(body))[1].choices
        return None if asked else "refusal"

    @staticmethod
    def _spoilt(body: str, chance: Chance) -> str:
        """The same orders with one made impossible."""
        lines = [line for line in body.splitlines() if line.strip()]
        orders = [i for i, line in enumerate(lines) if ":" in line or any(c.isdigit() for c in line)] or [0]
        broken = orders[chance.below(len(orders), "which line")]
        key, colon, _ = lines[broken].partition(":")
        lines[broken] = f"{key}{colon or ':'} zz99 qqq"
        return "\n".join(lines)

    # --- the mail ------------------------------------------------------------------------------------------------

    def mail(
        self,
        match: Match,
        demand: Demand,
        body: str,
        at: datetime,
        tag: str,
        chance: Chance,
        mark: str = "",
        to: str = "",
    ) -> bytes:
        """A mail as a person writes it; `to` is the Message-ID of the letter it replies to."""
        person = match.entrant(demand.seat)
        kind = heading_kind(self.game, demand)
        heading = next(h for h, named in seam.headings(self.game).items() if named == kind)
        subject = f"{self.game.title}: {heading} / Player {demand.seat} [{match.name}]{mark}"
        message_id = f"<{match.name}-{tag}-{demand.seat}@players.example>"
        greeting = _GREETINGS[chance.below(len(_GREETINGS), "greeting")]
        parting = _PARTINGS[chance.below(len(_PARTINGS), "parting")]
        below = "" if to else f"\n\n{parting}\n{person.name}"  # the quote comes last
        return self._written(_called(person), subject, at, message_id, to, f"{greeting}\n\n{body}{below}\n")

    @staticmethod
    def sending(raw: bytes, name: str, demand: Demand, answer: str | None) -> Sending:
        start = raw.index(b"Message-ID: ") + len(b"Message-ID: ")
        message_id = raw[start : raw.index(b"\n", start)].decode().strip()
        return Sending(raw, name, demand.seat, demand.kind, message_id, answer)


def _called(person: Entrant) -> str:
    return f"{person.name} <{person.addresses[0]}>"


def heading_kind(game: AnyGame, demand: Demand) -> str:
    """The kind that a mail's heading would name: the demand's own, or that of the heading for everything."""
    kinds = list(seam.headings(game).values())
    return demand.kind if demand.kind in kinds else kinds[0]
