"""`referee demo`, as a newcomer runs it: its match is always the same one."""

import os
import pty
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.draw import draw_text
from referee.games import found
from referee.rehearsal.players import Plan
from referee.rehearsal.rehearse import painted, rehearsed
from referee.service.config import read_configuration
from referee.service.wiring import running
from tests.letters.counted import counted
from tests.sampling import one_in
from tests.servers.daemon import PROGRAM
from tests.world import World

ESCAPE = re.compile(r"\x1b\[[\d;]*m")
# For each answer of a player's own that is accepted, at most, but for what refuses their mails.
LETTERS, LINES = 2.35, 73
REFUSAL = 21  # lines of one, at least
ENOUGH = 40  # mails of one who has played to the end
SECONDS = 45  # of two idle cores; of one processor's time in a test, whoever else is at work


@pytest.mark.soak  # fewer rounds of the same players are in `fourplay/test_rehearsals`, its first round is below
def test_the_demo_plays_its_cycle_without_a_fault_and_ends_with_a_page(tmp_path: Path) -> None:
    before = time.process_time()
    played = World(tmp_path / "w").run("demo", str(tmp_path / "demo"))
    assert (played.status, "FAULT" in played.out) == (0, False), played.out[-2000:]
    assert time.process_time() - before < SECONDS
    assert "\x1b" not in played.out
    assert len(re.findall(r"(?m)^  \w+ \w+ \(Player \d\): nothing in time$", played.out)) > 2, "some sleep"
    assert not re.search(r"nonce|seal", played.out)
    # a round: its name, a line for each who plays, what they did; at its end the board
    first = played.out.partition("\nRound 1\n")[2].partition("\nRound 2\n")[0]
    for seat in (1, 2, 3):  # the fourth's King is lost by then
        assert re.search(rf"(?m)^  \w+ \w+ \(Player {seat}\): \S", first), first
    assert re.search(r"(?m)^15  .*  15$", first)
    rounds = re.findall(r"(?m)^Round (\d+)$", played.out)
    assert rounds == [str(number) for number in range(1, len(rounds) + 1)]
    assert len(rounds) > 30
    page = (tmp_path / "demo/index.html").read_text()
    assert re.search(r"<h1>Fourplay: won by \w+ \w+</h1>", page)
    assert page.index("<svg") < page.index('class="part"')
    links = re.findall(r'class="part"><a href="([^"]+)"', page)
    assert len(links) == 3
    for link in links:
        assert (tmp_path / "demo" / link).is_file(), link
    readers = {to: read for to, read in counted(tmp_path / "demo").items() if read.mails > ENOUGH}
    assert len(readers) == 3
    for reader, read in readers.items():
        letters, lines = read.per_answer()
        refused = read.letters["refusal"] / read.accepted
        assert letters - refused <= LETTERS, (reader, read.letters)
        assert lines - refused * REFUSAL <= LINES, (reader, read.lines)


def shown_of(folder: Path, environment: dict[str, str], *, terminal: bool) -> str:
    """What the demo has said by the end of its first round, which comes while it plays on."""
    ours, theirs = pty.openpty() if terminal else os.pipe()
    command = [*PROGRAM, "demo", str(folder)]
    kept = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, env={**kept, **environment}
    ) as process:
        os.close(theirs)
        said = b"".join(until_the_second_round(ours))
        assert process.poll() is None, "it is not over"
        process.kill()
    os.close(ours)
    return said.decode()


def until_the_second_round(ours: int) -> Iterator[bytes]:
    said = b""
    while b"Round 2" not in said:
        said += (more := os.read(ours, 4096))
        assert more, said[-2000:]
        yield more


@pytest.mark.parametrize(
    ("terminal", "environment", "colours"),
    one_in(
        4,
        [
            (True, {}, True),
            (True, {"NO_COLOR": "1"}, False),
            (True, {"NO_COLOR": ""}, True),
            (False, {}, False),
        ],
    ),
)
def test_a_terminal_shows_it_in_colours_unless_it_is_told_not_to(
    tmp_path: Path, terminal: bool, environment: dict[str, str], colours: bool
) -> None:
    said = shown_of(tmp_path / "demo", environment, terminal=terminal)
    codes = set(ESCAPE.findall(said))
    if not colours:
        assert codes == set()
        return
    assert {"\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[94m"} <= codes, "each player's pieces"


@pytest.mark.parametrize(
    "game", one_in(3, sorted(found().keys() - {"fourplay", "multigo"}))
)  # these are long
def test_of_other_games_too_the_board_is_shown_with_its_pieces_in_colour_and_not_one_sign_changed(
    game: str, tmp_path: Path
) -> None:
    shown: list[str] = []
    report = rehearsed(Plan(game, None, {}, 3, 1), tmp_path / "kept", shown.append, shown=True)
    assert report.faults == []
    text = "\n".join(shown)
    with running(read_configuration(tmp_path / "kept/referee.toml")) as referee:
        match = referee.moderator.matches()[0]
        view = match.view(None)
    assert view is not None
    assert view.diagram is not None
    board = painted(view.diagram, legend=False)
    assert board in text, "the last board"
    assert ESCAPE.sub("", board) == draw_text(view.diagram, legend=False).rstrip("\n")
    for name in {match.entrant(seat).name for seat in match.numbers}:
        assert f"{name} (Player " in text
