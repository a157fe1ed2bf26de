"""What befalls one player is said to that player first, in their zone, in whatever game: absence, substitutes, a seat
that is taken over or falls vacant, a deadline that moves. Nobody reads of themselves as of somebody else."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.letters.test_to_the_reader import SEVERAL, opened, own
from tests.offices.table import Table
from tests.world import Sent

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


@pytest.mark.one_in(3)
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
            words = " ".join(letter.text.split())
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
        moved = ["extended"] * (others == "extended")  # its deadline, in a calendar too
        assert sorted(kinds[table.mover]) == [*moved, "receipt"]
        assert kinds[table.other] == [others]
