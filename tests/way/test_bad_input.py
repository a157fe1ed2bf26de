"""Bad input: whatever lies in the mailbox is answered, held or discarded with a reason, and no step stops."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from referee.core import seam
from referee.letters.envelope import Envelope
from referee.match.events import Said
from referee.store.post import Disposition, KeptMail
from tests.memory import PEOPLE, Stage, kind_of, later, owing, told

ROUGH = Path(__file__).parents[1] / "mail/rough"
ANN = PEOPLE[0].addresses[0]
AT = later(hours=1)
EVERY: list[Disposition] = ["accepted", "refused", "ignored", "answered", "discarded", "held", "shunted"]
COMMON = "To: collector@referee.localhost\nDate: Sun, 1 Mar 2026 13:00:00 +0000\nMessage-ID: <odd@x>\n"


@pytest.fixture
def name(stage: Stage) -> str:
    match = stage.open("fourplay")
    stage.passed(later())
    return match


def settled(stage: Stage) -> list[KeptMail]:
    with stage.referee() as referee, referee.store.transaction() as unit:
        return unit.mails(EVERY)


def judged(stage: Stage, raw: bytes, at: Any = AT) -> KeptMail:
    """What became of one mail."""
    stage.deliver(raw, at)
    counts = stage.step(at).facts()
    assert (counts["read"], counts["waiting"]) == (1, 0), counts
    assert "trouble" not in counts
    return settled(stage)[-1]


def test_an_empty_file_is_discarded_with_a_reason(stage: Stage, name: str) -> None:
    found = judged(stage, b"")
    assert found.verdict == "discarded"
    assert found.reason
    assert stage.new_letters() == []


def test_a_seats_empty_mail_gets_an_answer(stage: Stage, name: str) -> None:
    found = judged(stage, f"From: {ANN}\n{COMMON}\n".encode())
    assert found.verdict in ("answered", "refused")
    assert [p.recipient for p in stage.new_letters()] == [ANN]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "body",
    [
        b"\xff\xfe\x00\x80 \xc3\x28 \x00\x00",
        b"=ZZ=\r\n=",
        b"\x1b[31m\x07\x08" * 50,
        "\u202eI am ready\u202c \U0001f600 \ufeff".encode(),
        b"I am ready " * 20_000,
    ],
)
@pytest.mark.parametrize("charset", ["utf-8", "utf-7", "x-nobody-knows", "base64\x00"])
def test_a_seats_undecodable_mail_gets_an_answer(stage: Stage, name: str, body: bytes, charset: str) -> None:
    head = f"From: {ANN}\nSubject: Fourplay: Ready\nContent-Type: text/plain; charset={charset}\n{COMMON}"
    found = judged(stage, head.encode() + b"Content-Transfer-Encoding: 8bit\n\n" + body)
    assert found.verdict in ("answered", "refused", "accepted"), found.reason
    assert [p.recipient for p in stage.new_letters()] == [ANN]


def test_a_mail_beyond_the_limit_is_refused_unread_and_told_the_limit(stage: Stage, name: str) -> None:
    head = f"From: {ANN}\nSubject: Fourplay: Ready\n{COMMON}\n"
    body = "I am ready for battle. Let the Games begin!\n" + "x" * 1_100_000
    found = judged(stage, (head + body).encode())
    assert found.verdict == "refused"
    assert found.reason == f"too large: {len(head + body)} bytes"
    (letter,) = stage.new_letters()
    assert (letter.recipient, kind_of(letter)) == (ANN, "refusal")
    assert len(owing(stage.match(name))) == 4


@pytest.mark.parametrize(
    "senders",
    [
        "", f"From: {ANN}\nFrom: {PEOPLE[1].addresses[0]}\n", f"From: {ANN}, {PEOPLE[1].addresses[0]}\n",
        "From: Ann\n",
    ],
    ids=["none", "two lines", "two in one", "no address"],
)  # fmt: skip
def test_a_mail_that_does_not_say_who_sent_it_is_held(stage: Stage, name: str, senders: str) -> None:
    raw = f"{senders}Subject: Fourplay: Ready\n{COMMON}\nI am ready for battle. Let the Games begin!\n"
    found = judged(stage, raw.encode())
    assert found.verdict == "held"
    assert found.reason
    assert told(stage.new_letters()) == {"alarm": ["moderator@referee.localhost"]}


def test_a_seats_words_under_a_wrong_heading_get_a_few_lines(stage: Stage, name: str) -> None:
    stage.write(ANN, "Fourplay: Surrender of Pieces", "What a day!", AT)
    assert stage.step(AT).answered == 1
    assert told(stage.new_letters()) == {"question": ["moderator@referee.localhost"], "status": [ANN]}


def test_a_seat_that_gives_up_under_a_wrong_heading_gives_up_nothing(stage: Stage, name: str) -> None:
    """It is asked about, as giving up always is: nothing comes of it before its OK."""
    stage.write(ANN, "Fourplay: Surrender of Pieces", "I give up", AT)
    assert stage.step(AT).answered == 1
    assert told(stage.new_letters()) == {"preview": [ANN]}
    assert stage.match(name).vacant == ()


def test_a_seats_mail_for_a_game_it_does_not_play_is_told_in_a_few_lines(stage: Stage, name: str) -> None:
    stage.write(ANN, "Go: Move / Player 1", "pass", AT)
    assert stage.step(AT).answered == 1
    assert told(stage.new_letters()) == {"status": [ANN]}


def test_every_rough_mail_at_once_stops_nothing(stage: Stage, name: str) -> None:
    files = sorted(ROUGH.glob("*.eml"))
    assert len(files) > 30
    for path in files:
        stage.deliver(path.read_bytes(), AT)
    stage.write(ANN, "Fourplay: Ready", "I am ready for battle. Let the Games begin!", AT)
    counts = stage.step(AT).facts()
    assert counts["read"] == len(files) + 1
    assert (counts["shunted"], counts["waiting"], "trouble" in counts) == (0, 0, False)
    assert all(m.reason for m in settled(stage))
    again = stage.step(AT).facts()
    assert (again["read"], again["sent"]) == (0, 0)


# --- our own faults ----------------------------------------------------------------------------------------------


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """The game has a fault that seat 2's answers meet, after it has written something."""
    with monkeypatch.context() as patch:
        resolve = seam.resolve

        def faulty(game: Any, state: Any, answers: Any) -> Any:
            if any(demand.seat == 2 for demand in answers):
                raise ZeroDivisionError("a fault of ours \x00 \udce9")
            return resolve(game, state, answers)

        patch.setattr(seam, "resolve", faulty)
        yield patch


def test_a_game_that_raises_shunts_that_one_mail_and_the_next_is_judged(
    stage: Stage, name: str, broken: pytest.MonkeyPatch
) -> None:
    for demand in owing(stage.match(name)):
        stage.answer(stage.match(name), demand, AT)
    counts = stage.step(AT)
    assert (counts.accepted, counts.shunted) == (3, 1)
    aside = next(m for m in settled(stage) if m.verdict == "shunted")
    assert "ZeroDivisionError" in (aside.reason or "")
    assert [d.seat for d in owing(stage.match(name))] == [2]
    letters = told(stage.new_letters())
    assert letters["alarm"] == ["moderator@referee.localhost"]
    assert stage.match(name).entrant(2).addresses[0] not in letters["receipt"]
    broken.undo()
    with stage.referee() as referee:
        assert referee.moderator.act(
            lambda unit: referee.parts.acts.release(unit, str(aside.id), "unshunt")
        ) == [aside.id]
    counts = stage.step(AT + timedelta(hours=1))
    assert (counts.accepted, counts.shunted) == (1, 0)
    assert stage.match(name).rounds[0].label == "Initial Purchase"


def test_unshunted_too_early_it_is_shunted_again_and_told_again(
    stage: Stage, name: str, broken: pytest.MonkeyPatch
) -> None:
    stage.answer(stage.match(name), owing(stage.match(name))[1], AT)
    for hour in range(2):
        assert stage.step(AT + timedelta(hours=hour)).shunted == 1
        assert told(stage.new_letters())["alarm"] == ["moderator@referee.localhost"]
        with stage.referee() as referee:
            referee.moderator.act(lambda unit: referee.parts.acts.release(unit, "all", "unshunt"))


def test_a_deadline_that_meets_a_fault_keeps_no_other_match_waiting(
    stage: Stage, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = stage.open("fourplay", at=AT)
    for match in (name, other):
        for demand in owing(stage.match(match)):
            stage.answer(stage.match(match), demand, AT, Subject=f"Fourplay: Ready [{match}]")
    stage.passed(AT)
    resolve = seam.resolve
    broken_state = stage.match(name).inner

    def faulty(game: Any, state: Any, answers: Any) -> Any:
        if state == broken_state and faulty.on:  # type: ignore[attr-defined]
            faulty.on = False  # type: ignore[attr-defined]
            raise ZeroDivisionError
        return resolve(game, state, answers)

    faulty.on = True  # type: ignore[attr-defined]
    monkeypatch.setattr(seam, "resolve", faulty)
    past = AT + timedelta(days=14, seconds=1)
    counts = stage.step(past)
    assert (counts.lapsed, len(counts.trouble)) == (1, 1)
    assert told(stage.new_letters())["alarm"] == ["moderator@referee.localhost"]
    assert stage.step(past).lapsed == 1


def test_a_letter_that_cannot_be_put_together_keeps_no_other_back(
    stage: Stage, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrap = Envelope.__call__

    def faulty(self: Envelope, letter: Any) -> bytes:
        if letter.head.recipient == ANN:
            raise ValueError("no such picture")
        return wrap(self, letter)

    monkeypatch.setattr(Envelope, "__call__", faulty)
    stage.desk(name, Said("A word to all."), AT)
    counts = stage.step(AT)
    assert counts.sent == 4
    letters = told(stage.new_letters())
    assert letters["alarm"] == ["moderator@referee.localhost"]
    assert len(letters["announcement"]) == 3
