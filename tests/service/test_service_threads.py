"""The service in this process: the solver beside the mail, the silent scheduler, trouble and the moderator."""

import os
import signal
import threading
from collections.abc import Callable
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from apscheduler.schedulers.background import BackgroundScheduler

from referee.base.ports import MailboxTrouble
from referee.core.value import Demand
from referee.games import found
from referee.service import service as service_module
from referee.service.service import Service, TroubleAlarm
from referee.service.solver import SolverFault, SolverProcess
from referee.service.wiring import Referee
from tests.memory import PEOPLE, answer_text, owing, subject_of
from tests.servers.ground import PATIENCE, eventually
from tests.world import World, kinds

TWO = [f"{p.name} <{p.addresses[0]}>" for p in PEOPLE[:2]]
QUICK = '[poll]\nevery = "1s"\n'


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, QUICK)


def serve(referee: Referee, watch: Callable[[], None]) -> None:
    """The service runs here until `watch`, in a thread, comes to its end; what it raises is raised."""
    raised: list[BaseException] = []

    def follow() -> None:
        try:
            watch()
        except BaseException as error:  # noqa: BLE001 - raised again below
            raised.append(error)
        finally:
            os.kill(os.getpid(), signal.SIGTERM)

    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    service = Service(referee)
    follower = threading.Thread(target=follow)
    follower.start()
    try:
        service.run()
    finally:
        follower.join()
        for number, handler in before.items():
            signal.signal(number, handler)
    if raised:
        raise raised[0]


def now() -> str:
    return datetime.now(UTC).isoformat()


def puzzle(world: World) -> str:
    """A solo puzzle, whose par the referee itself has to find."""
    ran = world.do("open", "buttons", "--seat", TWO[0], "--option", "mode=solo", "--option", "goal=two")
    return ran.out.strip()


def plain_match(world: World) -> str:
    people = [part for person in TWO for part in ("--seat", person)]
    ran = world.do("open", "buttons", *people, "--option", "starter=1")
    return ran.out.strip()


def searching(world: World) -> list[str]:
    """The matches that wait for the referee's own answer, which is nobody else's business."""
    with world.referee() as referee:
        return [question.name for question in referee.parts.searches.questions()]


class Slow:
    """A solver that answers only when it is let."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.go_on = threading.Event()

    def __call__(self, game: Any, state: Any, demand: Demand, nodes: int) -> Any:
        self.asked.set()
        assert self.go_on.wait(PATIENCE)
        return game.compute(state, demand, nodes)

    def close(self) -> None:
        self.go_on.set()


def move(world: World, referee: Referee, name: str) -> None:
    match = referee.moderator.match(name)
    demand = owing(match)[0]
    person = match.entrant(demand.seat)
    world.mail(
        f"{person.name} <{person.addresses[0]}>",
        f"{subject_of(match, demand)} [{name}]",
        answer_text(match, demand),
        now(),
    )


def test_while_a_search_runs_the_mails_of_other_matches_are_judged(world: World) -> None:
    par, other = puzzle(world), plain_match(world)
    slow = Slow()
    with world.referee() as referee:
        referee.__dict__["solver"] = slow

        def watch() -> None:
            assert slow.asked.wait(PATIENCE)
            with world.referee() as reader:
                version = reader.moderator.match(other).version
                move(world, reader, other)
                eventually(lambda: reader.moderator.match(other).version > version, "the other match goes on")
                assert searching(world) == [par]
                slow.go_on.set()
                eventually(lambda: searching(world) == [], "the par is known")

        serve(referee, watch)


def test_a_stop_does_not_wait_for_a_search(world: World) -> None:
    puzzle(world)
    with world.referee() as referee:
        slow = Slow()
        referee.__dict__["solver"] = slow
        serve(referee, lambda: eventually(slow.asked.is_set, "the search has begun"))


def test_no_wait_leaves_the_search_to_a_later_step(world: World) -> None:
    par = puzzle(world)
    at = now()
    assert world.run("step", "--now", at, "--no-wait").status == 0
    assert searching(world) == [par]
    assert world.run("step", "--now", at).status == 0
    assert searching(world) == []


class Doomed(SolverProcess):
    """A solver whose process is killed as soon as it runs, so many times."""

    def __init__(self, deaths: int) -> None:
        super().__init__()
        self.deaths = deaths
        self.pids: list[int] = []

    def _asked(self, *question: Any) -> Any:
        asked = super()._asked(*question)
        assert self._pool is not None
        pid = self._process
        if len(self.pids) < self.deaths:
            os.kill(pid, signal.SIGKILL)
        self.pids.append(pid)
        return asked


def stepped(world: World, solver: Any) -> dict[str, Any]:
    with world.referee() as referee:
        referee.__dict__["solver"] = solver
        return referee.desk.step(datetime.now(UTC)).facts()


def test_a_solver_that_dies_once_is_followed_by_another(world: World) -> None:
    puzzle(world)
    solver = Doomed(1)
    assert "trouble" not in stepped(world, solver)
    assert len(set(solver.pids)) == 2
    assert searching(world) == []


def test_a_solver_that_dies_twice_leaves_the_match_waiting_and_alarms_the_moderator_once(
    world: World,
) -> None:
    par = puzzle(world)
    solver = Doomed(2)
    assert par in stepped(world, solver)["trouble"][0]
    assert len(solver.pids) == 2
    alarms = [letter for letter in world.new_letters() if letter.kind == "alarm"]
    assert [letter.to for letter in alarms] == ["moderator@referee.localhost"]
    assert f"referee unshunt {par}" in alarms[0].words
    assert world.show(par)["status"] == "open"


def test_a_search_that_is_held_is_not_tried_again_until_the_moderator_lets_it(world: World) -> None:
    par = puzzle(world)
    stepped(world, Doomed(2))
    world.new_letters()
    idle = Doomed(2)
    assert "trouble" not in stepped(world, idle)
    assert idle.pids == []
    assert searching(world) == []
    assert world.run("doctor", "--json").json["stuck"] == [par]
    assert world.new_letters() == []
    assert world.run("unshunt", "another").status == 1
    ran = world.do("unshunt", par)
    assert par in ran.out
    assert par in stepped(world, Doomed(2))["trouble"][0]  # it dies again: held again, told again
    assert [letter.kind for letter in world.new_letters()] == ["alarm"]
    assert world.run("release", "all").status == 0
    assert searching(world) == [par]
    stepped(world, SolverProcess())
    assert searching(world) == []
    assert world.run("doctor", "--json").json["stuck"] == []


def test_a_solver_that_stumbles_says_how(world: World) -> None:
    game = found()["buttons"]
    solver = SolverProcess()
    try:
        with pytest.raises(SolverFault, match="Traceback"):
            solver(game, "no state at all", Demand("Par", 0), 10)
        with pytest.raises(SolverFault):
            solver(game, "nor this", Demand("Par", 0), 10)
    finally:
        solver.close()


def test_a_scheduler_that_falls_silent_holds_up_no_pass(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_module, "_SLACK", timedelta(seconds=1))
    monkeypatch.setattr(service_module, "listening", lambda *given: nullcontext())
    monkeypatch.setattr(BackgroundScheduler, "add_job", lambda *job, **when: None)
    name = plain_match(world)
    with world.referee() as referee:

        def watch() -> None:
            eventually(
                lambda: (world.folder / "mail/out/new").exists() and bool(world.new_letters()), "letters"
            )
            with world.referee() as reader:
                version = reader.moderator.match(name).version
                move(world, reader, name)
                eventually(lambda: reader.moderator.match(name).version > version, "the mail is read")

        serve(referee, watch)
    assert world.show(name)["status"] == "open"


def test_an_ear_that_stumbled_listens_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(tmp_path, '[poll]\nevery = "1h"\n')  # so that only the ear can have rung
    name, stumbled = plain_match(world), threading.Event()
    with world.referee() as referee:
        wait = referee.mailbox.wait

        def once(seconds: float) -> bool:
            if not stumbled.is_set():
                stumbled.set()
                raise RuntimeError("what nobody has thought of")
            return wait(seconds)

        def watch() -> None:
            assert stumbled.wait(PATIENCE)
            eventually(lambda: bool(world.new_letters()), "the first pass is over")
            with world.referee() as reader:
                version = reader.moderator.match(name).version
                move(world, reader, name)
                eventually(lambda: reader.moderator.match(name).version > version, "the mail is heard")

        monkeypatch.setattr(referee.mailbox, "wait", once)
        serve(referee, watch)


# --- trouble and the moderator -----------------------------------------------------------------------------------


def test_the_moderator_is_told_once_of_trouble_that_lasts_and_once_of_its_end(world: World) -> None:
    at = datetime(2026, 3, 1, 12, tzinfo=UTC)
    with world.referee() as referee:
        watch = TroubleAlarm(referee)
        watch.seen(["The mail server hung up."], at)
        watch.seen([], at + timedelta(seconds=3))
        watch.seen(["The mail server is away."], at + timedelta(seconds=10))
        referee.desk.step(at)
        assert world.new_letters() == []
        for seconds in (15, 16, 17):
            watch.seen(["The mail server is away."], at + timedelta(seconds=seconds))
        referee.desk.step(at + timedelta(seconds=20))
        (told,) = world.new_letters()
        assert (told.kind, told.to) == ("alarm", "moderator@referee.localhost")
        assert "The mail server is away." in told.words
        watch.seen([], at + timedelta(seconds=21))
        watch.seen([], at + timedelta(seconds=22))
        referee.desk.step(at + timedelta(seconds=25))
        (over,) = world.new_letters()
        assert "is over" in over.text


def test_where_the_store_itself_is_in_trouble_the_alarm_goes_straight_to_the_courier(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = datetime(2026, 3, 1, 12, tzinfo=UTC)
    with world.referee() as referee:
        watch = TroubleAlarm(referee)

        def full() -> Any:
            raise OSError("database or disk is full")

        with monkeypatch.context() as broken:
            broken.setattr(referee.store, "transaction", full)
            for seconds in (0, 5, 6):
                watch.seen(["database or disk is full."], at + timedelta(seconds=seconds))
        (told,) = world.new_letters()
        assert "disk is full" in told.text
        watch.seen([], at + timedelta(seconds=7))
        referee.desk.step(at + timedelta(seconds=8))
        assert kinds(world.new_letters()) == {"alarm": ["moderator@referee.localhost"]}


def test_a_mailbox_in_trouble_is_told_of_and_nothing_lapses_meanwhile(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = plain_match(world)
    with world.referee() as referee:
        start = datetime.now(UTC)
        referee.desk.step(start)

        def away(*given: Any) -> Any:
            raise MailboxTrouble("The mail server does not answer.")

        monkeypatch.setattr(referee.mailbox, "fetch", away)
        counts = referee.desk.step(start + timedelta(days=30))
        assert counts.trouble == ["The mail server does not answer."]
        assert counts.lapsed == 0
    assert world.show(name)["status"] == "open"
