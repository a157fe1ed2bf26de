"""Words about the reader are to the reader: whatever happens to a seat, the letters of its player say "you", with a
greeting and in their zone, and those of all others name the player. And an ending stands in a letter once."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from referee.match import commands as do
from referee.match import events as ev
from referee.match.match import Match
from tests.attacks.test_thanks_that_order import GAMES, Club, opened
from tests.offices.stage import answer_text, owing, subject_of
from tests.world import sent

_DID = (
    r"(?:resign|miss|has missed|is away|has left|pass|sent no valid|counts? as|has run out|wins|gives up|has no sub"
    r"|plays from|stands in)"
)
_LEFT_UNDONE = r"(?:nothing valid came|came in time|No move came|Nothing has come|Nothing came)"
_SAID = re.compile(r"resigned\.|ran out of time\.")


def resigns(club: Club) -> int:
    seat = owing(club.match)[0].seat
    proven = next(x.message["Reply-To"] for x in club.letters[seat] if "+" in x.message["Reply-To"])
    club.mail(seat, f"resign {club.name}", "", To=str(proven))
    return seat


def lapses(club: Club) -> int:
    r, seat = club.match.rounds[0], owing(club.match)[0].seat
    for demand in owing(club.match)[1:]:
        club.mail(demand.seat, subject_of(club.match, demand), answer_text(club.match, demand, 1))
    if r.due_at is not None:
        club.step()
        club.at = r.due_at
    return seat


def is_vacated(club: Club) -> int:
    club.stage.desk(club.name, ev.SeatVacated(1, "because"), club.at)
    return 1


def goes_away(club: Club) -> int:
    until = club.at + timedelta(days=9)
    club.stage.desk(
        club.name, do.TakeAbsence(1, club.at + timedelta(days=1), until, timedelta(days=30)), club.at
    )
    return 1


# what one of the letters to the seat's own player says
_TOLD = {
    resigns: re.compile(r"\b[Yy]ou (?:resigned|leave|left|gave)|[Yy]our mail arrived"),
    lapses: re.compile(r"You missed the deadline"),
    is_vacated: re.compile(r"Your seat in"),
    goes_away: re.compile(r"You are away from"),
}


def check(text: str, match: Match, reader: int) -> None:
    """A letter of the reader's own names them by no name beside what they did."""
    words = " ".join(text.partition("\n\n")[2].split())
    called = re.escape(f"{match.entrant(reader).name} (Player {reader})")
    assert not re.search(rf"(?<!of ){called} {_DID}", words), text
    assert not re.search(rf"{_LEFT_UNDONE}[^.:]*{called}", words), text
    assert not re.search(r"\b[Tt]he opponent\b(?= (?:resigned|ran))", words), text
    assert len(_SAID.findall(words)) <= 1, text


@pytest.mark.parametrize("happens", _TOLD, ids=lambda happens: happens.__name__)
@pytest.mark.parametrize("kind", GAMES)
def test_every_reader_is_spoken_to(tmp_path: Path, kind: str, happens: Callable[[Club], int]) -> None:
    club = opened(tmp_path, kind, 5)
    if happens is lapses and club.match.rounds[0].due_at is None:
        pytest.skip("no deadline")
    sitting = club.match
    seats = {sitting.entrant(number).addresses[0]: number for number in sitting.numbers}
    seat = happens(club)
    club.at += timedelta(minutes=1)
    club.stage.step(club.at)
    spoken = False
    for parcel in club.stage.new_letters():
        letter, reader = sent(parcel.raw.replace(b"\r\n", b"\n")), seats.get(parcel.recipient, 0)
        if reader and letter.message["X-Referee-Notice"] != "challenge":
            check(letter.text, sitting, reader)
            spoken |= reader == seat and _TOLD[happens].search(" ".join(letter.text.split())) is not None
    assert spoken, [p.raw.decode() for p in club.stage.sent[-3:]]
