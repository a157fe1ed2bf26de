"""What happened to a reader is said to them, with a greeting and in their zone, above words that are the same for all;
an ending is told once."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from referee.rehearsal.laws import _NEWS_ENDS
from tests.laws.walks import KINDS
from tests.world import Sent, Table

PEOPLE = [f"{name} <{name[0].lower()}@example.org>; Asia/Kathmandu" for name in ("Ann", "Ben", "Cleo", "Dan")]
ZONES = ("Asia/Kathmandu", "Europe/Berlin", "Asia/Kathmandu", "America/New_York")
OF_TWO = [kind for kind, (game, seats, _) in KINDS.items() if seats == 2 and game != "bidding"]
SEVERAL = [kind for kind, (_, seats, _) in KINDS.items() if seats > 1]
LATE = "2026-06-20T12:00:00Z"


def opened(kind: str, folder: Path, **more: str) -> Table:
    game, seats, options = KINDS[kind]
    if options.get("position", "").startswith("{"):
        (folder / "position.json").write_text(options["position"])
        options = {**options, "position": str(folder / "position.json")}
    return Table(folder, game, PEOPLE[:seats], **{**options, **more})


def own(letter: Sent) -> str:
    """The paragraph of the reader's own."""
    return " ".join(letter.text.split("\n\n")[1].split()) if letter.text.startswith("Hello ") else ""


def same_for_all(letters: list[Sent], kind: str) -> str:
    """What a public letter says of what happened: the same to all whom nothing of it is about."""
    said = {_NEWS_ENDS.split(letter.text)[0] for letter in letters if letter.kind == kind}
    assert len([words for words in said if not words.startswith("Hello ")]) <= 1, said
    return " ".join(" ".join(said).split())


@pytest.mark.parametrize("kind", OF_TWO)
def test_who_resigned_reads_that_they_did(kind: str, tmp_path: Path) -> None:
    table = opened(kind, tmp_path)
    sender = next(p for p in PEOPLE if table.mover in p).partition(";")[0]
    letters = table.world.mail_and_yes(sender, f"resign {table.match}", "Resign", "2026-03-01T13:00:00Z")
    ended = {letter.to: letter for letter in letters if letter.kind == "ended"}
    assert set(ended) == set(table.seats.values())
    assert own(ended[table.mover]).startswith("You resigned: ")
    assert own(ended[table.other]) == "You win."
    public = same_for_all(letters, "ended")
    assert "opponent" not in public
    assert all(letter.text.strip() for letter in letters), (
        "what the end tells leaves no letter with nothing in it"
    )
    assert not [x for x in letters if x.kind == "announcement"], "the letter of the end tells all"
    told = [x for x in letters if x.match and x.kind != "ended"]
    assert not [x.text for x in told if "The match has ended" in x.text]


@pytest.mark.parametrize("kind", SEVERAL)
def test_who_missed_a_deadline_reads_that_they_did_in_their_zone(kind: str, tmp_path: Path) -> None:
    table = opened(kind, tmp_path)
    owing = {table.seats[d["seat"]] for d in table.world.show(table.match)["due"] if d["due_at"]}
    _, letters = table.step(LATE)
    kinds = ("lapsed", "due", "announcement", "ended")
    told = [x for x in letters if x.kind in kinds and "missed the" in x.text]
    missed = {x.to for x in told if "You missed the deadline" in x.words}
    public = [x for x in letters if x.kind in ("lapsed", "ended")]
    assert missed == (owing if public else missed)
    for letter in told:
        if letter.to in missed:
            assert letter.text.startswith("Hello ")
            assert "+0545" in letter.text
    if public:
        same_for_all(letters, public[0].kind)


def test_an_observer_reads_what_all_read(tmp_path: Path) -> None:
    table = opened("nine men", tmp_path)
    table.watch("Zoe <z@example.org>", "2026-03-01T13:00:00Z")
    _, letters = table.step(LATE)
    seen = [x for x in letters if x.to == "z@example.org"]
    (end,) = (x for x in seen if x.kind in ("lapsed", "ended"))  # what ends by a lapse is told once
    assert end.kind == "ended"
    assert "nothing valid came from" in end.words
    assert not [x.text for x in seen if x.text.startswith("Hello ") or "You " in x.text]
    assert "You" not in end.subject
    assert " missed the deadline, " in end.subject


def test_what_comes_next_is_told_in_the_reader_s_zone_below_the_same_words_for_all(tmp_path: Path) -> None:
    people = [f"{p.partition(';')[0]}; {zone}" for p, zone in zip(PEOPLE, ZONES, strict=True)]
    table = Table(tmp_path, "multigo", people, board="9x9")
    table.watch("Zoe <z@example.org>", "2026-03-01T13:00:00Z")
    resigns = next(p for p in PEOPLE if table.other in p).partition(";")[0]
    letters = table.world.mail_and_yes(resigns, f"resign {table.match}", "Resign", "2026-03-01T14:00:00Z")
    told = [x for x in letters if x.kind == "announcement"]
    zones = {x.to: re.findall(r"\d\d:\d\d (\S+?)\.? ", f"{' '.join(x.text.split())} ") for x in told}
    assert {found[0] for found in zones.values()} == {"UTC", "+0545", "EDT"}, zones
    assert zones["z@example.org"] == ["UTC"]
    same_for_all(told, "announcement")


# --- what befalls one player, in whatever game -------------------------------------------------------------------


EVE = "Eve Eliot <eve@example.org>"
THIRD = r"(?:is away|is named|has no substitute|stands in|is back|plays from now on|has missed)\b"
_DAYS = "2026-03-03..2026-03-08"


def absent(table: Table) -> Iterator[list[Sent]]:
    yield table.send(table.mover, f"vacation {_DAYS}", "", "2026-03-01T13:00:00Z")[1]


def substituted(table: Table) -> Iterator[list[Sent]]:
    """A substitute is named, stands in while the player is away, and is dropped."""
    at = "2026-03-01T13:00:00Z"
    proven = table.latest("due", table.mover).message["Reply-To"]
    table.send(table.mover, f"substitute {EVE} {table.match}", "", at, to=proven)
    asked = next(letter for letter in table.letters if letter.to == "eve@example.org")
    yield table.reply(asked, "Yes", at)[1]
    yield table.send(table.mover, f"vacation {_DAYS}", "", at)[1]
    yield table.step("2026-03-04T12:00:00Z")[1]
    yield table.step("2026-03-09T12:00:00Z")[1]
    yield table.send(table.mover, f"substitute off {table.match}", "", "2026-03-09T13:00:00Z", to=proven)[1]


def ruled(table: Table) -> Iterator[list[Sent]]:
    """The moderator moves a deadline, stops the clock and lets it run, and gives the seat to somebody else."""
    at = "2026-03-01T13:00:00Z"
    for command in (
        ["extend", table.match, "--by", "3d", "--why", "A holiday."],
        ["pause", table.match, "--why", "A holiday."],
        ["resume", table.match, "--why", "It is over."],
        ["replace", table.match, str(table.turn), EVE, "--why", "A new player."],
        ["vacate", table.match, str(table.turn), "--why", "They are gone."],
    ):
        done = table.world.run(*command, "--now", at)
        assert done.status == 0 or "nothing with a deadline is owed" in done.err, done.err
        yield table.step(at)[1]


@pytest.mark.one_in(9)
@pytest.mark.parametrize("kind", SEVERAL)
@pytest.mark.parametrize("story", [absent, substituted, ruled], ids=lambda story: story.__name__)
def test_nobody_reads_of_themselves_as_of_somebody_else(
    kind: str, story: Callable[[Table], Iterator[list[Sent]]], tmp_path: Path
) -> None:
    table, told = opened(kind, tmp_path), 0
    for letters in story(table):
        names = {seat["number"]: seat["name"] for seat in table.world.show(table.match)["seats"]}
        for letter in letters:
            if letter.kind not in ("announcement", "extended", "lapsed", "rewound", "due"):
                continue
            name = next((n for n in names.values() if n and letter.to[0] == n[0].lower()), "nobody")
            words = letter.words
            mine = own(letter) if "Hello" in letter.text else ""
            told += bool(re.match(r"You[r ]", mine))
            assert not re.search(rf"\b{name}(?: \(Player \d\))? {THIRD}", words), letter.text
            assert not mine or not re.search(rf"Next comes? [^.]*\bfrom [^.]*{name} \(", words), letter.text
            assert (
                not mine
                or letter.to[0] == "e"
                or len(re.findall(r"\(\d\d:\d\d UTC", words)) == words.count(" UTC")
            ), letter.text
    assert told or story in (absent, ruled)


def test_whoever_is_away_is_told_so_by_one_letter(tmp_path: Path) -> None:
    table = opened("nine men", tmp_path)
    at = "2026-03-01T13:00:00Z"
    for days, others in (("2026-05-03..2026-05-08", "announcement"), (_DAYS, "extended")):
        letters = table.send(table.mover, f"vacation {days}", "", at)[1]
        kinds = {letter.to: [x.kind for x in letters if x.to == letter.to] for letter in letters}
        assert kinds[table.mover] == ["receipt"]
        assert kinds[table.other] == [others]
