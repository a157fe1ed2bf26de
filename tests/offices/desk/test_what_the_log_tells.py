"""The log ties a mail to its match, ruling and letters; no line of it has a sealed word, a subject or an address,
whatever goes wrong and in whoever's words."""

import logging
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from referee.base import logs
from referee.base.errors import traced
from referee.base.ports import MailboxTrouble
from referee.letters.envelope import Envelope
from referee.mail.reader import MailReader
from referee.match.match import Match
from referee.offices.decisions import Decisions
from referee.service.service import AlreadyTold, Service
from referee.way import answers
from tests.laws.walks import KINDS
from tests.memory import Stage, answer_text, later, owing, subject_of

BODY, SUBJECT, NAME = "quokkabird", "okapistone", "Wombatina"
STRANGER = "wombatina.canary@elsewhere.example"


@pytest.fixture(autouse=True)
def everything_is_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "level", logging.DEBUG)


def played(stage: Stage, kind: str) -> tuple[Match, list[str]]:
    """A match of that kind, in which everybody who owes something has answered, and strangers and doubtful mails came;
    what nobody but the writers may know of it."""
    game, seats, options = KINDS[kind]
    name = stage.open(game, seats, **options)
    match = stage.match(name)
    hidden = [BODY, SUBJECT, NAME, STRANGER, "@"]
    for number, demand in enumerate(owing(match), 1):
        text = answer_text(match, demand)
        hidden += [line for line in text.splitlines() if len(line) > 7]
        person, at = match.entrant(demand.seat), later(hours=number)
        sender = f"{person.name} <{person.addresses[0]}>"
        stage.write(sender, subject_of(match, demand), f"Dear all, {BODY}.\n\n{text}\n", at)
        stage.write(sender, f"{SUBJECT} / Player 9", f"{BODY}\n{text}", at)
        stage.write(sender, f"{SUBJECT}", "On vacation", at, Precedence="bulk")
    stage.write(f"{NAME} <{STRANGER}>", SUBJECT, BODY, later(hours=9))
    stage.write(f"{NAME} <{STRANGER}>", f"join {name}", BODY, later(hours=9))
    stage.deliver(
        f"From: {STRANGER}\nSubject: {SUBJECT}\nFrom: b@c.example\n\n{BODY}".encode(), later(hours=9)
    )
    return match, hidden


_FACT = re.compile(r'(\w+)=("(?:[^"\\]|\\.)*"|\S*)')


def told(err: str) -> list[dict[str, Any]]:
    return [
        {name: int(said) if said.isdigit() else said.strip('"') for name, said in _FACT.findall(line)}
        for line in err.splitlines()
    ]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("kind", KINDS)
def test_no_line_has_a_word_of_a_mail_or_an_address(
    stage: Stage, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _, hidden = played(stage, kind)
    counts = stage.step(later(days=1))
    assert counts.facts()["read"] == len(stage.mails)
    err = capsys.readouterr().err
    numbers = {line["mail"] for line in told(err) if line["event"] == "mail"}
    assert len(numbers) == len(stage.mails), "each mail has its line"
    assert [word for word in hidden if word in err] == []


def test_a_mail_its_match_its_ruling_and_its_letters_are_found_by_one_number(
    stage: Stage, capsys: pytest.CaptureFixture[str]
) -> None:
    name = stage.open("morris", 2)
    stage.step(later(minutes=1))
    match = stage.match(name)
    stage.answer(match, owing(match)[0], later(hours=1))
    capsys.readouterr()
    before = len(stage.sent)
    stage.step(later(hours=1))
    lines = told(capsys.readouterr().err)
    (mail,) = [line for line in lines if line["event"] == "mail"]
    assert (mail["verdict"], mail["match"], mail["seat"]) == ("accepted", name, owing(match)[0].seat)
    (ruling,) = [line for line in lines if line["event"] == "ruling" and line.get("mail") == mail["mail"]]
    assert (ruling["match"], ruling["position"]) == (name, stage.match(name).position)
    queued = {
        line["letter"] for line in lines if line["event"] == "letter queued" and line["mail"] == mail["mail"]
    }
    sent = {line["letter"] for line in lines if line["event"] == "letter sent"}
    left = {parcel.message_id.strip("<>").partition("@")[0] for parcel in stage.sent[before:]}
    assert queued == sent == left != set()


def _quoting(*given: object, **named: object) -> None:
    """What a fault of ours might say: all that it was given, and what led to it."""
    try:
        raise KeyError(f"{BODY} {STRANGER}")
    except KeyError as error:
        raise ValueError(f"{SUBJECT} {given!r} {named!r}") from error


@contextmanager
def stumbling(where: object, what: str) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(where, what, _quoting)
        yield


@pytest.mark.parametrize(
    ("where", "what"),
    [
        (answers, "judgement"),
        (MailReader, "read"),
        (MailReader, "identify"),
        (Envelope, "__call__"),
        (Decisions, "decide"),
    ],
    ids=lambda given: given if isinstance(given, str) else given.__name__,
)
def test_a_fault_is_told_by_its_kind_and_place_alone(
    stage: Stage, where: object, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _, hidden = played(stage, "fourplay")
    capsys.readouterr()
    with stumbling(where, what):
        stage.step(later(days=40))
        stage.step(later(days=400))
    with stage.referee() as referee:
        kept = "".join(
            mail.reason or ""
            for mail in referee.moderator.act(lambda unit: unit.mails(["held", "shunted"]))
            if mail.verdict == "shunted"
        )
    err = capsys.readouterr().err
    letters = "".join(
        p.raw.decode() for p in stage.sent if b"could not be judged" in p.raw
    )  # to the moderator
    assert "ValueError" in err + kept
    assert "KeyError" in err + kept
    assert [word for word in hidden if word in err + kept] == []
    assert [word for word in (BODY, SUBJECT) if word in letters] == []


def test_a_pass_that_fails_as_a_whole_is_told_by_its_kind_and_place_alone(
    stage: Stage, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with stage.referee() as referee:
        monkeypatch.setattr(type(referee.desk), "step", _quoting)
        for _ in range(2):
            with pytest.raises(AlreadyTold):
                Service(referee)._pass()
    err = capsys.readouterr().err
    assert "ValueError" in err
    assert BODY not in err
    assert SUBJECT not in err


OTHER_WAYS = f"""
import logging, sys, threading
from referee.base import logs
logs.guard()

def stumble():
    try:
        raise KeyError("{BODY} {STRANGER}")
    except KeyError as error:
        raise ValueError("{SUBJECT}") from error

threading.Thread(target=stumble).start()
try:
    stumble()
except ValueError:
    logging.getLogger("a.library").exception("Job %s failed", "judge[{STRANGER}, {BODY}]")
stumble()
"""


def test_what_reaches_standard_error_by_other_ways_is_guarded_too() -> None:
    ran = subprocess.run([sys.executable, "-c", OTHER_WAYS], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert ran.stderr.count("ValueError") == 3, "of a thread, of a library, of the end"
    assert "a.library" in ran.stderr
    assert [word for word in (BODY, SUBJECT, STRANGER, "@") if word in ran.stderr] == []


@pytest.mark.parametrize("error", [MailboxTrouble("no such match"), OSError(28, "no such match")])
def test_errors_of_ours_and_of_the_system_keep_their_words(error: Exception) -> None:
    with pytest.raises(type(error)) as raised:
        raise error
    assert traced(raised.value).endswith(f"{type(error).__name__}: no such match")
    assert "in test_errors_of_ours" in traced(raised.value)
