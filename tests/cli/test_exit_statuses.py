"""Exit status 1 where the mail servers can't be reached, and a service that says so."""

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing

import pytest

from referee.games import TwoGames, found, tell_apart
from tests.cli.company import FOUR, buttons
from tests.servers.ground import PATIENCE, closed_port, eventually
from tests.world import START, World


@pytest.fixture
def closed() -> Iterator[str]:
    """The address of a port at which nobody listens."""
    with closed_port() as port:
        yield f"127.0.0.1:{port}"


@pytest.mark.parametrize("json", [[], ["--json"]])
def test_a_step_that_can_not_read_the_mailbox_ends_with_1_and_says_why(
    world: World, closed: str, json: list[str]
) -> None:
    name = buttons(world)
    world.configure('url = "maildir:mail/in"', f'url = "imap://ann@{closed}/INBOX"')
    ran = world.run("step", "--now", "2026-03-20T12:00:00Z", *json)
    assert ran.status == 1
    assert ran.err.startswith("referee: ")
    assert len(ran.err.splitlines()) == 1
    assert ran.out  # what the pass did is told all the same
    assert world.show(name)["due"]  # no deadline fires beyond what was read


def test_a_step_whose_letters_can_not_leave_ends_with_1(world: World, closed: str) -> None:
    world.configure('url = "maildir:mail/out"', f'url = "smtp://{closed}"')
    world.open("buttons", ["Ann <ann@example.org>", "Ben <ben@example.org>"])
    ran = world.run("step", "--now", START, "--json")
    assert (ran.status, ran.json["sent"]) == (1, 0)
    assert "letters wait to be sent" in ran.err


def test_a_step_with_nothing_wrong_ends_with_0(world: World) -> None:
    assert world.run("step", "--now", START).status == 0


def last_pass(world: World) -> str:
    with closing(sqlite3.connect(world.folder / "referee.db", timeout=PATIENCE)) as store:
        ((at,),) = store.execute("SELECT last_pass FROM clock")
        return str(at)


def test_the_service_says_once_that_connections_are_refused(world: World, closed: str) -> None:
    world.configure('url = "maildir:mail/in"', f'url = "imap://ann@{closed}/INBOX"')
    world.configure('every = "1m"', 'every = "1s"')
    program = [sys.executable, "-c", "from referee.cli import program; program()"]
    process = subprocess.Popen(
        [*program, "--config", str(world.folder / "referee.toml"), "run"], stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stderr is not None
        started, first = process.stderr.readline(), process.stderr.readline()
        for _ in range(3):
            before = last_pass(world)
            eventually(lambda: last_pass(world) != before, "another pass")  # noqa: B023
    finally:
        process.send_signal(signal.SIGTERM)
        rest = process.communicate(timeout=PATIENCE)[1]
    assert closed in first
    assert "event=trouble" in first
    assert f"event=started reads=imap://{closed}/INBOX" in started.replace("logger=referee.service ", "")
    assert rest.count("Connection refused") == 0


def test_two_games_of_one_slug_or_title_are_refused() -> None:
    titles = {slug: game.titles for slug, game in found().items()}
    with pytest.raises(TwoGames, match="two games are called 'fourplay': fourplay and another"):
        tell_apart(titles | {"another": ("Another", " fourPlay")})
    with pytest.raises(TwoGames, match="two games are called 'multigo': another and multigo"):
        tell_apart({"another": ("Multigo",), "multigo": ("Go",)})


# --- the counts of `step` ----------------------------------------------------------------------------------------


VERDICTS = ("accepted", "refused", "ignored", "answered", "discarded", "held", "shunted", "waiting")
ANN, BEN = FOUR[0].partition(";")[0], FOUR[1]


def test_the_counts_are_exactly_the_contracts_and_add_up(world: World) -> None:
    name = buttons(world)
    move = f"Buttons: Move / Player 1 [{name}]"
    world.mail(ANN, move, "Place: B1 at z9", "2026-03-01T12:00:01Z")
    raw = world.mail(ANN, move, "Place: B1 at a1", "2026-03-01T12:00:02Z").read_bytes()
    world.raw(raw, "2026-03-01T12:00:03Z")
    world.mail(BEN, "status", "How do I stand?", "2026-03-01T12:00:04Z")
    world.raw(b"From: robot@example.org\nAuto-Submitted: auto-replied\nSubject: away\n\nAway.\n", START)
    world.raw(b"no mail at all", "2026-03-01T12:00:06Z")
    counts = world.step("2026-03-01T13:00:00Z")
    assert set(counts) == {"read", *VERDICTS, "lapsed", "sent"}
    assert counts["read"] == sum(counts[verdict] for verdict in VERDICTS) == 6
    assert {v: counts[v] for v in VERDICTS} == {
        "accepted": 1, "refused": 1, "ignored": 1, "answered": 1, "discarded": 1, "held": 1, "shunted": 0, "waiting": 0,
    }  # fmt: skip
    assert counts["sent"] == len(world.new_letters())


def test_a_step_without_json_is_one_line_of_counts(world: World) -> None:
    ran = world.run("step", "--now", START)
    assert ran.out.count("\n") == 1
    assert ran.out.startswith("read 0, accepted 0, ")
