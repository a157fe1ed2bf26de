"""Law 4: a crash at any point, then a restart, changes nothing but possibly the letters in hand, each sent twice
under its own Message-ID. Two passes at once: each mail has one effect and one answer.

A scripted stretch of a Fourplay match is played once undisturbed, with the world kept before every step. Then each
point of each step (every write, every commit from both sides, every batch of mails, every filing, every sending) is
crashed in turn: the step is repeated by a new process until all is quiet, and the whole database, the mail server
and the letters must be as after the undisturbed step. What holds for each step holds for the whole stretch.
"""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from email import message_from_bytes
from email.policy import default
from itertools import count
from pathlib import Path
from typing import Any, Literal

import pytest

from referee.base.settings import Settings
from tests.memory import PEOPLE, Crash, FailurePlan, PlannedFailure, Stage, later, owing, plain, told
from tests.servers.ground import PATIENCE
from tests.servers.postgres import Postgres
from tests.world import World, kinds

SAMPLE, SAMPLE_ON_A_SERVER = 8, 3
NAMES = count(1)
READY = "I am ready for battle. Let the Games begin!"


@dataclass(frozen=True)
class Act:
    """A step of the script: the world before it, its clock, and what it led to."""

    before: Stage
    now: datetime
    rows: dict[str, list[Any]]
    mails: dict[str, Any]
    letters: dict[str, bytes]
    operations: dict[str, int]


def opening(stage: Stage, name: str) -> datetime:
    """The letters of the opening; where the referee itself owes something first, its answer."""
    return later()


def solution(stage: Stage, name: str) -> datetime:
    """The lone player's moves, one of them delivered twice."""
    match = stage.match(name)
    raw = stage.answer(match, owing(match)[0], later(hours=1))
    stage.deliver(raw, later(hours=1))
    return later(hours=1)


def readiness(stage: Stage, name: str) -> datetime:
    """Four declarations, one of them delivered twice; the last one opens the purchase."""
    match = stage.match(name)
    raws = [stage.answer(match, demand, later(hours=1)) for demand in owing(match)]
    stage.deliver(raws[0], later(hours=1))
    return later(hours=1)


def purchases(stage: Stage, name: str) -> datetime:
    """Accepted, refused, ignored, the same once more, a stranger, a bounce, nothing at all."""
    match, at = stage.match(name), later(days=1)
    first, second, third, _ = owing(match)
    stage.answer(match, second, at)
    stage.answer(match, second, at, seed=1)
    spendthrift = match.entrant(first.seat).addresses[0]
    stage.write(spendthrift, f"Fourplay: Initial Purchase of Pieces / Player {first.seat}",
                "Purchases:\n99 Cannon, 22 F$ each, value 3 each\n1 Unicorn\n", at)  # fmt: skip
    raw = stage.answer(match, third, at)
    stage.deliver(raw, at)
    stage.write("stranger@elsewhere.example", "Hello?", "Who are you?", at)
    stage.write(spendthrift, "", "", at)
    return at


def halfway(stage: Stage, name: str) -> datetime:
    """Two have not bought yet and are reminded."""
    return later(days=8)


def delay(stage: Stage, name: str) -> datetime:
    """One more buys in time; the last one's list, a reply to a letter, is held, and the ruling on the deadline waits
    for it."""
    match = stage.match(name)
    third, fourth = owing(match)
    stage.answer(match, third, later(days=14))
    asked = next(x for x in stage.sent if x.recipient == match.entrant(fourth.seat).addresses[0])
    reply_to = str(message_from_bytes(asked.raw)["Reply-To"])
    stage.answer(match, fourth, later(days=14), X_Spam_Flag="YES", To=reply_to)
    return later(days=14, hours=1, seconds=1)


def reveal(stage: Stage, name: str) -> datetime:
    """Nobody lets it in; after 48 hours the purchases are revealed."""
    return later(days=16, hours=1, seconds=1)


def too_soon(stage: Stage, name: str) -> datetime:
    """A draft, twice, and a newer one."""
    second = stage.match(name).entrant(2).addresses[0]
    raw = stage.write(second, f"[{name}]", "Move: d3", later(hours=1))
    stage.deliver(raw, later(hours=1))
    stage.write(second, f"[{name}]", "Move: a4", later(hours=2))
    return later(hours=2)


def turn_before(stage: Stage, name: str) -> datetime:
    """What the draft waits for."""
    match = stage.match(name)
    stage.write(match.entrant(1).addresses[0], f"[{name}]", "Move: a1", later(hours=3))
    return later(hours=3)


def word(stage: Stage, name: str) -> datetime:
    """OK to the letter that asks for it."""
    second = stage.match(name).entrant(2).addresses[0]
    letters = [message_from_bytes(x.raw, policy=default) for x in stage.sent if x.recipient == second]
    (asked,) = [x for x in letters if x["X-Referee-Notice"] == "due"]
    stage.write(second, f"Re: {asked['Subject']}", "OK", later(hours=4), In_Reply_To=asked["Message-ID"])
    return later(hours=4)


def condition(stage: Stage, name: str) -> datetime:
    """A move, and what is to follow on an answer to it."""
    first = stage.match(name).entrant(1).addresses[0]
    stage.write(first, f"[{name}]", "Move: d7\nIf Ben: g7, then g4, if a7, then a4", later(minutes=1))
    return later(minutes=2)


def answer_foreseen(stage: Stage, name: str) -> datetime:
    stage.write(stage.match(name).entrant(2).addresses[0], f"[{name}]", "Move: g7", later(minutes=3))
    return later(minutes=4)


def delayed(stage: Stage, name: str) -> datetime:
    """What was to follow, after its delay."""
    return later(hours=7)


Script = Sequence[Callable[[Stage, str], datetime]]
SCRIPT: Script = (opening, readiness, purchases, halfway, delay, reveal)
SOLO: Script = (opening, solution)
DRAFT: Script = (opening, too_soon, turn_before, word)
AHEAD: Script = (opening, condition, answer_foreseen, delayed)


def played(stage: Stage, name: str, script: Script, copy: Callable[[Stage], Stage]) -> list[Act]:
    """The undisturbed run."""
    acts = []
    for prepare in script:
        now = prepare(stage, name)
        before = copy(stage)
        failures = FailurePlan()
        stage.step(now, failures)
        letters = {parcel.message_id: plain(parcel.raw) for parcel in stage.sent}
        acts.append(Act(before, now, stage.rows(), dict(stage.mails), letters, dict(failures.counts)))
    return acts


def points(acts: list[Act]) -> list[tuple[Act, PlannedFailure]]:
    """Every point a process can die at. Within a transaction before and after a write are the same death."""
    sides = {"send": ("before", "after"), "file": ("before", "after"), "batch": ("before", "after")}
    return [
        (act, PlannedFailure(operation, nth, side))  # type: ignore[arg-type]
        for act in acts
        for operation, times in act.operations.items()
        for nth in range(1, times + 1)
        for side in sides.get(operation, ("before",))
    ]


def crashed(act: Act, failure: PlannedFailure, stage: Stage) -> None:
    """Die at the failure, start again, and find everything as if nothing had been."""
    with pytest.raises(Crash):
        stage.step(act.now, FailurePlan.of([failure]))
    stage.step(act.now)
    quiet = stage.step(act.now).facts()
    assert (quiet["read"], quiet["sent"], quiet["lapsed"]) == (0, 0, 0), failure
    found = stage.rows()
    for table, rows in act.rows.items():
        assert found[table] == rows, (failure, table)
    assert stage.mails == act.mails, failure
    assert {p.message_id: plain(p.raw) for p in stage.sent} == act.letters, failure
    repeated = [n for n in Counter(p.message_id for p in stage.sent).values() if n > 1]
    assert set(repeated) <= {2}, failure
    assert len(repeated) <= Settings().courier.batch, failure


# --- on a file -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Live:
    """Where a script is played, and how the world is copied from there."""

    folder: Path
    server: Postgres | None = None
    base: str = ""  # the name of a database to begin with
    kind: Literal["inline", "procrastinate"] = "inline"

    def played(self, script: Script, game: str, seats: int = 4, **options: str) -> list[Act]:
        (self.folder / "live").mkdir()
        url = self.like(self.base) if self.server else "sqlite:///referee.db"
        stage = Stage(self.folder / "live", url, kind=self.kind)
        name = stage.open(game, seats, **options)
        return played(stage, name, script, lambda stage: self.copied(stage, f"before-{next(NAMES)}"))

    def copied(self, stage: Stage, name: str) -> Stage:
        return stage.copied(
            self.folder / name, self.like(stage.url.rpartition("/")[2]) if self.server else None
        )

    def like(self, base: str) -> str:
        """A copy of a database, by the server itself."""
        assert self.server is not None
        name = f"once_{next(NAMES)}"
        self.server.say(f"CREATE DATABASE {name} TEMPLATE {base}")
        return self.server.url(name)

    def crashed(self, acts: list[Act], most: int) -> None:
        """At so many of all points, spread evenly."""
        every = points(acts)
        most = min(most, len(every))
        for number in range(most):
            act, failure = every[(2 * number + 1) * len(every) // (2 * most)]
            crashed(act, failure, self.copied(act.before, f"again-{next(NAMES)}"))


@pytest.fixture(scope="module")
def one_secret_for_all() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REFEREE_SECRET", "a secret for tests only, the same in all of them")
        yield


@pytest.fixture(scope="module")
def on_a_file(one_secret_for_all: None, tmp_path_factory: pytest.TempPathFactory) -> Live:
    return Live(tmp_path_factory.mktemp("undisturbed"))


@pytest.fixture(scope="module")
def undisturbed(on_a_file: Live) -> list[Act]:
    return on_a_file.played(SCRIPT, "fourplay")


def test_the_script_has_everything_in_it(undisturbed: list[Act]) -> None:
    verdicts = {row["verdict"] for row in undisturbed[-1].rows["inbox"]}
    assert {"accepted", "refused", "ignored", "answered", "held"} <= verdicts, verdicts
    (revealed,) = [
        row["body"] for row in undisturbed[-1].rows["ledger"] if row["kind"].startswith("RoundRevealed")
    ]
    assert json.loads(revealed)["missing"], "somebody's deadline passed"
    letters = Counter(row["kind"] for row in undisturbed[-1].rows["outbox"])
    assert {"receipt", "refusal", "ignored", "help", "reminder", "announcement", "due", "alarm"} <= set(
        letters
    )
    assert all(
        act.operations[operation]
        for act in undisturbed
        for operation in ("write", "commit", "committed", "send")
    )


@pytest.mark.parametrize("most", [SAMPLE, pytest.param(1_000, marks=pytest.mark.soak)])
def test_a_crash_changes_nothing(on_a_file: Live, undisturbed: list[Act], most: int) -> None:
    on_a_file.crashed(undisturbed, most)


# A script, its match, and what it leads to, by what at least so many entries say.
AROUND: dict[str, tuple[Script, str, int, dict[str, str], tuple[str, int]]] = {
    "the referee's own answer": (
        SOLO,
        "buttons",
        1,
        {"mode": "solo"},
        ('"demand":{"kind":"Par","seat":0', 1),
    ),
    "a draft": (DRAFT, "morris", 2, {"starter": "1"}, ("Move: a4", 2)),
    "a conditional turn": (AHEAD, "morris", 2, {"starter": "1", "delay": "0"}, ('"end":"g4"', 1)),
    "a delayed one": (AHEAD, "morris", 2, {"starter": "1", "delay": "6h"}, ('"end":"g4"', 1)),
}


@pytest.mark.parametrize("what", AROUND)
def test_a_crash_around_it_changes_nothing(what: str, tmp_path: Path) -> None:
    """It is kept once, brought back once and sent once."""
    script, game, seats, options, (said, times) = AROUND[what]
    acts = Live(tmp_path).played(script, game, seats, **options)
    assert sum(said in row["body"] for row in acts[-1].rows["ledger"]) >= times
    Live(tmp_path).crashed(acts, 5)


# --- on PostgreSQL, at a desk and with the engine's queue ------------------------------------------------------------


@pytest.fixture(scope="module", params=["inline", "procrastinate"])
def on_a_server(
    request: pytest.FixtureRequest, one_secret_for_all: None, postgres: Postgres, postgres_tables: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Live:  # fmt: skip
    return Live(tmp_path_factory.mktemp(request.param), postgres, postgres_tables, request.param)


@pytest.fixture(scope="module")
def of_a_server(on_a_server: Live) -> list[Act]:
    return on_a_server.played(SCRIPT, "fourplay")


@pytest.mark.server
@pytest.mark.parametrize("most", [SAMPLE_ON_A_SERVER, pytest.param(1_000, marks=pytest.mark.soak)])
def test_a_crash_on_postgresql_changes_nothing(on_a_server: Live, of_a_server: list[Act], most: int) -> None:
    on_a_server.crashed(of_a_server, most)


@pytest.mark.server
@pytest.mark.soak
def test_a_crash_on_postgresql_around_the_referees_own_answer_changes_nothing(
    on_a_server: Live, tmp_path: Path
) -> None:
    live = replace(on_a_server, folder=tmp_path)
    live.crashed(live.played(SOLO, "buttons", 1, mode="solo"), SAMPLE_ON_A_SERVER)


@pytest.mark.server
def test_every_store_and_engine_leads_to_the_same_letters(
    undisturbed: list[Act], of_a_server: list[Act]
) -> None:
    assert of_a_server[-1].letters == undisturbed[-1].letters
    assert of_a_server[-1].rows["ledger"] == undisturbed[-1].rows["ledger"]


# --- two at once -------------------------------------------------------------------------------------------------


def test_two_steps_at_once_in_two_processes_give_each_mail_one_effect_and_one_answer(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.open("fourplay", [f"{p.name} <{p.addresses[0]}>" for p in PEOPLE])
    world.passed()
    for _ in range(3):
        for person in PEOPLE:
            world.mail(f"{person.name} <{person.addresses[0]}>", "Fourplay: Ready", READY)
    config = str(tmp_path / "referee.toml")
    program = [sys.executable, "-c", "from referee.cli import program; program()"]
    command = [*program, "--config", config, "step", "--now", "2026-03-01T12:00:00Z"]
    both = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)
    ]
    said = [(process.communicate(timeout=PATIENCE), process.returncode) for process in both]
    assert [code for _, code in said] == [0, 0], said
    letters = world.new_letters()
    assert len({letter.message["Message-ID"] for letter in letters}) == len(letters)
    people = [person.addresses[0] for person in PEOPLE]
    assert kinds(letters)["receipt"] == people[:-1], (
        "the last receipt stands in a letter that asks for what is next"
    )
    assert kinds(letters)["due"] == people
    assert len(list((tmp_path / "mail/in/new").iterdir())) == 0
    assert len(list((tmp_path / "mail/in/cur").iterdir())) == 12


def test_a_tick_twice_or_late_is_a_tick_once(stage: Stage) -> None:
    name = stage.open("fourplay")
    stage.step(later())
    stage.answer_all(name, later(hours=1))
    stage.new_letters()
    at = later(days=14, hours=1, seconds=1)
    assert stage.step(at).lapsed == 1
    first = told(stage.new_letters())
    assert first == {"due": [p.addresses[0] for p in PEOPLE]}, "what lapsed, and what is owed next"
    for _ in range(2):
        again = stage.step(at)
        assert (again.lapsed, again.sent) == (0, 0)
