"""Subjects are news in one shape: the match, its game, and what happened, or what is asked and until when; and of ours
that come back only what is added is read."""

import re
import tomllib
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from referee.core.seam import headings
from referee.games import found
from referee.letters import speaker
from referee.mail.read.subject import added, read_subject
from referee.match import events as ev
from tests.laws.walks import KINDS
from tests.world import Sent, Table

PEOPLE = [f"{name} <{name[0].lower()}@example.org>" for name in ("Ann", "Ben", "Cleo", "Dan")]
TITLES = {title: slug for slug, game in found().items() for title in game.titles}
EMPTY = re.compile(
    r"(?:announcement|an event|nothing is done|done|news|your mail|refused|received|status|no order|ended"
    r"|what became of your mail)\.?",
    re.I,
)
WORDS = tomllib.loads(Path("templates/referee/subjects.toml").read_text())
# what does not end the seat: heard by all
TOLD = {kind.__name__ for kind in ev.KINDS if issubclass(kind, ev.Told) and not issubclass(kind, ev.Answered)}


def news(letter: Sent) -> str:
    """What the subject of a letter about a match says behind match and game, which stand there in one shape."""
    shape = re.fullmatch(r"\[([^\]]+)\] (.+?): (\S.*)", letter.subject)
    assert shape, letter.subject
    assert shape[1] == letter.match, letter.subject
    assert shape[2] in TITLES, letter.subject
    assert shape[3][0] == shape[3][0].upper(), letter.subject
    return shape[3]


def told(letters: list[Sent]) -> Iterator[str]:
    for letter in letters:
        if letter.match:
            said = news(letter)
            assert not EMPTY.fullmatch(said), letter.subject
            assert len(letter.subject) <= 140, letter.subject
            yield said


def owing(table: Table) -> tuple[str, str] | None:
    """Somebody who has still to answer, and a legal answer."""
    for seat in sorted({d["seat"] for d in table.world.show(table.match)["due"] if d["seat"]}):
        try:
            return table.seats[seat], table.orders(table.seats[seat])
        except StopIteration:  # sealed already, which nobody else is told
            continue
    return None


def moments() -> Iterator[str]:
    return (f"2026-03-01T{13 + n // 60}:{n % 60:02d}:00Z" for n in count())


def test_every_letter_that_answers_a_mail_has_news() -> None:
    for name, kind in speaker.KINDS.items():
        if kind.about:
            assert not EMPTY.fullmatch(kind.about), name
            assert read_subject(kind.about.format(duty="turn"), TITLES).command is None, name
    page = Path("templates/referee/done.j2").read_text()
    for topic in re.findall(r'topic == "(\w+)"', page):
        for kind in ("done", "not_done"):
            said = speaker.about_in_answer(kind, topic)
            assert not EMPTY.fullmatch(said), topic
            assert read_subject(said, TITLES).command is None, topic


def test_every_event_that_is_told_has_news_and_no_news_is_of_none() -> None:
    assert sorted(TOLD - set(WORDS)) == []
    others = {
        *("open", "filling", "paused", "next", "again", "waits", "over", "ahead"),
        *("answered", "chosen", "computed", "vacated", "Resigned", "MatchEnded", "PressSent", "SaidToOne"),
    }
    assert sorted(set(WORDS) - TOLD - others) == []
    assert all("Player" not in words for words in WORDS.values()), "who replies would state the seat"


@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind", KINDS)
def test_the_letters_of_every_game_are_news(kind: str, tmp_path: Path) -> None:
    """The opening, a few answers by fresh mails under the very subjects that asked for them, missed deadlines, words,
    a pause, a resignation."""
    game, seats, options = KINDS[kind]
    if options.get("position", "").startswith("{"):
        (tmp_path / "position.json").write_text(options["position"])
        options = {**options, "position": str(tmp_path / "position.json")}
    table = Table(tmp_path, game, PEOPLE[:seats], **options)
    at = moments()
    heard = list(told(table.letters))
    for _ in range(4):
        if (owed := owing(table)) is None:
            break
        address, orders = owed
        asked = table.latest("due", address)
        counts, letters = table.send(address, asked.subject, orders, next(at))
        assert counts["accepted"] == 1, (asked.subject, [x.text for x in letters])
        heard += told(letters)
    for command in ("pause", "resume"):
        table.world.run(command, table.match, "--why", "a feast", "--now", next(at))
        heard += told(table.step(next(at))[1])
    heard += told(table.send(table.seats[1], f"press {table.match}", "good luck", next(at))[1])
    heard += told(table.send(table.seats[1], f"status {table.match}", "", next(at))[1])
    heard += told(table.step("2026-04-20T12:00:00Z")[1])
    if "Resign" in headings(found()[game]) and table.world.show(table.match)["status"] != "ended":
        sender = next(p for p in table.people if table.seats[1] in p)
        letters = table.world.mail_and_yes(sender, f"resign {table.match}", "Resign", "2026-04-20T13:00:00Z")
        heard += told(letters)
    assert len(set(heard)) > 4


def test_the_subjects_of_the_rules_stand_where_they_fix_them(tmp_path: Path) -> None:
    table = Table(tmp_path, "fourplay", PEOPLE, cycles="1")
    asked = table.latest("due", table.mover)
    assert re.fullmatch(r"\[\S+\] Fourplay: Ready / Player \d", asked.subject)
    for address in table.seats.values():
        asked = table.latest("due", address)
        table.send(address, f"Re: {asked.subject}", table.orders(address), "2026-03-01T13:00:00Z")
    purchase = table.latest("due", table.mover).subject
    until = r" - by [A-Z][a-z]{2} \d+ Mar \d\d:\d\d"
    assert re.fullmatch(
        rf"\[{table.match}\] Fourplay: Initial Purchase of Pieces / Player \d{until}", purchase
    )


def test_a_move_and_who_is_next_are_news(tmp_path: Path) -> None:
    table = Table(tmp_path, "multigo", PEOPLE[:2], board="9x9")
    black, white = table.mover, table.other
    table.reply(table.latest("due", black), "A8", "2026-03-01T13:00:00Z")
    assert (
        table.latest("due", white).subject
        == f"[{table.match}] Go: Black A8, White to move - by Sun 8 Mar 13:00"
    )
    sender = next(p for p in PEOPLE if white in p)
    letters = table.world.mail_and_yes(sender, f"resign {table.match}", "Resign", "2026-03-01T14:00:00Z")
    ended = {x.to: x.subject for x in letters if x.kind == "ended"}
    winner, loser = (next(p.partition(" ")[0] for p in PEOPLE if who in p) for who in (black, white))
    assert ended == {
        white: f"[{table.match}] Go: You resigned, {winner} wins",
        black: f"[{table.match}] Go: {loser} resigned, you win",
    }


# --- ours that come back ----------------------------------------------------------------------------------------------

OURS = (
    "[go-1] Go: White A8, Black to move - by Tue 13 Jan 16:00",
    "[f-1] Fourplay: Turn / Player 2 / Round 2 / Cycle 1 - by Tue 13 Jan 16:00",
    "[m-1] Nine Men's Morris: You resigned, Cleo wins",
    "[m-1] Nine Men's Morris: Resign Rex wins",
    "[b-1] Buttons: The match begins, your turn",
    "Your words are passed on",
)
BACK = (
    "{}",
    "Re: {}",
    "AW: Re: {}",
    "[club] RE: {}",
    "Fwd: [EXTERN] {} [Ticket 7]",
    "Re: {} (was: lunch)",
    "**SPAM** {}",
)
BESIDE = ("", "Resign", "status", "E5", "help!", "pass", "Press: hello")


@pytest.mark.parametrize("ours", OURS)
@pytest.mark.parametrize("back", BACK)
@pytest.mark.parametrize("beside", BESIDE)
def test_only_what_is_added_to_our_subject_is_read(ours: str, back: str, beside: str) -> None:
    said = added(f"{back.format(ours)} {beside}".strip(), ours, TITLES)
    assert said is not None
    assert re.sub(r"\W", "", said) == re.sub(r"\W", "", beside)


@pytest.mark.parametrize("ours", OURS)
def test_a_subject_of_its_senders_own_is_no_repetition(ours: str) -> None:
    assert added("Go: Move / Player 1", ours, TITLES) is None
    assert added("my move is as follows, dear referee", ours, TITLES) is None
    assert added("", ours, TITLES) == ""
    assert added(f"Re: {ours[: len(ours) // 2]}", ours, TITLES) == ""


def test_what_is_added_orders_and_the_rest_does_not(tmp_path: Path) -> None:
    table = Table(tmp_path, "morris", PEOPLE[:2], starter="1")
    asked = table.latest("due", table.mover)
    headers = {"reply_to": asked.message["Message-ID"], "to": asked.message["Reply-To"]}
    counts, letters = table.send(
        table.mover, f"Re: {asked.subject} - status", "", "2026-03-01T13:00:00Z", **headers
    )
    assert (counts["answered"], letters[-1].kind) == (1, "status")
    counts, letters = table.send(
        table.mover, f"Re: {asked.subject} d2", "", "2026-03-01T13:01:00Z", **headers
    )
    assert (counts["answered"], letters[-1].kind) == (1, "preview"), letters[-1].text
    assert "d2" in letters[-1].text
    counts, letters = table.send(
        table.mover, f"Re: {asked.subject}?", "d2", "2026-03-01T13:02:00Z", **headers
    )
    assert (counts["answered"], letters[-1].kind) == (1, "preview")
    counts, _ = table.send(table.mover, f"Re: {asked.subject}", "d2", "2026-03-01T13:03:00Z", **headers)
    assert counts["accepted"] == 1


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "name", ["Resign Rex", "Help", "Status Quo", "A / Resign", "Pass", "Withdraw All", "Bo?"]
)
def test_a_name_in_a_subject_orders_nothing(name: str, tmp_path: Path) -> None:
    """Not even in a fresh mail under that subject."""
    people = [f"{name} <x@example.org>", PEOPLE[1]]
    table = Table(tmp_path, "buttons", people, starter="1")
    mover = table.mover
    table.reply(table.latest("due", mover), table.orders(mover), "2026-03-01T13:00:00Z")
    asked = table.latest("due", table.other)
    counts, letters = table.send(
        table.other, asked.subject, table.orders(table.other), "2026-03-01T13:01:00Z"
    )
    assert counts["accepted"] == 1, [x.text for x in letters]
