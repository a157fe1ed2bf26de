"""Contract, 'Mail in': an unchanged quote, of any letter, is never an order. Whole matches are played at the real desk;
at every stand players answer letters that they got, in every way that mail programs quote, with words that order
nothing. And the other way round: a form that is really filled in inside a letter counts as ever."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.message import EmailMessage
from html import escape
from pathlib import Path
from typing import Any

import pytest

from referee.base.ports import Parcel
from referee.core import seam
from referee.core.value import Demand
from referee.match import commands as do
from referee.match import events as ev
from referee.match.match import Match
from referee.service.wiring import Referee
from tests.attacks.coming_back import NOTHING, QUOTED, WAYS, WITHOUT_WORDS, Way
from tests.memory import NOON, Stage, answer_text, game_of, owing, subject_of
from tests.sampling import long, one_in
from tests.world import Sent, sent

GAMES: dict[str, tuple[str, int, dict[str, str]]] = {
    "go, in parallel": ("multigo", 3, {"board": "9x9", "order": "parallel"}),
    "go, in parallel, coop": ("multigo", 4, {"board": "9x9", "order": "parallel", "coop": "on"}),
    "go, in turns": ("multigo", 2, {"board": "9x9"}),
    "onepiece of two": ("onepiece", 2, {}),
    "onepiece of four": ("onepiece", 4, {}),
    "buttons": ("buttons", 2, {}),
    "buttons, solo": ("buttons", 1, {"mode": "solo"}),
    "morris": ("morris", 2, {}),
    "fourplay": ("fourplay", 4, {}),
}
OFFICES = ("collector@referee.localhost", "speaker@referee.localhost")
ASKED = ("help", "status", "board", "record", "rules", "games")


@dataclass
class Club:
    """A match under way, and who has which letters."""

    stage: Stage
    name: str
    chance: random.Random
    at: datetime = NOON
    letters: dict[int, list[Sent]] = field(default_factory=dict)
    written: int = 0

    @property
    def match(self) -> Match:
        return self.stage.match(self.name)

    def step(self, **span: float) -> None:
        """A pass; the letters that left are handed out."""
        self.at += timedelta(**(span or {"minutes": 1}))
        self.stage.step(self.at)
        self._hand_out(self.stage.new_letters())

    def _hand_out(self, parcels: list[Parcel]) -> None:
        match = self.match
        seats = {match.entrant(number).addresses[0]: number for number in match.numbers}
        for parcel in parcels:
            if parcel.recipient in seats:
                self.letters.setdefault(seats[parcel.recipient], []).append(
                    sent(parcel.raw.replace(b"\r\n", b"\n"))
                )

    def mail(self, seat: int, subject: str, body: str, **headers: str) -> None:
        person = self.match.entrant(seat)
        self.stage.write(f"{person.name} <{person.addresses[0]}>", subject, body, self.at, **headers)

    def play(self, demand: Demand, *, seed: int = 0) -> None:
        """What a seat does about its duty: tries it, gets it wrong, answers; where it may, twice."""
        match, subject = self.match, subject_of(self.match, demand)
        body = answer_text(match, demand, seed)
        self.mail(demand.seat, f"{subject}?", body)
        self.mail(demand.seat, f"{subject}?", "Move: zz99 qqq")
        self.mail(demand.seat, subject, f"{body}\nMove: zz99 qqq")
        self.step()
        self.mail(demand.seat, subject, body)
        r = self.match.round_of(demand)
        if r is not None and r.answers == "last":
            self.step()
            self.mail(demand.seat, subject, answer_text(match, demand, seed + 1))

    def reply(self, letter: Sent, way: Way, own: str, text: str = "", page: str = "") -> bytes:
        """What a mail program makes of a reply; `text` and `page` are the letter's own unless it was changed."""
        self.written += 1
        message, mail = letter.message, EmailMessage()
        mail["From"] = str(message["To"])
        mail["To"] = self.chance.choice([str(message["Reply-To"]), *OFFICES])
        mail["Subject"] = (
            f"{self.chance.choice(['Re: ', 'AW: ', 'RE: '])}{letter.subject.removeprefix('Re: ')}"
        )
        mail["Date"] = self.at
        mail["Message-ID"] = f"<back-{self.written}@players.example>"
        seen = way not in WITHOUT_WORDS and "-- \n" not in own  # that a letter is there
        if text or not seen or self.chance.randrange(8):  # some programs name no letter
            mail["In-Reply-To"] = message["Message-ID"]
            mail["References"] = f"{message['References'] or ''} {message['Message-ID']}".strip()
        way(mail, own, text or letter.text, page or page_of(letter))
        return mail.as_bytes()


def page_of(letter: Sent) -> str:
    part = letter.message.get_body(("html",))
    return str(part.get_content()).partition("<body>")[2].partition("</body>")[0] if part else ""


def opened(folder: Path, kind: str, seed: int) -> Club:
    game, seats, options = GAMES[kind]
    stage = Stage(folder)
    club = Club(stage, stage.open(game, seats, **options), random.Random(f"{kind} {seed}"))
    club.step()
    return club


def stands(club: Club, most: int) -> Iterator[None]:
    """The match as it goes on: before each answer, after it, and after what the moderator and the clock do."""
    for turn in range(most):
        if club.match.status == "ended" or not owing(club.match):
            return
        yield
        for demand in owing(club.match):
            if demand in owing(club.match):
                club.play(demand, seed=2 * turn)
                club.step()
                yield
        if turn == 1 and club.match.status != "ended":
            _all_sorts(club)
            yield


def _all_sorts(club: Club) -> None:
    """Letters of every other kind: what one may ask, words, more time, a duty recalled and a deadline missed."""
    for seat in club.match.numbers:
        for word in ASKED:
            club.mail(seat, f"{word} {club.name}", "")
        club.mail(seat, f"press {club.name}", "Good luck to all")
    club.step()
    timed = any(r.due_for(d.seat) for r in club.match.rounds for d in r.demands)
    more = (do.Extend("why", by=timedelta(days=2)),) if timed else ()
    for command in (ev.MatchPaused("why"), ev.MatchResumed("why"), *more):
        club.stage.desk(club.name, command, club.at)
        club.step()
    for days in (5, 5):
        club.step(days=days)


def facts(referee: Referee, club: Club, raw: bytes) -> dict[str, Any]:
    return referee.inquiry.read(raw, club.at + timedelta(seconds=30))


Found = list[tuple[str, str, str, str, str]]


def thanked(folder: Path, kind: str, seed: int, turns: int, each: int) -> tuple[Counter[str], Found]:
    """How many mails of words alone were read, by the letter they answer; and those that came to anything."""
    club, counts, found = opened(folder, kind, seed), Counter[str](), Found()
    for _ in stands(club, turns):
        version = club.match.version
        with club.stage.referee() as referee:
            for seat in club.letters:
                for _ in range(each):
                    letter = _drawn(club, seat)
                    name, own = club.chance.choice(sorted(WAYS)), club.chance.choice(NOTHING)
                    other = _drawn(club, seat) if club.chance.random() < 0.25 else letter
                    shown = (
                        () if other is letter else (other.text, page_of(other))
                    )  # not the one that is answered
                    said = facts(referee, club, club.reply(letter, WAYS[name], own, *shown))
                    counts[letter.kind] += 1
                    if said["disposition"] != "answered":
                        found.append((letter.kind, letter.subject, name, own, str(said)))
        assert club.match.version == version
    return counts, found


def _drawn(club: Club, seat: int) -> Sent:
    """A letter of the seat: as often a new one as any, and one of each kind as often as of any other."""
    mine = club.letters[seat]
    if club.chance.random() < 0.5:
        return club.chance.choice(mine[-4:])
    kind = club.chance.choice(sorted({letter.kind for letter in mine}))
    return club.chance.choice([letter for letter in mine if letter.kind == kind])


@pytest.mark.parametrize(
    ("seed", "turns", "each"), [(1, 1, 12), *long(*((seed, 12, 20) for seed in range(10, 14)))]
)
@pytest.mark.parametrize("kind", one_in(9, GAMES))
def test_thanks_above_any_letter_orders_nothing(
    tmp_path: Path, kind: str, seed: int, turns: int, each: int
) -> None:
    counts, found = thanked(tmp_path, kind, seed, turns, each)
    print(f"{kind}: {counts.total()} mails, above {dict(counts)}")
    assert not found, f"{len(found)} of {counts.total()}: {found[0]}"


# --- the other way round: a form that is filled in inside the letter -------------------------------------------------


def filled_in(folder: Path, kind: str, seed: int, turns: int, each: int) -> tuple[int, Found]:
    """How many letters with forms filled in came back, and those that did not count."""
    club, written, lost = opened(folder, kind, seed), 0, Found()
    for _ in stands(club, turns):
        match = club.match
        with club.stage.referee() as referee:
            for demand in owing(match):
                form = seam.form(game_of(match), match.inner, demand, match.party(demand.seat)).text
                asking = [
                    x for x in club.letters[demand.seat] if form in x.text and x.kind in ("due", "reminder")
                ]
                wanted = answer_text(match, demand, seed)
                for _ in range(each if asking and wanted != form else 0):
                    letter, name = asking[-1], club.chance.choice(sorted(QUOTED))
                    text = put_in(letter.text, form, wanted)
                    page = put_in(page_of(letter), escape(form), escape(wanted))
                    own = club.chance.choice(NOTHING)
                    said = facts(referee, club, club.reply(letter, QUOTED[name], own, text, page))
                    written += 1
                    if said["disposition"] != "accepted":
                        lost.append((letter.kind, letter.subject, name, own, str(said)))
    return written, lost


def put_in(page: str, form: str, wanted: str) -> str:
    before, _, after = page.rpartition(form)
    return f"{before}{wanted}{after}"


@pytest.mark.parametrize(
    ("seed", "turns", "each"), [(2, 1, 3), *long(*((seed, 12, 10) for seed in range(20, 23)))]
)
@pytest.mark.parametrize("kind", one_in(5, GAMES))
def test_a_form_filled_in_inside_any_quote_still_counts(
    tmp_path: Path, kind: str, seed: int, turns: int, each: int
) -> None:
    written, lost = filled_in(tmp_path, kind, seed, turns, each)
    print(f"{kind}: {written} mails")
    assert written
    assert not lost, f"{len(lost)} of {written}: {lost[0]}"


def test_what_was_tried_and_is_sent_again_counts_as_often_as_a_letter_repeats_it(tmp_path: Path) -> None:
    """The same lines as the preview shows, long words among them, typed or pasted below nothing else of that letter."""
    club = opened(tmp_path, "go, in turns", 1)
    demand = owing(club.match)[0]
    body = "Move: C3\nComment: I think that this is going to be\na very long and a very interesting game for us all"
    club.mail(demand.seat, f"{subject_of(club.match, demand)}?", body)
    club.step()
    (tried,) = [letter for letter in club.letters[demand.seat] if letter.kind == "preview"]
    with club.stage.referee() as referee:
        said = facts(referee, club, club.reply(tried, QUOTED["marked, english"], body, tried.text))
        assert said["disposition"] == "accepted", said
        said = facts(referee, club, club.reply(tried, WITHOUT_WORDS[-1], body))
        assert said["disposition"] == "accepted", said


def test_the_head_above_a_quote_that_reads_like_a_line_far_below_hides_nothing_between(
    tmp_path: Path,
) -> None:
    """A letter that tells what was revealed above the subject to write under, quoted below a head with that subject."""
    club = opened(tmp_path, "go, in parallel", 3)
    for demand in owing(club.match):
        club.mail(demand.seat, subject_of(club.match, demand), answer_text(club.match, demand, 1))
    club.step()
    asking = [letter for letter in club.letters[1] if letter.kind == "due"][-1]
    assert "is revealed" in asking.text
    below = QUOTED["under a head, english"]  # "Subject: Go: Move / Player 1"
    with club.stage.referee() as referee:
        for own in NOTHING[:4]:
            said = facts(referee, club, club.reply(asking, below, own, asking.text))
            assert said["disposition"] == "answered", said
