"""A mail server that takes letters as it likes: slowly, without an end, today or for days not at all."""

import re
import time
from collections import Counter
from contextlib import closing
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from referee.base.ports import Delivery, Parcel
from referee.transport.account import Account
from referee.transport.server import BackOff
from referee.transport.smtp import LONGEST_ANSWER, SmtpCourier
from tests.memory import NOON, MemoryCourier, Stage
from tests.servers.curt import curt
from tests.servers.daemon import Daemon
from tests.servers.ground import PATIENCE, eventually
from tests.transport.test_couriers import parcel
from tests.world import World

STAGES = ["greeting", "EHLO", "MAIL", "RCPT", "DATA", "end"]


def courier_to(port: int, timeout: float) -> SmtpCourier:
    return SmtpCourier(Account("127.0.0.1", port, "plain", timeout=timeout), BackOff(0, 0))


@pytest.mark.parametrize("stage", STAGES)
def test_an_answer_without_an_end_is_left_at_once_wherever_it_comes(stage: str) -> None:
    """Not by the time-out: after so many bytes."""
    with curt() as server, closing(courier_to(server.port, PATIENCE)) as courier:
        server.endless = stage
        ((_, delivery),) = courier.send([parcel(1)])
        assert delivery.fate == "later"
        assert "longer than" in delivery.note
        assert (
            server.given * len(b"250-and more\r\n") < 40 * 1024 * 1024
        )  # what the system's own buffers hold
        server.endless = ""
        assert [delivery.fate for _, delivery in courier.send([parcel(2)])] == ["sent"]
        assert LONGEST_ANSWER < 100_000


def test_an_answer_whose_lines_come_in_time_and_never_end_is_given_up() -> None:
    with curt(endless="EHLO", drip=0.05) as server, closing(courier_to(server.port, 0.2)) as courier:
        ((_, delivery),) = courier.send([parcel(1)])
        assert delivery.fate == "later"


@pytest.mark.parametrize("answer", ["250 OK\r\n250 OK", "100 hm", "hm", "", "99999 OK"])
def test_a_server_out_of_step_is_left_and_the_next_letter_finds_another_line(answer: str) -> None:
    """What it says too often would be taken for the answer to something else."""
    with curt() as server, closing(courier_to(server.port, PATIENCE)) as courier:
        server.answers["MAIL"] = answer
        ((_, delivery),) = courier.send([parcel(1)])
        assert delivery.fate == "later"
        del server.answers["MAIL"]
        assert [delivery.fate for _, delivery in courier.send([parcel(2)])] == ["sent"]
        assert [b"Subject: Letter 2" in message for message in server.messages] == [True]


def test_each_answer_just_below_the_time_out_is_waited_for() -> None:
    """Together they take longer than it."""
    with curt() as server, closing(courier_to(server.port, 2.0)) as courier:
        server.slow = 0.4
        assert [delivery.fate for _, delivery in courier.send([parcel(1)])] == ["sent"]


def test_a_round_over_a_slow_server_ends_and_the_next_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Mails are judged in between; no letter leaves twice."""
    stage = Stage(tmp_path, batch=2)
    stage.open("multigo", 4, board="9x9")
    stage.open("buttons", 2)
    sent: list[str] = []

    def slowly(parcel: Parcel) -> Delivery:
        time.sleep(0.05)
        sent.append(parcel.message_id)
        return Delivery("sent")

    monkeypatch.setattr("referee.letters.outbox._LONGEST", 0.1)
    passes = []
    for hours in range(1_000):  # a machine that is slow sends less in each
        with stage.referee() as referee:
            referee.__dict__["courier"] = MemoryCourier(answer=slowly)
            passes.append(referee.desk.step(NOON + timedelta(hours=hours)))
        if not passes[-1].trouble:
            break
    assert passes[0].trouble == ["letters wait to be sent: the mail server takes them too slowly."]
    assert passes[-1].trouble == []
    assert passes[0].sent < sum(counts.sent for counts in passes) == len(sent) == len(set(sent))


@pytest.mark.parametrize("end", ["never", "sent"])
def test_a_refusal_for_days_is_tried_again_as_promised_and_told_once(tmp_path: Path, end: str) -> None:
    """450 for two days, then 550 or 250: each try is the same letter; nobody else's waits."""
    stage = Stage(tmp_path)
    stage.open("buttons", 2)
    tries: list[tuple[timedelta, str, bytes]] = []
    now = timedelta()

    def answer(parcel: Parcel) -> Delivery:
        if parcel.recipient != "ann@example.org":
            return Delivery("sent")
        tries.append((now, parcel.message_id, re.sub(rb"={15}\d+==", b"", parcel.raw)))
        if now < timedelta(days=2):
            return Delivery("later", "450 not now")
        return Delivery("sent") if end == "sent" else Delivery("never", "550 no such player")

    while now < timedelta(days=3):
        with stage.referee() as referee:
            courier = MemoryCourier(answer=answer, sent=stage.sent)
            referee.__dict__["courier"] = courier
            referee.desk.step(NOON + now)
        now += timedelta(hours=1)
    for letter in {message_id for _, message_id, _ in tries}:
        times = [at for at, message_id, _ in tries if message_id == letter]
        assert 12 < len(times) < 40
        assert max(after - before for before, after in pairwise(times)) <= timedelta(hours=3)
        assert len({raw for _, message_id, raw in tries if message_id == letter}) == 1
    alarms = [sent for sent in stage.sent if b"could not be delivered" in sent.raw]
    assert len(alarms) == (1 if end == "never" else 0)  # of both of his letters


def test_sigterm_over_a_server_that_does_not_answer_does_not_wait_for_it(tmp_path: Path) -> None:
    with curt() as server:
        config = f'[poll]\nevery = "1s"\n[courier]\nurl = "smtp://127.0.0.1:{server.port}"\n'
        world = World(tmp_path, config)
        world.do("open", "buttons", "--seat", "Ann <ann@example.org>", "--seat", "Ben <ben@example.org>")
        server.slow = 2 * PATIENCE
        service = Daemon(tmp_path / "referee.toml").start()
        eventually(lambda: bool(server.reached), "a letter is under way")
        assert service.terminate() == 0, service.log
        assert server.reached == ["greeting"]
        assert "not answer in time" not in service.log, "it did not wait for that either"
        server.slow = 0.0
        eventually(lambda: world.run("step").status == 0, "a step")
        eventually(lambda: len(server.taken) >= 2, "the letters")
        ids = Counter(re.findall(rb"(?m)^Message-ID: (\S+)", b"".join(server.messages)))
        assert set(ids.values()) == {1}
